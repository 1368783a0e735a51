//! Moving ropes: falling, pinned, swinging; their energy, and orders of convergence.
//!
//! Tests: `a_longer_rope_swings_more_slowly`.

use std::f64::consts::TAU;

use glam::DVec3;
use lariat_core::dynamics::material::Section;
use lariat_core::dynamics::spline_rope::{Build, Pin, SplineRope};
use lariat_core::num::ops;
use lariat_papers::tuzel::{self, Step};

use super::super::check::Outcome;
use super::super::reference::measure::simpson;
use super::super::reference::{bessel, period, worst};
use super::{GRAVITY, hemp, ideal, laid, published, settle};

/// Initial velocity of a thrown rope, in m/s.
const THROWN: DVec3 = DVec3::new(0.3, -1.0, 4.0);

/// Ends of a thrown rope at its start.
const LINE: [DVec3; 2] = [DVec3::ZERO, DVec3::new(1.0, 0.5, 2.0)];

/// Largest distance of a thrown rope from its exact position after `t` seconds and a fall of `fallen`
/// metres.
fn missed(point: impl Fn(f64) -> DVec3, t: f64, fallen: f64) -> f64 {
    let gone = THROWN * t + DVec3::NEG_Z * fallen;
    worst((0..=20).map(|i| {
        let u = f64::from(i) / 20.0;
        point(u).distance(LINE[0].lerp(LINE[1], u) + gone)
    }))
}

/// Error of free fall for an assumed gravity.
pub(super) fn fall(gravity: f64) -> Option<f64> {
    let mut rope = laid(LINE[0], LINE[1], &Build::new(16, hemp()?))?;
    rope.state.velocities.fill(THROWN);
    for _ in 0..240 {
        rope.step(1.0 / 240.0).ok()?;
    }
    Some(missed(|u| rope.point(u), 1.0, 0.5 * gravity))
}

/// Error of free fall by Euler's methods, which are half a step of fall ahead or behind.
pub(super) fn fall_by_euler() -> Option<f64> {
    let (dt, steps) = (1e-3, 1000);
    // Without friction the explicit step would amplify rounding errors.
    let section = Section { inner_friction: 2e-3, ..ideal(20.0) };
    let mut most = Vec::new();
    for (step, ahead) in [(Step::SemiImplicit, 0.5), (Step::Explicit, -0.5)] {
        let build = tuzel::Build { step, ..tuzel::Build::published(section) };
        let mut rope = published(LINE[0], LINE[1], &build)?;
        rope.state.velocities.fill(THROWN);
        for _ in 0..steps {
            rope.step(dt).ok()?;
        }
        most.push(missed(|u| rope.point(u), 1.0, GRAVITY * (0.5 + ahead * dt)));
    }
    Some(worst(most))
}

/// Two pins at the ends, one that is switched on and off, and one that is released halfway: largest
/// distance of a pin from the place it holds.
pub(super) fn pins(section: &Section, dt: f64) -> Option<f64> {
    let build = Build::new(24, *section);
    let mut rope = laid(DVec3::ZERO, DVec3::X * 2.0, &build)?;
    rope.viscosity = 2.0;
    let homes = [0.0, 0.37, 0.8, 1.0].map(|u| (u, DVec3::X * (2.0 * u)));
    rope.pins.extend(homes.map(|(u, home)| Pin::at(u, home)));
    let steps = (2.0 / dt).min(2000.0) as u32;
    let mut most = Vec::new();
    for step in 1..=steps {
        let t = 2.0 * f64::from(step) / f64::from(steps);
        // Slow enough for all methods, and never further apart than the length of the rope.
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

/// Zeros of `J₀`.
const ZEROS: [f64; 3] = [2.404_825_557_695_773, 5.520_078_110_286_311, 8.653_727_912_911_013];

/// Natural frequency of a hanging rope of 1 m, by 500 steps per period.
pub(super) fn mode_of(number: usize, segments: usize) -> Option<Outcome> {
    mode_by_steps(number, segments, 500)
}

/// Natural frequency of a hanging rope of 1 m.
pub(super) fn mode_by_steps(number: usize, segments: usize, steps: u32) -> Option<Outcome> {
    let expected = 0.5 * ZEROS[number] * GRAVITY.sqrt();
    Some(Outcome::relative(expected, swings(ZEROS[number], segments, 1.0, steps)?))
}

/// Natural frequency of a hanging rope in rad/s, measured over three periods. The rope is released
/// from a displacement of a hundredth of a millimetre times `J₀(zero √(1 − s/L))`.
fn swings(zero: f64, segments: usize, length: f64, steps: u32) -> Option<f64> {
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
    let dt = TAU / (0.5 * zero * (GRAVITY / length).sqrt()) / f64::from(steps);
    let period = period(dt, 5 * steps, || {
        rope.step(dt).ok()?;
        Some(rope.point(1.0).x)
    })?;
    Some(TAU / period)
}

/// Changes of the energy of a swinging rope, relative to its weight times its length.
pub(super) struct Swing {
    /// Largest gain from one frame to the next.
    pub(super) rise: f64,
    /// Largest excess over the initial energy.
    pub(super) above: f64,
    /// Energy lost after 2 s.
    pub(super) lost: f64,
}

/// A rope with bending stiffness, held at one end and released at an angle.
fn swinging(friction: f64) -> Option<SplineRope> {
    let section = Section { bend: 1e-3, inner_friction: friction, ..ideal(1e5) };
    let mut rope = laid(DVec3::ZERO, DVec3::new(0.5, 0.2, -0.8), &Build::new(20, section))?;
    rope.pins.push(Pin::at(0.0, DVec3::ZERO));
    Some(rope)
}

/// Swings for 2 s with 240 steps per second; the energy is measured every ten steps.
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

/// Tip of a hanging rope whose upper end is moved back and forth for a second. The motion starts so
/// gently that it excites no longitudinal waves; otherwise the comparison would measure how each step
/// damps those.
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

/// Distance between the tips of our rope and that of the paper, half a second after both were set
/// swinging. Only tension, from their weight, restores them sideways.
pub(super) fn beside_published() -> Option<f64> {
    let section = ideal(2000.0);
    let (from, to) = (DVec3::ZERO, DVec3::NEG_Z);
    let build = tuzel::Build {
        control_points: 23,
        springs: 60,
        step: Step::SemiImplicit,
        ..tuzel::Build::published(section)
    };
    let (mut theirs, mut ours) =
        (published(from, to, &build)?, laid(from, to, &Build::new(23, section))?);
    let earlier: Vec<DVec3> = super::line(from, to)
        .into_iter()
        .map(|point| point + DVec3::X * (1e-3 * 0.2 * point.z))
        .collect();
    theirs.throw(&earlier, 1e-3);
    ours.throw(&earlier, 1e-3);
    theirs.pins.push(Pin::at(0.0, from));
    ours.pins.push(Pin::at(0.0, from));
    for _ in 0..480 {
        ours.step(1.0 / 960.0).ok()?;
    }
    let steps = (0.5 / theirs.longest_step()).ceil();
    for _ in 0..steps as u32 {
        theirs.step(0.5 / steps).ok()?;
    }
    Some((theirs.point(1.0).x - ours.point(1.0).x).abs())
}

/// Viscosity, and steps per second.
const SLOWED: (f64, f64) = (1.5, 1000.0);

/// Speed of a rope that starts with 1 m/s, after a second of viscosity.
pub(super) fn slowed() -> Option<Outcome> {
    let (c, steps) = SLOWED;
    let mut rope = laid(DVec3::ZERO, DVec3::X, &Build::new(8, ideal(100.0)))?;
    (rope.gravity, rope.viscosity) = (DVec3::ZERO, c);
    rope.state.velocities.fill(DVec3::Y);
    for _ in 0..steps as u32 {
        rope.step(1.0 / steps).ok()?;
    }
    Some(Outcome::relative(ops::exp(-c), rope.velocity(0.5).y))
}

/// The same for the rope of the paper.
pub(super) fn slowed_as_published() -> Option<Outcome> {
    let (c, steps) = SLOWED;
    let mut rope = published(DVec3::ZERO, DVec3::X, &tuzel::Build::published(ideal(100.0)))?;
    (rope.gravity, rope.viscosity) = (DVec3::ZERO, c);
    rope.state.velocities.fill(DVec3::Y);
    for _ in 0..steps as u32 {
        rope.step(1.0 / steps).ok()?;
    }
    Some(Outcome::relative(ops::pow(1.0 - c / steps, steps), rope.velocity(0.5).y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_rope_swings_more_slowly() {
        let (one, longer) =
            (swings(ZEROS[0], 20, 1.0, 500).unwrap(), swings(ZEROS[0], 20, 1.1, 500).unwrap());
        assert!((one / longer / 1.1_f64.sqrt() - 1.0).abs() < 1e-3, "{one} {longer}");
        assert!(
            bessel(ZEROS[0]).abs() < 1e-15 && (bessel(1.0) - 0.765_197_686_557_966_6).abs() < 1e-15
        );
    }
}
