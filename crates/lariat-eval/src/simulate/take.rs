//! What a simulation recorded of one body: places, speeds and tensions at even times, and now and
//! then all that it needs to go on.
//!
//! Tests: `between_records_a_fall_is_a_parabola`, `what_is_cut_off_is_gone`,
//! `what_is_half_recorded_is_dropped`.

use glam::DVec3;
use lariat_core::dynamics::spline_rope::State;

/// Records from one checkpoint to the next: a quarter of a second, as records go.
pub(super) const RECORDS_BETWEEN: usize = 60;

/// One body's recording.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyTake {
    /// The first record, in seconds.
    pub start: f64,
    /// Records a second.
    pub rate: f64,
    /// Metres of rope at rest.
    pub length: f64,
    /// Control points, and numbers of tension, of each record.
    pub points: usize,
    pub nodes: usize,
    /// Steps a second that its method would bear, if it has a limit and is asked for fewer.
    pub needed: Option<f64>,
    /// Places, speeds, tensions and the way up, record after record.
    pub(super) numbers: Vec<f64>,
    /// Everything needed to go on, every so many records: the state and the way up.
    pub(super) checkpoints: Vec<Checkpoint>,
    /// Why it goes no further, if it does not.
    pub stopped: Option<Stopped>,
}

/// A state that a run can go on from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Checkpoint {
    pub state: State,
    pub up: DVec3,
}

/// A simulation that went no further.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stopped {
    /// When, in seconds.
    pub time: f64,
    /// Why, as a sentence without its body.
    pub why: String,
}

/// A moment of a recording.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorded {
    pub positions: Vec<DVec3>,
    /// Newtons, evenly along it.
    pub tensions: Vec<f64>,
    pub up: DVec3,
}

/// The record before a time, and how much of the way to the next one, of so many a second.
pub(super) fn place_of(t: f64, start: f64, rate: f64) -> (usize, f64) {
    let at = ((t - start) * rate).max(0.0);
    let nearest = at.round();
    if (at - nearest).abs() < 1e-6 {
        (nearest as usize, 0.0)
    } else {
        (at as usize, at - at.floor())
    }
}

impl BodyTake {
    pub(super) fn row(&self) -> usize {
        6 * self.points + self.nodes + 3
    }

    /// How many records there are.
    pub(super) fn len(&self) -> usize {
        self.numbers.len().checked_div(self.row()).unwrap_or(0)
    }

    /// Whether nothing is recorded.
    pub(crate) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The time of a record.
    pub(super) fn time(&self, record: usize) -> f64 {
        self.start + record as f64 / self.rate
    }

    /// The last time that is recorded.
    pub(crate) fn end(&self) -> f64 {
        self.time(self.len().saturating_sub(1))
    }

    pub(super) fn record(&mut self, state: &State, tensions: &[f64], up: DVec3) {
        let vectors = state.positions.iter().chain(&state.velocities);
        self.numbers.extend(vectors.flat_map(DVec3::to_array));
        self.numbers.extend_from_slice(tensions);
        self.numbers.extend(up.to_array());
    }

    /// Leaves whole records only, and the checkpoints that have one: for when recording was broken off.
    pub(super) fn drop_what_is_half_recorded(&mut self) {
        let whole = self.len();
        self.numbers.truncate(whole * self.row());
        self.checkpoints.truncate(whole.div_ceil(RECORDS_BETWEEN));
    }

    /// The record before a time, and how much of the way to the next one; a time that rounding has
    /// moved off a record is that record.
    fn place(&self, t: f64) -> (usize, f64) {
        place_of(t, self.start, self.rate)
    }

    /// Whether everything is recorded that the body at a time needs.
    pub(super) fn reaches(&self, t: f64) -> bool {
        let (before, share) = self.place(t);
        before + usize::from(share > 0.0) < self.len()
    }

    /// The body at a time; held before the first record and after the last.
    pub(super) fn at(&self, t: f64, out: &mut Recorded) {
        out.positions.clear();
        out.tensions.clear();
        let (row, count) = (self.row(), self.len());
        let Some(last) = count.checked_sub(1) else { return };
        let (before, share) = self.place(t);
        let (before, share) = if before < last { (before, share) } else { (last, 0.0) };
        let after = (before + 1).min(last);
        let of = |record: usize| &self.numbers[record * row..(record + 1) * row];
        let (a, b) = (of(before), of(after));
        let n = 3 * self.points;
        let places = |row: &[f64], i: usize| DVec3::from_slice(&row[3 * i..3 * i + 3]);
        let speeds = |row: &[f64], i: usize| DVec3::from_slice(&row[n + 3 * i..n + 3 * i + 3]);
        if share == 0.0 {
            out.positions.extend((0..self.points).map(|i| places(a, i)));
        } else {
            let (s, h) = (share, 1.0 / self.rate);
            let (rest, all) = (1.0 - s, s * s * (3.0 - 2.0 * s));
            out.positions.extend((0..self.points).map(|i| {
                let (p, q) = (places(a, i), places(b, i));
                let leaning = speeds(a, i) * (rest * rest * s) - speeds(b, i) * (rest * s * s);
                p + (q - p) * all + leaning * h
            }));
        }
        let tensions = a[2 * n..].iter().zip(&b[2 * n..]).take(self.nodes);
        out.tensions.extend(tensions.map(|(a, b)| a + share * (b - a)));
        let up = |row: &[f64]| DVec3::from_slice(&row[2 * n + self.nodes..]);
        out.up = up(a).lerp(up(b), share);
    }

    /// Forgets everything after a time, so that it is simulated again from the checkpoint before.
    pub(crate) fn cut(&mut self, t: f64) {
        if t > self.end() && self.stopped.as_ref().is_none_or(|stopped| stopped.time < t) {
            return;
        }
        let kept =
            if t <= self.start { 0 } else { ((t - self.start) * self.rate).floor() as usize };
        let checkpoints = if kept == 0 { 0 } else { (kept - 1) / RECORDS_BETWEEN + 1 };
        self.checkpoints.truncate(checkpoints);
        // From the last checkpoint on it is simulated again.
        let records = match self.checkpoints.len() {
            0 => 0,
            count => (count - 1) * RECORDS_BETWEEN + 1,
        };
        self.numbers.truncate(records * self.row());
        self.stopped = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fall(records: usize) -> BodyTake {
        let mut take =
            BodyTake { start: 1.0, rate: 10.0, points: 2, nodes: 1, ..BodyTake::default() };
        for i in 0..records {
            let t = i as f64 / 10.0;
            let mut state = State::default();
            state.positions = vec![DVec3::Z * (-4.9 * t * t), DVec3::X * t];
            state.velocities = vec![DVec3::Z * (-9.8 * t), DVec3::X];
            take.record(&state, &[t], DVec3::Y);
            if i % RECORDS_BETWEEN == 0 {
                take.checkpoints.push(Checkpoint { state, up: DVec3::Y });
            }
        }
        take
    }

    #[test]
    fn between_records_a_fall_is_a_parabola() {
        let take = fall(30);
        let mut at = Recorded::default();
        for t in [0.0, 0.1, 0.237, 1.999, 2.9] {
            take.at(1.0 + t, &mut at);
            assert!((at.positions[0].z + 4.9 * t * t).abs() < 1e-13, "{t}");
            assert!((at.positions[1].x - t).abs() < 1e-13);
            assert!((at.tensions[0] - t).abs() < 1e-13);
        }
        take.at(-5.0, &mut at);
        assert_eq!(at.positions[1].x, 0.0);
        take.at(99.0, &mut at);
        assert!((at.positions[1].x - 2.9).abs() < 1e-13);
    }

    #[test]
    fn what_is_cut_off_is_gone() {
        let mut take = fall(150);
        take.cut(1.0 + 13.05);
        // The checkpoint before 13.05 s is that of record 120.
        assert_eq!((take.len(), take.checkpoints.len()), (121, 3));
        take.cut(99.0);
        assert_eq!(take.len(), 121, "nothing was recorded there");
        // Exactly at a checkpoint, that moment itself is touched.
        take.cut(1.0 + 12.0);
        assert_eq!((take.len(), take.checkpoints.len()), (61, 2));
        take.cut(0.5);
        assert_eq!((take.len(), take.checkpoints.len()), (0, 0));
    }
    #[test]
    fn what_is_half_recorded_is_dropped() {
        let mut take = fall(120);
        let whole = take.numbers.clone();
        // The third checkpoint is there, and half of its record.
        take.checkpoints.push(take.checkpoints[0].clone());
        take.numbers.extend([1.0; 5]);
        take.drop_what_is_half_recorded();
        assert_eq!((take.checkpoints.len(), take.numbers), (2, whole));
    }
}
