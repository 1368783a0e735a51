//! The curve between keys: exact on keys, compared with other constructions between them.

use glam::DVec3;
use proptest::prelude::*;

use crate::arbitrary::{bezier_keys, extend, key_list, keys, value};
use lariat_core::motion::{
    Channel, Colour, Ease, EaseShape, EaseSide, Extrapolation, Handle, Interpolation, Key, Keys,
    KeysError, MAX_TIME, MAX_VALUE, Tangent, TangentKind,
};

/// De Casteljau's construction.
fn de_casteljau(points: [f64; 4], p: f64) -> f64 {
    let mix = |a: f64, b: f64| a * (1.0 - p) + b * p;
    let [a, b, c, d] = points;
    let (ab, bc, cd) = (mix(a, b), mix(b, c), mix(c, d));
    mix(mix(ab, bc), mix(bc, cd))
}

/// Value of a Bezier curve in the plane at a time, by bisection.
fn bezier_by_bisection(times: [f64; 4], values: [f64; 4], t: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if de_casteljau(times, middle) < t {
            low = middle;
        } else {
            high = middle;
        }
    }
    de_casteljau(values, 0.5 * (low + high))
}

/// Two keys with free handles towards each other.
fn stretch(out: (f64, f64), back: (f64, f64)) -> Keys<f64> {
    let first = Key::new(1.0, 2.0).with_tangents(Tangent::default(), Tangent::free(out.0, out.1));
    let last = Key::new(3.0, -1.0).with_tangents(Tangent::free(back.0, back.1), Tangent::default());
    Keys::new(vec![first, last]).expect("two keys in order")
}

fn plain(keys: &[(f64, f64)], kind: TangentKind) -> Vec<Key<f64>> {
    let side = Tangent::new(kind);
    keys.iter().map(|&(t, v)| Key::new(t, v).with_tangents(side, side)).collect()
}

#[test]
fn eased_keys_follow_their_ease() {
    let eased = |ease: Ease| {
        let first = Key::new(1.0, 2.0).with_interpolation(Interpolation::Ease(ease));
        Keys::new(vec![first, Key::new(5.0, 10.0)]).expect("two keys in order")
    };
    let cubic = eased(Ease { shape: EaseShape::Cubic, side: EaseSide::In });
    for u in [0.0, 0.125, 0.5, 0.75, 1.0] {
        assert_eq!(cubic.at(1.0 + 4.0 * u), 2.0 + 8.0 * u * u * u);
    }
    for ease in Ease::all() {
        let keys = eased(ease);
        for u in [0.1, 0.35, 0.6, 0.95] {
            let (ours, expected) = (keys.at(1.0 + 4.0 * u), 2.0 + 8.0 * ease.at(u));
            assert!((ours - expected).abs() < 2e-14, "{ease:?} at {u}: {ours} for {expected}");
        }
    }
}

#[test]
fn linear_keys_are_exact_lines() {
    let line = |t: f64| 3.0 * t - 7.0;
    let keys = [-2.0, 0.5, 1.0, 4.0, 16.0]
        .map(|t| Key::new(t, line(t)).with_interpolation(Interpolation::Linear));
    let keys = Keys::extended(keys.to_vec(), Extrapolation::Line, Extrapolation::Line).unwrap();
    for i in -400..1200 {
        let t = f64::from(i) / 64.0;
        // 2.5 and 3 are not powers of two, so one rounding of the quotient remains.
        assert!((keys.at(t) - line(t)).abs() <= 8e-15, "{} for {} at {t}", keys.at(t), line(t));
        assert_eq!(keys.slope(t), 3.0);
    }
    assert_eq!(keys.at(0.75), line(0.75));
    assert_eq!(keys.at(10.0), line(10.0));
    assert_eq!(keys.at(-100.0), line(-100.0));
}

#[test]
fn a_step_keeps_its_value_until_the_next_key() {
    let key = |t, v| Key::new(t, v).with_interpolation(Interpolation::Step);
    let keys = Keys::new(vec![key(0.0, 1.0), key(1.0, 5.0), key(2.0, -3.0)]).unwrap();
    assert_eq!(keys.at(1.0_f64.next_down()), 1.0);
    assert_eq!(keys.at(1.0), 5.0);
    assert_eq!(keys.at(1.0_f64.next_up()), 5.0);
    assert_eq!((keys.slope(0.5), keys.slope(1.0)), (0.0, 0.0));
}

#[test]
fn switches_always_step() {
    let keys = vec![Key::new(0.0, false), Key::new(1.0, true), Key::new(2.0, false)];
    let keys = Keys::extended(keys, Extrapolation::Line, Extrapolation::CycleOffset).unwrap();
    for (t, on) in [(-9.0, false), (0.99, false), (1.0, true), (1.99, true), (2.0, false)] {
        assert_eq!(keys.at(t), on, "at {t}");
        assert_eq!(keys.at(t.max(0.0) + 4.0), on, "two periods after {t}");
    }
}

#[test]
fn auto_keys_on_a_parabola_reproduce_it() {
    let parabola = |t: f64| 0.5 * t * t - 3.0 * t + 1.0;
    let times = [-2.0, -1.5, 0.25, 1.0, 3.0, 3.25];
    let keys = plain(&times.map(|t| (t, parabola(t))), TangentKind::Auto);
    let keys = Keys::new(keys).unwrap();
    // The first and the last segment are flat at their outer ends, beside held values.
    for i in 0..=100 {
        let t = -1.5 + 4.5 * f64::from(i) / 100.0;
        assert!((keys.at(t) - parabola(t)).abs() < 1e-14, "{} at {t}", keys.at(t) - parabola(t));
    }
}

#[test]
fn automatic_ends_match_the_extrapolation() {
    let list = |kind| plain(&[(0.0, 1.0), (1.0, 3.0), (3.0, 4.0)], kind);
    for kind in [TangentKind::Auto, TangentKind::ClampedAuto] {
        let held = Keys::new(list(kind)).unwrap();
        assert_eq!((held.slope(0.0), held.slope(3.0_f64.next_down()).abs() < 1e-12), (0.0, true));
        let line = Keys::extended(list(kind), Extrapolation::Line, Extrapolation::Line).unwrap();
        assert_eq!((line.slope(-1.0), line.slope(0.0), line.slope(9.0)), (2.0, 2.0, 0.5));
    }
}

#[test]
fn auto_loops_close_without_a_kink() {
    for kind in [TangentKind::Auto, TangentKind::ClampedAuto] {
        for (end, extend) in [(1.0, Extrapolation::Cycle), (6.0, Extrapolation::CycleOffset)] {
            let list = plain(&[(0.0, 1.0), (1.0, 3.0), (1.5, 3.5), (4.0, end)], kind);
            for before in [extend, Extrapolation::Hold] {
                let keys = Keys::extended(list.clone(), before, extend).unwrap();
                let (left, right) = (keys.slope(4.0 - 1e-9), keys.slope(4.0));
                assert!((left - right).abs() < 1e-7, "{kind} {extend}: {left} then {right}");
                assert_eq!(keys.slope(8.0), right);
            }
        }
    }
    // The same with weights: the slope at the seam is limited by both handles that meet there.
    let mut list =
        plain(&[(0.0, 1.0), (1.0, 3.0), (3.0, -1.0), (4.0, 1.0)], TangentKind::ClampedAuto);
    list[0].outgoing.handle = Some(Handle { time: 0.9, value: 0.0 });
    list[3].incoming.handle = Some(Handle { time: -1.5, value: 0.0 });
    let keys = Keys::extended(list, Extrapolation::Cycle, Extrapolation::Cycle).unwrap();
    assert!((keys.slope(4.0 - 1e-9) - keys.slope(0.0)).abs() < 1e-6);
    // The slope there is not merely zero.
    let list = plain(&[(0.0, 1.0), (1.0, 3.0), (3.0, -1.0), (4.0, 1.0)], TangentKind::ClampedAuto);
    let keys = Keys::extended(list, Extrapolation::Cycle, Extrapolation::Cycle).unwrap();
    assert!(keys.slope(4.0) > 1.0);
}

#[test]
fn flat_keys_are_level() {
    let keys = Keys::new(plain(&[(0.0, 1.0), (1.0, 3.0), (3.0, 9.0)], TangentKind::Flat)).unwrap();
    assert_eq!((keys.slope(0.0), keys.slope(1.0)), (0.0, 0.0));
    assert!(keys.slope(0.5) > 2.0);
}

#[test]
fn aligned_sides_share_a_slope() {
    let middle = |incoming, outgoing| {
        let mut keys = plain(&[(0.0, 0.0), (1.0, 1.0), (3.0, 0.0)], TangentKind::ClampedAuto);
        keys[1] = keys[1].with_tangents(incoming, outgoing);
        let keys = Keys::new(keys).unwrap();
        (keys.slope(1.0 - 1e-10), keys.slope(1.0))
    };
    let aligned = Tangent::new(TangentKind::Aligned);
    // Through both ends: from (-0.5, -1) to (0.25, 2) the slope is 4 per second.
    let both = middle(Tangent::aligned(-0.5, -1.0), Tangent::aligned(0.25, 2.0));
    // A single handle, or a side of another kind, determines the slope.
    let one = middle(Tangent::aligned(-0.5, -2.0), aligned);
    let other = middle(aligned, Tangent::free(0.2, 0.8));
    for (left, right) in [both, one, other] {
        assert!((left - 4.0).abs() < 1e-6 && (right - 4.0).abs() < 1e-12, "{left}, {right}");
    }
    assert_eq!(middle(aligned, Tangent::new(TangentKind::Flat)).1, 0.0);
    assert_eq!(middle(aligned, aligned).1, 0.0, "a maximum is flat without handles");
}

#[test]
fn long_handles_are_shortened_together_and_just_enough() {
    // Three times too long: (6, 1) over two seconds is a = 3, b = 0.5.
    let long = stretch((6.0, 3.0), (-1.0, 0.5));
    let falls = |scale: f64| {
        let times = [0.0, 3.0 * scale, 1.0 - 0.5 * scale, 1.0];
        (0..1000).any(|i| {
            let p = f64::from(i) / 1000.0;
            de_casteljau(times, p + 1e-3) < de_casteljau(times, p)
        })
    };
    let (mut fits, mut breaks) = (0.0, 1.0);
    for _ in 0..50 {
        let middle = 0.5 * (fits + breaks);
        if falls(middle) { breaks = middle } else { fits = middle }
    }
    let times = [1.0, 1.0 + 6.0 * fits, 3.0 - fits, 3.0];
    let values = [2.0, 2.0 + 3.0 * fits, -1.0 + 0.5 * fits, -1.0];
    for i in 1..100 {
        let t = 1.0 + 2.0 * f64::from(i) / 100.0;
        let reference = bezier_by_bisection(times, values, t);
        let steepness = 1.0 + long.slope(t).abs();
        let error = (long.at(t) - reference).abs();
        assert!(error < 4e-3 * steepness, "{} for {reference} at {t}", long.at(t));
    }
}

#[test]
fn handles_without_length_make_a_straight_line() {
    let keys = stretch((0.0, 0.0), (0.0, 0.0));
    for i in 0..=64 {
        let t = 1.0 + f64::from(i) / 32.0;
        assert!((keys.at(t) - (2.0 - 1.5 * (t - 1.0))).abs() < 1e-14, "at {t}");
    }
}

#[test]
fn a_vertical_handle_is_steep_but_finite() {
    let keys = stretch((0.0, 1.0), (0.0, -1.0));
    for slope in [keys.slope(1.0), keys.slope(3.0_f64.next_down())] {
        assert!(slope > 100.0 && slope < 1e6, "{slope}");
    }
    // An aligned side takes over the slope of a vertical handle on either side.
    for (vertical, side) in [(Tangent::free(0.0, -1.0), 1.0), (Tangent::free(0.0, 1.0), -1.0)] {
        let aligned = Tangent::new(TangentKind::Aligned);
        let (incoming, outgoing) =
            if side < 0.0 { (aligned, vertical) } else { (vertical, aligned) };
        let mut list = plain(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)], TangentKind::Flat);
        list[1] = list[1].with_tangents(incoming, outgoing);
        let keys = Keys::new(list).unwrap();
        assert!(keys.slope(1.0 - 1e-12) > 100.0 && keys.slope(1.0) > 100.0);
    }
    assert!(keys.at(1.02) > 2.1);
}

#[test]
fn a_line_follows_the_outer_handle() {
    let keys = vec![
        Key::new(0.0, 1.0).with_tangents(Tangent::free(-0.5, -1.0), Tangent::default()),
        Key::new(1.0, 2.0).with_tangents(Tangent::default(), Tangent::free(2.0, -1.0)),
    ];
    let keys = Keys::extended(keys, Extrapolation::Line, Extrapolation::Line).unwrap();
    assert_eq!((keys.at(-2.0), keys.at(3.0)), (-3.0, 1.0));
}

#[test]
fn colours_blend_as_light() {
    let keys = vec![Key::new(0.0, Colour::BLACK), Key::new(1.0, Colour::WHITE)];
    let channel = Channel::from(Keys::new(keys).unwrap());
    let Colour(parts) = channel.at(0.5);
    assert_eq!(parts, [0.5; 3]);
}

#[test]
fn bad_keys_are_refused() {
    let good = || vec![Key::new(0.0, 1.0), Key::new(1.0, 2.0), Key::new(2.0, 3.0)];
    let with = |change: &dyn Fn(&mut Vec<Key<f64>>)| {
        let mut keys = good();
        change(&mut keys);
        Keys::new(keys).unwrap_err()
    };
    assert!(Keys::new(good()).is_ok());
    assert_eq!(Keys::<f64>::new(vec![]).unwrap_err(), KeysError::Empty);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let handle = Handle { time: bad.abs(), value: 0.0 };
        let steep = Handle { time: 0.5, value: bad };
        let errors = [
            with(&|keys| keys[1].time = bad),
            with(&|keys| keys[1].value = bad),
            with(&|keys| keys[1].outgoing.handle = Some(handle)),
            with(&|keys| keys[1].outgoing.handle = Some(steep)),
        ];
        for error in errors {
            assert!(matches!(error, KeysError::NotFinite { index: 1, .. }), "{error}");
        }
    }
    let vector = Keys::new(vec![Key::new(0.0, DVec3::new(0.0, 0.0, f64::NAN))]);
    assert!(matches!(vector, Err(KeysError::NotFinite { index: 0, what: "value", .. })));
    let order = with(&|keys| keys[2].time = 0.5);
    assert_eq!(order.to_string(), "key 3 at 0.5 s comes after a key at 1 s; sort keys by time");
    assert_eq!(order.index(), Some(2));
    assert!(matches!(with(&|k| k[2].time = 1.0), KeysError::SameTime { index: 2, .. }));
    assert!(matches!(with(&|k| k[2].time = 1.0 + 1e-12), KeysError::SameTime { .. }));
    assert!(matches!(with(&|k| k[2].time = 1.1e12), KeysError::TooLarge { .. }));
    assert!(matches!(with(&|k| k[2].value = -1.1e100), KeysError::TooLarge { .. }));
    let backwards = with(&|k| k[1].incoming = Tangent::free(0.5, 0.0));
    assert_eq!(
        backwards.to_string(),
        "key 2: its incoming handle reaches 0.5 s forwards, but incoming handles point back; \
         use a time of zero or less"
    );
}

#[test]
fn the_largest_keys_allowed_stay_finite() {
    let key = |t, v, slope: f64| {
        Key::new(t, v).with_tangents(Tangent::free(-0.0, slope), Tangent::free(1e12, -slope))
    };
    let (far, top) = (MAX_TIME, MAX_VALUE);
    let lists = [
        vec![key(-far, top, top), key(far, -top, top)],
        vec![key(0.0, top, top), key(1.1e-9, -top, -top), key(2.2e-9, top, top)],
        plain(&[(0.0, top), (1.1e-9, -top), (far, top)], TangentKind::Auto),
    ];
    for list in lists {
        for extend in ["hold", "line", "cycle", "cycle-offset", "ping-pong"] {
            let extend = extend.parse().unwrap();
            let keys = Keys::extended(list.clone(), extend, extend).unwrap();
            for t in [-1e308, -1e13, -1.0, 1e-10, 1.5e-9, 0.3, 1e5, 2e12, 1e300] {
                assert!(keys.at(t).is_finite() && keys.slope(t).is_finite(), "{extend} at {t}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn keys_are_hit_bit_for_bit(keys in keys()) {
        for key in keys.keys() {
            prop_assert_eq!(keys.at(key.time).to_bits(), key.value.to_bits());
        }
    }

    #[test]
    fn no_time_gives_nan(keys in keys(), t in -20.0..20.0f64) {
        for t in [t, 1e9 * t, 1e300 * t, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            prop_assert!(keys.at(t).is_finite(), "{} at {t}", keys.at(t));
            prop_assert!(keys.slope(t).is_finite(), "slope {} at {t}", keys.slope(t));
        }
    }

    #[test]
    fn bezier_vs_de_casteljau(
        a in 0.01..0.95f64, va in value(), b in 0.01..0.95f64, vb in value(), u in 0.0..1.0f64,
    ) {
        let keys = stretch((2.0 * a, va), (-2.0 * b, vb));
        let t = 1.0 + 2.0 * u;
        let times = [1.0, 1.0 + 2.0 * a, 3.0 - 2.0 * b, 3.0];
        let reference = bezier_by_bisection(times, [2.0, 2.0 + va, -1.0 + vb, -1.0], t);
        let tolerance = 1e-14 + 2e-15 * keys.slope(t).abs();
        let error = (keys.at(t) - reference).abs();
        prop_assert!(error <= tolerance, "{} for {reference}: {error:e} > {tolerance:e}", keys.at(t));
    }

    #[test]
    fn only_steps_jump(list in key_list(2..6), u in 0.0..1.0f64) {
        let keys = Keys::new(list).unwrap();
        let t = keys.span().from() + u * (keys.span().to() - keys.span().from());
        // Handles of this size stay below this change within 2e-12 s; a jump is far above it.
        let near = keys.key_times().iter().copied().chain([t]);
        for t in near.filter(|t| keys.at(t - 1e-12) != keys.at(t + 1e-12)) {
            let jump = (keys.at(t - 1e-12) - keys.at(t + 1e-12)).abs();
            let stepped = keys.keys().windows(2)
                .any(|pair| pair[1].time == t && pair[0].interpolation == Interpolation::Step);
            prop_assert!(stepped || jump < 1e-4, "jumps by {jump} at {t}");
        }
    }

    #[test]
    fn clamped_auto_stays_between_its_neighbours(list in bezier_keys(TangentKind::ClampedAuto)) {
        for extend in [Extrapolation::Hold, Extrapolation::Line, Extrapolation::Cycle, Extrapolation::PingPong] {
            let keys = Keys::extended(list.clone(), extend, extend).unwrap();
            for pair in list.windows(2) {
                let (a, b) = (&pair[0], &pair[1]);
                let (low, high) = (a.value.min(b.value), a.value.max(b.value));
                let mut before = a.value;
                for i in 0..=50 {
                    let u = f64::from(i) / 50.0;
                    let value = keys.at((a.time + u * (b.time - a.time)).min(b.time));
                    prop_assert!(value >= low && value <= high, "{value} not in {low}..{high}");
                    let progress = (value - before) * (b.value - a.value).signum();
                    prop_assert!(progress >= -1e-14, "turned back by {progress:e}");
                    before = value;
                }
                // Just before and just after a key, where rounding could overshoot.
                for i in 0..40 {
                    let inset = (b.time - a.time) * 1e-9 * f64::from(i * i);
                    for t in [a.time + inset, b.time.next_down() - inset] {
                        let value = keys.at(t);
                        prop_assert!(value >= low && value <= high, "{value} not in {low}..{high}");
                    }
                }
            }
        }
    }

    /// Falling keys are treated as rising ones.
    #[test]
    fn clamped_auto_mirrors_with_its_values(list in bezier_keys(TangentKind::ClampedAuto), t in 0.0..9.0f64) {
        let mirrored = list.iter().map(|key| Key { value: -key.value, ..*key }).collect();
        let [keys, mirrored] = [list, mirrored].map(|list| Keys::new(list).unwrap());
        prop_assert_eq!(mirrored.at(t), -keys.at(t));
        for key in keys.keys() {
            prop_assert_eq!(mirrored.slope(key.time), -keys.slope(key.time));
        }
    }

    #[test]
    fn clamped_auto_with_weights_stays_between_its_neighbours(list in key_list(2..6)) {
        let mut list = list;
        for key in &mut list {
            key.interpolation = Interpolation::Bezier;
            key.incoming.kind = TangentKind::ClampedAuto;
            key.outgoing.kind = TangentKind::ClampedAuto;
        }
        let keys = Keys::new(list.clone()).unwrap();
        for pair in list.windows(2) {
            let (low, high) = (pair[0].value.min(pair[1].value), pair[0].value.max(pair[1].value));
            for i in 0..50 {
                let t = pair[0].time + f64::from(i) / 50.0 * (pair[1].time - pair[0].time);
                prop_assert!(keys.at(t) >= low && keys.at(t) <= high, "{} at {t}", keys.at(t));
            }
        }
    }

    #[test]
    fn auto_and_clamped_auto_keys_have_no_corner(list in bezier_keys(TangentKind::Auto)) {
        let mut clamped = list.clone();
        for key in &mut clamped {
            key.incoming.kind = TangentKind::ClampedAuto;
            key.outgoing.kind = TangentKind::ClampedAuto;
        }
        for list in [list, clamped] {
            let keys = Keys::new(list).unwrap();
            for key in keys.keys() {
                let (left, right) = (keys.slope(key.time - 1e-9), keys.slope(key.time));
                prop_assert!((left - right).abs() < 1e-4, "{left} then {right} at {}", key.time);
            }
        }
    }

    #[test]
    fn slopes_vs_differences(keys in keys(), t in -6.0..14.0f64) {
        // Away from keys, their copies, and the joints of presets.
        let h = 1e-6;
        let smooth = |t: f64| {
            let (a, b, c) = (keys.slope(t - h), keys.slope(t), keys.slope(t + h));
            (a - c).abs() < 1e-3 && (a - b).abs() < 1e-3
        };
        prop_assume!(smooth(t) && (keys.at(t + h) - keys.at(t - h)).abs() < 0.1);
        let difference = (keys.at(t + h) - keys.at(t - h)) / (2.0 * h);
        let error = (keys.slope(t) - difference).abs();
        prop_assert!(error < 2e-3, "{} for {difference} at {t}", keys.slope(t));
    }

    #[test]
    fn a_vector_is_three_numbers(
        list in key_list(1..5), others in key_list(5), before in extend(), after in extend(),
        t in -8.0..14.0f64,
    ) {
        // The second and third component take their values from another list.
        let lift = |a: f64, i: usize, pick: &dyn Fn(&Key<f64>) -> f64| {
            DVec3::new(a, pick(&others[i]), -0.5 * pick(&others[i]))
        };
        let vectors: Vec<Key<DVec3>> = list.iter().enumerate().map(|(i, key)| {
            let side = |tangent: Tangent<f64>| Tangent {
                kind: tangent.kind,
                // A handle of zero length uses the slope of its neighbours; for a vector, only if
                // all three components are zero.
                handle: tangent.handle.filter(|h| h.time != 0.0).map(|h| Handle {
                    time: h.time,
                    value: lift(h.value, i, &|other| other.value + 1.0),
                }),
            };
            Key::new(key.time, lift(key.value, i, &|other| other.value))
                .with_interpolation(key.interpolation)
                .with_tangents(side(key.incoming), side(key.outgoing))
        }).collect();
        let part = |component: usize| {
            let list = vectors.iter().map(|key| {
                let side = |tangent: Tangent<DVec3>| Tangent {
                    kind: tangent.kind,
                    handle: tangent.handle
                        .map(|h| Handle { time: h.time, value: h.value[component] }),
                };
                Key::new(key.time, key.value[component])
                    .with_interpolation(key.interpolation)
                    .with_tangents(side(key.incoming), side(key.outgoing))
            }).collect();
            Keys::extended(list, before, after).unwrap()
        };
        let parts = [part(0), part(1), part(2)];
        let whole = Keys::extended(vectors, before, after).unwrap();
        prop_assert_eq!(whole.at(t).to_array(), [0, 1, 2].map(|i| parts[i].at(t)));
        prop_assert_eq!(whole.slope(t).to_array(), [0, 1, 2].map(|i| parts[i].slope(t)));
    }
}
