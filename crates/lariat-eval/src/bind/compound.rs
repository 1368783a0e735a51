//! Hoops, lassos, and any bodies joined end to end.

use glam::DVec3;
use lariat_core::curve::{Framing, frames_along};
use lariat_core::model::layer::{Clamp, Envelope, displaced, superposed};
use lariat_core::model::{self, LooseRope, Pose, SuspendedRope};
use lariat_core::motion::Channel;
use lariat_scene::check::Code;
use lariat_scene::lower::{Lowered, Record};

use super::layers::BoundDisplacement;
use super::loose::Bends;
use super::suspended::{BoundLean, displacements};
use super::{Body, Place, Work};
use crate::moment::BodyMoment;
use crate::number::Number;
use crate::scene::World;
use crate::warning::Warning;

#[derive(Debug)]
pub(crate) struct Hoop {
    centre: Place,
    radius: Number,
    tilt: Number,
    tilt_azimuth: Number,
    twirl: Number,
    waves: Vec<BoundDisplacement>,
    samples: usize,
}

impl Hoop {
    pub(super) fn bind(record: &Record, lowered: &Lowered, waves: &str) -> Self {
        Self {
            centre: Place::bind(record, lowered, "centre"),
            radius: Number::of(record, "hoop-radius"),
            tilt: Number::of(record, "tilt"),
            tilt_azimuth: Number::of(record, "tilt-azimuth"),
            twirl: Number::of(record, "twirl"),
            waves: BoundDisplacement::list(record, waves),
            samples: record.integer("samples").unwrap_or(65).max(4) as usize,
        }
    }

    pub(super) fn is_still(&self) -> bool {
        self.centre.is_still()
            && [&self.radius, &self.tilt, &self.tilt_azimuth, &self.twirl]
                .iter()
                .all(|n| n.is_constant())
            && self.waves.iter().all(BoundDisplacement::is_still)
    }

    pub(super) fn centre(&self) -> &Place {
        &self.centre
    }

    /// The hoop at the world's time; `layered` adds the layers of the body.
    fn at(
        &self,
        body: &Body,
        world: &World<'_>,
        layered: bool,
        w: &mut Vec<Warning>,
    ) -> model::Hoop {
        let t = world.t;
        let mut waves = Vec::new();
        if layered {
            displacements(&self.waves, body, t, &Envelope::BOTH_ENDS, &mut waves, w);
        } else {
            waves.extend(self.waves.iter().filter_map(|d| d.at(t, &Envelope::BOTH_ENDS, w)));
        }
        model::Hoop {
            centre: self.centre.at(world, w),
            radius: self.radius.at(t, w),
            tilt: self.tilt.radians(t, w),
            tilt_azimuth: self.tilt_azimuth.radians(t, w),
            twirl: self.twirl.radians(t, w),
            displacements: waves,
            samples: self.samples,
        }
    }

    pub(super) fn pose(
        &self,
        body: &Body,
        world: &World<'_>,
        work: &mut Work,
        out: &mut BodyMoment,
    ) {
        work.pose = self.at(body, world, true, &mut out.warnings).pose();
        let mut clamps = Vec::new();
        body.layers.clamps(world, &body.looks, 0.0, &mut clamps, &mut out.warnings);
        for p in &mut work.pose.points {
            *p = Clamp::push_all(&clamps, *p);
        }
        body.sweep(world, work, out);
    }
}

#[derive(Debug)]
pub(crate) struct Lasso {
    hoop: Hoop,
    hand: Place,
    length: Number,
    span_length: Number,
    lean: BoundLean,
    span_waves: Vec<BoundDisplacement>,
    bends: Bends,
    tail_waves: Vec<BoundDisplacement>,
    env: Number,
    keep_length: Channel<bool>,
}

impl Lasso {
    pub(super) fn bind(record: &Record, lowered: &Lowered) -> Self {
        let mut hoop = Hoop::bind(record, lowered, "hoop-waves");
        // Three parts share the samples, and two joints.
        hoop.samples = hoop.samples.div_ceil(3) + 1;
        Self {
            hoop,
            hand: Place::bind(record, lowered, "hand"),
            length: Number::of(record, "length"),
            span_length: Number::of(record, "span-length"),
            lean: BoundLean::bind(record),
            span_waves: BoundDisplacement::list(record, "span-waves"),
            bends: Bends::bind(record),
            tail_waves: BoundDisplacement::list(record, "tail-waves"),
            env: Number::of(record, "env"),
            keep_length: record.switch("keep-length").cloned().unwrap_or(Channel::Constant(true)),
        }
    }

    pub(super) fn places(&self) -> [&Place; 2] {
        [&self.hoop.centre, &self.hand]
    }

    pub(super) fn is_still(&self) -> bool {
        self.hoop.is_still()
            && self.hand.is_still()
            && [&self.length, &self.span_length, &self.env].iter().all(|n| n.is_constant())
            && self.lean.is_still()
            && self.bends.is_still()
            && self.span_waves.iter().chain(&self.tail_waves).all(BoundDisplacement::is_still)
            && self.keep_length.is_constant()
    }

    pub(super) fn pose(
        &self,
        body: &Body,
        world: &World<'_>,
        work: &mut Work,
        out: &mut BodyMoment,
    ) {
        let (t, w) = (world.t, &mut out.warnings);
        let keep_length = self.keep_length.at(t);
        let samples = self.hoop.samples;
        let mut clamps = Vec::new();
        body.layers.clamps(world, &body.looks, 0.0, &mut clamps, w);

        let mut span = SuspendedRope::new(DVec3::ZERO, DVec3::ZERO, 0.0);
        (span.keep_length, span.samples) = (keep_length, samples);
        span.sag_direction = self.lean.at(t, w);
        // Layers of the body apply to the span, its longest part.
        displacements(&self.span_waves, body, t, &Envelope::BOTH_ENDS, &mut span.displacements, w);
        span.clamps.clone_from(&clamps);

        let mut tail = LooseRope::new(DVec3::ZERO, 0.0);
        (tail.keep_length, tail.samples) = (keep_length, samples);
        self.bends.fill(t, &mut tail.bends, w);
        let envelope = Envelope::Sine { env: self.env.at(t, w) };
        tail.displacements.extend(self.tail_waves.iter().filter_map(|d| d.at(t, &envelope, w)));
        let hand = self.hand.at(world, w);
        body.layers.ends_inside(world, &[("hand", hand)], &clamps, w);
        tail.clamps = clamps;

        let lasso = model::Lasso {
            hoop: self.hoop.at(body, world, false, w),
            span,
            tail,
            hand,
            length: self.length.at(t, w),
            span_length: self.span_length.at(t, w),
        };
        match lasso.pose() {
            Ok(pose) => work.pose = pose,
            Err(cannot) => debug_assert!(false, "{cannot}"),
        }
        self.take_warnings(&mut work.pose, hand, out);
        body.sweep(world, work, out);
    }
}

impl Lasso {
    /// Moves the warnings of the parts to `out`, with the field names of a lasso. Only the span is
    /// held at two ends, so only it can be too short.
    fn take_warnings(&self, pose: &mut Pose, hand: DVec3, out: &mut BodyMoment) {
        let knot = pose.points.get(self.hoop.samples - 1);
        let gap = knot.map_or(0.0, |knot| knot.distance(hand));
        out.warnings.extend(pose.warnings.drain(..).map(|diagnostic| {
            let mut warning = Warning::from_pose(diagnostic, gap);
            warning.field = match warning.field {
                "length" if warning.code() == Code::RopeTooShort => "span-length",
                "waves" if self.span_waves.is_empty() && !self.tail_waves.is_empty() => {
                    "tail-waves"
                }
                "waves" => "span-waves",
                other => other,
            };
            warning
        }));
    }
}

/// Joins bodies end to end as one curve, with the layers on the whole.
pub(super) fn join(
    parts: &[usize],
    body: &Body,
    world: &World<'_>,
    work: &mut Work,
    out: &mut BodyMoment,
) {
    let (t, w) = (world.t, &mut out.warnings);
    let points = &mut work.pose.points;
    points.clear();
    work.pose.warnings.clear();
    (work.pose.closed, work.pose.up, work.pose.slack) = (false, DVec3::Z, None);
    work.pose.tension = None;
    for part in parts {
        let spine = world.body(*part).spine();
        let doubled = points.last().is_some_and(|end| spine.first() == Some(end));
        points.extend_from_slice(&spine[usize::from(doubled)..]);
    }
    let mut layers = Vec::new();
    body.layers.displacements(t, &Envelope::BOTH_ENDS, &mut layers, w);
    if !layers.is_empty() {
        let mut frames = Vec::new();
        frames_along(points, false, DVec3::Z, Framing::RotationMinimising, &mut frames);
        let last = (points.len().max(2) - 1) as f64;
        for (i, p) in points.iter_mut().enumerate() {
            *p = displaced(*p, frames[i], superposed(&layers, i as f64 / last), 1.0);
        }
    }
    let mut clamps = Vec::new();
    body.layers.clamps(world, &body.looks, 0.0, &mut clamps, w);
    for p in points.iter_mut() {
        *p = Clamp::push_all(&clamps, *p);
    }
    body.sweep(world, work, out);
}
