//! A keyed curve: sorted, checked keys that can be evaluated at any time.
//!
//! A [`Keys`] is immutable and cheap to clone; edits return another one (`edit.rs`). At the time of
//! a key, and at every copy of it in a cycle, it has that key's value bit for bit.
//!
//! Evaluation finds the segment between two keys by binary search; segments are precomputed
//! (`segment.rs`), so evaluation allocates nothing.
//!
//! Tests: `keys_are_hit_bit_for_bit`, `bad_keys_are_refused`, `cycles_hit_every_copy_of_every_key`,
//! `bezier_vs_de_casteljau`, `linear_keys_are_exact_lines`.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::extrapolation::InPeriod;
use super::key::{Handle, Interpolation, Key, Tangent};
use super::segment::Segment;
use super::tangent::{self, Arm, Arms};
use super::{Animate, Blend, Extrapolation, Interval};

/// Keys closer than this are the same key, in seconds: a fifty-millionth of a frame of film. Slopes
/// between much closer keys would overflow.
pub(super) const MIN_GAP: f64 = 1e-9;

/// Largest distance of a key from second 0, in seconds: thirty thousand years, where neighbouring
/// floating-point numbers are a tenth of a millisecond apart.
pub const MAX_TIME: f64 = 1e12;

pub use crate::num::MAX_VALUE;

/// Error of making keys. Indices count from 0, messages from 1.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum KeysError {
    /// No keys.
    #[error("a keyed channel needs at least one key")]
    Empty,
    /// NaN or infinity.
    #[error("key {}: its {what} is {number}; expected a finite number", index + 1)]
    NotFinite {
        /// Index of the key.
        index: usize,
        /// `time`, `value`, `incoming handle` or `outgoing handle`.
        what: &'static str,
        /// The number as given.
        number: f64,
    },
    /// Beyond [`MAX_TIME`] or [`MAX_VALUE`].
    #[error("key {}: its {what} is {number:e}; the limit is {limit:e}", index + 1)]
    TooLarge {
        /// Index of the key.
        index: usize,
        /// `time`, `value`, `incoming handle` or `outgoing handle`.
        what: &'static str,
        /// The number as given.
        number: f64,
        /// The largest allowed.
        limit: f64,
    },
    /// Earlier than the key before it.
    #[error("key {} at {time} s comes after a key at {previous} s; sort keys by time", index + 1)]
    OutOfOrder {
        /// Index of the key.
        index: usize,
        /// Its time in seconds.
        time: f64,
        /// The time of the key before it.
        previous: f64,
    },
    /// At the time of the key before it.
    #[error("key {} at {time} s is at the same time as the key before it; keep one of the two", index + 1)]
    SameTime {
        /// Index of the key.
        index: usize,
        /// Its time in seconds.
        time: f64,
    },
    /// An incoming handle that points forwards, or an outgoing one that points back.
    #[error("key {}: its {what} reaches {time} s {}", index + 1, wrong_way(*time))]
    WrongWay {
        /// Index of the key.
        index: usize,
        /// `incoming handle` or `outgoing handle`.
        what: &'static str,
        /// Seconds from the key.
        time: f64,
    },
    /// No key at the time of a removal.
    #[error("there is no key at {time} s; the nearest is at {nearest} s")]
    NoKeyThere {
        /// Requested time in seconds.
        time: f64,
        /// Time of the nearest key.
        nearest: f64,
    },
}

fn wrong_way(time: f64) -> &'static str {
    if time > 0.0 {
        "forwards, but incoming handles point back; use a time of zero or less"
    } else {
        "back, but outgoing handles point forwards; use a time of zero or more"
    }
}

impl KeysError {
    /// Index of the key that the error is about, if any.
    pub fn index(&self) -> Option<usize> {
        match *self {
            Self::NotFinite { index, .. }
            | Self::TooLarge { index, .. }
            | Self::OutOfOrder { index, .. }
            | Self::SameTime { index, .. }
            | Self::WrongWay { index, .. } => Some(index),
            Self::Empty | Self::NoKeyThere { .. } => None,
        }
    }
}

/// Keys sorted by time, with their extrapolation.
///
/// ```
/// use lariat_core::motion::{Extrapolation, Key, Keys};
///
/// let swing = Keys::extended(
///     vec![Key::new(0.0, -20.0), Key::new(0.5, 35.0), Key::new(1.0, -20.0)],
///     Extrapolation::Hold,
///     Extrapolation::Cycle,
/// )?;
/// assert_eq!(swing.at(0.5), 35.0);
/// assert_eq!(swing.at(7.5), 35.0);
/// assert_eq!(swing.at(-3.0), -20.0);
/// # Ok::<(), lariat_core::motion::KeysError>(())
/// ```
#[derive(Clone)]
pub struct Keys<T>(Arc<Track<T>>);

/// Data shared by all clones of a [`Keys`].
struct Track<T> {
    /// Times of the first key and the last.
    first: f64,
    last: f64,
    keys: Vec<Key<T>>,
    /// Times of the keys, contiguous for the search.
    times: Vec<f64>,
    /// Segments, one less than keys.
    segments: Vec<Segment<T>>,
    before: Extrapolation,
    after: Extrapolation,
    /// Slopes per second at the ends, for [`Extrapolation::Line`].
    slope_before: T,
    slope_after: T,
    /// Whether the value is constant.
    still: bool,
}

impl<T: Animate> Keys<T> {
    /// Keys that hold their end values before the first and after the last.
    pub fn new(keys: Vec<Key<T>>) -> Result<Self, KeysError> {
        Self::extended(keys, Extrapolation::Hold, Extrapolation::Hold)
    }

    /// Keys with extrapolation before and after them.
    ///
    /// Keys must be sorted by time, at different times, and finite. With a single key every
    /// extrapolation holds; so does a line of a switch.
    pub fn extended(
        keys: Vec<Key<T>>,
        before: Extrapolation,
        after: Extrapolation,
    ) -> Result<Self, KeysError> {
        check(&keys)?;
        let ends = (before, after);
        let last = keys.len() - 1;
        let mut segments = Vec::with_capacity(last);
        let first_arms = tangent::resolve(&keys, 0, ends);
        let mut arms = first_arms;
        for i in 0..last {
            let next = tangent::resolve(&keys, i + 1, ends);
            segments.push(Segment::new(&keys[i], &keys[i + 1], &arms, &next));
            arms = next;
        }
        let (slope_before, slope_after) = end_slopes(&keys, &segments, &first_arms, &arms);
        let flat = T::zero();
        let lines_level = (before != Extrapolation::Line || slope_before == flat)
            && (after != Extrapolation::Line || slope_after == flat);
        let still = lines_level
            && keys.iter().all(|key| key.value == keys[0].value)
            && segments.iter().all(Segment::is_level);
        let times = keys.iter().map(|key| key.time).collect();
        let (first, last) = (keys[0].time, keys[last].time);
        Ok(Self(Arc::new(Track {
            first,
            last,
            keys,
            times,
            segments,
            before,
            after,
            slope_before,
            slope_after,
            still,
        })))
    }

    /// The same keys with other extrapolations.
    #[must_use]
    pub fn with_extensions(&self, before: Extrapolation, after: Extrapolation) -> Self {
        // These keys have been checked, and extrapolation cannot invalidate them.
        Self::extended(self.0.keys.clone(), before, after).unwrap_or_else(|_| self.clone())
    }

    /// One component of the value as keys.
    pub fn part(&self, part: usize) -> Keys<f64> {
        let side = |side: &Tangent<T>| Tangent {
            kind: side.kind,
            handle: side.handle.map(|h| Handle { time: h.time, value: h.value.part(part) }),
        };
        let keys = self.0.keys.iter().map(|key| Key {
            time: key.time,
            value: key.value.part(part),
            interpolation: key.interpolation,
            incoming: side(&key.incoming),
            outgoing: side(&key.outgoing),
        });
        let (keys, before, after) = (keys.collect(), self.0.before, self.0.after);
        // These keys have been checked per component.
        Keys::extended(keys, before, after).unwrap_or_else(|_| unreachable!("checked keys"))
    }

    /// Keys sorted by time.
    pub fn keys(&self) -> &[Key<T>] {
        &self.0.keys
    }

    /// Times of the keys in seconds, ascending.
    pub fn key_times(&self) -> &[f64] {
        &self.0.times
    }

    /// Extrapolation before the first key.
    pub fn before(&self) -> Extrapolation {
        self.0.before
    }

    /// Extrapolation after the last key.
    pub fn after(&self) -> Extrapolation {
        self.0.after
    }

    /// Interval from the first key to the last.
    pub fn span(&self) -> Interval {
        Interval::new(self.first_time(), self.last_time())
    }

    /// Whether the value is the same at all times.
    pub fn is_constant(&self) -> bool {
        self.0.still
    }

    /// The value at a time in seconds; finite at every time.
    #[inline]
    pub fn at(&self, t: f64) -> T {
        if t >= self.0.first && t < self.0.last { self.inside(t) } else { self.outside(t) }
    }

    /// Index of the segment that contains `t`, which is between the first key and the last.
    #[inline]
    pub(super) fn segment_at(&self, t: f64) -> usize {
        let last = self.0.segments.len() - 1;
        // Most curves have two keys and need no search.
        if last == 0 {
            return 0;
        }
        self.0.times.partition_point(|time| *time <= t).saturating_sub(1).min(last)
    }

    #[inline]
    fn inside(&self, t: f64) -> T {
        self.0.segments[self.segment_at(t)].at(t)
    }

    /// Value from the last key on and before the first.
    fn outside(&self, t: f64) -> T {
        let after = t >= self.last_time();
        let (end, extend, slope) = self.end(after);
        if t == end.time || !t.is_finite() || self.0.segments.is_empty() {
            return end.value;
        }
        match extend {
            Extrapolation::Hold => end.value,
            Extrapolation::Line if T::STEPS => end.value,
            Extrapolation::Line => finite(|i| end.value.part(i) + slope.part(i) * (t - end.time)),
            Extrapolation::Cycle | Extrapolation::CycleOffset | Extrapolation::PingPong => {
                let place = InPeriod::new(t, self.first_time(), self.last_time(), after);
                let t = if extend == Extrapolation::PingPong && place.is_backwards() {
                    self.mirrored(place.t)
                } else {
                    place.t
                };
                let value = self.near_key(t, place.tolerance);
                if extend == Extrapolation::CycleOffset && !T::STEPS {
                    let gain = self.gain();
                    finite(|i| value.part(i) + place.periods * gain.part(i))
                } else {
                    value
                }
            }
        }
    }

    /// Value between the keys; a time within `tolerance` of a key counts as that key.
    fn near_key(&self, t: f64, tolerance: f64) -> T {
        let i = self.segment_at(t);
        let (key, next) = (&self.0.keys[i], &self.0.keys[i + 1]);
        if t - key.time <= tolerance {
            key.value
        } else if next.time - t <= tolerance {
            next.value
        } else {
            self.0.segments[i].at(t)
        }
    }

    /// First or last key, with its extrapolation and slope.
    fn end(&self, after: bool) -> (&Key<T>, Extrapolation, T) {
        let track = &*self.0;
        if after {
            (&track.keys[track.keys.len() - 1], track.after, track.slope_after)
        } else {
            (&track.keys[0], track.before, track.slope_before)
        }
    }

    /// Gain of a cycle with offset over one period.
    pub(super) fn gain(&self) -> T {
        let (first, last) = (&self.0.keys[0], &self.0.keys[self.0.keys.len() - 1]);
        T::from_parts(|i| last.value.part(i) - first.value.part(i))
    }

    /// Corresponding time in a reversed period.
    pub(super) fn mirrored(&self, t: f64) -> f64 {
        let (first, last) = (self.first_time(), self.last_time());
        (first + (last - t)).clamp(first, last)
    }

    pub(super) fn first_time(&self) -> f64 {
        self.0.first
    }

    pub(super) fn last_time(&self) -> f64 {
        self.0.last
    }

    pub(super) fn segments(&self) -> &[Segment<T>] {
        &self.0.segments
    }

    /// Slope per second of a line before or after the keys.
    pub(super) fn end_slope(&self, after: bool) -> T {
        self.end(after).2
    }
}

impl<T: Blend> Keys<T> {
    /// Slope per second at a time. On a key, where the two sides may differ, it is that of the next
    /// segment; a jump counts as flat.
    pub fn slope(&self, t: f64) -> T {
        let after = t >= self.last_time();
        if !after && t >= self.first_time() {
            return self.0.segments[self.segment_at(t)].slope(t);
        }
        let (_, extend, slope) = self.end(after);
        if !t.is_finite() || self.0.segments.is_empty() {
            return T::zero();
        }
        match extend {
            Extrapolation::Hold => T::zero(),
            Extrapolation::Line => slope,
            Extrapolation::Cycle | Extrapolation::CycleOffset | Extrapolation::PingPong => {
                let place = InPeriod::new(t, self.first_time(), self.last_time(), false);
                if extend == Extrapolation::PingPong && place.is_backwards() {
                    // In a reversed period the next segment is the mirrored previous one.
                    let t = self.mirrored(place.t);
                    let i = self.segment_at(t - place.tolerance);
                    let slope = self.0.segments[i].slope(t);
                    T::from_parts(|part| -slope.part(part))
                } else {
                    let i = self.segment_at(place.t + place.tolerance);
                    self.0.segments[i].slope(place.t.max(self.0.times[i]))
                }
            }
        }
    }
}

/// Assembles a value from components that may have overflowed.
fn finite<T: Animate>(mut part: impl FnMut(usize) -> f64) -> T {
    T::from_parts(|i| part(i).clamp(-f64::MAX, f64::MAX))
}

/// Slopes of lines before and after the keys: those of the outer handles after a Bezier segment,
/// else those of the segment at its end.
fn end_slopes<T: Animate>(
    keys: &[Key<T>],
    segments: &[Segment<T>],
    first_arms: &Arms<T>,
    last_arms: &Arms<T>,
) -> (T, T) {
    let [.., before_last, last] = keys else { return (T::zero(), T::zero()) };
    let by_arm = |arm: &Arm<T>, index: usize, sign: f64| match arm {
        Arm::Slope(slope, _) => Some(*slope),
        Arm::Handle(handle) => {
            tangent::slope_of(handle, sign, tangent::nearer_distance(keys, index))
        }
    };
    let bezier = |key: &Key<T>| key.interpolation == Interpolation::Bezier && !T::STEPS;
    let before = bezier(&keys[0]).then(|| by_arm(&first_arms.incoming, 0, -1.0)).flatten();
    let after =
        bezier(before_last).then(|| by_arm(&last_arms.outgoing, keys.len() - 1, 1.0)).flatten();
    (
        before.unwrap_or_else(|| segments[0].slope(keys[0].time)),
        after.unwrap_or_else(|| segments[segments.len() - 1].slope(last.time)),
    )
}

/// Checks that keys are valid.
fn check<T: Animate>(keys: &[Key<T>]) -> Result<(), KeysError> {
    let number = |index, what, number: f64, limit: f64| {
        if !number.is_finite() {
            Err(KeysError::NotFinite { index, what, number })
        } else if number.abs() > limit {
            Err(KeysError::TooLarge { index, what, number, limit })
        } else {
            Ok(())
        }
    };
    if keys.is_empty() {
        return Err(KeysError::Empty);
    }
    for (index, key) in keys.iter().enumerate() {
        let time = key.time;
        number(index, "time", time, MAX_TIME)?;
        for i in 0..T::PARTS {
            number(index, "value", key.value.part(i), MAX_VALUE)?;
        }
        let sides = [
            (key.incoming.handle, "incoming handle", -1.0),
            (key.outgoing.handle, "outgoing handle", 1.0),
        ];
        for (handle, what, direction) in sides {
            let Some(handle) = handle else { continue };
            number(index, what, handle.time, MAX_TIME)?;
            for i in 0..T::PARTS {
                number(index, what, handle.value.part(i), MAX_VALUE)?;
            }
            if handle.time * direction < 0.0 {
                return Err(KeysError::WrongWay { index, what, time: handle.time });
            }
        }
        if index > 0 {
            let previous = keys[index - 1].time;
            if (time - previous).abs() < MIN_GAP {
                return Err(KeysError::SameTime { index, time });
            }
            if time < previous {
                return Err(KeysError::OutOfOrder { index, time, previous });
            }
        }
    }
    Ok(())
}

/// Equal if the keys and both extrapolations are; the rest is derived.
impl<T: PartialEq> PartialEq for Keys<T> {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&*self.0, &*other.0);
        Arc::ptr_eq(&self.0, &other.0)
            || (a.before == b.before && a.after == b.after && a.keys == b.keys)
    }
}

impl<T: fmt::Debug> fmt::Debug for Keys<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keys")
            .field("keys", &self.0.keys)
            .field("before", &self.0.before)
            .field("after", &self.0.after)
            .finish()
    }
}
