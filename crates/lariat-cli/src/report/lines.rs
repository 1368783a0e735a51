//! Line index of a file, built once for all diagnostics.
//!
//! Tests: `lines_and_columns_agree_with_lariat_scene`.

use std::{borrow::Cow, ops::Range};

use lariat_scene::printable_source;

use crate::input::Source;

/// Line index of a file; lines count from 0.
pub(super) struct Lines<'s> {
    /// `None` if the file is not UTF-8.
    pub(super) text: Option<Cow<'s, str>>,
    length: usize,
    starts: Vec<usize>,
}

impl<'s> Lines<'s> {
    pub(super) fn new(source: &'s Source) -> Self {
        let newlines = source.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        Self {
            text: std::str::from_utf8(&source.bytes).ok().map(printable_source),
            length: source.bytes.len(),
            starts: std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect(),
        }
    }

    /// Line of a byte offset.
    pub(super) fn line_of(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte.min(self.length)) - 1
    }

    /// Byte offset of the start of a line.
    pub(super) fn start(&self, line: usize) -> usize {
        self.starts[line]
    }

    /// Byte range of a line, without its newline.
    pub(super) fn bytes(&self, line: usize) -> Range<usize> {
        let start = self.starts[line];
        let end = self.starts.get(line + 1).map_or(self.length, |next| next - 1);
        start..end.max(start)
    }

    /// Line and column of a byte offset, both from 1; columns count characters in UTF-8 text.
    pub(super) fn line_and_column(&self, byte: usize) -> (usize, usize) {
        let byte = byte.min(self.length);
        let line = self.line_of(byte);
        let before = self.text.as_deref().and_then(|text| text.get(self.starts[line]..byte));
        let column = before.map_or(byte - self.starts[line], |text| text.chars().count());
        (line + 1, column + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_agree_with_lariat_scene() {
        for text in ["", "a = 1\nbé = 2\n\n", "no newline", "\n\n", "верёвка = 1\r\nx = 2"]
        {
            let source = Source { name: String::new(), bytes: text.as_bytes().to_vec() };
            let lines = Lines::new(&source);
            for byte in (0..=text.len() + 3).filter(|byte| text.is_char_boundary(*byte)) {
                assert_eq!(
                    lines.line_and_column(byte),
                    lariat_scene::line_and_column(text, byte),
                    "byte {byte} of {text:?}"
                );
            }
            assert_eq!(lines.line_and_column(999), lariat_scene::line_and_column(text, 999));
        }
    }

    #[test]
    fn binary_files_have_lines_too() {
        let source = Source { name: String::new(), bytes: b"a\n\xff\xffb\n".to_vec() };
        let lines = Lines::new(&source);
        assert_eq!(lines.line_and_column(4), (2, 3));
        assert_eq!(lines.bytes(1), 2..5);
        assert!(lines.text.is_none());
    }
}
