//! Strings: the paper's three sizes with its breakdown, many strings on several threads, and the
//! jobs of other simulators.
//!
//! Every job runs on the present solver and on the next one, whose rows begin with `next`; the ratio
//! of their medians follows.
//!
//! ```text
//! solver.rs    both solvers, as jobs see them
//! scenes.rs    strings that are stepped
//! steps.rs     a step of the paper's scenes, with its breakdown
//! threads.rs   1,000 strings, on one thread and on two
//! falling.rs   falling and hanging ropes, which other simulators run too
//! ```

mod falling;
mod scenes;
mod solver;
mod steps;
mod threads;

use crate::table::Table;

pub(crate) fn run(table: &mut Table) {
    steps::run(table);
    threads::run(table);
    falling::run(table);
}
