//! Wiggles against closed forms (oscillator, chirp), the natural cubic spline and Runge-Kutta; loops;
//! the same motion at every frame rate.
//!
//! Tests: `a_curve_of_another_frequency_would_be_seen`.

use std::f64::consts::{LN_2, TAU};

use glam::DVec3;
use lariat_core::motion::wiggly::{Damping, Follow, Knot, Setup, Spring, Start, Wiggly};
use lariat_core::motion::{Channel, Interpolation, Key, Keys};
use lariat_core::num::ops;
use lariat_scene::{Limits, format, lower};

use super::check::{Outcome, topic};
use super::reference::dice::Dice;
use super::reference::natural::Natural;
use super::reference::worst;

const OSCILLATOR: &str = "the closed form e^(−dt) cos(ωt − 0.6)";

topic! { "wiggles": "curves that oscillate through their keys";

    "wiggle-oscillator": "six keys of a damped oscillation, complex: worst error",
        OSCILLATOR, 1e-9 ["of the swing"], oscillator(1.3, 1.3, false);
    "wiggle-oscillator-real": "the same with the real spline",
        OSCILLATOR, 1e-9 ["of the swing"], oscillator(1.3, 1.3, true);
    "wiggle-cubic": "frequency 0, 40 sets of 8 keys: worst distance from the natural cubic spline",
        "second derivatives from their tridiagonal system", 1e-12 ["of the range"], cubics();
    "wiggle-chirp": "1 Hz rising to 3 Hz through six keys: worst error",
        "the closed form cos 2π(t + t²/4)", 1e-9 ["of the swing"], chirp();
    "wiggle-keys": "1,000 keys of random springs: keys not matched exactly",
        "0", 0.0 ["keys"], missed_keys();
    "wiggle-long-gap":
        "an undamped oscillation over a gap of 150 s (3,600 frames): worst error in the gap",
        "the closed form cos(ωt − 0.4)", 1e-8 ["of the swing"], long_gap();
    "wiggle-decoupling": "a key moved by 2 before a local key: worst difference after it",
        "0: no influence", 1e-12, leak();
    "wiggle-passive": "no keys, a moving equilibrium and a force: worst of four times",
        "Runge-Kutta, 40,000 steps", 1e-8, passive();
    "wiggle-loop-gap": "20 loops: worst gap at the seam",
        "0", 1e-9, loops(|spring, _, _| Some(spring))?.0;
    "wiggle-loop-velocity": "the same loops: worst jump of the velocity at the seam",
        "0", 1e-9 ["per second"], loops(|spring, _, _| Some(spring))?.1;
    "wiggle-loop-keyed":
        "20 loops whose spring is faster at the end than at the start: worst jump",
        "0", 1e-9 ["in value, or in velocity per second"], {
            let (gap, jump) = loops(faster_at_the_end)?;
            Some(Outcome::worst(gap.max(jump)))
        };
    "wiggle-frame-rates": "one document at 24, 60 and 144 frames per second: worst difference",
        "the same motion", 1e-6 ["of the range"], frame_rates();
    "wiggle-lag": "a follower with a lag of 90°, at 0.7 and at 2 Hz: worst error",
        "the closed form sin ωt", 1e-8 ["of the swing"], lag();
}

fn knots(points: &[(f64, f64)]) -> Vec<Knot<f64>> {
    points.iter().map(|(t, v)| Knot::new(*t, *v)).collect()
}

fn through(at: &[f64], curve: impl Fn(f64) -> f64) -> Vec<Knot<f64>> {
    at.iter().map(|t| Knot::new(*t, curve(*t))).collect()
}

/// The objective of the paper, with natural ends, around 0.
fn published(spring: Spring) -> Setup<f64> {
    let setup = Setup::new(spring.with_overshoot_penalty(0.0));
    Setup { start: Start::Free, around: Some(0.0.into()), ..setup }
}

fn undamped(hertz: f64) -> Spring {
    Spring::new(hertz).with_damping(Damping::PerSecond(0.0.into())).with_bandwidth(0.0)
}

fn largest(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    worst((0..=3000).map(|i| f(from + (to - from) * f64::from(i) / 3000.0).abs()))
}

/// Keys of an oscillation of one frequency through a spring of another.
fn oscillator(hertz: f64, spring: f64, real: bool) -> Option<f64> {
    let d = 0.7;
    let free = |t: f64| ops::exp(-d * t) * ops::cos(TAU * hertz * t - 0.6);
    let spring = Spring::new(spring).with_damping(Damping::PerSecond(d.into())).with_bandwidth(0.0);
    let spring = if real { spring.real() } else { spring };
    let keys = through(&[0.0, 0.31, 0.5, 0.77, 1.9, 2.3], free);
    let curve = Wiggly::new(keys, published(spring)).ok()?;
    Some(largest(0.0, 6.0, |t| curve.at(t) - free(t)))
}

fn cubics() -> Option<f64> {
    let mut dice = Dice::new(41);
    let mut most = 0.0f64;
    for _ in 0..40 {
        let mut t = 0.0;
        let points: Vec<_> = (0..8)
            .map(|_| {
                t += dice.between(0.05, 2.0);
                (t, dice.between(-1.0, 1.0))
            })
            .collect();
        let curve = Wiggly::new(knots(&points), Setup::new(Spring::new(0.0))).ok()?;
        let natural = Natural::timed(points.iter().map(|(t, x)| (*t, DVec3::X * *x)).collect());
        let (first, last) = (points[0].0, points[7].0);
        let range = largest(first, last, |t| natural.at(t).x);
        most = most.max(largest(first, last, |t| curve.at(t) - natural.at(t).x) / range);
    }
    Some(most)
}

fn chirp() -> Option<f64> {
    let chirp = |t: f64| ops::cos(TAU * (t + 0.25 * t * t) + 0.3);
    let rising = Keys::new(vec![
        Key::new(0.0, 1.0).with_interpolation(Interpolation::Linear),
        Key::new(4.0, 3.0),
    ]);
    let mut spring = undamped(0.0);
    spring.hertz = Channel::from(rising.ok()?);
    let keys = through(&[0.0, 0.4, 0.9, 1.7, 2.2, 4.0], chirp);
    let curve = Wiggly::new(keys, published(spring)).ok()?;
    Some(largest(0.0, 4.0, |t| curve.at(t) - chirp(t)))
}

fn missed_keys() -> Option<Outcome> {
    let mut dice = Dice::new(43);
    let mut missed = 0;
    for _ in 0..50 {
        let mut t = dice.between(-3.0, 3.0);
        let points: Vec<_> = (0..20)
            .map(|_| {
                t += dice.between(0.01, 1.0);
                (t, dice.between(-9.0, 9.0))
            })
            .collect();
        let spring = Spring::new(dice.between(0.0, 4.0))
            .with_damping(Damping::PerSecond(dice.between(0.0, 3.0).into()));
        let curve = Wiggly::new(knots(&points), Setup::new(spring)).ok()?;
        missed += points.iter().filter(|(t, v)| curve.at(*t).to_bits() != v.to_bits()).count();
    }
    Some(Outcome::worst(missed as f64))
}

fn long_gap() -> Option<f64> {
    let free = |t: f64| ops::cos(TAU * 1.3 * t - 0.4);
    let keys = through(&[0.0, 0.2, 0.7, 150.0, 150.3], free);
    let curve = Wiggly::new(keys, published(undamped(1.3))).ok()?;
    Some(largest(0.0, 150.3, |t| curve.at(t) - free(t)))
}

fn leak() -> Option<f64> {
    let with = |value: f64| {
        let keys = vec![
            Knot::new(0.0, 0.0),
            Knot::new(0.5, value),
            Knot::new(1.0, 1.0).with_slope(2.0).local(),
            Knot::new(1.7, -1.0),
            Knot::new(2.4, 0.5),
        ];
        Wiggly::new(keys, Setup::new(Spring::new(1.6))).ok()
    };
    let (a, b) = (with(1.0)?, with(3.0)?);
    Some(largest(1.0, 5.0, |t| a.at(t) - b.at(t)))
}

fn passive() -> Option<f64> {
    let around = Channel::from(
        Keys::new(vec![Key::new(0.0, 0.0), Key::new(0.5, 3.0), Key::new(1.25, 1.0)]).ok()?,
    );
    let push = Channel::from(Keys::new(vec![Key::new(0.25, 0.0), Key::new(1.0, 40.0)]).ok()?);
    let (hertz, d) = (1.4, LN_2 / 0.6);
    let setup = Setup {
        around: Some(around.clone()),
        push: Some(push.clone()),
        until: 2.0,
        ..Setup::new(Spring::new(hertz).with_damping(Damping::HalfLife(0.6.into())))
    };
    let curve = Wiggly::new(Vec::new(), setup).ok()?;
    let stiff = d * d + TAU * hertz * TAU * hertz;
    let rate = |t: f64, x: f64, v: f64| {
        (v, push.at(t) - 2.0 * d * (v - around.slope(t)) - stiff * (x - around.at(t)))
    };
    let integrated = |to: f64| {
        let steps = 40_000;
        let h = to / f64::from(steps);
        let (mut x, mut v) = (0.0, 0.0);
        for i in 0..steps {
            let t = f64::from(i) * h;
            let a = rate(t, x, v);
            let b = rate(t + 0.5 * h, x + 0.5 * h * a.0, v + 0.5 * h * a.1);
            let c = rate(t + 0.5 * h, x + 0.5 * h * b.0, v + 0.5 * h * b.1);
            let e = rate((t + h).next_down(), x + h * c.0, v + h * c.1);
            x += h / 6.0 * (a.0 + 2.0 * b.0 + 2.0 * c.0 + e.0);
            v += h / 6.0 * (a.1 + 2.0 * b.1 + 2.0 * c.1 + e.1);
        }
        x
    };
    Some(worst([0.4, 0.9, 1.8, 5.0].map(|t| (curve.at(t) - integrated(t)).abs())))
}

/// A spring whose frequency triples over a period, and falls back at its end.
fn faster_at_the_end(spring: Spring, hertz: f64, period: f64) -> Option<Spring> {
    let rising = Keys::new(vec![Key::new(0.0, hertz), Key::new(period, 3.0 * hertz)]).ok()?;
    Some(Spring { hertz: Channel::from(rising), ..spring })
}

/// Worst gap and worst jump of velocity over twenty loops; `other` changes their springs.
fn loops(other: impl Fn(Spring, f64, f64) -> Option<Spring>) -> Option<(f64, f64)> {
    let mut dice = Dice::new(47);
    let (mut gap, mut jump) = (0.0f64, 0.0f64);
    for i in 0..20 {
        let period = dice.between(1.0, 4.0);
        let points: Vec<_> =
            (0..4).map(|k| (0.2 * f64::from(k) * period, dice.between(-1.0, 1.0))).collect();
        let hertz = dice.between(0.3, 3.0);
        let spring = Spring::new(hertz).with_damping(Damping::PerSecond(
            if i % 4 == 0 { 0.0 } else { dice.between(0.1, 2.0) }.into(),
        ));
        let spring = if i % 3 == 0 { spring.real() } else { spring };
        let spring = other(spring, hertz, period)?;
        let setup = Setup { period: Some(period), around: Some(0.0.into()), ..Setup::new(spring) };
        let curve = Wiggly::new(knots(&points), setup).ok()?;
        // 1e-12 s to either side; a tenth of that for velocities, which change by up to 3,000 per
        // second squared.
        gap = gap.max((curve.at(period - 1e-12) - curve.at(1e-12)).abs());
        jump = jump.max((curve.slope(period - 1e-13) - curve.slope(1e-13)).abs());
    }
    Some((gap, jump))
}

/// One shot written for several frame rates, compared at the same seconds.
fn frame_rates() -> Option<f64> {
    let curve = |fps: f64| {
        let frame = |seconds: f64| seconds * fps;
        let text = format!(
            "lariat = 2\n[shot]\nfps = {fps}\nframes = [0, {}]\n[[body]]\nname = \"rein\"\nmodel = \
             \"suspended-rope\"\nfrom = [0, 0, 2]\nto = [3, 0, 2]\nlength = 4\nswing = {{ wiggle = \
             [[0, 0], [{}, 35], [{}, -20], [{}, 10]], hertz = {{ keys = [[{}, 1.4], [{}, 2.5]] }}, \
             half-life = 0.6, around = {{ keys = [[{}, 0], [{}, 8]] }} }}\n",
            frame(5.0),
            frame(0.75),
            frame(1.5),
            frame(3.25),
            frame(1.0),
            frame(3.0),
            frame(2.0),
            frame(2.5),
        );
        let document = format::read(&text).ok()?.document;
        let found = lower::parameter(&document, &Limits::default(), "rein.swing").ok()?;
        match found.channel {
            lower::ParameterChannel::Number(channel) => Some(channel),
            _ => None,
        }
    };
    let curves = [curve(24.0)?, curve(60.0)?, curve(144.0)?];
    let range = largest(0.0, 5.0, |t| curves[0].at(t));
    let apart = |other: usize| largest(0.0, 5.0, |t| curves[0].at(t) - curves[other].at(t));
    Some(apart(1).max(apart(2)) / range)
}

fn lag() -> Option<f64> {
    let mut most = 0.0f64;
    for hertz in [0.7, 2.0] {
        let leader = |t: f64| ops::cos(TAU * hertz * t);
        let keys = through(&[0.0, 0.1, 0.35, 0.5], leader);
        let follow = Follow::new(Wiggly::new(keys, published(undamped(hertz))).ok()?, 90.0);
        most = most.max(largest(0.0, 0.5, |t| follow.at(t) - ops::sin(TAU * hertz * t)));
    }
    Some(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_of_another_frequency_would_be_seen() {
        assert!(oscillator(1.3, 1.31, false).unwrap() > 1e-3);
        assert!(oscillator(1.3, 1.3, false).unwrap() < 1e-9);
    }
}
