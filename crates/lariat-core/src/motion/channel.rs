//! A parameter over time: a constant, keys, a wiggly curve, or a follower of one.
//!
//! Every parameter is a channel. Evaluation computes its value at a time before it poses a model;
//! models only see plain numbers.
//!
//! All kinds of channels have the same interface: value at any time without a history, slope,
//! constancy, key times. Only this file, `integral.rs` and `wiggly/` distinguish the kinds.

use std::sync::Arc;

use num_complex::Complex64;

use super::wiggly::{Follow, Wiggly};
use super::{Animate, Blend, Interval, Keys};

/// A value at every time.
///
/// ```
/// use lariat_core::motion::{Channel, Key, Keys};
///
/// let length = Channel::from(4.2);
/// assert_eq!(length.at(17.0), 4.2);
///
/// let sag: Channel<f64> = Keys::new(vec![Key::new(0.0, 0.1), Key::new(1.0, 0.3)])?.into();
/// assert_eq!(sag.at(1.0), 0.3);
/// assert!((sag.at(0.5) - 0.2).abs() < 1e-15);
/// # Ok::<(), lariat_core::motion::KeysError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Channel<T> {
    /// The same value at all times; the caller ensures that it is finite.
    Constant(T),
    /// Keys with interpolation and extrapolation.
    Keyed(Keys<T>),
    /// An oscillating curve through keys.
    Wiggly(Wiggly<T>),
    /// A wiggly curve, delayed in phase and scaled.
    Following(Arc<Follow<T>>),
}

impl<T: Animate> Channel<T> {
    /// The value at a time in seconds.
    #[inline]
    pub fn at(&self, t: f64) -> T {
        match self {
            Self::Constant(value) => *value,
            Self::Keyed(keys) => keys.at(t),
            Self::Wiggly(wiggly) => wiggly.at(t),
            Self::Following(follow) => follow.at(t),
        }
    }

    /// Whether the value is the same at all times.
    pub fn is_constant(&self) -> bool {
        match self {
            Self::Constant(_) => true,
            Self::Keyed(keys) => keys.is_constant(),
            Self::Wiggly(wiggly) => wiggly.is_constant(),
            Self::Following(follow) => follow.is_constant(),
        }
    }

    /// The keys of a keyed channel.
    pub fn keys(&self) -> Option<&Keys<T>> {
        match self {
            Self::Keyed(keys) => Some(keys),
            Self::Constant(_) | Self::Wiggly(_) | Self::Following(_) => None,
        }
    }

    /// Times of the keys in seconds, ascending; empty for a constant.
    pub fn key_times(&self) -> &[f64] {
        match self {
            Self::Constant(_) => &[],
            Self::Keyed(keys) => keys.key_times(),
            Self::Wiggly(wiggly) => wiggly.knot_times(),
            Self::Following(follow) => follow.leader.knot_times(),
        }
    }

    /// Interval from the first key to the last, if there are keys.
    pub fn span(&self) -> Option<Interval> {
        match self {
            Self::Constant(_) => None,
            Self::Keyed(keys) => Some(keys.span()),
            Self::Wiggly(wiggly) => wiggly.span(),
            Self::Following(follow) => follow.leader.span(),
        }
    }

    /// Frequency in hertz at a time, of oscillating channels.
    pub fn hertz(&self, t: f64) -> Option<f64> {
        match self {
            Self::Constant(_) | Self::Keyed(_) => None,
            Self::Wiggly(wiggly) => Some(wiggly.hertz(t)),
            Self::Following(follow) => Some(follow.leader.hertz(t)),
        }
    }

    /// Deviation of one component from its equilibrium with its phase, of oscillating channels.
    pub fn phasor(&self, part: usize, t: f64) -> Option<Complex64> {
        match self {
            Self::Constant(_) | Self::Keyed(_) => None,
            Self::Wiggly(wiggly) => Some(wiggly.phasor(part, t)),
            Self::Following(follow) => Some(follow.phasor(part, t)),
        }
    }

    /// One component of the value as a channel.
    pub fn part(&self, part: usize) -> Channel<f64> {
        match self {
            Self::Constant(value) => Channel::Constant(value.part(part)),
            Self::Keyed(keys) => Channel::Keyed(keys.part(part)),
            Self::Wiggly(wiggly) => Channel::Wiggly(wiggly.part(part)),
            Self::Following(follow) => Channel::Following(Arc::new(follow.part(part))),
        }
    }
}

impl<T: Blend> Channel<T> {
    /// Slope per second at a time; on a key, of the segment after it.
    pub fn slope(&self, t: f64) -> T {
        match self {
            Self::Constant(_) => T::zero(),
            Self::Keyed(keys) => keys.slope(t),
            Self::Wiggly(wiggly) => wiggly.slope(t),
            Self::Following(follow) => {
                // Central difference over ±0.1 ms, well below any key spacing.
                let (before, after) = (follow.at(t - 1e-4), follow.at(t + 1e-4));
                T::from_parts(|i| (after.part(i) - before.part(i)) / 2e-4)
            }
        }
    }
}

impl<T: Animate> From<Wiggly<T>> for Channel<T> {
    fn from(wiggly: Wiggly<T>) -> Self {
        Self::Wiggly(wiggly)
    }
}

impl<T: Animate> From<T> for Channel<T> {
    fn from(value: T) -> Self {
        Self::Constant(value)
    }
}

impl<T: Animate> From<Keys<T>> for Channel<T> {
    fn from(keys: Keys<T>) -> Self {
        Self::Keyed(keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::Key;

    #[test]
    fn a_channel_is_small_and_its_keys_are_shared() {
        assert_eq!(size_of::<Channel<f64>>(), 16);
        let keys = Keys::new(vec![Key::new(0.0, 1.0), Key::new(1.0, 2.0)]).unwrap();
        let channel = Channel::from(keys.clone());
        assert_eq!(channel.keys().unwrap().key_times().as_ptr(), keys.key_times().as_ptr());
    }

    #[test]
    fn a_constant_has_no_keys_and_no_slope() {
        let channel = Channel::from(3.0);
        assert!(channel.is_constant());
        assert_eq!((channel.at(-1e9), channel.slope(5.0)), (3.0, 0.0));
        assert_eq!((channel.key_times().len(), channel.span()), (0, None));
    }

    #[test]
    fn keys_that_never_move_are_constant() {
        let keys = |values: [f64; 3]| {
            let keys = values.into_iter().zip([0.0, 1.0, 2.0]);
            Channel::from(Keys::new(keys.map(|(v, t)| Key::new(t, v)).collect()).unwrap())
        };
        assert!(keys([2.0, 2.0, 2.0]).is_constant());
        assert!(!keys([2.0, 2.0, 2.1]).is_constant());
        let bent = Key::new(0.0, 2.0).with_tangents(
            crate::motion::Tangent::default(),
            crate::motion::Tangent::free(0.3, 1.0),
        );
        let bent = Keys::new(vec![bent, Key::new(1.0, 2.0)]).unwrap();
        assert!(!Channel::from(bent).is_constant());
    }
}
