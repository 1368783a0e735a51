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
//! (4.3) cap it at, `Σ T² l / 2EA`, and no more. A segment that has become slack by that stays as short
//! as it is until it is pulled out again, which it does not resist, and forgets it within a second.
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
use lariat_core::num::ops;

/// How much of its pushes, and of its tension, goes from one step to the next where a string counts
/// as let go.
const LET_GO: f64 = 0.5;

/// How long a flick may last, in passages of the news: what is not slack by then never will be.
const LASTS: f64 = 3.0;

/// Seconds in which slack segments become as long as they were. Less: they push each other apart. More:
/// what lies on the floor stays short.
const FORGETS: f64 = 0.5;

/// The most that a segment may want to be shorter, of its length.
const SHORTER: f64 = 0.9;

impl Span {
    /// Whether it flicks, or has not forgotten yet.
    pub(super) fn flicks(&self) -> bool {
        self.flick[1] > 0.0
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
            let taut = self.state.tensions[span.segments()].iter().fold(0.0_f64, |a, b| a.max(*b));
            let gone = span.pushed - pushed > LET_GO * taut.max(span.pushed);
            if opened || (gone && !caught) {
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
            // What is slack from a flick before stays so.
            if shorter > self.state.flicks[i].abs() {
                self.state.flicks[i] = shorter;
                energy += 0.5 * shorter * shorter * stiff / own;
            }
            length += own;
        }
        let lasts = LASTS * length * (kind.fibre.density / kind.fibre.modulus).sqrt();
        span.flick = [lasts, 1.0];
        self.state.given += energy;
        span
    }
}

impl Lot<'_> {
    /// Which segments the news has passed by, which have been pulled out again.
    pub(super) fn flick(&mut self, s: usize, h: f64) {
        let span = self.span(s);
        if !span.flicks() {
            return;
        }
        let left = (span.flick[0] - h).max(0.0);
        let kept = ops::exp(-h / FORGETS);
        let (state, mut any) = (&mut self.state, false);
        for i in span.segments() {
            let mut shorter = state.flicks[i];
            if shorter > 0.0 && state.tensions[i] <= 0.0 {
                // It is slack, which is told by the sign.
                shorter = -shorter;
            }
            if shorter > 0.0 && left <= 0.0 {
                shorter = 0.0;
            } else if shorter < 0.0 {
                let long = state.positions[i].distance(state.positions[i + 1]);
                let still = (state.rests[i] - long).max(0.0);
                shorter = -(-shorter * kept).min(still);
                if -shorter < 1e-3 * state.rests[i] {
                    shorter = 0.0;
                }
            }
            state.flicks[i] = shorter;
            any |= shorter != 0.0;
        }
        self.spans[s].flick = [left, f64::from(u8::from(any))];
    }
}
