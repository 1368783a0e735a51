//! Results of commands and exit codes.
//!
//! | exit code | means |
//! |---|---|
//! | 0 | success |
//! | 1 | errors in a document, or a failed check |
//! | 2 | invalid command line, or a file that cannot be read or written |
//! | 130 | interrupted by Ctrl-C (SIGINT) |
//! | 143 | interrupted by a termination request (SIGTERM) |
//! | 129 | interrupted because the terminal was closed (SIGHUP) |
//!
//! A closed pipe (`lariat eval … | head`) is not an error.

use std::{fmt, io, process::ExitCode};

use lariat_export::ExportError;

use crate::{console::Console, interrupt, output};

/// Outcome of a command that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// No errors.
    Clean,
    /// Diagnostics were reported.
    Diagnostics,
}

impl Outcome {
    /// [`Diagnostics`](Self::Diagnostics) if there are any.
    pub(crate) fn diagnostics_if(found: bool) -> Self {
        if found { Self::Diagnostics } else { Self::Clean }
    }
}

/// Reason why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Message of one line, with a remedy.
    Message(String),
    /// Standard output could not be written.
    Output(io::Error),
    /// The command was interrupted by a signal; says what became of its work.
    Interrupted(String),
    /// The errors have been reported already.
    Reported,
}

/// Result of a command.
pub(crate) type Done = Result<Outcome, Failure>;

impl Failure {
    /// Failure with a message of one line.
    pub(crate) fn new(line: impl Into<String>) -> Self {
        Self::Message(line.into())
    }

    /// Whether the reader of standard output closed the pipe.
    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Commands write directly only to standard output; file errors have their own types.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Write(error) => Self::Output(error),
            ExportError::Cancelled => Self::Interrupted("nothing was written".to_owned()),
            other => output::failure(&other),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(line) => f.write_str(line),
            Self::Output(error) => {
                write!(f, "cannot write to standard output: {error}")
            }
            Self::Interrupted(rest) => write!(f, "interrupted: {rest}"),
            Self::Reported => Ok(()),
        }
    }
}

/// Prints the error of a failed command and returns the exit code.
pub(crate) fn end(done: Done, console: Console) -> ExitCode {
    match done {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Diagnostics) => ExitCode::from(1),
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            if !matches!(failure, Failure::Reported) {
                console.error(&failure.to_string());
            }
            // After a signal, another failure is its consequence.
            ExitCode::from(if interrupt::was_requested() { interrupt::exit_code() } else { 2 })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_not_a_failure() {
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(Failure::from(gone()).is_broken_pipe());
        assert!(Failure::from(ExportError::Write(gone())).is_broken_pipe());
        assert!(!Failure::from(io::Error::other("disk full")).is_broken_pipe());
        assert!(!Failure::new("no").is_broken_pipe());
    }
}
