//! Recorded motion comes in: one file per format, each with the same `read`.
//!
//! ```text
//! csv.rs     rows of points: our own export, and simple caches of others
//! usda/      USD as text: curves and meshes whose points have time samples
//! ```
//!
//! One of our own takes needs no file:
//! [`Recording::from_footage`](lariat_core::modes::Recording::from_footage).

pub mod csv;
pub mod usda;

use lariat_core::modes::RecordingError;
use lariat_core::motion::FrameRate;

/// What is taken from a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// How fast the frames pass. Without one: what the file says, or else 24 a second.
    pub rate: Option<FrameRate>,
    /// Names of the parts to take: whole (`rein/rope`) or their beginning (`rein`); all if empty.
    pub only: Vec<String>,
}

impl ReadOptions {
    /// Whether a part of that name is to be taken.
    pub fn includes(&self, name: &str) -> bool {
        let begins = |only: &String| {
            name.strip_prefix(only.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.only.is_empty() || self.only.iter().any(begins)
    }
}

/// Why a file is no recording. Lines count from 1.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum ReadError {
    /// Bytes that are no text.
    #[error("line {line}: this is not text (UTF-8): save the file as plain text")]
    NotText {
        /// The first line that cannot be read.
        line: usize,
    },
    /// USD that is not text.
    #[error(
        "this is a {kind} USD file, and only text can be read: write it as text with `usdcat -o \
         x.usda x.{extension}`"
    )]
    Binary {
        /// `binary` or `packed`.
        kind: &'static str,
        /// `usdc` or `usdz`.
        extension: &'static str,
    },
    /// Something else than what should be there.
    #[error("line {line}: here should be {expected}, but there is {found}")]
    Unexpected {
        /// Where it is.
        line: usize,
        /// What would fit.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A file that goes deeper than anything sensible.
    #[error("line {line}: it is nested deeper than {most} levels: flatten the file first")]
    TooDeep {
        /// Where it is.
        line: usize,
        /// How deep it may be.
        most: usize,
    },
    /// A table without a column it needs.
    #[error("the header has no column `{column}`: it has {}, and needs frame, point, x, y, z", header.join(", "))]
    NoColumn {
        /// The column.
        column: &'static str,
        /// The columns there are.
        header: Vec<String>,
    },
    /// A column that is there twice.
    #[error("the header has two columns for the {column}, `{first}` and `{second}`: leave one out")]
    TwoColumns {
        /// What they are.
        column: &'static str,
        /// One of them.
        first: String,
        /// The other.
        second: String,
    },
    /// A row that is too long or too short.
    #[error("line {line} has {given} fields, but the header has {needed}")]
    WrongFields {
        /// Where it is.
        line: usize,
        /// Fields of the header.
        needed: usize,
        /// Fields of the row.
        given: usize,
    },
    /// A point that is there twice at one frame.
    #[error("line {line}: point {point} of `{part}` is at frame {frame} for the second time")]
    Twice {
        /// The later of the two.
        line: usize,
        /// The part.
        part: String,
        /// The point.
        point: usize,
        /// The frame.
        frame: i64,
    },
    /// A point that is not there at some frame.
    #[error(
        "point {point} of `{part}` is missing at frame {frame}: every point must be there at \
         every frame from {first} to {last}"
    )]
    Missing {
        /// The part.
        part: String,
        /// The point.
        point: usize,
        /// The frame.
        frame: i64,
        /// The first frame of the file.
        first: i64,
        /// The last.
        last: i64,
    },
    /// A prim that cannot be taken as it is.
    #[error("line {line}: `{prim}` {what}: {way_out}")]
    Prim {
        /// Where it is.
        line: usize,
        /// Its path.
        prim: String,
        /// What is the matter.
        what: String,
        /// What to do about it.
        way_out: &'static str,
    },
    /// More frames than make sense.
    #[error(
        "samples reach from frame {first} to {last}, more than {most} frames: cut the file down"
    )]
    TooManyFrames {
        /// The first.
        first: i64,
        /// The last.
        last: i64,
        /// How many there may be.
        most: i64,
    },
    /// More numbers than fit into memory.
    #[error(
        "{points} points at {frames} frames are {numbers} numbers, more than {MAX_VALUES}: take \
         fewer parts, or cut the file down"
    )]
    TooManyNumbers {
        /// Points of all parts.
        points: usize,
        /// Frames.
        frames: usize,
        /// Three for every point at every frame.
        numbers: usize,
    },
    /// Nothing to take.
    #[error("there is nothing to take: {why}")]
    Nothing {
        /// What was looked for.
        why: String,
    },
    /// Points that are no recording.
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

/// Frames a file may span: more than an hour at 24 a second. One stray sample far away would
/// otherwise fill all memory.
const MOST_FRAMES: i64 = 100_000;

/// Numbers that a recording may have: 2 GB of them.
pub const MAX_VALUES: usize = 250_000_000;

/// How many numbers so many points have at so many frames, unless that is too many.
fn numbers(points: usize, frames: usize) -> Result<usize, ReadError> {
    let numbers = points.saturating_mul(frames).saturating_mul(3);
    if numbers > MAX_VALUES {
        return Err(ReadError::TooManyNumbers { points, frames, numbers });
    }
    Ok(numbers)
}

/// The line that a byte is in.
fn line_at(bytes: &[u8], at: usize) -> usize {
    bytes[..at].split(|&byte| byte == b'\n').count()
}

/// The text of a file, without the mark that some programs put first.
fn text_of(bytes: &[u8]) -> Result<&str, ReadError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| ReadError::NotText { line: line_at(bytes, error.valid_up_to()) })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// What there would have been, for a message about nothing.
fn nothing(options: &ReadOptions, found: &[String], what: &str) -> ReadError {
    let why = if found.is_empty() {
        format!("the file has no {what}")
    } else {
        format!("no part is called {}; there are {}", options.only.join(" or "), found.join(", "))
    };
    ReadError::Nothing { why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_wanted_by_whole_names_or_their_beginnings() {
        let options = ReadOptions { only: vec!["rein".into(), "tail/rope".into()], rate: None };
        for (name, wanted) in [
            ("rein", true),
            ("rein/rope", true),
            ("reindeer", false),
            ("tail/rope", true),
            ("tail", false),
            ("tail/rope-2", false),
        ] {
            assert_eq!(options.includes(name), wanted, "{name}");
        }
        assert!(ReadOptions::default().includes("anything"));
    }

    #[test]
    fn numbers_are_bounded() {
        assert_eq!(numbers(1, MAX_VALUES / 3), Ok(MAX_VALUES - 1));
        assert!(numbers(MAX_VALUES, 1).is_err());
        assert_eq!(
            numbers(10_000, 100_000).unwrap_err().to_string(),
            "10000 points at 100000 frames are 3000000000 numbers, more than 250000000: take fewer \
             parts, or cut the file down"
        );
        assert!(numbers(usize::MAX, 2).is_err(), "the product is beyond counting");
    }

    #[test]
    fn what_is_no_text_is_found() {
        assert_eq!(text_of(b"a\nb\xff\n"), Err(ReadError::NotText { line: 2 }));
        assert_eq!(text_of("\u{feff}a".as_bytes()), Ok("a"));
    }
}
