//! Elasticity: damped springs between points of the curve, which pull and never push.
//!
//! Tuzel 2004, eq. 16 with T7 corrected: a spring of rest length `r` and length `|l|` pulls with
//! `k_s (|l| − r) + k_d (l̇·l)/|l|` if it is longer than at rest, and not at all if it is shorter.
//!
//! # Differences from the paper
//!
//! * Damping never turns a pull into a push.
//! * `k_s = EA/r`; `k_d` is the inner friction times `k_s`.
//!
//! Tests: `a_spring_pulls_as_published`, `a_spring_never_pushes`.

use glam::DVec3;

use super::basis::{Basis, Weights};

/// Springs along a rope, each between two neighbouring points.
#[derive(Clone, Debug)]
pub(super) struct Springs {
    /// Points that the springs join: one more than springs.
    pub(super) points: Vec<Weights>,
    /// Rest length of each spring, in metres.
    pub(super) rest: Vec<f64>,
    /// `k_s`, in N/m.
    pub(super) stiffness: f64,
    /// `k_d`, in N s/m.
    pub(super) damping: f64,
}

impl Springs {
    /// Evenly spaced springs, at rest as the control points `q` lie unless a length is given.
    pub(super) fn new(
        basis: Basis,
        count: usize,
        q: &[DVec3],
        length: Option<f64>,
        (stretch, inner_friction): (f64, f64),
    ) -> Self {
        let points: Vec<Weights> = (0..=count).map(|k| basis.at(k as f64 / count as f64)).collect();
        let rest: Vec<f64> = match length {
            Some(length) => vec![length / count as f64; count],
            None => points.windows(2).map(|ends| ends[0].of(q).distance(ends[1].of(q))).collect(),
        };
        let mean = rest.iter().sum::<f64>() / count as f64;
        let stiffness = stretch / mean;
        Self { points, rest, stiffness, damping: inner_friction * stiffness }
    }

    /// Force on the first end of a spring whose ends are `apart` and move apart with `speed`.
    fn force(&self, spring: usize, apart: DVec3, speed: DVec3) -> DVec3 {
        let (length, rest) = (apart.length(), self.rest[spring]);
        if length <= rest || length == 0.0 {
            return DVec3::ZERO;
        }
        let direction = apart / length;
        let pull = self.stiffness * (length - rest) + self.damping * speed.dot(direction);
        direction * pull.max(0.0)
    }

    /// Adds the forces of all springs to the control points.
    pub(super) fn add_forces(&self, q: &[DVec3], v: &[DVec3], out: &mut [DVec3]) {
        for (k, ends) in self.points.windows(2).enumerate() {
            let apart = ends[1].of(q) - ends[0].of(q);
            let force = self.force(k, apart, ends[1].of(v) - ends[0].of(v));
            ends[0].spread(force, out);
            ends[1].spread(-force, out);
        }
    }

    /// Energy of all springs, in joules.
    pub(super) fn energy(&self, q: &[DVec3]) -> f64 {
        let longer = |(ends, rest): (&[Weights], &f64)| {
            let longer = (ends[0].of(q).distance(ends[1].of(q)) - rest).max(0.0);
            0.5 * self.stiffness * longer * longer
        };
        self.points.windows(2).zip(&self.rest).map(longer).sum()
    }

    /// Stiffness times displacements along a straight taut rope.
    pub(super) fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; x.len()];
        for ends in self.points.windows(2) {
            let pull = self.stiffness * (ends[1].of_column(x) - ends[0].of_column(x));
            ends[1].spread_column(pull, &mut out);
            ends[0].spread_column(-pull, &mut out);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A metre along X, with two springs of 100 N/m.
    fn two() -> Springs {
        let q: Vec<DVec3> = (0..7).map(|i| DVec3::X * (0.25 * (f64::from(i) - 1.0))).collect();
        Springs::new(Basis::new(7), 2, &q, None, (50.0, 0.01))
    }

    #[test]
    fn a_spring_pulls_as_published() {
        let springs = two();
        assert!(springs.rest.iter().all(|rest| (rest - 0.5).abs() < 1e-15));
        // 0.6 m long, growing by 0.2 m/s: 100 N/m · 0.1 m + 1 N s/m · 0.2 m/s.
        let force = springs.force(0, DVec3::Y * 0.6, DVec3::new(3.0, 0.2, 0.0));
        assert!(force.distance(DVec3::Y * 10.2) < 1e-12, "{force}");
        // Equal and opposite forces add up to nothing.
        let q: Vec<DVec3> = (0..7).map(|i| DVec3::new(0.4 * f64::from(i), 0.0, 0.1)).collect();
        let mut out = vec![DVec3::ZERO; 7];
        springs.add_forces(&q, &[DVec3::ZERO; 7], &mut out);
        assert!(out.iter().sum::<DVec3>().length() < 1e-13);
        assert!(out[0].x > 0.0, "the start is pulled towards the middle");
    }

    #[test]
    fn a_spring_never_pushes() {
        let springs = two();
        assert_eq!(springs.force(0, DVec3::X * 0.4, DVec3::X), DVec3::ZERO);
        assert_eq!(springs.force(0, DVec3::ZERO, DVec3::X), DVec3::ZERO);
        // Longer than at rest, but contracting so fast that damping would push.
        assert_eq!(springs.force(0, DVec3::X * 0.51, DVec3::X * -5.0), DVec3::ZERO);
    }
}
