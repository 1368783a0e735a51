//! Strain limiting: no segment is longer than `L_max`.
//!
//! Section 5.2, after Müller et al. The three cases of the paper are one: a string is divided at its held
//! particles. From the first and the last of them sweeps go outwards once; between two of them sweeps go
//! back and forth until nothing is too long by more than a hundred-thousandth. A sweep moves one end of each
//! segment, so it keeps neither momentum nor energy.
//!
//! # Differences from the paper
//!
//! * Sweeps between two held particles that are nearly as far apart as the string is long would not end.
//!   Particles then move towards the straight line until every segment is short enough.
//! * A string that is held nowhere has no case. It is swept outwards from its middle, and then shifted so
//!   that its centre of mass stays where it was.
//!
//! Tests: `lengths_are_kept_to_a_ten_thousandth`, `a_string_held_nowhere_keeps_its_momentum`,
//! `several_clamps_divide_a_string`.

use std::ops::Range;

use glam::DVec3;

use super::state::Span;
use super::strings::Strings;

/// Sweeps back and forth between two held particles, at most. Fewer: taut strings are straightened
/// that could sag. More: strings that are nearly taut cost as much as all others.
const SWEEPS: usize = 400;
/// Excess over `L_max`, relative to it, that ends them. Larger: tensions of long strings are noisy.
/// Smaller: more sweeps.
const EXCESS: f64 = 1e-5;
/// Bisections towards the straight line: a millionth of the way.
const BISECTIONS: usize = 20;

impl Strings {
    /// Limits the lengths of all segments.
    pub(super) fn limit_strain(&mut self) {
        self.work.free.clone_from(&self.state.positions);
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            let held: Vec<usize> = span.particles().filter(|i| self.work.held[*i]).collect();
            let (Some(first), Some(last)) = (held.first(), held.last()) else {
                self.sweep_free(&span);
                continue;
            };
            self.sweep_down(span.first..*first);
            self.sweep_up(*last..span.segments().end);
            for pair in held.windows(2) {
                self.sweep_between(pair[0], pair[1]);
            }
        }
    }

    /// Moves the second end of each segment, in ascending order; returns the largest excess.
    fn sweep_up(&mut self, segments: Range<usize>) -> f64 {
        segments.map(|i| self.shorten(i, i, i + 1)).fold(0.0, f64::max)
    }

    /// Moves the first end of each segment, in descending order; returns the largest excess.
    fn sweep_down(&mut self, segments: Range<usize>) -> f64 {
        segments.rev().map(|i| self.shorten(i, i + 1, i)).fold(0.0, f64::max)
    }

    fn sweep_between(&mut self, from: usize, to: usize) {
        if to - from < 2 {
            return;
        }
        let (a, b) = (self.state.positions[from], self.state.positions[to]);
        let total: f64 = (from..to).map(|i| self.state.longest(i)).sum();
        if a.distance(b) >= total {
            // Only the straight line is short enough.
            self.straighten(from, to, total);
            return;
        }
        for _ in 0..SWEEPS {
            // The last segment of a sweep ends at a held particle, which stays.
            let excess = self.sweep_up(from..to - 1).max(self.sweep_down(from + 1..to));
            if excess.is_nan() || excess < EXCESS {
                return;
            }
        }
        self.straighten(from, to, total);
    }

    /// Moves particles towards the straight line between two held ones, until no segment is too long. Along
    /// the line none is.
    fn straighten(&mut self, from: usize, to: usize, total: f64) {
        let (a, b) = (self.state.positions[from], self.state.positions[to]);
        let places = self.state.positions[from..=to].to_vec();
        let mut arc = 0.0;
        let mut line = vec![a];
        for i in from..to {
            arc += self.state.longest(i);
            line.push(a.lerp(b, arc / total));
        }
        let at = |share: f64, k: usize| places[k].lerp(line[k], share);
        let fits = |share: f64| {
            (from..to).enumerate().all(|(k, i)| {
                at(share, k).distance(at(share, k + 1)) <= self.state.longest(i) * (1.0 + EXCESS)
            })
        };
        let (mut bent, mut straight) = (0.0, 1.0);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (bent + straight);
            if fits(middle) {
                straight = middle;
            } else {
                bent = middle;
            }
        }
        let moved: Vec<DVec3> = (1..to - from).map(|k| at(straight, k)).collect();
        self.state.positions[from + 1..to].copy_from_slice(&moved);
    }

    fn sweep_free(&mut self, span: &Span) {
        let middle = span.first + span.count / 2;
        self.sweep_up(middle..span.segments().end);
        self.sweep_down(span.first..middle);
        let mut moved = DVec3::ZERO;
        let mut mass = 0.0;
        for i in span.particles() {
            moved += (self.state.positions[i] - self.work.free[i]) * self.parts.mass[i];
            mass += self.parts.mass[i];
        }
        for i in span.particles() {
            self.state.positions[i] -= moved / mass;
        }
    }

    /// Moves one end of a segment towards the other until it is no longer than `L_max`. Returns the
    /// relative excess that it had.
    fn shorten(&mut self, segment: usize, fixed: usize, moved: usize) -> f64 {
        let along = self.state.positions[moved] - self.state.positions[fixed];
        let (length, longest) = (along.length(), self.state.longest(segment));
        if length > longest {
            self.state.positions[moved] = self.state.positions[fixed] + along * (longest / length);
        }
        length / longest - 1.0
    }
}
