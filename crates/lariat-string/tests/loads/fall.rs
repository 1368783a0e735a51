//! A climber falls into a rope.
//!
//! A mass `m` that falls by `h` before a rope of the length `L` is taut pulls it with
//! `m g (1 + √(1 + 2 h EA / (m g L)))` at most, if the rope itself has no mass. A rope of nylon has
//! 0.6 kg here, whose stress waves (Saint-Venant) would add `v √(EA ρ)` = 440 N of 5.8 kN. So its
//! density is taken to be a hundredth, and a tenth of that remains.

use glam::DVec3;
use lariat_core::dynamics::material::Material;
use lariat_string::{Bend, Build, Clamp};

use super::common::{DT, GRAVITY, assert_whole, material, step, world};

const ROPE: f64 = 0.005;
const LENGTH: f64 = 10.0;
const FALLS: f64 = 5.0;
const CLIMBER: f64 = 80.0;

/// Peak tension next to the anchor and next to the climber, for a rope along `points`; the climber
/// begins at `speed` downwards.
fn peaks(points: Vec<DVec3>, speed: f64) -> [f64; 2] {
    let nylon = material("nylon-rope");
    let light = Material { inner_friction: 0.0, density: 0.01 * nylon.density, ..nylon };
    let mut build = Build { length: Some(LENGTH), ..Build::new(points, ROPE, light) };
    (build.tears, build.calm, build.bend) = (false, 0.0, Bend::Limp);
    build.weights.push((1.0, CLIMBER));
    let anchor = build.points[0];
    let segments = build.points.len() - 1;
    let mut world = world(&build);
    world.settings.contact = false;
    world.clamps.push(Clamp::at(0, anchor));
    world.state.velocities[segments] = DVec3::NEG_Z * speed;
    let mut peaks = [0.0_f64; 2];
    for _ in 0..480 {
        step(&mut world, DT);
        for (peak, i) in peaks.iter_mut().zip([0, segments - 1]) {
            *peak = peak.max(world.state.tensions[i]);
        }
    }
    assert_whole(&world);
    peaks
}

fn assert_peak(peaks: [f64; 2]) {
    let weight = CLIMBER * GRAVITY;
    let stretch = material("nylon-rope").at_radius(ROPE).stretch;
    let known = weight * (1.0 + (1.0 + 2.0 * FALLS * stretch / (weight * LENGTH)).sqrt());
    println!("{peaks:?} N for {known} N");
    for (peak, place) in peaks.iter().zip(["anchor", "climber"]) {
        assert!((peak / known - 1.0).abs() < 0.03, "{place}: {peak} N for {known} N");
    }
}

#[test]
fn a_fall_into_a_straight_rope_vs_its_energy() {
    let points = (0..=40).map(|i| DVec3::NEG_Z * (LENGTH * f64::from(i) / 40.0)).collect();
    assert_peak(peaks(points, (2.0 * GRAVITY * FALLS).sqrt()));
}

#[test]
fn a_fall_into_a_slack_rope_vs_its_energy() {
    // Down from the anchor and up again to the climber, who is 5 m below it.
    let down = 0.5 * (LENGTH + FALLS);
    let along = |s: f64| {
        let z = if s < down { -s } else { s - 2.0 * down };
        DVec3::new(0.2 * s / LENGTH, 0.0, z)
    };
    let points = (0..=40).map(|i| along(LENGTH * f64::from(i) / 40.0)).collect();
    assert_peak(peaks(points, 0.0));
}
