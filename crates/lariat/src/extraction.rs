//! Modes of recorded motion: a recording of bodies or of a file, its modes, and notes about them.
//!
//! The command line and the studio both extract with [`extract`], so they find the same modes.
//!
//! Tests: `extensions_determine_the_kind`, `a_recording_that_is_too_large_is_refused`;
//! `crates/lariat-cli/tests/command/modes.rs`, `crates/lariat-studio/tests/studio/modes.rs`.

use std::{
    f64::consts::LN_2,
    fmt,
    ops::{ControlFlow, RangeInclusive},
    path::Path,
};

use lariat_core::{
    geometry::Footage,
    modes::{
        ExtractError, ExtractOptions, Mode, ModeCount, ModeSet, Recording, RecordingError, Residual,
    },
    motion::FrameRate,
};
use lariat_import::recording::{self, MAX_VALUES, ReadError, ReadOptions};

use crate::modes_document::{count, metres};

/// Progress callback: share done, 0–1; breaks to cancel.
pub type Watch<'w> = &'w mut dyn FnMut(f64) -> ControlFlow<()>;

/// Kind of a file that motion is extracted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionFile {
    /// A .lariat document.
    Document,
    /// Text USD.
    Usd,
    /// CSV with one row per point.
    Csv,
    /// A file of modes.
    Modes,
}

impl MotionFile {
    /// Kind by extension.
    pub fn of(path: &Path) -> Self {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_lowercase();
        match ending.as_str() {
            // The reader explains how to convert binary files.
            "usda" | "usd" | "usdc" | "usdz" => Self::Usd,
            "csv" => Self::Csv,
            "modes" => Self::Modes,
            _ => Self::Document,
        }
    }

    /// Reads a point cache; any kind but CSV is read as text USD.
    pub fn read(self, bytes: &[u8], options: &ReadOptions) -> Result<Recording, ReadError> {
        match self {
            Self::Csv => recording::csv::read(bytes, options),
            _ => recording::usda::read(bytes, options),
        }
    }
}

/// Error of [`record`].
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum RecordError {
    /// The bodies cannot be recorded, or it was stopped.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// More numbers than the limit.
    #[error(
        "{points} points at {frames} frames are {numbers} numbers, more than {MAX_VALUES}; select \
         fewer frames or bodies"
    )]
    TooLarge {
        /// Points of all bodies.
        points: usize,
        /// Number of frames.
        frames: usize,
        /// Three per point and frame.
        numbers: usize,
    },
}

/// Records bodies at whole frames. Its size is known after the first frame, so a recording that is too
/// large is refused at once.
pub fn record(
    footage: &dyn Footage,
    rate: FrameRate,
    frames: RangeInclusive<i64>,
    watch: Watch<'_>,
) -> Result<Recording, RecordError> {
    let first = *frames.start();
    let one = Recording::from_footage(footage, rate, first..=first)?;
    let count = usize::try_from(frames.end() - first + 1).unwrap_or(0);
    check_size(one.width() / 3, count)?;
    Ok(Recording::from_footage_with_progress(footage, rate, frames, watch)?)
}

fn check_size(points: usize, frames: usize) -> Result<(), RecordError> {
    let numbers = points.saturating_mul(3).saturating_mul(frames);
    if numbers > MAX_VALUES {
        return Err(RecordError::TooLarge { points, frames, numbers });
    }
    Ok(())
}

/// Modes of a recording, and their quality.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// The modes.
    pub set: ModeSet,
    /// Distance from the recording after each mode together with all before it.
    pub residuals: Vec<Residual>,
    /// Reasons to doubt the modes.
    pub notes: Vec<Note>,
}

/// Extracts the modes of a recording.
pub fn extract(
    recording: &Recording,
    options: &ExtractOptions,
    watch: Watch<'_>,
) -> Result<Extracted, ExtractError> {
    let set = lariat_core::modes::extract(recording, options, watch)?;
    let residuals = set.residual_after_each_mode(recording).unwrap_or_default();
    let open = options.periodic.then(|| open_loop(recording, options.frames.as_ref())).flatten();
    let notes = [open, too_few(&set, options.mode_count), too_short(&set)];
    Ok(Extracted { set, residuals, notes: notes.into_iter().flatten().collect() })
}

/// A reason to doubt the modes of a recording.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// The motion is declared a loop but does not close.
    OpenLoop {
        /// The last frame of the loop and the first.
        frames: [i64; 2],
        /// RMS step from the last frame to the first, in metres.
        gap: f64,
        /// RMS step of other frames on average, in metres.
        usual: f64,
        /// Largest RMS step of other frames, in metres.
        largest: f64,
    },
    /// Fewer modes than requested.
    TooFew {
        /// Number of modes.
        found: usize,
        /// Requested number.
        requested: usize,
        /// Number of points.
        points: usize,
        /// Number of frames.
        frames: usize,
        /// Whether so many points and frames have no more.
        is_all: bool,
    },
    /// So few frames that slow modes are uncertain.
    TooShort {
        /// Number of frames.
        frames: usize,
        /// Frequency below which modes are uncertain.
        hertz: f64,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OpenLoop { frames: [last, first], gap, usual, largest } => write!(
                f,
                "the loop does not close: the step from frame {last} back to frame {first} is {} \
                 RMS, other steps are {} on average and {} at most",
                metres(*gap),
                metres(*usual),
                metres(*largest)
            ),
            Self::TooFew { found, requested, points, frames, is_all } => {
                let seen = format!("{} over {}", count(*points, "point"), count(*frames, "frame"));
                let found = count(*found, "mode");
                match is_all {
                    true => write!(f, "found only {found} of {requested}: {seen} have no more"),
                    false => write!(
                        f,
                        "found only {found} of {requested}: the rest of {seen} is rounding error"
                    ),
                }
            }
            Self::TooShort { frames, hertz } => write!(
                f,
                "the recording is short, {} after discarding margins: frequencies below {hertz:.1} \
                 Hz and their half-lives are uncertain; record more frames",
                count(*frames, "frame"),
            ),
        }
    }
}

/// Seconds above which a half-life counts as infinite.
const UNDAMPED: f64 = 1000.0;

/// Half-life of a mode in words: `0.850 s`, `undamped`, `grows`.
pub fn half_life(mode: &Mode) -> String {
    let half = LN_2 / mode.pole.decay;
    if half.abs() >= UNDAMPED {
        "undamped".to_owned()
    } else if half < 0.0 {
        "grows".to_owned()
    } else {
        format!("{half:.3} s")
    }
}

/// Distance from the last frame to the first, relative to the largest step, above which a motion is
/// not a loop. Smaller: loops with few frames are reported. Larger: half a swing passes for a loop.
const JUMP: f64 = 1.5;

fn open_loop(recording: &Recording, frames: Option<&RangeInclusive<i64>>) -> Option<Note> {
    let (from, to) =
        frames.map_or((recording.first(), recording.last()), |f| (*f.start(), *f.end()));
    let width = recording.width();
    let row =
        |frame: i64| &recording.rows()[(frame - recording.first()) as usize * width..][..width];
    let apart = |a: i64, b: i64| {
        let sum: f64 = row(a).iter().zip(row(b)).map(|(a, b)| (a - b) * (a - b)).sum();
        (3.0 * sum / width as f64).sqrt()
    };
    // A last frame that repeats the first is not part of the loop.
    let to = if to > from && row(from) == row(to) { to - 1 } else { to };
    let steps: Vec<f64> = (from..to).map(|frame| apart(frame, frame + 1)).collect();
    let largest = steps.iter().copied().fold(0.0, f64::max);
    let usual = steps.iter().sum::<f64>() / steps.len().max(1) as f64;
    let gap = apart(to, from);
    (gap > JUMP * largest).then_some(Note::OpenLoop { frames: [to, from], gap, usual, largest })
}

/// Number of frames below which modes are uncertain: half a second of film. Fewer: hardly any swing
/// is complete. More: short loops are reported.
const FEW_FRAMES: usize = 12;

fn too_short(set: &ModeSet) -> Option<Note> {
    let frames = set.frames();
    let hertz = set.origin().rate.per_second() / frames.max(1) as f64;
    (frames < FEW_FRAMES).then_some(Note::TooShort { frames, hertz })
}

fn too_few(set: &ModeSet, requested: ModeCount) -> Option<Note> {
    let ModeCount::Count(requested) = requested else { return None };
    let (found, width, frames) = (set.modes().len(), set.mean().len(), set.frames());
    let is_all = found >= width.min(frames);
    let points = width / 3;
    (found < requested).then_some(Note::TooFew { found, requested, points, frames, is_all })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_determine_the_kind() {
        let kind = |name: &str| MotionFile::of(Path::new(name));
        assert_eq!(kind("a.usda"), MotionFile::Usd);
        assert_eq!(kind("a.USDC"), MotionFile::Usd);
        assert_eq!(kind("cache.csv"), MotionFile::Csv);
        assert_eq!(kind("a.modes"), MotionFile::Modes);
        assert_eq!(kind("museum:kass-06-tail"), MotionFile::Document);
        assert_eq!(kind("-"), MotionFile::Document);
    }

    #[test]
    fn a_recording_that_is_too_large_is_refused() {
        assert_eq!(check_size(MAX_VALUES / 3, 1), Ok(()));
        let error = check_size(10_000, 100_000).unwrap_err().to_string();
        assert!(error.starts_with("10000 points at 100000 frames are 3000000000 numbers"));
        assert!(check_size(usize::MAX, 2).is_err(), "the product overflows");
    }
}
