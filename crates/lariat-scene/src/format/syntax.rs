//! Syntax errors of TOML as diagnostics.
//!
//! The parser continues after an error, so one run reports all errors. One mistake can cause several
//! errors in a line, so only the first error of each line is reported.

use std::fmt::Write as _;

use toml_parser::{Expected, ParseError};

use crate::{
    check::{Code, Diagnostic},
    path::Path,
    place::Span,
};

/// Maximum number of reported lines; a file that is not TOML has an error in every line.
const MOST: usize = 50;

/// Collects errors while a file is parsed.
#[derive(Default)]
pub(super) struct SyntaxErrors {
    list: Vec<ParseError>,
    more: usize,
}

impl toml_parser::ErrorSink for SyntaxErrors {
    fn report_error(&mut self, error: ParseError) {
        // Several per line are kept until the lines are known.
        if self.list.len() < 16 * MOST {
            self.list.push(error);
        } else {
            self.more += 1;
        }
    }
}

impl SyntaxErrors {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the diagnostics, at most one per line.
    pub(super) fn diagnostics(self, text: &str) -> Vec<Diagnostic> {
        let mut located: Vec<(Span, &ParseError)> =
            self.list.iter().map(|error| (place(error, text), error)).collect();
        located.sort_by_key(|(span, _)| *span);
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        let mut line_end = None;
        let mut more = self.more > 0;
        for (span, error) in located {
            if line_end.is_some_and(|end| span.start <= end) {
                continue;
            }
            if diagnostics.len() == MOST {
                more = true;
                break;
            }
            diagnostics.push(diagnostic(error, span, text));
            let start = span.start as usize;
            line_end = Some(text[start..].find('\n').map_or(text.len(), |n| start + n) as u32);
        }
        if let Some(last) = diagnostics.last_mut().filter(|_| more) {
            last.notes.push(format!("further errors after the first {MOST} are not listed"));
        }
        diagnostics
    }
}

fn place(error: &ParseError, text: &str) -> Span {
    let span = error.unexpected().or(error.context()).unwrap_or_default();
    let (mut start, mut end) = (span.start().min(text.len()), span.end().min(text.len()));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    Span::new(start, end.max(start))
}

fn diagnostic(error: &ParseError, span: Span, text: &str) -> Diagnostic {
    let description = error.description();
    let mut expected = String::new();
    for (i, one) in error.expected().unwrap_or_default().iter().enumerate() {
        expected += if i == 0 { "expected " } else { " or " };
        let _ = match one {
            Expected::Literal("\n") => write!(expected, "a new line"),
            Expected::Literal(literal) => write!(expected, "`{literal}`"),
            Expected::Description(description) => write!(expected, "{description}"),
            _ => write!(expected, "something else"),
        };
    }
    let found = text.get(span.range()).unwrap_or_default();
    // Matches parts of the parser's messages; unknown messages get the last help.
    let has = |words: &[&str]| words.iter().any(|word| description.contains(word));
    let help = if let Some(control) = found.chars().find(|c| c.is_control() && !c.is_whitespace()) {
        format!("remove the control character U+{:04X}", u32::from(control))
    } else if description.contains("string values must be quoted") {
        let word = found.trim();
        format!("put text between quotes: \"{word}\"")
    } else if has(&["unclosed", "opening", "table open"])
        || expected.contains("`\"`")
        || expected.contains("`'`")
    {
        "close every `[`, `{` and `\"`".to_owned()
    } else if has(&["comma"]) {
        "put one comma between two entries".to_owned()
    } else if has(&["escape", "unicode"]) {
        "write a backslash as `\\\\`, or put the text between single quotes".to_owned()
    } else if has(&["number", "numeric", "integer", "digit", "leading zero", " sign", "radix"]) {
        "write numbers like `12`, `0.5` or `1e-3`".to_owned()
    } else {
        "every line is `name = value`, a `[table]` or a `# comment`".to_owned()
    };
    Diagnostic::new(Code::Syntax, format!("invalid TOML: {description}"))
        .label(Some(span), Path::root(), expected)
        .help(help)
}
