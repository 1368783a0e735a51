//! Collisions of strings with each other and with obstacles.

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Collider;
use lariat_papers::rungjiratananon::{Build, Regions, Strings};

use super::{GRAVITY, STEP, limp, momentum, of, run, weightless};

/// Two strings that cross, the second moving towards the first at 0.2 m/s.
fn crossing(collision_mass: f64) -> Strings {
    let along = Build { shape: Some(Regions::USUAL), ..limp(20) };
    let place = |i: i32| DVec3::new(0.512, 0.05 * f64::from(i) - 0.483, 0.01);
    let across = Build { points: (0..=20).map(place).collect(), ..along.clone() };
    let mut strings = weightless(&along);
    strings.add(&across).expect("it can be built");
    strings.collision_mass = collision_mass;
    strings.usual.friction = 0.0;
    for velocity in &mut strings.state.velocities[21..] {
        *velocity = DVec3::new(0.0, 0.0, -0.2);
    }
    strings
}

#[test]
fn strings_that_cross_are_pushed_apart() {
    let mut strings = crossing(3.0);
    for _ in 0..100 {
        strings.step(STEP).expect("it does not diverge");
        let (below, above) = (strings.state.positions[10].z, strings.state.positions[31].z);
        assert!(above - below > 0.003, "{above} {below}");
    }
    assert!(strings.state.positions[10].z < -0.01);
    // Strings without contact pass through each other.
    let mut through = crossing(3.0);
    through.usual.contact = false;
    run(&mut through, 100);
    assert!(through.state.positions[31].z < through.state.positions[10].z);
}

#[test]
fn heavier_particles_do_not_keep_momentum() {
    // A property of the paper: shape matching with other masses than those of motion.
    let drift = |collision_mass: f64| {
        let mut strings = crossing(collision_mass);
        let before = momentum(&strings);
        run(&mut strings, 60);
        (momentum(&strings) - before).length() / before.length()
    };
    assert!(drift(1.0) < 1e-10, "{}", drift(1.0));
    assert!(drift(3.0) > 1e-3, "{}", drift(3.0));
}

#[test]
fn neighbours_do_not_collide() {
    // Thicker than its segments are long.
    let mut build = limp(40);
    build.radius = 0.04;
    let mut strings = weightless(&build);
    run(&mut strings, 10);
    assert!(strings.state.velocities.iter().all(|velocity| velocity.length() == 0.0));
}

fn floor(height: [f64; 2]) -> Obstacle {
    let plane = |z: f64| Collider::Plane { point: DVec3::Z * z, normal: DVec3::Z };
    Obstacle { before: plane(height[0]), now: plane(height[1]), margin: 0.0 }
}

#[test]
fn a_string_lies_on_the_floor() {
    let mut strings = of(&limp(20));
    strings.obstacles = vec![floor([-0.1, -0.1])];
    run(&mut strings, 200);
    for (place, velocity) in strings.state.positions.iter().zip(&strings.state.velocities) {
        assert!((place.z + 0.098).abs() < 1e-6 && velocity.length() < 1e-9, "{place} {velocity}");
    }
}

#[test]
fn a_floor_that_rises_lifts_a_string() {
    let mut strings = of(&limp(20));
    for step in 0..100 {
        let height = |step: i32| 0.001 * f64::from(step) - 0.1;
        strings.obstacles = vec![floor([height(step), height(step + 1)])];
        strings.step(STEP).expect("it does not diverge");
    }
    assert!(strings.state.positions.iter().all(|place| (place.z - 0.002).abs() < 1e-6));
}

#[test]
fn friction_stops_a_sliding_string() {
    let slid = |friction: f64| {
        let mut strings = of(&limp(20));
        strings.usual.friction = friction;
        strings.obstacles = vec![floor([-0.002, -0.002])];
        strings.state.velocities.fill(DVec3::Y);
        run(&mut strings, 200);
        strings.state.positions[10].y
    };
    // v² / 2 μ g, and the way of a step.
    let way = 1.0 / (2.0 * 0.5 * GRAVITY);
    assert!((slid(0.5) - way).abs() < 0.02, "{} {way}", slid(0.5));
    assert!((slid(0.0) - 2.0).abs() < 1e-9);
}
