//! Where lowering stands in the document: a chain of steps, written down only when needed.
//!
//! Nearly all values are fine, so their addresses are never spelled out. Each step lives on the
//! stack and points to the one above it.

use crate::{
    path::{Path, Step},
    place::{Place, Places, Span},
};

/// A place in the document while it is walked.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    up: Option<&'a At<'a>>,
    step: Going<'a>,
    places: &'a Places,
    place: Option<&'a Place>,
}

#[derive(Clone, Copy)]
enum Going<'a> {
    Top,
    /// A field as it is written in the document.
    Field(&'a str),
    /// A field as the schema calls it.
    Known(&'static str),
    Index(usize),
}

impl<'a> At<'a> {
    pub(super) fn top(places: &'a Places) -> Self {
        Self { up: None, step: Going::Top, places, place: Some(&places.root) }
    }

    /// A field; `position` is where it most likely stands in its table.
    pub(super) fn field<'b>(&'b self, name: &'b str, position: usize) -> At<'b>
    where
        'a: 'b,
    {
        let place = self.place.and_then(|place| self.places.field(place, name, position));
        At { up: Some(self), step: Going::Field(name), places: self.places, place }
    }

    /// An element of a list.
    pub(super) fn index<'b>(&'b self, index: usize) -> At<'b>
    where
        'a: 'b,
    {
        let place = self.place.and_then(|place| self.places.element(place, index));
        At { up: Some(self), step: Going::Index(index), places: self.places, place }
    }

    /// The same place, whose name is known to be one of the schema's own.
    pub(super) fn known(self, name: &'static str) -> Self {
        match self.step {
            Going::Field(said) if said == name => Self { step: Going::Known(name), ..self },
            _ => self,
        }
    }

    /// The value's bytes in the file, or those of what is around it.
    pub(super) fn span(&self) -> Option<Span> {
        match self.place.and_then(Place::known) {
            Some(span) => Some(span),
            None => self.up.and_then(At::span),
        }
    }

    /// The name's bytes in the file, or the value's.
    pub(super) fn name_span(&self) -> Option<Span> {
        match self.place {
            Some(place) if place.name_span != Span::default() => Some(place.name_span),
            _ => self.span(),
        }
    }

    /// The address, to be kept.
    pub(super) fn trail(&self) -> Trail {
        let mut depth = 0;
        let mut at = Some(self);
        while let Some(here) = at {
            depth += usize::from(!matches!(here.step, Going::Top));
            at = here.up;
        }
        let mut steps = Vec::with_capacity(depth);
        self.collect(&mut steps);
        Trail(steps)
    }

    fn collect(&self, steps: &mut Vec<Stone>) {
        if let Some(up) = self.up {
            up.collect(steps);
        }
        match self.step {
            Going::Top => {}
            Going::Field(name) => steps.push(Stone::Field(name.into())),
            Going::Known(name) => steps.push(Stone::Known(name)),
            Going::Index(index) => steps.push(Stone::Index(index)),
        }
    }

    pub(super) fn path(&self) -> Path {
        self.trail().path()
    }
}

/// An address that is kept, without a copy of every name on the way.
#[derive(Clone, Debug)]
pub(super) struct Trail(Vec<Stone>);

#[derive(Clone, Debug)]
enum Stone {
    Known(&'static str),
    Field(Box<str>),
    Index(usize),
}

impl Trail {
    pub(super) fn path(&self) -> Path {
        self.0
            .iter()
            .map(|stone| match stone {
                Stone::Known(name) => Step::Field((*name).into()),
                Stone::Field(name) => Step::Field((&**name).into()),
                Stone::Index(index) => Step::Index(*index),
            })
            .collect()
    }
}
