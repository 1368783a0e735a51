//! Runs a simulation step by step from its start or its last checkpoint, and records it.
//!
//! Step `k` ends at `start + k/rate`, never at a sum of steps, so that rounding does not accumulate.
//!
//! Tests: `a_run_that_panicked_resumes_from_its_last_checkpoint`,
//! `a_run_can_be_cancelled_and_resumed`.

use std::sync::{Mutex, MutexGuard};

use super::file::Take;
use super::history::RECORDS;
use crate::bind::Work;
use crate::scene::Scene;

/// The recording of a simulation and its running state.
#[derive(Debug)]
pub(crate) struct Progress<T, M> {
    pub take: T,
    /// The running state; `None` before the first step from the start or from a checkpoint.
    pub active: Option<Box<M>>,
    /// Number of steps made.
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

/// A simulation that records its states.
pub(crate) trait Simulated {
    /// Its recording.
    type Take: Take;

    /// Its running state.
    type Active;

    /// Its progress.
    fn progress(&self) -> &Mutex<Progress<Self::Take, Self::Active>>;

    /// Start time in seconds.
    fn start(&self) -> f64;

    /// Steps per second.
    fn rate(&self) -> f64;

    /// Starts from the beginning or resumes from the last checkpoint; returns false if it cannot run.
    fn start_or_resume(&self, run: &mut Progress<Self::Take, Self::Active>, scene: &Scene) -> bool;

    /// Makes one step; returns false if it failed.
    fn step(&self, run: &mut Progress<Self::Take, Self::Active>, scene: &Scene) -> bool;

    /// Records the current state.
    fn record(&self, run: &mut Progress<Self::Take, Self::Active>, scene: &Scene);

    /// Number of steps from one record to the next.
    fn stride(&self) -> u64 {
        (self.rate() / RECORDS).ceil().max(1.0) as u64
    }

    /// Seconds from one record to the next.
    fn seconds_between_records(&self) -> f64 {
        self.stride() as f64 / self.rate()
    }

    /// Time after a number of steps, in seconds.
    fn time(&self, steps: u64) -> f64 {
        self.start() + steps as f64 / self.rate()
    }

    fn lock(&self) -> MutexGuard<'_, Progress<Self::Take, Self::Active>> {
        self.progress().lock().unwrap_or_else(|poisoned| {
            // A panic under the lock may have left a partial step or record: the run resumes from the
            // last checkpoint.
            self.progress().clear_poison();
            let mut run = poisoned.into_inner();
            run.active = None;
            run.take.history_mut().drop_partial_records();
            run.take.trim();
            run
        })
    }

    /// Simulates up to a time. Before every record, calls `each` with the time reached and stops if it
    /// returns false; returns false if it was stopped. No lock is held meanwhile: `each` may evaluate
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
            // Steps made by another thread meanwhile are not repeated.
            self.advance(&mut self.lock(), scene, until);
        }
    }

    /// Simulates up to a time.
    fn reach(
        &self,
        scene: &Scene,
        until: f64,
    ) -> MutexGuard<'_, Progress<Self::Take, Self::Active>> {
        let mut run = self.lock();
        while self.advance(&mut run, scene, until) {}
        run
    }

    /// Reads the recording.
    fn take<T>(&self, read: impl FnOnce(&Self::Take) -> T) -> T {
        read(&self.lock().take)
    }

    /// Continues from the recording of an earlier run of the same simulation.
    fn set_take(&self, take: Self::Take) {
        *self.lock() = Progress::from_take(take);
    }

    /// Removes and returns the recording, for another scene with the same simulation.
    fn remove_take(&self) -> Self::Take {
        std::mem::take(&mut *self.lock()).take
    }

    /// True if the run has not reached a time and can continue.
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

    /// Simulates up to the next record on the way to a time; returns false if none was needed or the
    /// run stopped.
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
