//! Parser of formulas: from text to a program, or to the column of the first error.
//!
//! Recursive descent: a sum of products of signed powers; the exponent of a power is signed again.
//! Each level appends its operation after those of its operands, so the program is in execution
//! order.

use std::f64::consts::PI;

use super::FormulaError;
use super::program::{DEPTH, Function, NAMED, Program, Step};

/// The one named constant.
const CONSTANT: (&str, f64) = ("pi", PI);

/// Whether a name is that of a function or the constant.
pub(super) fn is_taken(name: &str) -> bool {
    name == CONSTANT.0 || NAMED.iter().any(|(function, ..)| *function == name)
}

pub(super) fn parse(text: &str, names: &[String]) -> Result<Program, FormulaError> {
    let letters: Vec<char> = text.chars().collect();
    let mut reader =
        Reader { letters: &letters, at: 0, depth: 0, names, program: Program::default() };
    reader.sum()?;
    if reader.peek().is_some() {
        return Err(reader.unexpected("an operator or the end"));
    }
    Ok(reader.program)
}

struct Reader<'a> {
    letters: &'a [char],
    at: usize,
    depth: usize,
    names: &'a [String],
    program: Program,
}

impl Reader<'_> {
    /// Next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        while self.letters.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.letters.get(self.at).copied()
    }

    fn column(&self) -> usize {
        self.at + 1
    }

    /// Consumes `letter` if it is next and returns its column.
    fn take(&mut self, letter: char) -> Option<usize> {
        (self.peek() == Some(letter)).then(|| {
            self.at += 1;
            self.at
        })
    }

    /// Parses one level deeper, up to the limit: formulas come from files, and the call stack is
    /// finite.
    fn deeper(
        &mut self,
        part: impl FnOnce(&mut Self) -> Result<(), FormulaError>,
    ) -> Result<(), FormulaError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(FormulaError::TooDeep { column: self.column(), most: DEPTH });
        }
        part(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn apply(&mut self, function: Function, column: usize) -> Result<(), FormulaError> {
        self.program.push(Step::Apply(function), column)
    }

    fn sum(&mut self) -> Result<(), FormulaError> {
        self.product()?;
        loop {
            if let Some(column) = self.take('+') {
                self.product()?;
                self.apply(Function::Add, column)?;
            } else if let Some(column) = self.take('-') {
                self.product()?;
                self.apply(Function::Subtract, column)?;
            } else {
                return Ok(());
            }
        }
    }

    fn product(&mut self) -> Result<(), FormulaError> {
        self.signed()?;
        loop {
            if let Some(column) = self.take('*') {
                self.signed()?;
                self.apply(Function::Multiply, column)?;
            } else if let Some(column) = self.take('/') {
                self.signed()?;
                self.apply(Function::Divide, column)?;
            } else {
                return Ok(());
            }
        }
    }

    fn signed(&mut self) -> Result<(), FormulaError> {
        match self.take('-') {
            Some(column) => {
                self.deeper(Self::signed)?;
                self.apply(Function::Negate, column)
            }
            None => self.power(),
        }
    }

    fn power(&mut self) -> Result<(), FormulaError> {
        self.base()?;
        if let Some(column) = self.take('^') {
            self.deeper(Self::signed)?;
            self.apply(Function::Power, column)?;
        }
        Ok(())
    }

    fn base(&mut self) -> Result<(), FormulaError> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                self.deeper(Self::sum)?;
                match self.take(')') {
                    Some(_) => Ok(()),
                    None => Err(self.unexpected("`)` or an operator")),
                }
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() => self.named(),
            _ => Err(self.unexpected("a number, a name or `(`")),
        }
    }

    fn number(&mut self) -> Result<(), FormulaError> {
        let (column, text) = (self.column(), self.word());
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => self.program.push(Step::Number(value), column),
            _ => Err(FormulaError::Unexpected {
                column,
                expected: "a number such as 0.5 or 1e-3",
                found: format!("`{text}`"),
            }),
        }
    }

    fn named(&mut self) -> Result<(), FormulaError> {
        let (column, name) = (self.column(), self.word());
        if let Some(&(_, function, form)) = NAMED.iter().find(|(known, ..)| *known == name) {
            return self.call(function, form, column);
        }
        if let Some(slot) = self.names.iter().position(|known| *known == name) {
            return self.program.push(Step::Variable(slot), column);
        }
        if name == CONSTANT.0 {
            return self.program.push(Step::Number(CONSTANT.1), column);
        }
        let is_call = self.peek() == Some('(');
        let functions = NAMED.iter().map(|(known, ..)| *known);
        let values = self.names.iter().map(String::as_str).chain([CONSTANT.0]);
        let known: Vec<&str> = if is_call { functions.collect() } else { values.collect() };
        let suggestion = nearest(&name, &known).map(str::to_owned);
        Err(FormulaError::UnknownName { column, name, suggestion, known: known.join(", ") })
    }

    fn call(
        &mut self,
        function: Function,
        form: &'static str,
        column: usize,
    ) -> Result<(), FormulaError> {
        if self.take('(').is_none() {
            return Err(self.unexpected("`(`"));
        }
        let mut given = 0;
        if self.take(')').is_none() {
            loop {
                self.deeper(Self::sum)?;
                given += 1;
                if self.take(')').is_some() {
                    break;
                }
                if self.take(',').is_none() {
                    return Err(self.unexpected("`)`, `,` or an operator"));
                }
            }
        }
        let needed = function.arity();
        if given != needed {
            return Err(FormulaError::WrongCount { column, form, needed, given });
        }
        self.apply(function, column)
    }

    /// Letters, digits, points and underscores from here on, with the sign of an exponent.
    fn word(&mut self) -> String {
        let start = self.at;
        let is_number = self.letters[start].is_ascii_digit() || self.letters[start] == '.';
        while let Some(&c) = self.letters.get(self.at) {
            let exponent = is_number
                && matches!(c, '+' | '-')
                && self.at > start
                && matches!(self.letters[self.at - 1], 'e' | 'E');
            if !(c.is_alphanumeric() || c == '_' || (is_number && c == '.') || exponent) {
                break;
            }
            self.at += 1;
        }
        self.letters[start..self.at].iter().collect()
    }

    /// Syntax error at the current position.
    fn unexpected(&mut self, expected: &'static str) -> FormulaError {
        let found = match self.peek() {
            None => "the end".to_owned(),
            Some(c) if c.is_alphanumeric() => {
                let at = self.at;
                let word = self.word();
                self.at = at;
                format!("`{word}`")
            }
            Some(c) => format!("`{c}`"),
        };
        FormulaError::Unexpected { column: self.column(), expected, found }
    }
}

/// Nearest known name: at most one edit per three letters, ignoring case.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let plain = name.to_lowercase();
    let most = plain.chars().count().min(40) / 3;
    let distance = |other: &str| strsim::damerau_levenshtein(&plain, &other.to_lowercase());
    let near = known.iter().map(|&other| (distance(other), other));
    near.filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|n| n.1)
}
