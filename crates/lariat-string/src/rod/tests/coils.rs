//! Strings that touch themselves: no energy out of nothing, no way through.

use std::f64::consts::PI;

use super::*;
use lariat_core::num::ops;

fn total(strings: &Strings) -> f64 {
    let energy = strings.energy();
    energy.kinetic + energy.spin + energy.height + energy.stretch + energy.twist
}

#[test]
fn a_snapping_cord_gains_nothing_from_touching_itself() {
    // Pulled to twice its length, and let go.
    let build =
        Build { tears: false, ..Build::straight(DVec3::ZERO, DVec3::X * 0.5, 50, 0.003, rubber()) };
    let mut strings = Strings::of(&build).unwrap();
    strings.gravity = DVec3::ZERO;
    strings.viscosity = 0.5;
    strings.clamps.extend([Clamp::at(0, DVec3::ZERO), Clamp::at(50, DVec3::X * 0.5)]);
    for step in 1..=100 {
        strings.clamps[1].target.x = 0.5 + 0.005 * f64::from(step);
        strings.step(0.01).unwrap();
    }
    strings.clamps[1].on = false;
    let stored = total(&strings);
    let mut touched = 0;
    for _ in 0..300 {
        touched += strings.step(0.01).unwrap().touching;
        let now = total(&strings);
        assert!(now < stored, "{now} of {stored} J");
    }
    assert!(touched > 20, "{touched}");
    let left = strings.energy().kinetic;
    assert!(left < 1e-3 * stored, "{left} of {stored} J");
}

/// How often a string winds around itself (Gauss's integral), its ends led far away along X.
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
                .map(|k| {
                    let cos = sides[k].dot(sides[(k + 1) % 4]).clamp(-1.0, 1.0);
                    0.5 * PI - ops::acos(cos)
                })
                .sum();
            sum += angle * (b[1] - b[0]).cross(a[1] - a[0]).dot(ac).signum();
        }
    }
    sum / (2.0 * PI)
}

#[test]
fn a_coil_does_not_pass_through_itself() {
    // Held at both ends, brought nearer and wound: it loops and coils. Twist and writhe together
    // are as many turns as it was given, for as long as nothing passes through anything.
    let n = 100;
    let (mut strings, ends) = held_cord(n, |build| build.tears = false);
    let (turns, mut touching) = (10.0, 0);
    for step in 1..=320 {
        let t = (f64::from(step) / 250.0).min(1.0);
        for k in [2, 3] {
            strings.clamps[k].target = ends[n - 3 + k] - DVec3::X * (0.3 * t);
        }
        strings.clamps[3].turn = Some(Turn::Angle(2.0 * PI * turns * t));
        touching = strings.step(0.01).unwrap().touching;
        if step % 80 == 0 {
            let twist: f64 = (1..n).map(|j| strings.twist_at(j)).sum::<f64>() / (2.0 * PI);
            let coiled = writhe(&strings.state.positions);
            let linked = twist + coiled;
            assert!((linked - turns * t).abs() < 0.3, "{step}: {twist} + {coiled}");
            assert!(step < 320 || (2.8..4.0).contains(&coiled), "it has coiled: {coiled}");
        }
    }
    assert!(touching > 5, "{touching}");
}

/// A string that is led through its own loop by keyed clamps and pulled tight with some newtons: how
/// far its ends are apart afterwards, and where along it touches itself.
fn tied(contact: bool, seconds: f64) -> (f64, f64) {
    let n = 100;
    let material = *Material::find("shoelace").unwrap();
    let build =
        Build { tears: false, ..Build::straight(DVec3::ZERO, DVec3::X, n, 0.004, material) };
    let mut strings = Strings::of(&build).unwrap();
    strings.gravity = DVec3::ZERO;
    strings.viscosity = 3.0;
    strings.settings.contact = contact;
    let keys = [
        (0.0, DVec3::new(1.0, 0.0, 0.0)),
        (0.5, DVec3::new(0.7, 0.3, 0.03)),
        (1.0, DVec3::new(0.3, 0.3, 0.04)),
        (1.5, DVec3::new(0.2, 0.1, 0.04)),
        (2.0, DVec3::new(0.19, -0.05, 0.04)),
        (2.3, DVec3::new(0.21, -0.05, -0.04)),
        (2.7, DVec3::new(0.28, 0.04, -0.04)),
        (3.1, DVec3::new(0.28, 0.04, 0.08)),
        (3.5, DVec3::new(0.35, 0.06, 0.2)),
        (4.0, DVec3::new(0.6, 0.0, 0.2)),
    ];
    let hand = |t: f64| {
        let k = keys.partition_point(|(at, _)| *at <= t).clamp(1, keys.len() - 1);
        let ((from, a), (to, b)) = (keys[k - 1], keys[k]);
        a.lerp(b, ((t - from) / (to - from)).clamp(0.0, 1.0))
    };
    strings.clamps.extend([0, 30, 45, n].map(|i| Clamp::at(i, build.points[i])));
    let loop_at = DVec3::new(0.32, 0.12, 0.0);
    for step in 1..=(seconds / 0.01) as u32 {
        let t = 0.01 * f64::from(step);
        strings.clamps[2].target = build.points[45].lerp(loop_at, t.min(1.0));
        strings.clamps[3].target = hand(t);
        for k in [1, 2] {
            strings.clamps[k].on = t < 3.5;
        }
        if t > 4.0 {
            (strings.clamps[0].on, strings.clamps[3].on) = (false, false);
            let force = DVec3::X * (2.0 * (t - 4.0)).min(2.0);
            strings.forces =
                vec![Force { particle: 0, force: -force }, Force { particle: n, force }];
        }
        strings.step(0.01).unwrap();
    }
    let touches = strings.touches();
    let sum: usize = touches.iter().map(|touch| touch.segments[0] + touch.segments[1]).sum();
    let at = 0.5 * sum as f64 / touches.len().max(1) as f64;
    (strings.state.positions[0].distance(strings.state.positions[n]), at)
}

#[test]
fn a_knot_tied_by_its_ends_holds() {
    let (open, _) = tied(false, 6.0);
    assert!(open > 0.99, "without contact there is no knot: {open}");
    // It is drawn tight slowly, against the inner friction of its bends.
    let (early, at) = tied(true, 7.0);
    assert!(early > 0.8 && early < 0.95, "{early}");
    let (late, still_at) = tied(true, 8.4);

    assert!((late - early).abs() < 0.005, "{early} {late}");
    assert!((still_at - at).abs() < 3.0, "it stays where it is: {at} {still_at}");
}

/// A cord that was wound until it coiled, and has come to rest.
fn coiled() -> Strings {
    let n = 100;
    let (mut strings, ends) = held_cord(n, |build| build.tears = false);
    for step in 1..=500 {
        let t = (f64::from(step) / 250.0).min(1.0);
        for k in [2, 3] {
            strings.clamps[k].target = ends[n - 3 + k] - DVec3::X * (0.3 * t);
        }
        strings.clamps[3].turn = Some(Turn::Angle(20.0 * PI * t));
        strings.step(0.01).unwrap();
    }
    strings
}

#[test]
fn strands_that_press_each_other_lie_still() {
    let mut strings = coiled();
    let pressing: Vec<[usize; 2]> =
        strings.state.pair_forces.iter().map(|pair| pair.segments.map(|i| i as usize)).collect();
    assert!(pressing.len() > 2, "{pressing:?}");
    let apart = |strings: &Strings| -> Vec<f64> {
        let x = &strings.state.positions;
        pressing.iter().map(|[i, j]| x[*i].distance(x[*j])).collect()
    };
    let before = apart(&strings);
    let mut parts = 0;
    for _ in 0..50 {
        parts += strings.step(0.01).unwrap().substeps;
    }
    // Without what presses from the start, forty and more.
    assert!(parts < 50 * 30, "{} parts a step", parts / 50);
    // A cord of 8 mm, which goes on swinging as a whole.
    for ((now, then), pair) in apart(&strings).iter().zip(&before).zip(&pressing) {
        assert!((now - then).abs() < 0.002, "{pair:?}: {then} m, then {now} m");
    }
}

#[test]
fn what_presses_goes_on_from_a_checkpoint() {
    let mut strings = coiled();
    assert!(!strings.state.pair_forces.is_empty());
    let mut numbers = Vec::new();
    strings.state.to_numbers(&mut numbers);
    let mut other = strings.clone();
    other.state = State::from_numbers(&numbers).unwrap();
    assert_eq!(other.state, strings.state);
    other.forget();
    for step in 0..10 {
        strings.step(0.01).unwrap();
        other.step(0.01).unwrap();
        assert!(strings.state == other.state, "step {step}");
    }
    // A number more or less is no state.
    assert_eq!(State::from_numbers(&numbers[..numbers.len() - 1]), None);
}
