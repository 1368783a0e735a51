//! A rope that slides on a plane.
//!
//! On a level plane it stops after `v²/(2 μ g)`. On one that is inclined by `α` it stays up to
//! `tan α = μ`, and beyond that has the acceleration `g (sin α − μ cos α)`.

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Collider;
use lariat_core::num::ops;
use lariat_string::Build;

use super::World;
use super::common::{DT, GRAVITY, assert_whole, fastest, line, material, run_at, world};

const ROPE: f64 = 0.005;
const FRICTIONS: [f64; 3] = [0.3, 0.6, 1.0];
const STEPS: [f64; 2] = [1.0 / 60.0, DT];

/// Half a metre of hemp on the plane, along this direction.
fn laid(along: DVec3, friction: f64) -> World {
    let middle = DVec3::Z * ROPE;
    let points = line(middle - along * 0.25, middle + along * 0.25, 10);
    let mut world = world(&Build::new(points, ROPE, material("hemp")));
    world.friction = friction;
    world.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.0));
    world
}

fn middle(world: &World) -> DVec3 {
    let count = world.state.particles() as f64;
    world.state.positions.iter().sum::<DVec3>() / count
}

#[test]
fn a_rope_slides_as_far_as_coulomb_says() {
    for along in [DVec3::X, DVec3::Y] {
        for friction in FRICTIONS {
            for dt in STEPS {
                let mut world = laid(along, friction);
                let speed = 2.0;
                world.state.velocities.fill(DVec3::X * speed);
                let start = middle(&world);
                run_at(&mut world, speed / (friction * GRAVITY) + 0.5, dt);
                assert_whole(&world);
                let far = (middle(&world) - start).x;
                let known = speed * speed / (2.0 * friction * GRAVITY);
                let said = format!("along {along}, friction {friction}, {dt} s");
                assert!((far / known - 1.0).abs() < 0.02, "{said}: {far} m for {known} m");
                assert!(fastest(&world) < 1e-3, "{said}: {} m/s", fastest(&world));
            }
        }
    }
}

/// Way along a slope in `seconds`, whose tangent is that of the friction times `steeper`.
fn slid(along: DVec3, friction: f64, steeper: f64, dt: f64, seconds: f64) -> f64 {
    let mut world = laid(along, friction);
    let (sin, cos) = ops::sin_cos(ops::atan2(friction * steeper, 1.0));
    world.gravity = DVec3::new(sin, 0.0, -cos) * GRAVITY;
    let start = middle(&world);
    run_at(&mut world, seconds, dt);
    assert_whole(&world);
    (middle(&world) - start).x
}

#[test]
fn a_rope_stays_on_a_slope_below_the_angle_of_friction() {
    for along in [DVec3::X, DVec3::Y] {
        for friction in FRICTIONS {
            for dt in STEPS {
                let far = slid(along, friction, 0.98, dt, 2.0);
                assert!(far.abs() < 1e-3, "along {along}, friction {friction}, {dt} s: {far} m");
            }
        }
    }
}

#[test]
fn a_rope_slides_on_a_slope_above_the_angle_of_friction() {
    for along in [DVec3::X, DVec3::Y] {
        for friction in FRICTIONS {
            for dt in STEPS {
                let far = slid(along, friction, 1.1, dt, 1.0);
                let (sin, cos) = ops::sin_cos(ops::atan2(1.1 * friction, 1.0));
                let known = 0.5 * GRAVITY * (sin - friction * cos);
                let said = format!("along {along}, friction {friction}, {dt} s");
                assert!((far / known - 1.0).abs() < 0.05, "{said}: {far} m for {known} m");
            }
        }
    }
}
