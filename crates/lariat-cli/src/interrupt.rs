//! Cancellation by Ctrl-C and termination signals.
//!
//! The first signal (Ctrl-C, or a termination request as render farms send) requests cancellation;
//! the command then removes its partial file. A second signal ends the process at once, and so does
//! the first while no [`Interrupt`] exists.

use std::{
    process,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::exit::Failure;

/// Exit code of an interrupted program, by convention of shells.
const INTERRUPTED: i32 = 130;

/// Flag shared by all [`Interrupt`]s, because signals are sent to the process.
static REQUESTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// References to the flag besides those of [`Interrupt`]s: the static above and the handler.
const OWN_REFERENCES: usize = 2;

/// Cancellation flag. While one exists, the first Ctrl-C only sets it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Registers for Ctrl-C until dropped.
    pub(crate) fn listen() -> Result<Self, Failure> {
        if let Some(requested) = REQUESTED.get() {
            return Ok(Self(Arc::clone(requested)));
        }
        let interrupt = Self::default();
        let requested = Arc::clone(&interrupt.0);
        ctrlc::set_handler(move || {
            let registered = Arc::strong_count(&requested) > OWN_REFERENCES;
            if requested.swap(true, Ordering::Relaxed) || !registered {
                process::exit(INTERRUPTED);
            }
        })
        .map_err(|error| Failure::new(format!("cannot handle Ctrl-C: {error}")))?;
        Ok(Self(Arc::clone(REQUESTED.get_or_init(|| interrupt.0))))
    }

    /// Whether cancellation is requested.
    pub(crate) fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether any cancellation has been requested.
    pub(crate) fn was_requested() -> bool {
        REQUESTED.get().is_some_and(|requested| requested.load(Ordering::Relaxed))
    }
}
