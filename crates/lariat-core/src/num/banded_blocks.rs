//! Banded systems of 3 by 3 blocks: unknown points whose coordinates are coupled.
//!
//! The band has three blocks beside the diagonal one. Elimination is that of `num::banded`, scalar by
//! scalar and from both ends at once, but written block by block: loops of fixed size nine are
//! unrolled by the compiler, and a row of the matrix is contiguous. Pivots are scalars, so a block
//! may be stiff in one direction and soft in another: an inverse of the block would lose the digits
//! of the soft direction.
//!
//! Tests: `blocks_vs_scalars`, `a_block_that_is_not_definite_is_rejected`,
//! `stiff_blocks_keep_their_digits`.

use glam::{DMat3, DVec3};

use super::banded::{NotPositiveDefiniteError, SMALLEST_PIVOT};
use super::two::Two;

/// Number of blocks beside the diagonal one.
const B: usize = 3;
/// Largest number of block rows in the middle.
const MAX_MIDDLE: usize = B + 1;

/// One row of blocks: the diagonal block (its lower half: 00, 10, 11, 20, 21, 22), and the blocks to
/// its left, row by row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockRow {
    diagonal: [f64; 6],
    below: [[f64; 9]; B],
}

impl BlockRow {
    const ZERO: Self = Self { diagonal: [0.0; 6], below: [[0.0; 9]; B] };
}

/// A symmetric matrix of 3 by 3 blocks, three of them on each side of the main diagonal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockMatrix {
    rows: Vec<BlockRow>,
}

impl BlockMatrix {
    /// Makes the matrix zeros, of `n` by `n` blocks, in the same memory.
    pub fn reset(&mut self, n: usize) {
        self.rows.clear();
        self.rows.resize(n, BlockRow::ZERO);
    }

    /// Copies another matrix, reusing memory.
    pub fn copy(&mut self, other: &Self) {
        self.rows.clone_from(&other.rows);
    }

    /// Adds `value` to all three coordinates of the block `(i, i − back)`.
    pub fn add_evenly(&mut self, i: usize, back: usize, value: f64) {
        let row = &mut self.rows[i];
        match back {
            0 => [0, 2, 5].map(|k| row.diagonal[k] += value),
            back => [0, 4, 8].map(|k| row.below[back - 1][k] += value),
        };
    }

    /// Adds a symmetric block between each two of the four points from `first` on, times the product of
    /// their weights.
    #[inline]
    pub fn add(&mut self, first: usize, weights: &[f64; 4], block: &DMat3) {
        let m = block.to_cols_array();
        let Some(rows) = self.rows[first..].first_chunk_mut::<4>() else { return };
        let half = [m[0], m[1], m[4], m[2], m[5], m[8]];
        for a in 0..4 {
            let own = weights[a] * weights[a];
            for (entry, half) in rows[a].diagonal.iter_mut().zip(half) {
                *entry += own * half;
            }
            for b in 0..a {
                let both = weights[a] * weights[b];
                let below = &mut rows[a].below[a - b - 1];
                for k in 0..9 {
                    below[k] += both * m[k];
                }
            }
        }
    }

    /// Entry of coordinates `c` and `d` of points `i` and `j`; zero outside the band.
    pub fn at(&self, (i, c): (usize, usize), (j, d): (usize, usize)) -> f64 {
        let ((i, c), (j, d)) = if (i, c) >= (j, d) { ((i, c), (j, d)) } else { ((j, d), (i, c)) };
        match i - j {
            0 => self.rows[i].diagonal[c * (c + 1) / 2 + d],
            back if back <= B => self.rows[i].below[back - 1][3 * c + d],
            _ => 0.0,
        }
    }
}

/// A block of the upper half and its mirror image in the lower.
type Block = [Two; 9];

/// A row of the factor: inverse pivots, the entries below them within the block, and the blocks to
/// its left.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair {
    inverse: [Two; 3],
    /// Entries 10, 20, 21.
    within: [Two; 3],
    below: [Block; B],
}

impl Pair {
    const ZERO: Self = Self {
        inverse: [Two([0.0; 2]); 3],
        within: [Two([0.0; 2]); 3],
        below: [[Two([0.0; 2]); 9]; B],
    };

    /// Computes row `i` of each half from the rows of the window. The error is the coordinate, the half
    /// and the relative size of a pivot that is too small.
    #[inline]
    fn eliminate(
        &mut self,
        window: &[Self; B],
        rows: &[BlockRow],
        i: usize,
    ) -> Result<(), (usize, usize, f64)> {
        let [third, second, first] = window;
        let (upper, lower) = (&rows[i], &rows[rows.len() - 1 - i]);
        // U = L D, the farthest column first; and its contribution to the diagonal.
        let u2 = mirrored(rows, i, 2);
        let mut u1 = mirrored(rows, i, 1);
        subtract_product(&mut u1, &u2, &second.below[0]);
        let mut u0 = mirrored(rows, i, 0);
        subtract_product(&mut u0, &u2, &first.below[1]);
        subtract_product(&mut u0, &u1, &first.below[0]);
        let mut d: [Two; 6] = std::array::from_fn(|k| Two([upper.diagonal[k], lower.diagonal[k]]));
        third.divide(&u2, &mut self.below[2]);
        subtract_from_lower(&mut d, &u2, &self.below[2]);
        second.divide(&u1, &mut self.below[1]);
        subtract_from_lower(&mut d, &u1, &self.below[1]);
        first.divide(&u0, &mut self.below[0]);
        subtract_from_lower(&mut d, &u0, &self.below[0]);
        let one = |pivot: Two| Two([1.0 / pivot.0[0], 1.0 / pivot.0[1]]);
        let p0 = d[0];
        let i0 = one(p0);
        let (a, b) = (d[1] * i0, d[3] * i0);
        let p1 = d[2] - a * d[1];
        let i1 = one(p1);
        let rest = d[4] - b * d[1];
        let c = rest * i1;
        let p2 = d[5] - b * d[3] - c * rest;
        for (c, (pivot, at)) in [(p0, 0), (p1, 2), (p2, 5)].into_iter().enumerate() {
            for (lane, row) in [upper, lower].into_iter().enumerate() {
                // In this form the comparison rejects NaN too.
                let definite = pivot.0[lane] > SMALLEST_PIVOT * row.diagonal[at];
                if !definite {
                    return Err((c, lane, pivot.0[lane] / row.diagonal[at]));
                }
            }
        }
        self.inverse = [i0, i1, one(p2)];
        self.within = [a, b, c];
        Ok(())
    }

    /// Each row of a block times the inverse of this row's diagonal block.
    #[inline]
    fn divide(&self, u: &Block, l: &mut Block) {
        let [a, b, c] = self.within;
        for r in 0..3 {
            let y0 = u[3 * r];
            let y1 = u[3 * r + 1] - a * y0;
            let y2 = u[3 * r + 2] - b * y0 - c * y1;
            let z2 = y2 * self.inverse[2];
            let z1 = y1 * self.inverse[1] - c * z2;
            l[3 * r] = y0 * self.inverse[0] - a * z1 - b * z2;
            l[3 * r + 1] = z1;
            l[3 * r + 2] = z2;
        }
    }

    /// The inverse of this row's diagonal block times a point.
    #[inline]
    fn solve(&self, y: [Two; 3]) -> [Two; 3] {
        let [a, b, c] = self.within;
        let y1 = y[1] - a * y[0];
        let y2 = y[2] - b * y[0] - c * y1;
        let z2 = y2 * self.inverse[2];
        let z1 = y1 * self.inverse[1] - c * z2;
        [y[0] * self.inverse[0] - a * z1 - b * z2, z1, z2]
    }
}

/// `u −= v lᵀ`.
#[inline]
fn subtract_product(u: &mut Block, v: &Block, l: &Block) {
    for r in 0..3 {
        for c in 0..3 {
            let sum =
                v[3 * r] * l[3 * c] + v[3 * r + 1] * l[3 * c + 1] + v[3 * r + 2] * l[3 * c + 2];
            u[3 * r + c] = u[3 * r + c] - sum;
        }
    }
}

/// `d −= u lᵀ` for the lower half of a symmetric block.
#[inline]
fn subtract_from_lower(d: &mut [Two; 6], u: &Block, l: &Block) {
    let mut k = 0;
    for r in 0..3 {
        for c in 0..=r {
            let sum =
                u[3 * r] * l[3 * c] + u[3 * r + 1] * l[3 * c + 1] + u[3 * r + 2] * l[3 * c + 2];
            d[k] = d[k] - sum;
            k += 1;
        }
    }
}

/// `y −= l x`.
#[inline]
fn subtract_from_point(y: &mut [Two; 3], l: &Block, x: &[Two; 3]) {
    for r in 0..3 {
        y[r] = y[r] - (l[3 * r] * x[0] + l[3 * r + 1] * x[1] + l[3 * r + 2] * x[2]);
    }
}

/// `y −= lᵀ x`.
#[inline]
fn subtract_transposed_from_point(y: &mut [Two; 3], l: &Block, x: &[Two; 3]) {
    for c in 0..3 {
        y[c] = y[c] - (l[c] * x[0] + l[3 + c] * x[1] + l[6 + c] * x[2]);
    }
}

/// `L D Lᵀ` of a [`BlockMatrix`], from both ends to the middle, with a right-hand side carried along.
#[derive(Clone, Debug, Default)]
pub struct BlockFactor {
    /// `B` empty pairs, then the halves.
    pairs: Vec<Pair>,
    points: Vec<[Two; 3]>,
}

/// Coupling of the middle to the halves, row by row: before and after division by pivots. Columns
/// are counted from the middle outwards.
struct Coupling {
    before: [[Block; B]; B],
    after: [[Block; B]; B],
}

/// The rows in the middle, scalar by scalar.
struct Middle {
    matrix: [[f64; 3 * MAX_MIDDLE]; 3 * MAX_MIDDLE],
    right: [f64; 3 * MAX_MIDDLE],
    size: usize,
}

impl BlockFactor {
    /// Replaces right-hand sides by the solution.
    pub fn solve(
        &mut self,
        matrix: &BlockMatrix,
        x: &mut [DVec3],
    ) -> Result<(), NotPositiveDefiniteError> {
        let rows = &matrix.rows[..];
        let n = rows.len();
        let half = n.saturating_sub(B) / 2;
        // The first `B` stay empty; all others are written before they are read.
        self.pairs.resize(half + B, Pair::ZERO);
        self.points.resize(half + B, [Two::default(); 3]);
        for i in 0..half {
            let (done, rest) = self.pairs.split_at_mut(i + B);
            let (Some(window), Some(pair)) = (done.last_chunk::<B>(), rest.first_mut()) else {
                return Ok(()); // `resize` has made room for both
            };
            pair.eliminate(window, rows, i)
                .map_err(|(c, lane, pivot)| not_definite(i, n, c, lane, pivot))?;
            let (done, rest) = self.points.split_at_mut(i + B);
            let (Some([third, second, first]), Some(y)) =
                (done.last_chunk::<B>(), rest.first_mut())
            else {
                return Ok(());
            };
            *y = std::array::from_fn(|c| Two([x[i][c], x[n - 1 - i][c]]));
            subtract_from_point(y, &pair.below[2], third);
            subtract_from_point(y, &pair.below[1], second);
            subtract_from_point(y, &pair.below[0], first);
        }
        let coupling = self.coupling(rows, half);
        let mut middle = self.middle(rows, half, &coupling, x);
        middle
            .solve()
            .map_err(|(row, pivot)| NotPositiveDefiniteError { row: 3 * half + row, pivot })?;
        for (k, x) in x[half..n - half].iter_mut().enumerate() {
            *x = DVec3::from_slice(&middle.right[3 * k..3 * k + 3]);
        }
        self.substitute_back(half, &coupling, x);
        Ok(())
    }

    /// Eliminates the blocks between the middle and the halves.
    fn coupling(&self, rows: &[BlockRow], half: usize) -> Coupling {
        let none = [[[Two::default(); 9]; B]; B];
        let mut coupling = Coupling { before: none, after: none };
        let left = rows.len() - 2 * half;
        for q in 0..B.min(left).min(if half > 0 { B } else { 0 }) {
            // Column j, counted outwards, is block q + j of this row.
            let mut u = [[Two::default(); 9]; B];
            for j in (0..B - q).rev() {
                if half < j + 1 {
                    continue;
                }
                u[j] = mirrored(rows, half + q, q + j);
                for m in j + 1..B - q {
                    let v = u[m];
                    subtract_product(&mut u[j], &v, &self.pairs[B + half - 1 - j].below[m - j - 1]);
                }
                coupling.before[q][j] = u[j];
                self.pairs[B + half - 1 - j].divide(&u[j], &mut coupling.after[q][j]);
            }
        }
        coupling
    }

    fn middle(&self, rows: &[BlockRow], half: usize, coupling: &Coupling, x: &[DVec3]) -> Middle {
        let n = rows.len();
        let left = n - 2 * half;
        let mut middle = Middle {
            matrix: [[0.0; 3 * MAX_MIDDLE]; 3 * MAX_MIDDLE],
            right: [0.0; 3 * MAX_MIDDLE],
            size: 3 * left,
        };
        for (q, (row, x)) in rows[half..].iter().zip(&x[half..]).enumerate().take(left) {
            middle.right[3 * q..3 * q + 3].copy_from_slice(&x.to_array());
            for c in 0..3 {
                for d in 0..=c {
                    middle.matrix[3 * q + c][3 * q + d] = row.diagonal[c * (c + 1) / 2 + d];
                }
                for back in 1..=q.min(B) {
                    for d in 0..3 {
                        middle.matrix[3 * q + c][3 * (q - back) + d] =
                            row.below[back - 1][3 * c + d];
                    }
                }
            }
        }
        for q in 0..B.min(left) {
            // Rows of the lower half count from the other end.
            let other = left - 1 - q;
            for j in 0..B - q {
                let l = &coupling.after[q][j];
                let mut y = [Two::default(); 3];
                if let Some(point) =
                    (half + B).checked_sub(1 + j).and_then(|at| self.points.get(at))
                {
                    subtract_from_point(&mut y, l, point);
                }
                for (c, y) in y.iter().enumerate() {
                    middle.right[3 * q + c] += y.0[0];
                    middle.right[3 * other + c] += y.0[1];
                }
                for p in 0..=q {
                    let mut u = [Two::default(); 9];
                    subtract_product(&mut u, &coupling.before[q][j], &coupling.after[p][j]);
                    for c in 0..3 {
                        for d in 0..3 {
                            let Two([upper, lower]) = u[3 * c + d];
                            middle.add((q, c), (p, d), upper);
                            // In the lower half the order of p and q is reversed.
                            middle.add((left - 1 - p, d), (other, c), lower);
                        }
                    }
                }
            }
        }
        middle
    }

    /// Back substitution from the middle to both ends.
    fn substitute_back(&self, half: usize, coupling: &Coupling, x: &mut [DVec3]) {
        let n = x.len();
        let left = n - 2 * half;
        // The last three unknowns found, the nearest first.
        let mut found = [[Two::default(); 3]; B];
        for i in (0..half).rev() {
            let pair = &self.pairs[B + i];
            let mut y = pair.solve(self.points[B + i]);
            let out = half - 1 - i;
            for (k, found) in found.iter().enumerate().take(out) {
                subtract_transposed_from_point(&mut y, &self.pairs[B + i + 1 + k].below[k], found);
            }
            if out < B {
                for q in 0..(B - out).min(left) {
                    let point =
                        std::array::from_fn(|c| Two([x[half + q][c], x[n - 1 - half - q][c]]));
                    subtract_transposed_from_point(&mut y, &coupling.after[q][out], &point);
                }
            }
            found.rotate_right(1);
            found[0] = y;
            for c in 0..3 {
                (x[i][c], x[n - 1 - i][c]) = (y[c].0[0], y[c].0[1]);
            }
        }
    }
}

impl Middle {
    /// Adds to an entry of the lower triangle; entries above the diagonal are ignored.
    fn add(&mut self, (q, c): (usize, usize), (p, d): (usize, usize), value: f64) {
        let (i, j) = (3 * q + c, 3 * p + d);
        if i >= j {
            self.matrix[i][j] += value;
        }
    }

    fn solve(&mut self) -> Result<(), (usize, f64)> {
        let (n, a, x) = (self.size, &mut self.matrix, &mut self.right);
        let mut inverse = [0.0; 3 * MAX_MIDDLE];
        for i in 0..n {
            // U = L D of this row, column by column.
            let mut u = a[i];
            for j in 0..i {
                for k in 0..j {
                    u[j] -= u[k] * a[j][k];
                }
            }
            let mut pivot = u[i];
            for j in 0..i {
                a[i][j] = u[j] * inverse[j];
                pivot -= u[j] * a[i][j];
                x[i] -= a[i][j] * x[j];
            }
            let definite = pivot > SMALLEST_PIVOT * u[i];
            if !definite {
                return Err((i, pivot / u[i]));
            }
            inverse[i] = 1.0 / pivot;
        }
        for i in (0..n).rev() {
            x[i] *= inverse[i];
            for k in i + 1..n {
                x[i] -= a[k][i] * x[k];
            }
        }
        Ok(())
    }
}

fn not_definite(i: usize, n: usize, c: usize, lane: usize, pivot: f64) -> NotPositiveDefiniteError {
    let row = if lane == 0 { i } else { n - 1 - i };
    NotPositiveDefiniteError { row: 3 * row + c, pivot }
}

/// Block `k` to the left of row `i` from the top and of row `i` from the bottom, as if each half were
/// a separate matrix.
#[inline]
fn mirrored(rows: &[BlockRow], i: usize, k: usize) -> Block {
    const NONE: [f64; 9] = [0.0; 9];
    let own = if k < i { &rows[i].below[k] } else { &NONE };
    // Blocks to the left in the mirror image are to the right in the matrix: transposed blocks of the
    // rows that follow.
    let follow = rows.get(rows.len() - i + k).map_or(&NONE, |row| &row.below[k]);
    std::array::from_fn(|at| Two([own[at], follow[3 * (at % 3) + at / 3]]))
}

#[cfg(test)]
mod tests {
    use super::super::banded::{Factor, Symmetric};
    use super::*;

    fn pseudo_random(i: usize, j: usize) -> f64 {
        (i as f64 * 7.31 + j as f64 * 3.17 + (i * j) as f64 * 0.77).rem_euclid(2.0) - 1.0
    }

    fn example(n: usize) -> (BlockMatrix, Symmetric<11>) {
        let mut blocks = BlockMatrix::default();
        blocks.reset(n);
        let mut numbers = Symmetric::zeros(3 * n);
        for i in 0..n {
            blocks.add_evenly(i, 0, 3.0);
            (0..3).for_each(|c| numbers.add(3 * i + c, 3 * i + c, 3.0));
            if i > 1 {
                blocks.add_evenly(i, 2, 0.125);
                (0..3).for_each(|c| numbers.add(3 * i + c, 3 * (i - 2) + c, 0.125));
            }
        }
        for first in 0..n.saturating_sub(3) {
            let axis = DVec3::new(
                pseudo_random(first, 1),
                pseudo_random(first, 2),
                pseudo_random(first, 3),
            );
            let block = DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
            let weights: [f64; 4] = std::array::from_fn(|k| pseudo_random(first, 5 + k));
            blocks.add(first, &weights, &block);
            for a in 0..4 {
                for b in 0..=a {
                    for c in 0..3 {
                        for d in 0..if a == b { c + 1 } else { 3 } {
                            let value = weights[a] * weights[b] * axis[c] * axis[d];
                            numbers.add(3 * (first + a) + c, 3 * (first + b) + d, value);
                        }
                    }
                }
            }
        }
        (blocks, numbers)
    }

    #[test]
    fn blocks_vs_scalars() {
        for n in 1..30 {
            let (blocks, numbers) = example(n);
            for i in 0..n {
                for j in 0..n {
                    for c in 0..3 {
                        for d in 0..3 {
                            let entry = blocks.at((i, c), (j, d));
                            assert!((entry - numbers.at(3 * i + c, 3 * j + d)).abs() < 1e-15);
                        }
                    }
                }
            }
            let right: Vec<f64> = (0..3 * n).map(|i| pseudo_random(i, 4)).collect();
            let mut wanted = right.clone();
            Factor::new(&numbers).unwrap().solve(&mut wanted);
            let mut x: Vec<DVec3> = right.chunks_exact(3).map(DVec3::from_slice).collect();
            BlockFactor::default().solve(&blocks, &mut x).unwrap();
            for (i, wanted) in wanted.chunks_exact(3).enumerate() {
                let miss = x[i].distance(DVec3::from_slice(wanted));
                assert!(miss < 1e-13, "{n}: row {i} off by {miss:e}");
            }
        }
    }

    #[test]
    fn a_block_that_is_not_definite_is_rejected() {
        for n in [2, 9, 16] {
            for bad in 0..n {
                let (mut blocks, _) = example(n);
                blocks.add_evenly(bad, 0, -30.0);
                let mut x = vec![DVec3::ONE; n];
                assert!(BlockFactor::default().solve(&blocks, &mut x).is_err(), "{n}: {bad}");
            }
            let (mut blocks, _) = example(n);
            blocks.add_evenly(n / 2, 0, f64::NAN);
            let mut x = vec![DVec3::ONE; n];
            assert!(BlockFactor::default().solve(&blocks, &mut x).is_err(), "{n}");
        }
    }

    #[test]
    fn stiff_blocks_keep_their_digits() {
        // A row of masses joined by links that are a billion times stiffer along than across.
        let n = 24;
        let axis = DVec3::new(0.6, 0.48, 0.64);
        let mut blocks = BlockMatrix::default();
        blocks.reset(n);
        for i in 0..n {
            blocks.add_evenly(i, 0, 1.0);
        }
        let stiff = DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z) * 1e9;
        for first in 0..n - 3 {
            blocks.add(first, &[0.0, -1.0, 1.0, 0.0], &stiff);
        }
        // Across the links only the masses resist: the solution is the right-hand side itself.
        let across = axis.any_orthonormal_vector();
        let mut x = vec![across; n];
        BlockFactor::default().solve(&blocks, &mut x).unwrap();
        let worst = x.iter().map(|x| x.distance(across)).fold(0.0, f64::max);
        assert!(worst < 1e-6, "{worst:e}");
    }
}
