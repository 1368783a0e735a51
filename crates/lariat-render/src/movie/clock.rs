//! Frame durations in whole ticks of a format's clock, without drift.
//!
//! A `.gif` counts hundredths of a second, and a thirtieth is 3⅓ of them. Rounding every frame to
//! 3 would play the movie a tenth too fast. So the *ends* of frames are rounded, and a frame lasts
//! from one end to the next: 3, 4, 3, 3, 4, 3 …, exactly a second after thirty.
//!
//! Tests: `thirty_frames_are_a_second`, `no_frame_is_off_by_more_than_half_a_tick`.

use lariat_core::motion::FrameRate;

/// Durations of successive frames.
pub(super) struct Clock {
    rate: FrameRate,
    /// Ticks in a second.
    ticks: u32,
    frames: u64,
    /// End of the last frame, in ticks.
    end: u64,
}

impl Clock {
    pub(super) fn new(rate: FrameRate, ticks: u32) -> Self {
        Self { rate, ticks, frames: 0, end: 0 }
    }

    /// Duration of the next frame, in ticks.
    pub(super) fn next_frame(&mut self) -> u32 {
        self.frames += 1;
        // Frames are below 2^32, ticks below 2^10, a denominator below 2^32: 128 bits hold it all.
        let seconds = u128::from(self.frames) * u128::from(self.rate.denominator());
        let per = u128::from(self.rate.numerator());
        let end = ((2 * seconds * u128::from(self.ticks) + per) / (2 * per)) as u64;
        let length = end - self.end;
        self.end = end;
        length as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(rate: &str, ticks: u32, frames: usize) -> Vec<u32> {
        let mut clock = Clock::new(rate.parse().unwrap(), ticks);
        (0..frames).map(|_| clock.next_frame()).collect()
    }

    #[test]
    fn thirty_frames_are_a_second() {
        let thirty = lengths("30", 100, 30);
        assert_eq!(&thirty[..6], [3, 4, 3, 3, 4, 3]);
        assert_eq!(thirty.iter().sum::<u32>(), 100);
        assert_eq!(thirty.iter().filter(|d| **d == 4).count(), 10);
        assert_eq!(lengths("24", 100, 24).iter().sum::<u32>(), 100);
        assert_eq!(lengths("30000/1001", 1000, 30_000).iter().sum::<u32>(), 1_001_000);
    }

    #[test]
    fn no_frame_is_off_by_more_than_half_a_tick() {
        for rate in ["24000/1001", "25/2", "50", "1/7"] {
            let parsed: FrameRate = rate.parse().unwrap();
            let mut end = 0;
            for (i, length) in lengths(rate, 100, 500).into_iter().enumerate() {
                end += length;
                let exact = parsed.seconds((i + 1) as f64) * 100.0;
                assert!((f64::from(end) - exact).abs() <= 0.5 + 1e-9, "{rate}: frame {i}");
            }
        }
    }
}
