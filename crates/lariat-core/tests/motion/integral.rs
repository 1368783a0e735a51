//! Integrals, compared with a quadrature of values.

use proptest::prelude::*;

use crate::arbitrary::keys;
use lariat_core::motion::{
    Channel, Extrapolation, Integral, Interpolation, Interval, Key, Keys, Tangent,
};

/// Adaptive Simpson between two times without a jump between them; `tolerance` is the error allowed
/// per second.
fn simpson(f: &impl Fn(f64) -> f64, a: f64, b: f64, tolerance: f64) -> f64 {
    fn halves(
        f: &impl Fn(f64) -> f64,
        (a, fa): (f64, f64),
        (b, fb): (f64, f64),
        (fm, whole): (f64, f64),
        tolerance: f64,
        depth: u32,
    ) -> f64 {
        let m = 0.5 * (a + b);
        let (l, r) = (f(0.5 * (a + m)), f(0.5 * (m + b)));
        let left = (m - a) / 6.0 * (fa + 4.0 * l + fm);
        let right = (b - m) / 6.0 * (fm + 4.0 * r + fb);
        let error = (left + right - whole) / 15.0;
        if depth == 0 || error.abs() <= tolerance * (b - a) {
            return left + right + error;
        }
        halves(f, (a, fa), (m, fm), (l, left), tolerance, depth - 1)
            + halves(f, (m, fm), (b, fb), (r, right), tolerance, depth - 1)
    }
    let (fa, fb, fm) = (f(a), f(b), f(0.5 * (a + b)));
    halves(f, (a, fa), (b, fb), (fm, (b - a) / 6.0 * (fa + 4.0 * fm + fb)), tolerance, 30)
}

/// `t`, clamped to about a dozen periods beyond the keys.
fn near(channels: [&Keys<f64>; 2], t: f64) -> f64 {
    let spans = channels.map(Keys::span);
    let period =
        |span: &Interval| if span.to() > span.from() { span.to() - span.from() } else { 99.0 };
    // Not a whole number of periods: on a seam a cycle may jump.
    let margin = 12.37 * spans.iter().map(period).fold(f64::INFINITY, f64::min);
    let both = spans[0].cover(spans[1]);
    t.clamp(both.from() - margin, both.to() + margin)
}

/// Integral of `f` from 0 to `t`, and of its absolute value, by Simpson between all keys and their
/// copies.
///
/// Every segment is cut into 22: a bounce touches the floor at elevenths of it, or at elevenths of
/// a half.
fn reference(f: &impl Fn(f64) -> f64, channels: &[&Keys<f64>], t: f64) -> (f64, f64) {
    let (low, high) = (t.min(0.0), t.max(0.0));
    let mut ends = vec![low, high];
    for keys in channels {
        let (first, last) = (keys.span().from(), keys.span().to());
        let period = last - first;
        let periods = if period > 0.0 { ((high - low + 20.0) / period).ceil() as i32 } else { 0 };
        let mut cuts = vec![first];
        for pair in keys.key_times().windows(2) {
            let cut = |i: u32| pair[0] + (pair[1] - pair[0]) * f64::from(i) / 22.0;
            cuts.extend((1..22).map(cut));
            cuts.push(pair[1]);
        }
        for cut in cuts {
            for index in -periods..=periods {
                let shift = f64::from(index) * period;
                ends.push(cut + shift);
                ends.push(first + last - cut + shift);
            }
        }
    }
    ends.retain(|t| *t >= low && *t <= high);
    ends.sort_by(f64::total_cmp);
    let (mut sum, mut size) = (0.0, 0.0);
    for pair in ends.windows(2) {
        // Slightly inside, to exclude a jump on the key.
        let inset = 1e-13 * (1.0 + pair[0].abs());
        let (a, b) = (pair[0] + inset, pair[1] - inset);
        if b > a {
            // The tolerance is above the rounding of large values.
            let most = [f(a), f(b), f(0.5 * (a + b))].iter().fold(1.0_f64, |m, v| m.max(v.abs()));
            sum += simpson(f, a, b, 5e-12 * most) + inset * (f(a) + f(b));
            size += (b - a) * f(0.5 * (a + b)).abs();
        }
    }
    (if t < 0.0 { -sum } else { sum }, size)
}

#[test]
fn constants_are_exact() {
    let (a, b) = (Channel::from(0.3), Channel::from(7.0));
    for t in [-3.0, 0.0, 0.1, 1e6] {
        assert_eq!(Integral::of(&a).to(t), 0.3 * t);
        assert_eq!(Integral::of_product(&a, &b).to(t), (0.3 * 7.0) * t);
    }
    let still = Keys::new(vec![Key::new(0.1, 0.3), Key::new(0.7, 0.3)]).unwrap();
    assert_eq!(Integral::of(&still.into()).to(1e6), 0.3 * 1e6);
}

#[test]
fn a_constant_factor_stays_in_closed_form() {
    let speed = Keys::new(vec![Key::new(0.0, 1.0), Key::new(2.0, 4.0)]).unwrap().into();
    let ripples = Channel::from(3.0);
    let (one, both) = (Integral::of(&speed), Integral::of_product(&speed, &ripples));
    let turned = Integral::of_product(&ripples, &speed);
    for t in [-4.0, 0.5, 1.9, 77.0] {
        assert_eq!(both.to(t), 3.0 * one.to(t));
        assert_eq!(turned.to(t), 3.0 * one.to(t));
    }
}

#[test]
fn integrals_are_zero_at_second_zero() {
    for start in [-5.0, -0.5, 0.0, 3.0] {
        let list = vec![Key::new(start, 2.0), Key::new(start + 1.0, 3.0)];
        let keys = Keys::extended(list, Extrapolation::Cycle, Extrapolation::Line).unwrap();
        let channel = Channel::from(keys);
        assert_eq!(Integral::of(&channel).to(0.0), 0.0);
        assert_eq!(Integral::of_product(&channel, &channel).to(0.0), 0.0);
    }
}

#[test]
fn whole_periods_are_exact() {
    // One period of a keyed speed integrates to 4.5; a million periods to a million times that.
    let key = |t, v| Key::new(t, v).with_interpolation(Interpolation::Linear);
    let list = || vec![key(0.0, 1.0), key(1.0, 2.0), key(3.0, 1.0)];
    let cycle = |extend| Channel::from(Keys::extended(list(), extend, extend).unwrap());
    let forward = Integral::of(&cycle(Extrapolation::Cycle));
    assert_eq!(forward.to(3.0), 4.5);
    assert!((forward.to(3e6) / 4.5e6 - 1.0).abs() < 1e-12);
    assert!((forward.to(-3e6) / -4.5e6 - 1.0).abs() < 1e-12);
    let mirrored = Integral::of(&cycle(Extrapolation::PingPong));
    assert!((mirrored.to(3e6) / 4.5e6 - 1.0).abs() < 1e-12);
    // ∫ v² over a period is 7/3 + 14/3.
    let squared = Integral::of_product(&cycle(Extrapolation::Cycle), &cycle(Extrapolation::Cycle));
    assert!((squared.to(3e6) / 7e6 - 1.0).abs() < 1e-12);
    assert!((squared.to(-3e6) / -7e6 - 1.0).abs() < 1e-12);
}

#[test]
fn products_of_lines_and_climbing_cycles_are_polynomials_far_out() {
    let key = |t, v| Key::new(t, v).with_interpolation(Interpolation::Linear);
    let ramp = |from: f64, to: f64, slope: f64, extend| {
        let list = vec![key(from, slope * from), key(to, slope * to)];
        Channel::from(Keys::extended(list, extend, extend).unwrap())
    };
    // Straight through second 0 with either extrapolation: ∫ (2t)(−t) = −2t³/3.
    for a in [Extrapolation::Line, Extrapolation::CycleOffset] {
        for b in [Extrapolation::Line, Extrapolation::CycleOffset] {
            let product = Integral::of_product(&ramp(0.5, 2.0, 2.0, a), &ramp(-1.0, 1.25, -1.0, b));
            for t in [-1e5, -30.0, -0.3, 0.7, 4.0, 1e3, 1e6] {
                let exact = -2.0 * t * t * t / 3.0;
                let error = (product.to(t) / exact - 1.0).abs();
                assert!(error < 1e-11, "{a} {b} to {t}: {error:e}");
            }
        }
    }
}

#[test]
fn periods_without_a_common_multiple_are_followed_and_then_averaged() {
    let key = |t, v| Key::new(t, v).with_interpolation(Interpolation::Linear);
    let cycle = |period: f64, low: f64, high: f64| {
        let list = vec![key(0.0, low), key(0.5 * period, high), key(period, low)];
        Keys::extended(list, Extrapolation::Cycle, Extrapolation::Cycle).unwrap()
    };
    let (a, b) = (cycle(1.0, 1.0, 3.0), cycle(std::f64::consts::FRAC_1_SQRT_2, 0.5, 1.5));
    let product = Integral::of_product(&a.clone().into(), &b.clone().into());
    for t in [37.3, -61.9] {
        let (exact, size) = reference(&|t| a.at(t) * b.at(t), &[&a, &b], t);
        assert!((product.to(t) - exact).abs() < 1e-10 * size, "to {t}");
    }
    // Means 2 and 1: far out the integral follows their product, within the integral of one period.
    for t in [-1e7, 1e5, 1e7] {
        assert!((product.to(t) - 2.0 * t).abs() < 1.0, "{} to {t}", product.to(t));
    }
}

#[test]
fn long_cycles_of_one_period_stay_exact_with_many_keys() {
    // Two sawtooth curves with a thousand teeth each, two keys per tooth: ∫ab is the same over
    // every period of ten seconds.
    let saw = |low: f64, high: f64| {
        let list = (0..=2000).map(|i| {
            Key::new(0.005 * f64::from(i), if i % 2 == 0 { low } else { high })
                .with_interpolation(Interpolation::Linear)
        });
        Channel::from(
            Keys::extended(list.collect(), Extrapolation::Cycle, Extrapolation::Cycle).unwrap(),
        )
    };
    // The mean of (1 + 2u)(3 − u) for u from 0 to 1.
    let mean = 3.0 + 5.0 / 2.0 - 2.0 / 3.0;
    let product = Integral::of_product(&saw(1.0, 3.0), &saw(3.0, 2.0));
    for t in [-1e6, 10.0, 1e4, 1e7] {
        assert!((product.to(t) / (mean * t) - 1.0).abs() < 1e-11, "to {t}");
    }
}

#[test]
fn weighted_handles_are_integrated_exactly() {
    // With equal handles in value and time the curve is the line v = t: ∫ to t is t²/2.
    let list = vec![
        Key::new(0.0, 0.0).with_tangents(Tangent::default(), Tangent::free(0.7, 0.7)),
        Key::new(1.0, 1.0).with_tangents(Tangent::free(-0.1, -0.1), Tangent::default()),
    ];
    let integral = Integral::of(&Keys::new(list).unwrap().into());
    for i in 0..=100 {
        let t = f64::from(i) / 100.0;
        assert!((integral.to(t) - 0.5 * t * t).abs() < 1e-15, "to {t}");
    }
}

#[test]
fn a_million_keys_add_up() {
    let list = (0..1_000_001).map(|i| {
        Key::new(f64::from(i) * 0.01, if i % 2 == 0 { 0.1 } else { 0.3 })
            .with_interpolation(Interpolation::Linear)
    });
    let integral = Integral::of(&Keys::new(list.collect()).unwrap().into());
    assert!((integral.to(10_000.0) - 2000.0).abs() < 1e-9, "{}", integral.to(10_000.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn integral_vs_quadrature(keys in keys(), t in -12.0..16.0f64) {
        let (exact, size) = reference(&|t| keys.at(t), &[&keys], t);
        let ours = Integral::of(&keys.into()).to(t);
        prop_assert!((ours - exact).abs() <= 1e-10 * (1.0 + size), "{ours} for {exact}");
    }

    #[test]
    fn product_vs_quadrature(a in keys(), b in keys(), t in -12.0..16.0f64) {
        let t = near([&a, &b], t);
        let (exact, size) = reference(&|t| a.at(t) * b.at(t), &[&a, &b], t);
        let ours = Integral::of_product(&a.into(), &b.into()).to(t);
        prop_assert!((ours - exact).abs() <= 1e-10 * (1.0 + size), "{ours} for {exact}");
    }

    #[test]
    fn integrals_have_the_value_as_slope(a in keys(), b in keys(), t in -16.0..16.0f64) {
        let t = near([&a, &b], t);
        let h = 1e-5;
        let smooth = |f: &dyn Fn(f64) -> f64| (f(t + h) - f(t - h)).abs() < 1e-3;
        let (ca, cb) = (Channel::from(a.clone()), Channel::from(b.clone()));
        prop_assume!(smooth(&|t| a.at(t)) && smooth(&|t| a.at(t) * b.at(t)));
        for (integral, value) in [
            (Integral::of(&ca), a.at(t)),
            (Integral::of_product(&ca, &cb), a.at(t) * b.at(t)),
        ] {
            let slope = (integral.to(t + h) - integral.to(t - h)) / (2.0 * h);
            prop_assert!((slope - value).abs() < 2e-3 * (1.0 + value.abs()), "{slope} for {value}");
        }
    }
}
