//! Errors of exporting.

use std::io;
use std::path::PathBuf;

/// Error of an export.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// No frames.
    #[error("no frames to export; give at least one frame")]
    NoFrames,

    /// Neither curves nor tubes were requested.
    #[error(
        "neither curves nor tubes were requested, so the file would be empty; request one of them"
    )]
    NothingAsked,

    /// A tube with fewer than three sides.
    #[error("invalid number of tube sides {sides}; expected 3 or more")]
    TooFewSides {
        /// Requested number of sides.
        sides: usize,
    },

    /// Geometry that is not finite.
    #[error(
        "{what} of body `{body}`, strand `{strand}`, is {value} at frame {frame}, point {index}; \
         expected a finite number, nothing was written"
    )]
    NotFinite {
        /// The body.
        body: String,
        /// The strand of that body.
        strand: String,
        /// The frame.
        frame: i64,
        /// Index of the point in the strand.
        index: usize,
        /// `position`, `radius`, …
        what: &'static str,
        /// NaN or an infinity.
        value: f64,
    },

    /// A value beyond the 32-bit range of USD.
    #[error(
        "{what} of body `{body}`, strand `{strand}`, is {value:e} at frame {frame}, point {index}; \
         the limit of USD is 3.4e38: move the body closer to the origin"
    )]
    TooFarAway {
        /// The body.
        body: String,
        /// The strand of that body.
        strand: String,
        /// The frame.
        frame: i64,
        /// Index of the point in the strand.
        index: usize,
        /// `position`, `width`, …
        what: &'static str,
        /// The value, beyond ±3.4e38.
        value: f64,
    },

    /// A drawing with too many points.
    #[error(
        "the drawing would have more than {points} points; the limit is {most}: select fewer \
         frames or bodies"
    )]
    TooMuchToDraw {
        /// Points so far.
        points: u64,
        /// The limit.
        most: u64,
    },

    /// Two strands of a body with the same name.
    #[error(
        "body `{body}` has two strands named `{strand}` at frame {frame}; strand names must be \
         unique within a body"
    )]
    SameName {
        /// The body.
        body: String,
        /// The common name.
        strand: String,
        /// The frame.
        frame: i64,
    },

    /// The progress callback asked to stop.
    #[error("export cancelled; nothing was written")]
    Cancelled,

    /// Writing failed.
    #[error("cannot write the file: {0}")]
    Write(#[from] io::Error),

    /// The file exists already.
    #[error("`{}` already exists; choose another name, or allow overwriting", path.display())]
    Exists {
        /// The existing file, which is unchanged.
        path: PathBuf,
    },

    /// The path is not writable.
    #[error("cannot write `{}`: {reason}", path.display())]
    Place {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        reason: String,
    },
}

impl ExportError {
    /// Whether the reader of a pipe closed it, which a command does not treat as an error.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
