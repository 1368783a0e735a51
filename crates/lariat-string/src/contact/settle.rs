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
//! Tests: `a_snapping_cord_gains_nothing_from_touching_itself`, `torn_strings_recoil_onto_themselves`,
//! `passing_a_push_on_never_adds_energy`.

use glam::DVec3;

use super::super::lots::Lot;
use super::super::state::Span;

impl Lot<'_> {
    /// Remembers lengths and how they change, before contact.
    pub(in super::super) fn mark(&mut self, span: &Span) {
        let (x, v) = (&self.state.positions, &self.state.velocities);
        for i in span.segments() {
            let d = x[i + 1] - x[i];
            self.work.squares[i] = d.length_squared();
            self.work.paces[i] = d.dot(v[i + 1] - v[i]);
        }
        self.work.touched[span.particles()].fill(false);
    }

    /// Passes pushes on along a string.
    pub(in super::super) fn settle(&mut self, span: &Span, h: f64) {
        if span.count < 2 {
            return;
        }
        let range = span.particles();
        let x = &mut self.state.positions[range.clone()];
        let v = &mut self.state.velocities[range.clone()];
        let light = &self.work.light[range.clone()];
        let stretch = &self.work.stretch[range.clone()];
        let tension = &self.state.tensions[range.clone()];
        let (squares, paces) = (&self.work.squares[range.clone()], &self.work.paces[range]);
        let room = &mut self.scratch[0].room;
        let n = x.len() - 1;
        // Places, twice: what is left after the first is the square of how far it was off.
        for _ in 0..2 {
            let pulls = room.solve(
                x,
                light,
                |_| 0.0,
                // Not half the difference of squares: what was pushed together to next to nothing
                // would be flung away.
                |i| {
                    let long = (x[i + 1] - x[i]).length();
                    long * (long - squares[i].sqrt())
                },
            );
            let mut from = x[0];
            for i in 0..n {
                // Along where segments were when they were solved for.
                let to = x[i + 1];
                let push = (to - from) * pulls[i];
                from = to;
                x[i] += push * light[i];
                x[i + 1] -= push * light[i + 1];
            }
        }
        let per = 1.0 / (h * h);
        let soft = |i: usize| {
            let give = if tension[i] < 0.0 { stretch[i].press } else { stretch[i].give };
            give * per
        };
        let pulls =
            room.solve(x, light, soft, |i| (x[i + 1] - x[i]).dot(v[i + 1] - v[i]) - paces[i]);
        // Energy of the impulses is a quadratic in their size.
        let (mut linear, mut square) = (0.0, 0.0);
        let change = |i: usize| {
            let ahead = if i < n { (x[i + 1] - x[i]) * pulls[i] } else { DVec3::ZERO };
            let behind = if i > 0 { (x[i] - x[i - 1]) * pulls[i - 1] } else { DVec3::ZERO };
            ahead - behind
        };
        for i in 0..=n {
            let sum = change(i);
            linear += sum.dot(v[i]);
            square += sum.length_squared() * light[i];
        }
        if linear < 0.0 {
            let size = (-2.0 * linear / square.max(f64::MIN_POSITIVE)).min(1.0);
            for i in 0..=n {
                v[i] += change(i) * (size * light[i]);
            }
        }
    }
}
