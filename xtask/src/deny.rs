//! Rules for third-party crates: `cargo xtask deny`.
//!
//! cargo-deny reads `deny.toml` and reports forbidden licences, second versions of a crate, banned
//! crates and sources other than crates.io. If it is not installed, the task builds it below
//! `target/`: without optimisation, because the checks take a second and an optimised build takes
//! minutes.
//!
//! Tests: `arguments_are_refused`.

use std::{env, path::PathBuf, process::Command};

use crate::shell;

/// Release of cargo-deny that is installed.
const VERSION: &str = "0.20.2";

/// `cargo xtask deny`.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(extra) = arguments.first() {
        return Err(format!("`deny` takes no arguments, but was given `{extra}`"));
    }
    let mut check = Command::new(program()?);
    check.current_dir(shell::root());
    shell::run(check.args(["deny", "check", "licenses", "bans", "sources"]))
}

/// cargo-deny on `PATH` or below `target/`, where it is installed if it is missing.
fn program() -> Result<PathBuf, String> {
    let name = format!("cargo-deny{}", env::consts::EXE_SUFFIX);
    if let Some(installed) = shell::which(&name) {
        return Ok(installed);
    }
    let folder = shell::target().join("tools");
    let ours = folder.join("bin").join(name);
    if !ours.is_file() {
        let mut install = shell::cargo();
        install.args(["install", "cargo-deny", "--version", VERSION, "--locked", "--debug"]);
        shell::run(install.arg("--quiet").arg("--root").arg(&folder))?;
    }
    Ok(ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_refused() {
        let Err(message) = run(&["--fix".to_owned()]) else { panic!("accepted") };
        assert!(message.contains("`--fix`"), "{message}");
    }
}
