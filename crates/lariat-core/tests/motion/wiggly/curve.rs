//! The curve between its keys, and the effect of edits.

use std::f64::consts::TAU;

use glam::DVec3;

use lariat_core::motion::wiggly::{Damping, Knot, Setup, Slope, Spring, Wiggly};
use lariat_core::motion::{Channel, Interpolation, Key, Keys, KeysError};
use lariat_core::num::{complex, ops};
use num_complex::Complex64;

use super::{knots, largest, published};

/// The natural cubic spline by the usual tridiagonal system in second derivatives.
fn natural_cubic(points: &[(f64, f64)], t: f64) -> f64 {
    let n = points.len();
    let h: Vec<f64> = points.windows(2).map(|w| w[1].0 - w[0].0).collect();
    let mut m = vec![0.0; n];
    let (mut c, mut d) = (vec![0.0; n], vec![0.0; n]);
    for i in 1..n - 1 {
        let rate = |i: usize| (points[i + 1].1 - points[i].1) / h[i];
        let pivot = 2.0 * (h[i - 1] + h[i]) - h[i - 1] * c[i - 1];
        c[i] = h[i] / pivot;
        d[i] = (6.0 * (rate(i) - rate(i - 1)) - h[i - 1] * d[i - 1]) / pivot;
    }
    for i in (1..n - 1).rev() {
        m[i] = d[i] - c[i] * m[i + 1];
    }
    let i = points.iter().rposition(|p| p.0 <= t).unwrap_or(0).min(n - 2);
    let (a, b) = (points[i + 1].0 - t, t - points[i].0);
    (m[i] * a * a * a + m[i + 1] * b * b * b) / (6.0 * h[i])
        + (points[i].1 / h[i] - m[i] * h[i] / 6.0) * a
        + (points[i + 1].1 / h[i] - m[i + 1] * h[i] / 6.0) * b
}

#[test]
fn without_a_spring_the_curve_is_the_natural_cubic() {
    let points =
        [(0.0, 1.0), (0.35, -2.0), (0.4, 3.0), (2.0, 0.5), (2.7, 0.5), (9.0, -1.0), (9.5, 2.0)];
    for setup in [
        Setup::new(Spring::new(0.0)),
        published(Spring::new(0.0)),
        Setup::new(Spring::new(0.0).real()),
    ] {
        let curve = Wiggly::new(knots(&points), setup).unwrap();
        let error = largest(0.0, 9.5, |t| curve.at(t) - natural_cubic(&points, t));
        assert!(error < 1e-12, "off by {error:e}");
        assert_eq!((curve.at(-5.0), curve.at(20.0)), (1.0, 2.0));
        assert_eq!(curve.phasor(0, 1.0).im, 0.0);
    }
}

#[test]
fn a_keyed_damping_of_a_spring_that_does_not_swing_gives_a_finite_curve() {
    let points = [(0.0, 1.0), (0.5, -2.0), (2.0, 3.0)];
    let swings = Keys::new(vec![Key::new(0.0, 0.5), Key::new(1.0, 2.0)]).unwrap();
    let loss = Damping::Swings(Channel::from(swings));
    for hertz in [0.0, 1e-300, 1e-30] {
        let setup = Setup::new(Spring::new(hertz).with_damping(loss.clone()));
        let curve = Wiggly::new(knots(&points), setup).unwrap();
        assert!(points.iter().all(|(t, value)| curve.at(*t) == *value), "{hertz:e} Hz");
        let largest = largest(-1.0, 3.0, |t| curve.at(t));
        assert!(largest < 10.0, "{hertz:e} Hz: up to {largest}");
    }
}

#[test]
fn keys_on_a_free_oscillation_reproduce_it() {
    let (omega, d) = (TAU * 1.3, 0.7);
    let free = |t: f64| 2.0 * ops::exp(-d * t) * ops::cos(omega * t - 0.6);
    let at = [0.0, 0.31, 0.5, 0.77, 1.9, 2.3];
    let keys: Vec<_> = at.iter().map(|t| (*t, free(*t))).collect();
    let loss = Damping::PerSecond(d.into());
    let spring = Spring::new(1.3).with_damping(loss).with_bandwidth(0.0);
    for spring in [spring.clone(), spring.real()] {
        let setup = Setup { around: Some(0.0.into()), ..published(spring) };
        let curve = Wiggly::new(knots(&keys), setup).unwrap();
        let error = largest(0.0, 6.0, |t| curve.at(t) - free(t));
        assert!(error < 1e-9, "off by {error:e}");
        let force = largest(0.0, 2.2, |t| curve.residual(0, t).re);
        assert!(force < 1e-7 * 2.0 * omega * omega, "force {force:e}");
    }
}

#[test]
fn phase_and_amplitude_are_those_of_the_oscillator() {
    let (omega, d) = (TAU * 2.0, 0.4);
    let free = |t: f64| complex::exp(Complex64::new(-d, omega) * t) * Complex64::new(0.8, 1.1);
    let keys: Vec<_> = [0.0, 0.1, 0.33, 0.6, 1.0].map(|t| (t, free(t).re)).to_vec();
    let spring = Spring::new(2.0).with_damping(Damping::PerSecond(d.into())).with_bandwidth(0.0);
    let setup = Setup { around: Some(0.0.into()), ..published(spring) };
    let curve = Wiggly::new(knots(&keys), setup).unwrap();
    for t in [0.05, 0.5, 0.99, 1.7] {
        let gap = curve.phasor(0, t) - free(t);
        assert!(complex::abs(gap) < 1e-9, "at {t}: {gap}");
    }
}

#[test]
fn a_chirp_is_free_motion() {
    // 1 Hz rising to 3 Hz: x = cos ∫ω.
    let rising = Keys::new(vec![
        Key::new(0.0, 1.0).with_interpolation(Interpolation::Linear),
        Key::new(4.0, 3.0),
    ])
    .unwrap();
    let chirp = |t: f64| ops::cos(TAU * (t + 0.25 * t * t) + 0.3);
    let keys: Vec<_> = [0.0, 0.4, 0.9, 1.7, 2.2, 4.0].map(|t| (t, chirp(t))).to_vec();
    let spring = Spring::new(Channel::from(rising))
        .with_damping(Damping::PerSecond(0.0.into()))
        .with_bandwidth(0.0);
    let setup = Setup { around: Some(0.0.into()), ..published(spring) };
    let curve = Wiggly::new(knots(&keys), setup).unwrap();
    let error = largest(0.0, 4.0, |t| curve.at(t) - chirp(t));
    assert!(error < 1e-9, "off by {error:e}");
}

#[test]
fn knots_are_hit_bit_for_bit_and_slopes_hold() {
    let all = vec![
        Knot::new(0.1, 0.3),
        Knot::new(0.7, 12.7).with_slope(-3.0),
        Knot::new(1.9, -0.1).with_slopes(Some(Slope::Hard(5.0)), Some(Slope::Hard(-20.0))),
        Knot::new(2.2, 1e-3),
    ];
    for spring in [Spring::new(1.7), Spring::new(1.7).real()] {
        let curve = Wiggly::new(all.clone(), Setup::new(spring)).unwrap();
        for knot in &all {
            assert_eq!(curve.at(knot.time), knot.value);
            for side in [-1e-9, 1e-9] {
                assert!((curve.at(knot.time + side) - knot.value).abs() < 1e-6);
            }
        }
        assert!((curve.slope(0.7) + 3.0).abs() < 1e-9, "{}", curve.slope(0.7));
        assert!((curve.slope(1.9) + 20.0).abs() < 1e-9);
        assert!((curve.slope(1.9 - 1e-10) - 5.0).abs() < 1e-6);
        let by_differences = (curve.at(1.2 + 1e-6) - curve.at(1.2 - 1e-6)) / 2e-6;
        assert!((curve.slope(1.2) - by_differences).abs() < 1e-6);
    }
}

#[test]
fn velocity_is_continuous_even_where_the_frequency_jumps() {
    let jump = Keys::new(vec![
        Key::new(0.0, 0.0).with_interpolation(Interpolation::Step),
        Key::new(1.0, 3.0),
    ])
    .unwrap();
    let all = knots(&[(0.0, 0.0), (0.8, 1.0), (2.5, 0.4)]);
    for spring in
        [Spring::new(Channel::from(jump.clone())), Spring::new(Channel::from(jump)).real()]
    {
        let curve = Wiggly::new(all.clone(), Setup::new(spring)).unwrap();
        let mut last = curve.slope(0.0);
        for i in 1..=250_000 {
            let slope = curve.slope(f64::from(i) * 1e-5);
            assert!((slope - last).abs() < 0.02, "at {} s: {last} to {slope}", f64::from(i) * 1e-5);
            last = slope;
        }
    }
}

#[test]
fn a_stretch_without_frequency_is_a_cubic() {
    // Without a spring between 1 and 2 s, fourth differences vanish there.
    let hertz = Keys::new(vec![
        Key::new(0.0, 2.0).with_interpolation(Interpolation::Step),
        Key::new(1.0, 0.0).with_interpolation(Interpolation::Step),
        Key::new(2.0, 2.0),
    ])
    .unwrap();
    let all = knots(&[(0.0, 0.0), (0.4, 3.0), (1.0, -1.0), (2.0, 1.0), (2.6, 0.0)]);
    let curve = Wiggly::new(all, Setup::new(Spring::new(Channel::from(hertz)))).unwrap();
    let h = 0.04;
    for i in 2..22 {
        let x = |k: f64| curve.at(1.0 + (f64::from(i) + k) * h);
        let fourth = x(-2.0) - 4.0 * x(-1.0) + 6.0 * x(0.0) - 4.0 * x(1.0) + x(2.0);
        assert!(fourth.abs() < 1e-11, "{fourth:e}");
    }
    let force = largest(0.0, 1.0, |t| curve.residual(0, t).re);
    assert!(force > 1.0, "elsewhere the spring acts");
}

#[test]
fn a_local_knot_cuts_the_curve_in_two() {
    let all = |value: f64| {
        vec![
            Knot::new(0.0, 0.0),
            Knot::new(0.5, value),
            Knot::new(1.0, 1.0).with_slope(2.0).local(),
            Knot::new(1.7, -1.0),
            Knot::new(2.4, 0.5),
        ]
    };
    let setup = Setup::new(Spring::new(1.6));
    let a = Wiggly::new(all(1.0), setup.clone()).unwrap();
    let b = Wiggly::new(all(3.0), setup.clone()).unwrap();
    let leak = largest(1.0, 5.0, |t| a.at(t) - b.at(t));
    assert!(leak < 1e-12, "leaks {leak:e}");
    assert!(largest(0.0, 1.0, |t| a.at(t) - b.at(t)) > 1.0);
    // A hard slope alone does not separate the sides: the imaginary part passes.
    let leaky = |value| {
        let mut all = all(value);
        all[2].local = false;
        Wiggly::new(all, setup.clone()).unwrap()
    };
    let (a, b) = (leaky(1.0), leaky(3.0));
    assert!(largest(1.0, 2.4, |t| a.at(t) - b.at(t)) > 0.01);
    // It does separate those of a real spline.
    let real = |value| {
        let mut all = all(value);
        all[2].local = false;
        Wiggly::new(all, Setup::new(Spring::new(1.6).real())).unwrap()
    };
    let (a, b) = (real(1.0), real(3.0));
    assert!(largest(1.0, 5.0, |t| a.at(t) - b.at(t)) < 1e-12);
}

#[test]
fn changing_a_value_equals_solving_again_and_reports_the_interval() {
    let points = [(0.0, 0.0), (0.5, 1.0), (1.1, -2.0), (2.0, 0.3)];
    let setup = Setup { around: Some(0.2.into()), ..Setup::new(Spring::new(1.2)) };
    let curve = Wiggly::new(knots(&points), setup.clone()).unwrap();
    let (moved, touched) = curve.with_value(2, 5.0).unwrap();
    let mut changed = points;
    changed[2].1 = 5.0;
    let solved = Wiggly::new(knots(&changed), setup).unwrap();
    for i in 0..400 {
        let t = f64::from(i) * 0.01;
        assert_eq!(moved.at(t).to_bits(), solved.at(t).to_bits());
    }
    // The first knot is at rest and limits the interval.
    assert_eq!((touched.from(), touched.to()), (0.0, f64::INFINITY));
    assert_eq!(moved.at(1.1), 5.0);
}

#[test]
fn adding_and_removing_knots_changes_nothing_beyond_local_knots() {
    let mut all = knots(&[(0.0, 0.0), (1.0, 1.0), (2.0, -1.0), (3.0, 0.5)]);
    all[2] = all[2].local();
    let curve = Wiggly::new(all, Setup::new(Spring::new(1.4))).unwrap();
    let (more, touched) = curve.with_knot(Knot::new(1.4, 2.0)).unwrap();
    assert_eq!((touched.from(), touched.to()), (0.0, 2.0));
    assert_eq!(more.at(1.4), 2.0);
    for t in [2.0, 2.5, 3.3] {
        assert!((more.at(t) - curve.at(t)).abs() < 1e-12);
    }
    let (back, _) = more.without_knot(1.4).unwrap();
    assert_eq!(back.at(1.3).to_bits(), curve.at(1.3).to_bits());
    let error = curve.without_knot(0.4).unwrap_err();
    assert_eq!(error, KeysError::NoKeyThere { time: 0.4, nearest: 0.0 }.into());
}

#[test]
fn a_curve_moved_only_by_a_broken_slope_is_not_constant() {
    for spring in [Spring::new(0.0), Spring::new(2.0).real(), Spring::new(2.0)] {
        let broken =
            Knot::new(1.0, 0.0).with_slopes(Some(Slope::Hard(5.0)), Some(Slope::Hard(0.0)));
        let all = vec![Knot::new(0.0, 0.0), broken.local()];
        let curve = Wiggly::new(all, Setup::new(spring.clone())).unwrap();
        assert!(curve.at(0.7).abs() > 0.01 && !curve.is_constant());
        let still = Wiggly::new(knots(&[(0.0, 0.0), (1.0, 0.0)]), Setup::new(spring)).unwrap();
        assert!(still.is_constant());
    }
}

#[test]
fn soft_slopes_pull_and_hard_ones_hold() {
    let with = |slope: Option<Slope<f64>>| {
        let mut all = knots(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]);
        all[1] = all[1].with_slopes(None, slope);
        Wiggly::new(all, Setup::new(Spring::new(0.8))).unwrap().slope(1.0)
    };
    let free = with(None);
    let goal = free + 10.0;
    let mut last = free;
    for strength in [0.1, 1.0, 10.0, 1000.0] {
        let slope = with(Some(Slope::Soft(goal, strength)));
        assert!(slope > last && slope < goal, "{slope} at {strength}");
        last = slope;
    }
    assert!(goal - last < 0.05);
    assert!((with(Some(Slope::Hard(goal))) - goal).abs() < 1e-9);
}

#[test]
fn soft_slopes_have_the_effect_that_the_guide_states() {
    let with = |slope: Option<Slope<f64>>| {
        let mut all = knots(&[(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)]);
        all[1] = all[1].with_slopes(slope, slope);
        Wiggly::new(all, Setup::new(Spring::new(1.4))).unwrap().slope(0.5)
    };
    let free = with(None);
    for (strength, share) in [(0.01, 0.16), (0.1, 0.66), (1.0, 0.95), (10.0, 0.995)] {
        let moved = (with(Some(Slope::Soft(free + 10.0, strength))) - free) / 10.0;
        assert!((moved - share).abs() < 0.005, "{moved} with {strength}");
    }
}

#[test]
fn a_vector_wiggles_component_by_component() {
    let all = vec![
        Knot::new(0.0, DVec3::new(0.0, 1.0, 2.0)),
        Knot::new(0.6, DVec3::new(1.0, 1.0, -2.0)),
        Knot::new(1.5, DVec3::new(0.5, 4.0, 0.0)),
    ];
    let curve = Wiggly::new(all.clone(), Setup::new(Spring::new(1.1))).unwrap();
    for part in 0..3 {
        let one: Vec<_> = all.iter().map(|k| Knot::new(k.time, k.value[part])).collect();
        let one = Wiggly::new(one, Setup::new(Spring::new(1.1))).unwrap();
        for t in [0.3, 0.6, 1.2, 3.0] {
            assert_eq!(curve.at(t)[part], one.at(t));
            assert_eq!(curve.part(part).at(t), one.at(t));
        }
    }
}

#[test]
fn values_at_many_times_equal_single_values_bit_for_bit() {
    let points = knots(&[(0.0, 0.0), (0.7, 2.0), (0.71, 2.1), (3.0, -1.0), (3.9, 0.5)]);
    let rising = Keys::new(vec![Key::new(0.5, 1.0), Key::new(2.0, 2.5)]).unwrap();
    let around = Keys::new(vec![Key::new(0.0, 0.0), Key::new(3.0, 1.0)]).unwrap();
    let steady = Setup::new(Spring::new(1.7));
    let setups = [
        steady.clone(),
        Setup { period: Some(5.0), ..steady.clone() },
        Setup { around: Some(Channel::from(around)), ..steady },
        Setup::new(Spring::new(Channel::from(rising))),
        Setup::new(Spring::new(0.0)),
    ];
    // Forwards, backwards, and outside all stretches.
    let mut times: Vec<f64> = (-10..200).map(|i| f64::from(i) * 0.035).collect();
    times.extend([0.71, 0.7, 3.9, f64::NAN, f64::INFINITY, -1.0, 3.5, 0.3, 0.700_001, 2.0]);
    for setup in setups {
        let curve = Wiggly::new(points.clone(), setup).unwrap();
        let read: Vec<u64> = curve.values_at(times.iter().copied()).map(f64::to_bits).collect();
        let single: Vec<u64> = times.iter().map(|t| curve.at(*t).to_bits()).collect();
        assert_eq!(read, single);
        assert_eq!(read[211], 2.0f64.to_bits(), "the knot at 0.7");
    }
}
