//! Columns and cantilevers: Greenhill, Euler, the elastica.
//!
//! Rods here have a density of 1000 kg/m³ or less, a stiffness `EI` of their own and no stretch. They
//! are clamped by their first two particles, so that the clamp reaches up to one segment into the rod;
//! they are fine enough for that to stay below the tolerances.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::dynamics::material::Material;
use lariat_core::num::ops;
use lariat_string::{Bend, Build, Clamp, Twist};

use super::World;
use super::common::{DT, GRAVITY, run, run_at, step, world};

const ROD: f64 = 0.003;

/// A rod of `length` from the origin, held there and by one more particle before it.
fn clamped(way: DVec3, length: f64, segments: usize, bend: f64, density: f64) -> Build {
    let before = way * (-length / segments as f64);
    let rod = Material::ideal(density);
    Build {
        bend: Bend::Stiffness { bend, width: None },
        twist: Twist::Free,
        tears: false,
        pushes: true,
        variation: 0.0,
        ..Build::straight(before, way * length, segments + 1, ROD, rod)
    }
}

fn hold(world: &mut World) {
    let [before, foot] = [0, 1].map(|i| world.state.positions[i]);
    world.clamps.extend([Clamp::at(0, before), Clamp::at(1, foot)]);
    world.settings.contact = false;
}

/// Kilograms per metre of a rod of 1000 kg/m³.
const RHO: f64 = 1000.0 * PI * ROD * ROD;

/// Furthest place of the tip of an upright column in six seconds, over that in the beginning; `top` is
/// a weight on it, in kilograms.
fn sways(height: f64, bend: f64, density: f64, top: f64) -> f64 {
    let (segments, off) = (50, 1e-3);
    let mut build = clamped(DVec3::Z, height, segments, bend, density);
    if top > 0.0 {
        build.weights.push((1.0, top));
    }
    // The shape of a cantilever that is pushed at its tip.
    for x in &mut build.points[2..] {
        let u = x.z / height;
        x.x = off * 0.5 * u * u * (3.0 - u);
    }
    let mut world = world(&build);
    hold(&mut world);
    world.viscosity = 0.5;
    let mut most = 0.0_f64;
    for _ in 0..1440 {
        step(&mut world, DT);
        most = most.max(world.state.positions[segments + 1].x.abs());
    }
    most / off
}

#[test]
fn a_heavy_column_falls_above_greenhills_height_and_not_below() {
    // Of a metre: 7.8373 EI = ρ g L³.
    let bend = RHO * GRAVITY / 7.8373;
    let [below, above] = [0.95, 1.05].map(|height| sways(height, bend, 1000.0, 0.0));
    assert!(below < 2.0, "at 95 % of the height it sways {below} times as far");
    assert!(above > 10.0, "at 105 % of the height it sways {above} times as far");
}

#[test]
fn a_loaded_column_falls_above_eulers_load_and_not_below() {
    // A flagpole of a metre: π² EI / 4 L². It weighs less than 3 ‰ of its load.
    let (bend, density) = (0.05, 1.0);
    let load = 0.25 * PI * PI * bend / GRAVITY;
    assert!(density * PI * ROD * ROD < 3e-3 * load);
    let [below, above] = [0.95, 1.05].map(|share| sways(1.0, bend, density, share * load));
    assert!(below < 2.0, "at 95 % of the load it sways {below} times as far");
    assert!(above > 10.0, "at 105 % of the load it sways {above} times as far");
}

#[test]
fn a_bowed_rod_pushes_its_hands_with_eulers_load() {
    // Beyond buckling by the share ε of its length, P = π² EI / L² · (1 + ε/2 + …), from the series of
    // the elastica with pinned ends.
    let (segments, bend, nearer) = (60, 0.05, 0.01);
    let mut build = clamped(DVec3::X, 1.0, segments, bend, 1000.0);
    build.points.remove(0);
    build.length = Some(1.0);
    for x in &mut build.points {
        let (sin, u) = (ops::sin(PI * x.x), x.x);
        *x = DVec3::new(u * (1.0 - nearer), 2.0 / PI * nearer.sqrt() * sin, 0.0);
    }
    let ends = [0, segments].map(|i| Clamp::at(i, build.points[i]));
    let mut world = world(&build);
    world.clamps.extend(ends);
    world.settings.contact = false;
    world.gravity = DVec3::ZERO;
    world.viscosity = 4.0;
    run(&mut world, 6.0);
    let known = PI * PI * bend * (1.0 + 0.5 * nearer);
    for (clamp, sign) in ends.iter().zip([1.0, -1.0]) {
        let force = world.grip(clamp).force.x * sign;
        assert!((force / known - 1.0).abs() < 0.01, "{force} N for {known} N");
    }
}

#[test]
fn a_level_rod_sags_as_euler_and_bernoulli_say() {
    let (segments, bend, gravity) = (100, 1e-3, 0.005);
    let mut world = world(&clamped(DVec3::X, 1.0, segments, bend, 1000.0));
    hold(&mut world);
    (world.gravity, world.viscosity) = (DVec3::NEG_Z * gravity, 1.5);
    run(&mut world, 20.0);
    let known = gravity * RHO / (8.0 * bend);
    let sag = -world.state.positions[segments + 1].z;
    assert!((sag / known - 1.0).abs() < 5e-3, "{sag} m for {known} m");
}

#[test]
fn a_thick_rope_out_of_a_clamp_vs_the_elastica() {
    // EI θ'' = −ρ g (L − s) cos θ, level at the clamp and straight at the tip, by shooting.
    let (length, bend, load) = (0.6, 0.14, 0.29 * GRAVITY);
    let tip = |bent: f64| {
        let steps = 2000;
        let h = length / f64::from(steps);
        let (mut theta, mut k, mut drop) = (0.0, bent, 0.0);
        for step in 0..steps {
            let s = h * (f64::from(step) + 0.5);
            let half = theta + 0.5 * h * k;
            drop += h * ops::sin(half);
            k -= h * load * (length - s) * ops::cos(half) / bend;
            theta = half + 0.5 * h * k;
        }
        (k, drop)
    };
    let (mut low, mut high) = (0.0, 100.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if tip(middle).0 > 0.0 { high = middle } else { low = middle }
    }
    let known = tip(low).1;
    for (segments, dt, off) in [(40, 1.0 / 240.0, 1e-3), (80, 1.0 / 60.0, 3e-4)] {
        let mut build = clamped(DVec3::X, length, segments, bend, 1000.0);
        build.material.inner_friction = 0.05;
        build.calm = 0.0;
        (build.pushes, build.tears) = (false, true);
        let mut world = world(&build);
        hold(&mut world);
        world.gravity.z = -load / RHO;
        world.viscosity = 4.0;
        world.settings.longest = dt;
        run_at(&mut world, 20.0, dt);
        let sag = -world.state.positions[segments + 1].z;
        assert!((sag / known - 1.0).abs() < off, "{segments}, {dt} s: {sag} m for {known} m");
        let held: DVec3 = world.clamps.iter().map(|clamp| world.grip(clamp).force).sum();
        let weight = (0..=segments + 1).map(|i| world.mass(i)).sum::<f64>() * load / RHO;
        assert!((held - DVec3::Z * weight).length() < 1e-6 * weight, "{held} for {weight}");
    }
}
