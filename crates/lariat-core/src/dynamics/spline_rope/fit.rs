//! Control points of a rope that is laid along a curve.
//!
//! The fit is least squares over the rope (its matrix is the mass matrix of an even rope), with both
//! ends exact to the last bit.
//!
//! Tests: `a_spline_is_fitted_exactly`, `ends_are_exact`.

use glam::DVec3;

use super::basis::Basis;
use super::mass::{gauss_points, mass};
use crate::curve::{Polyline, Spline};
use crate::num::banded_points::PointFactor;

/// Control points of the best fit to a curve over `u` in 0–1.
pub(super) fn fitted(basis: Basis, curve: impl Fn(f64) -> DVec3) -> Vec<DVec3> {
    let segments = basis.segments() as f64;
    let mut matrix = mass(basis, 1.0, &[], &[]);
    let mut q = vec![DVec3::ZERO; basis.len()];
    gauss_points(basis, |t, weight| basis.at(t).add_to(&mut q, curve(t / segments) * weight));
    let (first, last) = (curve(0.0), curve(1.0));
    let end = basis.len() - 1;
    for (i, point) in [(0, first), (end, last)] {
        matrix.fix(i, |other, entry| q[other] -= point * entry);
    }
    (q[0], q[end]) = (first, last);
    // Positive definite: the mass of an even rope.
    if let Ok(factor) = PointFactor::new(&matrix) {
        factor.solve(&mut q);
    }
    q
}

/// Control points of a rope laid along sampled points, evenly by arc length, and the length.
pub(super) fn along(basis: Basis, points: &[DVec3]) -> (Vec<DVec3>, f64) {
    match Polyline::new(points.to_vec()) {
        Ok(polyline) => {
            let spline = Spline::through(&polyline);
            let length = spline.length();
            let curve = |u: f64| match u {
                0.0 => polyline.start(),
                1.0 => polyline.end(),
                u => spline.point(spline.parameter_at(u * length)),
            };
            (fitted(basis, curve), length)
        }
        Err(_) => (vec![points.first().copied().unwrap_or_default(); basis.len()], 0.0),
    }
}

/// Places along a rope, 0–1, of the points that it was laid along.
pub(super) fn places(points: &[DVec3]) -> Vec<f64> {
    let Ok(polyline) = Polyline::new(points.to_vec()) else { return vec![0.0; points.len()] };
    let spline = Spline::through(&polyline);
    let (length, spans) = (spline.length(), spline.spans() as f64);
    let place =
        |i: usize| if length > 0.0 { spline.arc_length(i as f64 / spans) / length } else { 0.0 };
    (0..points.len()).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spline_is_fitted_exactly() {
        let basis = Basis::new(6);
        let wanted: Vec<DVec3> = (0..basis.len())
            .map(|i| {
                let x = i as f64;
                DVec3::new(x, (x * 1.7).rem_euclid(1.0), (x * 0.9).rem_euclid(0.7))
            })
            .collect();
        let q = fitted(basis, |u| basis.at(6.0 * u).of(&wanted));
        for (q, wanted) in q.iter().zip(&wanted) {
            assert!(q.distance(*wanted) < 1e-11, "{q} for {wanted}");
        }
    }

    #[test]
    fn ends_are_exact() {
        let points: Vec<DVec3> =
            (0..20).map(|i| DVec3::new(0.1 * f64::from(i), f64::from(i * i) * 0.01, 0.3)).collect();
        let basis = Basis::new(7);
        let (q, length) = along(basis, &points);
        assert!(length > 4.08 && length < 4.3, "{length}");
        let miss = [(0.0, points[0]), (7.0, points[19])]
            .map(|(t, point)| basis.at(t).of(&q).distance(point));
        assert_eq!(miss, [0.0; 2]);
    }
}
