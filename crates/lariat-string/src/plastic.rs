//! Yielding: what stays of a pull or a twist that was too much.
//!
//! Pull (notes 4.3): beyond the yield point a segment follows its second slope; when it is let go it
//! comes back along the first and stays longer by `(σ − σ_y)(1/Eₚ − 1/E)`, and yields only at `σ` from
//! then on. The drift solves with both slopes, so lengths do not jump here. Twist (notes 4.4), at
//! joints: `m̄ += sign(m)(1 − Gₚ/G)(|m| − m_y)`, and `m_y` grows by `(Gₚ/G)(|m| − m_y)`.
//!
//! # Where we leave the paper
//!
//! * Its rule keeps all of the last stretch.
//! * R7–R9: shear is radius times twist *per metre*; and rest twist belongs to joints: the published
//!   update of rest angles leaves no twist behind at all.
//!
//! Tests: `what_was_pulled_too_far_stays_longer`, `what_was_twisted_too_far_stays_twisted`,
//! `what_does_not_stretch_yields_as_far_as_hands_pull_it`.

use std::f64::consts::PI;

use super::batches::Batch;
use super::build::Twist;
use super::state::Span;

impl Batch<'_> {
    /// What yields in a string.
    pub(super) fn give_way(&mut self, span: &Span) {
        let kind = self.kind(span);
        let (material, state, parts) = (&kind.material, &mut self.state, &self.parts);
        if material.yield_stress.is_finite() {
            for i in span.segments() {
                let tension = state.tensions[i];
                if tension <= state.yields[i] {
                    continue;
                }
                let (r, stiff) = (parts.radius[i], parts.stiffness[i]);
                let area = PI * r * r;
                let longer = (tension - state.yields[i]) * material.flow() / (stiff * area);
                state.rests[i] += longer * parts.length[i];
                state.yields[i] = tension;
            }
        }
        if material.yield_shear.is_finite()
            && kind.twist != Twist::Free
            && material.shear_modulus > 0.0
        {
            let hard = material.plastic_shear_modulus / material.shear_modulus;
            for j in span.joints() {
                let twist =
                    state.angles[j] - state.angles[j - 1] + state.turns[j] - state.rest_twists[j];
                let over = twist.abs() - state.twist_yields[j];
                if over > 0.0 {
                    state.rest_twists[j] += (1.0 - hard) * over * twist.signum();
                    state.twist_yields[j] += hard * over;
                }
            }
        }
    }
}
