//! Another text for the open document, after its file was changed by another program.
//!
//! The text that is loaded again becomes the original, so its comments and layout stay when the
//! document is saved. The change is one entry of the history: undoing it gives the values back.
//!
//! Tests: `a_text_is_loaded_again_and_undone`, `a_text_that_cannot_be_read_changes_nothing`,
//! `a_text_with_a_number_that_cannot_be_set_changes_nothing`, `a_full_disk_is_an_error_of_the_journal`.

use std::sync::OnceLock;

use lariat_scene::{Document, Edit, Path, check::Diagnostic, format};

use crate::editor::{Editor, EditorError};

/// Reason why a text was not loaded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReloadError {
    /// The text is not a document.
    #[error("{}", diagnostics.first().map_or("", |one| &one.message))]
    Unreadable {
        /// Its diagnostics.
        diagnostics: Vec<Diagnostic>,
    },
    /// The document cannot become that of the text.
    #[error(transparent)]
    Edit(#[from] EditorError),
}

impl Editor {
    /// Replaces the document by a text, as one entry of the history, and takes it as saved. An open
    /// gesture is cancelled. A text that cannot be read or put in the place of the document changes
    /// nothing else.
    pub fn reload(&mut self, name: &str, text: &str) -> Result<(), ReloadError> {
        let read = format::read_bytes(text.as_bytes(), self.limits())
            .map_err(|diagnostics| ReloadError::Unreadable { diagnostics })?;
        self.cancel();
        let edit = difference(self.document(), &read.document);
        // Numbers that are not finite can be opened, but not set.
        self.apply(name, &edit)?;
        text.clone_into(&mut self.original);
        self.take_as_saved(read.document);
        self.set_reading_diagnostics(read.diagnostics);
        // The error of a full disk stays in `journal_error`.
        drop(self.compact_journal());
        Ok(())
    }

    /// Takes a text as the saved state: that of the file after another program changed it. The
    /// document is modified then, if it differs.
    pub fn set_saved_text(&mut self, text: &str) {
        let read = format::read_bytes(text.as_bytes(), self.limits());
        self.take_as_saved(read.map_or_else(|_| Document::new(), |read| read.document));
        self.log_event(Self::saved_event);
    }

    /// Text of the saved state: that of the file, unless another program changed it.
    pub fn saved_text(&self) -> String {
        format::patch(&self.saved, &self.original)
    }

    fn take_as_saved(&mut self, document: Document) {
        self.saved = document;
        self.modified = OnceLock::new();
    }
}

/// The edit from one document to another, field by field of the root.
fn difference(from: &Document, to: &Document) -> Edit {
    let path = |name: &str| Path::root().field(name);
    let gone = from.root.iter().filter(|(name, _)| to.root.get(name).is_none());
    let gone = gone.map(|(name, _)| Edit::Unset { path: path(name) });
    let changed = to.root.iter().filter(|(name, value)| from.root.get(name) != Some(value));
    let changed = changed.map(|(name, value)| Edit::Set { path: path(name), value: value.clone() });
    Edit::Batch(gone.chain(changed).collect())
}
