//! Motion that is none: what a step of a rope or of strings refuses to end with.
//!
//! Tests: `what_is_wild_says_when_and_why`.

use thiserror::Error;

/// A step was not made: what it would have led to is no rope's motion.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("at {:.4} s {}", self.time(), self.why())]
pub enum Diverged {
    /// There is more energy in it than anything could have given it.
    Energy {
        /// Seconds since the start.
        time: f64,
        /// Joules.
        energy: f64,
        /// Joules.
        bound: f64,
    },
    /// A number is no number any more.
    NotFinite {
        /// Seconds since the start.
        time: f64,
    },
}

impl Diverged {
    /// Seconds since the start.
    pub fn time(&self) -> f64 {
        match *self {
            Self::Energy { time, .. } | Self::NotFinite { time } => time,
        }
    }

    /// What went wrong, without the time: ropes count from their own start, and people by the shot.
    pub fn why(&self) -> String {
        match self {
            Self::Energy { energy, bound, .. } => {
                format!(
                    "it has {energy:.3e} J, more than the {bound:.3e} J that it can have come by"
                )
            }
            Self::NotFinite { .. } => "its motion has no finite answer".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wild_says_when_and_why() {
        let diverged = Diverged::Energy { time: 0.25, energy: 2e6, bound: 31.0 };
        let said = "at 0.2500 s it has 2.000e6 J, more than the 3.100e1 J that it can have come by";
        assert_eq!(diverged.to_string(), said);
        let diverged = Diverged::NotFinite { time: 1.0 };
        assert_eq!(diverged.to_string(), "at 1.0000 s its motion has no finite answer");
    }
}
