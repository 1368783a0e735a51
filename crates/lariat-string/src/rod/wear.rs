//! Yielding and tearing.
//!
//! A segment whose tension exceeds its yield point stays longer, by what the second slope of the
//! stress curve adds; from then on it yields at that tension. A joint that is twisted beyond its yield
//! point keeps a part of the twist.
//!
//! A segment tears where its stress exceeds the rupture stress, or where the shear of the surface at
//! one of its joints exceeds the rupture shear. In a real string a tear runs at the speed of sound
//! and unloads the rest before that can tear, so only the worst segment of a piece tears, and its
//! pieces do not tear again until the unloading wave has passed them.
//!
//! Tests: `the_weakest_tears_first`, `a_string_that_is_pulled_tears_once`,
//! `what_was_pulled_too_far_stays_longer`.

use std::f64::consts::PI;

use super::super::build::Twist;
use super::super::events::{Cause, Event};
use super::super::tear::{APART, LEAST, LONGEST};
use super::state::Span;
use super::strings::{StepReport, Strings};

impl Strings {
    /// Lets strings yield, and tears the worst segment of every piece that must tear.
    pub(super) fn wear(&mut self, h: f64, report: &mut StepReport) {
        let mut worst = std::mem::take(&mut self.work.worst);
        worst.clear();
        for s in 0..self.state.spans.len() {
            let span = &mut self.state.spans[s];
            span.tear_guard = span.tear_guard.map(|left| (left - h).max(0.0));
            let span = *span;
            if self.kinds[span.string].tears && span.count > 1 {
                // Before yielding: the tension belongs to the old stress curve.
                if let Some((segment, cause)) = self.worst(&span) {
                    worst.push((s, segment, cause));
                }
                self.give_way(&span);
            }
        }
        for (torn, (s, segment, cause)) in worst.iter().enumerate() {
            self.tear(s + torn, *segment, *cause);
        }
        report.torn += worst.len() as u32;
        self.work.worst = worst;
    }

    /// The segment of a piece that exceeds its rupture point most.
    fn worst(&self, span: &Span) -> Option<(usize, Cause)> {
        let (state, parts, kind) = (&self.state, &self.parts, &self.kinds[span.string]);
        let mut worst = (1.0, None);
        let [pull, twist] = span.tear_guard.map(|left| left <= 0.0);
        let breaks = kind.material.breaking_strain();
        for i in span.segments().filter(|_| pull) {
            let r = parts.radius[i];
            let holds = kind.material.rupture_stress * parts.strength[i] * PI * r * r;
            let far = state.positions[i].distance(state.positions[i + 1]) / state.rests[i];
            let over = (state.tensions[i] / holds).max(far / (1.0 + (APART * breaks).max(LEAST)));
            if over > worst.0 {
                worst = (over, Some((i, Cause::Pull)));
            }
        }
        if kind.twist != Twist::Free && twist {
            for j in span.joints() {
                let twist = state.twist(j);
                let wound = self.wound_shares(j, span);
                let apart = wound[0] * parts.length[j - 1] + wound[1] * parts.length[j];
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

    /// Shares of the segments before and after a joint over which its twist is distributed.
    fn wound_shares(&self, joint: usize, span: &Span) -> [f64; 2] {
        let inputs = &self.work.inputs;
        [joint - 1, joint].map(|i| {
            let end = i == span.first || i + 2 == span.first + span.count;
            let turned = end
                && (self.parts.turned[i] > 0.0
                    || inputs.turned.iter().any(|turned| turned.segment == i));
            if turned { 1.0 } else { 0.5 }
        })
    }

    /// What yields in a piece.
    fn give_way(&mut self, span: &Span) {
        let kind = &self.kinds[span.string];
        let (material, state, parts) = (&kind.material, &mut self.state, &self.parts);
        if material.yield_stress.is_finite() {
            for i in span.segments() {
                let tension = state.tensions[i];
                if tension <= state.yields[i] {
                    continue;
                }
                let area = PI * parts.radius[i] * parts.radius[i];
                let strain = (tension - state.yields[i]) * material.flow();
                state.rests[i] += strain / (parts.stiffness[i] * area) * parts.length[i];
                state.yields[i] = tension;
            }
        }
        if material.yield_shear.is_finite()
            && kind.twist != Twist::Free
            && material.shear_modulus > 0.0
        {
            let hard = material.plastic_shear_modulus / material.shear_modulus;
            for j in span.joints() {
                let twist = state.twist(j) - state.rest_twists[j];
                let over = twist.abs() - state.twist_yields[j];
                if over > 0.0 {
                    state.rest_twists[j] += (1.0 - hard) * over * twist.signum();
                    state.twist_yields[j] += hard * over;
                }
            }
        }
    }

    /// Removes a segment: its piece ends before it, and a new one begins after it.
    pub(super) fn tear(&mut self, s: usize, segment: usize, cause: Cause) {
        let mut before = self.state.spans[s];
        before.tear_guard = self.tear_guard(&before, segment);
        let mut after = before;
        before.count = segment + 1 - before.first;
        after.first = segment + 1;
        after.count -= before.count;
        before.torn[1] = true;
        after.torn[0] = true;
        // The pull is gone at once.
        (before.first_order, after.first_order) = (2, 2);
        let state = &mut self.state;
        let place = (state.positions[segment] + state.positions[segment + 1]) * 0.5;
        let (string, time) = (before.string, state.time);
        self.events.push(Event::Torn { string, segment, cause, place, time });
        state.tensions[segment] = 0.0;
        let torn = segment as u32;
        state.pair_forces.retain(|pair| !pair.segments.contains(&torn));
        state.supports.retain(|support| !(support.within && support.particle == torn));
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

    /// Seconds for which the pieces of a string that tears at a segment do not tear again: by
    /// tension, and by twist.
    fn tear_guard(&self, span: &Span, segment: usize) -> [f64; 2] {
        let kind = &self.kinds[span.string];
        let length: f64 = span.segments().map(|i| self.parts.length[i]).sum();
        let modulus = if kind.stretches { kind.material.modulus } else { f64::INFINITY };
        let [pull, twist] = [modulus, kind.material.shear_modulus].map(|modulus| {
            let slow = kind.material.density / modulus;
            if slow.is_finite() { length * slow.sqrt() } else { 0.0 }
        });
        let strain = self.stress(segment).max(0.0) / modulus;
        // To the clamp, and as far beyond it as a continuous string would fold over.
        [pull * (1.0 + 2.0 / strain.max(1.0 / LONGEST)), twist]
    }

    /// Cuts the string at a segment, as scissors do; without effect if there is no such segment.
    pub fn cut(&mut self, segment: usize) {
        let at = self.state.spans.iter().position(|span| span.segments().contains(&segment));
        if let Some(s) = at {
            self.tear(s, segment, Cause::Cut);
        }
    }

    /// What tears a segment, as built: newtons, and turns per metre.
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
}
