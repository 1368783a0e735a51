//! The natural cubic spline through points at given times, by its second derivatives.
//!
//! `h[i−1] M[i−1] + 2 (h[i−1] + h[i]) M[i] + h[i] M[i+1] = 6 (rate[i] − rate[i−1])` with `M = 0` at
//! both ends, solved by elimination. The code under test uses B-spline control points, or minimises a
//! functional, instead.
//!
//! Tests: `known_splines_are_reproduced`.

use glam::DVec3;

/// A natural cubic spline.
#[derive(Clone, Debug)]
pub(crate) struct Natural {
    knots: Vec<(f64, DVec3)>,
    bends: Vec<DVec3>,
}

impl Natural {
    /// Spline through points at equal steps from time 0 to 1.
    pub(crate) fn through(points: &[DVec3]) -> Self {
        let last = (points.len() - 1) as f64;
        Self::timed(points.iter().enumerate().map(|(i, p)| (i as f64 / last, *p)).collect())
    }

    /// Spline through points at given times, in ascending order.
    pub(crate) fn timed(knots: Vec<(f64, DVec3)>) -> Self {
        let n = knots.len();
        let gap = |i: usize| knots[i + 1].0 - knots[i].0;
        let rate = |i: usize| (knots[i + 1].1 - knots[i].1) / gap(i);
        let (mut upper, mut bends) = (vec![0.0; n], vec![DVec3::ZERO; n]);
        for i in 1..n - 1 {
            let pivot = 2.0 * (gap(i - 1) + gap(i)) - gap(i - 1) * upper[i - 1];
            upper[i] = gap(i) / pivot;
            bends[i] = ((rate(i) - rate(i - 1)) * 6.0 - bends[i - 1] * gap(i - 1)) / pivot;
        }
        for i in (1..n - 1).rev() {
            let next = bends[i + 1];
            bends[i] -= next * upper[i];
        }
        Self { knots, bends }
    }

    /// Point at time `t`.
    pub(crate) fn at(&self, t: f64) -> DVec3 {
        let last = self.knots.len() - 2;
        let i = self.knots.partition_point(|knot| knot.0 <= t).saturating_sub(1).min(last);
        let [(from, p), (to, q)] = [self.knots[i], self.knots[i + 1]];
        let (h, a, b) = (to - from, (to - t) / (to - from), (t - from) / (to - from));
        let bend = self.bends[i] * (a * a * a - a) + self.bends[i + 1] * (b * b * b - b);
        p * a + q * b + bend * (h * h / 6.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_splines_are_reproduced() {
        let near = |knots: &[(f64, f64)], t: f64, expected: f64| {
            let spline = Natural::timed(knots.iter().map(|(t, x)| (*t, DVec3::X * *x)).collect());
            assert!((spline.at(t).x - expected).abs() < 1e-15, "{t}");
        };
        near(&[(0.0, -1.0), (0.3, -0.4), (1.0, 1.0), (2.0, 3.0)], 0.7, 0.4);
        // Three points have one unknown, M = 3 (rate₁ − rate₀) / (gap₀ + gap₁).
        near(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)], 1.5, 0.6875);
        near(&[(0.0, 0.0), (1.0, 1.0), (3.0, 0.0)], 2.0, 0.875);
    }
}
