//! Both string solvers, as jobs see them.
//!
//! The present solver leaves with its `impl` and its line in [`measured`].

use glam::DVec3;
use lariat_string::{Build, Clamp, Executor, Serial, Strings, rod};

use crate::table::Table;

/// Step in seconds and permitted stretch of a falling rope.
#[derive(Clone, Copy)]
pub(crate) struct Fall {
    pub dt: f64,
    pub tolerance: f64,
}

/// Steps so short that the tip no longer depends on them.
pub(crate) const CONVERGED: Fall = Fall { dt: 0.000_25, tolerance: 1e-5 };

/// Statistics of a step.
#[derive(Clone, Copy, Default)]
pub(crate) struct Statistics {
    pub substeps: u32,
    /// Solves for the tension of a string, or Newton iterations of strings that touch.
    pub solves: u32,
    pub halvings: u32,
    pub touching: u32,
}

/// Strings, by one of the solvers.
pub(crate) trait Solver: Default + Send {
    /// Beginning of the names of its jobs.
    const PREFIX: &'static str;

    /// The longest steps of a falling rope with which its tip keeps within 6 mm.
    const FALL: Fall;

    /// State of a run.
    type State: Clone + PartialEq;

    /// Adds a string and returns its number.
    fn add(&mut self, build: &Build) -> usize;

    fn particle(&self, string: usize, u: f64) -> usize;

    fn clamps(&mut self) -> &mut Vec<Clamp>;

    /// Sets the shares of speed and of spin that are lost per second.
    fn set_viscosity(&mut self, speed: f64, spin: f64);

    /// Sets the longest substep in seconds.
    fn set_longest(&mut self, seconds: f64);

    fn set_tolerance(&mut self, stretch: f64);

    fn ignore_contact(&mut self);

    fn positions(&self) -> &[DVec3];

    fn segment_length(&self, segment: usize) -> f64;

    fn state(&self) -> Self::State;

    /// Continues from a state.
    fn restore(&mut self, state: &Self::State);

    /// One step on the threads of an executor.
    fn step_with(&mut self, dt: f64, executor: &dyn Executor) -> Statistics;

    fn step(&mut self, dt: f64) -> Statistics {
        self.step_with(dt, &Serial)
    }

    /// Holds a particle where it is.
    fn hold(&mut self, particle: usize) {
        let place = self.positions()[particle];
        self.clamps().push(Clamp::at(particle, place));
    }
}

macro_rules! solver {
    ($kind:ty, $state:ty, $prefix:literal, $fall:expr, $restore:expr, $statistics:expr $(,)?) => {
        impl Solver for $kind {
            const PREFIX: &'static str = $prefix;
            const FALL: Fall = $fall;
            type State = $state;

            fn add(&mut self, build: &Build) -> usize {
                self.add(build).expect("a string that can be built")
            }

            fn particle(&self, string: usize, u: f64) -> usize {
                self.particle(string, u)
            }

            fn clamps(&mut self) -> &mut Vec<Clamp> {
                &mut self.clamps
            }

            fn set_viscosity(&mut self, speed: f64, spin: f64) {
                (self.viscosity, self.spin_viscosity) = (speed, spin);
            }

            fn set_longest(&mut self, seconds: f64) {
                self.settings.longest = seconds;
            }

            fn set_tolerance(&mut self, stretch: f64) {
                self.settings.tolerance = stretch;
            }

            fn ignore_contact(&mut self) {
                self.settings.contact = false;
            }

            fn positions(&self) -> &[DVec3] {
                &self.state.positions
            }

            fn segment_length(&self, segment: usize) -> f64 {
                self.segment_length(segment)
            }

            fn state(&self) -> $state {
                self.state.clone()
            }

            fn restore(&mut self, state: &$state) {
                self.state.clone_from(state);
                let restored: fn(&mut Self) = $restore;
                restored(self);
            }

            fn step_with(&mut self, dt: f64, executor: &dyn Executor) -> Statistics {
                let report = self.step_with(dt, executor).expect("a step of strings");
                $statistics(report)
            }
        }
    };
}

solver!(
    Strings,
    lariat_string::State,
    "strings",
    // A tenth of the permitted stretch.
    Fall { dt: 0.025, tolerance: 1e-3 },
    // Pairs that are known stay good.
    |_| (),
    |report: lariat_string::StepReport| Statistics {
        substeps: report.parts,
        solves: report.solves,
        halvings: 0,
        touching: report.touching,
    },
);

solver!(
    rod::Strings,
    rod::State,
    "next strings",
    Fall { dt: 1.0 / 120.0, tolerance: 1e-3 },
    // Otherwise the pairs that are known keep the forces of the last step.
    Self::forget,
    |report: rod::StepReport| Statistics {
        substeps: report.substeps,
        solves: report.iterations,
        halvings: report.halvings,
        touching: report.touching,
    },
);

/// A job that every solver runs.
pub(crate) trait Job {
    /// Runs the job and prints its rows. Returns the median of its main row in seconds, if it is
    /// selected.
    fn run<S: Solver>(&self, table: &mut Table) -> Option<f64>;
}

/// Runs a job on every solver and prints the ratio. Returns the median of the last solver that was
/// selected.
pub(crate) fn measured(table: &mut Table, job: &impl Job) -> Option<f64> {
    let present = job.run::<Strings>(table);
    let next = job.run::<rod::Strings>(table);
    if let (Some(present), Some(next)) = (present, next) {
        table.row("  next over present", &format!("{:.2}", next / present), "", None);
    }
    next.or(present)
}
