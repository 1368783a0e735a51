//! Where a rope's stretch is measured.
//!
//! Stretch is `|P′|/h − 1`. Measured at too many places, a curved rope locks: a segment has one
//! control point to bend with, and two exact lengths in it leave nothing over. Measured at too few,
//! some stretching goes unnoticed. `P′` is a quadratic spline of `ns + 2` freedoms: so there are
//! `ns + 2` places, both ends and one in every segment, no more and no less.
//!
//! Which places? Forces on control points are integrals of the tension times `N′`. With the nodes of
//! the Gauss–Lobatto rule for piecewise cubics that are once differentiable (Ait-Haddou, Bartoň and
//! Calo 2015 have the rules of this family), they are exact for a tension that changes evenly, as that
//! of a hanging rope does, and for whatever is smooth of fourth order. Those nodes are the middles of
//! the segments, but for the first few at each end, which are drawn inwards by [`SHIFT`]. With plain
//! midpoints, tension at the ends of a rope of fifty control points is off by more than a percent.
//!
//! Tests: `lengths_are_of_fourth_order`, `no_stretching_goes_unnoticed`, `an_even_pull_is_even`,
//! `the_weight_of_a_hanging_rope_is_even`.

use glam::DVec3;

use super::basis::{Basis, Row};
use super::imperfection;

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
    /// Slope of the rope's crookedness here; see `imperfection.rs`.
    pub crooked: DVec3,
}

impl Node {
    /// Strain at control points `q`.
    pub(super) fn strain(&self, q: &[DVec3]) -> f64 {
        self.slope.of(q).length() / self.rest - 1.0
    }
}

/// How far nodes are drawn inwards from the middle of their segment, in segments, counted from an
/// end; each is 5 − 2√6 of the one before, in the long run. For a rope without another end; two ends
/// that are close share (the rule is then exact for even pulls still, and nearly so for others).
const SHIFT: [f64; 10] = [
    0.088_558_541_671,
    0.010_642_686_067,
    0.001_096_145_684,
    0.000_110_952_318,
    0.000_011_210_701,
    0.000_001_132_534,
    0.000_000_114_409,
    0.000_000_011_558,
    0.000_000_001_168,
    0.000_000_000_118,
];

/// All nodes of a rope; `rest` is its length in metres a segment.
pub(super) fn nodes(basis: Basis, rest: f64) -> Vec<Node> {
    let segments = basis.segments();
    let last = segments + 1;
    let shift = |k: usize| SHIFT.get(k - 1).copied().unwrap_or(0.0);
    let places: Vec<f64> = (0..=last)
        .map(|k| match k {
            0 => 0.0,
            k if k == last => segments as f64,
            k => k as f64 - 0.5 + shift(k) - shift(last - k),
        })
        .collect();
    let weights = weights(&places);
    (0..=last)
        .map(|k| {
            let t = places[k];
            let [value, slope, _] = basis.rows(t);
            Node {
                t,
                weight: weights[k],
                value,
                slope,
                rest,
                crooked: imperfection::slope(t, segments),
            }
        })
        .collect()
}

/// Where air pulls at a rope: two Gauss points a segment, exact for an even pull on control points.
pub(super) fn sails(basis: Basis, rest: f64) -> Vec<Node> {
    let off = 0.5 / 3.0_f64.sqrt();
    let places = (0..basis.segments()).flat_map(|j| [j as f64 + 0.5 - off, j as f64 + 0.5 + off]);
    places
        .map(|t| {
            let [value, slope, _] = basis.rows(t);
            Node { t, weight: 0.5, value, slope, rest, crooked: DVec3::ZERO }
        })
        .collect()
}

/// Weights with which these places, both ends and one in each segment, integrate every quadratic
/// spline exactly: one equation a spline, each with three places.
fn weights(places: &[f64]) -> Vec<f64> {
    let segments = places.len() - 2;
    // The three splines at place `k`, the first of them `k − 1`; before the first there is none.
    let splines = |k: usize| -> [f64; 3] {
        match k {
            0 => [0.0, 1.0, 0.0],
            k if k == segments + 1 => [0.0, 1.0, 0.0],
            k => {
                let s = places[k] - (k - 1) as f64;
                let (r, first, last) = (1.0 - s, k == 1, k == segments);
                let before = if first { r * r } else { 0.5 * r * r };
                let after = if last { s * s } else { 0.5 * s * s };
                [before, 1.0 - before - after, after]
            }
        }
    };
    let whole = |i: usize| match i.min(segments + 1 - i) {
        0 => 1.0 / 3.0,
        1 => {
            if segments == 1 {
                1.0 / 3.0
            } else {
                2.0 / 3.0
            }
        }
        _ => 1.0,
    };
    let count = places.len();
    let (mut after, mut w) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for i in 0..count {
        let [_, here, _] = splines(i);
        let (mut pivot, mut right): (f64, f64) = (here, whole(i));
        if let Some(j) = i.checked_sub(1) {
            let before = splines(j)[2];
            pivot -= before * after[j];
            right -= before * w[j];
        }
        let next = if i + 1 < count { splines(i + 1)[0] } else { 0.0 };
        after.push(next / pivot);
        w.push(right / pivot);
    }
    for i in (0..count - 1).rev() {
        w[i] -= after[i] * w[i + 1];
    }
    w
}

/// The length of a rope by its nodes.
#[cfg(test)]
fn length(nodes: &[Node], q: &[DVec3]) -> f64 {
    nodes.iter().map(|node| node.weight * node.slope.of(q).length()).sum()
}

#[cfg(test)]
mod tests {
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
            let basis = Basis::new(segments);
            let q = fitted(basis, curve);
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
            (length(&nodes(basis, 1.0), &q) - exact).abs()
        };
        for segments in [16, 32] {
            let [coarse, fine] = [segments, 2 * segments].map(error);
            let order = ops::ln(coarse / fine) / std::f64::consts::LN_2;
            assert!(order > 3.7, "{coarse:e} {fine:e}: order {order} at {segments}");
        }
        // Whatever is straight and even is exact, however few segments there are.
        for segments in [1, 2, 3, 4, 9] {
            let basis = Basis::new(segments);
            let q: Vec<_> = (0..basis.len()).map(|i| DVec3::X * basis.abscissa(i)).collect();
            let long = length(&nodes(basis, 1.0), &q);
            assert!((long - segments as f64).abs() < 1e-13, "{segments}: {long}");
        }
    }

    #[test]
    fn an_even_pull_is_even() {
        for segments in [1, 2, 3, 4, 11] {
            let basis = Basis::new(segments);
            let mut pulled = vec![0.0; basis.len()];
            for node in nodes(basis, 1.0) {
                for (pulled, slope) in pulled[node.slope.first..].iter_mut().zip(node.slope.weights)
                {
                    *pulled += node.weight * slope;
                }
            }
            // ∫ N′ is what N has gained from start to end.
            let (start, end) = (basis.at(0.0), basis.at(segments as f64));
            for (row, sign) in [(start, 1.0), (end, -1.0)] {
                for (pulled, weight) in pulled[row.first..].iter_mut().zip(row.weights) {
                    *pulled += sign * weight;
                }
            }
            let worst = pulled.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            assert!(worst < 1e-14, "{segments}: {worst}");
        }
    }

    #[test]
    fn the_weight_of_a_hanging_rope_is_even() {
        // Tension t pulls control points with ∫ t N′ = [t N] − ∫ N.
        for (segments, bar) in [(1, 0.05), (2, 0.01), (5, 1e-4), (20, 1e-10)] {
            let basis = Basis::new(segments);
            let mut pulled = vec![0.0; basis.len()];
            for node in nodes(basis, 1.0) {
                for (pulled, slope) in pulled[node.slope.first..].iter_mut().zip(node.slope.weights)
                {
                    *pulled += node.weight * node.t * slope;
                }
            }
            super::super::mass::gauss_points(basis, |t, weight| {
                let row = basis.at(t);
                for (pulled, value) in pulled[row.first..].iter_mut().zip(row.weights) {
                    *pulled += weight * value;
                }
            });
            *pulled.last_mut().unwrap() -= segments as f64;
            let worst = pulled.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            assert!(worst < bar, "{segments}: {worst:e}");
        }
    }

    #[test]
    fn no_stretching_goes_unnoticed() {
        // Gaussian elimination of all slopes along a line: only moving all of it is free.
        for segments in [1, 2, 5, 12] {
            let basis = Basis::new(segments);
            let n = basis.len();
            let mut rows: Vec<Vec<f64>> = nodes(basis, 1.0)
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
            assert_eq!(rank, n - 1, "{segments}");
        }
    }
}
