//! Banded systems whose unknowns are points: one matrix for x, y and z.
//!
//! The three coordinates are eliminated together, which hides the latency of a single right-hand side
//! (`num::banded` starts at both ends for that). The factor is `L D Lᵀ`: `B` numbers and the inverse
//! pivot per row.
//!
//! Tests: `a_factor_inverts_the_matrix_for_points`.

use glam::DVec3;

use super::banded::{NotPositiveDefiniteError, Row, SMALLEST_PIVOT, Symmetric};

/// `L D Lᵀ` of a [`Symmetric`] matrix, for right-hand sides that are points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointFactor<const B: usize> {
    /// `1/D` in place of the diagonal, `L` below it.
    rows: Vec<Row<B>>,
}

impl<const B: usize> PointFactor<B> {
    /// The factor of `matrix`.
    pub fn new(matrix: &Symmetric<B>) -> Result<Self, NotPositiveDefiniteError> {
        let mut factor = Self::default();
        factor.build(matrix)?;
        Ok(factor)
    }

    /// Recomputes the factor for `matrix`, reusing memory.
    pub fn build(&mut self, matrix: &Symmetric<B>) -> Result<(), NotPositiveDefiniteError> {
        self.rows.clear();
        self.rows.extend_from_slice(&matrix.rows);
        for i in 0..self.rows.len() {
            let mut row = self.rows[i];
            let reach = B.min(i);
            for k in (0..reach).rev() {
                for m in k + 1..reach {
                    row.below[k] -= row.below[m] * self.rows[i - 1 - k].below[m - k - 1];
                }
            }
            for k in (0..reach).rev() {
                let times_pivot = row.below[k];
                row.below[k] *= self.rows[i - 1 - k].diagonal;
                row.diagonal -= times_pivot * row.below[k];
            }
            row.below[reach..].fill(0.0);
            // In this form the comparison rejects NaN too.
            let whole = matrix.rows[i].diagonal;
            let definite = row.diagonal > SMALLEST_PIVOT * whole;
            if !definite {
                return Err(NotPositiveDefiniteError { row: i, pivot: row.diagonal / whole });
            }
            row.diagonal = 1.0 / row.diagonal;
            self.rows[i] = row;
        }
        Ok(())
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns true if there are no unknowns.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Replaces right-hand sides by the solution.
    pub fn solve(&self, x: &mut [DVec3]) {
        let mut before = [DVec3::ZERO; B];
        for (row, x) in self.rows.iter().zip(x.iter_mut()) {
            let mut y = *x;
            for k in (0..B).rev() {
                y -= before[k] * row.below[k];
            }
            for k in (1..B).rev() {
                before[k] = before[k - 1];
            }
            if let Some(first) = before.first_mut() {
                *first = y;
            }
            *x = y;
        }
        // `terms[k]` is the sum of terms of the solved unknowns for the one k + 1 places further up.
        let mut terms = [DVec3::ZERO; B];
        for (row, x) in self.rows.iter().zip(x.iter_mut()).rev() {
            let here = *x * row.diagonal - terms.first().copied().unwrap_or_default();
            for k in 0..B {
                let later = if k + 1 < B { terms[k + 1] } else { DVec3::ZERO };
                terms[k] = later + here * row.below[k];
            }
            *x = here;
        }
    }

    /// Solves for one coordinate; the same bits as [`solve`](Self::solve).
    pub fn solve_column(&self, x: &mut [f64]) {
        for i in 0..self.rows.len() {
            for k in (0..B.min(i)).rev() {
                x[i] -= x[i - 1 - k] * self.rows[i].below[k];
            }
        }
        for i in (0..self.rows.len()).rev() {
            x[i] *= self.rows[i].diagonal;
            let mut terms = 0.0;
            for k in (0..B.min(self.rows.len() - 1 - i)).rev() {
                terms += x[i + 1 + k] * self.rows[i + 1 + k].below[k];
            }
            x[i] -= terms;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pseudo_random(i: usize, j: usize) -> f64 {
        (i as f64 * 5.93 + j as f64 * 2.71 + (i * j) as f64 * 0.61).rem_euclid(2.0) - 1.0
    }

    fn example(n: usize) -> Symmetric<3> {
        let mut matrix = Symmetric::zeros(n);
        for i in 0..n {
            matrix.add(i, i, 6.5);
            for k in 1..=3.min(i) {
                matrix.add(i, i - k, pseudo_random(i, k));
            }
        }
        matrix
    }

    #[test]
    fn a_factor_inverts_the_matrix_for_points() {
        for n in [1, 2, 3, 4, 5, 20] {
            let matrix = example(n);
            let wanted: Vec<DVec3> = (0..n)
                .map(|i| DVec3::new(pseudo_random(i, 5), pseudo_random(i, 6), pseudo_random(i, 7)))
                .collect();
            let column = |c: usize| matrix.times(&wanted.iter().map(|p| p[c]).collect::<Vec<_>>());
            let (x, y, z) = (column(0), column(1), column(2));
            let mut points: Vec<DVec3> = (0..n).map(|i| DVec3::new(x[i], y[i], z[i])).collect();
            let factor = PointFactor::new(&matrix).unwrap();
            factor.solve(&mut points);
            let mut single = z;
            factor.solve_column(&mut single);
            for i in 0..n {
                assert!(points[i].distance(wanted[i]) < 1e-14, "{n}: {i}");
                assert!((single[i] - wanted[i].z).abs() < 1e-14);
            }
        }
        let mut flat = example(4);
        flat.rows[2].diagonal = 0.0;
        assert_eq!(PointFactor::new(&flat).map_err(|e| e.row), Err(2));
    }
}
