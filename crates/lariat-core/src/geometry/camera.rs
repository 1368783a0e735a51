//! Cameras, in the form that renderers and exporters share.
//!
//! A camera looks from `eye` to `target`. Its up direction is that of the world: Z, or Y where it
//! looks straight up or down, as on a map. Roll rotates it about its line of sight. Passing over the
//! zenith therefore rotates the picture by half a turn, as with a camera on a tripod.
//!
//! Tests: `a_camera_stands_upright`, `roll_leans_the_camera_to_its_right`,
//! `a_vertical_camera_has_y_up`, `a_camera_needs_an_eye_away_from_its_target`.

use glam::DVec3;

use crate::num::ops;

/// Projection of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    /// Perspective projection, by the vertical angle of view in radians.
    Perspective {
        /// From the lower to the upper edge.
        angle: f64,
    },
    /// Orthographic projection, by the height of the view in metres.
    Orthographic {
        /// From the lower to the upper edge.
        height: f64,
    },
}

/// A camera at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position, in metres.
    pub eye: DVec3,
    /// Point that it looks at, in metres.
    pub target: DVec3,
    /// Up direction of the picture: a unit vector normal to the line of sight.
    pub up: DVec3,
    /// Projection.
    pub lens: Lens,
}

/// Distance between eye and target, in metres, below which the direction is undefined.
const SAME_PLACE: f64 = 1e-9;

/// Squared sine of the angle to the vertical below which a direction counts as vertical.
const VERTICAL: f64 = 1e-12;

impl Camera {
    /// An upright camera, rolled by `roll` radians to its right; `None` if eye and target coincide.
    pub fn upright(eye: DVec3, target: DVec3, roll: f64, lens: Lens) -> Option<Self> {
        let to_target = target - eye;
        if to_target.length() <= SAME_PLACE {
            return None;
        }
        let forward = to_target.try_normalize()?;
        let level = forward.cross(DVec3::Z);
        let level =
            if level.length_squared() <= VERTICAL { forward.cross(DVec3::Y) } else { level };
        let right = level.try_normalize()?;
        let (sin, cos) = ops::sin_cos(roll);
        let up = right.cross(forward) * cos + right * sin;
        Some(Self { eye, target, up, lens })
    }

    /// The axes right, up and back, for file formats whose cameras look along −Z.
    pub fn axes(&self) -> [DVec3; 3] {
        let back = (self.eye - self.target).normalize_or(DVec3::NEG_Y);
        let right = self.up.cross(back).normalize_or(DVec3::X);
        [right, back.cross(right), back]
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    const LENS: Lens = Lens::Perspective { angle: 0.6 };

    fn camera(eye: [f64; 3], target: [f64; 3], roll: f64) -> Camera {
        Camera::upright(eye.into(), target.into(), roll, LENS).expect("eye and target differ")
    }

    fn assert_near(a: DVec3, b: DVec3) {
        assert!(a.distance(b) < 1e-15, "{a} is not {b}");
    }

    #[test]
    fn a_camera_stands_upright() {
        // From the south, 45 degrees above the target.
        let camera = camera([1.0, -3.0, 4.0], [1.0, 0.0, 1.0], 0.0);
        let half = 0.5_f64.sqrt();
        assert_near(camera.up, DVec3::new(0.0, half, half));
        let [right, up, back] = camera.axes();
        assert_near(right, DVec3::X);
        assert_near(up, camera.up);
        assert_near(back, DVec3::new(0.0, -half, half));
    }

    #[test]
    fn roll_leans_the_camera_to_its_right() {
        assert_near(camera([0.0; 3], [0.0, 2.0, 0.0], FRAC_PI_2).up, DVec3::X);
        assert_near(camera([0.0; 3], [0.0, 2.0, 0.0], -FRAC_PI_2).up, DVec3::NEG_X);
    }

    #[test]
    fn a_vertical_camera_has_y_up() {
        let down = camera([0.0, 0.0, 5.0], [0.0; 3], 0.0);
        assert_eq!((down.up, down.axes()[0]), (DVec3::Y, DVec3::X));
        let up = camera([0.0; 3], [0.0, 0.0, 5.0], 0.0);
        assert_eq!((up.up, up.axes()[0]), (DVec3::Y, DVec3::NEG_X));
    }

    #[test]
    fn a_camera_needs_an_eye_away_from_its_target() {
        let place = DVec3::new(3.0, 4.0, 5.0);
        let camera = |target| Camera::upright(place, target, 0.0, LENS);
        assert_eq!(camera(place), None);
        assert_eq!(camera(place + DVec3::splat(1e-10)), None);
        assert_eq!(camera(DVec3::splat(f64::NAN)), None);
        assert!(camera(place + DVec3::X * 1e-6).is_some());
    }
}
