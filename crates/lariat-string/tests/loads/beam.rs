//! A weight on a rope that lies over a fixed beam, round or square.
//!
//! A rope with the stiffness `EI` under the tension `T` leaves a cylinder before the tangent point.
//! By the integral `T + EI κ²/2` of the elastica and the moments about the axis, its straight part
//! runs `EI/(2 R T)` further from the axis than the tangent. At the corner of a box, half of whose
//! angle each side takes, the straight part is `2 √(EI/T) sin(π/8)` off the corner.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Collider;
use lariat_core::num::ops;
use lariat_string::{Build, Clamp};

use super::World;
use super::common::{
    GRAVITY, assert_whole, fastest, least_from_line, material, run, settle, world,
};
use super::wrap::{Wrap, cylinder};

/// Radius of the rope, half the width of the beams, length of the rope, in metres.
const ROPE: f64 = 0.005;
const BEAM: f64 = 0.1;
const LENGTH: f64 = 2.5;

/// Length of the part on the side of the clamp, in metres.
const HELD: f64 = 1.0;

/// Allowed distance of the weight from its place, in metres.
const NEAR: f64 = 3e-3;

/// The rope with a kilogram at its start and a clamp at its end, after three seconds.
fn rested(points: Vec<DVec3>, beam: Obstacle) -> World {
    let mut build = Build::new(points, ROPE, material("hemp"));
    build.weights.push((0.0, 1.0));
    let mut world = world(&build);
    world.friction = 0.3;
    world.obstacles.push(beam);
    let n = build.points.len() - 1;
    world.clamps.push(Clamp::at(n, build.points[n]));
    settle(&mut world, 2.5);
    run(&mut world, 0.5);
    assert_whole(&world);
    world
}

/// Asserts that the rope is at rest, and that tension is the weight below.
fn assert_rests(world: &World, said: &str) {
    let speed = fastest(world);
    assert!(speed < 1e-3, "{said}: {speed} m/s");
    let per_metre = material("hemp").at_radius(ROPE).mass_per_metre;
    let mut below = 0.0;
    for (i, pair) in world.state.positions.windows(2).enumerate() {
        let rest = world.state.rests[i];
        if pair[0].midpoint(pair[1]).z > -0.15 {
            break;
        }
        let known = (1.0 + per_metre * (below + 0.5 * rest)) * GRAVITY;
        let tension = world.state.tensions[i];
        let off = tension / known - 1.0;
        assert!(off.abs() < 5e-3, "{said}, segment {i}: {tension} N for {known} N");
        below += rest;
    }
    assert!(below > 0.5, "{said}: {below} m of the rope hang");
}

fn round_beam(n: usize) {
    let said = format!("{n} segments");
    let around = BEAM + ROPE;
    let contact = (n as f64 * PI * around / LENGTH).round() as usize;
    let mut wrap =
        Wrap { around, turn: PI, pitch: 0.0, ends: [0.0, HELD], segments: [0, contact, 0] };
    wrap.ends[0] = LENGTH - PI * around - wrap.excess() - HELD;
    let after = ((n - contact) as f64 * HELD / (HELD + wrap.ends[0])).round() as usize;
    wrap.segments = [n - contact - after, contact, after];
    let world = rested(wrap.points(), cylinder(BEAM));
    let inner = least_from_line(&world.state.positions, DVec3::ZERO, DVec3::Y);
    let weight = world.state.positions[0];
    println!("{said}: {inner} m from the axis, weight at {weight}");
    assert!(inner > around - 1e-3, "{said}: {inner} m from the axis");
    // The polygon around a circle is longer than the circle, by most if it does not roll.
    let section = material("hemp").at_radius(ROPE);
    let off = section.bend / (2.0 * around * GRAVITY);
    let lowest = -(LENGTH - HELD - PI * around);
    let x = around - NEAR..wrap.corners_at() + off + NEAR;
    let z = lowest - NEAR..lowest + wrap.excess() + NEAR;
    assert!(x.contains(&weight.x) && z.contains(&weight.z), "{said}: {weight} for {x:?}, {z:?}");
    assert_rests(&world, &said);
}

#[test]
fn a_weight_over_a_round_beam_rests_with_30_segments() {
    round_beam(30);
}

#[test]
fn a_weight_over_a_round_beam_rests_with_60_segments() {
    round_beam(60);
}

#[test]
fn a_weight_over_a_round_beam_rests_with_120_segments() {
    round_beam(120);
}

/// Distance of `p` from the square of the beam, in the plane across it.
fn from_square(p: DVec3) -> f64 {
    let (x, z) = (p.x.abs() - BEAM, p.z.abs() - BEAM);
    ops::hypot(x.max(0.0), z.max(0.0)) + x.max(z).min(0.0)
}

fn square_beam(n: usize) {
    let said = format!("{n} segments");
    let out = BEAM + ROPE;
    let hangs = LENGTH - HELD - 2.0 * out;
    let top = (n as f64 * 2.0 * out / LENGTH).round().max(1.0) as usize;
    let after = ((n - top) as f64 * HELD / (HELD + hangs)).round() as usize;
    let corners = [
        (DVec3::new(out, 0.0, out - hangs), DVec3::new(out, 0.0, out), n - top - after),
        (DVec3::new(out, 0.0, out), DVec3::new(-out, 0.0, out), top),
        (DVec3::new(-out, 0.0, out), DVec3::new(-out, 0.0, out - HELD), after),
    ];
    let mut points = vec![corners[0].0];
    for (from, to, count) in corners {
        points.extend((1..=count).map(|i| from.lerp(to, i as f64 / count as f64)));
    }
    let half = DVec3::new(BEAM, 1.0, BEAM);
    let solid = Collider::Box { centre: DVec3::ZERO, half, world_from_box: DMat3::IDENTITY };
    let world = rested(points, Obstacle::standing(solid, 0.0));
    let pairs = world.state.positions.windows(2);
    let along = pairs.flat_map(|pair| (0..=40).map(|k| pair[0].lerp(pair[1], f64::from(k) / 40.0)));
    let inner = along.map(from_square).fold(f64::INFINITY, f64::min);
    let weight = world.state.positions[0];
    println!("{said}: {inner} m from the beam, weight at {weight}");
    assert!(inner > ROPE - 1e-3, "{said}: {inner} m from the beam");
    // The corners of the path are rounded by the rope's radius at best.
    let rounded = 2.0 * ROPE * (2.0 - 0.5 * PI);
    let bow = ops::sin(PI / 8.0) * (material("hemp").at_radius(ROPE).bend / GRAVITY).sqrt();
    let x = out - NEAR..out + 2.0 * bow + NEAR;
    let z = out - hangs - rounded - NEAR..out - hangs + 2.0 * bow + NEAR;
    assert!(x.contains(&weight.x) && z.contains(&weight.z), "{said}: {weight} for {x:?}, {z:?}");
    assert_rests(&world, &said);
}

#[test]
fn a_weight_over_a_square_beam_rests_with_30_segments() {
    square_beam(30);
}

#[test]
fn a_weight_over_a_square_beam_rests_with_60_segments() {
    square_beam(60);
}

#[test]
fn a_weight_over_a_square_beam_rests_with_120_segments() {
    square_beam(120);
}
