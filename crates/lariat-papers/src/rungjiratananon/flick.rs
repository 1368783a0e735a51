//! Flicking: the tension of a released string continues to pull.
//!
//! Section 5.4: "we can directly use the tension as the bouncing back force". A piece is released when a
//! clamp opens, when it tears, or when more than half of the forces on it are gone from one step to the
//! next. Its tensions then pull the ends of their segments together.
//!
//! # Differences from the paper
//!
//! * Applied in every step, the tension would add energy without end. It fades to zero within the
//!   time of a wave along the piece, `l / √(E/ρ)`. Its impulses add no more energy than stretching
//!   would have stored, `Σ T² l / 2EA` (notes 4.3), and no particle gets more than the speed at
//!   which the end of a stretched string recoils, `σ / √(Eρ)`.
//!
//! Tests: `a_released_string_flicks_towards_its_clamp`, `a_flick_gives_no_more_than_was_stored`,
//! `without_flicking_a_released_string_falls`.

use glam::DVec3;

use super::state::Span;
use super::strings::Strings;

/// Share of the forces on a piece that must vanish for it to count as released.
const RELEASED: f64 = 0.5;

impl Strings {
    /// Starts the flicks of pieces that are released in this step.
    pub(super) fn begin_flicks(&mut self, dt: f64) {
        let mut pushes = vec![0.0; self.state.particles()];
        for force in &self.forces {
            if let Some(push) = pushes.get_mut(force.particle) {
                *push += force.force.length();
            }
        }
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            let (work, held) = (&self.work, &self.state.held);
            let opened = span.particles().any(|i| held[i] > 0.0 && !work.held[i]);
            let pushed: f64 = pushes[span.particles()].iter().sum();
            if opened || span.pushed - pushed > RELEASED * span.pushed {
                self.flick(s, dt);
            }
            self.state.spans[s].pushed = if pushed.is_finite() { pushed } else { 0.0 };
        }
    }

    /// Lets a piece flick with the tensions that it has.
    pub(super) fn flick(&mut self, s: usize, dt: f64) {
        let span = self.state.spans[s];
        let kind = &self.kinds[span.string];
        let material = &kind.material;
        if !kind.flicks || span.count < 2 {
            return;
        }
        let length: f64 = self.parts.length[span.segments()].iter().sum();
        let time = (length * (material.density / material.modulus).sqrt()).max(dt);
        let (mut energy, mut factor) = (0.0, 1.0_f64);
        let recoil = |i: usize| self.stress(i) / (material.modulus * material.density).sqrt();
        let fastest = span.segments().map(recoil).fold(0.0, f64::max);
        for i in span.particles().filter(|i| !self.work.held[*i]) {
            let impulse = self.pull(&span, &self.state.tensions, i).length() * 0.5 * time;
            let speed = impulse / self.parts.mass[i];
            energy += 0.5 * impulse * speed;
            if speed > fastest {
                factor = factor.min(fastest / speed);
            }
        }
        let stored: f64 = span
            .segments()
            .map(|i| {
                let tension = self.state.tensions[i];
                let stretch = material.modulus * self.area(i);
                0.5 * tension * tension * self.parts.length[i] / stretch
            })
            .sum();
        if energy > stored {
            factor = factor.min((stored / energy).sqrt());
        }
        for i in span.segments() {
            self.state.flicks[i] = self.state.tensions[i] * factor;
        }
        self.state.spans[s].flick = [time, time];
    }

    /// Adds the tensions that flick, as far as they have not faded.
    pub(super) fn add_flicks(&mut self, dt: f64) {
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            let [time, left] = span.flick;
            if left <= 0.0 {
                continue;
            }
            // Mean over the step of a factor that falls from 1 to 0.
            let after = (left - dt).max(0.0);
            let factor = (left * left - after * after) / (2.0 * time * dt);
            for i in span.particles() {
                let pull = self.pull(&span, &self.state.flicks, i);
                self.work.forces[i] += pull * factor;
            }
            self.state.spans[s].flick[1] = after;
        }
    }

    /// Force of tensions on a particle.
    fn pull(&self, span: &Span, tensions: &[f64], particle: usize) -> DVec3 {
        let of = |i: usize| self.state.tangents[i] * tensions[i];
        let ahead = if span.segments().contains(&particle) { of(particle) } else { DVec3::ZERO };
        let behind = if particle > span.first { of(particle - 1) } else { DVec3::ZERO };
        ahead - behind
    }
}
