//! Strings that fold over at their knots.

use super::*;

#[test]
fn a_box_that_tumbles_over_does_not_wind_its_string() {
    // Turned over its own long side, past the string, and on: whichever side it passes by.
    for aside in [-0.01, -0.003, 0.003, 0.01] {
        let mut tied = Tied::new();
        tied.meets = false;
        let end = hang(&mut tied, DVec3::ZERO, DVec3::Z * -0.6, 15, material("hemp"));
        let mut bar = cuboid(DVec3::Z * -0.64, DVec3::new(0.2, 0.03, 0.04), 0.3);
        bar.spin = DVec3::new(60.0, 60.0 * aside, 0.0);
        tied.solids.solids.push(bar);
        tied.tie(end, 0, true);
        let (mut lowest, mut most) = (1.0_f64, 0.0_f64);
        for _ in 0..60 {
            tied.step(DT).unwrap();
            lowest = lowest.min((tied.solids.solids[0].rotation * DVec3::Z).z);
            // What a joint is twisted by is what the bar turns about the string, not a turn at once: 6.28
            // rad. How much that is depends on how it tumbles: 0.4 to 1.4 with parts of 1/240 to 1/3840 s.
            let twist = (1..end).map(|j| tied.strings.twist_at(j).abs()).fold(0.0, f64::max);
            most = most.max(twist);
        }
        assert!(lowest < -0.9, "{aside}: it has tumbled over: {lowest}");
        assert!(most < 2.0, "{aside}: {most} rad at one joint");
    }
}

#[test]
fn a_slack_end_that_swings_past_its_fold_is_not_wound() {
    // A heavy block in free space holds the end of a string, the other end of which is led around it,
    // past the direction opposite to the one in which it was tied, and back, three times; slowly, or
    // so fast that the end is past the fold within a step. Wound whenever it passes, it would have six turns
    // in the end; a whip of sixty metres a second that passes well aside has one and a half of its own.
    for (seconds, aside, bound) in [
        (1.5, 0.004, 1.0),
        (1.5, -0.03, 1.0),
        (0.2, 0.004, 1.0),
        (0.2, -0.03, 1.0),
        (0.1, 0.1, 2.0),
    ] {
        let mut tied = Tied::new();
        tied.meets = false;
        tied.strings.gravity = DVec3::ZERO;
        tied.solids.gravity = DVec3::ZERO;
        let end = hang(&mut tied, DVec3::Z * 0.3, DVec3::ZERO, 12, material("hemp"));
        tied.solids.solids.push(cuboid(DVec3::Z * -0.1, DVec3::splat(0.1), 1000.0));
        tied.tie(end, 0, true);
        let (turns, steps) = (3.0, (3.0 * seconds * 240.0_f64).round());
        let mut most = 0.0_f64;
        for step in 0..steps as u32 {
            let angle = turns * std::f64::consts::TAU * f64::from(step + 1) / steps;
            // To and fro over the fold: up to 189 degrees from where it was tied, so 9 past it, either way.
            let (sin, cos) = ops::sin_cos(ops::sin(angle) * 3.3);
            tied.strings.clamps[0].target = DVec3::new(aside, 0.28 * sin, 0.28 * cos);
            tied.step(1.0 / 240.0).unwrap();
            let all: f64 = (1..end).map(|j| tied.strings.twist_at(j)).sum();
            most = most.max(all.abs() / std::f64::consts::TAU);
        }
        assert!(most < bound, "{seconds} s, {aside} m aside: {most} turns");
    }
}
