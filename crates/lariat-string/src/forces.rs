//! What pulls at particles besides tension: weight, pushes, and air.
//!
//! Air pulls across a segment with the square of its speed against it, `½ ρ c 2r l |u| u`, and so
//! that it never does more than take a particle along.
//!
//! Tests: `free_fall_is_exact`.

use glam::DVec3;

use super::strings::Strings;
use lariat_core::num::ops;

impl Strings {
    /// Accelerations of this part.
    pub(super) fn feel(&mut self, h: f64) {
        let pull = &mut self.work.pull;
        pull.fill(self.gravity);
        for push in &self.pushes {
            if push.particle < pull.len() && push.force.is_finite() {
                pull[push.particle] += push.force / self.parts.mass[push.particle];
            }
        }
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            let viscosity = self.manner(span.string).viscosity;
            if viscosity > 0.0 {
                let kept = ops::exp(-viscosity * h);
                for v in &mut self.state.velocities[span.particles()] {
                    *v *= kept;
                }
            }
        }
        if self.air.density > 0.0 {
            self.blow(h);
        }
    }

    fn blow(&mut self, h: f64) {
        let (state, parts) = (&self.state, &self.parts);
        for span in &state.spans {
            let coefficient = self.manner(span.string).drag;
            for i in span.segments() {
                let (a, b) = (state.positions[i], state.positions[i + 1]);
                let d = b - a;
                let length = d.length();
                let along = d.normalize_or(DVec3::X);
                let moves = (state.velocities[i] + state.velocities[i + 1]) * 0.5;
                let u = self.air.at((a + b) * 0.5) - moves;
                let u = u - along * u.dot(along);
                let drag = self.air.density * coefficient * parts.radius[i] * length * u.length();
                for p in [i, i + 1] {
                    let c = 0.5 * drag / parts.mass[p];
                    // Exact for what hardly moves with the air, and never more than half of it.
                    self.work.pull[p] += u * (c / (1.0 + h * c * h * c));
                }
            }
        }
    }
}
