//! Limit on the sharpness of folds in chains.
//!
//! Stretch is measured once per segment. A dropped chain resists neither bending nor, until its links
//! jam, compression, so it would fold within a single segment: the curve reverses between two nodes,
//! and much of its length disappears there undetected. So a chain may turn by no more than
//! [`MAX_TURN`] within a segment. `P″` is linear along a segment and has its largest values at the
//! knots; a spring acts there while `|P″|` is above the limit. A fold is then a few segments wide, and
//! narrower with more control points.
//!
//! The paper does not have it.
//!
//! Tests: `a_chain_that_is_dropped_keeps_its_length`, `a_chain_laid_in_a_tight_curve_stays_there`.

use glam::DVec3;

use super::basis::{Basis, Row};
use super::blocks::{self, along_and_across};
use super::implicit::JAM_STIFFNESS;
use super::rope::{SplineRope, Workspace};
use crate::dynamics::material::Section;

/// Angle that a chain may turn by within a segment, in radians. Larger: a fold loses a tenth of its
/// length, and at 2 all of it. Smaller: folds are wider than necessary.
const MAX_TURN: f64 = 1.0;
/// Stiffness of the spring relative to that of a segment. Ten times more or less makes no visible
/// difference; more takes more iterations.
const STIFFNESS: f64 = 1e-3;

/// A knot whose curvature is limited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crease {
    /// Weights of the second derivative.
    row: Row,
    /// Largest `|P″|` without a force, in metres per segment squared.
    limit: f64,
}

/// Knots of a rope whose links jam; none for other ropes. The shape in which it is laid is within the
/// limits.
pub(super) fn creases(basis: Basis, section: &Section, segment: f64, q: &[DVec3]) -> Vec<Crease> {
    if section.compression >= JAM_STIFFNESS {
        return Vec::new();
    }
    let knot = |k: usize| {
        let [_, _, row] = basis.rows(k as f64);
        Crease { row, limit: (MAX_TURN * segment).max(row.of(q).length()) }
    };
    (0..=basis.segments()).map(knot).collect()
}

impl SplineRope {
    /// Stiffness of the springs, in newtons per unit of `P″`.
    fn crease_stiffness(&self) -> f64 {
        STIFFNESS * self.build.section.stretch / self.segment
    }

    /// Energy of the springs in joules.
    pub(super) fn crease_energy(&self) -> f64 {
        let excess = |crease: &Crease| {
            let curvature = crease.row.of(&self.state.positions).length();
            (curvature - crease.limit).max(0.0)
        };
        let sum: f64 = self.creases.iter().map(|crease| excess(crease) * excess(crease)).sum();
        0.5 * self.crease_stiffness() * sum
    }

    /// Adds the forces of the springs and their Jacobian.
    pub(super) fn add_crease_forces(&self, work: &mut Workspace) {
        let stiffness = self.crease_stiffness();
        for crease in &self.creases {
            let second = crease.row.of(&work.next);
            let curvature = second.length();
            if curvature > crease.limit {
                let (direction, excess) = (second / curvature, curvature - crease.limit);
                let block = along_and_across(direction, stiffness, stiffness * excess / curvature);
                blocks::add(&mut work.matrix, &crease.row, &block);
                crease.row.add_to(&mut work.force, direction * (-stiffness * excess));
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
        // And it lies flat: no fold stands up.
        let highest = (0..=1000).map(|i| at(i).z).fold(0.0, f64::max);
        assert!(highest < 0.02, "{highest}");
    }

    #[test]
    fn a_chain_laid_in_a_tight_curve_stays_there() {
        // Turns by 1.3 in a segment, more than the limit.
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
