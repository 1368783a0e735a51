//! What calms a string: friction against bending, from one segment to the next.
//!
//! The middle one of three neighbours moves against the line through the other two, and they against
//! it, so that the bend between them changes more slowly. With `o` the offset of the middle one from
//! that line and impulses along `o`, shared out as a lever does, neither momentum nor angular
//! momentum sees it. What is longer than a few segments is left alone: of a wave of `k` radians a
//! segment a share `∝ k⁴` is lost.
//!
//! Two things use it. Inner friction of the stuff, `moment = EI τ · (rate of curvature)`, an
//! impulse of `4 EI τ / l³` per speed of the offset. And a little calm for ideal chains: a step
//! that keeps all energy would keep also that of motion from segment to segment, which no step
//! follows, and which real strings lose at once.
//!
//! Tests: `momentum_is_kept_to_rounding`, `calm_takes_energy_and_long_waves_hardly_feel_it`.

use super::drift::Chain;

impl Chain<'_> {
    /// Friction of `h` seconds.
    pub(super) fn calm_down(&mut self, h: f64) {
        if self.calm <= 0.0 && self.friction <= 0.0 {
            return;
        }
        let n = self.x.len() - 1;
        let (x, v, w) = (&self.x[..=n], &mut self.v[..=n], &self.light[..=n]);
        for i in 1..n {
            let (a, b, c) = (x[i - 1], x[i], x[i + 1]);
            let across = c - a;
            let square = across.length_squared();
            let rest = self.stretch[i].rest;
            // Folded up there is no line to be off.
            if square < 0.01 * rest * rest {
                continue;
            }
            let beta = across.dot(b - a) / square;
            let alpha = 1.0 - beta;
            let rate = v[i - 1] * alpha + v[i + 1] * beta - v[i];
            let offset = a - b + across * beta;
            let off = offset.length_squared();
            let way = if off > 1e-24 * square { offset * (rate.dot(offset) / off) } else { rate };
            let gives = w[i] + alpha * alpha * w[i - 1] + beta * beta * w[i + 1];
            if gives <= 0.0 {
                continue;
            }
            // Implicit: however large, it stops and never reverses.
            let x = h * (self.calm + 4.0 * self.friction * gives / (rest * rest * rest));
            let impulse = way * (x / ((1.0 + x) * gives));
            v[i] += impulse * w[i];
            v[i - 1] -= impulse * (alpha * w[i - 1]);
            v[i + 1] -= impulse * (beta * w[i + 1]);
        }
    }
}
