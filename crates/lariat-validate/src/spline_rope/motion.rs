//! Ropes that move: falling, held by hands, swinging; their energy, and how fast errors fall.
//!
//! Tests: `a_rope_of_another_length_swings_otherwise`.

use std::f64::consts::TAU;

use glam::DVec3;
use lariat_core::dynamics::material::{Material, Section};
use lariat_core::dynamics::spline_rope::{Build, Method, Pin, SplineRope};
use lariat_core::num::ops;

use super::super::check::Outcome;
use super::super::reference::measure::simpson;
use super::super::reference::{bessel, period, worst};
use super::{GRAVITY, hemp, ideal, laid, settle};

/// How a rope is thrown, in m/s.
const THROWN: DVec3 = DVec3::new(0.3, -1.0, 4.0);

/// How far a thrown rope is, at worst, from where it should be after `t` seconds if it fell by
/// `fallen` metres.
fn missed(build: &Build, dt: f64, steps: u32, fallen: f64) -> Option<f64> {
    let (from, to) = (DVec3::ZERO, DVec3::new(1.0, 0.5, 2.0));
    let mut rope = laid(from, to, build)?;
    rope.state.velocities.fill(THROWN);
    for _ in 0..steps {
        rope.step(dt).ok()?;
    }
    let gone = THROWN * (dt * f64::from(steps)) + DVec3::NEG_Z * fallen;
    Some(worst((0..=20).map(|i| {
        let u = f64::from(i) / 20.0;
        rope.point(u).distance(from.lerp(to, u) + gone)
    })))
}

/// Free fall, judged by a gravity.
pub(super) fn fall(gravity: f64) -> Option<f64> {
    missed(&Build::new(16, hemp()?), 1.0 / 240.0, 240, 0.5 * gravity)
}

/// Euler's rules are half a step of fall ahead or behind at every step.
pub(super) fn fall_by_euler() -> Option<f64> {
    let (dt, steps) = (1e-3, 1000);
    // Without friction the published step would make much of the least rounding.
    let section = Section { inner_friction: 2e-3, ..ideal(20.0) };
    let rules = [
        (Method::LocalGlobal { rounds: 10 }, 0.5),
        (Method::SemiImplicit, 0.5),
        (Method::Explicit, -0.5),
    ];
    let mut most = Vec::new();
    for (method, ahead) in rules {
        let build = Build { method, ..Build::new(11, section) };
        most.push(missed(&build, dt, steps, GRAVITY * (0.5 + ahead * dt))?);
    }
    Some(worst(most))
}

/// Two hands at the ends, one in the middle that comes and goes, and one that lets go for good:
/// how far any of them is ever from what it holds.
pub(super) fn pins(section: &Section, method: Method, dt: f64) -> Option<f64> {
    let build = Build { method, ..Build::new(24, *section) };
    let mut rope = laid(DVec3::ZERO, DVec3::X * 2.0, &build)?;
    rope.viscosity = 2.0;
    let homes = [0.0, 0.37, 0.8, 1.0].map(|u| (u, DVec3::X * (2.0 * u)));
    rope.pins.extend(homes.map(|(u, home)| Pin::at(u, home)));
    let steps = (2.0 / dt).min(2000.0) as u32;
    let mut most = Vec::new();
    for step in 1..=steps {
        let t = 2.0 * f64::from(step) / f64::from(steps);
        // Slowly enough for the softest of methods, and never further apart than the rope is long.
        for (k, (pin, (_, home))) in rope.pins.iter_mut().zip(&homes).enumerate() {
            let turn = ops::sin(2.0 * t + k as f64);
            let start = ops::sin(k as f64);
            pin.target = *home * (1.0 - 0.1 * t) + DVec3::new(0.0, 0.1, 0.06) * (turn - start);
        }
        rope.pins[1].on = step % 97 > 40;
        rope.pins[2].on = step < steps / 2;
        rope.step(dt).ok()?;
        let held = rope.pins.iter().filter(|pin| pin.on);
        most.push(worst(held.map(|pin| rope.point(pin.u).distance(pin.target))));
    }
    Some(worst(most))
}

pub(super) fn pins_by_other_methods() -> Option<f64> {
    let section = Material::find("rubber")?.at_radius(0.005);
    let mut most = Vec::new();
    for method in [Method::LocalGlobal { rounds: 10 }, Method::SemiImplicit, Method::Explicit] {
        let build = Build { method, ..Build::new(24, section) };
        let mut rope = laid(DVec3::ZERO, DVec3::X * 2.0, &build)?;
        rope.viscosity = 2.0;
        let dt = rope.longest_step().unwrap_or(1e-3).min(1e-3);
        most.push(pins(&section, method, dt)?);
    }
    Some(worst(most))
}

/// Where `J₀` is nought.
const ZEROS: [f64; 3] = [2.404_825_557_695_773, 5.520_078_110_286_311, 8.653_727_912_911_013];

/// How fast a hanging rope of 1 m swings in one of its ways.
pub(super) fn mode_of(number: usize, segments: usize) -> Option<Outcome> {
    let expected = 0.5 * ZEROS[number] * GRAVITY.sqrt();
    Some(Outcome::relative(expected, swings(ZEROS[number], segments, 1.0)?))
}

/// Radians a second of a rope of so many metres that is let go in the shape of `zero`: it hangs,
/// is moved aside by a hundredth of a millimetre as `J₀(zero √(1 − s/L))`, and swings three times.
fn swings(zero: f64, segments: usize, length: f64) -> Option<f64> {
    let build = Build::new(segments + 3, ideal(1e5));
    let mut rope = laid(DVec3::ZERO, DVec3::NEG_Z * length, &build)?;
    rope.pins.push(Pin::at(0.0, DVec3::ZERO));
    settle(&mut rope, 8.0, 0.02, 400)?;
    let height = 1e-5;
    let shape: Vec<DVec3> = (0..=400)
        .map(|i| {
            let u = f64::from(i) / 400.0;
            DVec3::new(height * bessel(zero * (1.0 - u).sqrt()), 0.0, -length * u)
        })
        .collect();
    let aside = SplineRope::along(&shape, &build).ok()?;
    for (q, aside) in rope.state.positions.iter_mut().zip(&aside.state.positions) {
        q.x += aside.x;
    }
    rope.pins[0].target = rope.point(0.0);
    rope.state.velocities.fill(DVec3::ZERO);
    rope.viscosity = 0.0;
    let dt = TAU / (0.5 * zero * (GRAVITY / length).sqrt()) / 500.0;
    let period = period(dt, 2500, || {
        rope.step(dt).ok()?;
        Some(rope.point(1.0).x)
    })?;
    Some(TAU / period)
}

/// What becomes of a swinging rope's energy, as shares of its weight times its length.
pub(super) struct Swing {
    /// Most that it gained from one frame to the next.
    pub(super) rise: f64,
    /// Most that it had above its start.
    pub(super) above: f64,
    /// What was gone after 2 s.
    pub(super) lost: f64,
}

/// A rope with bending stiffness, held at one end and let go aslant.
fn swinging(friction: f64) -> Option<SplineRope> {
    let section = Section { bend: 1e-3, inner_friction: friction, ..ideal(1e5) };
    let mut rope = laid(DVec3::ZERO, DVec3::new(0.5, 0.2, -0.8), &Build::new(20, section))?;
    rope.pins.push(Pin::at(0.0, DVec3::ZERO));
    Some(rope)
}

/// Swings for 2 s, 240 steps a second, and looks at every tenth.
pub(super) fn swing(viscosity: f64, friction: f64) -> Option<Swing> {
    let mut rope = swinging(friction)?;
    rope.viscosity = viscosity;
    let range = rope.mass() * GRAVITY * rope.length();
    let start = rope.energy().total();
    let (mut last, mut swing) = (start, Swing { rise: 0.0, above: 0.0, lost: 0.0 });
    for _ in 0..48 {
        for _ in 0..10 {
            rope.step(1.0 / 240.0).ok()?;
        }
        let now = rope.energy().total();
        swing.rise = worst([swing.rise, (now - last).max(0.0) / range]);
        swing.above = worst([swing.above, (now - start).max(0.0) / range]);
        last = now;
    }
    swing.lost = (start - last).max(0.0) / range;
    Some(swing)
}

/// Reported kinetic and potential energy against integrals along the rope.
pub(super) fn energy_reported() -> Option<f64> {
    let mut rope = swinging(0.0)?;
    let (length, segments) = (rope.length(), rope.basis().segments());
    let per_metre = rope.mass() / length;
    let mut most = Vec::new();
    for _ in 0..20 {
        for _ in 0..12 {
            rope.step(1.0 / 240.0).ok()?;
        }
        // Polynomials within a segment: Simpson's halving settles at once.
        let whole = |f: &dyn Fn(f64) -> f64| -> f64 {
            let at = |j: usize| j as f64 / segments as f64;
            (0..segments).map(|j| simpson(at(j), at(j + 1), 1e-14, f)).sum::<f64>() * length
        };
        let kinetic = whole(&|u| 0.5 * per_metre * rope.velocity(u).length_squared());
        let height = whole(&|u| per_metre * GRAVITY * rope.point(u).z);
        let (reported, range) = (rope.energy(), per_metre * GRAVITY * length * length);
        most.extend([(reported.kinetic - kinetic) / range, (reported.height - height) / range]);
    }
    Some(worst(most))
}

/// Where the tip of a hanging rope is whose upper end a hand has moved there and back for a second.
/// It begins so gently that no wave of stretch runs ahead of the motion: with a jerk, what is
/// compared would be how each step damps those.
pub(super) fn tip(segments: usize, rate: u32) -> Option<DVec3> {
    let build = Build::new(segments + 3, Section { bend: 2e-3, ..ideal(1e4) });
    let mut rope = laid(DVec3::ZERO, DVec3::NEG_Z, &build)?;
    rope.pins.push(Pin::at(0.0, DVec3::ZERO));
    settle(&mut rope, 8.0, 0.02, 400)?;
    rope.viscosity = 0.0;
    for step in 1..=rate {
        let away = 1.0 - ops::cos(6.0 * f64::from(step) / f64::from(rate));
        rope.pins[0].target = DVec3::X * (0.05 * away * away);
        rope.step(1.0 / f64::from(rate)).ok()?;
    }
    Some(rope.point(1.0))
}

/// Where the tip of a rope is that was let go level 0.4 s ago.
fn let_go(build: &Build, rate: u32) -> Option<DVec3> {
    let mut rope = laid(DVec3::ZERO, DVec3::X, build)?;
    rope.pins.push(Pin::at(0.0, DVec3::ZERO));
    for _ in 0..rate * 2 / 5 {
        rope.step(1.0 / f64::from(rate)).ok()?;
    }
    Some(rope.point(1.0))
}

/// How far the tip of a soft rope is from where the implicit step has it, 2,000 times a second.
pub(super) fn apart(method: Method, rate: u32) -> Option<f64> {
    let build = |method| Build { method, ..Build::new(16, ideal(20.0)) };
    let judge = let_go(&build(Method::Implicit), 2000)?;
    Some(let_go(&build(method), rate)?.distance(judge))
}

/// What is left of 1 m/s after a second of viscosity.
pub(super) fn slowed(method: Method) -> Option<Outcome> {
    let build = Build { method, ..Build::new(8, ideal(100.0)) };
    let mut rope = laid(DVec3::ZERO, DVec3::X, &build)?;
    let (c, steps) = (1.5, 1000);
    (rope.gravity, rope.viscosity) = (DVec3::ZERO, c);
    rope.state.velocities.fill(DVec3::Y);
    for _ in 0..steps {
        rope.step(1.0 / f64::from(steps)).ok()?;
    }
    let reference = match method {
        Method::Implicit => ops::exp(-c),
        _ => ops::pow(1.0 - c / f64::from(steps), f64::from(steps)),
    };
    Some(Outcome::relative(reference, rope.velocity(0.5).y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rope_of_another_length_swings_otherwise() {
        let (one, longer) =
            (swings(ZEROS[0], 20, 1.0).unwrap(), swings(ZEROS[0], 20, 1.1).unwrap());
        assert!((one / longer / 1.1_f64.sqrt() - 1.0).abs() < 1e-3, "{one} {longer}");
        assert!(
            bessel(ZEROS[0]).abs() < 1e-15 && (bessel(1.0) - 0.765_197_686_557_966_6).abs() < 1e-15
        );
    }
}
