//! Diagnostics of a document, as `lariat check` prints them.
//!
//! A diagnostic has a code, the place in the file, the numbers, and help. One run reports all of
//! them: reading reports problems of the file, lowering those of the parameters. `lariat-eval` adds
//! those that need evaluated frames, with codes from the same table.

mod codes;
mod diagnostic;
#[cfg(test)]
mod tests;

pub use codes::Code;
pub use diagnostic::{Diagnostic, FrameRange, Label, Remedy, Severity};

use crate::{
    document::Document,
    format::read_bytes,
    limits::Limits,
    lower::{Lowered, lower},
    place::Places,
};

/// Result of [`check`].
#[derive(Clone, Debug)]
pub struct Checked {
    /// All diagnostics, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
    /// Content of the file, unless it could not be read.
    pub content: Option<Content>,
}

/// Content of a file.
#[derive(Clone, Debug)]
pub struct Content {
    /// The document as written.
    pub document: Document,
    /// Position of every value in the file.
    pub places: Places,
    /// The parts without errors.
    pub lowered: Lowered,
}

impl Checked {
    /// Returns true if any diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Reads and lowers a file, and reports all diagnostics.
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

/// Returns the page of a code in Markdown: the cause, an example and the fix.
pub fn explain(code: &str) -> Option<&'static str> {
    Code::find(code).map(Code::page)
}
