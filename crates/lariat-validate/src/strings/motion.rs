//! Strings in motion: falling, swinging, keeping momentum, recoiling.
//!
//! Tests: `a_tip_elsewhere_would_be_seen`, `a_push_would_be_seen`.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::dynamics::material::Material;
use lariat_string::{Bend, Build, Clamp, Strings, Twist};

use super::super::check::Outcome;
use super::super::reference::dice::Dice;
use super::super::reference::{bessel, period, worst};
use super::{GRAVITY, chain, line, rubber, run};

/// Position of the tip of a rope of 1 m, 0.4 s after it was released horizontally. Computed as 100
/// rigid links with their mass at the joints (half of it at the tip), as angles, by the Runge-Kutta
/// rule of fourth order with 5,000 steps per second. Half as many steps give the same eight digits;
/// 200 links give 0.46740.
const TIP: DVec3 = DVec3::new(0.467_510_71, 0.0, -0.784_800_0);

/// Error of the tip, in metres.
pub(super) fn tip(dt: f64) -> Option<f64> {
    let n = 100;
    let mut strings = chain(line(DVec3::ZERO, DVec3::X, n))?;
    run(&mut strings, 0.4, dt)?;
    Some(strings.state.positions[n].distance(TIP))
}

/// Momentum and angular momentum, from positions, velocities and spins; `inertia` is that of a
/// segment.
pub(super) fn moved(
    strings: &Strings,
    mass: impl Fn(usize) -> f64,
    inertia: f64,
) -> (DVec3, DVec3) {
    let state = &strings.state;
    let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
    for (i, (x, v)) in state.positions.iter().zip(&state.velocities).enumerate() {
        linear += *v * mass(i);
        angular += x.cross(*v * mass(i));
    }
    for (pair, spin) in state.positions.windows(2).zip(&state.spins) {
        angular += (pair[1] - pair[0]).normalize_or_zero() * (inertia * spin);
    }
    (linear, angular)
}

/// Worst change of momentum and of angular momentum in 60 steps, with an external force of `push`
/// newtons.
fn change(push: f64) -> Option<(f64, f64)> {
    let mut dice = Dice::new(5);
    let mut random = move || DVec3::from_array([(); 3].map(|()| dice.between(-0.5, 0.5)));
    let (n, r, material) = (40, 0.003, rubber()?);
    let points = line(DVec3::ZERO, DVec3::new(0.2, 0.9, 0.4), n);
    let mut build = Build::new(points, r, material);
    build.variation = 0.0;
    let mut strings = Strings::of(&build).ok()?;
    strings.gravity = DVec3::X * push;
    (strings.settings.contact, strings.settings.tolerance) = (false, 1e-21);
    let mut scale = [0.0; 2];
    for i in 0..=n {
        let v = random() * 2.0 + DVec3::new(1.0, 2.0, 3.0);
        strings.state.velocities[i] = v;
        scale[0] += strings.mass(i) * v.length();
        scale[1] += strings.mass(i) * v.length() * strings.state.positions[i].length().max(1.0);
    }
    for i in 0..n {
        strings.state.spins[i] = 400.0 + 100.0 * random().x;
        strings.state.angles[i] = random().y;
    }
    let length = strings.state.rests[0];
    let inertia = 0.5 * material.density * PI * r * r * length * r * r;
    let (mut linear, mut angular) = (0.0, 0.0);
    for _ in 0..60 {
        let before = moved(&strings, |i| strings.mass(i), inertia);
        strings.step(0.002).ok()?;
        let after = moved(&strings, |i| strings.mass(i), inertia);
        linear = worst([linear, (after.0 - before.0).length() / scale[0]]);
        angular = worst([angular, (after.1 - before.1).length() / scale[1]]);
    }
    Some((linear, angular))
}

/// Worst change in free flight.
pub(super) fn kept() -> Option<(f64, f64)> {
    change(0.0)
}

/// Frequency of a hanging string that starts in the shape of its first mode.
pub(super) fn first_mode() -> Option<Outcome> {
    let (n, length) = (60, 1.5);
    let root = 2.404_825_557_695_773;
    let points = (0..=n)
        .map(|i| {
            let above = length * (1.0 - f64::from(i) / f64::from(n));
            let off = 0.01 * bessel(root * (above / length).sqrt());
            DVec3::new(off, 0.0, above - length)
        })
        .collect();
    let mut strings = chain(points)?;
    let period = period(0.005, 2000, || {
        strings.step(0.005).ok()?;
        Some(strings.state.positions[60].x)
    })?;
    Some(Outcome::relative(0.5 * root * (GRAVITY / length).sqrt(), 2.0 * PI / period))
}

/// Speed at which the end of a stretched string recoils.
pub(super) fn recoil() -> Option<Outcome> {
    let material = Material { density: 1000.0, modulus: 1e6, inner_friction: 0.0, ..rubber()? };
    let mut build = Build::straight(DVec3::ZERO, DVec3::X * 1.02, 100, 0.003, material);
    (build.length, build.bend, build.twist) = (Some(1.0), Bend::Limp, Twist::Free);
    let mut strings = Strings::of(&build).ok()?;
    strings.gravity = DVec3::ZERO;
    strings.settings.contact = false;
    strings.clamps.extend([Clamp::at(0, DVec3::ZERO), Clamp::at(100, DVec3::X * 1.02)]);
    run(&mut strings, 0.01, 1e-4)?;
    strings.clamps[1].on = false;
    run(&mut strings, 0.015, 1e-4)?;
    let known = 0.02 * (1e6_f64 / 1000.0).sqrt();
    Some(Outcome::relative(known, -strings.state.velocities[95].x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tip_elsewhere_would_be_seen() {
        // A chain that falls freely is not one that is held.
        let mut strings = chain(line(DVec3::ZERO, DVec3::X, 100)).unwrap();
        strings.clamps.clear();
        run(&mut strings, 0.4, 0.01).unwrap();
        assert!(strings.state.positions[100].distance(TIP) > 0.5);
    }

    #[test]
    fn a_push_would_be_seen() {
        assert!(change(1e-8).unwrap().0 > 1e-12);
    }
}
