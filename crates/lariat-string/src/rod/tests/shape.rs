//! Shape matching: against brute force, and against bending.

use std::f64::consts::PI;

use super::*;
use lariat_core::num::ops;

/// The same, and the most stiffness that its steps can follow, over its own.
fn sag(segments: usize, dt: f64) -> f64 {
    let (length, bend) = (1.0, 1e-3);
    let l = length / segments as f64;
    let points = line(-DVec3::X * l, DVec3::X * length, segments + 1);
    let material = Material::ideal(1000.0);
    let bend_as = Bend::Stiffness { bend, width: None };
    let build = Build { bend: bend_as, twist: Twist::Free, ..Build::new(points, 0.003, material) };
    let mut strings = Strings::of(&build).unwrap();
    strings.settings.longest = dt;
    strings.settings.contact = false;
    strings.clamps.extend([Clamp::at(0, -DVec3::X * l), Clamp::at(1, DVec3::ZERO)]);
    strings.gravity = DVec3::new(0.0, 0.0, -0.02);
    strings.viscosity = 1.5;
    run(&mut strings, 20.0, dt);
    let rho = 1000.0 * PI * 0.003 * 0.003;
    let known = 0.02 * rho / (8.0 * bend);
    -strings.state.positions[segments + 1].z / known
}

#[test]
fn a_curved_string_comes_back_to_its_curve() {
    let points: Vec<DVec3> = (0..=30)
        .map(|i| {
            let a = 0.1 * f64::from(i);
            DVec3::new(ops::sin(a), 1.0 - ops::cos(a), 0.0) * 0.3
        })
        .collect();
    let bend = Bend::Stiffness { bend: 0.01, width: None };
    let material = Material::ideal(1000.0);
    let build = Build {
        bend,
        curved: true,
        twist: Twist::Free,
        ..Build::new(points.clone(), 0.003, material)
    };
    let mut strings = Strings::of(&build).unwrap();
    strings.gravity = DVec3::ZERO;
    strings.settings.contact = false;
    strings.viscosity = 5.0;
    // Straightened, but for a trace of its curve.
    for (i, x) in strings.state.positions.iter_mut().enumerate() {
        *x = DVec3::new(0.03 * i as f64, 1e-4 * ops::sin(0.1 * i as f64), 0.0);
    }
    run(&mut strings, 5.0, 0.01);
    let ends = |row: &[DVec3]| row[0].distance(row[30]);
    let (now, rest) = (ends(&strings.state.positions), ends(&points));
    assert!((now / rest - 1.0).abs() < 0.01, "{now} for {rest}");
}

/// A string held at both ends and wound by turns of its end within seconds, while its ends come nearer
/// by a tenth: how sharply the bend changes from joint to joint at most, in radians.
fn wound(turns: f64, seconds: f64, dt: f64) -> f64 {
    let n = 100;
    let bend = rubber().modulus * 0.25 * PI * 0.004 * 0.004 * 0.004 * 0.004;
    let (mut strings, ends) =
        held_cord(n, |build| build.bend = Bend::Stiffness { bend, width: None });
    for step in 1..=(seconds / dt).round() as u32 {
        let t = f64::from(step) * dt / seconds;
        for k in [2, 3] {
            strings.clamps[k].target = ends[n - 3 + k] - DVec3::X * (0.1 * t);
        }
        strings.clamps[3].turn = Some(Turn::Angle(2.0 * PI * turns * t));
        strings.step(dt).unwrap();
    }
    let x = &strings.state.positions;
    let ways: Vec<DVec3> =
        x.windows(2).map(|pair| (pair[1] - pair[0]).normalize_or_zero()).collect();
    let rough = |three: &[DVec3]| (three[0] - three[1] * 2.0 + three[2]).length();
    ways.windows(3).map(rough).fold(0.0, f64::max)
}

#[test]
fn a_wound_string_does_not_wrinkle() {
    let fine = wound(5.0, 1.3, 2e-4);
    let ours = wound(5.0, 1.3, 0.01);
    assert!(fine < 0.1 && ours < 0.1, "{fine} and {ours} radians");
}

#[test]
fn a_cantilever_sags_as_euler_says() {
    for dt in [0.012, 0.003, 0.001] {
        let ours = sag(25, dt);
        assert!((ours - 1.0).abs() < 4e-3, "{ours} with {dt} s");
    }
}

#[test]
fn stiffness_does_not_depend_on_step_or_resolution() {
    let [long, short, fine] = [sag(25, 0.012), sag(25, 0.003), sag(75, 0.012)];
    assert!((long / short - 1.0).abs() < 1e-5, "{long} {short}");
    assert!((long / fine - 1.0).abs() < 5e-3, "{long} {fine}");
}
