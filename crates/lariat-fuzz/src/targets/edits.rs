//! A document and edits: applied, undone, written, and evaluated incrementally.
//!
//! An input is a document, a line `---`, and one edit per line:
//!
//! ```text
//! set PATH VALUE          unset PATH           restore PATH POSITION VALUE
//! insert PATH INDEX VALUE remove PATH INDEX    move PATH FROM TO
//! rename THING OLD NEW    key PATH FRAME VALUE unkey PATH FRAME
//! ```
//!
//! A line that begins with `+` is applied together with the line before it. Lines that are no edits
//! are skipped.

use lariat_eval::{Assets, Evaluator, Scene};
use lariat_scene::lower::lower;
use lariat_scene::{Document, Edit, Path, Places, Thing, Value, format};

use super::document::{is_same, reads_back};
use super::scene::{LIMITS, SHELF, frames};
use crate::promise;

/// Edits of one input that are applied.
const MOST: usize = 12;

/// Applies every edit to the document of an input.
///
/// # Panics
/// If a promise is broken.
pub(super) fn edits(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some((text, edits)) = text.split_once("\n---\n") else { return };
    let Ok(read) = format::read_bytes(text.as_bytes(), &LIMITS) else { return };
    let start = read.document;
    let mut document = start.clone();
    let files = Box::new(SHELF.clone());
    let mut evaluator = Evaluator::with_files(start.clone(), LIMITS, 4, files);
    let mut inverses = Vec::new();
    for edit in parsed(edits) {
        // Frames in the cache of the evaluator, which must not keep old shapes.
        let shown = frames(evaluator.scene());
        for frame in &shown {
            evaluator.at(*frame);
        }
        let before = document.clone();
        match document.apply(&edit) {
            Ok(applied) => {
                let mut back = document.clone();
                if let Err(error) = back.apply(&applied.inverse) {
                    panic!("the inverse of {edit:?} fails: {error}");
                }
                same(&back, &before, &edit);
                inverses.push(applied.inverse);
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                same(&document, &before, &edit);
            }
        }
        reads_back(&document, text);
        let _ = evaluator.apply(&edit);
        same(evaluator.document(), &document, &edit);
        evaluates_the_same(&mut evaluator, &shown, &edit);
    }
    for inverse in inverses.iter().rev() {
        if let Err(error) = document.apply(inverse) {
            panic!("{inverse:?} fails: {error}");
        }
    }
    assert!(is_same(&document, &start), "all edits undone");
}

/// Compares two documents, and the order of their fields.
fn same(document: &Document, expected: &Document, edit: &Edit) {
    assert!(is_same(document, expected), "{edit:?} left a trace");
    assert_eq!(order(&document.root), order(&expected.root), "{edit:?} moved a field");
}

/// Names and values of the fields in order, since equal documents may differ in it.
fn order(table: &lariat_scene::Table) -> Vec<String> {
    fn visit(value: &Value, out: &mut Vec<String>) {
        match value {
            Value::Table(table) => visit_fields(table, out),
            Value::List(list) => list.iter().for_each(|value| visit(value, out)),
            _ => {}
        }
    }
    fn visit_fields(table: &lariat_scene::Table, out: &mut Vec<String>) {
        for (name, value) in table.iter() {
            out.push(name.to_owned());
            visit(value, out);
        }
    }
    let mut out = Vec::new();
    visit_fields(table, &mut out);
    out
}

/// Compares frames of an evaluator with those of a scene that is bound anew.
fn evaluates_the_same(evaluator: &mut Evaluator, shown: &[f64], edit: &Edit) {
    let (lowered, _) = lower(evaluator.document(), &Places::none(), &LIMITS);
    let assets = Assets::load(&lowered, &LIMITS, &*SHELF);
    let fresh = Scene::bind_with(&lowered, &assets);
    let reached = frames(&fresh).into_iter().fold(f64::NEG_INFINITY, f64::max);
    for frame in shown.iter().filter(|frame| **frame <= reached) {
        let expected = fresh.evaluate(*frame);
        promise::moment(&fresh, &expected);
        assert!(
            *evaluator.at(*frame) == expected,
            "frame {frame} after {edit:?} differs from a fresh evaluation"
        );
    }
}

/// The edits of an input.
fn parsed(text: &str) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    for line in text.lines() {
        let together = line.strip_prefix('+');
        let Some(edit) = edit(together.unwrap_or(line)) else { continue };
        match (together, edits.last_mut()) {
            (Some(_), Some(Edit::Batch(batch))) => batch.push(edit),
            (Some(_), Some(last)) => *last = Edit::Batch(vec![last.clone(), edit]),
            _ => edits.push(edit),
        }
    }
    edits.truncate(MOST);
    edits
}

fn edit(line: &str) -> Option<Edit> {
    let (verb, rest) = line.trim().split_once(' ')?;
    if verb == "rename" {
        let (thing, names) = rest.split_once(' ')?;
        let (from, to) = names.split_once(' ')?;
        return Some(Edit::Rename {
            thing: Thing::of_list(thing)?,
            from: from.to_owned(),
            to: to.to_owned(),
        });
    }
    let (path, rest) = path(rest)?;
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let split = || rest.split_once(' ');
    Some(match verb {
        "set" => Edit::Set { path, value: value(rest)? },
        "unset" => Edit::Unset { path },
        "restore" => {
            let (position, text) = split()?;
            Edit::Restore { path, position: number(position)?, value: value(text)? }
        }
        "insert" => {
            let (index, text) = split()?;
            Edit::Insert { list: path, index: number(index)?, value: value(text)? }
        }
        "remove" => Edit::Remove { list: path, index: number(rest)? },
        "move" => {
            let (from, to) = split()?;
            Edit::Move { list: path, from: number(from)?, to: number(to)? }
        }
        "key" => {
            let (frame, text) = split()?;
            Edit::SetKey { channel: path, frame: frame.parse().ok()?, value: value(text)? }
        }
        "unkey" => Edit::RemoveKey { channel: path, frame: rest.trim().parse().ok()? },
        _ => return None,
    })
}

/// The shortest beginning of a text that is a path, and the rest after a space.
fn path(text: &str) -> Option<(Path, &str)> {
    let spaces = text.match_indices(' ').map(|(at, _)| at);
    for at in spaces.chain([text.len()]) {
        if let Ok(path) = text[..at].parse() {
            return Some((path, text[at..].trim_start()));
        }
    }
    None
}

/// A value as in a document. NaN and infinities can be written as well.
fn value(text: &str) -> Option<Value> {
    let read = format::read(&format!("lariat = 2\nvalue = {text}\n"));
    let number = || text.trim().parse::<f64>().ok().map(Value::from);
    read.ok().and_then(|read| read.document.root.get("value").cloned()).or_else(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_edit_is_parsed() {
        let text = "set body.rein.length 4.5\n+unset body.rein.sag\nrestore a.b 3 \"x\"\n\
                    insert body 0 { name = 'x' }\nremove body 1\nmove body 0 1\n\
                    rename body rein girth\nkey body.\"a b\".swing 12.5 [1, 2]\n\
                    unkey body[0].swing 3\nnonsense\nset x nan\n";
        let edits = parsed(text);
        assert_eq!(edits.len(), 9, "{edits:#?}");
        assert!(matches!(&edits[0], Edit::Batch(batch) if batch.len() == 2));
        assert!(matches!(&edits[6], Edit::SetKey { frame, .. } if *frame == 12.5));
    }
}
