//! Simulation of a scene in slices, by a worker.
//!
//! A job holds a snapshot of the scene. Its records are visible to every scene that shares the
//! simulation as soon as they are made, also after edits that do not affect it. An edit that does
//! supersedes the job.
//!
//! A job may be driven by any thread, in slices of any length. The records are the same bits as those
//! of [`Scene::simulate`].
//!
//! Tests, in `tests/suite/pending.rs`: `any_slices_record_the_same_bits`,
//! `a_job_stops_within_a_step`, `an_edit_supersedes_a_job`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::scene::Scene;

/// Simulations of a scene up to a frame, advanced step by step.
#[derive(Debug)]
pub struct SimulationJob {
    scene: Arc<Scene>,
    runs: Vec<Run>,
    /// The first run that is not finished.
    next: usize,
    frame: f64,
    flags: Arc<JobFlags>,
}

/// One simulation of a job.
#[derive(Debug)]
struct Run {
    /// A body that identifies it.
    body: usize,
    /// Start of the simulation, and the time to be reached, in seconds.
    start: f64,
    until: f64,
}

/// State of a job that other threads can see.
#[derive(Debug, Default)]
pub(crate) struct JobFlags {
    cancelled: AtomicBool,
    finished: AtomicBool,
}

impl JobFlags {
    /// Whether the job may still make steps.
    pub(crate) fn is_open(&self) -> bool {
        !self.cancelled.load(Ordering::Relaxed) && !self.finished.load(Ordering::Relaxed)
    }
}

/// Result of a slice of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobStatus {
    /// There are more steps to make.
    Running,
    /// All simulations are recorded up to the frame, or ended early.
    Finished,
    /// The job was cancelled.
    Cancelled,
    /// An edit changed one of its simulations; a new job continues from the records that are still
    /// valid.
    Superseded,
}

/// Progress of a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JobProgress {
    /// The frame up to which all simulations of the job are recorded.
    pub reached: f64,
    /// The frame to be reached.
    pub frame: f64,
    /// Share of the simulated time that is recorded, 0–1.
    pub share: f64,
}

/// Cancels a job from any thread.
#[derive(Clone, Debug)]
pub struct JobCanceller {
    flags: Arc<JobFlags>,
}

impl JobCanceller {
    /// Stops the job before its next step. Its records are kept.
    pub fn cancel(&self) {
        self.flags.cancelled.store(true, Ordering::Relaxed);
    }
}

impl SimulationJob {
    /// A job that simulates everything that is not recorded up to a frame; `None` if there is nothing
    /// to simulate.
    pub fn new(scene: Arc<Scene>, frame: f64) -> Option<Self> {
        Self::within(scene, frame, &[])
    }

    /// The same, but some bodies, and all simulated after them, make no step that ends after the frame:
    /// their motion after it is not known yet.
    pub(crate) fn within(scene: Arc<Scene>, frame: f64, within: &[usize]) -> Option<Self> {
        let time = scene.shot().seconds(frame);
        let groups = scene.simulated_groups();
        let count = groups.len();
        // A follower reads its leader up to one record after its own last one.
        let margin = scene.seconds_between_records();
        let (mut runs, mut known) = (Vec::new(), time);
        for (depth, group) in groups.into_iter().enumerate() {
            let until = time + margin * (count - 1 - depth) as f64;
            // Their leaders come first.
            let mut known_here = known;
            for body in group {
                if within.contains(&body) {
                    let last = scene.last_record_by(body, known);
                    known_here = known_here.min(last);
                    runs.push((body, last));
                } else {
                    runs.push((body, until));
                }
            }
            known = known_here;
        }
        let runs = runs.into_iter();
        let runs = runs.filter(|(body, until)| !scene.is_recorded(*body, *until));
        let runs: Vec<Run> = runs
            .map(|(body, until)| Run { body, start: scene.simulation_start(body), until })
            .collect();
        let flags = Arc::default();
        (!runs.is_empty()).then_some(Self { scene, runs, next: 0, frame, flags })
    }

    /// Makes steps until everything is recorded, as long as `go_on` returns true. It is asked before
    /// every step.
    pub fn advance(&mut self, mut go_on: impl FnMut() -> bool) -> JobStatus {
        while let Some(Run { body, until, .. }) = self.runs.get(self.next) {
            if self.flags.cancelled.load(Ordering::Relaxed) {
                return JobStatus::Cancelled;
            }
            if self.runs.iter().any(|run| self.scene.is_superseded(run.body)) {
                self.flags.finished.store(true, Ordering::Relaxed);
                return JobStatus::Superseded;
            }
            if !go_on() {
                return JobStatus::Running;
            }
            if !self.scene.advance_step(*body, *until) {
                self.next += 1;
            }
        }
        self.flags.finished.store(true, Ordering::Relaxed);
        JobStatus::Finished
    }

    /// Makes at most a number of steps.
    pub fn advance_steps(&mut self, steps: u64) -> JobStatus {
        let mut left = steps;
        self.advance(|| {
            let go_on = left > 0;
            left = left.saturating_sub(1);
            go_on
        })
    }

    /// Its progress. No step is waited for.
    pub fn progress(&self) -> JobProgress {
        let (mut done, mut all, mut reached) = (0.0, 0.0, f64::INFINITY);
        for (i, run) in self.runs.iter().enumerate() {
            // A simulation that ended early is finished.
            let end = if i < self.next { run.until } else { self.scene.recorded_until(run.body) };
            let end = end.clamp(run.start, run.until.max(run.start));
            reached = f64::min(reached, end);
            done += end - run.start;
            all += (run.until - run.start).max(0.0);
        }
        let rate = self.scene.shot().rate;
        let share = if all > 0.0 { done / all } else { f64::from(u8::from(self.is_done())) };
        JobProgress { reached: rate.frame(reached).min(self.frame), frame: self.frame, share }
    }

    fn is_done(&self) -> bool {
        self.next >= self.runs.len()
    }

    /// Stops it before its next step. Its records are kept.
    pub fn cancel(&self) {
        self.canceller().cancel();
    }

    /// A handle that cancels it from another thread.
    pub fn canceller(&self) -> JobCanceller {
        JobCanceller { flags: self.flags.clone() }
    }

    /// The scene that it simulates.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    pub(crate) fn flags(&self) -> &Arc<JobFlags> {
        &self.flags
    }

    /// The bodies that identify its simulations.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = usize> {
        self.runs.iter().map(|run| run.body)
    }
}

impl Drop for SimulationJob {
    fn drop(&mut self) {
        self.flags.finished.store(true, Ordering::Relaxed);
    }
}
