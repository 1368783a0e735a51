//! Rotation of a region: the one nearest to `A = Σ m x x₀ᵀ`.
//!
//! Section 3. The rotation of the last step is turned by `ω` until nothing changes. With the columns of `R`
//! and `A`, `τ = Σ r × a` and `H = A Rᵀ`, Newton's step is `ω = (tr H − H + δ)⁻¹ τ`; where that matrix is
//! not positive, `ω = τ / (|Σ r·a| + δ)`.
//!
//! # Differences from the paper
//!
//! * A decomposition from scratch has no answer for collinear particles: the roll about their line is
//!   free, and jumps with rounding errors. Started from the last step, the roll stays as it was.
//!
//! Tests: `a_rotation_is_found_again`, `the_roll_of_a_line_stays`, `half_a_turn_is_found`.

use glam::{DMat3, DVec3};
use lariat_core::num::ops;

/// Iterations, at most. Near its end each of them squares the error.
const ITERATIONS: usize = 40;
/// `δ` relative to `|A|`: rounding errors below it do not roll collinear particles.
const FLAT: f64 = 1e-6;
/// Angle in radians at which iterations end.
const DONE: f64 = 1e-12;

/// Outer product `x yᵀ`.
pub(super) fn outer(x: DVec3, y: DVec3) -> DMat3 {
    DMat3::from_cols(x * y.x, x * y.y, x * y.z)
}

/// The rotation nearest to `a`, starting from `from`.
pub(super) fn nearest_rotation(a: DMat3, from: DMat3) -> DMat3 {
    let columns = [a.x_axis, a.y_axis, a.z_axis];
    let size = columns.iter().map(|column| column.length_squared()).sum::<f64>().sqrt();
    if !(size > 0.0 && size.is_finite()) {
        return from;
    }
    let mut r = from;
    for iteration in 0..ITERATIONS {
        let own = [r.x_axis, r.y_axis, r.z_axis];
        let torque: DVec3 = own.iter().zip(columns).map(|(r, a)| r.cross(a)).sum();
        let along: f64 = own.iter().zip(columns).map(|(r, a)| r.dot(a)).sum();
        let h = a * r.transpose();
        let shift = DMat3::from_diagonal(DVec3::splat(along + FLAT * size));
        let newton = shift - (h + h.transpose()) * 0.5;
        let mut omega = match along > 0.0 && newton.determinant() > 0.0 {
            true => newton.inverse() * torque,
            false => torque / (along.abs() + FLAT * size),
        };
        if iteration == 0 && along < 0.0 && omega.length() < 1e-6 {
            // Half a turn away every direction back is as good as any other.
            omega = DVec3::new(0.1, 0.2, 0.3);
        }
        let angle = omega.length().min(1.0);
        if angle.is_nan() || angle < DONE {
            break;
        }
        r = turn(omega.normalize_or(DVec3::X), angle) * r;
    }
    orthonormal(r)
}

/// Rotation about a unit axis.
fn turn(axis: DVec3, angle: f64) -> DMat3 {
    let (sin, cos) = ops::sin_cos(angle);
    let column = |e: DVec3| e * cos + axis.cross(e) * sin + axis * (axis.dot(e) * (1.0 - cos));
    DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
}

/// Removes rounding errors from a rotation.
fn orthonormal(r: DMat3) -> DMat3 {
    let x = r.x_axis.normalize_or(DVec3::X);
    let y = (r.y_axis - x * x.dot(r.y_axis)).normalize_or(x.any_orthonormal_vector());
    DMat3::from_cols(x, y, x.cross(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cloud(turned: DMat3, points: &[DVec3]) -> DMat3 {
        points.iter().map(|p| outer(turned * *p, *p)).fold(DMat3::ZERO, |sum, one| sum + one)
    }

    fn apart(a: DMat3, b: DMat3) -> f64 {
        let d = a - b;
        d.x_axis.length() + d.y_axis.length() + d.z_axis.length()
    }

    #[test]
    fn a_rotation_is_found_again() {
        let points = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.3, -0.2, 0.1)];
        let turned = turn(DVec3::new(1.0, 2.0, 3.0).normalize_or_zero(), 0.9);
        let found = nearest_rotation(cloud(turned, &points), DMat3::IDENTITY);
        assert!(apart(found, turned) < 1e-6, "{found:?}");
    }

    #[test]
    fn the_roll_of_a_line_stays() {
        let points = [DVec3::X, -DVec3::X];
        let before = turn(DVec3::X, 0.7);
        assert!(apart(nearest_rotation(cloud(DMat3::IDENTITY, &points), before), before) < 1e-9);
    }

    #[test]
    fn half_a_turn_is_found() {
        let points = [DVec3::X, -DVec3::X];
        let turned = turn(DVec3::Y, std::f64::consts::PI);
        let found = nearest_rotation(cloud(turned, &points), DMat3::IDENTITY);
        assert!((found * DVec3::X + DVec3::X).length() < 1e-6, "{found:?}");
        // Nothing to match leaves the rotation alone.
        assert_eq!(nearest_rotation(DMat3::ZERO, before_any()), before_any());
    }

    fn before_any() -> DMat3 {
        turn(DVec3::Z, 0.3)
    }
}
