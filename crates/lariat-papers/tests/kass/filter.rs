//! Poles, stability and the response of the three filters of figure 3.

use std::f64::consts::TAU;

use lariat_core::motion::wiggly::response::{Filter as Continuous, Response};
use lariat_core::motion::wiggly::{Damping, Spring};
use lariat_core::num::{complex, ops};
use lariat_papers::kass::{Filter, Tuning, stiffness_limit};
use lariat_papers::kass::{complex_poles, four_poles, real_poles, response};
use num_complex::Complex64;

#[test]
fn poles_of_a_filter_are_those_it_was_made_from() {
    for (omega, decay, beta) in [(0.4, 0.02, 0.05), (3.0, 0.5, 0.3), (0.01, 0.0, 0.005)] {
        let tuning = Tuning { omega, decay };
        for poles in [real_poles(tuning), complex_poles(tuning, beta)] {
            let filter = Filter::from_poles(poles);
            let [p, q] = filter.poles();
            let [expected, other] = if (p - poles[0]).norm_sqr() < (p - poles[1]).norm_sqr() {
                poles
            } else {
                [poles[1], poles[0]]
            };
            // A nearly double pole loses half its digits.
            let close = 1e-14 / complex::abs(poles[0] - poles[1]);
            assert!(complex::abs(p - expected) < close, "{p} for {expected}");
            assert!(complex::abs(q - other) < close, "{q} for {other}");
            assert_eq!(filter.is_stable(), decay > 0.0);
            // Eqs 12 and 13 are the same function.
            let z = complex::cis(0.3);
            let one = complex::abs(filter.system(z));
            assert!((one / response(&poles, 0.3) - 1.0).abs() < 1e-12);
        }
        let pole = tuning.pole();
        let made = Filter::from_poles(complex_poles(tuning, beta));
        let same = Filter::complex(pole, pole, beta);
        assert!((made.a - same.a).norm_sqr() < 1e-30 && (made.b - same.b).norm_sqr() < 1e-30);
        let made = Filter::from_poles(real_poles(tuning));
        let same = Filter::real(tuning);
        assert!((made.a - same.a).norm_sqr() < 1e-30 && (made.b - same.b).norm_sqr() < 1e-30);
    }
}

#[test]
fn differences_are_stable_up_to_their_limit_and_no_further() {
    for h in [0.5, 1.0, 2.0] {
        for gamma in [0.01, 0.3, 2.0, 10.0] {
            let limit = stiffness_limit(h, gamma) / (h * h);
            for (share, stable) in
                [(0.01, true), (0.5, true), (0.999, true), (1.001, false), (3.0, false)]
            {
                let filter = Filter::differences(h, limit * share, gamma);
                assert_eq!(filter.is_stable(), stable, "h {h}, γ {gamma}, {share} of the limit");
            }
        }
    }
}

#[test]
fn differences_ring_too_fast_by_known_percentages() {
    // sin(θ/2) = ω/2, where the frequency should be ω.
    for (omega, percent) in [(0.4, 0.7), (1.0, 4.7)] {
        let pole = Filter::differences(1.0, omega * omega, 0.0).poles()[0];
        let theta = complex::arg(pole).abs();
        assert!((ops::sin(0.5 * theta) - 0.5 * omega).abs() < 1e-14);
        let off = 100.0 * (theta / omega - 1.0);
        assert!((off - percent).abs() < 0.05, "{off} %");
    }
}

#[test]
fn only_the_complex_filter_hardly_responds_at_zero() {
    let (tuning, beta) = (Tuning { omega: 0.4, decay: 0.02 }, 0.05);
    let (real, four) = (real_poles(tuning), four_poles(tuning, beta));
    let complex = complex_poles(tuning, beta);
    // At zero: 1/(1 + e^−2d − 2 e^−d cos ω).
    let shrink = ops::exp(-0.02);
    let at_zero = 1.0 / (1.0 + shrink * shrink - 2.0 * shrink * ops::cos(0.4));
    assert!((response(&real, 0.0) / at_zero - 1.0).abs() < 1e-12);
    assert!(
        (response(&four, 0.0) / (response(&complex, 0.0) * response(&complex, 0.0)) - 1.0).abs()
            < 1e-12
    );
    // Response at zero relative to the resonance.
    let relative = |poles: &[Complex64]| response(poles, 0.0) / response(poles, 0.4);
    assert!((relative(&complex) - 0.0187).abs() < 5e-4, "{}", relative(&complex));
    // Unlike real filters, the complex one distinguishes ω from −ω.
    assert!((response(&four, 0.4) / response(&four, -0.4) - 1.0).abs() < 1e-12);
    assert!(response(&complex, 0.4) > 100.0 * response(&complex, -0.4));
    // The pass band is within 3 dB of the value at ω over ±β and beyond, where the sharp real
    // filter has fallen to a third.
    assert!((response(&complex, 0.45) / response(&complex, 0.4) - 1.0).abs() < 0.5);
    assert!(response(&real, 0.45) < 0.45 * response(&real, 0.4));
}

#[test]
fn a_slow_sampled_filter_matches_the_continuous_one() {
    // At 2,400 samples per second a pole is close to 1, and 1 - λ/z close to (iw - p) h.
    let (hertz, d, band, rate) = (1.0, 0.5, 0.19, 2400.0);
    let tuning = Tuning { omega: TAU * hertz / rate, decay: d / rate };
    let poles = complex_poles(tuning, TAU * band / rate);
    let spring = Spring::new(hertz).with_damping(Damping::PerSecond(d.into())).with_bandwidth(band);
    let ours = Response::new(Continuous::TwoComplex, &spring, 0.0);
    for at in [0.0, 0.5, 0.8, 1.0, 1.3, 2.5] {
        let theirs = response(&poles, TAU * at / rate) / (rate * rate);
        assert!((ours.gain(at) / theirs - 1.0).abs() < 5e-3, "at {at} Hz");
    }
}
