//! CSV: one row per point, for spreadsheets and scripts.
//!
//! `body,strand,frame,index,u,x,y,z,radius,twist_degrees`, and on request the unit vectors
//! `tx,ty,tz` (tangent) and `nx,ny,nz` (normal, before twist). Rows are sorted by body, strand,
//! frame and index. On a piece of a torn rope `u` refers to the whole rope, so a torn end has the
//! `u` of its tear. Meshes are written like strands, with empty fields for `u`, radius, twist and
//! tangent. Numbers read back as the same 64 bits. Names are quoted as RFC 4180 requires; lines end
//! in a newline.

use std::borrow::Cow;
use std::io::Write;

use lariat_core::geometry::{Footage, Mesh};

use crate::mesh::MeshRole;
use crate::still::{Place, Still};
use crate::stream::{Body, FormatWriter, Piece, stream};
use crate::text_buffer::TextBuffer;
use crate::{ExportError, Options, Progress, Summary, Timing};

/// Writes all bodies of the footage as rows.
pub fn write(
    footage: &dyn Footage,
    timing: &Timing,
    options: &Options,
    out: &mut dyn Write,
    progress: &dyn Progress,
) -> Result<Summary, ExportError> {
    stream(&Csv { timing, axes: options.axes }, footage, timing, options, out, progress)
}

/// Writer of CSV: a strand is one series of samples, each the lines of one frame.
struct Csv<'a> {
    timing: &'a Timing,
    axes: bool,
}

impl FormatWriter for Csv<'_> {
    type Row = ();
    type MeshRow = ();

    fn bytes_per_point(&self) -> usize {
        if self.axes { 240 } else { 120 }
    }

    fn head(&self, out: &mut TextBuffer) {
        out.text("body,strand,frame,index,u,x,y,z,radius,twist_degrees");
        out.text(if self.axes { ",tx,ty,tz,nx,ny,nz\n" } else { "\n" });
    }

    fn body_head(&self, _body: &Body, _pen: &mut TextBuffer) {}

    fn strand(&self, _body: &Body, _strand: usize) -> Result<Vec<Piece<()>>, ExportError> {
        Ok(vec![Piece::Samples(())])
    }

    fn sample(
        &self,
        _row: &(),
        body: &Body,
        strand: usize,
        at: usize,
        still: Option<&Still>,
        out: &mut TextBuffer,
    ) -> Result<(), ExportError> {
        let Some(still) = still else { return Ok(()) };
        let role = &body.roles()[strand];
        let frame = self.timing.frames()[at];
        let place = Place { body: &body.name, strand: &role.name, frame };
        let start = start_of(&body.name, &role.name, frame);
        let strand = &still.strand;
        for (index, point) in strand.points().iter().enumerate() {
            out.bytes(start.as_bytes());
            out.count(index as u64);
            let mut columns = |what: &'static str, values: &[f64]| {
                values.iter().try_for_each(|&value| {
                    out.byte(b',');
                    out.double(place.finite(index, what, value)?);
                    Ok::<(), ExportError>(())
                })
            };
            columns("position", &[strand.place(index), point.x, point.y, point.z])?;
            columns("radius", &[strand.radius()[index]])?;
            columns("twist", &[strand.twist()[index].to_degrees()])?;
            if self.axes {
                let frame = strand.frames()[index];
                columns("tangent", &frame.tangent().to_array())?;
                columns("normal", &frame.normal().to_array())?;
            }
            out.byte(b'\n');
        }
        Ok(())
    }

    fn mesh(&self, _body: &Body, _role: &MeshRole) -> Result<Vec<Piece<()>>, ExportError> {
        Ok(vec![Piece::Samples(())])
    }

    fn mesh_sample(
        &self,
        _row: &(),
        body: &Body,
        _role: &MeshRole,
        at: usize,
        mesh: Option<&Mesh>,
        out: &mut TextBuffer,
    ) -> Result<(), ExportError> {
        let Some(mesh) = mesh else { return Ok(()) };
        let start = start_of(&body.name, &mesh.name, self.timing.frames()[at]);
        for (index, (point, normal)) in mesh.points().iter().zip(mesh.normals()).enumerate() {
            out.bytes(start.as_bytes());
            out.count(index as u64);
            let mut columns = |empty: &str, values: [f64; 3]| {
                out.text(empty);
                for value in values {
                    out.byte(b',');
                    out.double(value);
                }
            };
            columns(",", point.to_array());
            if self.axes {
                columns(",,,,,", normal.to_array());
            } else {
                out.text(",,");
            }
            out.byte(b'\n');
        }
        Ok(())
    }

    fn body_foot(&self, _body: &Body, _pen: &mut TextBuffer) {}

    fn foot(&self, _pen: &mut TextBuffer) {}
}

/// `body,strand,frame,`
fn start_of(body: &str, strand: &str, frame: i64) -> TextBuffer {
    let mut start = TextBuffer::new();
    start.csv_field(body);
    start.byte(b',');
    start.csv_field(strand);
    start.byte(b',');
    start.whole(frame);
    start.byte(b',');
    start
}

/// A field of a CSV row, quoted as RFC 4180 requires.
pub fn field(text: &str) -> Cow<'_, str> {
    if text.contains(['"', ',', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}
