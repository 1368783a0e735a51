//! A key of a wiggly curve: a value that is hit, and perhaps a slope.

use super::super::Animate;

/// How the curve passes a knot on one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Slope<T> {
    /// Exactly so much per second.
    Hard(T),
    /// Pulled towards so much per second, the stronger the larger the second number. Between knots
    /// half a second apart, 0.01 takes it a sixth of the way, 0.1 two thirds, 1 all but a twentieth.
    Soft(T, f64),
}

/// A value at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knot<T> {
    /// In seconds.
    pub time: f64,
    /// What the curve is there, bit for bit.
    pub value: T,
    /// How it arrives; as it leaves if not said.
    pub left: Option<Slope<T>>,
    /// How it leaves; as it arrives if not said.
    pub right: Option<Slope<T>>,
    /// Whether what lies on one side is cut off from what lies on the other.
    ///
    /// Value, slope (0 unless said) and phase are then all fixed: the phase is the one that a free
    /// oscillation of this value and slope has.
    pub local: bool,
}

impl<T: Animate> Knot<T> {
    /// A value, and nothing said about slopes.
    pub fn new(time: f64, value: T) -> Self {
        Self { time, value, left: None, right: None, local: false }
    }

    /// The same with slopes.
    #[must_use]
    pub fn with_slopes(self, left: Option<Slope<T>>, right: Option<Slope<T>>) -> Self {
        Self { left, right, ..self }
    }

    /// The same with one hard slope, per second.
    #[must_use]
    pub fn with_slope(self, slope: T) -> Self {
        self.with_slopes(Some(Slope::Hard(slope)), Some(Slope::Hard(slope)))
    }

    /// The same, with both sides cut off from each other.
    #[must_use]
    pub fn local(self) -> Self {
        Self { local: true, ..self }
    }
}
