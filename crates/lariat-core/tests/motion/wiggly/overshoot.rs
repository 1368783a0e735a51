//! Bounded curves where keys are too few, in resonance or too close, and after the last one.

use std::f64::consts::TAU;

use proptest::prelude::*;

use lariat_core::motion::wiggly::{
    Damping, Kind, Knot, Setup, Slope, Spring, Start, Wiggly, WigglyError,
};
use lariat_core::motion::{Channel, Interpolation, Key, Keys};
use lariat_core::num::{complex, ops};
use num_complex::Complex64;

use super::{knots, largest, published};

#[test]
fn a_curve_starts_at_rest_and_rings_down() {
    let curve =
        Wiggly::new(knots(&[(1.0, 2.0), (1.5, 3.0)]), Setup::new(Spring::new(1.0))).unwrap();
    assert_eq!((curve.at(-10.0), curve.slope(-10.0)), (2.0, 0.0));
    assert!(curve.slope(1.0).abs() < 1e-12);
    let amplitude = |t: f64| complex::abs(curve.phasor(0, t));
    // Once it has settled, every cycle halves the amplitude.
    let left = amplitude(11.5) / amplitude(3.5);
    assert!((left * 256.0 - 1.0).abs() < 0.02, "{left}");
    // It never grows again; two poles would beat.
    let mut last = amplitude(2.5);
    for i in 0..400 {
        let now = amplitude(2.5 + f64::from(i) * 0.02);
        assert!(now <= last, "swells to {now} at {i}");
        last = now;
    }
    assert!((curve.at(1e6) - 2.0).abs() < 1e-12);
}

#[test]
fn rest_can_last_until_before_the_first_knot() {
    let setup = Setup {
        start: Start::RestUntil(0.5),
        around: Some(1.0.into()),
        ..Setup::new(Spring::new(1.5))
    };
    let curve = Wiggly::new(knots(&[(1.0, 4.0)]), setup).unwrap();
    assert_eq!((curve.at(0.2), curve.at(0.5), curve.at(1.0)), (1.0, 1.0, 4.0));
    let late = Setup { start: Start::RestUntil(2.0), ..Setup::new(Spring::new(1.0)) };
    let error = Wiggly::new(knots(&[(1.0, 4.0)]), late).unwrap_err();
    assert_eq!(error, WigglyError::RestsTooLong { until: 2.0, first: 1.0 });
}

/// `D² + 2d D + d² + ω²` of the phasor by differences: the force on a mass on a spring.
fn force(curve: &Wiggly<f64>, (hertz, d): (f64, f64), t: f64) -> Complex64 {
    let h = 1e-3;
    let at = |i: f64| curve.phasor(0, t + i * h);
    let (x, dx) = (at(0.0), (at(1.0) - at(-1.0)) * (0.5 / h));
    let ddx = (at(1.0) - at(0.0) * 2.0 + at(-1.0)) * (1.0 / (h * h));
    ddx + dx * (2.0 * d) + x * (d * d + TAU * TAU * hertz * hertz)
}

#[test]
fn the_residual_is_the_force_after_the_last_key_too() {
    let points = knots(&[(0.0, 0.0), (1.2, 1.0), (2.9, -0.5), (4.1, 0.7)]);
    for (penalty, bandwidth) in [(0.1, 0.15), (0.0, 0.15), (0.0, 0.0), (0.01, 0.3)] {
        let spring = Spring::new(1.0).with_damping(Damping::PerSecond(0.2.into()));
        let spring = spring.with_bandwidth(bandwidth).with_overshoot_penalty(penalty);
        let curve = Wiggly::new(points.clone(), Setup::new(spring)).unwrap();
        for t in [3.3, 4.2, 5.0] {
            let residual = curve.residual(0, t);
            let expected = force(&curve, (1.0, 0.2), t);
            assert!((residual - expected).norm_sqr().sqrt() < 2e-3, "{t}: {residual} {expected}");
        }
    }
}

#[test]
fn undamped_and_without_penalty_the_amplitude_stays_constant() {
    let points = knots(&[(0.0, 0.0), (1.2, 1.0), (2.9, -0.5), (4.1, 0.7)]);
    for bandwidth in [0.0, 0.15] {
        let spring = Spring::new(1.0).with_damping(Damping::PerSecond(0.0.into()));
        let spring = spring.with_bandwidth(bandwidth).with_overshoot_penalty(0.0);
        let curve = Wiggly::new(points.clone(), Setup::new(spring)).unwrap();
        let early = largest(4.1, 30.0, |t| curve.at(t));
        let late = largest(1e4, 1e4 + 30.0, |t| curve.at(t));
        assert!(early > 0.7 && (0.9..1.1).contains(&(late / early)), "{early}, then {late}");
    }
}

#[test]
fn the_penalty_bounds_resonant_keys_and_overshoot_is_reported() {
    // Undamped, with knots half a period apart to a thousandth, the published curve reaches 318 for
    // a key of 1.
    let undamped = |kind: Spring| kind.with_damping(Damping::PerSecond(0.0.into()));
    let spring = undamped(Spring::new(1.2).real());
    let half = 0.5 / 1.2 * 1.001;
    let points = [(0.0, 0.0), (half, 1.0)];
    let published_curve = Wiggly::new(
        knots(&points),
        Setup { around: Some(0.0.into()), ..published(spring.clone()) },
    )
    .unwrap();
    assert!(largest(0.0, half, |t| published_curve.at(t)) > 100.0);
    let found = published_curve.resonance().unwrap();
    assert!((found.half_periods - 1.001).abs() < 1e-9 && found.reach > 100.0, "{found:?}");
    let free = Setup { start: Start::Free, around: Some(0.0.into()), ..Setup::new(spring) };
    let penalised = Wiggly::new(knots(&points), free).unwrap();
    let reach = largest(0.0, half, |t| penalised.at(t));
    assert!(reach < 1.3, "{reach}");
    assert_eq!(penalised.resonance(), None);
}

#[test]
fn an_overshoot_is_reported_between_keys_wherever_the_spring_jumps() {
    let half = 0.5 / 1.2 * 1.001;
    let step = |t, v| Key::new(t, v).with_interpolation(Interpolation::Step);
    let jumps = Keys::new(vec![step(0.0, 0.1), step(0.5 * half, 0.2), step(9.0, 0.1)]).unwrap();
    let spring = Spring::new(1.2).real().with_damping(Damping::PerSecond(0.0.into()));
    let spring = spring.with_bandwidth(Channel::from(jumps));
    let points = knots(&[(0.0, 0.0), (half, 1.0)]);
    let setup = Setup { around: Some(0.0.into()), ..published(spring) };
    let found = Wiggly::new(points, setup).unwrap().resonance().unwrap();
    assert_eq!((found.from, found.to), (0.0, half), "{found:?}");
    assert!((found.half_periods - 1.001).abs() < 1e-9, "{found:?}");
}

#[test]
fn two_keys_are_hardly_overshot() {
    let mut widest = 0.0f64;
    for hertz in [0.5, 0.8, 1.0, 1.4, 2.0, 3.0] {
        for swings in [0.3, 1.0, 4.0, 10.0, 1000.0] {
            for frames in [3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 36, 42, 48] {
                let spring = Spring::new(hertz).with_damping(Damping::Swings(swings.into()));
                let keys = knots(&[(0.0, 0.0), (f64::from(frames) / 24.0, 1.0)]);
                let curve = Wiggly::new(keys, Setup::new(spring)).unwrap();
                widest = widest.max(largest(0.0, 8.0, |t| curve.at(t)));
            }
        }
    }
    assert!(widest < 1.07, "a key of 1 and a deviation of {widest}");
}

#[test]
fn a_distant_key_has_no_effect() {
    let spring = Spring::new(1.4).with_damping(Damping::HalfLife(1.2.into()));
    let alone = Wiggly::new(knots(&[(0.0, 0.0), (0.5, 35.0)]), Setup::new(spring.clone())).unwrap();
    for far in [20.0, 100.0, 4000.0] {
        let keys = knots(&[(0.0, 0.0), (0.5, 35.0), (far, 0.0)]);
        let curve = Wiggly::new(keys, Setup::new(spring.clone())).unwrap();
        let apart = largest(0.0, 5.0, |t| curve.at(t) - alone.at(t));
        assert!(apart < 0.02, "{apart} with a key at {far} s");
    }
}

#[test]
fn keys_on_a_free_oscillation_reproduce_it_despite_the_penalty() {
    for d in [0.0, 0.4] {
        let free = |t: f64| ops::exp(-d * t) * ops::cos(TAU * 1.2 * t + 0.7);
        for gap in [0.2, 0.31, 0.5, 0.9, 1.7] {
            let all: Vec<_> = (0..20).map(|i| f64::from(i) * gap).filter(|t| *t < 4.0).collect();
            let all: Vec<_> = all.iter().map(|t| (*t, free(*t))).collect();
            let spring = Spring::new(1.2).with_damping(Damping::PerSecond(d.into()));
            let setup =
                Setup { around: Some(0.0.into()), start: Start::Free, ..Setup::new(spring) };
            let curve = Wiggly::new(knots(&all), setup).unwrap();
            let error = largest(0.0, 6.0, |t| curve.at(t) - free(t));
            assert!(error < 1e-6, "a key every {gap} s, decay {d}: {error:e}");
        }
    }
}

#[test]
fn keys_too_close_for_the_spring_are_named() {
    let close = knots(&[(0.0, 0.0), (0.375, 5.0), (0.417, -25.0), (0.458, 35.0), (1.0, 10.0)]);
    let curve = Wiggly::new(close.clone(), Setup::new(Spring::new(1.0))).unwrap();
    let found = curve.resonance().unwrap();
    assert_eq!((found.from, found.to), (0.417, 0.458));
    assert!(found.half_periods < 0.1 && found.reach > 5.0 * 35.0, "{found:?}");
    // After the last key the curve is braked.
    let curve = Wiggly::new(close[..4].to_vec(), Setup::new(Spring::new(1.0))).unwrap();
    let reach = largest(0.458, 9.0, |t| curve.at(t));
    assert!(curve.resonance().is_none() && reach < 2.0 * 35.0, "{reach}");
}

/// Linear keys at frames of a 24th of a second.
fn straight(all: &[(f64, f64)]) -> Channel<f64> {
    let key = |(frame, value): &(f64, f64)| {
        Key::new(frame / 24.0, *value).with_interpolation(Interpolation::Linear)
    };
    Keys::new(all.iter().map(key).collect()).expect("they are in order").into()
}

/// The curve through 0, 35 and 10 at frames 1, 8 and 24.
fn swing(spring: Spring) -> Wiggly<f64> {
    let keys = [(1.0, 0.0), (8.0, 35.0), (24.0, 10.0)].map(|(f, v)| (f / 24.0, v));
    Wiggly::new(knots(&keys), Setup::new(spring)).expect("the keys are in order")
}

#[test]
fn without_a_spring_the_last_value_is_held_despite_later_keys() {
    let stops = [(1.0, 1.3), (16.0, 1.3), (17.0, 0.0)];
    let later = [(1.0, 1.3), (16.0, 1.3), (17.0, 0.0), (90.0, 0.0), (200.0, 0.0)];
    let varies = straight(&[(1.0, 0.5), (60.0, 0.2), (200.0, 3.0)]);
    for kind in [Spring::real, |spring| spring] {
        let plain = swing(kind(Spring::new(straight(&stops))));
        let keyed = [
            kind(Spring::new(straight(&later))),
            kind(Spring::new(straight(&stops)).with_bandwidth(varies.clone())),
            kind(Spring::new(straight(&stops)).with_damping(Damping::Swings(varies.clone()))),
            kind(Spring::new(straight(&stops)).with_damping(Damping::Ratio(varies.clone()))),
            kind(Spring::new(0.0).with_bandwidth(varies.clone())),
        ];
        for (i, spring) in keyed.into_iter().enumerate() {
            let curve = swing(spring);
            for frame in [25.0, 30.0, 89.9, 150.0, 200.0, 1e5] {
                assert_eq!(curve.at(frame / 24.0), 10.0, "{i}: frame {frame}");
            }
            assert_eq!(curve.resonance(), None, "{i}");
        }
        let curve = swing(kind(Spring::new(straight(&later))));
        assert_eq!(largest(0.0, 1.0, |t| curve.at(t) - plain.at(t)), 0.0);
    }
    // A curve that still swings after its last key is held at its value when the spring vanishes.
    let ends = straight(&[(1.0, 1.3), (40.0, 1.3), (40.5, 0.0), (200.0, 0.0)]);
    let curve = swing(Spring::new(ends));
    let left = curve.at(40.5 / 24.0);
    assert!(left.abs() > 0.1, "{left}");
    let moved = largest(40.6 / 24.0, 20.0, |t| curve.at(t) - left);
    assert!(moved < 1e-9, "{moved}");
}

#[test]
fn a_held_curve_swings_again_when_a_spring_begins() {
    let (hertz, decay) = (1.3, 0.7);
    // The penalty takes a thousandth of the amplitude of a real spring; without it, the spring is a
    // mass on a spring exactly.
    for kind in [|spring: Spring| spring.real().with_overshoot_penalty(0.0), |spring| spring] {
        let step = |frame: f64, value: f64| {
            Key::new(frame / 24.0, value).with_interpolation(Interpolation::Step)
        };
        let on = [step(1.0, hertz), step(17.0, 0.0), step(96.0, hertz), step(240.0, 0.0)];
        let lossy = [step(1.0, decay), step(17.0, 0.0), step(96.0, decay), step(240.0, 0.0)];
        let spring = Spring::new(Channel::from(Keys::new(on.to_vec()).unwrap()));
        let loss = Damping::PerSecond(Keys::new(lossy.to_vec()).unwrap().into());
        let curve = swing(kind(spring.with_damping(loss)));
        assert_eq!((curve.at(2.0), curve.at(95.9 / 24.0)), (10.0, 10.0));
        // Closed form of a mass released at 10.
        let omega = TAU * hertz;
        let free = |t: f64| {
            let (sin, cos) = ops::sin_cos(omega * t);
            10.0 * ops::exp(-decay * t) * (cos + decay / omega * sin)
        };
        let off = largest(4.0, 9.999, |t| curve.at(t) - free(t - 4.0));
        assert!(off < 1e-6, "{off}");
        // Held again.
        assert!((curve.at(50.0) - free(6.0)).abs() < 1e-6, "{}", curve.at(50.0));
        // Doubling the key doubles the curve after it, and the edit reports that interval.
        let (edited, touched) = curve.with_value(2, 20.0).unwrap();
        assert!((edited.at(5.0) - 2.0 * free(1.0)).abs() < 1e-6);
        assert!(touched.contains(9.0));
    }
    // With a moving equilibrium, the passive response is held as well.
    let setup = Setup {
        around: Some(straight(&[(12.0, 0.0), (30.0, 40.0)])),
        until: 20.0,
        ..Setup::new(Spring::new(straight(&[(1.0, 1.3), (31.0, 1.3), (32.0, 0.0)])))
    };
    let alone = Wiggly::new(vec![], setup).unwrap();
    let moved = largest(32.0 / 24.0 + 0.02, 30.0, |t| alone.at(t) - alone.at(2.0));
    assert!(moved < 1e-9, "{moved}");
}

#[test]
fn a_key_that_changes_nothing_has_no_effect() {
    let points = knots(&[(1.0 / 24.0, 0.0), (5.0 / 24.0, 10.0), (20.0 / 24.0, 4.0)]);
    for kind in [Spring::real, |spring| spring] {
        for hertz in [0.01, 1.3] {
            // The frequency is keyed before the last knot, so that it is not constant.
            let keyed = [(1.0, 0.5 * hertz), (4.0, hertz)];
            let repeated = [keyed[0], keyed[1], (100.0, hertz), (200.0, hertz)];
            let [once, twice] = [straight(&keyed), straight(&repeated)].map(|hertz| {
                Wiggly::new(points.clone(), Setup::new(kind(Spring::new(hertz)))).unwrap()
            });
            assert_eq!(largest(0.0, 60.0, |t| once.at(t) - twice.at(t)), 0.0, "{hertz} Hz");
        }
    }
}

#[test]
fn a_slope_that_causes_an_overshoot_is_reported() {
    let with = |value: f64, slope: f64| {
        let mut key = Knot::new(0.5, value);
        (key.left, key.right) = (Some(Slope::Hard(slope)), Some(Slope::Hard(slope)));
        Wiggly::new(vec![Knot::new(0.0, 0.0), key], Setup::new(Spring::new(1.4))).unwrap()
    };
    for slope in [1500.0, -1500.0, 1e9] {
        let curve = with(35.0, slope);
        let reach = largest(0.0, 4.0, |t| curve.at(t));
        let found = curve.resonance();
        let reported = found.map(|found| found.reach);
        assert!(
            reach > 70.0 && reported.is_some_and(|reported| reported > 0.97 * reach),
            "{reach}, {reported:?}"
        );
        assert_eq!(found.and_then(|found| found.slope), Some((0.5, slope.abs())));
    }
    assert_eq!(with(35.0, 300.0).resonance(), None);
    // A slope at the equilibrium is an impulse, and its deviation is intended.
    assert_eq!(with(0.0, 1500.0).resonance(), None);
}

/// Springs of 0 to 10 Hz through random keys, with the deviation of the keys and a description.
fn random_curves() -> impl Iterator<Item = (Wiggly<f64>, f64, String)> {
    let mut seed = 7u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..2000).map(move |i| {
        let hertz = if i % 20 == 0 { 0.0 } else { ops::exp(-14.0 + 16.3 * random()) };
        let mut t = 0.0;
        let points: Vec<_> = (0..2 + i % 5)
            .map(|_| {
                t += (1.0 + (20.0 * random()).floor()) / 24.0;
                (t, (20.0 * random()).floor() - 10.0)
            })
            .collect();
        let swings = [0.3, 1.0, 3.0, 1e9][i % 4];
        let spring = Spring::new(hertz).with_damping(Damping::Swings(swings.into()));
        let spring = if i % 3 == 0 { spring.real() } else { spring };
        let name = format!("{hertz} Hz, {swings} swings, {:?}, {points:?}", spring.kind);
        let asked = points.iter().fold(0.0, |most: f64, p| most.max((p.1 - points[0].1).abs()));
        (
            Wiggly::new(knots(&points), Setup::new(spring)).expect("the keys are in order"),
            asked,
            name,
        )
    })
}

#[test]
fn an_overshoot_beyond_twice_the_keys_is_always_reported() {
    let (mut reported, mut slow) = (0, 0);
    for (curve, asked, name) in random_curves() {
        let rest = curve.knots()[0].value;
        let reach = |from: f64, to: f64| largest(from, to, |t| curve.at(t) - rest);
        let (first, last) = (curve.knots()[0].time, curve.knots()[curve.knots().len() - 1].time);
        let period = 1.0 / curve.hertz(0.0).max(1e-9);
        let spans = [0.1, 2.0, 0.3 * period, 3.0 * period, 30.0 * period];
        let after = spans.iter().fold(0.0, |most: f64, span| most.max(reach(last, last + span)));
        let found = curve.resonance();
        if let Some(found) = found {
            reported += 1;
            let seen = after.max(reach(first, last));
            assert!((0.97..1.03).contains(&(seen / found.reach)), "{seen}: {found:?}, {name}");
        } else {
            let most = after.max(reach(first, last));
            assert!(most <= 2.02 * asked, "{most} for {asked} not reported: {name}");
        }
        // A spring too slow for its keys does not overshoot them, reported or not.
        if curve.hertz(0.0) < 0.01 {
            slow += 1;
            assert!(after < 1.2 * asked + 1e-9, "{after} for {asked}: {name}");
        }
    }
    assert!(reported > 50 && reported < 300 && slow > 500, "{reported} reported, {slow} slow");
}

#[test]
fn slow_springs_stay_within_reach_of_their_keys() {
    let keys = knots(&[(1.0 / 24.0, 0.0), (5.0 / 24.0, 10.0), (20.0 / 24.0, 4.0)]);
    for kind in [Spring::real, |spring| spring] {
        for hertz in [10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6, 1e-9, 0.0] {
            let curve = Wiggly::new(keys.clone(), Setup::new(kind(Spring::new(hertz)))).unwrap();
            let spans = [1.0, 10.0, 100.0, 2.0 / hertz.max(1e-9)];
            for span in spans {
                let reach = largest(20.0 / 24.0, span, |t| curve.at(t));
                let reported = curve.resonance().is_some();
                assert!(reach < 20.2 || reported, "{reach} within {span} s at {hertz} Hz");
                assert!(reach < 12.0 || hertz > 0.1, "{reach} within {span} s at {hertz} Hz");
            }
        }
    }
}

#[test]
fn the_slower_a_spring_the_nearer_the_cubic() {
    let points = knots(&[(0.0, 0.0), (0.2, 10.0), (0.9, 4.0), (1.1, 6.0)]);
    for kind in [Spring::real, |spring| spring] {
        for loss in [0.3, 1.0, 1e6] {
            // From rest the first slope is 0 for any spring; the cubic has a free one.
            let with = |hertz: f64| {
                let spring = kind(Spring::new(hertz).with_damping(Damping::Swings(loss.into())));
                let setup = Setup { start: Start::Free, ..Setup::new(spring) };
                Wiggly::new(points.clone(), setup).unwrap()
            };
            let cubic = with(0.0);
            let mut last = f64::INFINITY;
            for hertz in [1e-1, 1e-2, 1e-3, 1e-4, 1e-5] {
                let curve = with(hertz);
                let apart = largest(0.0, 10.0, |t| curve.at(t) - cubic.at(t));
                assert!(apart < last, "{apart} at {hertz} Hz, {last} before");
                last = apart;
                // Braked with a continuous velocity.
                let [arriving, leaving] = [1.1 - 1e-9, 1.1].map(|t| curve.slope(t));
                assert!((arriving - leaving).abs() < 1e-3 * arriving.abs(), "{hertz} Hz");
            }
            assert!(last < 2e-3, "{last}");
        }
    }
}

#[test]
fn critical_damping_is_the_limit_of_slow_oscillations() {
    let points = knots(&[(0.0, 0.0), (0.3, 10.0), (0.9, 4.0)]);
    let with = |kind: fn(Spring) -> Spring, hertz: f64, loss: Damping| {
        let spring = kind(Spring::new(hertz).with_damping(loss));
        Wiggly::new(points.clone(), Setup::new(spring)).unwrap()
    };
    for kind in [Spring::real, |spring| spring] {
        // A decay at 0 Hz is critical damping, as is a damping ratio of 1.
        let critical = with(kind, 0.0, Damping::PerSecond(2.0.into()));
        let slow = with(kind, 1e-5, Damping::PerSecond(2.0.into()));
        let apart = largest(0.0, 6.0, |t| critical.at(t) - slow.at(t));
        assert!(apart < 1e-3, "{apart}");
        let (damped, nearly) = (with(kind, 1.0, Damping::Ratio(1.0.into())), 1.0 - 1e-10);
        let nearly = with(kind, 1.0, Damping::Ratio(nearly.into()));
        let apart = largest(0.0, 6.0, |t| damped.at(t) - nearly.at(t));
        assert!(apart < 1e-3, "{apart}");
        assert!(critical.at(9.0).abs() < 1e-3 && damped.at(9.0).abs() < 1e-3);
    }
}

#[test]
fn few_knots_give_a_bounded_curve() {
    let free = |hertz: f64, penalty: f64| Setup {
        start: Start::Free,
        around: Some(0.0.into()),
        ..Setup::new(
            Spring::new(hertz)
                .with_damping(Damping::PerSecond(0.0.into()))
                .with_overshoot_penalty(penalty),
        )
    };
    for penalty in [0.0, 1e-4] {
        // One knot: an oscillation that peaks there.
        let one = Wiggly::new(knots(&[(1.0, 3.0)]), free(1.5, penalty)).unwrap();
        let (slope, reach) = (one.slope(1.0), largest(1.0, 5.0, |t| one.at(t)));
        // The penalty accepts a small slope to avoid the beat of the two poles.
        let tolerance = if penalty == 0.0 { 1e-6 } else { 0.03 };
        assert!(slope.abs() < tolerance * 3.0 * TAU * 1.5, "penalty {penalty}: slope {slope}");
        assert!(reach < 3.0 * (1.0 + tolerance), "penalty {penalty}: reach {reach}");
        // Without a spring: a constant, and a straight line through two knots.
        let constant = Wiggly::new(knots(&[(1.0, 3.0)]), free(0.0, penalty)).unwrap();
        assert_eq!((constant.at(0.0), constant.at(1.0), constant.at(7.0)), (3.0, 3.0, 3.0));
        let line = Wiggly::new(knots(&[(1.0, 3.0), (3.0, 4.0)]), free(0.0, penalty)).unwrap();
        assert!((line.at(2.0) - 3.5).abs() < 1e-12);
    }
    assert_eq!(
        Wiggly::<f64>::new(vec![], Setup::new(Spring::new(1.0))).unwrap_err(),
        WigglyError::Nothing
    );
}

#[test]
fn long_gaps_lose_no_digits() {
    // The oscillation survives two and a half minutes without a key, undamped.
    let omega = TAU * 1.3;
    let free = |t: f64| ops::cos(omega * t - 0.4);
    let at = [0.0, 0.2, 0.7, 150.0, 150.3];
    let keys: Vec<_> = at.iter().map(|t| (*t, free(*t))).collect();
    let spring = Spring::new(1.3).with_damping(Damping::PerSecond(0.0.into())).with_bandwidth(0.0);
    let setup = Setup { around: Some(0.0.into()), ..published(spring) };
    let curve = Wiggly::new(knots(&keys), setup).unwrap();
    let error = largest(0.0, 150.0, |t| curve.at(t) - free(t));
    assert!(error < 1e-8, "off by {error:e}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_input_makes_the_curve_blow_up(
        gaps in prop::collection::vec(1e-4..30.0f64, 1..8),
        values in prop::collection::vec(-5.0..5.0f64, 8),
        hertz in prop_oneof![Just(0.0), 1e-3..60.0f64],
        decay in prop_oneof![Just(0.0), 0.0..50.0f64],
        bandwidth in 0.0..2.0f64,
        penalty in prop_oneof![Just(1e-4), Just(0.1), Just(1.0)],
        real: bool, ring: bool, free: bool,
    ) {
        let mut t = 0.0;
        let all: Vec<_> = gaps.iter().zip(&values).map(|(gap, v)| { t += gap; Knot::new(t, *v) }).collect();
        let spring = Spring::new(hertz).with_damping(Damping::PerSecond(decay.into())).with_bandwidth(bandwidth);
        let spring = if real { spring.real() } else { spring.with_overshoot_penalty(penalty) };
        let setup = Setup {
            period: ring.then_some(t + 1.0),
            start: if free { Start::Free } else { Start::Rest },
            ..Setup::new(spring)
        };
        let curve = Wiggly::new(all.clone(), setup).unwrap();
        for knot in &all {
            prop_assert_eq!(curve.at(knot.time), knot.value);
            for side in [knot.time - 1e-7, knot.time + 1e-7] {
                let near = curve.at(side);
                prop_assert!((near - knot.value).abs() < 1.0, "{} beside {}", near, knot.value);
            }
        }
        for i in 0..200 {
            let x = curve.at(f64::from(i) * (t + 3.0) / 150.0 - 1.0);
            prop_assert!(x.is_finite(), "{}", x);
            // The overshoot grows with the speed between two keys.
            let speed = gaps.iter().fold(1.0, |most: f64, gap| most.max(1.0 / (TAU * hertz.max(0.1) * gap)));
            prop_assert!(x.abs() < 100.0 * speed, "{} at a speed of {}", x, speed);
        }
    }
}

#[test]
fn each_kind_of_spring_has_its_own_default_penalty() {
    let complex = Spring::new(2.0);
    assert_eq!((complex.kind, complex.overshoot_penalty), (Kind::Complex, 0.1));
    let real = complex.with_overshoot_penalty(3.0).real();
    assert_eq!((real.kind, real.overshoot_penalty), (Kind::Real, 1e-4));
}
