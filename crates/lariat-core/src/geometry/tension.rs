//! Tension along a strand.
//!
//! In a rope that hangs at rest the horizontal tension is constant, and the vertical tension changes
//! by the weight of the rope. In metres of the rope's own weight (newtons over mass per metre times
//! gravity) both follow from its shape: the horizontal tension is the catenary's scale `A`, and the
//! vertical tension changes by one metre per metre of rope.
//!
//! A simulation provides forces in newtons along the rope, and the weight per metre.
//!
//! Tests: `the_ends_carry_the_rope`, `tension_is_the_height_above_the_directrix`,
//! `waves_do_not_make_a_rope_lighter`, `a_taut_rope_has_infinite_tension`,
//! `a_rope_on_a_floor_has_no_known_tension`, `measured_tension_is_interpolated_linearly`.

use std::sync::Arc;

use crate::num::ops;

/// Tension along a strand.
#[derive(Clone, Debug, PartialEq)]
pub enum Tension {
    /// At rest between its ends; all values in metres of its own weight.
    Hanging {
        /// Horizontal tension, constant; infinite for a taut rope.
        horizontal: f64,
        /// Vertical tension at the start: negative if the rope descends from there.
        vertical_at_start: f64,
        /// Change of the vertical tension from start to end: the weight of the rope.
        weight: f64,
    },
    /// From a simulation.
    Measured {
        /// Tension at equal steps along the strand, in newtons; negative in compression.
        newtons: Arc<[f64]>,
        /// Weight per metre, in newtons.
        weight_per_metre: f64,
    },
}

impl Tension {
    /// Tension at `u`, 0–1 of the strand's length, in metres of its own weight.
    pub fn at(&self, u: f64) -> f64 {
        match self {
            Self::Hanging { horizontal, vertical_at_start, weight } => {
                ops::hypot(*horizontal, vertical_at_start + u * weight)
            }
            Self::Measured { newtons, weight_per_metre } => {
                interpolate_even(newtons, u) / weight_per_metre.max(f64::MIN_POSITIVE)
            }
        }
    }

    /// Tension at `u` in newtons, if known.
    pub fn newtons(&self, u: f64) -> Option<f64> {
        match self {
            Self::Hanging { .. } => None,
            Self::Measured { newtons, .. } => Some(interpolate_even(newtons, u)),
        }
    }
}

/// Linear interpolation of values at equal steps over 0–1; 0 if there are none.
fn interpolate_even(values: &[f64], u: f64) -> f64 {
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
    fn measured_tension_is_interpolated_linearly() {
        let tension = Tension::Measured { newtons: [4.0, 8.0, 2.0].into(), weight_per_metre: 2.0 };
        let newtons = [0.0, 0.25, 0.5, 1.0].map(|u| tension.newtons(u));
        assert_eq!(newtons, [Some(4.0), Some(6.0), Some(8.0), Some(2.0)]);
        assert_eq!(tension.at(0.25), 3.0);
        let hanging = Tension::Hanging { horizontal: 3.0, vertical_at_start: 4.0, weight: 0.0 };
        assert_eq!((hanging.at(0.5), hanging.newtons(0.5)), (5.0, None));
    }
}
