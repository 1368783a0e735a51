//! Current position of lowering in the document.
//!
//! A position is a linked list of steps on the stack. Its path is created only for diagnostics, because
//! most values have none.

use crate::{
    path::{Path, Step},
    place::{Place, Places, Span},
};

/// Current position in the document.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    up: Option<&'a Cursor<'a>>,
    step: CursorStep<'a>,
    places: &'a Places,
    place: Option<Place>,
}

#[derive(Clone, Copy)]
enum CursorStep<'a> {
    Top,
    /// Field name as written in the document.
    Field(&'a str),
    /// Field name of the schema.
    Known(&'static str),
    Index(usize),
}

impl<'a> Cursor<'a> {
    pub(super) fn top(places: &'a Places) -> Self {
        Self { up: None, step: CursorStep::Top, places, place: Some(places.root) }
    }

    /// Steps into a field; `position` is its expected index in the table.
    pub(super) fn field<'b>(&'b self, name: &'b str, position: usize) -> Cursor<'b>
    where
        'a: 'b,
    {
        let place = self.place.and_then(|place| self.places.field(&place, name, position));
        Cursor { up: Some(self), step: CursorStep::Field(name), places: self.places, place }
    }

    /// Steps into an element of a list.
    pub(super) fn index<'b>(&'b self, index: usize) -> Cursor<'b>
    where
        'a: 'b,
    {
        let place = self.place.and_then(|place| self.places.element(&place, index));
        Cursor { up: Some(self), step: CursorStep::Index(index), places: self.places, place }
    }

    /// Returns the same position with a static name of the schema.
    pub(super) fn known(self, name: &'static str) -> Self {
        match self.step {
            CursorStep::Field(written) if written == name => {
                Self { step: CursorStep::Known(name), ..self }
            }
            _ => self,
        }
    }

    /// Byte range of the value in the file, or of its nearest parent.
    pub(super) fn span(&self) -> Option<Span> {
        match self.place.and_then(|place| place.known()) {
            Some(span) => Some(span),
            None => self.up.and_then(Cursor::span),
        }
    }

    /// Byte range of the name in the file, or of the value.
    pub(super) fn name_span(&self) -> Option<Span> {
        match self.place {
            Some(place) if place.name_span != Span::default() => Some(place.name_span),
            _ => self.span(),
        }
    }

    /// Returns an owned copy of the position.
    pub(super) fn trail(&self) -> Trail {
        let mut depth = 0;
        let mut at = Some(self);
        while let Some(here) = at {
            depth += usize::from(!matches!(here.step, CursorStep::Top));
            at = here.up;
        }
        let mut steps = Vec::with_capacity(depth);
        self.collect(&mut steps);
        Trail(steps)
    }

    fn collect(&self, steps: &mut Vec<TrailStep>) {
        if let Some(up) = self.up {
            up.collect(steps);
        }
        match self.step {
            CursorStep::Top => {}
            CursorStep::Field(name) => steps.push(TrailStep::Field(name.into())),
            CursorStep::Known(name) => steps.push(TrailStep::Known(name)),
            CursorStep::Index(index) => steps.push(TrailStep::Index(index)),
        }
    }

    pub(super) fn path(&self) -> Path {
        self.trail().path()
    }
}

/// Owned position that shares the static names of the schema.
#[derive(Clone, Debug)]
pub(super) struct Trail(Vec<TrailStep>);

#[derive(Clone, Debug)]
enum TrailStep {
    Known(&'static str),
    Field(Box<str>),
    Index(usize),
}

impl Trail {
    /// Replaces the index of its thing: that after the name of its list.
    pub(super) fn set_index(&mut self, index: usize) {
        if let Some(TrailStep::Index(step)) = self.0.get_mut(1) {
            *step = index;
        }
    }

    pub(super) fn path(&self) -> Path {
        self.0
            .iter()
            .map(|step| match step {
                TrailStep::Known(name) => Step::Field((*name).into()),
                TrailStep::Field(name) => Step::Field((&**name).into()),
                TrailStep::Index(index) => Step::Index(*index),
            })
            .collect()
    }
}
