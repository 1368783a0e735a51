//! The view as numbers: from points of the window to rays, and from points of space to the window.
//!
//! Tests: `a_projected_point_is_on_the_ray_through_it`.

use egui::{Pos2, Rect};
use glam::DVec3;
use lariat_editor::handle::Ray;
use lariat_render::{Camera, Projection, Size};

/// The view of a camera in a rectangle of the window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eye {
    /// Rectangle in the window, in points.
    pub(crate) rect: Rect,
    /// Pixels per point.
    pub(crate) scale: f32,
    /// Size in pixels.
    pub(crate) size: Size,
    /// The camera.
    pub(crate) camera: Camera,
    projection: Projection,
}

impl Eye {
    /// `None` if the rectangle is empty or the camera looks nowhere.
    pub(crate) fn new(rect: Rect, scale: f32, size: Size, camera: Camera) -> Option<Self> {
        let projection = camera.projection(size).ok()?;
        Some(Self { rect, scale, size, camera, projection })
    }

    /// Position in the picture, in pixels.
    pub(crate) fn pixels(&self, at: Pos2) -> (f64, f64) {
        let at = (at - self.rect.min) * self.scale;
        (f64::from(at.x), f64::from(at.y))
    }

    /// The ray through a position in the window.
    pub(crate) fn ray(&self, at: Pos2) -> Ray {
        let (x, y) = self.pixels(at);
        let ray = self.projection.through(x, y);
        Ray { origin: ray.origin, direction: ray.direction }
    }

    /// Position of a point in the window; `None` behind the eye.
    pub(crate) fn project(&self, p: DVec3) -> Option<Pos2> {
        let (x, y, _) = self.projection.project(p)?;
        let at = egui::vec2(x as f32, y as f32) / self.scale;
        at.is_finite().then(|| self.rect.min + at)
    }

    /// Direction of view, a unit vector.
    pub(crate) fn forward(&self) -> DVec3 {
        (self.camera.target - self.camera.eye).normalize_or(DVec3::Y)
    }

    /// Size of a point of the window at a point of space, in metres.
    pub(crate) fn point_size(&self, at: DVec3) -> f64 {
        let depth = (at - self.camera.eye).dot(self.forward()).max(1e-6);
        self.projection.pixel_at(depth) * f64::from(self.scale)
    }

    /// A power of ten that is at most a tenth of a point of the window at a point of space, in metres.
    pub(crate) fn tenth(&self, at: DVec3) -> f64 {
        let most = 0.1 * self.point_size(at);
        [1.0, 0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8]
            .into_iter()
            .find(|step| *step <= most)
            .unwrap_or(1e-9)
    }

    /// Spacing of a grid whose lines are some points apart: 1, 2 or 5 times a power of ten, in metres.
    pub(crate) fn spacing(&self, at: DVec3, points: f64) -> f64 {
        let least = (self.point_size(at) * points).clamp(1e-6, 1e6);
        let mut power = 1e-6;
        while power * 10.0 <= least {
            power *= 10.0;
        }
        let steps = [1.0, 2.0, 5.0, 10.0];
        steps.into_iter().map(|step| step * power).find(|step| *step >= least).unwrap_or(power)
    }
}

#[cfg(test)]
mod tests {
    use egui::pos2;
    use lariat_render::OrbitCamera;

    use super::*;

    #[test]
    fn a_projected_point_is_on_the_ray_through_it() {
        let rect = Rect::from_min_max(pos2(100.0, 50.0), pos2(500.0, 350.0));
        let size = Size::new(800, 600).unwrap();
        let eye = Eye::new(rect, 2.0, size, OrbitCamera::default().camera()).unwrap();
        let p = DVec3::new(0.3, -0.2, 0.4);
        let ray = eye.ray(eye.project(p).unwrap());
        let off = (p - ray.origin).cross(ray.direction).length() / ray.direction.length();
        assert!(off < 1e-4, "{off}");
        let spacing = eye.spacing(DVec3::ZERO, 40.0);
        assert!(spacing >= 40.0 * eye.point_size(DVec3::ZERO) && spacing < 0.5, "{spacing}");
    }
}
