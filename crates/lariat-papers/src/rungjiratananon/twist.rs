//! Twist angles: they turn with their rotational velocity and go to the means of their regions.
//!
//! Section 4, eqs 1–5. Region `k` holds the segments `k − w … k + w`; a larger `w` spreads twist further
//! within a step, which acts as a larger torsional rigidity.
//!
//! ```text
//! eq. 5     θ' = θ + dt ω,  ω += dt T / I          torques from outside
//! eq. 1     Δ_k = Σ (I/N) (θ' − θ⁰) / Σ (I/N)      mean of a region
//! eq. 2, 3  θ_new = θ' + α (θ⁰ + mean Δ_k − θ')    towards the mean of the regions
//! eq. 4     ω = (θ_new − θ) / dt
//! ```
//!
//! # Differences from the paper
//!
//! * R1: eq. 2 prints the sum over regions, which multiplies angles in every step. It is the mean.
//! * R2: eq. 3 forgets the rest angles.
//! * R3: eq. 4 adds an inertia times an angle to a rate.
//! * R4: eqs 3 and 5 both move angles. Here they move once, and the rate follows.
//! * Weights are `I/N`, with the moment of inertia and the number of regions that hold a segment, so that
//!   `Σ I θ` is kept.
//!
//! Tests: `averaged_twist_keeps_its_sum_and_becomes_uniform`, `a_turned_end_twists_the_string_evenly`,
//! `a_stiffer_part_is_twisted_less`, `a_torque_spins_a_free_string`.

use super::share_of_step;
use super::state::Span;
use super::strings::Strings;

impl Strings {
    /// Moves the twist angles of all strings.
    pub(super) fn spread_twist(&mut self, dt: f64) {
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            let Some(regions) = self.kinds[span.string].twist else { continue };
            if span.count < 2 {
                continue;
            }
            let rotated = self.rotate(&span, dt);
            let goals = self.goal_angles(&span, &rotated);
            let share = share_of_step(regions.share, dt);
            for (k, i) in span.segments().enumerate() {
                let free = rotated[k] + share * (goals[k] - rotated[k]);
                let angle = self.work.turned[i].unwrap_or(free);
                self.state.spins[i] = (angle - self.state.angles[i]) / dt;
                self.state.angles[i] = angle;
            }
        }
    }

    /// Angles after the rotational velocities and the torques from outside.
    fn rotate(&self, span: &Span, dt: f64) -> Vec<f64> {
        let rotated = |i: usize| {
            let spin = self.state.spins[i] + dt * self.work.torques[i] / self.parts.inertia[i];
            self.work.turned[i].unwrap_or(self.state.angles[i] + dt * spin)
        };
        span.segments().map(rotated).collect()
    }

    /// Goal angles of the segments of a piece.
    fn goal_angles(&self, span: &Span, angles: &[f64]) -> Vec<f64> {
        let n = angles.len();
        let around = |k: usize| {
            let width = self.parts.twist_width[span.first + k];
            (k.saturating_sub(width), k.saturating_add(width).min(n - 1) + 1)
        };
        // Angles at which no joint is twisted beyond its rest.
        let mut rests = vec![0.0; n];
        for k in 1..n {
            let joint = span.first + k;
            rests[k] = rests[k - 1] + self.state.rest_twists[joint] - self.state.windings[joint];
        }
        let ones = vec![1.0; n];
        let holders = sums_over_regions(&ones, around);
        let (mut weights, mut sums) = (vec![0.0], vec![0.0]);
        for k in 0..n {
            let weight = self.parts.inertia[span.first + k] / holders[k];
            weights.push(weights[k] + weight);
            sums.push(sums[k] + weight * (angles[k] - rests[k]));
        }
        let mean = |k: usize| {
            let (from, to) = around(k);
            (sums[to] - sums[from]) / (weights[to] - weights[from])
        };
        let means: Vec<f64> = (0..n).map(mean).collect();
        let goals = sums_over_regions(&means, around);
        (0..n).map(|k| rests[k] + goals[k] / holders[k]).collect()
    }
}

/// For each segment, the sum of `values` over the regions that hold it. `around` gives the segments of
/// each region.
fn sums_over_regions(values: &[f64], around: impl Fn(usize) -> (usize, usize)) -> Vec<f64> {
    let mut changes = vec![0.0; values.len() + 1];
    for (k, value) in values.iter().enumerate() {
        let (from, to) = around(k);
        changes[from] += value;
        changes[to] -= value;
    }
    let sums = changes.iter().scan(0.0, |sum, change| {
        *sum += change;
        Some(*sum)
    });
    sums.take(values.len()).collect()
}
