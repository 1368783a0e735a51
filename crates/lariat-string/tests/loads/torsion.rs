//! Twist: torsion pendulum, spread along a string, a loop.
//!
//! A string of the length `L` and the inertia `I′` about its axis, held at one end, with a body of the
//! inertia `I` at the other: `ω = β/L √(G/ρ)` with `β tan β = I′/I`. That is `2π √((I + I′/3) L / GJ)`
//! for a heavy body.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::num::ops;
use lariat_string::{Bend, Build, Clamp, Turn};

use super::World;
use super::common::{DT, material, period, run_at, step, world};

const CORD: f64 = 0.004;

/// A straight cord of a metre without weight and without bending stiffness.
fn cord(segments: usize, change: impl FnOnce(&mut Build)) -> World {
    let mut build = Build::straight(DVec3::ZERO, DVec3::X, segments, CORD, material("rubber"));
    (build.bend, build.tears, build.variation) = (Bend::Limp, false, 0.0);
    change(&mut build);
    let mut world = world(&build);
    world.settings.contact = false;
    world.gravity = DVec3::ZERO;
    world
}

/// Length in metres that twists, of a cord of a metre, between a clamp that turns its first segment and
/// a body on its last one: all of it, for the clamp holds one end and the body hangs at the other.
fn twists(_segments: usize) -> f64 {
    1.0
}

/// Relative error of the period of a torsion pendulum.
fn off(segments: usize) -> f64 {
    let (body, length) = (4e-5, twists(segments));
    let mut world = cord(segments, |build| build.material.inner_friction = 0.0);
    world.clamps.push(Clamp { turn: Some(Turn::Angle(0.0)), ..Clamp::at(0, DVec3::ZERO) });
    world.add_inertia(segments - 1, body);
    for i in 0..segments {
        world.state.angles[i] = 0.5 * i as f64 / segments as f64;
    }
    let rubber = material("rubber");
    let polar = 0.5 * PI * CORD * CORD * CORD * CORD;
    let own = rubber.density * polar * length;
    let (mut low, mut high) = (0.0, 0.5 * PI);
    for _ in 0..80 {
        let beta = 0.5 * (low + high);
        if beta * ops::tan(beta) > own / body { high = beta } else { low = beta }
    }
    let known = 2.0 * PI * length / (low * (rubber.shear_modulus / rubber.density).sqrt());
    let rayleigh = 2.0 * PI * ((body + own / 3.0) * length / (rubber.shear_modulus * polar)).sqrt();
    assert!((known / rayleigh - 1.0).abs() < 1e-3, "{known} s for {rayleigh} s");
    let ours = period(DT, (10.0 * known / DT) as u32, || {
        step(&mut world, DT);
        world.state.angles[segments - 1]
    });
    ours / known - 1.0
}

#[test]
fn the_period_of_a_torsion_pendulum_converges_by_the_square_of_its_segments() {
    let errors = [4, 8, 16, 32].map(off);
    println!("{errors:?}");
    assert!(errors[1].abs() < 5e-3, "8 segments: {errors:?}");
    for pair in errors.windows(2) {
        // Steps of time make an error of a ten-thousandth.
        let falls = pair[1].abs() < pair[0].abs() / 3.0 + 1e-4;
        assert!(falls, "half as long segments have more than a third of the error: {errors:?}");
    }
}

/// Twist of all joints between ends that are turned by 3 radians; `factors` of stiffness in thirds.
fn spread(factors: [f64; 3]) -> Vec<f64> {
    let [a, b, c] = factors;
    let along = vec![(0.3333, a), (0.3334, b), (0.6666, b), (0.6667, c)];
    let mut world = cord(30, |build| build.twist_along = along);
    let points = world.state.positions.clone();
    world.clamps.extend(points.iter().enumerate().map(|(i, x)| Clamp::at(i, *x)));
    world.clamps[0].turn = Some(Turn::Angle(0.0));
    world.clamps[30].turn = Some(Turn::Angle(3.0));
    world.spin_viscosity = 50.0;
    run_at(&mut world, 3.0, 0.01);
    (1..30).map(|joint| world.twist_at(joint)).collect()
}

/// Asserts that the torque is the same in all joints but those next to the clamps, where twist may
/// begin anywhere in the held segment: a joint yields like its two halves in series.
fn assert_even(factors: [f64; 3], allowed: f64) {
    let twists = spread(factors);
    let give = |segment: usize| 1.0 / factors[segment / 10];
    let gives: Vec<f64> = (1..30).map(|j| 0.5 * (give(j - 1) + give(j))).collect();
    let torque = twists[14] / gives[14];
    for (j, (twist, give)) in twists.iter().zip(&gives).enumerate().skip(1).take(27) {
        let off = twist / give / torque - 1.0;
        assert!(off.abs() < allowed, "joint {}: {twist}, {off} off", j + 1);
    }
    // From end to end; a clamp may turn the end of its segment or all of it.
    let sum: f64 = twists.iter().sum();
    assert!(sum > 2.8 && sum < 3.0 + 1e-9, "{sum} radians of 3");
}

#[test]
fn twist_spreads_evenly() {
    assert_even([1.0, 1.0, 1.0], 1e-6);
}

#[test]
fn twist_spreads_by_stiffness() {
    assert_even([1.0, 4.0, 1.0], 1e-4);
}

#[test]
fn a_loop_is_one_turn() {
    // The tangents of a straight string are moved to a cone and on to a circle.
    let n = 200;
    let mut world = cord(n, |_| ());
    world.spin_viscosity = 50.0;
    let points = world.state.positions.clone();
    world.clamps = points.iter().enumerate().map(|(i, x)| Clamp::at(i, *x)).collect();
    for k in 1..=200 {
        let (s, c) = ops::sin_cos(0.5 * PI * f64::from(k) / 200.0);
        let mut x = DVec3::ZERO;
        for i in 0..=n {
            world.clamps[i].target = x;
            let (sin, cos) = ops::sin_cos(2.0 * PI * i as f64 / (n - 1) as f64);
            x += DVec3::new(c, s * cos, s * sin) / n as f64;
        }
        step(&mut world, 0.01);
    }
    // A free string has no twist, so its angles compensate the rotation of its sides.
    run_at(&mut world, 2.0, 0.01);
    let turned = (world.state.angles[0] - world.state.angles[n - 1]).abs() / (2.0 * PI);
    assert!((turned - 1.0).abs() < 1e-3, "{turned} turns");
}
