//! Documents that another program changed on the disk.
//!
//! A file is looked at when the window gains the focus and before it is written. Nothing is lost with
//! any answer: loading it again is an entry of the history, and a file that saving replaces is set
//! aside first.
//!
//! Tests: `crates/lariat-studio/tests/studio/disk.rs`.

use super::{Leaving, Studio};
use crate::{
    panel::{ChangedAnswer, Dialog},
    session::Session,
};

impl Studio {
    /// Asks what to do if another program changed the file; returns whether it asks.
    pub(super) fn ask_if_changed(&mut self, saves: bool, then: Option<Leaving>) -> bool {
        let Some(Session { editor, place: Some(place), stamp: Some(known), title, .. }) =
            &mut self.session
        else {
            return false;
        };
        // Before a file is replaced, the time of its last change is not enough.
        let shortcut = (!saves).then_some(*known);
        let Some(found) = self.host.stamp(place, shortcut) else { return false };
        if found.hash == known.hash {
            *known = found;
            return false;
        }
        self.dialog = Some(Dialog::changed(title, editor.is_modified(), saves).before(then));
        true
    }

    /// Looks at the file when the window gains the focus.
    pub(super) fn notice_changes(&mut self, context: &egui::Context) {
        let gains = context.input(|input| {
            input.raw.events.iter().any(|event| matches!(event, egui::Event::WindowFocused(true)))
        });
        let is_busy = self.dialog.is_some()
            || self.output.is_some()
            || self.session.as_ref().is_some_and(|one| one.editor.gesture_name().is_some());
        if gains && !is_busy {
            self.ask_if_changed(false, None);
        }
    }

    pub(super) fn answer_changed(
        &mut self,
        answer: ChangedAnswer,
        saves: bool,
        then: Option<Leaving>,
    ) {
        match answer {
            // The window stays: undo has the version that was about to be saved.
            ChangedAnswer::LoadAgain => self.load_again(),
            ChangedAnswer::SaveAs => self.ask_where_to_save(then),
            ChangedAnswer::KeepMine => {
                self.keep_mine();
                if saves {
                    self.save(then);
                }
            }
        }
    }

    fn load_again(&mut self) {
        let Some(session) = &mut self.session else { return };
        let Some(place) = &session.place else { return };
        let read = match self.host.read(place) {
            Ok(read) => read,
            Err(why) => return self.fail(format!("{why}; your document stays as it is")),
        };
        match session.editor.reload("Load again", &read.text) {
            Ok(()) => {
                (session.stamp, session.replaces_other) = (read.stamp, false);
                self.keep_journal();
                self.forget_missing();
                self.report("Loaded again; undo brings your version back");
            }
            Err(error) => {
                self.fail(format!(
                    "the file cannot be loaded: {error}; your document stays as it is"
                ));
            }
        }
    }

    /// Takes the file as seen; the document counts as modified if it differs.
    fn keep_mine(&mut self) {
        let Some(session) = &mut self.session else { return };
        let Some(place) = &session.place else { return };
        let theirs = self.host.read(place).map(|read| read.text).unwrap_or_default();
        session.editor.set_saved_text(&theirs);
        session.stamp = self.host.stamp(place, None);
        session.replaces_other = true;
    }

    /// Copies the file of another program aside before it is replaced.
    pub(super) fn set_other_aside(&mut self, place: &str) -> Result<Option<String>, String> {
        let Some(session) = &mut self.session else { return Ok(None) };
        if !session.replaces_other || session.place.as_deref() != Some(place) {
            return Ok(None);
        }
        let aside = self.host.set_aside(place)?;
        session.replaces_other = false;
        Ok(aside)
    }
}
