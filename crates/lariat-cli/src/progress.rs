//! A bar for what takes long, if anybody is watching.
//!
//! Nothing is shown to pipes and files, nothing with `--quiet`, and nothing for work that is done
//! before a person could read it.

use std::{
    cell::OnceCell,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::console::Console;

/// Work that is done sooner than this shows no bar: it would only flicker.
const PATIENCE: Duration = Duration::from_millis(300);

/// How far some work is.
pub(crate) struct Progress {
    what: &'static str,
    unit: &'static str,
    watched: bool,
    started: Instant,
    bar: OnceCell<ProgressBar>,
}

impl Progress {
    /// Work that is about to begin, said as `what`, counted in `unit`.
    pub(crate) fn new(console: Console, what: &'static str, unit: &'static str) -> Self {
        let started = Instant::now();
        Self { what, unit, watched: console.is_watched(), started, bar: OnceCell::new() }
    }

    /// `done` of `total` are done.
    pub(crate) fn advance(&self, done: u64, total: u64) {
        if self.watched && (self.bar.get().is_some() || self.started.elapsed() >= PATIENCE) {
            let bar = self.bar.get_or_init(|| self.draw(total));
            bar.set_length(total);
            bar.set_position(done);
        }
    }

    fn draw(&self, total: u64) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        let template = format!("{{msg}} [{{bar:30}}] {{pos}}/{{len}} {}, {{eta}} left", self.unit);
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(self.what);
        bar.with_elapsed(self.started.elapsed())
    }
}

impl Drop for Progress {
    /// The bar goes when the work is over, however it ended.
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
