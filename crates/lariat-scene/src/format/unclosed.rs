//! Detection of lists and inline tables that are never closed.
//!
//! After a missing `]` the parser reads the following lines as further entries of the list and
//! reports a missing comma in each of them. A line of the form `name = …` or `[header]` cannot be
//! an entry of a list, so brackets that are open there, or at the end of the file, are unclosed. So
//! are brackets inside a table whose `}` comes first, and inside a list whose `]` comes first.
//!
//! Only files that the parser rejects are searched. Strings and comments are skipped.
//!
//! Tests: `an_unclosed_bracket_is_reported_where_it_opens`, `closed_brackets_are_not_reported`.

use crate::{
    check::{Code, Diagnostic},
    path::Path,
    place::Span,
};

/// Brackets that are open where they should be closed.
struct Unclosed {
    /// Start of the line that begins the value.
    start: usize,
    /// End of the value.
    end: usize,
    /// Positions of the brackets, outermost first.
    open: Vec<usize>,
    next: Next,
}

/// Text before which the brackets should be closed.
#[derive(Clone, Copy)]
enum Next {
    /// A line that cannot belong to the value.
    Line(Span),
    /// The closing bracket of a surrounding list or table.
    Bracket(Span),
    EndOfFile,
}

/// Maximum number of reported values, and of reported brackets of each.
const MOST: [usize; 2] = [50, 4];

/// Returns one diagnostic for each value with unclosed brackets, in the order of the file, and the
/// text with the lines of these values blanked, so that all positions remain valid. `None` if all
/// brackets are closed.
pub(super) fn unclosed(text: &str) -> Option<(Vec<Diagnostic>, String)> {
    let found = find(text);
    let mut rest = text.as_bytes().to_vec();
    for Unclosed { start, end, .. } in &found {
        for byte in rest[*start..*end].iter_mut().filter(|byte| **byte != b'\n') {
            *byte = b' ';
        }
    }
    let rest = String::from_utf8(rest).ok().filter(|_| !found.is_empty())?;
    let diagnostics = found.iter().take(MOST[0]).map(|found| diagnostic(found, text)).collect();
    Some((diagnostics, rest))
}

fn diagnostic(found: &Unclosed, text: &str) -> Diagnostic {
    let at = |byte: usize| Span::new(byte, byte + 1);
    let bracket = |byte: usize| &text[byte..=byte];
    let closing = |byte: usize| if bracket(byte) == "[" { "]" } else { "}" };
    let innermost = found.open[found.open.len() - 1];
    let innermost_first = || found.open.iter().rev().take(MOST[1]);
    let missing: String = innermost_first().map(|byte| closing(*byte)).collect();
    let mut diagnostic = Diagnostic::new(
        Code::Syntax,
        format!("invalid TOML: `{}` is not closed", bracket(innermost)),
    );
    for byte in innermost_first() {
        let label = format!("opened here, without its `{}`", closing(*byte));
        diagnostic = diagnostic.label(Some(at(*byte)), Path::root(), label);
    }
    match found.next {
        Next::Line(line) => diagnostic
            .label(Some(line), Path::root(), "the next parameter or table starts here")
            .help(format!("add `{missing}` before the next parameter or table")),
        Next::Bracket(closing) => diagnostic
            .label(Some(closing), Path::root(), "closes the value around it")
            .help(format!("add `{missing}` before this `{}`", bracket(closing.start as usize))),
        Next::EndOfFile => diagnostic.help(format!("add `{missing}` at the end of the file")),
    }
}

fn find(text: &str) -> Vec<Unclosed> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    // Whether the line has had an `=`: brackets before it belong to a header or a name.
    let mut in_value = false;
    // The last byte that is neither white space nor in a comment.
    let mut last = 0;
    // Values before this one have their end.
    let mut ended = 0;
    let (mut start, mut at) = (0, 0);
    while at < bytes.len() {
        if at == 0 || bytes[at - 1] == b'\n' {
            if let Some(next) = statement(text, at)
                && let Some(innermost) = open.last()
                && (bytes[*innermost] == b'[' || !matches!(last, b',' | b'{'))
            {
                let open = std::mem::take(&mut open);
                found.push(Unclosed { start, end: at, open, next: Next::Line(next) });
            }
            in_value = !open.is_empty();
            if !in_value {
                end_values(&mut found, &mut ended, at);
                start = at;
            }
        }
        match bytes[at] {
            b'#' => {
                at = line_end(bytes, at);
                continue;
            }
            quote @ (b'"' | b'\'') => {
                last = quote;
                at = after_string(bytes, at);
                continue;
            }
            b'=' => in_value = true,
            b'[' | b'{' if in_value => open.push(at),
            close @ (b']' | b'}') if in_value => {
                let partner = if close == b']' { b'[' } else { b'{' };
                match open.iter().rposition(|byte| bytes[*byte] == partner) {
                    Some(outer) => {
                        let inner = open.split_off(outer + 1);
                        open.pop();
                        if !inner.is_empty() {
                            let next = Next::Bracket(Span::new(at, at + 1));
                            found.push(Unclosed { start, end: at, open: inner, next });
                        }
                    }
                    // A bracket that closes nothing is another error, which the parser reports.
                    None => open.clear(),
                }
            }
            _ => {}
        }
        if !bytes[at].is_ascii_whitespace() {
            last = bytes[at];
        }
        at += 1;
    }
    if !open.is_empty() {
        found.push(Unclosed { start, end: at, open, next: Next::EndOfFile });
    }
    end_values(&mut found, &mut ended, at);
    found
}

/// Sets the end of all values that were found since the last call.
fn end_values(found: &mut [Unclosed], ended: &mut usize, end: usize) {
    found[*ended..].iter_mut().for_each(|value| value.end = end);
    *ended = found.len();
}

/// Range of a line without its indentation, if it is `name = …` or `[header]`.
fn statement(text: &str, start: usize) -> Option<Span> {
    let end = line_end(text.as_bytes(), start);
    let line = text.get(start..end)?;
    let inside = line.trim();
    let from = start + (line.len() - line.trim_start().len());
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '"' | '\'');
    let words = |text: &str| !text.is_empty() && text.chars().all(|c| is_name(c) || c == ' ');
    let assigns = inside.split_once('=').is_some_and(|(name, _)| words(name.trim()));
    let header = inside.split('#').next().unwrap_or_default().trim();
    let header = header.trim_start_matches('[').trim_end_matches(']');
    let named = header.starts_with(|c: char| c.is_ascii_alphabetic()) && words(header);
    let is_header = inside.starts_with('[') && named;
    (assigns || is_header).then(|| Span::new(from, from + inside.len()))
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |n| at + n)
}

/// Position after a string; an unclosed string ends with its line.
fn after_string(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let triple = [quote; 3];
    if bytes[start..].starts_with(&triple) {
        let mut at = start + 3;
        while at < bytes.len() {
            if bytes[at..].starts_with(&triple) {
                return at + 3;
            }
            at += if bytes[at] == b'\\' && quote == b'"' { 2 } else { 1 };
        }
        return bytes.len();
    }
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        if bytes[at] == quote {
            return at + 1;
        }
        at += if bytes[at] == b'\\' && quote == b'"' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use crate::format::read;

    /// Position and help of the only diagnostic.
    fn only(text: &str) -> (usize, String) {
        let found = read(text).unwrap_err();
        let [one] = &found[..] else { panic!("{text}: {found:?}") };
        assert!(one.message.contains("is not closed"), "{text}: {one}");
        (one.span().unwrap().range().start, one.helps[0].clone())
    }

    #[test]
    fn an_unclosed_bracket_is_reported_where_it_opens() {
        for (text, opened, help) in [
            ("a = [0, 0, 1\nb = 2\n", "[0, 0", "add `]` before the next parameter or table"),
            ("[[body]]\na = [0, 0, 1 # here\n\nto.b = [2, 3]\n", "[0, 0", "add `]` before"),
            ("a = [[1, 0], [24, 35]\nb = 2\n", "[[1", "add `]` before"),
            ("a = [[1, 0], [24, 35\nb = 2\n", "[24", "add `]]` before"),
            ("a = [1, 2,\n[[body]]\nname = 'x'\n", "[1, 2", "add `]` before"),
            ("a = { b = 1, c = 2\nd = 3\n", "{ b", "add `}` before"),
            ("a = { b = [1, 2 }\nd = 3\n", "[1", "add `]` before this `}`"),
            ("a = { keys = [[1, 0], [12, 20] }\nd = 3\n", "[[1", "add `]` before this `}`"),
            ("a = [{ b = 1, { c = 2 ]\nd = 3\n", "{ c", "add `}}` before this `]`"),
            ("a = {\n b = [1,\n 2 }\nd = 3\n", "[1", "add `]` before this `}`"),
            ("a = [{ b = \"]\", c = 2 }\n'd' = 3\n", "[{", "add `]` before"),
            ("a = { b = 1, c = [1, 2]\n[shot]\nfps = 24\n", "{ b", "add `}` before"),
            ("a = 1\nb = [1,\n  2", "[1", "add `]` at the end of the file"),
        ] {
            let (start, found) = only(text);
            assert_eq!(start, text.find(opened).unwrap(), "{text}");
            assert!(found.starts_with(help), "{text}: {found}");
        }
        // Each of them is reported, and the lines between them are not.
        let found = read("a = [1, 2\nb = 3\nc = [4\nd = 5\n").unwrap_err();
        assert_eq!(found.len(), 2, "{found:?}");
        // The whole value is skipped, not only the line of the bracket.
        only("a = [[\n  1], [\n  2\nb = 3\n");
        only("a = [\"\"\"\n\"\"\", [\nb = 3\n");
    }

    #[test]
    fn several_unclosed_brackets_of_one_value_are_reported() {
        // The inner list is closed by the wrong bracket, the outer one by the end of the file.
        let found = read("a = { b = [[1, 2\n{c]\n").unwrap_err();
        let helps: Vec<&str> = found.iter().map(|one| one.helps[0].as_str()).collect();
        assert_eq!(helps, ["add `]}` at the end of the file", "add `}` before this `]`"]);
    }

    #[test]
    fn closed_brackets_are_not_reported() {
        // Brackets in comments and strings do not count, and a missing comma is reported as such.
        for (text, at, help) in [
            ("a = [\n  [0, 1], # ] \n  [2, 3],\n]\nb = 1 2\n", "1 2", "put text between quotes"),
            ("a = ['x' 'y']\n", "'y'", "put one comma"),
            ("a = [\n  [0, 1]\n  [2, 3],\n]\nb = 1\n", "[2, 3]", "put one comma"),
            ("a = { b = '[' c = 1 }\nd = 1\n", "c = 1", "put one comma"),
        ] {
            let found = read(text).unwrap_err();
            let [one] = &found[..] else { panic!("{text}: {found:?}") };
            assert!(one.helps[0].starts_with(help), "{text}: {one}");
            assert_eq!(one.span().unwrap().range().start, text.find(at).unwrap(), "{text}: {one}");
        }
    }
}
