//! One lowered thing: a body, locator, collider or camera, apart from the others.
//!
//! A unit depends on the value of its thing, on the frames of the shot and, if one of its parameters
//! follows another, on the things that lead there ([`Reads`]). It depends on nothing else, so an
//! edit of one thing leaves the units of the others as they are. Names, attachments and the number of
//! points of all bodies are checked afterwards (`references.rs`, `extent.rs`).
//!
//! Tests, in `tests/incremental.rs`: `a_moved_body_is_not_lowered_again`,
//! `a_follower_is_lowered_again_with_its_leader`.

use std::sync::Arc;

use super::{
    Lowering, Record,
    cursor::{Cursor, Trail},
    diagnostics::Diagnostics,
    references::Reference,
};
use crate::{
    document::Thing,
    path::{Path, Step},
    place::Span,
    schema::Family,
    value::{Table, Value},
};

/// A lowered thing, valid or not.
#[derive(Debug)]
pub(super) struct Unit {
    /// Index among the things of its kind.
    pub(super) index: usize,
    /// Its value in the document, if it may be lowered again after an edit.
    pub(super) value: Option<Value>,
    /// Its name, if it has one.
    pub(super) name: Option<Arc<str>>,
    /// Position of its name in the file.
    pub(super) name_span: Option<Span>,
    /// Whether its name is neither blank nor taken.
    pub(super) name_valid: bool,
    pub(super) trail: Trail,
    pub(super) span: Option<Span>,
    /// `None` if it has errors.
    pub(super) record: Option<Arc<Record>>,
    pub(super) diagnostics: Diagnostics,
    /// Names that it refers to.
    pub(super) references: Vec<Reference>,
    /// Parameters that its own follow.
    pub(super) followed: Vec<Path>,
    pub(super) reads: Reads,
    /// Changes with its record.
    pub(super) revision: u64,
}

impl Unit {
    /// Its record, if neither it nor its name has errors.
    pub(super) fn valid_record(&self) -> Option<&Arc<Record>> {
        self.record.as_ref().filter(|_| self.name_valid)
    }

    /// Moves it to another index among the things of its kind.
    pub(super) fn set_index(&mut self, index: usize) {
        self.index = index;
        self.trail.set_index(index);
        if let Some(record) = &mut self.record {
            Arc::make_mut(record).set_index(index);
        }
        self.diagnostics.set_index(index);
        for reference in &mut self.references {
            reference.trail.set_index(index);
        }
    }
}

/// Other things that a unit was lowered from, because its parameters follow theirs.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    things: Vec<(Thing, usize)>,
    world: bool,
    /// A leader was not found: any edit may supply it.
    everything: bool,
}

impl Reads {
    pub(super) fn is_empty(&self) -> bool {
        self.things.is_empty() && !self.world && !self.everything
    }

    /// Adds the thing that a path leads to.
    pub(super) fn add(&mut self, path: &Path) {
        match path.steps() {
            [Step::Field(list), Step::Index(index), ..] if Thing::of_list(list).is_some() => {
                self.things.extend(Thing::of_list(list).map(|thing| (thing, *index)));
            }
            [Step::Field(list), ..] if &**list == "world" => self.world = true,
            _ => self.everything = true,
        }
    }

    /// Adds everything, because a path leads nowhere.
    pub(super) fn add_everything(&mut self) {
        self.everything = true;
    }

    pub(super) fn append(&mut self, other: Self) {
        self.things.extend(other.things);
        self.world |= other.world;
        self.everything |= other.everything;
    }

    /// Whether all of it is unchanged.
    pub(super) fn all(&self, world: bool, is_same: impl Fn(Thing, usize) -> bool) -> bool {
        let same = |(thing, index): &(Thing, usize)| is_same(*thing, *index);
        !self.everything && (world || !self.world) && self.things.iter().all(same)
    }
}

/// Returns true if two values are written in the same way, including the order of fields, which
/// determines the order of diagnostics.
pub(super) fn is_identical(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_identical(a, b))
        }
        (Value::Table(a), Value::Table(b)) => is_identical_table(a, b),
        _ => a == b,
    }
}

fn is_identical_table(a: &Table, b: &Table) -> bool {
    // Tables that were copied share their names.
    let same_name = |a: &str, b: &str| std::ptr::eq(a, b) || a == b;
    a.len() == b.len()
        && a.iter()
            .zip(b.iter())
            .all(|((name, a), (other, b))| same_name(name, other) && is_identical(a, b))
}

impl Lowering<'_> {
    /// Lowers one thing, with room for so many diagnostics.
    pub(super) fn unit(
        &mut self,
        family: &'static Family,
        (value, index): (&Value, usize),
        name: Option<Arc<str>>,
        refers: bool,
        at: &Cursor,
    ) -> Unit {
        self.records_lowered += 1;
        self.refers = refers;
        let room = self.diagnostics.room();
        let outer = std::mem::replace(&mut self.diagnostics, Diagnostics::with_room(room));
        let record = self.record_of(family, value, at);
        if let Some(record) = &record {
            self.check_model(record);
        }
        self.refers = false;
        let diagnostics = std::mem::replace(&mut self.diagnostics, outer);
        let name_span = value.table().and_then(|table| table.position("name"));
        Unit {
            index,
            value: self.keeps_values.then(|| value.clone()),
            name,
            name_span: name_span.and_then(|position| at.field("name", position).span()),
            name_valid: true,
            trail: at.trail(),
            span: at.span(),
            record: record.filter(|_| diagnostics.errors() == 0).map(Arc::new),
            diagnostics,
            references: std::mem::take(&mut self.references),
            followed: std::mem::take(&mut self.followed),
            reads: std::mem::take(&mut self.reads),
            revision: self.new_revision(),
        }
    }

    pub(super) fn new_revision(&mut self) -> u64 {
        self.revision += 1;
        self.revision
    }
}
