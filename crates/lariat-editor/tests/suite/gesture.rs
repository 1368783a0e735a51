//! Gestures, undo and redo.

use lariat_editor::{Editor, EditorError, HistoryLimit};
use lariat_scene::{Path, Value};
use proptest::prelude::*;

use crate::{
    SAMPLE,
    generate::{Operation, operations},
    open, set,
};

/// Runs one operation; edits may fail.
pub(crate) fn run(editor: &mut Editor, operation: &Operation) {
    match operation {
        Operation::Apply(choice) => {
            let edit = choice.edit(editor.document());
            let _ = editor.apply("Apply", &edit);
        }
        Operation::Begin => {
            let _ = editor.begin("Gesture");
        }
        Operation::Preview(choice) => {
            let edit = choice.edit(editor.document());
            let _ = editor.preview(&edit);
        }
        Operation::Extend(choice) => {
            let edit = choice.edit(editor.document());
            let _ = editor.extend(&edit);
        }
        Operation::Commit => {
            editor.commit();
        }
        Operation::Cancel => {
            editor.cancel();
        }
        Operation::Undo(count) => {
            editor.undo_many(*count);
        }
        Operation::Redo(count) => {
            editor.redo_many(*count);
        }
        Operation::Save => {
            let state = editor.save_state();
            editor.mark_saved(state);
        }
    }
}

#[test]
fn a_preview_replaces_the_preview_before_it() {
    let mut editor = open(SAMPLE);
    editor.begin("Drag").unwrap();
    editor.preview(&set("body.rein.length", 6)).unwrap();
    editor.preview(&set("body.rein.sway", 10)).unwrap();
    assert_eq!(editor.document().get(&"body.rein.length".parse().unwrap()), Some(&5.into()));
    // An error keeps the preview.
    assert!(editor.preview(&set("body.nobody.sway", 10)).is_err());
    assert_eq!(editor.document().get(&"body.rein.sway".parse().unwrap()), Some(&10.into()));
    assert!(editor.commit());
    assert_eq!(editor.history().done().len(), 1);
    assert_eq!(editor.undo().unwrap().name, "Drag");
    assert_eq!(editor.text(), SAMPLE);
}

#[test]
fn an_extension_adds_to_what_is_there() {
    let mut editor = open(SAMPLE);
    editor.begin("Several").unwrap();
    editor.preview(&set("body.rein.length", 6)).unwrap();
    editor.extend(&set("body.rein.sway", 10)).unwrap();
    editor.preview(&set("body.lead.length", 2)).unwrap();
    editor.preview(&set("body.lead.length", 3)).unwrap();
    assert!(editor.commit());
    let expected = SAMPLE.replace("length = 5 ", "length = 6 ").replace("= 1.5", "= 3");
    assert_eq!(editor.text().replace("sway = 10\n", ""), expected);
    assert_eq!(editor.history().done().len(), 1);
    editor.undo().unwrap();
    assert_eq!(editor.text(), SAMPLE);
}

#[test]
fn a_cancelled_gesture_leaves_no_trace() {
    let mut editor = open(SAMPLE);
    editor.apply("First", &set("body.rein.length", 6)).unwrap();
    let text = editor.text();
    editor.undo().unwrap();
    editor.begin("Drag").unwrap();
    editor.extend(&set("body.rein.sway", 10)).unwrap();
    editor.preview(&set("body.rein.swing", 10)).unwrap();
    let touched = editor.cancel();
    assert_eq!(touched.bodies, ["rein"]);
    assert_eq!(editor.text(), SAMPLE);
    assert_eq!(editor.redo_name(), Some("First"), "the redo branch stays");
    editor.redo().unwrap();
    assert_eq!(editor.text(), text);
}

#[test]
fn a_gesture_that_changes_nothing_makes_no_entry() {
    let mut editor = open(SAMPLE);
    assert!(!editor.commit(), "no gesture");
    editor.begin("Click").unwrap();
    assert!(!editor.commit(), "no edit");
    editor.begin("Drag there and back").unwrap();
    editor.preview(&set("body.rein.length", 6)).unwrap();
    editor.preview(&set("body.rein.length", 5)).unwrap();
    assert!(!editor.commit(), "the same value");
    editor.apply("Same", &set("body.rein.length", 5)).unwrap();
    assert_eq!(editor.history().done().len(), 0);
    assert_eq!(editor.text(), SAMPLE);
}

#[test]
fn undo_cancels_an_open_gesture() {
    let mut editor = open(SAMPLE);
    editor.apply("First", &set("body.rein.length", 6)).unwrap();
    editor.begin("Drag").unwrap();
    editor.preview(&set("body.rein.length", 7)).unwrap();
    assert_eq!((editor.undo_name(), editor.redo_name()), (Some("Drag"), None));
    let change = editor.undo().unwrap();
    assert!(change.cancelled && change.entries == 0);
    assert_eq!((editor.undo_name(), editor.gesture_name()), (Some("First"), None));
    assert_eq!(editor.text(), SAMPLE.replace("length = 5 ", "length = 6 "));
}

#[test]
fn one_gesture_at_a_time() {
    let mut editor = open(SAMPLE);
    assert_eq!(editor.preview(&set("body.rein.length", 6)), Err(EditorError::NoGesture));
    editor.begin("Drag").unwrap();
    let open = EditorError::GestureOpen { name: "Drag".to_owned() };
    assert_eq!(editor.begin("Other"), Err(open.clone()));
    assert_eq!(editor.apply("Other", &set("body.rein.length", 6)), Err(open));
    assert!(editor.redo().is_none());
    assert_eq!(editor.gesture_name(), Some("Drag"));
}

#[test]
fn several_entries_are_undone_and_redone_at_once() {
    let mut editor = open(SAMPLE);
    for (name, length) in [("a", 6), ("b", 7), ("c", 8)] {
        editor.apply(name, &set("body.rein.length", length)).unwrap();
    }
    let change = editor.undo_many(2).unwrap();
    assert_eq!((&*change.name, change.entries), ("b", 2));
    assert_eq!((editor.undo_name(), editor.redo_name()), (Some("a"), Some("b")));
    assert_eq!(editor.redo_many(9).unwrap().entries, 2);
    assert_eq!(editor.undo_many(9).unwrap().entries, 3);
    assert!(editor.undo().is_none());
    assert_eq!(editor.text(), SAMPLE);
    // A new entry drops what was undone.
    editor.apply("d", &set("body.rein.length", 9)).unwrap();
    assert!(editor.redo().is_none());
}

#[test]
fn a_history_beyond_its_limit_forgets_its_start() {
    let mut editor = open(SAMPLE);
    editor.set_history_limit(HistoryLimit { entries: 2, ..HistoryLimit::DEFAULT });
    for length in [6, 7, 8] {
        editor.apply("Set", &set("body.rein.length", length)).unwrap();
    }
    assert_eq!(editor.undo_many(9).unwrap().entries, 2);
    assert_eq!(editor.document().get(&"body.rein.length".parse().unwrap()), Some(&6.into()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn undoing_everything_gives_the_same_bytes(operations in operations()) {
        let mut editor = open(SAMPLE);
        let before = format!("{:?}", editor.document());
        for operation in &operations {
            run(&mut editor, operation);
        }
        editor.cancel();
        let (text, entries) = (editor.text(), editor.history().done().len());
        let after = format!("{:?}", editor.document());
        editor.undo_many(usize::MAX);
        prop_assert_eq!(editor.text(), SAMPLE);
        // The order of fields, too.
        prop_assert_eq!(format!("{:?}", editor.document()), &*before);
        editor.redo_many(entries);
        prop_assert_eq!(editor.text(), text);
        prop_assert_eq!(format!("{:?}", editor.document()), after);
    }
}

#[test]
fn a_preview_that_breaks_its_body_leaves_the_last_good_one() {
    let mut editor = open(SAMPLE);
    let (text, count) = (editor.text(), editor.scene().body_count());
    let name = editor.scene().body_name(0).to_owned();
    let path: Path = format!("body.{name}.radius").parse().unwrap();
    let radius = |metres: f64| set(&path.to_string(), metres);
    editor.begin("Set radius").unwrap();
    // The first edit is broken, too.
    let before = editor.document().get(&path).and_then(Value::number);
    let steps = [(-1.0, before), (0.02, Some(0.02)), (-3.0, Some(0.02)), (0.03, Some(0.03))];
    for (metres, kept) in steps {
        let done = editor.preview_whole(&radius(metres));
        assert_eq!(done.is_err(), metres < 0.0, "{done:?}");
        if let Err(error) = done {
            let error = error.to_string();
            assert!(error.starts_with(&format!("`{name}` stays as it was: ")), "{error}");
        }
        assert_eq!(editor.scene().body_count(), count);
        assert_eq!(editor.document().get(&path).and_then(Value::number), kept);
    }
    assert!(editor.commit());
    assert!(editor.text().contains("radius = 0.03"));
    editor.undo();
    assert_eq!(editor.text(), text);
}
