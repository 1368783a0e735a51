//! Twisted strings: distribution of twist, torsional period, and the twist of a loop.
//!
//! Tests: `an_uneven_string_is_not_even`.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::num::ops;
use lariat_string::{Bend, Build, Clamp, Strings, Turn};

use super::super::check::Outcome;
use super::super::reference::{period, worst};
use super::{rubber, run, torsional_period};

/// A straight string that is held everywhere but free to turn.
fn held(segments: usize, change: impl FnOnce(&mut Build)) -> Option<Strings> {
    let mut build = Build::straight(DVec3::ZERO, DVec3::X, segments, 0.004, rubber()?);
    (build.bend, build.tears) = (Bend::Limp, false);
    change(&mut build);
    let mut strings = Strings::of(&build).ok()?;
    strings.settings.contact = false;
    for (i, x) in build.points.iter().enumerate() {
        strings.clamps.push(Clamp::at(i, *x));
    }
    strings.clamps[0].turn = Some(Turn::Angle(0.0));
    Some(strings)
}

/// Twist of all joints between ends that are turned by 3 radians; `factors` of stiffness in thirds.
fn spread(factors: &[f64; 3]) -> Option<Vec<f64>> {
    let [a, b, c] = *factors;
    let along = vec![(0.3333, a), (0.3334, b), (0.6666, b), (0.6667, c)];
    let mut strings = held(30, |build| build.twist_along = along)?;
    strings.clamps[30].turn = Some(Turn::Angle(3.0));
    strings.spin_viscosity = 50.0;
    run(&mut strings, 3.0, 0.01)?;
    Some((1..30).map(|j| strings.state.angles[j] - strings.state.angles[j - 1]).collect())
}

/// Worst deviation of a joint from a uniform torque: a joint yields like its two halves in series.
pub(super) fn profile(factors: &[f64; 3]) -> Option<f64> {
    let give = |segment: usize| 1.0 / factors[segment / 10];
    let gives: Vec<f64> = (1..30).map(|j| 0.5 * (give(j - 1) + give(j))).collect();
    let total: f64 = gives.iter().sum();
    let ours = spread(factors)?;
    Some(worst(ours.iter().zip(&gives).map(|(twist, give)| twist / (3.0 * give / total) - 1.0)))
}

/// Torsional period of a body that hangs on a string.
pub(super) fn pendulum() -> Option<Outcome> {
    let material = rubber()?;
    let (n, body, r) = (20, 4e-5, 0.004_f64);
    let mut strings = held(n, |build| {
        build.material.inner_friction = 0.0;
        build.variation = 0.0;
    })?;
    strings.add_inertia(n - 1, body);
    for i in 0..n {
        strings.state.angles[i] = 0.1 * i as f64;
    }
    let known = torsional_period(&material, r, (n - 1) as f64 / n as f64, body);
    let dt = 0.01;
    let ours = period(dt, (20.0 * known / dt) as u32, || {
        strings.step(dt).ok()?;
        Some(strings.state.angles[n - 1])
    })?;
    Some(Outcome::relative(known, ours))
}

/// A straight string whose tangents are moved to a cone and on to a circle: rotation of its last
/// segment about its axis relative to the first, in turns.
pub(super) fn one_loop() -> Option<Outcome> {
    let n = 200;
    let mut build = Build::straight(DVec3::ZERO, DVec3::X, n, 0.001, rubber()?);
    (build.bend, build.tears) = (Bend::Limp, false);
    let mut strings = Strings::of(&build).ok()?;
    strings.settings.contact = false;
    strings.gravity = DVec3::ZERO;
    strings.clamps = build.points.iter().enumerate().map(|(i, x)| Clamp::at(i, *x)).collect();
    strings.spin_viscosity = 50.0;
    let steps = 200;
    for step in 1..=steps {
        let (s, c) = ops::sin_cos(0.5 * PI * f64::from(step) / f64::from(steps));
        let mut x = DVec3::ZERO;
        for i in 0..=n {
            strings.clamps[i].target = x;
            let (sin, cos) = ops::sin_cos(2.0 * PI * i as f64 / (n - 1) as f64);
            x += DVec3::new(c, s * cos, s * sin) / n as f64;
        }
        strings.step(0.01).ok()?;
    }
    // A free string has no twist, so its angles compensate the rotation of its sides.
    run(&mut strings, 2.0, 0.01)?;
    let turned = strings.state.angles[0] - strings.state.angles[n - 1];
    Some(Outcome::absolute(1.0, turned.abs() / (2.0 * PI)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_uneven_string_is_not_even() {
        let twists = spread(&[1.0, 4.0, 1.0]).unwrap();
        assert!((twists[4] / twists[14] - 4.0).abs() < 1e-3);
    }
}
