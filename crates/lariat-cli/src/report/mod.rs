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
