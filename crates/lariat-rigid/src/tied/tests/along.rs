//! Strings that are moved from outside: what they know of each other afterwards.

use lariat_string::{Serial, Strings};

use super::*;

/// A segment of string between two heavy balls, and another one across its way, which is held.
fn crossing() -> Tied {
    let mut tied = Tied::new();
    tied.strings.gravity = DVec3::ZERO;
    tied.solids.gravity = DVec3::ZERO;
    for (from, to) in [
        (DVec3::new(-0.1, 0.0, 0.0), DVec3::new(0.1, 0.0, 0.0)),
        (DVec3::new(0.003, 0.04, -0.1), DVec3::new(0.003, 0.04, 0.1)),
    ] {
        let mut build = Build::straight(from, to, 1, 0.002, material("hemp"));
        build.bend = Bend::Limp;
        build.tears = false;
        tied.strings.add(&build).unwrap();
    }
    for i in [2, 3] {
        let place = tied.strings.state.positions[i];
        tied.strings.clamps.push(Clamp::at(i, place));
    }
    for x in [-0.1, 0.1] {
        tied.solids.solids.push(ball(DVec3::X * (1.2 * x), 0.02, 1000.0));
    }
    tied.tie(0, 0, false);
    tied.tie(1, 1, false);
    tied
}

#[test]
fn what_solids_take_along_touches_other_strings() {
    // Somebody puts the balls a millimetre further in every step, at rest: all of the way is that of ties.
    let mut tied = crossing();
    for step in 0..46 {
        let y = 0.001 * f64::from(step);
        for solid in &mut tied.solids.solids {
            solid.position.y = y;
            solid.velocity = DVec3::ZERO;
        }
        tied.step(DT).unwrap();
        let x = &tied.strings.state.positions;
        let found = x[0].lerp(x[1], 0.515).y;
        assert!(y > 0.036 || found > y - 1e-6, "too early: {found} m for {y} m");
        assert!(found < 0.0361, "through the other one: {found} m for {y} m");
    }
}

#[test]
fn a_segment_of_no_length_does_not_hold_the_others_back() {
    // The last of ten is pushed together to a thousandth of a millimetre; somebody pushes the middle of the string aside.
    let push = |collapsed: f64| {
        let mut build = Build::straight(DVec3::ZERO, DVec3::X, 10, 0.002, material("hemp"));
        build.bend = Bend::Limp;
        let mut strings = Strings::of(&build).unwrap();
        strings.gravity = DVec3::ZERO;
        strings.step_with(1e-3, &Serial).unwrap();
        if collapsed > 0.0 {
            strings.state.positions[10] = strings.state.positions[9] + DVec3::Z * collapsed;
        }
        strings.mark(0);
        let aside = strings.state.positions[5] + DVec3::Y * 0.01;
        strings.carry(5, aside, DVec3::ZERO);
        strings.pass_on(0, 1e-3);
        strings.settle(0);
        strings.state.positions[5].y
    };
    let whole = push(0.0);
    assert!(whole > 5e-3, "{whole} m");
    for collapsed in [1e-6, 1e-10, 1e-12] {
        let found = push(collapsed);
        assert!((found / whole - 1.0).abs() < 0.01, "{collapsed}: {found} m for {whole} m");
    }
}

#[test]
fn a_checkpoint_is_not_read_with_what_was_known_before() {
    // Strings that were apart are set to a moment in which they touch.
    let mut numbers = Vec::new();
    let mut touching = crossing();
    for solid in &mut touching.solids.solids {
        solid.position.y = 0.037;
    }
    touching.to_numbers(&mut numbers);
    let mut apart = crossing();
    apart.step(DT).unwrap();
    apart.set_numbers(&numbers).unwrap();
    apart.step(DT).unwrap();
    let x = &apart.strings.state.positions;
    let found = x[0].lerp(x[1], 0.515).y;
    assert!(found < 0.0361, "through the other one: {found} m");
}
