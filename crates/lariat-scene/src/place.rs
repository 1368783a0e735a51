//! Positions of values in the file.
//!
//! Reading records the byte range of every value, so that diagnostics can point at the source and
//! `format::patch` can replace single values. [`Places`] describes the document as it was read, and is
//! out of date after an edit.
//!
//! Positions are in three arrays, with the children of a value next to each other, and names are
//! interned: a document can have hundreds of thousands of values. Most of them are numbers in lists,
//! whose position is a range and nothing else.

use std::sync::Arc;

use crate::path::{Path, Step};

/// Byte range of the file; `end` is exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// End, exclusive.
    pub end: u32,
}

impl Span {
    /// Creates a range; positions beyond 4 GiB are clamped.
    pub fn new(start: usize, end: usize) -> Self {
        let short = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
        Self { start: short(start), end: short(end) }
    }

    /// Converts to a range of `usize`.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Range from the start of this one to the end of the other.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }
}

/// Positions of all values of a document that was read from text.
#[derive(Clone, Debug, Default)]
pub struct Places {
    pub(crate) root: Place,
    /// Fields of tables, and elements of lists of headers.
    pub(crate) fields: Vec<Place>,
    /// Elements of lists that contain lists or tables.
    pub(crate) elements: Vec<Element>,
    /// Elements of lists of numbers, texts and switches.
    pub(crate) scalars: Vec<Span>,
    pub(crate) names: Vec<Arc<str>>,
}

impl Places {
    /// Empty positions, for a document without a file.
    pub fn none() -> Self {
        Self::default()
    }

    /// Range of the value at `path`, or of its nearest parent with a position.
    pub fn value(&self, path: &Path) -> Option<Span> {
        self.nearest(path).0.known()
    }

    /// Range of the name of the field at `path`, or of the value if it has no name.
    pub fn name(&self, path: &Path) -> Option<Span> {
        match self.nearest(path) {
            (place, true) if place.name_span != Span::default() => Some(place.name_span),
            (place, _) => place.known(),
        }
    }

    /// Position at the path, or of its nearest parent; and whether it is exact.
    fn nearest(&self, path: &Path) -> (Place, bool) {
        let mut place = self.root;
        for step in path.steps() {
            let next = match step {
                Step::Field(name) => self.field(&place, name, 0),
                Step::Index(index) => self.element(&place, *index),
            };
            match next {
                Some(next) => place = next,
                None => return (place, false),
            }
        }
        (place, true)
    }

    /// Children of a position.
    pub(crate) fn within(&self, place: &Place) -> impl ExactSizeIterator<Item = Place> + use<'_> {
        let children = place.children();
        (0..children.count as usize).map(move |index| self.child(children, index))
    }

    fn child(&self, children: Children, index: usize) -> Place {
        let at = children.first as usize + index;
        match children.kind {
            ChildKind::Field => self.fields.get(at).copied().unwrap_or_default(),
            ChildKind::Element => {
                let element = self.elements.get(at).copied().unwrap_or_default();
                Place { span: element.span, ..Place::default() }.with_children(element.children)
            }
            ChildKind::Scalar => {
                let span = self.scalars.get(at).copied().unwrap_or_default();
                Place { span, ..Place::default() }
            }
        }
    }

    /// Positions of the fields of a table, and the index of the first of them.
    fn fields(&self, place: &Place) -> (usize, &[Place]) {
        let Children { first, count, kind } = place.children();
        let (first, count) = (first as usize, count as usize);
        match kind {
            ChildKind::Field => (first, self.fields.get(first..first + count).unwrap_or_default()),
            ChildKind::Element | ChildKind::Scalar => (first, &[]),
        }
    }

    /// Position of a field, whose expected index is `guess`.
    pub(crate) fn field(&self, place: &Place, name: &str, guess: usize) -> Option<Place> {
        let (_, fields) = self.fields(place);
        let is =
            |place: &&Place| self.names.get(place.name as usize).is_some_and(|own| **own == *name);
        fields.get(guess).filter(is).or_else(|| fields.iter().find(is)).copied()
    }

    /// Gives a field of a table another name. Returns the bytes of its name in the file.
    pub(crate) fn rename(&mut self, place: &Place, from: &str, to: &str) -> Option<Span> {
        let is = |own: &Place| self.names.get(own.name as usize).is_some_and(|n| **n == *from);
        let (first, fields) = self.fields(place);
        let index = first + fields.iter().position(is)?;
        // Names need not be unique. The few new names repeat and are at the end.
        let recent = self.names.len().saturating_sub(16);
        let known = self.names[recent..].iter().position(|name| **name == *to);
        let name = match known {
            Some(index) => recent + index,
            None => {
                self.names.push(to.into());
                self.names.len() - 1
            }
        };
        let field = &mut self.fields[index];
        field.name = name as u32;
        (field.name_span != Span::default()).then_some(field.name_span)
    }

    /// Position of an element of a list.
    pub(crate) fn element(&self, place: &Place, index: usize) -> Option<Place> {
        let exists = index < place.count as usize;
        exists.then(|| self.child(place.children(), index)).filter(|place| place.name == NAMELESS)
    }
}

/// Name index of elements of lists.
pub(crate) const NAMELESS: u32 = u32::MAX;

/// Position of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Range of the value; for a table with a header, of the header.
    pub(crate) span: Span,
    /// Range of the name before the `=` or in the header.
    pub(crate) name_span: Span,
    /// Index of its name.
    pub(crate) name: u32,
    // Fields of `Children`, without its padding.
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) kind: ChildKind,
    pub(crate) form: Form,
}

/// Position of an element of a list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Element {
    pub(crate) span: Span,
    pub(crate) children: Children,
}

/// Positions of the values in a list or table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Children {
    /// Index of the first in the array of its kind.
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) kind: ChildKind,
}

/// Array in which positions are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ChildKind {
    Field,
    Element,
    #[default]
    Scalar,
}

impl Place {
    /// Positions of the values in it.
    pub(crate) fn children(&self) -> Children {
        Children { first: self.first, count: self.count, kind: self.kind }
    }

    /// The same position with other positions in it.
    pub(crate) fn with_children(self, children: Children) -> Self {
        let Children { first, count, kind } = children;
        Self { first, count, kind, ..self }
    }

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
            kind: ChildKind::default(),
            form: Form::Inline,
        }
    }
}

/// Syntax of a value, which determines how values are added to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// After an `=` or within a list.
    #[default]
    Inline,
    /// Under a `[header]` or `[[header]]`, or the top of the file.
    Header,
    /// Created by dotted names: `shot.fps = 24`.
    Dotted,
    /// Created by a longer header: `[body.skin]` creates `body`.
    Implied,
    /// A list of `[[headers]]`.
    Headers,
}

/// Line and column of a byte, both from 1; columns count characters.
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
    fn a_missing_value_has_the_position_of_its_parent() {
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
