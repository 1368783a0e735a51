//! Catenaries against bisection, high precision, and the spline through many samples.

use super::solve::sinhc_minus_1;
use super::*;
use crate::curve::{Polyline, Spline};
use proptest::prelude::*;

/// `a` by bisection of sinh(a)/a, independent of the solver.
fn bisected(r: f64) -> f64 {
    let (mut low, mut high) = (0.0_f64, 50.0_f64);
    for _ in 0..200 {
        let a = 0.5 * (low + high);
        if libm::sinh(a) / a > r { high = a } else { low = a }
    }
    0.5 * (low + high)
}

/// `(coth a − 1/a)/a` as a series in `a²`, for `a` up to 0.5.
fn slope_series(a2: f64) -> f64 {
    const TERMS: [f64; 6] = [
        1.0 / 3.0,
        -1.0 / 45.0,
        2.0 / 945.0,
        -1.0 / 4725.0,
        2.0 / 93_555.0,
        -1382.0 / 638_512_875.0,
    ];
    TERMS.iter().rev().fold(0.0, |sum, c| sum * a2 + c)
}

#[test]
fn solve_vs_bisection() {
    for e in [0.01, 0.1, 0.5, 1.0, 2.9, 3.1, 10.0, 1e3, 1e6] {
        let (ours, reference) = (solve(e), bisected(1.0 + e));
        assert!((ours / reference - 1.0).abs() < 1e-13, "e {e}: {ours} for {reference}");
    }
}

#[test]
fn solve_satisfies_its_equation_over_the_whole_range() {
    let mut e = 1e-13;
    while e < 1e300 {
        let a = solve(e);
        // Relative error in a is the residual of ln(sinh a/a) over a F'(a).
        let f = if a < 1.0 {
            libm::log1p(sinhc_minus_1(a * a))
        } else {
            a + libm::log1p(-libm::exp(-2.0 * a)) - libm::log(2.0 * a)
        };
        let slope =
            a * (if a < 0.5 { a * slope_series(a * a) } else { 1.0 / libm::tanh(a) - 1.0 / a });
        let error = (f - libm::log1p(e)).abs() / slope;
        assert!(error < 2e-15, "e {e:e}: relative error {error:e}");
        e *= 1.37;
    }
}

/// Lowest points computed with mpmath at 60 digits: `a` by `findroot(sinh(a)/a − √(L²−v²)/h)`,
/// then `A (1 − cosh b)`.
#[test]
fn deep_and_tight_ropes_vs_high_precision() {
    for (h, v, length, lowest) in [
        (4.0, 0.0, 6.0, -2.010_533_046_593_260_7),
        (4.0, 1.5, 6.0, -1.243_093_747_977_129_1),
        (4.0, 0.0, 4.000_001, -0.001_224_744_978_556_760_1),
        (1.0, 0.0, 1000.0, -499.949_460_233_018_5),
    ] {
        let end = DVec3::new(h, 0.0, v);
        let hung = Catenary::between(DVec3::ZERO, end, length, DVec3::Z).unwrap();
        let z = hung.lowest().z;
        assert!((z / lowest - 1.0).abs() < 1e-9, "L {length}: {z} for {lowest}");
    }
}

#[test]
fn level_ends_are_not_special() {
    for k in 1..1000 {
        let length = 1.0 + f64::from(k) * 0.013;
        let hung = Catenary::between(DVec3::ZERO, DVec3::X, length, DVec3::Z).unwrap();
        let middle = hung.at(0.5).0;
        assert!((middle.x - 0.5).abs() < 1e-14, "{middle}");
        assert!(middle.z < 0.0 && hung.lowest().distance(middle) < 1e-13 * length);
    }
}

#[test]
fn a_taut_rope_is_a_straight_line() {
    let (a, b) = (DVec3::new(0.3, 0.1, 2.0), DVec3::new(-1.0, 2.0, 0.7));
    for length in [a.distance(b), 0.5 * a.distance(b), 0.0] {
        let hung = Catenary::between(a, b, length, DVec3::Z).unwrap();
        let line = Polyline::line(a, b, 9);
        for (p, q) in hung.sample(9).iter().zip(line.points()) {
            assert!(p.distance(*q) < 1e-15);
        }
        assert_eq!(hung.length(), a.distance(b));
    }
    let short = Catenary::between(a, b, 0.5 * a.distance(b), DVec3::Z).unwrap();
    assert!((short.stretch() - 2.0).abs() < 1e-15);
}

#[test]
fn coincident_and_vertical_ends_fold() {
    let a = DVec3::new(1.0, 2.0, 3.0);
    for rise in [0.0, 1.0, -1.0] {
        let b = a + DVec3::Z * rise;
        let hung = Catenary::between(a, b, 5.0, DVec3::Z).unwrap();
        let lowest = hung.lowest();
        assert!((lowest.z - (3.0 - 0.5 * (5.0 - rise))).abs() < 1e-14);
        let points = hung.sample(101);
        assert_eq!((points[0], points[100]), (a, b));
        let chords: f64 = points.windows(2).map(|w| w[0].distance(w[1])).sum();
        // Only the chord across the fold is shorter than its piece of rope.
        assert!(chords <= 5.0 + 1e-12 && chords > 5.0 - 0.05 - 1e-12);
    }
}

#[test]
fn invalid_numbers_are_rejected_and_named() {
    let bad = Catenary::between(DVec3::ZERO, DVec3::X, f64::NAN, DVec3::Z);
    assert!(matches!(bad, Err(CatenaryError::NotFinite { .. })));
    let bad = Catenary::between(DVec3::ZERO, DVec3::X, 2.0, DVec3::ZERO);
    assert!(matches!(bad, Err(CatenaryError::NotFinite { .. })));
    let bad = Catenary::between(DVec3::ZERO, DVec3::X, -2.0, DVec3::Z).unwrap_err();
    assert!(bad.to_string().contains("-2 m"));
}

#[test]
fn swing_and_sway_lean_as_published() {
    let world = (DVec3::X, DVec3::Y);
    let hang = |swing: f64, sway: f64| {
        let up = tilted_up(swing, sway, world);
        Catenary::between(DVec3::ZERO, DVec3::X * 4.0, 6.0, up).unwrap().sample(49)[24]
    };
    assert!(hang(0.5, 0.0).y > 0.5, "positive swing moves the sag towards +Y");
    assert!((hang(0.0, 0.3).x - 2.0).abs() > 0.1, "sway slides it along X");
    let (x, y) = chord_axes(DVec3::ZERO, DVec3::Y);
    assert_eq!((x, y), (DVec3::Y, DVec3::NEG_X));
}

#[test]
fn axes_follow_the_chord_wherever_it_starts() {
    let start = DVec3::new(1.0, 2.0, 5.0);
    let (x, y) = chord_axes(start, start + DVec3::new(3.0, 4.0, -6.0));
    assert!(x.distance(DVec3::new(0.6, 0.8, 0.0)) < 1e-15, "{x}");
    assert!(y.distance(DVec3::new(-0.8, 0.6, 0.0)) < 1e-15, "{y}");
}

/// The fast loop over samples against the form without cancellation, where the fast form would lose
/// digits: ropes that are steep and nearly taut.
#[test]
fn samples_vs_single_points_keep_every_digit() {
    for (rise, excess) in [(0.0, 1e-6), (1.0, 1e-4), (10.0, 4e-9), (100.0, 1e-11), (3.0, 0.5)] {
        let end = DVec3::new(1.0, 0.0, rise);
        let length = end.length() * (1.0 + excess);
        let hung = Catenary::between(DVec3::ZERO, end, length, DVec3::Z).unwrap();
        for (i, point) in hung.sample(65).iter().enumerate() {
            let error = point.distance(hung.at(i as f64 / 64.0).0) / length;
            assert!(error < 4e-15, "rise {rise}, excess {excess:e}, sample {i}: {error:e}");
        }
    }
}

#[test]
fn frames_of_samples_are_those_of_single_points() {
    // The second rope is so deep that its frames turn more slowly than the curve.
    for (length, sharp) in [(3.0, false), (1000.0, true)] {
        let hung = Catenary::between(DVec3::ZERO, DVec3::X, length, DVec3::Z).unwrap();
        assert_eq!(hung.is_sharp(), sharp);
        let mut rail = FramedPoints::default();
        hung.fill(41, &mut rail);
        for (i, frame) in rail.frames.iter().enumerate() {
            let one = hung.at(i as f64 / 40.0).1;
            assert!(frame.tangent().distance(one.tangent()) < 1e-13, "{length} m, sample {i}");
            assert!(frame.normal().distance(one.normal()) < 1e-13, "{length} m, sample {i}");
        }
    }
}

#[test]
fn parameter_round_trip() {
    let hung = Catenary::between(DVec3::ZERO, DVec3::new(3.0, 1.0, -1.0), 5.0, DVec3::Z).unwrap();
    let again = hung.with_parameter(hung.parameter().unwrap());
    assert!((again.length() - 5.0).abs() < 1e-13);
}

proptest! {
    #[test]
    fn ends_meet_exactly(
        end in prop::array::uniform3(-5.0..5.0_f64),
        slack in -12.0..6.0_f64,
        swing in -3.0..3.0_f64, sway in -3.0..3.0_f64,
    ) {
        let end = DVec3::from_array(end);
        let length = end.length() * (1.0 + ops::pow(10.0, slack));
        let up = tilted_up(swing, sway, (DVec3::X, DVec3::Y));
        let hung = Catenary::between(DVec3::ZERO, end, length, up).unwrap();
        let points = hung.sample(33);
        prop_assert_eq!(points[0], DVec3::ZERO);
        prop_assert_eq!(points[32], end);
        // The formula alone meets the end, before the last sample is set to it.
        let miss = hung.at_length(hung.length()).0.distance(end) / length;
        let (h, v) = (hung.span, hung.rise);
        let limit = if h < 1e-3 * v.abs() { 1e-9 } else { 2e-13 };
        prop_assert!(miss < limit, "miss {:e} of the length, L/D - 1 = 1e{}", miss, slack);
        prop_assert!(points.iter().all(|p| p.is_finite()));
    }

    #[test]
    fn length_is_as_requested(
        end in prop::array::uniform3(-5.0..5.0_f64), slack in -3.0..0.5_f64,
    ) {
        let end = DVec3::from_array(end);
        // The measuring spline cannot resolve a rope that turns within a few samples.
        prop_assume!(ops::hypot(end.x, end.y) > 0.25 * end.length());
        let length = end.length() * (1.0 + ops::pow(10.0, slack));
        let hung = Catenary::between(DVec3::ZERO, end, length, DVec3::Z).unwrap();
        // Measured by the spline through many samples: an independent method.
        let measured = Spline::through(&Polyline::new(hung.sample(1025)).unwrap()).length();
        prop_assert!((measured / length - 1.0).abs() < 1e-7);
    }

    #[test]
    fn frames_follow_the_curve(end in prop::array::uniform3(-5.0..5.0_f64), slack in 0.01..1.0_f64) {
        let end = DVec3::from_array(end);
        prop_assume!(ops::hypot(end.x, end.y) > 0.3);
        let hung = Catenary::between(DVec3::ZERO, end, end.length() * (1.0 + slack), DVec3::Z).unwrap();
        let mut rail = FramedPoints::default();
        hung.fill(4001, &mut rail);
        let (mut t, mut carried) = (Vec::new(), Vec::new());
        crate::curve::tangents(&rail.points, false, &mut t);
        crate::curve::frames(&rail.points, &t, DVec3::Z, crate::curve::Framing::RotationMinimising, &mut carried);
        for (exact, sampled) in rail.frames.iter().zip(&carried) {
            prop_assert!(exact.tangent().distance(sampled.tangent()) < 1e-3);
            prop_assert!(exact.normal().distance(sampled.normal()) < 1e-3);
        }
    }
}
