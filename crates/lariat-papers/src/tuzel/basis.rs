//! Cubic B-splines on uniform knots.
//!
//! Tuzel 2004, eqs 1–3: `segments` segments have `segments + 3` control points, and the curve
//! starts at `(q₀ + 4q₁ + q₂)/6`.
//!
//! Tests: `weights_are_a_partition_of_unity`, `the_curve_starts_between_its_first_three_points`.

use glam::DVec3;
use lariat_core::num::banded::Symmetric;

/// Splines of a rope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis {
    segments: usize,
}

/// Weights of four neighbouring control points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Index of the first control point.
    pub first: usize,
    /// Weight of each of the four.
    pub values: [f64; 4],
}

impl Basis {
    /// Splines of a rope with this many control points, at least four.
    pub fn new(control_points: usize) -> Self {
        Self { segments: control_points.max(4) - 3 }
    }

    /// Number of segments.
    pub fn segments(self) -> usize {
        self.segments
    }

    /// Number of control points.
    pub fn control_points(self) -> usize {
        self.segments + 3
    }

    /// Segment and place within it for `u` in 0–1.
    fn split(self, u: f64) -> (usize, f64) {
        let t = u.clamp(0.0, 1.0) * self.segments as f64;
        let first = (t as usize).min(self.segments - 1);
        (first, t - first as f64)
    }

    /// Weights of the point at `u`, 0–1: eq. 3.
    pub fn at(self, u: f64) -> Weights {
        let (first, s) = self.split(u);
        let values = [
            ((3.0 - s) * s - 3.0) * s + 1.0,
            (3.0 * s - 6.0) * s * s + 4.0,
            ((3.0 - 3.0 * s) * s + 3.0) * s + 1.0,
            s * s * s,
        ];
        Weights { first, values: values.map(|six| six / 6.0) }
    }

    /// Weights of the derivative at `u` by segments.
    pub fn slope(self, u: f64) -> Weights {
        let (first, s) = self.split(u);
        let values = [(2.0 - s) * s - 1.0, (3.0 * s - 4.0) * s, (2.0 - 3.0 * s) * s + 1.0, s * s];
        Weights { first, values: values.map(|two| two / 2.0) }
    }
}

impl Weights {
    /// Weighted sum of the control points: eqs 1 and 2.
    pub fn of(&self, points: &[DVec3]) -> DVec3 {
        self.values.iter().zip(&points[self.first..]).map(|(weight, q)| *q * *weight).sum()
    }

    /// Adds a force at this point to the control points: eq. 15.
    pub fn spread(&self, force: DVec3, out: &mut [DVec3]) {
        for (out, weight) in out[self.first..].iter_mut().zip(self.values) {
            *out += force * weight;
        }
    }

    /// Weighted sum of one coordinate.
    pub(super) fn of_column(&self, column: &[f64]) -> f64 {
        self.values.iter().zip(&column[self.first..]).map(|(weight, x)| weight * x).sum()
    }

    /// Adds to one coordinate by the weights.
    pub(super) fn spread_column(&self, value: f64, out: &mut [f64]) {
        for (out, weight) in out[self.first..].iter_mut().zip(self.values) {
            *out += value * weight;
        }
    }

    /// Adds `factor` times the products of the weights to a matrix.
    pub(super) fn add_products(&self, factor: f64, matrix: &mut Symmetric<3>) {
        for (i, a) in self.values.iter().enumerate() {
            for (j, b) in self.values[..=i].iter().enumerate() {
                matrix.add(self.first + i, self.first + j, factor * a * b);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_a_partition_of_unity() {
        let basis = Basis::new(8);
        // A line of evenly spaced control points runs evenly: control point i lies at i − 1
        // segments.
        let line: Vec<f64> = (0..8).map(|i| f64::from(i) - 1.0).collect();
        for i in 0..=50 {
            let u = f64::from(i) / 50.0;
            let (point, slope) = (basis.at(u), basis.slope(u));
            assert!((point.values.iter().sum::<f64>() - 1.0).abs() < 1e-15, "{u}");
            assert!((point.of_column(&line) - 5.0 * u).abs() < 1e-14, "{u}");
            assert!((slope.of_column(&line) - 1.0).abs() < 1e-14, "{u}");
        }
    }

    #[test]
    fn the_curve_starts_between_its_first_three_points() {
        let basis = Basis::new(11);
        assert_eq!((basis.segments(), basis.control_points()), (8, 11));
        let start = basis.at(0.0);
        assert_eq!(start, Weights { first: 0, values: [1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0, 0.0] });
        let end = basis.at(1.0);
        assert_eq!(end.first, 7);
        assert!(end.values[0].abs() < 1e-15 && (end.values[2] - 4.0 / 6.0).abs() < 1e-15);
    }
}
