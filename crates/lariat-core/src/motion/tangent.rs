//! How a curve leans at a key: by hand, or by looking at the neighbours.
//!
//! *Auto* gives the slope of the parabola through the key and its two neighbours, so keys taken
//! from a parabola give the parabola back however they are spaced. *Clamped-auto* starts from the
//! same slope, is flat where the key is a crest, a trough or part of a level stretch, and
//! elsewhere never so steep that a handle ends beyond the neighbour's value. A Bezier curve stays
//! within its handles, so a rope that was keyed to reach the floor does not dip below it.
//!
//! At the first and the last key the neighbour is *what the extension shows there*: beside a held
//! value the curve comes in level; beside a line it goes straight; in a cycle the neighbour is
//! the key on the other side of the seam, so loops close without a kink; in a ping-pong it is the
//! mirrored key, so the turn is level. A cycle on one side settles both ends, because the
//! rounds join first key to last.
//!
//! Vectors and colours are clamped component by component.
//!
//! Tests: `auto_keys_on_a_parabola_give_it_back`, `clamped_auto_never_leaves_its_neighbours`,
//! `aligned_sides_share_a_slope`, `auto_loops_close_without_a_kink`.

use super::bezier::ROOM;
use super::key::{Handle, Key, Tangent};
use super::names::{Name, Named, by_name};
use super::{Animate, Extrapolation};

/// Who decides on the slope at one side of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TangentKind {
    /// The handle, each side for itself.
    Free,
    /// Both sides share a slope: the line through both handle ends if both sides are aligned,
    /// otherwise the slope of the other side. Each keeps its own length; without a handle of its
    /// own it is as long as the other.
    Aligned,
    /// The neighbours: as smooth as can be.
    Auto,
    /// The neighbours, without ever going beyond their values.
    #[default]
    ClampedAuto,
    /// Nobody: level.
    Flat,
}

impl Named for TangentKind {
    const WHAT: &'static str = "a kind of tangents";

    const NAMES: &'static [Name<Self>] = &[
        Name {
            name: "free",
            value: Self::Free,
            help: "Each side follows its own handle; a corner is allowed.",
        },
        Name {
            name: "aligned",
            value: Self::Aligned,
            help: "Both sides share one slope, each with its own length.",
        },
        Name {
            name: "auto",
            value: Self::Auto,
            help: "As smooth as the neighbouring keys allow; may swing beyond them.",
        },
        Name {
            name: "clamped-auto",
            value: Self::ClampedAuto,
            help: "Smooth, level at crests and troughs, never beyond the neighbouring keys.",
        },
        Name { name: "flat", value: Self::Flat, help: "Level." },
    ];
}

by_name!(TangentKind);

/// One side of a key, settled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Arm<T> {
    /// A slope per second, and how many seconds the handle is long; none is a third of the way.
    Slope(T, Option<f64>),
    /// A handle as given.
    Handle(Handle<T>),
}

/// Both sides of a key, settled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arms<T> {
    pub(super) incoming: Arm<T>,
    pub(super) outgoing: Arm<T>,
}

/// What a key sees when it looks to one side.
#[derive(Clone, Copy)]
enum View<T> {
    /// A key this far off in time and value, and the length of the handle towards it.
    Key { time: f64, rise: T, reach: f64 },
    /// A level stretch, or its own mirror image.
    Level,
    /// A line that goes on as the curve came.
    Straight,
    /// Nothing to look at: there is only one key.
    Nothing,
}

/// Settles both sides of the key at `index`.
pub(super) fn settle<T: Animate>(
    keys: &[Key<T>],
    index: usize,
    (before, after): (Extrapolation, Extrapolation),
) -> Arms<T> {
    let key = &keys[index];
    let by_neighbours = |clamped| {
        let (left, right) = views(keys, index, before, after);
        slope_between(&left, &right, clamped)
    };
    let way = shorter_way(keys, index);
    // The slope a side has on its own; none if it depends on the other side.
    let own_slope = |side: &Tangent<T>, sign: f64| match side.kind {
        TangentKind::Free => {
            let slope = side.handle.and_then(|handle| slope_of(&handle, sign, way));
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
                .or_else(|| slope_through(key.incoming.handle, key.outgoing.handle, way))
                .unwrap_or_else(|| by_neighbours(true));
            // Without a length of its own, an aligned side is as long as the other.
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

/// Seconds to the nearer neighbour.
pub(super) fn shorter_way<T: Animate>(keys: &[Key<T>], index: usize) -> f64 {
    let here = keys[index].time;
    let before = index.checked_sub(1).map(|i| here - keys[i].time);
    let after = keys.get(index + 1).map(|next| next.time - here);
    before.into_iter().chain(after).fold(f64::INFINITY, f64::min)
}

/// The slope along a handle that points back (`sign` −1) or forwards (1), unless it has no length.
/// Upright ones are as steep as a Bezier curve can stand on a stretch that is `way` seconds long.
pub(super) fn slope_of<T: Animate>(handle: &Handle<T>, sign: f64, way: f64) -> Option<T> {
    let time = handle.time.abs().max(ROOM * way).copysign(sign);
    let short = handle.time == 0.0 && handle.value == T::zero();
    (!short).then(|| T::from_parts(|i| handle.value.part(i) / time))
}

/// The slope of the line through the ends of both handles, or along the one there is.
fn slope_through<T: Animate>(
    incoming: Option<Handle<T>>,
    outgoing: Option<Handle<T>>,
    way: f64,
) -> Option<T> {
    match (incoming, outgoing) {
        (Some(a), Some(b)) => {
            let across = T::from_parts(|i| b.value.part(i) - a.value.part(i));
            slope_of(&Handle { time: b.time - a.time, value: across }, 1.0, way)
        }
        (Some(a), None) => slope_of(&a, -1.0, way),
        (None, b) => b.and_then(|b| slope_of(&b, 1.0, way)),
    }
}

/// What the key at `index` sees to its left and right.
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
    // From key i to key i + 1, with the handle on the side that looks.
    let view = |i: usize, handle: Option<Handle<T>>| {
        let (a, b) = (&keys[i], &keys[i + 1]);
        let time = b.time - a.time;
        let rise = T::from_parts(|part| b.value.part(part) - a.value.part(part));
        View::Key { time, rise, reach: handle.map_or(0.0, |h| h.time.abs()) }
    };
    let round = |extend| matches!(extend, Extrapolation::Cycle | Extrapolation::CycleOffset);
    let end = |extend| match extend {
        _ if before == Extrapolation::PingPong || after == Extrapolation::PingPong => View::Level,
        Extrapolation::Line => View::Straight,
        _ => View::Level,
    };
    let closes = round(before) || round(after);
    let left = match index {
        // Across the seam, the last stretch comes before the first key.
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

/// The slope of a key that looks at its neighbours.
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

/// The steepest slope whose handle ends no further than the neighbour's value. A handle shorter
/// than a third counts as one, so that weights below that do not change the slope.
fn steepest(rise: f64, time: f64, reach: f64) -> f64 {
    rise.abs() / reach.max(time / 3.0)
}
