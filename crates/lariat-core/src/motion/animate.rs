//! Types that can be keyed: numbers, vectors, colours, switches.
//!
//! A type declares its number of components, and all computations on keys are done per component.
//! Angles are numbers: keys from 0 to 720 degrees are two whole turns, without wrapping.
//!
//! A switch is on or off. It keeps the value of the last key until the next with any
//! interpolation, and extrapolations that do not apply to it (a line, an offset) hold its value.

use std::fmt;

use glam::DVec3;

use super::Colour;

/// A value that a channel can have.
pub trait Animate: Copy + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// Number of components.
    const PARTS: usize;

    /// Whether the value can only jump from one key to the next, as a switch does.
    const STEPS: bool;

    /// Component by an index below [`Self::PARTS`].
    fn part(&self, index: usize) -> f64;

    /// Value with the given components.
    fn from_parts(part: impl FnMut(usize) -> f64) -> Self;

    /// Zero in every component.
    fn zero() -> Self {
        Self::from_parts(|_| 0.0)
    }

    /// Largest absolute component; NaN if one is NaN.
    fn size(&self) -> f64 {
        (0..Self::PARTS).fold(0.0, |most: f64, i| {
            let part = self.part(i).abs();
            if part.is_nan() || part > most { part } else { most }
        })
    }
}

/// A value that can be interpolated and has slopes.
pub trait Blend: Animate {}

impl Animate for f64 {
    const PARTS: usize = 1;
    const STEPS: bool = false;

    #[inline]
    fn part(&self, _: usize) -> f64 {
        *self
    }

    #[inline]
    fn from_parts(mut part: impl FnMut(usize) -> f64) -> Self {
        part(0)
    }
}

impl Blend for f64 {}

impl Animate for DVec3 {
    const PARTS: usize = 3;
    const STEPS: bool = false;

    #[inline]
    fn part(&self, index: usize) -> f64 {
        self[index]
    }

    #[inline]
    fn from_parts(mut part: impl FnMut(usize) -> f64) -> Self {
        Self::new(part(0), part(1), part(2))
    }
}

impl Blend for DVec3 {}

impl Animate for Colour {
    const PARTS: usize = 3;
    const STEPS: bool = false;

    #[inline]
    fn part(&self, index: usize) -> f64 {
        self.0[index]
    }

    #[inline]
    fn from_parts(part: impl FnMut(usize) -> f64) -> Self {
        Self([0, 1, 2].map(part))
    }
}

impl Blend for Colour {}

impl Animate for bool {
    const PARTS: usize = 1;
    const STEPS: bool = true;

    #[inline]
    fn part(&self, _: usize) -> f64 {
        f64::from(u8::from(*self))
    }

    #[inline]
    fn from_parts(mut part: impl FnMut(usize) -> f64) -> Self {
        part(0) != 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_rebuilt<T: Animate>(value: T) {
        assert_eq!(T::from_parts(|i| value.part(i)), value);
    }

    #[test]
    fn a_value_is_rebuilt_from_its_components() {
        is_rebuilt(-2.5);
        is_rebuilt(DVec3::new(1.0, -2.0, 3.0));
        is_rebuilt(Colour([0.1, 0.2, 0.3]));
        is_rebuilt(true);
        is_rebuilt(false);
    }

    #[test]
    fn size_is_the_largest_component_and_shows_every_nan() {
        assert_eq!(DVec3::new(1.0, -4.0, 3.0).size(), 4.0);
        for bad in [DVec3::new(f64::NAN, 1.0, 2.0), DVec3::new(1.0, f64::NAN, 2.0)] {
            assert!(bad.size().is_nan());
        }
    }
}
