//! Suspended ropes, jump ropes and strings of lights.

use std::sync::Arc;

use glam::DVec3;
use lariat_core::geometry::{Look, Strand, Sweep};
use lariat_core::model::layer::{Displacement, Envelope};
use lariat_core::model::{
    Lights, POINTS_PER_BULB, POINTS_PER_TURN, Pose, SagDirection, SagForm, SuspendedRope,
    length_for_sag,
};
use lariat_core::motion::Channel;
use lariat_scene::lower::{Lowered, Record};

use super::layers::BoundDisplacement;
use super::{Body, Place, Work};
use crate::moment::{BodyMoment, Spine};
use crate::number::Number;
use crate::scene::World;
use crate::tint::Tint;
use crate::warning::{TooManyPoints, Warning};

/// Length of a hung rope, given directly or by its sag.
#[derive(Debug)]
pub(super) enum Extent {
    Length(Number),
    Sag(Number, SagForm),
}

impl Extent {
    pub(super) fn bind(record: &Record) -> Self {
        let form = if record.has("sag-form") && record.choice("sag-form") == Some("true") {
            SagForm::True
        } else {
            SagForm::Published
        };
        let length = if record.has("length") { Number::read(record, "length") } else { None };
        match length {
            Some(length) => Self::Length(length),
            None => Self::Sag(Number::of(record, "sag"), form),
        }
    }

    pub(super) fn length(&self, t: f64, gap: f64, warnings: &mut Vec<Warning>) -> f64 {
        match self {
            Self::Length(length) => length.at(t, warnings),
            Self::Sag(sag, form) => length_for_sag(gap, sag.at(t, warnings), *form),
        }
    }

    fn is_still(&self) -> bool {
        match self {
            Self::Length(n) | Self::Sag(n, _) => n.is_constant(),
        }
    }
}

/// Swing and sway, or the turn of a jump rope.
#[derive(Debug)]
pub(super) enum BoundLean {
    World { swing: Number, sway: Number },
    Chord { swing: Number, sway: Number },
    Turn(Number),
}

impl BoundLean {
    pub(super) fn bind(record: &Record) -> Self {
        if record.has("turn") {
            return Self::Turn(Number::of(record, "turn"));
        }
        let (swing, sway) = (Number::of(record, "swing"), Number::of(record, "sway"));
        match record.choice("axes") {
            Some("chord") => Self::Chord { swing, sway },
            _ => Self::World { swing, sway },
        }
    }

    pub(super) fn at(&self, t: f64, w: &mut Vec<Warning>) -> SagDirection {
        match self {
            Self::World { swing, sway } => {
                SagDirection::World { swing: swing.radians(t, w), sway: sway.radians(t, w) }
            }
            Self::Chord { swing, sway } => {
                SagDirection::Chord { swing: swing.radians(t, w), sway: sway.radians(t, w) }
            }
            Self::Turn(turn) => SagDirection::Turn { angle: turn.radians(t, w) },
        }
    }

    pub(super) fn is_still(&self) -> bool {
        match self {
            Self::World { swing, sway } | Self::Chord { swing, sway } => {
                swing.is_constant() && sway.is_constant()
            }
            Self::Turn(turn) => turn.is_constant(),
        }
    }
}

/// Parameters common to ropes between two places.
#[derive(Debug)]
pub(super) struct Hung {
    pub from: Place,
    pub to: Place,
    pub extent: Extent,
    pub lean: BoundLean,
    pub waves: Vec<BoundDisplacement>,
    keep_length: Channel<bool>,
    samples: usize,
}

impl Hung {
    pub(super) fn bind(record: &Record, lowered: &Lowered, samples: &str) -> Self {
        let keep =
            if record.has("keep-length") { record.switch("keep-length").cloned() } else { None };
        Self {
            from: Place::bind(record, lowered, "from"),
            to: Place::bind(record, lowered, "to"),
            extent: Extent::bind(record),
            lean: BoundLean::bind(record),
            waves: BoundDisplacement::list(record, "waves"),
            // Backbones of coils do not have the switch: the sag gives their length.
            keep_length: keep.unwrap_or(Channel::Constant(false)),
            samples: record.integer(samples).unwrap_or(49).max(2) as usize,
        }
    }

    pub(super) fn is_still(&self) -> bool {
        self.from.is_still()
            && self.to.is_still()
            && self.extent.is_still()
            && self.lean.is_still()
            && self.keep_length.is_constant()
            && self.waves.iter().all(BoundDisplacement::is_still)
    }

    /// Fills in the rope at the world's time; clamps add `around` to the radius.
    pub(super) fn fill(
        &self,
        body: &Body,
        world: &World<'_>,
        around: f64,
        rope: &mut SuspendedRope,
        warnings: &mut Vec<Warning>,
    ) {
        let t = world.t;
        rope.from = self.from.at(world, warnings);
        rope.to = self.to.at(world, warnings);
        rope.length = self.extent.length(t, rope.from.distance(rope.to), warnings);
        rope.sag_direction = self.lean.at(t, warnings);
        rope.keep_length = self.keep_length.at(t);
        rope.samples = self.samples;
        displacements(
            &self.waves,
            body,
            t,
            &Envelope::BOTH_ENDS,
            &mut rope.displacements,
            warnings,
        );
        body.layers.clamps(world, &body.looks, around, &mut rope.clamps, warnings);
        let ends = [("from", rope.from), ("to", rope.to)];
        body.layers.ends_inside(world, &ends, &rope.clamps, warnings);
    }
}

/// Fills `out` with the waves of the model, then those of the layers.
pub(super) fn displacements(
    waves: &[BoundDisplacement],
    body: &Body,
    t: f64,
    natural: &Envelope,
    out: &mut Vec<Displacement>,
    warnings: &mut Vec<Warning>,
) {
    out.clear();
    out.extend(waves.iter().filter_map(|w| w.at(t, natural, warnings)));
    body.layers.displacements(t, natural, out, warnings);
}

/// Poses a hung rope into `work.pose`. This fails, with an empty pose, only if a number is not
/// finite, which reading a document rules out.
pub(super) fn hang(work: &mut Work) {
    let hung = work.hung.pose_into(&mut work.pose, &mut work.scratch);
    debug_assert!(hung.is_ok(), "{hung:?}");
}

/// A rope between two places, perhaps with lights.
#[derive(Debug)]
pub(crate) struct Suspended {
    hung: Hung,
    lights: Option<BoundLights>,
}

impl Suspended {
    pub(super) fn bind(record: &Record, lowered: &Lowered) -> Self {
        let lights = (record.kind() == "string-of-lights").then(|| {
            let most = lowered.body_index(record.name()).map_or(0, |b| lowered.max_points(b));
            BoundLights::bind(record, most)
        });
        Self { hung: Hung::bind(record, lowered, "samples"), lights }
    }

    pub(super) fn places(&self) -> [&Place; 2] {
        [&self.hung.from, &self.hung.to]
    }

    pub(super) fn is_still(&self) -> bool {
        self.hung.is_still() && self.lights.as_ref().is_none_or(BoundLights::is_still)
    }

    pub(super) fn pose(
        &self,
        body: &Body,
        world: &World<'_>,
        work: &mut Work,
        out: &mut BodyMoment,
    ) {
        self.hung.fill(body, world, 0.0, &mut work.hung, &mut out.warnings);
        hang(work);
        self.dress(body, world, work, out);
    }

    pub(super) fn has_lights(&self) -> bool {
        self.lights.is_some()
    }

    /// The length that the document gives, if it never changes.
    pub(super) fn constant_length(&self) -> Option<f64> {
        match &self.hung.extent {
            Extent::Length(length) if length.is_constant() => Some(length.at(0.0, &mut Vec::new())),
            Extent::Length(_) | Extent::Sag(..) => None,
        }
    }

    /// Builds the rope along the pose in `work`, or its wires and bulbs.
    pub(super) fn dress(
        &self,
        body: &Body,
        world: &World<'_>,
        work: &mut Work,
        out: &mut BodyMoment,
    ) {
        match &self.lights {
            None => body.sweep(world, work, out),
            Some(lights) => {
                out.slack = work.pose.slack;
                super::add_warnings(&work.pose, out);
                lights.string(body, &work.pose, work.rest_length, world.t, out);
                out.spine = Some(Spine { points: work.pose.points.clone(), up: work.pose.up });
            }
        }
    }
}

#[derive(Debug)]
struct BoundLights {
    wire_radius: f64,
    pair_turns: f64,
    bulb_spacing: f64,
    bulb_size: Number,
    colours: Vec<Tint>,
    glass: Arc<str>,
    /// Limit on the points of wires and bulbs together.
    most_points: u64,
}

impl BoundLights {
    fn bind(record: &Record, most_points: u64) -> Self {
        let fixed = |name: &str| record.scalar(name).map_or(0.0, |c| c.at(0.0));
        Self {
            wire_radius: fixed("wire-radius"),
            pair_turns: fixed("pair-turns"),
            bulb_spacing: fixed("bulb-spacing"),
            bulb_size: Number::of(record, "bulb-size"),
            colours: record
                .colours("bulb-colours")
                .unwrap_or_default()
                .iter()
                .map(|colour| Tint::new(colour.clone(), "bulb-colours"))
                .collect(),
            glass: "bulb".into(),
            most_points,
        }
    }

    fn is_still(&self) -> bool {
        self.bulb_size.is_constant() && self.colours.iter().all(Tint::is_constant)
    }

    /// Approximate number of points of wires and bulbs along a rope.
    fn points_needed(&self, rope: &Pose, rest_length: Option<f64>) -> f64 {
        let posed = || rope.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let length: f64 = rest_length.unwrap_or_else(posed);
        let turns = POINTS_PER_TURN * length * self.pair_turns.abs();
        let wires = 2.0 * turns.max(rope.points.len() as f64);
        wires + POINTS_PER_BULB as f64 * (length / self.bulb_spacing).floor()
    }

    /// Builds two wires, and a short strand for every bulb.
    fn string(
        &self,
        body: &Body,
        rope: &Pose,
        rest_length: Option<f64>,
        t: f64,
        out: &mut BodyMoment,
    ) {
        let mut lights = Lights {
            wire_radius: self.wire_radius,
            pair_turns: self.pair_turns,
            bulb_spacing: self.bulb_spacing,
            bulb_size: self.bulb_size.at(t, &mut out.warnings),
            rest_length,
        };
        // Keyed ends may be any distance apart; the number of points stays limited.
        let needed = self.points_needed(rope, rest_length);
        if needed > self.most_points as f64 {
            let times = needed / self.most_points.max(1) as f64;
            lights.pair_turns /= times;
            lights.bulb_spacing *= times;
            let too_many = TooManyPoints { needed, most: self.most_points };
            out.warnings.push(Warning::new("bulb-spacing", too_many));
        }
        out.strands.clear();
        for (i, wire) in lights.wires(rope).into_iter().enumerate() {
            let mut strand = body.looks.strand(&format!("wire-{}", i + 1));
            strand.look.colour = body.looks.colour.at(t, &mut out.warnings);
            strand.sweep(&wire.points, &Sweep::round(wire.up, self.wire_radius));
            strand.tension.clone_from(&rope.tension);
            out.strands.push(strand);
        }
        let colours: Vec<[f64; 3]> =
            self.colours.iter().map(|colour| colour.at(t, &mut out.warnings)).collect();
        for (i, bulb) in lights.bulbs(rope).into_iter().enumerate() {
            let colour = match colours.len() {
                0 => [1.0; 3],
                n => colours[i % n],
            };
            let look = Look { name: self.glass.clone(), colour };
            let mut strand = Strand::empty(format!("bulb-{:03}", i + 1), look);
            strand.sweep(&bulb.points, &Sweep::round(DVec3::Z, 1.0));
            strand.set_radius(&bulb.radius);
            out.strands.push(strand);
        }
    }
}
