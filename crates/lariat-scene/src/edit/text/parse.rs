//! Text to edit. Errors name the column and the expected text.

use std::str::FromStr;

use super::{MAX_BATCH_DEPTH, MAX_EDIT_TEXT};
use crate::{
    document::Thing,
    edit::Edit,
    path::{Path, Step},
    value::{MAX_DEPTH, Table, Value},
};

/// Error of parsing the text of an edit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: expected {expected}, found {found}")]
pub struct EditTextError {
    /// Column of the error in characters, from 1.
    pub column: usize,
    /// Description of the expected text.
    pub expected: String,
    /// The text there.
    pub found: String,
}

impl FromStr for Edit {
    type Err = EditTextError;

    fn from_str(text: &str) -> Result<Self, EditTextError> {
        if text.len() > MAX_EDIT_TEXT {
            return Err(EditTextError {
                column: 1,
                expected: format!("at most {MAX_EDIT_TEXT} bytes"),
                found: format!("{} bytes", text.len()),
            });
        }
        let mut scan = Scan::new(text);
        let edit = scan.edit(0)?;
        scan.end()?;
        Ok(edit)
    }
}

/// First words of all edits, for messages.
const VERBS: &str = "`set`, `unset`, `restore`, `insert`, `remove`, `move`, `rename`, `key`, \
                     `unkey` or `batch`";

/// Position in a text.
struct Scan<'t> {
    text: &'t str,
    at: usize,
}

type Parsed<T> = Result<T, EditTextError>;

impl<'t> Scan<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn wrong<T>(&self, expected: impl Into<String>) -> Parsed<T> {
        let found: String = self.rest().chars().take(20).collect();
        let more = if found.len() < self.rest().len() { "…" } else { "" };
        Err(EditTextError {
            column: self.text[..self.at].chars().count() + 1,
            expected: expected.into(),
            found: match found.is_empty() {
                true => "the end".to_owned(),
                false => format!("`{}{more}`", found.escape_debug()),
            },
        })
    }

    fn skip_blanks(&mut self) {
        let blanks = self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
        self.at += blanks;
    }

    /// Skips a text if it is next.
    fn skip(&mut self, token: &str) -> bool {
        let next = self.rest().starts_with(token);
        self.at += if next { token.len() } else { 0 };
        next
    }

    /// Skips a symbol, and blanks around it.
    fn symbol(&mut self, symbol: &str) -> Parsed<()> {
        self.skip_blanks();
        if !self.skip(symbol) {
            return self.wrong(format!("`{symbol}`"));
        }
        self.skip_blanks();
        Ok(())
    }

    /// Characters of a word, without moving.
    fn peek(&self, belongs: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        &rest[..rest.find(|c| !belongs(c)).unwrap_or(rest.len())]
    }

    /// Skips a word such as `at`, with blanks around it.
    fn word(&mut self, word: &str) -> Parsed<()> {
        self.skip_blanks();
        if self.peek(is_letter) != word {
            return self.wrong(format!("`{word}`"));
        }
        self.at += word.len();
        self.skip_blanks();
        Ok(())
    }

    fn end(&mut self) -> Parsed<()> {
        self.skip_blanks();
        if self.rest().is_empty() { Ok(()) } else { self.wrong("the end") }
    }

    /// One edit inside `depth` batches.
    fn edit(&mut self, depth: usize) -> Parsed<Edit> {
        self.skip_blanks();
        let start = self.at;
        let verb = self.peek(is_letter);
        self.at += verb.len();
        self.skip_blanks();
        Ok(match verb {
            "set" => Edit::Set { path: self.path()?, value: self.assigned()? },
            "unset" => Edit::Unset { path: self.path()? },
            "restore" => Edit::Restore {
                path: self.path()?,
                position: self.index_after("at")?,
                value: self.assigned()?,
            },
            "insert" => Edit::Insert {
                list: self.path()?,
                index: self.index_after("at")?,
                value: self.assigned()?,
            },
            "remove" => Edit::Remove { list: self.path()?, index: self.index_after("at")? },
            "move" => Edit::Move {
                list: self.path()?,
                from: self.index_after("from")?,
                to: self.index_after("to")?,
            },
            "rename" => {
                let list = self.peek(is_letter);
                let Some(thing) = Thing::of_list(list) else {
                    return self.wrong("`body`, `locator`, `collider` or `camera`");
                };
                self.at += list.len();
                self.skip_blanks();
                let from = self.quoted()?;
                self.word("to")?;
                Edit::Rename { thing, from, to: self.quoted()? }
            }
            "key" => Edit::SetKey {
                channel: self.path()?,
                frame: self.number_after("at")?,
                value: self.assigned()?,
            },
            "unkey" => Edit::RemoveKey { channel: self.path()?, frame: self.number_after("at")? },
            "batch" if depth >= MAX_BATCH_DEPTH => {
                self.at = start;
                return self.wrong(format!("at most {MAX_BATCH_DEPTH} batches inside each other"));
            }
            "batch" => Edit::Batch(self.batch(depth)?),
            _ => {
                self.at = start;
                return self.wrong(VERBS);
            }
        })
    }

    fn batch(&mut self, depth: usize) -> Parsed<Vec<Edit>> {
        self.symbol("{")?;
        let mut edits = Vec::new();
        if self.skip("}") {
            return Ok(edits);
        }
        loop {
            edits.push(self.edit(depth + 1)?);
            self.skip_blanks();
            if self.skip("}") {
                return Ok(edits);
            }
            if !self.skip(";") {
                return self.wrong("`;` or `}`");
            }
        }
    }

    fn index_after(&mut self, word: &str) -> Parsed<usize> {
        self.word(word)?;
        self.index()
    }

    fn index(&mut self) -> Parsed<usize> {
        let digits = self.peek(|c| c.is_ascii_digit());
        match digits.parse() {
            Ok(index) => {
                self.at += digits.len();
                Ok(index)
            }
            Err(_) => self.wrong("a whole number"),
        }
    }

    fn number_after(&mut self, word: &str) -> Parsed<f64> {
        self.word(word)?;
        self.number()
    }

    fn number(&mut self) -> Parsed<f64> {
        let token = self.peek(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | ':'));
        let digits = token.strip_prefix('-').unwrap_or(token);
        let number = match token {
            "nan" => Some(f64::NAN),
            "inf" => Some(f64::INFINITY),
            "-inf" => Some(f64::NEG_INFINITY),
            _ => match token.strip_prefix("nan:") {
                Some(bits) if bits.len() == 16 => {
                    u64::from_str_radix(bits, 16).ok().map(f64::from_bits).filter(|x| x.is_nan())
                }
                _ if digits.starts_with(|c: char| c.is_ascii_digit()) => {
                    token.parse().ok().filter(|x: &f64| x.is_finite())
                }
                _ => None,
            },
        };
        let Some(number) = number else { return self.wrong("a number") };
        self.at += token.len();
        Ok(number)
    }

    fn path(&mut self) -> Parsed<Path> {
        if self.skip(".") {
            return Ok(Path::root());
        }
        let mut path = Path::root();
        loop {
            if self.skip("[") {
                let index = self.index()?;
                if !self.skip("]") {
                    return self.wrong("`]`");
                }
                path.push(Step::Index(index));
            } else if path.steps().is_empty() || self.skip(".") {
                let name = self.name("a path, like `body.rein.length`")?;
                path.push(Step::Field(name.into()));
            } else {
                return Ok(path);
            }
        }
    }

    /// A plain or quoted name.
    fn name(&mut self, expected: &str) -> Parsed<String> {
        if self.rest().starts_with('"') {
            return self.quoted();
        }
        let name = self.peek(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if name.is_empty() {
            return self.wrong(expected);
        }
        self.at += name.len();
        Ok(name.to_owned())
    }

    /// A text in quotes.
    fn quoted(&mut self) -> Parsed<String> {
        if !self.skip("\"") {
            return self.wrong("`\"`");
        }
        let mut text = String::new();
        loop {
            let plain = self.peek(|c| c != '"' && c != '\\' && c != '\n');
            text.push_str(plain);
            self.at += plain.len();
            if self.skip("\"") {
                return Ok(text);
            }
            if !self.skip("\\") {
                return self.wrong("a closing `\"`");
            }
            match escape(self.rest()) {
                Some((c, bytes)) => {
                    text.push(c);
                    self.at += bytes;
                }
                None => return self.wrong("`\"`, `\\`, `n`, `r`, `t` or `u` with four digits"),
            }
        }
    }

    fn assigned(&mut self) -> Parsed<Value> {
        self.symbol("=")?;
        self.value(1)
    }

    /// A value at a level of nesting.
    fn value(&mut self, level: usize) -> Parsed<Value> {
        if level > MAX_DEPTH {
            return self.wrong(format!("at most {MAX_DEPTH} levels of lists and tables"));
        }
        match self.rest().chars().next() {
            Some('"') => self.quoted().map(Value::from),
            Some('[') => self.list(level),
            Some('{') => self.table(level),
            _ => match self.peek(is_letter) {
                word @ ("true" | "false") => {
                    self.at += word.len();
                    Ok(Value::Switch(word == "true"))
                }
                _ => self.number().map(Value::Number).or_else(|_| self.wrong("a value")),
            },
        }
    }

    fn list(&mut self, level: usize) -> Parsed<Value> {
        self.symbol("[")?;
        let mut list = Vec::new();
        if self.skip("]") {
            return Ok(Value::List(list));
        }
        loop {
            list.push(self.value(level + 1)?);
            self.skip_blanks();
            if self.skip("]") {
                return Ok(Value::List(list));
            }
            if !self.skip(",") {
                return self.wrong("`,` or `]`");
            }
            self.skip_blanks();
        }
    }

    fn table(&mut self, level: usize) -> Parsed<Value> {
        self.symbol("{")?;
        let mut table = Table::new();
        if self.skip("}") {
            return Ok(Value::Table(table));
        }
        loop {
            let start = self.at;
            let name = self.name("a name")?;
            if table.position(&name).is_some() {
                self.at = start;
                return self.wrong("a name that is not in the table yet");
            }
            self.symbol("=")?;
            table.push_new(name.into(), self.value(level + 1)?);
            self.skip_blanks();
            if self.skip("}") {
                return Ok(Value::Table(table));
            }
            if !self.skip(",") {
                return self.wrong("`,` or `}`");
            }
            self.skip_blanks();
        }
    }
}

/// Reads a text in quotes, as `format::write_value` writes it; returns the text after it, too.
pub fn unquote(text: &str) -> Result<(String, &str), EditTextError> {
    let mut scan = Scan::new(text);
    let unquoted = scan.quoted()?;
    scan.skip_blanks();
    Ok((unquoted, scan.rest()))
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic()
}

/// Character of an escape without its backslash, and the length of the escape.
pub(crate) fn escape(text: &str) -> Option<(char, usize)> {
    let c = text.chars().next()?;
    let plain = match c {
        '"' | '\\' => c,
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            let digits = text.get(1..5).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
            return char::from_u32(u32::from_str_radix(digits, 16).ok()?).map(|c| (c, 5));
        }
        _ => return None,
    };
    Some((plain, 1))
}
