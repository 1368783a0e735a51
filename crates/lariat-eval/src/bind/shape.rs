//! Shapes from a modes file: ropes or a mesh at the mean of their recorded motion, moved by modes.
//!
//! Like a mesh, a shape is posed in two steps: its points move in the space of the recording, then
//! the whole is scaled, rotated and translated. Ropes have the radius, twist and look of the first
//! frame of the recording, unless the document gives others; a cross-section is not recorded, so
//! they are round.
//!
//! Tests: `a_shape_stands_at_the_mean_of_its_recording`, `a_shape_can_be_a_mesh`,
//! `a_shape_is_sized_turned_and_shifted`.

use std::sync::Arc;

use glam::DVec3;
use lariat_core::curve::Framing;
use lariat_core::geometry::{Look, Mesh, MeshTopology, Profile, Strand, Sweep};
use lariat_core::modes::{Part, PartKind};
use lariat_scene::check::{Code, Diagnostic};
use lariat_scene::lower::Record;

use super::Body;
use super::mesh::{MESH, Placement, Placing};
use super::modes::{Modes, parts_of, set_of};
use super::paint::Paint;
use crate::assets::Assets;
use crate::moment::BodyMoment;
use crate::number::Number;
use crate::scene::World;
use crate::warning::Warning;

/// Radius of a rope without a recorded one, in metres: that of a thin rope.
const THIN: f64 = 0.01;

/// Default colours, linear: hemp for ropes, grey for meshes.
const HEMP: [f64; 3] = [0.45, 0.29, 0.13];
const GREY: [f64; 3] = [0.5; 3];

#[derive(Debug)]
pub(crate) struct BoundShape {
    recorded: Option<Recorded>,
    placing: Placing,
    modes: Modes,
    /// The painted field of a mesh.
    paint: Option<Paint>,
    /// The radius, if the document gives it.
    radius: Option<Number>,
    look: Option<Arc<str>>,
    /// True if the document gives a colour instead of that of the recording.
    own_colour: bool,
}

/// The geometry that the parts of a file make up.
#[derive(Debug)]
enum Recorded {
    Ropes { points: Vec<DVec3>, ropes: Vec<Rope> },
    Mesh(Box<Mesh>),
}

/// One strand of a recording.
#[derive(Debug)]
struct Rope {
    name: Arc<str>,
    count: usize,
    closed: bool,
    radius: Vec<f64>,
    twist: Vec<f64>,
    look: Option<Look>,
}

impl Recorded {
    fn points(&self) -> &[DVec3] {
        match self {
            Self::Ropes { points, .. } => points,
            Self::Mesh(mesh) => mesh.points(),
        }
    }
}

/// Number of points of a shape, and whether it is a mesh; none if its file could not be read.
pub(crate) fn count(body: &Record, assets: &Assets) -> Option<(usize, bool)> {
    let recorded = recorded(body, assets).ok()?;
    Some((recorded.points().len(), matches!(recorded, Recorded::Mesh(_))))
}

/// Diagnostic about the parts that a shape selects.
pub(crate) fn diagnostic(body: &Record, assets: &Assets) -> Option<Diagnostic> {
    recorded(body, assets).err().flatten()
}

/// The geometry of a shape. An error is `None` if another diagnostic reports it.
#[allow(clippy::result_large_err, reason = "a diagnostic is made at most once per body")]
fn recorded(body: &Record, assets: &Assets) -> Result<Recorded, Option<Diagnostic>> {
    let set = set_of(body, body, assets).ok_or(None)?;
    let parts = parts_of(body, body, &set).map_err(Some)?;
    let mut points = Vec::new();
    for (part, start) in &parts {
        let own = &set.mean()[3 * start..][..3 * part.points];
        points.extend(own.chunks_exact(3).map(|p| DVec3::new(p[0], p[1], p[2])));
    }
    if let [(Part { kind: PartKind::Mesh { counts, corners }, .. }, _)] = &parts[..] {
        let shape = MeshTopology::new(&points, counts.clone(), corners.clone());
        let look = Look { name: "plain".into(), colour: GREY };
        let mesh = shape.and_then(|shape| Mesh::new(MESH, shape, points, look));
        let mesh = mesh.map_err(|bad| Some(no_shape(body, &bad.to_string())))?;
        return Ok(Recorded::Mesh(Box::new(mesh)));
    }
    let meshes = parts.iter().filter(|(part, _)| matches!(part.kind, PartKind::Mesh { .. }));
    let (meshes, all) = (meshes.count(), parts.len());
    if meshes > 0 {
        let what = format!("there are {meshes} meshes and {} ropes", all - meshes);
        return Err(Some(no_shape(body, &what)));
    }
    let last = |part: &Part| part.name.rsplit('/').next().unwrap_or_default().to_owned();
    let mut ropes: Vec<Rope> = Vec::new();
    for (part, _) in parts {
        let PartKind::Strand { closed, radius, twist, look } = &part.kind else { continue };
        let short = last(part);
        let taken = ropes.iter().any(|rope| *rope.name == *short);
        let name = if taken || short.is_empty() { part.name.replace('/', "-") } else { short };
        ropes.push(Rope {
            name: name.into(),
            count: part.points,
            closed: *closed,
            radius: radius.clone(),
            twist: twist.clone(),
            look: look.clone(),
        });
    }
    Ok(Recorded::Ropes { points, ropes })
}

fn no_shape(body: &Record, what: &str) -> Diagnostic {
    Diagnostic::new(
        Code::NotOneShape,
        format!("the file of body `{}` is not one shape: {what}", body.name()),
    )
    .label(body.span("file"), body.path_of("file"), what.to_owned())
    .help("select ropes or one mesh with `part`, and make a body for each mesh")
    .note(format!("until then `{}` is not drawn", body.name()))
}

impl BoundShape {
    pub(super) fn bind(record: &Record, assets: &Assets) -> Self {
        let recorded = recorded(record, assets).ok();
        let modes = match &recorded {
            Some(recorded) => Modes::bind(record, recorded.points().len(), assets),
            None => Modes::default(),
        };
        let paint = match &recorded {
            Some(Recorded::Mesh(rest)) => Paint::bind(record, rest, assets),
            Some(Recorded::Ropes { .. }) | None => None,
        };
        Self {
            recorded,
            paint,
            placing: Placing::bind(record),
            modes,
            radius: Number::read(record, "radius"),
            look: record.text("look").map(Into::into),
            own_colour: record.is_given("colour") || record.is_given("look"),
        }
    }

    /// True if it is a mesh, and has no strands.
    pub(super) fn is_mesh(&self) -> bool {
        matches!(self.recorded, Some(Recorded::Mesh(_)))
    }

    pub(super) fn is_still(&self) -> bool {
        self.placing.is_still()
            && self.modes.is_still()
            && self.radius.as_ref().is_none_or(Number::is_constant)
    }

    pub(super) fn placement(&self, t: f64, warnings: &mut Vec<Warning>) -> Placement {
        self.placing.placement(t, warnings)
    }

    pub(super) fn pose(&self, body: &Body, world: &World<'_>, out: &mut BodyMoment) {
        let (t, w) = (world.t, &mut out.warnings);
        let placement = self.placement(t, w);
        let Some(recorded) = &self.recorded else {
            out.strands.clear();
            out.mesh = None;
            return;
        };
        let mut points = recorded.points().to_vec();
        self.modes.push(t, &mut points, w);
        let own_colour = self.own_colour.then(|| body.looks.colour.at(t, w));
        match recorded {
            Recorded::Mesh(rest) => {
                out.placement = Some(placement);
                out.strands.clear();
                let mesh = out.mesh.get_or_insert_with(|| Mesh::clone(rest));
                mesh.pose(rest, Some(&points), &placement.world_from_mesh());
                if *mesh.name != *MESH {
                    mesh.name = MESH.into();
                }
                mesh.look = self.resolved_look(own_colour, Some(&rest.look), "plain", GREY);
                Paint::put(self.paint.as_ref(), t, mesh);
            }
            Recorded::Ropes { ropes, .. } => {
                let world_from_recording = placement.world_from_mesh();
                for point in &mut points {
                    *point = world_from_recording.transform_point3(*point);
                }
                let radius = self.radius.as_ref().map(|radius| radius.at(t, w));
                let hemp = || Look { name: "rope".into(), colour: HEMP };
                out.strands.resize_with(ropes.len(), || Strand::empty("", hemp()));
                let mut rest = &points[..];
                for (rope, strand) in ropes.iter().zip(&mut out.strands) {
                    let (own, after) = rest.split_at(rope.count);
                    rest = after;
                    rope.sweep(own, &placement, radius, strand);
                    strand.look = self.resolved_look(own_colour, rope.look.as_ref(), "rope", HEMP);
                    strand.grain = body.looks.grain;
                }
            }
        }
    }

    /// The look of the document, or that of the recording, or the default.
    fn resolved_look(
        &self,
        own_colour: Option<[f64; 3]>,
        recorded: Option<&Look>,
        usual: &str,
        colour: [f64; 3],
    ) -> Look {
        let name = match (&self.look, recorded) {
            (Some(own), _) => own.clone(),
            (None, Some(recorded)) => recorded.name.clone(),
            (None, None) => usual.into(),
        };
        let recorded = recorded.map_or(colour, |recorded| recorded.colour);
        Look { name, colour: own_colour.unwrap_or(recorded) }
    }
}

impl Rope {
    /// Sweeps a strand along the points, in memory that may have been used by another body.
    fn sweep(
        &self,
        points: &[DVec3],
        placement: &Placement,
        radius: Option<f64>,
        strand: &mut Strand,
    ) {
        let last = (points.len().max(2) - 1) as f64;
        let turn = |u: f64| self.twist.get((u * last).round() as usize).copied().unwrap_or(0.0);
        let even = radius.unwrap_or(THIN * placement.size);
        strand.sweep(
            points,
            &Sweep {
                up: placement.axes * DVec3::Z,
                framing: Framing::RotationMinimising,
                closed: self.closed,
                radius: even,
                taper: &[],
                rotation: if self.twist.is_empty() { None } else { Some(&turn) },
            },
        );
        if radius.is_none() && self.radius.len() == points.len() {
            let sized: Vec<f64> = self.radius.iter().map(|r| r * placement.size).collect();
            strand.set_radius(&sized);
        }
        if strand.name != self.name {
            strand.name = self.name.clone();
        }
        (strand.profile, strand.torn, strand.tension) = (Profile::Round, [false; 2], None);
        strand.piece = None;
    }
}
