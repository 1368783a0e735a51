//! Parser of USD text files: prims with the attributes that describe motion.
//!
//! Other attributes are skipped without being stored: a file of a gigabyte is mostly normals and
//! texture coordinates. References, payloads and variants are not followed.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::super::{MAX_PARTS, ReadError};
use super::lex::{Lexer, Token};

/// Limit on the nesting of prims.
const MAX_DEPTH: usize = 256;

/// Value of an attribute at one time.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Numbers, flattened.
    Numbers(Vec<f64>),
    /// Strings and tokens. Boxed, because most values are numbers.
    Words(Box<Words>),
}

/// Strings, one after another in one text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Words {
    text: String,
    /// End of each of them.
    ends: Vec<usize>,
}

impl Words {
    fn push(&mut self, word: &str) {
        self.text += word;
        self.ends.push(self.text.len());
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &str> {
        (0..self.ends.len()).map(|index| {
            let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.text[start..self.ends[index]]
        })
    }
}

impl Value {
    fn numbers(&self) -> Option<&[f64]> {
        match self {
            Self::Numbers(numbers) => Some(numbers),
            Self::Words(_) => None,
        }
    }
}

/// An attribute: a default value, or time samples.
#[derive(Clone, Debug, Default)]
pub(super) struct Attribute {
    pub(super) always: Option<Value>,
    /// By time code, rising.
    pub(super) samples: Vec<(f64, Value)>,
}

/// One prim.
#[derive(Clone, Debug)]
pub(super) struct Prim {
    pub(super) path: String,
    /// `Mesh`, `BasisCurves`, …; empty if it has none.
    pub(super) kind: String,
    pub(super) line: usize,
    pub(super) parent: Option<usize>,
    /// Classes and their descendants are not part of the scene.
    pub(super) is_class: bool,
    pub(super) attributes: BTreeMap<String, Attribute>,
}

/// A layer: a whole file.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    /// Layer metadata.
    pub(super) head: BTreeMap<String, Value>,
    /// Prims, parents before children.
    pub(super) prims: Vec<Prim>,
}

impl Attribute {
    /// Numbers at a time code, interpolated linearly between samples and held beyond them. Samples
    /// of different lengths are held.
    pub(super) fn numbers(&self, time: f64) -> Option<Cow<'_, [f64]>> {
        let after = self.samples.partition_point(|(at, _)| *at <= time);
        let before = after.checked_sub(1).and_then(|i| self.samples.get(i));
        match (before, self.samples.get(after)) {
            (None, None) => self.always.as_ref()?.numbers().map(Cow::Borrowed),
            (Some((_, value)), None) | (None, Some((_, value))) => {
                value.numbers().map(Cow::Borrowed)
            }
            (Some((t0, a)), Some((t1, b))) => {
                let (a, b) = (a.numbers()?, b.numbers()?);
                if *t0 == time || a.len() != b.len() {
                    return Some(Cow::Borrowed(a));
                }
                let part = (time - t0) / (t1 - t0);
                Some(Cow::Owned(a.iter().zip(b).map(|(a, b)| a + (b - a) * part).collect()))
            }
        }
    }

    /// Strings of the attribute; those of the first sample if animated.
    pub(super) fn words(&self) -> impl DoubleEndedIterator<Item = &str> {
        let words = match self.always.as_ref().or(self.samples.first().map(|(_, value)| value)) {
            Some(Value::Words(words)) => Some(&**words),
            _ => None,
        };
        words.into_iter().flat_map(Words::iter)
    }
}

impl Prim {
    pub(super) fn numbers(&self, name: &str, time: f64) -> Option<Cow<'_, [f64]>> {
        self.attributes.get(name)?.numbers(time)
    }

    pub(super) fn words(&self, name: &str) -> impl DoubleEndedIterator<Item = &str> + use<'_> {
        self.attributes.get(name).into_iter().flat_map(Attribute::words)
    }
}

/// Whether an attribute is stored.
fn is_wanted(name: &str) -> bool {
    const WANTED: [&str; 11] = [
        "points",
        "curveVertexCounts",
        "widths",
        "wrap",
        "faceVertexCounts",
        "faceVertexIndices",
        "primvars:displayColor",
        "primvars:twist",
        "lariat:name",
        "lariat:material",
        "xformOpOrder",
    ];
    WANTED.contains(&name) || name.starts_with("xformOp:")
}

pub(super) fn parse(text: &str) -> Result<Layer, ReadError> {
    let mut lexer = Lexer::new(text);
    let mut layer = Layer::default();
    if lexer.take(b'(') {
        head(&mut lexer, &mut layer)?;
    }
    let mut open: Vec<usize> = Vec::new();
    // Last name read, the target of an `=`.
    let mut name = "";
    loop {
        match lexer.next()? {
            Token::End if open.is_empty() => return Ok(layer),
            token @ Token::End => return Err(lexer.unexpected("`}` at the end of a prim", &token)),
            Token::Word(word @ ("def" | "over" | "class")) => {
                let prim = prim_head(&mut lexer, word, open.last().copied(), &layer.prims)?;
                if layer.prims.len() >= MAX_PARTS {
                    return Err(ReadError::TooManyParts { line: lexer.line(), most: MAX_PARTS });
                }
                if open.len() >= MAX_DEPTH {
                    return Err(ReadError::TooDeep { line: lexer.line(), most: MAX_DEPTH });
                }
                open.push(layer.prims.len());
                layer.prims.push(prim);
                name = "";
            }
            Token::Word("variantSet") => {
                lexer.next()?;
                lexer.expect(b'=', "`=`")?;
                lexer.expect(b'{', "`{`")?;
                lexer.skip_bracket()?;
            }
            Token::Word(word) => name = word,
            Token::Sign('=') => {
                let kept = open.last().map(|&prim| &mut layer.prims[prim]);
                assignment(&mut lexer, name, kept)?;
                name = "";
            }
            Token::Sign('(' | '[' | '{') => lexer.skip_bracket()?,
            Token::Sign('}') if open.pop().is_some() => {}
            token @ Token::Sign(')' | ']' | '}') => {
                return Err(lexer.unexpected("a prim, an attribute or the end", &token));
            }
            _ => {}
        }
    }
}

/// Layer metadata, after the opening bracket.
fn head(lexer: &mut Lexer<'_>, layer: &mut Layer) -> Result<(), ReadError> {
    const WANTED: [&str; 5] =
        ["timeCodesPerSecond", "framesPerSecond", "startTimeCode", "metersPerUnit", "upAxis"];
    loop {
        match lexer.next()? {
            Token::Sign(')') => return Ok(()),
            Token::Sign('(' | '[' | '{') => lexer.skip_bracket()?,
            Token::Word(word) if WANTED.contains(&word) && lexer.take(b'=') => {
                if let Some(value) = value(lexer)? {
                    layer.head.insert(word.to_owned(), value);
                }
            }
            token @ Token::End => {
                return Err(lexer.unexpected("`)` at the end of the metadata", &token));
            }
            _ => {}
        }
    }
}

/// Type, name and metadata of a prim, up to its opening bracket.
fn prim_head(
    lexer: &mut Lexer<'_>,
    word: &str,
    parent: Option<usize>,
    prims: &[Prim],
) -> Result<Prim, ReadError> {
    let mut token = lexer.next()?;
    let line = lexer.line();
    let mut kind = String::new();
    if let Token::Word(word) = token {
        word.clone_into(&mut kind);
        token = lexer.next()?;
    }
    let Token::Text(name) = token else {
        return Err(lexer.unexpected("the name of a prim in quotes", &token));
    };
    if lexer.take(b'(') {
        lexer.skip_bracket()?;
    }
    lexer.expect(b'{', "`{` before the content of the prim")?;
    let above = parent.map(|parent| &prims[parent]);
    let path = format!("{}/{name}", above.map_or("", |prim| prim.path.as_str()));
    let is_class = word == "class" || above.is_some_and(|prim| prim.is_class);
    Ok(Prim { path, kind, line, parent, is_class, attributes: BTreeMap::new() })
}

/// The value after an `=`, stored if needed.
fn assignment(lexer: &mut Lexer<'_>, name: &str, prim: Option<&mut Prim>) -> Result<(), ReadError> {
    let (plain, over_time) = match name.strip_suffix(".timeSamples") {
        Some(plain) => (plain, true),
        None => (name, false),
    };
    let Some(prim) = prim.filter(|prim| is_wanted(plain) && !prim.is_class) else {
        // A single token, or a bracket that is skipped.
        if let Token::Sign('(' | '[' | '{') = lexer.next()? {
            lexer.skip_bracket()?;
        }
        return Ok(());
    };
    let attribute = prim.attributes.entry(plain.to_owned()).or_default();
    if !over_time {
        attribute.always = value(lexer)?;
        return Ok(());
    }
    lexer.expect(b'{', "`{` before time samples")?;
    loop {
        if lexer.take(b'}') {
            break;
        }
        let time = match lexer.next()? {
            Token::Number(time) if time.is_finite() => time,
            token => return Err(lexer.unexpected("the time of a sample", &token)),
        };
        lexer.expect(b':', "`:` after the time of a sample")?;
        attribute.samples.extend(value(lexer)?.map(|value| (time, value)));
        lexer.take(b',');
    }
    attribute.samples.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(())
}

/// A value; `None` for paths, dictionaries and USD's `None`.
fn value(lexer: &mut Lexer<'_>) -> Result<Option<Value>, ReadError> {
    Ok(match lexer.next()? {
        Token::Number(number) => Some(Value::Numbers(vec![number])),
        Token::Text(text) => {
            let mut words = Box::<Words>::default();
            words.push(&text);
            Some(Value::Words(words))
        }
        Token::Sign('[' | '(') => Some(list(lexer)?),
        Token::Sign('{') => {
            lexer.skip_bracket()?;
            None
        }
        Token::Word(_) | Token::Link => None,
        token => return Err(lexer.unexpected("a value", &token)),
    })
}

/// Content of a bracket that has just been opened, flattened.
fn list(lexer: &mut Lexer<'_>) -> Result<Value, ReadError> {
    let (mut numbers, mut words) = (Vec::new(), Words::default());
    let mut open = 1_usize;
    while open > 0 {
        match lexer.next()? {
            Token::Number(number) => numbers.push(number),
            Token::Text(text) => words.push(&text),
            Token::Sign('(' | '[') => open += 1,
            Token::Sign(')' | ']') => open -= 1,
            Token::Sign(',') | Token::Link => {}
            token => return Err(lexer.unexpected("a number, `,` or a closing bracket", &token)),
        }
    }
    Ok(if words.ends.is_empty() { Value::Numbers(numbers) } else { Value::Words(Box::new(words)) })
}
