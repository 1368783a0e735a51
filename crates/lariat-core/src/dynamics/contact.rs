//! Obstacles of simulated ropes, standing or moving.
//!
//! The solids are those that layers clamp ropes against (`model::layer::Collider`), at the
//! beginning and at the end of a step, so that a moving solid carries a rope that lies on it.
//!
//! Tests: `a_turning_box_carries_its_corners`, `a_standing_obstacle_carries_nothing`,
//! `substeps_add_up_to_the_whole_step`, `sloping_ground_equals_a_plane`.

use std::sync::Arc;

use glam::{DMat3, DVec3};

use crate::curve::Frame;
use crate::model::layer::Collider;
use crate::model::layer::collider::HeightField;

/// A solid that a rope is kept out of.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// The solid at the beginning of the step.
    pub before: Collider,
    /// The solid at the end of the step.
    pub now: Collider,
    /// Distance kept from its surface, in metres; usually the rope's radius.
    pub margin: f64,
}

impl Obstacle {
    /// An obstacle that does not move.
    pub fn standing(collider: Collider, margin: f64) -> Self {
        Self { before: collider.clone(), now: collider, margin }
    }

    /// Distance of `p` from the margin (negative: inside it), and the outward direction.
    pub fn clearance(&self, p: DVec3) -> (f64, DVec3) {
        let (distance, out) = match &self.now {
            // Along the normal, not straight up: otherwise a rope on a slope would never slide.
            Collider::HeightField(field) => {
                let (height, out) = field.ground(p.x, p.y).unwrap_or((f64::NEG_INFINITY, DVec3::Z));
                ((p.z - height) * out.z, out)
            }
            solid => solid.distance(p),
        };
        (distance - self.margin, out)
    }

    /// Position at the end of the step of a point that was at `p` and moves with the solid.
    pub fn carried(&self, p: DVec3) -> DVec3 {
        match (&self.before, &self.now) {
            (a, b) if a == b => p,
            (Collider::Plane { point: a, normal: m }, Collider::Plane { point: b, normal: n }) => {
                *b + turn_between(*m, *n) * (p - *a)
            }
            (Collider::Sphere { centre: a, .. }, Collider::Sphere { centre: b, .. }) => {
                p + (*b - *a)
            }
            (
                Collider::Box { centre: a, world_from_box: was, .. },
                Collider::Box { centre: b, world_from_box: is, .. },
            ) => *b + *is * (was.transpose() * (p - *a)),
            (
                Collider::Cylinder { from: a, to: a_end, .. },
                Collider::Cylinder { from: b, to: b_end, .. },
            )
            | (
                Collider::Capsule { from: a, to: a_end, .. },
                Collider::Capsule { from: b, to: b_end, .. },
            ) => *b + turn_between(*a_end - *a, *b_end - *b) * (p - *a),
            (Collider::HeightField(a), Collider::HeightField(b)) => p + (b.origin - a.origin),
            // A solid of another kind replaced it: nothing to follow.
            _ => p,
        }
    }

    /// The same obstacle within a substep, from one fraction of the step (0–1) to another.
    #[must_use]
    pub fn within(&self, from: f64, to: f64) -> Self {
        if self.before == self.now {
            return self.clone();
        }
        let at = |fraction: f64| between(&self.before, &self.now, fraction);
        Self { before: at(from), now: at(to), margin: self.margin }
    }

    /// Smallest thickness with margins, in metres: a point that moves further in one step may
    /// tunnel through.
    pub fn thinnest(&self) -> f64 {
        match &self.now {
            Collider::Plane { .. } | Collider::HeightField(_) => f64::INFINITY,
            Collider::Sphere { radius, .. } | Collider::Capsule { radius, .. } => {
                2.0 * (radius + self.margin)
            }
            Collider::Cylinder { from, to, radius } => {
                (2.0 * radius).min(from.distance(*to)) + 2.0 * self.margin
            }
            Collider::Box { half, .. } => 2.0 * (half.min_element() + self.margin),
        }
    }
}

/// The solid at a fraction of the step, 0–1. If the kinds differ, it is `b` from the start.
fn between(a: &Collider, b: &Collider, fraction: f64) -> Collider {
    let mix = |a: f64, b: f64| a + (b - a) * fraction;
    match (a, b) {
        (Collider::Plane { point: a, normal: m }, Collider::Plane { point: b, normal: n }) => {
            let normal = m.lerp(*n, fraction).normalize_or(*n);
            Collider::Plane { point: a.lerp(*b, fraction), normal }
        }
        (Collider::Sphere { centre: a, radius: r }, Collider::Sphere { centre: b, radius: s }) => {
            Collider::Sphere { centre: a.lerp(*b, fraction), radius: mix(*r, *s) }
        }
        (
            Collider::Box { centre: a, half: h, world_from_box: m },
            Collider::Box { centre: b, half: k, world_from_box: n },
        ) => {
            // A box turns little within a step, so interpolated axes, orthogonalised, will do.
            let x = m.x_axis.lerp(n.x_axis, fraction).normalize_or(n.x_axis);
            let y = m.y_axis.lerp(n.y_axis, fraction);
            let y = (y - x * x.dot(y)).normalize_or(n.y_axis);
            let world_from_box = DMat3::from_cols(x, y, x.cross(y));
            Collider::Box {
                centre: a.lerp(*b, fraction),
                half: h.lerp(*k, fraction),
                world_from_box,
            }
        }
        (
            Collider::Cylinder { from: a, to: c, radius: r },
            Collider::Cylinder { from: b, to: d, radius: s },
        ) => {
            let (from, to) = (a.lerp(*b, fraction), c.lerp(*d, fraction));
            Collider::Cylinder { from, to, radius: mix(*r, *s) }
        }
        (
            Collider::Capsule { from: a, to: c, radius: r },
            Collider::Capsule { from: b, to: d, radius: s },
        ) => {
            let (from, to) = (a.lerp(*b, fraction), c.lerp(*d, fraction));
            Collider::Capsule { from, to, radius: mix(*r, *s) }
        }
        (Collider::HeightField(a), Collider::HeightField(b)) => {
            let origin = a.origin.lerp(b.origin, fraction);
            Collider::HeightField(Arc::new(HeightField { origin, ..HeightField::clone(b) }))
        }
        (_, other) => other.clone(),
    }
}

/// Smallest rotation from one direction to another; the identity if either vector is zero.
fn turn_between(from: DVec3, to: DVec3) -> DMat3 {
    let (Some(from), Some(to)) = (from.try_normalize(), to.try_normalize()) else {
        return DMat3::IDENTITY;
    };
    // Two frames that share a sideways axis: their difference is the rotation.
    let side =
        from.cross(to).try_normalize().unwrap_or_else(|| Frame::new(from, DVec3::Z).normal());
    let axes = |along: DVec3| DMat3::from_cols(along, side, along.cross(side));
    axes(to) * axes(from).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops;

    #[test]
    fn a_turning_box_carries_its_corners() {
        let turned = |angle: f64| {
            let (s, c) = ops::sin_cos(angle);
            DMat3::from_cols(DVec3::new(c, s, 0.0), DVec3::new(-s, c, 0.0), DVec3::Z)
        };
        let solid = |centre: DVec3, angle: f64| Collider::Box {
            centre,
            half: DVec3::new(1.0, 0.5, 0.2),
            world_from_box: turned(angle),
        };
        let (a, b) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(1.5, 2.0, 3.0));
        let obstacle = Obstacle { before: solid(a, 0.3), now: solid(b, 0.9), margin: 0.0 };
        let corner = DVec3::new(1.0, -0.5, 0.2);
        let carried = obstacle.carried(a + turned(0.3) * corner);
        assert!(carried.distance(b + turned(0.9) * corner) < 1e-15);
        // A point on a tilting axis moves with it.
        let beam = |to: DVec3| Collider::Cylinder { from: DVec3::ZERO, to, radius: 0.1 };
        let obstacle = Obstacle { before: beam(DVec3::X), now: beam(DVec3::Z), margin: 0.0 };
        assert!(obstacle.carried(DVec3::X).distance(DVec3::Z) < 1e-15);
        assert!(obstacle.carried(DVec3::Y * 0.1).distance(DVec3::Y * 0.1) < 1e-15);
    }

    #[test]
    fn substeps_add_up_to_the_whole_step() {
        let beam = |x: f64| Collider::Cylinder {
            from: DVec3::X * x,
            to: DVec3::new(x, 1.0, 0.5 * x),
            radius: 0.1,
        };
        let whole = Obstacle { before: beam(0.0), now: beam(0.3), margin: 0.01 };
        let mut p = DVec3::new(0.0, 0.4, 0.1);
        let expected = whole.carried(p);
        for substep in 0..10 {
            let (from, to) = (f64::from(substep) / 10.0, f64::from(substep + 1) / 10.0);
            let step = whole.within(from, to);
            assert!(
                step.carried(p).distance(p) < 0.12 * expected.distance(DVec3::new(0.0, 0.4, 0.1))
            );
            p = step.carried(p);
        }
        assert!(p.distance(expected) < 1e-12, "{p} for {expected}");
        let ball = Obstacle::standing(Collider::Sphere { centre: DVec3::X, radius: 1.0 }, 0.0);
        assert_eq!(ball.within(0.2, 0.4), ball);
    }

    #[test]
    fn sloping_ground_equals_a_plane() {
        // z = 0.3 x − 0.2 y on a grid of 0.5 m.
        let heights: Vec<f64> =
            (0..30).map(|k| 0.5 * (0.3 * f64::from(k % 6) - 0.2 * f64::from(k / 6))).collect();
        let field =
            HeightField { origin: DVec3::ZERO, cell: 0.5, columns: 6, heights: heights.into() };
        let uneven = Obstacle::standing(Collider::HeightField(Arc::new(field)), 0.02);
        let normal = DVec3::new(-0.3, 0.2, 1.0).normalize_or(DVec3::Z);
        let plane = Obstacle::standing(Collider::Plane { point: DVec3::ZERO, normal }, 0.02);
        for p in [DVec3::new(0.7, 1.1, 0.4), DVec3::new(2.2, 0.3, -0.1), DVec3::new(1.0, 1.5, 0.0)]
        {
            let ((far, out), (expected, straight)) = (uneven.clearance(p), plane.clearance(p));
            assert!((far - expected).abs() < 1e-15 && out.distance(straight) < 1e-15, "{p}");
        }
        assert_eq!(uneven.clearance(DVec3::new(-1.0, 0.0, -5.0)).0, f64::INFINITY);
    }

    #[test]
    fn a_standing_obstacle_carries_nothing() {
        let ball = Collider::Sphere { centre: DVec3::ONE, radius: 0.5 };
        let obstacle = Obstacle::standing(ball, 0.01);
        let p = DVec3::new(0.3, 0.1, 0.7);
        assert_eq!(obstacle.carried(p), p);
        assert!((obstacle.thinnest() - 1.02).abs() < 1e-15);
        assert!((obstacle.clearance(DVec3::ONE).0 + 0.51).abs() < 1e-15);
    }
}
