//! Replacements in a text, and queries about its lines.

use std::ops::Range;

use crate::place::{Form, Place, Places};

/// Replacement of a range of text.
#[derive(Clone)]
pub(super) struct Replacement {
    pub(super) range: Range<usize>,
    by: String,
    /// Inserted headers come after lines inserted at the same place, which would otherwise get under
    /// the wrong header.
    block: bool,
}

/// Replacements in a text.
pub(super) struct Replacements<'t> {
    text: &'t str,
    newline: &'static str,
    /// Replacements at the same place keep the order in which they were added.
    list: Vec<Replacement>,
    /// Positions of all headers, in order.
    headers: Vec<usize>,
}

impl<'t> Replacements<'t> {
    pub(super) fn new(text: &'t str, places: &Places) -> Self {
        let mut headers: Vec<usize> = places
            .fields
            .iter()
            .filter(|place| place.form == Form::Header)
            .map(|place| place.span.range().start)
            .collect();
        headers.sort_unstable();
        let crlf = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
        let newline = if crlf { "\r\n" } else { "\n" };
        Self { text, newline, list: Vec::new(), headers }
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// Replaces a range; an empty range is an insertion.
    pub(super) fn replace(&mut self, range: Range<usize>, by: String) {
        if !range.is_empty() || !by.is_empty() {
            self.list.push(Replacement { range, by, block: false });
        }
    }

    /// Number of replacements, a mark for [`Self::since`].
    pub(super) fn mark(&self) -> usize {
        self.list.len()
    }

    /// Removes and returns the replacements since a mark.
    pub(super) fn since(&mut self, mark: usize) -> Vec<Replacement> {
        self.list.split_off(mark)
    }

    /// Returns the text with all replacements.
    pub(super) fn apply(self) -> String {
        let whole = 0..self.text.len();
        apply(self.text, whole, self.list, self.newline)
    }

    /// Returns a range of the text with some replacements.
    pub(super) fn patched(&self, range: Range<usize>, replacements: Vec<Replacement>) -> String {
        apply(self.text, range, replacements, self.newline)
    }

    /// Start of the line of a byte.
    pub(super) fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |newline| newline + 1)
    }

    /// End of the line of a byte, including its line break.
    pub(super) fn line_end(&self, at: usize) -> usize {
        self.text[at..].find('\n').map_or(self.text.len(), |newline| at + newline + 1)
    }

    /// End of the line of a byte, without its line break.
    pub(super) fn line_end_before_break(&self, at: usize) -> usize {
        let end = self.line_end(at);
        at + self.text[at..end].trim_end_matches(['\r', '\n']).len()
    }

    /// Returns true if only white space precedes a byte in its line.
    pub(super) fn is_first_on_line(&self, at: usize) -> bool {
        self.text[self.line_start(at)..at].trim().is_empty()
    }

    /// Indentation of the line of a byte.
    pub(super) fn indent(&self, at: usize) -> &'t str {
        let line = &self.text[self.line_start(at)..at];
        &line[..line.len() - line.trim_start().len()]
    }

    /// Removes the line of a field.
    pub(super) fn remove_line(&mut self, place: &Place) {
        let start = self.line_start(place.name_span.range().start);
        let end = self.line_end(place.span.range().end);
        self.replace(start..end, String::new());
    }

    /// Adds a line to a table: after its `last` line, else after its header, else before the
    /// first header of the file.
    pub(super) fn add_line(&mut self, line: &str, last: Option<usize>, header: Option<&Place>) {
        match (last, header) {
            (Some(last), _) => self.insert_line(self.line_end(last), line),
            (None, Some(header)) => self.insert_line(self.line_end(header.span.range().end), line),
            (None, None) => match self.headers.first() {
                Some(first) => {
                    let at = self.block_start(*first);
                    self.replace(at..at, format!("{line}\n"));
                }
                None => self.insert_line(self.text.len(), line),
            },
        }
    }

    fn insert_line(&mut self, at: usize, line: &str) {
        let broken = at == 0 || self.text[..at].ends_with('\n');
        let line = if broken { line.to_owned() } else { format!("\n{line}") };
        self.replace(at..at, line);
    }

    /// Adds headers and their lines at the end of the file.
    pub(super) fn append_block(&mut self, block: &str) {
        self.insert_block(self.text.len(), block);
    }

    /// Inserts headers and their lines, with an empty line before them.
    pub(super) fn insert_block(&mut self, at: usize, block: &str) {
        let before = &self.text[..at];
        let gap = if before.trim().is_empty() || ends_with_empty_line(before) {
            ""
        } else if before.ends_with('\n') {
            "\n"
        } else {
            "\n\n"
        };
        // A block is followed by a header, which also needs an empty line before it.
        let after = if at < self.text.len() { "\n\n" } else { "\n" };
        let block = block.trim_end_matches(['\r', '\n']);
        self.list.push(Replacement {
            range: at..at,
            by: format!("{gap}{block}{after}"),
            block: true,
        });
    }

    /// Range of the header of a table and its lines, of which the last ends at `last`, with the
    /// comments directly above the header and directly below the last line, and the empty lines
    /// after them. Other comments are not included.
    pub(super) fn block(&self, place: &Place, last: Option<usize>) -> Range<usize> {
        let header = place.span.range();
        let next = self.headers.partition_point(|start| *start <= header.start);
        let most = self.headers.get(next).map_or(self.text.len(), |next| self.block_start(*next));
        let mut end = self.line_end(last.unwrap_or(header.end));
        let mut empty_seen = false;
        while end < most {
            let line_end = self.line_end(end);
            let line = self.text[end..line_end].trim();
            if !line.is_empty() && (empty_seen || !line.starts_with('#')) {
                break;
            }
            empty_seen |= line.is_empty();
            end = line_end;
        }
        self.block_start(header.start)..end.min(most)
    }

    /// Start of the comments directly above a header.
    pub(super) fn block_start(&self, header: usize) -> usize {
        let mut start = self.line_start(header);
        while start > 0 {
            let above = self.line_start(start - 1);
            if !self.text[above..start].trim_start().starts_with('#') {
                break;
            }
            start = above;
        }
        start
    }
}

fn ends_with_empty_line(text: &str) -> bool {
    text.ends_with("\n\n") || text.ends_with("\n\r\n")
}

/// Applies replacements to a range of text; inserted text gets the line breaks of the file.
fn apply(
    text: &str,
    range: Range<usize>,
    mut replacements: Vec<Replacement>,
    newline: &str,
) -> String {
    // The sort is stable: insertions at one position keep their order. An insertion at the start of
    // a replaced range comes before it.
    replacements.sort_by_key(|r| (r.range.start, r.range.end, r.block));
    let mut out = String::with_capacity(range.len());
    let mut at = range.start;
    for Replacement { range, by, .. } in replacements {
        if range.start > at {
            out.push_str(&text[at..range.start]);
        }
        if newline == "\n" {
            out.push_str(&by);
        } else {
            out.push_str(&by.replace("\r\n", "\n").replace('\n', newline));
        }
        at = at.max(range.end);
    }
    if at < range.end {
        out.push_str(&text[at..range.end]);
    }
    out
}
