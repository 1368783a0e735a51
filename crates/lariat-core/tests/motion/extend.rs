//! Extrapolation before the first key and after the last.

use proptest::prelude::*;

use crate::arbitrary::key_list;
use lariat_core::motion::{Extrapolation, FrameRate, Interpolation, Key, Keys};

/// Keys of every kind, at least two, with the same extrapolation on both sides.
fn extended(extend: Extrapolation) -> impl Strategy<Value = Keys<f64>> {
    key_list(2..6)
        .prop_map(move |list| Keys::extended(list, extend, extend).expect("keys in order"))
}

/// Whether `t` is so near a key, or a copy of one, that rounding determines its side.
fn near_a_key(keys: &Keys<f64>, t: f64) -> bool {
    let (first, last) = (keys.span().from(), keys.span().to());
    let period = last - first;
    let place = (t - first).rem_euclid(period);
    keys.key_times().iter().any(|key| {
        let key = key - first;
        [place, period - place].iter().any(|p| (p - key).abs() < 1e-9)
            || (period - key).abs() < 1e-9 && place < 1e-9
    })
}

#[test]
fn cycles_hit_every_copy_of_every_key() {
    for rate in ["24", "25", "30", "24000/1001", "30000/1001", "60"] {
        let rate: FrameRate = rate.parse().unwrap();
        for frames in [[1.0, 7.0, 25.0], [0.0, 5.0, 10.0], [-3.0, 8.0, 46.0], [101.0, 102.0, 113.0]]
        {
            let values = [0.3, 0.7, 0.3];
            let list = || frames.iter().zip(values).map(|(f, v)| Key::new(rate.seconds(*f), v));
            let keys = Keys::extended(list().collect(), Extrapolation::Cycle, Extrapolation::Cycle)
                .unwrap();
            let switch = list().map(|key| Key::new(key.time, key.value > 0.5)).collect();
            let switch =
                Keys::extended(switch, Extrapolation::Cycle, Extrapolation::Cycle).unwrap();
            let mirror =
                Keys::extended(list().collect(), Extrapolation::PingPong, Extrapolation::PingPong)
                    .unwrap();
            let period = frames[2] - frames[0];
            for period_index in -500..500 {
                let base = f64::from(period_index) * period;
                for (frame, value) in frames.iter().zip(values) {
                    let t = rate.seconds(frame + base);
                    assert_eq!(keys.at(t), value, "{rate}: frame {}", frame + base);
                    assert_eq!(switch.at(t), value > 0.5, "{rate}: frame {}", frame + base);
                    let turned = frames[0] + frames[2] - frame;
                    let there = if period_index % 2 == 0 { *frame } else { turned };
                    assert_eq!(mirror.at(rate.seconds(there + base)), value);
                }
                // A switch is off right up to its key.
                let before = rate.seconds(frames[1] + base - 0.01);
                assert!(!switch.at(before), "{rate}: before frame {}", frames[1] + base);
            }
        }
    }
}

#[test]
fn copies_on_a_slope_are_exact_too() {
    // Where the curve is steep on both sides of a key, a rounding error in time would be visible.
    let rate: FrameRate = "30000/1001".parse().unwrap();
    let key = |(frame, value)| {
        Key::new(rate.seconds(frame), value).with_interpolation(Interpolation::Linear)
    };
    let list = [(7.0, 0.1), (11.0, 8.3), (16.0, 20.7), (29.0, 0.1)];
    let keys = list.map(key).to_vec();
    let keys = Keys::extended(keys, Extrapolation::Cycle, Extrapolation::Cycle).unwrap();
    for period_index in -300..300 {
        for (frame, value) in list {
            let t = rate.seconds(frame + 22.0 * f64::from(period_index));
            assert_eq!(keys.at(t), value, "period {period_index}, frame {frame}");
        }
    }
}

#[test]
fn a_mirrored_corner_has_the_slope_after_it() {
    let key = |t, v| Key::new(t, v).with_interpolation(Interpolation::Linear);
    let list = vec![key(0.0, 0.0), key(1.0, 2.0), key(2.0, 3.0)];
    let keys = Keys::extended(list, Extrapolation::PingPong, Extrapolation::PingPong).unwrap();
    assert_eq!(
        [0.0, 1.0, 2.0, 3.0, 4.0, 5.0].map(|t| keys.slope(t)),
        [2.0, 1.0, -1.0, -2.0, 2.0, 1.0]
    );
    assert_eq!([-1.0, -2.0, -3.0].map(|t| keys.slope(t)), [-2.0, -1.0, 1.0]);
}

#[test]
fn a_seam_with_a_jump_shows_the_end_it_continues() {
    let list = vec![Key::new(1.0, 10.0), Key::new(2.0, 15.0), Key::new(3.0, 20.0)];
    let keys = Keys::extended(list, Extrapolation::Cycle, Extrapolation::Cycle).unwrap();
    assert_eq!((keys.at(3.0), keys.at(5.0), keys.at(2003.0)), (20.0, 20.0, 20.0));
    assert_eq!((keys.at(1.0), keys.at(-1.0), keys.at(-1999.0)), (10.0, 10.0, 10.0));
}

#[test]
fn a_single_key_holds_with_any_extrapolation() {
    for extend in ["hold", "line", "cycle", "cycle-offset", "ping-pong"] {
        let extend = extend.parse().unwrap();
        let keys = Keys::extended(vec![Key::new(1.0, 4.0)], extend, extend).unwrap();
        assert_eq!([-7.0, 1.0, 9.0].map(|t| keys.at(t)), [4.0; 3]);
        assert!(keys.is_constant());
    }
}

#[test]
fn a_ramp_with_offset_climbs_forever() {
    let key = |t, v| Key::new(t, v).with_interpolation(Interpolation::Linear);
    let list = vec![key(0.0, 1.0), key(2.0, 5.0)];
    let keys =
        Keys::extended(list, Extrapolation::CycleOffset, Extrapolation::CycleOffset).unwrap();
    for i in -1000..1000 {
        let t = f64::from(i) / 16.0;
        assert_eq!(keys.at(t), 1.0 + 2.0 * t);
        assert_eq!(keys.slope(t), 2.0);
    }
}

#[test]
fn each_side_has_its_own_extrapolation() {
    let key = |t, v| Key::new(t, v).with_interpolation(Interpolation::Linear);
    let keys = Keys::extended(
        vec![key(0.0, 0.0), key(1.0, 1.0)],
        Extrapolation::Line,
        Extrapolation::PingPong,
    );
    let keys = keys.unwrap();
    assert_eq!((keys.at(-3.0), keys.at(1.25), keys.at(2.25)), (-3.0, 0.75, 0.25));
    assert_eq!((keys.slope(-3.0), keys.slope(1.25), keys.slope(2.25)), (1.0, -1.0, 1.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn hold_keeps_the_ends(keys in extended(Extrapolation::Hold), d in 0.0..1e6f64) {
        let (first, last) = (keys.keys()[0], keys.keys()[keys.keys().len() - 1]);
        prop_assert_eq!(keys.at(first.time - d), first.value);
        prop_assert_eq!(keys.at(last.time + d), last.value);
    }

    #[test]
    fn a_line_is_straight_and_starts_on_its_key(keys in extended(Extrapolation::Line), d in 0.1..50.0f64) {
        let (first, last) = (keys.keys()[0], keys.keys()[keys.keys().len() - 1]);
        for (end, direction) in [(first, -1.0), (last, 1.0)] {
            let near = keys.at(end.time + direction * d) - end.value;
            let far = keys.at(end.time + direction * 2.0 * d) - end.value;
            prop_assert!((far - 2.0 * near).abs() <= 1e-12 * (1.0 + far.abs()));
            let slope = keys.slope(end.time + direction * d);
            prop_assert!((slope * direction * d - near).abs() <= 1e-12 * (1.0 + near.abs()));
        }
    }

    #[test]
    fn a_cycle_has_a_period(keys in extended(Extrapolation::Cycle), t in -9.0..20.0f64, n in -50..50i32) {
        let period = keys.span().to() - keys.span().from();
        prop_assume!(!near_a_key(&keys, t));
        let (here, there) = (keys.at(t), keys.at(t + f64::from(n) * period));
        prop_assert!((here - there).abs() < 1e-8, "{here} and {there}");
    }

    #[test]
    fn a_cycle_with_offset_joins_and_gains(
        keys in extended(Extrapolation::CycleOffset), t in -9.0..20.0f64, n in -50..50i32,
    ) {
        let (first, last) = (keys.keys()[0], keys.keys()[keys.keys().len() - 1]);
        let (period, gain) = (last.time - first.time, last.value - first.value);
        let n = f64::from(n);
        // A seam is the last key of one period and the first of the next.
        let seam = keys.at(last.time + n * period);
        prop_assert!((seam - (last.value + n * gain)).abs() < 1e-12 * (1.0 + seam.abs()));
        prop_assume!(!near_a_key(&keys, t));
        let there = keys.at(t + n * period);
        prop_assert!((there - (keys.at(t) + n * gain)).abs() < 1e-8);
    }

    #[test]
    fn a_ping_pong_is_symmetric_about_its_ends(keys in extended(Extrapolation::PingPong), d in 0.0..30.0f64) {
        let (first, last) = (keys.span().from(), keys.span().to());
        for end in [first, last] {
            prop_assume!(!near_a_key(&keys, end + d) && !near_a_key(&keys, end - d));
            let (left, right) = (keys.at(end - d), keys.at(end + d));
            prop_assert!((left - right).abs() < 1e-8, "{left} and {right} about {end}");
        }
    }
}
