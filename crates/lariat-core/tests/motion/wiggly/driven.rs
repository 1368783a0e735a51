//! Loops, moving equilibria, external forces, followers, and integrals of wiggly curves.

use std::f64::consts::{LN_2, TAU};

use lariat_core::motion::wiggly::{Damping, Follow, Knot, Setup, Spring, Wiggly};
use lariat_core::motion::{Channel, Extrapolation, Integral, Interpolation, Key, Keys};
use lariat_core::num::ops;
use lariat_core::num::quadrature::gauss8;

use super::{knots, largest, published};

#[test]
fn loops_close_in_value_and_velocity() {
    for spring in [
        Spring::new(1.3),
        Spring::new(1.3).real(),
        Spring::new(1.3).with_damping(Damping::PerSecond(0.0.into())),
        Spring::new(0.0),
    ] {
        for points in
            [&[(0.2, 0.0), (0.9, 3.0), (1.5, -1.0)][..], &[(0.2, 1.0)], &[(0.2, 0.0), (1.0, 2.0)]]
        {
            let setup =
                Setup { period: Some(2.5), around: Some(0.1.into()), ..Setup::new(spring.clone()) };
            let curve = Wiggly::new(knots(points), setup).unwrap();
            let (end, start) = (2.7 - 1e-12, 0.2 + 1e-12);
            let gap = (curve.at(end) - curve.at(start)).abs();
            let kick = (curve.slope(end) - curve.slope(start)).abs();
            assert!(gap < 1e-9 && kick < 1e-9, "gap {gap:e}, kick {kick:e}");
            for (t, v) in points {
                assert_eq!((curve.at(*t), curve.at(t + 250.0), curve.at(t - 2.5)), (*v, *v, *v));
            }
        }
    }
}

#[test]
fn loops_close_where_the_spring_differs_at_their_ends() {
    // Parameters of the spring at the start and at the end of a period.
    let keyed = |from: f64, to: f64| {
        Channel::from(Keys::new(vec![Key::new(0.2, from), Key::new(2.7, to)]).unwrap())
    };
    let plain = Spring::new(1.3);
    let springs = [
        Spring::new(keyed(1.0, 2.0)),
        Spring::new(keyed(2.0, 0.0)),
        Spring::new(keyed(0.4, 3.0)).with_damping(Damping::Ratio(keyed(0.5, 0.0))),
        plain.clone().with_damping(Damping::HalfLife(keyed(0.2, 4.0))),
        plain.clone().with_damping(Damping::PerSecond(keyed(5.0, 0.0))),
        plain.with_bandwidth(keyed(0.0, 0.5)),
    ];
    let points = [(0.2, 1.0), (0.9, 3.0), (1.5, -1.0)];
    for spring in springs.iter().flat_map(|s| [s.clone(), s.clone().real()]) {
        for points in [&points[..], &points[..1]] {
            let around = Some(0.1.into());
            let setup = Setup { period: Some(2.5), around, ..Setup::new(spring.clone()) };
            let curve = Wiggly::new(knots(points), setup).unwrap();
            let (end, start) = (2.7 - 1e-13, 0.2 + 1e-13);
            let gap = (curve.at(end) - curve.at(start)).abs();
            let kick = (curve.slope(end) - curve.slope(start)).abs();
            assert!(gap < 1e-9 && kick < 1e-9, "{spring:?}: gap {gap:e}, kick {kick:e}");
        }
    }
}

#[test]
fn a_loop_with_a_moving_equilibrium_closes_too() {
    let around = Keys::extended(
        vec![Key::new(0.0, 0.0), Key::new(0.6, 2.0), Key::new(2.0, 0.0)],
        Extrapolation::Cycle,
        Extrapolation::Cycle,
    )
    .unwrap();
    // The last ones are resonant, or nearly: 2 and 2.0006 cycles per period, undamped.
    for (hertz, d) in
        [(1.1, 0.8), (1.0, 0.1), (1.0, 1e-2), (1.0, 1e-4), (1.01, 0.0), (1.0, 0.0), (1.0003, 0.0)]
    {
        let spring = Spring::new(hertz).with_damping(Damping::PerSecond(d.into()));
        for points in [&[][..], &[(0.0, 0.5), (0.7, -1.0)]] {
            let around = Some(Channel::from(around.clone()));
            let setup = Setup { period: Some(2.0), around, ..Setup::new(spring.clone()) };
            let curve = Wiggly::new(knots(points), setup).unwrap();
            let gap = (curve.at(2.0 - 1e-12) - curve.at(1e-12)).abs();
            let kick = (curve.slope(2.0 - 1e-12) - curve.slope(1e-12)).abs();
            let reach = largest(0.0, 2.0, |t| curve.at(t));
            let most = 1e-9 * reach.max(1.0);
            assert!(gap < most && kick < most, "{hertz} Hz, {d}: gap {gap:e}, kick {kick:e}");
            assert!(reach < 200.0, "{hertz} Hz, {d}: {reach}");
        }
    }
}

/// A periodic force on a spring: the loop closes, and its mean is the mean force over the stiffness.
#[test]
fn a_loop_with_a_push_closes_too() {
    let keys = [(0.0, 0.0), (0.6, 30.0), (2.0, 0.0)]
        .map(|(t, push)| Key::new(t, push).with_interpolation(Interpolation::Linear));
    let push = Keys::extended(keys.to_vec(), Extrapolation::Cycle, Extrapolation::Cycle).unwrap();
    let (hertz, d) = (1.1, 0.8);
    let spring = Spring::new(hertz).with_damping(Damping::PerSecond(d.into()));
    let push = Some(Channel::from(push));
    let setup = Setup { period: Some(2.0), push, ..Setup::new(spring) };
    let curve = Wiggly::new(Vec::new(), setup).unwrap();
    let gap = (curve.at(2.0 - 1e-12) - curve.at(1e-12)).abs();
    let kick = (curve.slope(2.0 - 1e-12) - curve.slope(1e-12)).abs();
    assert!(gap < 1e-9 && kick < 1e-9, "gap {gap:e}, kick {kick:e}");
    let pieces = [0.0, 0.6, 1.0, 1.5, 2.0];
    let sum: f64 = pieces.windows(2).map(|w| gauss8(w[0], w[1], |t| curve.at(t))).sum();
    let mean = 15.0 / (d * d + (TAU * hertz) * (TAU * hertz));
    assert!((0.5 * sum - mean).abs() < 1e-6, "{} for {mean}", 0.5 * sum);
}

#[test]
fn a_follower_of_a_loop_has_its_period() {
    let around = Keys::new(vec![Key::new(0.0, 0.0), Key::new(1.0, 3.0), Key::new(2.0, 0.5)]);
    let around = Some(Channel::from(around.unwrap()));
    let setup = Setup { period: Some(2.0), around, ..Setup::new(Spring::new(1.3)) };
    let leader = Wiggly::new(knots(&[(0.0, 0.0), (0.7, 1.0)]), setup).unwrap();
    let follower = Follow::new(leader.clone(), 0.0);
    for t in [0.3, 1.3, 2.3, 3.3, 51.3] {
        assert!((follower.at(t) - leader.at(t)).abs() < 1e-12, "at {t}");
    }
}

/// A forced oscillator with a moving equilibrium, by fourth-order Runge–Kutta.
fn integrated(
    around: &Channel<f64>,
    push: &Channel<f64>,
    (hertz, d): (f64, f64),
    (from, to): (f64, f64),
) -> f64 {
    let k = d * d + (TAU * hertz) * (TAU * hertz);
    let steps = 40_000;
    let h = (to - from) / f64::from(steps);
    let rate = |t: f64, x: f64, v: f64| {
        let e = around.at(t);
        (v, push.at(t) - 2.0 * d * (v - around.slope(t)) - k * (x - e))
    };
    let (mut x, mut v) = (around.at(from), 0.0);
    for i in 0..steps {
        let t = from + f64::from(i) * h;
        let a = rate(t, x, v);
        let b = rate(t + 0.5 * h, x + 0.5 * h * a.0, v + 0.5 * h * a.1);
        let c = rate(t + 0.5 * h, x + 0.5 * h * b.0, v + 0.5 * h * b.1);
        let e = rate((t + h).next_down(), x + h * c.0, v + h * c.1);
        x += h / 6.0 * (a.0 + 2.0 * b.0 + 2.0 * c.0 + e.0);
        v += h / 6.0 * (a.1 + 2.0 * b.1 + 2.0 * c.1 + e.1);
    }
    x
}

#[test]
fn without_knots_the_curve_is_the_passive_response() {
    let around = Channel::from(
        Keys::new(vec![Key::new(0.0, 0.0), Key::new(0.5, 3.0), Key::new(1.25, 1.0)]).unwrap(),
    );
    let push = Channel::from(Keys::new(vec![Key::new(0.25, 0.0), Key::new(1.0, 40.0)]).unwrap());
    let d = LN_2 / 0.6;
    let spring = Spring::new(1.4).with_damping(Damping::HalfLife(0.6.into()));
    for spring in [spring.clone(), spring.real()] {
        let setup = Setup {
            around: Some(around.clone()),
            push: Some(push.clone()),
            until: 2.0,
            ..Setup::new(spring)
        };
        let curve = Wiggly::new(Vec::new(), setup).unwrap();
        for t in [0.4, 0.9, 1.8, 5.0] {
            let by_steps = integrated(&around, &push, (1.4, d), (0.0, t));
            assert!(
                (curve.at(t) - by_steps).abs() < 1e-8,
                "at {t}: {} for {by_steps}",
                curve.at(t)
            );
        }
        assert_eq!(curve.at(-1.0), 0.0);
    }
}

#[test]
fn knots_correct_the_passive_response_and_nothing_more() {
    let around = Channel::from(Keys::new(vec![Key::new(0.0, 0.0), Key::new(0.5, 3.0)]).unwrap());
    let setup = Setup { around: Some(around), until: 4.0, ..Setup::new(Spring::new(1.4)) };
    let passive = Wiggly::new(Vec::new(), setup.clone()).unwrap();
    let on_it: Vec<_> = [0.8, 1.3, 2.0].map(|t| Knot::new(t, passive.at(t))).to_vec();
    let curve = Wiggly::new(on_it, setup.clone()).unwrap();
    let error = largest(0.0, 4.0, |t| curve.at(t) - passive.at(t));
    assert!(error < 1e-9, "off by {error:e}");
    let curve = Wiggly::new(knots(&[(0.8, 9.0)]), setup).unwrap();
    assert_eq!((curve.at(0.0), curve.at(0.8)), (0.0, 9.0));
}

#[test]
fn a_follower_is_continuous_where_the_spring_ends_and_begins() {
    let step = |t, v| Key::new(t, v).with_interpolation(Interpolation::Step);
    let hertz = Keys::new(vec![step(0.0, 1.0), step(0.8, 0.0), step(2.0, 1.0)]).unwrap();
    let keys = knots(&[(0.0, 0.0), (0.5, 35.0), (2.5, -20.0)]);
    let leader = Wiggly::new(keys, Setup::new(Spring::new(Channel::from(hertz)))).unwrap();
    let follower = Follow::new(leader, 90.0);
    assert!(follower.at(0.8).abs() > 5.0, "the follower must be displaced here");
    for t in [0.8, 2.0] {
        let jump = (follower.at(t + 1e-9) - follower.at(t - 1e-9)).abs();
        assert!(jump < 1e-5, "{jump} at {t}");
    }
}

#[test]
fn a_follower_lags_by_its_angle_at_any_frequency() {
    let spring =
        |hertz| Spring::new(hertz).with_damping(Damping::PerSecond(0.0.into())).with_bandwidth(0.0);
    for hertz in [0.7, 2.0] {
        let wave = |t: f64| ops::cos(TAU * hertz * t);
        let keys: Vec<_> = [0.0, 0.1, 0.35, 0.5].map(|t| (t, wave(t))).to_vec();
        let setup = Setup { around: Some(0.0.into()), ..published(spring(hertz)) };
        let leader = Wiggly::new(knots(&keys), setup).unwrap();
        let mut follow = Follow::new(leader, 90.0);
        follow.lags[0].gain = 0.5.into();
        follow.around = Some(10.0.into());
        for t in [0.05, 0.2, 0.45] {
            let quarter_later = 10.0 + 0.5 * ops::sin(TAU * hertz * t);
            assert!((follow.at(t) - quarter_later).abs() < 1e-8, "at {t}");
        }
    }
}

#[test]
fn the_integral_of_a_wiggly_channel_matches_quadrature() {
    let curve =
        Wiggly::new(knots(&[(0.0, 0.0), (0.7, 3.0), (1.6, 1.0)]), Setup::new(Spring::new(1.5)))
            .unwrap();
    let channel = Channel::from(curve);
    let integral = Integral::of(&channel);
    for (from, to) in [(0.0, 0.7), (0.3, 1.9), (1.0, 4.0)] {
        let steps = 2000;
        let h = (to - from) / f64::from(steps);
        let by_gauss: f64 = (0..steps)
            .map(|i| {
                let a = from + f64::from(i) * h;
                gauss8(a, a + h, |t| channel.at(t))
            })
            .sum();
        assert!((integral.to(to) - integral.to(from) - by_gauss).abs() < 3e-6);
    }
}

#[test]
fn integrals_of_undamped_oscillations_match_quadrature() {
    for (hertz, d) in [(1.0, 0.0), (5.0, 0.0), (10.0, 0.0), (10.0, 0.02)] {
        let points = knots(&[(0.0, 0.0), (0.3 / hertz, 1.0), (1.1 / hertz, 0.8)]);
        let spring = Spring::new(hertz).with_damping(Damping::PerSecond(d.into()));
        let channel = Channel::from(Wiggly::new(points, Setup::new(spring)).unwrap());
        let integral = Integral::of(&channel);
        let (mut sum, mut worst) = (0.0, 0.0f64);
        for i in 0..600 {
            let (from, to) = (f64::from(i) * 5e-3, f64::from(i + 1) * 5e-3);
            sum += gauss8(from, to, |t| channel.at(t));
            worst = worst.max((integral.to(to) - sum).abs());
        }
        assert!(worst < 1e-6 / hertz, "{hertz} Hz, {d}: {worst:e}");
    }
}
