//! Findings as people and programs read them.
//!
//! ```text
//! text.rs     a finding drawn under the lines of the file it is about
//! json.rs     the same fields for programs
//! tally.rs    how many there are: "1 error, 0 warnings in 4 bodies, 120 frames"
//! ```

mod json;
mod tally;
mod text;

pub(crate) use json::write_findings;
pub(crate) use tally::{Frames, Tally};
pub(crate) use text::Drawing;

use lariat_scene::check::Diagnostic;

/// Puts findings in the order of the file; those without a place come first.
pub(crate) fn in_order(findings: &mut [Diagnostic]) {
    findings.sort_by_key(|finding| finding.span().map(|span| span.start));
}
