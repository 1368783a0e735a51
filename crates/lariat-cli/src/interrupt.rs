//! Ctrl-C, so that who writes files can tidy up before it ends.
//!
//! The first one (or a request to terminate, as render farms send) asks the work to stop; it
//! removes its unfinished file and says so. A second one ends the process at once.

use std::{
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::exit::Failure;

/// What shells say of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Whether somebody asked to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let interrupt = Self::default();
        let asked = Arc::clone(&interrupt.0);
        ctrlc::set_handler(move || {
            if asked.swap(true, Ordering::Relaxed) {
                process::exit(INTERRUPTED);
            }
        })
        .map_err(|error| Failure::new(format!("Ctrl-C cannot be listened for: {error}")))?;
        Ok(interrupt)
    }

    /// Whether to stop.
    pub(crate) fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
