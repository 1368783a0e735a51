//! Error of a simulation step that diverges.
//!
//! Tests: `the_message_has_time_and_cause`.

use thiserror::Error;

/// A step was rejected because the motion would have diverged.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("at {:.4} s {}", self.time(), self.why())]
pub enum Diverged {
    /// More energy than forces and holds can have supplied.
    Energy {
        /// Seconds since the start.
        time: f64,
        /// Energy after the step, in joules.
        energy: f64,
        /// Largest possible energy, in joules.
        bound: f64,
    },
    /// More segments near each other than memory is meant for.
    Crowded {
        /// Seconds since the start.
        time: f64,
        /// Largest number of pairs of segments.
        pairs: usize,
    },
    /// NaN or infinity.
    NotFinite {
        /// Seconds since the start.
        time: f64,
    },
}

impl Diverged {
    /// Seconds since the start.
    pub fn time(&self) -> f64 {
        match *self {
            Self::Energy { time, .. } | Self::Crowded { time, .. } | Self::NotFinite { time } => {
                time
            }
        }
    }

    /// The cause without the time, for callers that report the time in frames of the shot.
    pub fn why(&self) -> String {
        match self {
            Self::Energy { energy, bound, .. } => {
                format!("its energy is {energy:.3e} J, more than the {bound:.3e} J supplied to it")
            }
            Self::Crowded { pairs, .. } => format!(
                "more than {pairs} pairs of its segments are near each other; use fewer segments"
            ),
            Self::NotFinite { .. } => "its motion is not finite".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_has_time_and_cause() {
        let diverged = Diverged::Energy { time: 0.25, energy: 2e6, bound: 31.0 };
        let message = "at 0.2500 s its energy is 2.000e6 J, more than the 3.100e1 J supplied to it";
        assert_eq!(diverged.to_string(), message);
        let diverged = Diverged::NotFinite { time: 1.0 };
        assert_eq!(diverged.to_string(), "at 1.0000 s its motion is not finite");
    }
}
