//! Twist, spin and frames.

use std::f64::consts::PI;

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
    // From the inner ends of the two segments that are held and turned.
    for (k, twist) in twists(&strings).into_iter().enumerate() {
        let share = if k == 0 || k == 28 { 0.5 } else { 1.0 };
        assert!((twist * 28.0 / (3.0 * share) - 1.0).abs() < 1e-6, "{k}: {twist}");
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
    for (j, twist) in twist.iter().enumerate().skip(1).take(27) {
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
    // From the inner end of the held segment to the far end of the last, on which the body is.
    let gives = 19.0 * 0.05 / strings.parts.torsion[0];
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
    // GJ over the length between the inner ends of the two segments.
    let r: f64 = 0.004;
    let known = rubber().shear_modulus * 0.5 * PI * r * r * r * r * 3.0 / (28.0 / 30.0);
    let [first, last] = [0, 30].map(|k| strings.grip(&strings.clamps[k]).torque);
    assert!((last / known - 1.0).abs() < 1e-4, "{last} for {known}");
    assert!((first + last).abs() < 1e-6 * known, "{first} {last}");
    assert_eq!(strings.grip(&strings.clamps[7]).torque, 0.0);
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
