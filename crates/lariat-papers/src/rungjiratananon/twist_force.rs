//! Force of twist on the particles.
//!
//! Section 4, eqs 6 and 7. A twisted string bends to reduce its twist. With the torque
//! `τ = k m`, `k = GJ / l̄` of a joint and `κb = 2 e₋ × e₊ / (|e₋||e₊| + e₋·e₊)`:
//!
//! ```text
//! F₋ += τ κb / 2|e₋|      F₊ −= τ κb / 2|e₊|      F += τ κb (1/2|e₊| − 1/2|e₋|)
//! ```
//!
//! # Differences from the paper
//!
//! * R5: eq. 6 has a second difference of angles as its factor, which vanishes at uniform twist, and two
//!   terms with the same sign, which pull the string along.
//! * The denominator of `κb` is at least a tenth of `|e₋||e₊|`: a folded joint has a finite force.
//! * A torque that would move a particle by more than a tenth of a segment in a step is limited to that.
//!   The force is explicit, and more would make it grow without end.
//!
//! Tests: `twist_forces_have_no_sum`, `a_twisted_string_leaves_its_line`.

use super::strings::Strings;

/// Least denominator of `κb`, relative to `|e₋||e₊|`.
const FOLDED: f64 = 0.1;
/// Longest motion by twist in a step, relative to the length of a segment.
const LARGEST_MOTION: f64 = 0.1;

impl Strings {
    /// Stiffness of a joint against twist, in N m per radian.
    pub fn twist_stiffness(&self, joint: usize) -> f64 {
        let [before, after] =
            [joint - 1, joint].map(|i| self.parts.length[i] / self.parts.torsion[i]);
        let gives = 0.5 * (before + after);
        if gives > 0.0 && gives.is_finite() { 1.0 / gives } else { 0.0 }
    }

    /// Torque of a joint, in newton metres.
    pub fn torque(&self, joint: usize) -> f64 {
        self.twist_stiffness(joint) * (self.state.twist(joint) - self.state.rest_twists[joint])
    }

    /// Adds the forces of twist.
    pub(super) fn add_twist_forces(&mut self, dt: f64) {
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            if self.kinds[span.string].twist.is_none() {
                continue;
            }
            for j in span.joints() {
                let x = &self.work.before;
                let (before, after) = (x[j] - x[j - 1], x[j + 1] - x[j]);
                let lengths = [before.length(), after.length()];
                let product = lengths[0] * lengths[1];
                let denominator = (product + before.dot(after)).max(FOLDED * product);
                if denominator.is_nan() || denominator <= 0.0 {
                    continue;
                }
                let binormal = before.cross(after) * (2.0 * self.torque(j) / denominator);
                let (back, ahead) = (binormal / (2.0 * lengths[0]), binormal / (2.0 * lengths[1]));
                let forces = [back, ahead - back, -ahead];
                let largest = forces
                    .iter()
                    .zip(j - 1..)
                    .map(|(force, i)| force.length() * dt * dt / self.parts.mass[i])
                    .fold(0.0, f64::max);
                let allowed = LARGEST_MOTION * lengths[0].min(lengths[1]);
                let factor = if largest > allowed { allowed / largest } else { 1.0 };
                for (force, i) in forces.into_iter().zip(j - 1..) {
                    self.work.forces[i] += force * factor;
                }
            }
        }
    }
}
