//! Named entries that can be undone and redone, within a limit on memory.
//!
//! The history only stores edits; [`Editor`](crate::Editor) applies them.
//!
//! Tests: `the_oldest_entries_are_dropped_beyond_the_limit`,
//! `the_newest_entry_stays_even_if_it_exceeds_the_limit`, `a_new_entry_drops_the_redo_branch`.

use std::collections::VecDeque;

use lariat_scene::{Edit, Path, Step, Value};

/// Limit on the memory of a history. The oldest entries are dropped first; the newest entry stays
/// even if it is larger than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryLimit {
    /// Maximum number of entries, undone ones included.
    pub entries: usize,
    /// Maximum estimated memory of all entries, in bytes.
    pub bytes: usize,
}

impl HistoryLimit {
    /// 10,000 entries and 128 MiB: a working day of edits, and a few deletions of the largest
    /// documents.
    pub const DEFAULT: Self = Self { entries: 10_000, bytes: 128 << 20 };
}

impl Default for HistoryLimit {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// One entry of a history.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Name for menus: "Move end".
    pub name: String,
    /// The edit, without batches inside batches.
    pub edit: Edit,
    /// The edit that undoes it.
    pub inverse: Edit,
    bytes: usize,
}

impl Entry {
    /// Creates an entry.
    pub(crate) fn new(name: String, edit: Edit, inverse: Edit) -> Self {
        let bytes = size_of::<Self>() + name.len() + edit_bytes(&edit) + edit_bytes(&inverse);
        Self { name, edit, inverse, bytes }
    }

    /// Estimated memory, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Entries that were done and can be undone, and entries that were undone and can be redone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    done: VecDeque<Entry>,
    /// The next entry to be redone is the last.
    undone: Vec<Entry>,
    limit: HistoryLimit,
    bytes: usize,
    /// Number of entries that were dropped because of the limit.
    dropped: u64,
}

impl History {
    pub(crate) fn new(limit: HistoryLimit) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Entries that can be undone, oldest first.
    pub fn done(&self) -> impl DoubleEndedIterator<Item = &Entry> + ExactSizeIterator {
        self.done.iter()
    }

    /// Entries that can be redone, in the order of redoing.
    pub fn undone(&self) -> impl DoubleEndedIterator<Item = &Entry> + ExactSizeIterator {
        self.undone.iter().rev()
    }

    /// The limit.
    pub fn limit(&self) -> HistoryLimit {
        self.limit
    }

    /// Estimated memory of all entries, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Number of entries that were dropped because of the limit.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    pub(crate) fn set_limit(&mut self, limit: HistoryLimit) {
        self.limit = limit;
        self.trim();
    }

    /// Adds an entry that was just done; drops the redo branch.
    pub(crate) fn push(&mut self, entry: Entry) {
        self.bytes -= self.undone.drain(..).map(|entry| entry.bytes).sum::<usize>();
        self.bytes += entry.bytes;
        self.done.push_back(entry);
        self.trim();
    }

    /// Moves entries to the redo branch; their inverses were just applied.
    pub(crate) fn note_undone(&mut self, count: usize) {
        for _ in 0..count {
            self.undone.extend(self.done.pop_back());
        }
    }

    /// Moves entries back from the redo branch; their edits were just applied.
    pub(crate) fn note_redone(&mut self, count: usize) {
        for _ in 0..count {
            self.done.extend(self.undone.pop());
        }
    }

    fn trim(&mut self) {
        let too_large = |own: &Self| {
            let entries = own.done.len() + own.undone.len();
            entries > 1 && (entries > own.limit.entries || own.bytes > own.limit.bytes)
        };
        while too_large(self) {
            // The entry that is redone last is the least useful one if nothing is left to undo.
            let oldest = match self.done.pop_front() {
                Some(entry) => entry,
                None => self.undone.remove(0),
            };
            self.bytes -= oldest.bytes;
            self.dropped += 1;
        }
    }
}

/// Estimated memory of an edit on the heap, in bytes. It depends on the edit only, not on the
/// capacity of its vectors, so that a replayed history drops the same entries.
fn edit_bytes(edit: &Edit) -> usize {
    let path_and = |path: &Path, value: &Value| path_bytes(path) + value_bytes(value);
    match edit {
        Edit::Set { path, value } | Edit::Restore { path, value, .. } => path_and(path, value),
        Edit::Insert { list, value, .. } => path_and(list, value),
        Edit::SetKey { channel, value, .. } => path_and(channel, value),
        Edit::Unset { path } => path_bytes(path),
        Edit::Remove { list, .. } | Edit::Move { list, .. } => path_bytes(list),
        Edit::RemoveKey { channel, .. } => path_bytes(channel),
        Edit::Rename { from, to, .. } => from.len() + to.len(),
        Edit::Batch(edits) => edits.iter().map(|edit| size_of::<Edit>() + edit_bytes(edit)).sum(),
    }
}

fn path_bytes(path: &Path) -> usize {
    let name = |step: &Step| if let Step::Field(name) = step { name.len() } else { 0 };
    path.steps().iter().map(|step| size_of::<Step>() + name(step)).sum()
}

fn value_bytes(value: &Value) -> usize {
    match value {
        Value::Number(_) | Value::Switch(_) => 0,
        Value::Text(text) => text.len(),
        Value::List(list) => list.iter().map(|value| size_of::<Value>() + value_bytes(value)).sum(),
        Value::Table(table) => {
            let field = size_of::<(std::sync::Arc<str>, Value)>() + 2 * size_of::<usize>();
            table.iter().map(|(name, value)| field + name.len() + value_bytes(value)).sum()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str) -> Entry {
        let edit = Edit::Unset { path: Path::root().field("shot") };
        Entry::new(name.to_owned(), edit.clone(), edit)
    }

    fn names(history: &History) -> Vec<&str> {
        history.done().map(|entry| &*entry.name).collect()
    }

    #[test]
    fn the_oldest_entries_are_dropped_beyond_the_limit() {
        let mut history = History::new(HistoryLimit { entries: 3, ..HistoryLimit::DEFAULT });
        for name in ["a", "b", "c", "d"] {
            history.push(entry(name));
        }
        assert_eq!(names(&history), ["b", "c", "d"]);
        assert_eq!(history.dropped(), 1);
        let each = history.bytes() / 3;
        history.set_limit(HistoryLimit { entries: 9, bytes: 2 * each });
        assert_eq!(names(&history), ["c", "d"]);
        assert_eq!(history.bytes(), 2 * each);
    }

    #[test]
    fn the_newest_entry_stays_even_if_it_exceeds_the_limit() {
        let mut history = History::new(HistoryLimit { entries: 0, bytes: 0 });
        history.push(entry("a"));
        history.push(entry("b"));
        assert_eq!(names(&history), ["b"]);
    }

    #[test]
    fn a_new_entry_drops_the_redo_branch() {
        let mut history = History::new(HistoryLimit::DEFAULT);
        for name in ["a", "b", "c"] {
            history.push(entry(name));
        }
        let bytes = history.bytes();
        history.note_undone(2);
        assert_eq!(names(&history), ["a"]);
        let redo: Vec<&str> = history.undone().map(|entry| &*entry.name).collect();
        assert_eq!(redo, ["b", "c"]);
        assert_eq!(history.bytes(), bytes, "undone entries still take memory");
        history.push(entry("d"));
        assert_eq!((names(&history), history.undone().len()), (vec!["a", "d"], 0));
        assert_eq!(history.bytes(), bytes / 3 * 2);
    }
}
