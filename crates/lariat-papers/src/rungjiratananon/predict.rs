//! Explicit step of the particles, and the velocities that its end implies.
//!
//! Section 3: "the particles are independently moved by external forces". Weight, forces, twist, flicks and
//! air change the velocities, and the particles move with them. Everything after that moves places, and
//! `v = (x − x_old) / dt` in the end.
//!
//! # Differences from the paper
//!
//! * Air acts with `½ ρ C 2r l |u| u` across a segment. An explicit step must not brake a particle beyond
//!   the speed of the air, so drag is reduced to the change of an implicit step.
//!
//! Tests: `free_fall_is_eulers`, `viscosity_decays_as_given`, `air_carries_a_string_along`.

use glam::DVec3;
use lariat_core::num::ops;

use super::strings::Strings;

impl Strings {
    /// Moves the particles that are not held by the forces on them.
    pub(super) fn predict(&mut self, dt: f64) {
        self.add_air(dt);
        for span in &self.state.spans {
            let kept = ops::exp(-self.values(span.string).viscosity * dt);
            for i in span.particles().filter(|i| !self.work.held[*i]) {
                let velocity = &mut self.state.velocities[i];
                *velocity = *velocity * kept + self.work.forces[i] * (dt / self.parts.mass[i]);
                self.state.positions[i] += *velocity * dt;
            }
        }
    }

    /// Adds the drag of the air.
    fn add_air(&mut self, dt: f64) {
        if self.air.density <= 0.0 {
            return;
        }
        for span in &self.state.spans {
            let drag = self.values(span.string).drag;
            for i in span.segments() {
                let (a, b) = (self.state.positions[i], self.state.positions[i + 1]);
                let direction = (b - a).normalize_or_zero();
                let speed = (self.state.velocities[i] + self.state.velocities[i + 1]) * 0.5;
                let past = self.air.at((a + b) * 0.5) - speed;
                let across = past - direction * direction.dot(past);
                let face = self.parts.radius[i] * a.distance(b);
                let strength = 0.5 * self.air.density * drag * face * across.length();
                // Both ends together have at least the mass of the segment.
                let radius = self.parts.radius[i];
                let mass = 2.0 * self.parts.inertia[i] / (radius * radius);
                let reduced = strength / (1.0 + 2.0 * strength * dt / mass);
                for end in [i, i + 1] {
                    self.work.forces[end] += across * reduced;
                }
            }
        }
    }

    /// Sets the velocities from the places before and after the step.
    pub(super) fn finish_motion(&mut self, dt: f64) {
        let places = self.state.positions.iter().zip(&self.work.before);
        let velocities = places.map(|(after, before)| (*after - *before) / dt);
        self.state.velocities = velocities.collect::<Vec<DVec3>>();
        for (was, is) in self.state.held.iter_mut().zip(&self.work.held) {
            *was = f64::from(u8::from(*is));
        }
    }
}
