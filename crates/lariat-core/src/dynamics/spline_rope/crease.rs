//! A chain is not creased more sharply than its control points can draw.
//!
//! Stretch is measured once a segment. What nothing keeps from bending, nor from being pushed
//! together until its links jam, folds within a single one when it is dropped: its curve turns round between two nodes, and a good part
//! of its length is gone there without being noticed. So it is kept from turning by more than
//! [`SHARPEST`] within a segment. `P″` is linear along a segment, so its largest values are at the knots,
//! and that is where it is looked at: above the limit a spring pulls it back, below there is nothing. A
//! fold is then as wide as some segments: more control points make it narrower. The paper does not
//! have it.
//!
//! Tests: `a_chain_that_is_dropped_keeps_its_length`, `what_is_laid_in_a_tight_curve_stays_there`.

use glam::DVec3;

use super::basis::{Basis, Row};
use super::blocks::{self, along_and_across};
use super::implicit::JAMMED;
use super::rope::{SplineRope, Work};
use crate::dynamics::material::Section;

/// Radians that a rope may turn by in a segment. Larger: a fold loses a tenth of its length, and at 2
/// all of it. Smaller: folds are wider than they need to be.
const SHARPEST: f64 = 1.0;
/// Stiffness of what pulls a crease open, beside that of a segment. Ten times more or less is the same
/// to the eye; more takes more solves.
const STIFF: f64 = 1e-3;

/// A knot, and how sharply the rope may turn there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crease {
    /// Weights of the second derivative.
    row: Row,
    /// `|P″|` at most, in metres a segment squared.
    most: f64,
}

/// The knots of a rope, if it has links that jam; as it is laid it may stay.
pub(super) fn creases(basis: Basis, section: &Section, segment: f64, q: &[DVec3]) -> Vec<Crease> {
    if section.compression >= JAMMED {
        return Vec::new();
    }
    let knot = |k: usize| {
        let [_, _, row] = basis.rows(k as f64);
        Crease { row, most: (SHARPEST * segment).max(row.of(q).length()) }
    };
    (0..=basis.segments()).map(knot).collect()
}

impl SplineRope {
    /// Newtons per metre a segment squared.
    fn crease_stiffness(&self) -> f64 {
        STIFF * self.build.section.stretch / self.segment
    }

    /// Joules in what pulls creases open.
    pub(super) fn creased(&self) -> f64 {
        let too_much = |crease: &Crease| {
            let sharp = crease.row.of(&self.state.positions).length();
            (sharp - crease.most).max(0.0)
        };
        let sum: f64 = self.creases.iter().map(|crease| too_much(crease) * too_much(crease)).sum();
        0.5 * self.crease_stiffness() * sum
    }

    /// Adds what pulls creases open, and how that changes with places.
    pub(super) fn add_creases(&self, work: &mut Work) {
        let stiff = self.crease_stiffness();
        for crease in &self.creases {
            let bent = crease.row.of(&work.next);
            let sharp = bent.length();
            if sharp > crease.most {
                let (way, too_much) = (bent / sharp, sharp - crease.most);
                let block = along_and_across(way, stiff, stiff * too_much / sharp);
                blocks::add(&mut work.matrix, &crease.row, &block);
                crease.row.add_to(&mut work.force, way * (-stiff * too_much));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Build, Pin, SplineRope};
    use super::*;
    use crate::dynamics::contact::Obstacle;
    use crate::dynamics::material::Material;
    use crate::model::layer::Collider;

    #[test]
    fn a_chain_that_is_dropped_keeps_its_length() {
        let hung = |i: i32| {
            let x = f64::from(i) / 60.0;
            DVec3::new(2.4 * x, 0.02 * x, 1.8 - 3.0 * x * (1.0 - x))
        };
        let points: Vec<DVec3> = (0..=60).map(hung).collect();
        let section = Material::find("chain").unwrap().at_radius(0.015);
        let mut rope = SplineRope::along(&points, &Build::new(32, section)).unwrap();
        rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.015));
        rope.pins.push(Pin::at(1.0, points[60]));
        for step in 0..3 * 240 {
            rope.pins[0].on = step < 120;
            rope.step(1.0 / 240.0).unwrap();
        }
        let at = |i: i32| rope.point(f64::from(i) / 1000.0);
        let long: f64 = (0..1000).map(|i| at(i).distance(at(i + 1))).sum();
        assert!((long / rope.length() - 1.0).abs() < 0.015, "{long} m of {}", rope.length());
        // And it lies there: nothing holds folds up.
        let highest = (0..=1000).map(|i| at(i).z).fold(0.0, f64::max);
        assert!(highest < 0.02, "{highest}");
    }

    #[test]
    fn what_is_laid_in_a_tight_curve_stays_there() {
        // Turns by 1.3 in a segment, more than it would be let.
        let turn = |i: i32| {
            let (sin, cos) = crate::num::ops::sin_cos(0.26 * f64::from(i));
            DVec3::new(cos, sin, 0.05 * f64::from(i))
        };
        let points: Vec<DVec3> = (0..=100).map(turn).collect();
        let section = Material::find("chain").unwrap().at_radius(0.01);
        let mut rope = SplineRope::along(&points, &Build::new(23, section)).unwrap();
        rope.gravity = DVec3::ZERO;
        for _ in 0..48 {
            rope.step(1.0 / 240.0).unwrap();
        }
        let fastest = rope.state.velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
        assert!(fastest < 1e-9, "{fastest} m/s");
    }
}
