//! Bent lines against closed forms and against Runge-Kutta.
//!
//! A bend keeps length exactly, a full turn closes, and where bends overlap their curvatures add
//! (`docs/papers/barzel.md`, [B7]). The reference integrates the frame's differential equation in small steps and
//! knows nothing of arcs.
//!
//! Tests: `bends_one_after_the_other_would_not_pass`.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DVec2, DVec3};
use lariat_core::curve::bend::{Bend, BentLine};
use lariat_core::curve::{Frame, GrossShape};
use lariat_core::num::ops;

use super::check::{Check, Outcome, Topic};
use super::reference::carried::Bent;
use super::reference::dice::Dice;
use super::reference::{measure, worst};

const RUNGE_KUTTA: &str =
    "Runge-Kutta on t′ = κₙ n + κᵦ b, n′ = −κₙ t, b′ = −κᵦ t, a thousandth of a radian a step";

pub(super) const TOPIC: Topic = Topic {
    name: "bends",
    title: "a straight rope bent like a pipe-cleaner",
    checks: &[
        Check {
            name: "bend-full-turn",
            what: "2 m bent by 360°: from end to start",
            unit: "m",
            source: "a circle closes",
            counted: "m",
            bar: 1e-14,
            run: || {
                let ring = line(&[bend(0.0, 1.0, TAU, 0.3)], 2.0);
                Some(Outcome::worst(ring.at(1.0).0.length()))
            },
        },
        Check {
            name: "bend-full-turn-round",
            what: "2 m bent by 360°: worst of 100 places off the circle",
            unit: "m",
            source: "radius 1/π about the middle",
            counted: "m",
            bar: 1e-14,
            run: full_turn,
        },
        Check {
            name: "bend-quarter",
            what: "4 m, a quarter turn over 1 m in the middle: far end",
            unit: "m",
            source: "(r + 1, 0, −2 − r), r = 2/π; shown is its distance from the start",
            counted: "m",
            bar: 1e-14,
            run: quarter,
        },
        Check {
            name: "bend-kink",
            what: "4 m, a kink of 90° at 2 m: far end",
            unit: "m",
            source: "(2, 0, −2); shown is its distance from the start",
            counted: "m",
            bar: 1e-14,
            run: || {
                let kink = line(&[bend(0.5, 0.0, FRAC_PI_2, 0.0)], 4.0);
                Some(apart(DVec3::new(2.0, 0.0, -2.0), kink.at(1.0).0))
            },
        },
        Check {
            name: "bend-overlap-end",
            what: "three overlapping bends on 2 m: far end",
            unit: "m",
            source: RUNGE_KUTTA,
            counted: "m",
            bar: 1e-12,
            run: || {
                let ours = line(&OVERLAPPING, 2.0).at(1.0).0;
                Some(apart(integrated(&OVERLAPPING, 2.0).point, ours))
            },
        },
        Check {
            name: "bend-random",
            what: "100 ropes with 1 to 5 random bends: worst far end or frame",
            unit: "",
            source: RUNGE_KUTTA,
            counted: "",
            bar: 1e-11,
            run: || Some(Outcome::worst(worst(random_bends(100).iter().map(|b| end_miss(b))))),
        },
        Check {
            name: "bend-length",
            what: "30 ropes of 3 m with random bends: worst length",
            unit: "",
            source: "3 m; ours by halving chords until they agree",
            counted: "relative",
            bar: 1e-10,
            run: lengths,
        },
    ],
};

const fn bend(position: f64, length: f64, angle: f64, azimuth: f64) -> Bend {
    Bend { position, length, angle, azimuth }
}

const OVERLAPPING: [Bend; 3] =
    [bend(0.1, 0.5, 2.0, 0.4), bend(0.3, 0.4, -1.5, 2.0), bend(0.65, 0.2, 3.0, -1.0)];

/// Hanging down from the origin; the convention makes its normal +X.
fn line(bends: &[Bend], length: f64) -> BentLine {
    BentLine::new(DVec3::ZERO, Frame::new(DVec3::NEG_Z, DVec3::Z), length, bends)
}

/// Two places, shown by their distance from the origin, judged by their distance apart.
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

/// The far end by Runge-Kutta.
fn integrated(bends: &[Bend], length: f64) -> Bent {
    integrated_to(1.0, bends, length)
}

/// The place at `to` by Runge-Kutta, from one end of a bend to the next, so that no step
/// straddles a jump.
pub(super) fn integrated_to(to: f64, bends: &[Bend], length: f64) -> Bent {
    let ends = bends.iter().flat_map(|b| [b.position, b.position + b.length]);
    let mut cuts: Vec<f64> = ends.chain([0.0, to]).filter(|u| (0.0..=to).contains(u)).collect();
    cuts.sort_by(f64::total_cmp);
    let mut place = Bent::start(DVec3::NEG_Z, DVec3::X);
    for w in cuts.windows(2).filter(|w| w[1] > w[0]) {
        let bending = bending_at(0.5 * (w[0] + w[1]), bends, length);
        let metres = (w[1] - w[0]) * length;
        let steps = (1000.0 * bending.length() * metres).ceil().max(1.0) as usize;
        place = place.on(bending, metres, steps);
    }
    place
}

/// A bent rope of 1 m followed by Runge-Kutta once, to be asked at any place: in between a single
/// short step leads on from the last one kept.
pub(super) struct Followed {
    stretches: Vec<Stretch>,
}

/// A stretch of constant bending, and the places kept along it at equal steps.
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
            let bending = bending_at(0.5 * (w[0] + w[1]), bends, 1.0);
            // A five-hundredth of a radian a step: 1e-16 each, and 1e-12 for the whole rope.
            let steps = (500.0 * bending.length() * (w[1] - w[0])).ceil().max(1.0) as usize;
            let mut kept = vec![place];
            for _ in 0..steps {
                place = place.on(bending, (w[1] - w[0]) / steps as f64, 1);
                kept.push(place);
            }
            stretches.push(Stretch { from: w[0], to: w[1], bending, kept });
        }
        Self { stretches }
    }

    pub(super) fn at(&self, u: f64) -> Bent {
        let passed = self.stretches.partition_point(|s| s.from <= u);
        let s = &self.stretches[passed.max(1) - 1];
        let step = (s.to - s.from) / (s.kept.len() - 1) as f64;
        let i = (((u - s.from) / step) as usize).min(s.kept.len() - 1);
        s.kept[i].on(s.bending, u - s.from - i as f64 * step, 1)
    }
}

/// How bends turn a rope at `u`, towards normal and binormal, per metre.
fn bending_at(u: f64, bends: &[Bend], length: f64) -> DVec2 {
    let active = bends.iter().filter(|b| (b.position..b.position + b.length).contains(&u));
    active.fold(DVec2::ZERO, |sum, b| {
        let (sin, cos) = ops::sin_cos(b.azimuth);
        sum + DVec2::new(cos, sin) * (b.angle / (b.length * length))
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
    let truth = integrated(bends, 3.0);
    worst([
        point.distance(truth.point) / 3.0,
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

    /// The far end of a rope hanging down, each bend a map of space that bends what lies in its
    /// slab of depths and carries on what is below.
    fn barr(bends: &[Bend], length: f64) -> DVec3 {
        bends.iter().fold(DVec3::NEG_Z * length, |p, b| {
            let (top, taken) = (b.position * length, b.length * length);
            let (radius, depth) = (taken / b.angle, (-p.z - top).max(0.0));
            let (sin, cos) = ops::sin_cos(depth.min(taken) / radius);
            // Hanging down, the normal is +X and the binormal −Y.
            let towards = DVec3::new(ops::cos(b.azimuth), -ops::sin(b.azimuth), 0.0);
            let aside = p.dot(towards);
            let (beyond, rest) = ((depth - taken).max(0.0), p - towards * aside - DVec3::Z * p.z);
            if depth == 0.0 {
                return p;
            }
            // Inside the bend a point goes round its middle, `radius` to the side.
            let inside = radius - (radius - aside) * cos;
            let down = (radius - aside) * sin;
            rest + towards * (inside + beyond * sin) - DVec3::Z * (top + down + beyond * cos)
        })
    }

    #[test]
    fn bends_one_after_the_other_would_not_pass() {
        // Barr's map in space, bend after bend: which points a bend takes hold of depends on how
        // deep they hang when its turn comes. For a single bend it is right.
        let alone = [OVERLAPPING[0]];
        let end = barr(&alone, 2.0);
        assert!(end.distance(integrated(&alone, 2.0).point) < 1e-12);
        let off = |bends: &[Bend]| barr(bends, 2.0).distance(integrated(bends, 2.0).point);
        assert!(off(&OVERLAPPING) > 1e-2);
        // Nor where they do not overlap: the first one lifts the rope out of the second's slab.
        assert!(off(&[bend(0.1, 0.2, 2.5, 0.0), bend(0.6, 0.2, 1.0, 0.0)]) > 1e-2);
        // A hundredth of a degree too much.
        let mut apart = OVERLAPPING.to_vec();
        apart[2].angle += 1e-4;
        assert!(line(&apart, 2.0).at(1.0).0.distance(integrated(&OVERLAPPING, 2.0).point) > 1e-6);
    }
}
