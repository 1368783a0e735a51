//! Validation of Lariat against independent references.
//!
//! A [`Check`] compares one result of the library with a closed form, a number cited from mpmath,
//! or a slow computation of this crate. A [`Row`] is its outcome: reference, value, error, bar,
//! and whether it passes.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! let rows = lariat_validate::run("catenary-level", &|_done, _total| ControlFlow::Continue(()));
//! assert!(rows.expect("not cancelled").iter().all(|row| row.pass));
//! ```
//!
//! References share only `num::ops` with the code under test, which has its own rows. There are three
//! exceptions:
//!
//! * Noise is defined by its implementation, so rows about noisy ropes take it from the library and
//!   check the ropes built with it.
//! * A rope that keeps its length is rebuilt from the slack, the share of the waves or the reach
//!   that its pose reports.
//! * Rows that compare two solvers of moving ropes take one of them as the reference.
//!
//! ```text
//! check.rs         checks, outcomes and rows
//! reference/       the slow computations
//! ropes.rs         random ropes, and the paper's formula for them
//!
//! functions.rs     sine and asinh
//! catenary.rs      ropes at rest: level, slanted, taut, deep, leaned
//! sag.rs           sag of hanging ropes
//! arc_length.rs    splines: length, even steps, nearest points
//! frames.rs        frames along a curve
//! bends.rs         bent lines
//! waves.rs         points of posed ropes; growth of ropes by waves
//! length_true.rs   ropes that keep their length
//! coils.rs         positions of the coils of a spring
//! motion.rs        keyed values over time
//! wiggles.rs       curves that oscillate through their keys
//! modes.rs         modes of recorded motion
//! spline_rope/     simulated spline ropes
//! strings/         strings that twist, tear and flick
//! solids.rs        solids that bounce and rub
//! determinism.rs   the same bits everywhere
//! ```
//!
//! A new capability adds a file with a `TOPIC`, and the topic to [`TOPICS`]. A bar states the promised
//! accuracy, and is not raised to let a row pass.
//!
//! Tests: `every_row_passes`, `a_run_reports_progress_and_can_be_cancelled`,
//! `names_are_unique_and_texts_are_filled_in`, `papers_name_existing_topics`.

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
mod reference;
mod ropes;
mod sag;
mod solids;
mod spline_rope;
mod strings;
mod waves;
mod wiggles;

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicUsize, Ordering},
};

use rayon::prelude::*;

pub use check::{Check, Outcome, Row, Run, Topic, Value};

/// All checks, in the order of the table.
pub const TOPICS: &[Topic] = &[
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
    solids::TOPIC,
    determinism::TOPIC,
];

/// Names of the papers, as [`run`] takes them, and the topics that check each of them.
pub const PAPERS: &[(&str, &[&str])] = &[
    ("barzel", &["catenary", "bends", "waves", "coils"]),
    ("kass", &["wiggles", "modes"]),
    ("tuzel", &["spline-ropes"]),
    ("rungjiratananon", &["strings"]),
];

/// Returns the checks whose topic or name contains `filter`, or those of the paper with this name.
/// An empty filter selects all of them.
pub fn select(filter: &str) -> Vec<(&'static Topic, &'static Check)> {
    let paper = PAPERS.iter().find(|(paper, _)| *paper == filter);
    let wanted = |(topic, check): &(&Topic, &Check)| {
        topic.name.contains(filter)
            || check.name.contains(filter)
            || paper.is_some_and(|(_, topics)| topics.contains(&topic.name))
    };
    let checks = TOPICS.iter().flat_map(|topic| topic.checks.iter().map(move |c| (topic, c)));
    checks.filter(wanted).collect()
}

/// Runs the checks that [`select`] returns, in parallel. The rows keep the order of the table.
///
/// `progress` is called after every check with the number of checks done and their total, from any
/// thread. Returns `None` if it breaks.
pub fn run(
    filter: &str,
    progress: &(dyn Fn(usize, usize) -> ControlFlow<()> + Sync),
) -> Option<Vec<Row>> {
    let checks = select(filter);
    let (done, total) = (AtomicUsize::new(0), checks.len());
    let row = |(topic, check)| {
        let row = Row::of(topic, check);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        progress(done, total).is_continue().then_some(row)
    };
    checks.into_par_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_row_passes() {
        let rows = run("", &|_, _| ControlFlow::Continue(())).unwrap();
        assert!(rows.len() > 80);
        let failed = rows.iter().filter(|row| !row.pass);
        let failed: Vec<_> = failed.map(|row| (row.check.name, row.outcome)).collect();
        assert!(failed.is_empty(), "{failed:#?}");
    }

    #[test]
    fn a_run_reports_progress_and_can_be_cancelled() {
        let (calls, last) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let rows = run("catenary-level", &|done, total| {
            calls.fetch_add(1, Ordering::Relaxed);
            last.fetch_max(done, Ordering::Relaxed);
            assert!(done <= total);
            ControlFlow::Continue(())
        });
        let count = rows.unwrap().len();
        assert!(count > 1);
        assert_eq!((calls.into_inner(), last.into_inner()), (count, count));
        assert!(run("catenary-level", &|_, _| ControlFlow::Break(())).is_none());
    }

    #[test]
    fn names_are_unique_and_texts_are_filled_in() {
        let mut names = BTreeSet::new();
        for check in TOPICS.iter().flat_map(|topic| topic.checks) {
            assert!(names.insert(check.name), "{} twice", check.name);
            let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(check.name.chars().all(kebab), "{}", check.name);
            assert!(!check.what.is_empty() && !check.source.is_empty(), "{}", check.name);
            assert!(check.bar >= 0.0 && check.bar.is_finite(), "{}", check.name);
        }
        assert_eq!(select("catenary-level-lowest").len(), 1);
        assert!(select("no such row").is_empty());
    }

    #[test]
    fn papers_name_existing_topics() {
        for (paper, topics) in PAPERS {
            for name in *topics {
                assert!(TOPICS.iter().any(|topic| topic.name == *name), "{paper}: {name}");
            }
        }
        let topics: BTreeSet<_> = select("kass").iter().map(|(topic, _)| topic.name).collect();
        assert_eq!(topics, BTreeSet::from(["wiggles", "modes"]));
    }
}
