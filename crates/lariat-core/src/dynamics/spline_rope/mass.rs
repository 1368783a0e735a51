//! Mass matrix of a rope, and its stiffness matrix of bending.
//!
//! Eqs 5–10 of the paper. Kinetic energy is `½ Σ ∫ ρ |Ṗ|²`, hence `Mᵢₗ = Σⱼ ∫ ρ bᵢ bₗ` (eq. 9
//! corrected, T1–T4 of the notes): symmetric, positive definite, with three diagonals beside the main
//! one. The integrands are polynomials of degree six, so four Gauss points per segment are exact, also
//! for a mass that is linear within each segment.
//!
//! Bending energy is `½ ∫ EI κ² ds`. A rope that hardly stretches is parametrised by arc length, so
//! `κ = |P″|/h²` for any shape. The energy is a quadratic form of the control points for large bends,
//! too, and its matrix, `EI/h³ ∫ Nᵢ″ Nₗ″`, is constant.
//!
//! Tests: `interior_rows_are_those_of_the_notes`, `clamped_rows_are_those_of_the_notes`,
//! `the_matrix_adds_up_to_the_mass`, `bending_rows_are_those_of_the_notes`.

use super::basis::Basis;
use crate::geometry::interpolate_linear;
use crate::num::banded::Symmetric;

/// Nodes and weights of the 4-point Gauss rule on `[0, 1]`: exact up to degree 7.
const GAUSS: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_9, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];

/// Calls `f` with the place, in segments, and the weight of every Gauss point of a rope.
pub(super) fn gauss_points(basis: Basis, mut f: impl FnMut(f64, f64)) {
    for segment in 0..basis.segments() {
        for (at, weight) in GAUSS {
            f(segment as f64 + at, weight);
        }
    }
}

/// Mass matrix. `per_segment` is the mass of a segment in kilograms, `along` has factors on it,
/// `(u, factor)`, and `weights` has point masses, `(u, kilograms)`.
pub(super) fn mass(
    basis: Basis,
    per_segment: f64,
    along: &[(f64, f64)],
    weights: &[(f64, f64)],
) -> Symmetric<3> {
    let mut matrix = Symmetric::zeros(basis.len());
    let segments = basis.segments() as f64;
    gauss_points(basis, |t, weight| {
        let density = per_segment * interpolate_linear(along, t / segments);
        basis.at(t).add_square(&mut matrix, density * weight);
    });
    for (u, kilograms) in weights {
        basis.at(u * segments).add_square(&mut matrix, *kilograms);
    }
    matrix
}

/// `∫ Nᵢ″ Nₗ″` over the rope, with `t` in segments; times `EI/h³` it is the stiffness of bending.
pub(super) fn bending(basis: Basis) -> Symmetric<3> {
    let mut matrix = Symmetric::zeros(basis.len());
    gauss_points(basis, |t, weight| {
        let [_, _, bend] = basis.rows(t);
        bend.add_square(&mut matrix, weight);
    });
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(matrix: &Symmetric<3>, i: usize, scale: f64) -> Vec<f64> {
        let n = matrix.rows.len();
        (i.saturating_sub(3)..n.min(i + 4)).map(|j| matrix.at(i, j) * scale).collect()
    }

    fn near(ours: &[f64], theirs: &[f64]) {
        assert_eq!(ours.len(), theirs.len());
        for (a, b) in ours.iter().zip(theirs) {
            assert!((a - b).abs() < 1e-9, "{ours:?} for {theirs:?}");
        }
    }

    #[test]
    fn interior_rows_are_those_of_the_notes() {
        let m = mass(Basis::new(12), 2.0, &[], &[]);
        near(&row(&m, 7, 2520.0), &[1.0, 120.0, 1191.0, 2416.0, 1191.0, 120.0, 1.0]);
    }

    #[test]
    fn clamped_rows_are_those_of_the_notes() {
        let m = mass(Basis::new(12), 1.0, &[], &[]);
        near(&row(&m, 0, 5040.0), &[720.0, 441.0, 93.0, 6.0]);
        near(&row(&m, 1, 5040.0), &[441.0, 1116.0, 787.5, 174.0, 1.5]);
        near(&row(&m, 2, 5040.0), &[93.0, 787.5, 1647.0, 1132.0, 119.5, 1.0]);
        near(&row(&m, 3, 5040.0), &[6.0, 174.0, 1132.0, 2416.0, 1191.0, 120.0, 1.0]);
    }

    #[test]
    fn the_matrix_adds_up_to_the_mass() {
        let basis = Basis::new(9);
        let ones = vec![1.0; basis.len()];
        let total = |m: &Symmetric<3>| m.times(&ones).iter().sum::<f64>();
        assert!((total(&mass(basis, 0.3, &[], &[])) - 2.7).abs() < 1e-14);
        // A rope twice as heavy at its end, with a weight of 5 kg there.
        let m = mass(basis, 0.3, &[(0.0, 1.0), (1.0, 2.0)], &[(1.0, 5.0)]);
        assert!((total(&m) - (2.7 * 1.5 + 5.0)).abs() < 1e-13);
        assert!(m.at(11, 11) > 5.0, "the weight is at the last control point");
    }

    #[test]
    fn bending_rows_are_those_of_the_notes() {
        // Four elements of [[2, −3, 0, 1], [−3, 6, −3, 0], …]/6 meet at a control point.
        let k = bending(Basis::new(12));
        near(&row(&k, 7, 6.0), &[1.0, 0.0, -9.0, 16.0, -9.0, 0.0, 1.0]);
        // An arc of radius R has |P″| = h²/R, so the form gives h⁴/R² per segment.
        let basis = Basis::new(40);
        let k = bending(basis);
        let parabola: Vec<f64> = {
            // P = t²/2 has P″ = 1: blossom of t²/2 at the three knots of each control point.
            let knot = |i: usize| (i as f64 - 3.0).clamp(0.0, 40.0);
            let pair = |a: f64, b: f64| a * b;
            (0..basis.len())
                .map(|i| {
                    let [a, b, c] = [knot(i + 1), knot(i + 2), knot(i + 3)];
                    (pair(a, b) + pair(b, c) + pair(a, c)) / 6.0
                })
                .collect()
        };
        let energy: f64 = k.times(&parabola).iter().zip(&parabola).map(|(k, q)| k * q).sum();
        assert!((energy - 40.0).abs() < 1e-8, "{energy}");
    }
}
