//! Fixed steps from frame times.
//!
//! Time is counted in steps and a remainder below one step, so sixtieths of a second add up to
//! whole steps of a 120th without drift.
//!
//! Tests: `frame_times_become_whole_steps`, `time_beyond_the_limit_is_dropped`.

/// Share of a step by which a sum of frame times may fall short of a whole one. Frame times are
/// rounded: 1/60 + 1/60 must make a step of 1/30.
const ROUNDING: f64 = 1e-9;

/// An accumulator of elapsed time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    step: f64,
    /// Elapsed time that is not a whole step yet, in steps; 0 to 1.
    remainder: f64,
}

impl Clock {
    pub(super) fn new(hertz: f64) -> Self {
        Self { step: 1.0 / hertz, remainder: 0.0 }
    }

    /// Length of a step in seconds.
    pub(super) fn step(&self) -> f64 {
        self.step
    }

    /// Remainder of the last call, as a share of a step: 0 shows the step before last, 1 the last.
    pub(super) fn share(&self) -> f64 {
        self.remainder
    }

    /// Adds elapsed seconds; returns the number of steps to make, and the seconds dropped because
    /// they exceed `max_steps`.
    pub(super) fn advance(&mut self, elapsed: f64, max_steps: u32) -> (u32, f64) {
        let due = self.remainder + elapsed / self.step;
        let steps = (due + ROUNDING).floor();
        self.remainder = (due - steps).max(0.0);
        let dropped = (steps - f64::from(max_steps)).max(0.0);
        ((steps - dropped) as u32, dropped * self.step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_times_become_whole_steps() {
        let mut clock = Clock::new(120.0);
        let steps: Vec<u32> = (0..600).map(|_| clock.advance(1.0 / 60.0, 16).0).collect();
        assert!(steps.iter().all(|steps| *steps == 2), "{steps:?}");
        let mut clock = Clock::new(120.0);
        let total: u32 = (0..1440).map(|_| clock.advance(1.0 / 144.0, 16).0).sum();
        assert_eq!(total, 1200);
        clock.advance(0.4 / 120.0, 16);
        assert!((clock.share() - 0.4).abs() < 1e-6, "{}", clock.share());
    }

    #[test]
    fn time_beyond_the_limit_is_dropped() {
        let mut clock = Clock::new(100.0);
        let (steps, dropped) = clock.advance(1.0, 16);
        assert_eq!(steps, 16);
        assert!((dropped - 0.84).abs() < 1e-12, "{dropped}");
    }
}
