//! Twist, spin and frames.

use std::f64::consts::PI;

use super::super::add::Dice;
use super::super::batches::Rows;
use super::super::frames;
use super::super::twist::twist_force;
use super::*;
use lariat_core::num::ops;

/// A straight string that is held everywhere but free to turn.
fn held(segments: usize, build: impl FnOnce(&mut Build)) -> Strings {
    let mut plan = Build::straight(DVec3::ZERO, DVec3::X, segments, 0.004, rubber());
    plan.bend = Bend::Limp;
    plan.tears = false;
    build(&mut plan);
    let mut strings = Strings::of(&plan).unwrap();
    strings.settings.contact = false;
    for (i, x) in plan.points.iter().enumerate() {
        strings.clamps.push(Clamp::at(i, *x));
    }
    strings
}

fn twists(strings: &Strings) -> Vec<f64> {
    strings.state.spans[0].joints().map(|j| strings.twist_at(j)).collect()
}

#[test]
fn twist_spreads_evenly_and_by_stiffness() {
    let mut strings = held(30, |_| ());
    strings.clamps[0].turn = Some(Turn::Angle(0.0));
    strings.clamps[30].turn = Some(Turn::Angle(3.0));
    strings.spin_viscosity = 50.0;
    run(&mut strings, 3.0, 0.01);
    for twist in twists(&strings) {
        assert!((twist * 29.0 / 3.0 - 1.0).abs() < 1e-6, "{twist}");
    }
    let thick = vec![(0.3333, 1.0), (0.3334, 4.0), (0.6666, 4.0), (0.6667, 1.0)];
    let mut strings = held(30, |build| build.twist_along = thick);
    strings.clamps[0].turn = Some(Turn::Angle(0.0));
    strings.clamps[30].turn = Some(Turn::Angle(3.0));
    strings.spin_viscosity = 50.0;
    run(&mut strings, 3.0, 0.01);
    let twist = twists(&strings);
    let (outer, inner) = (twist[4], twist[14]);
    assert!((outer / inner - 4.0).abs() < 1e-4, "{outer} : {inner}");
    for (j, twist) in twist.iter().enumerate() {
        // All torques are one.
        let torque = strings.twist_stiffness(j + 1) * twist;
        let known = strings.twist_stiffness(5) * outer;
        assert!((torque / known - 1.0).abs() < 1e-4, "{j}: {torque} for {known}");
    }
    assert!((strings.state.torques[5] / (strings.twist_stiffness(5) * outer) - 1.0).abs() < 1e-9);
}

#[test]
fn a_body_on_a_string_swings_with_its_period() {
    let mut strings = held(20, |build| build.material.inner_friction = 0.0);
    let body = 4e-5;
    strings.add_inertia(19, body);
    strings.clamps[0].turn = Some(Turn::Angle(0.0));
    for i in 0..20 {
        strings.state.angles[i] = 0.1 * i as f64;
    }
    // From the middle of the first segment to that of the last.
    let gives: f64 = (1..20).map(|j| 1.0 / strings.twist_stiffness(j)).sum();
    let string: f64 = strings.parts.inertia[..19].iter().sum();
    assert!(string < 0.05 * body);
    let known = 2.0 * PI * ((body + string / 3.0) * gives).sqrt();
    assert!(known > 0.3, "{known}");
    let (dt, mut crossings, mut before) = (0.01, Vec::new(), 1.9);
    let mut most = 0.0_f64;
    for step in 0..(20.0 * known / dt) as u32 {
        strings.step(dt).unwrap();
        let now = strings.state.angles[19];
        if before > 0.0 && now <= 0.0 {
            crossings.push(dt * (f64::from(step) + before / (before - now)));
        }
        if f64::from(step) * dt > 10.0 * known {
            most = most.max(now);
        }
        before = now;
    }
    let spans = crossings.len() - 1;
    let period = (crossings[spans] - crossings[0]) / spans as f64;
    assert!((period / known - 1.0).abs() < 0.01, "{period} for {known}");
    // After ten periods it still swings nearly as far.
    assert!(most > 1.7 && most < 1.91, "{most}");
}

#[test]
fn a_clamp_holds_against_the_torque_of_a_twisted_string() {
    let mut strings = held(30, |_| ());
    strings.clamps[0].turn = Some(Turn::Angle(0.0));
    strings.clamps[30].turn = Some(Turn::Angle(3.0));
    strings.spin_viscosity = 50.0;
    run(&mut strings, 3.0, 0.01);
    // GJ over the length between the middles of the two segments.
    let r: f64 = 0.004;
    let known = rubber().shear_modulus * 0.5 * PI * r * r * r * r * 3.0 / (29.0 / 30.0);
    let [first, last] = [0, 30].map(|k| strings.grip(&strings.clamps[k]).torque);
    assert!((last / known - 1.0).abs() < 1e-4, "{last} for {known}");
    assert!((first + last).abs() < 1e-6 * known, "{first} {last}");
    assert_eq!(strings.grip(&strings.clamps[7]).torque, 0.0);
}

/// A crooked string with twist in it.
fn crooked() -> Strings {
    let mut dice = Dice(8);
    let points: Vec<DVec3> = (0..9)
        .map(|i| {
            let off = DVec3::new(dice.unit(), dice.unit(), dice.unit());
            DVec3::X * f64::from(i) + off * 1.2
        })
        .collect();
    let mut strings = Strings::of(&Build::new(points, 0.01, rubber())).unwrap();
    for i in 0..8 {
        strings.state.angles[i] = dice.unit() * 3.0;
    }
    strings
}

/// What twist does at a joint of two segments.
fn force_of(before: DVec3, after: DVec3, torque: f64) -> [DVec3; 3] {
    let both = [before, after];
    twist_force(both.map(|d| d.normalize_or(DVec3::X)), both.map(|d| 1.0 / d.length()), torque)
}

#[test]
fn the_force_of_twist_vs_differences_of_energy() {
    let strings = crooked();
    let x = strings.state.positions.clone();
    let mut forces = [DVec3::ZERO; 9];
    let mut turned = DVec3::ZERO;
    for j in 1..8 {
        let torque = strings.twist_stiffness(j) * strings.twist_at(j);
        let three = force_of(x[j] - x[j - 1], x[j + 1] - x[j], torque);
        for (k, force) in three.iter().enumerate() {
            forces[j - 1 + k] += *force;
        }
        // The segment behind is turned on by it, the one ahead held back.
        turned += (strings.state.tangents[j - 1] - strings.state.tangents[j]) * torque;
    }
    let size = forces[3].length();
    let energy = |i: usize, by: DVec3| {
        let mut moved = strings.clone();
        moved.state.positions[i] += by;
        let span = moved.state.spans[0];
        frames::carry(&mut Rows::lend(&mut moved.state).1, &span);
        moved.energy().twist
    };
    let h = 1e-5;
    for (i, force) in forces.iter().enumerate() {
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let slope = (energy(i, axis * h) - energy(i, -axis * h)) / (2.0 * h);
            let miss = (slope + force.dot(axis)).abs() / size;
            assert!(miss < 1e-7, "{i} {axis}: {miss:e}");
        }
    }
    let sum: DVec3 = forces.iter().sum();
    assert!(sum.length() < 1e-15 * size.max(1e-300) * 100.0);
    let torque: DVec3 = x.iter().zip(&forces).map(|(x, f)| x.cross(*f)).sum();
    assert!((torque + turned).length() < 1e-12 * size, "{torque} {turned}");
}

#[test]
fn the_force_of_twist_has_a_bound_where_a_string_folds() {
    for nearly in [1e-3, 1e-9, 0.0] {
        let forces = force_of(DVec3::X, DVec3::new(-1.0, nearly, 0.0), 1.0);
        assert!(forces.iter().all(|f| f.is_finite() && f.length() < 20.0));
    }
}

/// How far sides have turned when tangents of a straight string have gone to a cone.
fn turned_by_cone(half_angle: f64) -> f64 {
    let n = 200;
    let mut strings =
        Strings::of(&Build::straight(DVec3::ZERO, DVec3::X, n, 0.001, rubber())).unwrap();
    let steps = 200;
    for step in 1..=steps {
        let (s, c) = ops::sin_cos(half_angle * f64::from(step) / f64::from(steps));
        let mut x = DVec3::ZERO;
        for i in 0..=n {
            strings.state.positions[i] = x;
            let (sin, cos) = ops::sin_cos(2.0 * PI * i as f64 / (n - 1) as f64);
            x += DVec3::new(c, s * cos, s * sin) / n as f64;
        }
        let span = strings.state.spans[0];
        frames::carry(&mut Rows::lend(&mut strings.state).1, &span);
    }
    strings.state.turns.iter().sum()
}

#[test]
fn a_cone_of_tangents_turns_by_its_solid_angle() {
    for half_angle in [0.4, 1.0, 1.4] {
        let turned = turned_by_cone(half_angle).abs();
        let known = 2.0 * PI * (1.0 - ops::cos(half_angle));
        assert!((turned - known).abs() < 2e-3, "{turned} for {known}");
    }
}

#[test]
fn a_full_loop_is_one_turn() {
    let turned = turned_by_cone(0.5 * PI).abs() / (2.0 * PI);
    assert!((turned - 1.0).abs() < 1e-3, "{turned}");
    // And on: no jump on the way beyond a half.
    let turned = turned_by_cone(0.9 * PI).abs() / (2.0 * PI);
    let known = 1.0 - ops::cos(0.9 * PI);
    assert!((turned - known).abs() < 2e-3, "{turned} for {known}");
}

#[test]
fn a_joint_that_folds_over_is_not_twisted_by_it() {
    for off in [0.05, -0.05, 1e-3] {
        let points = line(DVec3::ZERO, DVec3::X * 2.0, 2);
        let mut strings = Strings::of(&Build::new(points, 0.001, rubber())).unwrap();
        for degree in 1..=270 {
            // Round and over, a little beside itself.
            let (sin, cos) = ops::sin_cos(ops::radians(f64::from(degree)));
            let along = DVec3::new(cos, sin, off).normalize_or(DVec3::X);
            strings.state.positions[2] = strings.state.positions[1] + along;
            let span = strings.state.spans[0];
            frames::carry(&mut Rows::lend(&mut strings.state).1, &span);
        }
        let twist = strings.twist_at(1);
        assert!(twist.abs() < 1.0, "{twist} radians, {off} beside itself");
    }
}

#[test]
fn a_twisted_string_buckles_and_an_untwisted_one_does_not() {
    let reach = [0.0, 8.0].map(|turns| {
        let mut build = Build::straight(DVec3::ZERO, DVec3::X, 40, 0.004, rubber());
        build.bend = Bend::Stiffness { bend: 2e-5, width: Some(0.025) };
        build.tears = false;
        build.material.inner_friction = 0.01;
        // A trace of a bow, so that it need not choose.
        for (i, x) in build.points.iter_mut().enumerate() {
            x.y = 1e-3 * ops::sin(PI * i as f64 / 40.0);
        }
        let ends: Vec<DVec3> = build.points.clone();
        let mut strings = Strings::of(&build).unwrap();
        strings.gravity = DVec3::ZERO;
        strings.viscosity = 1.0;
        strings.spin_viscosity = 20.0;
        for i in [0, 1, 39, 40] {
            strings.clamps.push(Clamp::at(i, ends[i]));
        }
        strings.clamps[0].turn = Some(Turn::Angle(0.0));
        let mut far = 0.0_f64;
        for step in 0..200 {
            let t = f64::from(step) / 100.0;
            let near = DVec3::X * (0.15 * t.min(1.0));
            strings.clamps[2].target = ends[39] - near;
            strings.clamps[3].target = ends[40] - near;
            strings.clamps[3].turn = Some(Turn::Angle(2.0 * PI * turns * t.min(1.0)));
            strings.step(0.01).unwrap();
        }
        for x in &strings.state.positions {
            far = far.max(x.z.abs());
        }
        far
    });
    assert!(reach[0] < 1e-6, "flat without twist: {reach:?}");
    assert!(reach[1] > 0.02, "out of its plane with twist: {reach:?}");
}
