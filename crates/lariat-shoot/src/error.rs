//! Reasons why a shot cannot be drawn, with names and numbers.
//!
//! Messages name no command-line flag: a caller that has flags adds them.
//!
//! Tests: `names_are_printed_without_control_characters`.

use lariat_export::ExportError;
use lariat_render::{RenderError, movie::MovieError};

/// Reason why a shot cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShootError {
    /// No body of the document has this name.
    #[error("there is no body `{}`: {help}", printable(name))]
    UnknownBody {
        /// Name that was asked for.
        name: String,
        /// The nearest name, or the names that exist.
        help: String,
    },

    /// The body has errors in the document.
    #[error(
        "body `{}` is left out because of its errors: fix them, or choose other bodies",
        printable(name)
    )]
    BodyLeftOut {
        /// Name of the body.
        name: String,
    },

    /// No camera of the document has this name.
    #[error("there is no camera `{}`: {help}", printable(name))]
    UnknownCamera {
        /// Name that was asked for.
        name: String,
        /// The names that exist.
        help: String,
    },

    /// The camera has errors in the document.
    #[error(
        "camera `{}` is left out because of its errors: fix them, or choose another camera",
        printable(name)
    )]
    CameraLeftOut {
        /// Name of the camera.
        name: String,
    },

    /// There is no surface of this name.
    #[error("there is no look `{}`: {help}", printable(name))]
    UnknownLook {
        /// Name that was asked for.
        name: String,
        /// The nearest name, and all names.
        help: String,
    },

    /// Tension is to be shown, and no strand of the shot has one.
    #[error(
        "no strand in this shot has a tension: ropes that hang free between two ends and simulated \
         ropes have one; every strand with two ends has a slack"
    )]
    NoTension,

    /// A file name numbers frames in two places.
    #[error("a file name has one number: write `#` in one place only")]
    TwoNumbers,

    /// The caller cancelled a simulation.
    #[error("the simulation{} was cancelled", at(*frame, body))]
    SimulationCancelled {
        /// Body whose simulation is unfinished; empty if all were finished.
        body: String,
        /// Frame that it has reached.
        frame: f64,
    },

    /// The caller cancelled the drawing.
    #[error("the drawing was cancelled")]
    Cancelled,

    /// The renderer cannot draw the picture.
    #[error(transparent)]
    Render(#[from] RenderError),

    /// The movie format cannot hold the movie.
    #[error(transparent)]
    Movie(#[from] MovieError),

    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] ExportError),
}

fn at(frame: f64, body: &str) -> String {
    match body {
        "" => String::new(),
        body => format!(" of `{}` at frame {frame:.0}", printable(body)),
    }
}

/// A name with its control characters spelt out, so that it cannot change a terminal.
pub(crate) fn printable(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_printed_without_control_characters() {
        let name = "a\u{1b}[31m".to_owned();
        let text = ShootError::UnknownBody { name, help: "there is `b`".to_owned() }.to_string();
        assert_eq!(text, "there is no body `a\\u{1b}[31m`: there is `b`");
    }
}
