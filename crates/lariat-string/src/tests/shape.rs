//! Shape matching: against brute force, and against bending.

use std::f64::consts::PI;

use glam::DMat3;

use super::super::add::Dice;
use super::super::batches::{Rows, Shaping};
use super::super::match_shape::{Sums, goals_curved, goals_straight, measure, rotation};
use super::*;
use lariat_core::num::ops;

/// A string of some width, its particles pushed about.
fn shaken(curved: bool, width: f64) -> Strings {
    let mut dice = Dice(11);
    let points: Vec<DVec3> = (0..30)
        .map(|i| {
            let a = 0.15 * f64::from(i);
            DVec3::new(ops::sin(a), ops::cos(a), 0.1 * a)
        })
        .collect();
    let bend = Bend::Stiffness { bend: 1e-3, width: Some(width) };
    let build = Build { bend, curved, ..Build::new(points, 0.01, rubber()) };
    let mut strings = Strings::of(&build).unwrap();
    for i in 0..30 {
        strings.add_mass(i, dice.unit());
        let off = DVec3::new(dice.unit(), dice.unit(), dice.unit()) - DVec3::splat(0.5);
        strings.state.positions[i] += off * 0.04 + DVec3::new(5.0, -3.0, 2.0);
    }
    strings
}

#[test]
fn goals_vs_brute_force() {
    for curved in [false, true] {
        let mut strings = shaken(curved, 0.5);
        let w = strings.region_width(0);
        assert_eq!(w, 3);
        let span = strings.state.spans[0];
        let (x, n) = (strings.state.positions.clone(), 30_usize);
        let rest = strings.parts.rest.clone();
        let held = |i: usize| (i.saturating_sub(w)..(i + w + 1).min(n)).len() as f64;
        let mut goals = vec![DVec3::ZERO; n];
        for k in 0..n {
            let region = k.saturating_sub(w)..(k + w + 1).min(n);
            let weight = |i: usize| strings.mass(i) / held(i);
            let total: f64 = region.clone().map(weight).sum();
            let mean =
                |row: &[DVec3]| region.clone().map(|i| row[i] * weight(i)).sum::<DVec3>() / total;
            let (c, c0) = (mean(&x), mean(&rest));
            let mut a = DMat3::ZERO;
            for i in region.clone() {
                let (p, q) = ((x[i] - c) * weight(i), rest[i] - c0);
                a += DMat3::from_cols(p * q.x, p * q.y, p * q.z);
            }
            let turn = if curved {
                // What is best turned has no torque left.
                let best = (0..200).fold(DMat3::IDENTITY, |turn, _| rotation(a, turn));
                let s = best.transpose() * a;
                let size = a.x_axis.length() + a.y_axis.length() + a.z_axis.length();
                assert!((s - s.transpose()).to_cols_array().iter().all(|e| e.abs() < 1e-6 * size));
                best
            } else {
                DMat3::from_cols(a.x_axis.try_normalize().unwrap(), DVec3::ZERO, DVec3::ZERO)
            };
            for i in region {
                goals[i] += (c + turn * (rest[i] - c0)) / held(i);
            }
        }
        let state = &mut Rows::lend(&mut strings.state).1;
        let regions = &mut Shaping::of(&mut strings.work.regions.rows);
        let sums = &mut Sums::default();
        sums.fit(n);
        measure(state, sums, &strings.parts.rest, &span, false);
        match curved {
            true => {
                for _ in 0..50 {
                    goals_curved(state, regions, sums, &strings.parts.rest, &span, w, 1.0);
                }
            }
            false => goals_straight(state, regions, sums, &span, w),
        }
        for (i, (ours, known)) in regions.goals.iter().zip(&goals).enumerate() {
            assert!(ours.distance(*known) < 1e-13 * 10.0, "{curved} {i}: {ours} for {known}");
        }
    }
}

#[test]
fn a_straightened_curl_does_not_jump() {
    let mut strings = shaken(true, 0.5);
    let w = strings.region_width(0);
    let span = strings.state.spans[0];
    let mut dice = Dice(3);
    let mut goals = [false, true].map(|noisy| {
        let state = &mut strings.state;
        for (i, x) in state.positions.iter_mut().enumerate() {
            let noise = DVec3::new(0.0, dice.unit(), dice.unit()) * 1e-12;
            *x = DVec3::X * (0.15 * i as f64) + if noisy { noise } else { DVec3::ZERO };
        }
        let state = &mut Rows::lend(&mut strings.state).1;
        let regions = &mut Shaping::of(&mut strings.work.regions.rows);
        let sums = &mut Sums::default();
        sums.fit(30);
        goals_curved(state, regions, sums, &strings.parts.rest, &span, w, 1.0);
        // Once more, from where it is now.
        goals_curved(state, regions, sums, &strings.parts.rest, &span, w, 1.0);
        regions.goals.to_vec()
    });
    let after = goals[1].split_off(0);
    for (a, b) in goals[0].iter().zip(&after) {
        assert!(a.distance(*b) < 1e-6, "{a} and {b}");
    }
}

/// How far the end of a cantilever sags, over what Euler and Bernoulli say.
fn sag(segments: usize, dt: f64, width: Option<f64>) -> f64 {
    sag_and_most(segments, dt, width).0
}

/// The same, and the most stiffness that its steps can follow, over its own.
fn sag_and_most(segments: usize, dt: f64, width: Option<f64>) -> (f64, f64) {
    let (length, bend) = (1.0, 1e-3);
    let l = length / segments as f64;
    let points = line(-DVec3::X * l, DVec3::X * length, segments + 1);
    let material = Material::ideal(1000.0);
    let bend_as = Bend::Stiffness { bend, width };
    let build = Build { bend: bend_as, twist: Twist::Free, ..Build::new(points, 0.003, material) };
    let mut strings = Strings::of(&build).unwrap();
    strings.settings.longest = dt;
    strings.settings.contact = false;
    strings.clamps.extend([Clamp::at(0, -DVec3::X * l), Clamp::at(1, DVec3::ZERO)]);
    strings.gravity = DVec3::new(0.0, 0.0, -0.02);
    strings.viscosity = 1.5;
    run(&mut strings, 20.0, dt);
    let rho = strings.kinds[0].mass_per_metre;
    let known = 0.02 * rho / (8.0 * bend);
    let [own, most] = strings.stiffness(0, dt);
    (-strings.state.positions[segments + 1].z / known, most / own)
}

#[test]
fn what_is_stiffer_than_its_steps_can_follow_bends_as_if_it_were_not() {
    let right = sag(25, 0.001, Some(0.08));
    let (follows, room) = sag_and_most(25, 0.0065, Some(0.08));
    assert!(room > 1.0 && (follows / right - 1.0).abs() < 0.02, "{follows} for {right}, {room}");
    let (softer, share) = sag_and_most(25, 0.012, Some(0.08));
    assert!(share < 0.5, "{share}");
    assert!((softer * share / right - 1.0).abs() < 0.1, "{softer} for {right}, {share}");
}

#[test]
fn a_cantilever_sags_as_euler_says() {
    // Solved for together with tension, whatever the step; what a part follows is matched by regions,
    // and a clamp of two particles reaches half a width further there, with wider regions, which are
    // stiffer where they end, three quarters of it.
    let free = |reach: f64| {
        let length: f64 = 1.0 - reach;
        length * length * length * length
    };
    for (dt, width, reach, off) in [
        (0.012, None, 0.0, 4e-3),
        (0.003, None, 0.0, 4e-3),
        (0.001, None, 0.02, 2e-3),
        (0.001, Some(0.08), 0.06, 0.01),
    ] {
        let ours = sag(25, dt, width) / free(reach);
        assert!((ours - 1.0).abs() < off, "{ours} with {width:?} m and {dt} s");
    }
}

#[test]
fn stiffness_does_not_depend_on_step_or_resolution() {
    let [rough, finer_step, finer] =
        [sag(25, 0.002, Some(0.08)), sag(25, 0.001, Some(0.08)), sag(50, 0.002, Some(0.08))];
    assert!((rough / finer_step - 1.0).abs() < 2e-3, "{rough} {finer_step}");
    assert!((rough / finer - 1.0).abs() < 0.04, "{rough} {finer}");
    // Where it is solved for, rest is the same at every step.
    let [long, short, fine] = [sag(25, 0.012, None), sag(25, 0.003, None), sag(75, 0.012, None)];
    assert!((long / short - 1.0).abs() < 1e-5, "{long} {short}");
    assert!((long / fine - 1.0).abs() < 5e-3, "{long} {fine}");
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
fn wound(turns: f64, seconds: f64, width: Option<f64>, dt: f64) -> f64 {
    let n = 100;
    let bend = rubber().modulus * 0.25 * PI * 0.004 * 0.004 * 0.004 * 0.004;
    let (mut strings, ends) = held_cord(n, |build| build.bend = Bend::Stiffness { bend, width });
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
    let fine = wound(5.0, 1.3, Some(0.01), 2e-4);
    let ours = wound(5.0, 1.3, None, 0.01);
    assert!(fine < 0.1 && ours < 0.1, "{fine} and {ours} radians");
    // What wide regions do to it.
    let wide = wound(5.0, 1.3, Some(0.05), 0.002);
    assert!(wide > 0.4, "{wide} radians");
}

#[test]
fn a_string_that_was_not_stepped_yet_knows_how_far_its_regions_reach() {
    let steel = *Material::find("steel-wire").unwrap();
    let bend = Bend::Stiffness { bend: 2.5, width: Some(0.2) };
    let build = Build { bend, ..Build::straight(DVec3::ZERO, DVec3::X, 40, 0.002, steel) };
    let mut strings = Strings::of(&build).unwrap();
    let before = strings.region_width(0);
    strings.step(strings.settings.longest).unwrap();
    assert!(before > 1 && before == strings.region_width(0), "{before}");
}
