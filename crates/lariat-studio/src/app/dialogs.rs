//! Dialogs before everything else, and their answers.
//!
//! Tests: `crates/lariat-studio/tests/studio/document.rs`, `crates/lariat-studio/tests/studio/output.rs`.

use egui::Context;

use super::Studio;
use crate::{
    host::OutputRequest,
    panel::{self, OutputAnswer},
};

impl Studio {
    pub(super) fn show_dialog(&mut self, context: &Context, now: f64) {
        let Some(dialog) = &mut self.dialog else { return };
        let then = dialog.then.clone();
        match panel::dialog(context, dialog, &*self.host) {
            panel::Answer::None => {}
            panel::Answer::Closed => self.dialog = None,
            panel::Answer::Run(command) => {
                self.dialog = None;
                self.run(command, now);
            }
            panel::Answer::Open(place) => {
                self.dialog = None;
                self.open(&place);
            }
            panel::Answer::Motion(place) => {
                self.dialog = None;
                self.panels.modes.open(place);
            }
            panel::Answer::Save(place) => {
                self.dialog = None;
                self.save_to(&place, false, then);
            }
            panel::Answer::SaveAs => self.ask_where_to_save(then),
            panel::Answer::SaveThen => {
                self.dialog = None;
                self.save(then);
            }
            panel::Answer::Changed(answer, saves) => {
                self.dialog = None;
                self.answer_changed(answer, saves, then);
            }
            panel::Answer::Marker(marker) => {
                self.dialog = None;
                self.change_marker(marker, now);
            }
            panel::Answer::LeaveAnyway(then) => {
                self.dialog = None;
                self.leave(then);
            }
        }
    }

    /// The dialog for an output, its progress, and its result.
    pub(super) fn show_output(&mut self, context: &Context) {
        match self.host.output_result() {
            Some(Ok(text)) => self.report(text),
            Some(Err(why)) => self.fail(why),
            None => {}
        }
        if let Some(progress) = self.host.output()
            && panel::output_progress(context, progress)
        {
            self.host.cancel_output();
        }
        let (Some(dialog), Some(session)) = (&mut self.output, &self.session) else { return };
        match dialog.show(context, &mut *self.host, session, &self.workspace) {
            OutputAnswer::None => {}
            OutputAnswer::Closed => self.output = None,
            OutputAnswer::Write { place, frames, work, replaces } => {
                let (scene, lowered) = session.editor.snapshot();
                let request = OutputRequest { place, scene, lowered, frames, work, replaces };
                let context = context.clone();
                let report = Box::new(move || context.request_repaint());
                match self.host.write_output(request, report) {
                    Ok(()) => self.output = None,
                    Err(why) => self.fail(why),
                }
            }
        }
    }
}
