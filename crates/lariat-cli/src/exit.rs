//! How a command ends: everything in order, with diagnostics, or not at all.
//!
//! | exit code | means |
//! |---|---|
//! | 0 | done, and nothing is wrong |
//! | 1 | done, but something was found: errors in a document, a check that does not pass |
//! | 2 | could not be done: a mistake on the command line, a file that cannot be read or written |
//!
//! A reader that goes away (`lariat eval … | head`) is no error: whoever closed the pipe has seen
//! enough.

use std::{fmt, io, process::ExitCode};

use lariat_export::ExportError;

use crate::{console::Console, output};

/// What came of a command that could be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing is wrong.
    Clean,
    /// Something was found, and said.
    Diagnostics,
}

impl Outcome {
    /// [`Diagnostics`](Self::Diagnostics) if there are any.
    pub(crate) fn diagnostics_if(found: bool) -> Self {
        if found { Self::Diagnostics } else { Self::Clean }
    }
}

/// Why a command could not be carried out.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What is wrong and the way out, in one line.
    Said(String),
    /// Standard output took no more.
    Output(io::Error),
    /// What is wrong has been told when it was met, and work went on.
    Told,
}

/// How a command ends.
pub(crate) type Done = Result<Outcome, Failure>;

impl Failure {
    /// What is wrong and the way out, in one line.
    pub(crate) fn new(line: impl Into<String>) -> Self {
        Self::Said(line.into())
    }

    /// Whether the reader of our output went away.
    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Commands write to nothing but standard output themselves; files have errors of their own.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Write(error) => Self::Output(error),
            other => output::failure(&other),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Said(line) => f.write_str(line),
            Self::Output(error) => {
                write!(f, "standard output cannot be written: {error}; send it somewhere else")
            }
            Self::Told => Ok(()),
        }
    }
}

/// Says what went wrong, if anything, and what to tell whoever called.
pub(crate) fn end(done: Done, console: Console) -> ExitCode {
    match done {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Diagnostics) => ExitCode::from(1),
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(Failure::Told) => ExitCode::from(2),
        Err(failure) => {
            console.error(&failure.to_string());
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_went_away_is_no_failure() {
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(Failure::from(gone()).is_broken_pipe());
        assert!(Failure::from(ExportError::Write(gone())).is_broken_pipe());
        assert!(!Failure::from(io::Error::other("disk full")).is_broken_pipe());
        assert!(!Failure::new("no").is_broken_pipe());
    }
}
