//! One solid of a string world: mass, keyed pose before its start, and initial velocity.
//!
//! Until it starts it follows its keys, and strings and other solids collide with it as with a
//! collider. Then it is released with the velocity of the last step, or with the `velocity` and `spin`
//! of the document.
//!
//! Tests, in `tests/suite/solids.rs`: `a_box_is_posed_until_its_start_and_starts_with_its_velocity`,
//! `a_released_box_falls_and_comes_to_rest`.

use std::f64::consts::TAU;

use glam::{DMat3, DQuat, DVec3};
use lariat_core::num::ops;
use lariat_rigid::{Shape, Solid};
use lariat_scene::lower::{Lowered, Record};

use crate::bind::{Body, Layers, Placement};
use crate::number::Number;

/// Density of wood, in kg/m³.
const WOOD: f64 = 600.0;

#[derive(Debug)]
pub(super) struct SolidBody {
    /// Index of the body in the scene.
    pub index: usize,
    /// Start time in seconds.
    pub start: f64,
    /// Its obstacles.
    pub layers: Layers,
    /// At rest at the origin.
    still: Solid,
    velocity: Option<DVec3>,
    /// In radians per second.
    spin: Option<DVec3>,
}

impl SolidBody {
    pub(super) fn bind(index: usize, body: &Record, lowered: &Lowered) -> Option<Self> {
        let record = if body.has("dynamics") { body.record("dynamics") } else { None };
        let record = record.filter(|record| record.kind() == "rigid")?;
        let of = |record: &Record, name: &'static str| {
            Number::read(record, name).map(|number| number.at(0.0, &mut Vec::new()))
        };
        let fixed = |name| of(record, name);
        let size = |name| of(body, name).unwrap_or(0.0);
        let shape = match body.choice("shape") {
            Some("ball") => Shape::Ball { radius: size("radius") },
            Some("cylinder") => {
                Shape::Cylinder { half: 0.5 * size("height"), radius: size("radius") }
            }
            _ => Shape::Box { half: body.vector("size")?.at(0.0) * 0.5 },
        };
        let density = fixed("density").unwrap_or(WOOD);
        let mass = fixed("mass").unwrap_or_else(|| shape.volume() * density);
        let still = Solid {
            friction: fixed("friction").unwrap_or(0.5),
            bounce: fixed("bounce").unwrap_or(0.0),
            ..Solid::new(shape, mass, DVec3::ZERO)
        };
        let thrown = |name: &str| record.vector(name).map(|channel| channel.at(0.0));
        let shot = &lowered.shot;
        Some(Self {
            index,
            start: shot.seconds(fixed("start").unwrap_or(shot.first as f64)),
            layers: Layers::of_solid(record, lowered),
            still,
            velocity: thrown("velocity"),
            spin: thrown("spin").map(|turns| turns * TAU),
        })
    }

    /// The solid at its keyed pose, with the velocity and spin of the last `h` seconds.
    pub(super) fn posed(&self, body: &Body, t: f64, h: f64) -> Solid {
        let at = |t: f64| {
            let placement = body.keyed_placement(t).unwrap_or_default();
            (placement.position, DQuat::from_mat3(&placement.axes))
        };
        let ((position, rotation), (was, turned)) = (at(t), at(t - h));
        let velocity = (position - was) / h;
        let spin = rotation_between(turned, rotation) / h;
        Solid { position, rotation, velocity, spin, ..self.still }
    }

    /// The solid at its start.
    pub(super) fn let_go(&self, body: &Body, t: f64, h: f64) -> Solid {
        let mut solid = self.posed(body, t, h);
        solid.velocity = self.velocity.unwrap_or(solid.velocity);
        solid.spin = self.spin.unwrap_or(solid.spin);
        solid
    }

    /// A solid whose state is read from numbers.
    pub(super) fn empty(&self) -> Solid {
        self.still
    }
}

/// Rotation from one orientation to another as axis times radians, by the shorter way.
fn rotation_between(from: DQuat, to: DQuat) -> DVec3 {
    let turn = to * from.inverse();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let axis = DVec3::new(turn.x, turn.y, turn.z);
    let long = axis.length();
    if long > 0.0 { axis * (2.0 * ops::atan2(long, turn.w) / long) } else { DVec3::ZERO }
}

/// The rotation of an axis times radians.
fn turn_by(way: DVec3) -> DQuat {
    let angle = way.length();
    let (sin, cos) = ops::sin_cos(0.5 * angle);
    let axis = way.normalize_or_zero() * sin;
    DQuat::from_xyzw(axis.x, axis.y, axis.z, cos)
}

/// Interpolates between two orientations, by the shorter way.
pub(super) fn turned_between(from: DQuat, to: DQuat, share: f64) -> DQuat {
    (turn_by(rotation_between(from, to) * share) * from).normalize()
}

/// Placement of a solid after `h` seconds of free motion.
pub(super) fn soon(solid: &Solid, h: f64) -> Placement {
    let rotation = turn_by(solid.spin * h) * solid.rotation;
    placement(solid.position + solid.velocity * h, rotation)
}

pub(super) fn placement(position: DVec3, rotation: DQuat) -> Placement {
    Placement::new(position, DMat3::from_quat(rotation.normalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_two_turns_the_way_is_even() {
        let (a, b) = (turn_by(DVec3::new(0.3, -0.2, 0.9)), turn_by(DVec3::new(0.1, 1.2, -0.4)));
        let whole = rotation_between(a, b);
        for share in [0.0, 0.25, 0.7, 1.0] {
            let between = turned_between(a, -b, share);
            assert!(rotation_between(a, between).distance(whole * share) < 1e-12, "{share}");
        }
    }
}
