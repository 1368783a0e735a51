//! What a channel does before its first key and after its last.
//!
//! Cycling repeats the stretch between the first and the last key, its *round*. The seam between
//! two rounds is the last key of one and the first key of the next at the same moment. If their
//! values differ, a moment can show only one of them: after the keys a seam shows the last key,
//! before them the first, so that every copy of an end agrees with the end itself.
//!
//! A frame that should fall on the copy of a key misses it by the rounding of the division that
//! made seconds of it. For a switch that would be the wrong value for a whole frame. So a time
//! within a few units in the last place of a copy *is* that copy (`SAME_MOMENT`).

use super::names::{Name, Named, by_name};

/// How a channel goes on beyond its keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Extrapolation {
    /// Keeps the value of the end key.
    #[default]
    Hold,
    /// Goes straight on at the slope of the end key.
    Line,
    /// Repeats the keys.
    Cycle,
    /// Repeats the keys, each round starting where the last one ended.
    CycleOffset,
    /// Repeats the keys, every second round backwards.
    PingPong,
}

impl Extrapolation {
    /// Whether the keys come again.
    pub fn repeats(self) -> bool {
        matches!(self, Self::Cycle | Self::CycleOffset | Self::PingPong)
    }
}

impl Named for Extrapolation {
    const WHAT: &'static str = "an extension";

    const NAMES: &'static [Name<Self>] = &[
        Name { name: "hold", value: Self::Hold, help: "Keeps the value of the end key." },
        Name {
            name: "line",
            value: Self::Line,
            help: "Goes straight on at the slope of the end key.",
        },
        Name { name: "cycle", value: Self::Cycle, help: "Repeats the keys." },
        Name {
            name: "cycle-offset",
            value: Self::CycleOffset,
            help: "Repeats the keys, each round starting where the last one ended.",
        },
        Name {
            name: "ping-pong",
            value: Self::PingPong,
            help: "Repeats the keys, every second round backwards.",
        },
    ];
}

by_name!(Extrapolation);

/// How near two times are the same moment, relative to the largest numbers that went into them.
///
/// The time and both end keys carry a rounding each. The period inherits those of the end keys,
/// and they count once for every round that is subtracted. A few times that is never missed, and
/// still far below any distance that could be keyed.
const SAME_MOMENT: f64 = 4.0 * f64::EPSILON;

/// From here on neighbouring numbers are more than one round apart, and no place within a round
/// can be told from another: 2⁵².
const MAX_ROUNDS: f64 = 4_503_599_627_370_496.0;

/// A time outside the keys, brought into their round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct InRound {
    /// The same place between the first key and the last.
    pub(super) t: f64,
    /// How many rounds on from the keys it was; negative before them.
    pub(super) rounds: f64,
    /// How near is the same moment, in seconds.
    pub(super) tolerance: f64,
}

impl InRound {
    /// Brings `t` between `first` and `last`, which must differ. Seams belong to the round before
    /// them if `seam_ends`, else to the round after.
    pub(super) fn new(t: f64, first: f64, last: f64, seam_ends: bool) -> Self {
        let period = last - first;
        let mut rounds = ((t - first) / period).floor();
        if rounds.abs() > MAX_ROUNDS {
            let rounds = MAX_ROUNDS.copysign(rounds);
            return Self { t: first, rounds, tolerance: 0.0 };
        }
        let roundings = t.abs() + (1.0 + rounds.abs()) * first.abs().max(last.abs());
        let tolerance = SAME_MOMENT * roundings;
        let mut place = t - rounds * period;
        // A quotient rounded across the seam leaves the place out of the round by less than the
        // tolerance, and it ends up on the seam.
        if seam_ends && place <= first + tolerance {
            (rounds, place) = (rounds - 1.0, last);
        } else if !seam_ends && place >= last - tolerance {
            (rounds, place) = (rounds + 1.0, first);
        }
        Self { t: place.clamp(first, last), rounds, tolerance }
    }

    /// Whether this round of a ping-pong is read backwards.
    pub(super) fn is_backwards(&self) -> bool {
        self.rounds - 2.0 * (0.5 * self.rounds).floor() != 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn seams_belong_to_the_side_that_is_asked_for() {
        let after = InRound::new(9.0, 1.0, 3.0, true);
        assert_eq!((after.t, after.rounds), (3.0, 3.0));
        let before = InRound::new(-7.0, 1.0, 3.0, false);
        assert_eq!((before.t, before.rounds), (1.0, -4.0));
    }

    #[test]
    fn every_second_round_is_backwards_on_both_sides() {
        for (t, backwards) in [(1.5, true), (2.5, false), (-0.5, true), (-1.5, false)] {
            assert_eq!(InRound::new(t, 0.0, 1.0, true).is_backwards(), backwards, "at {t}");
        }
    }

    proptest! {
        #[test]
        fn a_time_comes_back_from_its_round(
            t in -1e6..1e6f64, first in -100.0..100.0f64, period in 1e-3..100.0f64, ends: bool,
        ) {
            let last = first + period;
            let place = InRound::new(t, first, last, ends);
            prop_assert!(place.t >= first && place.t <= last);
            prop_assert_eq!(place.rounds, place.rounds.round());
            let back = place.t + place.rounds * (last - first);
            prop_assert!((back - t).abs() <= 2.0 * place.tolerance, "{} for {}", back, t);
        }
    }
}
