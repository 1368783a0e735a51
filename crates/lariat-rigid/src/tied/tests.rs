//! Strings and solids together, against closed forms and what must always hold.

mod along;
mod bead;
mod fold;
mod lean;
mod meet;
mod slack;
mod spring;

use std::f64::consts::PI;

use glam::DQuat;
use lariat_core::dynamics::air::{Air, Gusts};
use lariat_core::dynamics::material::Material;
use lariat_core::num::ops;
use lariat_string::{Bend, Build, Cause, Event, Turn};

use super::*;
use crate::shape::Shape;
use crate::solid::Solid;
use crate::solids::tests::allocations;

const G: f64 = 9.81;
const DT: f64 = 1.0 / 60.0;

fn material(name: &str) -> Material {
    *Material::find(name).unwrap()
}

/// A string from `from` to `to` with its first end held; returns its last particle.
fn hang(tied: &mut Tied, from: DVec3, to: DVec3, segments: usize, material: Material) -> usize {
    let mut build = Build::straight(from, to, segments, 0.002, material);
    build.bend = Bend::Limp;
    let string = tied.strings.add(&build).unwrap();
    let top = tied.strings.particle(string, 0.0);
    let turn = Some(Turn::Angle(0.0));
    tied.strings.clamps.push(Clamp { turn, ..Clamp::at(top, from) });
    tied.strings.particle(string, 1.0)
}

fn ball(place: DVec3, radius: f64, mass: f64) -> Solid {
    Solid::new(Shape::Ball { radius }, mass, place)
}

fn cuboid(place: DVec3, half: DVec3, mass: f64) -> Solid {
    Solid::new(Shape::Box { half }, mass, place)
}

fn run(tied: &mut Tied, seconds: f64) {
    for _ in 0..(seconds / DT).round() as u32 {
        tied.step(DT).unwrap();
    }
}

#[test]
fn a_ball_hangs_with_its_weight_and_swings_with_its_period() {
    let mut tied = Tied::new();
    let end = hang(&mut tied, DVec3::ZERO, DVec3::Z * -0.8, 20, material("cotton-thread"));
    tied.solids.solids.push(ball(DVec3::Z * -0.85, 0.05, 0.5));
    tied.tie(end, 0, true);
    run(&mut tied, 1.0);
    // A newton more in each segment for what hangs below.
    let line: f64 = (0..=end).map(|i| tied.strings.mass(i)).sum::<f64>() - tied.holds[0].load;
    let below = 0.5 * G;
    for (segment, share) in [(0, 39.0 / 40.0), (end - 1, 1.0 / 40.0)] {
        let wanted = below + line * share * G;
        let found = tied.strings.state.tensions[segment];
        assert!((found / wanted - 1.0).abs() < 2e-3, "{segment}: {found} N for {wanted} N");
    }
    // Let go from a twentieth of a radian: a ball on a thin thread, so a double pendulum; its slow
    // swing is that of the stiff one but for a thousandth.
    let (sin, cos) = ops::sin_cos(0.025);
    let turn = DQuat::from_xyzw(0.0, sin, 0.0, cos);
    for x in &mut tied.strings.state.positions {
        *x = turn * *x;
    }
    tied.solids.solids[0].position = turn * DVec3::Z * -0.85;
    tied.solids.solids[0].rotation = turn;
    let (mut before, mut crossings) = (-1.0, Vec::new());
    let mut furthest = 0.0_f64;
    for step in 0..1200 {
        tied.step(DT).unwrap();
        let x = tied.solids.solids[0].position.x;
        if before < 0.0 && x >= 0.0 {
            crossings.push(DT * (f64::from(step) - x / (x - before)));
        }
        if step > 1000 {
            furthest = furthest.max(x);
        }
        before = x;
    }
    let swings = crossings.len() - 1;
    let period = (crossings[swings] - crossings[0]) / swings as f64;
    // A ball turned over: I = m (L² + 2/5 r²); and its size: 1 + θ²/16.
    let known =
        2.0 * PI * ((0.85 * 0.85 + 0.4 * 0.0025) / (G * 0.85)).sqrt() * (1.0 + 0.0025 / 16.0);
    assert!((period / known - 1.0).abs() < 2e-3, "{period} s for {known} s");
    assert!(furthest > 0.9 * 0.85 * 0.05, "it swings on: {furthest}");
}

#[test]
fn a_wound_box_turns_with_its_period() {
    let mut tied = Tied::new();
    let mut rubber = material("rubber");
    rubber.inner_friction = 0.0;
    let end = hang(&mut tied, DVec3::ZERO, DVec3::Z * -0.5, 25, rubber);
    let half = DVec3::new(0.04, 0.03, 0.02);
    tied.solids.solids.push(cuboid(DVec3::Z * -0.52, half, 0.02));
    tied.tie(end, 0, true);
    // Two turns of the box, spread evenly.
    let turned = 4.0 * PI;
    for i in 0..end {
        tied.strings.state.angles[i] = turned * i as f64 / (end - 1) as f64;
    }
    tied.step(1e-6).unwrap();
    let gives: f64 = (1..end).map(|j| 1.0 / tied.strings.twist_stiffness(j)).sum();
    let body = tied.solids.solids[0];
    let inertia = body.shape.moments().z * body.mass;
    let own: f64 = (0..end).map(|i| tied.strings.inertia(i)).sum();
    let known = 2.0 * PI * ((inertia + own / 3.0) * gives).sqrt();
    let (mut before, mut crossings, mut most) = (turned, Vec::new(), 0.0_f64);
    let steps = (4.2 * known / DT) as u32;
    for step in 0..steps {
        tied.step(DT).unwrap();
        let angle = tied.strings.state.angles[end - 1];
        if before > 0.0 && angle <= 0.0 {
            crossings.push(DT * (f64::from(step) + before / (before - angle)));
        }
        if step > steps / 2 {
            most = most.max(angle);
        }
        before = angle;
    }
    let swings = crossings.len() - 1;
    let period = (crossings[swings] - crossings[0]) / swings as f64;
    assert!((period / known - 1.0).abs() < 5e-3, "{period} s for {known} s");
    assert!(most > 0.95 * turned && most < 1.01 * turned, "{most} of {turned}");
    // The solid has turned with its string: its side is where the segment's is.
    let hold = tied.holds[0];
    let side = tied.solids.solids[0].rotation * hold.side;
    assert!(side.dot(tied.strings.material_side(end - 1)) > 1.0 - 1e-6);
}

#[test]
fn a_push_lasts_for_the_whole_step() {
    let mut tied = Tied::new();
    tied.solids.gravity = DVec3::ZERO;
    tied.solids.solids.push(ball(DVec3::ZERO, 0.1, 2.0));
    let place = tied.solids.solids[0].position;
    tied.solids.push(0, DVec3::X * 3.0, place);
    assert!(tied.step(DT).unwrap().parts > 1);
    let speed = tied.solids.solids[0].velocity.x;
    assert!((speed / (1.5 * DT) - 1.0).abs() < 1e-9, "{speed} m/s");
    tied.step(DT).unwrap();
    assert_eq!(tied.solids.solids[0].velocity.x, speed, "and no longer");
}

#[test]
fn a_spinning_box_swings_no_higher_than_it_was_pushed() {
    // What spins with its string but does not tilt with it is no gyroscope of the string.
    let mut tied = Tied::new();
    let top = DVec3::Z * 0.6;
    let mut build = Build::straight(top, DVec3::ZERO, 15, 0.0025, material("hemp"));
    build.tears = false;
    tied.strings.add(&build).unwrap();
    tied.strings.settings.contact = false;
    tied.strings.clamps.push(Clamp { turn: Some(Turn::Angle(0.0)), ..Clamp::at(0, top) });
    let mut bar = cuboid(DVec3::Z * -0.04, DVec3::new(0.2, 0.03, 0.04), 0.3);
    bar.velocity = DVec3::Y * 0.26;
    bar.spin = DVec3::Z * 5.0;
    tied.solids.solids.push(bar);
    tied.tie(15, 0, true);
    for step in 0..300 {
        tied.step(DT).unwrap();
        let bar = tied.solids.solids[0];
        // Half v² over g, and what it turns is stored in the string.
        let most = 0.5 * 0.26 * 0.26 / G + 2e-3;
        assert!(bar.position.z + 0.04 < most, "step {step}: {}", bar.position);
        assert!(tied.strings.state.tensions[14] < 6.0, "step {step}");
    }
    assert!(tied.strings.twist_at(7).abs() > 0.05);
}

/// A spinning box and a ball on the ends of a string, thrown, in free space.
fn thrown(name: &str) -> Tied {
    let mut tied = Tied::new();
    tied.strings.gravity = DVec3::ZERO;
    tied.solids.gravity = DVec3::ZERO;
    tied.strings.settings.tolerance = 1e-21;
    let mut build = Build::straight(DVec3::ZERO, DVec3::X, 20, 0.003, material("rubber"));
    build.calm = 0.0;
    build.stretches = name != "stiff";
    tied.strings.add(&build).unwrap();
    let mut one = cuboid(DVec3::new(-0.05, 0.01, 0.0), DVec3::new(0.05, 0.03, 0.02), 0.4);
    one.velocity = DVec3::new(0.0, 0.5, 0.1);
    one.spin = DVec3::new(6.0, 0.0, 0.5);
    let mut two = ball(DVec3::new(1.05, 0.0, 0.0), 0.05, 0.2);
    two.velocity = DVec3::new(0.1, -0.8, 0.0);
    tied.solids.solids.extend([one, two]);
    tied.tie(0, 0, true);
    tied.tie(20, 1, true);
    if name == "several" {
        // Light beads: one that the string runs through, one on two of its particles.
        let bead = |x: f64, y: f64| ball(DVec3::new(x, y, 0.0), 0.02, 0.003);
        tied.solids.solids.extend([bead(0.25, 0.03), bead(0.65, -0.05)]);
        tied.tie(5, 2, false);
        tied.tie(12, 3, false);
        tied.tie(14, 3, false);
    }
    if name == "fast" {
        let boost = DVec3::new(20.0, -10.0, 30.0);
        tied.strings.state.velocities.iter_mut().for_each(|v| *v += boost);
        tied.solids.solids.iter_mut().for_each(|solid| solid.velocity += boost);
    }
    tied
}

#[test]
fn momentum_is_kept_in_free_space() {
    for name in ["soft", "stiff", "several", "fast"] {
        let mut tied = thrown(name);
        tied.step(1e-6).unwrap();
        let (linear, angular) = tied.momentum();
        // A kilogram times the speed there is, and metres that it goes.
        let (pace, far) = if name == "fast" { (37.0, 150.0) } else { (1.0, 1.0) };
        for _ in 0..240 {
            tied.step(DT).unwrap();
            let (p, l) = tied.momentum();
            let (off, turned) = (p.distance(linear) / pace, l.distance(angular) / (pace * far));
            // Places to rounding, over parts as short as 1/4000 s.
            assert!(off < 3e-11, "{name}: {off:e} kg m/s");
            assert!(turned < 1e-10, "{name}: {turned:e} kg m²/s of {}", angular.length());
        }
        let twist = tied.strings.twist_at(10).abs();
        assert!(twist > 0.01, "{name}: the box has twisted the string: {twist}");
        let spin = tied.solids.solids[1].spin.length();
        assert!(spin > 0.1, "{name}: and the string has turned the ball");
    }
}

#[test]
fn a_heavy_solid_is_stable() {
    for mass in [0.01, 1.0, 100.0, 1000.0] {
        let mut tied = Tied::new();
        let mut steel = material("steel-wire");
        steel.rupture_stress = f64::INFINITY;
        steel.yield_stress = f64::INFINITY;
        let end = hang(&mut tied, DVec3::ZERO, DVec3::Z * -1.0, 30, steel);
        tied.solids.solids.push(cuboid(DVec3::Z * -1.2, DVec3::splat(0.2), mass));
        tied.tie(end, 0, true);
        tied.solids.solids[0].velocity = DVec3::X * 0.5;
        let start = 0.5 * mass * 0.25;
        for _ in 0..600 {
            tied.step(DT).unwrap();
            let solid = &tied.solids.solids[0];
            let moved = solid.energy() + mass * G * (solid.position.z + 1.2);
            assert!(moved < 1.05 * start + 1e-3 * mass, "{mass} kg: {moved} J of {start} J");
            let string = tied.strings.state.positions[end].length();
            assert!((string - 1.0).abs() < 0.02, "{mass} kg: {string} m");
        }
    }
}

/// A board on strings at its corners.
fn board(corners: &[(f64, f64)], mass: f64) -> (Tied, Vec<usize>) {
    let mut tied = Tied::new();
    let half = DVec3::new(0.4, 0.2, 0.02);
    tied.solids.solids.push(cuboid(DVec3::Z * -1.0, half, mass));
    let mut ends = Vec::new();
    for (x, y) in corners {
        let corner = DVec3::new(x * half.x, y * half.y, 0.0);
        let to = corner - DVec3::Z * 0.98;
        let end = hang(&mut tied, corner, to, 15, material("hemp"));
        tied.tie(end, 0, false);
        ends.push(end);
    }
    (tied, ends)
}

#[test]
fn four_strings_hold_a_board_level() {
    let (mut tied, ends) = board(&[(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)], 3.0);
    run(&mut tied, 4.0);
    let solid = tied.solids.solids[0];
    let up = solid.rotation * DVec3::Z;
    assert!(up.z > 1.0 - 1e-6, "{up}");
    assert!(solid.position.distance(DVec3::Z * -1.0) < 2e-3, "{}", solid.position);
    assert!(solid.velocity.length() < 1e-3 && solid.spin.length() < 1e-2, "{solid:?}");
    for end in ends {
        let found = tied.strings.state.tensions[end - 1];
        let wanted = 0.25 * 3.0 * G;
        assert!((found / wanted - 1.0).abs() < 0.02, "{found} N for {wanted} N");
    }
}

#[test]
fn a_board_on_two_strings_hangs_below_them() {
    let (mut tied, ends) = board(&[(1.0, 0.0), (-1.0, 0.0)], 3.0);
    tied.solids.solids[0].velocity = DVec3::Y * 0.3;
    for _ in 0..480 {
        tied.step(DT).unwrap();
    }
    let solid = tied.solids.solids[0];
    assert!((solid.rotation * DVec3::X).z.abs() < 0.02, "{solid:?}");
    assert!((solid.position.z + 0.98).abs() < 0.06, "{}", solid.position);
    let sum: f64 = ends.iter().map(|end| tied.strings.state.tensions[end - 1]).sum();
    assert!((sum / (3.0 * G) - 1.0).abs() < 0.25, "{sum} N, swinging");
}

#[test]
fn a_string_that_runs_through_a_tie_carries_its_solid() {
    // A rope between two hands, a ball knotted to its middle: T = m g / 2 sin.
    let mut tied = Tied::new();
    let points: Vec<DVec3> = (0..=20)
        .map(|i| {
            let x = -0.5 + 0.05 * f64::from(i);
            DVec3::new(x, 0.0, -0.25 * (1.0 - 2.0 * x.abs()))
        })
        .collect();
    let mut build = Build::new(points.clone(), 0.003, material("hemp"));
    build.bend = Bend::Limp;
    tied.strings.add(&build).unwrap();
    tied.strings.clamps.push(Clamp::at(0, points[0]));
    tied.strings.clamps.push(Clamp::at(20, points[20]));
    tied.strings.viscosity = 1.0;
    tied.solids.solids.push(ball(points[10] - DVec3::Z * 0.1, 0.09, 2.0));
    tied.tie(10, 0, false);
    run(&mut tied, 4.0);
    let slope = 0.25 / (0.25_f64 * 0.25 + 0.25).sqrt();
    let wanted = 2.0 * G / (2.0 * slope);
    for segment in [9, 10] {
        let found = tied.strings.state.tensions[segment];
        assert!((found / wanted - 1.0).abs() < 0.02, "{found} N for {wanted} N");
    }
}

#[test]
fn wind_turns_a_hanging_box_and_it_comes_back() {
    let mut tied = Tied::new();
    let mut cord = material("rubber");
    cord.inner_friction = 0.05;
    let end = hang(&mut tied, DVec3::ZERO, DVec3::Z * -0.6, 20, cord);
    let half = DVec3::new(0.06, 0.01, 0.04);
    tied.solids.solids.push(cuboid(DVec3::Z * -0.64, half, 0.02));
    tied.tie(end, 0, true);
    let angle = |tied: &Tied| tied.strings.state.angles[end - 1];
    let wind = DVec3::Y * 1.5;
    tied.solids.air = Air { density: 1.2, wind, turbulence: 1.0, ..Air::default() };
    tied.solids.air.gusts = Some(Gusts::new(0.3, 4));
    let (mut most, mut turns, mut before, mut way) = (0.0_f64, 0, 0.0, 1.0);
    for step in 0..1200 {
        tied.solids.air.carried = wind * (f64::from(step) * DT);
        tied.step(DT).unwrap();
        let now = angle(&tied);
        most = most.max(now.abs());
        if (now - before) * way < 0.0 {
            turns += 1;
            way = -way;
        }
        before = now;
    }
    assert!(most > 1.0, "gusts turn it: {most} rad");
    assert!(turns > 4, "back and forth: {turns} times");
    // In still air it swings to rest where it began.
    tied.solids.air = Air { density: 1.2, ..Air::default() };
    run(&mut tied, 60.0);
    let last = angle(&tied).abs();
    assert!(last < 0.2 * most, "{last} of {most} rad");
}

#[test]
fn a_tie_stays_with_its_piece_when_the_string_tears() {
    let mut tied = Tied::new();
    let end = hang(&mut tied, DVec3::ZERO, DVec3::Z * -0.5, 10, material("cotton-thread"));
    tied.solids.solids.push(ball(DVec3::Z * -0.55, 0.05, 1.0));
    tied.tie(end, 0, true);
    run(&mut tied, 0.5);
    tied.strings.cut(end - 1);
    let height = tied.solids.solids[0].position.z;
    run(&mut tied, 0.5);
    let fallen = height - tied.solids.solids[0].position.z;
    assert!((fallen - 0.5 * G * 0.25).abs() < 0.02, "{fallen} m");
    let place = tied.solids.solids[0].point(tied.ties[0].local);
    assert!(tied.strings.state.positions[end].distance(place) < 1e-12);
    // And a thread too weak tears by itself, with an event.
    let mut tied = Tied::new();
    let mut weak = material("cotton-thread");
    weak.rupture_stress = 46e6;
    let end = hang(&mut tied, DVec3::ZERO, DVec3::Z * -0.5, 10, weak);
    tied.solids.solids.push(ball(DVec3::Z * -0.65, 0.15, 80.0));
    tied.tie(end, 0, true);
    let mut torn = Vec::new();
    for _ in 0..60 {
        tied.step(DT).unwrap();
        torn.extend(tied.events.clone());
    }
    assert_eq!(torn.len(), 1, "{torn:?}");
    assert!(matches!(torn[0], Event::Torn { cause: Cause::Pull, .. }));
}

#[test]
fn a_tie_that_is_let_go_leaves_nothing_behind() {
    let mut tied = Tied::new();
    let end = hang(&mut tied, DVec3::ZERO, DVec3::Z * -0.5, 10, material("hemp"));
    let own = tied.strings.mass(end);
    tied.strings.state.spins[end - 1] = 1.0;
    let spins = tied.strings.energy().spin;
    tied.solids.solids.push(ball(DVec3::Z * -0.55, 0.05, 1.0));
    tied.tie(end, 0, true);
    run(&mut tied, 0.1);
    assert!((tied.strings.mass(end) - own - 1.0).abs() < 0.02);
    tied.strings.state.spins[end - 1] = 1.0;
    assert!(tied.strings.energy().spin > 2.0 * spins);
    tied.ties[0].on = false;
    run(&mut tied, 0.5);
    assert_eq!(tied.strings.mass(end), own);
    tied.strings.state.spins[..end].fill(0.0);
    tied.strings.state.spins[end - 1] = 1.0;
    assert_eq!(tied.strings.energy().spin, spins);
    assert!(tied.solids.solids[0].position.z < -1.0);
    // Taking the tie away altogether is the same; so is holding the particle in a hand. The ball is back
    // where the string is: tied from afar, it would be torn at.
    let there = tied.strings.state.positions[end] - tied.ties[0].local;
    tied.solids.solids[0] = ball(there, 0.05, 1.0);
    tied.ties[0] = Tie { on: true, ..tied.ties[0] };
    tied.step(DT).unwrap();
    tied.ties.clear();
    tied.step(DT).unwrap();
    assert_eq!(tied.strings.mass(end), own);
}

#[test]
fn clamps_move_evenly_through_the_parts_of_a_step() {
    let mut tied = Tied::new();
    let end = hang(&mut tied, DVec3::ZERO, DVec3::Z * -0.5, 10, material("hemp"));
    tied.solids.solids.push(ball(DVec3::Z * -0.55, 0.05, 1.0));
    tied.tie(end, 0, true);
    run(&mut tied, 1.0);
    for step in 1..=60 {
        let t = f64::from(step) * DT;
        tied.strings.clamps[0].target = DVec3::Z * (0.5 * t * t);
        tied.step(DT).unwrap();
        assert_eq!(tied.strings.state.positions[0], tied.strings.clamps[0].target);
    }
    // Lifted with a metre a second squared: heavier by as much.
    let found = tied.strings.state.tensions[end - 1];
    let wanted = G + 1.0;
    assert!((found / wanted - 1.0).abs() < 0.05, "{found} N for {wanted} N");
}

/// Everything at once, for bits.
fn busy() -> Tied {
    let (mut tied, _) = board(&[(1.0, 1.0), (1.0, -1.0), (-1.0, 0.0)], 2.0);
    let end = hang(&mut tied, DVec3::Y * 0.6, DVec3::new(0.0, 0.6, -0.5), 12, material("rubber"));
    tied.solids.solids.push(cuboid(DVec3::new(0.02, 0.6, -0.56), DVec3::splat(0.06), 0.05));
    tied.tie(end, 1, true);
    let mut thrown = ball(DVec3::new(-0.5, 0.63, -0.56), 0.03, 0.03);
    thrown.velocity = DVec3::new(4.0, 0.0, 1.0);
    tied.solids.solids.push(thrown);
    tied.solids.ground.push(Collider::floor(-1.5));
    tied.solids.air = Air { density: 1.2, wind: DVec3::Y, ..Air::default() };
    // A crate on two taut lines.
    for y in [0.05, -0.05] {
        let from = DVec3::new(4.0, y, 0.0);
        let line = Build::straight(from, from + DVec3::X, 24, 0.004, material("hemp"));
        let line = tied.strings.add(&line).unwrap();
        for u in [0.0, 1.0] {
            let particle = tied.strings.particle(line, u);
            tied.strings.clamps.push(Clamp::at(particle, tied.strings.state.positions[particle]));
        }
    }
    tied.solids.solids.push(cuboid(DVec3::new(4.5, 0.0, 0.105), DVec3::splat(0.1), 2.0));
    tied
}

#[test]
fn a_checkpoint_goes_on_with_the_same_bits() {
    let mut whole = busy();
    let mut numbers = Vec::new();
    for step in 0..90 {
        if step == 30 {
            assert!(!whole.work.leans.is_empty(), "the crate lies on its lines");
            whole.to_numbers(&mut numbers);
            whole.forget();
        }
        whole.step(DT).unwrap();
    }
    let mut again = busy();
    // It may have gone on for a while before.
    again.step(DT).unwrap();
    again.set_numbers(&numbers).unwrap();
    for _ in 30..90 {
        again.step(DT).unwrap();
    }
    assert_eq!(again.strings.state, whole.strings.state);
    assert_eq!(again.solids.solids, whole.solids.solids);
    assert!(again.set_numbers(&numbers[1..]).is_none());
    assert!(again.set_numbers(&numbers[..numbers.len() - 1]).is_none());
    assert!(again.set_numbers(&[]).is_none());
    let mut other = Tied::new();
    assert!(other.set_numbers(&numbers).is_none());
}

#[test]
fn a_step_allocates_nothing_of_our_own_after_the_first() {
    let mut tied = busy();
    // One that lies on the floor, a string on a box, and ground and obstacles that move.
    tied.solids.solids.push(cuboid(DVec3::new(1.0, 0.0, -1.4), DVec3::splat(0.1), 1.0));
    let from = DVec3::new(0.85, 0.0, -1.25);
    tied.strings
        .add(&Build::straight(from, from + DVec3::X * 0.3, 12, 0.003, material("hemp")))
        .unwrap();
    let belt = |t: f64| Collider::Box {
        centre: DVec3::new(0.1 * t, 0.0, -2.0),
        half: DVec3::new(3.0, 3.0, 0.5),
        world_from_box: glam::DMat3::IDENTITY,
    };
    tied.solids.ground[0] = belt(0.0);
    tied.strings.obstacles.push(Obstacle::standing(belt(0.0), 0.003));
    let mut time = 0.0;
    let mut drive = |tied: &mut Tied, steps: u32| {
        let mut meeting = 0;
        for _ in 0..steps {
            let before = belt(time);
            time += DT;
            tied.solids.ground[0] = belt(time);
            tied.strings.obstacles[0] = Obstacle { before, now: belt(time), margin: 0.003 };
            meeting += tied.step(DT).unwrap().meeting;
        }
        meeting
    };
    drive(&mut tied, 120);
    let mut meeting = 0;
    let (ours, rapiers) = allocations(|| meeting = drive(&mut tied, 20));
    assert!(meeting > 100, "a string lies on a box: {meeting}");
    assert_eq!(ours, 0, "and {rapiers} by rapier");
}

#[test]
fn nothing_explodes() {
    let hard = [
        ("light", 1e-6, 0.02, "steel-wire", 0.0, 1.0),
        ("heavy", 1e4, 0.02, "rubber", 0.0, 1.0),
        ("spun", 0.1, 0.1, "nylon-line", 200.0, 1.0),
        ("thrown", 1.0, 0.1, "hemp", 0.0, 50.0),
        ("far off its middle", 1.0, 0.001, "hemp", 5.0, 1.0),
    ];
    for (name, mass, size, section, spin, speed) in hard {
        let mut tied = Tied::new();
        let end = hang(&mut tied, DVec3::ZERO, DVec3::Z * -0.5, 20, material(section));
        let mut solid = cuboid(DVec3::new(0.05, 0.0, -0.5), DVec3::splat(size), mass);
        solid.spin = DVec3::new(0.3, 0.2, 1.0) * spin;
        solid.velocity = DVec3::X * speed;
        tied.solids.solids.push(solid);
        tied.tie(end, 0, true);
        for step in 0..180 {
            let made = tied.step(DT);
            let solid = &tied.solids.solids[0];
            let far = solid.position.length();
            assert!(far < 1e4, "{name} at {step}: {far} {made:?}");
            assert!(tied.strings.state.positions.iter().all(|x| x.is_finite()), "{name} {step}");
            if made.is_err() {
                break;
            }
        }
    }
}

#[test]
fn bad_ties_are_refused() {
    let mut tied = busy();
    tied.ties[1].particle = 4000;
    let said = tied.step(DT).unwrap_err();
    assert!(matches!(said, TiedError::NoSuch { tie: 1, particle: 4000, .. }), "{said}");
    let mut tied = busy();
    tied.ties[1].particle = tied.ties[0].particle;
    assert!(matches!(tied.step(DT), Err(TiedError::Twice { .. })));
    let mut tied = busy();
    tied.solids.solids[1].mass = f64::NAN;
    assert!(matches!(tied.step(DT), Err(TiedError::Unfit(_))));
}
