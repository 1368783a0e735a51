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
    let shape = match collider {
        Collider::Plane { .. } => SharedShape::halfspace(Vector::Y),
        Collider::Sphere { radius, .. } => SharedShape::ball(*radius),
        Collider::Box { half, .. } => SharedShape::cuboid(half.x, half.y, half.z),
        Collider::Cylinder { from, to, radius } => {
            SharedShape::cylinder(0.5 * from.distance(*to), *radius)
        }
        Collider::Capsule { from, to, radius } => {
            SharedShape::capsule_y(0.5 * from.distance(*to), *radius)
        }
        Collider::HeightField(field) => height_field(field)?,
    };
    Some((stands(collider)?, shape))
}

/// Where it stands.
pub(crate) fn stands(collider: &Collider) -> Option<Pose> {
    Some(match collider {
        Collider::Plane { point, normal } => pose(*point, turn_up(*normal, DVec3::Y)),
        Collider::Sphere { centre, .. } => pose(*centre, DQuat::IDENTITY),
        Collider::Box { centre, world_from_box, .. } => {
            pose(*centre, DQuat::from_mat3(world_from_box))
        }
        Collider::Cylinder { from, to, .. } | Collider::Capsule { from, to, .. } => {
            pose((*from + *to) * 0.5, turn_up(*to - *from, DVec3::Y))
        }
        Collider::HeightField(field) => {
            let (_, wide) = extent(field)?;
            pose(field.origin + wide * 0.5, turn_up(DVec3::Z, DVec3::Y))
        }
    })
}

/// Rows of a field, and how far it goes along X and Y; nothing if that is nothing.
fn extent(field: &HeightField) -> Option<(usize, DVec3)> {
    let columns = field.columns;
    let rows = field.heights.len().checked_div(columns)?;
    let wide = DVec3::new(columns.saturating_sub(1) as f64, rows.saturating_sub(1) as f64, 0.0);
    (rows > 1 && columns > 1).then_some((rows, wide * field.cell))
}

/// Rapier's grid lies about its middle and grows along Z where ours grows against Y.
fn height_field(field: &HeightField) -> Option<SharedShape> {
    let ((rows, wide), columns) = (extent(field)?, field.columns);
    let mut heights = Array2::repeat(rows, columns, 0.0);
    for row in 0..rows {
        for column in 0..columns {
            heights[(row, column)] = field.heights[(rows - 1 - row) * columns + column];
        }
    }
    Some(SharedShape::heightfield(heights, Vector::new(wide.x, 1.0, wide.y)))
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
