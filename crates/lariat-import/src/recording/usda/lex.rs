//! Lexer of USD text files.

use super::super::ReadError;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// A name or a type: `def`, `point3f[]`, `points.timeSamples`, `xformOp:translate`.
    Word(&'a str),
    /// A number; `inf` and `nan` are numbers too.
    Number(f64),
    /// A quoted string.
    Text(String),
    /// A path in `<>` or a file between `@`; not followed.
    Link,
    /// A bracket, `=`, `:`, `,` or any other single character.
    Sign(char),
    /// End of the file.
    End,
}

/// Splits a text into tokens.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Offset up to which lines have been counted, and the line number there.
    counted: (usize, usize),
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, counted: (0, 1) }
    }

    /// Line number of the next token. Counting continues from the last call, since every prim asks
    /// for its line.
    pub(super) fn line(&mut self) -> usize {
        let (from, line) = if self.counted.0 <= self.at { self.counted } else { (0, 1) };
        let breaks = self.text.as_bytes()[from..self.at].iter().filter(|&&byte| byte == b'\n');
        self.counted = (self.at, line + breaks.count());
        self.counted.1
    }

    pub(super) fn unexpected(&mut self, expected: &str, found: &Token<'_>) -> ReadError {
        let found = match found {
            Token::Word(word) => format!("`{word}`"),
            Token::Number(number) => format!("`{number}`"),
            Token::Text(text) => format!("\"{}\"", text.chars().take(40).collect::<String>()),
            Token::Link => "a path".to_owned(),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the file".to_owned(),
        };
        ReadError::Unexpected { line: self.line(), expected: expected.to_owned(), found }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t' | b';') => self.at += 1,
                Some(b'#') => {
                    let end = self.rest().find('\n').unwrap_or(self.rest().len());
                    self.at += end;
                }
                _ => return,
            }
        }
    }

    /// Next byte after whitespace, without consuming it.
    pub(super) fn peek(&mut self) -> Option<u8> {
        self.skip_blanks();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Consumes `sign` if it is next.
    pub(super) fn take(&mut self, sign: u8) -> bool {
        let is_next = self.peek() == Some(sign);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn expect(&mut self, sign: u8, expected: &str) -> Result<(), ReadError> {
        if self.take(sign) {
            return Ok(());
        }
        let before = self.at;
        let found = self.next()?;
        self.at = before;
        Err(self.unexpected(expected, &found))
    }

    pub(super) fn next(&mut self) -> Result<Token<'a>, ReadError> {
        self.skip_blanks();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(Token::End) };
        match first {
            '"' | '\'' => self.text_token(first),
            '@' => self.link("@", "@"),
            '<' => self.link("<", ">"),
            '0'..='9' | '-' | '+' | '.' => self.number(),
            c if c.is_alphabetic() || c == '_' => Ok(self.word()),
            c => {
                self.at += c.len_utf8();
                Ok(Token::Sign(c))
            }
        }
    }

    fn word(&mut self) -> Token<'a> {
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let word = rest[..end].trim_end_matches([':', '.']);
        let end = word.len() + if rest[word.len()..].starts_with("[]") { 2 } else { 0 };
        self.at += end;
        match word {
            "inf" => Token::Number(f64::INFINITY),
            "nan" => Token::Number(f64::NAN),
            _ => Token::Word(&rest[..end]),
        }
    }

    fn number(&mut self) -> Result<Token<'a>, ReadError> {
        let rest = self.rest();
        let is_part = |c: &u8| matches!(c, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let end = rest.as_bytes().iter().position(|c| !is_part(c)).unwrap_or(rest.len());
        if let Ok(number) = rest[..end].parse() {
            self.at += end;
            return Ok(Token::Number(number));
        }
        if rest.starts_with("-inf") {
            self.at += 4;
            return Ok(Token::Number(f64::NEG_INFINITY));
        }
        let found: String = rest.chars().take(end.max(1)).collect();
        Err(ReadError::Unexpected {
            line: self.line(),
            expected: "a number".to_owned(),
            found: format!("`{found}`"),
        })
    }

    /// A path or file name, skipped up to its closing mark.
    fn link(&mut self, open: &str, close: &str) -> Result<Token<'a>, ReadError> {
        let rest = self.rest();
        // Triple marks enclose a path that contains a mark.
        let (open, close) =
            if open == "@" && rest.starts_with("@@@") { ("@@@", "@@@") } else { (open, close) };
        match rest[open.len()..].find(close) {
            Some(end) => {
                self.at += open.len() + end + close.len();
                Ok(Token::Link)
            }
            None => Err(self.unterminated(close)),
        }
    }

    fn unterminated(&mut self, close: &str) -> ReadError {
        ReadError::Unexpected {
            line: self.line(),
            expected: format!("a closing `{close}`"),
            found: "the end of the file".to_owned(),
        }
    }

    fn text_token(&mut self, quote: char) -> Result<Token<'a>, ReadError> {
        let rest = self.rest();
        let thrice = [quote; 3].iter().collect::<String>();
        let close = if rest.starts_with(&thrice) { thrice } else { quote.to_string() };
        let mut text = String::new();
        let mut inside = &rest[close.len()..];
        loop {
            let Some(stop) = inside.find([quote, '\\']) else {
                return Err(self.unterminated(&close));
            };
            text.push_str(&inside[..stop]);
            inside = &inside[stop..];
            if let Some(after) = inside.strip_prefix(close.as_str()) {
                self.at = self.text.len() - after.len();
                return Ok(Token::Text(text));
            }
            // An escape, or a single quote within triple quotes.
            let mut letters = inside.chars();
            match letters.next() {
                Some('\\') => match letters.next() {
                    Some('n') => text.push('\n'),
                    Some('r') => text.push('\r'),
                    Some('t') => text.push('\t'),
                    Some('x') => {
                        let code = letters
                            .as_str()
                            .get(..2)
                            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
                        text.extend(code.map(char::from));
                        if code.is_some() {
                            letters.nth(1);
                        }
                    }
                    Some(other) => text.push(other),
                    None => return Err(self.unterminated(&close)),
                },
                other => text.extend(other),
            }
            inside = letters.as_str();
        }
    }

    /// Skips to the end of a bracket that has just been opened.
    pub(super) fn skip_bracket(&mut self) -> Result<(), ReadError> {
        let mut open = 1_usize;
        while open > 0 {
            match self.next()? {
                Token::Sign('(' | '[' | '{') => open += 1,
                Token::Sign(')' | ']' | '}') => open -= 1,
                Token::End => return Err(self.unexpected("a closing bracket", &Token::End)),
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text);
        let mut all = Vec::new();
        loop {
            match lexer.next().unwrap() {
                Token::End => return all,
                token => all.push(token),
            }
        }
    }

    #[test]
    fn a_line_is_split_into_tokens() {
        let all =
            words("point3f[] points.timeSamples = { # all\n 1.5: [(-1e-3, inf)], <a/b> @x.usd@ }");
        let sign = Token::Sign;
        assert_eq!(
            all,
            [
                Token::Word("point3f[]"),
                Token::Word("points.timeSamples"),
                sign('='),
                sign('{'),
                Token::Number(1.5),
                sign(':'),
                sign('['),
                sign('('),
                Token::Number(-1e-3),
                sign(','),
                Token::Number(f64::INFINITY),
                sign(')'),
                sign(']'),
                sign(','),
                Token::Link,
                Token::Link,
                sign('}'),
            ]
        );
    }

    #[test]
    fn strings_are_unescaped_as_in_usd() {
        for (text, meant) in [
            (r#""a \"b\"\\\n\x41é""#, "a \"b\"\\\nAé"),
            ("'it is \"so\"'", "it is \"so\""),
            ("\"\"\"two\n\"lines\" \"\"\"", "two\n\"lines\" "),
            ("\"\"", ""),
        ] {
            assert_eq!(words(text), [Token::Text(meant.to_owned())], "{text}");
        }
        assert!(Lexer::new("\"no end").next().is_err());
    }

    #[test]
    fn brackets_are_skipped_whole() {
        let mut lexer = Lexer::new("( [ \")\" { } ] # )\n ) after");
        assert!(lexer.take(b'('));
        lexer.skip_bracket().unwrap();
        assert_eq!((lexer.next().unwrap(), lexer.line()), (Token::Word("after"), 2));
        assert!(Lexer::new("( [ )").skip_bracket().is_err());
    }
}
