//! Diagnostics as text and JSON.
//!
//! ```text
//! text.rs     annotated source lines
//! json.rs     the same fields as JSON
//! lines.rs    line index of a file
//! tally.rs    the summary: "1 error, 0 warnings in 4 bodies, 120 frames"
//! ```

mod json;
mod lines;
mod tally;
mod text;

pub(crate) use json::write_diagnostics;
pub(crate) use tally::{Frames, Tally};
pub(crate) use text::Drawing;
