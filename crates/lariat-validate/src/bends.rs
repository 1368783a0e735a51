//! Bent lines against closed forms and Runge-Kutta.
//!
//! A bend keeps the length, a full turn closes, and the curvatures of overlapping bends add
//! (`docs/papers/barzel.md`, B7).
//!
//! Tests: `a_bend_of_another_angle_would_be_seen`.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DVec2, DVec3};
use lariat_core::curve::bend::{Bend, BentLine};
use lariat_core::curve::{Frame, GrossShape};
use lariat_core::num::ops;

use super::check::{Outcome, topic};
use super::reference::carried::Bent;
use super::reference::dice::Dice;
use super::reference::{measure, worst};

const RUNGE_KUTTA: &str =
    "Runge-Kutta on t′ = κₙ n + κᵦ b, n′ = −κₙ t, b′ = −κᵦ t, 0.001 rad per step";

topic! { "bends": "a straight rope bent like a pipe-cleaner";

    "bend-full-turn": "2 m bent by 360°: distance from end to start" ["m"],
        "a circle closes", 1e-14 ["m"], {
            let ring = line(&[bend(0.0, 1.0, TAU, 0.3)], 2.0);
            Some(Outcome::worst(ring.at(1.0).0.length()))
        };
    "bend-full-turn-round": "2 m bent by 360°: worst of 100 distances from a circle" ["m"],
        "radius 1/π", 1e-14 ["m"], full_turn();
    "bend-quarter": "4 m, a quarter turn over 1 m in the middle: far end" ["m"],
        "(r + 1, 0, −2 − r), r = 2/π; the table shows the distance from the start", 1e-14 ["m"], quarter();
    "bend-kink": "4 m, a kink of 90° at 2 m: far end" ["m"],
        "(2, 0, −2); the table shows the distance from the start", 1e-14 ["m"], {
            let kink = line(&[bend(0.5, 0.0, FRAC_PI_2, 0.0)], 4.0);
            Some(apart(DVec3::new(2.0, 0.0, -2.0), kink.at(1.0).0))
        };
    "bend-random": "100 ropes with 1 to 5 random, overlapping bends: worst far end or frame",
        RUNGE_KUTTA, 1e-11, worst(random_bends(100).iter().map(|b| end_miss(b)));
    "bend-length": "30 ropes of 3 m with random bends: worst length error",
        "3 m; measured by halving chords until they agree", 1e-10 ["relative"], lengths();
}

const fn bend(position: f64, length: f64, angle: f64, azimuth: f64) -> Bend {
    Bend { position, length, angle, azimuth }
}

/// A line hanging down from the origin; by convention its normal is +X.
fn line(bends: &[Bend], length: f64) -> BentLine {
    BentLine::new(DVec3::ZERO, Frame::new(DVec3::NEG_Z, DVec3::Z), length, bends)
}

/// Two points: the values are their distances from the origin, the error is the distance between
/// them.
fn apart(reference: DVec3, ours: DVec3) -> Outcome {
    Outcome::new(reference.length(), ours.length(), ours.distance(reference))
}

fn full_turn() -> Option<Outcome> {
    let ring = line(&[bend(0.0, 1.0, TAU, 0.3)], 2.0);
    let radius = 2.0 / TAU;
    let middle = DVec3::new(ops::cos(0.3), -ops::sin(0.3), 0.0) * radius;
    let places = (0..100).map(|i| ring.at(f64::from(i) / 99.0).0.distance(middle) - radius);
    Some(Outcome::worst(worst(places)))
}

fn quarter() -> Option<Outcome> {
    let r = 1.0 / FRAC_PI_2;
    let rope = line(&[bend(0.5, 0.25, FRAC_PI_2, 0.0)], 4.0);
    Some(apart(DVec3::new(r + 1.0, 0.0, -2.0 - r), rope.at(1.0).0))
}

/// A bent rope of 1 m, integrated once from the origin downwards. No integration step straddles an
/// end of a bend, where the curvature jumps.
pub(super) struct Followed {
    stretches: Vec<Stretch>,
}

/// A stretch of constant curvature, with the states at equal steps along it.
struct Stretch {
    from: f64,
    to: f64,
    bending: DVec2,
    kept: Vec<Bent>,
}

impl Followed {
    pub(super) fn new(bends: &[Bend]) -> Self {
        let ends = bends.iter().flat_map(|b| [b.position, b.position + b.length]);
        let mut cuts: Vec<f64> =
            ends.chain([0.0, 1.0]).filter(|u| (0.0..=1.0).contains(u)).collect();
        cuts.sort_by(f64::total_cmp);
        let mut place = Bent::start(DVec3::NEG_Z, DVec3::X);
        let mut stretches = Vec::new();
        for w in cuts.windows(2).filter(|w| w[1] > w[0]) {
            let bending = bending_at(0.5 * (w[0] + w[1]), bends);
            let steps = (1000.0 * bending.length() * (w[1] - w[0])).ceil().max(1.0) as usize;
            let mut kept = vec![place];
            for _ in 0..steps {
                place = place.on(bending, (w[1] - w[0]) / steps as f64, 1);
                kept.push(place);
            }
            stretches.push(Stretch { from: w[0], to: w[1], bending, kept });
        }
        Self { stretches }
    }

    /// State at `u`: a single short step from the last stored one.
    pub(super) fn at(&self, u: f64) -> Bent {
        let passed = self.stretches.partition_point(|s| s.from <= u);
        let s = &self.stretches[passed.max(1) - 1];
        let step = (s.to - s.from) / (s.kept.len() - 1) as f64;
        let i = (((u - s.from) / step) as usize).min(s.kept.len() - 1);
        s.kept[i].on(s.bending, u - s.from - i as f64 * step, 1)
    }
}

/// Curvature at `u` towards normal and binormal, in radians per metre.
fn bending_at(u: f64, bends: &[Bend]) -> DVec2 {
    let active = bends.iter().filter(|b| (b.position..b.position + b.length).contains(&u));
    active.fold(DVec2::ZERO, |sum, b| {
        let (sin, cos) = ops::sin_cos(b.azimuth);
        sum + DVec2::new(cos, sin) * (b.angle / b.length)
    })
}

/// Ropes with one to five bends each.
pub(super) fn random_bends(count: usize) -> Vec<Vec<Bend>> {
    let mut dice = Dice::new(0xbe4d);
    (0..count)
        .map(|_| {
            (0..=dice.below(5))
                .map(|_| {
                    let (position, length) = (dice.between(0.0, 1.0), dice.between(0.02, 0.9));
                    bend(position, length, dice.between(-6.0, 6.0), dice.between(-3.2, 3.2))
                })
                .collect()
        })
        .collect()
}

fn end_miss(bends: &[Bend]) -> f64 {
    let (point, frame) = line(bends, 3.0).at(1.0);
    let truth = Followed::new(bends).at(1.0);
    worst([
        (point / 3.0).distance(truth.point),
        frame.tangent().distance(truth.tangent),
        frame.normal().distance(truth.normal),
    ])
}

fn lengths() -> Option<Outcome> {
    Some(Outcome::worst(worst(random_bends(30).iter().map(|bends| {
        let rope = line(bends, 3.0);
        measure::by_halving(32, 1e-11, |u| rope.at(u).0) / 3.0 - 1.0
    }))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bend_of_another_angle_would_be_seen() {
        let bends = random_bends(3).remove(2);
        assert!(end_miss(&bends) < 1e-11);
        // Too much by a hundredth of a degree.
        let mut more = bends.clone();
        more[0].angle += 1e-4;
        let (point, truth) = (line(&more, 3.0).at(1.0).0, Followed::new(&bends).at(1.0).point);
        assert!((point / 3.0).distance(truth) > 1e-6);
    }
}
