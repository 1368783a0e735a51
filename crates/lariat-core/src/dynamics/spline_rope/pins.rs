//! Points that are held, exactly, whatever pulls at them.
//!
//! Section 5 of the paper, which thought it would cost `O(n³)`: a held point is one row `L` of four
//! weights, the same for x, y and z, and the reaction that holds it spreads over the rope by the
//! factor that is there anyway. `Y = M⁻¹ Lᵀ` is one banded solve a pin, `S = L Y` a small matrix,
//! and `q + Y S⁻¹ (target − L q)` is where all pins are met. Pins come and go without the factor of
//! the mass knowing of it.
//!
//! Two pins at nearly one place cannot both be met if they differ: a trace of 1e-12 on the diagonal
//! of `S` lets them meet between.
//!
//! Tests: `pins_are_met_to_rounding`, `two_pins_on_one_place_meet_between`.

use glam::DVec3;

use super::basis::Row;
use crate::num::banded_points::PointFactor;

/// How much of its trace is added to the matrix of the pins. Larger: pins that are close give way.
/// Smaller: pins at one place are torn between rounding errors.
const SHARED: f64 = 1e-12;

/// Everything about a set of pins that does not change while they stay where they are on the rope.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    rows: Vec<Row>,
    /// How each pin moves every control point, pin after pin.
    spread: Vec<f64>,
    /// Cholesky's factor of the small matrix, row by row.
    small: Vec<f64>,
    missing: Vec<DVec3>,
}

impl Held {
    /// Whether these are the pins it was made for.
    pub(super) fn is_for(&self, rows: impl Iterator<Item = Row>) -> bool {
        self.rows.iter().copied().eq(rows)
    }

    /// Makes everything ready for these pins, on the factor of a mass.
    pub(super) fn prepare(&mut self, factor: &PointFactor<3>, rows: impl Iterator<Item = Row>) {
        self.rows.clear();
        self.rows.extend(rows);
        let (count, n) = (self.rows.len(), factor.len());
        self.spread.clear();
        self.spread.resize(count * n, 0.0);
        for (row, column) in self.rows.iter().zip(self.spread.chunks_exact_mut(n.max(1))) {
            column[row.first..row.first + 4].copy_from_slice(&row.weights);
            factor.solve_column(column);
        }
        self.small.clear();
        for row in &self.rows {
            self.small.extend(self.spread.chunks_exact(n.max(1)).map(|c| row.of_column(c)));
        }
        let trace: f64 = (0..count).map(|i| self.small[i * count + i]).sum();
        for i in 0..count {
            self.small[i * count + i] += SHARED * trace / count as f64;
        }
        self.missing.clear();
        self.missing.resize(count, DVec3::ZERO);
        self.factorise();
    }

    /// Cholesky in place, lower half. Rows and columns are few: pins are counted on fingers.
    fn factorise(&mut self) {
        let (n, s) = (self.rows.len(), &mut self.small);
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

    /// Moves `x` so that the pins are at their targets, each coordinate of it the least way by mass.
    /// What `x` means is the caller's: places, or speeds.
    pub(super) fn bring(&mut self, targets: &[DVec3], x: &mut [DVec3]) {
        let count = self.rows.len();
        if count == 0 {
            return;
        }
        for ((missing, row), target) in self.missing.iter_mut().zip(&self.rows).zip(targets) {
            *missing = *target - row.of(x);
        }
        let (s, y) = (&self.small, &mut self.missing);
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
        for (push, column) in self.missing.iter().zip(self.spread.chunks_exact(x.len())) {
            for (x, share) in x.iter_mut().zip(column) {
                *x += *push * *share;
            }
        }
    }

    /// The same to rounding: a second time takes what the first had left.
    pub(super) fn meet(&mut self, targets: &[DVec3], x: &mut [DVec3]) {
        self.bring(targets, x);
        self.bring(targets, x);
    }
}

#[cfg(test)]
mod tests {
    use super::super::basis::Basis;
    use super::super::mass::mass;
    use super::*;

    fn ready(places: &[f64]) -> (Held, Vec<DVec3>, Vec<Row>) {
        let basis = Basis::new(20);
        let factor = PointFactor::new(&mass(basis, 0.1, &[], &[])).unwrap();
        let rows: Vec<Row> = places.iter().map(|u| basis.at(20.0 * u)).collect();
        let mut held = Held::default();
        held.prepare(&factor, rows.iter().copied());
        let q = (0..basis.len()).map(|i| DVec3::X * basis.abscissa(i) * 0.05).collect();
        (held, q, rows)
    }

    #[test]
    fn pins_are_met_to_rounding() {
        let places = [0.0, 0.11, 0.3, 0.31, 0.5, 0.77, 1.0];
        let (mut held, mut q, rows) = ready(&places);
        let targets: Vec<DVec3> =
            places.iter().map(|u| DVec3::new(*u, u * u - 1.0, 0.2 - u)).collect();
        held.bring(&targets, &mut q);
        for (row, target) in rows.iter().zip(&targets) {
            let miss = row.of(&q).distance(*target);
            assert!(miss < 1e-11, "{miss:e}");
        }
        held.meet(&targets, &mut q);
        for (row, target) in rows.iter().zip(&targets) {
            assert!(row.of(&q).distance(*target) < 1e-15, "{}", row.of(&q).distance(*target));
        }
    }

    #[test]
    fn two_pins_on_one_place_meet_between() {
        let (mut held, mut q, rows) = ready(&[0.4, 0.4]);
        held.bring(&[DVec3::Y, DVec3::Y + DVec3::Z * 0.2], &mut q);
        let met = rows[0].of(&q);
        assert!(met.distance(DVec3::Y + DVec3::Z * 0.1) < 1e-4, "{met}");
        assert!(q.iter().all(|p| p.is_finite() && p.length() < 10.0));
    }
}
