//! Ring-down of a curve after its last knot: free, but limited for springs too slow for their keys.
//!
//! With phase and decay removed, `x = e^(pτ) X(τ)`, a free oscillation has a constant `X`. A
//! complex curve that is still changing at the last knot, `z = X' ≠ 0`, stops changing at a rate
//! `κ`, `X = x + z (1 - e^(-κτ))/κ`, which has the least overshoot penalty. Two adjacent poles
//! would beat instead. A real curve has a single frequency.
//!
//! # Slow springs
//!
//! A spring that leaves its last knot with a velocity `v` overshoots to `v/ω`, for any small `ω`: a
//! spring of 0.01 Hz with keys of 0, 10 and 4 within 20 frames reaches 300 and more. Its limit at
//! 0 Hz would not be the cubic, which is held. So slow springs are braked. With `q = Ω T`,
//! `Ω² = d² + ω²` and `T` the seconds between the last two keys (at most two), a spring with
//! `q < 1`
//!
//! * keeps only the share `q²` of its oscillation, and
//! * stops the rest at the rate `1/(q T)`.
//!
//! Velocity stays continuous, the distance after the knot is below `3 q v T`, and for `Ω → 0` the
//! curve becomes the held cubic. Springs of `q ≥ 1`, a sixth of a cycle or more between the last
//! two keys, ring freely.
//!
//! Tests: `slow_springs_stay_within_reach_of_their_keys`,
//! `the_slower_a_spring_the_nearer_the_cubic`, `a_curve_starts_at_rest_and_rings_down`,
//! `a_braked_curve_continues_with_its_value_and_slope`.

use std::f64::consts::TAU;

use num_complex::Complex64;

use super::spring::{Kind, Now, Spring, default_overshoot_penalty};
use crate::num::{complex, ops};

/// Upper limit on `T` in seconds. Longer: a slow spring overshoots further after a lone key with a
/// slope.
const LONGEST: f64 = 2.0;

/// Lower limit on `q`: slower springs stop within a microsecond anyway, and would lose digits.
const SLOWEST: f64 = 1e-6;

/// Cycles that are sampled one by one to find the largest deviation.
const MANY_CYCLES: f64 = 16.0;

/// Change of the oscillation of a complex spring after the last knot.
#[derive(Clone, Copy, Debug)]
enum Swing {
    /// Free, at plus and minus this rate in radians per second; for a real spring, its frequency.
    Free(f64),
    /// Settling at this rate per second.
    Settles(f64),
}

/// Parameters of the ring-down.
#[derive(Clone, Copy, Debug)]
pub(super) struct RingDown {
    kind: Kind,
    swing: Swing,
    /// Share of the oscillation that continues, up to 1.
    kept: f64,
    /// Rate at which the rest is stopped, per second.
    brake: f64,
}

impl RingDown {
    /// Ring-down of a spring with `gap` seconds between the last two nodes.
    pub(super) fn new(spring: &Spring, now: &Now, gap: f64) -> Self {
        // z' = -√(d² + rz) z has the least cost.
        let settling = |rz: f64| Swing::Settles((now.d * now.d + rz).sqrt() - now.d);
        let penalty = spring.penalty_weight(now);
        let swing = match spring.kind {
            Kind::Real => Swing::Free(now.omega),
            Kind::Complex if penalty > 0.0 => settling(penalty),
            Kind::Complex if now.beta > 0.0 => Swing::Free(now.beta),
            Kind::Complex => settling(default_overshoot_penalty(Kind::Complex) * now.stiffness()),
        };
        let gap = gap.min(LONGEST);
        let q = (now.stiffness().sqrt() * gap).clamp(SLOWEST, 1.0);
        Self { kind: spring.kind, swing, kept: q * q, brake: 1.0 / (q * gap) }
    }

    /// State `tau` seconds after `(x, z)`: `x`, its slope, and the force on the spring.
    pub(super) fn at(&self, now: &Now, [x, z]: [Complex64; 2], tau: f64) -> [Complex64; 3] {
        let fade = ops::exp(-now.d * tau);
        if fade == 0.0 {
            return [Complex64::ZERO; 3];
        }
        let [then, first, second] = self.without_phase([x, z], tau);
        match self.kind {
            Kind::Real => {
                let push = second + then * (now.omega * now.omega);
                [then * fade, (first - then * now.d) * fade, push * fade]
            }
            Kind::Complex => {
                let turn = complex::cis_turns(now.omega / TAU * tau) * fade;
                let slope = first + then * Complex64::new(-now.d, now.omega);
                let push = second + first * Complex64::new(0.0, 2.0 * now.omega);
                [then * turn, slope * turn, push * turn]
            }
        }
    }

    /// `X` and its first two derivatives.
    fn without_phase(&self, [x, z]: [Complex64; 2], tau: f64) -> [Complex64; 3] {
        let (on_x, on_z) = (Complex64::new(x.re, x.im * self.kept), z * self.kept);
        let mut all = match self.swing {
            Swing::Free(rate) => {
                let (sin, cos) = ops::sin_cos(rate * tau);
                let reach = if rate * tau > 1e-8 { sin / rate } else { tau };
                let (then, first) = (on_x * cos + on_z * reach, on_z * cos - on_x * (rate * sin));
                [then, first, then * (-rate * rate)]
            }
            Swing::Settles(rate) => {
                let left = ops::exp(-rate * tau);
                let reach = if rate * tau > 1e-8 { (1.0 - left) / rate } else { tau };
                let first = on_z * left;
                [on_x + on_z * reach, first, first * -rate]
            }
        };
        if self.kept < 1.0 {
            // e^(-κτ) (a + bτ) has the initial value and slope of the rest of x and z.
            let left = ops::exp(-self.brake * tau);
            let a = x - on_x;
            let b = z - on_z + a * self.brake;
            let then = (a + b * tau) * left;
            let first = b * left - then * self.brake;
            all[0] += then;
            all[1] += first;
            all[2] -= (b * left + first) * self.brake;
        }
        all
    }

    /// Largest deviation of the real part after `(x, z)`.
    pub(super) fn reach(&self, now: &Now, state: [Complex64; 2]) -> f64 {
        let deviation = |tau: f64| self.at(now, state, tau)[0].re.abs();
        let evenly = |to: f64, count: u32| {
            (0..=count).map(move |i| to * f64::from(i) / f64::from(count.max(1)))
        };
        // Time during which the oscillation changes.
        let changing = match self.swing {
            Swing::Free(rate) if self.kind == Kind::Complex => TAU / rate,
            Swing::Free(_) => 0.0,
            Swing::Settles(rate) => 8.0 / rate,
        };
        let period = TAU / now.stiffness().sqrt();
        let cycles = (1.0 + changing / period).min(MANY_CYCLES);
        let near =
            evenly(cycles * period, (48.0 * cycles) as u32).chain(evenly(8.0 / self.brake, 48));
        let reach = near.fold(0.0, |most: f64, tau| most.max(deviation(tau)));
        // After many cycles the amplitude alone is used.
        let later = evenly(changing, 64).filter(|tau| *tau > cycles * period);
        later.fold(reach, |most, tau| {
            let amplitude = complex::abs(self.without_phase(state, tau)[0]);
            most.max(amplitude * ops::exp(-now.d * tau))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_braked_curve_continues_with_its_value_and_slope() {
        let (x, z) = (Complex64::new(2.0, -1.5), Complex64::new(0.7, 0.4));
        for swing in [Swing::Free(1.3), Swing::Settles(0.6)] {
            let braked = RingDown { kind: Kind::Complex, swing, kept: 0.25, brake: 3.0 };
            let [value, slope, _] = braked.without_phase([x, z], 0.0);
            assert!(complex::abs(value - x) < 1e-15 && complex::abs(slope - z) < 1e-15, "{slope}");
            // Each derivative is that of the one before, by central differences.
            let h = 1e-5;
            for tau in [0.2, 0.9] {
                let [before, at, after] =
                    [tau - h, tau, tau + h].map(|tau| braked.without_phase([x, z], tau));
                for k in 0..2 {
                    let difference = (after[k] - before[k]) / (2.0 * h);
                    assert!(complex::abs(difference - at[k + 1]) < 1e-8, "{swing:?}, {tau}, {k}");
                }
            }
        }
    }
}
