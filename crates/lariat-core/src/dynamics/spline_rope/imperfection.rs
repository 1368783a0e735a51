//! Crookedness of real ropes, which makes a rope under compression buckle.
//!
//! A rope that is straight to the last bit and stands on its end is in equilibrium, however limp it
//! is. Real ropes are a little crooked, and compression amplifies that. Stability theory calls it a
//! geometric imperfection: a rope whose rest shape has the small slope `φ(u)` across its
//! axis feels the compression `C` as an additional couple, `C φ` per unit length. So where a node is
//! compressed, its force deviates from the rope's direction by `φ`. A rope that can carry the load stays
//! straight to a few millimetres; one that cannot buckles as fast as its stiffness, mass and friction
//! allow. Ropes under tension are not affected.
//!
//! `φ` is a sum of waves, from twice the length of the rope down to the shortest bow that its control
//! points can resolve, so the time to buckle does not depend on their number. Its work adds energy: a
//! steel cable that topples gains one hundredth of its weight times its length.
//!
//! The compression is the smaller of that at the beginning of the step and that found in it: a blow
//! that is over within a step has no effect afterwards. Linear momentum is conserved, because the
//! force acts on the slope of the curve; angular momentum is not, because the couple has no
//! counterpart.
//!
//! Tests: `a_rope_dropped_plumb_lies_down_at_once`, `a_plumb_drop_is_that_of_a_crooked_rope`,
//! `a_rope_that_stands_on_its_end_falls_over`, `a_lowered_rope_lies_down_and_keeps_its_length`,
//! `a_rope_that_can_stand_stands`.

use std::f64::consts::TAU;

use glam::DVec3;

use super::rope::{SplineRope, Workspace};
use crate::num::fnv::Fnv64;
use crate::num::ops;

/// Slope of each wave of the crookedness: a bow of some millimetres in a metre of rope. Larger: a
/// rope that can stand is seen to lean. Smaller: a rope stands on its end before it falls.
const SLOPE: f64 = 0.02;
/// Shortest wave, in segments. Control points cannot resolve a shorter bow.
const SHORTEST: f64 = 4.0;

/// Slope of the crookedness at `t` segments from the start of a rope, independent of its direction.
///
/// Each wave has half the length of the one before and two directions, the same in every run.
pub(super) fn slope(t: f64, segments: usize) -> DVec3 {
    let mut wavelength = 2.0 * segments as f64;
    let mut sum = DVec3::ZERO;
    for wave in 0.. {
        let (sin, cos) = ops::sin_cos(TAU * t / wavelength);
        sum += direction(2 * wave) * cos + direction(2 * wave + 1) * sin;
        wavelength *= 0.5;
        if wavelength < SHORTEST {
            break;
        }
    }
    sum * SLOPE
}

/// Unit vector chosen by a number.
fn direction(number: u64) -> DVec3 {
    let mut hash = Fnv64::new();
    hash.bytes(number.to_le_bytes());
    let bits = hash.finish();
    let unit = |bits: u64| (bits & 0xffff_ffff) as f64 / 4_294_967_296.0;
    let z = 2.0 * unit(bits >> 32) - 1.0;
    let (sin, cos) = ops::sin_cos(TAU * unit(bits));
    let flat = (1.0 - z * z).max(0.0).sqrt();
    DVec3::new(flat * cos, flat * sin, z)
}

impl Workspace {
    /// Starts an iteration with the compression at the beginning of the substep.
    pub(super) fn start_compression(&mut self) {
        self.compression.clear();
        self.compression.extend(self.start_tensions.iter().map(|tension| (-tension).max(0.0)));
    }
}

impl SplineRope {
    /// Lowers the compression to that of the latest iteration.
    pub(super) fn limit_compression(&self, work: &mut Workspace) {
        for (compression, tension) in work.compression.iter_mut().zip(&self.state.tensions) {
            *compression = compression.min(-*tension).max(0.0);
        }
    }

    /// Adds the sideways forces of compressed nodes.
    pub(super) fn push_aside(&self, work: &mut Workspace) {
        for (node, compression) in self.nodes.iter().zip(&work.compression) {
            if *compression > 0.0 {
                let direction = node.slope.of(&work.next).normalize_or_zero();
                let across = node.crooked - direction * direction.dot(node.crooked);
                node.slope.add_to(&mut work.force, across * (*compression * node.weight));
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

    /// Length of the rope, and that of its shortest sixteenth relative to its length at rest.
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

    /// Seconds until a rope lies down (no point higher than a tenth of its length) after it is released
    /// upright with its foot `drop` metres above the floor. `bow` is the slope of each of the four waves
    /// that it is laid along.
    fn lies_down_after(material: &str, drop: f64, bow: f64, rate: f64) -> f64 {
        let (length, radius) = (2.0, 0.005);
        let mut points = vec![DVec3::Z * (radius + drop + length)];
        let pieces = 200;
        for i in 0..pieces {
            let mut slope = DVec3::NEG_Z;
            for (wave, turns) in [0.5, 1.0, 2.0, 4.0].into_iter().enumerate() {
                let (sin, cos) = ops::sin_cos(TAU * turns * f64::from(i) / f64::from(pieces));
                let (y, x) = ops::sin_cos(1.3 * wave as f64);
                slope += DVec3::new(x * cos - y * sin, y * cos + x * sin, 0.0) * bow;
            }
            let last = points[points.len() - 1];
            points.push(last + slope.normalize_or(DVec3::NEG_Z) * (length / f64::from(pieces)));
        }
        let section = Material::find(material).unwrap().at_radius(radius);
        let mut rope = SplineRope::along(&points, &Build::new(32, section)).unwrap();
        rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), radius));
        let mut steps = 0;
        while highest(&rope) > 0.1 * length && f64::from(steps) < 5.0 * rate {
            rope.step(1.0 / rate).unwrap();
            steps += 1;
        }
        f64::from(steps) / rate
    }

    #[test]
    fn a_rope_dropped_plumb_lies_down_at_once() {
        for material in ["hemp", "nylon-rope", "rubber", "chain", "spaghetti"] {
            for drop in [0.0, 0.2, 1.0] {
                // A rope that carries nothing falls freely.
                let free = (2.0 * (drop + 2.0) / 9.81_f64).sqrt();
                let found = lies_down_after(material, drop, 0.0, 240.0);
                assert!(
                    (0.9 * free..1.65 * free).contains(&found),
                    "{material} from {drop} m: {found} s, and {free} s in free fall"
                );
            }
        }
    }

    #[test]
    fn a_plumb_drop_is_that_of_a_crooked_rope() {
        for material in ["hemp", "nylon-rope"] {
            for drop in [0.0, 0.2] {
                let plumb = lies_down_after(material, drop, 0.0, 240.0);
                let crooked = lies_down_after(material, drop, SLOPE, 1000.0);
                let ratio = plumb / crooked;
                assert!(
                    (0.85..1.15).contains(&ratio),
                    "{material} from {drop} m: {plumb} s, and {crooked} s if it is crooked"
                );
            }
        }
    }

    #[test]
    fn a_rope_that_can_stand_stands() {
        // A rod stands up to μ g l³ = 7.84 EI (Greenhill 1881): of this steel, to 1.28 m.
        let points: Vec<DVec3> = (0..=20).map(|i| DVec3::Z * (0.05 * f64::from(i))).collect();
        let section = Material::find("steel-cable").unwrap().at_radius(LOW);
        let mut rope = SplineRope::along(&points, &Build::new(32, section)).unwrap();
        // Held upright at two places at its foot.
        rope.pins.extend([0, 1].map(|i| Pin::at(0.05 * f64::from(i), points[i as usize])));
        for _ in 0..4 * 240 {
            rope.step(1.0 / 240.0).unwrap();
        }
        let top = rope.point(1.0);
        assert!(DVec3::new(top.x, top.y, 0.0).length() < 0.01 && top.z > 0.99, "{top}");
    }
}
