//! Twist: angles, frames and forces.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use lariat_core::num::ops;
use lariat_papers::rungjiratananon::{Build, Clamp, Regions, Strings, Torque};

use super::{STEP, kinetic, material, momentum, of, run, weightless};

fn rubber(segments: usize, half_width: usize) -> Build {
    let straight = Build::straight(DVec3::ZERO, DVec3::X, segments, 0.003, material("rubber"));
    let twist = Some(Regions { half_width, share: 0.5 });
    Build { twist, shape: None, tears: false, variation: 0.0, ..straight }
}

#[test]
fn averaged_twist_keeps_its_sum_and_becomes_uniform() {
    let mut build = rubber(20, 3);
    build.radius_along = vec![(0.0, 1.0), (1.0, 0.6)];
    let mut strings = weightless(&build);
    for i in 0..20 {
        strings.state.angles[i] = (i * i % 7) as f64 * 0.1;
    }
    // Moments of inertia go with the fourth power of the radius at the middle of a segment.
    let inertia = |i: usize| {
        let radius = 1.0 - 0.4 * (i as f64 + 0.5) / 20.0;
        radius * radius * radius * radius
    };
    let sum =
        |strings: &Strings| -> f64 { (0..20).map(|i| inertia(i) * strings.state.angles[i]).sum() };
    let before = sum(&strings);
    run(&mut strings, 10);
    assert!((sum(&strings) - before).abs() < 1e-12);
    run(&mut strings, 5000);
    assert!((sum(&strings) - before).abs() < 1e-9);
    let mean = before / (0..20).map(inertia).sum::<f64>();
    for angle in &strings.state.angles[..20] {
        assert!((angle - mean).abs() < 1e-6, "{angle} {mean}");
    }
}

/// Held at both ends, the last of them turned by `angle`, at rest.
fn turned(build: &Build, angle: f64) -> Strings {
    let mut strings = weightless(build);
    let last = build.points.len() - 1;
    let clamp = |particle, angle| Clamp {
        angle: Some(angle),
        ..Clamp::at(particle, build.points[particle])
    };
    strings.clamps = vec![clamp(0, 0.0), clamp(last, angle)];
    run(&mut strings, 6000);
    strings
}

#[test]
fn a_turned_end_twists_the_string_evenly() {
    let strings = turned(&rubber(20, 1), 2.0);
    for segment in 0..20_u32 {
        let even = 2.0 * f64::from(segment) / 19.0;
        let angle = strings.state.angles[segment as usize];
        assert!((angle - even).abs() < 0.02, "{segment}: {angle} {even}");
    }
    assert!(strings.torque(10) > 0.0);
    assert_eq!(strings.state.angles[19], 2.0);
}

#[test]
fn a_stiffer_part_is_twisted_less() {
    // Rigidity 1|10|1: half widths 1|4|1.
    let mut build = rubber(60, 1);
    build.twist_along =
        vec![(0.0, 1.0), (0.333, 1.0), (0.334, 10.0), (0.666, 10.0), (0.667, 1.0), (1.0, 1.0)];
    let strings = turned(&build, 2.0);
    let slope = |joint: usize| strings.state.twist(joint);
    let (soft, stiff) = (slope(8), slope(30));
    assert!((soft / stiff - 10.0).abs() < 1.0, "{soft} {stiff}");
}

#[test]
fn a_torque_spins_a_free_string() {
    let mut strings = weightless(&rubber(1, 1));
    strings.torques.push(Torque { segment: 0, torque: 1e-6 });
    run(&mut strings, 10);
    let mass = 1100.0 * PI * 9e-6;
    let inertia = 0.5 * mass * 9e-6;
    assert!((strings.state.spins[0] / (0.1 * 1e-6 / inertia) - 1.0).abs() < 1e-9);
}

#[test]
fn a_cone_of_tangents_winds_by_its_solid_angle() {
    let angle = 1.2;
    let (sin, cos) = ops::sin_cos(angle);
    let mut build = rubber(2, 1);
    build.points = vec![DVec3::NEG_Z, DVec3::ZERO, DVec3::new(sin, 0.0, cos)];
    build.twist = None;
    let mut strings = of(&build);
    for step in 1..=2000 {
        let (y, x) = ops::sin_cos(TAU * f64::from(step) / 2000.0);
        let tip = DVec3::new(sin * x, sin * y, cos);
        let places = [DVec3::NEG_Z, DVec3::ZERO, tip];
        strings.clamps = (0..3).map(|i| Clamp::at(i, places[i])).collect();
        strings.step(STEP).expect("it does not diverge");
    }
    let solid_angle = TAU * (1.0 - cos);
    assert!(
        (strings.state.twist(1).abs() - solid_angle).abs() < 1e-3,
        "{}",
        strings.state.twist(1)
    );
}

#[test]
fn twist_forces_have_no_sum() {
    let mut build = rubber(12, 2);
    build.points = (0..=12)
        .map(|i| {
            let (sin, cos) = ops::sin_cos(0.5 * f64::from(i));
            DVec3::new(0.1 * cos, 0.1 * sin, 0.02 * f64::from(i * i % 5))
        })
        .collect();
    let mut strings = weightless(&build);
    // Nothing else acts: lengths may double.
    strings.state.kept_strains.fill(1.0);
    for (i, angle) in strings.state.angles.iter_mut().enumerate() {
        *angle = 0.3 * i as f64;
    }
    let mass: f64 = (0..=12).map(|i| strings.mass(i)).sum();
    strings.step(1e-4).expect("it does not diverge");
    let fast = (2.0 * kinetic(&strings) / mass).sqrt();
    assert!(fast > 1e-4, "{fast}");
    assert!(momentum(&strings).length() < 1e-9 * mass * fast);
}

#[test]
fn a_twisted_string_leaves_its_line() {
    let off = |turns: f64| {
        let mut build = rubber(30, 1);
        build.points = (0..=30)
            .map(|i| {
                let u = f64::from(i) / 30.0;
                DVec3::new(0.97 * u, 0.02 * ops::sin(PI * u), 0.0)
            })
            .collect();
        let mut strings = weightless(&build);
        strings.usual.viscosity = 2.0;
        let mut most = 0.0_f64;
        for step in 0..600 {
            let angle = TAU * turns * f64::from(step.min(300)) / 300.0;
            let clamp = |particle: usize, angle| Clamp {
                angle: Some(angle),
                ..Clamp::at(particle, build.points[particle])
            };
            strings.clamps = vec![clamp(0, 0.0), clamp(30, angle)];
            strings.step(STEP).expect("it does not diverge");
            most = strings.state.positions.iter().map(|x| x.z.abs()).fold(most, f64::max);
        }
        most
    };
    assert!(off(0.0) < 1e-9, "{}", off(0.0));
    assert!(off(20.0) > 0.01, "{}", off(20.0));
}
