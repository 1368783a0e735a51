//! JSON as an index of its text.
//!
//! A tree of values takes up to a hundred times the memory of its text. The index has eight bytes
//! for a value or name: where it starts in the text, and which value follows it. Numbers and strings
//! are converted when they are read.
//!
//! `serde_json` checks the syntax; the index is built from valid text only.
//!
//! Tests: `values_are_those_of_serde_json`, `modes_take_less_than_ten_times_their_file`.

use std::borrow::Cow;

use serde_json::value::RawValue;

/// Maximum nesting depth, that of `serde_json`.
const MAX_DEPTH: usize = 127;

/// Error of reading JSON.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JsonError {
    /// Line number, from 1; 0 if the whole file is meant.
    pub(crate) line: usize,
    /// Column, from 1.
    pub(crate) column: usize,
    pub(crate) what: String,
}

impl JsonError {
    fn new(error: &serde_json::Error, bytes: &[u8]) -> Self {
        let (line, column) = (error.line(), error.column());
        let text = error.to_string();
        let mut what = text.split(" at line ").next().unwrap_or_default().to_owned();
        // A text that is not converted has fewer messages.
        let found = bytes.split(|byte| *byte == b'\n').nth(line.saturating_sub(1));
        let found = found.and_then(|line| line.get(column.checked_sub(1)?));
        if what == "expected value" && matches!(found, Some(b']' | b'}')) {
            "trailing comma".clone_into(&mut what);
        }
        Self { line, column, what }
    }
}

/// Index of a JSON text.
#[derive(Debug)]
pub(crate) struct Json<'t> {
    text: &'t str,
    nodes: Vec<Node>,
}

/// A value, or the name of a member, which comes before its value.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// First byte.
    start: u32,
    /// Index of the first node that is not in this one.
    end: u32,
}

/// A value of a JSON text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'j> {
    json: &'j Json<'j>,
    index: u32,
}

impl<'t> Json<'t> {
    /// Checks and indexes a text.
    pub(crate) fn read(bytes: &'t [u8]) -> Result<Self, JsonError> {
        if u32::try_from(bytes.len()).is_err() {
            let what = format!("{} bytes are too many; the maximum is 4 GiB", bytes.len());
            return Err(JsonError { line: 0, column: 0, what });
        }
        let raw: &RawValue =
            serde_json::from_slice(bytes).map_err(|error| JsonError::new(&error, bytes))?;
        let text = raw.get();
        index(text).map(|nodes| Self { text, nodes }).map_err(|(end, what)| {
            let skipped = bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
            let before = &bytes[..(skipped + end).min(bytes.len())];
            let line = before.split(|byte| *byte == b'\n').count();
            let column = before.iter().rev().take_while(|byte| **byte != b'\n').count();
            JsonError { line, column, what: what.to_owned() }
        })
    }

    /// The outermost value.
    pub(crate) fn root(&self) -> Value<'_> {
        self.at(0)
    }

    /// Value of an index that [`Value::index`] returned.
    pub(crate) fn at(&self, index: u32) -> Value<'_> {
        Value { json: self, index }
    }
}

/// Number of values and names.
fn count(bytes: &[u8]) -> usize {
    let (mut count, mut at, mut opened) = (1, 0, false);
    while at < bytes.len() {
        let byte = bytes[at];
        match byte {
            b'"' => at = after_string(bytes, at) - 1,
            b',' | b':' | b'[' | b'{' => count += 1,
            b']' | b'}' => count -= usize::from(opened),
            _ => {}
        }
        opened = matches!(byte, b'[' | b'{') || (opened && byte.is_ascii_whitespace());
        at += 1;
    }
    count
}

/// Nodes of a valid text; the error has the end of the invalid value.
fn index(text: &str) -> Result<Vec<Node>, (usize, &'static str)> {
    let bytes = text.as_bytes();
    let mut nodes: Vec<Node> = Vec::with_capacity(count(bytes));
    let mut open: Vec<u32> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let next = nodes.len() as u32;
        let mut push = |start: usize| nodes.push(Node { start: start as u32, end: next + 1 });
        match bytes[at] {
            b'[' | b'{' => {
                push(at);
                at += 1;
                open.push(next);
                if open.len() > MAX_DEPTH {
                    return Err((at, "recursion limit exceeded"));
                }
            }
            b']' | b'}' => {
                if let Some(closed) = open.pop() {
                    nodes[closed as usize].end = next;
                }
                at += 1;
            }
            b'"' => {
                push(at);
                at = after_string(bytes, at);
            }
            b',' | b':' | b' ' | b'\n' | b'\r' | b'\t' => at += 1,
            _ => {
                push(at);
                let end = after_word(bytes, at);
                let word = &text[at..end];
                // Numbers without exponents are finite, unless they have hundreds of digits.
                let is_long = word.len() > 300 || word.contains(['e', 'E']);
                if is_long && word.parse::<f64>().is_ok_and(f64::is_infinite) {
                    return Err((end, "number out of range"));
                }
                at = end;
            }
        }
    }
    Ok(nodes)
}

/// Position after a number, `true`, `false` or `null`.
fn after_word(bytes: &[u8], start: usize) -> usize {
    let ends = |byte: &u8| matches!(byte, b',' | b']' | b'}') || byte.is_ascii_whitespace();
    bytes[start..].iter().position(ends).map_or(bytes.len(), |length| start + length)
}

/// Position after a string.
fn after_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

impl<'j> Value<'j> {
    /// Index of the value in its text.
    pub(crate) fn index(self) -> u32 {
        self.index
    }

    fn node(self) -> Node {
        self.json.nodes[self.index as usize]
    }

    /// Text from the start of the value on.
    fn rest(self) -> &'j str {
        &self.json.text[self.node().start as usize..]
    }

    fn starts_with(self, byte: u8) -> bool {
        self.rest().as_bytes().first() == Some(&byte)
    }

    /// Text of a number, a word or a string with its quotes; one bracket for others.
    pub(crate) fn raw(self) -> &'j str {
        let rest = self.rest();
        match rest.as_bytes().first() {
            Some(b'[' | b'{') => &rest[..1],
            Some(b'"') => &rest[..after_string(rest.as_bytes(), 0)],
            _ => &rest[..after_word(rest.as_bytes(), 0)],
        }
    }

    /// Nodes directly within an array or object.
    fn within(self) -> impl Iterator<Item = Value<'j>> + use<'j> {
        let end = self.node().end;
        let mut next = self.index + 1;
        std::iter::from_fn(move || {
            let value = (next < end).then_some(Value { json: self.json, index: next })?;
            next = value.node().end;
            Some(value)
        })
    }

    /// Elements of an array.
    pub(crate) fn items(self) -> Option<impl Iterator<Item = Value<'j>> + use<'j>> {
        self.starts_with(b'[').then(|| self.within())
    }

    /// Names and values of an object; none for other values.
    pub(crate) fn members(self) -> impl Iterator<Item = (Value<'j>, Value<'j>)> + use<'j> {
        let is_object = self.starts_with(b'{');
        let mut within = self.within();
        std::iter::from_fn(move || {
            let name = is_object.then(|| within.next())??;
            Some((name, within.next()?))
        })
    }

    pub(crate) fn is_object(self) -> bool {
        self.starts_with(b'{')
    }

    /// Member of an object; the last one of that name.
    pub(crate) fn get(self, name: &str) -> Option<Value<'j>> {
        let is = |own: Value<'_>| {
            let raw = own.raw();
            match raw.contains('\\') {
                true => own.text().is_some_and(|text| text == name),
                false => raw.get(1..raw.len() - 1) == Some(name),
            }
        };
        self.members().filter(|(own, _)| is(*own)).last().map(|(_, value)| value)
    }

    pub(crate) fn is_null(self) -> bool {
        self.starts_with(b'n')
    }

    pub(crate) fn boolean(self) -> Option<bool> {
        match self.raw() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// Content of a string.
    pub(crate) fn text(self) -> Option<Cow<'j, str>> {
        if !self.starts_with(b'"') {
            return None;
        }
        let raw = self.raw();
        if raw.contains('\\') {
            return serde_json::from_str(raw).ok().map(Cow::Owned);
        }
        raw.get(1..raw.len() - 1).map(Cow::Borrowed)
    }

    pub(crate) fn number(self) -> Option<f64> {
        let raw = self.raw();
        raw.starts_with(|c: char| c == '-' || c.is_ascii_digit()).then(|| raw.parse().ok())?
    }

    /// A whole number, written without a point or exponent.
    pub(crate) fn unsigned(self) -> Option<u64> {
        self.raw().parse().ok()
    }

    /// As [`Self::unsigned`], with a sign.
    pub(crate) fn whole(self) -> Option<i64> {
        self.raw().parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn same(ours: Value<'_>, theirs: &serde_json::Value) {
        use serde_json::Value as Theirs;
        match theirs {
            Theirs::Null => assert!(ours.is_null()),
            Theirs::Bool(switch) => assert_eq!(ours.boolean(), Some(*switch)),
            Theirs::Number(number) => {
                let bits = |x: Option<f64>| x.map(f64::to_bits);
                assert_eq!(bits(ours.number()), bits(number.as_f64()));
                assert_eq!(ours.unsigned(), number.as_u64());
                assert!(number.as_i64().is_none() || ours.whole() == number.as_i64());
            }
            Theirs::String(text) => assert_eq!(ours.text().as_deref(), Some(&**text)),
            Theirs::Array(items) => {
                assert_eq!(ours.items().unwrap().count(), items.len());
                ours.items().unwrap().zip(items).for_each(|(ours, theirs)| same(ours, theirs));
            }
            Theirs::Object(members) => {
                assert!(ours.is_object() && ours.items().is_none());
                for (name, theirs) in members {
                    same(ours.get(name).unwrap(), theirs);
                }
                assert_eq!(ours.get("missing"), None);
                let names: std::collections::BTreeSet<_> =
                    ours.members().map(|(name, _)| name.text().unwrap()).collect();
                assert_eq!(names.len(), members.len());
            }
        }
    }

    impl PartialEq for Value<'_> {
        fn eq(&self, other: &Self) -> bool {
            self.index == other.index
        }
    }

    /// Pieces of JSON, to be combined at random.
    const PIECES: [&str; 24] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "\"\\u00e9\\\\\"",
        "\"a\\\"]\"",
        "é",
        "0",
        "-0",
        "1",
        "-12",
        "0.5",
        "1e3",
        "1e999",
        "18446744073709551616",
        "true",
        "false",
        "null",
        " ",
        "\n",
        "\"\"",
    ];

    proptest! {
        #[test]
        fn values_are_those_of_serde_json(
            pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..20),
        ) {
            let text = pieces.concat();
            for text in [text.clone(), format!("[{}]", pieces.join(",")), format!(" {{\"a\" :{text}, \"b\":[1]}}")] {
                let theirs = serde_json::from_str::<serde_json::Value>(&text);
                match (Json::read(text.as_bytes()), theirs) {
                    (Ok(ours), Ok(theirs)) => {
                        prop_assert_eq!(ours.nodes.len(), ours.nodes.capacity());
                        same(ours.root(), &theirs);
                    }
                    (Err(_), Err(_)) => {}
                    (ours, theirs) => prop_assert!(false, "{text}: {ours:?}, {theirs:?}"),
                }
            }
        }
    }

    #[test]
    fn errors_are_those_of_serde_json() {
        let deep = "[".repeat(129) + &"]".repeat(129);
        for text in [
            "",
            "[1,]",
            "{\"a\"}",
            "\n [1e999]",
            "\n\n  {\"a\": [0,\n1e999 ]}",
            "nul",
            "[1] 2",
            &deep,
        ] {
            let theirs = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
            let ours = Json::read(text.as_bytes()).unwrap_err();
            assert_eq!(
                format!("{} at line {} column {}", ours.what, ours.line, ours.column),
                theirs.to_string(),
                "{text}"
            );
        }
        assert!(Json::read(b"\"\xff\"").is_err());
        assert!(Json::read(&deep.as_bytes()[1..258]).is_err(), "not closed");
        assert!(Json::read(("[".repeat(127) + &"]".repeat(127)).as_bytes()).is_ok());
    }
}
