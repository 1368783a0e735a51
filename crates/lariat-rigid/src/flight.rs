//! How a solid flies and tumbles through a step when it touches nothing, and what is left of that
//! when it does.
//!
//! A stone flies on a parabola, which is `x + h v + ½ h² F/m` exactly. A box that tumbles keeps its
//! angular momentum `L` in the world, while its spin `I⁻¹ L` goes about as it turns: it is turned by
//! the spin of the middle of the step, found in a few rounds, so the way there is the way back and
//! energy is kept over long times. However fast it is, `L` is kept to rounding, so nothing can swing
//! itself up.
//!
//! Rapier starts with that spin, and its inertia is that of the beginning of the step: what it adds
//! besides the torque is a blow, and goes to `L`.
//!
//! Tests: `free_fall_is_that_of_a_stone`, `a_free_solid_keeps_its_spin`,
//! `a_box_that_is_struck_takes_the_blow`.

use glam::{DQuat, DVec3};

use crate::solid::{Solid, turn_by};
use crate::solids::ROUNDS;

/// Rounds for the spin of the middle of a step. Each makes the error smaller by the angle of a
/// step; what turns by more than a radian in one is not followed more closely by more of them.
const MIDDLES: usize = 6;

/// How far rapier may be from free flight, in its own units and relative to them, and be in free
/// flight: rounding errors. More: weak touches are missed. Less: flight is taken for touch.
const SAME: f64 = 1e-11;

/// How a solid flies through a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    /// The spin that rapier is to start with.
    pub told: DVec3,
    /// Where it is at the end.
    position: DVec3,
    rotation: DQuat,
    velocity: DVec3,
    /// Its angular momentum at the end.
    turning: DVec3,
    /// Where rapier has it at the end, how it moves and spins there.
    expected: [DVec3; 3],
}

impl Flight {
    /// The flight of a solid under a force at its middle and a torque, for `h` seconds.
    pub(crate) fn of(solid: &Solid, force: DVec3, torque: DVec3, h: f64) -> Self {
        let faster = force * (h / solid.mass);
        let velocity = solid.velocity + faster;
        let (before, gained) = (solid.turning(), torque * h);
        let middle = before + gained * 0.5;
        let mut spin = solid.spin;
        for _ in 0..MIDDLES {
            spin = solid.spin_of(middle, turn_by(spin * (0.5 * h)) * solid.rotation);
        }
        // Rapier adds a share of forces and torques in each of its rounds, and moves after it.
        let late = 0.5 * (1.0 + 1.0 / ROUNDS as f64);
        let spun = solid.spin_of(gained, solid.rotation);
        let told = spin - spun * late;
        Self {
            told,
            position: solid.position + (solid.velocity + velocity) * (0.5 * h),
            rotation: (turn_by(spin * h) * solid.rotation).normalize(),
            velocity,
            turning: before + gained,
            expected: [
                solid.position + (solid.velocity + faster * late) * h,
                velocity,
                told + spun,
            ],
        }
    }

    /// Acceleration of its centre in free flight, in m/s².
    pub(crate) fn acceleration(&self, before: &Solid, h: f64) -> DVec3 {
        (self.velocity - before.velocity) / h
    }

    /// Joules that the force and the torque put into a solid on its way to `after`.
    pub(crate) fn work(&self, before: &Solid, after: &Solid, h: f64) -> f64 {
        let force = self.acceleration(before, h) * before.mass;
        let gained = self.turning - before.turning();
        force.dot(after.position - before.position) + gained.dot(before.spin + after.spin) * 0.5
    }

    /// The solid at the end of the step, given what rapier has found.
    pub(crate) fn land(&self, before: &Solid, found: &Solid) -> Solid {
        let [place, speed, spin] = self.expected;
        let is = |a: DVec3, b: DVec3| a.distance(b) <= SAME * (1.0 + b.length());
        if is(found.position, place) && is(found.velocity, speed) && is(found.spin, spin) {
            return Solid {
                position: self.position,
                rotation: self.rotation,
                velocity: self.velocity,
                spin: before.spin_of(self.turning, self.rotation),
                ..*before
            };
        }
        let blow = Solid { spin: found.spin - spin, ..*before }.turning();
        Solid { spin: before.spin_of(self.turning + blow, found.rotation), ..*found }
    }
}
