//! Flicking: a string that was pulled, and is let go, snaps back.
//!
//! A string that stretches does so by itself: its free end sets off with `ε √(E/ρ)`, and the rest of it
//! as the news of that runs along. One whose length is kept (`Build::stretches` is off) has nothing
//! stored; section 5.4 of the paper lets the tension that it had go on pulling (`Build::flicks`). It is
//! let go when a clamp opens, when it tears, or when more than half of what pushes at it is gone from
//! one step to the next.
//!
//! Here such a string is, for a while, what it would be had it been stretched by that tension: every
//! segment would rather be shorter, by `T l / EA`, and is as soft as its stuff. So tension goes on
//! pulling until the news comes by, which takes `l / √(E/ρ)` in all, and gives the energy that the notes
//! (4.3) cap it at, `Σ T² l / 2EA`, and no more. Then segments become as long as they were again, when
//! most are slack.
//!
//! # Where we leave the paper
//!
//! * Its rule uses the tension again at every step, which makes energy out of nothing.
//! * The notes push at both ends of each segment, all of them fading at once. All of that is a push on
//!   the free end, which runs into its neighbours and is lost: a string of 32 segments hardly moved.
//!
//! Tests: `a_string_flicks_when_its_push_is_gone_and_the_one_beside_it_does_not`,
//! `a_flick_gives_no_more_than_was_stored`, `a_hard_flick_gives_no_more_than_was_stored`,
//! `a_flick_vs_the_recoil_of_a_stretched_string`, `a_stretched_string_recoils_with_its_speed`.

use std::f64::consts::PI;

use super::lots::Lot;
use super::state::Span;
use super::strings::Strings;

/// What of all pushes is left from one step to the next where a string counts as let go.
const LET_GO: f64 = 0.5;

/// How long a flick lasts, in passages of the news: one at full strength, the others to fade. Fewer:
/// what is still taut is pulled out with a jerk. More: strings stay short.
const LASTS: f64 = 5.0;

/// The most that a segment may want to be shorter, of its length.
const SHORTER: f64 = 0.9;

impl Span {
    /// How strongly it flicks, 0–1.
    pub(super) fn flicks(&self) -> f64 {
        let [left, whole] = self.flick;
        if left > 0.0 { (left * LASTS / (whole * (LASTS - 1.0))).min(1.0) } else { 0.0 }
    }
}

impl Strings {
    /// Finds out which strings were let go of, and lets them flick.
    pub(super) fn let_go(&mut self) {
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            if !self.kinds[span.string].flicks {
                continue;
            }
            let (held, light) = (&self.state.held, &self.work.light);
            let push = |i: usize| self.work.pushed[i].length() * self.parts.mass[i];
            let pushed: f64 = span.particles().map(push).sum();
            let opened = span.particles().any(|i| held[i] && light[i] > 0.0);
            let caught = span.particles().any(|i| !held[i] && light[i] == 0.0);
            if opened || (pushed < LET_GO * span.pushed && !caught) {
                self.state.spans[s] = self.flicked(span);
            }
            self.state.spans[s].pushed = pushed;
        }
        for (held, light) in self.state.held.iter_mut().zip(&self.work.light) {
            if *held != (*light == 0.0) {
                *held = *light == 0.0;
                self.work.regions.forget();
            }
        }
    }

    /// A string as it sets out to flick: by how much, and for how long.
    pub(super) fn flicked(&mut self, mut span: Span) -> Span {
        let kind = &self.kinds[span.string];
        if !kind.flicks {
            return span;
        }
        let (mut length, mut energy) = (0.0, 0.0);
        for i in span.segments() {
            let (own, r) = (self.parts.length[i], self.parts.radius[i]);
            let stiff = kind.fibre.modulus * self.parts.stiffness[i] * PI * r * r;
            let shorter = self.state.tensions[i].max(0.0) * own / stiff;
            let shorter = shorter.min(SHORTER * self.state.rests[i]);
            self.state.flicks[i] = shorter;
            length += own;
            energy += 0.5 * shorter * shorter * stiff / own;
        }
        let lasts = LASTS * length * (kind.fibre.density / kind.fibre.modulus).sqrt();
        span.flick = [lasts; 2];
        self.state.given += energy;
        span
    }
}

impl Lot<'_> {
    /// Time goes by for what flicks.
    pub(super) fn flick(&mut self, s: usize, h: f64) {
        let left = &mut self.spans[s].flick[0];
        *left = (*left - h).max(0.0);
    }
}
