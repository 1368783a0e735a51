//! Where a rope's stretch is measured.
//!
//! Stretch is `|P′|/h − 1`. Measured at too many places, a curved rope locks: a segment has one
//! control point to bend with, and two exact lengths in it leave nothing over. Measured at too few,
//! some stretching goes unnoticed. `P′` is a quadratic spline of `ns + 2` freedoms, and it is known
//! by its values at both ends and in the middle of every segment: `ns + 2` places, no more, no less.
//!
//! Midpoints are a quadrature of high order inside, and of second order at the ends. Weights of 1/9
//! at the end, 7/8 and 73/72 at the next two take the first two terms of the Euler–Maclaurin
//! expansion away (with `δ₀ + δ₁ + δ₂ = 0`, `½δ₁ + 3/2 δ₂ = −1/24`, `¼δ₁ + 9/4 δ₂ = 0`), so lengths
//! and energies of smooth ropes are of fourth order.
//!
//! Tests: `lengths_are_of_fourth_order`, `no_stretching_goes_unnoticed`.

use glam::DVec3;

use super::basis::{Basis, Row};

/// A place where stretch is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// In segments from the start.
    pub t: f64,
    /// How many segments it stands for.
    pub weight: f64,
    /// Weights of the place itself.
    pub value: Row,
    /// Weights of its derivative.
    pub slope: Row,
    /// `|P′|` at rest, in metres a segment.
    pub rest: f64,
}

/// All nodes of a rope; `rest` is its length in metres a segment.
pub(super) fn nodes(basis: &Basis, rest: f64) -> Vec<Node> {
    let segments = basis.segments();
    let last = segments + 1;
    let place = |k: usize| match k {
        0 => 0.0,
        k if k == last => segments as f64,
        k => k as f64 - 0.5,
    };
    // Counted from an end: the end itself, the middle of the first segment, of the second.
    let change = |from_end: usize| match from_end {
        0 => 1.0 / 9.0,
        1 => -1.0 / 8.0,
        2 => 1.0 / 72.0,
        _ => 0.0,
    };
    let weight = |k: usize| {
        if segments == 1 {
            // Simpson's rule.
            return if k == 1 { 2.0 / 3.0 } else { 1.0 / 6.0 };
        }
        let whole = if k == 0 || k == last { 0.0 } else { 1.0 };
        whole + change(k) + change(last - k)
    };
    (0..=last)
        .map(|k| {
            let t = place(k);
            let [value, slope, _] = basis.rows(t);
            Node { t, weight: weight(k), value, slope, rest }
        })
        .collect()
}

/// The length of a rope by its nodes.
pub(super) fn length(nodes: &[Node], q: &[DVec3]) -> f64 {
    nodes.iter().map(|node| node.weight * node.slope.of(q).length()).sum()
}

#[cfg(test)]
mod tests {
    use super::super::basis::Ends;
    use super::super::fit::fitted;
    use super::*;
    use crate::num::ops;

    #[test]
    fn lengths_are_of_fourth_order() {
        // An ellipse's quarter: its fit by control points is of fourth order too.
        let curve = |u: f64| {
            let (sin, cos) = ops::sin_cos(1.5 * u);
            DVec3::new(2.0 * cos, sin, 0.3 * u)
        };
        let error = |segments: usize| {
            let basis = Basis::new(segments, Ends::Clamped);
            let q = fitted(&basis, curve);
            // |d/du| by many midpoints of short chords is good to ten digits with 1e5 of them.
            let exact = {
                let speed = |u: f64| {
                    let (sin, cos) = ops::sin_cos(1.5 * u);
                    (9.0 * sin * sin + 2.25 * cos * cos + 0.09_f64).sqrt()
                };
                (0..64)
                    .map(|i| {
                        let a = f64::from(i) / 64.0;
                        crate::num::quadrature::gauss8(a, a + 1.0 / 64.0, speed)
                    })
                    .sum::<f64>()
            };
            (length(&nodes(&basis, 1.0), &q) - exact).abs()
        };
        for segments in [8, 16] {
            let order = (error(segments) / error(2 * segments)).log2();
            assert!(order > 3.7, "order {order} at {segments}");
        }
        // Whatever is straight and even is exact, however few segments there are.
        for segments in [1, 2, 3, 4, 9] {
            let basis = Basis::new(segments, Ends::Clamped);
            let q: Vec<_> = (0..basis.len()).map(|i| DVec3::X * basis.abscissa(i)).collect();
            let long = length(&nodes(&basis, 1.0), &q);
            assert!((long - segments as f64).abs() < 1e-13, "{segments}: {long}");
        }
    }

    #[test]
    fn no_stretching_goes_unnoticed() {
        // Gaussian elimination of all slopes along a line: only moving all of it is free.
        for ends in [Ends::Clamped, Ends::Uniform] {
            for segments in [1, 2, 5, 12] {
                let basis = Basis::new(segments, ends);
                let n = basis.len();
                let mut rows: Vec<Vec<f64>> = nodes(&basis, 1.0)
                    .iter()
                    .map(|node| {
                        let mut row = vec![0.0; n];
                        row[node.slope.first..node.slope.first + 4]
                            .copy_from_slice(&node.slope.weights);
                        row
                    })
                    .collect();
                let mut rank = 0;
                for column in 0..n {
                    let best = (rank..rows.len())
                        .max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()));
                    let Some(best) = best.filter(|b| rows[*b][column].abs() > 1e-9) else {
                        continue;
                    };
                    rows.swap(rank, best);
                    let pivot = rows[rank].clone();
                    for row in &mut rows[rank + 1..] {
                        let factor = row[column] / pivot[column];
                        for (entry, p) in row.iter_mut().zip(&pivot) {
                            *entry -= factor * p;
                        }
                    }
                    rank += 1;
                }
                assert_eq!(rank, n - 1, "{ends:?} {segments}");
            }
        }
    }
}
