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
//! frame
//! if they change. Torn ends are marked as `"torn":[false,true]`, start and end; a rope that may
//! tear
//! has `"piece":[0.25,1]`, the range of the whole rope that it covers. On request every frame also
//! has `tangents` and `normals` (before twist). Numbers read back as the same 64 bits. Each line
//! has
//! one frame of one strand, so scripts can process the file line by line.

use std::io::Write;

use glam::DVec3;
use lariat_core::curve::Frame;
use lariat_core::geometry::{Footage, Look, Mesh, MeshTopology};

use crate::mesh::MeshRole;
use crate::pen::Pen;
use crate::still::{Place, Still};
use crate::stream::{Body, Form, Piece, stream};
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

impl Form for Json<'_> {
    type Row = ();
    type MeshRow = ();

    fn bytes_per_point(&self) -> usize {
        if self.axes { 210 } else { 90 }
    }

    fn head(&self, pen: &mut Pen) {
        let rate = self.timing.rate();
        pen.text("{\"shot\":{\"fps\":");
        pen.double(rate.per_second());
        pen.text(",\"rate\":[");
        pen.count(rate.numerator().into());
        pen.byte(b',');
        pen.count(rate.denominator().into());
        pen.text("],\"frames\":");
        for (index, &frame) in self.timing.frames().iter().enumerate() {
            pen.byte(if index == 0 { b'[' } else { b',' });
            pen.whole(frame);
        }
        pen.text("],\"unit\":\"m\",\"up\":\"z\"},\n\"bodies\":[");
    }

    fn body_head(&self, body: &Body, pen: &mut Pen) {
        pen.text(if body.index > 0 { ",\n{\"name\":" } else { "\n{\"name\":" });
        pen.json_string(&body.name);
        pen.text(",\"strands\":[");
    }

    fn strand(&self, body: &Body, strand: usize) -> Result<Vec<Piece<()>>, ExportError> {
        let role = &body.roles()[strand];
        let frame = self.timing.frames()[role.entrance()];
        let place = Place { body: &body.name, strand: &role.name, frame };
        let mut head = Pen::new();
        head.text(if strand > 0 { ",\n{\"name\":" } else { "\n{\"name\":" });
        head.json_string(&role.name);
        head.byte(b',');
        if !role.changes.closed {
            closed(role.first.strand.closed, &mut head);
        }
        if !role.changes.look {
            look(&role.first.strand.look, &place, &mut head)?;
        }
        head.text("\"frames\":[");
        let mut foot = Pen::new();
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
        pen: &mut Pen,
    ) -> Result<(), ExportError> {
        let Some(still) = still else { return Ok(()) };
        let role = &body.roles()[strand];
        let frame = self.timing.frames()[at];
        let place = Place { body: &body.name, strand: &role.name, frame };
        let strand = &still.strand;
        pen.text(if at == role.entrance() { "\n{\"frame\":" } else { ",\n{\"frame\":" });
        pen.whole(frame);
        pen.byte(b',');
        if role.changes.closed {
            closed(strand.closed, pen);
        }
        if role.changes.look {
            look(&strand.look, &place, pen)?;
        }
        if strand.torn != [false; 2] {
            let [start, end] = strand.torn.map(|torn| if torn { "true" } else { "false" });
            pen.text("\"torn\":[");
            pen.text(start);
            pen.byte(b',');
            pen.text(end);
            pen.text("],");
        }
        if let Some(piece) = strand.piece {
            pen.text("\"piece\":");
            numbers([piece.from, piece.to].into_iter(), "place", &place, pen)?;
            pen.byte(b',');
        }
        pen.text("\"points\":");
        vectors(strand.points().iter().copied(), "position", &place, pen)?;
        pen.text(",\"radius\":");
        numbers(strand.radius().iter().copied(), "radius", &place, pen)?;
        pen.text(",\"twist_degrees\":");
        numbers(strand.twist().iter().map(|twist| twist.to_degrees()), "twist", &place, pen)?;
        if self.axes {
            pen.text(",\"tangents\":");
            vectors(strand.frames().iter().map(Frame::tangent), "tangent", &place, pen)?;
            pen.text(",\"normals\":");
            vectors(strand.frames().iter().map(Frame::normal), "normal", &place, pen)?;
        }
        pen.byte(b'}');
        Ok(())
    }

    fn mesh(&self, body: &Body, role: &MeshRole) -> Result<Vec<Piece<()>>, ExportError> {
        let first = &role.first;
        let frame = self.timing.frames()[role.entrance()];
        let place = Place { body: &body.name, strand: &first.name, frame };
        let mut head = Pen::new();
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
        let mut foot = Pen::new();
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
        pen: &mut Pen,
    ) -> Result<(), ExportError> {
        let Some(mesh) = mesh else { return Ok(()) };
        let frame = self.timing.frames()[at];
        let place = Place { body: &body.name, strand: &mesh.name, frame };
        pen.text(if at == role.entrance() { "\n{\"frame\":" } else { ",\n{\"frame\":" });
        pen.whole(frame);
        pen.byte(b',');
        if role.colours {
            paint(mesh, &place, pen)?;
        }
        if role.shape {
            shape(mesh.shape(), &place, pen)?;
        }
        pen.text("\"points\":");
        vectors(mesh.points().iter().copied(), "position", &place, pen)?;
        if self.axes {
            pen.text(",\"normals\":");
            vectors(mesh.normals().iter().copied(), "normal", &place, pen)?;
        }
        pen.byte(b'}');
        Ok(())
    }

    fn body_foot(&self, body: &Body, pen: &mut Pen) {
        pen.text(if body.mesh.is_some() { "}" } else { "]}" });
    }

    fn foot(&self, pen: &mut Pen) {
        pen.text("]}\n");
    }
}

/// `"closed":false,`
fn closed(closed: bool, pen: &mut Pen) {
    pen.text(if closed { "\"closed\":true," } else { "\"closed\":false," });
}

/// `"material":{…},`
fn look(look: &Look, place: &Place, pen: &mut Pen) -> Result<(), ExportError> {
    pen.text("\"material\":{\"name\":");
    pen.json_string(&look.name);
    pen.text(",\"colour\":");
    numbers(look.colour.into_iter(), "colour", place, pen)?;
    pen.text("},");
    Ok(())
}

/// `"material":{…},` and, if points have their own, `"colours":[…],`
fn paint(mesh: &Mesh, place: &Place, pen: &mut Pen) -> Result<(), ExportError> {
    look(&mesh.look, place, pen)?;
    if let Some(colours) = mesh.colours() {
        pen.text("\"colours\":");
        vectors(colours.iter().map(|colour| DVec3::from(*colour)), "colour", place, pen)?;
        pen.byte(b',');
    }
    Ok(())
}

/// `"faces":{…},"attributes":{…},`
fn shape(shape: &MeshTopology, place: &Place, pen: &mut Pen) -> Result<(), ExportError> {
    let whole = |numbers: &[u32], pen: &mut Pen| {
        list(numbers, pen, |number, pen| {
            pen.count(u64::from(*number));
            Ok(())
        })
    };
    pen.text("\"faces\":{\"counts\":");
    whole(shape.counts(), pen)?;
    pen.text(",\"corners\":");
    whole(shape.corners(), pen)?;
    pen.text("},\"attributes\":{");
    for (index, attribute) in shape.attributes().iter().enumerate() {
        if index > 0 {
            pen.byte(b',');
        }
        pen.json_string(&attribute.name);
        pen.byte(b':');
        numbers(attribute.values.iter().copied(), "attribute", place, pen)?;
    }
    pen.text("},");
    Ok(())
}

fn numbers(
    numbers: impl Iterator<Item = f64>,
    what: &'static str,
    place: &Place,
    pen: &mut Pen,
) -> Result<(), ExportError> {
    list(numbers.enumerate(), pen, |(index, number), pen| {
        pen.double(place.finite(index, what, number)?);
        Ok(())
    })
}

fn vectors(
    vectors: impl Iterator<Item = DVec3>,
    what: &'static str,
    place: &Place,
    pen: &mut Pen,
) -> Result<(), ExportError> {
    list(vectors.enumerate(), pen, |(index, vector), pen| {
        list(vector.to_array(), pen, |value, pen| {
            pen.double(place.finite(index, what, value)?);
            Ok(())
        })
    })
}

/// `[a,b,c]`
fn list<T>(
    items: impl IntoIterator<Item = T>,
    pen: &mut Pen,
    mut write: impl FnMut(T, &mut Pen) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    pen.byte(b'[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            pen.byte(b',');
        }
        write(item, pen)?;
    }
    pen.byte(b']');
    Ok(())
}
