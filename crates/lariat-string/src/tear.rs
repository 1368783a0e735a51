//! Tearing: a string becomes two where it is pulled or twisted beyond its rupture point.
//!
//! Section 5.4; notes 4.3 and 4.4. A segment tears where pull over cross-section is more than its
//! rupture stress, or where the shear of the surface at one of its joints, `r |twist| / l̄`, is more
//! than its rupture shear. Its particles keep their mass (half the segment's each) and their speed, the
//! twist of the two joints is gone, and both new ends are marked as torn, for whoever draws them frayed.
//!
//! What tore is half a segment at either end, as its mass is: whoever draws a piece draws it on by that
//! much, along its end, and one of a single particle as it pointed when it tore.
//!
//! # Where we leave the paper
//!
//! * Where the paper's strings are slack at once, in ours the news of a tear goes along with the speed
//!   of sound, `√(E/ρ)` for a pull and `√(G/ρ)` for a twist. Segments that are nearly equally strong
//!   pass their rupture points one after the other in less time than that, and a string would go to
//!   pieces, which ones being a matter of the step. We let the worst tear and the others hold until
//!   the news has reached the ends: what is pulled slowly tears once.
//! * What snaps back with `ε √(E/ρ)` runs past its clamp and is caught there, particle after particle,
//!   each with a jerk as hard as the pull that tore it, however fine the segments are; a continuous
//!   string would be folded over with `ε/4` of it. So pieces hold for as long as that takes.
//!
//! # Where it is weak
//!
//! * Those halves do not bend, swing or touch anything: only particles do. A stub in a clamp stays as it
//!   pointed. With more segments they are shorter.
//!
//! Tests: `the_weakest_tears_first`, `the_softest_stretches_most_before_it_tears`,
//! `a_string_that_is_pulled_tears_once`, `a_string_that_is_wrung_tears_once`,
//! `what_is_pulled_on_tears_again`, `twist_tears_the_weakest_first`, `tearing_keeps_speeds_and_mass`.

use std::f64::consts::PI;

use super::batches::Batch;
use super::build::Twist;
use super::events::{Cause, Event};
use super::state::Span;
use super::strings::Strings;

/// The least stretch that counts for how long pieces hold that snap back is one over this. More: what is pulled on at once
/// tears too late.
pub(super) const LONGEST: f64 = 10.0;

/// How many times further than where it breaks a segment must be stretched to tear whatever its tension is
/// said to be. Less: what is jerked tears before its tension says so.
pub(super) const APART: f64 = 3.0;

/// The least that counts as apart in that, over the length at rest. Less: what rounds leave over tears.
pub(super) const LEAST: f64 = 0.01;

impl Batch<'_> {
    /// Lets a string yield, and finds where it must tear.
    pub(super) fn wear(&mut self, s: usize, h: f64) {
        let span = self.span(s);
        self.spans[s].news = span.news.map(|left| (left - h).max(0.0));
        if self.kind(&span).tears && span.count > 1 {
            // Before yielding: the tension that was solved for belongs to the old curve.
            let worst = self.worst(&span);
            self.give_way(&span);
            if let Some((segment, cause)) = worst {
                self.scratch[0].worst.push((self.number + s, segment + self.base, cause));
            }
        }
    }

    /// The segment of a string that is furthest beyond its rupture point.
    fn worst(&self, span: &Span) -> Option<(usize, Cause)> {
        let (state, parts, kind) = (&self.state, &self.parts, self.kind(span));
        let mut worst = (1.0, None);
        let [pull, twist] = span.news.map(|left| left <= 0.0);
        let breaks = kind.material.breaking_strain();
        for i in span.segments().filter(|_| pull) {
            let r = parts.radius[i];
            let holds = kind.material.rupture_stress * parts.strength[i] * PI * r * r;
            // What was thrown further apart than anything could solve for was pulled all the same.
            let far = state.positions[i].distance(state.positions[i + 1]) / state.rests[i];
            let over = (state.tensions[i] / holds).max(far / (1.0 + (APART * breaks).max(LEAST)));
            if over > worst.0 {
                worst = (over, Some((i, Cause::Pull)));
            }
        }
        if kind.twist != Twist::Free && twist {
            for j in span.joints() {
                let twist = state.angles[j] - state.angles[j - 1] + state.turns[j];
                let apart = 0.5 * (parts.length[j - 1] + parts.length[j]);
                let i = if parts.strength[j - 1] < parts.strength[j] { j - 1 } else { j };
                let shear = parts.radius[i] * twist.abs() / apart;
                let over = shear / (kind.material.rupture_shear * parts.strength[i]);
                if over > worst.0 {
                    worst = (over, Some((i, Cause::Twist)));
                }
            }
        }
        worst.1
    }
}

impl Strings {
    /// What tears a segment, as it was built: newtons, and turns in a metre.
    ///
    /// # Panics
    ///
    /// If there is no such segment.
    pub fn bears(&self, segment: usize) -> [f64; 2] {
        let (r, strength) = (self.parts.radius[segment], self.parts.strength[segment]);
        let built = self.kinds.partition_point(|kind| kind.first <= segment) - 1;
        let material = &self.kinds[built].material;
        [
            material.rupture_stress * strength * PI * r * r,
            material.rupture_shear * strength / (2.0 * PI * r),
        ]
    }

    /// Tears what must; returns how many tore.
    pub(super) fn tear_worst(&mut self) -> u32 {
        let mut torn = 0;
        for k in 0..self.work.scratch.len() {
            for at in 0..self.work.scratch[k].worst.len() {
                let (s, segment, cause) = self.work.scratch[k].worst[at];
                // Batches are in the order of their strings; every one that tore moves the others on.
                self.tear(s + torn, segment, cause);
                torn += 1;
            }
            self.work.scratch[k].worst.clear();
        }
        torn as u32
    }

    /// Cuts a segment: the string at `s` ends before it, and a new one begins after it.
    pub(super) fn tear(&mut self, s: usize, segment: usize, cause: Cause) {
        let mut before = self.state.spans[s];
        before.pushed = 0.0;
        before.news = self.news(&before, segment);
        let mut after = before;
        before.count = segment + 1 - before.first;
        after.first = segment + 1;
        after.count -= before.count;
        before.torn[1] = true;
        after.torn[0] = true;
        before = self.flicked(before);
        after = self.flicked(after);
        let state = &mut self.state;
        let place = (state.positions[segment] + state.positions[segment + 1]) * 0.5;
        let string = before.string;
        let time = state.time;
        self.events.push(Event::Torn { string, segment, cause, place, time });
        state.tensions[segment] = 0.0;
        state.flicks[segment] = 0.0;
        // It rests on nothing any more.
        state.pressed.retain(|known| !known.pair.contains(&(segment as u32)));
        for joint in [segment, segment + 1] {
            state.torques[joint] = 0.0;
            state.turns[joint] = 0.0;
            state.turn_cosines[joint] = 1.0;
            state.turn_sines[joint] = 0.0;
            state.rest_twists[joint] = 0.0;
        }
        state.spans[s] = before;
        state.spans.insert(s + 1, after);
        self.forget();
    }

    /// Seconds for which the pieces of a string hold that tears at a segment: pulled, and twisted.
    fn news(&self, span: &Span, segment: usize) -> [f64; 2] {
        let kind = &self.kinds[span.string];
        let length: f64 = span.segments().map(|i| self.parts.length[i]).sum();
        let stretch = if kind.stretches { kind.material.modulus } else { f64::INFINITY };
        // What nothing carries along has nobody to wait for.
        let [pull, twist] = [stretch, kind.material.shear_modulus].map(|modulus| {
            let slow = kind.material.density / modulus;
            if slow.is_finite() { length * slow.sqrt() } else { 0.0 }
        });
        let strain = self.stress(segment).max(0.0) / stretch;
        // To its clamp, and as far beyond.
        [pull * (1.0 + 2.0 / strain.max(1.0 / LONGEST)), twist]
    }

    /// Cuts the string at a segment, as scissors do; nothing if there is no such segment.
    pub fn cut(&mut self, segment: usize) {
        let at = self.state.spans.iter().position(|span| span.segments().contains(&segment));
        if let Some(s) = at {
            self.tear(s, segment, Cause::Cut);
        }
    }
}
