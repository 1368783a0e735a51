//! Flicking: a string that was pulled, and is let go, snaps back.
//!
//! A string that stretches does so by itself: its free end sets off with `ε √(E/ρ)`, and the rest of it
//! as the news of that runs along. One whose length is kept (`Build::stretches` is off) has nothing
//! stored; section 5.4 of the paper lets the tension that it had go on pulling (`Build::flicks`). It is
//! let go when a clamp opens, when it tears, or when more than half of what pushes at it is gone from
//! one step to the next.
//!
//! Here such a string is, for a while, what it would be had it been stretched by that tension: every
//! segment would rather be shorter, by `T l / EA`, and is as soft as its section. So tension goes on
//! pulling until the news comes by, which takes `l / √(E/ρ)` in all, and gives the energy that the notes
//! (4.3) cap it at, `Σ T² l / 2EA`, and no more. A segment that has become slack by that stays as short
//! as it is until it is pulled out again, which it does not resist, and forgets it within a second.
//!
//! What was thrown is caught in the end, by a clamp or by the rest of the string. Section feels `ρ c v` of
//! that, and a string whose length is kept all of its momentum within one part of a step, which may be
//! tens of times what threw it and would tear it. So it stays as soft as its section until next to nothing
//! of the flick moves it any more; or until it is pulled or held anew, when it draws itself together to
//! its length within a second.
//!
//! # Where we leave the paper
//!
//! * Its rule uses the tension again at every step, which makes energy out of nothing.
//! * The notes push at both ends of each segment, all of them fading at once. All of that is a push on
//!   the free end, which runs into its neighbours and is lost: a string of 32 segments hardly moved.
//!
//! Tests: `a_string_flicks_when_its_push_is_gone_and_the_one_beside_it_does_not`,
//! `a_flick_gives_no_more_than_was_stored`, `a_hard_flick_gives_no_more_than_was_stored`,
//! `a_flick_vs_the_recoil_of_a_stretched_string`, `a_flick_is_caught_as_softly_as_a_stretched_string`,
//! `what_flicked_and_is_pulled_again_is_as_long_as_it_was`, `a_stretched_string_recoils_with_its_speed`.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::num::ops;

use super::batches::Batch;
use super::state::Span;
use super::strings::Strings;

/// How much of its pushes, and of its tension, goes from one step to the next where a string counts
/// as let go.
const LET_GO: f64 = 0.5;

/// How long a flick may last, in passages of the news: what is not slack by then never will be.
const LASTS: f64 = 3.0;

/// Seconds in which slack segments become as long as they were. Less: they push each other apart. More:
/// what lies on the floor stays short.
const FORGETS: f64 = 0.5;

/// A flick is over when this much of what it gave still moves the string. Until then what is caught is
/// as soft as its section. More: what is still thrown is caught with a jerk that no section would feel, as
/// hard as the step is short. Less: what has long come to rest may be drawn out by its weight.
const CALM: f64 = 0.01;

/// How much longer than at rest segments may be where they may keep their length again, of it. More:
/// what is stretched is drawn together in no time.
const AT_REST: f64 = 1e-3;

/// What stands for the energy of a flick whose string is pulled or taken hold of again: that is its end.
const TAKEN: f64 = f64::INFINITY;

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
            let anew = caught || pushed - span.pushed > LET_GO * pushed;
            if opened || (gone && !caught) {
                self.state.spans[s] = self.flicked(span);
            } else if anew && span.flicks() {
                self.state.spans[s].flick[1] = TAKEN;
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
            let stiff = kind.material.modulus * self.parts.stiffness[i] * PI * r * r;
            let shorter = self.state.tensions[i].max(0.0) * own / stiff;
            let shorter = shorter.min(SHORTER * self.state.rests[i]);
            // What is slack from a flick before stays so.
            if shorter > self.state.flicks[i].abs() {
                self.state.flicks[i] = shorter;
                energy += 0.5 * shorter * shorter * stiff / own;
            }
            length += own;
        }
        let lasts = LASTS * length * (kind.material.density / kind.material.modulus).sqrt();
        span.flick[0] = lasts;
        // Otherwise whatever it was goes on to its end.
        if energy > 0.0 {
            let gave = if span.flick[1] < TAKEN { span.flick[1] } else { 0.0 };
            span.flick[1] = gave.max(energy);
        }
        self.state.given += energy;
        span
    }
}

impl Batch<'_> {
    /// Which segments the news has passed by, which have been pulled out again, and when all is over.
    pub(super) fn flick(&mut self, s: usize, h: f64) {
        let span = self.span(s);
        if !span.flicks() {
            return;
        }
        let left = (span.flick[0] - h).max(0.0);
        let kept = ops::exp(-h / FORGETS);
        let over = left <= 0.0 && self.calm_again(&span);
        let taken = left <= 0.0 && span.flick[1] == TAKEN;
        let material = self.kind(&span).material;
        let (state, mut any) = (&mut self.state, false);
        for i in span.segments() {
            let mut shorter = state.flicks[i];
            if shorter > 0.0 && state.tensions[i] <= 0.0 {
                // It is slack, which is told by the sign.
                shorter = -shorter;
            }
            if shorter > 0.0 && over {
                shorter = 0.0;
            } else if shorter >= 0.0 && taken {
                // Pulled out again: it draws itself together, and is as long as it was.
                let (own, r) = (self.parts.length[i], self.parts.radius[i]);
                let stiff = material.modulus * self.parts.stiffness[i] * PI * r * r;
                let wanted = (state.tensions[i].max(0.0) * own / stiff).min(SHORTER * own);
                shorter += (wanted - shorter) * (1.0 - kept);
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
        let gave = if any || !over { span.flick[1] } else { 0.0 };
        self.spans[s].flick = [left, gave];
    }

    /// Whether next to nothing of what a flick gave moves a string any more, nor is stored in it.
    fn calm_again(&self, span: &Span) -> bool {
        let (state, light, mass) = (&self.state, &self.work.light, &self.parts.mass);
        let longer =
            |i: usize| state.positions[i].distance(state.positions[i + 1]) / state.rests[i];
        if span.segments().any(|i| longer(i) > 1.0 + AT_REST) {
            return false;
        }
        // Against what holds it, or else against all of it.
        let held = span.particles().any(|i| light[i] == 0.0);
        let (mut way, mut all) = (DVec3::ZERO, 0.0);
        for i in span.particles().filter(|i| !held || light[*i] == 0.0) {
            way += state.velocities[i] * mass[i];
            all += mass[i];
        }
        let along = way / all;
        let moves = |i: usize| 0.5 * mass[i] * (state.velocities[i] - along).length_squared();
        span.particles().map(moves).sum::<f64>() <= CALM * span.flick[1]
    }
}
