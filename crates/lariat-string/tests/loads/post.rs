//! A post that is pushed sideways against a tight rope.
//!
//! The rope becomes two straight lines that touch a circle; their length and that of the arc between
//! them give its tension by `EA`.

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Collider;
use lariat_core::num::ops;
use lariat_string::{Bend, Build, Clamp};

use super::World;
use super::common::{DT, assert_whole, least_from_line, material, settle, step, world};

const ROPE: f64 = 0.005;
const POST: f64 = 0.02;

/// How far the rope is pushed, in metres.
const PUSHED: f64 = 0.05;

/// Length of the tangent from the origin to a circle of radius `r` around a point `x` along the rope
/// and `y` across it, and its angle to the rope; the circle is on the side that pushes.
fn tangent(x: f64, y: f64, r: f64) -> (f64, f64) {
    let far = ops::hypot(x, y);
    let length = (far * far - r * r).sqrt();
    (length, ops::atan2(y, x) + ops::atan2(r, length))
}

/// Pushes the post against the rope in so many seconds, and asserts that it is never deep in it.
fn push(at: f64, seconds: f64, segments: usize) -> World {
    let said = format!("{segments} segments, {PUSHED} m in {seconds} s");
    let build = Build {
        length: Some(0.999),
        bend: Bend::Limp,
        variation: 0.0,
        ..Build::straight(DVec3::ZERO, DVec3::X, segments, ROPE, material("hemp"))
    };
    let mut world = world(&build);
    world.gravity = DVec3::ZERO;
    world.friction = 0.0;
    world.clamps.extend([Clamp::at(0, DVec3::ZERO), Clamp::at(segments, DVec3::X)]);
    let around = POST + ROPE;
    let post = |y: f64| {
        let [from, to] = [-0.3, 0.3].map(|z| DVec3::new(at, y, z));
        Collider::Capsule { from, to, radius: POST }
    };
    world.obstacles.push(Obstacle::standing(post(-around), 0.0));
    let steps = (seconds / DT).round();
    let mut deepest = 0.0_f64;
    let mut look = |world: &World, y: f64| {
        let centre = DVec3::new(at, y, 0.0);
        deepest = deepest.max(around - least_from_line(&world.state.positions, centre, DVec3::Z));
    };
    for k in 1..=steps as u32 {
        let y = PUSHED * f64::from(k) / steps - around;
        let before = world.obstacles[0].now.clone();
        world.obstacles[0] = Obstacle { before, now: post(y), margin: 0.0 };
        step(&mut world, DT);
        look(&world, y);
    }
    let now = world.obstacles[0].now.clone();
    world.obstacles[0] = Obstacle::standing(now, 0.0);
    settle(&mut world, 1.5);
    look(&world, PUSHED - around);
    assert_whole(&world);
    println!("{said}: {deepest} m deep");
    assert!(deepest < 1e-3, "{said}: {deepest} m deep");
    world
}

/// Asserts that the rope is two lines, with the tension of their length.
fn assert_two_lines(world: &World, at: f64) {
    let around = POST + ROPE;
    let y = PUSHED - around;
    let (left, right) = (tangent(at, y, around), tangent(1.0 - at, y, around));
    let path = left.0 + right.0 + around * (left.1 + right.1);
    let known = material("hemp").at_radius(ROPE).stretch * (path - 0.999) / 0.999;
    let segments = world.state.particles() - 1;
    for (i, tension) in world.state.tensions[..segments].iter().enumerate() {
        let off = tension / known - 1.0;
        assert!(off.abs() < 0.02, "segment {i}: {tension} N for {known} N");
    }
    for x in &world.state.positions {
        let (far, slope) = if x.x < at { (x.x, left.1) } else { (1.0 - x.x, right.1) };
        let off = (x.y - far * ops::tan(slope)).abs();
        let near = (x.x - at).abs() < 2.0 * around;
        assert!(near || off < 5e-4, "{x} is {off} m off the line");
    }
}

#[test]
fn a_slow_post_bends_a_tight_rope_into_two_lines() {
    assert_two_lines(&push(0.4, 0.5, 50), 0.4);
}

#[test]
fn a_fast_post_bends_a_tight_rope_into_two_lines() {
    assert_two_lines(&push(0.4, 0.05, 50), 0.4);
}

#[test]
fn a_post_does_not_slip_between_the_particles_of_a_coarse_rope() {
    push(0.45, 0.5, 10);
}
