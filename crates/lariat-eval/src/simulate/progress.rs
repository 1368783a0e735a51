//! How a simulation goes on: step by step, from its start or its last checkpoint, recording as it goes.
//!
//! It steps at its own rate: `start + k/rate`, never a sum of steps, so that no rounding gathers.
//!
//! Tests: `a_run_that_panicked_goes_on_from_its_last_checkpoint`,
//! `a_run_can_be_cancelled_and_goes_on_later`.

use std::sync::{Mutex, MutexGuard};

use super::file::Take;
use super::history::RECORDS;
use crate::bind::Work;
use crate::scene::Scene;

/// As far as a simulation has come.
#[derive(Debug)]
pub(crate) struct Progress<T, M> {
    pub take: T,
    /// What moves; none before it has set out, from its start or from a checkpoint.
    pub active: Option<Box<M>>,
    /// Steps that it has made.
    pub steps: u64,
    pub work: Work,
}

impl<T: Take, M> Progress<T, M> {
    fn from_take(take: T) -> Self {
        Self { take, active: None, steps: 0, work: Work::default() }
    }
}

impl<T: Take, M> Default for Progress<T, M> {
    fn default() -> Self {
        Self::from_take(T::default())
    }
}

/// What is simulated, and recorded on the way.
pub(crate) trait Simulated {
    /// What it records.
    type Take: Take;

    /// What moves.
    type Active;

    /// How far it has come.
    fn progress(&self) -> &Mutex<Progress<Self::Take, Self::Active>>;

    /// When it starts, in seconds.
    fn start(&self) -> f64;

    /// Steps a second.
    fn rate(&self) -> f64;

    /// Sets out: from its start, or as the last checkpoint has it; whether there is something to go on.
    fn start_or_resume(&self, run: &mut Progress<Self::Take, Self::Active>, scene: &Scene) -> bool;

    /// One step; whether it was made.
    fn step(&self, run: &mut Progress<Self::Take, Self::Active>, scene: &Scene) -> bool;

    /// Records what is.
    fn record(&self, run: &mut Progress<Self::Take, Self::Active>, scene: &Scene);

    /// Steps from one record to the next.
    fn stride(&self) -> u64 {
        (self.rate() / RECORDS).ceil().max(1.0) as u64
    }

    /// Seconds from one record to the next.
    fn seconds_between_records(&self) -> f64 {
        self.stride() as f64 / self.rate()
    }

    /// The time after so many steps.
    fn time(&self, steps: u64) -> f64 {
        self.start() + steps as f64 / self.rate()
    }

    fn lock(&self) -> MutexGuard<'_, Progress<Self::Take, Self::Active>> {
        self.progress().lock().unwrap_or_else(|poisoned| {
            // Whoever panicked while it held this may have left a step or a record half made: it sets
            // out anew, from the last checkpoint.
            self.progress().clear_poison();
            let mut run = poisoned.into_inner();
            run.active = None;
            run.take.history_mut().drop_what_is_half_recorded();
            run.take.trim();
            run
        })
    }

    /// Simulates up to a time, asking before every record whether to go on; `false` if it was told
    /// not to. Calls `each` with the time reached, and holds nothing meanwhile: `each` may ask for
    /// any frame of any body.
    fn simulate(&self, scene: &Scene, until: f64, each: &mut dyn FnMut(f64) -> bool) -> bool {
        loop {
            let mut run = self.lock();
            if !self.is_under_way(&mut run, scene, until) {
                return true;
            }
            let reached = run.take.history().end();
            drop(run);
            if !each(reached) {
                return false;
            }
            // Whatever somebody else has simulated since is not simulated again.
            self.advance(&mut self.lock(), scene, until);
        }
    }

    /// Lets it reach a time.
    fn reach(
        &self,
        scene: &Scene,
        until: f64,
    ) -> MutexGuard<'_, Progress<Self::Take, Self::Active>> {
        let mut run = self.lock();
        while self.advance(&mut run, scene, until) {}
        run
    }

    /// What is recorded.
    fn take<T>(&self, look: impl FnOnce(&Self::Take) -> T) -> T {
        look(&self.lock().take)
    }

    /// Goes on from a recording of an earlier run of the same simulation.
    fn set_take(&self, take: Self::Take) {
        *self.lock() = Progress::from_take(take);
    }

    /// Takes the recording away, for another scene in which this simulation is the same.
    fn take_away(&self) -> Self::Take {
        std::mem::take(&mut *self.lock()).take
    }

    /// Whether there is a way to go to a time, and something to go it.
    fn is_under_way(
        &self,
        run: &mut Progress<Self::Take, Self::Active>,
        scene: &Scene,
        until: f64,
    ) -> bool {
        let history = run.take.history();
        let done = history.stopped.is_some() || history.reaches(until);
        !done && (run.active.is_some() || self.start_or_resume(run, scene))
    }

    /// Simulates up to the next record on the way to a time; whether there was one to make.
    fn advance(
        &self,
        run: &mut Progress<Self::Take, Self::Active>,
        scene: &Scene,
        until: f64,
    ) -> bool {
        if !self.is_under_way(run, scene, until) || run.take.history_mut().stop_if_full() {
            return false;
        }
        for _ in 0..self.stride() {
            if !self.step(run, scene) {
                return false;
            }
        }
        self.record(run, scene);
        true
    }
}
