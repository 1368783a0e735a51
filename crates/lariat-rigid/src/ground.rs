//! What solids rest on: the colliders of ropes, as rapier knows them.
//!
//! Tests: `solids_rest_on_every_ground`.

use glam::{DQuat, DVec3};
use lariat_core::model::layer::Collider;
use lariat_core::model::layer::collider::HeightField;
use rapier3d_f64::parry::utils::Array2;
use rapier3d_f64::prelude::{Pose, Rotation, SharedShape, Vector};

/// A shape and where it stands; nothing for ground that has no extent.
pub(crate) fn shape(collider: &Collider) -> Option<(Pose, SharedShape)> {
    Some(match collider {
        Collider::Plane { point, normal } => {
            (pose(*point, turn_up(*normal, DVec3::Y)), SharedShape::halfspace(Vector::Y))
        }
        Collider::Sphere { centre, radius } => {
            (pose(*centre, DQuat::IDENTITY), SharedShape::ball(*radius))
        }
        Collider::Box { centre, half, world_from_box } => (
            pose(*centre, DQuat::from_mat3(world_from_box)),
            SharedShape::cuboid(half.x, half.y, half.z),
        ),
        Collider::Cylinder { from, to, radius } => (
            pose((*from + *to) * 0.5, turn_up(*to - *from, DVec3::Y)),
            SharedShape::cylinder(0.5 * from.distance(*to), *radius),
        ),
        Collider::Capsule { from, to, radius } => (
            pose((*from + *to) * 0.5, turn_up(*to - *from, DVec3::Y)),
            SharedShape::capsule_y(0.5 * from.distance(*to), *radius),
        ),
        Collider::HeightField(field) => height_field(field)?,
    })
}

/// Rapier's grid lies about its middle and grows along Z where ours grows against Y.
fn height_field(field: &HeightField) -> Option<(Pose, SharedShape)> {
    let columns = field.columns;
    let rows = field.heights.len().checked_div(columns)?;
    if rows < 2 || columns < 2 {
        return None;
    }
    let mut heights = Array2::repeat(rows, columns, 0.0);
    for row in 0..rows {
        for column in 0..columns {
            heights[(row, column)] = field.heights[(rows - 1 - row) * columns + column];
        }
    }
    let wide = DVec3::new((columns - 1) as f64, (rows - 1) as f64, 0.0) * field.cell;
    let shape = SharedShape::heightfield(heights, Vector::new(wide.x, 1.0, wide.y));
    Some((pose(field.origin + wide * 0.5, turn_up(DVec3::Z, DVec3::Y)), shape))
}

/// The smallest turn that takes one direction to another.
fn turn_up(to: DVec3, from: DVec3) -> DQuat {
    DQuat::from_rotation_arc(from, to.normalize_or(from))
}

pub(crate) fn pose(position: DVec3, rotation: DQuat) -> Pose {
    let [x, y, z, w] = rotation.to_array();
    Pose::from_parts(vector(position), Rotation::from_xyzw(x, y, z, w))
}

pub(crate) fn vector(v: DVec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

pub(crate) fn from_vector(v: Vector) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}
