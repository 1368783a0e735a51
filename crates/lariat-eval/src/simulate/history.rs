//! Recorded states of a simulation: rows of numbers at regular times, checkpoints to resume from, and
//! the reason if it stopped early.
//!
//! Between two records, positions follow the cubic Hermite curve of both positions and velocities.
//!
//! Tests: `between_records_a_fall_is_a_parabola`, `records_after_a_cut_are_dropped`,
//! `a_partial_record_is_dropped`.

use glam::DVec3;

use crate::scene::Scene;
use crate::warning::{SimulationStopped, Warning};

/// Maximum number of records per second: enough to interpolate the motion of a whip.
pub(super) const RECORDS: f64 = 240.0;

/// Records from one checkpoint to the next: a quarter of a second at [`RECORDS`] per second.
pub(super) const RECORDS_BETWEEN: usize = 60;

/// Limit on the bytes of one recording: more than an hour of a rope with 32 control points.
const MOST_BYTES: usize = 2 << 30;

/// Start of the reason for a recording that has reached its size limit. The run has not diverged, and
/// the remedy differs.
pub(crate) const FULL: &str = "its recording has reached";

/// The states that a run recorded.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// Time of the first record, in seconds.
    pub start: f64,
    /// Records per second.
    pub rate: f64,
    /// Length of a record.
    pub row: usize,
    /// All records, one after the other.
    pub numbers: Vec<f64>,
    /// Full states to resume from, every [`RECORDS_BETWEEN`] records.
    pub checkpoints: Vec<Vec<f64>>,
    /// Set if the run stopped early.
    pub stopped: Option<Stopped>,
}

/// The end of a simulation that stopped early.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stopped {
    /// Time in seconds.
    pub time: f64,
    /// The reason, as a sentence without its body.
    pub why: String,
}

impl Stopped {
    /// The warning that reports it.
    pub(crate) fn warning(&self, scene: &Scene) -> Warning {
        let stopped = SimulationStopped {
            time: self.time,
            frame: scene.shot().rate.frame(self.time),
            why: self.why.as_str().into(),
        };
        Warning::new("dynamics", stopped)
    }
}

/// The two records around a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Between<'r> {
    /// The records before and after it; the same one twice before the first and after the last.
    pub rows: [&'r [f64]; 2],
    /// Their indices.
    pub records: [usize; 2],
    /// Fraction of the way from one to the other, 0–1.
    pub share: f64,
    /// Seconds from one to the other.
    seconds: f64,
}

impl Between<'_> {
    /// Interpolated position, from the offsets of the position and of its velocity in a record.
    pub(super) fn place(&self, at: usize, speed: usize) -> DVec3 {
        let [p, q] = self.rows.map(|row| DVec3::from_slice(&row[at..at + 3]));
        if self.share == 0.0 {
            return p;
        }
        let [u, w] = self.rows.map(|row| DVec3::from_slice(&row[speed..speed + 3]));
        let (s, rest) = (self.share, 1.0 - self.share);
        let tangents = u * (rest * rest * s) - w * (rest * s * s);
        p + (q - p) * (s * s * (3.0 - 2.0 * s)) + tangents * self.seconds
    }

    /// Interpolated number, from its offset in a record.
    pub(super) fn number(&self, at: usize) -> f64 {
        let [a, b] = self.rows.map(|row| row[at]);
        a + self.share * (b - a)
    }
}

impl History {
    /// Number of records.
    pub(super) fn len(&self) -> usize {
        self.numbers.len().checked_div(self.row).unwrap_or(0)
    }

    /// True if nothing is recorded.
    pub(crate) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Time of the last record, in seconds.
    pub(crate) fn end(&self) -> f64 {
        self.start + self.len().saturating_sub(1) as f64 / self.rate
    }

    /// True if the next record begins with a checkpoint.
    pub(super) fn is_due(&self) -> bool {
        self.len().is_multiple_of(RECORDS_BETWEEN)
    }

    /// Stops a run that has reached the size limit; returns whether it has.
    pub(super) fn stop_if_full(&mut self) -> bool {
        self.stop_beyond(MOST_BYTES)
    }

    /// [`stop_if_full`](Self::stop_if_full) with another limit, in bytes.
    pub(crate) fn stop_beyond(&mut self, most: usize) -> bool {
        let full = self.numbers.len() * size_of::<f64>() > most;
        if full {
            let why = format!("{FULL} {} GB", most >> 30);
            self.stopped = Some(Stopped { time: self.end(), why });
        }
        full
    }

    /// The early end of the run, if it lies before a time.
    pub(super) fn stopped_by(&self, t: f64) -> Option<&Stopped> {
        self.stopped.as_ref().filter(|stopped| t >= stopped.time)
    }

    /// Index of the record before a time, and the fraction of the way to the next one. Times within
    /// rounding of a record are taken as that record.
    fn place(&self, t: f64) -> (usize, f64) {
        let at = ((t - self.start) * self.rate).max(0.0);
        let nearest = at.round();
        if (at - nearest).abs() < 1e-6 {
            (nearest as usize, 0.0)
        } else {
            (at as usize, at - at.floor())
        }
    }

    /// True if all records needed for a time exist.
    pub(super) fn reaches(&self, t: f64) -> bool {
        let (before, share) = self.place(t);
        before + usize::from(share > 0.0) < self.len()
    }

    /// The numbers of a record.
    pub(super) fn row_of(&self, record: usize) -> &[f64] {
        &self.numbers[record * self.row..(record + 1) * self.row]
    }

    /// The records around a time; none if the history is empty.
    pub(super) fn around(&self, t: f64) -> Option<Between<'_>> {
        let last = self.len().checked_sub(1)?;
        let (before, share) = self.place(t);
        let (before, share) = if before < last { (before, share) } else { (last, 0.0) };
        let records = [before, (before + 1).min(last)];
        let rows = records.map(|record| self.row_of(record));
        Some(Between { rows, records, share, seconds: 1.0 / self.rate })
    }

    /// Drops partial records and checkpoints without a record, after a panic during recording.
    pub(super) fn drop_partial_records(&mut self) {
        let whole = self.len();
        self.numbers.truncate(whole * self.row);
        self.checkpoints.truncate(whole.div_ceil(RECORDS_BETWEEN));
    }

    /// Number of records before the last checkpoint.
    pub(super) fn before_checkpoint(&self) -> usize {
        self.checkpoints.len().saturating_sub(1) * RECORDS_BETWEEN
    }

    /// Goes back to the last checkpoint.
    pub(super) fn rewind(&mut self) {
        let left = if self.checkpoints.is_empty() { 0 } else { self.before_checkpoint() + 1 };
        self.numbers.truncate(left * self.row);
    }

    /// Drops all records after a time, back to the checkpoint before it.
    pub(super) fn cut(&mut self, t: f64) {
        if t > self.end() && self.stopped.as_ref().is_none_or(|stopped| stopped.time < t) {
            return;
        }
        let kept =
            if t <= self.start { 0 } else { ((t - self.start) * self.rate).floor() as usize };
        self.checkpoints.truncate(kept.div_ceil(RECORDS_BETWEEN));
        self.rewind();
        self.stopped = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A falling point: its position, velocity and one more number.
    fn fall(records: usize) -> History {
        let mut history = History { start: 1.0, rate: 10.0, row: 7, ..History::default() };
        for i in 0..records {
            let t = i as f64 / 10.0;
            if history.is_due() {
                history.checkpoints.push(vec![t]);
            }
            history.numbers.extend([t, 0.0, -4.9 * t * t, 1.0, 0.0, -9.8 * t, 2.0 * t]);
        }
        history
    }

    #[test]
    fn between_records_a_fall_is_a_parabola() {
        let history = fall(30);
        for t in [0.0, 0.1, 0.237, 1.999, 2.9] {
            let at = history.around(1.0 + t).unwrap();
            assert!((at.place(0, 3) - DVec3::new(t, 0.0, -4.9 * t * t)).length() < 1e-13, "{t}");
            assert!((at.number(6) - 2.0 * t).abs() < 1e-13);
        }
        assert_eq!(history.around(-5.0).unwrap().place(0, 3).x, 0.0);
        assert!((history.around(99.0).unwrap().place(0, 3).x - 2.9).abs() < 1e-13);
        assert!(History::default().around(1.0).is_none());
    }

    #[test]
    fn records_after_a_cut_are_dropped() {
        let mut history = fall(150);
        history.cut(1.0 + 13.05);
        // The checkpoint before 13.05 s is that of record 120.
        assert_eq!((history.len(), history.checkpoints.len()), (121, 3));
        history.cut(99.0);
        assert_eq!(history.len(), 121, "nothing was recorded there");
        // A cut exactly at a checkpoint drops that checkpoint.
        history.cut(1.0 + 12.0);
        assert_eq!((history.len(), history.checkpoints.len()), (61, 2));
        history.cut(0.5);
        assert_eq!((history.len(), history.checkpoints.len()), (0, 0));
    }

    #[test]
    fn a_partial_record_is_dropped() {
        let mut history = fall(120);
        let whole = history.numbers.clone();
        // The third checkpoint is there, and half of its record.
        history.checkpoints.push(vec![12.0]);
        history.numbers.extend([1.0; 5]);
        history.drop_partial_records();
        assert_eq!((history.checkpoints.len(), history.numbers), (2, whole));
    }
}
