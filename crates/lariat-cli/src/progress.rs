//! Progress bars for long work.
//!
//! Shown only on a terminal, not with `--quiet`, and not for work that takes less than
//! [`PATIENCE`]. Parallel tasks have a bar each ([`Bars`]). Speed and remaining time are shown once
//! they are known.
//!
//! Tests: `unknown_numbers_are_not_shown`.

use std::{
    borrow::Cow,
    cell::{Cell, OnceCell},
    fmt,
    time::{Duration, Instant},
};

use indicatif::{
    HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};

use crate::{console::Console, interrupt::Interrupt};

/// Time before a bar appears; for shorter work it would only flicker.
const PATIENCE: Duration = Duration::from_millis(300);

/// Progress of some work.
pub(crate) struct Progress {
    what: Cow<'static, str>,
    unit: &'static str,
    watched: bool,
    started: Instant,
    /// Group that its bar belongs to, if any.
    among: Option<MultiProgress>,
    bar: OnceCell<ProgressBar>,
}

/// Bars of parallel tasks, which also show their speed.
pub(crate) struct Bars {
    console: Console,
    all: MultiProgress,
}

impl Bars {
    pub(crate) fn new(console: Console) -> Self {
        let target = ProgressDrawTarget::stderr();
        Self { console, all: MultiProgress::with_draw_target(target) }
    }

    /// Prints a note while bars are shown, unless quiet.
    pub(crate) fn note(&self, text: &str) {
        self.all.suspend(|| self.console.note(text));
    }

    /// Adds a task that is about to begin.
    pub(crate) fn over(&self, what: String, unit: &'static str) -> Progress {
        Progress::among(Some(self.all.clone()), self.console, what.into(), unit)
    }
}

impl Progress {
    /// A task that is about to begin, named `what` and counted in `unit`.
    pub(crate) fn new(console: Console, what: &'static str, unit: &'static str) -> Self {
        Self::among(None, console, what.into(), unit)
    }

    fn among(
        among: Option<MultiProgress>,
        console: Console,
        what: Cow<'static, str>,
        unit: &'static str,
    ) -> Self {
        let started = Instant::now();
        Self { what, unit, watched: console.is_watched(), started, among, bar: OnceCell::new() }
    }

    /// Shows that `done` of `total` are done.
    pub(crate) fn advance(&self, done: u64, total: u64) {
        if self.watched && (self.bar.get().is_some() || self.started.elapsed() >= PATIENCE) {
            let bar = self.bar.get_or_init(|| self.draw(done, total));
            bar.set_length(total);
            bar.set_position(done);
        }
    }

    fn draw(&self, done: u64, total: u64) -> ProgressBar {
        let bar = match &self.among {
            None => ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()),
            Some(all) => all.add(ProgressBar::new(total)),
        };
        let speed = if self.among.is_some() { "{speed}" } else { "" };
        let template = format!("{{msg}} [{{bar:30}}] {{pos}}/{{len}} {}{speed}{{wait}}", self.unit);
        if let Ok(style) = ProgressStyle::with_template(&template) {
            let style = style
                .with_key("speed", |state: &ProgressState, out: &mut dyn fmt::Write| {
                    let _ = out.write_str(&self::speed(state.per_sec()));
                })
                .with_key("wait", |state: &ProgressState, out: &mut dyn fmt::Write| {
                    let _ = out.write_str(&wait(state.eta()));
                });
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(self.what.clone());
        if self.among.is_some() {
            // Work that was done before does not count for the speed.
            bar.set_position(done);
            bar.reset_eta();
        }
        bar.with_elapsed(self.started.elapsed())
    }
}

/// Progress bar of work that Ctrl-C cancels.
pub(crate) struct Watch {
    progress: Progress,
    interrupt: Interrupt,
    done: Cell<u64>,
}

impl Watch {
    pub(crate) fn new(progress: Progress, interrupt: Interrupt) -> Self {
        Self { progress, interrupt, done: Cell::new(0) }
    }

    /// Amount of work that is done.
    pub(crate) fn done(&self) -> u64 {
        self.done.get()
    }
}

impl lariat_export::Progress for Watch {
    fn advance(&self, done: u64, total: u64) {
        self.done.set(done);
        self.progress.advance(done, total);
    }

    fn cancelled(&self) -> bool {
        self.interrupt.requested()
    }
}

/// Work without cancellation: Ctrl-C ends the process.
impl lariat_export::Progress for Progress {
    fn advance(&self, done: u64, total: u64) {
        Self::advance(self, done, total);
    }

    fn cancelled(&self) -> bool {
        false
    }
}

impl Drop for Progress {
    /// Removes the bar, however the work ended.
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

/// Speed after a comma; empty while unknown.
fn speed(per_second: f64) -> String {
    match per_second {
        known if known >= 9.95 => format!(", {known:.0} per second"),
        known if known >= 0.05 => format!(", {known:.1} per second"),
        _ => String::new(),
    }
}

/// Remaining time after a comma; empty while unknown.
fn wait(left: Duration) -> String {
    if left.is_zero() { String::new() } else { format!(", {:#} left", HumanDuration(left)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_numbers_are_not_shown() {
        assert_eq!((speed(0.0), wait(Duration::ZERO)), (String::new(), String::new()));
        assert_eq!(speed(f64::NAN), "");
        assert_eq!(
            (speed(0.31), speed(9.96)),
            (", 0.3 per second".into(), ", 10 per second".into())
        );
        assert_eq!(wait(Duration::from_secs(75)), ", 75s left");
    }
}
