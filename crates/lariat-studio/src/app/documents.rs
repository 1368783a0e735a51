//! Documents of the studio: opening, recovering, saving and leaving them.
//!
//! Tests: `crates/lariat-studio/tests/studio/document.rs`.

use lariat_editor::{
    Options,
    journal::{Recovery, base_hash, replay},
};
use lariat_eval::Files;
use lariat_scene::{check::Diagnostic, format};

use super::{Leaving, Studio, UNTITLED};
use crate::{
    command::Command,
    host::{DocumentFiles, FileStamp, Host, ReadDocument},
    kept,
    panel::{self, Dialog},
    session::Session,
    workspace::Workspace,
};

impl Studio {
    pub(super) fn open(&mut self, place: &str) {
        match self.host.read(place) {
            Err(why) => self.fail(why),
            Ok(read) => self.show_document(read),
        }
    }

    /// Opens a document that was left behind by a crash.
    pub(super) fn recover(&mut self, journal: &str) {
        let (store, bytes) = match self.host.open_journal(journal) {
            Ok(found) => found,
            Err(why) => return self.fail(why),
        };
        let files = DocumentFiles::new(self.host.files());
        let its = Box::new(files.clone());
        match replay(&bytes, Options { files: its, ..Options::default() }) {
            Err(error) => self.fail(format!("nothing can be recovered: {error}")),
            Ok(Recovery { mut editor, label, entries, damage }) => {
                // A journal that cannot be continued is still there, and is offered again.
                let attached = editor.attach_journal(store, label.clone()).is_ok();
                let place = Some(label.clone()).filter(|place| place != UNTITLED);
                let title = label.rsplit(['/', '\\']).next().unwrap_or(&label).to_owned();
                let mut session = Session::of(editor, title, place, files);
                session.journal = attached.then(|| journal.to_owned());
                self.show_session(session);
                let lost = damage.map_or("", |_| "; the last change was cut off");
                self.tell(format!("Recovered with {entries} changes{lost}; save it to keep it"));
            }
        }
    }

    /// Closes the document; its journal is not needed any more.
    pub(super) fn close_session(&mut self) {
        self.keep_arrangement();
        let Some(mut session) = self.session.take() else { return };
        self.picture_error = None;
        self.host.stop_simulation();
        self.host.cancel_modes();
        drop(session.editor.detach_journal());
        if let Some(journal) = session.journal.take() {
            self.host.discard_journal(&journal);
        }
    }

    pub(super) fn show_session(&mut self, session: Session) {
        self.close_session();
        let arrangement = self.arrangement();
        self.workspace = Workspace::default();
        kept::restore_window(&arrangement, &mut self.workspace);
        self.workspace.frame = session.editor.scene().shot().first as f64;
        kept::restore_document(&arrangement, &session, &mut self.workspace);
        self.panels = panel::State::default();
        self.session = Some(session);
        if let Some(picture) = &mut self.picture {
            picture.forget();
        }
        self.playback = None;
        self.watched = None;
        self.stopped.clear();
        self.message = None;
    }

    /// Asks before unsaved changes are lost; true if there are none.
    pub(super) fn may_leave(&mut self, then: Leaving) -> bool {
        let is_modified = self.session.as_ref().is_some_and(|session| session.editor.is_modified());
        if is_modified {
            self.dialog = Some(Dialog::unsaved(then));
        }
        !is_modified
    }

    pub(super) fn leave(&mut self, then: Leaving) {
        match then {
            Leaving::Open(place) => self.open(&place),
            Leaving::New { title, text } => {
                let files = self.host.files();
                self.show_document(ReadDocument { text, title, place: None, files, stamp: None });
            }
            Leaving::Recover(journal) => self.recover(&journal),
            Leaving::Welcome => self.close_session(),
            Leaving::Quit => {
                self.close_session();
                self.quits = true;
            }
        }
    }

    pub(super) fn show_document(&mut self, read: ReadDocument) {
        let ReadDocument { text, title, place, files, stamp } = read;
        match Session::open(&text, title.clone(), place, files) {
            Ok(mut session) => {
                session.stamp = stamp;
                self.show_session(session);
            }
            Err(diagnostics) => self.refuse(&title, &diagnostics),
        }
    }

    /// Opens a document after asking about unsaved changes, unless it cannot be opened anyway.
    pub(super) fn ask_to_open(&mut self, place: String) {
        match self.host.read(&place) {
            Err(why) => self.fail(why),
            Ok(read) => match format::read(&read.text) {
                Err(diagnostics) => self.refuse(&read.title, &diagnostics),
                Ok(_) => self.ask_to_leave(Leaving::Open(place)),
            },
        }
    }

    fn refuse(&mut self, title: &str, diagnostics: &[Diagnostic]) {
        let first = diagnostics.first().map(|one| one.message.as_str()).unwrap_or_default();
        self.fail(format!("`{title}` cannot be opened: {first}"));
    }

    pub(super) fn ask_to_leave(&mut self, then: Leaving) {
        if self.may_leave(then.clone()) {
            self.leave(then);
        }
    }

    /// Starts the journal with the first change, so that a document that was only looked at leaves
    /// none.
    pub(super) fn keep_journal(&mut self) {
        let Some(session) = &mut self.session else { return };
        if session.journal.is_some() || session.editor.history().done().len() == 0 {
            return;
        }
        if let Some((name, store)) = self.host.new_journal(session.place.as_deref()) {
            let label = session.place.clone().unwrap_or_else(|| UNTITLED.to_owned());
            match session.editor.attach_journal(store, label) {
                Ok(()) => session.journal = Some(name),
                Err(error) => {
                    // Asked once, not after every change.
                    session.journal = Some(String::new());
                    self.fail(format!("changes cannot be recovered after a crash: {error}"));
                }
            }
        }
    }

    pub(super) fn save(&mut self) {
        match self.session.as_ref().map(|session| session.place.clone()) {
            None => {}
            Some(None) => self.run(Command::SaveAs, 0.0),
            Some(Some(_)) if self.ask_if_changed(true) => {}
            Some(Some(place)) => self.save_to(&place, true),
        }
    }

    pub(super) fn save_to(&mut self, place: &str, replaces: bool) {
        let aside = match self.set_other_aside(place) {
            Ok(aside) => aside,
            Err(why) => return self.fail(format!("not saved: {why}")),
        };
        let Some(session) = &mut self.session else { return };
        let (state, text) = (session.editor.save_state(), session.editor.text());
        match self.host.write(place, &text, replaces) {
            Err(why) => {
                let text = format!("{why}; nothing is lost, save it under another name");
                self.dialog = Some(Dialog::not_saved(&text));
                self.fail(text);
            }
            Ok(()) => {
                session.editor.mark_saved(state);
                let lost = match session.place.as_deref() == Some(place) {
                    true => None,
                    false => carry_files(&mut *self.host, session, place),
                };
                session.place = Some(place.to_owned());
                let name = place.rsplit(['/', '\\']).next().unwrap_or(place);
                name.clone_into(&mut session.title);
                let modified = self.host.stamp(place, None).map_or(0, |stamp| stamp.modified);
                session.stamp = Some(FileStamp { modified, hash: base_hash(&text) });
                let also = aside.map_or_else(String::new, |aside| {
                    format!("; the version of the other program is in {aside}")
                });
                match lost {
                    None => self.tell(format!("Saved to {place}{also}")),
                    Some(why) => {
                        let text =
                            format!("Saved to {place}{also}, but not all of its files: {why}");
                        self.fail(text);
                    }
                }
            }
        }
    }
}

/// Writes the files that a document refers to beside its new place; returns the first error. Files
/// outside the folder of the document stay where they are.
fn carry_files(host: &mut dyn Host, session: &Session, place: &str) -> Option<String> {
    let most = session.editor.limits().bytes_per_asset;
    let lowered = session.editor.lowered();
    let mut paths: Vec<&str> = lowered.files().map(|file| file.path).collect();
    paths.sort_unstable();
    paths.dedup();
    let is_inside =
        |path: &&str| !path.starts_with(['/', '\\']) && !path.contains(':') && !path.contains("..");
    let mut lost = None;
    for path in paths.into_iter().filter(is_inside) {
        if let Ok(bytes) = session.files.read(path, most)
            && let Err(why) = host.write_beside(place, path, &bytes)
        {
            lost.get_or_insert(why);
        }
    }
    lost
}
