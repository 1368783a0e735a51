//! The largest eigenvalues of a Hermitian matrix, with their vectors.
//!
//! Three steps, each finite and in a fixed order: Householder reflections make the matrix
//! tridiagonal and real; implicit QL makes it diagonal, and its rotations are stored; for
//! each requested vector, rotations and reflections are undone from last to first.
//! So a few vectors of a large matrix cost little more than its eigenvalues, and they are
//! orthogonal to the last digits even for equal eigenvalues, which subspace and Lanczos iterations do
//! not guarantee.
//!
//! No library is used because the same matrix must give the same bits on every machine. Linear
//! algebra libraries choose their kernels by the features of the processor (fused multiply-add,
//! wider registers), and the sums then round differently. Here every sum has one order. The loops
//! run along rows of independent entries, so that the compiler can vectorise them without changing
//! a bit.
//!
//! Real and imaginary parts lie in two arrays, for the same reason.
//!
//! Tests: `eigenvectors_satisfy_their_equation`, `equal_eigenvalues_have_orthogonal_vectors`,
//! `eigenvalues_of_known_matrices_vs_closed_form`, `the_largest_eigenvalues_come_first`.

use std::ops::ControlFlow;

use num_complex::Complex64;

use super::complex;

/// A square matrix given by its lower triangle; the upper one is its conjugate.
#[derive(Clone, Debug)]
pub struct Hermitian {
    n: usize,
    re: Vec<f64>,
    im: Vec<f64>,
}

/// Eigenvalues, largest first, and unit vectors for the requested number of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Eigen {
    /// All eigenvalues, descending.
    pub values: Vec<f64>,
    /// Unit eigenvectors of the first ones.
    pub vectors: Vec<Vec<Complex64>>,
}

/// Failure of the eigenvalue computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EigenError {
    /// NaN or infinity in the matrix.
    #[error("the matrix has an entry that is not a finite number at row {row}")]
    NotFinite {
        /// The first such row, from 0.
        row: usize,
    },
    /// The progress callback cancelled the computation.
    #[error("the analysis was stopped")]
    Stopped,
}

/// One rotation of QL, between rows `at` and `at + 1`.
struct Rotation {
    at: u32,
    cos: f64,
    sin: f64,
}

impl Hermitian {
    /// Creates a matrix from its real and imaginary parts, row by row; only the lower triangle is read.
    ///
    /// # Panics
    /// If either does not have `n²` entries.
    pub fn new(n: usize, re: Vec<f64>, im: Vec<f64>) -> Self {
        assert_eq!((re.len(), im.len()), (n * n, n * n), "a square matrix of {n} rows");
        Self { n, re, im }
    }

    /// Returns the eigenvalues, and the vectors of the largest. `count` receives the eigenvalues in
    /// descending order and returns the number of vectors. `progress` receives the progress from 0 to
    /// 1 and may cancel the computation.
    pub fn eigen(
        mut self,
        count: impl FnOnce(&[f64]) -> usize,
        progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Eigen, EigenError> {
        let n = self.n;
        for row in 0..n {
            let entries = row * n..=row * n + row;
            if !self.re[entries.clone()].iter().chain(&self.im[entries]).all(|x| x.is_finite()) {
                return Err(EigenError::NotFinite { row });
            }
        }
        let mut diagonal = vec![0.0; n];
        let mut off_diagonal = vec![0.0; n];
        let phases = self.tridiagonalise(&mut diagonal, &mut off_diagonal, progress)?;
        let rotations = diagonalise(&mut diagonal, &mut off_diagonal);
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| diagonal[b].total_cmp(&diagonal[a]));
        let values: Vec<f64> = order.iter().map(|&k| diagonal[k]).collect();
        let wanted = order.iter().take(count(&values));
        let vectors = wanted.map(|&k| self.vector(k, &rotations, &phases)).collect();
        Ok(Eigen { values, vectors })
    }

    /// Reflects row after row, from the last up, until only the diagonal and its neighbours are
    /// left. The unit vectors of the reflections stay in the rows they cleared; the phases that
    /// make the neighbours real are returned.
    fn tridiagonalise(
        &mut self,
        diagonal: &mut [f64],
        off_diagonal: &mut [f64],
        progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Vec<Complex64>, EigenError> {
        let n = self.n;
        // neighbour[i] is the entry (i, i − 1) of the tridiagonal matrix.
        let mut neighbour = vec![Complex64::ZERO; n];
        let (mut p_re, mut p_im) = (vec![0.0; n], vec![0.0; n]);
        for i in (0..n).rev() {
            diagonal[i] = self.re[i * n + i];
            if i == 0 {
                break;
            }
            let done = 1.0 - (i as f64 / n as f64) * (i as f64 / n as f64) * (i as f64 / n as f64);
            if i % 16 == 0 && progress(done).is_break() {
                return Err(EigenError::Stopped);
            }
            neighbour[i] = self.reflect(i, &mut p_re[..i], &mut p_im[..i]);
        }
        // A diagonal of phases D with D⁻¹ T D real: d[i] = d[i−1] times the phase of (i, i − 1).
        let mut phases = vec![Complex64::ONE; n];
        for i in 1..n {
            let size = complex::abs(neighbour[i]);
            let phase = if size > 0.0 { neighbour[i] / size } else { Complex64::ONE };
            phases[i] = phases[i - 1] * phase;
            off_diagonal[i - 1] = size;
        }
        Ok(phases)
    }

    /// Clears row `i` left of `i − 1` by a reflection `1 − 2vvᴴ` of the rows above it, and returns
    /// the new entry `(i, i − 1)`. The row keeps the conjugate of `v`; it is zero if there was
    /// nothing to clear.
    fn reflect(&mut self, i: usize, p_re: &mut [f64], p_im: &mut [f64]) -> Complex64 {
        let n = self.n;
        let (above_re, row_re) = self.re.split_at_mut(i * n);
        let (above_im, row_im) = self.im.split_at_mut(i * n);
        let (v_re, v_im) = (&mut row_re[..i], &mut row_im[..i]);
        let last = i - 1;
        let edge = Complex64::new(v_re[last], v_im[last]);
        // Scaled, so that squares of small numbers are not lost.
        let largest = v_re.iter().chain(v_im.iter()).fold(0.0, |m: f64, x| m.max(x.abs()));
        let rest = v_re[..last].iter().chain(&v_im[..last]).fold(0.0, |m: f64, x| m.max(x.abs()));
        if rest == 0.0 {
            v_re.fill(0.0);
            v_im.fill(0.0);
            return edge;
        }
        let scale = 1.0 / largest;
        let mut sum = 0.0;
        for (re, im) in v_re.iter_mut().zip(v_im.iter_mut()) {
            (*re, *im) = (*re * scale, *im * scale);
            sum += *re * *re + *im * *im;
        }
        let size = sum.sqrt();
        let scaled = edge * scale;
        let scaled_size = complex::abs(scaled);
        let phase = if scaled_size > 0.0 { scaled / scaled_size } else { Complex64::ONE };
        // r − (−phase·size) e: no cancellation, since both have the phase of the edge.
        v_re[last] += phase.re * size;
        v_im[last] += phase.im * size;
        // Its squared length is 2 size (size + |edge|); make it a unit vector.
        let unit = 1.0 / (2.0 * size * (size + scaled_size)).sqrt();
        for (re, im) in v_re.iter_mut().zip(v_im.iter_mut()) {
            (*re, *im) = (*re * unit, *im * unit);
        }
        let neighbour = -phase * (size * largest);

        // The row is conj(w) for the reflection vector w: A ← (1 − 2wwᴴ) A (1 − 2wwᴴ) on the
        // block above. p = A w, K = wᴴ p, q = p − K w, A ← A − 2 q wᴴ − 2 w qᴴ.
        p_re.fill(0.0);
        p_im.fill(0.0);
        for j in 0..i {
            let a_re = &above_re[j * n..][..=j];
            let a_im = &above_im[j * n..][..=j];
            // w_j = conj(row_j).
            let (w_re, w_im) = (v_re[j], -v_im[j]);
            // Above the diagonal: A_kj = conj(A_jk), times w_j, for k < j.
            for k in 0..j {
                p_re[k] += a_re[k] * w_re + a_im[k] * w_im;
                p_im[k] += a_re[k] * w_im - a_im[k] * w_re;
            }
            // Below it: Σ A_jk w_k over k < j, in four independent sums.
            let (dot_re, dot_im) = dot(&a_re[..j], &a_im[..j], &v_re[..j], &v_im[..j]);
            p_re[j] += dot_re + a_re[j] * w_re;
            p_im[j] += dot_im + a_re[j] * w_im;
        }
        // K = wᴴ p is real.
        let mut k = 0.0;
        for j in 0..i {
            k += v_re[j] * p_re[j] - v_im[j] * p_im[j];
        }
        for j in 0..i {
            p_re[j] -= k * v_re[j];
            p_im[j] += k * v_im[j];
        }
        for j in 0..i {
            let a_re = &mut above_re[j * n..][..=j];
            let a_im = &mut above_im[j * n..][..=j];
            // 2 q_j, 2 w_j; A_jk −= 2 q_j conj(w_k) + 2 w_j conj(q_k), and conj(w_k) = row_k.
            let (q_re, q_im) = (2.0 * p_re[j], 2.0 * p_im[j]);
            let (w_re, w_im) = (2.0 * v_re[j], -2.0 * v_im[j]);
            let rows = v_re[..=j].iter().zip(&v_im[..=j]).zip(p_re[..=j].iter().zip(&p_im[..=j]));
            for ((a_re, a_im), ((vr, vi), (qr, qi))) in
                a_re.iter_mut().zip(a_im.iter_mut()).zip(rows)
            {
                *a_re -= (q_re * vr - q_im * vi) + (w_re * qr + w_im * qi);
                *a_im -= (q_re * vi + q_im * vr) + (w_im * qr - w_re * qi);
            }
        }
        neighbour
    }

    /// The eigenvector that belongs to entry `k` of the diagonal.
    fn vector(&self, k: usize, rotations: &[Rotation], phases: &[Complex64]) -> Vec<Complex64> {
        let n = self.n;
        let mut z = vec![0.0; n];
        z[k] = 1.0;
        for rotation in rotations.iter().rev() {
            let (i, s, c) = (rotation.at as usize, rotation.sin, rotation.cos);
            let (low, high) = (z[i], z[i + 1]);
            z[i] = c * low + s * high;
            z[i + 1] = c * high - s * low;
        }
        let mut vector: Vec<Complex64> = z.iter().zip(phases).map(|(z, phase)| phase * z).collect();
        // Reflections were applied from the last row up, so they are undone from the first row down.
        for i in 1..n {
            let (row_re, row_im) = (&self.re[i * n..][..i], &self.im[i * n..][..i]);
            let mut along = Complex64::ZERO;
            for ((re, im), x) in row_re.iter().zip(row_im).zip(&vector) {
                along += Complex64::new(*re, *im) * x;
            }
            let along = along * 2.0;
            for ((re, im), x) in row_re.iter().zip(row_im).zip(&mut vector) {
                *x -= along * Complex64::new(*re, -*im);
            }
        }
        vector
    }
}

/// `Σ a_k conj(v_k)`, in four independent sums.
fn dot(a_re: &[f64], a_im: &[f64], v_re: &[f64], v_im: &[f64]) -> (f64, f64) {
    let (mut re, mut im) = ([0.0; 4], [0.0; 4]);
    let mut fours = a_re
        .chunks_exact(4)
        .zip(a_im.chunks_exact(4))
        .zip(v_re.chunks_exact(4).zip(v_im.chunks_exact(4)));
    for ((ar, ai), (vr, vi)) in &mut fours {
        for lane in 0..4 {
            re[lane] += ar[lane] * vr[lane] + ai[lane] * vi[lane];
            im[lane] += ai[lane] * vr[lane] - ar[lane] * vi[lane];
        }
    }
    for k in a_re.len() / 4 * 4..a_re.len() {
        re[k % 4] += a_re[k] * v_re[k] + a_im[k] * v_im[k];
        im[k % 4] += a_im[k] * v_re[k] - a_re[k] * v_im[k];
    }
    ((re[0] + re[1]) + (re[2] + re[3]), (im[0] + im[1]) + (im[2] + im[3]))
}

/// Implicit QL on a real symmetric tridiagonal matrix, `off_diagonal[i]` between `i` and `i + 1`.
/// Replaces the diagonal by the eigenvalues and returns the rotations in the order of application.
fn diagonalise(diagonal: &mut [f64], off_diagonal: &mut [f64]) -> Vec<Rotation> {
    /// Largest number of iterations per eigenvalue. Three are usual. If it is reached, rounding
    /// prevents convergence, and the off-diagonal entry is as small as rounding.
    const MAX_ITERATIONS: usize = 60;
    let n = diagonal.len();
    let mut rotations = Vec::new();
    for l in 0..n {
        for _ in 0..MAX_ITERATIONS {
            // The first index from l on at which the matrix splits.
            let small = |m: usize| {
                let around = diagonal[m].abs() + diagonal[m + 1].abs();
                off_diagonal[m].abs() <= f64::EPSILON * around
            };
            let m = (l..n - 1).find(|&m| small(m)).unwrap_or(n - 1);
            if m == l {
                break;
            }
            // Wilkinson's shift.
            let g = (diagonal[l + 1] - diagonal[l]) / (2.0 * off_diagonal[l]);
            let r = (g * g + 1.0).sqrt();
            let mut g = diagonal[m] - diagonal[l] + off_diagonal[l] / (g + r.copysign(g));
            let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
            let mut broke = false;
            for i in (l..m).rev() {
                let (f, b) = (s * off_diagonal[i], c * off_diagonal[i]);
                let r = (f * f + g * g).sqrt();
                off_diagonal[i + 1] = r;
                if r == 0.0 {
                    diagonal[i + 1] -= p;
                    off_diagonal[m] = 0.0;
                    broke = true;
                    break;
                }
                (s, c) = (f / r, g / r);
                g = diagonal[i + 1] - p;
                let r = (diagonal[i] - g) * s + 2.0 * c * b;
                p = s * r;
                diagonal[i + 1] = g + p;
                g = c * r - b;
                rotations.push(Rotation { at: i as u32, cos: c, sin: s });
            }
            if !broke {
                diagonal[l] -= p;
                off_diagonal[l] = g;
                off_diagonal[m] = 0.0;
            }
        }
    }
    rotations
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(n: usize, entry: impl Fn(usize, usize) -> Complex64) -> Hermitian {
        let (mut re, mut im) = (vec![0.0; n * n], vec![0.0; n * n]);
        for i in 0..n {
            for j in 0..n {
                let z = if j <= i { entry(i, j) } else { entry(j, i).conj() };
                (re[i * n + j], im[i * n + j]) = (z.re, if i == j { 0.0 } else { z.im });
            }
        }
        Hermitian::new(n, re, im)
    }

    /// Pseudo-random numbers in −1..1, the same in every run.
    fn scattered(i: usize, j: usize) -> Complex64 {
        let number = |k: usize| {
            let mut x = (k as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (x ^ (x >> 27)) as f64 / u64::MAX as f64 * 2.0 - 1.0
        };
        Complex64::new(number(2 * (i * 1000 + j)), number(2 * (i * 1000 + j) + 1))
    }

    fn all(hermitian: &Hermitian) -> Eigen {
        hermitian.clone().eigen(<[f64]>::len, &mut |_| ControlFlow::Continue(())).unwrap()
    }

    /// Error of `A v = λ v`, of the unit length of `v` and of its orthogonality to all other vectors.
    fn worst(hermitian: &Hermitian, eigen: &Eigen) -> (f64, f64) {
        let n = hermitian.n;
        let entry =
            |i: usize, j: usize| Complex64::new(hermitian.re[i * n + j], hermitian.im[i * n + j]);
        let (mut stretch, mut angle) = (0.0_f64, 0.0_f64);
        for (k, v) in eigen.vectors.iter().enumerate() {
            for i in 0..n {
                let av: Complex64 = (0..n).map(|j| entry(i, j) * v[j]).sum();
                stretch = stretch.max(complex::abs(av - v[i] * eigen.values[k]));
            }
            for (l, w) in eigen.vectors.iter().enumerate() {
                let dot: Complex64 = v.iter().zip(w).map(|(a, b)| a.conj() * b).sum();
                angle = angle.max(complex::abs(dot - if k == l { 1.0 } else { 0.0 }));
            }
        }
        (stretch, angle)
    }

    #[test]
    fn eigenvectors_satisfy_their_equation() {
        for n in [1, 2, 3, 4, 5, 17, 60] {
            let hermitian = matrix(n, scattered);
            let eigen = all(&hermitian);
            assert_eq!(eigen.vectors.len(), n);
            let (stretch, angle) = worst(&hermitian, &eigen);
            assert!(stretch < 1e-13 && angle < 1e-13, "{n}: {stretch:e}, {angle:e}");
        }
    }

    #[test]
    fn eigenvalues_of_known_matrices_vs_closed_form() {
        // i on one side of the diagonal, −i on the other: 2 cos(kπ/(n + 1)).
        let n = 30;
        let ring = matrix(n, |i, j| if i == j + 1 { Complex64::I } else { Complex64::ZERO });
        let eigen = all(&ring);
        for (k, value) in eigen.values.iter().enumerate() {
            let exact = 2.0 * crate::num::ops::cos_turns((k + 1) as f64 / (2 * (n + 1)) as f64);
            assert!((value - exact).abs() < 1e-14, "{value} for {exact}");
        }
        // [[2, 1 − i], [1 + i, 3]] has 1 and 4.
        let small = matrix(2, |i, j| match (i, j) {
            (0, 0) => Complex64::new(2.0, 0.0),
            (1, 1) => Complex64::new(3.0, 0.0),
            _ => Complex64::new(1.0, 1.0),
        });
        let values = all(&small).values;
        assert!((values[0] - 4.0).abs() < 1e-15 && (values[1] - 1.0).abs() < 1e-15, "{values:?}");
    }

    #[test]
    fn equal_eigenvalues_have_orthogonal_vectors() {
        // The sum of three dyads of equal size in 20 dimensions: 3 equal eigenvalues, 17 zeros.
        let n = 20;
        let mut unit: Vec<Vec<Complex64>> = Vec::new();
        for k in 0..3 {
            let mut v: Vec<_> = (0..n).map(|i| scattered(i, k + 50)).collect();
            for u in &unit {
                let dot: Complex64 = u.iter().zip(&v).map(|(a, b)| a.conj() * b).sum();
                v.iter_mut().zip(u).for_each(|(v, u)| *v -= dot * u);
            }
            let size = v.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt();
            unit.push(v.into_iter().map(|x| x / size).collect());
        }
        let dyads = matrix(n, |i, j| unit.iter().map(|v| v[i] * v[j].conj() * 5.0).sum());
        let eigen = all(&dyads);
        let (stretch, angle) = worst(&dyads, &eigen);
        assert!(stretch < 1e-13 && angle < 1e-13, "{stretch:e}, {angle:e}");
        assert!((eigen.values[2] - 5.0).abs() < 1e-13 && eigen.values[3].abs() < 1e-13);
        // A zero matrix splits at once.
        let zeros = matrix(6, |_, _| Complex64::ZERO);
        assert_eq!(all(&zeros).values, [0.0; 6]);
        let (stretch, angle) = worst(&zeros, &all(&zeros));
        assert_eq!((stretch, angle), (0.0, 0.0));
    }

    #[test]
    fn the_largest_eigenvalues_come_first() {
        let eigen = matrix(40, scattered).eigen(|_| 3, &mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!((eigen.values.len(), eigen.vectors.len()), (40, 3));
        assert!(eigen.values.is_sorted_by(|a, b| a >= b), "{:?}", eigen.values);
    }

    #[test]
    fn tiny_and_huge_matrices_are_not_special() {
        for scale in [1e-120, 1e120] {
            let eigen = all(&matrix(12, |i, j| scattered(i, j) * scale));
            let plain = all(&matrix(12, scattered));
            for (value, plain) in eigen.values.iter().zip(&plain.values) {
                assert!((value / scale - plain).abs() < 1e-13, "{value:e} for {plain}");
            }
        }
    }

    #[test]
    fn a_nan_entry_and_a_cancelled_run_are_errors() {
        let mut broken = matrix(5, scattered);
        broken.re[3 * 5 + 1] = f64::NAN;
        let error = broken.eigen(|_| 1, &mut |_| ControlFlow::Continue(())).unwrap_err();
        assert_eq!(error, EigenError::NotFinite { row: 3 });
        let stopped = matrix(40, scattered).eigen(|_| 1, &mut |_| ControlFlow::Break(()));
        assert_eq!(stopped, Err(EigenError::Stopped));
    }
}
