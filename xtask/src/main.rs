//! Project tasks: `cargo xtask TASK`.
//!
//! One small program that builds in seconds runs all tasks that keep the project in order, so every
//! machine runs the same commands.
//!
//!   tidy     rules of the project that neither the compiler nor clippy can check
//!   wasm     builds core, scene, import and eval for the browser and compares their bits
//!   usd      exports every museum scene and reads it back with Pixar's own library
//!   fuzz     looks for inputs that break a promise, with libFuzzer
//!   figures  the pictures in the documentation, rendered from the museum
//!   deny     licences, duplicate versions and sources of third-party crates
//!   notice   licences of third-party code, THIRD-PARTY.md
//!   torture  kills, full disks, runs at the same time and damaged takes
//!   window   the studio on a display without a screen, with a real pointer; kills
//!   ci       all of them, cheapest first
//!
//! Tests: `task_names_are_unique`, `an_unknown_task_is_answered_with_the_list`.

mod ci;
mod deny;
mod figures;
mod fuzz;
mod notice;
mod random;
mod shell;
mod tidy;
mod torture;
mod usd;
mod wasm;
mod window;

use std::{fmt::Write, process::ExitCode};

/// One row of the list that `cargo xtask` prints, and its function.
struct Task {
    name: &'static str,
    help: &'static str,
    run: fn(&[String]) -> Result<(), String>,
}

const TASKS: &[Task] = &[
    Task { name: "tidy", help: "check the rules of the project, all in one run", run: tidy::run },
    Task {
        name: "figures",
        help: "render the museum for the documentation [--check] [--all] [WORD …]",
        run: figures::run,
    },
    Task {
        name: "wasm",
        help: "build the libraries for wasm32 and compare their bits with ours",
        run: wasm::run,
    },
    Task { name: "usd", help: "export the museum and read it back with usd-core", run: usd::run },
    Task {
        name: "fuzz",
        help: "run the fuzz targets with libFuzzer [--minutes N] [TARGET …]",
        run: fuzz::run,
    },
    Task {
        name: "deny",
        help: "check licences, versions and sources of third-party crates",
        run: deny::run,
    },
    Task {
        name: "notice",
        help: "write the licences of third-party code, THIRD-PARTY.md [--check]",
        run: notice::run,
    },
    Task {
        name: "torture",
        help: "kill runs, fill disks, damage takes [--kills N] [--short] [--seed N] [CHECK …]",
        run: torture::run,
    },
    Task {
        name: "window",
        help: "use the studio with a real pointer, and kill it [--kills N] [--seed N] [--guide]",
        run: window::run,
    },
    Task {
        name: "ci",
        help: "formatting, lints, tests, all tasks above that check [--quick] [--keep-going]",
        run: ci::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.split_first() {
        None => Err(list()),
        Some((word, _)) if matches!(word.as_str(), "help" | "-h" | "--help") => {
            println!("{}", list());
            return ExitCode::SUCCESS;
        }
        Some((word, rest)) => find(word).and_then(|task| (task.run)(rest)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // A task that has printed everything fails with an empty message.
            if !message.is_empty() {
                eprintln!("{message}");
            }
            ExitCode::FAILURE
        }
    }
}

fn find(word: &str) -> Result<&'static Task, String> {
    TASKS
        .iter()
        .find(|task| task.name == word)
        .ok_or_else(|| format!("unknown task `{word}`\n\n{}", list()))
}

fn list() -> String {
    let mut text = String::from("cargo xtask TASK, where TASK is one of\n");
    for task in TASKS {
        let _ = write!(text, "\n  {:7} {}", task.name, task.help);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn task_names_are_unique() {
        for (i, task) in TASKS.iter().enumerate() {
            assert!(TASKS[..i].iter().all(|other| other.name != task.name), "{}", task.name);
            assert_eq!(find(task.name).map(|found| found.help), Ok(task.help));
        }
    }

    #[test]
    fn an_unknown_task_is_answered_with_the_list() {
        let Err(answer) = find("dust") else { panic!("a task called dust") };
        assert!(answer.contains("`dust`"), "{answer}");
        for task in TASKS {
            assert!(answer.contains(task.help), "{answer}");
        }
    }
}
