//! Light solids that strings pull at from several sides: a bead between two cords, a ring, a button.
//!
//! A solid that is turned by an angle `φ` while a string pulls with `T` at a place `r` from its middle
//! is turned back with up to `T r (1 + r/l) φ`, `l` being the segment there: the lever turns against
//! the pull, and the segment turns with the lever. A segment that turns with it about its axis holds
//! it by the stiffness of its joint. Strings know their own tension and twist when they step, but
//! solids are turned after it, so a part must be short beside `√(I / Σ …)`. A board of a bridge never
//! asks for that; a bead of ten grams does. Where strings have become so taut within a part that it
//! was too long, it is taken back and made in two.
//!
//! A string that is alone with its solid knows the twist there to be its own, so only levers count.
//!
//! Tests: `a_bead_between_strings_carries_what_hangs_on_it`, `a_bead_that_is_snatched_is_not_thrown`,
//! `a_bead_on_a_cord_hangs_and_is_not_wound`, `parts_that_were_too_long_are_counted`.

use super::{Hold, Tied};

/// How far a solid may swing about its middle in a part, in radians of its own swing, squared. More than
/// 4: it swings itself up; already with 0.25, balls that are thrown up on stiff strings gain three times
/// as much as with this. Less gains nothing more.
const SWUNG: f64 = 0.06;

/// How many times more that may have become by the end of a part before it is taken back. More: what is
/// snatched gains energy. Less: parts are made twice that need not be.
const SNATCHED: f64 = 1.5;

/// How much less levers count where strings pull from more than one side: each of them learns of the
/// others from part to part. More: they do not learn fast enough, and swing. Less: beads are thrown.
const TOGETHER: f64 = 0.25;

impl Tied {
    /// The longest part in which light solids do not swing themselves up, in seconds.
    pub(super) fn longest_by_levers(&mut self) -> f64 {
        (SWUNG / self.swing()).sqrt()
    }

    /// Whether strings have become too taut within a part.
    pub(super) fn is_snatched(&mut self, h: f64) -> bool {
        h * h * self.swing() > SNATCHED * SWUNG
    }

    /// Square of the fastest swing of a solid about its middle, in 1/s².
    fn swing(&mut self) -> f64 {
        let mut levers = std::mem::take(&mut self.work.levers);
        levers.clear();
        levers.resize(self.solids.solids.len(), (0.0, 0.0, 0));
        for (hold, tie) in self.holds.iter().zip(&self.ties).filter(|(hold, _)| hold.active) {
            let held = self.held_by(hold, tie.local.length());
            let sum = &mut levers[hold.solid];
            *sum = (sum.0 + held.0, sum.1 + held.1, sum.2 + held.2);
        }
        let mut fastest = 0.0_f64;
        for (solid, (levers, wrung, pulls)) in self.solids.solids.iter().zip(&levers) {
            let inertia = solid.mass * solid.shape.moments().min_element();
            let stiff = if *pulls > 1 { TOGETHER * levers + wrung } else { *levers };
            fastest = fastest.max(stiff / inertia);
        }
        self.work.levers = levers;
        fastest
    }

    /// How a tie holds its solid against being turned, in N m a radian: by pulls at its lever, and by
    /// twist; and from how many sides it pulls.
    fn held_by(&self, hold: &Hold, arm: f64) -> (f64, f64, u32) {
        let strings = &self.strings;
        let (mut levers, mut wrung, mut pulls) = (0.0, 0.0, 0);
        let Some(span) = strings.span_of(hold.particle) else { return (levers, wrung, pulls) };
        let beside = [hold.particle.wrapping_sub(1), hold.particle];
        for i in beside.into_iter().filter(|i| span.segments().contains(i)) {
            pulls += 1;
            let pull = strings.state.tensions[i].max(0.0);
            levers += pull * arm * (1.0 + arm / strings.segment_length(i).max(1e-9));
            if hold.segment == Some(i) {
                let joints = [i, i + 1].into_iter().filter(|j| span.joints().contains(j));
                wrung += joints.map(|j| strings.twist_stiffness(j)).sum::<f64>();
            }
        }
        (levers, wrung, pulls)
    }
}
