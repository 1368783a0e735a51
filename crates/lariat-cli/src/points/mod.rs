//! Output formats of `lariat eval`.
//!
//! ```text
//! table.rs     rounded, in columns
//! csv.rs       one row per point, all digits
//! json.rs      frames, bodies, strands, points, with slack and warnings
//! summary.rs   slack and hidden bodies, on standard error
//! ```
//!
//! The formats write one frame at a time. Hidden bodies have no points.

mod csv;
mod json;
mod summary;
mod table;

use std::io::{self, Write};

use lariat_core::geometry::{Mesh, Strand};
use lariat_eval::BodyMoment;
use lariat_scene::lower::Shot;

pub(crate) use summary::Summary;

/// Name of a body, and its geometry at a frame.
pub(crate) type Posed<'m> = (&'m str, &'m BodyMoment);

/// Output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Rounded, in columns
    #[default]
    Table,
    /// One row per point, all digits
    Csv,
    /// Frames, bodies, strands and points, all digits, with slack and warnings
    Json,
}

/// Writer of frames.
pub(crate) trait Writer {
    fn begin(&mut self, shot: &Shot) -> io::Result<()>;
    fn frame(&mut self, frame: f64, bodies: &[Posed<'_>]) -> io::Result<()>;
    fn end(&mut self) -> io::Result<()>;
}

impl Format {
    /// A writer of this format.
    pub(crate) fn writer<'w>(self, out: &'w mut dyn Write) -> Box<dyn Writer + 'w> {
        match self {
            Self::Table => Box::new(table::Table::new(out)),
            Self::Csv => Box::new(csv::Csv { out }),
            Self::Json => Box::new(json::Frames::new(out)),
        }
    }
}

/// Strands of a body; none if it is hidden.
fn strands(moment: &BodyMoment) -> &[Strand] {
    if moment.visible { &moment.strands } else { &[] }
}

/// Mesh of a body, if it has one and is not hidden.
fn mesh(moment: &BodyMoment) -> Option<&Mesh> {
    moment.mesh.as_ref().filter(|_| moment.visible)
}
