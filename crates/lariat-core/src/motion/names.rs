//! Names that documents use for the choices of this module.
//!
//! Parsing, printing, error messages, the schema and the tables of the guide all use the same rows
//! ([`Named::NAMES`]), so a new choice is one row. A value may have several rows: the first is its
//! name, the others are aliases.
//!
//! Tests: `every_name_reads_back`, `an_unknown_name_lists_the_known_ones`.

use thiserror::Error;

/// A name, its value, and one sentence for the guide.
#[derive(Clone, Copy, Debug)]
pub struct Name<T: 'static> {
    /// As written in a document, kebab-case.
    pub name: &'static str,
    /// Value of the name.
    pub value: T,
    /// One sentence in plain words.
    pub help: &'static str,
}

/// A choice with names.
pub trait Named: Copy + PartialEq + 'static {
    /// Kind of the choice, with its article: `an extrapolation`.
    const WHAT: &'static str;

    /// All names; the first row of a value is its canonical name.
    const NAMES: &'static [Name<Self>];

    /// Canonical name of this value.
    fn name(self) -> &'static str {
        Self::NAMES.iter().find(|row| row.value == self).map_or(Self::WHAT, |row| row.name)
    }

    /// Value of a name.
    fn from_name(name: &str) -> Result<Self, UnknownName> {
        let row = Self::NAMES.iter().find(|row| row.name == name);
        row.map(|row| row.value).ok_or_else(|| UnknownName {
            what: Self::WHAT,
            given: name.to_owned(),
            known: Self::NAMES.iter().map(|row| row.name).collect(),
        })
    }
}

/// Error of an unknown name.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{given}` is not {what}; choose {}", either(known))]
pub struct UnknownName {
    /// Kind of the choice, with its article.
    pub what: &'static str,
    /// Name as given.
    pub given: String,
    /// Known names.
    pub known: Vec<&'static str>,
}

/// `a`, `a or b`, `a, b or c`.
fn either(words: &[&str]) -> String {
    match words {
        [] => "nothing".to_owned(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// Implements `FromStr` and `Display` by the table of names.
macro_rules! by_name {
    ($type:ty) => {
        impl std::str::FromStr for $type {
            type Err = $crate::motion::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                <Self as $crate::motion::Named>::from_name(name)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(<Self as $crate::motion::Named>::name(*self))
            }
        }
    };
}
pub(super) use by_name;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::{Debug, Display};
    use std::str::FromStr;

    use super::*;
    use crate::motion::{Ease, Extrapolation, Interpolation, TangentKind};

    fn check_table<T>(values: &[T])
    where
        T: Named + Debug + Display + FromStr<Err = UnknownName>,
    {
        let mut seen = BTreeSet::new();
        for row in T::NAMES {
            assert!(seen.insert(row.name), "`{}` is listed twice", row.name);
            assert_eq!(row.name.parse::<T>().unwrap(), row.value);
            assert!(row.help.ends_with('.'), "`{}` has no sentence", row.name);
        }
        for &value in values {
            assert_eq!(value.to_string().parse::<T>().unwrap(), value);
        }
        assert!(values.iter().all(|v| T::NAMES.iter().any(|row| row.value == *v)));
        assert!(T::NAMES.iter().all(|row| values.contains(&row.value)));
    }

    #[test]
    fn every_name_reads_back() {
        use Extrapolation::{Cycle, CycleOffset, Hold, Line, PingPong};
        use TangentKind::{Aligned, Auto, ClampedAuto, Flat, Free};
        check_table(&[Hold, Line, Cycle, CycleOffset, PingPong]);
        check_table(&[Free, Aligned, Auto, ClampedAuto, Flat]);
        let eases: Vec<Ease> = Ease::all().collect();
        check_table(&eases);
        let mut all = vec![Interpolation::Step, Interpolation::Linear, Interpolation::Bezier];
        all.extend(eases.into_iter().map(Interpolation::Ease));
        check_table(&all);
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        assert!(
            "cycl".parse::<Extrapolation>().is_err() && "Cycle".parse::<Extrapolation>().is_err()
        );
        let error = "loop".parse::<Extrapolation>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`loop` is not an extrapolation; choose hold, line, cycle, cycle-offset or ping-pong"
        );
    }
}
