//! What twist is measured from: a side for every segment, carried along without spin.
//!
//! Notes 4.2: each segment keeps one vector across it. When the segment turns, the vector turns with
//! it the shortest way (transport in time), so it never spins about the segment; the angle from the
//! neighbour's vector, carried over to the own direction (transport in space), to the own one is
//! then how much the string has wound itself by its shape alone. That angle goes on counting: a
//! string that is laid into a loop has one turn more than before.
//!
//! # Where we leave the paper
//!
//! * A twist-free frame swept anew along the string at every step jumps by a full turn when a loop
//!   forms. Ours has no jumps, since it is followed through time.
//!
//! * A joint that folds right back has no shortest way from one direction to the other: what passes
//!   by there on one side has a full turn more than what passes on the other. Turns are not counted
//!   while a joint is folded that far, or strings that snap back would tear by a twist that nobody
//!   has given them.
//!
//! Tests: `a_full_loop_is_one_turn`, `a_cone_of_tangents_turns_by_its_solid_angle`,
//! `a_joint_that_folds_over_is_not_twisted_by_it`.

use glam::DVec3;

use super::batches::Rows;
use super::state::{Span, State};
use lariat_core::num::ops;

/// One plus the cosine of the angle at a joint, below which turns are not counted: 154 degrees.
/// More: tight coils lose turns. Less: what folds over gains one.
const FOLDED: f64 = 0.1;

/// `v`, across `from`, turned as the shortest way from `from` to `to` turns it.
pub(super) fn carried(v: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let near = 1.0 + from.dot(to);
    if near > 1e-6 {
        v - (from + to) * (v.dot(to) / near)
    } else {
        // Turned right round: about v itself, which stays.
        v - to * v.dot(to)
    }
}

/// The angle of a sine and cosine that is small nearly always.
pub(super) fn small_angle(sin: f64, cos: f64) -> f64 {
    if sin.abs() < 0.03 && cos > 0.0 {
        // Arc sine; the next term is below the last bit.
        let q = sin * sin;
        let series = 1.0 / 6.0 + q * (3.0 / 40.0 + q * (15.0 / 336.0 + q * (105.0 / 3456.0)));
        sin + sin * q * series
    } else {
        ops::atan2(sin, cos)
    }
}

/// Sides for a string that has none: carried along from its first segment, no twist anywhere.
pub(super) fn lay(state: &mut State, span: &Span) {
    let mut last: Option<(DVec3, DVec3)> = None;
    for i in span.segments() {
        let along = state.positions[i + 1] - state.positions[i];
        let tangent = along.normalize_or(last.map_or(DVec3::X, |(tangent, _)| tangent));
        let side = match last {
            None => tangent.any_orthonormal_vector(),
            Some((before, side)) => carried(side, before, tangent),
        };
        let side =
            (side - tangent * side.dot(tangent)).normalize_or(tangent.any_orthonormal_vector());
        state.tangents[i] = tangent;
        state.sides[i] = side;
        last = Some((tangent, side));
    }
    for j in span.joints() {
        state.turns[j] = 0.0;
        state.turn_cosines[j] = 1.0;
        state.turn_sines[j] = 0.0;
    }
}

/// Carries the sides of a string along to where its segments are now.
#[cfg(test)]
pub(super) fn carry(state: &mut Rows<'_>, span: &Span) {
    Sides::of(state, span).0.carry(|_, _, _, _| ());
}

/// Of one string: where its particles are, and the sides of its segments.
pub(super) struct Sides<'a> {
    pub(super) x: &'a [DVec3],
    pub(super) rests: &'a [f64],
    pub(super) tangents: &'a mut [DVec3],
    pub(super) sides: &'a mut [DVec3],
    pub(super) turns: &'a mut [f64],
    pub(super) cosines: &'a mut [f64],
    pub(super) sines: &'a mut [f64],
}

impl<'a> Sides<'a> {
    /// Those of a string, and the spins of its segments.
    pub(super) fn of(state: &'a mut Rows<'_>, span: &Span) -> (Self, &'a mut [f64]) {
        let range = span.segments();
        let sides = Self {
            x: &state.positions[span.particles()],
            rests: &state.rests[range.clone()],
            tangents: &mut state.tangents[range.clone()],
            sides: &mut state.sides[range.clone()],
            turns: &mut state.turns[range.clone()],
            cosines: &mut state.turn_cosines[range.clone()],
            sines: &mut state.turn_sines[range.clone()],
        };
        (sides, &mut state.spins[range])
    }

    /// Carries the sides along to where segments are now, one after the other, and tells of each where it
    /// pointed, where it points, and one over its length: 0 for what has been pushed together altogether
    /// and points anywhere.
    pub(super) fn carry(self, mut tell: impl FnMut(usize, DVec3, DVec3, f64)) {
        let n = self.rests.len();
        let (x, rests) = (&self.x[..=n], &self.rests[..n]);
        let (tangents, sides) = (&mut self.tangents[..n], &mut self.sides[..n]);
        let turns = &mut self.turns[..n];
        let (cosines, sines) = (&mut self.cosines[..n], &mut self.sines[..n]);
        let mut before: Option<(DVec3, DVec3)> = None;
        for i in 0..n {
            let along = x[i + 1] - x[i];
            let was = tangents[i];
            let square = along.length_squared();
            let per = if square > 0.01 * rests[i] * rests[i] { 1.0 / square.sqrt() } else { 0.0 };
            let tangent = if per > 0.0 { along * per } else { was };
            let side = carried(sides[i], was, tangent);
            let side = side - tangent * side.dot(tangent);
            // Rounding errors only: one step of Newton's method for the root is enough.
            let off = side.length_squared();
            let side = if (off - 1.0).abs() < 1e-4 {
                side * (1.5 - 0.5 * off)
            } else {
                side.normalize_or(tangent.any_orthonormal_vector())
            };
            tangents[i] = tangent;
            sides[i] = side;
            if let Some((last, last_side)) = before {
                let near = 1.0 + last.dot(tangent);
                if near > 1e-6 {
                    let over = carried(last_side, last, tangent);
                    let (cos, sin) = (over.dot(side), tangent.dot(over.cross(side)));
                    let (c, s) = (cosines[i], sines[i]);
                    if near > FOLDED {
                        turns[i] += small_angle(sin * c - cos * s, cos * c + sin * s);
                    }
                    cosines[i] = cos;
                    sines[i] = sin;
                }
            }
            before = Some((tangent, side));
            tell(i, was, tangent, per);
        }
    }
}
