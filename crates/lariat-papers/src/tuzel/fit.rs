//! Control points of a rope that lies along a curve.
//!
//! The paper does not say how a rope is laid. This is the least-squares fit over the rope, whose
//! matrix is the mass matrix of an even rope, with both ends met exactly.
//!
//! Tests: `a_spline_is_fitted_exactly`, `both_ends_are_met`.

use glam::DVec3;
use lariat_core::curve::{Polyline, Spline};
use lariat_core::num::banded_points::PointFactor;

use super::basis::Basis;
use super::mass::{mass, places};

/// Control points nearest to the curve through `points`, evenly by its length; and that length.
pub(super) fn along(basis: Basis, points: &[DVec3]) -> (Vec<DVec3>, f64) {
    let Ok(polyline) = Polyline::new(points.to_vec()) else {
        return (vec![points.first().copied().unwrap_or_default(); basis.control_points()], 0.0);
    };
    let spline = Spline::through(&polyline);
    let length = spline.length();
    let curve = |u: f64| spline.point(spline.parameter_at(u * length));
    (fitted(basis, curve, [polyline.start(), polyline.end()]), length)
}

/// Control points nearest to `curve` over 0–1, with both `ends` met.
fn fitted(basis: Basis, curve: impl Fn(f64) -> DVec3, ends: [DVec3; 2]) -> Vec<DVec3> {
    let n = basis.control_points();
    let mut q = vec![DVec3::ZERO; n];
    for (u, weight) in places(basis) {
        basis.at(u).spread(curve(u) * weight, &mut q);
    }
    // The mass of an even rope is positive definite.
    let Ok(factor) = PointFactor::new(&mass(basis, 1.0, &[], &[])) else { return q };
    factor.solve(&mut q);
    // Lagrange multipliers of both ends: q += Y S⁻¹ (end − L q), Y = M⁻¹ Lᵀ, S = L Y.
    let rows = [basis.at(0.0), basis.at(1.0)];
    let columns = rows.map(|row| {
        let mut column = vec![0.0; n];
        row.spread_column(1.0, &mut column);
        factor.solve_column(&mut column);
        column
    });
    let [[a, b], [c, d]] = rows.map(|row| [0, 1].map(|k: usize| row.of_column(&columns[k])));
    let determinant = a * d - b * c;
    for _ in 0..2 {
        // The second pass removes rounding.
        let [x, y] = [0, 1].map(|k: usize| ends[k] - rows[k].of(&q));
        let forces = [(x * d - y * b) / determinant, (y * a - x * c) / determinant];
        for (force, column) in forces.iter().zip(&columns) {
            for (q, share) in q.iter_mut().zip(column) {
                *q += *force * *share;
            }
        }
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spline_is_fitted_exactly() {
        let basis = Basis::new(9);
        let expected: Vec<DVec3> = (0..9)
            .map(|i| {
                let x = f64::from(i);
                DVec3::new(x, (x * 1.7).rem_euclid(1.0), (x * 0.9).rem_euclid(0.7))
            })
            .collect();
        let curve = |u: f64| basis.at(u).of(&expected);
        let q = fitted(basis, curve, [curve(0.0), curve(1.0)]);
        for (q, expected) in q.iter().zip(&expected) {
            assert!(q.distance(*expected) < 1e-10, "{q} for {expected}");
        }
    }

    #[test]
    fn both_ends_are_met() {
        let points: Vec<DVec3> =
            (0..20).map(|i| DVec3::new(0.1 * f64::from(i), f64::from(i * i) * 0.01, 0.3)).collect();
        let basis = Basis::new(10);
        let (q, length) = along(basis, &points);
        assert!(length > 4.08 && length < 4.3, "{length}");
        assert!(basis.at(0.0).of(&q).distance(points[0]) < 1e-14);
        assert!(basis.at(1.0).of(&q).distance(points[19]) < 1e-14);
    }
}
