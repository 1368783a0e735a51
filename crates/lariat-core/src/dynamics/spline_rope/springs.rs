//! The published elasticity: damped springs between points of the curve, which pull and never push.
//!
//! Eq. 16: a spring of rest length `r` between two points `l` apart pulls with
//! `k_s (|l| − r) + k_d (l̇·l)/|l|` if it is longer than at rest, and not at all if it is shorter.
//!
//! # Where we leave the paper
//!
//! * Damping never turns a pull into a push (NOTES): what is let go quickly would be pushed apart.
//! * Constants come from the rope: `k_s = EA/r`, `k_d` is the inner friction times that.
//!
//! Tests: `a_spring_pulls_as_published`, `a_spring_never_pushes`.

use glam::DVec3;

use super::basis::{Basis, Row};

/// Springs along a rope, each from one point to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Springs {
    /// Weights of the points they are fastened to.
    pub rows: Vec<Row>,
    /// Rest length of each, in metres.
    pub rest: Vec<f64>,
    /// Newtons a metre.
    pub stiffness: f64,
    /// Newton seconds a metre.
    pub damping: f64,
}

impl Springs {
    /// `count` springs along a rope that lies at rest as `q` says.
    pub(super) fn new(
        basis: &Basis,
        count: usize,
        q: &[DVec3],
        length: Option<f64>,
        stretch: f64,
        inner_friction: f64,
    ) -> Self {
        let segments = basis.segments() as f64;
        let rows: Vec<Row> =
            (0..=count).map(|k| basis.at(segments * k as f64 / count as f64)).collect();
        let rest: Vec<f64> = match length {
            Some(length) => vec![length / count as f64; count],
            None => rows.windows(2).map(|pair| pair[0].of(q).distance(pair[1].of(q))).collect(),
        };
        let mean = rest.iter().sum::<f64>() / count as f64;
        let stiffness = stretch / mean;
        Self { rows, rest, stiffness, damping: inner_friction * stiffness }
    }

    /// How hard a spring pulls, and which way its first point is pulled.
    #[inline]
    pub(super) fn pull(&self, spring: usize, apart: DVec3, speed: DVec3) -> (f64, DVec3) {
        let square = apart.length_squared();
        let rest = self.rest[spring];
        if square <= rest * rest {
            return (0.0, DVec3::ZERO);
        }
        let long = square.sqrt();
        let way = apart / long;
        let pull = self.stiffness * (long - rest) + self.damping * speed.dot(way);
        (pull.max(0.0), way)
    }

    /// Adds their pulls to the control points; `points` and `speeds` are those they are fastened to,
    /// and `pulls` is room for one sum each.
    pub(super) fn add_pulls(
        &self,
        points: &[DVec3],
        speeds: &[DVec3],
        pulls: &mut [DVec3],
        out: &mut [DVec3],
    ) {
        pulls.fill(DVec3::ZERO);
        for k in 0..self.rest.len() {
            let (pull, way) = self.pull(k, points[k + 1] - points[k], speeds[k + 1] - speeds[k]);
            pulls[k] += way * pull;
            pulls[k + 1] -= way * pull;
        }
        for (row, pull) in self.rows.iter().zip(pulls.iter()) {
            row.add_to(out, *pull);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::basis::Ends;
    use super::*;

    fn two() -> Springs {
        let basis = Basis::new(4, Ends::Clamped);
        let q: Vec<DVec3> = (0..7).map(|i| DVec3::X * (0.25 * basis.abscissa(i))).collect();
        Springs::new(&basis, 2, &q, None, 50.0, 0.01)
    }

    #[test]
    fn a_spring_pulls_as_published() {
        let springs = two();
        assert!(springs.rest.iter().all(|rest| (rest - 0.5).abs() < 1e-15));
        // 0.6 m long, growing by 0.2 m/s: 100 N/m · 0.1 m + 1 N s/m · 0.2 m/s.
        let (pull, way) = springs.pull(0, DVec3::Y * 0.6, DVec3::new(3.0, 0.2, 0.0));
        assert!((pull - 10.2).abs() < 1e-12 && way == DVec3::Y, "{pull}");
        // Equal and opposite: what is added to all control points is nothing.
        let points = [DVec3::ZERO, DVec3::X * 0.7, DVec3::new(1.2, 0.4, 0.0)];
        let mut out = vec![DVec3::ZERO; 7];
        springs.add_pulls(&points, &[DVec3::ZERO; 3], &mut [DVec3::ZERO; 3], &mut out);
        assert!(out.iter().sum::<DVec3>().length() < 1e-13);
        assert!(out[0].x > 0.0, "the start is pulled towards the middle");
    }

    #[test]
    fn a_spring_never_pushes() {
        let springs = two();
        assert_eq!(springs.pull(0, DVec3::X * 0.4, DVec3::X).0, 0.0);
        assert_eq!(springs.pull(0, DVec3::ZERO, DVec3::X).0, 0.0);
        // Longer than at rest, but shrinking so fast that its damping would push.
        assert_eq!(springs.pull(0, DVec3::X * 0.51, DVec3::X * -5.0).0, 0.0);
    }
}
