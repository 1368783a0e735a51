//! Binds records to models whose parameters are channels.
//!
//! There is one file for each part that several models share (looks, anchors, layers), one for each
//! family of models, and one for cameras. Every model has two functions: `bind` reads its record once,
//! `pose` evaluates it at a time. Parameters are read only here; the test
//! `every_parameter_has_an_effect` compares them with the schema.

mod anchor;
mod camera;
mod coiled;
mod compound;
pub(crate) mod jiggle;
mod layers;
mod looks;
mod loose;
mod mesh;
pub(crate) mod modes;
pub(crate) mod paint;
pub(crate) mod shape;
mod suspended;
mod tail;

use std::sync::Arc;

use lariat_core::model::{LooseRope, Pose, SuspendedRope, Workspace};
use lariat_scene::lower::{Lowered, Record};

use crate::assets::Assets;
use crate::handles::{Handle, HandleKind, HandleParameter, Handles, nearest};
use crate::moment::BodyMoment;
use crate::scene::{Scene, World};
use crate::simulate::{Dynamics, End, Recorded};
use crate::warning::{Warning, deduplicate};

pub(crate) use anchor::on_body;
pub use anchor::rotation;
pub(crate) use anchor::{BoundLocator, Place};
pub(crate) use camera::BoundCamera;
pub(crate) use layers::{BoundCollider, Layers};
pub(crate) use looks::Looks;
pub(crate) use mesh::Placement;

/// Buffers for posing, reused; one per thread.
#[derive(Debug)]
pub(crate) struct Work {
    pub pose: Pose,
    pub scratch: Workspace,
    pub hung: SuspendedRope,
    pub loose: LooseRope,
    pub recorded: Recorded,
    /// Rest length of the posed body in metres, if it has lights and its rest length is known.
    pub rest_length: Option<f64>,
}

impl Default for Work {
    fn default() -> Self {
        let origin = glam::DVec3::ZERO;
        Self {
            pose: Pose::default(),
            scratch: Workspace::default(),
            hung: SuspendedRope::new(origin, origin, 0.0),
            loose: LooseRope::new(origin, 0.0),
            recorded: Recorded::default(),
            rest_length: None,
        }
    }
}

/// A bound body, which can be posed at any time. Its parts are shared between states of a document.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub name: Arc<str>,
    pub looks: Arc<Looks>,
    pub layers: Arc<Layers>,
    pub model: Arc<Model>,
    /// Its simulation, if it is a spline rope.
    pub dynamics: Option<Arc<Dynamics>>,
    /// Index among the strings of the string world, if it is one.
    pub string: Option<usize>,
    /// Index among the solids of the string world, if it is one.
    pub solid: Option<usize>,
    /// Part of a compound: not drawn on its own.
    pub part: bool,
    /// True if it looks the same at every time.
    pub still: bool,
    /// The same, apart from the bodies it is attached to.
    pub own_still: bool,
    /// The rest distance of a spring, where it had to be measured.
    pub rest: Option<f64>,
    /// Places of the pins of a simulated rope.
    pins: Arc<[Place]>,
}

#[derive(Debug)]
pub(crate) enum Model {
    Suspended(suspended::Suspended),
    Loose(loose::Loose),
    Tail(Box<tail::BoundTail>),
    Coiled(Box<coiled::Coiled>),
    Hoop(compound::Hoop),
    Lasso(Box<compound::Lasso>),
    Compound(Vec<usize>),
    Mesh(Box<mesh::BoundMesh>),
    Shape(Box<shape::BoundShape>),
}

impl Body {
    pub(crate) fn bind(record: &Record, lowered: &Lowered, assets: &Assets) -> Self {
        let model = match record.kind() {
            "suspended-rope" | "jump-rope" | "string-of-lights" => {
                Model::Suspended(suspended::Suspended::bind(record, lowered))
            }
            "loose-rope" | "strap" => Model::Loose(loose::Loose::bind(record, lowered)),
            "tail" => Model::Tail(Box::new(tail::BoundTail::bind(record, lowered))),
            "coiled-cord" | "microphone-cord" | "spring" | "slinky" => {
                Model::Coiled(Box::new(coiled::Coiled::bind(record, lowered)))
            }
            "hoop" => Model::Hoop(compound::Hoop::bind(record, lowered, "waves")),
            "mesh" => Model::Mesh(Box::new(mesh::BoundMesh::bind(record, assets))),
            "solid" => Model::Mesh(Box::new(mesh::BoundMesh::solid(record))),
            "shape" => Model::Shape(Box::new(shape::BoundShape::bind(record, assets))),
            "lasso" => Model::Lasso(Box::new(compound::Lasso::bind(record, lowered))),
            other => {
                debug_assert_eq!(other, "compound", "the schema has a model that is not bound");
                let parts = record.names("parts").unwrap_or_default();
                Model::Compound(parts.iter().filter_map(|p| lowered.body_index(p)).collect())
            }
        };
        let (looks, layers) = match &model {
            Model::Mesh(_) | Model::Shape(_) => (Looks::of_mesh(record), Layers::default()),
            _ => (Looks::bind(record), Layers::bind(record, lowered)),
        };
        let mut body = Self {
            name: record.name().into(),
            looks: Arc::new(looks),
            layers: Arc::new(layers),
            model: Arc::new(model),
            dynamics: Dynamics::bind(record, lowered).map(Arc::new),
            string: None,
            solid: None,
            part: false,
            still: false,
            own_still: false,
            rest: None,
            pins: pins(record).iter().map(|pin| Place::bind(pin, lowered, "to")).collect(),
        };
        body.own_still = body.is_still();
        body.still = body.own_still;
        body
    }

    /// True if nothing about it changes with time, apart from the bodies it is attached to.
    fn is_still(&self) -> bool {
        self.dynamics.is_none()
            && self.looks.is_still()
            && self.layers.is_still()
            && match &*self.model {
                Model::Suspended(m) => m.is_still(),
                Model::Loose(m) => m.is_still(),
                Model::Tail(m) => m.is_still(),
                Model::Coiled(m) => m.is_still(),
                Model::Hoop(m) => m.is_still(),
                Model::Lasso(m) => m.is_still(),
                Model::Mesh(m) => m.is_still(),
                Model::Shape(m) => m.is_still(),
                Model::Compound(_) => true,
            }
    }

    /// True for a string of lights.
    pub(crate) fn has_lights(&self) -> bool {
        matches!(&*self.model, Model::Suspended(m) if m.has_lights())
    }

    /// True for a lasso.
    pub(crate) fn is_lasso(&self) -> bool {
        matches!(&*self.model, Model::Lasso(_))
    }

    /// Rest length of a string of lights in metres: its constant `length`, or its length at the start
    /// of its simulation. `None` if its length follows its keys.
    fn rest_length(&self, scene: &Scene) -> Option<f64> {
        let Model::Suspended(rope) = &*self.model else { return None };
        rope.constant_length().or_else(|| {
            match (&self.dynamics, self.string, &scene.string_world) {
                (Some(dynamics), ..) => Some(dynamics.start_length(self, scene)),
                (None, Some(slot), Some(string_world)) => string_world.start_length(slot, scene),
                _ => None,
            }
        })
    }

    /// True if it is a mesh and has no strands.
    pub(crate) fn is_mesh(&self) -> bool {
        match &*self.model {
            Model::Mesh(_) => true,
            Model::Shape(m) => m.is_mesh(),
            _ => false,
        }
    }

    /// True for a spring without a given rest distance.
    pub(crate) fn needs_rest_distance(&self) -> bool {
        matches!(&*self.model, Model::Coiled(m) if m.needs_rest_distance())
    }

    /// Distance between the ends of a spring in metres; 0 for other bodies.
    pub(crate) fn distance(&self, world: &World<'_>) -> f64 {
        if let Model::Coiled(m) = &*self.model { m.distance(world) } else { 0.0 }
    }

    pub(crate) fn set_rest_distance(&mut self, distance: f64) {
        // A body whose rest distance is measured is not yet shared.
        if let Some(Model::Coiled(m)) = Arc::get_mut(&mut self.model) {
            m.set_rest_distance(distance);
            self.rest = Some(distance);
        }
    }

    /// Poses it at the world's time.
    pub(crate) fn pose(&self, world: &World<'_>, work: &mut Work, out: &mut BodyMoment) {
        out.clear();
        out.visible = self.looks.visible.at(world.t);
        if !self.is_mesh() {
            out.mesh = None;
        }
        work.rest_length = if self.has_lights() { self.rest_length(world.scene) } else { None };
        let simulated = match (&self.dynamics, self.string, &world.scene.string_world) {
            (Some(dynamics), ..) => dynamics.pose(self, world, work, out),
            (_, Some(slot), Some(string_world)) => string_world.pose(slot, self, world, work, out),
            (.., Some(string_world)) => {
                self.solid.is_some_and(|slot| string_world.pose_solid(slot, self, world, out))
            }
            _ => false,
        };
        if !simulated {
            self.pose_model(world, work, out);
        }
        deduplicate(&mut out.warnings);
    }

    /// Poses it by its model, ignoring its simulation.
    pub(crate) fn pose_model(&self, world: &World<'_>, work: &mut Work, out: &mut BodyMoment) {
        match &*self.model {
            Model::Suspended(m) => m.pose(self, world, work, out),
            Model::Loose(m) => m.pose(self, world, work, out),
            Model::Tail(m) => m.pose(self, world, work, out),
            Model::Coiled(m) => m.pose(self, world, work, out),
            Model::Hoop(m) => m.pose(self, world, work, out),
            Model::Lasso(m) => m.pose(self, world, work, out),
            Model::Mesh(m) => m.pose(self, world, out),
            Model::Shape(m) => m.pose(self, world, out),
            Model::Compound(parts) => compound::join(parts, self, world, work, out),
        }
    }

    /// True if it is simulated.
    pub(crate) fn is_simulated(&self) -> bool {
        self.dynamics.is_some() || self.string.is_some() || self.solid.is_some()
    }

    /// The keyed placement of a solid, ignoring its simulation.
    pub(crate) fn keyed_placement(&self, t: f64) -> Option<Placement> {
        match &*self.model {
            Model::Mesh(m) => Some(m.placement(t, &mut Vec::new())),
            _ => None,
        }
    }

    /// Poses a solid at a simulated placement.
    pub(crate) fn pose_solid(&self, placement: Placement, world: &World<'_>, out: &mut BodyMoment) {
        if let Model::Mesh(m) = &*self.model {
            m.pose_at(placement, false, self, world, out);
        }
    }

    /// Indices of the bodies that hold the ends of a rope.
    pub(crate) fn ends_on(&self) -> [Option<usize>; 2] {
        match &*self.model {
            Model::Suspended(m) => m.places().map(Place::body),
            Model::Loose(m) => [m.start().body(), None],
            Model::Tail(m) => [m.start().body(), None],
            Model::Coiled(m) => m.places().map(Place::body),
            _ => [None; 2],
        }
    }

    /// True if the ends of a rope lie beside its anchors, as those of a wound wire do.
    pub(crate) fn ends_beside(&self) -> bool {
        matches!(&*self.model, Model::Coiled(_))
    }

    /// Positions of the ends of a rope according to its model, and whether they are held. An end
    /// without an anchor (the free end of a loose rope, the ends of a wound wire) is found by posing
    /// the model, if it is `wanted` or held.
    pub(crate) fn ends(
        &self,
        world: &World<'_>,
        wanted: [bool; 2],
        warnings: &mut Vec<Warning>,
    ) -> [End; 2] {
        let mut held = |place: &Place| End { place: place.at(world, warnings), held: true };
        let (places, known) = match &*self.model {
            Model::Suspended(m) => return m.places().map(held),
            Model::Loose(m) => ([held(m.start()), End::default()], [true, false]),
            Model::Tail(m) => ([held(m.start()), End::default()], [true, false]),
            Model::Coiled(_) => ([End { held: true, ..End::default() }; 2], [false; 2]),
            _ => ([End::default(); 2], [false; 2]),
        };
        let asked = |k: usize| !known[k] && (wanted[k] || places[k].held);
        if !asked(0) && !asked(1) {
            return places;
        }
        let mut posed = BodyMoment::default();
        self.pose_model(world, &mut Work::default(), &mut posed);
        let spine = posed.spine();
        let found = [spine.first(), spine.last()].map(|end| end.copied().unwrap_or_default());
        std::array::from_fn(|k| match known[k] {
            true => places[k],
            false => End { place: found[k], ..places[k] },
        })
    }

    /// Builds the strands along the pose in `work`: one rope, or a string of lights.
    pub(crate) fn dress(&self, world: &World<'_>, work: &mut Work, out: &mut BodyMoment) {
        match &*self.model {
            Model::Suspended(m) => m.dress(self, world, work, out),
            _ => self.sweep(world, work, out),
        }
    }

    /// Adds its handles at the world's time; `posed` is the body there.
    pub(crate) fn handles(
        &self,
        index: usize,
        world: &World<'_>,
        posed: &BodyMoment,
        out: &mut Handles,
    ) {
        use HandleParameter::{Element, Field, ListField, Pin};
        let mut ignored = Vec::new();
        let mut hold = |place: &Place, parameter: HandleParameter, out: &mut Handles| {
            out.add(place.at(world, &mut ignored), place.handle_kind(), index, parameter);
        };
        let ends = [Field("from"), Field("to")];
        match &*self.model {
            Model::Suspended(m) => {
                for (place, end) in m.places().into_iter().zip(ends) {
                    hold(place, end, out);
                }
            }
            Model::Hoop(m) => hold(m.centre(), Field("centre"), out),
            Model::Lasso(m) => {
                for (place, field) in m.places().into_iter().zip(["centre", "hand"]) {
                    hold(place, Field(field), out);
                }
            }
            Model::Loose(m) => {
                hold(m.start(), ends[0], out);
                for (k, at) in m.bend_positions(world.t).enumerate() {
                    let at = on_body(posed, at, glam::DVec3::ZERO);
                    out.add(at, HandleKind::Bend, index, ListField("bends", k, "position"));
                }
            }
            Model::Tail(m) => hold(m.start(), ends[0], out),
            Model::Coiled(m) => {
                let [from, to] = m.places();
                hold(from, ends[0], out);
                if let Some(inner) = m.inner_points(self, world) {
                    for (k, at) in inner.into_iter().enumerate() {
                        out.add(at, HandleKind::Point, index, Element("inner", k));
                    }
                    out.polygon = true;
                }
                hold(to, ends[1], out);
                let pincers = m.pincer_positions(world.t);
                if !pincers.is_empty()
                    && let Some(curve) = m.backbone_curve(self, world)
                {
                    for (k, at) in pincers.into_iter().enumerate() {
                        let at = curve.point(curve.parameter_at(at * curve.length()));
                        let parameter = ListField("pincers", k, "position");
                        out.others.push(Handle {
                            at,
                            kind: HandleKind::Pincer,
                            body: index,
                            parameter,
                        });
                    }
                }
            }
            Model::Mesh(m) => {
                let keyed = || m.placement(world.t, &mut ignored);
                let at = posed.placement.unwrap_or_else(keyed).position;
                out.add(at, HandleKind::Point, index, Field("position"));
            }
            Model::Shape(m) => {
                let at = m.placement(world.t, &mut ignored).position;
                out.add(at, HandleKind::Point, index, Field("position"));
            }
            Model::Compound(parts) => {
                for part in parts {
                    world.scene.bodies[*part].handles(*part, world, world.body(*part), out);
                }
                out.polygon = false;
            }
        }
        for (k, pin) in self.pins.iter().enumerate() {
            let at = pin.at(world, &mut Vec::new());
            out.others.push(Handle { at, kind: pin.handle_kind(), body: index, parameter: Pin(k) });
        }
    }

    /// Value of a parameter that slides a handle along the body, for which the handle is nearest to a
    /// point; `None` for other parameters.
    pub(crate) fn slide_to(
        &self,
        parameter: HandleParameter,
        world: &World<'_>,
        target: glam::DVec3,
    ) -> Option<f64> {
        match (&*self.model, parameter) {
            (Model::Loose(m), HandleParameter::ListField("bends", bend, _)) => {
                let far = |at: f64| m.bend_start(bend, at, self, world).distance_squared(target);
                Some(nearest(far))
            }
            (Model::Coiled(m), HandleParameter::ListField("pincers", pincer, _)) => {
                let curve = m.backbone_curve(self, world)?;
                let length = curve.length();
                let (first, last) = m.room(pincer, world.t)?;
                let best = curve.closest(target).s / length;
                let between = |share: f64| first + (last - first) * share;
                let far = |share: f64| {
                    let at = curve.point(curve.parameter_at(between(share) * length));
                    at.distance_squared(target)
                };
                let fits = first <= best && best <= last;
                Some(if fits { best } else { between(nearest(far)) })
            }
            _ => None,
        }
    }

    /// Sweeps the body's one strand along the pose in `work`.
    fn sweep(&self, world: &World<'_>, work: &mut Work, out: &mut BodyMoment) {
        out.slack = work.pose.slack;
        add_warnings(&work.pose, out);
        out.strands.truncate(1);
        if out.strands.is_empty() {
            out.strands.push(self.looks.strand(looks::ROPE));
        }
        self.looks.sweep(&work.pose, self, world, &mut out.strands[0], &mut out.warnings);
    }
}

/// The pins of a body; none if it is not simulated.
fn pins(record: &Record) -> &[Record] {
    let dynamics = if record.has("dynamics") { record.record("dynamics") } else { None };
    dynamics.filter(|how| how.has("pins")).map_or(&[], |how| how.records("pins"))
}

/// Adds the warnings of a model of one rope, whose ends are those of the pose.
fn add_warnings(pose: &Pose, out: &mut BodyMoment) {
    let gap = match (pose.points.first(), pose.points.last()) {
        (Some(first), Some(last)) => first.distance(*last),
        _ => 0.0,
    };
    out.warnings.extend(pose.warnings.iter().map(|f| Warning::from_pose(*f, gap)));
}
