//! Extrapolation of a channel before its first key and after its last.
//!
//! A cycle repeats the interval between the first and the last key, its *period*. The seam between
//! two periods is the last key of one and the first key of the next at the same time. If their
//! values differ, a seam after the keys has the value of the last key and a seam before them that
//! of the first, so every copy of an end agrees with the end.
//!
//! A frame on the copy of a key misses it by the rounding of the conversion to seconds. A switch
//! would then be wrong for a whole frame. So a time within a few units in the last place of a copy
//! counts as that copy (`SAME_MOMENT`).

use super::names::{Name, Named, by_name};

/// Extrapolation of a channel beyond its keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Extrapolation {
    /// Keeps the value of the end key.
    #[default]
    Hold,
    /// Continues as a line with the slope of the end key.
    Line,
    /// Repeats the keys.
    Cycle,
    /// Repeats the keys, each time from where the last repetition ended.
    CycleOffset,
    /// Repeats the keys, every other time backwards.
    PingPong,
}

impl Extrapolation {
    /// Whether the keys are repeated.
    pub fn repeats(self) -> bool {
        matches!(self, Self::Cycle | Self::CycleOffset | Self::PingPong)
    }
}

impl Named for Extrapolation {
    const WHAT: &'static str = "an extrapolation";

    const NAMES: &'static [Name<Self>] = &[
        Name { name: "hold", value: Self::Hold, help: "Keeps the value of the end key." },
        Name {
            name: "line",
            value: Self::Line,
            help: "Continues as a line with the slope of the end key.",
        },
        Name { name: "cycle", value: Self::Cycle, help: "Repeats the keys." },
        Name {
            name: "cycle-offset",
            value: Self::CycleOffset,
            help: "Repeats the keys, each time from where the last repetition ended.",
        },
        Name {
            name: "ping-pong",
            value: Self::PingPong,
            help: "Repeats the keys, every other time backwards.",
        },
    ];
}

by_name!(Extrapolation);

/// Relative tolerance for two times to be the same.
///
/// The time and both end keys carry a rounding error each. The period inherits those of the end
/// keys, once for every period subtracted. A small multiple always covers this and is far below any
/// distance between keys.
const SAME_MOMENT: f64 = 4.0 * f64::EPSILON;

/// Beyond this many periods neighbouring floating-point numbers are more than one period apart:
/// 2⁵².
const MAX_PERIODS: f64 = 4_503_599_627_370_496.0;

/// A time outside the keys, mapped into their period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct InPeriod {
    /// The corresponding time between the first key and the last.
    pub(super) t: f64,
    /// Number of periods after the keys; negative before them.
    pub(super) periods: f64,
    /// Tolerance for equal times, in seconds.
    pub(super) tolerance: f64,
}

impl InPeriod {
    /// Maps `t` between `first` and `last`, which must differ. Seams belong to the period before
    /// them if `seam_ends`, else to the one after.
    pub(super) fn new(t: f64, first: f64, last: f64, seam_ends: bool) -> Self {
        let period = last - first;
        let mut periods = ((t - first) / period).floor();
        if periods.abs() > MAX_PERIODS {
            let periods = MAX_PERIODS.copysign(periods);
            return Self { t: first, periods, tolerance: 0.0 };
        }
        let roundings = t.abs() + (1.0 + periods.abs()) * first.abs().max(last.abs());
        let tolerance = SAME_MOMENT * roundings;
        let mut place = t - periods * period;
        // A quotient rounded across the seam is outside the period by less than the tolerance and
        // is moved onto the seam.
        if seam_ends && place <= first + tolerance {
            (periods, place) = (periods - 1.0, last);
        } else if !seam_ends && place >= last - tolerance {
            (periods, place) = (periods + 1.0, first);
        }
        Self { t: place.clamp(first, last), periods, tolerance }
    }

    /// Whether this period of a ping-pong is reversed.
    pub(super) fn is_backwards(&self) -> bool {
        self.periods - 2.0 * (0.5 * self.periods).floor() != 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn seams_belong_to_the_requested_side() {
        let after = InPeriod::new(9.0, 1.0, 3.0, true);
        assert_eq!((after.t, after.periods), (3.0, 3.0));
        let before = InPeriod::new(-7.0, 1.0, 3.0, false);
        assert_eq!((before.t, before.periods), (1.0, -4.0));
    }

    #[test]
    fn every_second_period_is_reversed_on_both_sides() {
        for (t, backwards) in [(1.5, true), (2.5, false), (-0.5, true), (-1.5, false)] {
            assert_eq!(InPeriod::new(t, 0.0, 1.0, true).is_backwards(), backwards, "at {t}");
        }
    }

    proptest! {
        #[test]
        fn a_time_is_recovered_from_its_period(
            t in -1e6..1e6f64, first in -100.0..100.0f64, period in 1e-3..100.0f64, ends: bool,
        ) {
            let last = first + period;
            let place = InPeriod::new(t, first, last, ends);
            prop_assert!(place.t >= first && place.t <= last);
            prop_assert_eq!(place.periods, place.periods.round());
            let back = place.t + place.periods * (last - first);
            prop_assert!((back - t).abs() <= 2.0 * place.tolerance, "{} for {}", back, t);
        }
    }
}
