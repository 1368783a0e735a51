//! Everything that must hold before a change lands, in one command: `cargo xtask ci`.
//!
//! The cheapest stages run first, and the first failure stops the run unless `--keep-going` is
//! given. `--quick` skips the stages that need another program, toolchain or Python package (`deny`,
//! `wasm`, `usd`, `window`). Missing compilers and drivers are installed where that is allowed. The
//! last line is the number of stages: `12 passed, 0 failed`.
//!
//! Tests: `the_first_failure_stops_the_rest`, `keep_going_runs_them_all`,
//! `quick_leaves_out_external_stages`, `unknown_flags_are_refused`.

use std::{
    fmt::Write,
    time::{Duration, Instant},
};

use crate::{deny, figures, notice, shell, tidy, torture, usd, wasm, window};

/// One stage, a row of the table at the end.
struct Stage {
    name: &'static str,
    /// Needs another program, toolchain or Python package; skipped by `--quick`.
    external: bool,
    run: fn() -> Result<(), String>,
}

const STAGES: &[Stage] = &[
    Stage { name: "fmt", external: false, run: fmt },
    Stage { name: "clippy", external: false, run: clippy },
    Stage { name: "test", external: false, run: test },
    Stage { name: "tidy", external: false, run: || tidy::run(&[]) },
    Stage { name: "notice", external: false, run: || notice::run(&["--check".to_owned()]) },
    Stage { name: "doc", external: false, run: doc },
    Stage { name: "figures", external: false, run: || figures::run(&["--check".to_owned()]) },
    Stage { name: "torture", external: false, run: short_torture },
    Stage { name: "deny", external: true, run: || deny::run(&[]) },
    Stage { name: "wasm", external: true, run: || wasm::run(&[]) },
    Stage { name: "usd", external: true, run: || usd::run(&[]) },
    Stage { name: "window", external: true, run: short_window },
];

/// `cargo xtask ci [--quick] [--keep-going]`.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let (stages, keep_going) = choose(arguments)?;
    let results = run_stages(&stages, keep_going);
    println!("\n{}", table(&results));
    let passed = count(&results, |ending| matches!(ending, Outcome::Passed(_)));
    let failed = count(&results, |ending| matches!(ending, Outcome::Failed(..)));
    println!("{passed} passed, {failed} failed");
    if failed == 0 { Ok(()) } else { Err(String::new()) }
}

fn fmt() -> Result<(), String> {
    shell::run(shell::cargo().args(["fmt", "--all", "--check"]))
}

/// Lints, with all features and without. The first stage that builds, so it installs the compilers.
fn clippy() -> Result<(), String> {
    if shell::which("c++").is_none() {
        shell::install(&["g++"], "the movie encoder")?;
    }
    let everything = ["--workspace", "--all-targets"].as_slice();
    // As `cargo lariat` builds it.
    let quick = ["--package", "lariat-cli", "--no-default-features"].as_slice();
    for chosen in [everything, quick] {
        let mut lint = shell::cargo();
        lint.args(["clippy", "--quiet"]).args(chosen).args(["--", "-D", "warnings"]);
        shell::run(&mut lint)?;
    }
    Ok(())
}

/// Unit tests, integration tests and documentation tests. Tests of the GPU renderer need a graphics
/// card or a software driver.
fn test() -> Result<(), String> {
    if !has_vulkan() {
        shell::install(&["mesa-vulkan-drivers", "libvulkan1"], "tests of the GPU renderer")?;
    }
    let mut test = shell::cargo();
    test.args(["test", "--workspace", "--quiet"]).env("LARIAT_NEEDS_GPU", "1");
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // Mesa warns in every test otherwise.
        test.env("XDG_RUNTIME_DIR", std::env::temp_dir());
    }
    shell::run(&mut test)
}

/// Returns whether Linux has a Vulkan driver; on other systems the tests find out.
fn has_vulkan() -> bool {
    let places = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];
    let any =
        |place: &&str| std::fs::read_dir(place).is_ok_and(|mut entries| entries.next().is_some());
    !cfg!(target_os = "linux") || places.iter().any(any)
}

/// Documentation, twice: with private items, whose headers contain most of the links, and as
/// published. The facade is excluded from the first run, because it and the program have the same
/// name.
fn doc() -> Result<(), String> {
    let private = ["--exclude", "lariat", "--document-private-items"].as_slice();
    for chosen in [private, &["--lib"]] {
        let mut doc = shell::cargo();
        doc.args(["doc", "--workspace", "--no-deps", "--quiet"]).args(chosen);
        shell::run(doc.env("RUSTDOCFLAGS", "-D warnings"))?;
    }
    Ok(())
}

/// A few disturbances of each kind, the same in every run.
fn short_torture() -> Result<(), String> {
    torture::run(&["--short", "--seed", "1997"].map(str::to_owned))
}

/// A drag with the pointer, an idle window, and a few kills, the same in every run.
fn short_window() -> Result<(), String> {
    window::run(&["--kills", "3", "--seed", "1997"].map(str::to_owned))
}

fn choose(arguments: &[String]) -> Result<(Vec<&'static Stage>, bool), String> {
    let (mut quick, mut keep_going) = (false, false);
    for argument in arguments {
        match argument.as_str() {
            "--quick" => quick = true,
            "--keep-going" => keep_going = true,
            other => {
                return Err(format!(
                    "unknown option `{other}`; `ci` supports --quick and --keep-going"
                ));
            }
        }
    }
    Ok((STAGES.iter().filter(|stage| !(quick && stage.external)).collect(), keep_going))
}

enum Outcome {
    Passed(Duration),
    Failed(Duration, String),
    NotRun,
}

fn run_stages(stages: &[&'static Stage], keep_going: bool) -> Vec<(&'static str, Outcome)> {
    let mut stopped = false;
    let mut results = Vec::new();
    for stage in stages {
        if stopped {
            results.push((stage.name, Outcome::NotRun));
            continue;
        }
        println!("\n=== {} ===", stage.name);
        let start = Instant::now();
        let outcome = (stage.run)();
        let time = start.elapsed();
        let seconds = time.as_secs_f64();
        let ending = match outcome {
            Ok(()) => {
                println!("--- {}: passed in {seconds:.1} s", stage.name);
                Outcome::Passed(time)
            }
            Err(message) => {
                println!("--- {}: FAILED after {seconds:.1} s {message}", stage.name);
                stopped = !keep_going;
                Outcome::Failed(time, message)
            }
        };
        results.push((stage.name, ending));
    }
    results
}

fn count(results: &[(&'static str, Outcome)], kind: fn(&Outcome) -> bool) -> usize {
    results.iter().filter(|(_, ending)| kind(ending)).count()
}

fn table(results: &[(&'static str, Outcome)]) -> String {
    let mut text = String::from("stage    time      result\n");
    let mut total = Duration::ZERO;
    for (name, ending) in results {
        let (time, result) = match ending {
            Outcome::Passed(time) => (*time, "passed".to_owned()),
            Outcome::Failed(time, message) => {
                (*time, format!("FAILED {}", message.lines().next().unwrap_or_default()))
            }
            Outcome::NotRun => (Duration::ZERO, "not run".to_owned()),
        };
        total += time;
        let _ = writeln!(text, "{name:8} {:6.1} s  {}", time.as_secs_f64(), result.trim_end());
    }
    let _ = writeln!(text, "{:8} {:6.1} s", "total", total.as_secs_f64());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: Stage = Stage { name: "good", external: false, run: || Ok(()) };
    const BAD: Stage =
        Stage { name: "bad", external: false, run: || Err("the rope broke".to_owned()) };

    fn names(quick: &[&str]) -> Vec<&'static str> {
        let arguments: Vec<String> = quick.iter().map(ToString::to_string).collect();
        let (stages, _) = choose(&arguments).expect("known flags");
        stages.iter().map(|stage| stage.name).collect()
    }

    #[test]
    fn the_first_failure_stops_the_rest() {
        let results = run_stages(&[&GOOD, &BAD, &GOOD], false);
        assert_eq!(count(&results, |ending| matches!(ending, Outcome::Passed(_))), 1);
        assert_eq!(count(&results, |ending| matches!(ending, Outcome::Failed(..))), 1);
        assert_eq!(count(&results, |ending| matches!(ending, Outcome::NotRun)), 1);
        let table = table(&results);
        assert!(table.contains("FAILED the rope broke"), "{table}");
        assert!(table.contains("not run"), "{table}");
    }

    #[test]
    fn keep_going_runs_them_all() {
        let results = run_stages(&[&BAD, &GOOD, &BAD], true);
        assert_eq!(count(&results, |ending| matches!(ending, Outcome::Passed(_))), 1);
        assert_eq!(count(&results, |ending| matches!(ending, Outcome::Failed(..))), 2);
    }

    #[test]
    fn quick_leaves_out_external_stages() {
        let quick = ["fmt", "clippy", "test", "tidy", "notice", "doc", "figures", "torture"];
        assert_eq!(names(&["--quick"]), quick);
        assert_eq!(names(&[]), [quick.as_slice(), &["deny", "wasm", "usd", "window"]].concat());
    }

    #[test]
    fn unknown_flags_are_refused() {
        let Err(message) = choose(&["--fast".to_owned()]) else { panic!("accepted") };
        assert!(message.contains("`--fast`") && message.contains("--quick"), "{message}");
    }
}
