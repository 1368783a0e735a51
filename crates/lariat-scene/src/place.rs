//! Where in the file something stands.
//!
//! Reading remembers for every value the bytes it was written with, so that a diagnostic can be
//! shown under the very word it is about, and so that writing can change one number and leave
//! every other byte alone. [`Places`] mirrors the document as it was read; after an edit read
//! the text again, or ask for the place of something that has not moved.
//!
//! All places lie in one array, the children of each side by side, and names are numbers: a
//! document has hundreds of thousands of values, and nearly all of their places are never asked
//! for.

use std::sync::Arc;

use crate::path::{Path, Step};

/// A stretch of the file, in bytes from its start; `end` is the first byte after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// From `start` up to `end`; beyond four gibibytes it stays at the last byte that can be said.
    pub fn new(start: usize, end: usize) -> Self {
        let short = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
        Self { start: short(start), end: short(end) }
    }

    /// The same as a range, to cut it out of the text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// From the start of this to the end of the other.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }
}

/// The place of every value of a document that was read from text.
#[derive(Clone, Debug, Default)]
pub struct Places {
    pub(crate) root: Place,
    pub(crate) all: Vec<Place>,
    pub(crate) names: Vec<Arc<str>>,
}

impl Places {
    /// The places of a document that never stood in a file: there are none.
    pub fn none() -> Self {
        Self::default()
    }

    /// The bytes of the value at `path`, or of the nearest thing around it that has a place.
    pub fn value(&self, path: &Path) -> Option<Span> {
        self.nearest(path).0.known()
    }

    /// The bytes of the name of the field at `path`; of the value, if it has no name.
    pub fn name(&self, path: &Path) -> Option<Span> {
        match self.nearest(path) {
            (place, true) if place.name_span != Span::default() => Some(place.name_span),
            (place, _) => place.known(),
        }
    }

    /// The place at the path, or the last on the way that is known; and whether it is the former.
    fn nearest(&self, path: &Path) -> (&Place, bool) {
        let mut place = &self.root;
        for step in path.steps() {
            let next = match step {
                Step::Field(name) => self.field(place, name, 0),
                Step::Index(index) => self.element(place, *index),
            };
            match next {
                Some(next) => place = next,
                None => return (place, false),
            }
        }
        (place, true)
    }

    /// What lies directly in a place.
    pub(crate) fn within(&self, place: &Place) -> &[Place] {
        let first = place.first as usize;
        self.all.get(first..first + place.count as usize).unwrap_or_default()
    }

    /// The place of a field, which most likely is the `guess`-th.
    pub(crate) fn field(&self, place: &Place, name: &str, guess: usize) -> Option<&Place> {
        let within = self.within(place);
        let is =
            |place: &&Place| self.names.get(place.name as usize).is_some_and(|own| **own == *name);
        within.get(guess).filter(is).or_else(|| within.iter().find(is))
    }

    /// The place of an element of a list.
    pub(crate) fn element(&self, place: &Place, index: usize) -> Option<&Place> {
        self.within(place).get(index).filter(|place| place.name == NAMELESS)
    }
}

/// The name of what stands in a list.
pub(crate) const NAMELESS: u32 = u32::MAX;

/// Where one value stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The value itself; for a table with a header of its own, the header.
    pub(crate) span: Span,
    /// The name before the `=`, or in the header.
    pub(crate) name_span: Span,
    /// Its name, as an index into all names.
    pub(crate) name: u32,
    /// What lies in it: where it begins among all places, and how many there are.
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) form: Form,
}

impl Place {
    pub(crate) fn known(&self) -> Option<Span> {
        (self.span != Span::default()).then_some(self.span)
    }
}

impl Default for Place {
    fn default() -> Self {
        let nowhere = Span::default();
        Self {
            span: nowhere,
            name_span: nowhere,
            name: NAMELESS,
            first: 0,
            count: 0,
            form: Form::Inline,
        }
    }
}

/// How a value was written: what may be added to it, and how, depends on that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// After an `=` or within a list.
    #[default]
    Inline,
    /// Under a `[header]` or `[[header]]`, or the top of the file.
    Header,
    /// Made by the way by dotted names: `shot.fps = 24`.
    Dotted,
    /// Made by the way by a longer header: `[body.skin]` makes `body`.
    Implied,
    /// A list of `[[headers]]`.
    Headers,
}

/// The line and column of a byte, both from 1; columns count characters.
pub fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = &text[..byte];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let text = "a = 1\nbé = 2\n";
        assert_eq!(line_and_column(text, 0), (1, 1));
        assert_eq!(line_and_column(text, 6), (2, 1));
        assert_eq!(line_and_column(text, 9), (2, 3));
        assert_eq!(line_and_column(text, 8), (2, 2), "within a letter: the letter");
        assert_eq!(line_and_column(text, 999), (3, 1));
    }

    #[test]
    fn something_without_a_place_has_the_place_around_it() {
        let read = crate::format::read("[shot]\nfps = 24\n").unwrap();
        let places = &read.places;
        let at = |path: &str| places.value(&path.parse().unwrap()).map(Span::range);
        assert_eq!(at("shot.fps"), Some(13..15));
        assert_eq!(at("shot.frames"), Some(0..6));
        assert_eq!(at("shot[0]"), Some(0..6));
        assert_eq!(at("nothing"), None);
        assert_eq!(places.name(&"shot.fps".parse().unwrap()).map(Span::range), Some(7..10));
        assert_eq!(Places::none().value(&"shot".parse().unwrap()), None);
    }
}
