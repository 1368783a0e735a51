//! Contact and friction at one place of the rope.
//!
//! Section 4.3.3: places sampled along the rope are pushed out by a damped spring while they are
//! inside, and friction works against their motion along the surface. Friction stops and never
//! reverses: the step solves for the motion that it leaves.
//!
//! Which pairs of place and obstacle may meet is found once a step; all others are left alone.
//!
//! Tests: `what_slides_stops_after_v_squared_over_two_mu_g_and_stays`,
//! `a_rope_around_a_beam_holds_as_the_capstan_does`, `what_falls_on_the_floor_lies_still`,
//! `a_floor_that_rises_takes_the_rope_along`.

use glam::DVec3;

use super::basis::{Basis, Row};
use super::rope::SplineRope;
use crate::dynamics::contact::Obstacle;

/// A place of the rope that is kept out of obstacles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub row: Row,
    /// Its share of the rope's mass, in kilograms.
    pub mass: f64,
}

/// A sample that may meet an obstacle during this step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub sample: usize,
    pub obstacle: usize,
    /// Where the sample would be at the end of the step if it stuck to the obstacle.
    pub stuck: DVec3,
    /// Newtons it is pushed out with, or is expected to be.
    pub push: f64,
    /// How far it is outside, and the way out, where it was last looked at.
    pub clear: f64,
    pub out: DVec3,
}

/// Samples evenly along a rope; each has the mass around it, `masses` being `M 1`.
pub(super) fn samples(basis: Basis, count: usize, masses: &[f64]) -> Vec<Sample> {
    let segments = basis.segments() as f64;
    let last = (count.max(2) - 1) as f64;
    let rows: Vec<Row> = (0..count).map(|k| basis.at(segments * k as f64 / last)).collect();
    let shares = shares(&rows, masses);
    rows.into_iter().zip(shares).map(|(row, mass)| Sample { row, mass }).collect()
}

/// The mass around each of several places, in kilograms: every control point hands its own out to
/// the places that it moves.
pub(super) fn shares(rows: &[Row], masses: &[f64]) -> Vec<f64> {
    let mut moved = vec![0.0; masses.len()];
    for row in rows {
        for (moved, weight) in moved[row.first..].iter_mut().zip(row.weights) {
            *moved += weight;
        }
    }
    let share = |row: &Row| {
        let parts = (row.first..row.first + 4).zip(row.weights);
        let parts = parts.filter(|(i, _)| moved[*i] > 0.0);
        parts.map(|(i, weight)| masses[i] * weight / moved[i]).sum()
    };
    rows.iter().map(share).collect()
}

/// Finds the pairs that may meet within `dt`; `pushes` are those of the last step, sample by sample.
pub(super) fn meetings(
    samples: &[Sample],
    obstacles: &[Obstacle],
    q: &[DVec3],
    v: &[DVec3],
    dt: f64,
    pushes: &[f64],
    out: &mut Vec<Meeting>,
) {
    out.clear();
    if obstacles.is_empty() {
        return;
    }
    // Every place may touch something: room is made before it is needed.
    out.reserve(2 * samples.len());
    for (s, sample) in samples.iter().enumerate() {
        let here = sample.row.of(q);
        let reach = 3.0 * dt * sample.row.of(v).length();
        for (o, obstacle) in obstacles.iter().enumerate() {
            let stuck = obstacle.carried(here);
            let reach = reach + 3.0 * stuck.distance(here) + 2.0 * obstacle.margin;
            if obstacle.clearance(here).0 < reach {
                let push = pushes.get(s * obstacles.len() + o).copied().unwrap_or(0.0);
                let (clear, way) = (f64::INFINITY, DVec3::Z);
                let (sample, obstacle) = (s, o);
                out.push(Meeting { sample, obstacle, stuck, push, clear, out: way });
            }
        }
    }
}

impl SplineRope {
    /// Tells it that its obstacles are not those of the last step, so that none is taken for another:
    /// `were` says of each which it was then, if it was there. What one pushed with stays with it.
    pub fn rearrange_pushes(&mut self, were: &[Option<usize>]) {
        let samples = self.samples.len();
        let before = std::mem::take(&mut self.state.pushes);
        let count = before.len().checked_div(samples).unwrap_or(0);
        let pairs = (0..samples).flat_map(|s| were.iter().map(move |was| (s, *was)));
        self.state.pushes = pairs
            .map(|(s, was)| was.filter(|was| *was < count).map_or(0.0, |o| before[s * count + o]))
            .collect();
    }
}
