//! Twist and torsion waves: rotation of the profile of a rope about its axis.
//!
//! Barzel 1997, section 4 and A.4: "twisting and torsion waves can be implemented analogously to
//! coil compression, by manipulating a rotation curve". `ρ(u) = 2π turns u` for twist, plus
//! `env(u) · angle · sin(2π f u + phase)` for a torsion wave. The axis does not move.
//!
//! Tests: `rotations_add`, `slopes_vs_differences`.

use std::f64::consts::TAU;

use super::Envelope;
use crate::num::ops;

/// A rotation of the profile along the rope.
#[derive(Clone, Debug, PartialEq)]
pub enum Rotation {
    /// Uniform twist over a stretch of the rope; the rope beyond it is rotated as a whole.
    Twist {
        /// Number of turns.
        turns: f64,
        /// Start of the stretch, 0–1.
        from: f64,
        /// End of the stretch, 0–1.
        to: f64,
    },
    /// A wave of twist.
    Torsion {
        /// Largest angle in radians.
        angle: f64,
        /// Cycles over the rope.
        frequency: f64,
        /// In radians.
        phase: f64,
        /// Weight along the rope.
        envelope: Envelope,
    },
}

impl Rotation {
    /// The angle at `u`, in radians.
    pub fn at(&self, u: f64) -> f64 {
        match self {
            Self::Twist { turns, from, to } => {
                // A stretch without length is a step.
                let share = if to > from { (u - from) / (to - from) } else { f64::from(u >= *to) };
                TAU * turns * share.clamp(0.0, 1.0)
            }
            Self::Torsion { angle, frequency, phase, envelope } => {
                envelope.at(u).0 * angle * ops::sin_turns(frequency * u + phase / TAU)
            }
        }
    }

    /// Derivative of the angle at `u`, in radians per unit of `u`.
    pub(crate) fn slope(&self, u: f64) -> f64 {
        match self {
            Self::Twist { turns, from, to } if to > from && (*from..*to).contains(&u) => {
                TAU * turns / (to - from)
            }
            Self::Twist { .. } => 0.0,
            Self::Torsion { angle, frequency, phase, envelope } => {
                let (weight, slope) = envelope.at(u);
                let turns = frequency * u + phase / TAU;
                angle
                    * (slope * ops::sin_turns(turns)
                        + weight * TAU * frequency * ops::cos_turns(turns))
            }
        }
    }

    /// Appends the parameters at which the slope may jump.
    pub(crate) fn cuts(&self, out: &mut Vec<f64>) {
        match self {
            Self::Twist { from, to, .. } => out.extend([*from, *to]),
            Self::Torsion { envelope, .. } => envelope.cuts(out),
        }
    }

    /// Half waves of its slope along the rope.
    pub(crate) fn half_waves(&self) -> f64 {
        match self {
            Self::Twist { .. } => 0.0,
            Self::Torsion { frequency, .. } => 2.0 * frequency.abs() + 1.0,
        }
    }

    /// Uniform twist from end to end.
    pub fn even(turns: f64) -> Self {
        Self::Twist { turns, from: 0.0, to: 1.0 }
    }

    /// The sum of `rotations` at `u`, in radians.
    pub fn total(rotations: &[Self], u: f64) -> f64 {
        rotations.iter().map(|r| r.at(u)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_add() {
        let twist = Rotation::even(2.0);
        let wave =
            Rotation::Torsion { angle: 0.5, frequency: 1.0, phase: 0.0, envelope: Envelope::Flat };
        assert_eq!(twist.at(0.5), TAU);
        assert!((wave.at(0.25) - 0.5).abs() < 1e-15);
        assert!((Rotation::total(&[twist, wave], 0.25) - (0.5 * TAU + 0.5)).abs() < 1e-15);
        assert_eq!(Rotation::total(&[], 0.3), 0.0);
        let stretch = Rotation::Twist { turns: 1.0, from: 0.25, to: 0.75 };
        assert_eq!([stretch.at(0.1), stretch.at(0.5), stretch.at(0.9)], [0.0, TAU / 2.0, TAU]);
    }

    #[test]
    fn slopes_vs_differences() {
        let wave = Rotation::Torsion {
            angle: 0.5,
            frequency: 2.3,
            phase: 0.4,
            envelope: Envelope::Sine { env: 0.3 },
        };
        for rotation in [wave, Rotation::Twist { turns: 1.5, from: 0.2, to: 0.7 }] {
            for k in 0..50 {
                let (u, h) = ((f64::from(k) + 0.4) / 50.0, 1e-6);
                let difference = (rotation.at(u + h) - rotation.at(u - h)) / (2.0 * h);
                assert!((rotation.slope(u) - difference).abs() < 1e-7, "{rotation:?} at {u}");
            }
        }
    }
}
