//! Detail of pictures that move: as much as the device draws in time.
//!
//! A moving picture has smooth edges and then all detail if the device finished the last one in less
//! than half of its time, and loses them as soon as one is late. The clock is that of the passes, so a
//! picture counts as finished at the first pass that finds it so.
//!
//! Tests: `detail_grows_on_a_fast_device_only`.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use lariat_render::{Detail, Quality};

/// Time of a moving picture, in seconds. Longer: motion stutters. Shorter: edges are rough on devices
/// that could smooth them.
const TIME: f64 = 1.0 / 24.0;

/// Detail of moving pictures, the cheapest first; the last one is that of a picture at rest, so that
/// nothing changes when the view stops.
const LEVELS: [(Quality, Detail); 3] = [
    (Quality::MOVING, Detail::MOVING),
    (Quality { samples: 4, ..Quality::MOVING }, Detail::MOVING),
    (Quality::PREVIEW, Detail::FULL),
];

/// Detail of moving pictures on a device.
#[derive(Debug)]
pub(crate) struct Pace {
    level: usize,
    /// The level above the highest that was in time.
    ceiling: usize,
    /// When the last picture was submitted, and whether the device has finished it.
    last: Option<(f64, Arc<AtomicBool>)>,
}

impl Default for Pace {
    fn default() -> Self {
        Self { level: 0, ceiling: LEVELS.len(), last: None }
    }
}

impl Pace {
    /// Quality and detail of the next picture, at a time in seconds.
    pub(crate) fn next(&mut self, moves: bool, now: f64) -> (Quality, Detail) {
        if !moves {
            self.last = None;
            return LEVELS[LEVELS.len() - 1];
        }
        self.look(now);
        if self.last.take().is_some() && self.level > 0 {
            // The one before is late.
            self.ceiling = self.level;
            self.level -= 1;
        }
        LEVELS[self.level]
    }

    /// Remembers that a moving picture was submitted. The flag is set once it is finished.
    pub(crate) fn submitted(&mut self, now: f64) -> Arc<AtomicBool> {
        let done = Arc::new(AtomicBool::new(false));
        self.last = Some((now, Arc::clone(&done)));
        done
    }

    /// Looks whether the last picture is finished. Returns the time after which it is worth looking
    /// again, if the next picture might have more detail.
    pub(crate) fn look(&mut self, now: f64) -> Option<f64> {
        let (since, done) = self.last.as_ref()?;
        if !done.load(Ordering::Acquire) {
            let is_open = self.level + 1 < self.ceiling && now - since < 0.25 * TIME;
            return is_open.then_some(0.45 * TIME);
        }
        if now - since < 0.5 * TIME && self.level + 1 < self.ceiling {
            self.level += 1;
        }
        self.last = None;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws pictures at 24 a second on a device that needs a time for each level; returns the levels.
    fn played(times: [f64; 3]) -> Vec<usize> {
        let mut pace = Pace::default();
        let mut levels = Vec::new();
        for picture in 0..6 {
            let begun = f64::from(picture) * TIME;
            pace.next(true, begun);
            levels.push(pace.level);
            let done = pace.submitted(begun);
            let took = times[pace.level];
            let again = pace.look(begun).map(|wait| begun + wait);
            done.store(again.is_some_and(|at| begun + took < at), Ordering::Release);
            again.map(|at| pace.look(at));
            done.store(took < TIME, Ordering::Release);
        }
        levels
    }

    #[test]
    fn detail_grows_on_a_fast_device_only() {
        assert_eq!(played([0.002, 0.003, 0.01]), [0, 1, 2, 2, 2, 2]);
        // Smooth edges are in time, all detail is not.
        assert_eq!(played([0.01, 0.015, 0.2]), [0, 1, 2, 1, 1, 1]);
        assert_eq!(played([0.03, 0.06, 0.4]), [0; 6]);
        let mut pace = Pace::default();
        assert_eq!(pace.next(false, 0.0), (Quality::PREVIEW, Detail::FULL));
    }
}
