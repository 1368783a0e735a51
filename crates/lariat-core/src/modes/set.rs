//! Modes with the parts they belong to, extracted from a recording and able to move it again.
//!
//! [`extract`] goes from a [`Recording`] to a [`ModeSet`]: it chooses the Hilbert transformer,
//! analyses the motion, fits a pole to every mode, rebuilds the motion and measures its distance
//! from the recording.
//!
//! Tests: `modes_rebuild_their_recording`, `modes_have_the_frequency_of_the_motion`,
//! `a_loop_is_analysed_without_margins`, `rotating_a_mode_does_not_change_its_motion`,
//! `all_frequencies_are_positive`.

use std::f64::consts::TAU;
use std::ops::{ControlFlow, RangeInclusive};

use num_complex::Complex64;
use thiserror::Error;

use crate::motion::FrameRate;
use crate::num::{MAX_VALUE, complex, is_in_range};

use super::cpca::{AnalysisError, Component, analyse};
use super::field::displacement;
use super::hilbert::{Hilbert, half_length_for};
use super::pole::Pole;
use super::recording::{Part, Recording, RecordingError, check_parts, within_reach};

pub use super::cpca::ModeCount;

/// One mode of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// `W`: weights for `x`, `y` and `z` of every point, of norm 1.
    pub weights: Vec<Complex64>,
    /// Frequency and decay.
    pub pole: Pole,
    /// Singular value.
    pub sigma: f64,
    /// Share of the motion's energy that the mode explains, 0–1.
    pub share: f64,
    /// Relative error of the motion rebuilt from this mode and all before it.
    pub residual: f64,
    /// Rotation from the phase that the analysis chooses, in radians.
    pub gauge: f64,
    /// `c`: recorded coefficients in metres, one per frame inside the margins.
    pub coefficients: Vec<Complex64>,
}

impl Mode {
    /// The mode with its weights rotated by `angle` and its coefficients by `-angle`. The motion is
    /// the same, unless slosh is applied.
    #[must_use]
    pub fn turned(&self, angle: f64) -> Self {
        let turn = complex::cis(angle);
        Self {
            weights: self.weights.iter().map(|w| w * turn).collect(),
            coefficients: self.coefficients.iter().map(|c| c * turn.conj()).collect(),
            gauge: self.gauge + angle,
            ..self.clone()
        }
    }

    /// The complex conjugate of the mode: the same motion with the opposite frequency.
    /// Transformers leave a small part of every oscillation at negative frequency.
    fn conjugate(self) -> Self {
        Self {
            weights: self.weights.iter().map(Complex64::conj).collect(),
            coefficients: self.coefficients.iter().map(Complex64::conj).collect(),
            pole: Pole { hertz: -self.pole.hertz, ..self.pole },
            ..self
        }
    }
}

/// Recording that modes were extracted from, and their error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Origin {
    /// Frame rate of the recording.
    pub rate: FrameRate,
    /// Frame of the first coefficient.
    pub first: i64,
    /// Frames dropped at each end of the recording: `K`.
    pub margin: usize,
    /// Whether the motion was analysed as a loop.
    pub periodic: bool,
    /// Root mean square distance of points between the recording and the motion rebuilt from all
    /// modes, in metres.
    pub rms: f64,
    /// Largest such distance of any point at any frame, in metres.
    pub worst: f64,
}

/// Modes of a recording, with everything needed to move its bodies.
///
/// Fields are private because every mode has a weight for every coordinate, all coefficient lists
/// have the same length, and all numbers are finite.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeSet {
    origin: Origin,
    parts: Vec<Part>,
    mean: Vec<f64>,
    modes: Vec<Mode>,
}

/// Error of [`ModeSet::new`].
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ModeSetError {
    /// Invalid parts.
    #[error(transparent)]
    Parts(#[from] RecordingError),
    /// A list of the wrong length.
    #[error("{what} has {given} numbers; expected {needed}")]
    WrongLength {
        /// Name of the list: `the mean pose`, `weights of mode 2`.
        what: String,
        /// Length of the list.
        given: usize,
        /// Expected length.
        needed: usize,
    },
    /// NaN, infinity, or a number beyond [`MAX_VALUE`].
    #[error("number {at} of {what} is {value:e}; expected a finite number up to {MAX_VALUE:e}")]
    OutOfRange {
        /// Name of the list: `the mean pose`, `weights of mode 2`.
        what: String,
        /// Index in the list.
        at: usize,
        /// The value found.
        value: f64,
    },
}

impl ModeSet {
    /// Checks and stores a set. The mean pose and every mode's weights have `x`, `y`, `z` per
    /// point.
    pub fn new(
        origin: Origin,
        parts: Vec<Part>,
        mean: Vec<f64>,
        modes: Vec<Mode>,
    ) -> Result<Self, ModeSetError> {
        let width = 3 * check_parts(&parts)?;
        within_reach(origin.first)?;
        fits("the mean pose", mean.len(), width)?;
        all_in_range("the mean pose", mean.iter().copied())?;
        all_in_range("the errors", [origin.rms, origin.worst])?;
        let frames = modes.first().map_or(0, |mode| mode.coefficients.len());
        for (k, mode) in modes.iter().enumerate() {
            let Mode { weights, pole, sigma, share, residual, gauge, coefficients } = mode;
            let name = |what: &str| format!("{what} of mode {}", k + 1);
            fits(&name("`weights`"), weights.len(), width)?;
            fits(&name("`course`"), coefficients.len(), frames)?;
            all_in_range(&name("`weights`"), weights.iter().flat_map(|w| [w.re, w.im]))?;
            all_in_range(&name("`course`"), coefficients.iter().flat_map(|c| [c.re, c.im]))?;
            let numbers = [pole.hertz, pole.decay, *sigma, *share, *residual, *gauge];
            all_in_range(&name("a property"), numbers)?;
        }
        Ok(Self { origin, parts, mean, modes })
    }

    /// Recording that the modes were extracted from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Parts that the coordinates belong to.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Indices of the parts that a name selects, rising: the part of that name, or else the parts
    /// whose names begin with it followed by `/`.
    pub fn named(&self, name: &str) -> Vec<usize> {
        if let Some(whole) = self.parts.iter().position(|part| part.name == name) {
            return vec![whole];
        }
        let begins =
            |part: &Part| part.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
        (0..self.parts.len()).filter(|at| begins(&self.parts[*at])).collect()
    }

    /// Mean pose: `x`, `y`, `z` of every point, in metres.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Modes in order of falling energy.
    pub fn modes(&self) -> &[Mode] {
        &self.modes
    }

    /// Number of coefficients per mode.
    pub fn frames(&self) -> usize {
        self.modes.first().map_or(0, |mode| mode.coefficients.len())
    }

    /// Replaces `out` with the pose of the modes driven by `drives`: the mean plus
    /// `Re W Re x − slosh Im W Im x` over all modes that have a drive.
    pub fn pose_into(&self, slosh: f64, drives: &[Complex64], out: &mut Vec<f64>) {
        out.clear();
        out.extend_from_slice(&self.mean);
        for (mode, &x) in self.modes.iter().zip(drives) {
            for (out, &weight) in out.iter_mut().zip(&mode.weights) {
                *out += displacement(weight, slosh, x);
            }
        }
    }

    /// Recorded coefficients at index `at`, one per mode.
    ///
    /// # Panics
    /// If `at` is not below [`frames`](Self::frames).
    pub fn recorded(&self, at: usize) -> Vec<Complex64> {
        self.modes.iter().map(|mode| mode.coefficients[at]).collect()
    }
}

fn fits(what: &str, given: usize, needed: usize) -> Result<(), ModeSetError> {
    if given == needed {
        return Ok(());
    }
    Err(ModeSetError::WrongLength { what: what.to_owned(), given, needed })
}

fn all_in_range(what: &str, numbers: impl IntoIterator<Item = f64>) -> Result<(), ModeSetError> {
    match numbers.into_iter().enumerate().find(|(_, x)| !is_in_range(*x)) {
        Some((at, value)) => Err(ModeSetError::OutOfRange { what: what.to_owned(), at, value }),
        None => Ok(()),
    }
}

/// Options of [`extract`].
#[derive(Clone, Debug, PartialEq)]
pub struct ExtractOptions {
    /// Number of modes.
    pub mode_count: ModeCount,
    /// Lowest frequency of interest in hertz. A lower one drops more frames at both ends; `None`
    /// drops a quarter of the frames at each end.
    pub lowest: Option<f64>,
    /// Whether the motion is a loop, which drops no frames. A last frame that repeats the first is
    /// left out.
    pub periodic: bool,
    /// Range of frames to analyse; `None` for all.
    pub frames: Option<RangeInclusive<i64>>,
}

impl Default for ExtractOptions {
    /// Modes for 99 % of the motion, over all frames.
    fn default() -> Self {
        Self { mode_count: ModeCount::Share(0.99), lowest: None, periodic: false, frames: None }
    }
}

/// Error of [`extract`].
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ExtractError {
    /// Frames outside the recording.
    #[error("frames {}–{} were requested, but the recording has {first}–{last}", wanted.start(), wanted.end())]
    NotRecorded {
        /// Requested frames.
        wanted: RangeInclusive<i64>,
        /// First recorded frame.
        first: i64,
        /// Last recorded frame.
        last: i64,
    },
    /// A frequency that is not positive, or not below half the frame rate.
    #[error(
        "invalid lowest frequency {hertz} Hz at {rate} frames per second; expected a number above \
         0 and below {}", rate.per_second() / 2.0
    )]
    BadFrequency {
        /// Frequency as given.
        hertz: f64,
        /// Frame rate of the recording.
        rate: FrameRate,
    },
    /// Nothing moves.
    #[error("nothing moves in frames {first}–{last}, so there are no modes")]
    Still {
        /// First frame analysed.
        first: i64,
        /// Last frame analysed.
        last: i64,
    },
    /// The analysis failed.
    #[error(transparent)]
    Motion(#[from] AnalysisError),
}

/// Extracts the modes of a recording. `watch` receives the progress from 0 to 1 and may stop it.
pub fn extract(
    recording: &Recording,
    options: &ExtractOptions,
    watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<ModeSet, ExtractError> {
    let (rate, width) = (recording.rate(), recording.width());
    let (first, rows) = selected_rows(recording, options)?;
    let frames = rows.len() / width;
    let last = first + frames as i64 - 1;
    let hilbert = transformer(options, frames, rate)?;
    let analysis =
        analyse(rows, width, &hilbert, options.mode_count, &mut |done| watch(0.95 * done))?;
    if analysis.modes.is_empty() {
        return Err(ExtractError::Still { first, last });
    }
    let modes = analysis.modes.into_iter().map(|mode| {
        let Component { weights, coefficients, sigma, share, residual } = mode;
        // Three or more different coefficients always have a pole.
        let pole =
            Pole::fit(&coefficients, rate.per_second()).unwrap_or(Pole { hertz: 0.0, decay: 0.0 });
        let mode = Mode { weights, pole, sigma, share, residual, gauge: 0.0, coefficients };
        if mode.pole.hertz < 0.0 { mode.conjugate() } else { mode }
    });
    let origin = Origin {
        rate,
        first: first + hilbert.margin() as i64,
        margin: hilbert.margin(),
        periodic: options.periodic,
        rms: 0.0,
        worst: 0.0,
    };
    let parts = recording.parts().to_vec();
    let mut set = ModeSet { origin, parts, mean: analysis.mean, modes: modes.collect() };
    let kept = &rows[hilbert.margin() * width..][..hilbert.kept(frames) * width];
    (set.origin.rms, set.origin.worst) = distance(&set, kept, width, watch)?;
    Ok(set)
}

/// Rows to analyse, with the frame of the first.
fn selected_rows<'a>(
    recording: &'a Recording,
    options: &ExtractOptions,
) -> Result<(i64, &'a [f64]), ExtractError> {
    let (first, last, width) = (recording.first(), recording.last(), recording.width());
    let wanted = options.frames.clone().unwrap_or(first..=last);
    let (from, to) = (*wanted.start(), *wanted.end());
    if from < first || to > last || from > to {
        return Err(ExtractError::NotRecorded { wanted, first, last });
    }
    let rows =
        &recording.rows()[(from - first) as usize * width..][..(to - from + 1) as usize * width];
    let repeats = rows.len() > width && rows[..width] == rows[rows.len() - width..];
    let end = if options.periodic && repeats { rows.len() - width } else { rows.len() };
    Ok((from, &rows[..end]))
}

fn transformer(
    options: &ExtractOptions,
    frames: usize,
    rate: FrameRate,
) -> Result<Hilbert, ExtractError> {
    if let Some(hertz) = options.lowest
        && !(hertz > 0.0 && hertz < rate.per_second() / 2.0)
    {
        return Err(ExtractError::BadFrequency { hertz, rate });
    }
    Ok(match options.lowest {
        _ if options.periodic => Hilbert::periodic(frames),
        None => Hilbert::filter(((frames / 4).max(2) - 1) | 1),
        Some(hertz) => {
            // A filter longer than the recording is refused here, before its taps are allocated.
            let margin = half_length_for(TAU * hertz / rate.per_second());
            if 2 * margin + 3 > frames {
                let needed = 2 * margin + 3;
                return Err(AnalysisError::TooShort { frames, margin, needed }.into());
            }
            Hilbert::filter(margin)
        }
    })
}

/// Distances of points between `rows` and the rebuilt motion: root mean square, and largest.
fn distance(
    set: &ModeSet,
    rows: &[f64],
    width: usize,
    watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<(f64, f64), AnalysisError> {
    let (mut sum, mut worst) = (0.0, 0.0_f64);
    let mut pose = Vec::new();
    let frames = rows.len() / width;
    for (at, row) in rows.chunks_exact(width).enumerate() {
        if watch(0.95 + 0.05 * at as f64 / frames as f64).is_break() {
            return Err(AnalysisError::Stopped);
        }
        set.pose_into(1.0, &set.recorded(at), &mut pose);
        for (point, rebuilt) in row.chunks_exact(3).zip(pose.chunks_exact(3)) {
            let squared: f64 = point.iter().zip(rebuilt).map(|(a, b)| (a - b) * (a - b)).sum();
            sum += squared;
            worst = worst.max(squared);
        }
    }
    Ok(((sum / (rows.len() / 3) as f64).sqrt(), worst.sqrt()))
}

#[cfg(test)]
mod tests;
