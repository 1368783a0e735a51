//! Symmetric systems whose entries keep close to the diagonal, solved in time proportional to
//! their size.
//!
//! [`Symmetric`] is the matrix, `B` diagonals below the main one (the half-bandwidth). [`Factor`]
//! is its `L D Lᵀ`, made once and used for any number of right-hand sides. Rows lie one after the
//! other in one array, diagonal first, so the loops over a row have a length that the compiler
//! knows. The factor has `B` empty rows in front: the first rows need no special case.
//!
//! Everything is reused: a factor that has once been as large allocates nothing.
//!
//! What bounds the speed is not arithmetic but waiting: each pivot needs the one before it, and a
//! division, a product and a difference take some 22 cycles one after the other. A right-hand side
//! that is carried along ([`Factor::build_and_solve`]) fits into the wait.
//!
//! Not here: matrices that are not positive definite, and rows instead of normal equations, which
//! keep twice the digits: `num::banded_rows`.
//!
//! Tests: `a_factor_undoes_the_matrix`, `fixed_unknowns_come_out_bit_for_bit`,
//! `a_singular_matrix_is_refused`, `carrying_the_right_hand_side_along_changes_no_bit`.

use thiserror::Error;

/// A pivot this small beside its own diagonal entry has been eaten by rounding. Larger: long gaps
/// of a cubic spline, whose smallest pivot is `3 / gap³`, are refused from 8,000 samples on.
/// Smaller: singular systems pass, and their solution is noise.
pub const SMALLEST_PIVOT: f64 = 1e-12;

/// The matrix is not positive definite, as far as double precision can tell.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("row {row} depends on the rows before it: its pivot is {pivot:e} of its diagonal entry")]
pub struct NotDefinite {
    /// The row at which it shows.
    pub row: usize,
    /// What elimination has left of the diagonal entry, relative to it.
    pub pivot: f64,
}

/// One row of a symmetric matrix: the diagonal entry and what lies to its left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<const B: usize> {
    /// Entry `(i, i)`.
    pub diagonal: f64,
    /// `below[k]` is entry `(i, i − 1 − k)`.
    pub below: [f64; B],
}

impl<const B: usize> Row<B> {
    /// A row of zeros.
    pub const ZERO: Self = Self { diagonal: 0.0, below: [0.0; B] };
}

/// A symmetric matrix with `B` diagonals on each side of the main one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Symmetric<const B: usize> {
    /// The lower half, row by row. Entries left of the first column are ignored.
    pub rows: Vec<Row<B>>,
}

impl<const B: usize> Symmetric<B> {
    /// Zeros, `n` by `n`.
    pub fn zeros(n: usize) -> Self {
        Self { rows: vec![Row::ZERO; n] }
    }

    /// Makes the matrix `n` by `n` zeros, in the same memory.
    pub fn reset(&mut self, n: usize) {
        self.rows.clear();
        self.rows.resize(n, Row::ZERO);
    }

    /// Entry `(i, j)`, in either order; zero outside the band.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        let (low, high) = (i.min(j), i.max(j));
        match high - low {
            0 => self.rows[high].diagonal,
            k if k <= B => self.rows[high].below[k - 1],
            _ => 0.0,
        }
    }

    /// Adds to entry `(i, j)` and its mirror image.
    ///
    /// # Panics
    ///
    /// If the entry lies outside the band.
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        let (low, high) = (i.min(j), i.max(j));
        match high - low {
            0 => self.rows[high].diagonal += value,
            k => self.rows[high].below[k - 1] += value,
        }
    }

    /// Makes unknown `i` known: its row and column become zero, with 1 on the diagonal. What it
    /// was coupled to is told, entry by entry, and belongs on the right-hand sides of the others.
    pub fn fix(&mut self, i: usize, mut coupled: impl FnMut(usize, f64)) {
        for k in (0..B.min(i)).rev() {
            coupled(i - 1 - k, self.rows[i].below[k]);
        }
        self.rows[i] = Row { diagonal: 1.0, below: [0.0; B] };
        for k in 0..B.min(self.rows.len() - 1 - i) {
            let entry = &mut self.rows[i + 1 + k].below[k];
            coupled(i + 1 + k, *entry);
            *entry = 0.0;
        }
    }

    /// The product with a column.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.rows.len()];
        for (i, row) in self.rows.iter().enumerate() {
            product[i] += row.diagonal * x[i];
            for (k, entry) in row.below.iter().enumerate().take(i) {
                product[i] += entry * x[i - 1 - k];
                product[i - 1 - k] += entry * x[i];
            }
        }
        product
    }
}

/// `L D Lᵀ` of a [`Symmetric`] matrix: on the diagonal `1/D`, below it `L`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Factor<const B: usize> {
    rows: Vec<Row<B>>,
}

impl<const B: usize> Factor<B> {
    /// The factor of `matrix`.
    pub fn new(matrix: &Symmetric<B>) -> Result<Self, NotDefinite> {
        let mut factor = Self { rows: Vec::new() };
        factor.build(matrix)?;
        Ok(factor)
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.rows.len().saturating_sub(B)
    }

    /// Whether there is nothing to solve.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Becomes the factor of `matrix`, in the same memory.
    pub fn build(&mut self, matrix: &Symmetric<B>) -> Result<(), NotDefinite> {
        self.start(matrix.rows.len());
        for (i, row) in matrix.rows.iter().enumerate() {
            self.add_row(i, row)?;
        }
        Ok(())
    }

    /// Becomes the factor of `matrix` and solves for the right-hand side in `x`: the same bits as
    /// [`Self::build`] and [`Self::solve`], in the time of the former and half of the latter.
    pub fn build_and_solve(
        &mut self,
        matrix: &Symmetric<B>,
        x: &mut [f64],
    ) -> Result<(), NotDefinite> {
        self.start(matrix.rows.len());
        let mut before = [0.0; B];
        for (i, (row, x)) in matrix.rows.iter().zip(&mut *x).enumerate() {
            let below = self.add_row(i, row)?;
            *x = forward(&below, &mut before, *x);
        }
        self.backward(x);
        Ok(())
    }

    /// Replaces a right-hand side by the solution.
    pub fn solve(&self, x: &mut [f64]) {
        let mut before = [0.0; B];
        for (row, x) in self.rows.iter().skip(B).zip(&mut *x) {
            *x = forward(&row.below, &mut before, *x);
        }
        self.backward(x);
    }

    fn start(&mut self, n: usize) {
        self.rows.clear();
        self.rows.reserve(n + B);
        self.rows.resize(B, Row::ZERO);
    }

    /// Eliminates one row more, and returns its `L`.
    #[inline]
    fn add_row(&mut self, i: usize, row: &Row<B>) -> Result<[f64; B], NotDefinite> {
        // The last B rows; `start` has put as many there.
        let Some(window) = self.rows.last_chunk::<B>() else { return Ok([0.0; B]) };
        // u[k] = L D in column i − 1 − k; the farthest column comes first.
        let mut u = row.below;
        for k in (0..B).rev() {
            let other = &window[B - 1 - k];
            for m in (k + 1..B).rev() {
                u[k] -= u[m] * other.below[m - k - 1];
            }
        }
        let mut below = [0.0; B];
        let mut pivot = row.diagonal;
        for k in (0..B).rev() {
            let inverse = window[B - 1 - k].diagonal;
            below[k] = u[k] * inverse;
            // Not `u · below`: the square is ready before the last pivot is.
            pivot -= (u[k] * u[k]) * inverse;
        }
        // Negated, so that NaN is refused too.
        if !(pivot > SMALLEST_PIVOT * row.diagonal) {
            return Err(NotDefinite { row: i, pivot: pivot / row.diagonal });
        }
        self.rows.push(Row { diagonal: 1.0 / pivot, below });
        Ok(below)
    }

    fn backward(&self, x: &mut [f64]) {
        // What the unknowns behind have to say about the B before them: sums[k] is for the one
        // k places further up.
        let mut sums = [0.0; B];
        for (row, x) in self.rows.iter().skip(B).zip(&mut *x).rev() {
            *x = *x * row.diagonal - sums.first().copied().unwrap_or(0.0);
            for k in 0..B {
                let carried = if k + 1 < B { sums[k + 1] } else { 0.0 };
                sums[k] = carried + row.below[k] * *x;
            }
        }
    }
}

/// One step of forward substitution; `before[k]` is the unknown `k + 1` places back. The nearest
/// comes last: it is the one to wait for.
#[inline]
fn forward<const B: usize>(below: &[f64; B], before: &mut [f64; B], right: f64) -> f64 {
    let mut y = right;
    for k in (0..B).rev() {
        y -= below[k] * before[k];
    }
    for k in (1..B).rev() {
        before[k] = before[k - 1];
    }
    if let Some(first) = before.first_mut() {
        *first = y;
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in −1..1 without any pattern that matters.
    fn wild(i: usize, j: usize) -> f64 {
        (i as f64 * 7.31 + j as f64 * 3.17 + (i * j) as f64 * 0.77).rem_euclid(2.0) - 1.0
    }

    fn example<const B: usize>(n: usize) -> Symmetric<B> {
        let mut matrix = Symmetric::zeros(n);
        for i in 0..n {
            matrix.add(i, i, 0.1 + 2.0 * B as f64);
            for k in 1..=B.min(i) {
                matrix.add(i, i - k, wild(i, k));
            }
        }
        matrix
    }

    #[test]
    fn a_factor_undoes_the_matrix() {
        fn of<const B: usize>() -> f64 {
            let mut worst: f64 = 0.0;
            for n in 0..40 {
                let matrix = example::<B>(n);
                let wanted: Vec<f64> = (0..n).map(|i| wild(i, 5)).collect();
                let mut x = matrix.times(&wanted);
                Factor::new(&matrix).unwrap().solve(&mut x);
                let errors = x.iter().zip(&wanted).map(|(x, wanted)| (x - wanted).abs());
                worst = worst.max(errors.fold(0.0, f64::max));
            }
            worst
        }
        assert!(of::<2>() < 1e-14, "{}", of::<2>());
        assert!(of::<5>() < 1e-14, "{}", of::<5>());
        assert!(of::<0>() < 1e-15, "{}", of::<0>());
    }

    #[test]
    fn the_matrix_is_what_was_added() {
        let mut matrix = Symmetric::<2>::zeros(4);
        matrix.add(1, 3, 5.0);
        matrix.add(2, 2, 7.0);
        assert_eq!((matrix.at(3, 1), matrix.at(1, 3), matrix.at(2, 2)), (5.0, 5.0, 7.0));
        assert_eq!(matrix.at(0, 3), 0.0);
        // Rows 1, 2 and 3 of the product with (1, 10, 100, 1000).
        assert_eq!(matrix.times(&[1.0, 10.0, 100.0, 1000.0]), [0.0, 5000.0, 700.0, 50.0]);
    }

    #[test]
    fn fixed_unknowns_come_out_bit_for_bit() {
        let n = 30;
        let mut matrix = example::<5>(n);
        let free = matrix.clone();
        let known = [(0, 0.1), (11, -1.0 / 3.0), (12, 2.7), (29, 1e-9)];
        let mut x = vec![0.0; n];
        for (i, value) in known {
            matrix.fix(i, |other, entry| x[other] -= entry * value);
        }
        for (i, value) in known {
            x[i] = value;
        }
        Factor::new(&matrix).unwrap().solve(&mut x);
        let left = free.times(&x);
        for i in 0..n {
            match known.iter().find(|(j, _)| i == *j) {
                Some((_, value)) => assert_eq!(x[i].to_bits(), value.to_bits()),
                None => assert!(left[i].abs() < 1e-14, "row {i}: {}", left[i]),
            }
        }
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        // Second differences: straight lines have none, so two unknowns are free.
        let mut matrix = Symmetric::<2>::zeros(10);
        for i in 1..9 {
            for (j, c) in [(i - 1, 1.0), (i, -2.0), (i + 1, 1.0)] {
                for (k, d) in [(i - 1, 1.0), (i, -2.0), (i + 1, 1.0)] {
                    if j <= k {
                        matrix.add(j, k, c * d);
                    }
                }
            }
        }
        assert_eq!(Factor::new(&matrix).map_err(|e| e.row), Err(8));
        // One fixed is not enough, two are.
        matrix.fix(0, |_, _| {});
        assert_eq!(Factor::new(&matrix).map_err(|e| e.row), Err(9));
        matrix.fix(9, |_, _| {});
        assert!(Factor::new(&matrix).is_ok());
        matrix.rows[4].diagonal = f64::NAN;
        assert_eq!(Factor::new(&matrix).map_err(|e| e.row), Err(4));
    }

    #[test]
    fn carrying_the_right_hand_side_along_changes_no_bit() {
        let matrix = example::<5>(100);
        let right: Vec<f64> = (0..100).map(|i| wild(i, 2)).collect();
        let (mut one, mut two) = (right.clone(), right);
        let mut factor = Factor::default();
        factor.build_and_solve(&matrix, &mut one).unwrap();
        let separate = Factor::new(&matrix).unwrap();
        separate.solve(&mut two);
        assert_eq!(one, two);
        assert_eq!(factor, separate);
    }
}
