//! Settings of a game.
//!
//! Tests: `bad_rules_are_refused`.

use thiserror::Error;

/// The rules of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Turns that the string withstands before it tears.
    pub turns: f64,
    /// Number of shots.
    pub shots: u32,
    /// Seconds until the game is lost.
    pub seconds: f64,
    /// Shortest time between two shots, in seconds.
    pub reload: f64,
    /// Speed of a shot, in m/s.
    pub speed: f64,
    /// Seed of the small differences in strength between segments.
    pub seed: u64,
}

impl Default for Rules {
    fn default() -> Self {
        Self { turns: 4.0, shots: 30, seconds: 60.0, reload: 0.4, speed: 12.0, seed: 0 }
    }
}

impl Rules {
    /// Checks that every number is within its bounds.
    pub fn check(&self) -> Result<(), RulesError> {
        let bounds = [
            ("turns", self.turns, 0.1, 20.0),
            ("shots", f64::from(self.shots), 1.0, 10_000.0),
            ("seconds", self.seconds, 1.0, 3600.0),
            ("reload", self.reload, 0.05, 60.0),
            ("speed", self.speed, 5.0, 40.0),
        ];
        for (what, value, least, most) in bounds {
            if !(least..=most).contains(&value) {
                return Err(RulesError { what, value, least, most });
            }
        }
        Ok(())
    }
}

/// A rule outside its bounds.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("`{what}` is {value}; it must be {least} to {most}")]
pub struct RulesError {
    /// Name of the rule.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
    /// Lower bound.
    pub least: f64,
    /// Upper bound.
    pub most: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_rules_are_refused() {
        assert_eq!(Rules::default().check(), Ok(()));
        let slow = Rules { speed: f64::NAN, ..Rules::default() };
        assert_eq!(slow.check().unwrap_err().what, "speed");
        let none = Rules { shots: 0, ..Rules::default() };
        assert_eq!(none.check().unwrap_err().to_string(), "`shots` is 0; it must be 1 to 10000");
    }
}
