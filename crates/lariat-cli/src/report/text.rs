//! A finding drawn under the lines of the file it is about.
//!
//! ```text
//! error[L0601]: rope `rein` is shorter than the gap it must span
//!    ╭▸ barn.lariat:14:10
//!    │
//! 13 │ to = { locator = "hand" }
//! 14 │ length = 3.0
//!    │          ━━━ 3.000 m of rope; it needs 3.412 m in frames 1–44, worst at frame 37
//!    │
//!    ├ help: make it 3.413 m long or more, or bring its ends nearer
//!    ├ note: until then `rein` is drawn as a straight line
//!    ╰ more: lariat explain L0601
//! ```
//!
//! Only the lines that matter are handed to the drawing, so a thousand findings in a large file
//! take no longer than in a small one. Where a line is too long to be shown, or the file is no
//! text, the place is named without a picture. Names from the file cannot reach the terminal as
//! anything but letters.

use std::ops::Range;

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet, renderer::DecorStyle,
};
use lariat_scene::check::{Diagnostic, Label, Severity};

use crate::{input::Source, words};

/// Labels at most this many lines apart are shown in one picture, with the lines between them.
const NEAR: usize = 4;

/// A stretch that covers more lines than this is shown by its first line.
const TALL: usize = 6;

/// Lines longer than this, in bytes, are not drawn: a picture of them would help nobody.
const LONG: usize = 2000;

/// A file whose findings are drawn.
pub(crate) struct Drawing<'s> {
    name: &'s str,
    /// Nothing if the file is no text.
    text: Option<&'s str>,
    /// Where each line begins.
    lines: Vec<usize>,
    renderer: Renderer,
}

/// A label and the lines it covers, from 0.
struct Placed<'l> {
    label: &'l Label,
    kind: AnnotationKind,
    range: Range<usize>,
    lines: Range<usize>,
}

impl<'s> Drawing<'s> {
    pub(crate) fn new(source: &'s Source, colours: bool) -> Self {
        let newlines = source.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
        Self {
            name: &source.name,
            text: std::str::from_utf8(&source.bytes).ok(),
            lines: std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect(),
            renderer: renderer.decor_style(DecorStyle::Unicode),
        }
    }

    /// The finding as text, without a newline at its end.
    pub(crate) fn draw(&self, finding: &Diagnostic) -> String {
        let level = match finding.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let title = level.primary_title(words::shown(&finding.message)).id(finding.code.name());
        let mut group = Group::with_title(title);
        let mut undrawn = Vec::new();
        let mut placed = Vec::new();
        for (index, label) in finding.labels.iter().enumerate() {
            let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            match self.place(label, kind) {
                Some(one) => placed.push(one),
                None => undrawn.push(label),
            }
        }
        if placed.is_empty() {
            group = group.element(self.origin(finding));
        }
        for picture in pictures(placed) {
            group = group.element(self.picture(&picture));
        }
        for label in undrawn.into_iter().filter(|label| !label.text.is_empty()) {
            group = group.element(Level::NOTE.with_name("here").message(words::shown(&label.text)));
        }
        for help in &finding.helps {
            group = group.element(Level::HELP.message(words::shown(help)));
        }
        for note in &finding.notes {
            group = group.element(Level::NOTE.message(words::shown(note)));
        }
        let more = format!("lariat explain {}", finding.code);
        group = group.element(Level::INFO.with_name("more").message(more));
        self.renderer.render(&[group])
    }

    /// Where a label is drawn, if it can be.
    fn place<'l>(&self, label: &'l Label, kind: AnnotationKind) -> Option<Placed<'l>> {
        let text = self.text?;
        let range = label.span?.range();
        let range = range.start.min(text.len())..range.end.min(text.len());
        let first = self.line_of(range.start);
        // A stretch that ends with a newline ends on its line.
        let last = self.line_of(range.end.saturating_sub(1).max(range.start));
        let (range, last) = if last - first >= TALL {
            (range.start..self.line(first).end, first)
        } else {
            (range, last)
        };
        let lines = first..last + 1;
        let drawable = text.is_char_boundary(range.start)
            && text.is_char_boundary(range.end)
            && lines.clone().all(|line| self.line(line).len() <= LONG);
        drawable.then_some(Placed { label, kind, range, lines })
    }

    /// One picture: the lines of its labels, and the line before for the eye.
    fn picture<'d>(&'d self, labels: &[Placed<'_>]) -> Snippet<'d, Annotation<'d>> {
        let text = self.text.unwrap_or_default();
        let first = labels.iter().map(|label| label.lines.start).min().unwrap_or(0);
        let end = labels.iter().map(|label| label.lines.end).max().unwrap_or(1);
        let shows = |line: usize| {
            let range = self.line(line);
            range.len() <= LONG && !text[range].trim().is_empty()
        };
        let first = if first > 0 && shows(first - 1) { first - 1 } else { first };
        let start = self.lines[first];
        let source = &text[start..self.line(end - 1).end];
        Snippet::source(source).path(self.name).line_start(first + 1).fold(false).annotations(
            labels.iter().map(|placed| {
                let range = placed.range.start - start..placed.range.end - start;
                let said = words::shown(&placed.label.text);
                placed.kind.span(range).label((!said.is_empty()).then_some(said))
            }),
        )
    }

    /// The place of a finding without a picture.
    fn origin(&self, finding: &Diagnostic) -> Origin<'_> {
        let origin = Origin::path(self.name);
        match finding.span() {
            None => origin,
            Some(span) => {
                let at = span.range().start;
                let line = self.line_of(at);
                let before = self.text.and_then(|text| text.get(self.lines[line]..at));
                let column = before.map_or(at - self.lines[line], |text| text.chars().count());
                origin.line(line + 1).char_column(column + 1)
            }
        }
    }

    /// Which line a byte is in, from 0.
    fn line_of(&self, byte: usize) -> usize {
        self.lines.partition_point(|start| *start <= byte) - 1
    }

    /// The bytes of a line, without its end.
    fn line(&self, line: usize) -> Range<usize> {
        let text = self.text.unwrap_or_default();
        let start = self.lines[line];
        let end = self.lines.get(line + 1).map_or(text.len(), |next| next - 1);
        start..end.max(start)
    }
}

/// Labels gathered into pictures: near ones share one, and the one of the first label comes first.
fn pictures(placed: Vec<Placed<'_>>) -> Vec<Vec<Placed<'_>>> {
    let mut pictures: Vec<Vec<Placed<'_>>> = Vec::new();
    for label in placed {
        let is_near = |other: &Placed<'_>| {
            label.lines.start <= other.lines.end + NEAR
                && other.lines.start <= label.lines.end + NEAR
        };
        match pictures.iter_mut().find(|picture| picture.iter().any(is_near)) {
            Some(picture) => picture.push(label),
            None => pictures.push(vec![label]),
        }
    }
    pictures
}
