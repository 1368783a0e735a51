//! Free motion, and flicking.

use glam::DVec3;
use lariat_core::dynamics::air::Air;
use lariat_core::num::ops;
use lariat_papers::rungjiratananon::{Build, Clamp, Force, Strings};

use super::{GRAVITY, STEP, hold, kinetic, limp, material, of, run, weightless};

#[test]
fn free_fall_is_eulers() {
    let mut strings = of(&limp(10));
    run(&mut strings, 30);
    let fallen = GRAVITY * STEP * STEP * f64::from((1..=30).sum::<i32>());
    for (i, place) in strings.state.positions.iter().enumerate() {
        assert!(place.distance(DVec3::new(0.1 * i as f64, 0.0, -fallen)) < 1e-12);
    }
    assert!((strings.state.velocities[3].z + GRAVITY * 0.3).abs() < 1e-10);
}

#[test]
fn viscosity_decays_as_given() {
    let mut strings = weightless(&limp(10));
    strings.usual.viscosity = 1.5;
    strings.state.velocities.fill(DVec3::Y);
    run(&mut strings, 100);
    assert!((strings.state.velocities[4].y - ops::exp(-1.5)).abs() < 1e-9);
}

#[test]
fn air_carries_a_string_along() {
    let mut strings = weightless(&limp(10));
    strings.air = Air { density: 1.2, wind: DVec3::new(3.0, 4.0, 0.0), ..Air::default() };
    run(&mut strings, 300);
    // Across the string only, and never faster than the air.
    for velocity in &strings.state.velocities {
        assert!(velocity.y > 2.0 && velocity.y < 4.0 && velocity.x.abs() < 1e-9, "{velocity}");
    }
}

/// A line that is held at its start and pulled at its end to a tenth of its yield point, then let go.
fn released(flicks: bool, by_force: bool) -> Strings {
    let nylon = material("nylon-line");
    let build = Build::straight(DVec3::ZERO, DVec3::X, 20, 0.001, nylon);
    let mut strings =
        weightless(&Build { flicks, stretches: false, variation: 0.0, shape: None, ..build });
    strings.usual.contact = false;
    strings.clamps.push(Clamp::at(0, DVec3::ZERO));
    if by_force {
        let force = DVec3::X * (0.1 * nylon.yield_stress * std::f64::consts::PI * 1e-6);
        strings.forces.push(Force { particle: 20, force });
    } else {
        strings.clamps.push(Clamp::at(20, DVec3::X * 1.00001));
    }
    run(&mut strings, 20);
    let pull = 0.1 * nylon.yield_stress * std::f64::consts::PI * 1e-6;
    for tension in &strings.state.tensions[..20] {
        assert!((tension / pull - 1.0).abs() < 1e-3, "{tension} {pull}");
    }
    strings.clamps.truncate(1);
    strings.forces.clear();
    run(&mut strings, 1);
    strings
}

#[test]
fn a_released_string_flicks_towards_its_clamp() {
    for by_force in [false, true] {
        let strings = released(true, by_force);
        let tip = strings.state.velocities[20];
        // 7 MPa / √(E ρ).
        let recoil = 7e6 / (3e9_f64 * 1140.0).sqrt();
        assert!((tip.x / -recoil - 1.0).abs() < 0.01, "{tip} {recoil}");
        assert!(tip.y.abs() + tip.z.abs() < 1e-6, "{tip}");
    }
}

#[test]
fn without_flicking_a_released_string_falls() {
    for by_force in [false, true] {
        let strings = released(false, by_force);
        assert!(strings.state.velocities[20].x.abs() < 0.02, "{:?}", strings.state.velocities[20]);
    }
}

#[test]
fn a_flick_gives_no_more_than_was_stored() {
    let nylon = material("nylon-line");
    let stretch = nylon.modulus * std::f64::consts::PI * 1e-6;
    let pull = 0.1 * nylon.yield_stress * std::f64::consts::PI * 1e-6;
    let stored = 0.5 * pull * pull / stretch;
    for by_force in [false, true] {
        let mut strings = released(true, by_force);
        let mut most = kinetic(&strings);
        for _ in 0..100 {
            strings.step(STEP).expect("it does not diverge");
            most = most.max(kinetic(&strings));
        }
        assert!(most <= 1.001 * stored && most > 0.005 * stored, "{most} {stored}");
    }
}

/// Energy of motion and height.
fn energy(strings: &Strings) -> f64 {
    let heights = strings.state.positions.iter().enumerate();
    kinetic(strings) + heights.map(|(i, x)| strings.mass(i) * GRAVITY * x.z).sum::<f64>()
}

#[test]
fn sweeps_do_not_pump_energy() {
    let mut strings = of(&limp(20));
    strings.usual.contact = false;
    hold(&mut strings, &[0]);
    let mut least = energy(&strings);
    for step in 0..600 {
        strings.step(STEP).expect("it does not diverge");
        let now = energy(&strings);
        // Kinetic energy is limited; the work of gravity in an explicit step and of sweeps against
        // gravity is not. The whole fall is worth 0.06 J.
        assert!(now < least + 0.02, "step {step}: {now} {least}");
        least = least.min(now);
    }
    // Documented: it comes to rest though nothing brakes it.
    assert!(least < -0.04, "{least}");
}

#[test]
fn a_moving_clamp_swings_a_string() {
    let mut strings = of(&limp(20));
    strings.state.positions = (0..=20).map(|i| DVec3::Z * (-0.05 * f64::from(i))).collect();
    let mut furthest = 0.0_f64;
    for step in 0..200 {
        let x = 0.1 * ops::sin(3.0 * STEP * f64::from(step));
        strings.clamps = vec![Clamp::at(0, DVec3::X * x)];
        strings.step(STEP).expect("it does not diverge");
        furthest = furthest.max(strings.state.positions[20].x.abs());
    }
    assert!(furthest > 0.15, "{furthest}");
}
