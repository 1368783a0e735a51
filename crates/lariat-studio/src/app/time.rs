//! The frame that is shown: playback, and jumps.
//!
//! Tests: `crates/lariat-studio/tests/studio/timeline.rs`.

use egui::Context;
use lariat_scene::lower::Shot;

use super::Studio;
use crate::playback::{Playback, Range};

impl Studio {
    pub(super) fn range(&self) -> Range {
        let shot = self.session.as_ref().map(|session| *session.editor.scene().shot());
        let Shot { first, last, rate, .. } = shot.unwrap_or_default();
        Range { first: first as f64, last: last as f64, rate: rate.per_second() }
    }

    pub(super) fn go_to(&mut self, frame: f64, now: f64) {
        let range = self.range();
        self.workspace.frame = frame.clamp(range.first, range.last);
        if self.playback.is_some() {
            self.playback = Some(Playback::start(now, self.workspace.frame, range));
        }
    }

    /// Moves on to the frame that is due.
    pub(super) fn advance(&mut self, context: &Context) {
        let Some(playback) = self.playback else { return };
        let (now, range) = (context.input(|input| input.time), self.range());
        match playback.frame(now, range, self.workspace.loops) {
            Some(frame) => {
                self.workspace.frame = frame;
                let wait = playback.until_next(now, range).max(0.001);
                context.request_repaint_after(std::time::Duration::from_secs_f64(wait));
            }
            None => {
                self.workspace.frame = range.last;
                self.playback = None;
            }
        }
    }
}
