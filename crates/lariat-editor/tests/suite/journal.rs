//! Journals: recovery after a crash at any moment.

use std::io;

use lariat_editor::{
    Editor, HistoryLimit, Options,
    journal::{JournalStore, MemoryStore, RecoveryError, replay},
};
use proptest::{prelude::*, sample::Index};

use crate::{
    SAMPLE,
    generate::{Operation, operations},
    gesture::run,
    open, set,
};

fn journalled(text: &str) -> (Editor, MemoryStore) {
    let (mut editor, store) = (open(text), MemoryStore::new());
    let attached = editor.attach_journal(Box::new(store.clone()), "yard.lariat");
    attached.expect("memory does not fail");
    (editor, store)
}

fn recovered(bytes: &[u8]) -> Editor {
    let recovery = replay(bytes, Options::default()).expect("a journal");
    assert_eq!(recovery.damage, None);
    assert_eq!(recovery.label, "yard.lariat");
    recovery.editor
}

/// Everything that recovery restores.
fn state(editor: &Editor) -> (String, String, bool, Vec<String>) {
    let entry = |entry: &lariat_editor::Entry| {
        format!("{}: {} / {}", entry.name, entry.edit, entry.inverse)
    };
    let history = editor.history();
    let mut entries: Vec<String> = history.done().map(entry).collect();
    entries.push("---".to_owned());
    entries.extend(history.undone().map(entry));
    (editor.text(), editor.original_text().to_owned(), editor.is_modified(), entries)
}

#[test]
fn a_journal_is_readable() {
    let (mut editor, store) = journalled("lariat = 2\n[[body]]\nname = 'a'\n");
    editor.apply("Set length", &set("body.a.length", 4.5)).unwrap();
    editor.undo().unwrap();
    editor.redo().unwrap();
    let text = String::from_utf8(store.bytes()).unwrap();
    let lines: Vec<&str> = text.lines().map(|line| &line[17..]).collect();
    assert!(lines[0].starts_with("lariat-journal 1 base "), "{text}");
    assert!(lines[0].ends_with(" of \"yard.lariat\""), "{text}");
    assert_eq!(
        lines[1..],
        [
            r#"base "lariat = 2\n[[body]]\nname = 'a'\n""#,
            "saved",
            "do \"Set length\" set body.a.length = 4.5",
            "undo 1",
            "redo 1",
        ]
    );
}

#[test]
fn previews_and_cancelled_gestures_are_not_in_the_journal() {
    let (mut editor, store) = journalled(SAMPLE);
    let before = store.bytes();
    editor.begin("Drag").unwrap();
    editor.preview(&set("body.rein.length", 6)).unwrap();
    editor.compact_journal().unwrap();
    assert_eq!(store.bytes(), before);
    assert_eq!(recovered(&store.bytes()).text(), SAMPLE);
    editor.cancel();
    assert_eq!(store.bytes(), before);
}

#[test]
fn saving_shortens_the_journal_and_keeps_the_history() {
    let (mut editor, store) = journalled(SAMPLE);
    for length in 6..30 {
        editor.apply("Set", &set("body.rein.length", length)).unwrap();
        editor.undo().unwrap();
    }
    editor.apply("Set", &set("body.rein.length", 6)).unwrap();
    editor.apply("Set", &set("body.rein.length", 7)).unwrap();
    editor.undo().unwrap();
    let long = store.bytes().len();
    let saved = editor.save_state();
    editor.mark_saved(saved);
    assert!(store.bytes().len() < long);
    let again = recovered(&store.bytes());
    assert_eq!(state(&again), state(&editor));
    assert_eq!((again.undo_name(), again.redo_name()), (Some("Set"), Some("Set")));
    assert!(!again.is_modified());
}

#[test]
fn undone_edits_do_not_fill_the_disk() {
    let (mut editor, store) = journalled(SAMPLE);
    let long = "x".repeat(500_000);
    for _ in 0..40 {
        editor.apply("Set", &set("body.rein.look", &*long)).unwrap();
        editor.undo().unwrap();
    }
    assert!(store.bytes().len() < 9_000_000, "{}", store.bytes().len());
    assert_eq!(state(&recovered(&store.bytes())), state(&editor));
}

#[test]
fn a_history_that_forgot_its_start_is_recovered() {
    let (mut editor, store) = journalled(SAMPLE);
    let limit = HistoryLimit { entries: 2, ..HistoryLimit::DEFAULT };
    editor.set_history_limit(limit);
    for length in 6..12 {
        editor.apply("Set", &set("body.rein.length", length)).unwrap();
    }
    let saved = editor.save_state();
    editor.mark_saved(saved);
    let recover = |store: &MemoryStore| {
        let options = Options { history: limit, ..Options::default() };
        replay(&store.bytes(), options).unwrap().editor
    };
    let mut again = recover(&store);
    assert_eq!(state(&again), state(&editor));
    again.undo_many(9);
    assert!(again.text().contains("length = 9"), "{}", again.text());
    editor.apply("Set", &set("body.rein.sway", 3)).unwrap();
    let mut again = recover(&store);
    assert_eq!(state(&again), state(&editor));
    again.undo_many(9);
    editor.undo_many(9);
    assert_eq!(state(&again), state(&editor));
    assert!(again.text().contains("length = 10"));
}

#[test]
fn a_damaged_line_ends_the_recovery() {
    let (mut editor, store) = journalled(SAMPLE);
    for length in [6, 7, 8] {
        editor.apply("Set", &set("body.rein.length", length)).unwrap();
    }
    let mut bytes = store.bytes();
    let start = String::from_utf8(bytes.clone()).unwrap().find("length = 7").unwrap();
    bytes[start + 9] = b'9';
    let recovery = replay(&bytes, Options::default()).unwrap();
    assert_eq!(recovery.entries, 1);
    let damage = recovery.damage.expect("a damaged line");
    assert_eq!((damage.line, &*damage.why), (5, "the checksum does not match"));
    assert_eq!(bytes[damage.byte - 1], b'\n');
    assert_eq!(recovery.editor.text(), SAMPLE.replace("length = 5 ", "length = 6 "));
}

#[test]
fn other_files_are_no_journals() {
    let why = |bytes: &[u8]| replay(bytes, Options::default()).unwrap_err();
    assert!(matches!(why(b""), RecoveryError::NotAJournal { .. }));
    assert!(matches!(why(SAMPLE.as_bytes()), RecoveryError::NotAJournal { .. }));
    assert!(matches!(why(&[0xff; 99]), RecoveryError::NotAJournal { .. }));
}

/// A store that fails while its disk is full.
#[derive(Debug, Default)]
pub(crate) struct FullDisk {
    store: MemoryStore,
    pub(crate) room: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

impl JournalStore for FullDisk {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let room = self.room.load(std::sync::atomic::Ordering::Relaxed);
        self.store.append(&bytes[..room.min(bytes.len())])?;
        match room < bytes.len() {
            true => Err(io::Error::from(io::ErrorKind::StorageFull)),
            false => Ok(()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn replace(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self.room.load(std::sync::atomic::Ordering::Relaxed) < bytes.len() {
            true => Err(io::Error::from(io::ErrorKind::StorageFull)),
            false => self.store.replace(bytes),
        }
    }
}

#[test]
fn a_full_disk_loses_no_edit_and_heals() {
    let disk = FullDisk::default();
    let (store, room) = (disk.store.clone(), disk.room.clone());
    let resize = |bytes| room.store(bytes, std::sync::atomic::Ordering::Relaxed);
    let mut editor = open(SAMPLE);
    resize(1 << 20);
    editor.attach_journal(Box::new(disk), "yard.lariat").unwrap();
    editor.apply("First", &set("body.rein.length", 6)).unwrap();
    resize(20);
    editor.apply("Second", &set("body.rein.length", 7)).unwrap();
    assert!(editor.journal_error().is_some());
    // The torn line is left out.
    let torn = replay(&store.bytes(), Options::default()).unwrap();
    assert_eq!((torn.entries, torn.damage.is_some()), (1, true));
    resize(1 << 20);
    editor.apply("Third", &set("body.rein.length", 8)).unwrap();
    assert_eq!(editor.journal_error(), None);
    assert_eq!(state(&recovered(&store.bytes())), state(&editor));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_journal_replays_to_the_same_document_and_history(operations in operations()) {
        let (mut editor, store) = journalled(SAMPLE);
        for operation in &operations {
            run(&mut editor, operation);
        }
        // An open gesture is not part of the journal.
        editor.cancel();
        let again = recovered(&store.bytes());
        prop_assert_eq!(state(&again), state(&editor));
        prop_assert_eq!(again.document(), editor.document());
    }

    #[test]
    fn a_journal_cut_at_any_byte_replays_a_prefix(operations in operations(), cut in any::<Index>()) {
        let (mut editor, store) = journalled(SAMPLE);
        let start = store.bytes().len();
        let without_saving = operations.iter().filter(|o| !matches!(o, Operation::Save));
        // Length of the journal and state after each operation.
        let mut states = vec![(start, state(&editor))];
        for operation in without_saving {
            run(&mut editor, operation);
            let length = store.bytes().len();
            if editor.gesture_name().is_none() && states.last().is_some_and(|s| s.0 < length) {
                states.push((length, state(&editor)));
            }
        }
        editor.cancel();
        let bytes = store.bytes();
        let cut = cut.index(bytes.len() + 1);
        match replay(&bytes[..cut], Options::default()) {
            Ok(recovery) => {
                let last = states.iter().rev().find(|(length, _)| *length <= cut);
                // Between the header and the first event there is the base alone.
                let expected = &last.unwrap_or(&states[0]).1;
                prop_assert_eq!(&state(&recovery.editor), expected);
            }
            Err(_) => prop_assert!(cut < start),
        }
    }

    #[test]
    fn damage_never_panics(operations in operations(), at in any::<Index>(), byte in any::<u8>()) {
        let (mut editor, store) = journalled(SAMPLE);
        for operation in &operations {
            run(&mut editor, operation);
        }
        let mut bytes = store.bytes();
        let at = at.index(bytes.len());
        let was = std::mem::replace(&mut bytes[at], byte);
        if let Ok(recovery) = replay(&bytes, Options::default()) {
            prop_assert!(was == byte || recovery.damage.is_some());
        }
    }
}
