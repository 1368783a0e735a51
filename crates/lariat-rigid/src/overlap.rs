//! How deep a solid lies in something else, and the shortest way out.
//!
//! By parry, which knows both shapes whole. Of a height field it knows the surface alone: what lies below
//! that altogether is found by its middle.
//!
//! Tests: `what_is_sunk_into_ground_is_as_deep_as_it_is`, `what_touches_or_is_apart_is_not_inside`,
//! `solids_in_each_other_are_told_apart_the_short_way`.

use glam::DVec3;
use lariat_core::model::layer::Collider;
use rapier3d_f64::parry::query;

use crate::{Solid, ground};

impl Solid {
    /// How deep it is in a collider, in metres, and the direction of its shortest way out; nothing if
    /// they are apart. What touches is inside by rounding alone.
    pub fn inside(&self, collider: &Collider) -> Option<(f64, DVec3)> {
        let own = self.collider();
        let (at, shape) = ground::shape(collider)?;
        let (own_at, own_shape) = ground::shape(&own)?;
        let touch = query::contact(&at, &*shape, &own_at, &*own_shape, 0.0).ok().flatten();
        let touch = touch.map(|touch| (-touch.dist, ground::from_vector(touch.normal1)));
        let (distance, out) = collider.distance(self.position);
        let both = touch.into_iter().chain([(-distance, out)]);
        both.filter(|(depth, _)| *depth > 0.0).reduce(|a, b| if b.0 > a.0 { b } else { a })
    }
}

#[cfg(test)]
mod tests {
    use lariat_core::model::layer::collider::HeightField;
    use lariat_core::num::ops;

    use super::*;
    use crate::{Shape, solid::turn_by};

    fn crate_at(position: DVec3) -> Solid {
        Solid::new(Shape::Box { half: DVec3::new(0.2, 0.3, 0.1) }, 1.0, position)
    }

    fn field(height: f64) -> Collider {
        let origin = DVec3::new(-2.0, -2.0, 0.0);
        let heights = vec![height; 25].into();
        Collider::HeightField(HeightField { origin, cell: 1.0, columns: 5, heights }.into())
    }

    #[test]
    fn what_is_sunk_into_ground_is_as_deep_as_it_is() {
        for ground in [Collider::floor(0.5), field(0.5)] {
            let (depth, out) = crate_at(DVec3::new(0.3, 0.1, 0.57)).inside(&ground).unwrap();
            assert!((depth - 0.03).abs() < 1e-9, "{depth} {ground:?}");
            assert!(out.distance(DVec3::Z) < 1e-9, "{out} {ground:?}");
            // Below it altogether.
            let (depth, out) = crate_at(DVec3::new(0.3, 0.1, -0.5)).inside(&ground).unwrap();
            assert!(depth >= 1.0 && out.distance(DVec3::Z) < 1e-9, "{depth} {out} {ground:?}");
        }
        // On an edge: half of its diagonal is 0.2236 m.
        let rotation = turn_by(DVec3::Y * ops::atan2(0.2, 0.1));
        let turned = Solid { rotation, ..crate_at(DVec3::Z * 0.2) };
        let (depth, _) = turned.inside(&Collider::floor(0.0)).unwrap();
        assert!((depth - (0.05_f64.sqrt() - 0.2)).abs() < 1e-9, "{depth}");
    }

    #[test]
    fn what_touches_or_is_apart_is_not_inside() {
        let crate_ = crate_at(DVec3::new(0.0, 0.0, 0.6));
        let deep = |collider: &Collider| crate_.inside(collider).map_or(0.0, |(depth, _)| depth);
        assert!(deep(&Collider::floor(0.5)) < 1e-12);
        assert_eq!(crate_.inside(&Collider::floor(0.49)), None);
        assert_eq!(crate_.inside(&Collider::Sphere { centre: DVec3::ZERO, radius: 0.4 }), None);
        assert!(deep(&crate_at(DVec3::new(0.4, 0.0, 0.6)).collider()) < 1e-12);
    }

    #[test]
    fn solids_in_each_other_are_told_apart_the_short_way() {
        let lower = crate_at(DVec3::ZERO);
        let upper = crate_at(DVec3::new(0.05, 0.1, 0.16));
        let (depth, out) = upper.inside(&lower.collider()).unwrap();
        assert!((depth - 0.04).abs() < 1e-9 && out.distance(DVec3::Z) < 1e-9, "{depth} {out}");
        let (depth, out) = lower.inside(&upper.collider()).unwrap();
        assert!((depth - 0.04).abs() < 1e-9 && out.distance(-DVec3::Z) < 1e-9, "{depth} {out}");
        let ball = Solid::new(Shape::Ball { radius: 0.1 }, 1.0, DVec3::new(0.27, 0.0, 0.0));
        let (depth, out) = ball.inside(&lower.collider()).unwrap();
        assert!((depth - 0.03).abs() < 1e-9 && out.distance(DVec3::X) < 1e-9, "{depth} {out}");
        let barrel = Solid::new(Shape::Cylinder { half: 0.3, radius: 0.1 }, 1.0, DVec3::Z * 0.35);
        let (depth, out) = barrel.inside(&lower.collider()).unwrap();
        assert!((depth - 0.05).abs() < 1e-6 && out.distance(DVec3::Z) < 1e-6, "{depth} {out}");
    }
}
