//! Lengths by sweeps, tension, and the strain that it allows.

use glam::DVec3;
use lariat_core::num::ops;
use lariat_papers::rungjiratananon::{Build, Clamp, Strings};

use super::{GRAVITY, STEP, hold, limp, material, of, run, stretches};

#[test]
fn hanging_tension_is_the_weight_below() {
    let mut build = limp(20);
    build.points = (0..=20).map(|i| DVec3::Z * (-0.05 * f64::from(i))).collect();
    build.weights = vec![(1.0, 0.03)];
    let mut strings = of(&build);
    hold(&mut strings, &[0]);
    run(&mut strings, 50);
    for segment in 0..20 {
        let below: f64 = (segment + 1..=20).map(|i| strings.mass(i)).sum();
        let ratio = strings.state.tensions[segment] / (below * GRAVITY);
        assert!((ratio - 1.0).abs() < 1e-9, "{segment}: {ratio}");
    }
    // Held at its lower end, it would have to be pushed: it has no tension.
    assert!(stretches(&strings).iter().all(|stretch| (stretch - 1.0).abs() < 1e-12));
}

/// A string of `length` between two clamps a metre apart at one height, at rest.
pub(super) fn sagging(length: f64, dt: f64) -> Strings {
    let mut build = limp(40);
    let drop = (0.25 * (length * length - 1.0)).sqrt();
    build.points = (0..=40)
        .map(|i| {
            let u = f64::from(i) / 40.0;
            DVec3::new(u, 0.0, -drop * (1.0 - (2.0 * u - 1.0).abs()))
        })
        .collect();
    let mut strings = of(&build);
    strings.usual.viscosity = 4.0;
    hold(&mut strings, &[0, 40]);
    for _ in 0..(15.0 / dt) as usize {
        strings.step(dt).expect("it does not diverge");
    }
    strings
}

#[test]
fn a_catenary_has_its_tension() {
    let length = 1.2;
    let strings = sagging(length, STEP);
    // 2 A sinh(1 / 2A) = length.
    let (mut low, mut high) = (0.1, 10.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if 2.0 * middle * ops::sinh(0.5 / middle) > length {
            low = middle;
        } else {
            high = middle;
        }
    }
    let weight = (0..=40).map(|i| strings.mass(i)).sum::<f64>() * GRAVITY / length;
    for segment in 0..40 {
        let arc = length * ((f64::from(segment) + 0.5) / 40.0 - 0.5);
        let tension = weight * ops::hypot(low, arc);
        let ratio = strings.state.tensions[segment as usize] / tension;
        assert!((ratio - 1.0).abs() < 0.02, "{segment}: {ratio}");
    }
    let lowest = low * (ops::cosh(0.5 / low) - 1.0);
    assert!((strings.state.positions[20].z / -lowest - 1.0).abs() < 0.02, "{lowest}");
}

#[test]
fn lengths_are_kept_to_a_ten_thousandth() {
    for held in [&[0][..], &[0, 20], &[0, 7, 20], &[12]] {
        let mut strings = of(&limp(20));
        hold(&mut strings, held);
        let mut longest = 0.0_f64;
        for step in 0..200 {
            // Hands that move towards each other, up and down.
            for (k, clamp) in strings.clamps.iter_mut().enumerate() {
                let wave = 0.05 * ops::sin(0.1 * f64::from(step) + k as f64);
                clamp.target.z = wave;
                clamp.target.x = 0.85 * 0.05 * clamp.particle as f64;
            }
            strings.step(STEP).expect("it does not diverge");
            longest = stretches(&strings).into_iter().fold(longest, f64::max);
        }
        assert!(longest < 1.0 + 1e-4, "{held:?}: {longest}");
        assert!(strings.state.positions.iter().any(|place| place.z < -0.1));
    }
}

#[test]
fn several_clamps_divide_a_string() {
    // Held in the middle as well, both halves are independent of each other.
    let mut both = of(&limp(20));
    hold(&mut both, &[0, 10]);
    both.usual.contact = false;
    let mut one = of(&Build { points: limp(20).points[..=10].to_vec(), ..limp(20) });
    hold(&mut one, &[0, 10]);
    for strings in [&mut both, &mut one] {
        for step in 0..60 {
            strings.clamps[1].target.x = 0.5 - 0.004 * f64::from(step);
            strings.step(STEP).expect("it does not diverge");
        }
    }
    // The particle in the middle has the mass of both halves, and nothing else differs.
    assert_eq!(both.state.positions[..=10], one.state.positions[..]);
    assert!(both.state.positions[11..].iter().any(|place| place.z < -0.1));
}

#[test]
fn a_string_held_nowhere_keeps_its_momentum() {
    let mut strings = of(&limp(20));
    for (i, velocity) in strings.state.velocities.iter_mut().enumerate() {
        *velocity = DVec3::new(0.0, i as f64 * 0.2 - 1.0, 0.3);
    }
    let before = super::momentum(&strings);
    run(&mut strings, 40);
    let mass: f64 = (0..=20).map(|i| strings.mass(i)).sum();
    let fallen = DVec3::NEG_Z * (GRAVITY * 0.4 * mass);
    assert!((super::momentum(&strings) - before - fallen).length() < 1e-9 * mass);
    assert!(stretches(&strings).iter().all(|stretch| *stretch < 1.0 + 1e-9));
}

#[test]
fn two_hands_stretch_a_string_as_its_curve_says() {
    let rubber = material("rubber");
    let straight = Build::straight(DVec3::ZERO, DVec3::X, 20, 0.003, rubber);
    let mut strings = of(&Build { variation: 0.0, ..straight });
    hold(&mut strings, &[0, 20]);
    for step in 1..=100 {
        strings.clamps[1].target.x = 1.0 + 0.002 * f64::from(step);
        strings.step(STEP).expect("it does not diverge");
    }
    run(&mut strings, 100);
    let pull = 0.2 * rubber.modulus * std::f64::consts::PI * 9e-6;
    for segment in 0..20 {
        let ratio = strings.state.tensions[segment] / pull;
        assert!((ratio - 1.0).abs() < 1e-3, "{segment}: {ratio}");
        assert!((stretches(&strings)[segment] - 1.2).abs() < 2e-3, "{:?}", stretches(&strings));
    }
    // A stretched segment keeps its volume.
    assert!((strings.radius(5) / (0.003 / 1.2_f64.sqrt()) - 1.0).abs() < 2e-3);
}

#[test]
fn a_load_stretches_a_string_as_its_curve_says() {
    let rubber = material("rubber");
    let down = Build::straight(DVec3::ZERO, DVec3::NEG_Z, 10, 0.005, rubber);
    let limp = Build { shape: None, twist: None, variation: 0.0, ..down };
    let mut strings = of(&Build { weights: vec![(1.0, 0.5)], ..limp });
    strings.clamps.push(Clamp::at(0, DVec3::ZERO));
    run(&mut strings, 4000);
    for segment in 0..10 {
        let below: f64 = (segment + 1..=10).map(|i| strings.mass(i)).sum();
        let stress = below * GRAVITY / (std::f64::consts::PI * 25e-6);
        let strain = stretches(&strings)[segment] - 1.0;
        assert!((strain / (stress / rubber.modulus) - 1.0).abs() < 1e-3, "{strain}");
        assert!((strings.stress(segment) / stress - 1.0).abs() < 1e-3);
    }
}
