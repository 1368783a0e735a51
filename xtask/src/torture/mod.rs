//! Crashes, full disks, read-only folders, runs at the same time, and damaged takes:
//! `cargo xtask torture`.
//!
//! ```text
//! cargo xtask torture              100 kills per kind of command, all bits of the headers of takes
//! cargo xtask torture --kills 400
//! cargo xtask torture --short      a few of each, for every change
//! cargo xtask torture --seed 5     the same random choices again
//! cargo xtask torture kill damage  only these checks
//! ```
//!
//! Each check runs the `lariat` program in a folder of its own below `target/torture` and compares the
//! files with those of an undisturbed run, byte by byte. The table at the end counts runs, runs that
//! the disturbance reached, and failures; any failure fails the task. Unix only.
//!
//!   job.rs       commands, their documents and their files
//!   kill.rs      a kill at a random moment, and the next run
//!   disk.rs      full disks and read-only folders
//!   together.rs  several runs at the same time
//!   damage.rs    damaged takes
//!   report.rs    counts and failures
//!
//! Tests: `options_are_read`, `unknown_words_are_refused`.

mod damage;
mod disk;
mod job;
mod kill;
mod report;
mod together;

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::{random::Random, shell};
use damage::Amount;
use job::Bench;

use report::Report;

const CHECKS: [&str; 5] = ["kill", "full-disk", "read-only", "together", "damage"];

/// Parsed arguments.
#[derive(Debug, PartialEq, Eq)]
struct Request {
    kills: usize,
    short: bool,
    seed: Option<u64>,
    checks: Vec<String>,
}

/// `cargo xtask torture [--kills N] [--short] [--seed N] [CHECK …]`.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let Request { kills, short, seed, checks } = read(arguments)?;
    if !cfg!(unix) {
        println!("skipped: `torture` kills processes and mounts folders as Unix does");
        return Ok(());
    }
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let seed = seed.unwrap_or_else(now);
    let begun = Instant::now();
    let bench = Bench { lariat: shell::quick_lariat()?, folder: shell::target().join("torture") };
    job::empty(&bench.folder)?;
    println!("seed {seed}");
    let mut report = Report::default();
    for check in CHECKS.iter().filter(|check| checks.iter().any(|word| word == *check)) {
        // Each check has its own numbers, so that it does the same alone and among others.
        let random = &mut Random::new(seed);
        match *check {
            "kill" => kill::run(&bench, kills, random, &mut report)?,
            "full-disk" => disk::full(&bench, short, &mut report)?,
            "read-only" => disk::read_only(&bench, &mut report)?,
            "together" => together::run(&bench, if short { 3 } else { 20 }, random, &mut report)?,
            _ => {
                let amount = if short {
                    Amount { header_step: 37, bits: 8, cuts: 4 }
                } else {
                    Amount { header_step: 1, bits: 300, cuts: 100 }
                };
                damage::run(&bench, amount, random, &mut report)?;
            }
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!("\n{}seed {seed}, {seconds:.0} s", report.table());
    match report.failures() {
        0 => Ok(()),
        count => Err(format!("{count} failures")),
    }
}

fn read(arguments: &[String]) -> Result<Request, String> {
    let mut request = Request { kills: 100, short: false, seed: None, checks: Vec::new() };
    let mut kills = None;
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut number = || {
            let text = words.next().ok_or_else(|| format!("`{word}` needs a number"))?;
            text.parse::<u64>().map_err(|_| format!("`{word}` needs a number, not `{text}`"))
        };
        match word.as_str() {
            "--kills" => kills = Some(number()? as usize),
            "--seed" => request.seed = Some(number()?),
            "--short" => request.short = true,
            check if CHECKS.contains(&check) => request.checks.push(check.to_owned()),
            other => {
                return Err(format!(
                    "unknown word `{other}`; `torture` supports --kills N, --short, --seed N, and \
                     the checks {}",
                    CHECKS.join(", ")
                ));
            }
        }
    }
    request.kills = kills.unwrap_or(if request.short { 6 } else { 100 });
    if request.checks.is_empty() {
        request.checks = CHECKS.map(str::to_owned).to_vec();
    }
    Ok(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(words: &[&str]) -> Result<Request, String> {
        read(&words.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read() {
        let all = request(&[]).expect("valid");
        assert_eq!((all.kills, all.short, all.seed, all.checks.len()), (100, false, None, 5));
        assert_eq!(request(&["--short"]).map(|short| short.kills), Ok(6));
        let some = request(&["--kills", "7", "damage", "--seed", "5", "--short"]).expect("valid");
        let checks = vec!["damage".to_owned()];
        assert_eq!(some, Request { kills: 7, short: true, seed: Some(5), checks });
    }

    #[test]
    fn unknown_words_are_refused() {
        let message = request(&["earthquake"]).expect_err("unknown");
        assert!(message.contains("`earthquake`") && message.contains("full-disk"), "{message}");
        assert!(request(&["--kills"]).is_err() && request(&["--seed", "five"]).is_err());
    }
}
