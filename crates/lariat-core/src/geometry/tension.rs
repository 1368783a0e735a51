//! How hard a strand is pulled along itself.
//!
//! A rope that hangs at rest is pulled horizontal with the same force everywhere, and downwards by as
//! much rope as hangs on the place. Told in metres of its own weight (newtons over mass per metre
//! times gravity), both need nothing but its shape: the horizontal part is the catenary's scale `A`, the
//! upright one changes by a metre for every metre of rope. So three numbers say it all, and nothing
//! is worked out until somebody asks.
//!
//! A simulation knows forces instead, in newtons at places along the rope, and how heavy a metre is.
//!
//! Tests: `the_ends_carry_the_rope`, `it_is_the_height_above_the_directrix`,
//! `waves_do_not_make_a_rope_lighter`, `a_taut_rope_is_pulled_without_end`,
//! `what_rests_on_a_floor_does_not_know`, `what_is_measured_is_joined_by_straight_lines`.

use std::sync::Arc;

use crate::num::ops;

/// How hard a strand is pulled along itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Tension {
    /// It hangs at rest between its ends; everything is in metres of its own weight.
    Hanging {
        /// The horizontal part of the pull, the same everywhere; infinite where it is taut.
        horizontal: f64,
        /// The upright part at the vertical_at_start: below 0 if the rope goes down from there.
        vertical_at_start: f64,
        /// How much it grows to the end: all of the rope.
        weight: f64,
    },
    /// As a simulation has it.
    Measured {
        /// The pull at places evenly along the strand, in newtons; below 0 where it is pushed
        /// together.
        newtons: Arc<[f64]>,
        /// What a metre of it weighs, in newtons.
        weight_per_metre: f64,
    },
}

impl Tension {
    /// The pull at `u`, 0–1 of the strand's length, in metres of its own weight.
    pub fn at(&self, u: f64) -> f64 {
        match self {
            Self::Hanging { horizontal, vertical_at_start, weight } => {
                ops::hypot(*horizontal, vertical_at_start + u * weight)
            }
            Self::Measured { newtons, weight_per_metre } => {
                evenly(newtons, u) / weight_per_metre.max(f64::MIN_POSITIVE)
            }
        }
    }

    /// The pull at `u` in newtons, where that is known.
    pub fn newtons(&self, u: f64) -> Option<f64> {
        match self {
            Self::Hanging { .. } => None,
            Self::Measured { newtons, .. } => Some(evenly(newtons, u)),
        }
    }
}

/// Values evenly along 0–1, joined by straight lines; 0 if there are none.
fn evenly(values: &[f64], u: f64) -> f64 {
    let Some(last) = values.len().checked_sub(1) else { return 0.0 };
    let at = u.clamp(0.0, 1.0) * last as f64;
    let before = (at as usize).min(last);
    let after = (before + 1).min(last);
    values[before] + (at - before as f64) * (values[after] - values[before])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_measured_is_joined_by_straight_lines() {
        let tension = Tension::Measured { newtons: [4.0, 8.0, 2.0].into(), weight_per_metre: 2.0 };
        let newtons = [0.0, 0.25, 0.5, 1.0].map(|u| tension.newtons(u));
        assert_eq!(newtons, [Some(4.0), Some(6.0), Some(8.0), Some(2.0)]);
        assert_eq!(tension.at(0.25), 3.0);
        let hanging = Tension::Hanging { horizontal: 3.0, vertical_at_start: 4.0, weight: 0.0 };
        assert_eq!((hanging.at(0.5), hanging.newtons(0.5)), (5.0, None));
    }
}
