//! A rope laid around a cylinder, with straight ends.
//!
//! The cylinder's axis is Y. The rope comes up along `x = around`, turns from X towards Z and leaves
//! along the tangent. Its particles lie on the polygon around the circle of its axis, each segment
//! of which touches that circle in its middle, so that nothing is inside the cylinder.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Collider;
use lariat_core::num::ops;

/// A rope around a cylinder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrap {
    /// Distance of the rope's axis from that of the cylinder, in metres.
    pub(crate) around: f64,
    /// Angle of the contact, in radians.
    pub(crate) turn: f64,
    /// Way along the cylinder's axis per turn, in metres.
    pub(crate) pitch: f64,
    /// Lengths of the straight ends, in metres.
    pub(crate) ends: [f64; 2],
    /// Segments of the first end, of the contact and of the last end.
    pub(crate) segments: [usize; 3],
}

impl Wrap {
    /// Angle from one corner to the next.
    fn corner(&self) -> f64 {
        self.turn / self.segments[1] as f64
    }

    /// Distance of the corners from the cylinder's axis.
    pub(crate) fn corners_at(&self) -> f64 {
        self.around / ops::cos(0.5 * self.corner())
    }

    /// Extra length of the polygon over that of the arc, in metres.
    pub(crate) fn excess(&self) -> f64 {
        let half = 0.5 * self.corner();
        2.0 * self.segments[1] as f64 * self.around * (ops::tan(half) - half)
    }

    /// Direction from the cylinder to the far end of the straight parts, unit.
    pub(crate) fn ways(&self) -> [DVec3; 2] {
        let slope = self.pitch / (2.0 * PI * self.around);
        let (sin, cos) = ops::sin_cos(self.turn);
        let first = DVec3::new(0.0, -slope, -1.0);
        let last = DVec3::new(-sin, slope, cos);
        [first.normalize_or(DVec3::NEG_Z), last.normalize_or(DVec3::NEG_Z)]
    }

    /// Particles, from the far end of the first straight part.
    pub(crate) fn points(&self) -> Vec<DVec3> {
        let [before, contact, after] = self.segments;
        let at = |angle: f64| {
            let (sin, cos) = ops::sin_cos(angle);
            let far = self.corners_at();
            DVec3::new(far * cos, self.pitch * angle / (2.0 * PI), far * sin)
        };
        let ways = self.ways();
        let mut points: Vec<DVec3> = (1..=before)
            .rev()
            .map(|i| at(0.0) + ways[0] * (self.ends[0] * i as f64 / before as f64))
            .collect();
        points.extend((0..=contact).map(|i| at(self.corner() * i as f64)));
        let end = at(self.turn);
        let straight = |i: usize| end + ways[1] * (self.ends[1] * i as f64 / after as f64);
        points.extend((1..=after).map(straight));
        points
    }
}

/// A cylinder of this radius along Y, a metre to each side.
pub(crate) fn cylinder(radius: f64) -> Obstacle {
    Obstacle::standing(Collider::Cylinder { from: -DVec3::Y, to: DVec3::Y, radius }, 0.0)
}
