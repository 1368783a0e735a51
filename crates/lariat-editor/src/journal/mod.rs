//! Journal of an open document: recovery after a crash, and the bug report.
//!
//! A journal is an append-only text. Each line has a checksum, which includes the line before:
//!
//! ```text
//! 5f0d… lariat-journal 1 base 9ae1… of "yard.lariat"
//! 0c11… base "lariat = 2\n[[body]]\n…"
//! 77b2… do "Move end" set body.rein.to = [3.2, 0, 2]
//! a0d9… undo 1
//! 31c7… redo 1
//! 84fe… saved
//! ```
//!
//! The header has the hash of the text that was opened, and `base` the text itself, because the
//! file may have changed since. `start`, if present, is the document at the start of the history:
//! older entries were dropped. `saved` is followed by a text if another state was saved than the
//! current one. Open gestures are not in the journal.
//!
//! When the document is saved, and when a lot was appended, the journal is replaced by a shorter one
//! with the same history.
//!
//! ```text
//! mod.rs     writing: the lines, and the editor's part
//! line.rs    one line with its checksum
//! store.rs   place of a journal: memory here, a file in the `lariat` crate
//! replay.rs  reading: the editor after the last complete line
//! ```
//!
//! Tests: `crates/lariat-editor/tests/suite/journal.rs`.

mod line;
mod replay;
mod store;

pub use replay::{Damage, Recovery, RecoveryError, label, replay};
pub use store::{JournalStore, MemoryStore};

use std::io;

use lariat_core::num::fnv::Fnv128;
use lariat_scene::{Document, Value, format};

use self::line::{Chain, push_line};
use crate::{editor::Editor, gesture::Gesture, history::Entry};

/// Version of the journal format.
const VERSION: u32 = 1;

/// Bytes that are appended before the journal is shortened, besides four times its own length. So
/// that it is not written again and again, and edits that were undone do not fill the disk.
const ROOM: usize = 4 << 20;

/// An attached journal.
#[derive(Debug)]
pub(crate) struct Journal {
    store: Box<dyn JournalStore>,
    /// Name of the document, for a list of recoverable documents.
    label: String,
    chain: Chain,
    /// Length when it was last written as a whole, and of everything since, in bytes.
    length: usize,
    appended: usize,
    /// Error of the last write. The next event writes the whole journal again.
    error: Option<String>,
}

/// Hash of a text in the header of its journal. Not cryptographic.
pub fn base_hash(text: &str) -> u128 {
    let mut hash = Fnv128::new();
    hash.many_bytes(text.as_bytes());
    hash.finish()
}

fn quoted(text: &str) -> String {
    format::write_value(&Value::from(text))
}

/// Event of a journal, as written.
pub(crate) fn done(entry: &Entry) -> String {
    format!("do {} {}", quoted(&entry.name), entry.edit)
}

impl Editor {
    /// Attaches a journal and writes the current state and history into it. `label` names the
    /// document in a list of journals, usually by its path.
    pub fn attach_journal(
        &mut self,
        store: Box<dyn JournalStore>,
        label: impl Into<String>,
    ) -> io::Result<()> {
        let mut journal = Journal {
            store,
            label: label.into(),
            chain: Chain::default(),
            length: 0,
            appended: 0,
            error: None,
        };
        self.rewrite(&mut journal)?;
        self.journal = Some(journal);
        Ok(())
    }

    /// Gives the document another name in its journal, which the next save writes.
    pub fn rename_in_journal(&mut self, label: impl Into<String>) {
        if let Some(journal) = &mut self.journal {
            journal.label = label.into();
        }
    }

    /// Detaches the journal, so that its place can be removed.
    pub fn detach_journal(&mut self) -> Option<Box<dyn JournalStore>> {
        self.journal.take().map(|journal| journal.store)
    }

    /// Makes everything in the journal survive a loss of power. Call it when the user pauses.
    pub fn flush_journal(&mut self) -> io::Result<()> {
        match &mut self.journal {
            Some(journal) => journal.store.flush(),
            None => Ok(()),
        }
    }

    /// Error of the last write of the journal, such as a full disk. Editing goes on, and the next
    /// change tries to write the whole journal again.
    pub fn journal_error(&self) -> Option<&str> {
        self.journal.as_ref().and_then(|journal| journal.error.as_deref())
    }

    /// Replaces the journal by a shorter one with the same document and history, as saving does.
    pub fn compact_journal(&mut self) -> io::Result<()> {
        let Some(mut journal) = self.journal.take() else { return Ok(()) };
        let result = self.rewrite(&mut journal);
        journal.error = result.as_ref().err().map(ToString::to_string);
        self.journal = Some(journal);
        result
    }

    /// Appends an event to the journal, if there is one.
    pub(crate) fn log_event(&mut self, event: impl FnOnce(&Self) -> String) {
        let Some(mut journal) = self.journal.take() else { return };
        let result = match journal.error {
            // The end of the journal may be torn.
            Some(_) => self.rewrite(&mut journal),
            None if journal.appended > ROOM + 4 * journal.length => self.rewrite(&mut journal),
            None => {
                let mut text = String::new();
                let chain = push_line(&mut text, journal.chain, &event(self));
                journal.appended += text.len();
                journal.store.append(text.as_bytes()).map(|()| journal.chain = chain)
            }
        };
        journal.error = result.err().map(|error| error.to_string());
        self.journal = Some(journal);
    }

    /// Event of a save.
    pub(crate) fn saved_event(&self) -> String {
        match self.is_modified() {
            false => "saved".to_owned(),
            true => format!("saved {}", quoted(&self.saved_text())),
        }
    }

    fn rewrite(&self, journal: &mut Journal) -> io::Result<()> {
        let (text, chain) = self.journal_text(&journal.label);
        journal.store.replace(text.as_bytes())?;
        (journal.chain, journal.length, journal.appended) = (chain, text.len(), 0);
        Ok(())
    }

    /// The shortest journal of the current state, and the state of its checksum.
    fn journal_text(&self, label: &str) -> (String, Chain) {
        let hash = base_hash(&self.original);
        let mut lines = vec![
            format!("lariat-journal {VERSION} base {hash:032x} of {}", quoted(label)),
            format!("base {}", quoted(&self.original)),
        ];
        let (committed, start) = self.committed_and_start();
        let start = format::patch(&start, &self.original);
        if start != self.original {
            lines.push(format!("start {}", quoted(&start)));
        }
        lines.extend(self.history.done().map(done));
        lines.extend(self.history.undone().map(done));
        if self.history.undone().len() > 0 {
            lines.push(format!("undo {}", self.history.undone().len()));
        }
        lines.push(match committed == self.saved {
            true => "saved".to_owned(),
            false => format!("saved {}", quoted(&self.saved_text())),
        });
        let (mut text, mut chain) = (String::new(), Chain::default());
        for line in lines {
            chain = push_line(&mut text, chain, &line);
        }
        (text, chain)
    }

    /// The document without the preview of an open gesture, and the document before the first entry
    /// of the history.
    fn committed_and_start(&self) -> (Document, Document) {
        let mut document = self.document().clone();
        let undo = |document: &mut Document, edit: &lariat_scene::Edit| {
            let undone = document.apply(edit);
            debug_assert!(undone.is_ok(), "{edit:?} failed: {undone:?}");
        };
        for inverse in self.gesture.iter().flat_map(Gesture::inverses) {
            undo(&mut document, inverse);
        }
        let committed = document.clone();
        for entry in self.history.done().rev() {
            undo(&mut document, &entry.inverse);
        }
        (committed, document)
    }
}
