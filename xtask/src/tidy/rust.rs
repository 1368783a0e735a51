//! A lexer that separates Rust code from comments and string literals.
//!
//! Rules about code must not match words in comments, and rules about texts must find string
//! literals. Every byte of a comment or literal is replaced by a space, so offsets and lines stay
//! the same; literals are kept in a list.
//!
//! Not here: macros are not expanded, `cfg` is not evaluated.
//!
//! Tests: `comments_and_literals_leave_the_code`, `a_lifetime_is_not_a_character`,
//! `literals_are_kept_with_their_place`, `test_modules_are_located`.

/// A Rust file, separated into code and literals.
pub(crate) struct Source {
    /// The file with every comment and every literal blanked; as long as the file.
    pub code: String,
    /// Every string literal, in order.
    pub literals: Vec<Literal>,
}

/// A string literal.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Literal {
    /// Offset of its opening quote.
    pub offset: usize,
    /// Text between the quotes, with escapes as written.
    pub text: String,
}

/// A token of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// Its offset.
    pub offset: usize,
    /// An identifier or number, `::`, or one character.
    pub text: &'a str,
}

impl Source {
    /// Reads a file.
    pub(crate) fn new(text: &str) -> Self {
        let mut reader = Reader { text, code: text.as_bytes().to_vec(), literals: Vec::new() };
        let mut at = 0;
        while at < text.len() {
            at = reader.step(at);
        }
        let code = String::from_utf8(reader.code).expect("whole characters were blanked");
        Self { code, literals: reader.literals }
    }

    /// Tokens of the code, in order.
    pub(crate) fn tokens(&self) -> Vec<Token<'_>> {
        let code = self.code.as_str();
        let mut tokens = Vec::new();
        let mut at = 0;
        while let Some(first) = code[at..].chars().next() {
            let length = if is_word(first) {
                code[at..].find(|c| !is_word(c)).unwrap_or(code.len() - at)
            } else if code[at..].starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            if !first.is_whitespace() {
                tokens.push(Token { offset: at, text: &code[at..at + length] });
            }
            at += length;
        }
        tokens
    }

    /// Range of every `#[cfg(test)] mod … { … }`.
    pub(crate) fn test_modules(&self) -> Vec<std::ops::Range<usize>> {
        let tokens = self.tokens();
        let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
        let mut modules = Vec::new();
        for i in 0..tokens.len() {
            let marked = words[i..].starts_with(&["#", "[", "cfg", "(", "test", ")", "]", "mod"]);
            if marked && words.get(i + 9) == Some(&"{") {
                let end = closing(&words, i + 9).map_or(self.code.len(), |end| tokens[end].offset);
                modules.push(tokens[i].offset..end);
            }
        }
        modules
    }
}

/// The index of the bracket that closes the one at `open`.
pub(crate) fn closing(words: &[&str], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (i, word) in words.iter().enumerate().skip(open) {
        match *word {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

struct Reader<'a> {
    text: &'a str,
    code: Vec<u8>,
    literals: Vec<Literal>,
}

impl Reader<'_> {
    /// Reads one token at `at` and returns the offset of the next.
    fn step(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        let first = rest.chars().next().unwrap_or('\0');
        if rest.starts_with("//") {
            return self.blank(at, rest.find('\n').unwrap_or(rest.len()));
        }
        if rest.starts_with("/*") {
            return self.blank(at, block_comment(rest));
        }
        if first == '"' {
            let length = quoted(rest, '"');
            return self.literal(at, 1, length, 1);
        }
        if first == '\'' {
            return match character(rest) {
                Some(length) => self.blank(at, length),
                None => at + 1,
            };
        }
        if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            if matches!(&rest[..length], "r" | "br" | "cr") {
                let hashes = rest[length..].bytes().take_while(|&byte| byte == b'#').count();
                if rest[length + hashes..].starts_with('"') {
                    let close = format!("\"{}", "#".repeat(hashes));
                    let body = length + hashes + 1;
                    let end = rest[body..].find(&close).map_or(rest.len(), |end| body + end);
                    let whole = (end + close.len()).min(rest.len());
                    return self.literal(at, body, whole, whole - end);
                }
            }
            return at + length;
        }
        at + first.len_utf8()
    }

    fn blank(&mut self, at: usize, length: usize) -> usize {
        for byte in &mut self.code[at..at + length] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at + length
    }

    /// Stores the text of a literal of `length` bytes, with marks of `open` and `close` bytes.
    fn literal(&mut self, at: usize, open: usize, length: usize, close: usize) -> usize {
        let end = (length.saturating_sub(close)).max(open);
        let text = self.text.get(at + open..at + end).unwrap_or_default().to_owned();
        self.literals.push(Literal { offset: at, text });
        self.blank(at, length)
    }
}

/// Length of a comment between `/*` and `*/`, which may be nested.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        if text[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if text[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                break;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

/// Length of a literal with escapes, including its quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return i + 1,
            _ => {}
        }
    }
    text.len()
}

/// Length of a character literal; `None` if the quote begins a lifetime.
fn character(text: &str) -> Option<usize> {
    let mut after = text.chars().skip(1);
    let first = after.next()?;
    (first == '\\' || after.next() == Some('\'')).then(|| quoted(text, '\''))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        let source = Source::new(text);
        assert_eq!(source.code.len(), text.len());
        source.code.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_and_literals_leave_the_code() {
        assert_eq!(code("a // b\nc"), "a c");
        assert_eq!(code("a /* b /* ° */ c */ d"), "a d");
        assert_eq!(code(r#"a "b \" c" d"#), "a d");
        assert_eq!(code(r##"a r#"b " c"# d"##), "a d");
        assert_eq!(code("a b\"c\" d"), "a b d");
        assert_eq!(code("r#match + var"), "r#match + var");
        assert_eq!(code("a \"never closed"), "a");
        assert_eq!(code("a r#\"never closed"), "a");
        assert_eq!(code("a /* never closed"), "a");
    }

    #[test]
    fn a_lifetime_is_not_a_character() {
        assert_eq!(code("fn f<'a>(x: &'a str) { '\"' ; '\\'' ; 'ä' ; b }"), {
            "fn f<'a>(x: &'a str) { ; ; ; b }"
        });
    }

    #[test]
    fn literals_are_kept_with_their_place() {
        let source = Source::new("x(\"one\", r\"two\", r#\"three\"#, \"\")");
        let found: Vec<(usize, &str)> =
            source.literals.iter().map(|literal| (literal.offset, literal.text.as_str())).collect();
        assert_eq!(found, [(2, "one"), (9, "two"), (17, "three"), (29, "")]);
    }

    #[test]
    fn tokens_keep_paths_together() {
        let source = Source::new("use crate::num::{ops};");
        let words: Vec<&str> = source.tokens().iter().map(|token| token.text).collect();
        assert_eq!(words, ["use", "crate", "::", "num", "::", "{", "ops", "}", ";"]);
    }

    #[test]
    fn test_modules_are_located() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests { fn b() { { } } }\nfn c() {}";
        let modules = Source::new(text).test_modules();
        assert_eq!(modules.len(), 1);
        assert_eq!(&text[modules[0].clone()], "#[cfg(test)]\nmod tests { fn b() { { } } ");
    }
}
