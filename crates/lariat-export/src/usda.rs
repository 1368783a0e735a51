//! USD as text: every strand as a curve with time samples, optionally as a tube mesh; meshes.
//!
//! Tested in Blender 4.2, 4.5 and 5.2 and with Pixar's library:
//!
//! * Metres, Z up, one time code per frame. Rate, first and last frame and a default prim are
//!   always present.
//! * A strand is a `BasisCurves` of type linear. `widths` are diameters. A closed strand repeats
//!   its first point at the end, as it does in memory.
//! * `primvars:twist` is in degrees. `primvars:frame` turns X onto the tangent, Y onto the normal
//!   and Z onto the binormal, twist included. The second component of `primvars:st` runs from 0 to
//!   1 along the strand, the first around it; on pieces of a torn rope it refers to the whole rope.
//! * Constant attributes are written once, the others as time samples.
//! * A piece of a torn rope is a separate prim, hidden until it tears off, with counts that change
//!   when it tears again. Its velocities are measured on the side of a tear where it is unchanged.
//! * A strand that is absent at some frame is invisible there. For tools that do not animate
//!   visibility (Blender) it also collapses to two coincident points without width. An empty curve
//!   would be simpler, but crashes Blender 4.2.
//! * A mesh body is a `Mesh`, regardless of the options for strands; see `usda/mesh.rs`.
//! * A camera is a `Camera` beside the bodies; see `usda/camera.rs`.
//! * Prims are named `body/body_strand`, because many tools show only the last component. The
//!   original names are stored as `lariat:name`.
//!
//! Positions are exact to 32 bits; directions have six decimals.

mod camera;
mod curve;
mod mesh;
mod part;
mod tube;

use std::io::Write;

use lariat_core::geometry::{Footage, Mesh};

use self::mesh::MeshPart;
use self::part::Part;
use crate::mesh::MeshRole;
use crate::names::identifiers;
use crate::still::{Place, Still};
use crate::stream::{Body, FormatWriter, Piece, stream};
use crate::survey::Role;
use crate::text_buffer::TextBuffer;
use crate::{ExportError, Options, Progress, Summary, Timing};

/// The prim that holds all bodies.
const ROOT: &str = "Lariat";

/// Documentation string of the file.
const DOC: &str = "Ropes by Lariat. Metres, Z up, one time code per frame. Widths are diameters; \
primvars:twist is in degrees; primvars:frame turns X, Y, Z onto tangent, normal, binormal, \
twist included; lariat:name is the name in the scene.";

/// Writes all bodies of the footage as a `.usda` file.
pub fn write(
    footage: &dyn Footage,
    timing: &Timing,
    options: &Options,
    out: &mut dyn Write,
    progress: &dyn Progress,
) -> Result<Summary, ExportError> {
    options.check_shapes()?;
    let bodies = (0..footage.body_count()).map(|body| footage.body_name(body));
    let prims = identifiers(bodies.chain(footage.camera_names()));
    let cameras = camera::all(footage, timing, &prims[footage.body_count()..])?;
    let usda = Usda { timing, options, prims, cameras };
    stream(&usda, footage, timing, options, out, progress)
}

/// Writer of USD.
struct Usda<'a> {
    timing: &'a Timing,
    options: &'a Options,
    /// Prim names of the bodies, then of the cameras.
    prims: Vec<String>,
    /// Text of the cameras, which follow the bodies.
    cameras: TextBuffer,
}

/// Context of writing one prim of a strand.
struct Prim<'a> {
    body: &'a Body,
    role: &'a Role,
    name: &'a str,
}

impl Usda<'_> {
    /// Attributes of a curve, in the order of the file.
    fn curve_parts(&self) -> Vec<Part> {
        let mut parts = vec![Part::Counts, Part::Extent, Part::Points, Part::Widths];
        parts.extend(self.options.velocities.then_some(Part::Velocities));
        parts.extend([Part::Colour, Part::Twist, Part::Along]);
        parts.extend(self.options.orientations.then_some(Part::Orientations));
        parts
    }

    /// Sections of a prim: opening, constant attributes, time samples, end.
    fn prim(
        &self,
        prim: &Prim,
        kind: &str,
        fixed: &str,
        parts: &[Part],
        pieces: &mut Vec<Piece<Part>>,
    ) -> Result<(), ExportError> {
        let Prim { body, role, name } = *prim;
        let mut text = opening(kind, name, &role.name, &role.first.strand.look.name);
        text.text(fixed);
        self.visibility(|at| part::is_drawn(role.counts[at]), &mut text);

        for &part in parts {
            if part.changes(role) {
                part.open_samples(role, &mut text);
                pieces.push(Piece::Text(std::mem::take(&mut text)));
                pieces.push(Piece::Samples(part));
                text.text("            }\n");
            } else {
                let frame = self.timing.frames()[role.first_index()];
                let place = Place { body: &body.name, strand: &role.name, frame };
                part.open_once(role, &mut text);
                self.value(part, role, Some(&role.first), &place, &mut text)?;
                part.close_once(role, &mut text);
            }
        }
        text.text("        }\n");
        pieces.push(Piece::Text(text));
        Ok(())
    }

    /// Visibility, if it changes. Readers hold a token until the next sample.
    fn visibility(&self, shown: impl Fn(usize) -> bool, text: &mut TextBuffer) {
        let token = |at: usize| if shown(at) { "\"inherited\"" } else { "\"invisible\"" };
        let frames = self.timing.frames();
        let turns: Vec<usize> =
            (1..frames.len()).filter(|&at| shown(at) != shown(at - 1)).collect();
        if turns.is_empty() {
            if !shown(0) {
                text.text("            token visibility = \"invisible\"\n");
            }
            return;
        }
        text.text("            token visibility.timeSamples = {\n");
        for at in std::iter::once(0).chain(turns) {
            text.text("                ");
            text.whole(frames[at]);
            text.text(": ");
            text.text(token(at));
            text.text(",\n");
        }
        text.text("            }\n");
    }

    /// Value of one attribute at one frame.
    fn value(
        &self,
        part: Part,
        role: &Role,
        still: Option<&Still>,
        place: &Place,
        out: &mut TextBuffer,
    ) -> Result<(), ExportError> {
        let drawn = still.filter(|still| part::is_drawn(Some(still.len())));
        if part.is_of_a_tube() {
            return tube::value(part, drawn, self.options.tubes.unwrap_or_default(), place, out);
        }
        match drawn {
            Some(still) => curve::value(part, still, role.even, place, out),
            None => curve::value(part, &curve::stand_in(role), role.even, place, out),
        }
    }
}

/// Opening of a prim, before its attributes.
fn opening(kind: &str, prim: &str, name: &str, look: &str) -> TextBuffer {
    let mut text = TextBuffer::new();
    text.text("\n        def ");
    text.text(kind);
    text.text(" \"");
    text.text(prim);
    text.text("\"\n        {\n            custom string lariat:name = ");
    text.usd_string(name);
    text.text("\n            custom string lariat:material = ");
    text.usd_string(look);
    text.byte(b'\n');
    text
}

impl FormatWriter for Usda<'_> {
    type Row = Part;
    type MeshRow = MeshPart;

    fn velocities(&self) -> bool {
        self.options.velocities && self.options.curves
    }

    fn uses_velocities(&self, row: &Part) -> bool {
        *row == Part::Velocities
    }

    fn bytes_per_point(&self) -> usize {
        let curve = 34
            + if self.options.orientations { 40 } else { 0 }
            + if self.options.velocities { 36 } else { 0 };
        let tube = self.options.tubes.map_or(0, |tubes| tubes.sides * 64);
        tube + if self.options.curves { curve } else { 0 }
    }

    fn labels(&self, body: usize, roles: &[Role]) -> Vec<String> {
        let prim = &self.prims[body];
        let curves = roles.iter().map(|role| format!("{prim}_{}", role.name));
        let tubes = roles.iter().map(|role| format!("{prim}_{}_tube", role.name));
        // The mesh comes last.
        let mesh = std::iter::once(format!("{prim}_mesh"));
        let names: Vec<String> = curves.chain(tubes).chain(mesh).collect();
        identifiers(names.iter().map(String::as_str))
    }

    fn head(&self, out: &mut TextBuffer) {
        let frames = self.timing.frames();
        out.text("#usda 1.0\n(\n    defaultPrim = \"");
        out.text(ROOT);
        out.text("\"\n    doc = \"");
        out.text(DOC);
        out.text("\"\n    endTimeCode = ");
        out.whole(frames[frames.len() - 1]);
        out.text("\n    framesPerSecond = ");
        out.double(self.timing.rate().per_second());
        out.text("\n    metersPerUnit = 1\n    startTimeCode = ");
        out.whole(frames[0]);
        out.text("\n    timeCodesPerSecond = ");
        out.double(self.timing.rate().per_second());
        out.text("\n    upAxis = \"Z\"\n)\n\ndef Xform \"");
        out.text(ROOT);
        out.text("\" (\n    kind = \"component\"\n)\n{\n");
    }

    fn body_head(&self, body: &Body, out: &mut TextBuffer) {
        if body.index > 0 {
            out.byte(b'\n');
        }
        out.text("    def Xform \"");
        out.text(&self.prims[body.index]);
        out.text("\"\n    {\n        custom string lariat:name = ");
        out.usd_string(&body.name);
        out.byte(b'\n');
    }

    fn strand(&self, body: &Body, strand: usize) -> Result<Vec<Piece<Part>>, ExportError> {
        let role = &body.roles()[strand];
        let mut pieces = Vec::new();
        if self.options.curves {
            let prim = Prim { body, role, name: &body.labels[strand] };
            let parts = self.curve_parts();
            self.prim(&prim, "BasisCurves", curve::FIXED, &parts, &mut pieces)?;
        }
        if self.options.tubes.is_some() {
            let prim = Prim { body, role, name: &body.labels[body.roles().len() + strand] };
            self.prim(&prim, "Mesh", tube::fixed(role), &tube::PARTS, &mut pieces)?;
        }
        Ok(pieces)
    }

    fn sample(
        &self,
        row: &Part,
        body: &Body,
        strand: usize,
        at: usize,
        still: Option<&Still>,
        out: &mut TextBuffer,
    ) -> Result<(), ExportError> {
        let role = &body.roles()[strand];
        let frame = self.timing.frames()[at];
        let place = Place { body: &body.name, strand: &role.name, frame };
        out.text("                ");
        out.whole(frame);
        out.text(": ");
        self.value(*row, role, still, &place, out)?;
        out.text(",\n");
        Ok(())
    }

    fn mesh(&self, body: &Body, role: &MeshRole) -> Result<Vec<Piece<MeshPart>>, ExportError> {
        let first = &role.first;
        let prim = body.labels.last().map_or("mesh", String::as_str);
        let mut text = opening("Mesh", prim, &first.name, &first.look.name);
        text.text(mesh::FIXED);
        self.visibility(|at| role.there[at], &mut text);
        let mut pieces = Vec::new();
        for part in mesh::parts(role) {
            let (attribute, values) = part.declaration(role);
            if part.changes(role) {
                part::open_samples(&attribute, values, &mut text);
                pieces.push(Piece::Text(std::mem::take(&mut text)));
                pieces.push(Piece::Samples(part));
                text.text("            }\n");
            } else {
                let frame = self.timing.frames()[role.first_index()];
                let place = Place { body: &body.name, strand: &first.name, frame };
                part::open_once(&attribute, &mut text);
                part.value(role, Some(first), &place, &mut text)?;
                part::close_once(values, &mut text);
            }
        }
        text.text("        }\n");
        pieces.push(Piece::Text(text));
        Ok(pieces)
    }

    fn mesh_sample(
        &self,
        row: &MeshPart,
        body: &Body,
        role: &MeshRole,
        at: usize,
        mesh: Option<&Mesh>,
        out: &mut TextBuffer,
    ) -> Result<(), ExportError> {
        let frame = self.timing.frames()[at];
        let place = Place { body: &body.name, strand: &role.first.name, frame };
        out.text("                ");
        out.whole(frame);
        out.text(": ");
        row.value(role, mesh, &place, out)?;
        out.text(",\n");
        Ok(())
    }

    fn body_foot(&self, _body: &Body, out: &mut TextBuffer) {
        out.text("    }\n");
    }

    fn foot(&self, out: &mut TextBuffer) {
        out.bytes(self.cameras.as_bytes());
        out.text("}\n");
    }
}
