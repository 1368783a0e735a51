//! The arrangement of the window, kept for the next run.
//!
//! Tests: `crates/lariat-studio/tests/studio/kept.rs`.

use std::time::Duration;

use egui::Context;

use super::Studio;
use crate::kept;

/// Name of the arrangement among kept texts.
const ARRANGEMENT: &str = "window";

/// Seconds between two looks whether the arrangement changed: more loses more of it if the program is
/// killed, less writes the file more often.
const PAUSE: f64 = 2.0;

impl Studio {
    /// The arrangement that was kept last, in this run or the one before.
    pub(super) fn arrangement(&self) -> String {
        let of_before = || self.host.kept(ARRANGEMENT);
        let kept = self.arranged.as_ref().map(|(text, _)| text.clone());
        kept.or_else(of_before).unwrap_or_default()
    }

    /// Keeps the arrangement for the next run. Without a place for it, it lasts as long as this one.
    pub(super) fn keep_arrangement(&mut self) {
        let before = self.arrangement();
        let text = kept::write(&before, &self.workspace, self.session.as_ref());
        if text != before {
            self.host.keep(ARRANGEMENT, &text);
        }
        self.arranged = Some((text, self.workspace.clone()));
    }

    /// The same some time after the last change, but not during a drag or while the shot plays.
    pub(super) fn keep_arrangement_soon(&mut self, context: &Context) {
        let (now, drags) = context.input(|input| (input.time, input.pointer.any_down()));
        let is_kept = self.arranged.as_ref().is_some_and(|(_, kept)| *kept == self.workspace);
        if drags || is_kept || self.playback.is_some() {
            return;
        }
        let left = self.arranged_at + PAUSE - now;
        if left > 0.0 {
            context.request_repaint_after(Duration::from_secs_f64(left));
        } else {
            self.arranged_at = now;
            self.keep_arrangement();
        }
    }
}
