//! The push of air on a solid: pressure on every face that it blows against.
//!
//! Each of the six sides of what a solid fills is taken as a plate: air that goes past with `u`
//! presses on one that faces it with `½ ρ C (u·n)²` over its area, at its middle. So wind turns what
//! it strikes unevenly, and turning is damped: a side that moves into the air is pressed back.
//!
//! Tests: `wind_carries_a_box_as_drag_says`, `air_stops_a_spin`.

use glam::DVec3;
use lariat_core::dynamics::air::Air;

use crate::solid::Solid;

/// Drag of a plate: what a flat side across the wind feels.
const PLATE: f64 = 1.1;
/// Of that, what presses on the side it blows against; the rest is suction behind.
const AHEAD: f64 = 0.7;

/// Newtons and newton metres of the air upon a solid, no more than stops it within `dt`.
pub(crate) fn push(solid: &Solid, air: &Air, dt: f64) -> (DVec3, DVec3) {
    if air.density == 0.0 {
        return (DVec3::ZERO, DVec3::ZERO);
    }
    let half = solid.shape.half();
    let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
    let sides = [
        (DVec3::X, half.x, 4.0 * half.y * half.z),
        (DVec3::Y, half.y, 4.0 * half.z * half.x),
        (DVec3::Z, half.z, 4.0 * half.x * half.y),
    ];
    for (axis, far, area) in sides {
        for sign in [1.0, -1.0] {
            let out = solid.rotation * (axis * sign);
            let place = solid.position + out * far;
            // Four patches of a side feel its turning; its middle alone would not.
            for patch in patches(axis, half) {
                let place = place + solid.rotation * patch;
                let past = (air.at(place) - solid.velocity_at(place)).dot(out);
                // Against it: pressed in; from behind: sucked out.
                let share = if past < 0.0 { AHEAD } else { 1.0 - AHEAD };
                let strength = 0.5 * air.density * PLATE * share * past.abs() * 0.25 * area;
                // No more than brings this share of it to the speed of the air.
                let mass = solid.gives(place).mul_vec3(out).dot(out).recip() / 24.0;
                let push = out * (past * strength / (1.0 + strength * dt / mass));
                force += push;
                torque += (place - solid.position).cross(push);
            }
        }
    }
    (force, torque)
}

/// Middles of the quarters of a side across `axis`, along the solid's own axes.
fn patches(axis: DVec3, half: DVec3) -> [DVec3; 4] {
    let (a, b) = if axis.x != 0.0 {
        (DVec3::Y * half.y, DVec3::Z * half.z)
    } else if axis.y != 0.0 {
        (DVec3::Z * half.z, DVec3::X * half.x)
    } else {
        (DVec3::X * half.x, DVec3::Y * half.y)
    };
    [(a + b) * 0.5, (a - b) * 0.5, (b - a) * 0.5, (a + b) * -0.5]
}
