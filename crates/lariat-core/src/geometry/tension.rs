//! How hard a strand is pulled along itself.
//!
//! A rope that hangs at rest is pulled level with the same force everywhere, and downwards by as
//! much rope as hangs on the place. Told in metres of its own weight (newtons over mass per metre
//! times gravity), both need nothing but its shape: the level part is the catenary's scale `A`, the
//! upright one changes by a metre for every metre of rope. So three numbers say it all, and nothing
//! is worked out until somebody asks.
//!
//! Tests: `the_ends_carry_the_rope`, `it_is_the_height_above_the_directrix`,
//! `waves_do_not_make_a_rope_lighter`, `a_taut_rope_is_pulled_without_end`,
//! `what_rests_on_a_floor_does_not_know`.

use crate::num::ops;

/// How hard a strand is pulled along itself.
///
/// An enum, so that a simulation can come with forces that it measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tension {
    /// It hangs at rest between its ends; everything is in metres of its own weight.
    Hanging {
        /// The level part of the pull, the same everywhere; infinite where it is taut.
        level: f64,
        /// The upright part at the start: below 0 if the rope goes down from there.
        start: f64,
        /// How much it grows to the end: all of the rope.
        weight: f64,
    },
}

impl Tension {
    /// The pull at `u`, 0–1 of the strand's length, in metres of its own weight.
    pub fn at(&self, u: f64) -> f64 {
        match *self {
            Self::Hanging { level, start, weight } => ops::hypot(level, start + u * weight),
        }
    }
}
