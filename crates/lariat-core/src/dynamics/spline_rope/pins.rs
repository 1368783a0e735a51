//! Exact projection of the control points onto the pin targets.
//!
//! Section 5 of the paper, which expected a cost of `O(n³)`. A held point is one row `L` of four
//! weights, the same for x, y and z; the factor of the mass matrix, which exists anyway, distributes
//! its reaction over the rope. `Y = M⁻¹ Lᵀ` is one banded solve per pin, `S = L Y` is a small matrix,
//! and `q + Y S⁻¹ (target − L q)` satisfies all pins. The mass matrix is not factorised again when pins
//! change.
//!
//! Two pins at nearly the same place cannot both be satisfied if their targets differ. Adding 1e-12 of
//! the mean of the diagonal of `S` to the diagonal makes them meet halfway.
//!
//! Tests: `pins_are_met_to_rounding`, `two_pins_at_one_place_meet_halfway`.

use glam::DVec3;

use super::basis::Row;
use crate::num::banded_points::PointFactor;

/// Share of its mean that is added to the diagonal of `S`. Larger: pins that are close together give
/// way. Smaller: rounding errors decide between pins at one place.
const REGULARISATION: f64 = 1e-12;

/// Projection for a set of pins; it stays valid while they keep their places on the rope.
#[derive(Clone, Debug, Default)]
pub(super) struct PinProjection {
    rows: Vec<Row>,
    /// `Y`: response of every control point to each pin, pin after pin.
    responses: Vec<f64>,
    /// Cholesky factor of `S`, row by row.
    schur: Vec<f64>,
    residuals: Vec<DVec3>,
}

impl PinProjection {
    /// Whether the projection was prepared for these pins.
    pub(super) fn is_for(&self, rows: impl Iterator<Item = Row>) -> bool {
        self.rows.iter().copied().eq(rows)
    }

    /// Prepares the projection for these pins, with the factor of the mass matrix.
    pub(super) fn prepare(&mut self, factor: &PointFactor<3>, rows: impl Iterator<Item = Row>) {
        self.rows.clear();
        self.rows.extend(rows);
        let (count, n) = (self.rows.len(), factor.len());
        self.responses.clear();
        self.responses.resize(count * n, 0.0);
        for (row, column) in self.rows.iter().zip(self.responses.chunks_exact_mut(n.max(1))) {
            column[row.first..row.first + 4].copy_from_slice(&row.weights);
            factor.solve_column(column);
        }
        self.schur.clear();
        for row in &self.rows {
            self.schur.extend(self.responses.chunks_exact(n.max(1)).map(|c| row.of_column(c)));
        }
        let trace: f64 = (0..count).map(|i| self.schur[i * count + i]).sum();
        for i in 0..count {
            self.schur[i * count + i] += REGULARISATION * trace / count as f64;
        }
        self.residuals.clear();
        self.residuals.resize(count, DVec3::ZERO);
        self.factorise();
    }

    /// Factorises `S` in place, lower half, by a dense Cholesky decomposition: there are few pins.
    fn factorise(&mut self) {
        let (n, s) = (self.rows.len(), &mut self.schur);
        for i in 0..n {
            for j in 0..=i {
                let mut sum = s[i * n + j];
                for k in 0..j {
                    sum -= s[i * n + k] * s[j * n + k];
                }
                s[i * n + j] =
                    if i == j { sum.max(f64::MIN_POSITIVE).sqrt() } else { sum / s[j * n + j] };
            }
        }
    }

    /// Moves `x` so that the pins are at their targets, with the smallest change in the norm of the mass
    /// matrix. `x` may be positions or velocities.
    pub(super) fn project(&mut self, targets: &[DVec3], x: &mut [DVec3]) {
        let count = self.rows.len();
        if count == 0 {
            return;
        }
        for ((residual, row), target) in self.residuals.iter_mut().zip(&self.rows).zip(targets) {
            *residual = *target - row.of(x);
        }
        let (s, y) = (&self.schur, &mut self.residuals);
        for i in 0..count {
            let mut sum = y[i];
            for k in 0..i {
                sum -= y[k] * s[i * count + k];
            }
            y[i] = sum / s[i * count + i];
        }
        for i in (0..count).rev() {
            let mut sum = y[i];
            for k in i + 1..count {
                sum -= y[k] * s[k * count + i];
            }
            y[i] = sum / s[i * count + i];
        }
        for (reaction, column) in self.residuals.iter().zip(self.responses.chunks_exact(x.len())) {
            for (x, share) in x.iter_mut().zip(column) {
                *x += *reaction * *share;
            }
        }
    }

    /// Projects twice, which leaves only rounding errors.
    pub(super) fn project_exactly(&mut self, targets: &[DVec3], x: &mut [DVec3]) {
        self.project(targets, x);
        self.project(targets, x);
    }
}

#[cfg(test)]
mod tests {
    use super::super::basis::Basis;
    use super::super::mass::mass;
    use super::*;

    fn ready(places: &[f64]) -> (PinProjection, Vec<DVec3>, Vec<Row>) {
        let basis = Basis::new(20);
        let factor = PointFactor::new(&mass(basis, 0.1, &[], &[])).unwrap();
        let rows: Vec<Row> = places.iter().map(|u| basis.at(20.0 * u)).collect();
        let mut projection = PinProjection::default();
        projection.prepare(&factor, rows.iter().copied());
        let q = (0..basis.len()).map(|i| DVec3::X * basis.abscissa(i) * 0.05).collect();
        (projection, q, rows)
    }

    #[test]
    fn pins_are_met_to_rounding() {
        let places = [0.0, 0.11, 0.3, 0.31, 0.5, 0.77, 1.0];
        let (mut projection, mut q, rows) = ready(&places);
        let targets: Vec<DVec3> =
            places.iter().map(|u| DVec3::new(*u, u * u - 1.0, 0.2 - u)).collect();
        projection.project(&targets, &mut q);
        for (row, target) in rows.iter().zip(&targets) {
            let miss = row.of(&q).distance(*target);
            assert!(miss < 1e-11, "{miss:e}");
        }
        projection.project_exactly(&targets, &mut q);
        for (row, target) in rows.iter().zip(&targets) {
            assert!(row.of(&q).distance(*target) < 1e-15, "{}", row.of(&q).distance(*target));
        }
    }

    #[test]
    fn two_pins_at_one_place_meet_halfway() {
        let (mut projection, mut q, rows) = ready(&[0.4, 0.4]);
        projection.project(&[DVec3::Y, DVec3::Y + DVec3::Z * 0.2], &mut q);
        let met = rows[0].of(&q);
        assert!(met.distance(DVec3::Y + DVec3::Z * 0.1) < 1e-4, "{met}");
        assert!(q.iter().all(|p| p.is_finite() && p.length() < 10.0));
    }
}
