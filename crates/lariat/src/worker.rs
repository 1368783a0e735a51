//! A thread that simulates while a program goes on.
//!
//! The libraries start no threads. A [`SimulationWorker`] is the native way to drive a
//! [`SimulationJob`]; a browser advances the same job in time slices.
//!
//! ```
//! use lariat::SimulationWorker;
//! use lariat::eval::{Evaluator, Pose};
//! use lariat::scene::{Limits, format};
//!
//! let text = r#"
//! lariat = 2
//! [shot]
//! frames = [1, 24]
//! [[body]]
//! name = "rope"
//! model = "loose-rope"
//! from = [0, 0, 2]
//! length = 1
//! dynamics = { kind = "spline-rope", control-points = 8 }
//! "#;
//! let document = format::read(text).expect("a document").document;
//! let mut evaluator = Evaluator::new(document, Limits::DEFAULT, 96);
//! // A window would ask for a redraw in this function.
//! let worker = SimulationWorker::start(|| {})?;
//! assert!(!evaluator.pose(24.0).is_ready());
//! worker.submit(evaluator.simulation_job(24.0).expect("there is something to simulate"));
//! worker.wait();
//! assert!(matches!(evaluator.pose(24.0), Pose::Ready(_)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Tests: `a_worker_finishes_its_job`, `a_new_job_replaces_the_last_one`,
//! `a_dropped_worker_stops_at_once`.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

use lariat_eval::{JobCanceller, JobProgress, JobStatus, SimulationJob};

/// Steps from one report of progress to the next: a few milliseconds of most ropes.
const STEPS_PER_REPORT: u64 = 16;

/// A thread that drives one simulation job at a time. Dropping it cancels the job.
#[derive(Debug)]
pub struct SimulationWorker {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The job to be run next.
    next: Option<SimulationJob>,
    /// Cancels the job that is running.
    running: Option<JobCanceller>,
    progress: Option<JobProgress>,
    last: Option<JobStatus>,
    closed: bool,
}

impl State {
    fn cancel(&mut self) {
        self.next = None;
        self.running.iter().for_each(JobCanceller::cancel);
    }
}

impl Shared {
    /// Locks the state, which is never left in between.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs jobs until the worker is dropped.
    fn run(&self, report: &(dyn Fn() + Send)) {
        let mut state = self.lock();
        loop {
            if state.closed {
                return;
            }
            let Some(mut job) = state.next.take() else {
                state = self.wait(state);
                continue;
            };
            state.running = Some(job.canceller());
            loop {
                state.progress = Some(job.progress());
                drop(state);
                let status = job.advance_steps(STEPS_PER_REPORT);
                state = self.lock();
                if status != JobStatus::Running {
                    state.progress = Some(job.progress());
                    state.last = Some(status);
                    break;
                }
                drop(state);
                report();
                state = self.lock();
            }
            state.running = None;
            self.changed.notify_all();
            drop((state, job));
            report();
            state = self.lock();
        }
    }
}

/// Closes a worker whose thread ends, also by a panic of a step, so that nobody waits for it.
struct CloseOnExit<'s>(&'s Shared);

impl Drop for CloseOnExit<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        (state.next, state.running, state.closed) = (None, None, true);
        self.0.changed.notify_all();
    }
}

impl SimulationWorker {
    /// Starts the thread. It calls `report` when there are new records and when a job ends.
    ///
    /// # Errors
    /// If the system starts no further thread.
    pub fn start(report: impl Fn() + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let its = shared.clone();
        let thread = Builder::new().name("simulation".to_owned());
        let thread = thread.spawn(move || {
            let _close = CloseOnExit(&its);
            its.run(&report);
        });
        let thread = Some(thread?);
        Ok(Self { shared, thread })
    }

    /// Runs a job. A job that is running is cancelled; its records are kept. If the thread has ended by
    /// a panic, the job is dropped.
    pub fn submit(&self, job: SimulationJob) {
        let mut state = self.shared.lock();
        state.cancel();
        if !state.closed {
            state.next = Some(job);
        }
        self.shared.changed.notify_all();
    }

    /// Cancels the running job, without waiting for its last step. Its records are kept.
    pub fn cancel(&self) {
        self.shared.lock().cancel();
    }

    /// True while a job is waiting or running.
    pub fn is_busy(&self) -> bool {
        let state = self.shared.lock();
        state.next.is_some() || state.running.is_some()
    }

    /// Progress of the running job, or of the last one.
    pub fn progress(&self) -> Option<JobProgress> {
        self.shared.lock().progress
    }

    /// Waits until there is no job; returns how the last one ended.
    pub fn wait(&self) -> Option<JobStatus> {
        let mut state = self.shared.lock();
        while state.next.is_some() || state.running.is_some() {
            state = self.shared.wait(state);
        }
        state.last
    }
}

impl Drop for SimulationWorker {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.cancel();
        state.closed = true;
        self.shared.changed.notify_all();
        drop(state);
        if let Some(thread) = self.thread.take() {
            // A panic of a step was reported by its thread.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use lariat_eval::{Evaluator, Pose};
    use lariat_scene::edit::Edit;
    use lariat_scene::{Limits, Value, format};

    use super::*;

    fn evaluator(last: u32) -> Evaluator {
        let text = format!(
            "lariat = 2\n[shot]\nframes = [1, {last}]\n[[body]]\nname = \"rope\"\n\
             model = \"loose-rope\"\nfrom = [0, 0, 2]\nlength = 1\ndirection = [1, 0, 0]\n\
             dynamics = {{ kind = \"spline-rope\", control-points = 12 }}\n"
        );
        let document = format::read(&text).expect("it is TOML").document;
        Evaluator::new(document, Limits::DEFAULT, 16)
    }

    #[test]
    fn a_worker_finishes_its_job() {
        let (mut evaluator, reports) = (evaluator(30), Arc::new(AtomicU64::new(0)));
        let counted = reports.clone();
        let worker = SimulationWorker::start(move || {
            counted.fetch_add(1, Ordering::Relaxed);
        });
        let worker = worker.expect("a thread");
        worker.submit(evaluator.simulation_job(30.0).expect("there is something to simulate"));
        // Any number of poses meanwhile.
        while !evaluator.pose(30.0).is_ready() {}
        assert_eq!(worker.wait(), Some(JobStatus::Finished));
        assert!(worker.progress().is_some_and(|progress| progress.share > 0.999));
        assert!(reports.load(Ordering::Relaxed) > 5 && !worker.is_busy());
        let Pose::Ready(moment) = evaluator.pose(30.0) else { panic!("it is recorded") };
        assert!(moment == self::evaluator(30).at(30.0));
    }

    #[test]
    fn a_new_job_replaces_the_last_one() {
        let mut evaluator = evaluator(100_000);
        let worker = SimulationWorker::start(|| {}).expect("a thread");
        worker.submit(evaluator.simulation_job(1e5).expect("there is something to simulate"));
        while evaluator.takes()[0].recorded.is_none() {}
        assert!(evaluator.takes()[0].running);
        let path = "body.rope.length".parse().expect("a path");
        evaluator.apply(&Edit::Set { path, value: Value::from(1.2) }).expect("a good edit");
        worker.submit(evaluator.simulation_job(20.0).expect("there is something to simulate"));
        assert_eq!(worker.wait(), Some(JobStatus::Finished));
        let document = evaluator.document().clone();
        let fresh = Evaluator::new(document, Limits::DEFAULT, 1).at(20.0).clone();
        let Pose::Ready(moment) = evaluator.pose(20.0) else { panic!("it is recorded") };
        assert!(*moment == fresh);
    }

    #[test]
    fn a_dropped_worker_stops_at_once() {
        let mut evaluator = evaluator(100_000);
        let worker = SimulationWorker::start(|| {}).expect("a thread");
        worker.submit(evaluator.simulation_job(1e5).expect("there is something to simulate"));
        while evaluator.takes()[0].recorded.is_none() {}
        drop(worker);
        let take = &evaluator.takes()[0];
        assert!(!take.running && take.recorded.is_some_and(|span| span.last < 1e5));
    }
}
