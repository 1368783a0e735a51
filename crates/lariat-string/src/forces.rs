//! What pulls at particles besides tension: weight, pushes, and air.
//!
//! Air pulls across a segment with the square of its speed against it, `½ ρ c 2r l |u| u`, and so
//! that it never does more than take a particle along.
//!
//! Tests: `free_fall_is_exact`, `a_clamp_holds_what_hangs_on_it`.

use glam::DVec3;

use super::batches::Batch;
use super::state::Span;
use lariat_core::num::ops;

impl Batch<'_> {
    /// Accelerations of this part.
    pub(super) fn feel(&mut self, s: usize, h: f64) {
        let span = self.span(s);
        for i in span.particles() {
            self.work.pull[i] = self.all.gravity + self.work.pressed[i];
        }
        self.slow_down(&span, 0.5 * h);
        if self.all.air.density > 0.0 {
            self.blow(&span, h);
        }
    }

    /// Viscosity of some seconds: half of a part's before it moves and half after, for speeds between
    /// parts are ahead of the motion by half of what shape and twist then take away again. What a
    /// particle bears is not in it: of both together as much less is slowed.
    pub(super) fn slow_down(&mut self, span: &Span, seconds: f64) {
        let (viscosity, _) = self.losses(span);
        if viscosity > 0.0 {
            let kept = ops::exp(-viscosity * seconds);
            for i in span.particles() {
                if self.work.light[i] > 0.0 {
                    let share = self.parts.slowed[i];
                    self.state.velocities[i] *=
                        if share < 1.0 { ops::exp(-viscosity * seconds * share) } else { kept };
                }
                // Lengths change as much more slowly.
                self.work.rates[i] *= kept;
            }
        }
    }

    fn blow(&mut self, span: &Span, h: f64) {
        let (_, coefficient) = self.losses(span);
        let (state, parts) = (&self.state, &self.parts);
        for i in span.segments() {
            let (a, b) = (state.positions[i], state.positions[i + 1]);
            let d = b - a;
            let length = d.length();
            let along = d.normalize_or(DVec3::X);
            let moves = (state.velocities[i] + state.velocities[i + 1]) * 0.5;
            let u = self.all.air.at((a + b) * 0.5) - moves;
            let u = u - along * u.dot(along);
            let drag = self.all.air.density * coefficient * parts.radius[i] * length * u.length();
            for p in [i, i + 1] {
                let c = 0.5 * drag / parts.mass[p];
                // Exact for what hardly moves with the air, and never more than half of it.
                self.work.pull[p] += u * (c / (1.0 + h * c * h * c));
            }
        }
    }
}
