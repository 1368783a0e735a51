//! A tail: a loose rope whose bends follow one curve.

use std::f64::consts::TAU;

use lariat_core::model::tail::{Drive, LagGrowth, Tail, wave_travel_time};
use lariat_core::num::ops;
use lariat_scene::lower::{Lowered, Record};

use super::loose::Loose;
use super::{Body, Place, Work};
use crate::moment::BodyMoment;
use crate::number::Number;
use crate::scene::World;
use crate::warning::Warning;

/// Default taper of a tail.
pub(super) const TAPER: [(f64, f64); 2] = [(0.0, 1.0), (1.0, 0.15)];

#[derive(Debug)]
pub(crate) struct BoundTail {
    pub(super) rope: Loose,
    swing: Number,
    lift: Number,
    lag: Number,
    length: Number,
    /// True if the lag is that of a rope hanging under its own weight.
    by_weight: bool,
    tail: Tail,
}

impl BoundTail {
    pub(super) fn bind(record: &Record, lowered: &Lowered) -> Self {
        let taper = record.along("taper").unwrap_or(&TAPER);
        let pace = record.choice("pace");
        let joints = record.integer("joints").unwrap_or(24).max(1) as usize;
        let spread = if pace == Some("even") { LagGrowth::Uniform } else { LagGrowth::ByWidth };
        Self {
            rope: Loose::bind(record, lowered),
            swing: Number::of(record, "swing"),
            lift: Number::of(record, "lift"),
            lag: Number::of(record, "lag"),
            length: Number::of(record, "length"),
            by_weight: pace == Some("weight"),
            tail: Tail::new(joints, spread, |u| {
                lariat_core::geometry::interpolate_linear(taper, u)
            }),
        }
    }

    pub(super) fn start(&self) -> &Place {
        self.rope.start()
    }

    pub(super) fn is_still(&self) -> bool {
        self.rope.is_still()
            && [&self.swing, &self.lift, &self.lag].iter().all(|number| number.is_constant())
    }

    pub(super) fn pose(
        &self,
        body: &Body,
        world: &World<'_>,
        work: &mut Work,
        out: &mut BodyMoment,
    ) {
        let t = world.t;
        let drive = |number: &Number, w: &mut Vec<Warning>| {
            let value = number.radians(t, w);
            // Without a phase, the whole tail moves at once.
            let swing = number.channel().phasor(0, t).unwrap_or_default() * ops::radians(1.0);
            Drive { rest: value - swing.re, swing }
        };
        self.rope.pose_with(body, world, work, out, |bends, w| {
            let (lift, swing) = (drive(&self.lift, w), drive(&self.swing, w));
            if self.by_weight {
                let length = self.length.at(t, w);
                // The travel time along the tail is the same for both; their frequencies differ.
                let lag = |number: &Number| {
                    let per_second = TAU * number.channel().hertz(t).unwrap_or(0.0);
                    move |u: f64| per_second * wave_travel_time(length, u)
                };
                self.tail.bends_at((lift, lag(&self.lift)), (swing, lag(&self.swing)), bends);
            } else {
                self.tail.bends(lift, swing, self.lag.radians(t, w), bends);
            }
        });
    }
}
