//! The address of something in a document: `body[2].waves[0].height`, or `body.rein.length`.
//!
//! A step is a name or an index. A name applied to a list finds the element whose own `name`
//! it is, so that a body can be called by what the animator calls it, wherever it stands. Names
//! that are not plain (letters, digits, `-`, `_`) are quoted: `body."left rein".length`.

use std::{fmt, str::FromStr, sync::Arc};

use crate::value::Value;

/// One step down the tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Into a table by name, or into a list of named things by the name of one.
    Field(Arc<str>),
    /// Into a list; the first is 0.
    Index(usize),
}

/// The steps from the top of a document to something in it. Empty: the document itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path {
    steps: Vec<Step>,
}

/// Why a text is not a path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not a path: {what} at character {at}; write it like `body.rein.waves[0].height`"
)]
pub struct NotAPath {
    /// The text.
    pub text: String,
    /// What is wrong.
    pub what: &'static str,
    /// Where, counted in characters from 1.
    pub at: usize,
}

impl Path {
    /// The document itself.
    pub const fn root() -> Self {
        Self { steps: Vec::new() }
    }

    /// The steps, from the top.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// One step further, by name.
    #[must_use]
    pub fn field(mut self, name: impl Into<Arc<str>>) -> Self {
        self.steps.push(Step::Field(name.into()));
        self
    }

    /// One step further, by index.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.steps.push(Step::Index(index));
        self
    }

    /// One step back, and that step; nothing for the document itself.
    pub fn parent(&self) -> Option<(Path, &Step)> {
        let (last, rest) = self.steps.split_last()?;
        Some((Path { steps: rest.to_vec() }, last))
    }

    /// Whether the other path is this one, or lies below it.
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

/// The element of a list whose `name` this is.
pub(crate) fn named(list: &[Value], name: &str) -> Option<usize> {
    list.iter().position(|value| value.table().and_then(|table| table.text("name")) == Some(name))
}

/// Whether a name can stand without quotes.
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
                        write!(f, "\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))?;
                    }
                }
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Path {
    type Err = NotAPath;

    fn from_str(text: &str) -> Result<Self, NotAPath> {
        let characters: Vec<char> = text.chars().collect();
        let wrong = |what, at: usize| NotAPath { text: text.to_owned(), what, at: at + 1 };
        let mut path = Path::root();
        let mut at = 0;
        while at < characters.len() {
            if characters[at] == '[' {
                let digits = characters[at + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
                let close = at + 1 + digits;
                if digits == 0 {
                    return Err(wrong("a whole number is missing", at + 1));
                }
                if characters.get(close) != Some(&']') {
                    return Err(wrong("a `]` is missing", close));
                }
                let digits: String = characters[at + 1..close].iter().collect();
                let index =
                    digits.parse().map_err(|_| wrong("the index is far too large", at + 1))?;
                path.push(Step::Index(index));
                at = close + 1;
            } else {
                if !path.steps.is_empty() {
                    if characters[at] != '.' {
                        return Err(wrong("a `.` or `[` is missing", at));
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

/// Reads a plain or quoted name; returns it and where it ends.
fn name(characters: &[char], start: usize) -> Result<(String, usize), (&'static str, usize)> {
    if characters.get(start) != Some(&'"') {
        let name: String = characters[start..]
            .iter()
            .take_while(|c| c.is_ascii_alphanumeric() || **c == '-' || **c == '_')
            .collect();
        if name.is_empty() {
            return Err(("a name is missing", start));
        }
        let end = start + name.len();
        return Ok((name, end));
    }
    let mut name = String::new();
    let mut at = start + 1;
    loop {
        match characters.get(at) {
            None => return Err(("the closing quote is missing", at)),
            Some('"') => return Ok((name, at + 1)),
            Some('\\') => match characters.get(at + 1) {
                Some(c @ ('"' | '\\')) => {
                    name.push(*c);
                    at += 2;
                }
                _ => return Err(("only `\\\"` and `\\\\` may follow a backslash", at + 1)),
            },
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
    fn a_path_reads_as_it_is_said() {
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
    fn what_is_no_path_is_told_where() {
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
    fn a_path_contains_what_lies_below_it() {
        let body: Path = "body[2]".parse().unwrap();
        assert!(body.contains(&"body[2].length".parse().unwrap()));
        assert!(body.contains(&body));
        assert!(!body.contains(&"body[20].length".parse().unwrap()));
    }

    proptest! {
        #[test]
        fn every_path_reads_back(steps in prop::collection::vec(
            prop_oneof![
                ".{0,6}".prop_map(|name| Step::Field(name.into())),
                (0..1000_usize).prop_map(Step::Index),
            ],
            0..6,
        )) {
            let path: Path = steps.into_iter().collect();
            prop_assert_eq!(path.to_string().parse::<Path>().unwrap(), path);
        }

        #[test]
        fn any_text_is_refused_or_read_as_what_is_written_again(text in ".{0,30}") {
            if let Ok(path) = text.parse::<Path>() {
                prop_assert_eq!(path.to_string().parse::<Path>(), Ok(path));
            }
        }
    }
}
