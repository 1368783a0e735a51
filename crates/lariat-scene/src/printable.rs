//! Text from documents that is safe to print.
//!
//! A name from a file may contain control characters, which send commands to a terminal, and characters
//! that are not seen themselves: they reverse the text after them or hide in it.
//!
//! Tests: `nothing_invisible_is_left`, `source_keeps_its_positions`.

use std::borrow::Cow;

/// Text with control characters and invisible characters as escapes, `\u{202e}`.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || is_invisible(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// Text with visible characters of the same length in place of invisible ones, so that positions stay.
/// Control characters stay.
pub fn printable_source(text: &str) -> Cow<'_, str> {
    if !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| match c.len_utf8() {
        _ if !is_invisible(c) => c,
        2 => '·',
        3 => '\u{fffd}',
        _ => '\u{1f532}',
    };
    Cow::Owned(text.chars().map(shown).collect())
}

/// True for a character that is not seen itself: it changes the direction of text, or has no width. The
/// joiners of emoji and of Persian words are allowed.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{61c}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIDDEN: &str = "a\u{202e}b\u{61c}c\u{200b}d\u{2028}e\u{e0041}f";

    #[test]
    fn nothing_invisible_is_left() {
        assert_eq!(printable("rein"), "rein");
        assert_eq!(printable("a\u{1b}[31m\n"), "a\\u{1b}[31m\\n");
        assert!(printable(HIDDEN).is_ascii());
        assert_eq!(printable("می\u{200c}خواهم"), "می\u{200c}خواهم");
    }

    #[test]
    fn source_keeps_its_positions() {
        let shown = printable_source(HIDDEN);
        assert_eq!(shown.len(), HIDDEN.len());
        for (c, at) in "abcdef".chars().map(|c| (c, HIDDEN.find(c))) {
            assert_eq!(shown.find(c), at, "{c}");
        }
        assert!(!shown.contains(is_invisible));
        assert!(matches!(printable_source("rein"), Cow::Borrowed(_)));
    }
}
