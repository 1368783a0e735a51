//! Strings at rest: tension, stretch, the catenary.
//!
//! The rows of the validation report with the same names, with their tolerances.

use glam::DVec3;
use lariat_core::num::ops;
use lariat_string::{Build, Clamp};

use super::World;
use super::common::{GRAVITY, line, material, run_at, world};

/// A chain of 0.1 kg/m without contact.
fn chain(points: Vec<DVec3>) -> World {
    let mut world = world(&Build::chain(points, 0.1));
    world.settings.contact = false;
    world
}

#[test]
fn tension_of_a_hanging_chain_is_the_weight_below() {
    let (n, tip) = (40, 0.3);
    let mut build = Build::chain(line(DVec3::ZERO, DVec3::Z * -2.0, n), 0.1);
    build.weights.push((1.0, tip));
    let mut world = world(&build);
    world.clamps.push(Clamp::at(0, DVec3::ZERO));
    run_at(&mut world, 0.2, 0.01);
    for (i, tension) in world.state.tensions[..n].iter().enumerate() {
        let above = 2.0 * (i as f64 + 0.5) / n as f64;
        let known = (tip + 0.1 * (2.0 - above)) * GRAVITY;
        assert!((tension / known - 1.0).abs() < 1e-6, "segment {i}: {tension} N for {known} N");
    }
}

#[test]
fn a_weight_stretches_rubber_by_hookes_law() {
    let (tip, radius) = (0.1, 0.002);
    let mut build = Build::straight(DVec3::ZERO, DVec3::NEG_Z, 40, radius, material("rubber"));
    build.weights.push((1.0, tip));
    build.variation = 0.0;
    let mut world = world(&build);
    world.clamps.push(Clamp::at(0, DVec3::ZERO));
    world.viscosity = 8.0;
    run_at(&mut world, 6.0, 0.01);
    let section = material("rubber").at_radius(radius);
    let known = (tip + 0.5 * section.mass_per_metre) * GRAVITY / section.stretch;
    let longer = -world.state.positions[40].z - 1.0;
    assert!((longer / known - 1.0).abs() < 1e-4, "{longer} m for {known} m");
}

#[test]
fn a_hanging_chain_vs_the_catenary() {
    // 1.5 m between clamps 1 m apart: 2 A sinh(1/2A) = 1.5, by bisection.
    let length = 1.5;
    let (mut low, mut high) = (0.1, 10.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if 2.0 * middle * ops::sinh(0.5 / middle) > length { low = middle } else { high = middle }
    }
    let a = 0.5 * (low + high);
    let known = |s: f64| {
        let x = a * ops::asinh((s - 0.5 * length) / a);
        DVec3::new(x + 0.5, 0.0, a * (ops::cosh(x / a) - ops::cosh(0.5 / a)))
    };
    let depth = (0.25 * length * length - 0.25).sqrt();
    let points = (0..=100).map(|i| {
        let u = f64::from(i) / 100.0;
        DVec3::new(u, 0.0, -depth * (1.0 - (2.0 * u - 1.0).abs()))
    });
    let mut world = chain(points.collect());
    world.clamps.extend([Clamp::at(0, DVec3::ZERO), Clamp::at(100, DVec3::X)]);
    world.viscosity = 6.0;
    run_at(&mut world, 6.0, 0.0125);
    for (i, x) in world.state.positions.iter().enumerate() {
        let place = known(length * i as f64 / 100.0);
        assert!(x.distance(place) < 1e-3, "particle {i}: {x} for {place}");
    }
}
