//! The place of a body that is nearest to a point, as an anchor on that body is written.
//!
//! Points of triangles: Ericson 2005, *Real-Time Collision Detection*, section 5.1.5.
//!
//! Tests: `the_nearest_point_of_a_triangle_is_inside_on_an_edge_or_at_a_corner`.

use glam::DVec3;

use crate::handles::along;
use crate::moment::BodyMoment;

/// A place on a body at which something can be held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NearestPlace {
    /// Position along a rope, 0–1.
    Along(f64),
    /// Offset from the origin of a mesh or solid, in its axes.
    Offset(DVec3),
}

impl BodyMoment {
    /// The place of the body that is nearest to a point: along a rope, on the surface of a mesh.
    pub fn nearest_place(&self, target: DVec3) -> NearestPlace {
        let Some(placement) = &self.placement else {
            return NearestPlace::Along(along(self, DVec3::ZERO, target));
        };
        let surface = self.mesh.iter().flat_map(|mesh| {
            let corner = |index: u32| mesh.points()[index as usize];
            mesh.shape().triangles().iter().map(move |triangle| triangle.map(corner))
        });
        let points = surface.map(|triangle| on_triangle(target, triangle));
        // A triangle without an area may have no nearest point.
        let points = points.filter(|point| point.is_finite());
        let far = |point: &DVec3| point.distance_squared(target);
        let nearest = points.min_by(|a, b| far(a).total_cmp(&far(b)));
        let from_origin = nearest.unwrap_or(placement.position) - placement.position;
        // The axes are orthonormal.
        NearestPlace::Offset(placement.axes.transpose() * from_origin)
    }
}

/// The point of a triangle that is nearest to another point.
fn on_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let (ab, ac) = (b - a, c - a);
    let at = |corner: DVec3| (ab.dot(p - corner), ac.dot(p - corner));
    let (d1, d2) = at(a);
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let (d3, d4) = at(b);
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let (d5, d6) = at(c);
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    let (to_c, to_b) = (d4 - d3, d5 - d6);
    if va <= 0.0 && to_c >= 0.0 && to_b >= 0.0 {
        return b + (c - b) * (to_c / (to_c + to_b));
    }
    let whole = va + vb + vc;
    a + ab * (vb / whole) + ac * (vc / whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_of_a_triangle_is_inside_on_an_edge_or_at_a_corner() {
        let triangle = [DVec3::ZERO, DVec3::X * 2.0, DVec3::Y * 2.0];
        let point = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
        for (p, nearest) in [
            (point(0.5, 0.5, 3.0), point(0.5, 0.5, 0.0)),
            (point(-1.0, -1.0, 0.0), triangle[0]),
            (point(5.0, -1.0, 1.0), triangle[1]),
            (point(-1.0, 5.0, 1.0), triangle[2]),
            (point(1.0, -4.0, 2.0), point(1.0, 0.0, 0.0)),
            (point(-4.0, 1.0, 2.0), point(0.0, 1.0, 0.0)),
            (point(2.0, 2.0, -1.0), point(1.0, 1.0, 0.0)),
        ] {
            assert!(on_triangle(p, triangle).distance(nearest) < 1e-15, "{p}");
        }
    }
}
