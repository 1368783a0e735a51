//! Slopes at keys: set by hand, or computed from the neighbouring keys.
//!
//! *Auto* gives the slope of the parabola through the key and its two neighbours, so keys on a
//! parabola reproduce it with any spacing. *Clamped-auto* starts from the same slope, is flat where
//! the key is a maximum, a minimum or part of a plateau, and elsewhere is limited so that no handle
//! ends beyond the neighbour's value. A Bezier curve stays within its handles, so a rope that is
//! keyed to reach the floor does not dip below it.
//!
//! At the first and the last key the neighbour depends on the extrapolation: with hold the curve is
//! flat there; with a line it is straight; in a cycle the neighbour is the key on the other side of
//! the seam, so loops close without a kink; in a ping-pong it is the mirrored key, so the curve is
//! flat. A cycle on one side determines both ends, because its periods join the first key to the
//! last.
//!
//! Vectors and colours are clamped component by component.
//!
//! Tests: `auto_keys_on_a_parabola_reproduce_it`, `clamped_auto_stays_between_its_neighbours`,
//! `aligned_sides_share_a_slope`, `auto_loops_close_without_a_kink`.

use super::bezier::ROOM;
use super::key::{Handle, Key, Tangent};
use super::names::{Name, Named, by_name};
use super::{Animate, Extrapolation};

/// Rule for the slope at one side of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TangentKind {
    /// By the handle of each side.
    Free,
    /// Both sides share a slope: the line through both handle ends if both sides are aligned,
    /// otherwise the slope of the other side. Each side keeps its length; one without a handle is
    /// as long as the other.
    Aligned,
    /// By the neighbours, as smooth as possible.
    Auto,
    /// By the neighbours, never beyond their values.
    #[default]
    ClampedAuto,
    /// Zero slope.
    Flat,
}

impl Named for TangentKind {
    const WHAT: &'static str = "a tangent kind";

    const NAMES: &'static [Name<Self>] = &[
        Name {
            name: "free",
            value: Self::Free,
            help: "Each side follows its handle; a corner is allowed.",
        },
        Name {
            name: "aligned",
            value: Self::Aligned,
            help: "Both sides share one slope; their lengths may differ.",
        },
        Name {
            name: "auto",
            value: Self::Auto,
            help: "As smooth as the neighbouring keys allow; may overshoot them.",
        },
        Name {
            name: "clamped-auto",
            value: Self::ClampedAuto,
            help: "Smooth, flat at extremes, never beyond the neighbouring keys.",
        },
        Name { name: "flat", value: Self::Flat, help: "Zero slope." },
    ];
}

by_name!(TangentKind);

/// One side of a key, resolved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Arm<T> {
    /// Slope per second, and length of the handle in seconds; `None` is a third of the interval.
    Slope(T, Option<f64>),
    /// An explicit handle.
    Handle(Handle<T>),
}

/// Both sides of a key, resolved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arms<T> {
    pub(super) incoming: Arm<T>,
    pub(super) outgoing: Arm<T>,
}

/// Neighbour of a key on one side.
#[derive(Clone, Copy)]
enum View<T> {
    /// A key at this distance in time and value, and the length of the handle towards it.
    Key { time: f64, rise: T, reach: f64 },
    /// A constant value, or the mirror image of the key.
    Level,
    /// A line that continues the curve.
    Straight,
    /// No neighbour: there is only one key.
    Nothing,
}

/// Resolves both sides of the key at `index`.
pub(super) fn resolve<T: Animate>(
    keys: &[Key<T>],
    index: usize,
    (before, after): (Extrapolation, Extrapolation),
) -> Arms<T> {
    let key = &keys[index];
    let by_neighbours = |clamped| {
        let (left, right) = views(keys, index, before, after);
        slope_between(&left, &right, clamped)
    };
    let distance = nearer_distance(keys, index);
    // Slope of one side; `None` if it depends on the other side.
    let own_slope = |side: &Tangent<T>, sign: f64| match side.kind {
        TangentKind::Free => {
            let slope = side.handle.and_then(|handle| slope_of(&handle, sign, distance));
            Some(slope.unwrap_or_else(|| by_neighbours(true)))
        }
        TangentKind::Auto => Some(by_neighbours(false)),
        TangentKind::ClampedAuto => Some(by_neighbours(true)),
        TangentKind::Flat => Some(T::zero()),
        TangentKind::Aligned => None,
    };
    let arm = |side: &Tangent<T>, sign: f64, other: &Tangent<T>| match (side.kind, side.handle) {
        (TangentKind::Free, Some(handle)) => Arm::Handle(handle),
        (TangentKind::Aligned, handle) => {
            let slope = own_slope(other, -sign)
                .or_else(|| slope_through(key.incoming.handle, key.outgoing.handle, distance))
                .unwrap_or_else(|| by_neighbours(true));
            // Without a handle, an aligned side has the length of the other.
            Arm::Slope(slope, handle.or(other.handle).map(|handle| handle.time.abs()))
        }
        (_, handle) => {
            let slope = own_slope(side, sign).unwrap_or_else(T::zero);
            Arm::Slope(slope, handle.map(|handle| handle.time.abs()))
        }
    };
    Arms {
        incoming: arm(&key.incoming, -1.0, &key.outgoing),
        outgoing: arm(&key.outgoing, 1.0, &key.incoming),
    }
}

/// Time to the nearer neighbour in seconds.
pub(super) fn nearer_distance<T: Animate>(keys: &[Key<T>], index: usize) -> f64 {
    let here = keys[index].time;
    let before = index.checked_sub(1).map(|i| here - keys[i].time);
    let after = keys.get(index + 1).map(|next| next.time - here);
    before.into_iter().chain(after).fold(f64::INFINITY, f64::min)
}

/// Slope along a handle that points back (`sign` −1) or forwards (1), unless it has zero length.
/// Vertical handles have the steepest slope of a Bezier curve on an interval of `distance` seconds.
pub(super) fn slope_of<T: Animate>(handle: &Handle<T>, sign: f64, distance: f64) -> Option<T> {
    let time = handle.time.abs().max(ROOM * distance).copysign(sign);
    let short = handle.time == 0.0 && handle.value == T::zero();
    (!short).then(|| T::from_parts(|i| handle.value.part(i) / time))
}

/// Slope of the line through the ends of both handles, or along the only one.
fn slope_through<T: Animate>(
    incoming: Option<Handle<T>>,
    outgoing: Option<Handle<T>>,
    distance: f64,
) -> Option<T> {
    match (incoming, outgoing) {
        (Some(a), Some(b)) => {
            let across = T::from_parts(|i| b.value.part(i) - a.value.part(i));
            slope_of(&Handle { time: b.time - a.time, value: across }, 1.0, distance)
        }
        (Some(a), None) => slope_of(&a, -1.0, distance),
        (None, b) => b.and_then(|b| slope_of(&b, 1.0, distance)),
    }
}

/// Neighbours of the key at `index` to its left and right.
fn views<T: Animate>(
    keys: &[Key<T>],
    index: usize,
    before: Extrapolation,
    after: Extrapolation,
) -> (View<T>, View<T>) {
    let last = keys.len() - 1;
    if last == 0 {
        return (View::Nothing, View::Nothing);
    }
    // From key i to key i + 1, with the handle on the near side.
    let view = |i: usize, handle: Option<Handle<T>>| {
        let (a, b) = (&keys[i], &keys[i + 1]);
        let time = b.time - a.time;
        let rise = T::from_parts(|part| b.value.part(part) - a.value.part(part));
        View::Key { time, rise, reach: handle.map_or(0.0, |h| h.time.abs()) }
    };
    let cyclic = |extend| matches!(extend, Extrapolation::Cycle | Extrapolation::CycleOffset);
    let end = |extend| match extend {
        _ if before == Extrapolation::PingPong || after == Extrapolation::PingPong => View::Level,
        Extrapolation::Line => View::Straight,
        _ => View::Level,
    };
    let closes = cyclic(before) || cyclic(after);
    let left = match index {
        // Across the seam, the last segment precedes the first key.
        0 if closes => view(last - 1, keys[last].incoming.handle),
        0 => end(before),
        _ => view(index - 1, keys[index].incoming.handle),
    };
    let right = match index {
        _ if index < last => view(index, keys[index].outgoing.handle),
        _ if closes => view(0, keys[0].outgoing.handle),
        _ => end(after),
    };
    (left, right)
}

/// Slope of a key computed from its neighbours.
fn slope_between<T: Animate>(left: &View<T>, right: &View<T>, clamped: bool) -> T {
    match (left, right) {
        (
            &View::Key { time: h0, rise: d0, reach: r0 },
            &View::Key { time: h1, rise: d1, reach: r1 },
        ) => T::from_parts(|i| {
            let (d0, d1) = (d0.part(i), d1.part(i));
            let (s0, s1) = (d0 / h0, d1 / h1);
            // The derivative there of the parabola through all three.
            let slope = (s0 * h1 + s1 * h0) / (h0 + h1);
            if !clamped {
                slope
            } else if (s0 > 0.0 && s1 > 0.0) || (s0 < 0.0 && s1 < 0.0) {
                let limit = steepest(d0, h0, r0).min(steepest(d1, h1, r1));
                slope.clamp(-limit, limit)
            } else {
                0.0
            }
        }),
        (&View::Key { time, rise, reach }, View::Straight)
        | (View::Straight, &View::Key { time, rise, reach }) => T::from_parts(|i| {
            let limit = if clamped { steepest(rise.part(i), time, reach) } else { f64::INFINITY };
            (rise.part(i) / time).clamp(-limit, limit)
        }),
        _ => T::zero(),
    }
}

/// Steepest slope whose handle ends no further than the neighbour's value. A handle shorter than a
/// third counts as a third, so that shorter weights do not change the slope.
fn steepest(rise: f64, time: f64, reach: f64) -> f64 {
    rise.abs() / reach.max(time / 3.0)
}
