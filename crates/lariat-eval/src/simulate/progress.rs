//! Runs a simulation step by step from its start or its last checkpoint, and records it.
//!
//! Step `k` ends at `start + k/rate`, never at a sum of steps, so that rounding does not accumulate.
//!
//! Tests: `a_run_that_panicked_resumes_from_its_last_checkpoint`,
//! `a_run_can_be_cancelled_and_resumed`.

use std::io;
use std::sync::{Mutex, MutexGuard};

use super::file::{self, Take, TakeEnd, TakeError};
use super::history::{Ended, RECORDS, RecordingLimits};
use super::storage::Storage;
use super::tape::{Tape, TapeUse};
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

    /// Drops all chunks from `index` on; the run resumes from the last one that is left.
    fn keep_chunks(&mut self, index: usize) {
        self.active = None;
        self.take.history_mut().keep_chunks(index);
        self.take.trim();
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

    /// Makes `take` an empty recording of this simulation, with the numbers that a take of it has;
    /// returns false if it cannot run.
    fn blank(&self, take: &mut Self::Take, scene: &Scene) -> bool;

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
            let mut run = self.lock();
            self.advance(&mut run, scene, until);
            if run.take.history().write_error().is_some() {
                return false;
            }
        }
    }

    /// Simulates up to a time. The records around it are then in memory.
    fn reach(
        &self,
        scene: &Scene,
        until: f64,
    ) -> MutexGuard<'_, Progress<Self::Take, Self::Active>> {
        let mut run = self.lock();
        loop {
            while self.advance(&mut run, scene, until) {}
            match run.take.history_mut().fetch_around(until) {
                Ok(()) => return run,
                // Somebody changed the file meanwhile: simulated again from there.
                Err(lost) => run.keep_chunks(lost),
            }
        }
    }

    /// Simulates up to a time and writes everything to the tape; arguments as for
    /// [`simulate`](Self::simulate).
    fn record_to(
        &self,
        scene: &Scene,
        until: f64,
        each: &mut dyn FnMut(f64) -> bool,
    ) -> io::Result<bool> {
        let completed = self.simulate(scene, until, each);
        let mut run = self.lock();
        file::write_to_end(&mut run.take);
        match run.take.history_mut().tape.as_mut().and_then(|tape| tape.error.take()) {
            Some(error) => Err(error),
            None => Ok(completed),
        }
    }

    /// Continues from a take, up to its last valid chunk; `storage` is then its tape. After an error,
    /// nothing has changed.
    fn load(
        &self,
        scene: &Scene,
        storage: Box<dyn Storage>,
        take_id: (&str, u128),
        used_for: TapeUse,
    ) -> Result<(TakeEnd, f64), TakeError> {
        let mut take = Self::Take::default();
        take.history_mut().limits = self.lock().take.history().limits;
        if !self.blank(&mut take, scene) {
            return Err(TakeError::CutShort);
        }
        let end = file::load(&mut take, storage, take_id, used_for)?;
        let reached = take.history().end();
        self.set_take(take);
        Ok((end, reached))
    }

    /// Starts again, with an empty tape.
    fn start_tape(&self, storage: Box<dyn Storage>, (name, hash): (&str, u128), used_for: TapeUse) {
        let mut take = Self::Take::default();
        take.history_mut().limits = self.lock().take.history().limits;
        take.history_mut().tape = Some(Tape::new(storage, name, hash, used_for));
        self.set_take(take);
    }

    /// The recording as the bytes of a file.
    fn bytes(&self, name: &str, hash: u128) -> Vec<u8> {
        file::bytes_of(&mut self.lock().take, name, hash)
    }

    /// Limits the size of its recording.
    fn set_limits(&self, limits: RecordingLimits) {
        self.lock().take.history_mut().limits = limits;
    }

    /// The reason why there is no recording up to a time, if it would be too large. Nothing is
    /// simulated.
    fn too_large(&self, scene: &Scene, until: f64) -> Option<Ended> {
        let mut run = self.lock();
        // The length of a record is known once the run is ready to start.
        let is_open = self.is_under_way(&mut run, scene, until);
        if is_open { None } else { run.take.history().too_large(until) }
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
        if history.stopped.is_some() || history.reaches(until) {
            return false;
        }
        if run.active.is_none() {
            while let Some(last) = run.take.history().chunks().checked_sub(1) {
                if run.take.history_mut().fetch(last) {
                    break;
                }
                run.keep_chunks(last);
            }
            if !self.start_or_resume(run, scene) {
                return false;
            }
        }
        run.take.history().too_large(until).is_none()
    }

    /// Simulates up to the next record on the way to a time; returns false if none was needed or the
    /// run stopped.
    fn advance(
        &self,
        run: &mut Progress<Self::Take, Self::Active>,
        scene: &Scene,
        until: f64,
    ) -> bool {
        if !self.is_under_way(run, scene, until) {
            return false;
        }
        for _ in 0..self.stride() {
            if !self.step(run, scene) {
                return false;
            }
        }
        self.record(run, scene);
        if run.take.history().is_due() {
            file::write_full_chunks(&mut run.take);
        }
        true
    }
}
