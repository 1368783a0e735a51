//! Memory limits set on the command line: `--limit bodies=500000`.

use std::{fmt, fmt::Write as _, str::FromStr};

use lariat_scene::{Limits, schema::did_you_mean};

/// A limit and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    name: &'static str,
    value: u64,
}

/// Error in the value of `--limit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LimitError {
    /// There is no `=`.
    MissingEquals,
    /// Unknown limit.
    Unknown(String),
    /// The value is not a number.
    InvalidNumber(String),
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = || Limits::ROWS.iter().map(|row| row.name);
        match self {
            Self::MissingEquals => f.write_str("expected NAME=N, as in `bodies=500000`"),
            Self::Unknown(name) => match did_you_mean(name, names()) {
                Some(near) => write!(f, "unknown limit `{name}`; did you mean `{near}`?"),
                None => {
                    write!(
                        f,
                        "unknown limit `{name}`; known limits: {}",
                        names().collect::<Vec<_>>().join(", ")
                    )
                }
            },
            Self::InvalidNumber(text) => {
                write!(
                    f,
                    "invalid number `{text}`; expected a whole number such as 500000 or 500_000"
                )
            }
        }
    }
}

impl std::error::Error for LimitError {}

impl FromStr for Limit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        let (name, value) = text.split_once('=').ok_or(LimitError::MissingEquals)?;
        let row = Limits::ROWS.iter().find(|row| row.name == name);
        let row = row.ok_or_else(|| LimitError::Unknown(name.to_owned()))?;
        let number = value.replace('_', "").parse();
        let value = number.map_err(|_| LimitError::InvalidNumber(value.to_owned()))?;
        Ok(Self { name: row.name, value })
    }
}

/// The default limits with those of the command line.
pub(crate) fn limits(given: &[Limit]) -> Limits {
    let mut limits = Limits::DEFAULT;
    for limit in given {
        limits.set(limit.name, limit.value);
    }
    limits
}

/// Text for `-h`.
pub(crate) const SHORT: &str = "Set a memory limit, as in bodies=500000";

/// Text for `--help`: every limit, its default and its meaning.
pub(crate) fn help() -> String {
    let mut text = "Set a limit that protects memory; can be repeated.\n\
                    Limits and their defaults:\n"
        .to_owned();
    for row in Limits::ROWS {
        let _ = write!(text, "\n  {}={}: {}", row.name, row.of(&Limits::DEFAULT), row.help);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_by_name() {
        let given = ["bodies=500_000", "frames=7"].map(|text| text.parse().unwrap());
        let expected = Limits { bodies: 500_000, frames: 7, ..Limits::DEFAULT };
        assert_eq!(limits(&given), expected);
    }

    #[test]
    fn invalid_limits_are_reported_with_a_remedy() {
        for (text, message) in [
            ("bodies", "expected NAME=N, as in `bodies=500000`"),
            ("bodie=3", "unknown limit `bodie`; did you mean `bodies`?"),
            (
                "bodies=many",
                "invalid number `many`; expected a whole number such as 500000 or 500_000",
            ),
            ("bodies=-3", "invalid number `-3`; expected a whole number such as 500000 or 500_000"),
        ] {
            assert_eq!(text.parse::<Limit>().unwrap_err().to_string(), message);
        }
        let all = "elephants=1".parse::<Limit>().unwrap_err().to_string();
        assert!(Limits::ROWS.iter().all(|row| all.contains(row.name)), "{all}");
    }

    #[test]
    fn help_names_every_limit() {
        assert!(Limits::ROWS.iter().all(|row| help().contains(&format!("{}=", row.name))));
    }
}
