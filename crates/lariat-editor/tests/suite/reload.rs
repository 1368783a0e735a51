//! The document loaded again from a file that another program changed.

use std::sync::atomic::Ordering;

use lariat_editor::{
    Editor, Options,
    journal::{MemoryStore, replay},
};

use crate::{SAMPLE, journal::FullDisk, open, set};

/// The sample as another program left it: another order, other comments, a value and a thing changed.
fn theirs() -> String {
    let world = "[world]\nwind = [1, 0, 0] # a breeze\n";
    let body = "[[body]]\nname = \"theirs\"\nmodel = \"loose-rope\"\nlength = 3 # metres\n";
    format!("# written by hand\nlariat = 2\n\n{body}\n{world}")
}

#[test]
fn a_text_is_loaded_again_and_undone() {
    let mut editor = open(SAMPLE);
    let store = MemoryStore::new();
    editor.attach_journal(Box::new(store.clone()), "a.lariat").expect("memory");
    editor.apply("Set fps", &set("shot.fps", 25.0)).expect("an edit");
    let (mine, theirs) = (editor.document().clone(), theirs());
    editor.reload("Load again", &theirs).expect("a document");
    assert_eq!(editor.text(), theirs, "with its comments and its order");
    assert!(!editor.is_modified());
    editor.undo().expect("the entry");
    assert!(*editor.document() == mine && editor.is_modified());
    // A crash at any of these moments recovers both.
    for redone in [false, true] {
        if redone {
            editor.redo().expect("the entry");
        }
        let recovered = replay(&store.bytes(), Options::default()).expect("a journal");
        assert_eq!(recovered.damage, None);
        assert_eq!(recovered.editor.text(), editor.text());
        assert_eq!(recovered.editor.is_modified(), !redone);
        let names = |editor: &Editor| -> Vec<String> {
            let history = editor.history();
            history.done().chain(history.undone()).map(|entry| entry.name.clone()).collect()
        };
        assert_eq!(names(&recovered.editor), names(&editor));
        let mut back = recovered.editor;
        while back.undo().is_some() {}
        assert!(*back.document() == *open(SAMPLE).document(), "the order of fields may differ");
    }
}

#[test]
fn a_text_that_cannot_be_read_changes_nothing() {
    let mut editor = open(SAMPLE);
    assert!(editor.reload("Load again", "lariat = [").is_err());
    assert_eq!((editor.text(), editor.history().done().len()), (SAMPLE.to_owned(), 0));
}

#[test]
fn a_document_differs_from_what_another_program_saved() {
    for other in [theirs(), "not a document = [".to_owned()] {
        let store = MemoryStore::new();
        let mut editor = open(SAMPLE);
        editor.attach_journal(Box::new(store.clone()), "a.lariat").expect("memory");
        editor.set_saved_text(&other);
        assert!(editor.is_modified());
        let recovered = replay(&store.bytes(), Options::default()).expect("a journal");
        assert!(recovered.editor.is_modified() && recovered.damage.is_none());
        let state = editor.save_state();
        editor.mark_saved(state);
        assert!(!editor.is_modified());
    }
    let mut same = Editor::open(SAMPLE, Options::default()).expect("a document");
    same.set_saved_text(SAMPLE);
    assert!(!same.is_modified());
}

#[test]
fn a_text_with_a_number_that_cannot_be_set_changes_nothing() {
    let mut editor = open(SAMPLE);
    let theirs = theirs().replace("length = 3", "length = nan");
    assert!(Editor::open(&theirs, Options::default()).is_ok(), "it can be opened");
    let error = editor.reload("Load again", &theirs).expect_err("a number that is not finite");
    assert!(error.to_string().contains("finite"), "{error}");
    assert_eq!((editor.text(), editor.original_text()), (SAMPLE.to_owned(), SAMPLE));
    assert!(!editor.is_modified() && editor.history().done().len() == 0);
}

#[test]
fn a_full_disk_is_an_error_of_the_journal() {
    let disk = FullDisk::default();
    let room = disk.room.clone();
    room.store(1 << 20, Ordering::Relaxed);
    let mut editor = open(SAMPLE);
    editor.attach_journal(Box::new(disk), "a.lariat").expect("room");
    room.store(10, Ordering::Relaxed);
    editor.reload("Load again", &theirs()).expect("a document");
    assert!(editor.journal_error().is_some());
    // With room again, the next change writes all of it.
    room.store(1 << 20, Ordering::Relaxed);
    editor.undo().expect("the entry");
    assert_eq!(editor.journal_error(), None);
}
