//! A step of the paper's three scenes.
//!
//! The paper's step is a hundredth of a second with everything on: tension, shape, twist and
//! contact. A step is divided into substeps where necessary; their number is printed next to the
//! time.

use std::hint::black_box;
use std::sync::Mutex;
use std::time::Instant;

use lariat_string::{Executor, Stage};

use super::scenes::Scene;
use super::solver::{Job, Solver, Statistics, measured};
use crate::table::Table;

/// Steps of a run.
const STEPS: u32 = 20;

pub(super) fn run(table: &mut Table) {
    for (name, target, scene) in [
        ("100 segments that loop and touch", 0.05e-3, Scene::Loop),
        ("200 segments that coil", 0.10e-3, Scene::Coil),
        ("746 segments of a bridge", 0.25e-3, Scene::Bridge),
    ] {
        measured(table, &Steps { name, target, scene });
    }
}

/// Steps of a scene.
struct Steps {
    name: &'static str,
    /// Seconds of a step.
    target: f64,
    scene: Scene,
}

impl Job for Steps {
    fn run<S: Solver>(&self, table: &mut Table) -> Option<f64> {
        let name = format!("{}: a step of {}", S::PREFIX, self.name);
        if !table.wants(&name) {
            return None;
        }
        let mut strings: S = self.scene.make();
        let start = strings.state();
        let mut totals = StepTotals::default();
        let median = table.time(&name, f64::from(STEPS), Some(self.target), || {
            strings.restore(&start);
            for _ in 0..STEPS {
                totals.add(strings.step(0.01));
            }
            black_box(strings.positions());
        });
        table.row("  a step has", &totals.text(), "", None);
        let clock = Clock::new();
        strings.restore(&start);
        for _ in 0..STEPS {
            strings.step_with(0.01, &clock);
        }
        let stages = clock.finish();
        if stages != [0.0; 5] {
            let stages = stages.map(|s| format!("{:.4}", 1e3 * s / f64::from(STEPS)));
            let names = "update, shape, twist, tension, contact";
            table.row(&format!("  ms of {names}"), &stages.join(", "), "", None);
        }
        median
    }
}

/// Sums of step statistics.
#[derive(Default)]
struct StepTotals {
    steps: f64,
    substeps: f64,
    solves: f64,
    halvings: f64,
    touching: f64,
}

impl StepTotals {
    fn add(&mut self, step: Statistics) {
        self.steps += 1.0;
        self.substeps += f64::from(step.substeps);
        self.solves += f64::from(step.solves);
        self.halvings += f64::from(step.halvings);
        self.touching += f64::from(step.touching);
    }

    /// Means of a step, as text.
    fn text(&self) -> String {
        let each = |sum: f64| sum / self.steps;
        let mut text = format!(
            "{:.1} substeps, {:.1} solves, {:.1} touching",
            each(self.substeps),
            each(self.solves),
            each(self.touching)
        );
        if self.halvings > 0.0 {
            text += &format!(", {:.2} halvings", each(self.halvings));
        }
        text
    }
}

/// Executor that measures the seconds of each stage.
struct Clock(Mutex<(Instant, Option<Stage>, [f64; 5])>);

impl Clock {
    fn new() -> Self {
        Self(Mutex::new((Instant::now(), None, [0.0; 5])))
    }

    /// Ends the last stage and returns the seconds of all stages.
    fn finish(&self) -> [f64; 5] {
        let mut clock = self.0.lock().expect("no thread panicked");
        if let Some(stage) = clock.1.take() {
            clock.2[stage as usize] += clock.0.elapsed().as_secs_f64();
        }
        clock.2
    }
}

impl Executor for Clock {
    fn begins(&self, stage: Stage) {
        let mut clock = self.0.lock().expect("no thread panicked");
        let now = Instant::now();
        if let Some(last) = clock.1.replace(stage) {
            clock.2[last as usize] += (now - clock.0).as_secs_f64();
        }
        clock.0 = now;
    }
}
