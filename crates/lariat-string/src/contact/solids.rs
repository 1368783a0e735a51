//! Pushes and friction at obstacles.
//!
//! A particle that is nearer to a solid than its radius is put outside, loses the speed that led it
//! in, and is held back along the surface by at most `μ` times that. A solid that moves carries what
//! lies on it: sliding is measured against where the place would be had it stuck.
//!
//! Tests: `what_falls_on_the_floor_lies_still`, `what_slides_stops_and_stays`,
//! `a_slope_holds_up_to_its_friction`, `a_floor_that_rises_takes_the_string_along`.

use super::super::batches::Batch;
use super::super::state::Span;
use super::super::strings::Strings;
use lariat_core::dynamics::contact::Obstacle;

impl Strings {
    /// Where obstacles are in this part of the step.
    pub(in super::super) fn move_solids(&mut self, from: f64, until: f64) {
        let solids = &mut self.work.solids;
        solids.clear();
        solids.extend(self.obstacles.iter().map(|solid| solid.within(from, until)));
    }

    /// How long a part may be, of `left` seconds, for no particle to pass through a thin solid.
    pub(super) fn longest_by_solids(&self, left: f64) -> f64 {
        let mut longest = f64::INFINITY;
        for solid in &self.obstacles {
            let thin = solid.thinnest();
            if !thin.is_finite() {
                continue;
            }
            for (x, v) in self.state.positions.iter().zip(&self.state.velocities) {
                let speed = v.length() + solid.carried(*x).distance(*x) / left;
                if speed * left < 0.4 * thin {
                    continue;
                }
                let (clear, _) = solid.clearance(*x);
                if clear < 2.0 * speed * left {
                    longest = longest.min((clear.max(0.0) + 0.4 * thin) / speed.max(1e-12));
                }
            }
        }
        longest
    }
}

impl Batch<'_> {
    /// Puts particles of a string outside of obstacles; returns how many touch one.
    pub(super) fn push_out(&mut self, span: &Span, h: f64, first: bool) -> u32 {
        let mut resting = 0;
        let state = &mut self.state;
        for solid in self.all.solids {
            for i in span.particles() {
                if self.work.light[i] == 0.0 {
                    continue;
                }
                let x = state.positions[i];
                let (radius, friction) = (self.parts.radius[i], self.work.rub[i]);
                let (clear, out) = clearance(solid, radius, x);
                if clear >= 0.0 {
                    continue;
                }
                resting += 1;
                self.work.touched[i] = true;
                let was = self.work.before[i];
                // Where it would be had it stuck, and how fast that place moves.
                let stuck = solid.carried(was);
                let carried = (stuck - was) / h;
                let mut to = x - out * clear;
                if first {
                    let slid = to - stuck;
                    let slid = slid - out * slid.dot(out);
                    let far = slid.length();
                    if far > 0.0 {
                        to -= slid * (friction * -clear / far).min(1.0);
                    }
                }
                state.positions[i] = to;
                let speed = state.velocities[i] - carried;
                let into = (-speed.dot(out)).max(0.0);
                let sliding = speed - out * speed.dot(out);
                let fast = sliding.length();
                let held = friction * into;
                let mut left = speed + out * into;
                if fast > 0.0 {
                    left -= sliding * (held / fast).min(1.0);
                }
                state.velocities[i] = carried + left;
            }
        }
        resting
    }
}

/// How far a particle is from where it may be: its radius away, or the margin if that is more.
fn clearance(solid: &Obstacle, radius: f64, x: glam::DVec3) -> (f64, glam::DVec3) {
    let (clear, out) = solid.clearance(x);
    (clear - (radius - solid.margin).max(0.0), out)
}
