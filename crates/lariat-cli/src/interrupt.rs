//! Ctrl-C, so that who writes files can tidy up before it ends.
//!
//! The first one (or a request to terminate, as render farms send) asks the work to stop; it
//! removes its unfinished file and says so. A second one ends the process at once, and so does the
//! first while nobody listens: work that leaves nothing behind need not be asked.

use std::{
    process,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::exit::Failure;

/// What shells say of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Signals come to a process, so there is one for all who listen.
static ASKED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Who knows of it besides those who listen: the place above, and the handler.
const KEEPERS: usize = 2;

/// Whether somebody asked to stop; as long as there is one, Ctrl-C only asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on, until it is dropped.
    pub(crate) fn listen() -> Result<Self, Failure> {
        if let Some(asked) = ASKED.get() {
            return Ok(Self(Arc::clone(asked)));
        }
        let interrupt = Self::default();
        let asked = Arc::clone(&interrupt.0);
        ctrlc::set_handler(move || {
            let heard = Arc::strong_count(&asked) > KEEPERS;
            if asked.swap(true, Ordering::Relaxed) || !heard {
                process::exit(INTERRUPTED);
            }
        })
        .map_err(|error| Failure::new(format!("Ctrl-C cannot be listened for: {error}")))?;
        Ok(Self(Arc::clone(ASKED.get_or_init(|| interrupt.0))))
    }

    /// Whether to stop.
    pub(crate) fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether anybody has been asked to stop so far.
    pub(crate) fn was_asked() -> bool {
        ASKED.get().is_some_and(|asked| asked.load(Ordering::Relaxed))
    }
}
