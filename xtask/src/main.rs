//! The chores of the house: `cargo xtask CHORE`.
//!
//! Everything that keeps the project in order and is not part of the product is done here, by
//! one small program that builds in seconds, so that nobody has to remember a list of commands
//! and every machine runs the same ones.
//!
//!   tidy     the rules of the house that neither the compiler nor clippy can check
//!   wasm     core, scene and eval build for the browser, and give the same bits there
//!   usd      every scene, exported, is read back by Pixar's own library
//!   figures  the pictures in the documentation, rendered from the museum
//!   ci       all of it, in the order in which mistakes are cheapest to find
//!
//! Tests: `every_chore_has_a_name_of_its_own`, `an_unknown_chore_is_answered_with_the_list`.

mod ci;
mod figures;
mod shell;
mod tidy;
mod usd;
mod wasm;

use std::{fmt::Write, process::ExitCode};

/// One row of the list that `cargo xtask` prints, and the function behind it.
struct Chore {
    name: &'static str,
    help: &'static str,
    run: fn(&[String]) -> Result<(), String>,
}

const CHORES: &[Chore] = &[
    Chore {
        name: "tidy",
        help: "check the rules of the house, all of them in one run",
        run: tidy::run,
    },
    Chore {
        name: "figures",
        help: "render the museum for the documentation [--check] [--all] [WORD …]",
        run: figures::run,
    },
    Chore {
        name: "wasm",
        help: "build the libraries for wasm32 and compare their bits with ours",
        run: wasm::run,
    },
    Chore { name: "usd", help: "export the museum and read it back with usd-core", run: usd::run },
    Chore {
        name: "ci",
        help: "formatting, lints, tests, tidy, docs, figures, wasm, usd [--quick] [--keep-going]",
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
        Some((word, rest)) => find(word).and_then(|chore| (chore.run)(rest)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // A chore that has said everything already fails with nothing more to say.
            if !message.is_empty() {
                eprintln!("{message}");
            }
            ExitCode::FAILURE
        }
    }
}

fn find(word: &str) -> Result<&'static Chore, String> {
    CHORES
        .iter()
        .find(|chore| chore.name == word)
        .ok_or_else(|| format!("there is no chore `{word}`\n\n{}", list()))
}

fn list() -> String {
    let mut text = String::from("cargo xtask CHORE, where CHORE is one of\n");
    for chore in CHORES {
        let _ = write!(text, "\n  {:7} {}", chore.name, chore.help);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chore_has_a_name_of_its_own() {
        for (i, chore) in CHORES.iter().enumerate() {
            assert!(CHORES[..i].iter().all(|other| other.name != chore.name), "{}", chore.name);
            assert_eq!(find(chore.name).map(|found| found.help), Ok(chore.help));
        }
    }

    #[test]
    fn an_unknown_chore_is_answered_with_the_list() {
        let Err(answer) = find("dust") else { panic!("nobody dusts here") };
        assert!(answer.contains("`dust`"), "{answer}");
        for chore in CHORES {
            assert!(answer.contains(chore.help), "{answer}");
        }
    }
}
