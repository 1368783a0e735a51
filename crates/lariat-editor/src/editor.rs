//! The open document: its text, diagnostics, poses and saved state.
//!
//! The text is always a patch of the text that was opened, also after saving. So undoing everything
//! gives the same bytes, even past a save.
//!
//! Tests: `crates/lariat-editor/tests/suite/editor.rs`.

use std::sync::{Arc, OnceLock};

use lariat_eval::{
    Evaluator, FRAMES_REMEMBERED, Files, Moment, NoFiles, Pose, Scene, SimulationJob, TakeState,
};
use lariat_scene::{
    Document, EditError, Limits, Places, check::Diagnostic, format, lower::Lowered,
};

use crate::{
    gesture::Gesture,
    history::{History, HistoryLimit},
    journal::Journal,
};

/// Settings of an [`Editor`].
#[derive(Debug)]
pub struct Options {
    /// Limits on the size of the document.
    pub limits: Limits,
    /// Limit on the memory of the history.
    pub history: HistoryLimit,
    /// Number of cached frames.
    pub frames: usize,
    /// Source of the files that the document names.
    pub files: Box<dyn Files>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: Limits::DEFAULT,
            history: HistoryLimit::DEFAULT,
            frames: FRAMES_REMEMBERED,
            files: Box::new(NoFiles),
        }
    }
}

/// Error of an operation of an [`Editor`]; the document is unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EditorError {
    /// The edit cannot be applied.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The edit gives a body errors; the body stays as it was.
    #[error("`{body}` stays as it was: {why}")]
    Broken {
        /// Name of the body.
        body: String,
        /// The first error.
        why: String,
    },
    /// A gesture is open.
    #[error("the gesture `{name}` is still open; commit or cancel it first")]
    GestureOpen {
        /// Name of the open gesture.
        name: String,
    },
    /// No gesture is open.
    #[error("no gesture is open; begin one first")]
    NoGesture,
}

/// A state of the document that is being saved; see [`Editor::save_state`].
#[derive(Clone, Debug)]
pub struct SaveState {
    /// Text for the file.
    pub text: String,
    pub(crate) document: Document,
}

/// An open document with its history.
#[derive(Debug)]
pub struct Editor {
    pub(crate) evaluator: Evaluator,
    /// Text as it was opened. All later texts are patches of it.
    pub(crate) original: String,
    /// Notes and warnings of reading the file.
    reading: Vec<Diagnostic>,
    limits: Limits,
    pub(crate) saved: Document,
    /// Whether the document differs from the saved one, if it was compared since the last change.
    pub(crate) modified: OnceLock<bool>,
    revision: u64,
    pub(crate) gesture: Option<Gesture>,
    pub(crate) history: History,
    pub(crate) journal: Option<Journal>,
}

impl Editor {
    /// Opens the text of a document. Parameters may have errors; a text that cannot be read at all
    /// is refused with its diagnostics.
    pub fn open(text: &str, options: Options) -> Result<Self, Vec<Diagnostic>> {
        let Options { limits, history, frames, files } = options;
        let read = format::read_bytes(text.as_bytes(), &limits)?;
        Ok(Self {
            saved: read.document.clone(),
            evaluator: Evaluator::with_files(read.document, limits, frames, files),
            original: text.to_owned(),
            reading: read.diagnostics,
            limits,
            modified: OnceLock::new(),
            revision: 0,
            gesture: None,
            history: History::new(history),
            journal: None,
        })
    }

    /// The document, including the preview of an open gesture.
    pub fn document(&self) -> &Document {
        self.evaluator.document()
    }

    /// The document as typed parameters; things with errors are missing.
    pub fn lowered(&self) -> &Lowered {
        self.evaluator.lowered()
    }

    /// The bound document, for poses, handles and cameras.
    pub fn scene(&self) -> &Scene {
        self.evaluator.scene()
    }

    /// The bound document as it is now, for work that goes on while the document changes. Recordings of
    /// simulations are shared.
    pub fn snapshot(&self) -> (Arc<Scene>, Arc<Lowered>) {
        (self.evaluator.snapshot(), self.evaluator.lowered().clone())
    }

    /// All bodies at a frame, at once: bodies that wait for a simulation have their last good shape.
    pub fn pose(&mut self, frame: f64) -> Pose<'_> {
        self.evaluator.pose(frame)
    }

    /// A job that simulates everything that is not recorded up to a frame, for a worker; `None` if there
    /// is nothing to simulate.
    pub fn simulation_job(&mut self, frame: f64) -> Option<SimulationJob> {
        self.evaluator.simulation_job(frame)
    }

    /// The recordings of all simulations: recorded, stale and running frames.
    pub fn takes(&self) -> Vec<TakeState> {
        self.evaluator.takes()
    }

    /// All bodies at a frame; waits for simulations.
    pub fn at(&mut self, frame: f64) -> &Moment {
        self.evaluator.at(frame)
    }

    /// Limits on the size of the document.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Text of the document, as changes to the text that was opened: comments and layout stay.
    pub fn text(&self) -> String {
        format::patch(self.document(), &self.original)
    }

    /// Text as it was opened.
    pub fn original_text(&self) -> &str {
        &self.original
    }

    /// Number that changes with every change of the document.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Reads all files named by the document again after they have changed.
    pub fn reload_files(&mut self) {
        self.evaluator.reload_files();
        self.revision += 1;
    }

    /// Notes and warnings of reading the file, such as an older format version.
    pub fn reading_diagnostics(&self) -> &[Diagnostic] {
        &self.reading
    }

    pub(crate) fn set_reading_diagnostics(&mut self, diagnostics: Vec<Diagnostic>) {
        self.reading = diagnostics;
    }

    /// Text and state for saving. Pass it to [`mark_saved`](Self::mark_saved) when the file is
    /// written; the document may change meanwhile.
    pub fn save_state(&self) -> SaveState {
        SaveState { text: self.text(), document: self.document().clone() }
    }

    /// Records that a state was saved, and shortens the journal. If that fails, the journal keeps
    /// its old form; see [`journal_error`](Self::journal_error).
    pub fn mark_saved(&mut self, state: SaveState) {
        self.saved = state.document;
        self.modified = OnceLock::new();
        // First as an event: a crash before the journal is replaced keeps it.
        self.log_event(Self::saved_event);
        let _ = self.compact_journal();
    }

    /// Returns true if the document differs from the one that was opened or last saved.
    pub fn is_modified(&self) -> bool {
        *self.modified.get_or_init(|| *self.document() != self.saved)
    }

    /// Positions of all values in a text of the current document, for labels of diagnostics.
    pub(crate) fn places_in(&self, text: &str) -> Places {
        // The text was written from a document that was read, so it can be read.
        format::read_bytes(text.as_bytes(), &self.limits)
            .map_or_else(|_| Places::none(), |r| r.places)
    }

    /// Replaces the document by the one at the start of a recovered history.
    pub(crate) fn start_at(&mut self, document: Document) {
        self.evaluator.replace(document);
        self.note_change();
    }

    /// Called after every change of the document.
    pub(crate) fn note_change(&mut self) {
        self.revision += 1;
        self.modified = OnceLock::new();
    }
}
