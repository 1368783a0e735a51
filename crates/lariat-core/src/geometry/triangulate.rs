//! Triangulation of polygons.
//!
//! Convex polygons become a fan from their first corner, as in other programs; others are cut by ear
//! clipping. Both project the face along its normal (Newell's sum), since few faces are flat.
//!
//! A face of more than [`MAX_EAR_CORNERS`] corners, or one that intersects itself so that no ear is
//! left, becomes a fan in any case: every corner is in some triangle.
//!
//! Tests: `a_concave_face_keeps_its_area`, `a_face_has_two_triangles_fewer_than_corners`.

use glam::{DVec2, DVec3};

/// Largest number of corners for ear clipping, whose time is quadratic or worse: a file could
/// otherwise take minutes.
const MAX_EAR_CORNERS: usize = 1000;

/// Adds the triangles of a face to `out`; its corners are indices of `points`.
pub(super) fn triangulate(face: &[u32], points: &[DVec3], out: &mut Vec<[u32; 3]>) {
    let fan = |out: &mut Vec<[u32; 3]>| {
        out.extend((1..face.len().max(2) - 1).map(|i| [face[0], face[i], face[i + 1]]));
    };
    if face.len() <= 3 || face.len() > MAX_EAR_CORNERS {
        return fan(out);
    }
    let flat = flattened(face, points);
    let n = flat.len();
    let is_convex = |i: usize| turn(flat[(i + n - 1) % n], flat[i], flat[(i + 1) % n]) >= 0.0;
    if (0..n).all(is_convex) {
        return fan(out);
    }
    let first = out.len();
    let mut left: Vec<usize> = (0..n).collect();
    while left.len() > 3 {
        let m = left.len();
        let ear = (0..m).find(|&i| {
            let [a, b, c] = [left[(i + m - 1) % m], left[i], left[(i + 1) % m]];
            let inside = |p: DVec2| {
                [(a, b), (b, c), (c, a)].iter().all(|&(k, l)| turn(flat[k], flat[l], p) >= 0.0)
            };
            let others = left.iter().filter(|&&k| k != a && k != b && k != c);
            turn(flat[a], flat[b], flat[c]) > 0.0 && !others.into_iter().any(|&k| inside(flat[k]))
        });
        let Some(i) = ear else {
            out.truncate(first);
            return fan(out);
        };
        out.push([(i + m - 1) % m, i, (i + 1) % m].map(|k| face[left[k]]));
        left.remove(i);
    }
    out.push([face[left[0]], face[left[1]], face[left[2]]]);
}

/// The corners projected along the normal of the face.
fn flattened(face: &[u32], points: &[DVec3]) -> Vec<DVec2> {
    let at = |i: usize| points[face[i % face.len()] as usize];
    let origin = at(0);
    let normal: DVec3 = (0..face.len()).map(|i| (at(i) - origin).cross(at(i + 1) - origin)).sum();
    let normal = normal.normalize_or(DVec3::Z);
    let across = if normal.z.abs() < 0.9 { DVec3::Z } else { DVec3::X };
    let x = across.cross(normal).normalize_or(DVec3::X);
    let y = normal.cross(x);
    (0..face.len()).map(|i| DVec2::new((at(i) - origin).dot(x), (at(i) - origin).dot(y))).collect()
}

/// Twice the area of a triangle; negative if it runs clockwise.
fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops;

    fn cut(points: &[DVec3]) -> Vec<[u32; 3]> {
        let face: Vec<u32> = (0..points.len() as u32).collect();
        let mut out = Vec::new();
        triangulate(&face, points, &mut out);
        out
    }

    fn area(points: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
        let one = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| points[i as usize]);
            0.5 * (b - a).cross(c - a).length()
        };
        triangles.iter().map(one).sum()
    }

    #[test]
    fn a_concave_face_keeps_its_area() {
        // An arrow head: a fan from its first corner would cover the dent.
        let arrow = [[0.0, 0.0], [2.0, -1.0], [0.0, 2.0], [-2.0, -1.0]];
        // Starting at every corner, in both orientations, tilted out of the coordinate planes.
        for shift in 0..4 {
            for upright in [1.0, -1.0] {
                let tilted = |p: [f64; 2]| DVec3::new(p[0], p[1] * upright, 0.4 * p[0] + p[1]);
                let mut points: Vec<DVec3> = arrow.map(tilted).to_vec();
                points.rotate_left(shift);
                let by_corners: DVec3 =
                    (0..4).map(|i| points[i].cross(points[(i + 1) % 4])).sum::<DVec3>() * 0.5;
                let cut = cut(&points);
                assert!((area(&points, &cut) - by_corners.length()).abs() < 1e-12, "{cut:?}");
            }
        }
    }

    #[test]
    fn a_face_has_two_triangles_fewer_than_corners() {
        let star = |n: u32| -> Vec<DVec3> {
            let corner = |i: u32| {
                let (r, turns) =
                    (if i.is_multiple_of(2) { 1.0 } else { 0.3 }, f64::from(i) / f64::from(n));
                DVec3::new(r * ops::cos_turns(turns), r * ops::sin_turns(turns), 0.0)
            };
            (0..n).map(corner).collect()
        };
        for n in [3, 4, 6, 20, 2000] {
            assert_eq!(cut(&star(n)).len() as u32, n - 2);
        }
        // Faces that cross themselves, have no area, or are a single point.
        let crossed = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
        let crossed = crossed.map(|[x, y]| DVec3::new(x, y, 0.0));
        assert_eq!(cut(&crossed).len(), 2);
        assert_eq!(cut(&[DVec3::ZERO, DVec3::X, DVec3::X * 2.0, DVec3::X * 3.0]).len(), 2);
        assert_eq!(cut(&[DVec3::ZERO; 5]).len(), 3);
    }
}
