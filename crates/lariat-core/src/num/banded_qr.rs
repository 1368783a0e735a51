//! Banded least squares and square systems by QR decomposition.
//!
//! Each row has `W` coefficients in neighbouring columns. Givens rotations reduce row after row
//! to an upper triangle of the same width, so the work is proportional to the number of rows.
//! The normal equations ([`super::banded`]) are thirty times faster but square the condition number;
//! QR keeps it, which gaps of thousands of samples need. No pivoting is needed, so square systems
//! that are symmetric but not definite can be solved here.
//!
//! The rotations are stored and applied to any number of right-hand sides.
//!
//! Golub and Van Loan, *Matrix Computations*, 5.2.5.
//!
//! Tests: `rows_vs_normal_equations`, `a_square_system_needs_no_pivots`,
//! `an_undetermined_unknown_is_rejected`.

use thiserror::Error;

/// Smallest diagonal entry of the triangle relative to the largest. A larger limit would reject long
/// gaps of a cubic spline, whose smallest entry is near `1 / gap^1.5`; a smaller one would accept
/// singular systems.
const SMALLEST: f64 = 1e-12;

/// Error for rows that do not determine every unknown.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("the rows do not determine unknown {column}")]
pub struct RankDeficientError {
    /// Index of the first undetermined unknown.
    pub column: usize,
}

/// Reduction of one row: number of rotations against rows of the triangle, and the empty row that it
/// then fills, if any.
#[derive(Clone, Copy, Debug)]
struct Reduction {
    rotations: usize,
    fills: Option<usize>,
}

/// One rotation: row of the triangle, cosine and sine.
#[derive(Clone, Copy, Debug)]
struct Rotation {
    column: usize,
    cos: f64,
    sin: f64,
}

/// Banded QR decomposition: the upper triangle and the rotations.
#[derive(Clone, Debug)]
pub struct BandedQr<const W: usize> {
    /// `upper[i][k]` is entry `(i, i + k)`; a row without a diagonal is still empty.
    upper: Vec<[f64; W]>,
    reductions: Vec<Reduction>,
    rotations: Vec<Rotation>,
}

impl<const W: usize> Default for BandedQr<W> {
    fn default() -> Self {
        Self { upper: Vec::new(), reductions: Vec::new(), rotations: Vec::new() }
    }
}

impl<const W: usize> BandedQr<W> {
    /// Removes all rows and sets the number of unknowns, reusing memory.
    pub fn reset(&mut self, n: usize) {
        self.upper.clear();
        self.upper.resize(n, [0.0; W]);
        self.reductions.clear();
        self.rotations.clear();
    }

    /// Number of rows so far: the length of a right-hand side.
    pub fn rows(&self) -> usize {
        self.reductions.len()
    }

    /// Adds a row with coefficients for the unknowns `start`, `start + 1`, and so on. Coefficients
    /// beyond the last unknown must be zero.
    ///
    /// Rows may come in any order. In the order of `start` each takes at most `W` rotations; a row out
    /// of order may take as many as there are unknowns after it.
    pub fn add(&mut self, start: usize, mut row: [f64; W]) {
        let (mut rotations, mut fills) = (0, None);
        for (column, upper) in self.upper.iter_mut().enumerate().skip(start) {
            if row == [0.0; W] {
                break;
            }
            if row[0] != 0.0 {
                if upper[0] == 0.0 {
                    *upper = row;
                    fills = Some(column);
                    break;
                }
                let size = (upper[0] * upper[0] + row[0] * row[0]).sqrt();
                let (cos, sin) = (upper[0] / size, row[0] / size);
                for (above, below) in upper.iter_mut().zip(&mut row) {
                    (*above, *below) = (cos * *above + sin * *below, cos * *below - sin * *above);
                }
                self.rotations.push(Rotation { column, cos, sin });
                rotations += 1;
            }
            row.copy_within(1.., 0);
            row[W - 1] = 0.0;
        }
        self.reductions.push(Reduction { rotations, fills });
    }

    /// Returns an error unless the rows determine every unknown.
    pub fn check(&self) -> Result<(), RankDeficientError> {
        let size = self.upper.iter().map(|row| row[0].abs()).fold(0.0, f64::max);
        // In this form the comparison rejects NaN too.
        let determined = |row: &[f64; W]| row[0].abs() > SMALLEST * size;
        match self.upper.iter().position(|row| !determined(row)) {
            None => Ok(()),
            Some(column) => Err(RankDeficientError { column }),
        }
    }

    /// The least-squares solution for the right-hand side `right`, one number per row in the order in
    /// which rows were added. [`Self::check`] must have succeeded.
    pub fn solve(&self, right: &[f64], x: &mut Vec<f64>) {
        x.clear();
        x.resize(self.upper.len(), 0.0);
        let mut rotations = self.rotations.iter();
        for (reduction, &right) in self.reductions.iter().zip(right) {
            let mut carried = right;
            for rotation in rotations.by_ref().take(reduction.rotations) {
                let above = &mut x[rotation.column];
                (*above, carried) = (
                    rotation.cos * *above + rotation.sin * carried,
                    rotation.cos * carried - rotation.sin * *above,
                );
            }
            if let Some(fills) = reduction.fills {
                x[fills] = carried;
            }
        }
        for (i, row) in self.upper.iter().enumerate().rev() {
            let mut sum = x[i];
            for (entry, x) in row[1..].iter().zip(&x[i + 1..]).rev() {
                sum -= entry * x;
            }
            x[i] = sum / row[0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::banded::{Factor, Symmetric};
    use super::*;

    fn pseudo_random(i: usize, j: usize) -> f64 {
        (i as f64 * 7.31 + j as f64 * 3.17 + (i * j) as f64 * 0.77).rem_euclid(2.0) - 1.0
    }

    #[test]
    fn rows_vs_normal_equations() {
        let n = 40;
        let (mut triangle, mut normal) = (BandedQr::<3>::default(), Symmetric::<2>::zeros(n));
        triangle.reset(n);
        let mut sums = vec![0.0; n];
        let mut right = Vec::new();
        for i in (0..n - 2).chain(0..n - 2).chain([0, n - 3]) {
            let row = [pseudo_random(i, right.len()), pseudo_random(i, 3 * right.len()), 1.0];
            right.push(pseudo_random(right.len(), 9));
            triangle.add(i, row);
            for j in 0..3 {
                sums[i + j] += row[j] * right[right.len() - 1];
                for k in 0..=j {
                    normal.add(i + j, i + k, row[j] * row[k]);
                }
            }
        }
        assert_eq!(triangle.check(), Ok(()));
        Factor::new(&normal).unwrap().solve(&mut sums);
        let mut x = Vec::new();
        triangle.solve(&right, &mut x);
        for i in 0..n {
            assert!((x[i] - sums[i]).abs() < 1e-12, "unknown {i}: {} for {}", x[i], sums[i]);
        }
    }

    #[test]
    fn a_square_system_needs_no_pivots() {
        // A zero diagonal: elimination in order would divide by it.
        let n = 9;
        let mut triangle = BandedQr::<3>::default();
        triangle.reset(n);
        let entry = |i: usize, j: usize| if i == j { 0.0 } else { 2.0 + pseudo_random(i, j) };
        let wanted: Vec<f64> = (0..n).map(|i| pseudo_random(i, 1)).collect();
        let mut right = Vec::new();
        for i in 0..n {
            let start = i.saturating_sub(1).min(n - 3);
            let row: [f64; 3] = std::array::from_fn(|k| {
                if i.abs_diff(start + k) <= 1 { entry(i, start + k) } else { 0.0 }
            });
            triangle.add(start, row);
            right.push((0..3).map(|k| row[k] * wanted[start + k]).sum());
        }
        // An odd number of unknowns, each coupled only to its neighbours, leaves one undetermined.
        assert_eq!(triangle.check(), Err(RankDeficientError { column: n - 1 }));
        triangle.add(0, [1.0, 0.0, 0.0]);
        right.push(wanted[0]);
        assert_eq!(triangle.check(), Ok(()));
        let mut x = Vec::new();
        triangle.solve(&right, &mut x);
        for i in 0..n {
            assert!((x[i] - wanted[i]).abs() < 1e-13, "unknown {i}: {} for {}", x[i], wanted[i]);
        }
    }

    #[test]
    fn an_undetermined_unknown_is_rejected() {
        let mut triangle = BandedQr::<2>::default();
        triangle.reset(3);
        triangle.add(0, [1.0, 0.0]);
        triangle.add(0, [0.0, 0.0]);
        triangle.add(2, [3.0, 0.0]);
        assert_eq!(triangle.check(), Err(RankDeficientError { column: 1 }));
        triangle.add(1, [f64::NAN, 0.0]);
        assert_eq!(triangle.check(), Err(RankDeficientError { column: 1 }));
    }
}
