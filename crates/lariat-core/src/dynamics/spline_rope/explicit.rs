//! The published steps: forces now, motion then.
//!
//! Eqs 10–16. All forces at the places and speeds of now are handed to the control points, the
//! factor of the mass turns them into accelerations, and Euler's rule moves on: places with the old
//! speeds as published, or with the new ones, which is the least that springs without damping can
//! bear (T10). Gravity and viscosity need no sum: `M⁻¹` of an even pull is that pull (eq. 12), and of
//! `−c M q̇` it is `−c q̇` (eq. 14).
//!
//! Pins are brought to their places by the factor that is there anyway (`pins.rs`), or pulled there
//! by springs as published (section 4.3.2).
//!
//! Tests: `free_fall_is_exact`, `viscosity_decays_as_told`, `steps_within_the_limit_stay_calm`.

use glam::DVec3;

use super::build::{Elasticity, Hold};
use super::implicit::jammed;
use super::rope::{Next, SplineRope, StepReport};

/// Stiffness of contact beside a sample's mass over the square of the step. Larger: a second rope
/// on top makes it ring. Smaller: what lies on a floor sinks in, by `g dt²` over this.
const CONTACT: f64 = 0.1;
/// Damping of contact beside mass over step: enough that nothing bounces.
const CONTACT_DAMPING: f64 = 0.5;

impl SplineRope {
    /// One published step; `cromer` takes the new speeds for the new places.
    pub(super) fn explicit_step(&mut self, dt: f64, cromer: bool) -> StepReport {
        self.state.positions_before.clone_from(&self.state.positions);
        self.state.velocities_before.clone_from(&self.state.velocities);
        let mut work = std::mem::take(&mut self.work);
        let n = self.basis.len();
        let force = &mut work.force;
        force.clear();
        force.resize(n, DVec3::ZERO);
        let (q, v) = (&self.state.positions, &self.state.velocities);
        match self.build.elasticity {
            Elasticity::Springs { .. } => {
                let rows = &self.springs.rows;
                work.points.clear();
                work.points.extend(rows.iter().map(|row| row.of(q)));
                work.speeds.clear();
                work.speeds.extend(rows.iter().map(|row| row.of(v)));
                work.pulls.resize(rows.len(), DVec3::ZERO);
                self.springs.add_pulls(&work.points, &work.speeds, &mut work.pulls, force);
            }
            Elasticity::Energy => {
                let section = &self.build.section;
                for (node, tension) in self.nodes.iter().zip(&mut self.state.tensions) {
                    let slope = node.slope.of(q);
                    let long = slope.length();
                    let way = slope / long.max(f64::MIN_POSITIVE);
                    let strain = long / node.rest - 1.0;
                    let growing = node.slope.of(v).dot(way) / node.rest;
                    let mut pull = section.stretch * (strain + section.inner_friction * growing);
                    if pull < 0.0 {
                        pull = pull * section.compression + jammed(section, strain).0;
                    }
                    *tension = pull;
                    node.slope.add_to(force, way * (-node.weight * pull));
                }
                self.push_aside(force);
                // Bending, with its friction: the same matrix.
                work.next.clear();
                let slowed = q.iter().zip(v).map(|(q, v)| *q + *v * section.inner_friction);
                work.next.extend(slowed);
                super::energy::times(&self.bending, &work.next, &mut work.bar);
                for (force, bent) in force.iter_mut().zip(&work.bar) {
                    *force -= *bent;
                }
            }
        }
        for push in &self.forces {
            self.basis.at(push.u * self.basis.segments() as f64).add_to(force, push.force);
        }
        if self.build.hold == Hold::Penalty {
            let grip = self.grip();
            work.pulls.clear();
            for way in self.ways_of_pins() {
                let pull = grip.pull(way.from - way.row.of(q), way.speed(dt) - way.row.of(v));
                way.row.add_to(force, pull);
                work.pulls.push(pull);
            }
            self.state.reactions.clone_from(&work.pulls);
        }
        self.add_breezes(dt, &mut work.breeze, force);
        let contacts = self.add_contacts(dt, force);
        let force = &mut work.force;
        self.factor.solve(force);
        let exact = self.build.hold == Hold::Constraint && !self.pinned.is_empty();
        let (gravity, slowing) = (self.gravity, self.viscosity);
        let state = &mut self.state;
        // The speeds that lead pins to their targets.
        work.goals.clear();
        if exact {
            let pins = self.pinned.iter().zip(&self.targets);
            work.goals.extend(pins.map(|(row, to)| (*to - row.of(&state.positions)) / dt));
        }
        if !cromer {
            advance(&mut state.positions, &state.velocities, dt);
        }
        for (v, a) in state.velocities.iter_mut().zip(force.iter()) {
            *v += (*a + gravity - *v * slowing) * dt;
        }
        if exact {
            // v = v* + Y S⁻¹ ((target − L q)/dt − L v*).
            self.held.bring(&work.goals, &mut state.velocities);
            for (reaction, push) in state.reactions.iter_mut().zip(self.held.pushes()) {
                *reaction = *push / dt;
            }
        }
        if cromer {
            advance(&mut state.positions, &state.velocities, dt);
        }
        if exact {
            // Rounding; or, for places that went with the old speeds, all of it.
            self.held.meet(&self.targets, &mut state.positions);
        }
        self.state.next = Next::First;
        self.work = work;
        StepReport { parts: 1, solves: 1, contacts }
    }

    /// Adds what obstacles push with; how many places touch one.
    fn add_contacts(&mut self, dt: f64, force: &mut [DVec3]) -> u32 {
        self.state.pushes.clear();
        if self.obstacles.is_empty() {
            return 0;
        }
        let (q, v) = (&self.state.positions, &self.state.velocities);
        let mut contacts = 0;
        for sample in &self.samples {
            let here = sample.row.of(q);
            for obstacle in &self.obstacles {
                let (clear, out) = obstacle.clearance(here);
                if clear >= 0.0 {
                    self.state.pushes.push(0.0);
                    continue;
                }
                let speed = sample.row.of(v) - (obstacle.carried(here) - here) / dt;
                let (stiffness, damping) =
                    (CONTACT * sample.mass / (dt * dt), CONTACT_DAMPING * sample.mass / dt);
                let leaving = speed.dot(out);
                let push = (-stiffness * clear - damping * leaving).max(0.0);
                let along = speed - out * leaving;
                // What would stop it, and no more.
                let fast = along.length();
                let held = (self.friction * push).min(sample.mass * fast / dt);
                let drag = if fast > 0.0 { along * (-held / fast) } else { DVec3::ZERO };
                sample.row.add_to(force, out * push + drag);
                self.state.pushes.push(push);
                contacts += 1;
            }
        }
        contacts
    }
}

/// Places a step later, at these speeds.
fn advance(q: &mut [DVec3], v: &[DVec3], dt: f64) {
    for (q, v) in q.iter_mut().zip(v) {
        *q += *v * dt;
    }
}
