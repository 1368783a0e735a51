//! What clamps hold with: read-outs for whoever holds the string.
//!
//! After a step, a held particle has gone where its clamp went; the force that this took is what its
//! motion needs and everything else that pulled at it does not give: tension of the segments on both
//! sides, weight, pushes, and what shape, twist, contact and the keeping of lengths after them would
//! have given it in the step. A clamp that turns its segment holds against the torques of the joints
//! at both ends of it.
//!
//! Tests: `a_clamp_holds_what_hangs_on_it`, `a_clamp_holds_against_the_torque_of_a_twisted_string`.

use glam::DVec3;

use super::batches::Batch;
use super::controls::Clamp;
use super::state::Span;
use super::strings::Strings;

/// What a clamp gives to its string.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grip {
    /// In newtons, as of the end of the last step.
    pub force: DVec3,
    /// In newton metres about the way to the next particle; 0 for a clamp that lets the string turn.
    pub torque: f64,
}

impl Strings {
    /// What a clamp held with at the end of the last step.
    pub fn grip(&self, clamp: &Clamp) -> Grip {
        let (i, state, work) = (clamp.particle, &self.state, &self.work);
        let Some(span) = self.span_of(i).filter(|_| clamp.on && i < work.grips.len()) else {
            return Grip::default();
        };
        let pull = |segment: usize| {
            let d = state.positions[segment + 1] - state.positions[segment];
            d.normalize_or_zero() * state.tensions[segment]
        };
        let ahead = if span.segments().contains(&i) { pull(i) } else { DVec3::ZERO };
        let behind = if i > span.first { pull(i - 1) } else { DVec3::ZERO };
        let needs = (state.swings[i] - self.gravity - work.pushed[i]) * self.parts.mass[i];
        let force = needs - ahead + behind - work.grips[i];
        let mut torque = 0.0;
        if let (Some(_), Some(segment)) = (clamp.turn, self.segment_at(i)) {
            let of = |joint: usize| {
                if span.joints().contains(&joint) { state.torques[joint] } else { 0.0 }
            };
            torque = of(segment) - of(segment + 1) - work.turning.rows.torque[segment];
        }
        Grip { force, torque }
    }
}

impl Batch<'_> {
    /// Counts what held particles were pulled with along segments when lengths were kept just now.
    pub(super) fn hold_lengths(&mut self, span: &Span) {
        let pulls = self.scratch[0].room.pulls(span.count - 1);
        for (i, pull) in span.segments().zip(pulls) {
            let impulse = (self.state.positions[i + 1] - self.state.positions[i]) * *pull;
            if self.work.light[i] == 0.0 {
                self.work.grips[i] += impulse;
            }
            if self.work.light[i + 1] == 0.0 {
                self.work.grips[i + 1] -= impulse;
            }
        }
    }
}
