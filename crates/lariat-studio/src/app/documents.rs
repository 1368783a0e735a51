//! Documents of the studio: opening, recovering, saving and leaving them.
//!
//! Tests: `crates/lariat-studio/tests/studio/document.rs`.

use lariat_editor::journal::{Recovery, base_hash};
use lariat_scene::{check::Diagnostic, format};

use super::{Leaving, Studio};
use crate::{
    host::{self, FileStamp, Host, ReadDocument, Recovered, UNTITLED, carry_files},
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
        match host::recover(&*self.host, journal, &bytes) {
            Err(error) => self.fail(format!("nothing can be recovered: {error}")),
            Ok(Recovered { recovery, place, files }) => {
                let Recovery { mut editor, label, entries, damage } = recovery;
                // What the file was when it was read or written last: another program may have
                // changed it since.
                let hash = base_hash(&editor.saved_text());
                let stamp = place.is_some().then_some(FileStamp { modified: 0, hash });
                // A journal that cannot be continued is still there, and is offered again.
                let attached = editor.attach_journal(store, label.clone()).is_ok();
                let title = label.rsplit(['/', '\\']).next().unwrap_or(&label).to_owned();
                let mut session = Session::of(editor, title, place, files);
                session.journal = attached.then(|| journal.to_owned());
                session.stamp = stamp;
                self.show_session(session);
                let lost = damage.map_or("", |_| "; the last change was cut off");
                self.report(format!("Recovered with {entries} changes{lost}; save it to keep it"));
                self.ask_if_changed(false, None);
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
                let files = self.host.files(None);
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
        if session.journal.is_none()
            && session.editor.history().done().len() > 0
            && let Some((name, store)) = self.host.new_journal(session.place.as_deref())
        {
            let label = session.place.clone().unwrap_or_else(|| UNTITLED.to_owned());
            // Asked once, not after every change.
            let attached = session.editor.attach_journal(store, label);
            session.journal = Some(if attached.is_ok() { name } else { String::new() });
            if let Err(error) = attached {
                self.fail(not_recoverable(error));
            }
        }
        self.keep_files();
    }

    /// Keeps the files of a document without a place with its journal.
    fn keep_files(&mut self) {
        let Some(Session {
            editor, place: None, journal: Some(journal), files, kept_files, ..
        }) = &mut self.session
        else {
            return;
        };
        let mut paths: Vec<String> =
            editor.lowered().files().map(|file| file.path.to_owned()).collect();
        paths.retain(|path| !kept_files.contains(path));
        if journal.is_empty() || paths.is_empty() {
            return;
        }
        kept_files.extend(paths);
        let place = self.host.beside_journal(journal);
        if let Some(why) = carry_files(&mut *self.host, editor, files, &place) {
            self.fail(not_recoverable(why));
        }
    }

    /// Tells once that the journal cannot be written, and again after it could be.
    pub(super) fn notice_journal_error(&mut self) {
        let Some(session) = &mut self.session else { return };
        let error = session.editor.journal_error().map(str::to_owned);
        let before = std::mem::replace(&mut session.journal_error, error.clone());
        if let (None, Some(error)) = (before, error) {
            self.fail(not_recoverable(error));
        }
    }

    /// Saves the document, and leaves it then, if there is a next step.
    pub(super) fn save(&mut self, then: Option<Leaving>) {
        match self.session.as_ref().map(|session| session.place.clone()) {
            None => {}
            Some(None) => self.ask_where_to_save(then),
            Some(Some(_)) if self.ask_if_changed(true, then.clone()) => {}
            Some(Some(place)) => self.save_to(&place, true, then),
        }
    }

    pub(super) fn ask_where_to_save(&mut self, then: Option<Leaving>) {
        let title = self.session.as_ref().map(|session| session.title.clone());
        let folder = self.folder();
        self.dialog = title.map(|title| Dialog::save(folder, &title).before(then));
    }

    pub(super) fn save_to(&mut self, place: &str, replaces: bool, then: Option<Leaving>) {
        let aside = match self.set_other_aside(place) {
            Ok(aside) => aside,
            Err(why) => return self.fail(format!("not saved: {why}")),
        };
        let Some(session) = &mut self.session else { return };
        let (state, text) = (session.editor.save_state(), session.editor.text());
        if let Err(why) = self.host.write(place, &text, replaces) {
            let text = format!("{why}; nothing is lost, save it under another name");
            self.dialog = Some(Dialog::not_saved(&text).before(then));
            return self.fail(text);
        }
        session.editor.rename_in_journal(place);
        session.editor.mark_saved(state);
        let lost = move_files(&mut *self.host, session, place);
        session.place = Some(place.to_owned());
        let name = place.rsplit(['/', '\\']).next().unwrap_or(place);
        name.clone_into(&mut session.title);
        let modified = self.host.stamp(place, None).map_or(0, |stamp| stamp.modified);
        session.stamp = Some(FileStamp { modified, hash: base_hash(&text) });
        let also = aside.map_or_else(String::new, |aside| {
            format!("; the version of the other program is in {aside}")
        });
        match (lost, then) {
            (Some(why), _) => {
                self.fail(format!("Saved to {place}{also}, but not all of its files: {why}"));
            }
            (None, Some(then)) => self.leave(then),
            (None, None) => self.report(format!("Saved to {place}{also}")),
        }
    }
}

/// Takes the files of a document along to another place, and reads them there from now on; returns the
/// first error. Later saves take those along that an undo brought back.
fn move_files(host: &mut dyn Host, session: &Session, place: &str) -> Option<String> {
    let moves = session.place.as_deref() != Some(place);
    let lost = (moves || session.files.has_moved())
        .then(|| carry_files(host, &session.editor, &session.files, place));
    if moves {
        session.files.move_to(host.files(Some(place)));
    }
    lost.flatten()
}

fn not_recoverable(why: impl std::fmt::Display) -> String {
    format!("changes cannot be recovered after a crash: {why}")
}
