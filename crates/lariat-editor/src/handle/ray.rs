//! From a ray of the pointer to a point.

use glam::DVec3;

/// A ray from the eye through the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Point on the ray, usually the eye, in metres.
    pub origin: DVec3,
    /// Direction, of any length but zero.
    pub direction: DVec3,
}

/// Smallest angle between a ray and a plane or axis at which they meet, in radians. At smaller ones a
/// pixel would be more than a thousand times its size.
const GRAZING: f64 = 1e-3;

impl Ray {
    /// Point where the ray meets a plane; `None` if it runs along the plane or meets it behind the
    /// origin. A drag in the plane of the view uses the view's direction as normal.
    pub fn on_plane(&self, through: DVec3, normal: DVec3) -> Option<DVec3> {
        let (direction, normal) = (self.direction.try_normalize()?, normal.try_normalize()?);
        let towards = direction.dot(normal);
        let along = (through - self.origin).dot(normal) / towards;
        (towards.abs() > GRAZING && along >= 0.0).then(|| self.origin + direction * along)
    }

    /// Point of an axis nearest to the ray, for a drag along one axis; `None` if they are parallel.
    pub fn on_axis(&self, through: DVec3, axis: DVec3) -> Option<DVec3> {
        let (direction, axis) = (self.direction.try_normalize()?, axis.try_normalize()?);
        let across = direction.cross(axis);
        let sin_sq = across.length_squared();
        if sin_sq < GRAZING * GRAZING {
            return None;
        }
        let along = (self.origin - through).cross(direction).dot(axis.cross(direction)) / sin_sq;
        Some(through + axis * along)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_meets_a_plane_in_front_of_it() {
        let ray = Ray { origin: DVec3::Z * 4.0, direction: DVec3::new(0.5, 0.0, -1.0) };
        assert_eq!(ray.on_plane(DVec3::ZERO, DVec3::Z), Some(DVec3::new(2.0, 0.0, 0.0)));
        assert_eq!(ray.on_plane(DVec3::Z * 5.0, DVec3::Z), None, "behind");
        assert_eq!(ray.on_plane(DVec3::ZERO, DVec3::Y), None, "along");
        assert_eq!(ray.on_plane(DVec3::ZERO, DVec3::ZERO), None);
    }

    #[test]
    fn the_nearest_point_of_an_axis_sees_the_ray_at_a_right_angle() {
        let ray = Ray { origin: DVec3::new(1.0, -5.0, 2.0), direction: DVec3::new(0.1, 1.0, -0.3) };
        let (through, axis) = (DVec3::new(0.0, 0.0, 1.0), DVec3::new(1.0, 0.2, 0.1));
        let point = ray.on_axis(through, axis).unwrap();
        let along = (point - ray.origin).dot(ray.direction) / ray.direction.length_squared();
        let gap = point - (ray.origin + ray.direction * along);
        assert!(gap.dot(axis).abs() < 1e-12 && (point - through).cross(axis).length() < 1e-12);
        assert_eq!(ray.on_axis(through, ray.direction), None);
    }
}
