//! What ropes rest on and are stopped by, standing or moving.
//!
//! The solids are those that layers clamp ropes against (`model::layer::Collider`), here at the
//! beginning and at the end of a step, so that a moving one carries along what lies on it.
//!
//! Tests: `a_turning_box_carries_its_corners`, `what_stands_carries_nothing`,
//! `parts_of_a_way_make_the_whole_of_it`, `a_slope_of_uneven_ground_is_a_plane`.

use std::sync::Arc;

use glam::{DMat3, DVec3};

use crate::curve::Frame;
use crate::model::layer::Collider;
use crate::model::layer::collider::HeightField;

/// A solid that a rope is kept out of.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Where it was when the step began.
    pub before: Collider,
    /// Where it is when the step ends.
    pub now: Collider,
    /// Distance kept from its surface, in metres; usually the rope's radius.
    pub margin: f64,
}

impl Obstacle {
    /// One that does not move.
    pub fn standing(collider: Collider, margin: f64) -> Self {
        Self { before: collider.clone(), now: collider, margin }
    }

    /// How far `p` is from where it may be (negative: too near), and the way out.
    pub fn clearance(&self, p: DVec3) -> (f64, DVec3) {
        let (distance, out) = match &self.now {
            // Straight up is not the way off a slope: what lies there would never slide.
            Collider::HeightField(field) => {
                let (height, out) = field.ground(p.x, p.y).unwrap_or((f64::NEG_INFINITY, DVec3::Z));
                ((p.z - height) * out.z, out)
            }
            solid => solid.distance(p),
        };
        (distance - self.margin, out)
    }

    /// Where a point that sits on the solid and was at `p` is now.
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
            // Another solid altogether: nothing to be carried by.
            _ => p,
        }
    }

    /// The same within a part of the step, from one share of it (0–1) to another.
    #[must_use]
    pub fn within(&self, from: f64, to: f64) -> Self {
        if self.before == self.now {
            return self.clone();
        }
        let at = |share: f64| between(&self.before, &self.now, share);
        Self { before: at(from), now: at(to), margin: self.margin }
    }

    /// The thinnest it is, in metres: a point that moves further in one step may pass through.
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

/// A solid on its way, 0–1; one that becomes another altogether is that at once.
fn between(a: &Collider, b: &Collider, share: f64) -> Collider {
    let mix = |a: f64, b: f64| a + (b - a) * share;
    match (a, b) {
        (Collider::Plane { point: a, normal: m }, Collider::Plane { point: b, normal: n }) => {
            let normal = m.lerp(*n, share).normalize_or(*n);
            Collider::Plane { point: a.lerp(*b, share), normal }
        }
        (Collider::Sphere { centre: a, radius: r }, Collider::Sphere { centre: b, radius: s }) => {
            Collider::Sphere { centre: a.lerp(*b, share), radius: mix(*r, *s) }
        }
        (
            Collider::Box { centre: a, half: h, world_from_box: m },
            Collider::Box { centre: b, half: k, world_from_box: n },
        ) => {
            // Within a step a box turns little: its axes, squared up again, are good enough.
            let x = m.x_axis.lerp(n.x_axis, share).normalize_or(n.x_axis);
            let y = m.y_axis.lerp(n.y_axis, share);
            let y = (y - x * x.dot(y)).normalize_or(n.y_axis);
            let world_from_box = DMat3::from_cols(x, y, x.cross(y));
            Collider::Box { centre: a.lerp(*b, share), half: h.lerp(*k, share), world_from_box }
        }
        (
            Collider::Cylinder { from: a, to: c, radius: r },
            Collider::Cylinder { from: b, to: d, radius: s },
        ) => {
            let (from, to) = (a.lerp(*b, share), c.lerp(*d, share));
            Collider::Cylinder { from, to, radius: mix(*r, *s) }
        }
        (
            Collider::Capsule { from: a, to: c, radius: r },
            Collider::Capsule { from: b, to: d, radius: s },
        ) => {
            let (from, to) = (a.lerp(*b, share), c.lerp(*d, share));
            Collider::Capsule { from, to, radius: mix(*r, *s) }
        }
        (Collider::HeightField(a), Collider::HeightField(b)) => {
            let origin = a.origin.lerp(b.origin, share);
            Collider::HeightField(Arc::new(HeightField { origin, ..HeightField::clone(b) }))
        }
        (_, other) => other.clone(),
    }
}

/// The smallest turn that takes one direction to another; none where they have none.
fn turn_between(from: DVec3, to: DVec3) -> DMat3 {
    let (Some(from), Some(to)) = (from.try_normalize(), to.try_normalize()) else {
        return DMat3::IDENTITY;
    };
    // Two frames of one sideways direction: their difference is the turn.
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
        // An axis that leans takes what is on it along.
        let beam = |to: DVec3| Collider::Cylinder { from: DVec3::ZERO, to, radius: 0.1 };
        let obstacle = Obstacle { before: beam(DVec3::X), now: beam(DVec3::Z), margin: 0.0 };
        assert!(obstacle.carried(DVec3::X).distance(DVec3::Z) < 1e-15);
        assert!(obstacle.carried(DVec3::Y * 0.1).distance(DVec3::Y * 0.1) < 1e-15);
    }

    #[test]
    fn parts_of_a_way_make_the_whole_of_it() {
        let beam = |x: f64| Collider::Cylinder {
            from: DVec3::X * x,
            to: DVec3::new(x, 1.0, 0.5 * x),
            radius: 0.1,
        };
        let whole = Obstacle { before: beam(0.0), now: beam(0.3), margin: 0.01 };
        let mut p = DVec3::new(0.0, 0.4, 0.1);
        let wanted = whole.carried(p);
        for part in 0..10 {
            let (from, to) = (f64::from(part) / 10.0, f64::from(part + 1) / 10.0);
            let step = whole.within(from, to);
            assert!(
                step.carried(p).distance(p) < 0.12 * wanted.distance(DVec3::new(0.0, 0.4, 0.1))
            );
            p = step.carried(p);
        }
        assert!(p.distance(wanted) < 1e-12, "{p} for {wanted}");
        let ball = Obstacle::standing(Collider::Sphere { centre: DVec3::X, radius: 1.0 }, 0.0);
        assert_eq!(ball.within(0.2, 0.4), ball);
    }

    #[test]
    fn a_slope_of_uneven_ground_is_a_plane() {
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
            let ((far, out), (wanted, straight)) = (uneven.clearance(p), plane.clearance(p));
            assert!((far - wanted).abs() < 1e-15 && out.distance(straight) < 1e-15, "{p}");
        }
        assert_eq!(uneven.clearance(DVec3::new(-1.0, 0.0, -5.0)).0, f64::INFINITY);
    }

    #[test]
    fn what_stands_carries_nothing() {
        let ball = Collider::Sphere { centre: DVec3::ONE, radius: 0.5 };
        let obstacle = Obstacle::standing(ball, 0.01);
        let p = DVec3::new(0.3, 0.1, 0.7);
        assert_eq!(obstacle.carried(p), p);
        assert!((obstacle.thinnest() - 1.02).abs() < 1e-15);
        assert!((obstacle.clearance(DVec3::ONE).0 + 0.51).abs() < 1e-15);
    }
}
