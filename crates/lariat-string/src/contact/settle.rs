//! How a string passes on what pushed it: its lengths stay as they were.
//!
//! A particle that was pushed takes its neighbours along. Both its place and its speed are passed on
//! by impulses along segments (notes 4.3, one tridiagonal solve each), which neither momentum nor
//! angular momentum sees.
//!
//! Neither may make energy. Places: segments get the lengths back that they had before contact, so
//! that nothing is stored in stretch. Speeds: segments go on lengthening as they did before contact.
//! A string that does not stretch only loses by that. One that was just contracting may not: holding
//! it to its pace would pull it against what has stopped it. So impulses are made smaller until they
//! give nothing; in the worst case the string is told by its tension, one part later.
//!
//! Whoever pushes a string from outside, as solids do that it touches, has the same done: it marks the
//! piece after a step, carries particles to where they are pushed, in rounds with what passes that on, and
//! settles it. Such pushes may be far, so lengths are put back until they are right, and if they do not
//! become so, the piece is pushed half as far.
//!
//! Tests: `a_snapping_cord_gains_nothing_from_touching_itself`, `torn_strings_recoil_onto_themselves`,
//! `passing_a_push_on_never_adds_energy`, `what_is_pushed_from_outside_keeps_its_lengths`.

use glam::DVec3;

use super::super::batches::{Batch, Serial};
use super::super::state::Span;
use super::super::strings::Strings;

/// Rounds for places that were pushed from outside; what is left after each is the square of how far
/// lengths were off. Fewer: long pushes are made half as far without need.
const ROUNDS: u32 = 6;

/// Lengths are right when their squares are off by less than this share. More: stiff strings store joules
/// of a push.
const RIGHT: f64 = 1e-6;

/// A segment whose length, squared, is less than this share of that at rest, squared, is as good as
/// nothing: a millionth. More: slack strings are stretched by pushes. Less: one such segment holds all
/// others back.
const COLLAPSED: f64 = 1e-12;

/// Times that a push from outside is made half as far, the last time not at all.
const HALVINGS: u32 = 5;

impl Strings {
    /// Remembers how long the segments of a piece (see [`State::spans`](super::super::State)) are and how
    /// fast that changes: after a step, and before something pushes its particles with
    /// [`Strings::carry`].
    ///
    /// # Panics
    ///
    /// If there is no such piece.
    pub fn mark(&mut self, piece: usize) {
        let span = self.state.spans[piece];
        let count = self.state.particles();
        self.work.fit(count, 1);
        self.work.shoved.resize(count, DVec3::ZERO);
        self.batch(&Serial, 1, 1.0).mark(&span);
        let range = span.particles();
        self.work.before[range.clone()].copy_from_slice(&self.state.positions[range]);
    }

    /// Passes on along a marked piece what has pushed its particles, within `h` seconds: both momenta
    /// stay, and no energy is made. What pushes may push again after it.
    ///
    /// # Panics
    ///
    /// If there is no such piece, or it was never marked.
    pub fn pass_on(&mut self, piece: usize, h: f64) {
        let span = self.state.spans[piece];
        self.batch(&Serial, 1, 1.0).settle(&span, h);
    }

    /// Ends the pushing of a marked piece: its segments are as long as they were, or it is not pushed as
    /// far.
    ///
    /// # Panics
    ///
    /// If there is no such piece, or it was never marked.
    pub fn settle(&mut self, piece: usize) {
        let span = self.state.spans[piece];
        let range = span.particles();
        if span.count > 1 {
            self.put_back(&span);
        }
        // Pairs that were known to be apart are not as far any more.
        let moved = range.map(|i| self.state.positions[i].distance_squared(self.work.before[i]));
        self.nudge(moved.fold(0.0, f64::max).sqrt());
    }

    fn put_back(&mut self, span: &Span) {
        let range = span.particles();
        self.work.shoved[range.clone()].copy_from_slice(&self.state.positions[range.clone()]);
        let mut share = 1.0;
        for halving in 1..=HALVINGS {
            for _ in 0..ROUNDS {
                let right = self.is_right(span);
                self.batch(&Serial, 1, 1.0).put_back(span);
                if right {
                    return;
                }
            }
            share *= 0.5;
            for i in range.clone() {
                let (from, to) = (self.work.before[i], self.work.shoved[i]);
                self.state.positions[i] =
                    if halving == HALVINGS { from } else { from.lerp(to, share) };
            }
        }
    }

    /// Whether segments are as long as they were. One that was pushed together to next to nothing has no
    /// length to come back to, and no say.
    fn is_right(&self, span: &Span) -> bool {
        let (x, light) = (&self.state.positions, &self.work.light);
        span.segments().all(|i| {
            let square = self.work.lengths[i] * self.work.lengths[i];
            let rest = self.state.rests[i];
            let off = (x[i + 1].distance_squared(x[i]) - square).abs();
            off < RIGHT * square
                || square < COLLAPSED * rest * rest
                || light[i] + light[i + 1] <= 0.0
        })
    }
}

impl Batch<'_> {
    /// Remembers lengths and how they change, before contact.
    pub(in super::super) fn mark(&mut self, span: &Span) {
        let (x, v) = (&self.state.positions, &self.state.velocities);
        for i in span.segments() {
            let d = x[i + 1] - x[i];
            self.work.lengths[i] = d.length();
            self.work.paces[i] = d.dot(v[i + 1] - v[i]);
        }
    }

    /// Passes pushes on along a string.
    pub(in super::super) fn settle(&mut self, span: &Span, h: f64) {
        if span.count < 2 {
            return;
        }
        // Twice: what is left after the first is the square of how far it was off.
        self.put_back(span);
        self.put_back(span);
        self.pass_on(span, h);
    }

    /// Puts particles back to where segments have the lengths they had.
    fn put_back(&mut self, span: &Span) {
        let range = span.particles();
        let x = &mut self.state.positions[range.clone()];
        let n = x.len() - 1;
        let light = &self.work.light[range.clone()][..=n];
        let lengths = &self.work.lengths[range][..n];
        let pulls = self.scratch[0].room.solve(
            x,
            light,
            |_| 0.0,
            // Not half the difference of squares: what was pushed together to next to nothing
            // would be flung away.
            |i, _, square| {
                let long = square.sqrt();
                long * (long - lengths[i])
            },
        );
        let (mut from, mut last) = (x[0], DVec3::ZERO);
        for i in 0..n {
            // Along where segments were when they were solved for.
            let to = x[i + 1];
            let push = (to - from) * pulls[i];
            x[i] += (push - last) * light[i];
            (from, last) = (to, push);
        }
        x[n] -= last * light[n];
    }

    /// Passes speeds on along a string.
    fn pass_on(&mut self, span: &Span, h: f64) {
        let range = span.particles();
        let x = &self.state.positions[range.clone()];
        let v = &mut self.state.velocities[range.clone()];
        let light = &self.work.light[range.clone()];
        let stretch = &self.work.stretch[range.clone()];
        let tension = &self.state.tensions[range.clone()];
        let paces = &self.work.paces[range];
        let room = &mut self.scratch[0].room;
        let n = x.len() - 1;
        let per = 1.0 / (h * h);
        let soft = |i: usize| stretch[i].gives(tension[i]) * per;
        let pulls = room.solve(x, light, soft, |i, d, _| d.dot(v[i + 1] - v[i]) - paces[i]);
        // Energy of the impulses is a quadratic in their size.
        let (mut linear, mut square) = (0.0, 0.0);
        let mut behind = DVec3::ZERO;
        for i in 0..=n {
            let ahead = if i < n { (x[i + 1] - x[i]) * pulls[i] } else { DVec3::ZERO };
            let change = ahead - behind;
            linear += change.dot(v[i]);
            square += change.length_squared() * light[i];
            behind = ahead;
        }
        if linear < 0.0 {
            let size = (-2.0 * linear / square.max(f64::MIN_POSITIVE)).min(1.0);
            let mut behind = DVec3::ZERO;
            for i in 0..=n {
                let ahead = if i < n { (x[i + 1] - x[i]) * pulls[i] } else { DVec3::ZERO };
                v[i] += (ahead - behind) * (size * light[i]);
                behind = ahead;
            }
        }
    }
}
