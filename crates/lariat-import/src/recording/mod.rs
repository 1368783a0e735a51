//! Readers of recorded motion, one module per format with a common `read` function.
//!
//! ```text
//! csv.rs     our own CSV export, and simple point caches
//! usda/      USD as text: curves and meshes with time samples
//! ```
//!
//! A take is recorded without a file by
//! [`Recording::from_footage`](lariat_core::modes::Recording::from_footage).

pub mod csv;
pub mod usda;

use lariat_core::modes::RecordingError;
use lariat_core::motion::FrameRate;

/// Options of reading a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// Frame rate; by default that of the file, or 24 frames per second.
    pub rate: Option<FrameRate>,
    /// Parts to read, by name (`rein/rope`) or body (`rein`); all if empty.
    pub only: Vec<String>,
}

impl ReadOptions {
    /// Whether a part of that name is selected.
    pub fn includes(&self, name: &str) -> bool {
        let begins = |only: &String| {
            name.strip_prefix(only.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.only.is_empty() || self.only.iter().any(begins)
    }
}

/// Limit on the parts of a recording, or the prims of a file. A part takes some hundred bytes of memory,
/// and can take ten in its file.
pub const MAX_PARTS: usize = 1_000_000;

/// Error of reading a recording. Lines count from 1.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum ReadError {
    /// Bytes that are not UTF-8.
    #[error("line {line}: not valid UTF-8; save the file as plain text")]
    NotText {
        /// First line that is not UTF-8.
        line: usize,
    },
    /// A binary or zipped USD file.
    #[error(
        "{kind} USD is not supported; convert the file to text with `usdcat -o \
         x.usda x.{extension}`"
    )]
    Binary {
        /// `binary` or `zipped`.
        kind: &'static str,
        /// `usdc` or `usdz`.
        extension: &'static str,
    },
    /// A syntax error.
    #[error("line {line}: expected {expected}, found {found}")]
    Unexpected {
        /// Line number.
        line: usize,
        /// Expected content.
        expected: String,
        /// Content found.
        found: String,
    },
    /// Nesting beyond the limit.
    #[error("line {line}: nested deeper than {most} levels; flatten the file first")]
    TooDeep {
        /// Line number.
        line: usize,
        /// Limit on the depth.
        most: usize,
    },
    /// More parts than the limit.
    #[error("line {line}: the recording has more than {most} parts; export fewer objects")]
    TooManyParts {
        /// Line number.
        line: usize,
        /// The limit.
        most: usize,
    },
    /// A table without a required column.
    #[error("the header has no column `{column}`; it has {}, but frame, point, x, y, z are required", header.join(", "))]
    NoColumn {
        /// The column.
        column: &'static str,
        /// Columns found.
        header: Vec<String>,
    },
    /// Two columns with the same meaning.
    #[error("the header has two columns for the {column}, `{first}` and `{second}`; remove one")]
    TwoColumns {
        /// Meaning of the columns.
        column: &'static str,
        /// Name of the first.
        first: String,
        /// Name of the second.
        second: String,
    },
    /// A row with too many or too few fields.
    #[error("line {line} has {given} fields, but the header has {needed}")]
    WrongFields {
        /// Line number.
        line: usize,
        /// Fields of the header.
        needed: usize,
        /// Fields of the row.
        given: usize,
    },
    /// A point that occurs twice at one frame.
    #[error("line {line}: point {point} of `{part}` occurs twice at frame {frame}")]
    Twice {
        /// Line of the second occurrence.
        line: usize,
        /// The part.
        part: String,
        /// The point.
        point: usize,
        /// The frame.
        frame: i64,
    },
    /// A point that is missing at some frame.
    #[error(
        "point {point} of `{part}` is missing at frame {frame}; every point must occur at \
         every frame from {first} to {last}"
    )]
    Missing {
        /// The part.
        part: String,
        /// The point.
        point: usize,
        /// The frame.
        frame: i64,
        /// First frame of the file.
        first: i64,
        /// Last frame of the file.
        last: i64,
    },
    /// A prim that cannot be read.
    #[error("line {line}: `{prim}` {what}; {help}")]
    Prim {
        /// Line number.
        line: usize,
        /// Path of the prim.
        prim: String,
        /// Description of the problem.
        what: String,
        /// Remedy.
        help: &'static str,
    },
    /// More frames than the limit.
    #[error(
        "samples reach from frame {first} to {last}, more than the limit of {most} frames; trim the file"
    )]
    TooManyFrames {
        /// First frame.
        first: i64,
        /// Last frame.
        last: i64,
        /// Limit on the number of frames.
        most: i64,
    },
    /// More numbers than the limit.
    #[error(
        "{points} points at {frames} frames are {numbers} numbers, more than the limit of {MAX_VALUES}; select \
         fewer parts, or trim the file"
    )]
    TooManyNumbers {
        /// Points of all parts.
        points: usize,
        /// Number of frames.
        frames: usize,
        /// Three per point and frame.
        numbers: usize,
    },
    /// No parts to read.
    #[error("nothing to read: {why}")]
    Nothing {
        /// Reason.
        why: String,
    },
    /// Inconsistent parts or points.
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

/// Limit on the frames of a file: more than an hour at 24 frames per second. Otherwise one stray
/// sample far away would exhaust memory.
const MAX_FRAMES: i64 = 100_000;

/// Limit on the numbers of a recording: 2 GB.
pub const MAX_VALUES: usize = 250_000_000;

/// Numbers of `points` points at `frames` frames, checked against the limit.
fn numbers(points: usize, frames: usize) -> Result<usize, ReadError> {
    let numbers = points.saturating_mul(frames).saturating_mul(3);
    if numbers > MAX_VALUES {
        return Err(ReadError::TooManyNumbers { points, frames, numbers });
    }
    Ok(numbers)
}

/// Line number of a byte.
fn line_at(bytes: &[u8], at: usize) -> usize {
    bytes[..at].split(|&byte| byte == b'\n').count()
}

/// Text of a file, without a byte order mark.
fn text_of(bytes: &[u8]) -> Result<&str, ReadError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| ReadError::NotText { line: line_at(bytes, error.valid_up_to()) })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Error for a selection without parts.
fn nothing(options: &ReadOptions, found: &[String], what: &str) -> ReadError {
    let why = if found.is_empty() {
        format!("the file has no {what}")
    } else {
        format!("no part is named {}; parts: {}", options.only.join(" or "), found.join(", "))
    };
    ReadError::Nothing { why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_selected_by_name_or_body() {
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
    fn numbers_are_limited() {
        assert_eq!(numbers(1, MAX_VALUES / 3), Ok(MAX_VALUES - 1));
        assert!(numbers(MAX_VALUES, 1).is_err());
        assert_eq!(
            numbers(10_000, 100_000).unwrap_err().to_string(),
            "10000 points at 100000 frames are 3000000000 numbers, more than the limit of 250000000; select fewer \
             parts, or trim the file"
        );
        assert!(numbers(usize::MAX, 2).is_err(), "the product overflows");
    }

    #[test]
    fn invalid_utf8_is_located() {
        assert_eq!(text_of(b"a\nb\xff\n"), Err(ReadError::NotText { line: 2 }));
        assert_eq!(text_of("\u{feff}a".as_bytes()), Ok("a"));
    }
}
