//! Looks for inputs that break a promise, with libFuzzer: `cargo xtask fuzz [--minutes N] [TARGET …]`.
//!
//! The targets are functions of `crates/lariat-fuzz`; `cargo test` runs them over a few thousand
//! inputs. Here libFuzzer runs them for longer and keeps the inputs that reach new code. The time is
//! divided equally over the targets. The smallest input of each failure is copied to `crates/lariat-fuzz/corpus/TARGET`, where
//! the ordinary test fails until it is fixed and keeps it as a regression seed afterwards.
//!
//! `cargo-fuzz` is installed into `target/tools` if it is missing. It needs unstable options of the
//! compiler, which `RUSTC_BOOTSTRAP` allows on a stable one. No sanitizer is used: the project has
//! no `unsafe` code, and without one a target runs several times as often.
//!
//! Tests: `time_is_divided_over_the_targets`, `an_unknown_target_is_answered_with_the_list`,
//! `statistics_are_read_from_the_output`, `the_smallest_input_of_each_cause_is_kept`,
//! `failures_are_counted_in_the_table`.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::shell;

/// Minutes of a run without `--minutes`.
const MINUTES: f64 = 10.0;

/// Seconds after which a single input counts as a hang.
const TIMEOUT: u32 = 20;

/// Inputs of one target whose cause is looked up.
const MOST_INPUTS: usize = 200;

/// Megabytes of memory at which a program stops with a failure.
const MEMORY: u32 = 4096;

/// `cargo xtask fuzz [--minutes N] [TARGET …]`.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let crate_folder = shell::root().join("crates/lariat-fuzz");
    let known = names(&crate_folder.join("fuzz/fuzz_targets"))?;
    let (targets, seconds) = choose(arguments, &known)?;
    let cargo_fuzz = cargo_fuzz()?;
    // The versions that the project is tested with; libFuzzer is added to them.
    let lock = crate_folder.join("fuzz/Cargo.lock");
    fs::copy(shell::root().join("Cargo.lock"), lock).map_err(|error| error.to_string())?;
    let build_folder = shell::target().join("fuzz");
    let mut build = Command::new(&cargo_fuzz);
    build.current_dir(&crate_folder).env("RUSTC_BOOTSTRAP", "1");
    build.args(["fuzz", "build", "--fuzz-dir", "fuzz", "--sanitizer", "none", "--target-dir"]);
    shell::run(build.arg(&build_folder))?;
    let seeds = build_folder.join("seeds");
    let mut write = shell::cargo();
    write.args(["run", "--quiet", "--package", "lariat-fuzz", "--example", "write_seeds"]);
    shell::run(write.arg("--").arg(&seeds))?;

    let mut results = Vec::new();
    for target in targets {
        let reached = build_folder.join("reached").join(target);
        let artifacts = build_folder.join("artifacts").join(target);
        // An input that fails again has the same name.
        let _ = fs::remove_dir_all(&artifacts);
        for folder in [&reached, &artifacts] {
            fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        }
        // Run directly: `cargo fuzz run` would build again if a source file changes meanwhile.
        let program = program(&build_folder, target)?;
        let mut fuzz = Command::new(&program);
        fuzz.arg(&reached).arg(seeds.join(target)).args([
            format!("-max_total_time={seconds}"),
            format!("-timeout={TIMEOUT}"),
            // A slow input is a failure only if it counts as a hang.
            format!("-report_slow_units={TIMEOUT}"),
            format!("-rss_limit_mb={MEMORY}"),
            format!("-artifact_prefix={}/", artifacts.display()),
            "-max_len=16384".to_owned(),
            "-print_final_stats=1".to_owned(),
            // Goes on after a failure, so that one does not hide the others.
            "-fork=1".to_owned(),
            "-ignore_crashes=1".to_owned(),
            "-ignore_timeouts=1".to_owned(),
            "-ignore_ooms=1".to_owned(),
        ]);
        println!("{target}: {seconds} s");
        let output = fuzz.output().map_err(|error| format!("{target}: {error}"))?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let Some(executions) = executions(&text) else {
            return Err(format!("{target} did not run\n{text}"));
        };
        let mut inputs = Vec::new();
        for file in files(&artifacts).iter().take(MOST_INPUTS) {
            let mut again = Command::new(&program);
            let output = again.arg(format!("-timeout={TIMEOUT}")).arg(file).output();
            let output = output.map_err(|error| format!("{target}: {error}"))?;
            let size = fs::metadata(file).map_or(u64::MAX, |found| found.len());
            let text = String::from_utf8_lossy(&output.stderr);
            inputs.push((cause(&text, &shell::root()), size, file.clone()));
        }
        let found = smallest_by_cause(inputs);
        for (cause, file) in &found {
            println!("  {cause}");
            keep(file, &crate_folder.join("corpus").join(target))?;
        }
        results.push(Row { target: target.to_owned(), executions, seconds, failures: found.len() });
    }
    println!("\n{}", table(&results));
    if results.iter().all(|row| row.failures == 0) { Ok(()) } else { Err(String::new()) }
}

/// One row of the table at the end.
struct Row {
    target: String,
    executions: u64,
    seconds: u64,
    failures: usize,
}

/// Names of the targets, which are those of their programs.
fn names(folder: &Path) -> Result<Vec<String>, String> {
    let name = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let names: Vec<String> = files(folder).iter().filter_map(name).collect();
    if names.is_empty() {
        return Err(format!("there are no targets in {}", folder.display()));
    }
    Ok(names)
}

/// The targets to run, and the seconds for each.
fn choose<'n>(arguments: &[String], known: &'n [String]) -> Result<(Vec<&'n str>, u64), String> {
    let (mut minutes, mut chosen) = (MINUTES, Vec::new());
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument == "--minutes" {
            let number = arguments.next().and_then(|text| text.parse().ok());
            minutes = number
                .filter(|minutes| (0.01..=1e5).contains(minutes))
                .ok_or("`--minutes` needs a number of minutes")?;
            continue;
        }
        let Some(target) = known.iter().find(|name| *name == argument) else {
            let list = known.join(", ");
            return Err(format!("unknown target `{argument}`; targets: {list}"));
        };
        chosen.push(target.as_str());
    }
    if chosen.is_empty() {
        chosen = known.iter().map(String::as_str).collect();
    }
    let seconds = (60.0 * minutes / chosen.len() as f64).ceil().max(1.0) as u64;
    Ok((chosen, seconds))
}

/// The version of `cargo-fuzz` that is installed: its command line has changed between versions.
const CARGO_FUZZ: &str = "cargo-fuzz@0.13.2";

/// The program `cargo-fuzz`, installed if it is missing.
fn cargo_fuzz() -> Result<PathBuf, String> {
    if let Some(installed) = shell::which("cargo-fuzz") {
        return Ok(installed);
    }
    let tools = shell::target().join("tools");
    let program = tools.join("bin").join(format!("cargo-fuzz{}", std::env::consts::EXE_SUFFIX));
    if !program.is_file() {
        let mut install = shell::cargo();
        install.args(["install", "--quiet", "--locked", CARGO_FUZZ, "--root"]).arg(&tools);
        shell::run(&mut install)?;
    }
    Ok(program)
}

/// The program of a target, in the folder of whichever platform it was built for.
fn program(build_folder: &Path, target: &str) -> Result<PathBuf, String> {
    let name = format!("{target}{}", std::env::consts::EXE_SUFFIX);
    let platforms = fs::read_dir(build_folder).into_iter().flatten().flatten();
    let programs = platforms.map(|platform| platform.path().join("release").join(&name));
    let built = programs.into_iter().find(|program| program.is_file());
    built.ok_or_else(|| format!("cargo fuzz did not build {name}"))
}

/// Number of executions in the output of libFuzzer: that of its statistics, or the last of its
/// progress lines.
fn executions(output: &str) -> Option<u64> {
    let stated = |line: &str| {
        let number = line.strip_prefix("stat::number_of_executed_units:")?;
        number.trim().parse().ok()
    };
    let progress = |line: &str| {
        let number = line.strip_prefix('#')?;
        let digits = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        number[..digits].parse().ok()
    };
    output.lines().rev().find_map(stated).or_else(|| output.lines().rev().find_map(progress))
}

/// Place and message of the panic in the output of a program, or the reason why libFuzzer stopped it.
fn cause(output: &str, root: &Path) -> String {
    let mut lines = output.lines();
    let panic = lines.find_map(|line| Some(line.split_once(" panicked at ")?.1));
    if let Some(place) = panic {
        let place = Path::new(place).strip_prefix(root).unwrap_or(Path::new(place));
        return format!("{} {}", place.display(), lines.next().unwrap_or_default());
    }
    let stopped = output.lines().find_map(|line| Some(line.split_once("ERROR: libFuzzer: ")?.1));
    stopped.unwrap_or("a hang, or memory beyond the limit").to_owned()
}

/// The smallest input of each cause. Many inputs of a run have the same cause, with other numbers.
fn smallest_by_cause(inputs: Vec<(String, u64, PathBuf)>) -> Vec<(String, PathBuf)> {
    let mut smallest: BTreeMap<String, (u64, String, PathBuf)> = BTreeMap::new();
    for (cause, size, file) in inputs {
        let without_numbers = cause.replace(|c: char| c.is_ascii_digit(), "");
        let found = (size, cause, file);
        match smallest.entry(without_numbers) {
            Entry::Occupied(mut before) if found < *before.get() => *before.get_mut() = found,
            Entry::Occupied(_) => {}
            Entry::Vacant(place) => drop(place.insert(found)),
        }
    }
    smallest.into_values().map(|(_, cause, file)| (cause, file)).collect()
}

/// Copies a failure to the corpus of its target, as `found-HASH`.
fn keep(file: &Path, corpus: &Path) -> Result<(), String> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let hash = name.rsplit('-').next().unwrap_or_default();
    let short: String = hash.chars().take(12).collect();
    let kept = corpus.join(format!("found-{short}"));
    fs::create_dir_all(corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
    fs::copy(file, &kept).map_err(|error| format!("{}: {error}", kept.display()))?;
    println!("  found {name}; kept as {}", kept.display());
    Ok(())
}

fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect()
}

fn table(results: &[Row]) -> String {
    let mut text = String::from("target      executions   exec/s  failures\n");
    for row in results {
        let rate = row.executions as f64 / row.seconds.max(1) as f64;
        let _ =
            writeln!(text, "{:10} {:11} {rate:8.0} {:9}", row.target, row.executions, row.failures);
    }
    let executions: u64 = results.iter().map(|row| row.executions).sum();
    let failures: usize = results.iter().map(|row| row.failures).sum();
    let _ = writeln!(text, "{:10} {executions:11} {:8} {failures:9}", "total", "");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Vec<String> {
        ["csv", "obj", "scene"].map(str::to_owned).to_vec()
    }

    fn chosen(words: &[&str]) -> Result<(Vec<String>, u64), String> {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        let known = known();
        choose(&words, &known)
            .map(|(names, seconds)| (names.into_iter().map(str::to_owned).collect(), seconds))
    }

    #[test]
    fn time_is_divided_over_the_targets() {
        assert_eq!(chosen(&[]), Ok((known(), 200)));
        assert_eq!(chosen(&["--minutes", "0.5", "obj"]), Ok((vec!["obj".to_owned()], 30)));
        assert_eq!(chosen(&["obj", "csv", "--minutes", "1"]).map(|(names, _)| names.len()), Ok(2));
        for wrong in [&["--minutes"][..], &["--minutes", "x"], &["--minutes", "-1"]] {
            assert!(chosen(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn an_unknown_target_is_answered_with_the_list() {
        let Err(message) = chosen(&["ply"]) else { panic!("accepted") };
        assert!(message.contains("`ply`") && message.contains("csv, obj, scene"), "{message}");
    }

    #[test]
    fn statistics_are_read_from_the_output() {
        let output = "#12\tINITED cov: 3\n#99: cov: 4 ft: 5 exec/s: 3\nDONE\n";
        assert_eq!(executions(output), Some(99));
        let stated = format!("{output}stat::number_of_executed_units: 120\nstat::slowest: 1\n");
        assert_eq!(executions(&stated), Some(120));
        assert_eq!(executions("error: no such target\n"), None);
    }

    #[test]
    fn the_smallest_input_of_each_cause_is_kept() {
        let output = "INFO: Running 1 inputs\n\
                      thread '<unnamed>' (12) panicked at top/a/src/b.rs:49:25:\nrange end\nmore\n";
        let of = |output| cause(output, Path::new("top"));
        assert_eq!(of(output), "a/src/b.rs:49:25: range end");
        assert_eq!(of("==7== ERROR: libFuzzer: timeout after 20 s\n"), "timeout after 20 s");
        let input = |cause: &str, size, file: &str| (cause.to_owned(), size, PathBuf::from(file));
        let inputs = vec![input("b 5", 9, "x"), input("a", 7, "y"), input("b 12", 2, "z")];
        let kept = [("a".to_owned(), PathBuf::from("y")), ("b 12".to_owned(), PathBuf::from("z"))];
        assert_eq!(smallest_by_cause(inputs), kept);
    }

    #[test]
    fn failures_are_counted_in_the_table() {
        let row = |target: &str, executions, failures| Row {
            target: target.to_owned(),
            executions,
            seconds: 10,
            failures,
        };
        let text = table(&[row("csv", 1000, 0), row("takes", 50, 2)]);
        let lines: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1], ["csv", "1000", "100", "0"]);
        assert_eq!(lines[2], ["takes", "50", "5", "2"]);
        assert_eq!(lines[3], ["total", "1050", "2"]);
    }

    #[test]
    fn every_target_has_its_program_and_its_corpus() {
        let folder = shell::root().join("crates/lariat-fuzz");
        let names = names(&folder.join("fuzz/fuzz_targets")).expect("programs");
        let manifest = fs::read_to_string(folder.join("fuzz/Cargo.toml")).expect("a manifest");
        let table = fs::read_to_string(folder.join("src/targets/mod.rs")).expect("a table");
        assert_eq!(table.matches("name: \"").count(), names.len());
        for name in names {
            assert!(manifest.contains(&format!("name = \"{name}\"")), "{name} has no program");
            assert!(table.contains(&format!("name: \"{name}\"")), "{name} has no target");
        }
    }
}
