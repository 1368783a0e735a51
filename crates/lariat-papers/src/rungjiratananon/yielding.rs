//! Yielding: permanent stretch and twist.
//!
//! Section 5.4. A segment whose strain exceeds the yield point keeps all of it: "`ε` will remain the same as
//! the last time the forces are applied". A joint that is twisted beyond the yield point keeps part of it
//! (notes 4.4): `m̄ += sign(m)(1 − G_p/G)(|m| − m_y)`, and `m_y` grows by `(G_p/G)(|m| − m_y)`.
//!
//! # Differences from the paper
//!
//! * R7: shear is radius times twist per length, `m_y = γ_y l̄ / r`.
//! * R9: the printed update of rest angles sets all of them to one value at uniform twist, so that no
//!   twist stays. Rest twist belongs to joints.
//!
//! Tests: `yielded_length_stays`, `yielded_twist_stays`.

use super::strings::Strings;

impl Strings {
    /// Keeps strains and twists beyond the yield points.
    pub(super) fn keep_plastic(&mut self) {
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            let kind = &self.kinds[span.string];
            if !kind.tears {
                continue;
            }
            let (material, twists) = (kind.material, kind.twist.is_some());
            for i in span.segments() {
                let strain = self.state.strains[i];
                if strain > self.curve(span.string, i).yield_strain() {
                    self.state.kept_strains[i] = self.state.kept_strains[i].max(strain);
                }
            }
            if !twists || material.shear_modulus <= 0.0 {
                continue;
            }
            let hardening = material.plastic_shear_modulus / material.shear_modulus;
            for j in span.joints() {
                let twist = self.state.twist(j) - self.state.rest_twists[j];
                let beyond = twist.abs() - self.state.twist_yields[j];
                if beyond > 0.0 {
                    self.state.rest_twists[j] += (1.0 - hardening) * beyond * twist.signum();
                    self.state.twist_yields[j] += hardening * beyond;
                }
            }
        }
    }
}
