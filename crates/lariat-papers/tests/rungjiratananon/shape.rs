//! Shape matching against sums by hand, and its properties.

use glam::DVec3;
use lariat_core::num::ops;
use lariat_papers::rungjiratananon::{Build, Regions};

use super::{STEP, hold, limp, momentum, of, run, weightless};

/// A zigzag of `segments` whose shape at rest is straight.
fn zigzag(segments: usize, regions: Regions) -> Build {
    let mut build = limp(segments);
    build.points = (0..=segments)
        .map(|i| DVec3::new(0.05 * i as f64, if i % 2 == 0 { 0.01 } else { -0.01 }, 0.0))
        .collect();
    build.shape = Some(regions);
    build
}

/// Goals of a string that is straight at rest, region by region.
fn goals(places: &[DVec3], masses: &[f64], arcs: &[f64], width: usize) -> Vec<DVec3> {
    let n = places.len();
    let around = |k: usize| k.saturating_sub(width)..(k + width + 1).min(n);
    let holders = |i: usize| around(i).len() as f64;
    let mut goals = vec![DVec3::ZERO; n];
    for k in 0..n {
        let weights: Vec<f64> = around(k).map(|i| masses[i] / holders(i)).collect();
        let mass: f64 = weights.iter().sum();
        let centre: DVec3 =
            around(k).zip(&weights).map(|(i, w)| places[i] * *w).sum::<DVec3>() / mass;
        let arc: f64 = around(k).zip(&weights).map(|(i, w)| arcs[i] * w).sum::<f64>() / mass;
        let axis: DVec3 = around(k)
            .zip(&weights)
            .map(|(i, w)| (places[i] - centre) * (w * (arcs[i] - arc)))
            .sum();
        for i in around(k) {
            goals[i] += (centre + axis.normalize_or_zero() * (arcs[i] - arc)) / holders(i);
        }
    }
    goals
}

#[test]
fn regions_vs_sums_by_hand() {
    for (width, dt) in [(1, STEP), (2, STEP), (4, 0.25 * STEP), (30, STEP)] {
        let build = zigzag(12, Regions { half_width: width, share: 0.5 });
        let mut strings = weightless(&build);
        let before = strings.state.positions.clone();
        let masses: Vec<f64> = (0..13).map(|i| strings.mass(i)).collect();
        let segment = before[0].distance(before[1]);
        let arcs: Vec<f64> = (0..13).map(|i| segment * f64::from(i)).collect();
        strings.step(dt).expect("it does not diverge");
        let share = 1.0 - ops::pow(0.5, dt / STEP);
        for (i, goal) in goals(&before, &masses, &arcs, width).into_iter().enumerate() {
            let expected = before[i] + (goal - before[i]) * share;
            // Goals are further apart than segments are long, but for rounding: sweeps shorten them.
            let off = strings.state.positions[i].distance(expected);
            assert!(off < 1e-12, "width {width}, particle {i}: {off}");
        }
    }
}

#[test]
fn a_bent_string_relaxes_by_its_share() {
    // All regions hold the whole string, and the straight line through it is the X axis.
    let build = zigzag(12, Regions { half_width: 12, share: 0.3 });
    let mut strings = weightless(&build);
    let off = |place: DVec3| place.y;
    let line: f64 = {
        let masses: f64 = (0..13).map(|i| strings.mass(i)).sum();
        (0..13).map(|i| strings.mass(i) * strings.state.positions[i].y).sum::<f64>() / masses
    };
    let before: Vec<f64> = strings.state.positions.iter().map(|p| off(*p) - line).collect();
    strings.step(STEP).expect("it does not diverge");
    for (place, before) in strings.state.positions.iter().zip(before) {
        assert!(((off(*place) - line) / before - 0.7).abs() < 1e-9, "{place}");
    }
}

#[test]
fn a_straight_held_string_stays_straight() {
    for held in [&[0][..], &[0, 20], &[5]] {
        let mut build = limp(20);
        build.shape = Some(Regions::USUAL);
        let mut strings = weightless(&build);
        hold(&mut strings, held);
        let before = strings.state.positions.clone();
        run(&mut strings, 100);
        for (is, was) in strings.state.positions.iter().zip(before) {
            assert!(is.distance(was) < 1e-12, "{held:?}: {is}");
        }
    }
    // Held level at its first three particles, it sags less than a limp one.
    let sag = |shape: Option<Regions>| {
        let mut strings = of(&Build { shape, ..limp(10) });
        strings.usual.viscosity = 2.0;
        hold(&mut strings, &[0, 1, 2]);
        run(&mut strings, 400);
        -strings.state.positions[10].z
    };
    let (limp, wide) = (sag(None), sag(Some(Regions { half_width: 6, share: 0.9 })));
    assert!(wide < 0.5 * limp, "{wide} {limp}");
}

#[test]
fn shape_matching_keeps_momentum() {
    for curved in [false, true] {
        let mut build = zigzag(15, Regions::USUAL);
        build.curved = curved;
        build.weights = vec![(0.3, 0.01)];
        let mut strings = weightless(&build);
        for (i, velocity) in strings.state.velocities.iter_mut().enumerate() {
            *velocity = DVec3::new(0.1, 0.02 * i as f64, -0.03 * (i * i) as f64);
        }
        let before = momentum(&strings);
        run(&mut strings, 30);
        assert!((momentum(&strings) - before).length() < 1e-12, "{curved}");
    }
}

#[test]
fn a_curved_string_keeps_its_shape() {
    let mut build = limp(24);
    build.points = (0..=24)
        .map(|i| {
            let (sin, cos) = ops::sin_cos(0.2 * f64::from(i));
            DVec3::new(0.2 * cos, 0.2 * sin, 0.01 * f64::from(i))
        })
        .collect();
    build.shape = Some(Regions { half_width: 3, share: 0.8 });
    build.curved = true;
    let mut strings = weightless(&build);
    run(&mut strings, 20);
    let still: f64 = strings.state.velocities.iter().map(|v| v.length()).sum();
    assert!(still < 1e-6, "{still}");
    // Turned as a whole it is still at rest: regions find the rotation.
    let turn = glam::DMat3::from_cols(DVec3::Y, DVec3::NEG_X, DVec3::Z);
    for place in &mut strings.state.positions {
        *place = turn * *place + DVec3::X;
    }
    let turned = strings.state.positions.clone();
    run(&mut strings, 20);
    for (is, was) in strings.state.positions.iter().zip(turned) {
        assert!(is.distance(was) < 1e-5, "{is} {was}");
    }
    // Without a shape of its own it opens.
    build.curved = false;
    let mut straight = weightless(&build);
    straight.usual.viscosity = 2.0;
    run(&mut straight, 300);
    let ends = |strings: &lariat_papers::rungjiratananon::Strings| {
        strings.state.positions[0].distance(strings.state.positions[24])
    };
    assert!(ends(&straight) > 2.0 * ends(&strings), "{} {}", ends(&straight), ends(&strings));
}
