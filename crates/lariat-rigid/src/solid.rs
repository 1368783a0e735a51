//! One solid: where it is, how it moves, how it gives way.
//!
//! Tests: `a_push_moves_a_point_as_it_gives_way`.

use glam::{DMat3, DQuat, DVec3};
use lariat_core::model::layer::Collider;
use lariat_core::num::ops;

use crate::shape::Shape;

/// A solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// What it looks like.
    pub shape: Shape,
    /// In kilograms.
    pub mass: f64,
    /// Its middle, in metres.
    pub position: DVec3,
    /// From its own axes to the world's.
    pub rotation: DQuat,
    /// Of its middle, in m/s.
    pub velocity: DVec3,
    /// In radians a second, about the world's axes.
    pub spin: DVec3,
    /// Coefficient of friction with ground, which has none of its own. Two solids rub with the mean of
    /// theirs, as two strings do; a string on a solid rubs with its own.
    pub friction: f64,
    /// Coefficient of restitution with ground, 0–1. Two solids bounce with the mean of theirs.
    pub bounce: f64,
}

impl Solid {
    /// One at rest.
    pub fn new(shape: Shape, mass: f64, position: DVec3) -> Self {
        Self {
            shape,
            mass,
            position,
            rotation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            friction: 0.5,
            bounce: 0.0,
        }
    }

    /// Where a point of it is, given along its own axes from its middle.
    pub fn point(&self, local: DVec3) -> DVec3 {
        self.position + self.rotation * local
    }

    /// How a place of it moves.
    pub fn velocity_at(&self, place: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(place - self.position)
    }

    /// It as others see it that touch it.
    pub fn collider(&self) -> Collider {
        let centre = self.position;
        match self.shape {
            Shape::Box { half } => {
                Collider::Box { centre, half, world_from_box: DMat3::from_quat(self.rotation) }
            }
            Shape::Ball { radius } => Collider::Sphere { centre, radius },
            Shape::Cylinder { half, radius } => {
                let along = self.rotation * (DVec3::Z * half);
                Collider::Cylinder { from: centre - along, to: centre + along, radius }
            }
        }
    }

    /// How fast a newton second about each axis of the world turns it.
    pub fn turns(&self) -> DMat3 {
        let axes = DMat3::from_quat(self.rotation);
        let moments = self.shape.moments() * self.mass;
        axes * DMat3::from_diagonal(moments.recip()) * axes.transpose()
    }

    /// Its angular momentum about its middle, in kg m²/s.
    pub fn turning(&self) -> DVec3 {
        let own = self.rotation.inverse() * self.spin;
        self.rotation * (self.shape.moments() * self.mass * own)
    }

    /// How fast it turns with an angular momentum about its middle, if it is turned so.
    pub(crate) fn spin_of(&self, turning: DVec3, rotation: DQuat) -> DVec3 {
        let own = rotation.inverse() * turning;
        rotation * (own / (self.shape.moments() * self.mass))
    }

    /// How fast a newton second at a place makes that place: the inverse of the mass that is felt
    /// there.
    pub fn gives(&self, place: DVec3) -> DMat3 {
        let r = place - self.position;
        let arm = DMat3::from_cols(
            DVec3::new(0.0, r.z, -r.y),
            DVec3::new(-r.z, 0.0, r.x),
            DVec3::new(r.y, -r.x, 0.0),
        );
        DMat3::from_diagonal(DVec3::splat(self.mass.recip())) + arm.transpose() * self.turns() * arm
    }

    /// Joules of motion.
    pub fn energy(&self) -> f64 {
        let own = self.rotation.inverse() * self.spin;
        let turning = (self.shape.moments() * self.mass).dot(own * own);
        0.5 * (self.mass * self.velocity.length_squared() + turning)
    }

    /// Its thirteen numbers, for a checkpoint.
    pub fn to_numbers(&self, out: &mut Vec<f64>) {
        out.extend(self.position.to_array());
        out.extend(self.rotation.to_array());
        out.extend(self.velocity.to_array());
        out.extend(self.spin.to_array());
    }

    /// Sets what [`Solid::to_numbers`] wrote; `None` if it is something else.
    pub fn set_numbers(&mut self, numbers: &[f64]) -> Option<()> {
        let vector = |at: usize| numbers.get(at..at + 3).map(DVec3::from_slice);
        let rotation = DQuat::from_slice(numbers.get(3..7)?);
        (self.position, self.velocity, self.spin) = (vector(0)?, vector(7)?, vector(10)?);
        self.rotation = rotation;
        Some(())
    }
}

/// A turn by an axis times radians.
pub(crate) fn turn_by(way: DVec3) -> DQuat {
    let angle = way.length();
    let (sin, cos) = ops::sin_cos(0.5 * angle);
    let axis = way.normalize_or_zero() * sin;
    DQuat::from_xyzw(axis.x, axis.y, axis.z, cos)
}
