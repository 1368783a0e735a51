//! Opening, text, saved state.

use lariat_editor::{Editor, Options};
use lariat_scene::{
    Edit,
    check::{Code, Diagnostic},
};

use crate::{SAMPLE, open, set};

#[test]
fn an_unreadable_text_is_refused_with_its_diagnostics() {
    let diagnostics = Editor::open("lariat = \n", Options::default()).unwrap_err();
    assert!(diagnostics[0].is_error());
    assert_eq!(Editor::open("", Options::default()).unwrap_err()[0].code, Code::EmptyFile);
}

#[test]
fn a_document_with_errors_in_parameters_is_open() {
    let mut editor = open("lariat = 2\n[[body]]\nname = 'a'\nmodel = 'suspended-rope'\n");
    assert!(editor.diagnostics().iter().any(Diagnostic::is_error));
    assert!(editor.at(1.0).bodies.is_empty());
}

#[test]
fn text_keeps_comments_and_layout() {
    let mut editor = open(SAMPLE);
    assert_eq!(editor.text(), SAMPLE);
    editor.apply("Set length", &set("body.rein.length", 4.5)).unwrap();
    assert_eq!(editor.text(), SAMPLE.replace("length = 5 ", "length = 4.5 "));
}

#[test]
fn the_document_is_modified_until_it_is_saved_or_undone() {
    let mut editor = open(SAMPLE);
    assert!(!editor.is_modified());
    editor.apply("Set length", &set("body.rein.length", 4.5)).unwrap();
    assert!(editor.is_modified());
    let state = editor.save_state();
    // The document changes while its file is being written.
    editor.apply("Set length", &set("body.rein.length", 4.6)).unwrap();
    editor.mark_saved(state);
    assert!(editor.is_modified());
    editor.undo().unwrap();
    assert!(!editor.is_modified(), "the saved state");
    editor.undo().unwrap();
    assert!(editor.is_modified(), "before the saved state");
    editor.redo().unwrap();
    assert!(!editor.is_modified());
    editor.apply("Set length", &set("body.rein.length", 4.7)).unwrap();
    assert!(editor.is_modified());
    let state = editor.save_state();
    editor.mark_saved(state);
    assert!(!editor.is_modified(), "saved again");
    editor.apply("Set length", &set("body.rein.length", 4.5)).unwrap();
    let state = editor.save_state();
    editor.mark_saved(state);
    // The same value again, by another way.
    editor.apply("Set length", &set("body.rein.length", 7)).unwrap();
    editor.apply("Set length", &set("body.rein.length", 4.5)).unwrap();
    assert!(!editor.is_modified());
}

#[test]
fn undoing_past_a_save_gives_the_opened_bytes() {
    let mut editor = open(SAMPLE);
    // Takes the comments of the body with it.
    editor.apply("Delete", &Edit::Remove { list: "body".parse().unwrap(), index: 0 }).unwrap();
    let state = editor.save_state();
    assert!(!state.text.contains("# metres"));
    editor.mark_saved(state);
    editor.undo().unwrap();
    assert_eq!(editor.text(), SAMPLE);
}

#[test]
fn an_older_format_version_is_upgraded_and_not_modified() {
    let scene = "lariat = 1\n[[body]]\nname = 'a'\nmodel = 'suspended-rope'\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nlength = 2\n";
    let editor = open(scene);
    assert!(!editor.is_modified());
    assert!(editor.text().starts_with("lariat = 2"));
}

#[test]
fn poses_follow_edits_and_previews() {
    let mut editor = open(SAMPLE);
    let end = |editor: &mut Editor| editor.at(1.0).bodies[0].spine().last().copied().unwrap();
    editor.begin("Move end").unwrap();
    for x in [3.1, 3.2, 3.3] {
        editor.preview(&set("body.rein.to", [x, 0.0, 2.0])).unwrap();
        assert_eq!(end(&mut editor).x, x);
    }
    editor.cancel();
    assert_eq!(end(&mut editor).x, 3.0);
}
