//! Animation curves: Bezier segments by de Casteljau, integrals by Simpson, exact keys.
//!
//! De Casteljau's algorithm evaluates a weighted segment with 31 digits; bisection finds the parameter
//! of a time.
//!
//! Tests: `a_wrong_handle_would_be_seen`.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::motion::{
    Channel, Ease, EaseShape, EaseSide, Extrapolation, FrameRate, Integral, Interpolation, Key,
    Keys, Tangent,
};
use lariat_core::num::ops;

use super::check::{Outcome, topic};
use super::reference::dice::Dice;
use super::reference::wide::Wide;
use super::reference::{measure, worst};

const CASTELJAU: &str = "de Casteljau's algorithm, parameter of a time by bisection, 31 digits";
const SIMPSON: &str = "adaptive Simpson on the values, from key to key";

topic! { "motion": "animation curves";

    "motion-bezier": "200 Bezier segments with weighted handles, 10 times each: worst error",
        CASTELJAU, 1e-12 ["of the range"], worst(beziers(1.0));
    "motion-bezier-long": "100 segments with handles far too long: worst error",
        "the same, both handles shortened by (a + b − √ab)/(1 − 1/1024)",
        1e-10 ["of the range"], worst(long_handles());
    "motion-keys": "1,000 keys at 24000/1001 frames per second: keys not matched exactly",
        "0", 0.0 ["keys"], missed_keys();
    "motion-cycles": "cycles and ping-pong, 500 cycles in both directions: keys not matched exactly",
        "0", 0.0 ["keys"], missed_copies();
    "motion-overshoot": "100 clamped-auto channels: largest overshoot beyond neighbouring keys",
        "0", 0.0, overshoot();
    "motion-ease": "sine, quad, cubic, quart in, out, in-out: worst of 100 values each",
        "1 − cos(πu/2), u², u³, u⁴; mirrored, and half of each", 1e-15, eases();
    "motion-travel": "travel of a keyed speed over 12 keys: integral to the last key",
        SIMPSON, 1e-11 ["relative"], travel(&[speed(3)]);
    "motion-travel-product": "keyed speed times keyed ripples: integral to the last key",
        SIMPSON, 1e-9 ["relative"], travel(&[speed(3), speed(4)]);
    "motion-travel-cycle": "cycling keyed speed, 7⅓ cycles: integral",
        SIMPSON, 1e-11 ["relative"], cycled();
}

/// Two keys and their handles.
struct Segment {
    start: (f64, f64),
    end: (f64, f64),
    /// Handle after the start, relative to it.
    out: (f64, f64),
    /// Handle before the end, relative to it.
    back: (f64, f64),
}

impl Segment {
    fn random(dice: &mut Dice, reach: impl Fn(&mut Dice) -> (f64, f64)) -> Self {
        let start = (dice.between(-5.0, 5.0), dice.between(-2.0, 2.0));
        let length = dice.between(0.1, 3.0);
        let (a, b) = reach(dice);
        Self {
            start,
            end: (start.0 + length, dice.between(-2.0, 2.0)),
            out: (a * length, dice.between(-1.0, 1.0)),
            back: (-b * length, dice.between(-1.0, 1.0)),
        }
    }

    fn ours(&self) -> Option<Keys<f64>> {
        let first = Key::new(self.start.0, self.start.1)
            .with_tangents(Tangent::default(), Tangent::free(self.out.0, self.out.1));
        let second = Key::new(self.end.0, self.end.1)
            .with_tangents(Tangent::free(self.back.0, self.back.1), Tangent::default());
        Keys::new(vec![first, second]).ok()
    }

    /// Worst error at ten times, relative to the range of the handles; `scale` shortens both.
    fn miss(&self, scale: f64) -> f64 {
        let Some(ours) = self.ours() else { return f64::NAN };
        let plus = |(t, v): (f64, f64), (dt, dv): (f64, f64)| {
            let scale = Wide::from(scale);
            (Wide::from(t) + scale * dt, Wide::from(v) + scale * dv)
        };
        let corners = [
            plus(self.start, (0.0, 0.0)),
            plus(self.start, self.out),
            plus(self.end, self.back),
            plus(self.end, (0.0, 0.0)),
        ];
        let (times, values) = (corners.map(|c| c.0), corners.map(|c| c.1));
        let plain = values.map(Wide::round);
        let range = plain.into_iter().fold(f64::NEG_INFINITY, f64::max)
            - plain.into_iter().fold(f64::INFINITY, f64::min);
        worst((1..=10).map(|k| {
            let t = self.start.0 + (self.end.0 - self.start.0) * f64::from(k) / 11.0;
            let (mut low, mut high) = (Wide::ZERO, Wide::ONE);
            for _ in 0..105 {
                let p = (low + high) * 0.5;
                if (de_casteljau(times, p) - Wide::from(t)).round() > 0.0 {
                    high = p;
                } else {
                    low = p;
                }
            }
            (de_casteljau(values, low) - Wide::from(ours.at(t))).round() / range
        }))
    }
}

/// Bezier cubic with these control values at `p`.
fn de_casteljau(corners: [Wide; 4], p: Wide) -> Wide {
    let mix = |a: Wide, b: Wide| a + (b - a) * p;
    let [a, b, c, d] = corners;
    let (ab, bc, cd) = (mix(a, b), mix(b, c), mix(c, d));
    mix(mix(ab, bc), mix(bc, cd))
}

/// Sum of two handle lengths, relative to the largest with which time is monotone: at most 1.
fn crowding((a, b): (f64, f64)) -> f64 {
    a + b - (a * b).sqrt()
}

/// Random handles with which time is monotone, with some margin.
fn fitting(dice: &mut Dice) -> (f64, f64) {
    loop {
        let reach = (dice.between(0.01, 1.0), dice.between(0.01, 1.0));
        if crowding(reach) < 0.95 {
            return reach;
        }
    }
}

fn beziers(scale: f64) -> Vec<f64> {
    let mut dice = Dice::new(0xbe2);
    (0..200).map(|_| Segment::random(&mut dice, fitting).miss(scale)).collect()
}

fn long_handles() -> Vec<f64> {
    let mut dice = Dice::new(0x1046);
    let reach = |dice: &mut Dice| (dice.between(1.0, 30.0), dice.between(1.0, 30.0));
    (0..100)
        .map(|_| {
            let segment = Segment::random(&mut dice, reach);
            let length = segment.end.0 - segment.start.0;
            let reach = (segment.out.0 / length, -segment.back.0 / length);
            segment.miss((1.0 - 1.0 / 1024.0) / crowding(reach))
        })
        .collect()
}

fn missed_keys() -> Option<Outcome> {
    let rate = FrameRate::new(24_000, 1001).ok()?;
    let mut dice = Dice::new(0x4e75);
    let mut missed = 0;
    for _ in 0..20 {
        let mut frame = dice.between(-500.0, 500.0).round();
        let mut keys = Vec::new();
        for _ in 0..50 {
            keys.push((frame, dice.vector(10.0)));
            // Whole frames and fractions.
            frame += [1.0, 7.0, 0.25, 12.5][dice.below(4)];
        }
        let keyed = keys.iter().map(|(frame, value)| {
            let interpolation = INTERPOLATIONS[dice.below(4)];
            Key::new(rate.seconds(*frame), *value).with_interpolation(interpolation)
        });
        let channel: Channel<DVec3> = Keys::new(keyed.collect()).ok()?.into();
        let hit = |(frame, value): &(f64, DVec3)| channel.at(rate.seconds(*frame)) == *value;
        missed += keys.iter().filter(|key| !hit(key)).count();
    }
    Some(Outcome::worst(missed as f64))
}

/// Interpolations after a key.
const INTERPOLATIONS: [Interpolation; 4] = [
    Interpolation::Bezier,
    Interpolation::Linear,
    Interpolation::Step,
    Interpolation::Ease(Ease { shape: EaseShape::Cubic, side: EaseSide::InOut }),
];

fn missed_copies() -> Option<Outcome> {
    // A walk cycle of 30 frames, at a rate at which frames are no exact seconds.
    let rate = FrameRate::new(30_000, 1001).ok()?;
    let frames = [0.0, 4.0, 11.0, 17.0, 30.0];
    let values = [0.3, -1.2, 0.7, 2.5, 0.3];
    let keys: Vec<_> =
        frames.iter().zip(values).map(|(f, v)| Key::new(rate.seconds(*f), v)).collect();
    let mut missed = 0;
    for extend in [Extrapolation::Cycle, Extrapolation::PingPong] {
        let channel: Channel<f64> = Keys::extended(keys.clone(), extend, extend).ok()?.into();
        for cycle in -500_i32..=500 {
            let back = extend == Extrapolation::PingPong && cycle % 2 != 0;
            for (frame, value) in frames.iter().zip(values) {
                let inside = if back { 30.0 - frame } else { *frame };
                let t = rate.seconds(30.0 * f64::from(cycle) + inside);
                missed += usize::from(channel.at(t) != value);
            }
        }
    }
    Some(Outcome::worst(missed as f64))
}

fn overshoot() -> Option<Outcome> {
    let mut dice = Dice::new(0x0e4);
    let mut beyond = Vec::new();
    for _ in 0..100 {
        let mut t = 0.0;
        let keys: Vec<_> = (0..10)
            .map(|_| {
                t += dice.between(0.05, 2.0);
                Key::new(t, dice.between(-3.0, 3.0))
            })
            .collect();
        let channel = Keys::new(keys.clone()).ok()?;
        for pair in keys.windows(2) {
            let (low, high) = (pair[0].value.min(pair[1].value), pair[0].value.max(pair[1].value));
            for k in 0..=50 {
                let t = pair[0].time + (pair[1].time - pair[0].time) * f64::from(k) / 50.0;
                let v = channel.at(t.min(pair[1].time));
                beyond.push(v - v.clamp(low, high));
            }
        }
    }
    Some(Outcome::worst(worst(beyond)))
}

fn eases() -> Option<Outcome> {
    let start = |shape: EaseShape, u: f64| match shape {
        EaseShape::Sine => 1.0 - ops::cos(0.5 * PI * u),
        EaseShape::Quad => u * u,
        EaseShape::Cubic => u * u * u,
        EaseShape::Quart => u * u * u * u,
        _ => f64::NAN,
    };
    let mut errors = Vec::new();
    for shape in [EaseShape::Sine, EaseShape::Quad, EaseShape::Cubic, EaseShape::Quart] {
        let start = |u: f64| start(shape, u);
        for side in [EaseSide::In, EaseSide::Out, EaseSide::InOut] {
            let leaving =
                Key::new(0.0, 0.0).with_interpolation(Interpolation::Ease(Ease { shape, side }));
            let channel = Keys::new(vec![leaving, Key::new(1.0, 1.0)]).ok()?;
            for k in 0..100 {
                let u = f64::from(k) / 100.0;
                let truth = match side {
                    EaseSide::In => start(u),
                    EaseSide::Out => 1.0 - start(1.0 - u),
                    EaseSide::InOut if u < 0.5 => 0.5 * start(2.0 * u),
                    EaseSide::InOut => 1.0 - 0.5 * start(2.0 - 2.0 * u),
                };
                errors.push(channel.at(u) - truth);
            }
        }
    }
    Some(Outcome::worst(worst(errors)))
}

/// A speed with twelve keys of all interpolations, with weighted handles.
fn speed(seed: u64) -> Option<Keys<f64>> {
    let mut dice = Dice::new(seed);
    let mut t = 0.0;
    let keys = (0..12).map(|i| {
        let key = Key::new(t, dice.between(0.2, 3.0)).with_interpolation(INTERPOLATIONS[i % 4]);
        t += dice.between(0.3, 1.5);
        let (out, rise) = (dice.between(0.05, 0.6), dice.between(-1.0, 1.0));
        key.with_tangents(Tangent::free(-out, -rise), Tangent::free(out, rise))
    });
    Keys::new(keys.collect()).ok()
}

/// The integral of the product of one or two channels to the last key.
fn travel(factors: &[Option<Keys<f64>>]) -> Option<Outcome> {
    let factors: Option<Vec<Keys<f64>>> = factors.iter().cloned().collect();
    let factors = factors?;
    let mut cuts: Vec<f64> = factors.iter().flat_map(|k| k.key_times().to_vec()).collect();
    cuts.sort_by(f64::total_cmp);
    let end = factors[0].span().to().min(factors.last()?.span().to());
    cuts.retain(|t| *t <= end);
    let truth = piecewise(&cuts, |t| factors.iter().map(|k| k.at(t)).product());
    let channels: Vec<Channel<f64>> = factors.into_iter().map(Channel::from).collect();
    let ours = match channels.as_slice() {
        [one] => Integral::of(one),
        [one, two] => Integral::of_product(one, two),
        _ => return None,
    };
    Some(Outcome::relative(truth, ours.to(end)))
}

/// Simpson from cut to cut; a value that steps at a cut belongs to the interval after it.
fn piecewise(cuts: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    let mut sum = measure::Sum::default();
    for w in cuts.windows(2).filter(|w| w[1] > w[0]) {
        let last = w[1] - 1e-13 * (w[1] - w[0]).max(w[1].abs());
        sum.add(measure::simpson(w[0], w[1], 1e-13, |t| f(t.min(last))));
    }
    sum.total()
}

fn cycled() -> Option<Outcome> {
    let keys = speed(5)?.with_extensions(Extrapolation::Cycle, Extrapolation::Cycle);
    let times = keys.key_times().to_vec();
    let cycle = times.last()? - times[0];
    let end = times[0] + 7.0 * cycle + cycle / 3.0;
    let one = piecewise(&times, |t| keys.at(t));
    let mut cuts: Vec<f64> =
        times.iter().copied().filter(|t| *t < times[0] + cycle / 3.0).collect();
    cuts.push(times[0] + cycle / 3.0);
    let truth = 7.0 * one + piecewise(&cuts, |t| keys.at(t));
    Some(Outcome::relative(truth, Integral::of(&Channel::from(keys)).to(end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_handle_would_be_seen() {
        assert!(worst(beziers(1.0 - 1e-9)) > 1e-11);
        // Handles that are too long are shortened.
        let mut dice = Dice::new(2);
        let long = Segment::random(&mut dice, |_| (2.0, 1.5));
        assert!(long.miss(1.0) > 1e-3);
    }
}
