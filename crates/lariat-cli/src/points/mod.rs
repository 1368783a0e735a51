//! Points of bodies as text: what `lariat eval` prints.
//!
//! ```text
//! table.rs     rounded and in columns, for people
//! csv.rs       one row per point, with every digit
//! json.rs      frames, bodies, strands, points, with slack and warnings
//! remarks.rs   what is said about them on standard error
//! ```
//!
//! All three write frame after frame, and keep no more than one in memory. A body that is hidden
//! has no points.

mod csv;
mod json;
mod remarks;
mod table;

use std::io::{self, Write};

use lariat_core::geometry::{Mesh, Strand};
use lariat_eval::BodyMoment;
use lariat_scene::lower::Shot;

pub(crate) use remarks::Remarks;

/// A body's name, and what it looks like at a frame.
pub(crate) type Posed<'m> = (&'m str, &'m BodyMoment);

/// How points are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people: rounded, in columns
    #[default]
    Table,
    /// One row per point, with every digit
    Csv,
    /// Frames, bodies, strands, points, with every digit, slack and warnings
    Json,
}

/// Writes frames as they come.
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

/// What is drawn of a body: nothing if it is hidden.
fn strands(moment: &BodyMoment) -> &[Strand] {
    if moment.visible { &moment.strands } else { &[] }
}

/// Its mesh, if it has one and is not hidden.
fn mesh(moment: &BodyMoment) -> Option<&Mesh> {
    moment.mesh.as_ref().filter(|_| moment.visible)
}
