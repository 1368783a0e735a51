//! Notes about the quality of a recording, with the options that help.
//!
//! Tests: `a_loop_that_does_not_close_is_reported`, `fewer_modes_than_requested_are_reported`,
//! `limits_of_a_recording_are_reported`.

use lariat::extraction::Note;

/// A note for the terminal.
pub(crate) fn text(note: &Note) -> String {
    match note {
        Note::OpenLoop { .. } => {
            format!("{note}; choose the frames of one loop with --frames, or omit --periodic")
        }
        Note::TooFew { .. } | Note::TooShort { .. } => note.to_string(),
    }
}
