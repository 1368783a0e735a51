//! Diagnostics as people and programs read them.
//!
//! ```text
//! text.rs     a diagnostic drawn under the lines of the file it is about
//! json.rs     the same fields for programs
//! lines.rs    where the lines of a file begin
//! tally.rs    how many there are: "1 error, 0 warnings in 4 bodies, 120 frames"
//! ```

mod json;
mod lines;
mod tally;
mod text;

pub(crate) use json::write_diagnostics;
pub(crate) use tally::{Frames, Tally};
pub(crate) use text::Drawing;

use lariat_scene::check::{Code, Diagnostic};

/// Puts diagnostics in the order of the file; those about the whole file come first, then what may be why
/// something tears, then what tears, and the one that counts the rest last.
pub(crate) fn in_order(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|diagnostic| {
        let last = [Code::StringTorn, Code::TooManyDiagnostics];
        let last =
            last.iter().position(|code| *code == diagnostic.code).map_or(0, |place| place + 1);
        (last, diagnostic.span().map(|span| span.start))
    });
}
