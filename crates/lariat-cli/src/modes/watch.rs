//! How far some work is, shown if anybody watches, and stopped when asked.

use std::ops::ControlFlow;

use crate::{console::Console, exit::Failure, interrupt::Interrupt, progress::Progress};

/// Steps of a bar from nothing to all.
const STEPS: f64 = 100.0;

/// Shows progress, and listens for Ctrl-C.
pub(crate) struct Watch {
    console: Console,
    interrupt: Interrupt,
}

impl Watch {
    pub(crate) fn new(console: Console) -> Result<Self, Failure> {
        Ok(Self { console, interrupt: Interrupt::listen()? })
    }

    /// Does some work that tells how far it is, from 0 to 1, and stops when told to.
    pub(crate) fn over<T>(
        &self,
        what: &'static str,
        work: impl FnOnce(&mut dyn FnMut(f64) -> ControlFlow<()>) -> T,
    ) -> T {
        let progress = Progress::new(self.console, what, "percent");
        work(&mut |done| {
            progress.advance((STEPS * done) as u64, STEPS as u64);
            if self.interrupt.asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }

    /// What to say of work that failed: that it was stopped, if it was.
    pub(crate) fn failed(&self, error: &dyn std::fmt::Display) -> Failure {
        if self.interrupt.asked() {
            Failure::new("stopped: nothing was written")
        } else {
            Failure::new(error.to_string())
        }
    }
}
