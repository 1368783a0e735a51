//! Runs a simulation step by step from its start or its last checkpoint, and records it.
//!
//! Step `k` ends at `start + k/rate`, never at a sum of steps, so that rounding does not accumulate.
//!
//! The solver and the recording have a lock each. The first is held while steps are made, the second
//! only while numbers are copied, so that records can be read at any time.
//!
//! Tests: `a_run_that_panicked_resumes_from_its_last_checkpoint`,
//! `a_run_can_be_cancelled_and_resumed`, `records_are_read_while_a_step_is_made`.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

use super::file::{self, Take, TakeEnd, TakeError};
use super::history::{Ended, RECORDS, RecordingLimits, Stopped};
use super::storage::Storage;
use super::tape::{Tape, TapeUse};
use crate::bind::Work;
use crate::scene::Scene;

/// Share of the time between two records by which a time may be before a record and is taken as that.
const ON_RECORD: f64 = 1e-6;

/// The recording of a simulation and its solver. The stepper is locked before the take.
#[derive(Debug)]
pub(crate) struct Progress<T, M> {
    stepper: Mutex<Stepper<M>>,
    take: Mutex<T>,
    /// Set when an edit has replaced this simulation by another.
    superseded: AtomicBool,
}

impl<T: Default, M> Default for Progress<T, M> {
    fn default() -> Self {
        let stepper = Mutex::new(Stepper::default());
        Self { stepper, take: Mutex::default(), superseded: AtomicBool::new(false) }
    }
}

/// The running state of a simulation.
#[derive(Debug)]
pub(crate) struct Stepper<M> {
    /// The solver; `None` before the first step from the start or from a checkpoint.
    pub active: Option<Box<M>>,
    /// Number of steps made.
    pub steps: u64,
    pub work: Work,
}

impl<M> Default for Stepper<M> {
    fn default() -> Self {
        Self { active: None, steps: 0, work: Work::default() }
    }
}

/// A simulation that records its states.
pub(crate) trait Simulated {
    /// Its recording.
    type Take: Take;

    /// Its solver.
    type Active;

    /// Its progress.
    fn progress(&self) -> &Progress<Self::Take, Self::Active>;

    /// Start time in seconds.
    fn start(&self) -> f64;

    /// Steps per second.
    fn rate(&self) -> f64;

    /// Whether the pose that it starts from is known.
    fn is_prepared(&self) -> bool;

    /// Takes over the pose that an earlier run starts from, if both move in the same way up to a time
    /// after it.
    fn prepare_from(&self, was: &Self, until: f64);

    /// Makes `take` an empty recording of this simulation, with the numbers that a take of it has;
    /// returns false if it cannot run.
    fn blank(&self, take: &mut Self::Take, scene: &Scene) -> bool;

    /// Starts from the beginning or resumes from the last checkpoint; returns false if it cannot run.
    fn start_or_resume(&self, stepper: &mut Stepper<Self::Active>, scene: &Scene) -> bool;

    /// Makes one step.
    fn step(&self, stepper: &mut Stepper<Self::Active>, scene: &Scene) -> Result<(), Stopped>;

    /// Adds the events of the last steps to a recording.
    fn record_events(&self, _take: &mut Self::Take, _stepper: &mut Stepper<Self::Active>) {}

    /// Records the current state.
    fn record(&self, take: &mut Self::Take, stepper: &mut Stepper<Self::Active>, scene: &Scene);

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

    /// Time of the last record that is due by a time; that time itself before the start. Times within
    /// rounding of a record are taken as that record.
    fn last_record_by(&self, t: f64) -> f64 {
        let records = ((t - self.start()) / self.seconds_between_records() + ON_RECORD).floor();
        if records < 0.0 { t } else { self.time(records as u64 * self.stride()) }
    }

    /// Locks the solver, for as long as steps are made.
    fn lock(&self) -> MutexGuard<'_, Stepper<Self::Active>> {
        let stepper = &self.progress().stepper;
        stepper.lock().unwrap_or_else(|poisoned| {
            // A panic under the lock may have left a partial step or record: the run resumes from the
            // last checkpoint.
            stepper.clear_poison();
            let mut stepper = poisoned.into_inner();
            stepper.active = None;
            drop_partial_records(&mut *self.lock_take());
            stepper
        })
    }

    /// Locks the recording, to copy some of its numbers.
    fn lock_take(&self) -> MutexGuard<'_, Self::Take> {
        let take = &self.progress().take;
        take.lock().unwrap_or_else(|poisoned| {
            take.clear_poison();
            let mut take = poisoned.into_inner();
            drop_partial_records(&mut *take);
            take
        })
    }

    /// Notes that an edit has replaced this simulation by another.
    fn supersede(&self) {
        self.progress().superseded.store(true, Ordering::Relaxed);
    }

    /// Whether an edit has replaced this simulation by another.
    fn is_superseded(&self) -> bool {
        self.progress().superseded.load(Ordering::Relaxed)
    }

    /// Whether a pose at a time needs no further steps. The solver is not waited for.
    fn is_ready(&self, t: f64) -> bool {
        if !self.is_prepared() {
            return false;
        }
        let take = self.lock_take();
        let history = take.history();
        t < self.start() || is_settled(&*take, t) || history.too_large(t).is_some()
    }

    /// Simulates up to a time. Before every record, calls `each` with the time reached and stops if it
    /// returns false; returns false if it was stopped. No lock is held meanwhile: `each` may evaluate
    /// any frame of any body.
    fn simulate(&self, scene: &Scene, until: f64, each: &mut dyn FnMut(f64) -> bool) -> bool {
        loop {
            let mut stepper = self.lock();
            if !self.is_under_way(&mut stepper, scene, until) {
                return true;
            }
            let reached = self.lock_take().history().end();
            drop(stepper);
            if !each(reached) {
                return false;
            }
            // Steps made by another thread meanwhile are not repeated.
            self.advance(&mut self.lock(), scene, until);
            if self.lock_take().history().write_error().is_some() {
                return false;
            }
        }
    }

    /// Simulates up to a time. The records around it are then in memory.
    fn reach(&self, scene: &Scene, until: f64) -> MutexGuard<'_, Self::Take> {
        let mut take = self.lock_take();
        if is_settled(&*take, until) && take.history_mut().fetch_around(until).is_ok() {
            return take;
        }
        drop(take);
        let mut stepper = self.lock();
        loop {
            while self.advance(&mut stepper, scene, until) {}
            let mut take = self.lock_take();
            match take.history_mut().fetch_around(until) {
                Ok(()) => return take,
                // Somebody changed the file meanwhile: simulated again from there.
                Err(lost) => keep_chunks(&mut *take, &mut stepper, lost),
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
        let _stepper = self.lock();
        let mut take = self.lock_take();
        file::write_to_end(&mut *take);
        match take.history_mut().tape.as_mut().and_then(|tape| tape.error.take()) {
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
        take.history_mut().limits = self.lock_take().history().limits;
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
        take.history_mut().limits = self.lock_take().history().limits;
        take.history_mut().tape = Some(Tape::new(storage, name, hash, used_for));
        self.set_take(take);
    }

    /// The recording as the bytes of a file.
    fn bytes(&self, name: &str, hash: u128) -> Vec<u8> {
        file::bytes_of(&mut *self.lock_take(), name, hash)
    }

    /// Limits the size of its recording.
    fn set_limits(&self, limits: RecordingLimits) {
        self.lock_take().history_mut().limits = limits;
    }

    /// The reason why there is no recording up to a time, if it would be too large. Nothing is
    /// simulated.
    fn too_large(&self, scene: &Scene, until: f64) -> Option<Ended> {
        // The length of a record is known once the run is ready to start.
        let is_open = self.is_under_way(&mut self.lock(), scene, until);
        if is_open { None } else { self.lock_take().history().too_large(until) }
    }

    /// Reads the recording.
    fn take<T>(&self, read: impl FnOnce(&Self::Take) -> T) -> T {
        read(&self.lock_take())
    }

    /// Continues from the recording of an earlier run of the same simulation.
    fn set_take(&self, take: Self::Take) {
        let mut stepper = self.lock();
        *self.lock_take() = take;
        *stepper = Stepper::default();
    }

    /// A copy of the recording, which shares its records; its tape goes with the copy. The solver is
    /// not waited for.
    fn share_take(&self) -> Self::Take {
        self.lock_take().share()
    }

    /// A copy of the recording for a run that continues from a time. It shares the records in memory, and
    /// the tape stays here.
    fn copy_take(&self, until: f64) -> Self::Take {
        let mut take = self.lock_take();
        let history = take.history_mut();
        history.fetch_checkpoint(until);
        let tape = history.tape.take();
        let mut copy = take.share();
        take.history_mut().tape = tape;
        copy.history_mut().forget_tape();
        copy
    }

    /// True if the run has not reached a time and can continue.
    fn is_under_way(&self, stepper: &mut Stepper<Self::Active>, scene: &Scene, until: f64) -> bool {
        let mut take = self.lock_take();
        if is_settled(&*take, until) {
            return false;
        }
        if stepper.active.is_none() {
            while let Some(last) = take.history().chunks().checked_sub(1) {
                if take.history_mut().fetch(last) {
                    break;
                }
                keep_chunks(&mut *take, stepper, last);
            }
            drop(take);
            if !self.start_or_resume(stepper, scene) {
                return false;
            }
            take = self.lock_take();
        }
        take.history().too_large(until).is_none()
    }

    /// Makes one step on the way to a time, and records the state if it is due; returns false if none
    /// was needed or the run stopped.
    fn advance_step(&self, stepper: &mut Stepper<Self::Active>, scene: &Scene, until: f64) -> bool {
        // Once begun, a stride is completed.
        let between = stepper.active.is_some() && !stepper.steps.is_multiple_of(self.stride());
        if !between && !self.is_under_way(stepper, scene, until) {
            return false;
        }
        if let Err(stopped) = self.step(stepper, scene) {
            let mut take = self.lock_take();
            self.record_events(&mut *take, stepper);
            take.history_mut().stopped = Some(stopped);
            return false;
        }
        if stepper.steps.is_multiple_of(self.stride()) {
            let mut take = self.lock_take();
            self.record_events(&mut *take, stepper);
            self.record(&mut *take, stepper, scene);
            if take.history().is_due() {
                file::write_full_chunks(&mut *take);
            }
        }
        true
    }

    /// Simulates up to the next record on the way to a time; returns false if none was needed or the
    /// run stopped.
    fn advance(&self, stepper: &mut Stepper<Self::Active>, scene: &Scene, until: f64) -> bool {
        while self.advance_step(stepper, scene, until) {
            if stepper.steps.is_multiple_of(self.stride()) {
                return true;
            }
        }
        false
    }
}

/// Whether a recording ends early or has all records for a time.
fn is_settled(take: &impl Take, t: f64) -> bool {
    take.history().stopped.is_some() || take.history().reaches(t)
}

/// Drops all chunks from `index` on; the run resumes from the last one that is left.
fn keep_chunks<T: Take, M>(take: &mut T, stepper: &mut Stepper<M>, index: usize) {
    stepper.active = None;
    take.history_mut().keep_chunks(index);
    take.trim();
}

fn drop_partial_records(take: &mut impl Take) {
    take.history_mut().drop_partial_records();
    take.trim();
}
