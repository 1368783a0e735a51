//! Contact: strings with themselves, with each other, and with what stands around.
//!
//! ```text
//! grid.rs      what is near what: a uniform grid with a safe stencil
//! near.rs      which segments may touch in the next part of a step
//! capsule.rs   where two segments are nearest
//! respond.rs   pushes and friction between two segments
//! settle.rs    how a string passes on what pushed it
//! press.rs     forces between segments that last
//! solids.rs    pushes and friction at obstacles
//! ```
//!
//! A part of a step is never so long that the middles of two segments could pass each other (notes
//! 4.5): pairs that are near and fast, or pulled together, ask for short parts; pairs that rest on
//! each other ask for little. What touches is pushed apart in turns with its strings' lengths.
//!
//! Contact never makes energy. Pushes take away speed and give none; depth is corrected in places,
//! which never become speeds; and what a string passes on along itself (`settle.rs`) keeps its
//! lengths as they were, so that nothing is stored in it that would come back.
//!
//! Strings that touch no other string are looked after where they are moved (`batches.rs`), the others
//! all together and in their order.
//!
//! Tests: `what_is_fast_does_not_pass_through`, `neighbours_do_not_push_each_other`,
//! `a_snapping_cord_gains_nothing_from_touching_itself`, `torn_strings_recoil_onto_themselves`,
//! `a_knot_tied_by_its_ends_holds`, `a_coil_does_not_pass_through_itself`.

mod capsule;
pub(super) mod grid;
mod near;
mod press;
mod respond;
mod settle;
mod solids;
#[cfg(test)]
mod tests;

use glam::DVec3;

pub use self::capsule::nearest as nearest_on_segments;
pub(super) use self::near::{Contacts, MOST_PAIRS, Pair};
pub(super) use self::press::Pressed;
pub(super) use self::respond::Touching;
use super::batches::{Batch, Execution, Serial};
use super::strings::Strings;

/// So many times more rounds are made while something lies deep. More: knots that cannot be take
/// long. Fewer: they pass through themselves.
const MORE: u32 = 4;

/// Deep is nearer than this, of where segments touch.
const DEEP: f64 = 0.6;

/// Two segments that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Which, by their first particles.
    pub segments: [usize; 2],
    /// Where along each, 0–1.
    pub at: [f64; 2],
    /// From the second to the first, unit.
    pub way: DVec3,
    /// What they were pushed apart with in the last part, in newton seconds.
    pub push: f64,
}

impl Strings {
    /// Pairs of segments that touched in the last part of the last step.
    pub fn touches(&self) -> &[Touch] {
        &self.work.contacts.touches
    }

    /// Puts together what touched in the last part.
    pub(super) fn gather_touches(&mut self) -> u32 {
        let Contacts { pairs, touches, .. } = &mut self.work.contacts;
        touches.clear();
        touches.extend(pairs.iter().filter_map(|pair| pair.touch));
        touches.len() as u32
    }

    /// How long the next part may be, for nothing to pass through anything; `longest` is how long
    /// it will be at most.
    pub(super) fn longest_by_contact(
        &mut self,
        hands: Execution<'_>,
        left: f64,
        longest: f64,
    ) -> f64 {
        let horizon = left.min(longest);
        let mut longest = self.longest_by_solids(horizon);
        if self.settings.contact {
            let (state, parts) = (&self.state, &self.parts);
            let contacts = &mut self.work.contacts;
            let (ways, pull) = (&self.work.ways, self.gravity.length());
            contacts.look(hands, state, parts, &self.overrides, ways, left, horizon, pull);
            longest = contacts.longest(state, parts, longest, horizon);
        } else {
            self.work.contacts.forget();
            self.state.pressed.clear();
        }
        longest
    }

    /// Pushes strings apart that touch another one; returns how many particles touch an obstacle.
    pub(super) fn untangle(&mut self, h: f64) -> u32 {
        let resting = if self.work.contacts.tangled.is_empty() { 0 } else { self.push_tangled(h) };
        self.work.contacts.cross(&mut self.state);
        self.learn(h);
        resting
    }

    fn push_tangled(&mut self, h: f64) -> u32 {
        let rounds = self.settings.rounds.max(1);
        let odd = self.work.odd;
        let mut batch = self.batch(&Serial, 1, 1.0);
        let tangled = batch.all.tangled;
        let moved = (0..batch.spans.len())
            .filter(|s| tangled[*s])
            .fold(0.0_f64, |most, s| most.max(batch.furthest(&batch.span(s), DVec3::ZERO)));
        for s in (0..batch.spans.len()).filter(|s| tangled[*s]) {
            let span = batch.span(s);
            batch.mark(&span);
            batch.work.touched[span.particles()].fill(false);
        }
        let mut resting = 0;
        for round in 0..MORE * rounds {
            let (mut touching, pairs) = batch.touching(h);
            let mut least = 1.0_f64;
            let backwards = odd ^ (round % 2 == 1);
            let count = pairs.len();
            for k in 0..count {
                let pair = &mut pairs[if backwards { count - 1 - k } else { k }];
                if pair.tangled {
                    least = least.min(touching.push_apart(pair, round == 0, 2.0 * moved));
                }
            }
            resting = 0;
            for s in (0..batch.spans.len()).filter(|s| tangled[*s]) {
                let span = batch.span(s);
                resting += batch.push_out(&span, h, round == 0);
                if batch.work.touched[span.particles()].contains(&true) {
                    batch.settle(&span, h);
                }
            }
            if round >= rounds && least > DEEP {
                break;
            }
        }
        let sum = |row: &[DVec3]| row.iter().sum::<DVec3>().is_finite();
        let finite = sum(batch.state.positions) && sum(batch.state.velocities);
        batch.scratch[0].finite &= finite;
        resting
    }
}

impl Batch<'_> {
    /// Pushes apart what touches of a string that touches no other: pairs of its segments, and
    /// particles that rest on something.
    pub(super) fn touch(&mut self, s: usize, h: f64) {
        let span = self.span(s);
        if self.all.tangled.get(self.number + s) == Some(&true) {
            return;
        }
        let range = self.pairs_of(&span);
        let solid = !self.all.solids.is_empty();
        if range.is_empty() && !solid {
            return;
        }
        let from = self.state.positions[span.first] - self.work.before[span.first];
        let moved = 2.0 * self.furthest(&span, from);
        if !solid && self.pairs[range.clone()].iter().all(|pair| pair.is_left(moved)) {
            for pair in &mut self.pairs[range] {
                pair.leave(moved);
            }
            return;
        }
        self.mark(&span);
        self.work.touched[span.particles()].fill(false);
        let (rounds, odd) = (self.all.settings.rounds.max(1), self.all.odd);
        for round in 0..MORE * rounds {
            let (mut touching, pairs) = self.touching(h);
            let mut least = 1.0_f64;
            // There and back: always the same way would carry knots along.
            let backwards = odd ^ (round % 2 == 1);
            for k in range.clone() {
                let k = if backwards { range.start + range.end - 1 - k } else { k };
                least = least.min(touching.push_apart(&mut pairs[k], round == 0, moved));
            }
            let resting = self.push_out(&span, h, round == 0);
            if round == 0 {
                self.scratch[0].resting += resting;
            }
            if !self.work.touched[span.particles()].contains(&true) {
                break;
            }
            self.settle(&span, h);
            if round >= rounds && least > DEEP {
                break;
            }
        }
    }

    /// How far anything of a string moved in this part, besides a way that all of it went.
    fn furthest(&self, span: &super::Span, way: DVec3) -> f64 {
        let range = span.particles();
        let pairs = self.state.positions[range.clone()].iter().zip(&self.work.before[range]);
        let far = pairs.map(|(now, then)| (*now - *then - way).length_squared());
        // Rounding must not hide what touches.
        1.000_001 * far.fold(0.0_f64, f64::max).sqrt()
    }
}
