//! Weight of a deformation along a rope.
//!
//! Barzel 1997: half a cycle of a sine for a rope held at both ends (figure 7), between a
//! quarter and half a cycle for one held at its start (figure 9), and a plateau with soft ends
//! for coils (A.8, whose lost figure shows two Hermite ramps).
//!
//! Held ends get a weight of exactly zero, not 1.2e-16: a held end must not drift.
//!
//! Tests: `held_ends_have_zero_weight`, `slopes_vs_differences`.

use std::sync::Arc;

use crate::num::ops;

/// A weight over `u`.
#[derive(Clone, Debug, PartialEq)]
pub enum Envelope {
    /// `sin((π/2)(1 + env) u)`: the start is held; `env` 1 holds the far end too (half a sine),
    /// 0 leaves it free (a quarter sine).
    Sine {
        /// Degree to which the far end is held, 0–1.
        env: f64,
    },
    /// One everywhere, also at the ends.
    Flat,
    /// One in the middle, easing to zero over `width` of the rope at each end.
    Plateau {
        /// Length of each ramp as a fraction of the rope, up to ½.
        width: f64,
    },
    /// Given weights: (u, weight) in ascending `u`, interpolated linearly, constant beyond.
    Points(Arc<[(f64, f64)]>),
}

impl Envelope {
    /// Both ends held: half a sine.
    pub const BOTH_ENDS: Self = Self::Sine { env: 1.0 };
    /// The start held, the far end free: a quarter sine.
    pub const START: Self = Self::Sine { env: 0.0 };

    /// Weight at `u`, and its derivative with respect to `u`.
    pub fn at(&self, u: f64) -> (f64, f64) {
        match self {
            Self::Sine { env } => sine(*env, u),
            Self::Flat => (1.0, 0.0),
            Self::Plateau { width } => plateau(*width, u),
            Self::Points(points) => piecewise_linear(points, u),
        }
    }

    /// Appends the parameters at which its slope has corners.
    pub(crate) fn cuts(&self, out: &mut Vec<f64>) {
        match self {
            Self::Plateau { width } => out.extend([*width, 1.0 - width]),
            Self::Points(points) => out.extend(points.iter().map(|p| p.0)),
            Self::Sine { .. } | Self::Flat => {}
        }
    }

    /// Returns true if the weight is exactly zero at both ends.
    pub(crate) fn holds_both_ends(&self) -> bool {
        match self {
            Self::Sine { env } => *env == 1.0,
            Self::Flat => false,
            Self::Plateau { width } => *width > 0.0,
            Self::Points(_) => self.at(0.0).0 == 0.0 && self.at(1.0).0 == 0.0,
        }
    }
}

/// The sine envelope: weight and slope.
pub(crate) fn sine(env: f64, u: f64) -> (f64, f64) {
    let turns = 0.25 * (1.0 + env);
    let (sin, cos) = ops::sin_cos_turns(turns * u);
    (sin, std::f64::consts::TAU * turns * cos)
}

/// `plateau(a)` of A.8: `h(u/a)`, 1, `h((1−u)/a)` with `h(t) = t²(3 − 2t)`.
fn plateau(width: f64, u: f64) -> (f64, f64) {
    let a = width.clamp(0.0, 0.5);
    let (x, sign) = if u <= 0.5 { (u, 1.0) } else { (1.0 - u, -1.0) };
    if x >= a {
        return (1.0, 0.0);
    }
    let t = (x / a).max(0.0);
    (t * t * (3.0 - 2.0 * t), sign * 6.0 * t * (1.0 - t) / a)
}

fn piecewise_linear(points: &[(f64, f64)], u: f64) -> (f64, f64) {
    let after = points.partition_point(|p| p.0 <= u);
    match (after.checked_sub(1).map(|i| points[i]), points.get(after)) {
        (Some((u0, w0)), Some(&(u1, w1))) => {
            let slope = (w1 - w0) / (u1 - u0);
            (w0 + slope * (u - u0), slope)
        }
        (Some((_, w)), None) => (w, 0.0),
        (None, Some(&(_, w))) => (w, 0.0),
        (None, None) => (1.0, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Envelope> {
        vec![
            Envelope::BOTH_ENDS,
            Envelope::START,
            Envelope::Sine { env: 0.4 },
            Envelope::Flat,
            Envelope::Plateau { width: 0.2 },
            Envelope::Points(vec![(0.0, 0.0), (0.33, 1.0), (1.0, 0.25)].into()),
        ]
    }

    #[test]
    fn held_ends_have_zero_weight() {
        assert_eq!(Envelope::BOTH_ENDS.at(0.0).0, 0.0);
        assert_eq!(Envelope::BOTH_ENDS.at(1.0).0, 0.0);
        assert_eq!(Envelope::START.at(0.0).0, 0.0);
        assert_eq!(Envelope::Plateau { width: 0.1 }.at(1.0).0, 0.0);
        // The free end has weight cos(env π/2).
        for env in [0.0, 0.25, 0.5, 1.0] {
            let end = Envelope::Sine { env }.at(1.0).0;
            assert!((end - ops::cos(env * std::f64::consts::FRAC_PI_2)).abs() < 2e-16);
        }
    }

    #[test]
    fn slopes_vs_differences() {
        for envelope in all() {
            for k in 1..200 {
                let (u, h) = (f64::from(k) / 200.0 + 1e-3, 1e-6);
                let difference = (envelope.at(u + h).0 - envelope.at(u - h).0) / (2.0 * h);
                assert!((envelope.at(u).1 - difference).abs() < 1e-4, "{envelope:?} at {u}");
            }
        }
    }

    #[test]
    fn a_plateau_is_flat_on_top() {
        let e = Envelope::Plateau { width: 0.25 };
        assert_eq!([e.at(0.25).0, e.at(0.5).0, e.at(0.7).0], [1.0; 3]);
        assert_eq!(e.at(0.125).0, 0.5);
        assert!((e.at(0.9).0 - e.at(0.1).0).abs() < 1e-15);
        // A width above half the rope counts as half.
        assert_eq!(Envelope::Plateau { width: 3.0 }.at(0.5).0, 1.0);
    }
}
