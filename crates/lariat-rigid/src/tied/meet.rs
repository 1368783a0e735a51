//! Strings that touch solids they are not tied to.
//!
//! A particle that is nearer to a solid than its radius is put outside; what speed led it in it
//! loses, and the solid gains by it, `j = −u·n / (1/m + n·G·n)`; friction holds back what slides, at
//! most `μ` times that. The same impulse for both: momentum is kept. The two particles next to a tie
//! may be where the solid is: a knot has its place.
//!
//! What stands around strings but is no solid is an obstacle of theirs (`Strings::obstacles`).
//!
//! Tests: `a_string_falls_on_a_box_and_pushes_it`, `a_ball_thrown_at_a_string_is_slowed_by_it`.

use glam::{DMat3, DVec3};
use lariat_core::model::layer::Collider;

use super::Tied;
use crate::shape::Shape;
use crate::solid::Solid;

impl Tied {
    /// Pushes strings and solids apart; returns how many particles touch.
    pub(super) fn meet(&mut self, h: f64) -> u32 {
        let mut meeting = 0;
        for s in 0..self.strings.state.spans.len() {
            let span = self.strings.state.spans[s];
            let x = &self.strings.state.positions[span.particles()];
            let (low, high) = x.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |box_, x| {
                (box_.0.min(*x), box_.1.max(*x))
            });
            let radius = span.particles().map(|i| self.strings.radius(i)).fold(0.0, f64::max);
            let friction = self.strings.manner(span.string).friction;
            for k in 0..self.solids.solids.len() {
                let solid = self.solids.solids[k];
                let reach = DVec3::splat(solid.shape.half().length() + radius);
                let apart = (low - solid.position - reach).max(solid.position - reach - high);
                if apart.max_element() > 0.0 {
                    continue;
                }
                let collider = collider(&solid);
                for i in span.particles() {
                    let knotted = self.holds.iter().any(|hold| {
                        hold.active && hold.solid == k && hold.particle.abs_diff(i) <= 1
                    });
                    if !knotted && !self.is_clamped(i) && self.touch(i, k, &collider, friction, h) {
                        meeting += 1;
                    }
                }
            }
        }
        meeting
    }

    /// Pushes one particle and one solid apart, if they touch.
    fn touch(&mut self, i: usize, k: usize, collider: &Collider, friction: f64, h: f64) -> bool {
        let x = self.strings.state.positions[i];
        let (distance, out) = collider.distance(x);
        let depth = self.strings.radius(i) - distance;
        if depth <= 0.0 {
            return false;
        }
        let solid = &self.solids.solids[k];
        let place = x - out * distance;
        let mass = self.strings.mass(i);
        let v = self.strings.state.velocities[i];
        let past = v - solid.velocity_at(place);
        let gives = solid.gives(place) + DMat3::from_diagonal(DVec3::splat(mass.recip()));
        let into = (-past.dot(out)).max(0.0);
        let mut impulse = out * (into / out.dot(gives * out));
        let sliding = past + out * into;
        let fast = sliding.length();
        if fast > 0.0 && into > 0.0 {
            let way = sliding / fast;
            let stops = fast / way.dot(gives * way);
            impulse -= way * stops.min(friction * impulse.length());
        }
        self.strings.carry(i, x + out * depth, v + impulse / mass);
        self.solids.push(k, impulse / -h, place);
        true
    }
}

/// A solid as strings see it.
fn collider(solid: &Solid) -> Collider {
    let centre = solid.position;
    match solid.shape {
        Shape::Box { half } => {
            Collider::Box { centre, half, world_from_box: DMat3::from_quat(solid.rotation) }
        }
        Shape::Ball { radius } => Collider::Sphere { centre, radius },
        Shape::Cylinder { half, radius } => {
            let along = solid.rotation * (DVec3::Z * half);
            Collider::Cylinder { from: centre - along, to: centre + along, radius }
        }
    }
}
