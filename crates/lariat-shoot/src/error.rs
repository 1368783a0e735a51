//! Reasons why a shot cannot be drawn, with names and numbers.
//!
//! Messages do not mention command-line flags; callers add them.
//!
//! Tests: `names_are_printed_without_control_characters`.

use lariat_export::ExportError;
use lariat_render::{RenderError, movie::MovieError};
use lariat_scene::printable;

/// Reason why a shot cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShootError {
    /// No body of the document has this name.
    #[error("there is no body `{}`; {help}", printable(name))]
    UnknownBody {
        /// Requested name.
        name: String,
        /// The nearest name, or the names that exist.
        help: String,
    },

    /// The body has errors in the document.
    #[error("body `{}` has errors; fix them, or choose other bodies", printable(name))]
    BodyLeftOut {
        /// Name of the body.
        name: String,
    },

    /// No camera of the document has this name.
    #[error("there is no camera `{}`; {help}", printable(name))]
    UnknownCamera {
        /// Requested name.
        name: String,
        /// Existing names.
        help: String,
    },

    /// The camera has errors in the document.
    #[error("camera `{}` has errors; fix them, or choose another camera", printable(name))]
    CameraLeftOut {
        /// Name of the camera.
        name: String,
    },

    /// There is no surface of this name.
    #[error("unknown look `{}`; {help}", printable(name))]
    UnknownLook {
        /// Requested name.
        name: String,
        /// Nearest name, and all names.
        help: String,
    },

    /// Tension was requested, but no strand of the shot has one.
    #[error(
        "no strand in this shot has a tension; only simulated ropes and ropes that hang freely \
         between two ends have one; every strand with two ends has a slack"
    )]
    NoTension,

    /// Twist was requested, but no strand has one.
    #[error("no strand in this shot has a twist; only simulated and twisted strands have one")]
    NoTwist,

    /// A file name numbers frames in two places.
    #[error("`#` may occur in one place only")]
    TwoNumbers,

    /// The number of captions is not that of the pictures.
    #[error(
        "{} for {}; expected one caption per frame",
        count(*captions, "caption"),
        count(*pictures, "frame")
    )]
    Captions {
        /// Number of captions.
        captions: usize,
        /// Number of pictures.
        pictures: usize,
    },

    /// Numbered pictures and movies have no captions.
    #[error(
        "captions apply to a single picture or a contact sheet only; add --contact-sheet or omit them"
    )]
    NoCaptions,

    /// The caller cancelled a simulation.
    #[error("the simulation{} was cancelled", at(*frame, body))]
    SimulationCancelled {
        /// Body whose simulation is unfinished; empty if all were finished.
        body: String,
        /// Frame that it has reached.
        frame: f64,
    },

    /// The caller cancelled rendering.
    #[error("rendering was cancelled")]
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

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn at(frame: f64, body: &str) -> String {
    match body {
        "" => String::new(),
        body => format!(" of `{}` at frame {frame:.0}", printable(body)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_printed_without_control_characters() {
        let name = "a\u{1b}[31m".to_owned();
        let text = ShootError::UnknownBody { name, help: "there is `b`".to_owned() }.to_string();
        assert_eq!(text, "there is no body `a\\u{1b}[31m`; there is `b`");
    }
}
