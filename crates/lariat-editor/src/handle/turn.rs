//! From a rotation to an edit.

use glam::{DMat3, DVec3};
use lariat_core::num::ops;
use lariat_eval::rotation;
use lariat_scene::{Edit, Path};

use super::drag::{DragError, DragOptions};
use crate::{
    channel::{Amount, value_at},
    editor::Editor,
};

impl Editor {
    /// Returns the edit that turns a thing by an angle in degrees about an axis of the world, at a
    /// frame. `path` is its rotation: `body[2].rotation`, `locator.hand.rotation`. Angles continue
    /// from the present ones, so several turns add up.
    pub fn turn(
        &self,
        path: &Path,
        frame: f64,
        axis: DVec3,
        degrees: f64,
        options: DragOptions,
    ) -> Result<Edit, DragError> {
        let no_handle = || DragError::NoHandle { path: path.clone() };
        let path = self.written(path);
        let (_, record, rest) = self.owner(&path).ok_or_else(no_handle)?;
        let is_rotation =
            matches!(rest, [lariat_scene::Step::Field(name)] if &**name == "rotation");
        if !is_rotation || !record.has("rotation") {
            return Err(no_handle());
        }
        let (Some(axis), true) = (axis.try_normalize(), degrees.is_finite()) else {
            return Err(DragError::NotFinite { target: axis * degrees });
        };
        let t = self.lowered().shot.seconds(frame);
        let now = record.vector("rotation").map_or(DVec3::ZERO, |channel| channel.at(t));
        let wanted = angles(about(axis, ops::radians(degrees)) * rotation(now), now);
        let (now, wanted) = (Amount::Vector(now), Amount::Vector(wanted));
        value_at(self.document(), &path, frame, now, wanted, options.auto_key)
            .ok_or(DragError::Follows { path })
    }
}

/// Rotation about a unit axis by an angle in radians.
fn about(axis: DVec3, angle: f64) -> DMat3 {
    let (sin, cos) = ops::sin_cos(angle);
    let turned = |v: DVec3| v * cos + axis.cross(v) * sin + axis * (axis.dot(v) * (1.0 - cos));
    DMat3::from_cols(turned(DVec3::X), turned(DVec3::Y), turned(DVec3::Z))
}

/// Angles about X, then Y, then Z in degrees of a rotation, nearest to given ones.
fn angles(rotation: DMat3, near: DVec3) -> DVec3 {
    let x_axis = rotation.x_axis;
    let level = ops::hypot(x_axis.x, x_axis.y);
    // Straight up or down, X and Z turn about the same axis: Z stays.
    let z = match level < 1e-9 {
        true => ops::radians(near.z),
        false => ops::atan2(x_axis.y, x_axis.x),
    };
    let y = ops::atan2(-x_axis.z, level);
    // Without the rotations about Z and Y, the image of Y is (0, cos x, sin x).
    let ((sin_z, cos_z), (sin_y, cos_y)) = (ops::sin_cos(z), ops::sin_cos(y));
    let v = rotation.y_axis;
    let (along, across) = (v.x * cos_z + v.y * sin_z, v.y * cos_z - v.x * sin_z);
    let x = ops::atan2(along * sin_y + v.z * cos_y, across);
    let half = std::f64::consts::PI;
    let solutions = [DVec3::new(x, y, z), DVec3::new(x + half, half - y, z + half)];
    let [one, other] = solutions.map(|radians| {
        let degrees = radians * (180.0 / half);
        degrees + ((near - degrees) / 360.0).round() * 360.0
    });
    if one.distance_squared(near) <= other.distance_squared(near) { one } else { other }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_of_a_rotation_give_the_rotation() {
        for near in [DVec3::ZERO, DVec3::new(720.0, 100.0, -400.0)] {
            for degrees in [
                DVec3::new(10.0, 20.0, 30.0),
                DVec3::new(-170.0, 85.0, 179.0),
                DVec3::new(40.0, 90.0, 10.0),
                DVec3::new(40.0, -90.0, 10.0),
                DVec3::new(0.0, 180.0, 0.0),
            ] {
                let wanted = rotation(degrees);
                let found = rotation(angles(wanted, near));
                assert!(found.abs_diff_eq(wanted, 1e-9), "{degrees}: {found} {wanted}");
            }
        }
    }

    #[test]
    fn small_turns_add_up_beyond_a_full_turn() {
        let mut now = DVec3::new(5.0, 3.0, 0.0);
        for _ in 0..50 {
            now = angles(about(DVec3::Z, ops::radians(10.0)) * rotation(now), now);
        }
        assert!((now - DVec3::new(5.0, 3.0, 500.0)).length() < 1e-9, "{now}");
    }
}
