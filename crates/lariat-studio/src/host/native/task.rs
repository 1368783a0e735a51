//! Work on a thread of its own, with progress and cancellation.
//!
//! Tests: `crates/lariat-studio/tests/studio/output.rs`.

use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Instant,
};

use lariat_export::Progress;

use crate::host::OutputProgress;

/// Work that is going on, and its result.
#[derive(Debug)]
pub(super) struct Task<T> {
    shared: Arc<Shared<T>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared<T> {
    state: Mutex<State<T>>,
    cancelled: AtomicBool,
}

#[derive(Debug)]
struct State<T> {
    progress: OutputProgress,
    begun: Instant,
    result: Option<Result<T, String>>,
}

impl<T> Shared<T> {
    fn with<R>(&self, read: impl FnOnce(&mut State<T>) -> R) -> R {
        read(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T: Send + 'static> Task<T> {
    /// Starts to work. `report` is called when there is progress, and at the end.
    pub(super) fn start(
        name: &str,
        report: impl Fn() + Send + Sync + 'static,
        work: impl FnOnce(&Watch<'_, T>) -> Result<T, String> + Send + 'static,
    ) -> io::Result<Self> {
        let progress = OutputProgress { stage: "Starting", share: 0.0, seconds_left: None };
        let state = State { progress, begun: Instant::now(), result: None };
        let shared =
            Arc::new(Shared { state: Mutex::new(state), cancelled: AtomicBool::new(false) });
        let its = shared.clone();
        let thread = thread::Builder::new().name(name.to_owned()).spawn(move || {
            let result = work(&Watch { shared: &its, report: &report, stage: "Simulating" });
            its.with(|state| state.result = Some(result));
            report();
        })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    pub(super) fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    pub(super) fn progress(&self) -> OutputProgress {
        self.shared.with(|state| state.progress)
    }

    /// The result, once.
    pub(super) fn result(&self) -> Option<Result<T, String>> {
        self.shared.with(|state| state.result.take())
    }

    /// Cancels the work and does not wait for its end.
    pub(super) fn abandon(mut self) {
        self.cancel();
        self.thread = None;
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Reports progress to the window.
pub(super) struct Watch<'s, T> {
    shared: &'s Shared<T>,
    report: &'s (dyn Fn() + Sync),
    stage: &'static str,
}

impl<T> Clone for Watch<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Watch<'_, T> {}

impl<T> Watch<'_, T> {
    /// The same for another stage of the work, with its own clock.
    pub(super) fn stage(self, stage: &'static str) -> Self {
        self.shared.with(|state| {
            state.begun = Instant::now();
            state.progress = OutputProgress { stage, share: 0.0, seconds_left: None };
        });
        Watch { stage, ..self }
    }
}

impl<T: Send> Progress for Watch<'_, T> {
    fn advance(&self, done: u64, total: u64) {
        self.shared.with(|state| {
            let share = done as f64 / total.max(1) as f64;
            let passed = state.begun.elapsed().as_secs_f64();
            let left = (done > 0).then(|| passed * (1.0 - share) / share);
            state.progress = OutputProgress { stage: self.stage, share, seconds_left: left };
        });
        (self.report)();
    }

    fn cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }
}
