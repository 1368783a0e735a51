//! One explicit step: forces, accelerations, motion.
//!
//! Tuzel 2004, eqs 10–16. Forces from the positions and velocities at the start of the step go to
//! the control points (eq. 15), the factor of the mass matrix turns them into accelerations
//! (eq. 10), and Euler's rule integrates them (section 6). Gravity and viscosity need no sum: `M⁻¹`
//! of a uniform acceleration is that acceleration (eq. 12), and of `−c M q̇` it is `−c q̇`
//! (eq. 14).
//!
//! Pins are damped springs of zero length (section 4.3.2), as stiff as a segment of the rope.
//! Contact is a damped spring that pushes points out of an obstacle, with friction along its
//! surface (section 4.3.3).
//!
//! Tests: `free_fall_follows_eulers_rule`, `viscosity_decays_as_published`,
//! `a_pin_follows_its_target`, `a_sliding_rope_stops_at_the_distance_of_coulomb_friction`,
//! `dense_air_carries_the_rope_along`.

use glam::DVec3;

use super::rope::{Rope, Step};

/// Stiffness of contact relative to mass over the square of the step. Larger values make stacked
/// ropes ring; with smaller ones a rope at rest sinks into the floor by `g dt²` over this.
const CONTACT: f64 = 0.1;
/// Damping of contact relative to mass over the step; without it ropes bounce.
const CONTACT_DAMPING: f64 = 0.5;
/// Drag along the rope relative to drag across it.
const SKIN: f64 = 0.03;

impl Rope {
    /// Stiffness of a pin in N/m, and its damping in N s/m.
    pub(super) fn pin_spring(&self) -> (f64, f64) {
        let segment = self.length / self.basis.segments() as f64;
        let stiffness = self.build.section.stretch / segment;
        (stiffness, stiffness * self.build.section.inner_friction)
    }

    /// Moves positions and velocities by one step.
    pub(super) fn advance(&mut self, dt: f64) {
        let mut force = std::mem::take(&mut self.force);
        force.clear();
        force.resize(self.basis.control_points(), DVec3::ZERO);
        self.springs.add_forces(&self.state.positions, &self.state.velocities, &mut force);
        for pull in &self.forces {
            self.basis.at(pull.u).spread(pull.force, &mut force);
        }
        self.add_pins(dt, &mut force);
        self.add_air(dt, &mut force);
        self.add_contacts(dt, &mut force);
        self.factor.solve(&mut force);
        let (gravity, viscosity) = (self.gravity, self.viscosity);
        let state = &mut self.state;
        for ((q, v), a) in state.positions.iter_mut().zip(&mut state.velocities).zip(&force) {
            let old = *v;
            *v += (*a + gravity - *v * viscosity) * dt;
            *q += match self.build.step {
                Step::Explicit => old,
                Step::SemiImplicit => *v,
            } * dt;
        }
        self.force = force;
    }

    /// Adds the springs of the pins.
    fn add_pins(&mut self, dt: f64, out: &mut [DVec3]) {
        let (stiffness, damping) = self.pin_spring();
        self.reactions.clear();
        for (pin, start) in self.pins.iter().zip(&self.state.targets) {
            let at = self.basis.at(pin.u);
            let apart = *start - at.of(&self.state.positions);
            let speed = (pin.target - *start) / dt - at.of(&self.state.velocities);
            let pull = if pin.on { apart * stiffness + speed * damping } else { DVec3::ZERO };
            at.spread(pull, out);
            self.reactions.push(pull);
        }
    }

    /// Adds the drag of the air, `½ ρ C d |u| u` across the rope. An explicit step could brake the
    /// rope beyond the speed of the air, so drag is reduced to that of an implicit step.
    fn add_air(&self, dt: f64, out: &mut [DVec3]) {
        if self.air.density == 0.0 || self.drag == 0.0 || self.radius == 0.0 {
            return;
        }
        let half = 0.5 * self.length / self.basis.segments() as f64;
        for point in &self.drag_points {
            let direction = self.basis.slope(point.u).of(&self.state.positions).normalize_or_zero();
            let past = self.air.at(point.at.of(&self.state.positions))
                - point.at.of(&self.state.velocities);
            let along = direction * direction.dot(past);
            let across = past - along;
            let strength = self.air.density * self.drag * self.radius * across.length() * half;
            let strength = strength / (1.0 + strength * dt / point.mass);
            point.at.spread((across + along * SKIN) * strength, out);
        }
    }

    /// Adds contact and friction.
    fn add_contacts(&self, dt: f64, out: &mut [DVec3]) {
        for contact in &self.contacts {
            let here = contact.at.of(&self.state.positions);
            for obstacle in &self.obstacles {
                let (clear, outwards) = obstacle.clearance(here);
                if clear >= 0.0 {
                    continue;
                }
                let speed =
                    contact.at.of(&self.state.velocities) - (obstacle.carried(here) - here) / dt;
                let leaving = speed.dot(outwards);
                let per_step = contact.mass / dt;
                let push = (-CONTACT * per_step / dt * clear
                    - CONTACT_DAMPING * per_step * leaving)
                    .max(0.0);
                let along = speed - outwards * leaving;
                let fast = along.length();
                // Friction stops the point and never reverses it.
                let limit = (self.friction * push).min(per_step * fast);
                let friction = if fast > 0.0 { along * (-limit / fast) } else { DVec3::ZERO };
                contact.at.spread(outwards * push + friction, out);
            }
        }
    }
}
