//! Tension of the segments, and the length that it allows them.
//!
//! Section 5.3, eq. 12: strain limiting moves particles from `x'` to `x`, and the force that does so is the
//! tension. Section 5.4, eq. 10: the curve gives the strain at that stress, and `L_max = (1 + ε) L₀`.
//!
//! # Differences from the paper
//!
//! * R6: eq. 12 gives the tension of a hanging string to its first segment alone. The segment moved
//!   everything beyond it: `T = Σ m (x − x') / dt²`, summed from the free end, along the segment.
//! * Between two held particles there is no free end. The force `F` of the first segment is fitted by
//!   least squares, so that `F + Σ m (x − x') / dt²` points along each segment. At rest this is exact.
//! * Two held particles that are further apart than the string is long at rest decide its tension: the one
//!   at which its segments together are as long as that distance. Such a string does not sag.
//! * Otherwise the strain follows the tension of the last step by the share `1 / (1 + 4κ)`,
//!   `κ = M L / (E A dt²)`. A larger share oscillates: a string that lengthens has no tension meanwhile.
//!
//! Tests: `hanging_tension_is_the_weight_below`, `a_catenary_has_its_tension`,
//! `two_hands_stretch_a_string_as_its_curve_says`, `a_load_stretches_a_string_as_its_curve_says`.

use glam::{DMat3, DVec3};

use super::curve::Curve;
use super::state::Span;
use super::strings::Strings;

/// Weight of small tensions in the fit between two held particles. Larger: flat strings have too
/// little tension, by 2 % at a sag of 3 %. Smaller: the tension of a nearly straight string is
/// noise.
const ALONG: f64 = 1e-4;
/// Bisections for the tension between two held particles, enough for all digits.
const BISECTIONS: usize = 60;

impl Strings {
    /// Sets the strains that the limit allows in this step.
    pub(super) fn allow_strain(&mut self, dt: f64) {
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            let mass: f64 = self.parts.mass[span.particles()].iter().sum();
            let length: f64 = self.state.rests[span.segments()].iter().sum();
            for i in span.segments() {
                let (curve, stress) = (self.curve(span.string, i), self.stress(i));
                let inertia = mass * length / (self.area(i) * dt * dt);
                let kappa = inertia * curve.compliance(stress);
                let strain = &mut self.state.strains[i];
                *strain += (curve.strain(stress) - *strain) / (1.0 + 4.0 * kappa);
            }
            for pair in self.held_in(&span).windows(2) {
                self.stretch_between(&span, pair[0], pair[1]);
            }
        }
    }

    /// Particles of a piece that are held in this step.
    fn held_in(&self, span: &Span) -> Vec<usize> {
        span.particles().filter(|i| self.work.held[*i]).collect()
    }

    /// Stretches the segments between two held particles that are further apart than these are long.
    fn stretch_between(&mut self, span: &Span, from: usize, to: usize) {
        let apart = self.state.positions[from].distance(self.state.positions[to]);
        let least: f64 = (from..to).map(|i| self.state.rests[i] * self.kept_factor(i)).sum();
        if apart.is_nan() || apart <= least {
            return;
        }
        let curves: Vec<(Curve, f64)> =
            (from..to).map(|i| (self.curve(span.string, i), self.area(i))).collect();
        let strain = |i: usize, newtons: f64| {
            let (curve, area) = &curves[i - from];
            curve.strain(newtons / area).max(self.state.kept_strains[i])
        };
        let length = |newtons: f64| -> f64 {
            (from..to).map(|i| self.state.rests[i] * (1.0 + strain(i, newtons))).sum()
        };
        let (mut below, mut above) = (0.0, 1e-9);
        while length(above) < apart && above < 1e30 {
            (below, above) = (above, 4.0 * above);
        }
        if length(above) < apart {
            // No finite tension stretches it that far: segments share the excess, and only the
            // balance of forces determines a tension.
            let excess = apart / least - 1.0;
            for i in from..to {
                self.state.strains[i] = (1.0 + excess) * self.kept_factor(i) - 1.0;
            }
            return;
        }
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (below + above);
            if length(middle) < apart {
                below = middle;
            } else {
                above = middle;
            }
        }
        let strains: Vec<f64> = (from..to).map(|i| strain(i, above)).collect();
        self.work.taut[from..to].fill(above);
        self.state.strains[from..to].copy_from_slice(&strains);
    }

    fn kept_factor(&self, segment: usize) -> f64 {
        1.0 + self.state.kept_strains[segment]
    }

    /// Measures the tensions from the places before and after strain limiting.
    pub(super) fn measure_tension(&mut self, dt: f64) {
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            // Force that the string itself has exerted on a particle.
            let force = |i: usize| {
                let moved = self.state.positions[i] - self.work.free[i];
                moved * (self.parts.mass[i] / (dt * dt))
            };
            let held = self.held_in(&span);
            let (first, last) = match (held.first(), held.last()) {
                (Some(first), Some(last)) => (*first, *last),
                _ => (span.first, span.first),
            };
            let mut tensions = vec![0.0; span.count];
            let mut sum = DVec3::ZERO;
            for i in span.first..first {
                sum += force(i);
                tensions[i - span.first] = sum.dot(self.direction(i));
            }
            let mut sum = DVec3::ZERO;
            for i in (last..span.segments().end).rev() {
                sum -= force(i + 1);
                tensions[i - span.first] = sum.dot(self.direction(i));
            }
            for pair in held.windows(2) {
                let (from, to) = (pair[0], pair[1]);
                let mut sums = vec![DVec3::ZERO];
                sums.extend((from + 1..to).scan(DVec3::ZERO, |sum, i| {
                    *sum += force(i);
                    Some(*sum)
                }));
                let start = self.fitted_force(from, &sums);
                for (i, sum) in (from..to).zip(sums) {
                    let taut = self.work.taut[i];
                    let balance = (start + sum).dot(self.direction(i));
                    tensions[i - span.first] = if taut > 0.0 { taut } else { balance };
                }
            }
            for (i, tension) in span.segments().zip(tensions) {
                self.state.tensions[i] = tension.max(0.0);
            }
        }
    }

    /// Force of the segment `from`, so that it and the sums after it point along the segments.
    fn fitted_force(&self, from: usize, sums: &[DVec3]) -> DVec3 {
        if sums.len() < 2 {
            return DVec3::ZERO;
        }
        let (mut matrix, mut right) = (DMat3::ZERO, DVec3::ZERO);
        for (i, sum) in (from..).zip(sums) {
            let t = self.direction(i);
            let along = DMat3::from_cols(t * t.x, t * t.y, t * t.z);
            let across = DMat3::IDENTITY - along;
            matrix += across + along * ALONG;
            right -= t * (ALONG * t.dot(*sum)) + across * *sum;
        }
        let solved = matrix.inverse() * right;
        if solved.is_finite() { solved } else { DVec3::ZERO }
    }

    /// Direction of a segment now; zero if it has none.
    fn direction(&self, segment: usize) -> DVec3 {
        (self.state.positions[segment + 1] - self.state.positions[segment]).normalize_or_zero()
    }
}
