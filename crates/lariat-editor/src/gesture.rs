//! Gestures, undo and redo.
//!
//! A gesture begins, previews any number of edits, and becomes one named entry of the history or
//! leaves no trace. A preview replaces the preview before it, so a drag has one edit, not hundreds.
//!
//! Tests: `crates/lariat-editor/tests/suite/gesture.rs`.

use lariat_scene::{Applied, Edit, EditError, Path, Thing, Touched, check::Severity};

use crate::{
    editor::{Editor, EditorError},
    history::{Entry, History, HistoryLimit},
    journal::done,
};

/// Result of undo or redo.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Name of the entry; of the last one if there were several.
    pub name: String,
    /// Number of entries.
    pub entries: usize,
    /// True if an open gesture was cancelled instead.
    pub cancelled: bool,
    /// Things that must be drawn again.
    pub touched: Touched,
}

/// An open gesture.
#[derive(Debug)]
pub(crate) struct Gesture {
    name: String,
    /// Edits that stay until the gesture is cancelled.
    kept: Vec<Step>,
    /// Edit that the next preview replaces.
    preview: Option<Step>,
}

/// An applied edit.
#[derive(Debug)]
struct Step {
    edit: Edit,
    inverse: Edit,
}

impl Gesture {
    /// Edits that take the gesture back, in order.
    pub(crate) fn inverses(&self) -> impl Iterator<Item = &Edit> {
        self.preview.iter().chain(self.kept.iter().rev()).map(|step| &step.inverse)
    }

    /// The gesture as one edit and its inverse; `None` without edits.
    fn into_edits(self) -> Option<(String, Edit, Edit)> {
        let steps: Vec<Step> = self.kept.into_iter().chain(self.preview).collect();
        let (edits, mut inverses): (Vec<Edit>, Vec<Edit>) =
            steps.into_iter().map(|step| (step.edit, step.inverse)).unzip();
        inverses.reverse();
        (!edits.is_empty()).then(|| (self.name, joined(edits), joined(inverses)))
    }
}

/// One edit for several, without batches inside batches.
fn joined(edits: Vec<Edit>) -> Edit {
    fn flatten(edit: Edit, out: &mut Vec<Edit>) {
        match edit {
            Edit::Batch(edits) => edits.into_iter().for_each(|edit| flatten(edit, out)),
            edit => out.push(edit),
        }
    }
    let mut flat = Vec::with_capacity(edits.len());
    for edit in edits {
        flatten(edit, &mut flat);
    }
    match flat.len() {
        1 => flat.swap_remove(0),
        _ => Edit::Batch(flat),
    }
}

impl Editor {
    /// Begins a gesture with the name of its future entry: "Move end".
    pub fn begin(&mut self, name: impl Into<String>) -> Result<(), EditorError> {
        self.no_gesture()?;
        self.gesture = Some(Gesture { name: name.into(), kept: Vec::new(), preview: None });
        Ok(())
    }

    /// Name of the open gesture.
    pub fn gesture_name(&self) -> Option<&str> {
        self.gesture.as_ref().map(|gesture| &*gesture.name)
    }

    /// Applies an edit in place of the previous preview of the gesture. On an error the previous
    /// preview stays.
    pub fn preview(&mut self, edit: &Edit) -> Result<Touched, EditorError> {
        let gesture = self.gesture.as_mut().ok_or(EditorError::NoGesture)?;
        let (inverse, touched) = match &gesture.preview {
            None => {
                let applied = self.evaluator.apply(edit)?;
                (applied.inverse, applied.touched)
            }
            // Both in one edit, so that the document is evaluated once.
            Some(previous) => {
                let batch = Edit::Batch(vec![previous.inverse.clone(), edit.clone()]);
                let applied = self.evaluator.apply(&batch).map_err(out_of_batch)?;
                let Applied { inverse, touched } = applied;
                match inverse {
                    // Inverses are in reverse order: the first is that of `edit`.
                    Edit::Batch(inverses) => {
                        (inverses.into_iter().next().unwrap_or(Edit::Batch(Vec::new())), touched)
                    }
                    other => (other, touched),
                }
            }
        };
        gesture.preview = Some(Step { edit: edit.clone(), inverse });
        self.note_change();
        Ok(touched)
    }

    /// [`preview`](Self::preview) of an edit that keeps all bodies in the scene. If the edit gives a body
    /// errors, the previous preview stays, and the drag can go on from there.
    pub fn preview_whole(&mut self, edit: &Edit) -> Result<(), EditorError> {
        let (scene, gesture) = (self.evaluator.snapshot(), self.gesture.as_ref());
        let before = gesture.and_then(|gesture| gesture.preview.as_ref());
        let before = before.map_or_else(|| Edit::Batch(Vec::new()), |step| step.edit.clone());
        self.preview(edit)?;
        if self.scene().body_count() >= scene.body_count() {
            return Ok(());
        }
        // Bodies with errors are left out of the scene.
        let broken = |body: usize| {
            let (index, _) = self.document().find(Thing::Body, scene.body_name(body))?;
            self.scene().body_index(scene.body_name(body)).is_none().then_some((body, index))
        };
        let Some((body, index)) = (0..scene.body_count()).find_map(broken) else { return Ok(()) };
        let path = Path::root().field(Thing::Body.list()).index(index);
        let error = self.diagnostics_at(&path).find(|found| found.severity == Severity::Error);
        let why = error.map_or_else(|| "it has errors".to_owned(), |error| error.message.clone());
        self.preview(&before)?;
        Err(EditorError::Broken { body: scene.body_name(body).to_owned(), why })
    }

    /// Applies an edit on top of everything that the gesture did so far. A preview before it stays.
    pub fn extend(&mut self, edit: &Edit) -> Result<Touched, EditorError> {
        let gesture = self.gesture.as_mut().ok_or(EditorError::NoGesture)?;
        let Applied { inverse, touched } = self.evaluator.apply(edit)?;
        gesture.kept.extend(gesture.preview.take());
        gesture.kept.push(Step { edit: edit.clone(), inverse });
        self.note_change();
        Ok(touched)
    }

    /// Ends the gesture. Returns true if it became an entry of the history, and false if no gesture
    /// was open or if the document is the same as before it.
    pub fn commit(&mut self) -> bool {
        let Some((name, edit, inverse)) = self.gesture.take().and_then(Gesture::into_edits) else {
            return false;
        };
        let mut before = self.document().clone();
        let undone = before.apply(&inverse);
        debug_assert!(undone.is_ok(), "{inverse:?} failed: {undone:?}");
        if before == *self.document() {
            // Equal documents may differ in the order of fields, which must not change either.
            self.apply_known(&inverse);
            return false;
        }
        self.history.push(Entry::new(name, edit, inverse));
        self.log_event(|editor| editor.history.done().next_back().map(done).unwrap_or_default());
        true
    }

    /// Ends the gesture and takes back everything it did; returns what must be drawn again.
    pub fn cancel(&mut self) -> Touched {
        match self.gesture.take().and_then(Gesture::into_edits) {
            Some((_, _, inverse)) => self.apply_known(&inverse),
            None => Touched::default(),
        }
    }

    /// Applies an edit as a gesture of its own. An edit that changes nothing makes no entry.
    pub fn apply(&mut self, name: impl Into<String>, edit: &Edit) -> Result<Touched, EditorError> {
        self.begin(name)?;
        match self.preview(edit) {
            Ok(touched) => {
                self.commit();
                Ok(touched)
            }
            Err(error) => {
                self.gesture = None;
                Err(error)
            }
        }
    }

    /// Undoes the last entry; `None` if there is none. An open gesture is cancelled instead.
    pub fn undo(&mut self) -> Option<Change> {
        self.undo_many(1)
    }

    /// Undoes up to `count` entries, evaluated once. An open gesture counts as one.
    pub fn undo_many(&mut self, count: usize) -> Option<Change> {
        if count == 0 {
            return None;
        }
        if let Some(gesture) = &self.gesture {
            let name = gesture.name.clone();
            let mut touched = self.cancel();
            let more = self.undo_many(count - 1);
            let entries = more.as_ref().map_or(0, |change| change.entries);
            if let Some(more) = more {
                touched.add(more.touched);
            }
            return Some(Change { name, entries, cancelled: true, touched });
        }
        let entries: Vec<&Entry> = self.history.done().rev().take(count).collect();
        let (name, count) = (entries.last()?.name.clone(), entries.len());
        let inverses = entries.into_iter().map(|entry| entry.inverse.clone()).collect();
        let touched = self.apply_known(&joined(inverses));
        self.history.note_undone(count);
        self.log_event(|_| format!("undo {count}"));
        Some(Change { name, entries: count, cancelled: false, touched })
    }

    /// Redoes the entry that was undone last; `None` if there is none or a gesture is open.
    pub fn redo(&mut self) -> Option<Change> {
        self.redo_many(1)
    }

    /// Redoes up to `count` entries, evaluated once; `None` if there is none or a gesture is open.
    pub fn redo_many(&mut self, count: usize) -> Option<Change> {
        if self.gesture.is_some() {
            return None;
        }
        let entries: Vec<&Entry> = self.history.undone().take(count).collect();
        let (name, count) = (entries.last()?.name.clone(), entries.len());
        let edits = entries.into_iter().map(|entry| entry.edit.clone()).collect();
        let touched = self.apply_known(&joined(edits));
        self.history.note_redone(count);
        self.log_event(|_| format!("redo {count}"));
        Some(Change { name, entries: count, cancelled: false, touched })
    }

    /// Name of the entry that [`undo`](Self::undo) would undo, or of the open gesture.
    pub fn undo_name(&self) -> Option<&str> {
        self.gesture_name().or_else(|| self.history.done().next_back().map(|entry| &*entry.name))
    }

    /// Name of the entry that [`redo`](Self::redo) would redo.
    pub fn redo_name(&self) -> Option<&str> {
        match self.gesture {
            Some(_) => None,
            None => self.history.undone().next().map(|entry| &*entry.name),
        }
    }

    /// The history.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Changes the limit on the memory of the history, and drops entries that exceed it.
    pub fn set_history_limit(&mut self, limit: HistoryLimit) {
        self.history.set_limit(limit);
    }

    fn no_gesture(&self) -> Result<(), EditorError> {
        match &self.gesture {
            Some(gesture) => Err(EditorError::GestureOpen { name: gesture.name.clone() }),
            None => Ok(()),
        }
    }

    /// Applies an inverse, or an edit that was undone: it fits the document, and cannot fail.
    fn apply_known(&mut self, edit: &Edit) -> Touched {
        let applied = self.evaluator.apply(edit);
        debug_assert!(applied.is_ok(), "{edit:?} failed: {applied:?}");
        self.note_change();
        applied.map(|applied| applied.touched).unwrap_or_default()
    }
}

/// Error of the edit itself, which is in a batch with the inverse of the preview before it.
fn out_of_batch(error: EditError) -> EditError {
    match error {
        EditError::InBatch { index: 1, error } => *error,
        other => other,
    }
}
