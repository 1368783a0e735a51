//! Cubic B-splines with integer knots.
//!
//! Eqs 1–3 of the paper, with `ns` segments and `ns + 3` control points. Places are measured in
//! segments, `t` from 0 to `ns`. Knots are clamped: fourfold at the ends, so that the curve starts at
//! `q₀` and ends at the last control point. The uniform knots of the paper give a mass matrix that is
//! fifty times worse conditioned.
//!
//! Tests: `weights_sum_to_one_and_match_the_paper`, `derivatives_match_finite_differences`,
//! `a_straight_rope_is_evenly_parametrised`.

use glam::DVec3;

use crate::num::banded::Symmetric;

/// Splines of a rope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis {
    segments: usize,
}

/// Weights of four consecutive control points at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Index of the first control point.
    pub first: usize,
    /// Weights of the four.
    pub weights: [f64; 4],
}

impl Row {
    /// Weighted sum of the control points.
    #[inline]
    pub fn of(&self, q: &[DVec3]) -> DVec3 {
        let Some(q) = q[self.first..].first_chunk::<4>() else { return DVec3::ZERO };
        let w = &self.weights;
        (q[0] * w[0] + q[1] * w[1]) + (q[2] * w[2] + q[3] * w[3])
    }

    /// Adds `value` to the control points, by their weights.
    #[inline]
    pub fn add_to(&self, out: &mut [DVec3], value: DVec3) {
        if let Some(out) = out[self.first..].first_chunk_mut::<4>() {
            for (out, weight) in out.iter_mut().zip(self.weights) {
                *out += value * weight;
            }
        }
    }

    /// Weighted sum of one coordinate.
    pub fn of_column(&self, q: &[f64]) -> f64 {
        self.weights.iter().zip(&q[self.first..]).map(|(w, q)| w * q).sum()
    }

    /// Adds `value` times the outer product of the row with itself to a matrix.
    pub fn add_square<const B: usize>(&self, matrix: &mut Symmetric<B>, value: f64) {
        for a in 0..4 {
            for b in 0..=a {
                let product = self.weights[a] * self.weights[b];
                matrix.add(self.first + a, self.first + b, value * product);
            }
        }
    }
}

impl Basis {
    /// Splines with this number of segments, at least one.
    pub fn new(segments: usize) -> Self {
        Self { segments: segments.max(1) }
    }

    /// Number of segments.
    pub fn segments(self) -> usize {
        self.segments
    }

    /// Number of control points.
    pub fn len(self) -> usize {
        self.segments + 3
    }

    /// Always false: there are at least four control points.
    pub fn is_empty(self) -> bool {
        false
    }

    /// Knot `i`, from 0 to `len() + 3`.
    fn knot(self, i: usize) -> f64 {
        (i as f64 - 3.0).clamp(0.0, self.segments as f64)
    }

    /// Weights at `t` segments from the start.
    pub fn at(self, t: f64) -> Row {
        self.rows(t)[0]
    }

    /// Weights at `t` of the value and of its first and second derivative by `t`.
    pub fn rows(self, t: f64) -> [Row; 3] {
        let t = if t > 0.0 { t.min(self.segments as f64) } else { 0.0 };
        let first = (t as usize).min(self.segments - 1);
        let knots: [f64; 8] = std::array::from_fn(|k| self.knot(first + k));
        let span = |from: usize, to: usize| knots[to] - knots[from];
        // Cox–de Boor recursion; [k] is the spline whose knots begin at 3 - degree + k.
        let raise = |lower: &[f64], degree: usize, k: usize| {
            let i = 3 - degree + k;
            let mut sum = 0.0;
            if k > 0 {
                sum += (t - knots[i]) / span(i, i + degree) * lower[k - 1];
            }
            if k < degree {
                sum += (knots[i + degree + 1] - t) / span(i + 1, i + degree + 1) * lower[k];
            }
            sum
        };
        let one: [f64; 2] = std::array::from_fn(|k| raise(&[1.0], 1, k));
        let two: [f64; 3] = std::array::from_fn(|k| raise(&one, 2, k));
        let three: [f64; 4] = std::array::from_fn(|k| raise(&two, 3, k));
        let slope = |lower: &[f64], degree: usize, k: usize| {
            let i = 3 - degree + k;
            let mut sum = 0.0;
            if k > 0 {
                sum += lower[k - 1] / span(i, i + degree);
            }
            if k < degree {
                sum -= lower[k] / span(i + 1, i + degree + 1);
            }
            degree as f64 * sum
        };
        let slopes: [f64; 4] = std::array::from_fn(|k| slope(&two, 3, k));
        let of_two: [f64; 3] = std::array::from_fn(|k| slope(&one, 2, k));
        let bends: [f64; 4] = std::array::from_fn(|k| slope(&of_two, 3, k));
        [three, slopes, bends].map(|weights| Row { first, weights })
    }

    /// Greville abscissa of control point `i`: its place on a straight, evenly stretched rope, in
    /// segments.
    pub fn abscissa(self, i: usize) -> f64 {
        (self.knot(i + 1) + self.knot(i + 2) + self.knot(i + 3)) / 3.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_and_match_the_paper() {
        for segments in [1, 2, 3, 8] {
            let basis = Basis::new(segments);
            for i in 0..=40 {
                let t = segments as f64 * f64::from(i) / 40.0;
                let [row, slope, bend] = basis.rows(t);
                assert!((row.weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
                assert!(slope.weights.iter().sum::<f64>().abs() < 1e-13);
                assert!(bend.weights.iter().sum::<f64>().abs() < 1e-12);
                // Eq 3, where no knot of the four splines is at an end.
                if row.first >= 3 && row.first + 3 < segments {
                    let s = t - row.first as f64;
                    let published = [
                        -s * s * s + 3.0 * s * s - 3.0 * s + 1.0,
                        3.0 * s * s * s - 6.0 * s * s + 4.0,
                        -3.0 * s * s * s + 3.0 * s * s + 3.0 * s + 1.0,
                        s * s * s,
                    ];
                    for (weight, six) in row.weights.iter().zip(published) {
                        assert!((weight - six / 6.0).abs() < 1e-14, "{weight} at {t}");
                    }
                }
            }
        }
        let basis = Basis::new(5);
        assert_eq!(basis.at(0.0), Row { first: 0, weights: [1.0, 0.0, 0.0, 0.0] });
        assert_eq!(basis.at(5.0), Row { first: 4, weights: [0.0, 0.0, 0.0, 1.0] });
    }

    #[test]
    fn derivatives_match_finite_differences() {
        let h = 1e-4;
        let basis = Basis::new(4);
        for t in [0.3, 0.9, 1.5, 2.2, 3.7] {
            let [before, here, after] = [t - h, t, t + h].map(|t| basis.at(t).weights);
            let [_, slope, bend] = basis.rows(t);
            for k in 0..4 {
                let first = (after[k] - before[k]) / (2.0 * h);
                let second = (after[k] - 2.0 * here[k] + before[k]) / (h * h);
                assert!((slope.weights[k] - first).abs() < 1e-7, "{t}");
                assert!((bend.weights[k] - second).abs() < 1e-6, "{t}");
            }
        }
    }

    #[test]
    fn a_straight_rope_is_evenly_parametrised() {
        let basis = Basis::new(7);
        let q: Vec<f64> = (0..basis.len()).map(|i| basis.abscissa(i)).collect();
        for i in 0..=70 {
            let t = f64::from(i) / 10.0;
            assert!((basis.at(t).of_column(&q) - t).abs() < 1e-14, "{t}");
        }
    }
}
