//! Requests of panels, applied; undo and redo.
//!
//! Tests: `crates/lariat-studio/tests/studio/document.rs`, `crates/lariat-studio/tests/studio/history.rs`.

use lariat_editor::{Change, EditorError};
use lariat_scene::{Edit, Path, Step, Thing};

use super::{Leaving, Studio, rest::Watched};
use crate::{action::Action, panel::Dialog};

impl Studio {
    pub(super) fn apply(&mut self, action: Action, now: f64) {
        match action {
            Action::Run(command) => return self.run(command, now),
            Action::Open(place) => return self.ask_to_open(place),
            Action::Recover(journal) => return self.ask_to_leave(Leaving::Recover(journal)),
            Action::Discard(journal) => return self.host.discard_journal(&journal),
            Action::New { title, text } => {
                return self.ask_to_leave(Leaving::New { title, text });
            }
            Action::StopSimulation => return self.host.stop_simulation(),
            Action::OpenMotion => {
                self.dialog = Some(Dialog::motion(self.folder()));
                return;
            }
            Action::CancelModes => return self.host.cancel_modes(),
            Action::DriveModes { only, onto } => return self.drive_modes(only, onto.as_deref()),
            Action::Report(text) => return self.report(text),
            Action::Undo(count) => return self.undo(count),
            Action::Redo(count) => return self.redo(count),
            Action::AskMarker(index) => return self.ask_marker(index),
            Action::Reveal(path) => return self.reveal(path),
            Action::Select(thing, name) => return self.workspace.select(thing, &name, false),
            Action::Watch(body) => return self.watched = Some(Watched::new(body)),
            Action::Place(kind) => return self.panels.viewport.place(kind),
            _ => {}
        }
        let Some(session) = &mut self.session else { return };
        let editor = &mut session.editor;
        let renamed = match &action {
            Action::Apply { edit: Edit::Rename { thing, from, to }, .. } => {
                Some((*thing, from.clone(), to.clone()))
            }
            _ => None,
        };
        let done: Result<(), EditorError> = match action {
            Action::Apply { name, edit } => editor.apply(name, &edit).map(drop),
            Action::Begin { name } => editor.begin(name),
            Action::Preview(edit) => editor.preview_whole(&edit),
            Action::Commit => {
                editor.commit();
                Ok(())
            }
            Action::Cancel => {
                editor.cancel();
                Ok(())
            }
            _ => Ok(()),
        };
        match done {
            Ok(()) => {
                self.message = None;
                if let Some((thing, from, to)) = renamed {
                    self.workspace.rename(thing, &from, &to);
                }
            }
            Err(error) => self.fail(error.to_string()),
        }
        self.keep_journal();
        self.forget_missing();
    }

    /// Forgets selected things that the document no longer has.
    pub(super) fn forget_missing(&mut self) {
        if let Some(session) = &self.session {
            let document = session.editor.document();
            self.workspace.retain(|thing, name| document.find(thing, name).is_some());
        }
    }

    pub(super) fn undo(&mut self, count: usize) {
        let Some(session) = &mut self.session else { return };
        match session.editor.undo_many(count) {
            Some(change) => self.report(changed("Undone", &change)),
            None => self.report("There is nothing to undo"),
        }
        self.forget_missing();
    }

    pub(super) fn redo(&mut self, count: usize) {
        let Some(session) = &mut self.session else { return };
        match session.editor.redo_many(count) {
            Some(change) => self.report(changed("Redone", &change)),
            None => self.report("There is nothing to redo"),
        }
        self.forget_missing();
    }

    /// Selects the thing that a path belongs to, and scrolls the inspector to the row of the path.
    fn reveal(&mut self, path: Path) {
        let Some(session) = &self.session else { return };
        let document = session.editor.document();
        let named = document.named(&path);
        if let [Step::Field(list), Step::Field(name), ..] = named.steps()
            && let Some(thing) = Thing::ALL.into_iter().find(|thing| thing.list() == &**list)
        {
            self.workspace.select(thing, name, false);
        } else {
            self.workspace.selected.clear();
        }
        self.workspace.shows_inspector = true;
        self.panels.inspector.reveal(document.as_written(&path).unwrap_or(path));
    }
}

/// A sentence about changes that were undone or redone.
fn changed(done: &str, change: &Change) -> String {
    match change.entries {
        0 | 1 => format!("{done}: {}", change.name),
        many => format!("{done}: {many} changes"),
    }
}
