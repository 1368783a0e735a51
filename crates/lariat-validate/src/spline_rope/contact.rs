//! Sliding ropes: on a floor, and around a beam.
//!
//! Tests: `a_slippery_beam_holds_less`.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::dynamics::material::Section;
use lariat_core::dynamics::spline_rope::{Build, SplineRope};
use lariat_core::model::layer::Collider;
use lariat_core::num::ops;
use lariat_papers::tuzel::{self, Step};

use super::super::check::Outcome;
use super::{GRAVITY, ideal, laid, published};

/// Speed in m/s, friction and radius in metres of a sliding rope.
const SLIDES: (f64, f64, f64) = (2.0, 0.5, 0.01);

/// Compares a sliding distance with the closed form.
fn slides(found: f64) -> Outcome {
    let (speed, friction, _) = SLIDES;
    Outcome::relative(speed * speed / (2.0 * friction * GRAVITY), found)
}

/// Sliding distance of a rope on a floor with an initial sideways velocity.
pub(super) fn slide() -> Option<Outcome> {
    let (speed, friction, radius) = SLIDES;
    let build = Build { contact_points: 30, ..Build::new(12, ideal(20.0)) };
    let mut rope = laid(DVec3::Z * radius, DVec3::new(1.0, 0.0, radius), &build)?;
    rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), radius));
    rope.friction = friction;
    rope.state.velocities.fill(DVec3::Y * speed);
    for _ in 0..240 {
        rope.step(1.0 / 240.0).ok()?;
    }
    Some(slides(rope.point(0.5).y))
}

/// The same for the rope of the paper.
pub(super) fn slide_as_published() -> Option<Outcome> {
    let (speed, friction, radius) = SLIDES;
    let step = Step::SemiImplicit;
    let build = tuzel::Build { step, ..tuzel::Build::published(ideal(20.0)) };
    let mut rope = published(DVec3::Z * radius, DVec3::new(1.0, 0.0, radius), &build)?;
    rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), radius));
    rope.friction = friction;
    rope.state.velocities.fill(DVec3::Y * speed);
    for _ in 0..1000 {
        rope.step(1e-3).ok()?;
    }
    Some(slides(rope.point(0.5).y))
}

/// Distance in metres that a rope over a beam runs in half a second, with 1 kg at one end and `ratio`
/// at the other.
fn runs(ratio: f64, friction: f64) -> Option<f64> {
    let (radius, margin, hang) = (0.1, 0.005, 0.4);
    let section = Section { mass_per_metre: 0.01, ..ideal(2e4) };
    let down = |i: u32| -hang * f64::from(i) / 8.0;
    let mut points: Vec<DVec3> = (0..=8).map(|i| DVec3::new(-radius, 0.0, down(8 - i))).collect();
    points.extend((1..=16).map(|i| {
        let (sin, cos) = ops::sin_cos(PI * (1.0 - f64::from(i) / 16.0));
        DVec3::new(radius * cos, 0.0, radius * sin)
    }));
    points.extend((1..=8).map(|i| DVec3::new(radius, 0.0, down(i))));
    let mut build = Build { contact_points: 120, ..Build::new(43, section) };
    build.weights.extend([(0.0, 1.0), (1.0, ratio)]);
    let mut rope = SplineRope::along(&points, &build).ok()?;
    let beam = Collider::Cylinder { from: DVec3::Y, to: DVec3::NEG_Y, radius: radius - margin };
    rope.obstacles.push(Obstacle::standing(beam, margin));
    (rope.friction, rope.viscosity) = (friction, 0.5);
    let start = rope.point(1.0).z;
    for _ in 0..120 {
        rope.step(1.0 / 240.0).ok()?;
    }
    Some(start - rope.point(1.0).z)
}

/// Ratio of loads at which the rope begins to run, searched between 0.7 and 1.4 of the capstan's.
pub(super) fn capstan() -> Option<Outcome> {
    let friction = 0.4;
    let most = ops::exp(friction * PI);
    let (mut holds, mut slips) = (0.7 * most, 1.4 * most);
    for _ in 0..8 {
        let ratio = 0.5 * (holds + slips);
        // A rope that holds settles by some millimetres; one that runs accelerates.
        if runs(ratio, friction)? < 0.02 { holds = ratio } else { slips = ratio }
    }
    Some(Outcome::relative(most, 0.5 * (holds + slips)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slippery_beam_holds_less() {
        assert!(runs(2.5, 0.4).unwrap() < 0.02);
        assert!(runs(2.5, 0.2).unwrap() > 0.1);
    }
}
