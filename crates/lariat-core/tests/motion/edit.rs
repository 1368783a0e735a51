//! Setting and removing keys: the interval that changes, and the rest that must not.

use proptest::prelude::*;

use crate::arbitrary::{extend, key_list, keys, value};
use lariat_core::motion::{Extrapolation, Interval, Key, Keys, KeysError};

fn simple(extend: Extrapolation) -> Keys<f64> {
    let list = (0..8).map(|i| Key::new(f64::from(i), f64::from(i * i % 5))).collect();
    Keys::extended(list, extend, extend).expect("keys in order")
}

#[test]
fn an_edit_changes_only_neighbouring_segments() {
    let keys = simple(Extrapolation::Hold);
    let (edited, touched) = keys.with_key(Key::new(4.0, 7.0)).unwrap();
    assert_eq!(edited.at(4.0), 7.0);
    let touched = touched.unwrap();
    assert!(touched.from() >= 2.0 && touched.to() <= 6.0, "{touched:?}");
    assert!(touched.contains(3.5) && touched.contains(4.5));
    // The last key is held forever, and a cycle repeats its keys everywhere.
    let (_, touched) = keys.with_key(Key::new(7.0, 9.0)).unwrap();
    assert_eq!(touched.unwrap().to(), f64::INFINITY);
    let (_, touched) = simple(Extrapolation::Cycle).with_key(Key::new(4.0, 7.0)).unwrap();
    assert_eq!(touched, Some(Interval::ALL_TIME));
}

#[test]
fn setting_a_key_to_itself_changes_nothing() {
    let keys = simple(Extrapolation::Cycle);
    let (edited, touched) = keys.with_key(keys.keys()[3]).unwrap();
    assert_eq!((edited, touched), (keys, None));
}

#[test]
fn a_missing_key_cannot_be_removed() {
    let keys = simple(Extrapolation::Hold);
    let error = keys.without_key(3.4).unwrap_err();
    assert_eq!(error.to_string(), "there is no key at 3.4 s; the nearest is at 3 s");
    let one = Keys::new(vec![Key::new(1.0, 2.0)]).unwrap();
    assert_eq!(one.without_key(1.0).unwrap_err(), KeysError::Empty);
}

#[test]
fn a_bad_key_is_refused_and_nothing_changes() {
    let keys = simple(Extrapolation::Hold);
    assert!(keys.with_key(Key::new(f64::NAN, 1.0)).is_err());
    assert!(keys.with_key(Key::new(1.5, f64::INFINITY)).is_err());
    assert_eq!(keys, simple(Extrapolation::Hold));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn nothing_outside_the_touched_interval_changes(
        keys in keys(), time in -3.0..8.0f64, v in value(), which in 0..6usize,
    ) {
        let list = keys.keys();
        let existing = list[which % list.len()].time;
        let edits = [
            keys.with_key(Key::new(time, v)),
            keys.with_key(Key::new(existing, v)),
            keys.without_key(existing),
        ];
        for (edited, touched) in edits.into_iter().flatten() {
            for i in -150..250 {
                let t = f64::from(i) * 0.1 + 0.037;
                if !touched.is_some_and(|touched| touched.contains(t)) {
                    let (old, new) = (keys.at(t), edited.at(t));
                    prop_assert_eq!(old.to_bits(), new.to_bits(), "at {}: {} {}", t, old, new);
                }
            }
        }
    }

    #[test]
    fn setting_and_removing_a_key_is_the_identity(keys in keys(), time in 0.01..0.99f64, v in value()) {
        let time = keys.span().from() - time;
        let (more, touched) = keys.with_key(Key::new(time, v)).unwrap();
        prop_assert_eq!(more.keys().len(), keys.keys().len() + 1);
        let (back, touched_back) = more.without_key(time).unwrap();
        prop_assert_eq!(&back, &keys);
        prop_assert_eq!(touched, touched_back);
    }

    #[test]
    fn difference_is_symmetric(
        a in keys(), list in key_list(1..5), before in extend(), after in extend(),
    ) {
        let b = Keys::extended(list, before, after).unwrap();
        prop_assert_eq!(a.difference(&b), b.difference(&a));
        prop_assert_eq!(a.difference(&a.clone()), None);
        let again = a.with_extensions(before, after);
        prop_assert_eq!(again.keys(), a.keys());
        prop_assert_eq!((again.before(), again.after()), (before, after));
    }
}
