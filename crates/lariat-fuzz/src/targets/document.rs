//! Text of a document: read and checked; whatever reads is written, read and patched again.

use lariat_museum::{RECIPES, SCENES};
use lariat_scene::check::check;
use lariat_scene::{Document, Limits, format};

use crate::promise::in_proportion;
use crate::seeds::MAX_BYTES;

/// Most bytes of memory per byte of a document while it is read. Lowering is not included: it
/// tabulates wiggles, whose size depends on their frequency and duration.
const PROPORTION: u64 = 300;

/// Reads, checks, writes and patches a document.
///
/// # Panics
/// If a promise is broken.
pub(super) fn document(bytes: &[u8]) {
    let limits = Limits::default();
    let read = in_proportion(bytes, PROPORTION, || format::read_bytes(bytes, &limits));
    let checked = check(bytes, &limits);
    assert_eq!(read.is_ok(), checked.content.is_some());
    for diagnostic in &checked.diagnostics {
        assert!(!diagnostic.to_string().is_empty());
        if let Some(span) = diagnostic.span() {
            assert!(span.range().end <= bytes.len(), "{diagnostic} lies behind the end");
        }
    }
    let Some(content) = checked.content else {
        assert!(!checked.diagnostics.is_empty(), "not read, without a diagnostic");
        return;
    };
    let Ok(text) = std::str::from_utf8(bytes) else { panic!("read, but not UTF-8") };
    reads_back(&content.document, text);
    assert_eq!(content.document.motion_hash(), content.document.clone().motion_hash());
}

/// Writes a document, and writes it over a text; both must read back the same.
///
/// # Panics
/// If they do not.
pub(super) fn reads_back(document: &Document, over: &str) {
    for text in [format::write(document), format::patch(document, over)] {
        match format::read(&text) {
            Ok(read) => assert!(is_same(&read.document, document), "written as\n{text}"),
            Err(diagnostics) => panic!("{}\nwritten as\n{text}", diagnostics[0]),
        }
    }
}

/// Compares two documents by their text, since a NaN is not equal to itself.
pub(super) fn is_same(one: &Document, other: &Document) -> bool {
    format::write(one) == format::write(other)
}

/// Scenes and recipes of the museum.
pub(super) fn seeds() -> Vec<(String, Vec<u8>)> {
    let scenes = SCENES.iter().map(|scene| (scene.name, scene.text));
    let recipes = RECIPES.iter().map(|recipe| (recipe.name, recipe.text));
    let small = scenes.chain(recipes).filter(|(_, text)| text.len() <= MAX_BYTES);
    small.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).collect()
}
