//! Yielding and tearing.

use glam::DVec3;
use lariat_papers::rungjiratananon::{Build, Cause, Clamp, Regions, Strings};

use super::{GRAVITY, STEP, hold, limp, material, of, run, stretches, weightless};

/// Pulled to `most` of its length by two hands and let back, then held at its start only.
fn pulled(most: f64) -> Strings {
    let licorice = material("licorice");
    let build = Build::straight(DVec3::ZERO, DVec3::X, 20, 0.004, licorice);
    let mut strings = weightless(&Build { twist: None, variation: 0.0, ..build });
    hold(&mut strings, &[0, 20]);
    for step in 0..200 {
        let share = f64::from(step.min(200 - step)) / 100.0;
        strings.clamps[1].target.x = 1.0 + (most - 1.0) * share;
        strings.step(STEP).expect("it does not diverge");
        assert!(strings.torn.is_empty());
    }
    strings.clamps.truncate(1);
    strings.gravity = DVec3::X * 0.01;
    run(&mut strings, 600);
    strings
}

#[test]
fn yielded_length_stays() {
    // Below the yield point (7.5 %) it is as long as before, beyond it all of the stretch stays.
    for (most, stays) in [(1.06, 1.0), (1.2, 1.2), (1.4, 1.4)] {
        for stretch in stretches(&pulled(most)) {
            assert!((stretch - stays).abs() < 2e-3, "{most}: {stretch}");
        }
    }
}

#[test]
fn yielded_twist_stays() {
    let wire = material("steel-wire");
    let twisted = |angle: f64| {
        let build = Build::straight(DVec3::ZERO, DVec3::X, 10, 0.001, wire);
        let twist = Some(Regions { half_width: 1, share: 0.5 });
        let mut strings = weightless(&Build { shape: None, twist, variation: 0.0, ..build });
        strings.clamps = vec![Clamp::at(0, DVec3::ZERO), Clamp::at(10, DVec3::X)];
        for step in 0..6000 {
            let turned = angle * f64::from(step.min(3000)) / 3000.0;
            (strings.clamps[0].angle, strings.clamps[1].angle) = (Some(0.0), Some(turned));
            strings.step(STEP).expect("it does not diverge");
        }
        strings.clamps[1].angle = None;
        run(&mut strings, 6000);
        assert!(strings.torn.is_empty());
        (1..10).map(|joint| strings.state.twist(joint)).sum::<f64>()
    };
    // A joint yields at 0.007 × 0.1 m / 1 mm = 0.7 rad.
    assert!(twisted(3.0).abs() < 1e-3, "{}", twisted(3.0));
    let stays = twisted(12.0);
    let expected = (1.0 - 4.0 / 79.0) * (12.0 - 9.0 * 0.7);
    assert!((stays - expected).abs() < 0.4, "{stays} {expected}");
}

/// A string that hangs with a weight at its end, and its strength over the load at its top.
fn hanging(strength: f64) -> Strings {
    let mut build = limp(10);
    build.points = (0..=10).map(|i| DVec3::Z * (-0.1 * f64::from(i))).collect();
    build.weights = vec![(1.0, 0.2)];
    build.variation = 0.0;
    let probe = of(&build);
    let load: f64 = (1..=10).map(|i| probe.mass(i)).sum::<f64>() * GRAVITY;
    build.material.rupture_stress = strength * load / (std::f64::consts::PI * 4e-6);
    let mut strings = of(&build);
    hold(&mut strings, &[0]);
    strings
}

#[test]
fn a_string_tears_at_its_rupture_stress_where_it_is_pulled_most() {
    let mut strong = hanging(1.0001);
    run(&mut strong, 100);
    assert_eq!(strong.state.spans.len(), 1);
    let mut weak = hanging(0.9999);
    weak.step(STEP).expect("it does not diverge");
    assert_eq!(weak.torn.len(), 1);
    let torn = weak.torn[0];
    assert_eq!((torn.string, torn.segment, torn.cause), (0, 0, Cause::Tension));
    assert_eq!((weak.state.spans[0].count, weak.state.spans[1].first), (1, 1));
    assert_eq!(
        [weak.state.spans[0].torn, weak.state.spans[1].torn],
        [[false, true], [true, false]]
    );
    assert!((weak.strength(0)[0] / (0.9999 * strong.state.tensions[0]) - 1.0).abs() < 1e-9);
    // The piece that fell has no tension left, and nothing else tears.
    run(&mut weak, 50);
    assert_eq!(weak.state.spans.len(), 2);
    assert!(weak.state.positions[10].z < -2.0);
}

#[test]
fn a_tear_keeps_masses_and_velocities() {
    let mut weak = hanging(0.5);
    let mass: f64 = (0..=10).map(|i| weak.mass(i)).sum();
    weak.step(STEP).expect("it does not diverge");
    assert_eq!(weak.torn.len(), 1);
    assert_eq!((0..=10).map(|i| weak.mass(i)).sum::<f64>(), mass);
    let before = weak.state.velocities.clone();
    weak.step(STEP).expect("it does not diverge");
    for (before, after) in before.iter().zip(&weak.state.velocities).skip(1) {
        let fallen = *before + DVec3::NEG_Z * (GRAVITY * STEP);
        assert!(after.distance(fallen) < 1e-9);
    }
}

#[test]
fn a_twisted_string_tears_at_its_rupture_shear() {
    let spaghetti = material("spaghetti");
    let build = Build::straight(DVec3::ZERO, DVec3::X, 20, 0.002, spaghetti);
    let mut strings = weightless(&Build { shape: None, ..build });
    strings.clamps = vec![Clamp::at(0, DVec3::ZERO), Clamp::at(20, DVec3::X)];
    // Torn at 0.8 / 2 mm = 400 rad/m, or 20 rad for each joint.
    let mut torn = None;
    for step in 0..20_000 {
        let turned = 0.1 * f64::from(step);
        (strings.clamps[0].angle, strings.clamps[1].angle) = (Some(0.0), Some(turned));
        let twists: Vec<f64> = (1..20).map(|joint| strings.state.twist(joint).abs()).collect();
        strings.step(STEP).expect("it does not diverge");
        if let Some(tear) = strings.torn.first() {
            torn = Some((*tear, twists));
            break;
        }
    }
    let (tear, twists) = torn.expect("it tears");
    assert_eq!(tear.cause, Cause::Shear);
    let most = twists.iter().copied().fold(0.0, f64::max);
    assert!((most / 20.0 - 1.0).abs() < 0.05, "{most}");
    assert!((strings.strength(3)[1] * std::f64::consts::TAU / 400.0 - 1.0).abs() < 1e-3);
}
