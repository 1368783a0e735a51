//! `lariat validate`: everything that has an outside truth, checked against it, for anyone to rerun.
//!
//! A row says what is compared, the reference and where it comes from, what the library says, the
//! error, the bar, and whether it passed. References are closed forms, numbers cited from
//! mpmath, or slow computations of our own.
//!
//! These share `num::ops` with the code they judge (an ordinary sine is an ordinary sine, and has
//! rows of its own), and nothing else, with three exceptions: noise has no other formula than
//! itself, so rows about noisy ropes take it from the library and judge what is made of it; a
//! rope that keeps its length is rebuilt from what its pose reports or shows of itself, its
//! slack, its share of the waves, or how far it reaches, because that is what is promised; and
//! where two ways of moving a rope by forces are compared, one of them judges the other.
//!
//! ```text
//! check.rs         what a row is
//! print.rs         the table, and JSON
//! reference/       the slow computations
//! ropes.rs         random ropes, and the paper's own formula for them
//!
//! functions.rs     sine and asinh
//! catenary.rs      ropes at rest: level, slanted, taut, deep, leaned
//! sag.rs           how low a rope hangs
//! arc_length.rs    splines: length, even steps, nearest places
//! frames.rs        frames carried along a curve
//! bends.rs         bent lines
//! waves.rs         posed ropes, place by place; how much waves grow a rope
//! length_true.rs   ropes that keep their length
//! coils.rs         where the coils of a spring are
//! motion.rs        keys through time
//! wiggles.rs       curves that oscillate through their keys
//! modes.rs         modes of recorded motion
//! spline_rope/     ropes that move by forces
//! strings/         strings that twist, tear and flick
//! determinism.rs   the same bits everywhere
//! ```
//!
//! A new capability brings a file with a `TOPIC` and adds it to [`TOPICS`]. A bar states what is
//! promised, and is not moved to let a row pass.
//!
//! Tests: `every_row_passes`, `names_are_unique_and_sentences_are_whole`,
//! `papers_name_topics_that_there_are`.

#![allow(
    clippy::unnecessary_wraps,
    reason = "checks share one type, whether or not the code under test can refuse to answer"
)]
#![allow(clippy::excessive_precision, reason = "references are cited with all their digits")]

mod arc_length;
mod bends;
mod catenary;
mod check;
mod coils;
mod determinism;
mod frames;
mod functions;
mod length_true;
mod modes;
mod motion;
mod print;
mod reference;
mod ropes;
mod sag;
mod spline_rope;
mod strings;
mod waves;
mod wiggles;

use rayon::prelude::*;

pub(crate) use check::Row;
use check::{Check, Topic};
pub(crate) use print::print;

/// The whole table.
const TOPICS: &[Topic] = &[
    functions::TOPIC,
    catenary::TOPIC,
    sag::TOPIC,
    arc_length::TOPIC,
    frames::TOPIC,
    bends::TOPIC,
    waves::TOPIC,
    length_true::TOPIC,
    coils::TOPIC,
    motion::TOPIC,
    wiggles::TOPIC,
    modes::TOPIC,
    spline_rope::TOPIC,
    strings::TOPIC,
    determinism::TOPIC,
];

/// Papers by the name of their page, and the topics that check what they say.
const PAPERS: &[(&str, &[&str])] = &[
    ("barzel", &["catenary", "bends", "waves", "coils"]),
    ("kass", &["wiggles", "modes"]),
    ("tuzel", &["spline-ropes"]),
    ("rungjiratananon", &["strings"]),
];

/// What `--filter` takes.
pub(crate) fn filter_help() -> String {
    let papers: Vec<&str> = PAPERS.iter().map(|(paper, _)| *paper).collect();
    format!(
        "Only checks whose topic or name contains this text, or those of a paper: {}",
        papers.join(", ")
    )
}

/// Runs the checks of topics and names that contain `word`, or of the paper that it names; all of
/// them for an empty one. The rows come in the order of the table.
pub(crate) fn rows_about(word: &str) -> Vec<Row> {
    let paper = PAPERS.iter().find(|(paper, _)| *paper == word);
    let wanted = |(topic, check): &(&Topic, &Check)| {
        topic.name.contains(word)
            || check.name.contains(word)
            || paper.is_some_and(|(_, topics)| topics.contains(&topic.name))
    };
    let checks = TOPICS.iter().flat_map(|topic| topic.checks.iter().map(move |c| (topic, c)));
    let checks: Vec<_> = checks.filter(wanted).collect();
    checks.into_par_iter().map(|(topic, check)| Row::of(topic, check)).collect()
}

/// Whether the table holds.
pub(crate) fn all_pass(rows: &[Row]) -> bool {
    rows.iter().all(|row| row.pass)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_row_passes() {
        let rows = rows_about("");
        let mut report = Vec::new();
        print(&rows, false, &mut report).unwrap();
        assert!(all_pass(&rows), "{}", String::from_utf8_lossy(&report));
        assert!(rows.len() > 80);
    }

    #[test]
    fn names_are_unique_and_sentences_are_whole() {
        let mut names = BTreeSet::new();
        for check in TOPICS.iter().flat_map(|topic| topic.checks) {
            assert!(names.insert(check.name), "{} twice", check.name);
            let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(check.name.chars().all(kebab), "{}", check.name);
            assert!(!check.what.is_empty() && !check.source.is_empty(), "{}", check.name);
            assert!(check.bar >= 0.0 && check.bar.is_finite(), "{}", check.name);
        }
        assert_eq!(rows_about("catenary-level-lowest").len(), 1);
        assert!(rows_about("no such row").is_empty());
    }

    #[test]
    fn papers_name_topics_that_there_are() {
        for (paper, topics) in PAPERS {
            for name in *topics {
                assert!(TOPICS.iter().any(|topic| topic.name == *name), "{paper}: {name}");
            }
        }
        let rows = rows_about("kass");
        assert!(rows.iter().any(|row| row.topic.name == "wiggles"));
        assert!(rows.iter().any(|row| row.topic.name == "modes"));
        assert!(rows.iter().all(|row| row.topic.name != "waves"));
    }
}
