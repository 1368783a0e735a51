//! Interruption by Ctrl-C and termination signals.
//!
//! The first signal (Ctrl-C, or a termination request as render farms send) requests cancellation:
//! the command removes its partial file and reports what is done. If it has not ended after
//! [`GRACE`], for example within one long step of a simulation, the process ends anyway. It ends at
//! once at a second signal, and at the first while no [`Interrupt`] exists. Exit codes follow the
//! convention of shells, 128 and the number of the signal:
//!
//! | signal | exit code |
//! |---|---|
//! | SIGHUP | 129 |
//! | SIGINT, Ctrl-C | 130 |
//! | SIGTERM | 143 |
//!
//! Nothing is lost by ending at any moment. Outputs are written beside their place and renamed when
//! they are complete; takes (simulation caches) grow by whole chunks, and the next run goes on after
//! the last. The temporary file of an output is removed where the system lists open files (Linux);
//! elsewhere the next run removes it.
//!
//! Tests: `crates/lariat-cli/tests/command/interrupt.rs`.

use std::{
    sync::{
        atomic::{AtomicI32, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use lariat_export::temporary;

use crate::{console::Console, exit::Failure};

/// Time for a command to end after the first signal. With [`CLEANUP`], less than a second, after
/// which people press again; commands that check for cancellation at all need a few milliseconds.
const GRACE: Duration = Duration::from_millis(500);

/// Time for removing the temporary file and for the message at an immediate end, in case the disk or
/// the terminal does not answer.
const CLEANUP: Duration = Duration::from_millis(200);

/// Number of Ctrl-C where signals have none.
const INT: i32 = 2;

/// Signals are sent to the process: number of the first one, or 0.
static RECEIVED: AtomicI32 = AtomicI32::new(0);

/// Number of [`Interrupt`]s.
static LISTENERS: AtomicUsize = AtomicUsize::new(0);

/// Handles signals from now on, for all commands.
pub(crate) fn install(console: Console) -> Result<(), Failure> {
    start(console).map_err(|error| Failure::new(format!("cannot handle Ctrl-C: {error}")))
}

#[cfg(unix)]
fn start(console: Console) -> std::io::Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
    };

    // `nohup` has the program ignore the end of its terminal.
    let hang_up = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hang_up))?;
    thread::spawn(move || signals.forever().for_each(|signal| receive(signal, console)));
    Ok(())
}

/// True if the process was started with a signal ignored. Known on Linux only.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(not(unix))]
fn start(console: Console) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || receive(INT, console))
}

/// Requests cancellation, or ends the process.
fn receive(signal: i32, console: Console) {
    let is_first = RECEIVED.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_ok();
    if !is_first || LISTENERS.load(Ordering::SeqCst) == 0 {
        end(signal, console);
    }
    thread::spawn(move || {
        thread::sleep(GRACE);
        end(signal, console);
    });
}

/// Ends the process without waiting for the command.
fn end(signal: i32, console: Console) -> ! {
    let (done, wait) = mpsc::channel();
    thread::spawn(move || {
        temporary::discard_open();
        if console.is_watched() {
            // After a progress bar.
            Console::put("");
        }
        console.error("interrupted; everything that was complete is kept");
        let _ = done.send(());
    });
    let _ = wait.recv_timeout(CLEANUP);
    exit(code(signal).into())
}

/// Ends the process without destructors, which could wait for threads that are still at work.
#[cfg(unix)]
fn exit(code: i32) -> ! {
    signal_hook::low_level::exit(code)
}

#[cfg(not(unix))]
fn exit(code: i32) -> ! {
    std::process::exit(code)
}

/// Exit code of a signal.
fn code(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}

/// Exit code of a command that was interrupted.
pub(crate) fn exit_code() -> u8 {
    match RECEIVED.load(Ordering::SeqCst) {
        0 => code(INT),
        signal => code(signal),
    }
}

/// Whether a signal has been received.
pub(crate) fn was_requested() -> bool {
    RECEIVED.load(Ordering::SeqCst) != 0
}

/// Registration of work that can be cancelled, until it is dropped.
#[derive(Debug)]
pub(crate) struct Interrupt(());

impl Interrupt {
    /// Registers for the first signal.
    pub(crate) fn listen() -> Self {
        LISTENERS.fetch_add(1, Ordering::SeqCst);
        Self(())
    }

    /// Whether cancellation is requested.
    #[allow(clippy::unused_self, reason = "only registered work may go on after a signal")]
    pub(crate) fn requested(&self) -> bool {
        was_requested()
    }
}

impl Clone for Interrupt {
    fn clone(&self) -> Self {
        Self::listen()
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        LISTENERS.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_shells() {
        assert_eq!([1, INT, 15].map(code), [129, 130, 143]);
    }
}
