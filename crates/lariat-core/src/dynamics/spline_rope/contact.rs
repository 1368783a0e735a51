//! Contact samples along the rope, and the obstacles they may touch.
//!
//! Section 4.3.3: points sampled along the rope are pushed out by a damped spring while they are inside
//! an obstacle, and friction opposes their motion along the surface. Friction stops the rope and never
//! reverses it, because the step solves for the motion that remains.
//!
//! Pairs of sample and obstacle that may touch are found once per step; all others are ignored.
//!
//! Tests: `a_sliding_rope_stops_after_v_squared_over_two_mu_g_and_stays`,
//! `a_rope_around_a_beam_holds_as_the_capstan_does`, `a_rope_dropped_on_the_floor_lies_still`,
//! `a_rising_floor_carries_the_rope`.

use glam::DVec3;

use super::basis::{Basis, Row};
use super::rope::SplineRope;
use crate::dynamics::contact::Obstacle;

/// A point of the rope that is kept out of obstacles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub row: Row,
    /// Share of the mass of the rope, in kilograms.
    pub mass: f64,
}

/// A sample that may touch an obstacle in this step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub sample: usize,
    pub obstacle: usize,
    /// Position of the sample at the end of the step if it stuck to the obstacle.
    pub stuck: DVec3,
    /// Normal force in newtons, predicted for the next iteration.
    pub push: f64,
    /// Distance from the allowed region in the last iteration, in metres; negative inside.
    pub clearance: f64,
    /// Unit vector out of the obstacle in the last iteration.
    pub normal: DVec3,
}

/// Samples evenly along a rope, each with the mass around it; `masses` is `M 1`.
pub(super) fn samples(basis: Basis, count: usize, masses: &[f64]) -> Vec<Sample> {
    let segments = basis.segments() as f64;
    let last = (count.max(2) - 1) as f64;
    let rows: Vec<Row> = (0..count).map(|k| basis.at(segments * k as f64 / last)).collect();
    let shares = shares(&rows, masses);
    rows.into_iter().zip(shares).map(|(row, mass)| Sample { row, mass }).collect()
}

/// Mass around each of several places, in kilograms: the mass of each control point is divided among
/// the places that it moves, by their weights.
pub(super) fn shares(rows: &[Row], masses: &[f64]) -> Vec<f64> {
    let mut moved = vec![0.0; masses.len()];
    for row in rows {
        for (moved, weight) in moved[row.first..].iter_mut().zip(row.weights) {
            *moved += weight;
        }
    }
    let share = |row: &Row| {
        let weighted = (row.first..row.first + 4).zip(row.weights);
        let weighted = weighted.filter(|(i, _)| moved[*i] > 0.0);
        weighted.map(|(i, weight)| masses[i] * weight / moved[i]).sum()
    };
    rows.iter().map(share).collect()
}

/// Finds the pairs that may touch within `dt`; `pushes` are the normal forces of the last step, sample
/// by sample.
pub(super) fn candidates(
    samples: &[Sample],
    obstacles: &[Obstacle],
    q: &[DVec3],
    v: &[DVec3],
    dt: f64,
    pushes: &[f64],
    out: &mut Vec<Contact>,
) {
    out.clear();
    if obstacles.is_empty() {
        return;
    }
    // Any sample may touch something later; reserving now avoids allocations then.
    out.reserve(2 * samples.len());
    for (s, sample) in samples.iter().enumerate() {
        let here = sample.row.of(q);
        let reach = 3.0 * dt * sample.row.of(v).length();
        for (o, obstacle) in obstacles.iter().enumerate() {
            let stuck = obstacle.carried(here);
            let reach = reach + 3.0 * stuck.distance(here) + 2.0 * obstacle.margin;
            if obstacle.clearance(here).0 < reach {
                let push = pushes.get(s * obstacles.len() + o).copied().unwrap_or(0.0);
                let (clearance, normal) = (f64::INFINITY, DVec3::Z);
                let (sample, obstacle) = (s, o);
                out.push(Contact { sample, obstacle, stuck, push, clearance, normal });
            }
        }
    }
}

impl SplineRope {
    /// Carries contact forces over to obstacles that have changed places: `were` has the former index of
    /// each, `None` for a new one.
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
