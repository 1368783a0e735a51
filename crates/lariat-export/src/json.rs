//! JSON: bodies, strands and their points at every frame, for scripts.
//!
//! ```json
//! {"shot":{"fps":24,"rate":[24,1],"frames":[1,2],"unit":"m","up":"z"},
//! "bodies":[
//! {"name":"rein","strands":[
//! {"name":"rope","closed":false,"material":{"name":"hemp","colour":[0.5,0.4,0.3]},"frames":[
//! {"frame":1,"points":[[0,0,2],[1,0,2]],"radius":[0.01,0.01],"twist_degrees":[0,0]},
//! {"frame":2,"points":[[0,0,2],[1,0,2]],"radius":[0.01,0.01],"twist_degrees":[0,0]}]}]}]}
//! ```
//!
//! A body that is a mesh has `"mesh":{…}` after its strands: name, material, `faces` with their
//! `counts` and `corners`, values at points as `attributes`, and `frames` with `points`. Properties
//! that change are written with the points of each frame.
//!
//! A strand has no entry for frames where it is absent. `closed` and `material` are written per
//! frame if they change. Torn ends are marked as `"torn":[false,true]`, start and end; a rope that
//! may tear has `"piece":[0.25,1]`, the range of the whole rope that it covers. On request every
//! frame also has `tangents` and `normals` (before twist). Numbers read back as the same 64 bits.
//! Each line has one frame of one strand, so scripts can process the file line by line.

use std::io::Write;

use glam::DVec3;
use lariat_core::curve::Frame;
use lariat_core::geometry::{Footage, Look, Mesh, MeshTopology};

use crate::mesh::MeshRole;
use crate::still::{Place, Still};
use crate::stream::{Body, FormatWriter, Piece, stream};
use crate::text_buffer::TextBuffer;
use crate::{ExportError, Options, Progress, Summary, Timing};

/// Writes all bodies of the footage as one JSON object.
pub fn write(
    footage: &dyn Footage,
    timing: &Timing,
    options: &Options,
    out: &mut dyn Write,
    progress: &dyn Progress,
) -> Result<Summary, ExportError> {
    stream(&Json { timing, axes: options.axes }, footage, timing, options, out, progress)
}

/// Writer of JSON: a strand is one series of samples, each the object of one frame.
struct Json<'a> {
    timing: &'a Timing,
    axes: bool,
}

impl FormatWriter for Json<'_> {
    type Row = ();
    type MeshRow = ();

    fn bytes_per_point(&self) -> usize {
        if self.axes { 210 } else { 90 }
    }

    fn head(&self, out: &mut TextBuffer) {
        let rate = self.timing.rate();
        out.text("{\"shot\":{\"fps\":");
        out.double(rate.per_second());
        out.text(",\"rate\":[");
        out.count(rate.numerator().into());
        out.byte(b',');
        out.count(rate.denominator().into());
        out.text("],\"frames\":");
        for (index, &frame) in self.timing.frames().iter().enumerate() {
            out.byte(if index == 0 { b'[' } else { b',' });
            out.whole(frame);
        }
        out.text("],\"unit\":\"m\",\"up\":\"z\"},\n\"bodies\":[");
    }

    fn body_head(&self, body: &Body, out: &mut TextBuffer) {
        out.text(if body.index > 0 { ",\n{\"name\":" } else { "\n{\"name\":" });
        out.json_string(&body.name);
        out.text(",\"strands\":[");
    }

    fn strand(&self, body: &Body, strand: usize) -> Result<Vec<Piece<()>>, ExportError> {
        let role = &body.roles()[strand];
        let frame = self.timing.frames()[role.first_index()];
        let place = Place { body: &body.name, strand: &role.name, frame };
        let mut head = TextBuffer::new();
        head.text(if strand > 0 { ",\n{\"name\":" } else { "\n{\"name\":" });
        head.json_string(&role.name);
        head.byte(b',');
        if !role.changes.closed {
            closed(role.first.strand.closed, &mut head);
        }
        if !role.changes.look {
            material(&role.first.strand.look, &place, &mut head)?;
        }
        head.text("\"frames\":[");
        let mut foot = TextBuffer::new();
        foot.text("]}");
        Ok(vec![Piece::Text(head), Piece::Samples(()), Piece::Text(foot)])
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
        let strand = &still.strand;
        out.text(if at == role.first_index() { "\n{\"frame\":" } else { ",\n{\"frame\":" });
        out.whole(frame);
        out.byte(b',');
        if role.changes.closed {
            closed(strand.closed, out);
        }
        if role.changes.look {
            material(&strand.look, &place, out)?;
        }
        if strand.torn != [false; 2] {
            let [start, end] = strand.torn.map(|torn| if torn { "true" } else { "false" });
            out.text("\"torn\":[");
            out.text(start);
            out.byte(b',');
            out.text(end);
            out.text("],");
        }
        if let Some(piece) = strand.piece {
            out.text("\"piece\":");
            numbers([piece.from, piece.to].into_iter(), "place", &place, out)?;
            out.byte(b',');
        }
        out.text("\"points\":");
        vectors(strand.points().iter().copied(), "position", &place, out)?;
        out.text(",\"radius\":");
        numbers(strand.radius().iter().copied(), "radius", &place, out)?;
        out.text(",\"twist_degrees\":");
        numbers(strand.twist().iter().map(|twist| twist.to_degrees()), "twist", &place, out)?;
        if self.axes {
            out.text(",\"tangents\":");
            vectors(strand.frames().iter().map(Frame::tangent), "tangent", &place, out)?;
            out.text(",\"normals\":");
            vectors(strand.frames().iter().map(Frame::normal), "normal", &place, out)?;
        }
        out.byte(b'}');
        Ok(())
    }

    fn mesh(&self, body: &Body, role: &MeshRole) -> Result<Vec<Piece<()>>, ExportError> {
        let first = &role.first;
        let frame = self.timing.frames()[role.first_index()];
        let place = Place { body: &body.name, strand: &first.name, frame };
        let mut head = TextBuffer::new();
        head.text("],\n\"mesh\":{\"name\":");
        head.json_string(&first.name);
        head.byte(b',');
        if !role.colours {
            paint(first, &place, &mut head)?;
        }
        if !role.shape {
            shape(first.shape(), &place, &mut head)?;
        }
        head.text("\"frames\":[");
        let mut foot = TextBuffer::new();
        foot.text("]}");
        Ok(vec![Piece::Text(head), Piece::Samples(()), Piece::Text(foot)])
    }

    fn mesh_sample(
        &self,
        _row: &(),
        body: &Body,
        role: &MeshRole,
        at: usize,
        mesh: Option<&Mesh>,
        out: &mut TextBuffer,
    ) -> Result<(), ExportError> {
        let Some(mesh) = mesh else { return Ok(()) };
        let frame = self.timing.frames()[at];
        let place = Place { body: &body.name, strand: &mesh.name, frame };
        out.text(if at == role.first_index() { "\n{\"frame\":" } else { ",\n{\"frame\":" });
        out.whole(frame);
        out.byte(b',');
        if role.colours {
            paint(mesh, &place, out)?;
        }
        if role.shape {
            shape(mesh.shape(), &place, out)?;
        }
        out.text("\"points\":");
        vectors(mesh.points().iter().copied(), "position", &place, out)?;
        if self.axes {
            out.text(",\"normals\":");
            vectors(mesh.normals().iter().copied(), "normal", &place, out)?;
        }
        out.byte(b'}');
        Ok(())
    }

    fn body_foot(&self, body: &Body, out: &mut TextBuffer) {
        out.text(if body.mesh.is_some() { "}" } else { "]}" });
    }

    fn foot(&self, out: &mut TextBuffer) {
        out.text("]}\n");
    }
}

/// `"closed":false,`
fn closed(closed: bool, out: &mut TextBuffer) {
    out.text(if closed { "\"closed\":true," } else { "\"closed\":false," });
}

/// `"material":{…},`
fn material(look: &Look, place: &Place, out: &mut TextBuffer) -> Result<(), ExportError> {
    out.text("\"material\":{\"name\":");
    out.json_string(&look.name);
    out.text(",\"colour\":");
    numbers(look.colour.into_iter(), "colour", place, out)?;
    out.text("},");
    Ok(())
}

/// `"material":{…},` and, if points have their own, `"colours":[…],`
fn paint(mesh: &Mesh, place: &Place, out: &mut TextBuffer) -> Result<(), ExportError> {
    material(&mesh.look, place, out)?;
    if let Some(colours) = mesh.colours() {
        out.text("\"colours\":");
        vectors(colours.iter().map(|colour| DVec3::from(*colour)), "colour", place, out)?;
        out.byte(b',');
    }
    Ok(())
}

/// `"faces":{…},"attributes":{…},`
fn shape(shape: &MeshTopology, place: &Place, out: &mut TextBuffer) -> Result<(), ExportError> {
    let whole = |numbers: &[u32], out: &mut TextBuffer| {
        list(numbers, out, |number, out| {
            out.count(u64::from(*number));
            Ok(())
        })
    };
    out.text("\"faces\":{\"counts\":");
    whole(shape.counts(), out)?;
    out.text(",\"corners\":");
    whole(shape.corners(), out)?;
    out.text("},\"attributes\":{");
    for (index, attribute) in shape.attributes().iter().enumerate() {
        if index > 0 {
            out.byte(b',');
        }
        out.json_string(&attribute.name);
        out.byte(b':');
        numbers(attribute.values.iter().copied(), "attribute", place, out)?;
    }
    out.text("},");
    Ok(())
}

fn numbers(
    numbers: impl Iterator<Item = f64>,
    what: &'static str,
    place: &Place,
    out: &mut TextBuffer,
) -> Result<(), ExportError> {
    list(numbers.enumerate(), out, |(index, number), out| {
        out.double(place.finite(index, what, number)?);
        Ok(())
    })
}

fn vectors(
    vectors: impl Iterator<Item = DVec3>,
    what: &'static str,
    place: &Place,
    out: &mut TextBuffer,
) -> Result<(), ExportError> {
    list(vectors.enumerate(), out, |(index, vector), out| {
        list(vector.to_array(), out, |value, out| {
            out.double(place.finite(index, what, value)?);
            Ok(())
        })
    })
}

/// `[a,b,c]`
fn list<T>(
    items: impl IntoIterator<Item = T>,
    out: &mut TextBuffer,
    mut write: impl FnMut(T, &mut TextBuffer) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    out.byte(b'[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.byte(b',');
        }
        write(item, out)?;
    }
    out.byte(b']');
    Ok(())
}
