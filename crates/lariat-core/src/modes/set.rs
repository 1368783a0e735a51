//! Modes with the body they belong to: what a recording is boiled down to, and what moves again.
//!
//! [`extract`] is the whole way from a [`Recording`] to a [`ModeSet`]: it chooses the Hilbert
//! transformer, takes the motion apart, fits a pole to every mode, puts the motion together again
//! and measures how far that is from the recording.
//!
//! Tests: `a_recording_comes_back_from_its_modes`, `modes_know_their_hertz`,
//! `a_loop_is_taken_apart_whole`, `a_turned_mode_moves_alike`, `no_mode_turns_backwards`.

use std::f64::consts::TAU;
use std::ops::{ControlFlow, RangeInclusive};

use num_complex::Complex64;
use thiserror::Error;

use crate::motion::FrameRate;
use crate::num::complex;

use super::cpca::{AnalysisError, Component, analyse};
use super::field::displacement;
use super::hilbert::{Hilbert, half_length_for};
use super::pole::Pole;
use super::recording::{Part, Recording, RecordingError, check_parts, within_reach};

pub use super::cpca::ModeCount;

/// One mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// `W`: one weight for `x`, `y` and `z` of every point; the sum of their squared sizes is 1.
    pub weights: Vec<Complex64>,
    /// How fast it swings and dies away.
    pub pole: Pole,
    /// Its singular value.
    pub sigma: f64,
    /// The share of the motion that it explains, 0–1.
    pub share: f64,
    /// What is missing with this mode and all before it, as a share of the motion's size.
    pub residual: f64,
    /// How far it was turned from the phase that the analysis chooses, in radians.
    pub gauge: f64,
    /// `c`: the recorded coefficients, in metres, one per kept frame.
    pub coefficients: Vec<Complex64>,
}

impl Mode {
    /// The same mode with weights turned forward and coefficients back: it moves alike, unless
    /// it is made stiff or sloshy.
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

    /// The same mode with weights and coefficients mirrored: it moves alike, and what turned
    /// backwards turns forwards. Transformers leave a little of every swing turning backwards.
    fn forwards(self) -> Self {
        Self {
            weights: self.weights.iter().map(Complex64::conj).collect(),
            coefficients: self.coefficients.iter().map(Complex64::conj).collect(),
            pole: Pole { hertz: -self.pole.hertz, ..self.pole },
            ..self
        }
    }
}

/// Where modes come from, and how good they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Origin {
    /// How fast the frames of the recording pass.
    pub rate: FrameRate,
    /// The frame of the first coefficient.
    pub first: i64,
    /// Frames that were spent at each end of the recording: `K`.
    pub margin: usize,
    /// Whether the motion was taken for a loop.
    pub periodic: bool,
    /// How far a point is from the recording when it is rebuilt from all modes, in metres: the
    /// root of the mean square.
    pub rms: f64,
    /// The same, of the worst point at the worst frame.
    pub worst: f64,
}

/// The modes of a recording, with everything needed to move its bodies again.
///
/// Every mode has a weight for every coordinate and all courses are equally long and finite, which
/// is why the fields are private.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeSet {
    origin: Origin,
    parts: Vec<Part>,
    mean: Vec<f64>,
    modes: Vec<Mode>,
}

/// Why numbers are no modes of a body.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ModeSetError {
    /// Parts that are no parts.
    #[error(transparent)]
    Parts(#[from] RecordingError),
    /// More or fewer numbers than there are coordinates or frames.
    #[error("{what} has {given} numbers, but it takes {needed}")]
    WrongLength {
        /// `the mean pose`, `the weights of mode 2`.
        what: String,
        /// How many there are.
        given: usize,
        /// How many it takes.
        needed: usize,
    },
    /// NaN or infinity.
    #[error("number {at} of {what} is {value}: modes have only finite numbers")]
    NotFinite {
        /// `the mean pose`, `the weights of mode 2`.
        what: String,
        /// Which of them, from 0.
        at: usize,
        /// What is there.
        value: f64,
    },
}

impl ModeSet {
    /// Of its parts: the mean pose and every mode's weights have `x`, `y` and `z` of every point.
    pub fn new(
        origin: Origin,
        parts: Vec<Part>,
        mean: Vec<f64>,
        modes: Vec<Mode>,
    ) -> Result<Self, ModeSetError> {
        let width = 3 * check_parts(&parts)?;
        within_reach(origin.first)?;
        fits("the mean pose", mean.len(), width)?;
        all_finite("the mean pose", mean.iter().copied())?;
        all_finite("the errors", [origin.rms, origin.worst])?;
        let frames = modes.first().map_or(0, |mode| mode.coefficients.len());
        for (k, mode) in modes.iter().enumerate() {
            let Mode { weights, pole, sigma, share, residual, gauge, coefficients } = mode;
            let name = |what: &str| format!("{what} of mode {}", k + 1);
            fits(&name("the weights"), weights.len(), width)?;
            fits(&name("the course"), coefficients.len(), frames)?;
            all_finite(&name("the weights"), weights.iter().flat_map(|w| [w.re, w.im]))?;
            all_finite(&name("the course"), coefficients.iter().flat_map(|c| [c.re, c.im]))?;
            let numbers = [pole.hertz, pole.decay, *sigma, *share, *residual, *gauge];
            all_finite(&name("the facts"), numbers)?;
        }
        Ok(Self { origin, parts, mean, modes })
    }

    /// Where the modes come from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Whose points the coordinates are.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Which parts are meant by a name, rising: the one that is called so, or else those whose
    /// names begin with it up to a `/`.
    pub fn named(&self, name: &str) -> Vec<usize> {
        if let Some(whole) = self.parts.iter().position(|part| part.name == name) {
            return vec![whole];
        }
        let begins =
            |part: &Part| part.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
        (0..self.parts.len()).filter(|at| begins(&self.parts[*at])).collect()
    }

    /// The mean pose: `x`, `y`, `z` of every point, in metres.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// The modes, most important first.
    pub fn modes(&self) -> &[Mode] {
        &self.modes
    }

    /// How many coefficients every mode has.
    pub fn frames(&self) -> usize {
        self.modes.first().map_or(0, |mode| mode.coefficients.len())
    }

    /// Replaces `out` with the pose that the modes make, each driven by its own number:
    /// the mean plus `Re W Re x − slosh Im W Im x` over all modes that have a drive.
    pub fn pose_into(&self, slosh: f64, drives: &[Complex64], out: &mut Vec<f64>) {
        out.clear();
        out.extend_from_slice(&self.mean);
        for (mode, &x) in self.modes.iter().zip(drives) {
            for (out, &weight) in out.iter_mut().zip(&mode.weights) {
                *out += displacement(weight, slosh, x);
            }
        }
    }

    /// The recorded coefficients at the `at`-th kept frame, one per mode.
    ///
    /// # Panics
    /// If there are not as many [frames](Self::frames).
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

fn all_finite(what: &str, numbers: impl IntoIterator<Item = f64>) -> Result<(), ModeSetError> {
    match numbers.into_iter().enumerate().find(|(_, x)| !x.is_finite()) {
        Some((at, value)) => Err(ModeSetError::NotFinite { what: what.to_owned(), at, value }),
        None => Ok(()),
    }
}

/// What to look for in a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtractOptions {
    /// How many modes.
    pub mode_count: ModeCount,
    /// The slowest swing of interest in hertz. The slower, the more frames are spent at both ends;
    /// without one, a quarter of the frames is spent at each.
    pub lowest: Option<f64>,
    /// The motion is a loop: the last frame is followed by the first, and none is spent. A last
    /// frame that repeats the first is left out.
    pub periodic: bool,
    /// Which frames of the recording; all without.
    pub frames: Option<RangeInclusive<i64>>,
}

impl Default for ExtractOptions {
    /// Modes for 99 % of the motion, over all frames.
    fn default() -> Self {
        Self { mode_count: ModeCount::Share(0.99), lowest: None, periodic: false, frames: None }
    }
}

/// Why there are no modes.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ExtractError {
    /// Frames that were not recorded.
    #[error("frames {}–{} were asked for, but the recording has {first}–{last}", wanted.start(), wanted.end())]
    NotRecorded {
        /// The frames asked for.
        wanted: RangeInclusive<i64>,
        /// The first there is.
        first: i64,
        /// The last there is.
        last: i64,
    },
    /// A frequency that frames cannot show.
    #[error(
        "{hertz} Hz cannot be the slowest swing at {rate} frames per second: give a number above \
         0 and below {}", rate.per_second() / 2.0
    )]
    BadFrequency {
        /// As given.
        hertz: f64,
        /// The rate of the recording.
        rate: FrameRate,
    },
    /// Nothing moves.
    #[error("nothing moves in frames {first}–{last}: there are no modes in it")]
    Still {
        /// The first frame looked at.
        first: i64,
        /// The last.
        last: i64,
    },
    /// The motion cannot be taken apart.
    #[error(transparent)]
    Motion(#[from] AnalysisError),
}

/// The modes of a recording. `watch` is told how far the work is, from 0 to 1, and may stop it.
pub fn extract(
    recording: &Recording,
    options: &ExtractOptions,
    watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<ModeSet, ExtractError> {
    let (rate, width) = (recording.rate(), recording.width());
    let (first, rows) = chosen(recording, options)?;
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
        // A course of three different numbers always has a pole.
        let pole =
            Pole::fit(&coefficients, rate.per_second()).unwrap_or(Pole { hertz: 0.0, decay: 0.0 });
        let mode = Mode { weights, pole, sigma, share, residual, gauge: 0.0, coefficients };
        if mode.pole.hertz < 0.0 { mode.forwards() } else { mode }
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

/// The rows that are looked at, and the frame of the first.
fn chosen<'a>(
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
            // One longer than the recording is refused with the length it takes; no more of it
            // need be made.
            let margin = half_length_for(TAU * hertz / rate.per_second());
            if 2 * margin + 3 > frames {
                let needed = 2 * margin + 3;
                return Err(AnalysisError::TooShort { frames, margin, needed }.into());
            }
            Hilbert::filter(margin)
        }
    })
}

/// How far points are from `rows` when they are rebuilt: root of the mean square, and the worst.
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
