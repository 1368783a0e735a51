//! Statements of Kass and Anderson about their figures hold for ours, and wiggles behave as
//! documented.

use lariat_core::motion::Channel;
use lariat_core::motion::wiggly::Wiggly;
use lariat_core::motion::wiggly::response::{Filter, Response};
use lariat_core::num::complex;
use lariat_museum::SCENES;
use lariat_scene::Limits;
use lariat_scene::lower::{ParameterChannel, Shot, parameter};

use super::{content, document, find, points, scene};

/// An animated number of a museum scene.
fn channel(museum_scene: &str, name: &str) -> Channel<f64> {
    let found = parameter(&document(museum_scene), &Limits::default(), name);
    match found.unwrap_or_else(|error| panic!("{museum_scene}: {error}")).channel {
        ParameterChannel::Number(channel) => channel,
        other => panic!("{name} of {museum_scene} is {other:?}"),
    }
}

fn wiggle(museum_scene: &str, name: &str) -> Wiggly<f64> {
    match channel(museum_scene, name) {
        Channel::Wiggly(wiggly) => wiggly,
        other => panic!("{name} of {museum_scene} is {other:?}"),
    }
}

fn shot(museum_scene: &str) -> Shot {
    content(find(museum_scene)).lowered.shot
}

/// Frames between two, with `per_frame` steps per frame.
fn frames(first: i32, last: i32, per_frame: i32) -> impl Iterator<Item = f64> {
    (first * per_frame..=last * per_frame).map(move |i| f64::from(i) / f64::from(per_frame))
}

/// The frames between two at which a curve changes sign.
fn crossings(curve: impl Fn(f64) -> f64, first: i32, last: i32) -> Vec<f64> {
    let all: Vec<(f64, f64)> = frames(first, last, 50).map(|f| (f, curve(f))).collect();
    all.windows(2).filter(|w| w[0].1.signum() != w[1].1.signum()).map(|w| w[1].0).collect()
}

#[test]
fn every_figure_of_springs_is_on_show() {
    for figure in 1..=8 {
        let called = format!("Kass and Anderson 2008, figure {figure}");
        let shown: Vec<_> =
            SCENES.iter().filter(|e| e.figure == Some(called.as_str())).map(|e| e.name).collect();
        assert_eq!(shown.len(), 1, "{called}: {shown:?}");
        assert!(shown[0].starts_with(&format!("kass-0{figure}-")), "{shown:?}");
    }
}

/// "On the left side of the figure, the spring constant and damping are zero, so the bottom curve
/// behaves like a familiar piecewise cubic spline. … the curve has a series of inflection points
/// between the second and third constraints, and is clearly not representable on that span as a
/// single cubic."
#[test]
fn figure_1_is_a_cubic_on_the_left_and_swings_on_the_right() {
    let name = "kass-01-frequency";
    let (curve, shot) = (wiggle(name, "aerial.swing"), shot(name));
    assert_eq!(curve.knots().len(), 3);
    assert!(curve.knots().iter().all(|knot| knot.left.is_some() && knot.right.is_some()));
    let at = |frame: f64| curve.at(shot.seconds(frame));
    for frame in frames(3, 30, 1) {
        let fourth = at(frame - 2.0) - 4.0 * at(frame - 1.0) + 6.0 * at(frame)
            - 4.0 * at(frame + 1.0)
            + at(frame + 2.0);
        assert!(fourth.abs() < 1e-9, "frame {frame}: {fourth:e}");
    }
    let bent = |frame: f64| at(frame + 0.5) - 2.0 * at(frame) + at(frame - 0.5);
    assert_eq!(crossings(bent, 2, 31).len(), 1, "a cubic has one inflection");
    assert!(crossings(bent, 33, 89).len() >= 5, "{:?}", crossings(bent, 33, 89));
}

/// "An animator has introduced a knot and tangent constraint to increase the amount of overshoot,
/// and the Wiggly Spline faithfully interpolates the animator's new knot."
#[test]
fn figure_2_is_passive_until_a_key_asks_for_more() {
    let name = "kass-02-equilibrium";
    let shot = shot(name);
    let (passive, edited) = (wiggle(name, "passive.swing"), wiggle(name, "edited.swing"));
    let moved = channel(name, "moved.swing");
    assert_eq!((passive.knots().len(), edited.knots().len()), (0, 1));
    let most = |curve: &Wiggly<f64>| {
        frames(1, 120, 8).map(|f| curve.at(shot.seconds(f))).fold(f64::MIN, f64::max)
    };
    assert!(most(&passive) > 55.0 && most(&passive) < 60.0, "{}", most(&passive));
    assert_eq!(edited.at(shot.seconds(36.0)), 78.0);
    assert!(most(&edited) < 78.1, "the key is the crest: {}", most(&edited));
    let apart =
        |frame: f64| (edited.at(shot.seconds(frame)) - passive.at(shot.seconds(frame))).abs();
    // Nothing moves before the equilibrium does. Then the curve prepares for its key, which no
    // simulation could do, and long after the key both rest at their targets.
    assert_eq!((apart(6.0), apart(12.0)), (0.0, 0.0));
    assert!(apart(28.0) > 2.0, "{}", apart(28.0));
    for curve in [&passive, &edited] {
        assert!((curve.at(shot.seconds(1200.0)) - moved.at(shot.seconds(1200.0))).abs() < 1e-6);
    }
    let push = |curve: &Wiggly<f64>| {
        frames(1, 120, 4).map(|f| curve.residual(0, shot.seconds(f)).re.abs()).fold(0.0, f64::max)
    };
    assert_eq!(push(&passive), 0.0);
    assert!(push(&edited) > 100.0);
}

/// "The resonance has been broadened, but the response at zero frequency is still unacceptably
/// high. … The pass band has been widened while keeping the response at zero frequency much lower."
#[test]
fn figure_3_widens_the_band_and_hardly_responds_at_zero() {
    let spring = wiggle("kass-03-response", "complex.swing").setup().spring.clone();
    let [two, four, complex] = Filter::ALL.map(|filter| Response::new(filter, &spring, 0.0));
    let at_zero = |response: &Response| response.decibels(0.0).expect("it is damped");
    assert!(at_zero(&two) > -17.0 && at_zero(&four) > -20.0);
    assert!(at_zero(&complex) < -29.0, "{}", at_zero(&complex));
    // Width of the band within 6 decibels of the peak, in hertz.
    let band = |response: &Response| {
        let loud = |i: &u32| response.decibels(f64::from(*i) / 1000.0).is_some_and(|db| db > -6.0);
        (0..3000).filter(loud).count() as f64 / 1000.0
    };
    assert!(band(&complex) > 1.8 * band(&two), "{} against {}", band(&complex), band(&two));
    assert!(band(&four) > 1.5 * band(&two), "{} against {}", band(&four), band(&two));
}

/// "All the interpolation constraints are applied to the real part, and the imaginary part is
/// computed almost as a side effect."
#[test]
fn figure_4_has_a_phase_at_every_moment() {
    let name = "kass-04-complex";
    let (curve, shot) = (wiggle(name, "rein.swing"), shot(name));
    for knot in curve.knots() {
        assert_eq!(curve.at(knot.time), knot.value);
    }
    // At a crest of the real part the phase is 0.
    let crest = complex::arg(curve.phasor(0, shot.seconds(36.0))).to_degrees();
    assert!(crest.abs() < 5.0, "{crest}");
    // The phase advances per frame by about the frequency.
    let expected = 360.0 * 1.5 / 24.0;
    for frame in frames(8, 95, 1) {
        let [now, next] = [frame, frame + 1.0].map(|f| curve.phasor(0, shot.seconds(f)));
        let step = complex::arg(next * now.conj()).to_degrees();
        assert!((step - expected).abs() < 0.15 * expected, "frame {frame}: {step} of {expected}");
    }
}

/// "Moving the third interpolation constraint … causes the curve to stretch as expected, instead of
/// finding some other, less intuitive, way of meeting the constraints."
#[test]
fn figure_5_stretches_every_swing() {
    let name = "kass-05-stretch";
    let shot = shot(name);
    let zeros = |body: &str, last: i32| {
        let curve = wiggle(name, &format!("{body}.swing"));
        crossings(|frame| curve.at(shot.seconds(frame)), 24, last)
    };
    let (near, far) = (zeros("near", 64), zeros("far", 68));
    assert_eq!((near.len(), far.len()), (4, 4), "no swing more and none less");
    for (near, far) in near.windows(2).zip(far.windows(2)) {
        let stretched = (far[1] - far[0]) / (near[1] - near[0]);
        assert!((1.03..1.18).contains(&stretched), "{stretched}");
    }
}

/// "The real part of the original Wiggly Spline x is used to drive the first bend angle at the base
/// of the tail. … Even with just a few animation knots, it is possible to get very interesting and
/// lively animation."
#[test]
fn the_tail_of_figure_6_passes_its_swing_on() {
    let name = "kass-06-tail";
    assert_eq!(wiggle(name, "tail.swing").knots().len(), 4);
    let scene = scene(name);
    // The frame of a cycle at which a place of the tail points furthest to the right.
    let round = 22;
    let right = |first: i32, from: usize, to: usize| {
        let aside = |frame: &i32| {
            let all = points(&scene, "tail", f64::from(*frame));
            (all[to] - all[from]).normalize_or_zero().y
        };
        let by_y = |a: &i32, b: &i32| aside(a).total_cmp(&aside(b));
        (first..first + round).min_by(by_y).unwrap_or(first)
    };
    let base = right(60, 0, 8);
    let (middle, tip) = (right(base, 28, 36), right(base, 56, 64));
    assert!(middle > base && tip > middle, "base {base}, middle {middle}, tip {tip}");
    assert!((4..=12).contains(&(tip - base)), "base {base}, tip {tip}");
}

/// Seventeen keys set by hand and three keys of a spring give the same poses.
#[test]
fn three_keys_and_a_spring_do_what_seventeen_did() {
    let name = "wiggle-few-keys";
    let by_hand = channel(name, "by-hand.bends[0].angle");
    let by_spring = wiggle(name, "by-spring.bends[0].angle");
    assert_eq!((by_hand.key_times().len(), by_spring.knots().len()), (17, 3));
    let largest = 48.0;
    let off = |t: &f64| (by_spring.at(*t) - by_hand.at(*t)).abs();
    let worst = by_hand.key_times().iter().map(off).fold(0.0, f64::max);
    assert!(worst < 0.0092 * largest, "{worst} degrees of {largest}");
    let half_degrees = |t: &f64| (2.0 * by_hand.at(*t)).fract() == 0.0;
    assert!(by_hand.key_times().iter().all(half_degrees));
}

#[test]
fn loops_close_in_value_and_velocity() {
    let (name, round) = ("wiggle-loop", 48.0 / 24.0);
    let swing = wiggle(name, "mooring.swing");
    for i in 0..50 {
        let t = f64::from(i) * 0.1;
        assert!((swing.at(t) - swing.at(t + round)).abs() < 1e-9);
    }
    let seam = 1.0 / 24.0;
    assert!((swing.slope(seam - 1e-9) - swing.slope(seam + 1e-9)).abs() < 1e-5);
    // A line attached to it is periodic as well.
    let scene = scene(name);
    let end = |frame: f64| points(&scene, "line", frame)[64];
    assert!(end(10.0).distance(end(58.0)) < 1e-9);
}

#[test]
fn a_follower_stays_the_same_part_of_a_swing_behind() {
    let name = "wiggle-follow";
    let (first, fifth) = (channel(name, "first.swing"), channel(name, "fifth.swing"));
    let shot = shot(name);
    for frame in frames(4, 96, 1) {
        let t = shot.seconds(frame);
        let [a, b] = [&first, &fifth].map(|c| c.phasor(0, t).expect("it swings"));
        let behind = complex::arg(a * b.conj()).to_degrees();
        assert!((behind - 140.0).abs() < 1e-9, "frame {frame}: {behind}");
        assert!((complex::abs(b) / complex::abs(a) - 0.92 * 0.92 * 0.92 * 0.92).abs() < 1e-12);
    }
    // Meanwhile the swing itself gets faster.
    let leader = wiggle(name, "first.swing");
    assert!(leader.hertz(shot.seconds(90.0)) > 1.5 * leader.hertz(shot.seconds(1.0)));
}
