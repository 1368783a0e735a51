//! What is in strings: motion, spin, height, stretch, twist; and when it is too much.
//!
//! Tests: `a_swing_keeps_its_energy`, `nothing_explodes`.

use glam::DVec3;

use super::contact::MOST_PAIRS;
use super::spring::sprung_forces;
use super::state::Span;
use super::strings::Strings;
use lariat_core::dynamics::Diverged;

/// Every so many steps the energy is looked at; that all numbers are finite, at every one.
pub(super) const LOOKED_AFTER: u64 = 8;

/// Joules, by kind. Bending has no number of its own: shape matching pulls towards goals that move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of motion.
    pub kinetic: f64,
    /// Of segments about their axes.
    pub spin: f64,
    /// Of height, 0 at the origin.
    pub height: f64,
    /// Of segments that are stretched, or pushed together.
    pub stretch: f64,
    /// Of twisted joints.
    pub twist: f64,
}

impl Strings {
    /// Joules in a segment that is longer or shorter than at rest: those of its length, for tension is a
    /// mean of the last part and may be that of a blow.
    fn stretched(&self, span: &Span, i: usize) -> f64 {
        let (state, parts) = (&self.state, &self.parts);
        let built = [parts.length[i], parts.radius[i], parts.stiffness[i]];
        let rest = state.rests[i] - state.flicks[i].abs();
        let kind = &self.kinds[span.string];
        let curve = kind.curve(span.flicks(), built, rest, state.yields[i]);
        let longer = self.segment_length(i) - rest;
        let give = if longer < 0.0 { curve.press } else { curve.give };
        if give > 0.0 { 0.5 * longer * longer / give } else { 0.0 }
    }

    /// What is in them now.
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
                energy.stretch += self.stretched(span, i);
            }
            for j in span.joints() {
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

    /// Refuses what no string would do.
    pub(super) fn look_after(&mut self, dt: f64) -> Result<(), Diverged> {
        let time = self.state.time + dt;
        let finite = self.work.scratch.iter().all(|scratch| scratch.finite);
        for scratch in &mut self.work.scratch {
            scratch.finite = true;
        }
        if !finite {
            return Err(Diverged::NotFinite { time });
        }
        if self.work.contacts.crowded {
            return Err(Diverged::Crowded { time, pairs: MOST_PAIRS });
        }
        let state = &self.state;
        if !state.steps.is_multiple_of(LOOKED_AFTER) {
            return Ok(());
        }
        let energy = self.energy();
        let bound = self.most_energy(time);
        let calm = energy.kinetic <= bound;
        // Stretch and twist come from hands and pushes, and may all become motion.
        let stored = energy.stretch + energy.twist + energy.spin + self.thrown(time);
        self.state.given = self.state.given.max(stored);
        if calm { Ok(()) } else { Err(Diverged::Energy { time, energy: energy.kinetic, bound }) }
    }

    /// Joules of motion that they could have, generously: a hundred times what hands, gravity,
    /// pushes, wind, stretch and twist may have given them.
    fn most_energy(&self, time: f64) -> f64 {
        let mass: f64 = self.parts.mass.iter().sum();
        let length: f64 = self.parts.length.iter().sum();
        let speed = self.state.hands
            + self.gravity.length() * time
            + 4.0 * (self.air.wind.length() + self.air.turbulence);
        let fall = self.gravity.length() * length;
        // Folded at every joint.
        let folded: f64 = self.kinds.iter().map(|kind| kind.folded).sum();
        let given = self.state.given + folded + self.thrown(time);
        100.0 * (mass * (speed * speed + fall) + given) + 1e-9
    }

    /// Joules that pushes could have given to the lightest particle.
    fn thrown(&self, time: f64) -> f64 {
        let forces = self.forces.iter().copied().chain(sprung_forces(&self.sprung));
        let pushed: f64 = forces.map(|push| push.force.length()).sum();
        let lightest = self.parts.mass.iter().copied().fold(f64::INFINITY, f64::min);
        pushed * time * pushed * time / lightest
    }
}
