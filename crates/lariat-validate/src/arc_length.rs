//! Sampled curves: length, even steps, nearest points.
//!
//! The curve through samples is the natural cubic spline. Brute force on an independent natural
//! spline checks its measurement; closed forms check its distance from the sampled curve, whose
//! order is 3 for open curves (natural ends are straight) and 4 for rings. The parametric speed of the
//! spline through random points nearly vanishes in places, where eight Gauss points per span give five
//! digits, not ten.
//!
//! Tests: `chords_alone_would_not_pass`.

use std::f64::consts::TAU;

use glam::DVec3;
use lariat_core::curve::{Polyline, Spline};
use lariat_core::num::ops;

use super::check::{Outcome, topic};
use super::reference::dice::Dice;
use super::reference::hung::{Hung, leaned, rounded};
use super::reference::natural::Natural;
use super::reference::{measure, order, worst};

const BRUTE: &str = "natural cubic by second derivatives and Gaussian elimination, measured by 4,096 chords per span";

const STEPPED: &str = "arc length up to each sample by halving chords of the natural cubic";

topic! { "arc-length": "splines through samples: length, even steps, nearest points";

    "arc-length-spline": "spline through 17 samples of a 6 m catenary: its length" ["m"],
        BRUTE, 1e-9 ["relative"], brute(&catenary(17));
    "arc-length-random-spline": "spline through 20 random points: its length" ["m"],
        BRUTE, 1e-4 ["relative"], brute(&scattered());
    "arc-length-catenary": "17 samples of a catenary: length" ["m"],
        "6, length of the rope",
        1e-5 ["relative"], Outcome::relative(6.0, open(&catenary(17))?);
    "arc-length-catenary-order": "catenary: order in the spacing, 513 to 1,025 samples",
        "3, from the straight ends of the natural spline",
        0.1, convergence(3.0, 513, |n| Some(open(&catenary(n))? / 6.0 - 1.0));
    "arc-length-circle": "33 samples of a ring of radius 1: length" ["m"],
        "2π", 1e-5 ["relative"], Outcome::relative(TAU, ring(33)?.length());
    "arc-length-circle-order": "ring: order in the spacing, 33 to 65 samples",
        "4, for a periodic cubic spline",
        0.1, convergence(4.0, 33, |n| Some(ring(n)?.length() / TAU - 1.0));
    "arc-length-even-steps":
        "helix, unevenly sampled (1:9), resampled in 100 equal steps: worst position error",
        STEPPED, 1e-9 ["of the length"], even_steps(&uneven());
    "arc-length-random-even-steps":
        "spline through 20 random points resampled in 100 equal steps: worst position error",
        STEPPED, 1e-4 ["of the length"], even_steps(&scattered());
    "arc-length-nearest": "nearest point of a spline to 100 points: worst error of the distance" ["m"],
        "brute force over 40,001 points of the natural cubic, refined by golden-section search",
        1e-12 ["m"], nearest();
}

/// Samples at equal arc length of 6 m of rope over 4 m, level, from the reference.
fn catenary(n: usize) -> Vec<DVec3> {
    let hung = Hung::between(DVec3::ZERO, DVec3::X * 4.0, 6.0, leaned(0.0, 0.0));
    (0..n).map(|i| rounded(&hung.at(6.0 * i as f64 / (n - 1) as f64))).collect()
}

/// Helix of radius 1, rise 0.3 per radian and two turns: 65 samples, whose spacing grows ninefold.
fn uneven() -> Vec<DVec3> {
    let turns = (0..65).map(|i| f64::from(i) / 64.0).map(|x| 2.0 * TAU * x * (0.2 + 0.8 * x));
    turns.map(|a| DVec3::new(ops::cos(a), ops::sin(a), 0.3 * a)).collect()
}

/// A random walk that sometimes nearly stops and turns back.
fn scattered() -> Vec<DVec3> {
    let mut dice = Dice::new(7);
    (0..20).map(|i| DVec3::X * (0.4 * f64::from(i)) + dice.vector(0.5)).collect()
}

fn spline(points: &[DVec3]) -> Option<Spline> {
    Some(Spline::through(&Polyline::new(points.to_vec()).ok()?))
}

fn open(points: &[DVec3]) -> Option<f64> {
    Some(spline(points)?.length())
}

fn ring(n: usize) -> Option<Spline> {
    let angles = (0..n - 1).map(|i| TAU * i as f64 / (n - 1) as f64);
    let mut points: Vec<_> = angles.map(|a| DVec3::new(ops::cos(a), ops::sin(a), 0.0)).collect();
    points.push(points[0]);
    Some(Spline::through(&Polyline::ring(points).ok()?))
}

/// Length of the spline, by the library and by brute force.
fn brute(points: &[DVec3]) -> Outcome {
    let (natural, spans) = (Natural::through(points), points.len() - 1);
    let mut truth = measure::Sum::default();
    for i in 0..spans {
        let u = |x: f64| (i as f64 + x.min(1.0 - 1e-13)) / spans as f64;
        truth.add(measure::by_chords(1024, |x| natural.at(u(x))));
    }
    Outcome::relative(truth.total(), open(points).unwrap_or(f64::NAN))
}

/// Order of convergence when the spacing is halved.
fn convergence(expected: f64, n: usize, error: impl Fn(usize) -> Option<f64>) -> Option<Outcome> {
    Some(Outcome::absolute(expected, order(error(n)?, error(2 * n - 1)?)))
}

fn even_steps(points: &[DVec3]) -> Option<Outcome> {
    let (spline, natural) = (spline(points)?, Natural::through(points));
    let even = spline.resampled(101);
    let mut reached = vec![0.0];
    let (mut sum, mut u, mut errors) = (measure::Sum::default(), 0.0, Vec::new());
    for (k, sample) in even.points().iter().enumerate().skip(1) {
        // The parameter at which a step ends is the library's; the arc length up to it is measured.
        let next = spline.parameter_at(spline.length() * k as f64 / 100.0);
        sum.add(measure::by_halving(8, 1e-13 * spline.length(), |x| {
            natural.at(u + (next - u) * x)
        }));
        reached.push(sum.total());
        errors.push(sample.distance(natural.at(next)) / spline.length());
        u = next;
    }
    let length = reached[100];
    errors.extend((0..=100).map(|k| reached[k] / length - k as f64 / 100.0));
    Some(Outcome::worst(worst(errors)))
}

fn nearest() -> Option<Outcome> {
    let (spline, natural) = (spline(&scattered())?, Natural::through(&scattered()));
    let mut dice = Dice::new(11);
    let places: Vec<_> = (0..=40_000).map(|i| natural.at(f64::from(i) / 40_000.0)).collect();
    Some(Outcome::worst(worst((0..100).map(|_| {
        let target = DVec3::X * dice.between(0.0, 8.0) + dice.vector(1.0);
        let mut best = (0, f64::INFINITY);
        for (i, place) in places.iter().enumerate() {
            let d = place.distance(target);
            best = if d < best.1 { (i, d) } else { best };
        }
        let around = |k: f64| ((best.0 as f64 + k) / 40_000.0).clamp(0.0, 1.0);
        let (mut low, mut high) = (around(-1.0), around(1.0));
        for _ in 0..60 {
            let (a, b) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
            let nearer = natural.at(a).distance(target) < natural.at(b).distance(target);
            (low, high) = if nearer { (low, b) } else { (a, high) };
        }
        let truth = natural.at(0.5 * (low + high)).distance(target).min(best.1);
        spline.closest(target).distance - truth
    }))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chords_alone_would_not_pass() {
        let chords = Polyline::new(catenary(17)).unwrap().chord_length();
        // docs/papers/barzel.md, measured: 5.9927.
        assert!((chords - 5.9927).abs() < 1e-4, "{chords}");
        assert!(Outcome::relative(6.0, chords).error > 1e-5);
    }
}
