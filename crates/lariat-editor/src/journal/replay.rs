//! Replaying a journal: the editor after its last complete line.

use lariat_scene::{
    Edit,
    check::Diagnostic,
    edit::{EditTextError, unquote},
    format,
};

use super::{
    VERSION, base_hash,
    line::{Chain, next_line},
};
use crate::editor::{Editor, EditorError, Options, SaveState};

/// A document recovered from a journal.
#[derive(Debug)]
pub struct Recovery {
    /// The document with its history, without a journal. It is modified if it differs from the last
    /// saved state.
    pub editor: Editor,
    /// Name of the document in the journal.
    pub label: String,
    /// Number of replayed entries.
    pub entries: usize,
    /// First line that could not be replayed, if any; it and all later ones are lost.
    pub damage: Option<Damage>,
}

/// A line at which replaying stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Number of the line, from 1.
    pub line: usize,
    /// Its first byte. The journal before it is intact.
    pub byte: usize,
    /// Reason.
    pub why: String,
}

/// Error of [`replay`]: nothing can be recovered.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecoveryError {
    /// The first line is not the header of a journal.
    #[error("not a journal: {why}")]
    NotAJournal {
        /// Reason.
        why: String,
    },
    /// The journal was written by a later version.
    #[error("the journal has format version {found}; this program reads version {VERSION}")]
    Version {
        /// Version of the journal.
        found: u32,
    },
    /// The text of the document is damaged.
    #[error("the document in line {} of the journal is damaged: {}", damage.line, damage.why)]
    Damaged {
        /// The line.
        damage: Damage,
    },
    /// The text in the journal is not a document.
    #[error("the text in the journal is not a document: {}", diagnostics.first().map_or("", |d| &d.message))]
    Unreadable {
        /// Its diagnostics.
        diagnostics: Vec<Diagnostic>,
    },
}

/// Lines of a journal with their positions.
struct Lines<'j> {
    bytes: &'j [u8],
    rest: &'j [u8],
    chain: Chain,
    line: usize,
}

impl<'j> Lines<'j> {
    /// The next line; `None` at the end.
    fn next(&mut self) -> Result<Option<&'j str>, Damage> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        match next_line(self.rest, self.chain) {
            Ok((content, chain, rest)) => {
                (self.chain, self.rest) = (chain, rest);
                Ok(Some(content))
            }
            Err(why) => Err(self.damage_at(self.rest, why)),
        }
    }

    fn damage_at(&self, from: &[u8], why: impl Into<String>) -> Damage {
        Damage { line: self.line, byte: self.bytes.len() - from.len(), why: why.into() }
    }
}

/// Name of the document in a journal, without replaying it; none if it is not a journal.
pub fn label(journal: &[u8]) -> Option<String> {
    let (line, _, _) = next_line(journal, Chain::default()).ok()?;
    header_of(line).ok().map(|(_, label)| label)
}

/// Opens the document of a journal and replays all complete lines.
pub fn replay(journal: &[u8], options: Options) -> Result<Recovery, RecoveryError> {
    let mut lines = Lines { bytes: journal, rest: journal, chain: Chain::default(), line: 0 };
    let not_a_journal = |why: &str| RecoveryError::NotAJournal { why: why.to_owned() };
    let header = lines.next().map_err(|damage| not_a_journal(&damage.why))?;
    let (hash, label) = header_of(header.ok_or_else(|| not_a_journal("it is empty"))?)?;
    let damaged = |damage| RecoveryError::Damaged { damage };
    let line = lines.next().map_err(damaged)?;
    let base = line.and_then(|line| text_of(line, "base")).filter(|base| base_hash(base) == hash);
    let Some(base) = base else {
        let why = "it is not the text of the header";
        return Err(RecoveryError::Damaged { damage: lines.damage_at(lines.rest, why) });
    };
    let mut editor = Editor::open(&base, options)
        .map_err(|diagnostics| RecoveryError::Unreadable { diagnostics })?;

    let (mut entries, mut damage) = (0, None);
    let mut first = true;
    loop {
        let from = lines.rest;
        match lines.next() {
            Ok(None) => break,
            Ok(Some(line)) => match event(&mut editor, line, std::mem::take(&mut first)) {
                Ok(is_entry) => entries += usize::from(is_entry),
                Err(why) => {
                    damage = Some(lines.damage_at(from, why));
                    break;
                }
            },
            Err(torn) => {
                damage = Some(torn);
                break;
            }
        }
    }
    Ok(Recovery { editor, label, entries, damage })
}

/// Hash and label of a header.
fn header_of(line: &str) -> Result<(u128, String), RecoveryError> {
    let wrong = || RecoveryError::NotAJournal { why: "its first line is not a header".to_owned() };
    let rest = line.strip_prefix("lariat-journal ").ok_or_else(wrong)?;
    let (version, rest) = rest.split_once(' ').ok_or_else(wrong)?;
    let found: u32 = version.parse().map_err(|_| wrong())?;
    if found != VERSION {
        return Err(RecoveryError::Version { found });
    }
    let (hash, label) =
        rest.strip_prefix("base ").and_then(|rest| rest.split_once(" of ")).ok_or_else(wrong)?;
    let hash = u128::from_str_radix(hash, 16).map_err(|_| wrong())?;
    let (label, _) = unquote(label).map_err(|_| wrong())?;
    Ok((hash, label))
}

/// Text after a word.
fn text_of(line: &str, word: &str) -> Option<String> {
    let rest = line.strip_prefix(word)?.strip_prefix(' ')?;
    unquote(rest).ok().filter(|(_, rest)| rest.is_empty()).map(|(text, _)| text)
}

/// Replays one line; returns true if it is an entry of the history.
fn event(editor: &mut Editor, line: &str, is_first: bool) -> Result<bool, String> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let count = || rest.parse::<usize>().map_err(|_| format!("`{rest}` is not a number"));
    let quoted = || text_of(line, word).ok_or_else(|| format!("no text after `{word}`"));
    match word {
        "do" => {
            let (name, edit) = unquote(rest).map_err(|error| column_error(&error))?;
            let edit: Edit = edit.parse().map_err(|error| column_error(&error))?;
            let before = editor.history().done().len() as u64 + editor.history().dropped();
            editor.apply(name, &edit).map_err(|error: EditorError| error.to_string())?;
            let after = editor.history().done().len() as u64 + editor.history().dropped();
            // Every entry changed the document when it was made.
            if after == before { Err("the entry changes nothing".to_owned()) } else { Ok(true) }
        }
        "undo" | "redo" => {
            let count = count()?;
            let change =
                if word == "undo" { editor.undo_many(count) } else { editor.redo_many(count) };
            match change.map_or(0, |change| change.entries) {
                all if all == count => Ok(false),
                some => Err(format!("only {some} of {count} entries to {word}")),
            }
        }
        "saved" => {
            let state = match rest.is_empty() {
                true => editor.save_state(),
                false => state_of(editor, quoted()?)?,
            };
            editor.mark_saved(state);
            Ok(false)
        }
        "start" if is_first => {
            let state = state_of(editor, quoted()?)?;
            editor.start_at(state.document);
            Ok(false)
        }
        _ => Err(format!("unknown event `{word}`")),
    }
}

fn state_of(editor: &Editor, text: String) -> Result<SaveState, String> {
    match format::read_bytes(text.as_bytes(), editor.limits()) {
        Ok(read) => Ok(SaveState { text, document: read.document }),
        Err(_) => Err("the text is not a document".to_owned()),
    }
}

fn column_error(error: &EditTextError) -> String {
    error.to_string()
}
