//! Progress and cancellation of the extraction of modes.

use std::ops::ControlFlow;

use crate::{console::Console, exit::Failure, interrupt::Interrupt, progress::Progress};

/// Steps of a progress bar.
const STEPS: f64 = 100.0;

/// Shows progress and handles Ctrl-C.
pub(crate) struct Watch {
    console: Console,
    interrupt: Interrupt,
}

impl Watch {
    pub(crate) fn new(console: Console) -> Self {
        Self { console, interrupt: Interrupt::listen() }
    }

    /// Runs a task that reports its progress, from 0 to 1, and can be cancelled.
    pub(crate) fn over<T>(
        &self,
        task: &'static str,
        work: impl FnOnce(&mut dyn FnMut(f64) -> ControlFlow<()>) -> T,
    ) -> T {
        let progress = Progress::new(self.console, task, "percent");
        work(&mut |done| {
            progress.advance((STEPS * done) as u64, STEPS as u64);
            if self.interrupt.requested() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
    }

    /// Runs a task of several stages, which reports the stage and its progress, from 0 to 1.
    pub(crate) fn over_stages<S: Copy + PartialEq, T>(
        &self,
        name: fn(S) -> &'static str,
        work: impl FnOnce(&mut dyn FnMut(S, f64) -> ControlFlow<()>) -> T,
    ) -> T {
        let mut current: Option<(S, Progress)> = None;
        work(&mut |stage, done| {
            if current.as_ref().is_none_or(|(running, _)| *running != stage) {
                current = Some((stage, Progress::new(self.console, name(stage), "percent")));
            }
            if let Some((_, progress)) = &current {
                progress.advance((STEPS * done) as u64, STEPS as u64);
            }
            if self.interrupt.requested() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
    }

    /// Failure of a task: its error, or that it was interrupted.
    pub(crate) fn failed(&self, error: &dyn std::fmt::Display) -> Failure {
        if self.interrupt.requested() {
            Failure::Interrupted("nothing was written".to_owned())
        } else {
            Failure::new(error.to_string())
        }
    }
}
