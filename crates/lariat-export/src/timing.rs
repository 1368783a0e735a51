//! Which frames go into a file, and how fast they pass.

use lariat_core::motion::FrameRate;

use crate::ExportError;

/// A frame rate and the frames to write, in order, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    rate: FrameRate,
    frames: Vec<i64>,
}

impl Timing {
    /// Any whole frames; they are put in order, and one named twice is written once.
    pub fn new(
        rate: FrameRate,
        frames: impl IntoIterator<Item = i64>,
    ) -> Result<Self, ExportError> {
        let mut frames: Vec<i64> = frames.into_iter().collect();
        frames.sort_unstable();
        frames.dedup();
        if frames.is_empty() {
            return Err(ExportError::NoFrames);
        }
        Ok(Self { rate, frames })
    }

    /// How fast the frames pass.
    pub fn rate(&self) -> FrameRate {
        self.rate
    }

    /// The frames, rising; there is at least one.
    pub fn frames(&self) -> &[i64] {
        &self.frames
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_put_in_order_and_written_once() {
        let timing = Timing::new(FrameRate::FILM, [5, 1, 3, 1]).unwrap();
        assert_eq!(timing.frames(), [1, 3, 5]);
    }

    #[test]
    fn a_shot_without_frames_is_refused() {
        assert!(matches!(Timing::new(FrameRate::FILM, []), Err(ExportError::NoFrames)));
    }
}
