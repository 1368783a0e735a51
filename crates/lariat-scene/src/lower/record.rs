//! A record that has been looked at: every parameter is of its kind, in its range, and there.
//!
//! Binding asks by technical name and gets what the schema promises; plain words have been
//! resolved, defaults filled in, units kept as the document has them (metres, degrees, turns).
//! Asking for a name that the schema lacks, or for the wrong kind, is a mistake in the program:
//! it panics where assertions are on, and answers `None` where they are not.

use std::sync::Arc;

use glam::{DVec2, DVec3};
use lariat_core::motion::{Channel, Colour};

use super::{at::Trail, parameter::Moving};
use crate::{
    path::Path,
    place::Span,
    schema::{Field, Kind, LOOKS, Preset, RecordType},
};

/// Where a rope is held.
#[derive(Clone, Debug, PartialEq)]
pub enum Anchor {
    /// A point in the world, in metres.
    Point(Channel<DVec3>),
    /// A named place, shifted in its own directions.
    Locator {
        /// The name of the locator; there is one.
        name: Arc<str>,
        /// Metres, in the locator's own directions.
        offset: Channel<DVec3>,
    },
    /// A point along another body.
    Body {
        /// The name of the body; there is one.
        name: Arc<str>,
        /// How far along it, 0–1.
        at: Channel<f64>,
        /// Metres, in the directions of the body's frame there.
        offset: Channel<DVec3>,
    },
}

/// A cross-section.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A circle.
    Round,
    /// `width` by `thickness`.
    Flat,
    /// Points in units of the radius.
    Points {
        /// The corners, in order.
        points: Vec<DVec2>,
        /// Whether the last joins the first.
        closed: bool,
    },
}

/// A number at every point of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Spread {
    /// The same at all of them.
    Even(f64),
    /// By a formula, which can be read.
    Formula(Arc<str>),
    /// `(u, value)` along a rope, with straight lines between them.
    Along(Vec<(f64, f64)>),
}

/// Rows of numbers, all equally long.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    columns: usize,
    cells: Vec<f64>,
}

impl Grid {
    pub(super) fn new(columns: usize, cells: Vec<f64>) -> Self {
        Self { columns, cells }
    }

    /// How many numbers a row has; at least 2.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How many rows there are; at least 2.
    pub fn rows(&self) -> usize {
        self.cells.len() / self.columns
    }

    /// All numbers, row by row.
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }
}

/// What a parameter has become.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Slot {
    Absent,
    Scalar(Channel<f64>),
    Integer(i64),
    Vector(Channel<DVec3>),
    Colour(Channel<Colour>),
    Switch(Channel<bool>),
    Text(Arc<str>),
    Choice(&'static str),
    Anchor(Box<Anchor>),
    Along(Vec<(f64, f64)>),
    Spread(Spread),
    Records(Vec<Record>),
    Record(Box<Record>),
    Outline(Box<Outline>),
    Grid(Box<Grid>),
    Scalars(Vec<Channel<f64>>),
    Vectors(Vec<Channel<DVec3>>),
    Colours(Vec<Channel<Colour>>),
    Names(Vec<Arc<str>>),
}

/// A parameter as it was given.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// Which field of the type.
    pub(super) field: usize,
    /// Its value in the file.
    pub(super) span: Option<Span>,
    /// Its name in the file.
    pub(super) name_span: Option<Span>,
    pub(super) slot: Slot,
}

/// One body, locator, collider, wave, bend, …, ready to be bound.
///
/// Two records are equal when they say the same, wherever they stand in the file.
#[derive(Clone, Debug)]
pub struct Record {
    pub(super) record_type: &'static RecordType,
    pub(super) trail: Trail,
    pub(super) span: Option<Span>,
    pub(super) defaults: Arc<[Slot]>,
    pub(super) given: Vec<Given>,
}

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.is_but_for(other, &[])
    }
}

macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident $variant:ident -> $type:ty;)*) => {
        $($(#[$doc])* pub fn $name(&self, name: &str) -> Option<&$type> {
            match self.slot(name)? {
                Slot::$variant(value) => Some(value),
                Slot::Absent => None,
                _ => self.mistake(name, concat!("no ", stringify!($name))),
            }
        })*
    };
}

impl Record {
    /// What it is: the model of a body, the kind of a layer, the shape of a collider, …
    pub fn kind(&self) -> &'static str {
        self.record_type.name
    }

    /// The row of the schema that describes it.
    pub fn record_type(&self) -> &'static RecordType {
        self.record_type
    }

    /// Whether another is the same in all that a motion can feel, whatever they look like.
    pub fn feels_like(&self, other: &Self) -> bool {
        self.is_but_for(other, &LOOKS)
    }

    fn is_but_for(&self, other: &Self, but: &[&str]) -> bool {
        let fields = self.record_type.fields.iter().enumerate();
        std::ptr::eq(self.record_type, other.record_type)
            && self.record_type.fields.len() == other.record_type.fields.len()
            && fields
                .filter(|(_, field)| !but.contains(&field.name))
                .all(|(field, _)| self.slot_at(field) == other.slot_at(field))
    }

    /// Its name, for bodies, locators and colliders; empty for what has none.
    pub fn name(&self) -> &str {
        match self.record_type.position("name").map(|field| self.slot_at(field)) {
            Some(Slot::Text(name)) => name,
            _ => "",
        }
    }

    /// Where it stands in the document.
    pub fn path(&self) -> Path {
        self.trail.path()
    }

    /// Where one of its fields stands in the document.
    pub fn path_of(&self, name: &str) -> Path {
        self.path().field(name)
    }

    /// Where it stands in the file.
    pub fn place(&self) -> Option<Span> {
        self.span
    }

    /// Where the value of a field stands in the file; if the field was not given, the record.
    pub fn span(&self, name: &str) -> Option<Span> {
        self.given(name).and_then(|given| given.span).or(self.span)
    }

    /// Where the name of a field stands in the file; if the field was not given, the record.
    pub fn name_span(&self, name: &str) -> Option<Span> {
        self.given(name).and_then(|given| given.name_span).or(self.span)
    }

    /// Whether the document gives the field; if not, it has its default.
    pub fn is_given(&self, name: &str) -> bool {
        self.given(name).is_some()
    }

    /// Whether records of this type have the field at all.
    pub fn has(&self, name: &str) -> bool {
        self.record_type.field(name).is_some()
    }

    getters! {
        /// A number or keys.
        scalar Scalar -> Channel<f64>;
        /// A vector or keys.
        vector Vector -> Channel<DVec3>;
        /// A colour or keys.
        colour Colour -> Channel<Colour>;
        /// A switch or keys.
        switch Switch -> Channel<bool>;
        /// Where a rope is held.
        anchor Anchor -> Anchor;
        /// Values along the rope, `u` rising within 0–1.
        along Along -> [(f64, f64)];
        /// A number at every point.
        spread Spread -> Spread;
        /// One record: an envelope.
        record Record -> Record;
        /// A cross-section.
        outline Outline -> Outline;
        /// Rows of numbers.
        grid Grid -> Grid;
        /// A fixed number of numbers, each of which may be keyed.
        scalars Scalars -> [Channel<f64>];
        /// A fixed number of vectors, each of which may be keyed.
        vectors Vectors -> [Channel<DVec3>];
        /// Colours, at least one.
        colours Colours -> [Channel<Colour>];
        /// Names of bodies.
        names Names -> [Arc<str>];
        /// Words, or a name.
        text Text -> str;
    }

    /// The word that was chosen.
    pub fn choice(&self, name: &str) -> Option<&'static str> {
        match self.slot(name)? {
            Slot::Choice(choice) => Some(choice),
            Slot::Absent => None,
            _ => self.mistake(name, "no choice"),
        }
    }

    /// A whole number.
    pub fn integer(&self, name: &str) -> Option<i64> {
        match self.slot(name)? {
            Slot::Integer(number) => Some(*number),
            Slot::Absent => None,
            _ => self.mistake(name, "no whole number"),
        }
    }

    /// The records of a list; empty if none are given.
    pub fn records(&self, name: &str) -> &[Record] {
        match self.slot(name) {
            Some(Slot::Records(records)) => records,
            Some(Slot::Absent) | None => &[],
            Some(_) => self.mistake(name, "no list of records").unwrap_or_default(),
        }
    }

    fn given(&self, name: &str) -> Option<&Given> {
        let field = self.record_type.position(name)?;
        self.given.iter().find(|given| given.field == field)
    }

    pub(super) fn slot_at(&self, field: usize) -> &Slot {
        self.given
            .iter()
            .find(|given| given.field == field)
            .map_or(&self.defaults[field], |given| &given.slot)
    }

    fn slot(&self, name: &str) -> Option<&Slot> {
        match self.record_type.position(name) {
            Some(field) => Some(self.slot_at(field)),
            None => self.mistake(name, "no parameter"),
        }
    }

    /// A mistake in the program, not in the document.
    fn mistake<T>(&self, name: &str, what: &str) -> Option<T> {
        debug_assert!(false, "`{name}` is {what} of {} in the schema", self.record_type.name);
        None
    }
}

/// What a parameter that can move is unless given.
pub(super) fn default_of(field: &'static Field) -> Option<Moving> {
    match (field.kind, field.preset) {
        (Kind::Scalar(_), Preset::Number(number)) => Some(Moving::Number(number.into())),
        (Kind::Vector(_) | Kind::Direction, Preset::Numbers(n)) => {
            Some(Moving::Vector(DVec3::new(n[0], n[1], n[2]).into()))
        }
        (Kind::Colour, Preset::Numbers(n)) => {
            Some(Moving::Colour(Colour([n[0], n[1], n[2]]).into()))
        }
        _ => None,
    }
}

/// The defaults of a type, one slot per field.
pub(super) fn defaults(record_type: &RecordType) -> Arc<[Slot]> {
    let vector = |numbers: &[f64]| DVec3::new(numbers[0], numbers[1], numbers[2]);
    record_type
        .fields
        .iter()
        .map(|field| match (field.kind, field.preset) {
            (Kind::Scalar(_), Preset::Number(number)) => Slot::Scalar(number.into()),
            (Kind::Integer, Preset::Number(number)) => Slot::Integer(number as i64),
            (Kind::Spread(..), Preset::Number(number)) => Slot::Spread(Spread::Even(number)),
            (Kind::Vector(_) | Kind::Direction, Preset::Numbers(numbers)) => {
                Slot::Vector(vector(numbers).into())
            }
            (Kind::Colour, Preset::Numbers(numbers)) => {
                Slot::Colour(Colour(vector(numbers).to_array()).into())
            }
            (Kind::Switch, Preset::Switch(switch)) => Slot::Switch(switch.into()),
            (Kind::Text, Preset::Text(text)) => Slot::Text(text.into()),
            (Kind::Choice(_), Preset::Text(text)) => Slot::Choice(text),
            (Kind::Outline, Preset::Text(text)) => {
                Slot::Outline(Box::new(if text == "flat" { Outline::Flat } else { Outline::Round }))
            }
            (Kind::Records(_), Preset::Empty) => Slot::Records(Vec::new()),
            (Kind::Scalars(..), Preset::Numbers(numbers)) => {
                Slot::Scalars(numbers.iter().map(|number| (*number).into()).collect())
            }
            (Kind::Vectors(..), Preset::Numbers(numbers)) => {
                Slot::Vectors(numbers.chunks(3).map(|three| vector(three).into()).collect())
            }
            (Kind::Colours, Preset::Colours(colours)) => {
                Slot::Colours(colours.iter().map(|colour| Colour(*colour).into()).collect())
            }
            _ => Slot::Absent,
        })
        .collect()
}
