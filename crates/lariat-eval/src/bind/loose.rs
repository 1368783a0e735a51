//! Ropes held at one end: loose rope and strap.

use glam::DVec3;
use lariat_core::curve::bend::Bend;
use lariat_core::model::LooseRope;
use lariat_core::model::layer::Envelope;
use lariat_core::motion::Channel;
use lariat_scene::lower::{Lowered, Record};

use super::layers::BoundDisplacement;
use super::suspended::displacements;
use super::{Body, Place, Work, on_body};
use crate::moment::BodyMoment;
use crate::number::Number;
use crate::scene::World;
use crate::warning::Warning;

/// A bend whose numbers are channels.
#[derive(Debug)]
struct BoundBend {
    position: Number,
    length: Number,
    angle: Number,
    azimuth: Number,
}

/// The bends of a loose rope or a lasso's tail.
#[derive(Debug)]
pub(super) struct Bends(Vec<BoundBend>);

impl Bends {
    pub(super) fn bind(record: &Record) -> Self {
        let bend = |record: &Record| BoundBend {
            position: Number::of(record, "position"),
            length: Number::of(record, "length"),
            angle: Number::of(record, "angle"),
            azimuth: Number::of(record, "azimuth"),
        };
        Self(record.records("bends").iter().map(bend).collect())
    }

    pub(super) fn is_still(&self) -> bool {
        self.0
            .iter()
            .all(|b| [&b.position, &b.length, &b.angle, &b.azimuth].iter().all(|n| n.is_constant()))
    }

    pub(super) fn fill(&self, t: f64, out: &mut Vec<Bend>, w: &mut Vec<Warning>) {
        out.clear();
        out.extend(self.0.iter().map(|b| Bend {
            position: b.position.at(t, w),
            length: b.length.at(t, w),
            angle: b.angle.radians(t, w),
            azimuth: b.azimuth.radians(t, w),
        }));
    }
}

#[derive(Debug)]
pub(crate) struct Loose {
    from: Place,
    length: Number,
    direction: Channel<DVec3>,
    bends: Bends,
    waves: Vec<BoundDisplacement>,
    env: Number,
    keep_length: Channel<bool>,
    samples: usize,
}

impl Loose {
    pub(super) fn bind(record: &Record, lowered: &Lowered) -> Self {
        Self {
            from: Place::bind(record, lowered, "from"),
            length: Number::of(record, "length"),
            direction: record
                .vector("direction")
                .cloned()
                .unwrap_or(Channel::Constant(DVec3::NEG_Z)),
            bends: Bends::bind(record),
            waves: BoundDisplacement::list(record, "waves"),
            env: Number::of(record, "env"),
            keep_length: record.switch("keep-length").cloned().unwrap_or(Channel::Constant(true)),
            samples: record.integer("samples").unwrap_or(49).max(2) as usize,
        }
    }

    pub(super) fn start(&self) -> &Place {
        &self.from
    }

    /// Positions at which the bends begin, 0–1.
    pub(super) fn bend_positions(&self, t: f64) -> impl Iterator<Item = f64> {
        let at = move |bend: &BoundBend| bend.position.at(t, &mut Vec::new()).clamp(0.0, 1.0);
        self.bends.0.iter().map(at)
    }

    /// Position in metres of the start of a bend, if it were at `position` (0–1) along the rope.
    pub(super) fn bend_start(
        &self,
        bend: usize,
        position: f64,
        body: &Body,
        world: &World<'_>,
    ) -> DVec3 {
        let mut out = BodyMoment::default();
        self.pose_with(body, world, &mut Work::default(), &mut out, |bends, _| {
            if let Some(bend) = bends.get_mut(bend) {
                bend.position = position;
            }
        });
        on_body(&out, position, DVec3::ZERO)
    }

    pub(super) fn is_still(&self) -> bool {
        self.from.is_still()
            && self.length.is_constant()
            && self.direction.is_constant()
            && self.bends.is_still()
            && self.waves.iter().all(BoundDisplacement::is_still)
            && self.env.is_constant()
            && self.keep_length.is_constant()
    }

    pub(super) fn pose(
        &self,
        body: &Body,
        world: &World<'_>,
        work: &mut Work,
        out: &mut BodyMoment,
    ) {
        self.pose_with(body, world, work, out, |_, _| {});
    }

    /// Poses it with further bends.
    pub(super) fn pose_with(
        &self,
        body: &Body,
        world: &World<'_>,
        work: &mut Work,
        out: &mut BodyMoment,
        more: impl FnOnce(&mut Vec<Bend>, &mut Vec<Warning>),
    ) {
        let (t, w) = (world.t, &mut out.warnings);
        let rope: &mut LooseRope = &mut work.loose;
        rope.from = self.from.at(world, w);
        rope.length = self.length.at(t, w);
        rope.direction = self.direction.at(t);
        rope.keep_length = self.keep_length.at(t);
        rope.samples = self.samples;
        self.bends.fill(t, &mut rope.bends, w);
        more(&mut rope.bends, w);
        let envelope = Envelope::Sine { env: self.env.at(t, w) };
        displacements(&self.waves, body, t, &envelope, &mut rope.displacements, w);
        body.layers.clamps(world, &body.looks, 0.0, &mut rope.clamps, w);
        body.layers.ends_inside(world, &[("from", rope.from)], &rope.clamps, w);
        rope.pose_into(&mut work.pose, &mut work.scratch);
        body.sweep(world, work, out);
    }
}
