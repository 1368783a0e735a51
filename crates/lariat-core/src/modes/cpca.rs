//! Recorded motion taken apart into modes: few shapes that move with phase, most important first.
//!
//! Complex principal component analysis, Kass and Anderson 2008, §6.3, after Horel 1984. The motion
//! `S` (a row per frame, a column per coordinate, each column's mean taken out) gets its other half
//! by a Hilbert transformer, `X = S + i Hilbert(S)`, and is taken apart as `X = U Σ Vᴴ`. Mode `k`
//! has the weights `W` in row `k` of `Vᴴ` and the course `c = Σₖ Uₖ` over time, and the motion is
//! the mean plus `Re Σ c W`. (`V` itself instead of `Vᴴ` would let every wave run backwards.)
//!
//! How: the transformer is a matrix `H` on the frames, so `X = (E + iH) S`, where `E` leaves out
//! the frames that are spent at the ends, and `X Xᴴ = (E + iH) S Sᵀ (E + iH)ᴴ`. The only product
//! over all coordinates is the real `S Sᵀ`; the filter is applied to its two sides, the
//! eigenvectors of the small complex matrix are `U`, and the weights are projections,
//! `W = Uᴴ X / Σ`. Where there are fewer coordinates than frames, `Xᴴ X` is the smaller matrix and
//! is used instead.
//!
//! A mode has a phase that is nobody's business: `W e^(iψ)` and `c e^(−iψ)` move alike. But stiff
//! and sloshy versions (`field.rs`) depend on it. So `ψ` is chosen to make `Σ W²` real and positive,
//! which puts as much as possible of the shape into the real part, and of the two signs the one
//! that makes the largest real part positive.
//!
//! # Where we leave the paper
//!
//! * The gauge is ours; the paper has none.
//! * Where `Σ W²` vanishes (a wave of equal height everywhere), the weight of the first of the
//!   largest sizes is made real and positive instead.
//! * Errors are measured on the recording, besides the estimate from the singular values.
//!
//! Tests: `a_travelling_wave_is_one_mode_that_runs_the_right_way`, `a_standing_wave_has_one_phase`,
//! `a_dying_swing_gives_its_pole_back`, `two_swings_come_apart`,
//! `both_matrices_agree_with_a_dense_decomposition`, `the_estimate_of_the_error_holds`,
//! `what_cannot_be_taken_apart_says_why`.

use std::ops::ControlFlow;

use num_complex::Complex64;
use thiserror::Error;

use crate::num::complex;
use crate::num::hermitian::{EigenError, Hermitian};

use super::gram::gram;
use super::hilbert::Hilbert;

/// How many modes are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModeCount {
    /// So many, if the motion has as many.
    Count(usize),
    /// As many as it takes to explain this share of the motion, 0–1.
    Share(f64),
}

/// One mode of a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// `W`: one complex weight per coordinate; the sum of their squared sizes is 1.
    pub weights: Vec<Complex64>,
    /// `c`: one complex coefficient per kept frame, in the unit of the motion.
    pub coefficients: Vec<Complex64>,
    /// Its singular value.
    pub sigma: f64,
    /// The share of the motion that it explains, 0–1.
    pub share: f64,
    /// What is missing when the motion is rebuilt from this mode and all before it: the root of
    /// the squared differences over that of the squared motion, measured.
    pub residual: f64,
}

/// A motion taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The mean of every coordinate over the kept frames.
    pub mean: Vec<f64>,
    /// The modes, most important first; none if nothing moves.
    pub modes: Vec<Component>,
    /// The root of the squared motion about the mean, over all kept frames and coordinates.
    pub size: f64,
    /// The sum of the squares of all singular values: twice the squared size, if the transformer
    /// is perfect.
    pub energy: f64,
}

impl Analysis {
    /// What would be missing with the first `modes` modes, from the singular values alone:
    /// `√(Σ σ²) / (√2 |S|)` over the others.
    pub fn estimate(&self, modes: usize) -> f64 {
        let explained: f64 = self.modes.iter().take(modes).map(|mode| mode.share).sum();
        if self.size > 0.0 {
            (0.5 * self.energy * (1.0 - explained).max(0.0)).sqrt() / self.size
        } else {
            0.0
        }
    }
}

/// Why a motion cannot be taken apart.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum AnalysisError {
    /// Nothing to look at.
    #[error("the motion has {frames} frames of {coordinates} coordinates: there is nothing in it")]
    Empty {
        /// Rows.
        frames: usize,
        /// Columns.
        coordinates: usize,
    },
    /// The ends that are spent leave too little.
    #[error(
        "{frames} frames are too few: {margin} are spent at each end and 3 must be left, so \
         record {needed}, look for faster swings only, or say that the motion is a loop"
    )]
    TooShort {
        /// How many there are.
        frames: usize,
        /// How many are spent at each end.
        margin: usize,
        /// How many it takes.
        needed: usize,
    },
    /// NaN or infinity.
    #[error("coordinate {coordinate} is {value} in row {row}: a motion has only finite numbers")]
    NotFinite {
        /// Which frame, from 0.
        row: usize,
        /// Which coordinate, from 0.
        coordinate: usize,
        /// What is there.
        value: f64,
    },
    /// Numbers whose squares cannot be added.
    #[error("the motion is up to {largest:e} large: bring it below 1e150")]
    TooLarge {
        /// The largest coordinate.
        largest: f64,
    },
    /// A share that is none.
    #[error("{share} is no share of the motion: give a number above 0, up to 1")]
    InvalidShare {
        /// As given.
        share: f64,
    },
    /// No modes wanted.
    #[error("0 modes were asked for: ask for 1 or more")]
    NoModes,
    /// Whoever watched said stop.
    #[error("the analysis was stopped")]
    Stopped,
}

/// Frames that must be left between the ends: two for a frequency, one more to tell a decay.
const FEWEST: usize = 3;

/// Modes whose squared singular value is below this share of the largest are rounding errors of
/// the matrix. Larger: weak modes are lost. Smaller: noise gets names.
const RANK: f64 = 1e-13;

/// Motion below this share of the coordinates themselves is rounding and counts as none.
const STILL: f64 = 1e-13;

/// How flat a mode's `Σ W²` may be before its direction is rounding.
const FLAT: f64 = 1e-9;

/// Coordinates whose rows are worked on at a time: they stay in the fastest cache.
const STRETCH: usize = 512;

/// Takes a motion apart: `rows` has one row of `width` coordinates per frame. `watch` is told how
/// far the work is, from 0 to 1, and may stop it.
///
/// # Panics
/// If the rows are not whole, or not the frames of a loop's transformer: mistakes in the program.
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
    let missing = motion.missing(&modes, watch)?;
    for (mode, missing) in modes.iter_mut().zip(missing) {
        mode.residual = missing / size;
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

/// Means of the columns. Differences from the first row are averaged: a coordinate that stays
/// where it is then has exactly its own value as mean.
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

/// Modes before their phase is chosen and their error measured.
struct Found {
    modes: Vec<Component>,
    energy: f64,
}

/// A motion and what it is looked at with.
struct Motion<'a> {
    rows: &'a [f64],
    width: usize,
    mean: &'a [f64],
    hilbert: &'a Hilbert,
    kept: usize,
}

impl Motion<'_> {
    /// Through `X Xᴴ`: frames by frames.
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
        let mut turned = vec![0.0; all * kept];
        for (t, row) in filtered.chunks_exact(all).enumerate() {
            for (s, value) in row.iter().enumerate() {
                turned[s * kept + t] = *value;
            }
        }
        let mut re = Vec::new();
        self.hilbert.rows(&turned, kept, &mut re);
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

    /// `W = Uᴴ X / Σ = (Uᴴ (E + iH)) S / Σ`: the row in brackets is short, so the filter never
    /// meets a coordinate.
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
        let (mut w_re, mut w_im) = ([0.0; STRETCH], [0.0; STRETCH]);
        let mut moved = vec![0.0; all * STRETCH];
        for start in (0..self.width).step_by(STRETCH) {
            if watch(0.85 + 0.05 * start as f64 / self.width as f64).is_break() {
                return Err(AnalysisError::Stopped);
            }
            let long = STRETCH.min(self.width - start);
            self.moved(start, long, 0, &mut moved);
            for (mode, (row_re, row_im)) in modes.iter_mut().zip(&rows) {
                let (w_re, w_im) = (&mut w_re[..long], &mut w_im[..long]);
                w_re.fill(0.0);
                w_im.fill(0.0);
                for (s, (re, im)) in moved.chunks_exact(long).zip(row_re.iter().zip(row_im)) {
                    for ((w_re, w_im), s) in w_re.iter_mut().zip(w_im.iter_mut()).zip(s) {
                        *w_re += re * s;
                        *w_im += im * s;
                    }
                }
                let weights = mode.weights[start..][..long].iter_mut();
                for ((w, re), im) in weights.zip(&*w_re).zip(&*w_im) {
                    *w = Complex64::new(*re, *im);
                }
            }
        }
        Ok(())
    }

    /// Through `Xᴴ X`: coordinates by coordinates, for bodies of few points.
    fn by_coordinates(
        &self,
        mode_count: ModeCount,
        watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Found, AnalysisError> {
        let (width, kept) = (self.width, self.kept);
        let mut other = Vec::new();
        self.hilbert.rows(self.rows, width, &mut other);
        // Real parts of all coordinates, then imaginary ones, each a row over the frames.
        let mut turned = vec![0.0; 2 * width * kept];
        let margin = self.hilbert.margin();
        for t in 0..kept {
            for p in 0..width {
                turned[p * kept + t] = self.rows[(t + margin) * width + p] - self.mean[p];
                turned[(width + p) * kept + t] = other[t * width + p];
            }
        }
        let products = gram(&turned, kept, &vec![0.0; kept], &mut |done| watch(0.6 * done))
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
                let (re, im) = (&turned[p * kept..][..kept], &turned[(width + p) * kept..][..kept]);
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

    /// The motion about the mean of `long` coordinates from `start` on, row by row, leaving out
    /// `margin` frames at each end.
    fn moved(&self, start: usize, long: usize, margin: usize, out: &mut [f64]) {
        let frames = self.rows.len() / self.width;
        let rows = self.rows[margin * self.width..].chunks_exact(self.width);
        let mean = &self.mean[start..][..long];
        for (row, out) in rows.take(frames - 2 * margin).zip(out.chunks_exact_mut(long)) {
            for ((out, x), mean) in out.iter_mut().zip(&row[start..][..long]).zip(mean) {
                *out = x - mean;
            }
        }
    }

    /// What is missing after each mode: the root of the summed squares of what is left of the
    /// motion when the mode and all before it are taken out.
    fn missing(
        &self,
        modes: &[Component],
        watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Vec<f64>, AnalysisError> {
        let mut sums = vec![0.0; modes.len()];
        let mut left = vec![0.0; self.kept * STRETCH];
        let (mut w_re, mut w_im) = (Vec::new(), Vec::new());
        for start in (0..self.width).step_by(STRETCH) {
            if watch(0.9 + 0.1 * start as f64 / self.width as f64).is_break() {
                return Err(AnalysisError::Stopped);
            }
            let long = STRETCH.min(self.width - start);
            self.moved(start, long, self.hilbert.margin(), &mut left);
            for (mode, sum) in modes.iter().zip(&mut sums) {
                let weights = &mode.weights[start..][..long];
                w_re.clear();
                w_im.clear();
                w_re.extend(weights.iter().map(|w| w.re));
                w_im.extend(weights.iter().map(|w| w.im));
                for (left, c) in left.chunks_exact_mut(long).zip(&mode.coefficients) {
                    *sum += take_out(*c, &w_re, &w_im, left);
                }
            }
        }
        Ok(sums.into_iter().map(f64::sqrt).collect())
    }
}

/// Takes `Re(c W)` out of a row and returns the sum of the squares of what is left, in four sums
/// that do not wait for each other.
fn take_out(c: Complex64, w_re: &[f64], w_im: &[f64], left: &mut [f64]) -> f64 {
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

/// How many of the eigenvalues become modes.
fn count(values: &[f64], energy: f64, mode_count: ModeCount) -> usize {
    let largest = values.first().copied().unwrap_or(0.0);
    let there = values.iter().take_while(|&&value| value > RANK * largest).count();
    match mode_count {
        ModeCount::Count(count) => count.min(there),
        ModeCount::Share(share) => {
            let mut explained = 0.0;
            let enough = values.iter().position(|value| {
                explained += value;
                explained >= share * energy
            });
            enough.map_or(there, |last| (last + 1).min(there))
        }
    }
}

fn stopped(error: EigenError) -> AnalysisError {
    // Finite rows below 1e150 have finite products.
    debug_assert_eq!(error, EigenError::Stopped);
    AnalysisError::Stopped
}

/// Chooses the phase of a mode (see the file's header).
fn settle_phase(mode: &mut Component) {
    let sum: Complex64 = mode.weights.iter().map(|w| w * w).sum();
    let size: f64 = mode.weights.iter().map(Complex64::norm_sqr).sum();
    let largest = |measure: &dyn Fn(&Complex64) -> f64| {
        let most = mode.weights.iter().map(measure).fold(0.0, f64::max);
        // The first of those that are equal but for rounding.
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
