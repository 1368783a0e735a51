//! Frames along a curve against torsion and against their differential equation.
//!
//! On a helix the frame rotates against the principal normal by torsion times arc length. With exact
//! tangents, the error of double reflection falls with the fourth power of the spacing.
//!
//! Tests: `a_frenet_frame_would_not_pass`.

use std::f64::consts::TAU;

use glam::DVec3;
use lariat_core::curve::catenary::{Catenary, tilted_up};
use lariat_core::curve::{Frame, Framing, GrossShape, frames, frames_along};
use lariat_core::num::ops;

use super::check::{Outcome, topic};
use super::reference::dice::Dice;
use super::reference::hung::{Hung, distance, leaned};
use super::reference::{carried, order, worst};

const TORSION: &str = "−torsion × arc length = −(0.3/1.09) · 4π √1.09, modulo 2π";

topic! { "frames": "rotation-minimising frames along a curve";

    "frame-helix": "helix, 2 turns, 65 samples: rotation against the principal normal" ["rad"],
        TORSION, 6e-7 ["rad"], turned(&carried_on_helix(65, Framing::RotationMinimising));
    "frame-helix-fine": "helix, 2 turns, 1,025 samples: the same" ["rad"],
        TORSION, 1e-11 ["rad"], turned(&carried_on_helix(1025, Framing::RotationMinimising));
    "frame-helix-order": "helix: order in the spacing, 65 to 129 samples",
        "4: double reflection (Wang, Jüttler, Zheng, Liu 2008)", 0.1, {
            let error = |n| turned(&carried_on_helix(n, Framing::RotationMinimising)).error;
            Some(Outcome::absolute(4.0, order(error(65), error(129))))
        };
    "frame-helix-sampled-order": "helix, tangents from samples: order in the spacing, 129 to 257",
        "at least 3: differences of third order at the ends", 0.1 ["short"], {
            let error = |n| turned(&sampled_on_helix(n)).error;
            Some(Outcome::at_least(3.0, order(error(129), error(257))))
        };
    "frame-knot": "trefoil knot, 401 samples: angle error after one turn" ["rad"],
        "Runge-Kutta on n′ = −(n · t′) t, 20,000 steps", 1e-6 ["rad"], knot();
    "frame-orthonormal":
        "random walk of 20,000 samples: tangent and normal, worst error of length or angle",
        "unit vectors at right angles", 1e-14, orthonormal();
    "frame-catenary": "a leaned catenary: worst of 65 tangents",
        "tangents of y = A cosh((x − x₀)/A), 31 digits", 1e-14, hung();
}

/// Radius 1, rise 0.3 per radian, two turns: points and unit tangents.
fn helix(n: usize) -> (Vec<DVec3>, Vec<DVec3>) {
    let speed = 1.09_f64.sqrt();
    (0..n)
        .map(|i| {
            let a = 2.0 * TAU * i as f64 / (n - 1) as f64;
            let (sin, cos) = ops::sin_cos(a);
            (DVec3::new(cos, sin, 0.3 * a), DVec3::new(-sin, cos, 0.3) / speed)
        })
        .unzip()
}

/// The last frame; the first normal is the principal normal, which points to the axis.
fn carried_on_helix(n: usize, framing: Framing) -> Frame {
    let (points, tangents) = helix(n);
    let mut out = Vec::new();
    frames(&points, &tangents, DVec3::NEG_X, framing, &mut out);
    out[n - 1]
}

fn sampled_on_helix(n: usize) -> Frame {
    let mut out = Vec::new();
    frames_along(&helix(n).0, false, DVec3::NEG_X, Framing::RotationMinimising, &mut out);
    out[n - 1]
}

/// Rotation of the normal about the tangent against the principal normal, which after two whole turns
/// is −X again.
fn turned(end: &Frame) -> Outcome {
    let tangent = DVec3::new(0.0, 1.0, 0.3) / 1.09_f64.sqrt();
    let principal = DVec3::NEG_X;
    let binormal = tangent.cross(principal);
    let ours = ops::atan2(end.normal().dot(binormal), end.normal().dot(principal));
    let torsion = -(0.3 / 1.09) * 2.0 * TAU * 1.09_f64.sqrt();
    let reference = torsion - TAU * (torsion / TAU).round();
    let off = (ours - reference) / TAU;
    Outcome::new(reference, ours, ((off - off.round()) * TAU).abs())
}

/// The trefoil: point, first and second derivative by `u`.
fn trefoil(u: f64) -> (DVec3, DVec3, DVec3) {
    let ((s1, c1), (s2, c2), (s3, c3)) =
        (ops::sin_cos(TAU * u), ops::sin_cos(2.0 * TAU * u), ops::sin_cos(3.0 * TAU * u));
    (
        DVec3::new(s1 + 2.0 * s2, c1 - 2.0 * c2, -s3),
        DVec3::new(c1 + 4.0 * c2, -s1 + 4.0 * s2, -3.0 * c3) * TAU,
        DVec3::new(-s1 - 8.0 * s2, -c1 + 8.0 * c2, 9.0 * s3) * (TAU * TAU),
    )
}

fn unit(v: DVec3) -> DVec3 {
    v / v.length()
}

fn knot() -> Option<Outcome> {
    let n = 401;
    let at = |i: usize| trefoil(i as f64 / (n - 1) as f64);
    let points: Vec<_> = (0..n).map(|i| at(i).0).collect();
    let tangents: Vec<_> = (0..n).map(|i| unit(at(i).1)).collect();
    let mut out = Vec::new();
    frames(&points, &tangents, DVec3::Z, Framing::RotationMinimising, &mut out);
    let (start, end) = (out.first()?, out.last()?);
    let truth = carried::normal_at_end(20_000, start.normal(), |u| {
        let (_, velocity, change) = trefoil(u);
        let speed = velocity.length();
        let t = velocity / speed;
        (t, (change - t * t.dot(change)) / speed)
    });
    let ours = end.normal();
    let off = ops::atan2(truth.cross(ours).length(), truth.dot(ours));
    Some(Outcome::worst(off))
}

fn orthonormal() -> Option<Outcome> {
    let mut dice = Dice::new(5);
    let (mut points, mut place, mut heading) = (Vec::new(), DVec3::ZERO, DVec3::X);
    for _ in 0..20_000 {
        points.push(place);
        heading = unit(heading + dice.vector(0.3));
        place += heading * dice.between(0.01, 0.1);
    }
    let mut out = Vec::new();
    frames_along(&points, false, DVec3::Z, Framing::RotationMinimising, &mut out);
    // The binormal follows from the other two.
    Some(Outcome::worst(worst(out.iter().flat_map(|f| {
        let (t, n) = (f.tangent(), f.normal());
        [t.length() - 1.0, n.length() - 1.0, t.dot(n)]
    }))))
}

fn hung() -> Option<Outcome> {
    let end = DVec3::new(4.0, 0.5, 1.0);
    let up = tilted_up(0.6, -0.3, (DVec3::X, DVec3::Y));
    let ours = Catenary::between(DVec3::ZERO, end, 6.0, up).ok()?;
    let truth = Hung::between(DVec3::ZERO, end, 6.0, leaned(0.6, -0.3));
    Some(Outcome::worst(worst((0..65).map(|i| {
        let u = f64::from(i) / 64.0;
        distance(ours.at(u).1.tangent(), &truth.tangent(6.0 * u))
    }))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frenet_frame_would_not_pass() {
        assert!(turned(&carried_on_helix(65, Framing::Frenet)).error > 0.1);
        assert!(
            turned(&carried_on_helix(65, Framing::RotationMinimising).twisted(-1e-6)).error > 6e-7
        );
    }
}
