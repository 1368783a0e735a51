//! Waves, pulses, noise, twist and clamps of a body: those of its model and its layers.

use std::f64::consts::TAU;
use std::sync::Arc;

use glam::DVec3;
use lariat_core::model::layer::collider::HeightField;
use lariat_core::model::layer::{
    Clamp, Collider, CompressionWave, Displacement, Envelope, Noise, Pulse, PulseShape, Rotation,
    SampledDisplacement, Wave,
};
use lariat_core::motion::{Channel, Integral};
use lariat_scene::lower::{Lowered, Record};
use lariat_scene::schema::Kind;

use super::jiggle::Driven;
use super::{Looks, anchor};
use crate::number::{Number, travelled};
use crate::scene::World;
use crate::warning::{EndInside, Warning};

/// The layers of a body.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    pub displacements: Vec<BoundDisplacement>,
    pub rotations: Vec<BoundRotation>,
    clamps: Vec<BoundClamp>,
}

impl Layers {
    pub(super) fn bind(record: &Record, lowered: &Lowered) -> Self {
        let mut layers = Self::default();
        // The body's own floor comes first.
        if let Some(height) = Number::read(record, "floor") {
            let on = Channel::Constant(true);
            layers.clamps.push(BoundClamp { against: Against::Floor(height), margin: None, on });
        }
        for layer in record.records("layers") {
            match layer.kind() {
                "wave" | "pulse" | "soliton" | "noise" | "jiggle" => {
                    layers.displacements.push(BoundDisplacement::bind(layer));
                }
                "twist" | "torsion-wave" => layers.rotations.push(BoundRotation::bind(layer)),
                _ => layers.clamps.push(BoundClamp::bind(layer, record, lowered)),
            }
        }
        layers
    }

    /// Obstacles of a simulated solid: its floor, and the colliders that it names.
    pub(crate) fn of_solid(record: &Record, lowered: &Lowered) -> Self {
        let mut layers = Self::default();
        if let Some(height) = Number::read(record, "floor") {
            let on = Channel::Constant(true);
            layers.clamps.push(BoundClamp { against: Against::Floor(height), margin: None, on });
        }
        for touch in record.records("touches") {
            let name = touch.text("against").unwrap_or_default();
            if let Some(index) = lowered.collider_index(name) {
                let still = BoundCollider::is_still(&lowered.colliders[index]);
                let against = Against::Collider { index, name: name.into(), still };
                layers.clamps.push(BoundClamp { against, margin: None, on: on(touch) });
            }
        }
        layers
    }

    pub(super) fn is_still(&self) -> bool {
        self.displacements.iter().all(BoundDisplacement::is_still)
            && self.rotations.iter().all(BoundRotation::is_still)
            && self.clamps.iter().all(BoundClamp::is_still)
    }

    /// Adds the displacements at `t`; `natural` is the envelope of the body's model.
    pub(super) fn displacements(
        &self,
        t: f64,
        natural: &Envelope,
        out: &mut Vec<Displacement>,
        warnings: &mut Vec<Warning>,
    ) {
        out.extend(self.displacements.iter().filter_map(|d| d.at(t, natural, warnings)));
    }

    pub(super) fn rotations(&self, t: f64, out: &mut Vec<Rotation>, warnings: &mut Vec<Warning>) {
        out.extend(self.rotations.iter().filter_map(|r| r.at(t, warnings)));
    }

    /// Fills `out` with the clamps at the world's time; `around` is added to the radius of the
    /// body where a clamp gives no margin: the coil radius of a spring.
    pub(crate) fn clamps(
        &self,
        world: &World<'_>,
        looks: &Looks,
        around: f64,
        out: &mut Vec<Clamp>,
        warnings: &mut Vec<Warning>,
    ) {
        out.clear();
        for clamp in &self.clamps {
            if clamp.on.at(world.t) {
                let margin = match &clamp.margin {
                    Some(margin) => margin.at(world.t, warnings),
                    None => looks.margin(world.t, warnings) + around,
                };
                let collider = match &clamp.against {
                    Against::Floor(height) => Collider::floor(height.at(world.t, warnings)),
                    Against::Collider { index, .. } => {
                        world.scene.colliders[*index].at(world.t, warnings)
                    }
                };
                out.push(Clamp { collider, margin });
            }
        }
    }

    /// Indices of the clamps that are on at a time, in the order in which [`clamps`](Self::clamps) gives them.
    pub(crate) fn clamps_on(&self, t: f64) -> impl Iterator<Item = usize> {
        let numbered = self.clamps.iter().enumerate();
        numbered.filter(move |(_, clamp)| clamp.on.at(t)).map(|(index, _)| index)
    }

    /// Name of the collider that a clamp is against; `None` for a floor.
    pub(crate) fn against(&self, clamp: usize) -> Option<&Arc<str>> {
        match &self.clamps[clamp].against {
            Against::Floor(_) => None,
            Against::Collider { name, .. } => Some(name),
        }
    }

    /// Warns about held ends of a rope that lie inside a collider it is clamped against. `clamps`
    /// are those that [`clamps`](Self::clamps) returned for the same time.
    pub(super) fn ends_inside(
        &self,
        world: &World<'_>,
        ends: &[(&'static str, DVec3)],
        clamps: &[Clamp],
        warnings: &mut Vec<Warning>,
    ) {
        let bound = self.clamps.iter().filter(|clamp| clamp.on.at(world.t));
        for (clamp, bound) in clamps.iter().zip(bound) {
            for (field, end) in ends {
                let depth = -clamp.collider.distance(*end).0;
                if depth > TIED_ON {
                    let collider = match &bound.against {
                        Against::Floor(_) => None,
                        Against::Collider { name, .. } => Some(name.clone()),
                    };
                    warnings.push(Warning::new(field, EndInside { depth, collider }));
                }
            }
        }
    }
}

/// An end this deep below a surface, in metres, still counts as attached to it: documents give
/// places and sizes to the millimetre. Larger: a thin rope visibly starts inside.
const TIED_ON: f64 = 5e-4;

fn on(record: &Record) -> Channel<bool> {
    record.switch("on").cloned().unwrap_or(Channel::Constant(true))
}

/// An envelope whose numbers are channels; `Natural` is that of the model.
#[derive(Debug)]
pub(crate) enum BoundEnvelope {
    Natural,
    Fixed(Envelope),
    Loose(Number),
    Plateau(Number),
}

impl BoundEnvelope {
    fn bind(record: &Record) -> Self {
        let Some(envelope) = record.record("envelope") else { return Self::Natural };
        match envelope.kind() {
            "half-sine" => Self::Fixed(Envelope::BOTH_ENDS),
            "quarter-sine" => Self::Fixed(Envelope::START),
            "flat" => Self::Fixed(Envelope::Flat),
            "loose" => Self::Loose(Number::of(envelope, "env")),
            "plateau" => Self::Plateau(Number::of(envelope, "width")),
            _ => Self::Fixed(Envelope::Points(envelope.along("points").unwrap_or_default().into())),
        }
    }

    fn at(&self, t: f64, natural: &Envelope, warnings: &mut Vec<Warning>) -> Envelope {
        match self {
            Self::Natural => natural.clone(),
            Self::Fixed(envelope) => envelope.clone(),
            Self::Loose(env) => Envelope::Sine { env: env.at(t, warnings) },
            Self::Plateau(width) => Envelope::Plateau { width: width.at(t, warnings) },
        }
    }

    fn is_still(&self) -> bool {
        match self {
            Self::Natural | Self::Fixed(_) => true,
            Self::Loose(n) | Self::Plateau(n) => n.is_constant(),
        }
    }
}

/// A phase in radians: the keyed value plus the travel of the pattern.
#[derive(Debug)]
pub(crate) struct Phase {
    keyed: Number,
    /// Ripples that have passed the start since frame 0.
    passed: Option<Integral>,
}

impl Phase {
    fn bind(record: &Record, ripples: &Number) -> Self {
        let travel = Number::of(record, "travel");
        Self { keyed: Number::of(record, "phase"), passed: travelled(&travel, Some(ripples)) }
    }

    fn at(&self, t: f64, warnings: &mut Vec<Warning>) -> f64 {
        let keyed = self.keyed.radians(t, warnings);
        match &self.passed {
            // The phase falls as the pattern travels outwards. Whole ripples are dropped, so that
            // an hour of travel costs no digits.
            Some(passed) => {
                let ripples = passed.to(t);
                keyed - TAU * (ripples - ripples.floor())
            }
            None => keyed,
        }
    }

    fn is_still(&self) -> bool {
        self.keyed.is_constant() && self.passed.is_none()
    }
}

/// A layer that pushes sideways.
#[derive(Debug)]
pub(crate) struct BoundDisplacement {
    magnitude: Number,
    envelope: BoundEnvelope,
    on: Channel<bool>,
    form: Form,
}

#[derive(Debug)]
enum Form {
    Wave {
        frequency: Number,
        phase: Phase,
        azimuth: Number,
    },
    Hump {
        hump: PulseShape,
        position: Number,
        travelled: Option<Integral>,
        width: Number,
        azimuth: Number,
    },
    Noise {
        scale: Number,
        speed: Option<Integral>,
        seed: u64,
    },
    Jiggle {
        driven: Driven,
        azimuth: Number,
    },
}

impl BoundDisplacement {
    /// A wave of a model, or a layer of kind wave, pulse, soliton or noise.
    pub(super) fn bind(record: &Record) -> Self {
        let form = match record.kind() {
            "pulse" | "soliton" => Form::Hump {
                hump: if record.kind() == "pulse" {
                    PulseShape::Gaussian
                } else {
                    PulseShape::Soliton
                },
                position: Number::of(record, "position"),
                travelled: travelled(&Number::of(record, "travel"), None),
                width: Number::of(record, "width"),
                azimuth: Number::of(record, "azimuth"),
            },
            "noise" => Form::Noise {
                scale: Number::of(record, "scale"),
                speed: travelled(&Number::of(record, "speed"), None),
                seed: record.integer("seed").unwrap_or(0).unsigned_abs(),
            },
            "jiggle" => Form::Jiggle {
                driven: Driven::along_rope(record),
                azimuth: Number::of(record, "azimuth"),
            },
            _ => {
                let frequency = Number::of(record, "frequency");
                let phase = Phase::bind(record, &frequency);
                Form::Wave { phase, frequency, azimuth: Number::of(record, "azimuth") }
            }
        };
        Self {
            magnitude: match form {
                Form::Jiggle { .. } => Number::constant(1.0),
                _ => Number::of(record, "magnitude"),
            },
            envelope: BoundEnvelope::bind(record),
            on: on(record),
            form,
        }
    }

    /// All waves of a list.
    pub(super) fn list(record: &Record, name: &str) -> Vec<Self> {
        record.records(name).iter().map(Self::bind).collect()
    }

    pub(super) fn at(
        &self,
        t: f64,
        natural: &Envelope,
        warnings: &mut Vec<Warning>,
    ) -> Option<Displacement> {
        if !self.on.at(t) {
            return None;
        }
        let magnitude = self.magnitude.at(t, warnings);
        let envelope = self.envelope.at(t, natural, warnings);
        Some(match &self.form {
            Form::Wave { frequency, phase, azimuth } => Displacement::Wave(Wave {
                magnitude,
                frequency: frequency.at(t, warnings),
                phase: phase.at(t, warnings),
                azimuth: azimuth.radians(t, warnings),
                envelope,
            }),
            Form::Hump { hump, position, travelled, width, azimuth } => {
                Displacement::Pulse(Pulse {
                    shape: *hump,
                    magnitude,
                    position: position.at(t, warnings)
                        + travelled.as_ref().map_or(0.0, |i| i.to(t)),
                    width: width.at(t, warnings),
                    azimuth: azimuth.radians(t, warnings),
                    envelope,
                })
            }
            Form::Jiggle { driven, azimuth } => Displacement::Sampled(SampledDisplacement {
                values: driven.pushes(t, warnings)?,
                azimuth: azimuth.radians(t, warnings),
                envelope,
            }),
            Form::Noise { scale, speed, seed } => Displacement::Noise(Noise {
                magnitude,
                scale: scale.at(t, warnings),
                drift: speed.as_ref().map_or(0.0, |i| i.to(t)),
                seed: *seed,
                envelope,
            }),
        })
    }

    pub(super) fn is_still(&self) -> bool {
        self.magnitude.is_constant()
            && self.envelope.is_still()
            && self.on.is_constant()
            && match &self.form {
                Form::Wave { frequency, phase, azimuth } => {
                    frequency.is_constant() && phase.is_still() && azimuth.is_constant()
                }
                Form::Hump { position, travelled, width, azimuth, .. } => {
                    travelled.is_none()
                        && [position, width, azimuth].iter().all(|n| n.is_constant())
                }
                Form::Noise { scale, speed, .. } => scale.is_constant() && speed.is_none(),
                Form::Jiggle { driven, azimuth } => driven.is_still() && azimuth.is_constant(),
            }
    }
}

/// A layer that turns the profile.
#[derive(Debug)]
pub(crate) enum BoundRotation {
    Twist {
        turns: Number,
        from: Number,
        to: Number,
        on: Channel<bool>,
    },
    Torsion {
        angle: Number,
        frequency: Number,
        phase: Phase,
        envelope: BoundEnvelope,
        on: Channel<bool>,
    },
}

impl BoundRotation {
    fn bind(record: &Record) -> Self {
        let number = |name| Number::of(record, name);
        if record.kind() == "twist" {
            return Self::Twist {
                turns: number("turns"),
                from: number("from"),
                to: number("to"),
                on: on(record),
            };
        }
        let frequency = number("frequency");
        Self::Torsion {
            angle: number("angle"),
            phase: Phase::bind(record, &frequency),
            frequency,
            envelope: BoundEnvelope::bind(record),
            on: on(record),
        }
    }

    fn at(&self, t: f64, w: &mut Vec<Warning>) -> Option<Rotation> {
        match self {
            Self::Twist { turns, from, to, on } => on.at(t).then(|| Rotation::Twist {
                turns: turns.at(t, w),
                from: from.at(t, w),
                to: to.at(t, w),
            }),
            Self::Torsion { angle, frequency, phase, envelope, on } => {
                on.at(t).then(|| Rotation::Torsion {
                    angle: angle.radians(t, w),
                    frequency: frequency.at(t, w),
                    phase: phase.at(t, w),
                    envelope: envelope.at(t, &Envelope::Flat, w),
                })
            }
        }
    }

    fn is_still(&self) -> bool {
        match self {
            Self::Twist { turns, from, to, on } => {
                on.is_constant() && [turns, from, to].iter().all(|n| n.is_constant())
            }
            Self::Torsion { angle, frequency, phase, envelope, on } => {
                on.is_constant()
                    && angle.is_constant()
                    && frequency.is_constant()
                    && phase.is_still()
                    && envelope.is_still()
            }
        }
    }
}

/// A compression wave of a spring.
#[derive(Debug)]
pub(crate) struct BoundCoilWave {
    magnitude: Number,
    frequency: Number,
    phase: Phase,
    on: Channel<bool>,
}

impl BoundCoilWave {
    pub(super) fn bind(record: &Record) -> Self {
        let frequency = Number::of(record, "frequency");
        Self {
            magnitude: Number::of(record, "magnitude"),
            phase: Phase::bind(record, &frequency),
            frequency,
            on: on(record),
        }
    }

    pub(super) fn at(&self, t: f64, w: &mut Vec<Warning>) -> Option<CompressionWave> {
        self.on.at(t).then(|| CompressionWave {
            magnitude: self.magnitude.at(t, w),
            frequency: self.frequency.at(t, w),
            phase: self.phase.at(t, w),
        })
    }

    pub(super) fn is_still(&self) -> bool {
        self.on.is_constant()
            && self.magnitude.is_constant()
            && self.frequency.is_constant()
            && self.phase.is_still()
    }
}

#[derive(Debug)]
struct BoundClamp {
    against: Against,
    /// Not given: the radius of the body.
    margin: Option<Number>,
    on: Channel<bool>,
}

#[derive(Debug)]
enum Against {
    Floor(Number),
    Collider { index: usize, name: Arc<str>, still: bool },
}

impl BoundClamp {
    fn bind(layer: &Record, body: &Record, lowered: &Lowered) -> Self {
        let name = layer.text("against").unwrap_or("floor");
        let against = match lowered.collider_index(name) {
            Some(index) => {
                let still = BoundCollider::is_still(&lowered.colliders[index]);
                Against::Collider { index, name: name.into(), still }
            }
            None => {
                let height = Number::read(layer, "height").or_else(|| Number::read(body, "floor"));
                Against::Floor(height.unwrap_or_else(|| Number::constant(0.0)))
            }
        };
        Self { against, margin: Number::read(layer, "margin"), on: on(layer) }
    }

    fn is_still(&self) -> bool {
        self.on.is_constant()
            && self.margin.as_ref().is_none_or(Number::is_constant)
            && match &self.against {
                Against::Floor(height) => height.is_constant(),
                Against::Collider { still, .. } => *still,
            }
    }
}

/// A solid that may move.
#[derive(Debug)]
pub(crate) enum BoundCollider {
    Plane { point: Channel<DVec3>, normal: Channel<DVec3> },
    Sphere { centre: Channel<DVec3>, radius: Number },
    Box { centre: Channel<DVec3>, size: Channel<DVec3>, rotation: Channel<DVec3> },
    Cylinder { from: Channel<DVec3>, to: Channel<DVec3>, radius: Number },
    Capsule { from: Channel<DVec3>, to: Channel<DVec3>, radius: Number },
    HeightField { origin: Channel<DVec3>, field: Arc<HeightField> },
}

impl BoundCollider {
    pub(crate) fn bind(record: &Record) -> Self {
        let vector = |name| record.vector(name).cloned().unwrap_or(Channel::Constant(DVec3::ZERO));
        match record.kind() {
            "plane" => Self::Plane { point: vector("point"), normal: vector("normal") },
            "sphere" => {
                Self::Sphere { centre: vector("centre"), radius: Number::of(record, "radius") }
            }
            "box" => Self::Box {
                centre: vector("centre"),
                size: vector("size"),
                rotation: vector("rotation"),
            },
            "cylinder" => Self::Cylinder {
                from: vector("from"),
                to: vector("to"),
                radius: Number::of(record, "radius"),
            },
            "capsule" => Self::Capsule {
                from: vector("from"),
                to: vector("to"),
                radius: Number::of(record, "radius"),
            },
            other => {
                debug_assert_eq!(
                    other, "height-field",
                    "the schema has a collider that is not bound"
                );
                let origin = vector("origin");
                let grid = record.grid("heights");
                let field = HeightField {
                    origin: origin.at(0.0),
                    cell: record.scalar("cell").map_or(1.0, |c| c.at(0.0)),
                    columns: grid.map_or(0, lariat_scene::lower::Grid::columns),
                    heights: grid.map_or_else(|| [].into(), |g| g.cells().into()),
                };
                Self::HeightField { origin, field: Arc::new(field) }
            }
        }
    }

    pub(crate) fn at(&self, t: f64, warnings: &mut Vec<Warning>) -> Collider {
        match self {
            Self::Plane { point, normal } => {
                Collider::Plane { point: point.at(t), normal: normal.at(t).normalize_or(DVec3::Z) }
            }
            Self::Sphere { centre, radius } => {
                Collider::Sphere { centre: centre.at(t), radius: radius.at(t, warnings) }
            }
            Self::Box { centre, size, rotation } => Collider::Box {
                centre: centre.at(t),
                half: size.at(t).abs() * 0.5,
                world_from_box: anchor::rotation(rotation.at(t)),
            },
            Self::Cylinder { from, to, radius } => Collider::Cylinder {
                from: from.at(t),
                to: to.at(t),
                radius: radius.at(t, warnings),
            },
            Self::Capsule { from, to, radius } => {
                Collider::Capsule { from: from.at(t), to: to.at(t), radius: radius.at(t, warnings) }
            }
            Self::HeightField { origin, field } => {
                let now = origin.at(t);
                if now == field.origin {
                    Collider::HeightField(field.clone())
                } else {
                    Collider::HeightField(Arc::new(HeightField {
                        origin: now,
                        ..HeightField::clone(field)
                    }))
                }
            }
        }
    }

    /// True if a collider does not move. Decided from its record without binding it, because a
    /// height field may have millions of heights and every clamped body asks.
    pub(crate) fn is_still(record: &Record) -> bool {
        record.record_type().fields.iter().all(|field| match field.kind {
            Kind::Scalar(_) => record.scalar(field.name).is_none_or(Channel::is_constant),
            Kind::Vector(_) | Kind::Direction => {
                record.vector(field.name).is_none_or(Channel::is_constant)
            }
            _ => true,
        })
    }
}
