//! Text of edits, and journals that are made of it.
//!
//! An input of `edit-text` is one edit per line. An input of `journals` is a document, a line `---`,
//! and one event per line, without checksums: [`written`] adds them, so that wrong events behind a
//! valid checksum are reached. Everything about the format is there.

use lariat_core::num::fnv::Fnv64;
use lariat_editor::{
    Editor, Options,
    journal::{MemoryStore, base_hash, replay},
};
use lariat_scene::{Edit, Value, format};

use super::document::is_same;
use super::scene::{LIMITS, SHELF};
use crate::promise::in_proportion;

/// Most bytes of memory per byte of the text of an edit.
const PROPORTION: u64 = 600;

/// Events of one input that are replayed: each is evaluated.
const MOST: usize = 12;

/// Reads every line as an edit; an edit reads back as it was written.
///
/// # Panics
/// If a promise is broken.
pub(super) fn edit_text(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for line in text.lines() {
        match in_proportion(line.as_bytes(), PROPORTION, || line.parse::<Edit>()) {
            Err(error) => {
                let end = line.chars().count() + 1;
                assert!((1..=end).contains(&error.column), "{error} in `{line}`");
            }
            Ok(edit) => {
                let written = edit.to_string();
                assert!(!written.contains('\n'), "an edit is one line: {written}");
                let again = written.parse::<Edit>().map(|edit| edit.to_string());
                assert_eq!(again.as_ref(), Ok(&written), "from `{line}`");
            }
        }
    }
}

/// Replays a journal; what is recovered gives a journal that recovers the same.
///
/// # Panics
/// If a promise is broken.
pub(super) fn journals(bytes: &[u8]) {
    // As it is: nearly always refused.
    drop(replay(bytes, options()));
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some((base, events)) = text.split_once("\n---\n") else { return };
    let Ok(recovered) = replay(&written(base, events), options()) else { return };
    let mut editor = recovered.editor;
    let store = MemoryStore::new();
    if let Err(error) = editor.attach_journal(Box::new(store.clone()), recovered.label) {
        panic!("memory is always writable: {error}");
    }
    let again = match replay(&store.bytes(), options()) {
        Ok(again) => again,
        Err(error) => panic!("a new journal is not one: {error}"),
    };
    assert_eq!(again.damage, None, "in a new journal");
    assert!(is_same(again.editor.document(), editor.document()), "another document is recovered");
    assert_eq!(names(&again.editor), names(&editor), "another history is recovered");
    let mut back = again.editor;
    while back.undo().is_some() {}
    while editor.undo().is_some() {}
    assert!(is_same(back.document(), editor.document()), "another start is recovered");
}

fn options() -> Options {
    Options { limits: LIMITS, files: Box::new(SHELF.clone()), frames: 4, ..Options::default() }
}

fn names(editor: &Editor) -> (Vec<String>, Vec<String>) {
    let history = editor.history();
    let name = |entry: &lariat_editor::Entry| entry.name.clone();
    (history.done().map(name).collect(), history.undone().map(name).collect())
}

/// A journal of a document with events.
fn written(base: &str, events: &str) -> Vec<u8> {
    let quoted = format::write_value(&Value::from(base));
    let header = format!("lariat-journal 1 base {:032x} of \"fuzz.lariat\"", base_hash(base));
    let (mut journal, mut last) = (Vec::new(), 0_u64);
    let events = events.lines().take(MOST).map(str::to_owned);
    for content in [header, format!("base {quoted}")].into_iter().chain(events) {
        let mut hash = Fnv64::new();
        hash.bytes(last.to_le_bytes());
        hash.bytes(content.bytes());
        last = hash.finish();
        journal.extend(format!("{last:016x} {content}\n").into_bytes());
    }
    journal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_journal_is_replayed_to_its_end() {
        let base = "lariat = 2\n[[body]]\nname = 'a'\nlength = 1\n";
        let events = "do \"Set\" set body.a.length = 2\nundo 1\nredo 1\nsaved";
        let recovered = replay(&written(base, events), options()).expect("a journal");
        assert_eq!((recovered.damage, recovered.entries), (None, 1));
        assert!(!recovered.editor.is_modified());
    }
}
