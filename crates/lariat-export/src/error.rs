//! What can go wrong between geometry and a file, with the numbers and the way out.

use std::io;
use std::path::PathBuf;

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A shot without frames has nothing to show.
    #[error("there are no frames to export: name at least one")]
    NoFrames,

    /// Neither curves nor tubes were asked for.
    #[error("neither curves nor tubes were asked for, so the file would be empty: ask for one")]
    NothingAsked,

    /// A tube that has no inside.
    #[error("a tube of {sides} sides has no inside: give it 3 or more")]
    TooFewSides {
        /// How many were asked for.
        sides: usize,
    },

    /// Geometry that is not a number never reaches a file.
    #[error(
        "the {what} of body `{body}`, strand `{strand}`, is {value} at frame {frame}, point \
         {index}: files hold only finite numbers, so nothing was written"
    )]
    NotFinite {
        /// The body.
        body: String,
        /// The strand of that body.
        strand: String,
        /// The frame.
        frame: i64,
        /// Which point of the strand, from 0.
        index: usize,
        /// `position`, `radius`, …
        what: &'static str,
        /// NaN or an infinity.
        value: f64,
    },

    /// USD holds 32-bit numbers.
    #[error(
        "the {what} of body `{body}`, strand `{strand}`, is {value:e} at frame {frame}, point \
         {index}: USD's numbers end at 3.4e38, so bring the body nearer to the origin"
    )]
    TooFarAway {
        /// The body.
        body: String,
        /// The strand of that body.
        strand: String,
        /// The frame.
        frame: i64,
        /// Which point of the strand, from 0.
        index: usize,
        /// `position`, `width`, …
        what: &'static str,
        /// More than 3.4e38, either way.
        value: f64,
    },

    /// A drawing that nobody could read.
    #[error(
        "the drawing would have {points} points and more, but {most} is the most: name fewer \
         frames or bodies"
    )]
    TooMuchToDraw {
        /// Points so far.
        points: u64,
        /// The most there may be.
        most: u64,
    },

    /// A strand is known by its name, so the name must be its own.
    #[error(
        "body `{body}` has two strands named `{strand}` at frame {frame}, and a file could not \
         tell them apart"
    )]
    SameName {
        /// The body.
        body: String,
        /// The name they share.
        strand: String,
        /// The frame.
        frame: i64,
    },

    /// Whoever watched the progress said stop.
    #[error("the export was stopped, and nothing was written")]
    Cancelled,

    /// The receiving end refused.
    #[error("the file could not be written: {0}")]
    Write(#[from] io::Error),

    /// A file of that name is there already.
    #[error("`{}` exists already: choose another name, or ask for it to be replaced", path.display())]
    Exists {
        /// The file that stays as it is.
        path: PathBuf,
    },

    /// The place for the file is wrong.
    #[error("`{}` cannot be written: {reason}", path.display())]
    Place {
        /// Where the file should have gone.
        path: PathBuf,
        /// What stands in the way.
        reason: String,
    },
}

impl ExportError {
    /// Whether the reader on the other end of a pipe went away, which is no error for a command.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
