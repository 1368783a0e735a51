//! Everything that can be wrong with a document, told in words: `lariat check`.
//!
//! A diagnostic has a code, the place in the file, the numbers, and the way out. All of them come
//! in one run. Reading finds what concerns the file, lowering what concerns the words; what only
//! shows when frames are evaluated is added by `lariat-eval`, with codes from the same table.

mod codes;
mod diagnostic;
#[cfg(test)]
mod tests;

pub use codes::Code;
pub use diagnostic::{Diagnostic, FrameRange, Label, Severity};

use crate::{
    document::Document,
    format::read_bytes,
    limits::Limits,
    lower::{Lowered, lower},
    place::Places,
};

/// What came of looking at a file.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Everything found, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
    /// What the file holds, unless it could not be read at all.
    pub content: Option<Content>,
}

/// What a file holds.
#[derive(Clone, Debug)]
pub struct Content {
    /// The document as it stands.
    pub document: Document,
    /// Where everything stands.
    pub places: Places,
    /// What is good of it.
    pub lowered: Lowered,
}

impl Checked {
    /// Whether any diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Reads and lowers a file, and tells everything that is wrong with it.
pub fn check(bytes: &[u8], limits: &Limits) -> Checked {
    match read_bytes(bytes, limits) {
        Err(diagnostics) => Checked { diagnostics, content: None },
        Ok(read) => {
            let (lowered, found) = lower(&read.document, &read.places, limits);
            let mut diagnostics = read.diagnostics;
            diagnostics.extend(found);
            let content = Content { document: read.document, places: read.places, lowered };
            Checked { diagnostics, content: Some(content) }
        }
    }
}

/// The page about a code: what it means, why it matters, an example, how to mend it.
pub fn explain(code: &str) -> Option<&'static str> {
    Code::find(code).map(Code::page)
}
