//! A parameter through time: a number, or keys.
//!
//! Any parameter of anything is a channel, and evaluation asks it for its value at a time before
//! it poses a model; models themselves only ever see plain numbers.
//!
//! A channel is one of a few kinds, and each kind answers the same questions: its value at any
//! time without a history, its slope, whether it ever changes, where its keys are. A wiggly
//! spline answers them as well, and joins as a third kind. The compiler then points at every
//! place that must know about it, because nobody outside this file, `integral.rs` and
//! `product.rs` needs to tell the kinds apart.

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
    /// The same at all times. Who builds it sees to it that the value is finite.
    Constant(T),
    /// Keys, and what goes on between, before and after them.
    Keyed(Keys<T>),
}

impl<T: Animate> Channel<T> {
    /// The value at a time in seconds.
    #[inline]
    pub fn at(&self, t: f64) -> T {
        match self {
            Self::Constant(value) => *value,
            Self::Keyed(keys) => keys.at(t),
        }
    }

    /// Whether the value is the same at all times, keyed or not.
    pub fn is_constant(&self) -> bool {
        match self {
            Self::Constant(_) => true,
            Self::Keyed(keys) => keys.is_constant(),
        }
    }

    /// The keys, if there are any.
    pub fn keys(&self) -> Option<&Keys<T>> {
        match self {
            Self::Constant(_) => None,
            Self::Keyed(keys) => Some(keys),
        }
    }

    /// Times of the keys in seconds, ascending; none for a constant.
    pub fn key_times(&self) -> &[f64] {
        self.keys().map_or(&[], Keys::key_times)
    }

    /// From the first key to the last, if there are any.
    pub fn span(&self) -> Option<Interval> {
        self.keys().map(Keys::span)
    }
}

impl<T: Blend> Channel<T> {
    /// Change per second at a time; on a key, of what follows it.
    pub fn slope(&self, t: f64) -> T {
        match self {
            Self::Constant(_) => T::zero(),
            Self::Keyed(keys) => keys.slope(t),
        }
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
