//! Keys of every kind for the property tests, including awkward ones: handles of zero length and
//! handles many times too long, equal neighbours, presets beside steps.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use lariat_core::motion::{
    Ease, Extrapolation, Handle, Interpolation, Key, Keys, Named, Tangent, TangentKind,
};

fn any_of<T: Named + std::fmt::Debug>() -> impl Strategy<Value = T> {
    select(T::NAMES.iter().map(|row| row.value).collect::<Vec<_>>())
}

pub(crate) fn interpolation() -> impl Strategy<Value = Interpolation> {
    prop_oneof![
        1 => Just(Interpolation::Step),
        2 => Just(Interpolation::Linear),
        5 => Just(Interpolation::Bezier),
        2 => any_of::<Ease>().prop_map(Interpolation::Ease),
    ]
}

pub(crate) fn extend() -> impl Strategy<Value = Extrapolation> {
    any_of::<Extrapolation>()
}

pub(crate) fn value() -> impl Strategy<Value = f64> {
    prop_oneof![4 => -5.0..5.0f64, 1 => (-2..=2i32).prop_map(f64::from)]
}

fn tangent(direction: f64) -> impl Strategy<Value = Tangent<f64>> {
    let time = prop_oneof![1 => Just(0.0), 4 => 0.0..0.6f64, 2 => 0.0..20.0f64];
    let handle =
        (time, value()).prop_map(move |(time, value)| Handle { time: direction * time, value });
    (any_of::<TangentKind>(), option::of(handle))
        .prop_map(|(kind, handle)| Tangent { kind, handle })
}

/// Keys at rising times, as a list.
pub(crate) fn key_list(
    count: impl Into<proptest::collection::SizeRange>,
) -> impl Strategy<Value = Vec<Key<f64>>> {
    let key = (0.05..1.5f64, value(), interpolation(), tangent(-1.0), tangent(1.0));
    (-3.0..2.0f64, vec(key, count)).prop_map(|(start, keys)| {
        let mut time = start;
        let place = |(gap, value, interpolation, incoming, outgoing)| {
            time += gap;
            Key { time, value, interpolation, incoming, outgoing }
        };
        keys.into_iter().map(place).collect()
    })
}

/// Keys of every kind with every kind of extrapolation.
pub(crate) fn keys() -> impl Strategy<Value = Keys<f64>> {
    (key_list(1..7), extend(), extend()).prop_map(|(keys, before, after)| {
        Keys::extended(keys, before, after).expect("keys in order")
    })
}

/// Bezier keys with tangents of this kind.
pub(crate) fn bezier_keys(kind: TangentKind) -> impl Strategy<Value = Vec<Key<f64>>> {
    key_list(2..8).prop_map(move |mut keys| {
        for key in &mut keys {
            key.interpolation = Interpolation::Bezier;
            key.incoming = Tangent::new(kind);
            key.outgoing = Tangent::new(kind);
        }
        keys
    })
}
