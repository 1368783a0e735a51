//! Path of a value in a document: `body[2].waves[0].height`, or `body.rein.length`.
//!
//! A step is a name or an index. A name applied to a list selects the element with this `name`. Names
//! with characters other than letters, digits, `-` and `_` are quoted: `body."left rein".length`.
//! Escapes in quotes are those of documents, and a path is always one line.

use std::{fmt, str::FromStr, sync::Arc};

use crate::{edit::escape, format::quote, value::Value};

/// One step down the tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// A field of a table, or the element of a list with this name.
    Field(Arc<str>),
    /// An element of a list, from 0.
    Index(usize),
}

/// Steps from the root of a document to a value. The empty path is the document itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path {
    steps: Vec<Step>,
}

/// Error of parsing a path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid path `{text}`: {what} at character {at}; write it like `body.rein.waves[0].height`"
)]
pub struct PathError {
    /// The text.
    pub text: String,
    /// The problem.
    pub what: &'static str,
    /// Position in characters, from 1.
    pub at: usize,
}

impl Path {
    /// The document itself.
    pub const fn root() -> Self {
        Self { steps: Vec::new() }
    }

    /// Steps from the root.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Adds a step by name.
    #[must_use]
    pub fn field(mut self, name: impl Into<Arc<str>>) -> Self {
        self.steps.push(Step::Field(name.into()));
        self
    }

    /// Adds a step by index.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.steps.push(Step::Index(index));
        self
    }

    /// Returns the parent and the last step; `None` for the document itself.
    pub fn parent(&self) -> Option<(Path, &Step)> {
        let (last, rest) = self.steps.split_last()?;
        Some((Path { steps: rest.to_vec() }, last))
    }

    /// Returns true if the other path is equal to or below this one.
    pub fn contains(&self, other: &Path) -> bool {
        other.steps.starts_with(&self.steps)
    }

    pub(crate) fn push(&mut self, step: Step) {
        self.steps.push(step);
    }
}

impl FromIterator<Step> for Path {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        Self { steps: steps.into_iter().collect() }
    }
}

/// Index of the element of a list with this `name`.
pub(crate) fn named(list: &[Value], name: &str) -> Option<usize> {
    list.iter().position(|value| value.table().and_then(|table| table.text("name")) == Some(name))
}

/// Returns true if a name needs no quotes.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps.iter().enumerate() {
            match step {
                Step::Field(name) => {
                    if i > 0 {
                        f.write_str(".")?;
                    }
                    if is_plain(name) {
                        f.write_str(name)?;
                    } else {
                        let mut quoted = String::with_capacity(name.len() + 2);
                        quote(&mut quoted, name);
                        f.write_str(&quoted)?;
                    }
                }
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let characters: Vec<char> = text.chars().collect();
        let wrong = |what, at: usize| PathError { text: text.to_owned(), what, at: at + 1 };
        let mut path = Path::root();
        let mut at = 0;
        while at < characters.len() {
            if characters[at] == '[' {
                let digits = characters[at + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
                let close = at + 1 + digits;
                if digits == 0 {
                    return Err(wrong("expected a number", at + 1));
                }
                if characters.get(close) != Some(&']') {
                    return Err(wrong("expected `]`", close));
                }
                let digits: String = characters[at + 1..close].iter().collect();
                let index = digits.parse().map_err(|_| wrong("index too large", at + 1))?;
                path.push(Step::Index(index));
                at = close + 1;
            } else {
                if !path.steps.is_empty() {
                    if characters[at] != '.' {
                        return Err(wrong("expected `.` or `[`", at));
                    }
                    at += 1;
                }
                let (name, after) = name(&characters, at).map_err(|(what, at)| wrong(what, at))?;
                path.push(Step::Field(name.into()));
                at = after;
            }
        }
        Ok(path)
    }
}

/// Parses a plain or quoted name; returns it and its end.
fn name(characters: &[char], start: usize) -> Result<(String, usize), (&'static str, usize)> {
    if characters.get(start) != Some(&'"') {
        let name: String = characters[start..]
            .iter()
            .take_while(|c| c.is_ascii_alphanumeric() || **c == '-' || **c == '_')
            .collect();
        if name.is_empty() {
            return Err(("expected a name", start));
        }
        let end = start + name.len();
        return Ok((name, end));
    }
    let mut name = String::new();
    let mut at = start + 1;
    loop {
        match characters.get(at) {
            None => return Err(("missing closing quote", at)),
            Some('"') => return Ok((name, at + 1)),
            Some('\\') => {
                let next: String = characters[at + 1..].iter().take(5).collect();
                let Some((c, length)) = escape(&next) else {
                    let what = "expected `\"`, `\\`, `n`, `r`, `t` or `u` with four digits";
                    return Err((what, at + 1));
                };
                name.push(c);
                at += 1 + length;
            }
            Some(c) => {
                name.push(*c);
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_path_is_parsed_into_steps() {
        let path: Path = "body[2].waves[0].height".parse().unwrap();
        assert_eq!(
            path,
            Path::root().field("body").index(2).field("waves").index(0).field("height")
        );
        let path: Path = r#"body."left \"rein\"".length"#.parse().unwrap();
        assert_eq!(path, Path::root().field("body").field("left \"rein\"").field("length"));
        assert_eq!("".parse::<Path>().unwrap(), Path::root());
    }

    #[test]
    fn an_invalid_path_reports_its_position() {
        for (text, at) in [
            ("body[", 6),
            ("body[x]", 6),
            ("body[1", 7),
            ("body..length", 6),
            ("body.", 6),
            ("body[1]length", 8),
            ("\"body", 6),
            ("body[99999999999999999999999]", 6),
        ] {
            assert_eq!(text.parse::<Path>().unwrap_err().at, at, "{text}");
        }
    }

    #[test]
    fn a_path_contains_the_paths_below_it() {
        let body: Path = "body[2]".parse().unwrap();
        assert!(body.contains(&"body[2].length".parse().unwrap()));
        assert!(body.contains(&body));
        assert!(!body.contains(&"body[20].length".parse().unwrap()));
    }

    proptest! {
        #[test]
        fn every_path_reads_back(steps in prop::collection::vec(
            prop_oneof![
                any::<String>().prop_map(|name| Step::Field(name.into())),
                (0..1000_usize).prop_map(Step::Index),
            ],
            0..6,
        )) {
            let path: Path = steps.into_iter().collect();
            let text = path.to_string();
            prop_assert!(!text.contains('\n'), "one line: {}", text);
            prop_assert_eq!(text.parse::<Path>().unwrap(), path);
        }

        #[test]
        fn any_text_is_rejected_or_reads_back(text in ".{0,30}") {
            if let Ok(path) = text.parse::<Path>() {
                prop_assert_eq!(path.to_string().parse::<Path>(), Ok(path));
            }
        }
    }
}
