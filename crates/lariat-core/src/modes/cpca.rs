//! Analysis of recorded motion into modes: a few shapes that move with phase, in order of energy.
//!
//! Complex principal component analysis, Kass and Anderson 2008, §6.3, after Horel 1984. The motion
//! `S` has a row per frame and a column per coordinate, with the mean of each column subtracted. A
//! Hilbert transformer makes it complex, `X = S + i Hilbert(S)`, and the singular value
//! decomposition `X = U Σ Vᴴ` gives the modes: mode `k` has the weights `W` in row `k` of `Vᴴ` and
//! the coefficients `c = Σₖ Uₖ` over time. The motion is the mean plus `Re Σ c W`. (`V` instead of
//! `Vᴴ` would reverse the direction of every wave.)
//!
//! The transformer is a matrix `H` on the frames, so `X = (E + iH) S`, where `E` drops the margin
//! frames at both ends, and `X Xᴴ = (E + iH) S Sᵀ (E + iH)ᴴ`. The only product over all coordinates
//! is the real Gram matrix `S Sᵀ`. The filter is applied to its two sides, the eigenvectors of the
//! small complex matrix are `U`, and the weights are projections, `W = Uᴴ X / Σ`. If there are
//! fewer coordinates than frames, the smaller matrix `Xᴴ X` is used instead.
//!
//! The phase of a mode is arbitrary: `W e^(iψ)` and `c e^(−iψ)` give the same motion. Stiff and
//! sloshy versions (`field.rs`) depend on it, so `ψ` is fixed as follows: `Σ W²` is real and
//! positive, which puts as much of the shape as possible into the real part; the sign makes the
//! largest real part positive.
//!
//! # Differences from the paper
//!
//! * The paper does not fix the phase.
//! * If `Σ W²` vanishes (a wave of equal height everywhere), the first of the largest weights is
//!   made real and positive instead.
//! * Errors are measured on the recording, in addition to the estimate from the singular values.
//!
//! Tests: `a_travelling_wave_is_one_mode_with_the_right_direction`,
//! `a_standing_wave_has_one_phase`, `a_decaying_oscillation_gives_its_pole`,
//! `two_oscillations_are_separated`, `both_matrices_agree_with_a_dense_decomposition`,
//! `the_error_estimate_holds`, `invalid_input_is_refused_with_a_reason`.

use std::ops::ControlFlow;

use num_complex::Complex64;
use thiserror::Error;

use crate::num::complex;
use crate::num::hermitian::{EigenError, Hermitian};

use super::gram::gram;
use super::hilbert::Hilbert;

/// Number of modes to extract.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModeCount {
    /// At most this many; fewer if the motion has lower rank.
    Count(usize),
    /// As many as explain this share of the motion's energy, 0–1.
    Share(f64),
}

/// One mode of a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// `W`: one complex weight per coordinate; the sum of their squared sizes is 1.
    pub weights: Vec<Complex64>,
    /// `c`: one complex coefficient per frame inside the margins, in the unit of the motion.
    pub coefficients: Vec<Complex64>,
    /// Singular value.
    pub sigma: f64,
    /// Share of the motion's energy that the mode explains, 0–1.
    pub share: f64,
    /// Relative error of the motion rebuilt from this mode and all before it, measured: norm of the
    /// difference divided by the norm of the motion.
    pub residual: f64,
}

/// Result of [`analyse`].
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Mean of every coordinate over the frames inside the margins.
    pub mean: Vec<f64>,
    /// Modes in order of falling energy; empty if nothing moves.
    pub modes: Vec<Component>,
    /// Norm of the motion about the mean, over all frames inside the margins and all coordinates.
    pub size: f64,
    /// Sum of the squares of all singular values; twice the squared size if the transformer is
    /// perfect.
    pub energy: f64,
}

impl Analysis {
    /// Relative error with the first `modes` modes, estimated from the singular values of the
    /// others: `√(Σ σ²) / (√2 |S|)`.
    pub fn estimate(&self, modes: usize) -> f64 {
        let explained: f64 = self.modes.iter().take(modes).map(|mode| mode.share).sum();
        if self.size > 0.0 {
            (0.5 * self.energy * (1.0 - explained).max(0.0)).sqrt() / self.size
        } else {
            0.0
        }
    }
}

/// Error of [`analyse`].
#[derive(Clone, Debug, Error, PartialEq)]
pub enum AnalysisError {
    /// No frames or no coordinates.
    #[error("the motion is empty: {frames} frames of {coordinates} coordinates")]
    Empty {
        /// Rows.
        frames: usize,
        /// Columns.
        coordinates: usize,
    },
    /// Too few frames between the margins of the Hilbert filter.
    #[error(
        "{frames} frames are too few: the filter drops {margin} at each end and needs 3 more; \
         record {needed} or more, raise the lowest frequency, or mark the motion as a loop"
    )]
    TooShort {
        /// Number of frames in the motion.
        frames: usize,
        /// Frames dropped at each end.
        margin: usize,
        /// Smallest sufficient number of frames.
        needed: usize,
    },
    /// NaN or infinity.
    #[error("coordinate {coordinate} in row {row} is {value}; expected a finite number")]
    NotFinite {
        /// Index of the frame.
        row: usize,
        /// Index of the coordinate.
        coordinate: usize,
        /// The value found.
        value: f64,
    },
    /// Values whose sum of squares would overflow.
    #[error("the largest coordinate is {largest:e}; the limit is 1e150")]
    TooLarge {
        /// Largest absolute coordinate.
        largest: f64,
    },
    /// A share outside 0–1.
    #[error("invalid share {share}; expected a number above 0, up to 1")]
    InvalidShare {
        /// The share as given.
        share: f64,
    },
    /// A count of 0.
    #[error("0 modes were requested; request 1 or more")]
    NoModes,
    /// The progress callback asked to stop.
    #[error("the analysis was stopped")]
    Stopped,
}

/// Frames needed between the margins: two for a frequency, one more for a decay.
const FEWEST: usize = 3;

/// Modes whose squared singular value is below this share of the largest are rounding errors of
/// the matrix. Larger: weak modes are lost. Smaller: noise becomes modes.
const RANK: f64 = 1e-13;

/// Motion below this share of the coordinates is rounding and counts as none.
const STILL: f64 = 1e-13;

/// Below this share, the direction of a mode's `Σ W²` is rounding.
const FLAT: f64 = 1e-9;

/// Coordinates per block; a block of rows fits in the L1 cache.
const BLOCK: usize = 512;

/// Decomposes a motion into modes. `rows` has one row of `width` coordinates per frame. `watch`
/// receives the progress from 0 to 1 and may stop the work.
///
/// # Panics
/// If the last row is incomplete, or the number of frames differs from the loop's transformer.
pub fn analyse(
    rows: &[f64],
    width: usize,
    hilbert: &Hilbert,
    mode_count: ModeCount,
    watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Analysis, AnalysisError> {
    check(rows, width, hilbert, mode_count)?;
    let frames = rows.len() / width;
    let (margin, kept) = (hilbert.margin(), hilbert.kept(frames));
    let kept_rows = &rows[margin * width..][..kept * width];
    let mean = mean(kept_rows, width);
    let size = size(kept_rows, &mean);
    let largest = kept_rows.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if size <= STILL * largest * ((kept * width) as f64).sqrt() {
        return Ok(Analysis { mean, modes: Vec::new(), size: 0.0, energy: 0.0 });
    }
    let motion = Motion { rows, width, mean: &mean, hilbert, kept };
    let found = if width < kept {
        motion.by_coordinates(mode_count, watch)
    } else {
        motion.by_frames(mode_count, watch)
    }?;
    let mut modes = found.modes;
    modes.iter_mut().for_each(settle_phase);
    let residuals = motion.residuals(&modes, watch)?;
    for (mode, residual) in modes.iter_mut().zip(residuals) {
        mode.residual = residual / size;
    }
    Ok(Analysis { mean, modes, size, energy: found.energy })
}

fn check(
    rows: &[f64],
    width: usize,
    hilbert: &Hilbert,
    mode_count: ModeCount,
) -> Result<(), AnalysisError> {
    match mode_count {
        ModeCount::Count(0) => return Err(AnalysisError::NoModes),
        ModeCount::Share(share) if !(share > 0.0 && share <= 1.0) => {
            return Err(AnalysisError::InvalidShare { share });
        }
        _ => {}
    }
    if rows.is_empty() || width == 0 {
        let frames = rows.len().checked_div(width).unwrap_or(0);
        return Err(AnalysisError::Empty { frames, coordinates: width });
    }
    assert!(rows.len().is_multiple_of(width), "whole rows of {width}");
    let frames = rows.len() / width;
    if hilbert.kept(frames) < FEWEST {
        let margin = hilbert.margin();
        return Err(AnalysisError::TooShort { frames, margin, needed: 2 * margin + FEWEST });
    }
    if let Some(at) = rows.iter().position(|x| !x.is_finite()) {
        let (row, coordinate) = (at / width, at % width);
        return Err(AnalysisError::NotFinite { row, coordinate, value: rows[at] });
    }
    let largest = rows.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if largest > 1e150 {
        return Err(AnalysisError::TooLarge { largest });
    }
    Ok(())
}

/// Means of the columns, as the first row plus the mean difference from it: the mean of a
/// coordinate that does not move is exact.
fn mean(rows: &[f64], width: usize) -> Vec<f64> {
    let first = &rows[..width];
    let mut sums = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        for ((sum, x), first) in sums.iter_mut().zip(row).zip(first) {
            *sum += x - first;
        }
    }
    let frames = (rows.len() / width) as f64;
    sums.iter().zip(first).map(|(sum, first)| first + sum / frames).collect()
}

fn size(rows: &[f64], mean: &[f64]) -> f64 {
    let of_row =
        |row: &[f64]| row.iter().zip(mean).map(|(x, mean)| (x - mean) * (x - mean)).sum::<f64>();
    rows.chunks_exact(mean.len()).map(of_row).sum::<f64>().sqrt()
}

/// Modes before their phase is fixed and their error measured.
struct Found {
    modes: Vec<Component>,
    energy: f64,
}

/// A motion with its mean and its Hilbert transformer.
struct Motion<'a> {
    rows: &'a [f64],
    width: usize,
    mean: &'a [f64],
    hilbert: &'a Hilbert,
    kept: usize,
}

impl Motion<'_> {
    /// Modes from `X Xᴴ`, a matrix of frames by frames.
    fn by_frames(
        &self,
        mode_count: ModeCount,
        watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Found, AnalysisError> {
        let (all, kept, margin) = (self.rows.len() / self.width, self.kept, self.hilbert.margin());
        let products = gram(self.rows, self.width, self.mean, &mut |done| watch(0.6 * done))
            .ok_or(AnalysisError::Stopped)?;
        // H G, then the same filter on the other side: (H (H G)ᵀ)ᵀ = H G Hᵀ.
        let mut filtered = Vec::new();
        self.hilbert.rows(&products, all, &mut filtered);
        let mut transposed = vec![0.0; all * kept];
        for (t, row) in filtered.chunks_exact(all).enumerate() {
            for (s, value) in row.iter().enumerate() {
                transposed[s * kept + t] = *value;
            }
        }
        let mut re = Vec::new();
        self.hilbert.rows(&transposed, kept, &mut re);
        // X Xᴴ = E G Eᵀ + H G Hᵀ + i (H G Eᵀ − E G Hᵀ).
        let mut im = vec![0.0; kept * kept];
        for t in 0..kept {
            for s in 0..=t {
                re[t * kept + s] += products[(t + margin) * all + s + margin];
                im[t * kept + s] = filtered[t * all + s + margin] - filtered[s * all + t + margin];
            }
        }
        let energy: f64 = (0..kept).map(|t| re[t * kept + t]).sum();
        let eigen = Hermitian::new(kept, re, im)
            .eigen(|values| count(values, energy, mode_count), &mut |done| watch(0.6 + 0.25 * done))
            .map_err(stopped)?;
        let courses = eigen.vectors.into_iter().zip(&eigen.values);
        let mut modes: Vec<Component> = courses
            .map(|(u, value)| {
                let sigma = value.sqrt();
                Component {
                    weights: vec![Complex64::ZERO; self.width],
                    coefficients: u.into_iter().map(|u| u * sigma).collect(),
                    sigma,
                    share: value / energy,
                    residual: 0.0,
                }
            })
            .collect();
        self.project(&mut modes, watch)?;
        Ok(Found { modes, energy })
    }

    /// `W = Uᴴ X / Σ = (Uᴴ (E + iH)) S / Σ`. The row in brackets has one entry per frame, so the
    /// filter is not applied per coordinate.
    fn project(
        &self,
        modes: &mut [Component],
        watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<(), AnalysisError> {
        let (all, margin) = (self.rows.len() / self.width, self.hilbert.margin());
        let rows: Vec<(Vec<f64>, Vec<f64>)> = modes
            .iter()
            .map(|mode| {
                let (mut re, mut im) = (vec![0.0; all], vec![0.0; all]);
                let scale = 1.0 / (mode.sigma * mode.sigma);
                for (t, c) in mode.coefficients.iter().enumerate() {
                    // conj(u) / σ = conj(c) / σ²; times i: (−im, re).
                    let u = c.conj() * scale;
                    re[t + margin] += u.re;
                    im[t + margin] += u.im;
                    self.hilbert.add_row(t, -u.im, &mut re);
                    self.hilbert.add_row(t, u.re, &mut im);
                }
                (re, im)
            })
            .collect();
        let (mut w_re, mut w_im) = ([0.0; BLOCK], [0.0; BLOCK]);
        let mut moved = vec![0.0; all * BLOCK];
        for start in (0..self.width).step_by(BLOCK) {
            if watch(0.85 + 0.05 * start as f64 / self.width as f64).is_break() {
                return Err(AnalysisError::Stopped);
            }
            let count = BLOCK.min(self.width - start);
            self.moved(start, count, 0, &mut moved);
            for (mode, (row_re, row_im)) in modes.iter_mut().zip(&rows) {
                let (w_re, w_im) = (&mut w_re[..count], &mut w_im[..count]);
                w_re.fill(0.0);
                w_im.fill(0.0);
                for (s, (re, im)) in moved.chunks_exact(count).zip(row_re.iter().zip(row_im)) {
                    for ((w_re, w_im), s) in w_re.iter_mut().zip(w_im.iter_mut()).zip(s) {
                        *w_re += re * s;
                        *w_im += im * s;
                    }
                }
                let weights = mode.weights[start..][..count].iter_mut();
                for ((w, re), im) in weights.zip(&*w_re).zip(&*w_im) {
                    *w = Complex64::new(*re, *im);
                }
            }
        }
        Ok(())
    }

    /// Modes from `Xᴴ X`, a matrix of coordinates by coordinates, for bodies of few points.
    fn by_coordinates(
        &self,
        mode_count: ModeCount,
        watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Found, AnalysisError> {
        let (width, kept) = (self.width, self.kept);
        let mut other = Vec::new();
        self.hilbert.rows(self.rows, width, &mut other);
        // Real parts of all coordinates, then imaginary ones, each a row over the frames.
        let mut transposed = vec![0.0; 2 * width * kept];
        let margin = self.hilbert.margin();
        for t in 0..kept {
            for p in 0..width {
                transposed[p * kept + t] = self.rows[(t + margin) * width + p] - self.mean[p];
                transposed[(width + p) * kept + t] = other[t * width + p];
            }
        }
        let products = gram(&transposed, kept, &vec![0.0; kept], &mut |done| watch(0.6 * done))
            .ok_or(AnalysisError::Stopped)?;
        let product = |i: usize, j: usize| products[i * 2 * width + j];
        let (mut re, mut im) = (vec![0.0; width * width], vec![0.0; width * width]);
        for p in 0..width {
            for q in 0..=p {
                re[p * width + q] = product(p, q) + product(width + p, width + q);
                im[p * width + q] = product(p, width + q) - product(width + p, q);
            }
        }
        let energy: f64 = (0..width).map(|p| re[p * width + p]).sum();
        let eigen = Hermitian::new(width, re, im)
            .eigen(|values| count(values, energy, mode_count), &mut |done| watch(0.6 + 0.25 * done))
            .map_err(stopped)?;
        let vectors = eigen.vectors.into_iter().zip(&eigen.values);
        let modes = vectors.map(|(v, value)| {
            // c = X v, W = vᴴ.
            let mut course = vec![Complex64::ZERO; kept];
            for (p, v) in v.iter().enumerate() {
                let (re, im) =
                    (&transposed[p * kept..][..kept], &transposed[(width + p) * kept..][..kept]);
                for ((c, re), im) in course.iter_mut().zip(re).zip(im) {
                    *c += Complex64::new(*re, *im) * v;
                }
            }
            Component {
                weights: v.iter().map(Complex64::conj).collect(),
                coefficients: course,
                sigma: value.sqrt(),
                share: value / energy,
                residual: 0.0,
            }
        });
        Ok(Found { modes: modes.collect(), energy })
    }

    /// Motion about the mean of the `count` coordinates from `start` on, row by row, without the
    /// `margin` frames at each end.
    fn moved(&self, start: usize, count: usize, margin: usize, out: &mut [f64]) {
        let frames = self.rows.len() / self.width;
        let rows = self.rows[margin * self.width..].chunks_exact(self.width);
        let mean = &self.mean[start..][..count];
        for (row, out) in rows.take(frames - 2 * margin).zip(out.chunks_exact_mut(count)) {
            for ((out, x), mean) in out.iter_mut().zip(&row[start..][..count]).zip(mean) {
                *out = x - mean;
            }
        }
    }

    /// Norm of the residual after each mode: of the motion minus this mode and all before it.
    fn residuals(
        &self,
        modes: &[Component],
        watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Vec<f64>, AnalysisError> {
        let mut sums = vec![0.0; modes.len()];
        let mut residual = vec![0.0; self.kept * BLOCK];
        let (mut w_re, mut w_im) = (Vec::new(), Vec::new());
        for start in (0..self.width).step_by(BLOCK) {
            if watch(0.9 + 0.1 * start as f64 / self.width as f64).is_break() {
                return Err(AnalysisError::Stopped);
            }
            let count = BLOCK.min(self.width - start);
            self.moved(start, count, self.hilbert.margin(), &mut residual);
            for (mode, sum) in modes.iter().zip(&mut sums) {
                let weights = &mode.weights[start..][..count];
                w_re.clear();
                w_im.clear();
                w_re.extend(weights.iter().map(|w| w.re));
                w_im.extend(weights.iter().map(|w| w.im));
                for (residual, c) in residual.chunks_exact_mut(count).zip(&mode.coefficients) {
                    *sum += subtract_mode(*c, &w_re, &w_im, residual);
                }
            }
        }
        Ok(sums.into_iter().map(f64::sqrt).collect())
    }
}

/// Subtracts `Re(c W)` from a row and returns the sum of squares of the result, accumulated in
/// four independent sums.
fn subtract_mode(c: Complex64, w_re: &[f64], w_im: &[f64], left: &mut [f64]) -> f64 {
    for ((left, re), im) in left.iter_mut().zip(w_re).zip(w_im) {
        *left -= c.re * re - c.im * im;
    }
    let mut sums = [0.0; 4];
    for four in left.chunks_exact(4) {
        for lane in 0..4 {
            sums[lane] += four[lane] * four[lane];
        }
    }
    let rest: f64 = left.chunks_exact(4).remainder().iter().map(|x| x * x).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// Number of eigenvalues that become modes.
fn count(values: &[f64], energy: f64, mode_count: ModeCount) -> usize {
    let largest = values.first().copied().unwrap_or(0.0);
    let rank = values.iter().take_while(|&&value| value > RANK * largest).count();
    match mode_count {
        ModeCount::Count(count) => count.min(rank),
        ModeCount::Share(share) => {
            let mut explained = 0.0;
            let enough = values.iter().position(|value| {
                explained += value;
                explained >= share * energy
            });
            enough.map_or(rank, |last| (last + 1).min(rank))
        }
    }
}

fn stopped(error: EigenError) -> AnalysisError {
    // Finite rows below 1e150 have finite products.
    debug_assert_eq!(error, EigenError::Stopped);
    AnalysisError::Stopped
}

/// Fixes the phase of a mode as the file header describes.
fn settle_phase(mode: &mut Component) {
    let sum: Complex64 = mode.weights.iter().map(|w| w * w).sum();
    let size: f64 = mode.weights.iter().map(Complex64::norm_sqr).sum();
    let largest = |measure: &dyn Fn(&Complex64) -> f64| {
        let most = mode.weights.iter().map(measure).fold(0.0, f64::max);
        // The first of the weights that are equal up to rounding.
        mode.weights.iter().find(|w| measure(w) >= most * (1.0 - FLAT)).copied()
    };
    let turn = if complex::abs(sum) > FLAT * size {
        complex::cis(-0.5 * complex::arg(sum))
    } else {
        let first = largest(&Complex64::norm_sqr).unwrap_or(Complex64::ONE);
        complex::cis(-complex::arg(first))
    };
    let sign = largest(&|w| (w * turn).re.abs()).map_or(1.0, |w| (w * turn).re.signum());
    let turn = turn * sign;
    mode.weights.iter_mut().for_each(|w| *w *= turn);
    mode.coefficients.iter_mut().for_each(|c| *c *= turn.conj());
}

#[cfg(test)]
mod tests;
