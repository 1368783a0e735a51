//! Frames and frame rate of an export.

use lariat_core::motion::FrameRate;

use crate::ExportError;

/// Frame rate and the frames to write, sorted and unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    rate: FrameRate,
    frames: Vec<i64>,
}

impl Timing {
    /// Sorts the frames and removes duplicates.
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

    /// Frame rate.
    pub fn rate(&self) -> FrameRate {
        self.rate
    }

    /// Frames in rising order, at least one.
    pub fn frames(&self) -> &[i64] {
        &self.frames
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_sorted_and_unique() {
        let timing = Timing::new(FrameRate::FILM, [5, 1, 3, 1]).unwrap();
        assert_eq!(timing.frames(), [1, 3, 5]);
    }

    #[test]
    fn a_shot_without_frames_is_refused() {
        assert!(matches!(Timing::new(FrameRate::FILM, []), Err(ExportError::NoFrames)));
    }
}
