//! 1,000 strings of 100 segments that hang and swing side by side, with everything on, on one thread
//! and on two.

use lariat_string::Executor;

use super::scenes;
use super::solver::{Job, Solver, measured};
use crate::table::Table;

/// Steps of a run.
const STEPS: u32 = 4;

pub(super) fn run(table: &mut Table) {
    measured(table, &Threads);
}

/// Rayon's threads.
struct Pool;

impl Executor for Pool {
    fn hands(&self) -> usize {
        rayon::current_num_threads()
    }

    fn both(&self, one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
        rayon::join(one, other);
    }
}

struct Threads;

impl Job for Threads {
    fn run<S: Solver>(&self, table: &mut Table) -> Option<f64> {
        let name = |count: u32, threads: usize| {
            format!("{}: a step of {count} x 100 segments, {threads} threads", S::PREFIX)
        };
        if !table.wants(&name(1000, 1)) && !table.wants(&name(1000, 2)) {
            return None;
        }
        let mut ends: Vec<S::State> = Vec::new();
        let mut strings: S = scenes::many(1000);
        let start = strings.state();
        let medians = [1, 2].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("a thread pool");
            let step = |strings: &mut S| {
                pool.install(|| {
                    for _ in 0..STEPS {
                        strings.step_with(0.01, &Pool);
                    }
                });
            };
            let restore = |strings: &mut S| strings.restore(&start);
            let (name, per) = (name(1000, threads), f64::from(STEPS));
            let median = table.time_prepared(&name, per, None, &mut strings, restore, step);
            ends.push(strings.state());
            median
        });
        let [Some(one), Some(two)] = medians else { return medians[0] };
        let share = two / one;
        let met = Some(share <= 0.55);
        table.row("  two threads over one", &format!("{share:.2}"), "0.55", met);
        let same = ends[0] == ends[1];
        table.row("  the same bits", if same { "yes" } else { "no" }, "yes", Some(same));
        let mut fewer: S = scenes::many(100);
        let start = fewer.state();
        let restore = |strings: &mut S| strings.restore(&start);
        let step = |strings: &mut S| {
            for _ in 0..STEPS {
                strings.step(0.01);
            }
        };
        let (name, per) = (name(100, 1), f64::from(STEPS));
        let few = table.time_prepared(&name, per, None, &mut fewer, restore, step);
        if let Some(few) = few {
            let growth = one / (10.0 * few);
            let met = Some(growth <= 1.05);
            table.row("  growth (1 is linear)", &format!("{growth:.2}"), "1.05", met);
        }
        Some(one)
    }
}
