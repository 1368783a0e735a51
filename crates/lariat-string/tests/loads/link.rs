//! A cord that is wound until it coils.
//!
//! By Călugăreanu's theorem its twist and its writhe together are the turns that it was given, as
//! long as nothing passes through anything. Writhe is Gauss's integral over pairs of segments, with
//! the ends led far away along X.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::num::ops;
use lariat_string::{Build, Clamp, Turn};

use super::World;
use super::common::{assert_whole, least_between_strands, material, step, world};

const CORD: f64 = 0.004;
const SEGMENTS: usize = 100;

/// How often a string winds around itself, in turns.
fn writhe(x: &[DVec3]) -> f64 {
    let mut points = vec![x[0] - DVec3::X * 100.0];
    points.extend_from_slice(x);
    points.push(x[x.len() - 1] + DVec3::X * 100.0);
    let mut sum = 0.0;
    for (i, a) in points.windows(2).enumerate() {
        for b in points[i + 1..].windows(2).skip(1) {
            let (ac, ad, bc, bd) = (b[0] - a[0], b[1] - a[0], b[0] - a[1], b[1] - a[1]);
            let sides = [ac.cross(ad), ad.cross(bd), bd.cross(bc), bc.cross(ac)];
            let sides = sides.map(DVec3::normalize_or_zero);
            let angle: f64 = (0..4)
                .map(|k| 0.5 * PI - ops::acos(sides[k].dot(sides[(k + 1) % 4]).clamp(-1.0, 1.0)))
                .sum();
            sum += angle * (b[1] - b[0]).cross(a[1] - a[0]).dot(ac).signum();
        }
    }
    sum / (2.0 * PI)
}

/// Ten turns in two and a half seconds, while the ends come nearer by 0.3 m of a metre.
fn wound(friction: f64, dt: f64) {
    let said = format!("friction {friction}, {dt} s");
    let n = SEGMENTS;
    let mut build = Build::straight(DVec3::ZERO, DVec3::X, n, CORD, material("rubber"));
    for (i, x) in build.points.iter_mut().enumerate() {
        x.y = 1e-3 * ops::sin(PI * i as f64 / n as f64);
    }
    build.tears = false;
    // Both held particles of an end on the axis, for the ends to be led on straight.
    for i in [0, 1, n - 1, n] {
        build.points[i].y = 0.0;
    }
    let ends = [0, 1, n - 1, n].map(|i| build.points[i]);
    let mut world = world(&build);
    world.gravity.z = -1.0;
    (world.viscosity, world.spin_viscosity, world.friction) = (1.0, 5.0, friction);
    let clamps = [0, 1, n - 1, n].into_iter().zip(ends);
    world.clamps.extend(clamps.map(|(i, end)| Clamp::at(i, end)));
    world.clamps[0].turn = Some(Turn::Angle(0.0));
    let (turns, seconds, mut worst) = (10.0, 2.5, 0.0_f64);
    let every = (0.1 / dt).round() as u32;
    for k in 1..=(4.5 / dt).round() as u32 {
        let t = (f64::from(k) * dt / seconds).min(1.0);
        for end in [2, 3] {
            world.clamps[end].target = ends[end] - DVec3::X * (0.3 * t);
        }
        world.clamps[3].turn = Some(Turn::Angle(2.0 * PI * turns * t));
        step(&mut world, dt);
        if k % every == 0 {
            let link = linked(&world);
            let off = (link - turns * t).abs();
            worst = worst.max(off);
            assert!(off < 0.02, "{said}, {} s: {link} turns for {}", world.state.time, turns * t);
        }
    }
    assert_whole(&world);
    let coiled = writhe(&world.state.positions);
    let near = least_between_strands(&world.state.positions, 4);
    println!("{said}: worst {worst} turns, writhe {coiled}, {near} m between strands");
    assert!(coiled > 2.0, "{said}: it has coiled by {coiled} turns only");
    assert!(near > 0.97 * 2.0 * CORD, "{said}: {near} m between strands");
}

/// Twist and writhe in turns. If a clamp turns the end of its segment rather than all of it, the rest of
/// its angle is twist inside that segment.
fn linked(world: &World) -> f64 {
    let n = SEGMENTS;
    let between: f64 = (1..n).map(|joint| world.twist_at(joint)).sum();
    let turned = |clamp: &Clamp| match clamp.turn {
        Some(Turn::Angle(angle)) => angle,
        _ => 0.0,
    };
    let [first, last] = [&world.clamps[0], &world.clamps[3]].map(turned);
    let ends = world.state.angles[0] - first + last - world.state.angles[n - 1];
    (between + ends) / (2.0 * PI) + writhe(&world.state.positions)
}

#[test]
fn a_coiling_cord_keeps_its_link_without_friction() {
    wound(0.0, 1.0 / 100.0);
}

#[test]
fn a_coiling_cord_keeps_its_link_with_friction() {
    wound(0.4, 1.0 / 100.0);
}

#[test]
fn a_coiling_cord_keeps_its_link_without_friction_at_the_default_rate() {
    wound(0.0, 1.0 / 240.0);
}

#[test]
fn a_coiling_cord_keeps_its_link_with_friction_at_the_default_rate() {
    wound(0.4, 1.0 / 240.0);
}
