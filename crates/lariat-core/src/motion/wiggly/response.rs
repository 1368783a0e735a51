//! Frequency response of a spring, and its poles.
//!
//! Kass & Anderson 2008, section 5 and figure 3, in continuous time: a system with the poles `p₀`,
//! `p₁`, … driven by `e^(iwt)` has the response
//!
//! ```text
//! H(w) = 1 / (iw - p₀)(iw - p₁)…
//! ```
//!
//! The paper compares three filters, all of one frequency `ω` and one decay `d`:
//!
//! ```text
//! two poles, real       -d ± iω            a mass on a spring: a sharp peak
//! four poles, real      -d ± i(ω ± β)      a band, but with a response at zero frequency
//! two poles, complex    -d + i(ω ± β)      a band, with hardly any response at zero frequency
//! ```
//!
//! Two poles `β` to either side of a centre have `|H|⁻² = x⁴ + 2(d² - β²)x² + (d² + β²)²` at the
//! distance `x` from it. The peak is `1/2βd` at `x² = β² - d²` if `β > d`, and `1/(d² + β²)` at the
//! centre otherwise; the half-power points are at `x² = β² - d² + 2βd`. With `β = d` the band is
//! maximally flat. For the real spring the centre is 0 and `β` is `ω`.
//!
//! The sampled counterpart, on the unit circle, is `lariat-papers/src/kass/filter.rs`.
//!
//! Tests: `peaks_match_their_closed_form`, `half_power_points_match_their_closed_form`,
//! `only_the_complex_filter_hardly_responds_at_zero_frequency`, `four_poles_are_two_pairs`,
//! `a_slow_sampled_filter_matches_the_continuous_one`, `an_undamped_spring_has_no_peak`.

use std::f64::consts::TAU;

use num_complex::Complex64;

use super::spring::{Kind, Spring};
use crate::num::{complex, ops};

/// A filter of the paper's figure 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// A mass on a spring.
    TwoReal,
    /// Two pairs of poles around those of the spring.
    FourReal,
    /// Two adjacent poles, not conjugate.
    TwoComplex,
}

impl Filter {
    /// All filters, in the paper's order.
    pub const ALL: [Self; 3] = [Self::TwoReal, Self::FourReal, Self::TwoComplex];

    /// Filter in the objective of a spring.
    pub fn of(spring: &Spring) -> Self {
        match spring.kind {
            Kind::Real => Self::TwoReal,
            Kind::Complex => Self::TwoComplex,
        }
    }
}

/// Frequency response of a filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// Poles in radians per second: minus the decay, and the frequency.
    pub poles: Vec<Complex64>,
}

impl Response {
    /// Response with the frequency, decay and bandwidth of a spring at a time.
    pub fn new(filter: Filter, spring: &Spring, t: f64) -> Self {
        let now = spring.at(t);
        let pole = |omega: f64| Complex64::new(-now.d, omega);
        let (low, high) = (now.omega - now.beta, now.omega + now.beta);
        let poles = match filter {
            Filter::TwoReal => vec![pole(now.omega), pole(-now.omega)],
            Filter::FourReal => vec![pole(low), pole(high), pole(-low), pole(-high)],
            Filter::TwoComplex => vec![pole(low), pole(high)],
        };
        Self { poles }
    }

    /// `|H|` at a frequency in hertz; infinite on a pole without decay.
    pub fn gain(&self, hertz: f64) -> f64 {
        let along = Complex64::new(0.0, TAU * hertz);
        1.0 / self.poles.iter().map(|pole| complex::abs(along - pole)).product::<f64>()
    }

    /// Frequency in hertz, 0 or more, and gain of the peak; `None` if a pole has no decay.
    ///
    /// The search starts at every pole and at zero frequency; there are no other peaks.
    pub fn peak(&self) -> Option<(f64, f64)> {
        if self.poles.iter().any(|pole| pole.re == 0.0) {
            return None;
        }
        let far = self.poles.iter().fold(0.0, |far: f64, pole| far.max(pole.im)) / TAU;
        let around = self.poles.iter().map(|pole| pole.im / TAU).filter(|hertz| *hertz >= 0.0);
        let candidates = around.map(|hertz| self.local_peak(hertz, far)).chain([0.0]);
        candidates.map(|hertz| (hertz, self.gain(hertz))).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Gain in decibels relative to the peak; `None` without one.
    pub fn decibels(&self, hertz: f64) -> Option<f64> {
        let (_, most) = self.peak()?;
        Some(20.0 * ops::ln(self.gain(hertz) / most) / std::f64::consts::LN_10)
    }

    /// Local maximum of the gain from a frequency on, by halving steps.
    fn local_peak(&self, from: f64, far: f64) -> f64 {
        let mut at = from;
        let mut step = 0.25 * far;
        // After sixty halvings a step is below the last bit.
        for _ in 0..60 {
            for next in [at - step, at + step] {
                if next >= 0.0 && self.gain(next) > self.gain(at) {
                    at = next;
                }
            }
            step *= 0.5;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Damping, Spring};
    use super::*;

    fn spring(hertz: f64, decay: f64, bandwidth: f64) -> Spring {
        Spring::new(hertz).with_damping(Damping::PerSecond(decay.into())).with_bandwidth(bandwidth)
    }

    fn response(filter: Filter, hertz: f64, decay: f64, bandwidth: f64) -> Response {
        Response::new(filter, &spring(hertz, decay, bandwidth), 0.0)
    }

    #[test]
    fn peaks_match_their_closed_form() {
        for (hertz, d, band) in [(1.0, 0.5, 0.19), (2.5, 0.1, 0.4), (0.7, 1.3, 0.2)] {
            let (omega, beta) = (TAU * hertz, TAU * band);
            let (at, most) = response(Filter::TwoReal, hertz, d, band).peak().unwrap();
            assert!((TAU * at - (omega * omega - d * d).sqrt()).abs() < 1e-6 * omega, "{at}");
            assert!((most * 2.0 * omega * d - 1.0).abs() < 1e-12, "{most}");
            let (at, most) = response(Filter::TwoComplex, hertz, d, band).peak().unwrap();
            let off = (beta * beta - d * d).max(0.0).sqrt();
            assert!(((TAU * at - omega).abs() - off).abs() < 1e-6 * omega, "{at}");
            let closed =
                if beta > d { 1.0 / (2.0 * beta * d) } else { 1.0 / (beta * beta + d * d) };
            assert!((most / closed - 1.0).abs() < 1e-12, "{most} for {closed}");
        }
    }

    #[test]
    fn half_power_points_match_their_closed_form() {
        let half = 0.5_f64.sqrt();
        let (hertz, d, band) = (1.4, 0.35, 0.2);
        let (omega, beta) = (TAU * hertz, TAU * band);
        // On both sides of the band, measured from its middle.
        let complex = response(Filter::TwoComplex, hertz, d, band);
        let (_, most) = complex.peak().unwrap();
        let x = (beta * beta - d * d + 2.0 * beta * d).sqrt();
        for w in [omega - x, omega + x] {
            assert!((complex.gain(w / TAU) / most - half).abs() < 1e-12);
        }
        // For the mass on a spring, measured from zero.
        let real = response(Filter::TwoReal, hertz, d, band);
        let (_, most) = real.peak().unwrap();
        for side in [-1.0, 1.0] {
            let w = (omega * omega - d * d + side * 2.0 * omega * d).sqrt();
            assert!((real.gain(w / TAU) / most - half).abs() < 1e-12);
        }
        // The band is wider than the peak, which is about 2d.
        assert!(2.0 * x > 3.0 * (2.0 * d), "{} against {}", 2.0 * x, 2.0 * d);
        assert!((complex.decibels((omega + x) / TAU).unwrap() + 3.0103).abs() < 1e-4);
    }

    #[test]
    fn only_the_complex_filter_hardly_responds_at_zero_frequency() {
        let (hertz, d, band) = (1.0, 0.5, 0.191);
        let (omega, beta) = (TAU * hertz, TAU * band);
        let at_zero = |filter| response(filter, hertz, d, band).gain(0.0);
        let size = |w: f64| d * d + w * w;
        let (low, high) = (size(omega - beta), size(omega + beta));
        assert!((at_zero(Filter::TwoReal) * size(omega) - 1.0).abs() < 1e-12);
        assert!((at_zero(Filter::FourReal) * low * high - 1.0).abs() < 1e-12);
        assert!((at_zero(Filter::TwoComplex) * (low * high).sqrt() - 1.0).abs() < 1e-12);
        let down = |filter| response(filter, hertz, d, band).decibels(0.0).unwrap();
        let [two, four, complex] = Filter::ALL.map(down);
        assert!(two > -17.0 && four > -20.0, "{two} dB, {four} dB");
        assert!(complex < -29.0, "{complex} dB");
    }

    #[test]
    fn four_poles_are_two_pairs() {
        let (hertz, d, band) = (1.3, 0.4, 0.25);
        let four = response(Filter::FourReal, hertz, d, band);
        // 0.25 Hz to either side: two springs in series.
        let one = response(Filter::TwoReal, hertz - band, d, 0.0);
        let other = response(Filter::TwoReal, hertz + band, d, 0.0);
        for i in 0..40 {
            let at = f64::from(i) * 0.1;
            let product = one.gain(at) * other.gain(at);
            assert!((four.gain(at) / product - 1.0).abs() < 1e-12, "at {at} Hz");
        }
    }

    #[test]
    fn an_undamped_spring_has_no_peak() {
        let undamped = response(Filter::TwoReal, 1.0, 0.0, 0.19);
        assert_eq!((undamped.peak(), undamped.decibels(0.5)), (None, None));
        assert_eq!(undamped.gain(1.0), f64::INFINITY);
        // Without a spring all poles are at zero.
        assert_eq!(response(Filter::TwoComplex, 0.0, 0.0, 0.19).peak(), None);
        assert_eq!(Filter::of(&spring(1.0, 1.0, 0.1)), Filter::TwoComplex);
        assert_eq!(Filter::of(&spring(1.0, 1.0, 0.1).real()), Filter::TwoReal);
    }
}
