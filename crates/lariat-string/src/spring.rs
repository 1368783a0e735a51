//! A damped spring between a particle and a moving target: a string that is pulled while it moves.
//!
//! The spring acts with its force at the end of the step, for any stiffness and damping: with `x`, `v`
//! and `m` of the particle at the start of a step of `h` seconds, and `a` of everything else,
//!
//! ```text
//! (m + h c + h² k / 2) (v' − v)/h = m a + k (target − x − h v) + c (velocity − v)
//! ```
//!
//! So the particle is heavier by `h c + h² k / 2` during the step, and pulled by the right side. A
//! particle is a hundredth of its string, and an explicit force that carries the string would throw it.
//!
//! What the spring adds to the mass is a summand of its own, besides the particle's mass and the load
//! of a solid that is tied to it ([`Strings::set_mass`]). So ties may begin, change and end in the step.
//!
//! Tests, in `lariat-eval`: `a_pulled_body_hangs_by_its_weight_over_the_stiffness`; in `lariat-rigid`:
//! `a_spring_at_a_tie_leaves_the_masses_as_they_are`.

use glam::DVec3;

use super::controls::Force;
use super::strings::Strings;

/// A damped spring from a particle to a moving target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// The particle; see [`Strings::particle`].
    pub particle: usize,
    /// Position of its other end at the end of the next step.
    pub target: DVec3,
    /// Velocity of its other end, in m/s.
    pub velocity: DVec3,
    /// In newtons per metre.
    pub stiffness: f64,
    /// In newtons per m/s.
    pub damping: f64,
}

/// A particle with springs during a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sprung {
    pub particle: usize,
    /// Its mass without them in kilograms, and the share of it that viscosity slows.
    pub mass: f64,
    pub slowed: f64,
    /// Kilograms that they add.
    pub load: f64,
    /// Their force at the start of the step.
    force: DVec3,
}

impl Strings {
    /// Adds a spring to the next step, of `h` seconds. Call [`Strings::release`] after the step.
    pub fn pull(&mut self, spring: &Spring, h: f64) {
        let Spring { particle, target, velocity, stiffness, damping } = *spring;
        let load = h * damping + 0.5 * h * h * stiffness;
        let (x, v) = (self.state.positions[particle], self.state.velocities[particle]);
        let force = (target - x - v * h) * stiffness + (velocity - v) * damping;
        // Gravity accelerates the load, too.
        let force = force - self.gravity * load;
        let (mass, slowed) = self.unsprung(particle);
        match self.sprung.iter_mut().find(|sprung| sprung.particle == particle) {
            Some(sprung) => {
                sprung.load += load;
                sprung.force += force;
            }
            None => self.sprung.push(Sprung { particle, mass, slowed, load, force }),
        }
        self.weigh(particle, mass, slowed);
    }

    /// Removes the springs of a particle after their step.
    pub fn release(&mut self, particle: usize) {
        let (mass, slowed) = self.unsprung(particle);
        self.sprung.retain(|sprung| sprung.particle != particle);
        self.weigh(particle, mass, slowed);
        self.lighten(particle);
    }
}

/// The forces of springs.
pub(super) fn sprung_forces(sprung: &[Sprung]) -> impl Iterator<Item = Force> {
    sprung.iter().map(|&Sprung { particle, force, .. }| Force { particle, force })
}
