//! Tearing: a piece becomes two where it is stressed beyond its rupture point.
//!
//! Section 5.4. A segment tears if its tensile stress (eq. 8) exceeds the rupture stress, or the shear
//! at one of its joints (eq. 11) the rupture shear. The segment that is furthest beyond its rupture
//! point tears, one for each piece in a step. Its particles keep their masses and velocities.
//!
//! # Differences from the paper
//!
//! * R7: eq. 11 lacks the division by length: `γ = r |m| / l̄`, with the total twist `m` of a joint,
//!   yielded twist included.
//! * R8: eq. 9 is torque over area. Rupture points are given as shear, and stress is `G γ`.
//!
//! Tests: `a_string_tears_at_its_rupture_stress_where_it_is_pulled_most`,
//! `a_twisted_string_tears_at_its_rupture_shear`, `a_tear_keeps_masses_and_velocities`.

use super::controls::{Cause, Tear};
use super::state::Span;
use super::strings::Strings;

impl Strings {
    /// Tears pieces that are beyond their rupture points.
    pub(super) fn tear(&mut self, dt: f64) {
        let mut s = 0;
        while s < self.state.spans.len() {
            let span = self.state.spans[s];
            if let Some((segment, cause)) = self.worst(&span) {
                self.split(s, segment, dt);
                self.torn.push(Tear { string: span.string, segment, cause });
                s += 1;
            }
            s += 1;
        }
    }

    /// The segment that is furthest beyond its rupture point.
    fn worst(&self, span: &Span) -> Option<(usize, Cause)> {
        let kind = &self.kinds[span.string];
        if !kind.tears {
            return None;
        }
        let (material, strength) = (&kind.material, &self.parts.strength);
        let pulled = span
            .segments()
            .map(|i| (self.stress(i) / (material.rupture_stress * strength[i]), i, Cause::Tension));
        let joints = span.joints().filter(|_| kind.twist.is_some());
        let sheared = joints.map(|j| {
            let weaker = if strength[j - 1] < strength[j] { j - 1 } else { j };
            let shear =
                self.parts.radius[weaker] * self.state.twist(j).abs() / self.joint_spacing(j);
            (shear / (material.rupture_shear * strength[weaker]), weaker, Cause::Shear)
        });
        let beyond = pulled.chain(sheared).filter(|(ratio, ..)| *ratio > 1.0);
        let worst = beyond.reduce(|a, b| if b.0 > a.0 { b } else { a });
        worst.map(|(_, segment, cause)| (segment, cause))
    }

    /// Divides a piece at a segment.
    fn split(&mut self, s: usize, segment: usize, dt: f64) {
        let state = &mut self.state;
        let (mut before, mut after) = (state.spans[s], state.spans[s]);
        before.count = segment + 1 - before.first;
        before.torn[1] = true;
        after.first = segment + 1;
        after.count -= before.count;
        after.torn[0] = true;
        (before.pushed, after.pushed) = (0.0, 0.0);
        state.tensions[segment] = 0.0;
        state.strains[segment] = 0.0;
        state.flicks[segment] = 0.0;
        // Both particles are ends now.
        for end in [segment, segment + 1] {
            state.windings[end] = 0.0;
            state.rest_twists[end] = 0.0;
        }
        state.spans[s] = before;
        state.spans.insert(s + 1, after);
        self.flick(s, dt);
        self.flick(s + 1, dt);
    }
}
