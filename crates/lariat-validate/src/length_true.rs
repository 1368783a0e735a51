//! Ropes that keep their length while they wave, swing, shrink and lie on the floor.
//!
//! The promise: arc length within 1e-6 of the rope's over random poses, whenever slack allows.
//! It is about the smooth curve behind the samples, so it must hold for the 49 samples a rope has
//! by default. Those rows rebuild the curve from the slack that the pose reports, by the formula
//! of the paper (`ropes.rs`), see that the samples lie on it, and measure it. The other rows ask
//! the model for thousands of samples and measure those.
//!
//! A pose that reports that it could not keep the length is left out of its row; if that happens
//! to more than a third of them, the row has no answer and fails.
//!
//! Tests: `a_rope_that_grows_would_be_seen`, `rows_are_not_hollow`.

use std::f64::consts::TAU;

use glam::DVec3;
use lariat_core::model::layer::{
    Clamp, Collider, Displacement, Envelope, Noise, Pulse, PulseShape, Wave,
};
use lariat_core::model::{LooseRope, Pose, PoseWarning, SuspendedRope};

use super::bends::{Followed, random_bends};
use super::check::{Check, Outcome, Run, Topic};
use super::reference::dice::Dice;
use super::reference::{measure, worst};
use super::ropes::{self, Formula};

const REBUILT: &str = "the length asked for; ours by halving chords of the curve rebuilt from the \
                       reported slack";
const FOLLOWED: &str =
    "the length asked for; ours by halving chords of the curve rebuilt from the samples";
const SAMPLED: &str = "the length asked for; ours by 4,096 chords and Richardson on the samples";
const HALVED: &str = "the length asked for; ours by halving chords until they agree";

/// A row of the promise.
const fn kept(name: &'static str, what: &'static str, source: &'static str, run: Run) -> Check {
    Check { name, what, unit: "", source, counted: "relative", bar: 1e-6, run }
}

pub(super) const TOPIC: Topic = Topic {
    name: "length-true",
    title: "ropes that keep their length",
    checks: &[
        kept(
            "length-suspended",
            "200 suspended ropes, 49 samples, waves and lean: worst length",
            REBUILT,
            || rebuilt(200, &plain, off),
        ),
        Check {
            name: "length-suspended-samples",
            what: "the same: worst sample off the rebuilt curve",
            unit: "",
            source: "the textbook catenary with the reported slack, plus the waves",
            counted: "of the length",
            bar: 1e-9,
            run: || rebuilt(200, &plain, samples_off),
        },
        kept(
            "length-deep",
            "100 ropes of 3 to 20 times the gap, 49 samples, waves: worst length",
            REBUILT,
            || rebuilt(100, &deep, off),
        ),
        kept(
            "length-few-samples",
            "100 suspended ropes of 5 to 12 samples, waves: worst length",
            REBUILT,
            || rebuilt(100, &coarse, off),
        ),
        kept(
            "length-envelopes",
            "100 ropes, 49 samples, plateau or hand-drawn envelopes: worst length",
            REBUILT,
            || rebuilt(100, &enveloped, off),
        ),
        kept(
            "length-held-ends",
            "100 ropes, 49 samples, envelopes that do not hold the ends: worst length",
            REBUILT,
            || rebuilt(100, &pulled, off),
        ),
        kept(
            "length-humps",
            "100 ropes, 49 samples, pulse or soliton: worst length",
            REBUILT,
            || rebuilt(100, &humped, off),
        ),
        kept("length-noise", "100 ropes, 49 samples, noise: worst length", REBUILT, || {
            rebuilt(100, &restless, off)
        }),
        kept(
            "length-shrunk",
            "100 ropes without slack for their waves: worst length of the nearest pose",
            REBUILT,
            || shrunk(100),
        ),
        kept(
            "length-floor",
            "60 suspended ropes on the floor, 49 samples, waves: worst length",
            HALVED,
            || floored(60),
        ),
        kept(
            "length-suspended-fine",
            "50 suspended ropes, 4,097 samples, waves and noise: worst length",
            SAMPLED,
            || fine(50),
        ),
        kept(
            "length-loose",
            "100 loose ropes, 49 samples, bends and waves: worst length",
            FOLLOWED,
            || loose(100, |_, env| Envelope::Sine { env }),
        ),
        kept(
            "length-loose-envelopes",
            "50 loose ropes, 49 samples, plateau or hand-drawn envelopes: worst length",
            FOLLOWED,
            || loose(50, |dice, _| cornered(dice)),
        ),
        kept(
            "length-loose-held",
            "50 loose ropes, 49 samples, envelopes that do not hold the start: worst length",
            FOLLOWED,
            || loose(50, |dice, _| free(dice)),
        ),
        Check {
            name: "length-let-down",
            what: "4 m let straight down from 60 heights, 49 samples: worst end",
            unit: "m",
            source: "4 m less the height along +X",
            counted: "of the length",
            bar: 1e-9,
            run: let_down,
        },
        kept(
            "length-loose-floor",
            "5 loose ropes with waves, laid aslant on the floor, 65,537 samples: worst length",
            "the length asked for; ours by chords, the corner put in where the rope touches down",
            || lying(5),
        ),
    ],
};

/// A maker of ropes.
type Maker = dyn Fn(&mut Dice) -> SuspendedRope + Sync;

/// As most ropes are.
fn plain(dice: &mut Dice) -> SuspendedRope {
    ropes::random(dice)
}

/// Ropes that hang far down from ends that are near.
fn deep(dice: &mut Dice) -> SuspendedRope {
    let mut rope = ropes::random(dice);
    let gap = rope.from.distance(rope.to);
    rope.length = gap * dice.between(3.0, 20.0);
    rope.displacements = ropes::waves(dice, gap, &Envelope::BOTH_ENDS);
    rope
}

/// Ropes of a handful of samples.
fn coarse(dice: &mut Dice) -> SuspendedRope {
    let rope = ropes::random(dice);
    SuspendedRope { samples: 5 + dice.below(8), ..rope }
}

/// Waves under envelopes that are not smooth everywhere.
fn enveloped(dice: &mut Dice) -> SuspendedRope {
    let mut rope = ropes::random(dice);
    for layer in &mut rope.displacements {
        if let Displacement::Wave(wave) = layer {
            wave.envelope = cornered(dice);
        }
    }
    rope
}

/// Waves under envelopes that would carry the ends off.
fn pulled(dice: &mut Dice) -> SuspendedRope {
    let mut rope = ropes::random(dice);
    for layer in &mut rope.displacements {
        if let Displacement::Wave(wave) = layer {
            wave.envelope = free(dice);
        }
    }
    rope
}

fn free(dice: &mut Dice) -> Envelope {
    match dice.below(3) {
        0 => Envelope::Flat,
        1 => Envelope::Sine { env: dice.between(0.0, 0.9) },
        _ => {
            let [first, last] = [(); 2].map(|()| dice.between(0.1, 1.0));
            Envelope::Points(vec![(0.0, first), (0.5, 1.0), (1.0, last)].into())
        }
    }
}

fn cornered(dice: &mut Dice) -> Envelope {
    if dice.below(2) == 0 {
        return Envelope::Plateau { width: dice.between(0.05, 0.5) };
    }
    let top = (dice.between(0.2, 0.8), dice.between(0.2, 1.0));
    Envelope::Points(vec![(0.0, 0.0), top, (1.0, 0.0)].into())
}

/// One hump instead of waves.
fn humped(dice: &mut Dice) -> SuspendedRope {
    let mut rope = ropes::random(dice);
    let width = dice.between(0.03, 0.3);
    let hump = Pulse {
        shape: if dice.below(2) == 0 { PulseShape::Gaussian } else { PulseShape::Soliton },
        magnitude: rope.length * width * dice.between(0.05, 0.3),
        position: dice.between(0.0, 1.0),
        width,
        azimuth: dice.between(0.0, TAU),
        envelope: Envelope::BOTH_ENDS,
    };
    rope.displacements = vec![hump.into()];
    rope
}

/// Noise instead of waves.
fn restless(dice: &mut Dice) -> SuspendedRope {
    let mut rope = ropes::random(dice);
    let scale = dice.between(1.0, 8.0);
    let noise = Noise {
        magnitude: rope.length * dice.between(0.0, 0.08) / scale,
        scale,
        drift: dice.between(0.0, 50.0),
        seed: dice.below(1000) as u64,
        envelope: Envelope::BOTH_ENDS,
    };
    rope.displacements = vec![noise.into()];
    rope
}

/// The worst error of `count` ropes whose pose reports no trouble.
fn rebuilt(count: usize, make: &Maker, error: Error) -> Option<Outcome> {
    let mut dice = Dice::new(0x1e47);
    let mut errors = Vec::new();
    for _ in 0..count {
        let rope = make(&mut dice);
        let pose = rope.pose().ok()?;
        if pose.warnings.is_empty() {
            errors.push(error(&rope, &pose, &Formula::of_pose(&rope, &pose)?));
        }
    }
    judged(&errors, count)
}

/// What is judged of a rope, its pose, and the curve rebuilt from it.
type Error = fn(&SuspendedRope, &Pose, &Formula) -> f64;

/// Length, and samples a thousand times as strictly: a bar of 1e-6 is one of 1e-9 for them.
fn off(rope: &SuspendedRope, pose: &Pose, formula: &Formula) -> f64 {
    worst([length_off(rope, pose, formula), STRICTER * samples_off(rope, pose, formula)])
}

const STRICTER: f64 = 1e3;

fn length_off(rope: &SuspendedRope, _: &Pose, formula: &Formula) -> f64 {
    // Deep ropes turn sharply at the bottom, and envelopes have corners: halving finds both.
    measure::by_halving(64, 1e-10 * rope.length, |u| formula.at(u)) / rope.length - 1.0
}

fn samples_off(rope: &SuspendedRope, pose: &Pose, formula: &Formula) -> f64 {
    let last = (rope.samples - 1) as f64;
    let places = pose.points.iter().enumerate();
    worst(places.map(|(i, p)| p.distance(formula.at(i as f64 / last)))) / rope.length
}

fn judged(errors: &[f64], count: usize) -> Option<Outcome> {
    (3 * errors.len() >= 2 * count).then(|| Outcome::worst(worst(errors.iter().copied())))
}

/// Hardly any slack and large waves.
fn shrunk(count: usize) -> Option<Outcome> {
    let mut dice = Dice::new(0x5481);
    let mut errors = Vec::new();
    for _ in 0..count {
        let mut rope = ropes::random(&mut dice);
        rope.length = rope.from.distance(rope.to) * (1.0 + dice.between(1e-4, 1e-2));
        for layer in &mut rope.displacements {
            if let Displacement::Wave(wave) = layer {
                wave.magnitude = rope.length * dice.between(0.1, 0.3);
            }
        }
        let pose = rope.pose().ok()?;
        if matches!(pose.warnings[..], [PoseWarning::TooWavy { .. }]) {
            let formula = Formula::of_pose(&rope, &pose)?;
            errors.push(off(&rope, &pose, &formula));
        }
    }
    judged(&errors, count)
}

/// Ropes hung a little above a floor at 0 that they are too long for.
fn floored(count: usize) -> Option<Outcome> {
    const MARGIN: f64 = 0.02;
    let mut dice = Dice::new(0xf1004);
    let mut errors = Vec::new();
    for _ in 0..count {
        let from = DVec3::Z * dice.between(0.3, 0.8);
        let to = DVec3::new(dice.between(2.0, 5.0), 0.0, dice.between(0.3, 0.8));
        // Straight down, along the floor and up again would take both heights more than the gap.
        let more = (from.z + to.z) * dice.between(0.5, 0.85);
        let mut rope = SuspendedRope::new(from, to, from.distance(to) + more);
        rope.displacements = vec![
            Wave {
                magnitude: dice.between(0.0, 0.06),
                frequency: dice.between(0.5, 4.0),
                phase: dice.between(0.0, TAU),
                azimuth: dice.between(0.0, TAU),
                envelope: Envelope::BOTH_ENDS,
            }
            .into(),
        ];
        rope.clamps = vec![Clamp { collider: Collider::floor(0.0), margin: MARGIN }];
        let pose = rope.pose().ok()?;
        let lies = pose.points.iter().filter(|p| p.z <= MARGIN).count() > 2;
        if lies && pose.warnings.is_empty() {
            let formula = Formula::of_pose(&rope, &pose)?.above(MARGIN);
            errors.push(off(&rope, &pose, &formula));
        }
    }
    judged(&errors, count)
}

/// Many samples, measured as they are.
fn fine(count: usize) -> Option<Outcome> {
    let mut dice = Dice::new(0xf14e);
    let mut errors = Vec::new();
    for i in 0..count {
        let mut rope = SuspendedRope { samples: 4097, ..ropes::random(&mut dice) };
        let noise = Noise {
            magnitude: 0.02 * rope.length,
            scale: 4.0,
            drift: 0.3,
            seed: i as u64,
            envelope: Envelope::BOTH_ENDS,
        };
        rope.displacements.push(noise.into());
        let pose = rope.pose().ok()?;
        if pose.warnings.is_empty() {
            errors.push(measure::of_points(&pose.points) / rope.length - 1.0);
        }
    }
    judged(&errors, count)
}

/// Bends and waves at 49 samples. A loose rope does not report how far it reaches; but bends
/// scale with it, so its furthest sample tells, and all the others must agree. Some of the bends
/// are so tight that waves turn back on themselves there.
fn loose(count: usize, envelope: fn(&mut Dice, f64) -> Envelope) -> Option<Outcome> {
    let mut dice = Dice::new(0x1005e);
    let mut errors = Vec::new();
    for bends in random_bends(count) {
        let mut rope = LooseRope::new(DVec3::ZERO, dice.between(1.0, 4.0));
        let env = dice.between(0.0, 1.0);
        let envelope = envelope(&mut dice, env);
        rope.displacements = ropes::waves(&mut dice, rope.length, &envelope);
        rope.bends = bends;
        let pose = rope.pose();
        // Some bends run past the end, which is said but changes nothing about the length.
        if !pose.warnings.iter().all(|f| matches!(f, PoseWarning::BendPastEnd { .. })) {
            continue;
        }
        let unit = Followed::new(&rope.bends);
        let parts_at = |u: f64| {
            let ((x, y), place) = (ropes::held(&rope.displacements, u, (1.0, 0.0)), unit.at(u));
            (place.point, place.normal * x + place.binormal * y)
        };
        // The sample furthest from where it is held fixes the reach.
        let parts = |i: usize| parts_at(i as f64 / 48.0);
        let far = (0..49).max_by(|a, b| parts(*a).0.length().total_cmp(&parts(*b).0.length()))?;
        let (gross, push) = parts(far);
        let reach = (pose.points[far] - push).dot(gross) / gross.dot(gross);
        errors.push(worst((0..49).map(|i| {
            let (gross, push) = parts(i);
            STRICTER * pose.points[i].distance(gross * reach + push) / rope.length
        })));
        let length = measure::by_halving(64, 1e-9 * rope.length, |u| {
            let (gross, push) = parts_at(u);
            gross * reach + push
        });
        errors.push(length / rope.length - 1.0);
    }
    judged(&errors, 2 * count)
}

/// A rope let straight down upon the floor: it lies along the normal of its first frame, +X.
/// As a rule no whole number of links hangs, and one is bent over the corner.
fn let_down() -> Option<Outcome> {
    let mut errors = Vec::new();
    for k in 0..60 {
        let height = 1.0 + 0.031 * f64::from(k);
        let mut rope = LooseRope::new(DVec3::Z * (height + 0.01), 4.0);
        rope.clamps = vec![Clamp { collider: Collider::floor(0.0), margin: 0.01 }];
        let end = *rope.pose().points.last()?;
        errors.push(end.distance(DVec3::new(4.0 - height, 0.0, 0.01)) / 4.0);
    }
    Some(Outcome::worst(worst(errors)))
}

/// Ropes let down upon the floor, aslant and with waves, at so many samples that the corner where
/// they touch down counts for little; and that is put in where the rope comes down to it.
fn lying(count: usize) -> Option<Outcome> {
    const FLOOR: f64 = 0.01;
    let mut dice = Dice::new(0x11e);
    let mut errors = Vec::new();
    for _ in 0..count {
        let mut rope = LooseRope::new(DVec3::Z * dice.between(0.3, 1.5), dice.between(2.0, 4.0));
        rope.direction = DVec3::new(dice.between(-0.7, 0.7), dice.between(-0.7, 0.7), -1.0);
        rope.displacements = ropes::waves(&mut dice, 0.5 * rope.length, &Envelope::START);
        rope.clamps = vec![Clamp { collider: Collider::floor(0.0), margin: FLOOR }];
        rope.samples = 65_537;
        let pose = rope.pose();
        let mut chords = measure::Sum::default();
        for w in pose.points.windows(3) {
            let (fallen, left) = (w[0].z - w[1].z, w[1].z - FLOOR);
            let lands = left > 1e-9 && w[2].z <= FLOOR + 1e-9 && fallen > 0.0;
            let corner = if lands { w[1] + (w[1] - w[0]) * (left / fallen) } else { w[1] };
            chords.add(w[1].distance(corner) + corner.distance(w[2]));
        }
        chords.add(pose.points[0].distance(pose.points[1]));
        if pose.warnings.is_empty() {
            errors.push(chords.total() / rope.length - 1.0);
        }
    }
    judged(&errors, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rope_that_grows_would_be_seen() {
        let grown = |dice: &mut Dice| SuspendedRope { keep_length: false, ..ropes::random(dice) };
        // As published: the slack is that of the rest shape, and the waves come on top.
        assert!(rebuilt(20, &grown, length_off).unwrap().error > 1e-3);
        assert!(rebuilt(20, &grown, samples_off).unwrap().error < 1e-9);
        // A sample moved by a micron.
        let moved: Error = |rope, pose, formula| {
            let mut pose = pose.clone();
            pose.points[24] += DVec3::Y * 1e-6;
            samples_off(rope, &pose, formula)
        };
        assert!(rebuilt(20, &plain, moved).unwrap().error > 1e-8);
    }

    #[test]
    fn rows_are_not_hollow() {
        assert_eq!(judged(&[1e-9; 60], 100), None);
        assert!(judged(&[1e-9; 70], 100).is_some());
        assert!(judged(&[f64::NAN; 70], 100).unwrap().error.is_nan());
    }
}
