//! Generalised cylinder around a curve, and curves on it.
//!
//! Barzel 1997, appendices A.4 and A.6. The generalised cylinder is
//! `P(u, v) = C(u) + r(u) (cos(2πv + ρ(u)) n(u) + sin(2πv + ρ(u)) b(u))`: `u` runs along the
//! axis, `v` once around, and the rotation curve `ρ` rotates the profile along the axis (twist
//! and torsion waves). A helix is a straight line on the unrolled surface (figures 12 and 15).
//!
//! # Differences from the paper
//!
//! * Figure 14 wraps `uv mod 1`; only `v` may wrap, or the end `u = 1` becomes the start.
//! * The frame is carried along a finer sampling of the axis, so that the coarse samples of the
//!   backbone do not show in a tight helix.
//!
//! Tests: `a_straight_cylinder_is_exact`, `a_helix_has_the_length_of_its_unrolled_line`.

use glam::{DVec2, DVec3};

use super::{Frame, Framing, Polyline, Spline, frames, tangents};

/// A curve with a frame at every `u`: the axis of a cylinder.
///
/// Points come from the interpolating spline. Frames come from a table in which the angle between
/// neighbours is small, and are carried over the remaining step.
#[derive(Clone, Debug)]
pub struct Axis {
    spline: Spline,
    table: Vec<(DVec3, Frame)>,
}

/// Table frames per sample of the backbone. Carrying is fourth-order, so 4 gives 256 times the
/// accuracy of carrying from sample to sample.
const FRAMES_PER_SAMPLE: usize = 4;

impl Axis {
    /// The axis along `curve`; `up` chooses the first normal.
    pub fn new(curve: &Polyline, up: DVec3, framing: Framing) -> Self {
        Self::around(Spline::through(curve), up, framing)
    }

    /// The axis along a spline.
    pub fn around(spline: Spline, up: DVec3, framing: Framing) -> Self {
        let n = spline.spans() * FRAMES_PER_SAMPLE + 1;
        let (mut points, mut slopes) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for i in 0..n {
            let u = i as f64 / (n - 1) as f64;
            let (point, slope) = spline.at(u);
            points.push(point);
            slopes.push(slope.normalize_or_zero());
        }
        if slopes.contains(&DVec3::ZERO) {
            // Coinciding samples: finite differences skip them.
            tangents(&points, spline.is_closed(), &mut slopes);
        }
        let mut carried = Vec::with_capacity(n);
        frames(&points, &slopes, up, framing, &mut carried);
        Self { spline, table: points.into_iter().zip(carried).collect() }
    }

    /// The smooth curve itself.
    pub fn spline(&self) -> &Spline {
        &self.spline
    }

    /// Point and frame at `u`.
    pub fn at(&self, u: f64) -> (DVec3, Frame) {
        let u = u.clamp(0.0, 1.0);
        let last = self.table.len() - 1;
        let near = ((u * last as f64 + 0.5) as usize).min(last);
        let (from, frame) = self.table[near];
        let (point, slope) = self.spline.at(u);
        (point, frame.carried(from, point, slope.normalize_or(frame.tangent())))
    }
}

/// A generalised cylinder: an axis, a radius along it, and a rotation curve.
pub struct Cylinder<'a> {
    /// The axis.
    pub axis: &'a Axis,
    /// Radius in metres at `u`.
    pub radius: &'a dyn Fn(f64) -> f64,
    /// Rotation of the profile in radians at `u`.
    pub rotation: &'a dyn Fn(f64) -> f64,
}

impl Cylinder<'_> {
    /// The point at `u` along and `v` turns around.
    pub fn point(&self, u: f64, v: f64) -> DVec3 {
        let (centre, frame) = self.axis.at(u);
        let rotation = (self.rotation)(u);
        centre + frame.around(v + rotation / std::f64::consts::TAU) * (self.radius)(u)
    }

    /// `curve_on_surface` of the paper: the space curve of a curve drawn in `u, v`.
    pub fn curve(&self, uv: &[DVec2]) -> Vec<DVec3> {
        uv.iter().map(|p| self.point(p.x, p.y)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops;
    use std::f64::consts::TAU;

    #[test]
    fn a_straight_cylinder_is_exact() {
        let axis = Axis::new(
            &Polyline::line(DVec3::ZERO, DVec3::X * 2.0, 5),
            DVec3::Z,
            Framing::default(),
        );
        let tube = Cylinder { axis: &axis, radius: &|_| 0.5, rotation: &|_| 0.0 };
        // Normal is up, binormal is −Y.
        assert!(tube.point(0.25, 0.0).distance(DVec3::new(0.5, 0.0, 0.5)) < 1e-15);
        assert!(tube.point(0.25, 7.25).distance(DVec3::new(0.5, -0.5, 0.0)) < 1e-15);
        let turned = Cylinder { axis: &axis, radius: &|u| u, rotation: &|u| TAU * u };
        assert!(turned.point(0.5, 0.0).distance(DVec3::new(1.0, 0.0, -0.5)) < 1e-15);
        assert!(turned.point(1.0, 3.0).distance(DVec3::new(2.0, 0.0, 1.0)) < 1e-14);
    }

    #[test]
    fn a_helix_has_the_length_of_its_unrolled_line() {
        let axis = Axis::new(
            &Polyline::line(DVec3::ZERO, DVec3::X * 2.0, 9),
            DVec3::Z,
            Framing::default(),
        );
        let tube = Cylinder { axis: &axis, radius: &|_| 0.1, rotation: &|_| 0.0 };
        let coils = 10.0;
        let uv: Vec<_> =
            (0..=320).map(|i| f64::from(i) / 320.0).map(|u| DVec2::new(u, coils * u)).collect();
        let helix = Spline::through(&Polyline::new(tube.curve(&uv)).unwrap());
        let unrolled = ops::hypot(2.0, TAU * 0.1 * coils);
        assert!((helix.length() / unrolled - 1.0).abs() < 2e-5);
    }

    #[test]
    fn frames_between_table_entries_are_carried() {
        // A quarter circle: the normal stays up, the tangent turns.
        let points = (0..9).map(|i| {
            let (s, c) = ops::sin_cos(TAU / 4.0 * f64::from(i) / 8.0);
            DVec3::new(s, -c, 0.0)
        });
        let axis =
            Axis::new(&Polyline::new(points.collect()).unwrap(), DVec3::Z, Framing::default());
        for k in 0..=100 {
            let (_, frame) = axis.at(f64::from(k) / 100.0);
            assert!(frame.normal().distance(DVec3::Z) < 1e-13);
            assert!(frame.normal().dot(frame.tangent()).abs() < 1e-14);
        }
    }
}
