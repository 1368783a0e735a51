//! Solids that a rope must not penetrate: floor, planes, spheres, boxes, cylinders, capsules, uneven
//! ground.
//!
//! Barzel 1997, section 2: "a final clamping step can be introduced to keep models from
//! interpenetrating the floor (or other easily computed geometry)". Figure 9's
//! `z = max(0, z)` is the plane with normal Z; every other shape pushes a point out by the
//! shortest distance. Clamping moves points and so changes the length of a rope;
//! `model::keep_length` compensates.
//!
//! # Differences from the paper
//! The surface of the rope rests on the floor, not its axis: the margin is the radius by default, as
//! in the paper for springs.
//!
//! Tests: `pushed_points_touch_the_surface`, `points_outside_are_left_alone`,
//! `capsule_vs_balls_along_its_axis`, `height_field_vs_its_formula`.

use std::sync::Arc;

use glam::{DMat3, DVec3};

use crate::curve::Frame;

/// A solid.
#[derive(Clone, Debug, PartialEq)]
pub enum Collider {
    /// Everything below a plane.
    Plane {
        /// A point on it.
        point: DVec3,
        /// Unit, pointing to the free side.
        normal: DVec3,
    },
    /// A ball.
    Sphere {
        /// Centre.
        centre: DVec3,
        /// In metres.
        radius: f64,
    },
    /// A box in any orientation.
    Box {
        /// Centre.
        centre: DVec3,
        /// Half its edge lengths.
        half: DVec3,
        /// Its axes as columns.
        world_from_box: DMat3,
    },
    /// A cylinder with flat ends.
    Cylinder {
        /// Middle of one end.
        from: DVec3,
        /// Middle of the other.
        to: DVec3,
        /// In metres.
        radius: f64,
    },
    /// A cylinder with round ends: everything nearer to a line than the radius.
    Capsule {
        /// One end of the line.
        from: DVec3,
        /// The other.
        to: DVec3,
        /// In metres; the solid extends beyond the ends of the line by the same distance.
        radius: f64,
    },
    /// Uneven ground: heights on a grid, interpolated bilinearly; nothing beyond its edge.
    HeightField(Arc<HeightField>),
}

/// Heights on a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    /// Corner with the smallest x and y; heights are added to its z.
    pub origin: DVec3,
    /// Size of a cell in metres.
    pub cell: f64,
    /// Heights per row; rows go along y, entries of a row along x.
    pub columns: usize,
    /// All rows, one after the other; shared, so that ground can move without being copied.
    pub heights: Arc<[f64]>,
}

impl HeightField {
    /// Height of the ground at `(x, y)`, if the grid reaches there.
    fn height(&self, x: f64, y: f64) -> Option<f64> {
        Some(self.ground(x, y)?.0)
    }

    /// Height of the ground at `(x, y)` and its unit normal, if the grid reaches there.
    pub fn ground(&self, x: f64, y: f64) -> Option<(f64, DVec3)> {
        let rows = self.heights.len().checked_div(self.columns)?;
        let (gx, gy) = ((x - self.origin.x) / self.cell, (y - self.origin.y) / self.cell);
        if !(gx >= 0.0 && gy >= 0.0) || self.columns < 2 || rows < 2 {
            return None;
        }
        if gx > (self.columns - 1) as f64 || gy > (rows - 1) as f64 {
            return None;
        }
        let (i, j) = ((gx as usize).min(self.columns - 2), (gy as usize).min(rows - 2));
        let (fx, fy) = (gx - i as f64, gy - j as f64);
        let h = |i: usize, j: usize| self.heights[j * self.columns + i];
        let near = h(i, j) + fx * (h(i + 1, j) - h(i, j));
        let far = h(i, j + 1) + fx * (h(i + 1, j + 1) - h(i, j + 1));
        let (left, right) = (h(i, j + 1) - h(i, j), h(i + 1, j + 1) - h(i + 1, j));
        let along_x = h(i + 1, j) - h(i, j) + fy * (right - left);
        let normal = DVec3::new(-along_x, -(far - near), self.cell).normalize_or(DVec3::Z);
        Some((self.origin.z + near + fy * (far - near), normal))
    }
}

impl Collider {
    /// The floor at a height.
    pub fn floor(height: f64) -> Self {
        Self::Plane { point: DVec3::Z * height, normal: DVec3::Z }
    }

    /// Signed distance of `p` (negative inside) and the outward normal.
    pub fn distance(&self, p: DVec3) -> (f64, DVec3) {
        match self {
            Self::Plane { point, normal } => ((p - *point).dot(*normal), *normal),
            Self::Sphere { centre, radius } => {
                let v = p - *centre;
                (v.length() - radius, v.normalize_or(DVec3::Z))
            }
            Self::Box { centre, half, world_from_box } => {
                let local = world_from_box.transpose() * (p - *centre);
                let outside = local.abs() - *half;
                let sign = |x: f64| if x < 0.0 { -1.0 } else { 1.0 };
                let signs = DVec3::new(sign(local.x), sign(local.y), sign(local.z));
                if outside.max_element() > 0.0 {
                    let v = outside.max(DVec3::ZERO);
                    (v.length(), *world_from_box * (v * signs).normalize_or(DVec3::Z))
                } else {
                    // Inside: out through the nearest face.
                    let axis = if outside.x >= outside.y && outside.x >= outside.z {
                        DVec3::X
                    } else if outside.y >= outside.z {
                        DVec3::Y
                    } else {
                        DVec3::Z
                    };
                    (outside.max_element(), *world_from_box * (axis * signs))
                }
            }
            Self::Cylinder { from, to, radius } => cylinder(*from, *to, *radius, p),
            Self::Capsule { from, to, radius } => capsule(*from, *to, *radius, p),
            Self::HeightField(field) => {
                let ground = field.height(p.x, p.y);
                (ground.map_or(f64::INFINITY, |z| p.z - z), DVec3::Z)
            }
        }
    }
}

fn cylinder(from: DVec3, to: DVec3, radius: f64, p: DVec3) -> (f64, DVec3) {
    let half = 0.5 * from.distance(to);
    let axis = (to - from).normalize_or(DVec3::Z);
    let v = p - 0.5 * (from + to);
    let along = v.dot(axis);
    let side = v - axis * along;
    let outward = side.normalize_or(Frame::new(axis, DVec3::Z).normal());
    let cap = if along < 0.0 { -axis } else { axis };
    let (beside, beyond) = (side.length() - radius, along.abs() - half);
    if beside > 0.0 && beyond > 0.0 {
        let v = outward * beside + cap * beyond;
        (v.length(), v.normalize_or(outward))
    } else if beside >= beyond {
        (beside, outward)
    } else {
        (beyond, cap)
    }
}

/// Distance from the axis of a capsule, in radii, below which a point counts as on the axis: the
/// direction away from it is rounding there. Larger: ropes through the middle are pushed to one side.
const ON_THE_LINE: f64 = 1e-9;

fn capsule(from: DVec3, to: DVec3, radius: f64, p: DVec3) -> (f64, DVec3) {
    let along = to - from;
    // An axis without length makes the quotient NaN, and the solid is a ball.
    let s = ((p - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    let v = p - if s > 0.0 { from + along * s } else { from };
    let away = v.length();
    let out = if away > ON_THE_LINE * radius {
        v / away
    } else {
        // All directions normal to the axis are equally short.
        along.try_normalize().map_or(DVec3::Z, |axis| Frame::new(axis, DVec3::Z).normal())
    };
    (away - radius, out)
}

/// A collider with a margin that a body keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct Clamp {
    /// The solid.
    pub collider: Collider,
    /// Distance kept from its surface, in metres; usually the rope's radius.
    pub margin: f64,
}

impl Clamp {
    /// `p`, or the nearest point that keeps the margin.
    #[must_use]
    pub fn push(&self, p: DVec3) -> DVec3 {
        let (distance, out) = self.collider.distance(p);
        if distance < self.margin { p + out * (self.margin - distance) } else { p }
    }

    /// Returns true if `p` is closer than the margin.
    pub fn touches(&self, p: DVec3) -> bool {
        self.collider.distance(p).0 < self.margin
    }

    /// `p` pushed by all of `clamps` in their order.
    #[must_use]
    pub fn push_all(clamps: &[Self], p: DVec3) -> DVec3 {
        clamps.iter().fold(p, |p, clamp| clamp.push(p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops;
    use proptest::prelude::*;

    fn turned() -> DMat3 {
        let (s, c) = ops::sin_cos(0.7);
        DMat3::from_cols(DVec3::new(c, s, 0.0), DVec3::new(-s, c, 0.0), DVec3::Z)
    }

    fn solids() -> Vec<Collider> {
        vec![
            Collider::floor(0.1),
            Collider::Plane { point: DVec3::X, normal: DVec3::new(0.6, 0.0, 0.8) },
            Collider::Sphere { centre: DVec3::new(0.2, 0.1, 0.0), radius: 0.7 },
            Collider::Box {
                centre: DVec3::new(0.1, 0.0, 0.2),
                half: DVec3::new(0.5, 0.3, 0.8),
                world_from_box: turned(),
            },
            Collider::Cylinder {
                from: DVec3::new(-1.0, 0.0, 0.1),
                to: DVec3::new(1.0, 0.5, 0.0),
                radius: 0.4,
            },
            Collider::Capsule {
                from: DVec3::new(-0.6, 0.3, 0.1),
                to: DVec3::new(0.8, 0.2, -0.3),
                radius: 0.35,
            },
        ]
    }

    /// A capsule and balls of its radius, closely spaced along its line.
    fn capsule_and_balls(from: DVec3, to: DVec3) -> (Collider, Vec<Collider>) {
        let ball = |i: i32| Collider::Sphere {
            centre: from.lerp(to, f64::from(i) / 4000.0),
            radius: 0.35,
        };
        (Collider::Capsule { from, to, radius: 0.35 }, (0..=4000).map(ball).collect())
    }

    proptest! {
        #[test]
        fn pushed_points_touch_the_surface(p in prop::array::uniform3(-1.5..1.5_f64), margin in 0.0..0.2_f64) {
            let p = DVec3::from_array(p);
            for collider in solids() {
                let clamp = Clamp { collider, margin };
                let q = clamp.push(p);
                let after = clamp.collider.distance(q).0;
                prop_assert!(after >= margin - 1e-12, "{:?}: {} < {}", clamp, after, margin);
                if clamp.touches(p) {
                    prop_assert!(after <= margin + 1e-12);
                    // By the shortest distance.
                    let moved = q.distance(p);
                    prop_assert!((moved - (margin - clamp.collider.distance(p).0)).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn points_outside_are_left_alone() {
        let p = DVec3::new(9.0, 9.0, 9.0);
        for collider in solids() {
            assert_eq!(Clamp { collider, margin: 0.01 }.push(p), p);
        }
    }

    #[test]
    fn capsule_vs_balls_along_its_axis() {
        let (from, to) = (DVec3::new(-0.6, 0.3, 0.1), DVec3::new(0.8, 0.2, -0.3));
        // Balls are 0.37 mm apart, so the nearest one is at most 0.18 mm from the nearest point of the
        // line; the error of a distance of 0.1 m is of second order in that.
        for (from, to) in [(from, to), (to, from), (from, from)] {
            let (capsule, balls) = capsule_and_balls(from, to);
            for p in [
                DVec3::new(0.1, 0.9, 0.2),
                DVec3::new(-1.4, 0.1, 0.4),
                DVec3::new(1.2, 0.2, -0.9),
                DVec3::new(0.1, 0.35, 0.0),
                DVec3::new(0.7, 0.1, -0.3),
            ] {
                let (distance, out) = capsule.distance(p);
                let nearest = balls.iter().map(|ball| ball.distance(p));
                let (other, direction) = nearest.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
                assert!((distance - other).abs() < 2e-7, "{p}: {distance}, {other}");
                assert!(out.distance(direction) < 2e-3, "{p}: {out}, {direction}");
            }
            // On the line, to rounding.
            let middle = from.lerp(to, 0.25);
            let (depth, out) = capsule.distance(middle);
            assert!((depth + 0.35).abs() < 1e-15 && out.is_normalized());
            assert!(out.dot(to - from).abs() < 1e-15, "the shortest direction is across: {out}");
        }
    }

    #[test]
    fn centres_are_pushed_out() {
        for collider in solids() {
            let clamp = Clamp { collider, margin: 0.0 };
            for p in
                [DVec3::new(0.2, 0.1, 0.0), DVec3::new(0.1, 0.0, 0.2), DVec3::new(0.0, 0.25, 0.05)]
            {
                let q = clamp.push(p);
                assert!(q.is_finite() && clamp.collider.distance(q).0 > -1e-12);
            }
        }
    }

    #[test]
    fn height_field_vs_its_formula() {
        // z = 1 + 2x + 3y is bilinear, so the field must reproduce it everywhere.
        let heights: Arc<[f64]> =
            (0..5).flat_map(|j| (0..7).map(move |i| f64::from(i) + 1.5 * f64::from(j))).collect();
        let field =
            HeightField { origin: DVec3::new(0.0, 0.0, 1.0), cell: 0.5, columns: 7, heights };
        let clamp = Clamp { collider: Collider::HeightField(field.into()), margin: 0.1 };
        let q = clamp.push(DVec3::new(1.3, 0.9, -4.0));
        assert!(q.distance(DVec3::new(1.3, 0.9, 1.0 + 2.6 + 2.7 + 0.1)) < 1e-13);
        let beyond = DVec3::new(-0.1, 0.9, -4.0);
        assert_eq!(clamp.push(beyond), beyond);
    }
}
