//! Intervals of time, possibly unbounded.

/// An interval in seconds, ends included; either end may be infinite.
///
/// Fields are private because an interval must not end before it starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    from: f64,
    to: f64,
}

impl Interval {
    /// Unbounded on both sides.
    pub const ALL_TIME: Self = Self { from: f64::NEG_INFINITY, to: f64::INFINITY };

    /// Interval between two times in either order; a NaN end is unbounded.
    pub fn new(a: f64, b: f64) -> Self {
        if a.is_nan() || b.is_nan() {
            let from = if a.is_nan() { f64::NEG_INFINITY } else { a };
            let to = if b.is_nan() { f64::INFINITY } else { b };
            return Self { from, to };
        }
        Self { from: a.min(b), to: a.max(b) }
    }

    /// Start in seconds; may be minus infinity.
    pub fn from(&self) -> f64 {
        self.from
    }

    /// End in seconds; may be infinity.
    pub fn to(&self) -> f64 {
        self.to
    }

    /// Whether the interval contains a time.
    pub fn contains(&self, t: f64) -> bool {
        self.from <= t && t <= self.to
    }

    /// Shortest interval that contains both.
    #[must_use]
    pub fn cover(&self, other: Self) -> Self {
        Self { from: self.from.min(other.from), to: self.to.max(other.to) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_sorted() {
        assert_eq!(Interval::new(2.0, -1.0), Interval::new(-1.0, 2.0));
        assert_eq!(Interval::new(f64::NAN, 3.0), Interval::new(f64::NEG_INFINITY, 3.0));
        assert_eq!(Interval::new(f64::NAN, f64::NAN), Interval::ALL_TIME);
    }

    #[test]
    fn covering_two_contains_both() {
        let both = Interval::new(0.0, 1.0).cover(Interval::new(3.0, 4.0));
        assert!(both.contains(0.0) && both.contains(2.0) && both.contains(4.0));
        assert!(!both.contains(-0.1) && !both.contains(4.1));
    }
}
