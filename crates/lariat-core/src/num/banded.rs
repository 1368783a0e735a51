//! Symmetric positive definite banded systems, solved in time proportional to their size.
//!
//! [`Symmetric`] is the matrix, `B` diagonals below the main one (the half-bandwidth). [`Factor`]
//! is its `L D Lᵀ`, computed once and used for any number of right-hand sides. Rows are stored in one
//! array, diagonal first, so that the loops over a row have a constant length. The factor has `B`
//! empty rows in front: the first rows need no special case.
//!
//! Memory is reused: a factor allocates only when it grows.
//!
//! The speed is limited by latency: each pivot depends on the one before it, and a division, a product
//! and a difference take some 22 cycles in sequence. So elimination starts at both ends and meets in
//! the middle, where `B` or `B + 1` rows are left: two independent chains, one per half of a vector
//! register. A right-hand side eliminated at the same time ([`Factor::build_and_solve`]) fits into
//! the latency.
//!
//! Not here: matrices that are not positive definite, and least squares without normal equations,
//! which keep twice the digits: `num::banded_qr`.
//!
//! Tests: `a_factor_inverts_the_matrix`, `fixed_unknowns_keep_their_bits`,
//! `a_singular_matrix_is_rejected`, `solving_while_factoring_gives_the_same_bits`.

use thiserror::Error;

use super::two::Two;

/// Smallest pivot relative to its diagonal entry; smaller ones are rounding. A larger limit would
/// reject long gaps of a cubic spline, whose smallest pivot is `3 / gap³`, from 8,000 samples on. A
/// smaller one would accept singular systems, whose solution is noise.
pub const SMALLEST_PIVOT: f64 = 1e-12;

/// Error for a matrix that is not positive definite to double precision.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error(
    "the matrix is not positive definite: the pivot of row {row} is {pivot:e} of its diagonal entry"
)]
pub struct NotPositiveDefiniteError {
    /// First row with a pivot that is too small.
    pub row: usize,
    /// The pivot relative to the diagonal entry.
    pub pivot: f64,
}

/// One row of a symmetric matrix: the diagonal entry and the entries to its left.
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

    /// Fixes unknown `i`: its row and column become zero, with 1 on the diagonal. `coupled` receives
    /// the removed entries, which belong on the right-hand sides of the other rows.
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

/// A row of the upper half and its mirror image in the lower: `1/D` and `L`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair<const B: usize> {
    inverse: Two,
    below: [Two; B],
}

impl<const B: usize> Pair<B> {
    const ZERO: Self = Self { inverse: Two([0.0; 2]), below: [Two([0.0; 2]); B] };
}

/// `L D Lᵀ` of a [`Symmetric`] matrix, from both ends to the middle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Factor<const B: usize> {
    size: usize,
    /// `B` empty pairs, then the halves, then `B` pairs that couple the middle to them.
    pairs: Vec<Pair<B>>,
    /// The middle: `1/D` and `L` of `B` or `B + 1` rows.
    middle: Vec<Row<B>>,
}

impl<const B: usize> Factor<B> {
    /// The factor of `matrix`.
    pub fn new(matrix: &Symmetric<B>) -> Result<Self, NotPositiveDefiniteError> {
        let mut factor = Self { size: 0, pairs: Vec::new(), middle: Vec::new() };
        factor.build(matrix)?;
        Ok(factor)
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Returns true if there are no unknowns.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Recomputes the factor for `matrix`, reusing memory.
    pub fn build(&mut self, matrix: &Symmetric<B>) -> Result<(), NotPositiveDefiniteError> {
        self.eliminate(matrix, |_, _| {})
    }

    /// Recomputes the factor for `matrix` and solves for the right-hand side in `x`: the same bits as
    /// [`Self::build`] and [`Self::solve`], in the time of the former and half of the latter.
    pub fn build_and_solve(
        &mut self,
        matrix: &Symmetric<B>,
        x: &mut [f64],
    ) -> Result<(), NotPositiveDefiniteError> {
        let mut before = [Two::default(); B];
        self.eliminate(matrix, |i, below| {
            let (above, under) = x.split_at_mut(x.len() - 1 - i);
            forward(below, &mut before, &mut above[i], &mut under[0]);
        })?;
        self.backward(x);
        Ok(())
    }

    /// Replaces a right-hand side by the solution.
    pub fn solve(&self, x: &mut [f64]) {
        let mut before = [Two::default(); B];
        let half = self.half();
        let ends = x.split_at_mut(half);
        for ((pair, above), under) in
            self.pairs[B..B + half].iter().zip(ends.0).zip(ends.1.iter_mut().rev())
        {
            forward(&pair.below, &mut before, above, under);
        }
        self.backward(x);
    }

    /// Number of rows eliminated from each end.
    fn half(&self) -> usize {
        self.size.saturating_sub(B) / 2
    }

    /// Eliminates from both ends, calling `each` with every pair of rows of `L`, and then the middle.
    #[inline]
    fn eliminate(
        &mut self,
        matrix: &Symmetric<B>,
        mut each: impl FnMut(usize, &[Two; B]),
    ) -> Result<(), NotPositiveDefiniteError> {
        let rows = &matrix.rows[..];
        let n = rows.len();
        self.size = n;
        let half = self.half();
        // The first B stay empty; all others are written before they are read.
        self.pairs.resize(half + 2 * B, Pair::ZERO);
        let mut last = Pair::ZERO;
        for i in 0..half {
            let (done, rest) = self.pairs.split_at_mut(i + B);
            let (Some(window), Some(place)) = (done.last_chunk::<B>(), rest.first_mut()) else {
                return Ok(()); // `resize` has made room for both
            };
            let (diagonal, below) = mirrored(rows, i);
            let (pivot, _, below) = step(window, &last, diagonal, below);
            for (pivot, diagonal, row) in
                [(pivot.0[0], diagonal.0[0], i), (pivot.0[1], diagonal.0[1], n - 1 - i)]
            {
                // In this form the comparison rejects NaN too.
                let definite = pivot > SMALLEST_PIVOT * diagonal;
                if !definite {
                    return Err(NotPositiveDefiniteError { row, pivot: pivot / diagonal });
                }
            }
            last = Pair { inverse: Two([1.0 / pivot.0[0], 1.0 / pivot.0[1]]), below };
            *place = last;
            each(i, &below);
        }
        self.eliminate_middle(rows, last)
    }

    /// Eliminates the rows between the halves: adds the contributions of both halves, then factors
    /// from the first row to the last. The rows are few enough to fill their band.
    fn eliminate_middle(
        &mut self,
        rows: &[Row<B>],
        mut last: Pair<B>,
    ) -> Result<(), NotPositiveDefiniteError> {
        let half = self.half();
        let left = rows.len() - 2 * half;
        self.middle.clear();
        self.middle.extend_from_slice(&rows[half..half + left]);
        // Entries outside the middle belong to the pairs.
        for (q, row) in self.middle.iter_mut().enumerate() {
            row.below.iter_mut().skip(q).for_each(|entry| *entry = 0.0);
        }
        for q in 0..B.min(left) {
            let (done, rest) = self.pairs.split_at_mut(half + q + B);
            let (Some(window), Some(place)) = (done.last_chunk::<B>(), rest.first_mut()) else {
                return Ok(());
            };
            let (_, mut below) = mirrored(rows, half + q);
            below.iter_mut().take(q).for_each(|entry| *entry = Two::default());
            // With an inverse of 0 the middle rows drop out, and only the change by the halves is
            // left.
            let (diagonal, change, below) = step(window, &last, Two::default(), below);
            last = Pair { inverse: Two::default(), below };
            *place = last;
            self.middle[q].diagonal += diagonal.0[0];
            self.middle[left - 1 - q].diagonal += diagonal.0[1];
            for (k, change) in change.iter().enumerate().take(q) {
                self.middle[q].below[k] += change.0[0];
                self.middle[left - 1 - q + 1 + k].below[k] += change.0[1];
            }
        }
        for i in 0..left {
            let mut row = self.middle[i];
            for k in (0..B.min(i)).rev() {
                for m in (k + 1..B.min(i)).rev() {
                    row.below[k] -= row.below[m] * self.middle[i - 1 - k].below[m - k - 1];
                }
            }
            for k in (0..B.min(i)).rev() {
                let inverse = self.middle[i - 1 - k].diagonal;
                row.diagonal -= (row.below[k] * row.below[k]) * inverse;
                row.below[k] *= inverse;
            }
            let whole = rows[half + i].diagonal;
            let definite = row.diagonal > SMALLEST_PIVOT * whole;
            if !definite {
                return Err(NotPositiveDefiniteError {
                    row: half + i,
                    pivot: row.diagonal / whole,
                });
            }
            self.middle[i] = Row { diagonal: 1.0 / row.diagonal, below: row.below };
        }
        Ok(())
    }

    /// Completes forward substitution in the middle, then substitutes back.
    fn backward(&self, x: &mut [f64]) {
        let (n, half) = (self.size, self.half());
        let left = n - 2 * half;
        // Forward into the middle, from both sides.
        for (q, pair) in self.pairs[half + B..].iter().enumerate().take(left) {
            for k in (q..B.min(half + q)).rev() {
                x[half + q] -= pair.below[k].0[0] * x[half + q - 1 - k];
                x[n - 1 - half - q] -= pair.below[k].0[1] * x[n - half - q + k];
            }
        }
        let middle = &mut x[half..half + left];
        for (i, row) in self.middle.iter().enumerate() {
            for k in (0..B.min(i)).rev() {
                middle[i] -= row.below[k] * middle[i - 1 - k];
            }
        }
        for (i, row) in self.middle.iter().enumerate().rev() {
            middle[i] *= row.diagonal;
            for (k, next) in self.middle[i + 1..].iter().enumerate().take(B) {
                middle[i] -= next.below[k] * middle[i + 1 + k];
            }
        }
        // Back substitution to both ends. The newest unknown has the longest latency, so its term is
        // subtracted last. `far[k]` is the sum of terms for the unknown k places further out than
        // the next.
        let mut far = [Two::default(); B];
        let (mut sum, mut near) = (Two::default(), Two::default());
        for (q, pair) in self.pairs[half + B..].iter().enumerate().take(left).rev() {
            let here = Two([x[half + q], x[n - 1 - half - q]]);
            (sum, near) = shift(&mut far, pair, here);
        }
        let (upper, rest) = x.split_at_mut(half);
        let lower = &mut rest[left..];
        for ((pair, above), under) in self.pairs[B..B + half].iter().zip(upper).rev().zip(lower) {
            let here = (Two([*above, *under]) * pair.inverse - sum) - near;
            (*above, *under) = (here.0[0], here.0[1]);
            (sum, near) = shift(&mut far, pair, here);
        }
    }
}

/// Row `i` from the top and row `i` from the bottom, as if each half were a separate matrix.
#[inline]
fn mirrored<const B: usize>(rows: &[Row<B>], i: usize) -> (Two, [Two; B]) {
    let upper = &rows[i];
    let mirror = rows.len() - 1 - i;
    let mut below = [Two::default(); B];
    // Entries to the left in the mirror image are to the right in the matrix, in the rows that follow.
    if let Some(follow) = rows[mirror + 1..].first_chunk::<B>() {
        for k in 0..B {
            below[k] = Two([upper.below[k], follow[k].below[k]]);
        }
    } else {
        for (k, follow) in rows[mirror + 1..].iter().enumerate() {
            below[k] = Two([upper.below[k], follow.below[k]]);
        }
    }
    (Two([upper.diagonal, rows[mirror].diagonal]), below)
}

/// Eliminates one row of each half: its pivot, `L D`, and `L`. `last` is the newest row of the
/// window, passed separately because it has the longest latency.
#[inline]
fn step<const B: usize>(
    window: &[Pair<B>; B],
    last: &Pair<B>,
    mut pivot: Two,
    below: [Two; B],
) -> (Two, [Two; B], [Two; B]) {
    let row = |k: usize| if k == 0 { last } else { &window[B - 1 - k] };
    // u[k] = L D in column i − 1 − k; the farthest column comes first.
    let mut u = below;
    for k in (0..B).rev() {
        for m in (k + 1..B).rev() {
            u[k] = u[k] - u[m] * row(k).below[m - k - 1];
        }
    }
    let mut below = [Two::default(); B];
    for k in (0..B).rev() {
        let inverse = row(k).inverse;
        below[k] = u[k] * inverse;
        // For the nearest entry the square comes first: it is ready before the last pivot.
        pivot = pivot - if k == 0 { (u[k] * u[k]) * inverse } else { u[k] * below[k] };
    }
    (pivot, u, below)
}

/// One step of forward substitution at both ends; `before[k]` is the unknown `k + 1` places back.
/// The nearest unknown comes last: it has the longest latency.
#[inline]
fn forward<const B: usize>(
    below: &[Two; B],
    before: &mut [Two; B],
    above: &mut f64,
    under: &mut f64,
) {
    let mut y = Two([*above, *under]);
    for k in (0..B).rev() {
        y = y - below[k] * before[k];
    }
    for k in (1..B).rev() {
        before[k] = before[k - 1];
    }
    if let Some(first) = before.first_mut() {
        *first = y;
    }
    (*above, *under) = (y.0[0], y.0[1]);
}

/// Adds the terms of an unknown to the sums for those further out, and advances by one. Returns, for
/// the next unknown, the sum of the other terms and the term of this one.
#[inline]
fn shift<const B: usize>(far: &mut [Two; B], pair: &Pair<B>, here: Two) -> (Two, Two) {
    let sum = far.first().copied().unwrap_or_default();
    for k in 1..B {
        far[k - 1] = far[k] + pair.below[k] * here;
    }
    (sum, pair.below.first().map_or(Two::default(), |below| *below * here))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random numbers in −1..1.
    fn pseudo_random(i: usize, j: usize) -> f64 {
        (i as f64 * 7.31 + j as f64 * 3.17 + (i * j) as f64 * 0.77).rem_euclid(2.0) - 1.0
    }

    fn example<const B: usize>(n: usize) -> Symmetric<B> {
        let mut matrix = Symmetric::zeros(n);
        for i in 0..n {
            matrix.add(i, i, 0.1 + 2.0 * B as f64);
            for k in 1..=B.min(i) {
                matrix.add(i, i - k, pseudo_random(i, k));
            }
        }
        matrix
    }

    #[test]
    fn a_factor_inverts_the_matrix() {
        fn of<const B: usize>() -> f64 {
            let mut worst: f64 = 0.0;
            for n in 0..40 {
                let matrix = example::<B>(n);
                let wanted: Vec<f64> = (0..n).map(|i| pseudo_random(i, 5)).collect();
                let mut x = matrix.times(&wanted);
                Factor::new(&matrix).unwrap().solve(&mut x);
                let errors = x.iter().zip(&wanted).map(|(x, wanted)| (x - wanted).abs());
                worst = worst.max(errors.fold(0.0, f64::max));
            }
            worst
        }
        assert!(of::<5>() < 1e-14, "{}", of::<5>());
        assert!(of::<2>() < 1e-14, "{}", of::<2>());
        assert!(of::<1>() < 1e-14, "{}", of::<1>());
        assert!(of::<0>() < 1e-15, "{}", of::<0>());
    }

    #[test]
    fn added_entries_are_read_back() {
        let mut matrix = Symmetric::<2>::zeros(4);
        matrix.add(1, 3, 5.0);
        matrix.add(2, 2, 7.0);
        assert_eq!((matrix.at(3, 1), matrix.at(1, 3), matrix.at(2, 2)), (5.0, 5.0, 7.0));
        assert_eq!(matrix.at(0, 3), 0.0);
        // Rows 1, 2 and 3 of the product with (1, 10, 100, 1000).
        assert_eq!(matrix.times(&[1.0, 10.0, 100.0, 1000.0]), [0.0, 5000.0, 700.0, 50.0]);
    }

    #[test]
    fn fixed_unknowns_keep_their_bits() {
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
    fn a_singular_matrix_is_rejected() {
        // Second differences vanish for straight lines, so two unknowns are free.
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
        // Detected where the eliminations from both ends meet.
        assert_eq!(Factor::new(&matrix).map_err(|e| e.row), Err(4));
        // One fixed unknown is not enough, two are.
        matrix.fix(0, |_, _| {});
        assert_eq!(Factor::new(&matrix).map_err(|e| e.row), Err(5));
        matrix.fix(9, |_, _| {});
        assert!(Factor::new(&matrix).is_ok());
        matrix.rows[7].diagonal = f64::NAN;
        assert_eq!(Factor::new(&matrix).map_err(|e| e.row), Err(7));
    }

    #[test]
    fn solving_while_factoring_gives_the_same_bits() {
        let matrix = example::<5>(100);
        let right: Vec<f64> = (0..100).map(|i| pseudo_random(i, 2)).collect();
        let (mut one, mut two) = (right.clone(), right);
        let mut factor = Factor::default();
        factor.build_and_solve(&matrix, &mut one).unwrap();
        let separate = Factor::new(&matrix).unwrap();
        separate.solve(&mut two);
        assert_eq!(one, two);
        assert_eq!(factor, separate);
    }
}
