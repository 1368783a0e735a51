//! Exports every museum scene and reads it back with Pixar's library: `cargo xtask usd`.
//!
//! The museum is exported twice, as `.usda` and as `.csv`, by the `lariat` command; then
//! `xtask/usd/check_usd.py` opens every stage with usd-core, validates it, and compares its points
//! with those of the table. The hard cases of the exporter's tests (`oddities`: a rope that tears,
//! velocities, tubes) are checked as well. usd-core is installed in a Python environment under
//! `target/`, created by the first run.
//!
//! Tests: `names_are_read_from_the_list`, `malformed_lists_are_refused`.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use crate::shell;

/// Release of usd-core with which the conventions of the exporter were measured.
const USD_CORE: &str = "26.11";

/// Files that the example of the exporter writes.
const ODDITIES: [&str; 3] = ["oddities", "fleet", "tearing"];

/// `cargo xtask usd`.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(extra) = arguments.first() {
        return Err(format!("`usd` takes no arguments, but was given `{extra}`"));
    }
    let python = environment(&shell::target().join("usd-venv"))?;
    let lariat = shell::lariat()?;
    let list = shell::read(Command::new(&lariat).args(["museum", "list", "--json"]))?;

    let folder = shell::target().join("usd");
    empty(&folder)?;
    let mut check = Command::new(python);
    check.arg(shell::root().join("xtask/usd/check_usd.py"));
    for name in names(&list)? {
        let [scene, stage, table] =
            ["lariat", "usda", "csv"].map(|kind| folder.join(format!("{name}.{kind}")));
        shell::run(Command::new(&lariat).args(["museum", "copy", &name]).arg(&scene))?;
        for file in [&stage, &table] {
            shell::run(Command::new(&lariat).arg("export").arg(&scene).arg("-o").arg(file))?;
        }
        check.arg(stage).arg(table);
    }
    let oddities = ["run", "--quiet", "-p", "lariat-export", "--example", "oddities", "--"];
    shell::run(shell::cargo().args(oddities).arg(&folder))?;
    for name in ODDITIES {
        check.args(["usda", "csv"].map(|kind| folder.join(format!("{name}.{kind}"))));
    }
    shell::run(&mut check)
}

/// Python of an environment that has usd-core; creates the environment if it is missing.
fn environment(folder: &Path) -> Result<PathBuf, String> {
    let programs = if cfg!(windows) { "Scripts" } else { "bin" };
    let python = folder.join(programs).join(format!("python{}", env::consts::EXE_SUFFIX));
    let ask =
        format!("import importlib.metadata as m; assert m.version('usd-core') == '{USD_CORE}'");
    if shell::works(Command::new(&python).args(["-c", &ask])) {
        return Ok(python);
    }
    let make = || shell::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder));
    if shell::which("python3").is_none() || make().is_err() {
        shell::install(&["python3", "python3-venv"], "reading USD with usd-core")?;
        make()?;
    }
    let wanted = format!("usd-core=={USD_CORE}");
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", &wanted];
    shell::run(Command::new(&python).args(pip))?;
    Ok(python)
}

/// Empties a folder, so that files of renamed scenes are not checked again.
fn empty(folder: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(failed)?;
    }
    fs::create_dir_all(folder).map_err(failed)
}

/// Names in the output of `lariat museum list --json`.
fn names(list: &str) -> Result<Vec<String>, String> {
    let not_a_list =
        || format!("the output of `lariat museum list --json` is not a list of scenes: {list}");
    let scenes: Value = serde_json::from_str(list).map_err(|_| not_a_list())?;
    let scenes =
        scenes["scenes"].as_array().filter(|all| !all.is_empty()).ok_or_else(not_a_list)?;
    let name = |scene: &Value| scene["name"].as_str().map(str::to_owned);
    scenes.iter().map(|scene| name(scene).ok_or_else(not_a_list)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_the_list() {
        let list = r#"{"scenes": [{"name": "rein", "why": "It hangs."}, {"name": "slinky"}]}"#;
        assert_eq!(names(list), Ok(vec!["rein".to_owned(), "slinky".to_owned()]));
    }

    #[test]
    fn malformed_lists_are_refused() {
        for list in
            ["", "[]", "{}", r#"{"scenes": []}"#, r#"{"scenes": [{"name": 3}]}"#, "no museum"]
        {
            let answer = names(list);
            assert!(
                answer.is_err_and(|message| message.contains("not a list of scenes")),
                "{list}"
            );
        }
    }
}
