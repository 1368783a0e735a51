//! Bounds that protect memory, raised for one run: `--limit bodies=500000`.

use std::{fmt, fmt::Write as _, str::FromStr};

use lariat_scene::{Limits, schema::did_you_mean};

use crate::words;

/// One bound and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    name: &'static str,
    value: u64,
}

/// Why a text is no bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LimitError {
    /// There is no `=` in it.
    NoEquals,
    /// There is no bound of that name.
    Unknown(String),
    /// What follows the `=` is no number.
    NoNumber(String),
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = || Limits::ROWS.iter().map(|row| row.name);
        match self {
            Self::NoEquals => f.write_str("write a name and a number, as in `bodies=500000`"),
            Self::Unknown(name) => match did_you_mean(name, names()) {
                Some(near) => write!(f, "there is no limit `{name}`; did you mean `{near}`?"),
                None => {
                    write!(f, "there is no limit `{name}`; there are {}", words::either(names()))
                }
            },
            Self::NoNumber(text) => {
                write!(f, "`{text}` is no whole number from 0 on, such as 500000 or 500_000")
            }
        }
    }
}

impl std::error::Error for LimitError {}

impl FromStr for Limit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        let (name, value) = text.split_once('=').ok_or(LimitError::NoEquals)?;
        let row = Limits::ROWS.iter().find(|row| row.name == name);
        let row = row.ok_or_else(|| LimitError::Unknown(name.to_owned()))?;
        let number = value.replace('_', "").parse();
        let value = number.map_err(|_| LimitError::NoNumber(value.to_owned()))?;
        Ok(Self { name: row.name, value })
    }
}

/// The bounds of a run: the usual ones but for those given.
pub(crate) fn limits(given: &[Limit]) -> Limits {
    let mut limits = Limits::DEFAULT;
    for limit in given {
        limits.set(limit.name, limit.value);
    }
    limits
}

/// What `-h` says about the bounds.
pub(crate) const SHORT: &str = "Raise a limit that protects memory, as in bodies=500000";

/// What `--help` says about the bounds: every name, its value, and what it bounds.
pub(crate) fn help() -> String {
    let mut text = "Raises (or lowers) a limit that protects memory; can be given several times.\n\
                    These are the limits, and what they are unless given:\n"
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
    fn what_is_no_limit_is_told_with_the_way_out() {
        for (text, message) in [
            ("bodies", "write a name and a number, as in `bodies=500000`"),
            ("bodie=3", "there is no limit `bodie`; did you mean `bodies`?"),
            ("bodies=many", "`many` is no whole number from 0 on, such as 500000 or 500_000"),
            ("bodies=-3", "`-3` is no whole number from 0 on, such as 500000 or 500_000"),
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
