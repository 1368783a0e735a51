//! No rope is quite straight: what pushes it together also pushes it a little aside.
//!
//! A rope that stands on its end, straight to the last bit, would stand for ever, and one that is
//! lowered on the floor would be squashed, because nothing tells it which way to give. Real strands
//! are uneven. So where a node is pushed together, the push leaves the rope's line by
//! [`CROOKED`] of itself, in a direction that each node has for good. Where a rope can bear the push
//! that is all; where it cannot, it buckles, and grows from there by itself. Pulled ropes feel nothing
//! of it: hanging, swinging and falling are as they were.
//!
//! The push is that of the step before, so that no solve has to follow it, and momentum is kept: it
//! works on the slope of the curve, as tension does.
//!
//! Tests: `a_rope_that_stands_on_its_end_falls_over`, `a_lowered_rope_lies_down_and_keeps_its_length`,
//! `a_rope_that_can_stand_stands`.

use glam::DVec3;

use super::rope::SplineRope;
use crate::num::fnv::Fnv64;
use crate::num::ops;

/// How far pushes are off the line, beside themselves. Larger: ropes that lie are seen to stir.
/// Smaller: a rope stands on its end for seconds before it falls.
const CROOKED: f64 = 1e-3;
/// The most it accelerates a segment by, in m/s²: hard knocks have no need of it.
const MOST: f64 = 1.0;

/// Which way the node of a number gives, across whatever its slope is.
pub(super) fn direction(node: usize) -> DVec3 {
    let mut hash = Fnv64::new();
    hash.bytes((node as u64).to_le_bytes());
    let bits = hash.finish();
    let unit = |bits: u64| (bits & 0xffff_ffff) as f64 / 4_294_967_296.0;
    let z = 2.0 * unit(bits >> 32) - 1.0;
    let (sin, cos) = ops::sin_cos(std::f64::consts::TAU * unit(bits));
    let flat = (1.0 - z * z).max(0.0).sqrt();
    DVec3::new(flat * cos, flat * sin, z)
}

impl SplineRope {
    /// Adds what pushes of the last step push aside.
    pub(super) fn push_aside(&self, force: &mut [DVec3]) {
        let most = MOST * self.build.section.mass_per_metre * self.segment;
        for (node, tension) in self.nodes.iter().zip(&self.state.tensions) {
            if *tension < 0.0 {
                let way = node.slope.of(&self.state.positions).normalize_or_zero();
                let across = node.gives - way * way.dot(node.gives);
                let push = (-CROOKED * tension).min(most);
                node.slope.add_to(force, across * (push * node.weight));
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

    const LOW: f64 = 0.01;

    /// Two metres straight down from 2.2 m, held above a floor, of 1 cm radius.
    fn hung(section: &str) -> SplineRope {
        let points: Vec<DVec3> = (0..=20).map(|i| DVec3::Z * (2.2 - 0.1 * f64::from(i))).collect();
        let section = Material::find(section).unwrap().at_radius(LOW);
        let mut rope = SplineRope::along(&points, &Build::new(32, section)).unwrap();
        rope.pins.push(Pin::at(0.0, points[0]));
        rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), LOW));
        rope
    }

    /// How long it is, and how long its shortest sixteenth beside that at rest.
    fn lengths(rope: &SplineRope) -> (f64, f64) {
        let piece = |k: usize| -> f64 {
            let at = |i: usize| rope.point((k * 32 + i) as f64 / 512.0);
            (0..32).map(|i| at(i).distance(at(i + 1))).sum()
        };
        let pieces: Vec<f64> = (0..16).map(piece).collect();
        let shortest = pieces.iter().copied().fold(f64::INFINITY, f64::min);
        (pieces.iter().sum(), shortest * 16.0 / rope.length())
    }

    fn highest(rope: &SplineRope) -> f64 {
        (0..=100).map(|i| rope.point(f64::from(i) / 100.0).z).fold(0.0, f64::max)
    }

    #[test]
    fn a_rope_that_stands_on_its_end_falls_over() {
        for section in ["hemp", "nylon-rope", "rubber", "chain"] {
            let mut rope = hung(section);
            for step in 0..5 * 240 {
                rope.pins[0].on = step < 120;
                rope.step(1.0 / 240.0).unwrap();
            }
            assert!(highest(&rope) < 2.0 * LOW, "{section} is {} m high", highest(&rope));
            let (long, shortest) = lengths(&rope);
            assert!((long / 2.0 - 1.0).abs() < 0.01, "{long} m of {section}");
            assert!(shortest > 0.95, "{section}: a piece has {shortest} of its length");
        }
    }

    #[test]
    fn a_lowered_rope_lies_down_and_keeps_its_length() {
        for section in ["hemp", "chain"] {
            let mut rope = hung(section);
            for step in 1..=5 * 240 {
                let t = f64::from(step) / 240.0;
                rope.pins[0].target.z = 2.2 - 1.9 * (t / 3.7).min(1.0);
                rope.step(1.0 / 240.0).unwrap();
                let lowest =
                    (0..=100).map(|i| rope.point(f64::from(i) / 100.0).z).fold(1.0, f64::min);
                assert!(lowest > 0.7 * LOW, "{section}, {t} s: its axis is at {lowest} m");
                let (long, shortest) = lengths(&rope);
                assert!((long / 2.0 - 1.0).abs() < 0.015, "{section}, {t} s: {long} m");
                assert!(shortest > 0.9, "{section}, {t} s: a piece has {shortest}");
            }
        }
    }

    #[test]
    fn a_rope_that_can_stand_stands() {
        // A rod stands up to μ g l³ = 7.84 EI (Greenhill 1881): of this steel, to 1.28 m.
        let points: Vec<DVec3> = (0..=20).map(|i| DVec3::Z * (0.05 * f64::from(i))).collect();
        let section = Material::find("steel-cable").unwrap().at_radius(LOW);
        let mut rope = SplineRope::along(&points, &Build::new(32, section)).unwrap();
        // Held upright by two places at its foot.
        rope.pins.extend([0, 1].map(|i| Pin::at(0.05 * f64::from(i), points[i as usize])));
        for _ in 0..4 * 240 {
            rope.step(1.0 / 240.0).unwrap();
        }
        let top = rope.point(1.0);
        assert!(DVec3::new(top.x, top.y, 0.0).length() < 0.01 && top.z > 0.99, "{top}");
    }
}
