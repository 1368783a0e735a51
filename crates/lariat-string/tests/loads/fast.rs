//! Fast strings do not pass through anything.
//!
//! A long string that flies sideways meets a line across its way. The angle that it sweeps around that
//! line from its first to its last particle grows from nearly half a turn to more as its ends fly on. If
//! it passes through, the angle is a full turn less and its sign changes. The test ends long before the
//! ends have come round.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Collider;
use lariat_core::num::ops;
use lariat_string::{Build, Clamp};

use super::World;
use super::common::{DT, material, step, world};

const SPEED: f64 = 200.0;
const RADIUS: f64 = 1e-3;
const LENGTH: f64 = 6.0;
const SEGMENTS: usize = 120;

/// A thin string along Y that flies along X. It meets the line through the origin with a particle, or
/// `aside` of a segment from one.
fn thrown(aside: f64) -> World {
    let off = DVec3::Y * (LENGTH / SEGMENTS as f64 * aside) - DVec3::X * 0.5;
    let (from, to) = (off - DVec3::Y * (0.5 * LENGTH), off + DVec3::Y * (0.5 * LENGTH));
    let mut build = Build::straight(from, to, SEGMENTS, RADIUS, material("nylon-line"));
    build.tears = false;
    let mut world = world(&build);
    world.gravity = DVec3::ZERO;
    world.state.velocities.fill(DVec3::X * SPEED);
    world
}

/// Angle that the thrown string sweeps around a point in the plane across Z, in radians.
fn swept(world: &World, around: DVec3) -> f64 {
    let angle = |x: &DVec3| ops::atan2(x.y - around.y, x.x - around.x);
    let points = &world.state.positions[..=SEGMENTS];
    let turns = points.windows(2).map(|pair| {
        let turn = angle(&pair[1]) - angle(&pair[0]);
        turn - 2.0 * PI * (turn / (2.0 * PI)).round()
    });
    turns.sum()
}

/// Flies for 21 ms; asserts that the string sweeps around `line` in one sense, and more and more.
fn fly(world: &mut World, said: &str, line: impl Fn(&World) -> DVec3) {
    let sign = swept(world, line(world)).signum();
    for _ in 0..5 {
        step(world, DT);
        let angle = sign * swept(world, line(world));
        let at = world.state.positions[SEGMENTS / 2];
        assert!(angle > 0.0, "{said}: it has passed, its middle is at {at}");
    }
    let angle = sign * swept(world, line(world));
    assert!(angle > 1.3 * PI, "{said}: its ends have not flown on, {angle}");
}

#[test]
fn a_string_at_200_metres_a_second_does_not_pass_a_capsule() {
    for aside in [0.0, 0.25, 0.5] {
        let mut world = thrown(aside);
        let [from, to] = [DVec3::NEG_Z, DVec3::Z].map(|end| end * 0.2);
        let post = Collider::Capsule { from, to, radius: 0.01 };
        world.obstacles.push(Obstacle::standing(post, 0.0));
        fly(&mut world, &format!("{aside} of a segment aside"), |_| DVec3::ZERO);
    }
}

#[test]
fn a_string_at_200_metres_a_second_does_not_pass_a_clamped_string() {
    for aside in [0.0, 0.25, 0.5] {
        let mut world = thrown(aside);
        let ends = [DVec3::NEG_Z, DVec3::Z].map(|end| end * 0.2);
        let mut build = Build::straight(ends[0], ends[1], 40, 0.003, material("steel-cable"));
        build.tears = false;
        let held = world.add(&build).expect("a valid string");
        for (u, end) in [0.0, 1.0].into_iter().zip(ends) {
            let particle = world.particle(held, u);
            world.clamps.push(Clamp::at(particle, end));
        }
        let middle = world.particle(held, 0.5);
        let line = move |world: &World| world.state.positions[middle];
        fly(&mut world, &format!("{aside} of a segment aside"), line);
    }
}
