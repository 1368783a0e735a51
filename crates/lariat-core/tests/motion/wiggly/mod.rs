//! Curves that oscillate through their keys, compared with closed forms and other methods.

mod curve;
mod driven;
mod overshoot;

use lariat_core::motion::wiggly::{Knot, Setup, Spring, Start};

pub(crate) fn knots(all: &[(f64, f64)]) -> Vec<Knot<f64>> {
    all.iter().map(|(t, v)| Knot::new(*t, *v)).collect()
}

/// The objective of the paper, with natural ends.
pub(crate) fn published(spring: Spring) -> Setup<f64> {
    Setup { start: Start::Free, ..Setup::new(spring.with_overshoot_penalty(0.0)) }
}

pub(crate) fn largest(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    (0..=2000).map(|i| f(from + (to - from) * f64::from(i) / 2000.0).abs()).fold(0.0, f64::max)
}
