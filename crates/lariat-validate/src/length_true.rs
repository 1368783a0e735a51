//! Ropes that keep their length: arc length within 1e-6 over random poses, whenever slack allows.
//!
//! Rows with 49 samples rebuild the smooth curve from the reported slack by the paper's formula
//! (`ropes.rs`), compare the samples with it, and measure it. The other rows measure thousands of
//! samples. Poses with a warning are left out; a row with more than a third of them fails.
//!
//! Tests: `a_rope_that_grows_would_be_seen`, `rows_with_few_ropes_have_no_outcome`.

use std::f64::consts::TAU;

use glam::DVec3;
use lariat_core::model::layer::{
    Clamp, Collider, Displacement, Envelope, Noise, Pulse, PulseShape, Wave,
};
use lariat_core::model::{LooseRope, Pose, PoseWarning, SuspendedRope};

use super::bends::{Followed, random_bends};
use super::check::{Outcome, topic};
use super::reference::dice::Dice;
use super::reference::{measure, worst};
use super::ropes::{self, Formula};

const REBUILT: &str = "the given length; measured by halving chords of the curve rebuilt from the \
                       reported slack";
const FOLLOWED: &str =
    "the given length; measured by halving chords of the curve rebuilt from the samples";
const SAMPLED: &str =
    "the given length; measured by 4,096 chords of the samples and Richardson extrapolation";
const HALVED: &str = "the given length; measured by halving chords until they agree";

topic! { "length-true": "ropes that keep their length";

    "length-suspended": "200 suspended ropes, 49 samples, waves and lean: worst length error",
        REBUILT, 1e-6 ["relative"], rebuilt(200, ropes::random, off);
    "length-deep": "100 ropes of 3 to 20 times the gap, 49 samples, waves: worst length error",
        REBUILT, 1e-6 ["relative"], rebuilt(100, deep, off);
    "length-few-samples": "100 suspended ropes of 5 to 12 samples, waves: worst length error",
        REBUILT, 1e-6 ["relative"], rebuilt(100, coarse, off);
    "length-envelopes": "100 ropes, 49 samples, plateau or hand-drawn envelopes: worst length error",
        REBUILT,
        1e-6 ["relative"], rebuilt(100, |dice| changed(dice, |dice, wave| wave.envelope = cornered(dice)), off);
    "length-held-ends": "100 ropes, 49 samples, envelopes that do not hold the ends: worst length error",
        REBUILT,
        1e-6 ["relative"], rebuilt(100, |dice| changed(dice, |dice, wave| wave.envelope = free(dice)), off);
    "length-humps": "100 ropes, 49 samples, pulse or soliton: worst length error",
        REBUILT, 1e-6 ["relative"], rebuilt(100, humped, off);
    "length-noise": "100 ropes, 49 samples, noise: worst length error",
        REBUILT, 1e-6 ["relative"], rebuilt(100, noisy, off);
    "length-shrunk": "100 ropes without slack for their waves: worst length error of the drawn pose",
        REBUILT, 1e-6 ["relative"], shrunk(100);
    "length-floor": "60 suspended ropes on the floor, 49 samples, waves: worst length error",
        HALVED, 1e-6 ["relative"], floored(60);
    "length-suspended-fine": "50 suspended ropes, 4,097 samples, waves and noise: worst length error",
        SAMPLED, 1e-6 ["relative"], fine(50);
    "length-loose": "100 loose ropes, 49 samples, bends and waves: worst length error",
        FOLLOWED, 1e-6 ["relative"], loose(100, |_, env| Envelope::Sine { env });
    "length-loose-envelopes":
        "50 loose ropes, 49 samples, plateau or hand-drawn envelopes: worst length error",
        FOLLOWED, 1e-6 ["relative"], loose(50, |dice, _| cornered(dice));
    "length-loose-held":
        "50 loose ropes, 49 samples, envelopes that do not hold the start: worst length error",
        FOLLOWED, 1e-6 ["relative"], loose(50, |dice, _| free(dice));
    "length-let-down": "4 m lowered straight down from 60 heights, 49 samples: worst end position" ["m"],
        "4 m minus the height, along +X", 1e-9 ["of the length"], let_down();
    "length-loose-floor":
        "5 loose ropes with waves, laid on the floor at an angle, 65,537 samples: worst length error",
        "the given length; measured by chords, with the corner where the rope touches down",
        1e-6 ["relative"], lying(5);
}

/// Builds a random rope.
type Maker = fn(&mut Dice) -> SuspendedRope;

/// A rope that hangs far down from ends close to each other.
fn deep(dice: &mut Dice) -> SuspendedRope {
    let mut rope = ropes::random(dice);
    let gap = rope.from.distance(rope.to);
    rope.length = gap * dice.between(3.0, 20.0);
    rope.displacements = ropes::waves(dice, gap, &Envelope::BOTH_ENDS);
    rope
}

/// A rope with few samples.
fn coarse(dice: &mut Dice) -> SuspendedRope {
    let rope = ropes::random(dice);
    SuspendedRope { samples: 5 + dice.below(8), ..rope }
}

/// A rope whose waves are changed.
fn changed(dice: &mut Dice, mut change: impl FnMut(&mut Dice, &mut Wave)) -> SuspendedRope {
    let mut rope = ropes::random(dice);
    for layer in &mut rope.displacements {
        if let Displacement::Wave(wave) = layer {
            change(dice, wave);
        }
    }
    rope
}

/// An envelope that does not hold the ends.
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

/// An envelope with corners.
fn cornered(dice: &mut Dice) -> Envelope {
    if dice.below(2) == 0 {
        return Envelope::Plateau { width: dice.between(0.05, 0.5) };
    }
    let top = (dice.between(0.2, 0.8), dice.between(0.2, 1.0));
    Envelope::Points(vec![(0.0, 0.0), top, (1.0, 0.0)].into())
}

/// A rope with one pulse instead of waves.
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

/// A rope with noise instead of waves.
fn noisy(dice: &mut Dice) -> SuspendedRope {
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

/// Worst error of `count` random ropes. `error` returns `None` for a rope whose pose has a warning,
/// which is left out; if fewer than two thirds are left, there is no outcome.
fn sweep(
    seed: u64,
    count: usize,
    mut error: impl FnMut(&mut Dice) -> Option<f64>,
) -> Option<Outcome> {
    let mut dice = Dice::new(seed);
    let errors: Vec<f64> = (0..count).filter_map(|_| error(&mut dice)).collect();
    (3 * errors.len() >= 2 * count).then(|| Outcome::worst(worst(errors)))
}

/// Worst error of ropes whose curve is rebuilt from the slack that their pose reports.
fn rebuilt(count: usize, make: Maker, error: Error) -> Option<Outcome> {
    sweep(0x1e47, count, |dice| {
        let rope = make(dice);
        let Ok(pose) = rope.pose() else { return Some(f64::NAN) };
        let formula = Formula::of_pose(&rope, &pose)?;
        pose.warnings.is_empty().then(|| error(&rope, &pose, &formula))
    })
}

/// Error of a rope, from its pose and the curve rebuilt from it.
type Error = fn(&SuspendedRope, &Pose, &Formula) -> f64;

/// Error of the length, and of the samples times a thousand: for them, a bar of 1e-6 means 1e-9.
fn off(rope: &SuspendedRope, pose: &Pose, formula: &Formula) -> f64 {
    worst([length_off(rope, pose, formula), STRICTER * samples_off(rope, pose, formula)])
}

const STRICTER: f64 = 1e3;

fn length_off(rope: &SuspendedRope, _: &Pose, formula: &Formula) -> f64 {
    // Halving resolves the sharp turn at the bottom of deep ropes, and the corners of envelopes.
    measure::by_halving(64, 1e-10 * rope.length, |u| formula.at(u)) / rope.length - 1.0
}

fn samples_off(rope: &SuspendedRope, pose: &Pose, formula: &Formula) -> f64 {
    let last = (rope.samples - 1) as f64;
    let places = pose.points.iter().enumerate();
    worst(places.map(|(i, p)| p.distance(formula.at(i as f64 / last)))) / rope.length
}

/// Ropes with hardly any slack and large waves.
fn shrunk(count: usize) -> Option<Outcome> {
    sweep(0x5481, count, |dice| {
        let mut rope = ropes::random(dice);
        rope.length = rope.from.distance(rope.to) * (1.0 + dice.between(1e-4, 1e-2));
        for layer in &mut rope.displacements {
            if let Displacement::Wave(wave) = layer {
                wave.magnitude = rope.length * dice.between(0.1, 0.3);
            }
        }
        let Ok(pose) = rope.pose() else { return Some(f64::NAN) };
        let formula = Formula::of_pose(&rope, &pose)?;
        matches!(pose.warnings[..], [PoseWarning::TooWavy { .. }])
            .then(|| off(&rope, &pose, &formula))
    })
}

/// Ropes hung a little above a floor at 0, long enough to lie on it.
fn floored(count: usize) -> Option<Outcome> {
    const MARGIN: f64 = 0.02;
    sweep(0xf1004, count, |dice| {
        let from = DVec3::Z * dice.between(0.3, 0.8);
        let to = DVec3::new(dice.between(2.0, 5.0), 0.0, dice.between(0.3, 0.8));
        // Straight down, along the floor and up again is longer than the gap by both heights.
        let more = (from.z + to.z) * dice.between(0.5, 0.85);
        let mut rope = SuspendedRope::new(from, to, from.distance(to) + more);
        let wave = Wave {
            magnitude: dice.between(0.0, 0.06),
            frequency: dice.between(0.5, 4.0),
            phase: dice.between(0.0, TAU),
            azimuth: dice.between(0.0, TAU),
            envelope: Envelope::BOTH_ENDS,
        };
        rope.displacements = vec![wave.into()];
        rope.clamps = vec![Clamp { collider: Collider::floor(0.0), margin: MARGIN }];
        let Ok(pose) = rope.pose() else { return Some(f64::NAN) };
        let lies = pose.points.iter().filter(|p| p.z <= MARGIN).count() > 2;
        let formula = Formula::of_pose(&rope, &pose)?.above(MARGIN);
        (lies && pose.warnings.is_empty()).then(|| off(&rope, &pose, &formula))
    })
}

/// Ropes with many samples, which are measured directly.
fn fine(count: usize) -> Option<Outcome> {
    let mut seed = 0;
    sweep(0xf14e, count, |dice| {
        let mut rope = SuspendedRope { samples: 4097, ..ropes::random(dice) };
        let magnitude = 0.02 * rope.length;
        let envelope = Envelope::BOTH_ENDS;
        rope.displacements.push(Noise { magnitude, scale: 4.0, drift: 0.3, seed, envelope }.into());
        seed += 1;
        let Ok(pose) = rope.pose() else { return Some(f64::NAN) };
        let off = measure::of_points(&pose.points) / rope.length - 1.0;
        pose.warnings.is_empty().then_some(off)
    })
}

/// Loose ropes with bends and waves, 49 samples. A loose rope does not report its reach, but bends
/// scale with it, so the furthest sample determines it and all others must agree. Some bends are so
/// tight that waves fold back on themselves there.
fn loose(count: usize, envelope: fn(&mut Dice, f64) -> Envelope) -> Option<Outcome> {
    let mut bends = random_bends(count).into_iter();
    sweep(0x1005e, count, |dice| {
        let mut rope = LooseRope::new(DVec3::ZERO, dice.between(1.0, 4.0));
        let env = dice.between(0.0, 1.0);
        let envelope = envelope(dice, env);
        rope.displacements = ropes::waves(dice, rope.length, &envelope);
        rope.bends = bends.next()?;
        let pose = rope.pose();
        // A bend past the end is reported but does not change the length.
        if !pose.warnings.iter().all(|f| matches!(f, PoseWarning::BendPastEnd { .. })) {
            return None;
        }
        let unit = Followed::new(&rope.bends);
        let parts = |u: f64| {
            let ((x, y), place) = (ropes::held(&rope.displacements, u, (1.0, 0.0)), unit.at(u));
            (place.point, place.normal * x + place.binormal * y)
        };
        let at = |i: usize| i as f64 / 48.0;
        let distance = |i: &usize| parts(at(*i)).0.length();
        let far = (0..49).max_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        let (gross, push) = parts(at(far));
        let reach = (pose.points[far] - push).dot(gross) / gross.dot(gross);
        let curve = |u: f64| {
            let (gross, push) = parts(u);
            gross * reach + push
        };
        let samples = worst((0..49).map(|i| pose.points[i].distance(curve(at(i)))));
        let length = measure::by_halving(64, 1e-9 * rope.length, curve);
        Some(worst([STRICTER * samples / rope.length, length / rope.length - 1.0]))
    })
}

/// A rope lowered straight down onto the floor: it lies along the normal of its first frame, +X. In
/// general, the corner on the floor is inside a link.
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

/// Ropes laid on the floor at an angle, with waves, with so many samples that the corner where they
/// touch down matters little; that corner is added where the rope meets the floor.
fn lying(count: usize) -> Option<Outcome> {
    const FLOOR: f64 = 0.01;
    sweep(0x11e, count, |dice| {
        let mut rope = LooseRope::new(DVec3::Z * dice.between(0.3, 1.5), dice.between(2.0, 4.0));
        rope.direction = DVec3::new(dice.between(-0.7, 0.7), dice.between(-0.7, 0.7), -1.0);
        rope.displacements = ropes::waves(dice, 0.5 * rope.length, &Envelope::START);
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
        pose.warnings.is_empty().then(|| chords.total() / rope.length - 1.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rope_that_grows_would_be_seen() {
        let grown: Maker = |dice| SuspendedRope { keep_length: false, ..ropes::random(dice) };
        // As published: waves are added to the rest shape and lengthen the rope.
        assert!(rebuilt(20, grown, length_off).unwrap().error > 1e-3);
        assert!(rebuilt(20, grown, samples_off).unwrap().error < 1e-9);
        // A sample moved by a micrometre.
        let moved: Error = |rope, pose, formula| {
            let mut pose = pose.clone();
            pose.points[24] += DVec3::Y * 1e-6;
            samples_off(rope, &pose, formula)
        };
        assert!(rebuilt(20, ropes::random, moved).unwrap().error > 1e-8);
    }

    #[test]
    fn rows_with_few_ropes_have_no_outcome() {
        let some =
            |share: f64| move |dice: &mut Dice| (dice.between(0.0, 1.0) < share).then_some(1e-9);
        assert_eq!(sweep(1, 1000, some(0.6)), None);
        assert!(sweep(1, 1000, some(0.72)).is_some());
        assert!(sweep(1, 10, |_| Some(f64::NAN)).unwrap().error.is_nan());
    }
}
