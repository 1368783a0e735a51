//! What calms a string: friction against bending, from one segment to the next.
//!
//! The middle one of three neighbours moves against the line through the other two, and they against
//! it, so that the bend between them changes more slowly. With `o` the offset of the middle one from
//! that line and impulses along `o`, shared out as a lever does, neither momentum nor angular
//! momentum sees it. What is longer than a few segments is left alone: of a wave of `k` radians from one
//! neighbour to the next a share `∝ k⁴` is lost.
//!
//! Three things use it. Inner friction of section whose bending a part follows (`beam.rs` has that of the rest), `moment = EI τ · (rate of curvature)`, an
//! impulse of `4 EI τ / l³` per speed of the offset. A little calm for ideal chains: a step
//! that keeps all energy would keep also that of motion from segment to segment, which no step
//! follows, and which real strings lose at once. And waves that are too short for the parts that a step
//! should be made in: a chain that has whipped round keeps them for ever otherwise, and every step is made
//! in small parts because of them. They are taken out of strings that turned too far for a part (unless
//! they have no calm at all), with neighbours 1, 2, 4, … segments away, up to a quarter of the wave that
//! would pass by within a part of twice the length.
//!
//! Tests: `momentum_is_kept_to_rounding`, `calm_takes_energy_and_long_waves_hardly_feel_it`,
//! `after_a_whip_steps_are_soon_easy_again`, `waves_that_no_part_follows_lose_energy_and_no_momentum`.

use super::drift::Chain;

/// Friction of waves that no part follows, at each distance of neighbours: half of what it sees is lost in
/// a part. Less: they last, and steps take longer. More: the longest of them are felt.
const UNFOLLOWED: f64 = 1.0;

/// How long a wave is taken for one that no part follows, over how far waves go in it. More: a swing that
/// can be seen is damped.
const FOLLOWED: f64 = 1.0;

/// How near the outer two of three may be to each other, over how far they are along the string, for there
/// to be a line between them. Less: levers without end.
const FOLDED: f64 = 0.1;

impl Chain<'_> {
    /// Friction of `h` seconds.
    pub(super) fn calm_down(&mut self, h: f64) {
        if self.calm <= 0.0 && self.friction <= 0.0 {
            return;
        }
        let (calm, friction) = (self.calm, self.friction);
        self.rub(1, |gives, rest| h * (calm + 4.0 * friction * gives / (rest * rest * rest)));
    }

    /// Takes out waves that parts of `h` seconds do not follow.
    pub(super) fn calm_waves(&mut self, h: f64) {
        let n = self.x.len() - 1;
        let length: f64 = self.stretch[..n].iter().map(|stretch| stretch.rest).sum();
        if self.calm <= 0.0 || length <= 0.0 {
            return;
        }
        let pull: f64 = self.tension[..n].iter().map(|tension| tension.max(0.0)).sum();
        // Waves go by √(T/ρ); a quarter of one, in segments.
        let goes = (pull / n as f64 / self.mass_per_metre).sqrt() * h;
        let quarter = 0.25 * FOLLOWED * goes / (length / n as f64);
        let mut stride = 1;
        while (stride as f64) < quarter && 2 * stride < n {
            self.rub(stride, |_, _| UNFOLLOWED);
            stride *= 2;
        }
    }

    /// Friction between particles and those so many before and after them; `strength` is told how much
    /// three of them give, and how long a segment is.
    fn rub(&mut self, stride: usize, strength: impl Fn(f64, f64) -> f64) {
        let n = self.x.len() - 1;
        let (x, v, w) = (&self.x[..=n], &mut self.v[..=n], &self.light[..=n]);
        for i in stride..=n - stride {
            let (before, after) = (i - stride, i + stride);
            let (a, b, c) = (x[before], x[i], x[after]);
            let across = c - a;
            let square = across.length_squared();
            let rest = self.stretch[i].rest;
            let far = rest * stride as f64;
            // Folded up there is no line to be off.
            if square < FOLDED * FOLDED * far * far {
                continue;
            }
            let beta = across.dot(b - a) / square;
            let alpha = 1.0 - beta;
            let rate = v[before] * alpha + v[after] * beta - v[i];
            let offset = a - b + across * beta;
            let off = offset.length_squared();
            let way = if off > 1e-24 * square { offset * (rate.dot(offset) / off) } else { rate };
            let gives = w[i] + alpha * alpha * w[before] + beta * beta * w[after];
            if gives <= 0.0 {
                continue;
            }
            // Implicit: however large, it stops and never reverses.
            let x = strength(gives, rest);
            let impulse = way * (x / ((1.0 + x) * gives));
            v[i] += impulse * w[i];
            v[before] -= impulse * (alpha * w[before]);
            v[after] -= impulse * (beta * w[after]);
        }
    }
}
