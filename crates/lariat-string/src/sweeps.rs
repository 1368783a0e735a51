//! Length as published: particles move freely, then sweeps put them back.
//!
//! Section 5.2: from a held particle outwards every particle is brought back to within the length of
//! its segment; between two held ones the sweeps go back and forth until nothing is longer than a
//! ten thousandth. Speeds are what the places say. It is kept for comparison: sweeps move one
//! particle and not its neighbour, so they keep neither momentum nor energy.
//!
//! # Where we leave the paper
//!
//! * R6: eq. 12 gives all tension of a hanging string to its first segment. What tension has moved
//!   is everything beyond the segment: `T = |Σ m (x − x')| / h²`, summed from the free end.
//!
//! Tests: `published_sweeps_hang_with_the_right_tension`, `published_sweeps_keep_lengths_but_no_energy`.

use glam::DVec3;

use super::drift::{Chain, Effort};

/// Sweeps between two held particles, and the excess that ends them.
const SWEEPS: u32 = 200;
const EXCESS: f64 = 1e-4;

impl Chain<'_> {
    /// One step of `h` seconds.
    pub(super) fn sweep(&mut self, h: f64) -> Effort {
        let n = self.x.len() - 1;
        let mut effort = Effort { solves: 1, parts: 1 };
        // Swings hold where particles would be, for a while.
        for i in 0..=n {
            let old = self.x[i];
            let free = self.light[i] > 0.0;
            self.x[i] =
                if free { old + self.v[i] * h + self.pull[i] * (h * h) } else { self.goal[i] };
            self.v[i] = old;
            self.swing[i] = self.x[i];
        }
        let first = self.light.iter().position(|w| *w == 0.0);
        match first {
            None => {
                // Held nowhere: from the middle outwards.
                self.outwards(n / 2, n);
                self.inwards(n / 2, 0);
            }
            Some(first) => {
                self.inwards(first, 0);
                let mut from = first;
                for to in first + 1..=n {
                    if self.light[to] == 0.0 {
                        effort.solves += self.between(from, to);
                        from = to;
                    }
                }
                self.outwards(from, n);
            }
        }
        self.find_tension(h);
        for i in 0..=n {
            self.v[i] = (self.x[i] - self.v[i]) / h;
            self.swing[i] = DVec3::ZERO;
        }
        effort
    }

    fn longest(&self, i: usize) -> f64 {
        let stretch = &self.stretch[i];
        let tension = self.tension[i].max(0.0);
        stretch.rest + stretch.give * tension + stretch.flow * (tension - stretch.knee).max(0.0)
    }

    /// Brings the particle `moved` to within reach of its neighbour along the segment `i`.
    fn pull_in(&mut self, i: usize, fixed: usize, moved: usize) -> f64 {
        let d = self.x[moved] - self.x[fixed];
        let (length, most) = (d.length(), self.longest(i));
        if length > most {
            self.x[moved] = self.x[fixed] + d * (most / length);
        }
        length / most - 1.0
    }

    fn outwards(&mut self, from: usize, to: usize) {
        for i in from..to {
            self.pull_in(i, i, i + 1);
        }
    }

    fn inwards(&mut self, from: usize, to: usize) {
        for i in (to..from).rev() {
            self.pull_in(i, i + 1, i);
        }
    }

    fn between(&mut self, from: usize, to: usize) -> u32 {
        for sweep in 0..SWEEPS {
            let mut excess = 0.0_f64;
            for i in from..to - 1 {
                excess = excess.max(self.pull_in(i, i, i + 1));
            }
            for i in (from + 1..to).rev() {
                excess = excess.max(self.pull_in(i, i + 1, i));
            }
            if excess < EXCESS {
                return sweep;
            }
        }
        SWEEPS
    }

    /// What moved everything beyond a segment: exact where the string is held once.
    fn find_tension(&mut self, h: f64) {
        let n = self.x.len() - 1;
        let moved = |this: &Self, i: usize| {
            let w = this.light[i];
            if w > 0.0 { (this.x[i] - this.swing[i]) / (w * h * h) } else { DVec3::ZERO }
        };
        let held = self.light.iter().position(|w| *w == 0.0).unwrap_or(n / 2);
        let mut sum = DVec3::ZERO;
        for i in (held..n).rev() {
            sum += moved(self, i + 1);
            self.tension[i] = (-sum.dot((self.x[i + 1] - self.x[i]).normalize_or_zero())).max(0.0);
        }
        let mut sum = DVec3::ZERO;
        for i in 0..held {
            sum += moved(self, i);
            self.tension[i] = sum.dot((self.x[i + 1] - self.x[i]).normalize_or_zero()).max(0.0);
        }
        for i in 0..n {
            self.rate[i] = 0.0;
        }
    }
}
