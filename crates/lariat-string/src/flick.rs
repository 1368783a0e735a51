//! Flicking: a string that was pulled, and is let go, snaps back.
//!
//! A string that stretches does so by itself: its free end sets off with `ε √(E/ρ)`. One whose
//! length is kept (`Build::stretches` is off) has nothing stored; section 5.3 of the paper lets the
//! tension that it had go on pulling. Here (notes 4.3) the tension at the moment of letting go pulls
//! on both ends of each segment, fading away within the time in which a wave runs through the
//! string, `L / √(E/ρ)`, and gives at most the energy that a stretched string would have had,
//! `Σ T² l / 2EA`.
//!
//! # Where we leave the paper
//!
//! * Its rule uses the tension again at every step, which makes energy out of nothing.
//!
//! Tests: `a_flick_gives_no_more_than_was_stored`, `a_stretched_string_recoils_with_its_speed`.

use std::f64::consts::PI;

use glam::DVec3;

use super::lots::Lot;
use super::state::Span;
use super::strings::Strings;

impl Strings {
    /// Finds out which particles were let go of, and lets their strings flick.
    pub(super) fn let_go(&mut self) {
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            let gone = |i: usize| self.state.held[i] && self.work.light[i] > 0.0;
            if self.settings.flick && span.particles().any(gone) {
                self.state.spans[s] = self.flicked(span);
            }
        }
        for (held, light) in self.state.held.iter_mut().zip(&self.work.light) {
            if *held != (*light == 0.0) {
                *held = *light == 0.0;
                self.work.regions.forget();
            }
        }
    }

    /// A string as it sets out to flick: with what tension, for how long, with how much energy.
    pub(super) fn flicked(&mut self, mut span: Span) -> Span {
        let kind = &self.kinds[span.string];
        let fibre = &kind.fibre;
        if kind.stretches || !fibre.modulus.is_finite() {
            return span;
        }
        let (mut length, mut energy) = (0.0, 0.0);
        for i in span.segments() {
            let (tension, r) = (self.state.tensions[i].max(0.0), self.parts.radius[i]);
            self.state.flicks[i] = tension;
            length += self.parts.length[i];
            let stiff = fibre.modulus * PI * r * r;
            energy += tension * tension * self.parts.length[i] / (2.0 * stiff);
        }
        span.flick = [length * (fibre.density / fibre.modulus).sqrt(), energy];
        self.state.given += energy;
        span
    }
}

impl Lot<'_> {
    /// Pulls segments together by what is left of a flick.
    pub(super) fn flick(&mut self, s: usize, h: f64) {
        let mut span = self.span(s);
        let [left, joules] = span.flick;
        if left <= 0.0 {
            return;
        }
        let kind = self.kind(&span);
        let length: f64 = self.parts.length[span.segments()].iter().sum();
        let whole = length * (kind.fibre.density / kind.fibre.modulus).sqrt();
        // What fades evenly pulls, in the mean of this part, with its middle.
        let lasts = h.min(left);
        let strength = ((left - 0.5 * lasts) / whole.max(1e-12)).clamp(0.0, 1.0);
        let impulse = |lot: &Self, i: usize| {
            let d = lot.state.positions[i + 1] - lot.state.positions[i];
            d.normalize_or_zero() * (lot.state.flicks[i] * strength * lasts)
        };
        // The energy of all impulses at once is a quadratic in their size; as much is given as
        // may be.
        let (mut linear, mut square) = (0.0, 0.0);
        for i in span.particles() {
            let inside = span.segments().contains(&i);
            let ahead = if inside { impulse(self, i) } else { DVec3::ZERO };
            let behind = if i > span.first { impulse(self, i - 1) } else { DVec3::ZERO };
            let sum = ahead - behind;
            linear += sum.dot(self.state.velocities[i]);
            square += 0.5 * sum.length_squared() * self.work.light[i];
        }
        let mut size = 1.0;
        if square > 0.0 && linear + square > joules {
            let root = (linear * linear + 4.0 * square * joules.max(0.0)).sqrt();
            size = ((root - linear) / (2.0 * square)).clamp(0.0, 1.0);
        }
        for i in span.segments() {
            let push = impulse(self, i) * size;
            let light = &self.work.light;
            self.state.velocities[i] += push * light[i];
            self.state.velocities[i + 1] -= push * light[i + 1];
        }
        span.flick = [left - lasts, (joules - size * (linear + size * square)).max(0.0)];
        self.spans[s].flick = span.flick;
    }
}
