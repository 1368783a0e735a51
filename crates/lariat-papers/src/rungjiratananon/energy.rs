//! Limit on the energy that sweeps add.
//!
//! Lengths are kept by forces that do no work, except where a clamp moves. Sweeps move one end of a
//! segment without its reaction on the other, so a string that swings gains energy without end.
//!
//! # Differences from the paper
//!
//! * The velocities of a string between two clamps are reduced so that limiting its strain adds no
//!   kinetic energy beyond the work of these clamps: `Σ m v² ≤ Σ m v'² + 2 Σ T |Δx|`, with `v'`
//!   before strain limiting and the tensions `T` at the clamps, which move by `Δx`. A piece without
//!   clamps keeps its momentum.
//!
//! Sweeps still do work against gravity: the total energy of a limp metre that falls from level rises by
//! up to a third of what the fall is worth, and then decays.
//!
//! Tests: `sweeps_do_not_pump_energy`, `a_moving_clamp_swings_a_string`.

use glam::DVec3;

use super::state::Span;
use super::strings::Strings;

impl Strings {
    /// Reduces velocities that strain limiting has made too large.
    pub(super) fn limit_energy(&mut self, dt: f64) {
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            let last = span.first + span.count - 1;
            let held: Vec<usize> = span.particles().filter(|i| self.work.held[*i]).collect();
            // Sections between held particles and ends, each with its free particles.
            let ends: Vec<usize> =
                [span.first].into_iter().chain(held.iter().copied()).chain([last]).collect();
            let drift = if held.is_empty() { self.drift(&span) } else { DVec3::ZERO };
            let sections = if held.is_empty() { vec![[span.first, last]] } else { pairs(&ends) };
            for [from, to] in sections {
                self.limit_section(from, to, drift, dt);
            }
        }
    }

    fn limit_section(&mut self, from: usize, to: usize, drift: DVec3, dt: f64) {
        let free = |held: &[bool]| (from..=to).filter(|i| !held[*i]).collect::<Vec<usize>>();
        let free = free(&self.work.held);
        let (mut allowed, mut after) = (0.0, 0.0);
        for &i in &free {
            let (mass, before) = (self.parts.mass[i], self.work.before[i]);
            let velocity = (self.work.free[i] - before) / dt - drift;
            allowed += mass * velocity.length_squared();
            after += mass * (self.state.velocities[i] - drift).length_squared();
        }
        if from < to {
            for (end, segment) in [(from, from), (to, to - 1)] {
                let moved = self.state.positions[end].distance(self.work.before[end]);
                let work =
                    if self.work.held[end] { self.state.tensions[segment] * moved } else { 0.0 };
                allowed += 2.0 * work;
            }
        }
        if after > allowed {
            let factor = (allowed / after).sqrt();
            for i in free {
                let velocity = &mut self.state.velocities[i];
                *velocity = drift + (*velocity - drift) * factor;
            }
        }
    }

    /// Velocity of the centre of mass of a piece.
    fn drift(&self, span: &Span) -> DVec3 {
        let momentum = |i: usize| self.state.velocities[i] * self.parts.mass[i];
        let mass: f64 = self.parts.mass[span.particles()].iter().sum();
        span.particles().map(momentum).sum::<DVec3>() / mass
    }
}

/// Neighbouring pairs of a list.
fn pairs(list: &[usize]) -> Vec<[usize; 2]> {
    list.windows(2).map(|pair| [pair[0], pair[1]]).collect()
}
