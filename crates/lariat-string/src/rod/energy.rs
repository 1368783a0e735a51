//! Energy and momentum of strings, and the check that a step has not diverged.
//!
//! Tests: `momentum_is_kept_to_rounding`, `nothing_explodes`.

use glam::DVec3;
use lariat_core::dynamics::Diverged;

use super::super::build::Twist;
use super::super::contact::MOST_PAIRS;
use super::super::energy::{Energy, LOOKED_AFTER};
use super::state::Span;
use super::strings::Strings;

impl Strings {
    /// Energy at present, by kind.
    pub fn energy(&self) -> Energy {
        let (state, parts) = (&self.state, &self.parts);
        let mut energy = Energy::default();
        for (i, m) in parts.mass.iter().enumerate() {
            energy.kinetic += 0.5 * m * state.velocities[i].length_squared();
            energy.height -= m * self.gravity.dot(state.positions[i]);
        }
        for span in &state.spans {
            for i in span.segments() {
                let inertia = parts.inertia[i] + parts.turned[i];
                energy.spin += 0.5 * inertia * state.spins[i] * state.spins[i];
                if let Some(curve) = parts.curves.get(i) {
                    let longer = self.segment_length(i) - state.rests[i];
                    let stiffness = if longer < 0.0 { curve.compression } else { curve.stiffness };
                    energy.stretch += 0.5 * stiffness * longer * longer;
                }
            }
            let follows = self.kinds[span.string].twist != Twist::Free;
            for j in span.joints().filter(|_| follows) {
                let twist = self.twist_at(j);
                energy.twist += 0.5 * self.twist_stiffness(j) * twist * twist;
            }
        }
        energy
    }

    /// Momentum in kg m/s, and angular momentum about the origin with that of spins, in kg m²/s.
    pub fn momentum(&self) -> (DVec3, DVec3) {
        let (state, parts) = (&self.state, &self.parts);
        let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        for (i, m) in parts.mass.iter().enumerate() {
            linear += state.velocities[i] * *m;
            angular += state.positions[i].cross(state.velocities[i]) * *m;
        }
        for i in state.spans.iter().flat_map(Span::segments) {
            let along = (state.positions[i + 1] - state.positions[i]).normalize_or_zero();
            angular += along * (parts.inertia[i] * state.spins[i]);
        }
        (linear, angular)
    }

    /// Refuses a step that no string would make.
    pub(super) fn check_energy(&mut self, dt: f64) -> Result<(), Diverged> {
        let time = self.state.time + dt;
        if self.work.near.crowded {
            return Err(Diverged::Crowded { time, pairs: MOST_PAIRS });
        }
        let state = &self.state;
        let sum: DVec3 = state.positions.iter().chain(&state.velocities).sum();
        let rows = [&state.angles, &state.spins, &state.tensions];
        let others: f64 = rows.iter().map(|row| row.iter().sum::<f64>()).sum();
        if !(sum.is_finite() && others.is_finite()) {
            return Err(Diverged::NotFinite { time });
        }
        if !state.steps.is_multiple_of(LOOKED_AFTER) {
            return Ok(());
        }
        let energy = self.energy();
        let bound = self.largest_energy(time);
        let stored = energy.stretch + energy.twist + energy.spin + self.work_of_forces(time);
        self.state.supplied = self.state.supplied.max(stored);
        match energy.kinetic <= bound {
            true => Ok(()),
            false => Err(Diverged::Energy { time, energy: energy.kinetic, bound }),
        }
    }

    /// Generous bound of the kinetic energy: a hundred times what holds, gravity, forces, wind,
    /// stretch and twist may have supplied.
    fn largest_energy(&self, time: f64) -> f64 {
        let mass: f64 = self.parts.mass.iter().sum();
        let length: f64 = self.parts.length.iter().sum();
        let speed = self.state.fastest_hold
            + self.gravity.length() * time
            + 4.0 * (self.air.wind.length() + self.air.turbulence);
        let fall = self.gravity.length() * length;
        let folded: f64 = self.kinds.iter().map(|kind| kind.folded).sum();
        let supplied = self.state.supplied + folded + self.work_of_forces(time);
        100.0 * (mass * (speed * speed + fall) + supplied) + 1e-9
    }

    /// Energy that forces could have given to the lightest particle.
    fn work_of_forces(&self, time: f64) -> f64 {
        let forces = self.forces.iter().map(|force| force.force.length());
        let pulls = self.work.inputs.springs.iter().map(|spring| {
            let x = self.state.positions.get(spring.particle).copied().unwrap_or_default();
            spring.stiffness * spring.target.distance(x)
        });
        let all: f64 = forces.chain(pulls).sum();
        if all <= 0.0 {
            return 0.0;
        }
        let lightest = self.parts.mass.iter().copied().fold(f64::INFINITY, f64::min);
        all * time * all * time / lightest
    }
}
