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
//! Tests, in `lariat-eval`: `a_pulled_body_hangs_by_its_weight_over_the_stiffness`.

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

/// A particle with a spring, and its mass without it in kilograms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprung {
    particle: usize,
    own: f64,
}

impl Strings {
    /// Adds a spring to the next step, of `h` seconds. Call [`Strings::release`] after the step.
    pub fn pull(&mut self, spring: &Spring, h: f64) -> Sprung {
        let Spring { particle, target, velocity, stiffness, damping } = *spring;
        let own = self.mass(particle);
        let load = h * damping + 0.5 * h * h * stiffness;
        self.set_mass(particle, own, load);
        let (x, v) = (self.state.positions[particle], self.state.velocities[particle]);
        let force = (target - x - v * h) * stiffness + (velocity - v) * damping;
        // Gravity accelerates the load, too.
        self.forces.push(Force { particle, force: force - self.gravity * load });
        Sprung { particle, own }
    }

    /// Removes a spring after its step.
    pub fn release(&mut self, sprung: Sprung) {
        self.unload(sprung.particle, sprung.own);
    }
}
