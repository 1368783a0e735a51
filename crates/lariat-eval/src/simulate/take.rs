//! The recording of one rope: positions, velocities and tensions at regular times.
//!
//! Tests: `between_records_a_fall_is_a_parabola`, `a_take_reads_back_bit_for_bit`.

use glam::DVec3;
use lariat_core::num::is_in_range;

use super::file::Take;
use super::history::History;
use super::run::simulator::RopeState;

/// One body's recording.
#[derive(Debug, Default)]
pub(crate) struct BodyTake {
    /// Positions, velocities, tensions and the up vector; a checkpoint is the up vector and the rope's
    /// state.
    pub history: History,
    /// Rest length in metres.
    pub length: f64,
    /// Number of control points, and of tensions, in each record.
    pub points: usize,
    /// Steps per second that its method needs, if the given rate is lower.
    pub needed: Option<f64>,
}

/// One state of a recording.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorded {
    pub positions: Vec<DVec3>,
    /// Tensions in newtons at evenly spaced places.
    pub tensions: Vec<f64>,
    pub up: DVec3,
}

impl BodyTake {
    /// Drops all records and starts a recording of a rope with `points` control points.
    pub(super) fn begin(&mut self, start: f64, rate: f64, points: usize) {
        self.points = points;
        self.history.begin(start, rate, 7 * points + 3);
    }

    /// Records positions and velocities of the control points, and a checkpoint if one is due.
    pub(super) fn record(
        &mut self,
        (positions, velocities): (&[DVec3], &[DVec3]),
        write_state: impl FnOnce(&mut Vec<f64>),
        tensions: &[f64],
        up: DVec3,
    ) {
        if self.history.is_due() {
            let mut checkpoint = up.to_array().to_vec();
            write_state(&mut checkpoint);
            self.history.add_checkpoint(checkpoint);
        }
        self.history.add_record(|numbers| {
            let vectors = positions.iter().chain(velocities);
            numbers.extend(vectors.flat_map(DVec3::to_array));
            numbers.extend_from_slice(tensions);
            numbers.extend(up.to_array());
        });
    }

    /// The state of a checkpoint and its up vector, if it has the right number of control points.
    pub(super) fn state_of(&self, checkpoint: &[f64]) -> Option<(RopeState, DVec3)> {
        let (up, state) = checkpoint.split_at_checked(3)?;
        Some((RopeState::from_numbers(state, self.points)?, DVec3::from_slice(up)))
    }

    /// The rope at a time; constant before the first record and after the last.
    pub(super) fn at(&self, t: f64, out: &mut Recorded) {
        out.positions.clear();
        out.tensions.clear();
        let Some(at) = self.history.around(t) else { return };
        let n = 3 * self.points;
        out.positions.extend((0..self.points).map(|i| at.place(3 * i, n + 3 * i)));
        out.tensions.extend((2 * n..2 * n + self.points).map(|i| at.number(i)));
        let up = at.rows.map(|row| DVec3::from_slice(&row[2 * n + self.points..]));
        out.up = up[0].lerp(up[1], at.share);
    }
}

impl Take for BodyTake {
    fn history(&self) -> &History {
        &self.history
    }

    fn history_mut(&mut self) -> &mut History {
        &mut self.history
    }

    fn share(&mut self) -> Self {
        Self { history: self.history.share(), ..*self }
    }

    fn head(&self) -> Vec<f64> {
        vec![self.length, self.points as f64, self.needed.unwrap_or(0.0)]
    }

    fn set_head(&mut self, numbers: &[f64]) -> bool {
        let &[length, points, needed] = numbers else { return false };
        let possible = points == self.points as f64
            && (0.0..f64::INFINITY).contains(&length)
            && (0.0..f64::INFINITY).contains(&needed);
        if possible {
            (self.length, self.needed) = (length, (needed > 0.0).then_some(needed));
        }
        possible
    }

    fn fits(&self, checkpoint: &[f64]) -> bool {
        checkpoint.iter().all(|number| is_in_range(*number)) && self.state_of(checkpoint).is_some()
    }
}
