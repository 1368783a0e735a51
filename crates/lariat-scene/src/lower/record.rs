//! Lowered records: every parameter has its type, is in range, and is set.
//!
//! Binding reads parameters by technical name. Plain names are resolved, defaults are filled in, and
//! units are those of the document (metres, degrees, turns). Reading an unknown parameter, or one of
//! another type, is a bug: it panics in debug builds and returns `None` otherwise.

use std::{fmt::Write, sync::Arc};

use glam::{DVec2, DVec3};
use lariat_core::motion::{Channel, Colour};

use super::{cursor::Trail, parameter::ParameterChannel};
use crate::{
    path::Path,
    place::Span,
    schema::{Field, Kind, LOOKS, Preset, RecordType},
};

/// Attachment of an end of a rope, of a pin or of a camera.
#[derive(Clone, Debug, PartialEq)]
pub enum Anchor {
    /// A point in the world, in metres.
    Point(Channel<DVec3>),
    /// A locator with an offset.
    Locator {
        /// Name of an existing locator.
        name: Arc<str>,
        /// Offset in metres, in the axes of the locator.
        offset: Channel<DVec3>,
    },
    /// A point along another body.
    Body {
        /// Name of an existing body.
        name: Arc<str>,
        /// Position along the body, 0–1.
        at: Channel<f64>,
        /// Offset in metres, in the axes of the body's frame at that position.
        offset: Channel<DVec3>,
    },
}

/// A cross-section.
#[derive(Clone, Debug, PartialEq)]
pub enum CrossSection {
    /// A circle.
    Round,
    /// `width` by `thickness`.
    Flat,
    /// Points in units of the radius.
    Points {
        /// The corners, in order.
        points: Vec<DVec2>,
        /// Whether the last corner is joined to the first.
        closed: bool,
    },
}

/// A number for every point of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum PerPoint {
    /// The same number for all points.
    Uniform(f64),
    /// A valid formula.
    Formula(Arc<str>),
    /// `(u, value)` along a rope, linearly interpolated.
    Along(Vec<(f64, f64)>),
}

/// Rows of numbers of equal length.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    columns: usize,
    cells: Vec<f64>,
}

impl Grid {
    pub(super) fn new(columns: usize, cells: Vec<f64>) -> Self {
        Self { columns, cells }
    }

    /// Number of columns; at least 2.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of rows; at least 2.
    pub fn rows(&self) -> usize {
        self.cells.len() / self.columns
    }

    /// All numbers, row by row.
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }
}

/// Lowered value of a parameter.
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
    PerPoint(PerPoint),
    Records(Vec<Record>),
    Record(Box<Record>),
    CrossSection(Box<CrossSection>),
    Grid(Box<Grid>),
    Scalars(Vec<Channel<f64>>),
    Vectors(Vec<Channel<DVec3>>),
    Colours(Vec<Channel<Colour>>),
    Names(Vec<Arc<str>>),
}

/// A parameter that the document sets.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// Index of the field in its type.
    pub(super) field: usize,
    /// Position of its value in the file.
    pub(super) span: Option<Span>,
    /// Position of its name in the file.
    pub(super) name_span: Option<Span>,
    pub(super) slot: Slot,
}

/// A lowered body, locator, collider, wave, bend, …
///
/// Two records are equal if their parameters are, wherever they are in the file.
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
        self.equals_except(other, &[])
    }
}

macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident $variant:ident -> $type:ty;)*) => {
        $($(#[$doc])* pub fn $name(&self, name: &str) -> Option<&$type> {
            match self.slot(name)? {
                Slot::$variant(value) => Some(value),
                Slot::Absent => None,
                _ => self.bug(name, concat!("no ", stringify!($name))),
            }
        })*
    };
}

impl Record {
    /// Type of the record: the model of a body, the kind of a layer, the shape of a collider, …
    pub fn kind(&self) -> &'static str {
        self.record_type.name
    }

    /// Its type in the schema.
    pub fn record_type(&self) -> &'static RecordType {
        self.record_type
    }

    /// Returns true if both records give the same motion, bit by bit; their looks may differ.
    pub fn same_motion_as(&self, other: &Self) -> bool {
        let text = |record: &Self| {
            let mut out = String::new();
            record.write_except(&LOOKS, &mut out);
            out
        };
        // Text distinguishes −0 from 0.
        self.equals_except(other, &LOOKS) && text(self) == text(other)
    }

    /// Writes its values, with those of the records in it, as text.
    fn write_except(&self, except: &[&str], out: &mut String) {
        let fields = self.record_type.fields.iter().enumerate();
        for (field, _) in fields.filter(|(_, field)| !except.contains(&field.name)) {
            match self.slot_at(field) {
                Slot::Record(record) => record.write_except(&[], out),
                Slot::Records(records) => {
                    for record in records {
                        record.write_except(&[], out);
                    }
                }
                slot => {
                    let _ = write!(out, "{slot:?}");
                }
            }
        }
    }

    /// Moves a body, locator, collider or camera to another index among its kind, with the records in
    /// it.
    pub(super) fn set_index(&mut self, index: usize) {
        self.trail.set_index(index);
        for given in &mut self.given {
            match &mut given.slot {
                Slot::Record(record) => record.set_index(index),
                Slot::Records(records) => {
                    for record in records {
                        record.set_index(index);
                    }
                }
                _ => {}
            }
        }
    }

    fn equals_except(&self, other: &Self, except: &[&str]) -> bool {
        let fields = self.record_type.fields.iter().enumerate();
        std::ptr::eq(self.record_type, other.record_type)
            && self.record_type.fields.len() == other.record_type.fields.len()
            && fields
                .filter(|(_, field)| !except.contains(&field.name))
                .all(|(field, _)| self.slot_at(field) == other.slot_at(field))
    }

    /// Name of a body, locator, collider or camera; empty for other records.
    pub fn name(&self) -> &str {
        match self.record_type.position("name").map(|field| self.slot_at(field)) {
            Some(Slot::Text(name)) => name,
            _ => "",
        }
    }

    /// Path in the document.
    pub fn path(&self) -> Path {
        self.trail.path()
    }

    /// Path of one of its fields.
    pub fn path_of(&self, name: &str) -> Path {
        self.path().field(name)
    }

    /// Position in the file.
    pub fn place(&self) -> Option<Span> {
        self.span
    }

    /// Position of the value of a field in the file, or of the record if the field is not given.
    pub fn span(&self, name: &str) -> Option<Span> {
        self.given(name).and_then(|given| given.span).or(self.span)
    }

    /// Position of the name of a field in the file, or of the record if the field is not given.
    pub fn name_span(&self, name: &str) -> Option<Span> {
        self.given(name).and_then(|given| given.name_span).or(self.span)
    }

    /// Returns true if the document sets the field.
    pub fn is_given(&self, name: &str) -> bool {
        self.given(name).is_some()
    }

    /// Returns true if records of this type have the field.
    pub fn has(&self, name: &str) -> bool {
        self.record_type.field(name).is_some()
    }

    getters! {
        /// A constant or animated number.
        scalar Scalar -> Channel<f64>;
        /// A constant or animated vector.
        vector Vector -> Channel<DVec3>;
        /// A constant or animated colour.
        colour Colour -> Channel<Colour>;
        /// A constant or animated switch.
        switch Switch -> Channel<bool>;
        /// An attachment.
        anchor Anchor -> Anchor;
        /// Values along the rope, with `u` increasing from 0 to 1.
        along Along -> [(f64, f64)];
        /// A number for every point.
        per_point PerPoint -> PerPoint;
        /// One record: an envelope.
        record Record -> Record;
        /// A cross-section.
        cross_section CrossSection -> CrossSection;
        /// Rows of numbers.
        grid Grid -> Grid;
        /// A fixed number of numbers, each constant or animated.
        scalars Scalars -> [Channel<f64>];
        /// A fixed number of vectors, each constant or animated.
        vectors Vectors -> [Channel<DVec3>];
        /// Colours, at least one.
        colours Colours -> [Channel<Colour>];
        /// Names of bodies.
        names Names -> [Arc<str>];
        /// Text, or a name.
        text Text -> str;
    }

    /// The selected choice.
    pub fn choice(&self, name: &str) -> Option<&'static str> {
        match self.slot(name)? {
            Slot::Choice(choice) => Some(choice),
            Slot::Absent => None,
            _ => self.bug(name, "no choice"),
        }
    }

    /// A whole number.
    pub fn integer(&self, name: &str) -> Option<i64> {
        match self.slot(name)? {
            Slot::Integer(number) => Some(*number),
            Slot::Absent => None,
            _ => self.bug(name, "no whole number"),
        }
    }

    /// Records of a list; empty if it is not given.
    pub fn records(&self, name: &str) -> &[Record] {
        match self.slot(name) {
            Some(Slot::Records(records)) => records,
            Some(Slot::Absent) | None => &[],
            Some(_) => self.bug(name, "no list of records").unwrap_or_default(),
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
            None => self.bug(name, "no parameter"),
        }
    }

    /// Handles a bug in the program, as opposed to an error in the document.
    fn bug<T>(&self, name: &str, what: &str) -> Option<T> {
        debug_assert!(false, "`{name}` is {what} of {} in the schema", self.record_type.name);
        None
    }
}

/// Default of an animatable parameter.
pub(super) fn default_of(field: &'static Field) -> Option<ParameterChannel> {
    match (field.kind, field.preset) {
        (Kind::Scalar(_), Preset::Number(number)) => Some(ParameterChannel::Number(number.into())),
        (Kind::Vector(_) | Kind::Direction, Preset::Numbers(n)) => {
            Some(ParameterChannel::Vector(DVec3::new(n[0], n[1], n[2]).into()))
        }
        (Kind::Colour, Preset::Numbers(n)) => {
            Some(ParameterChannel::Colour(Colour([n[0], n[1], n[2]]).into()))
        }
        _ => None,
    }
}

/// Defaults of a type, one slot per field.
pub(super) fn defaults(record_type: &RecordType) -> Arc<[Slot]> {
    let vector = |numbers: &[f64]| DVec3::new(numbers[0], numbers[1], numbers[2]);
    record_type
        .fields
        .iter()
        .map(|field| match (field.kind, field.preset) {
            (Kind::Scalar(_), Preset::Number(number)) => Slot::Scalar(number.into()),
            (Kind::Integer, Preset::Number(number)) => Slot::Integer(number as i64),
            (Kind::PerPoint(..), Preset::Number(number)) => {
                Slot::PerPoint(PerPoint::Uniform(number))
            }
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
                Slot::CrossSection(Box::new(if text == "flat" {
                    CrossSection::Flat
                } else {
                    CrossSection::Round
                }))
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
