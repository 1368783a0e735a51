//! Diagnostics as annotated source lines.
//!
//! ```text
//! error[L0601]: rope `rein` is shorter than the gap it must span
//!    ╭▸ barn.lariat:14:10
//!    │
//! 13 │ to = { locator = "hand" }
//! 14 │ length = 3.0
//!    │          ━━━ 3.000 m of rope; it needs 3.412 m in frames 1–44, worst at frame 37
//!    │
//!    ├ help: set `length` to 3.413 or more, or bring its ends nearer
//!    ├ note: until then `rein` is drawn as a straight line
//!    ╰ more: lariat explain L0601
//! ```
//!
//! Only the annotated lines are passed to the renderer, so the cost does not depend on the size of
//! the file. If a line is too long, or the file is not text, only the position is printed. Control
//! characters from the file are escaped.
//!
//! Tests: `the_example_of_every_page_is_drawn`, `corrupt_files_are_drawn_without_panic`,
//! `diagnostics_are_drawn_under_the_line_they_are_about`.

use std::ops::Range;

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet, renderer::DecorStyle,
};
use lariat_scene::check::{Diagnostic, Label, Severity};

use super::lines::Lines;
use crate::{input::Source, words};

/// Labels at most this many lines apart share a snippet.
const NEAR: usize = 4;

/// Spans of more lines than this are shown by their first line.
const TALL: usize = 6;

/// Lines longer than this, in bytes, are not shown.
const LONG: usize = 2000;

/// Renderer for the diagnostics of a file.
pub(crate) struct Drawing<'s> {
    name: &'s str,
    lines: Lines<'s>,
    renderer: Renderer,
}

/// A label and its lines, from 0.
struct Placed<'l> {
    label: &'l Label,
    kind: AnnotationKind,
    range: Range<usize>,
    lines: Range<usize>,
}

impl<'s> Drawing<'s> {
    pub(crate) fn new(source: &'s Source, colours: bool) -> Self {
        let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
        Self {
            name: &source.name,
            lines: Lines::new(source),
            renderer: renderer.decor_style(DecorStyle::Unicode),
        }
    }

    /// Returns the diagnostic as text, without a trailing newline.
    pub(crate) fn draw(&self, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let title =
            level.primary_title(words::shown(&diagnostic.message)).id(diagnostic.code.name());
        let mut group = Group::with_title(title);
        let mut undrawn = Vec::new();
        let mut placed = Vec::new();
        for (index, label) in diagnostic.labels.iter().enumerate() {
            let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            match self.place(label, kind) {
                Some(one) => placed.push(one),
                None => undrawn.push(label),
            }
        }
        if placed.is_empty() {
            group = group.element(self.origin(diagnostic));
        }
        for picture in pictures(placed) {
            group = group.element(self.picture(&picture));
        }
        for label in undrawn.into_iter().filter(|label| !label.text.is_empty()) {
            group = group.element(Level::NOTE.with_name("here").message(words::shown(&label.text)));
        }
        for help in &diagnostic.helps {
            group = group.element(Level::HELP.message(words::shown(help)));
        }
        for note in &diagnostic.notes {
            group = group.element(Level::NOTE.message(words::shown(note)));
        }
        let more = format!("lariat explain {}", diagnostic.code);
        group = group.element(Level::INFO.with_name("more").message(more));
        self.renderer.render(&[group])
    }

    /// Position of a label, if it can be shown.
    fn place<'l>(&self, label: &'l Label, kind: AnnotationKind) -> Option<Placed<'l>> {
        let text = self.lines.text.as_deref()?;
        let range = label.span?.range();
        let range = range.start.min(text.len())..range.end.min(text.len());
        let first = self.lines.line_of(range.start);
        // A span that ends with a newline ends on that line.
        let last = self.lines.line_of(range.end.saturating_sub(1).max(range.start));
        let (range, last) = if last - first >= TALL {
            (range.start..self.lines.bytes(first).end, first)
        } else {
            (range, last)
        };
        let lines = first..last + 1;
        let drawable = text.is_char_boundary(range.start)
            && text.is_char_boundary(range.end)
            && lines.clone().all(|line| self.lines.bytes(line).len() <= LONG);
        drawable.then_some(Placed { label, kind, range, lines })
    }

    /// Snippet with the lines of its labels and one line of context before them.
    fn picture<'d>(&'d self, labels: &[Placed<'_>]) -> Snippet<'d, Annotation<'d>> {
        let text = self.lines.text.as_deref().unwrap_or_default();
        let first = labels.iter().map(|label| label.lines.start).min().unwrap_or(0);
        let end = labels.iter().map(|label| label.lines.end).max().unwrap_or(1);
        let shows = |line: usize| {
            let range = self.lines.bytes(line);
            range.len() <= LONG && !text[range].trim().is_empty()
        };
        let first = if first > 0 && shows(first - 1) { first - 1 } else { first };
        let start = self.lines.start(first);
        let source = &text[start..self.lines.bytes(end - 1).end];
        Snippet::source(source).path(self.name).line_start(first + 1).fold(false).annotations(
            labels.iter().map(|placed| {
                let range = placed.range.start - start..placed.range.end - start;
                let text = words::shown(&placed.label.text);
                placed.kind.span(range).label((!text.is_empty()).then_some(text))
            }),
        )
    }

    /// Position of a diagnostic without a snippet.
    fn origin(&self, diagnostic: &Diagnostic) -> Origin<'_> {
        let origin = Origin::path(self.name);
        match diagnostic.span() {
            None => origin,
            Some(span) => {
                let (line, column) = self.lines.line_and_column(span.range().start);
                origin.line(line).char_column(column)
            }
        }
    }
}

/// Groups labels into snippets; the snippet of the first label comes first.
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

#[cfg(test)]
mod tests {
    use lariat_scene::{
        Limits,
        check::{Code, check},
    };

    use super::*;

    fn draw_all(bytes: Vec<u8>) -> usize {
        let checked = check(&bytes, &Limits::DEFAULT);
        let source = Source { name: "barn.lariat".to_owned(), bytes };
        let drawing = Drawing::new(&source, false);
        for diagnostic in &checked.diagnostics {
            let text = drawing.draw(diagnostic);
            assert!(text.contains("barn.lariat"), "no place in\n{text}");
            assert!(text.ends_with(&format!("more: lariat explain {}", diagnostic.code)), "{text}");
        }
        checked.diagnostics.len()
    }

    #[test]
    fn the_example_of_every_page_is_drawn() {
        for code in Code::ALL {
            for example in code.page().split("```lariat\n").skip(1) {
                draw_all(example.split("```").next().unwrap().into());
            }
        }
    }

    #[test]
    fn corrupt_files_are_drawn_without_panic() {
        const STRANGE: [&[u8]; 14] = [
            b"\"",
            b"[",
            b"]]",
            b"\n\n\n",
            b"\r",
            b"\t",
            b"=",
            "é".as_bytes(),
            "\u{200b}".as_bytes(),
            "\u{feff}".as_bytes(),
            b"\xff",
            b"\0",
            "日本語".as_bytes(),
            b"1e999",
        ];
        let mut state = 1_u64;
        let mut dice = |sides: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % sides
        };
        let mut found = 0;
        for scene in lariat_museum::SCENES.iter().filter(|scene| scene.text.len() < 4000) {
            for _ in 0..60 {
                let mut bytes = scene.text.as_bytes().to_vec();
                for _ in 0..=dice(3) {
                    let at = dice(bytes.len().max(1));
                    match dice(3) {
                        0 => bytes.truncate(at.max(1)),
                        1 => {
                            let strange = STRANGE[dice(STRANGE.len())].iter().copied();
                            drop(bytes.splice(at..at, strange));
                        }
                        _ => drop(bytes.drain(at..(at + dice(20)).min(bytes.len()))),
                    }
                }
                found += draw_all(bytes);
            }
        }
        assert!(found > 1000, "{found} diagnostics");
    }
}
