//! The frame that is shown while time passes.
//!
//! Playback follows the clock: a machine that is too slow shows fewer frames, at the true speed.
//!
//! Tests: `slow_machines_drop_frames`, `playback_loops_or_stops_at_the_end`.

/// Playback that is going on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Playback {
    /// Time in seconds at which it showed `from`.
    started: f64,
    /// Frame at that time.
    from: f64,
}

/// Frames that are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    pub(crate) first: f64,
    pub(crate) last: f64,
    /// Frames per second.
    pub(crate) rate: f64,
}

impl Playback {
    /// Starts at a frame; from the beginning if it is the last one.
    pub(crate) fn start(now: f64, frame: f64, range: Range) -> Self {
        let is_inside = frame >= range.first && frame < range.last;
        Self { started: now, from: if is_inside { frame } else { range.first } }
    }

    /// The whole frame to show; `None` after the last one, unless it loops.
    pub(crate) fn frame(&self, now: f64, range: Range, loops: bool) -> Option<f64> {
        let Range { first, last, rate } = range;
        let passed = ((now - self.started) * rate).max(0.0);
        let frame = (self.from + passed).floor();
        match frame <= last {
            true => Some(frame),
            false if loops => Some(first + (frame - first) % (last - first + 1.0).max(1.0)),
            false => None,
        }
    }

    /// Time in seconds until the next frame is due.
    pub(crate) fn until_next(&self, now: f64, range: Range) -> f64 {
        let passed = self.from + ((now - self.started) * range.rate).max(0.0);
        (passed.floor() + 1.0 - passed) / range.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOT: Range = Range { first: 1.0, last: 48.0, rate: 24.0 };

    #[test]
    fn slow_machines_drop_frames() {
        let playback = Playback::start(100.0, 1.0, SHOT);
        assert_eq!(playback.frame(100.0, SHOT, false), Some(1.0));
        assert_eq!(playback.frame(100.5, SHOT, false), Some(13.0));
        assert_eq!(playback.frame(101.501, SHOT, false), Some(37.0));
        assert!((playback.until_next(100.5 + 0.25 / 24.0, SHOT) - 0.75 / 24.0).abs() < 1e-9);
    }

    #[test]
    fn playback_loops_or_stops_at_the_end() {
        let playback = Playback::start(0.0, 48.0, SHOT);
        assert_eq!(playback.frame(0.0, SHOT, false), Some(1.0));
        assert_eq!(playback.frame(2.01, SHOT, false), None);
        assert_eq!(playback.frame(2.01, SHOT, true), Some(1.0));
        assert_eq!(playback.frame(3.01, SHOT, true), Some(25.0));
    }
}
