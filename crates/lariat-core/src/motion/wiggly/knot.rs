//! Knots: keys of a wiggly curve, with a value and optionally slopes.

use super::super::Animate;

/// Slope of the curve on one side of a knot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Slope<T> {
    /// Exact slope per second.
    Hard(T),
    /// Target slope per second, with a strength. Between knots half a second apart, a strength of
    /// 0.01 moves the slope a sixth of the way, 0.1 two thirds, 1 all but a twentieth.
    Soft(T, f64),
}

/// A value at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knot<T> {
    /// Time in seconds.
    pub time: f64,
    /// Value of the curve at that time, bit for bit.
    pub value: T,
    /// Slope before the knot; by default that after it.
    pub left: Option<Slope<T>>,
    /// Slope after the knot; by default that before it.
    pub right: Option<Slope<T>>,
    /// Whether the two sides of the knot are independent of each other (local support).
    ///
    /// Value, slope (0 by default) and phase are then all fixed; the phase is that of a free
    /// oscillation of this value and slope.
    pub local: bool,
}

impl<T: Animate> Knot<T> {
    /// A knot without slopes.
    pub fn new(time: f64, value: T) -> Self {
        Self { time, value, left: None, right: None, local: false }
    }

    /// The same knot with slopes.
    #[must_use]
    pub fn with_slopes(self, left: Option<Slope<T>>, right: Option<Slope<T>>) -> Self {
        Self { left, right, ..self }
    }

    /// The same knot with one exact slope per second.
    #[must_use]
    pub fn with_slope(self, slope: T) -> Self {
        self.with_slopes(Some(Slope::Hard(slope)), Some(Slope::Hard(slope)))
    }

    /// The same knot with independent sides.
    #[must_use]
    pub fn local(self) -> Self {
        Self { local: true, ..self }
    }
}
