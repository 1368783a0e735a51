//! Diagnostics by the field they belong to, and with positions in the current text.
//!
//! Paths are as written in the document: a diagnostic about `magnitude` belongs to the field
//! `height` if the document calls it so.
//!
//! Tests: `crates/lariat-editor/tests/suite/finding.rs`.

use lariat_eval::Survey;
use lariat_scene::{Path, check::Diagnostic};

use crate::editor::Editor;

impl Editor {
    /// Diagnostics of the document and of the files it names. The first label of each has the path
    /// of its field.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.evaluator.diagnostics()
    }

    /// Diagnostics whose first place is at a path or below it: those of a field, a body, a list.
    pub fn diagnostics_at<'d>(&'d self, path: &Path) -> impl Iterator<Item = &'d Diagnostic> {
        let path = self.document().as_written(path).unwrap_or_else(|| path.clone());
        self.diagnostics()
            .iter()
            .filter(move |found| self.field_of(found).is_some_and(|place| path.contains(&place)))
    }

    /// Path of the field that a diagnostic belongs to, as written in the document. `None` if it is
    /// about the whole document.
    pub fn field_of(&self, diagnostic: &Diagnostic) -> Option<Path> {
        let path = diagnostic.path().filter(|path| !path.steps().is_empty())?;
        Some(self.document().as_written(path).unwrap_or_else(|| path.clone()))
    }

    /// Warnings of all bodies at a frame, as diagnostics: a rope that is too short for its gap, …
    pub fn diagnostics_at_frame(&mut self, frame: f64) -> Vec<Diagnostic> {
        let mut survey = Survey::default();
        survey.note(frame.floor() as i64, self.evaluator.at(frame));
        survey.diagnostics(self.lowered())
    }

    /// Diagnostics of the document with the byte ranges of their places in a text, which must be
    /// [`text`](Self::text) of the current state.
    pub fn located_diagnostics(&self, text: &str) -> Vec<Diagnostic> {
        let places = self.places_in(text);
        let mut located = self.diagnostics().to_vec();
        for label in located.iter_mut().flat_map(|found| &mut found.labels) {
            if label.path.steps().is_empty() {
                continue;
            }
            let path = self.document().as_written(&label.path);
            label.span = places.value(path.as_ref().unwrap_or(&label.path));
        }
        located.sort_by_key(|found| found.span().map(|span| span.start));
        located
    }
}
