//! Lowering after an edit: only the things that it touches are lowered again.
//!
//! A [`Lowerer`] keeps the units of a document (`unit.rs`). After an edit it compares the value of
//! every thing with the one that its unit was lowered from, and lowers those that differ, those whose
//! parameters follow them, and all if the frames of the shot changed. Things that were only moved in
//! their list get other paths. Everything that concerns several things is checked again: names,
//! attachments, the number of points. The result equals that of a fresh lowering.
//!
//! Values are compared instead of trusting [`Touched`](crate::Touched), so that any two documents
//! can follow each other: an edit, several, or a file that was changed by another program.
//!
//! Tests, in `tests/incremental.rs`: `any_edits_lower_as_a_fresh_document`,
//! `an_edit_lowers_only_its_thing`, `a_moved_body_is_not_lowered_again`,
//! `a_follower_is_lowered_again_with_its_leader`, `other_frames_lower_all_and_keep_equal_records`.

use std::{collections::HashMap, sync::Arc};

use super::{
    Cursor, Defaults, Lowered, Lowering, Shot, Units, lower,
    references::Checks,
    slot_of,
    unit::{Unit, is_identical},
};
use crate::{
    check::Diagnostic,
    document::{Document, Thing},
    limits::Limits,
    place::Places,
    value::{Table, Value},
};

/// A lowered document that is lowered again after each edit, as far as that touches it.
#[derive(Debug)]
pub struct Lowerer {
    limits: Limits,
    lowered: Arc<Lowered>,
    diagnostics: Vec<Diagnostic>,
    units: Option<Units>,
    root: RootShape,
    defaults: Defaults,
    checks: Checks,
    revision: u64,
    records_lowered: u64,
}

impl Lowerer {
    /// Lowers a document.
    pub fn new(document: &Document, limits: Limits) -> Self {
        // It starts with an empty document.
        let (lowered, diagnostics) = lower(&Document::new(), &Places::none(), &limits);
        let mut lowerer = Self {
            limits,
            lowered: Arc::new(lowered),
            diagnostics,
            units: None,
            root: RootShape::default(),
            defaults: Defaults::default(),
            checks: Checks::default(),
            revision: 0,
            records_lowered: 0,
        };
        lowerer.update(document);
        lowerer
    }

    /// Lowers a later state of the document. Records that did not change are shared with the earlier
    /// result.
    pub fn update(&mut self, document: &Document) {
        let mut lowering = Lowering::new(&self.limits);
        lowering.document = Some(document);
        lowering.keeps_values = true;
        let root = RootShape::of(&document.root);
        let units = self.units.take();
        lowering.previous = units.map(|units| Previous::new(units, self.root == root));
        lowering.previous_names = Some(self.lowered.names.clone());
        lowering.defaults = std::mem::take(&mut self.defaults);
        lowering.checks = std::mem::take(&mut self.checks);
        lowering.revision = self.revision;
        let places = Places::none();
        let (lowered, units) = lowering.document(&document.root, &Cursor::top(&places));
        self.lowered = Arc::new(lowered);
        (self.units, self.root) = (Some(units), root);
        self.defaults = lowering.defaults;
        self.checks = lowering.checks;
        self.checks.forget_unused();
        self.revision = lowering.revision;
        self.records_lowered += lowering.records_lowered;
        self.diagnostics = lowering.diagnostics.finish();
    }

    /// The parts of the document without errors.
    pub fn lowered(&self) -> &Arc<Lowered> {
        &self.lowered
    }

    /// Its diagnostics, without positions in a file.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Number of bodies, locators, colliders, cameras and worlds that were lowered so far.
    pub fn records_lowered(&self) -> u64 {
        self.records_lowered
    }
}

/// Fields at the top of a document, each with whether it is a list. Paths of leaders depend on them.
#[derive(Debug, Default, PartialEq)]
struct RootShape(Vec<(Box<str>, bool)>);

impl RootShape {
    fn of(root: &Table) -> Self {
        let field = |(name, value): (&str, &Value)| (name.into(), value.list().is_some());
        Self(root.iter().map(field).collect())
    }
}

/// Units before an edit.
#[derive(Debug)]
pub(super) struct Previous {
    /// Each until it is used.
    things: [Vec<Option<Unit>>; 4],
    /// Unit of the world, until it is used.
    world: Option<Unit>,
    shot: Shot,
    /// Whether the thing at each index is written as before.
    same: [Vec<bool>; 4],
    same_world: bool,
    /// Whether all fields at the top of the document and all names of things are where they were.
    same_names: bool,
    same_frames: bool,
    /// Indices of things by name, for each kind, once a thing is looked for.
    by_name: [Option<HashMap<Arc<str>, Vec<usize>>>; 4],
}

impl Previous {
    fn new(units: Units, same_root: bool) -> Self {
        Self {
            things: units.things.map(|things| things.into_iter().map(Some).collect()),
            world: Some(units.world),
            shot: units.shot,
            same: Default::default(),
            same_world: false,
            same_names: same_root,
            same_frames: false,
            by_name: Default::default(),
        }
    }

    /// Compares the things of the document with those before.
    pub(super) fn compare(&mut self, root: &Table, shot: &Shot) {
        let frames = |shot: &Shot| (shot.rate, shot.first, shot.last);
        self.same_frames = frames(&self.shot) == frames(shot);
        let world = self.world.as_ref().and_then(|world| world.value.as_ref());
        self.same_world = match (world, root.get("world")) {
            (Some(was), Some(is)) => is_identical(was, is),
            (None, None) => true,
            _ => false,
        };
        for thing in Thing::ALL {
            let list = root.get(thing.list()).and_then(Value::list).unwrap_or_default();
            let units = &self.things[slot_of(thing)];
            let mut same = vec![false; list.len()];
            self.same_names &= units.len() == list.len();
            for ((same, value), unit) in same.iter_mut().zip(list).zip(units) {
                let Some(unit) = unit else { continue };
                *same = unit.value.as_ref().is_some_and(|was| is_identical(was, value));
                if !*same {
                    let name = value.table().and_then(|table| table.text("name"));
                    self.same_names &= name == unit.name.as_deref();
                }
            }
            self.same[slot_of(thing)] = same;
        }
    }

    /// Whether the frames of the shot and their rate are as before.
    pub(super) fn same_frames(&self) -> bool {
        self.same_frames
    }

    fn is_same(&self, thing: Thing, index: usize) -> bool {
        self.same[slot_of(thing)].get(index).copied().unwrap_or(false)
    }

    /// Whether a unit would be lowered to the same again, given that its value is the same.
    fn is_current(&self, unit: &Unit) -> bool {
        let reads = || {
            self.same_names && unit.reads.all(self.same_world, |thing, i| self.is_same(thing, i))
        };
        self.same_frames && (unit.reads.is_empty() || reads())
    }

    /// The unit of a thing, if it would be lowered to the same again, moved to its new index.
    pub(super) fn reuse(&mut self, thing: Thing, index: usize, value: &Value) -> Option<Unit> {
        let slot = slot_of(thing);
        let from = if self.is_same(thing, index) {
            index
        } else {
            let name = value.table()?.text("name")?;
            let units = &self.things[slot];
            let by_name = self.by_name[slot].get_or_insert_with(|| by_name(units));
            let is_same = |index: &&usize| {
                let value_before = units[**index].as_ref().and_then(|unit| unit.value.as_ref());
                value_before.is_some_and(|was| is_identical(was, value))
            };
            *by_name.get(name)?.iter().find(is_same)?
        };
        if !self.is_current(self.things[slot].get(from)?.as_ref()?) {
            return None;
        }
        let mut unit = self.things[slot][from].take()?;
        if unit.index != index {
            unit.set_index(index);
        }
        Some(unit)
    }

    /// The unit of the world, if it would be lowered to the same again.
    pub(super) fn reuse_world(&mut self) -> Option<Unit> {
        if !self.same_world || !self.is_current(self.world.as_ref()?) {
            return None;
        }
        self.world.take()
    }

    /// Keeps the record and its revision if a thing that is written as before was lowered to an equal
    /// one, for other frames of the shot.
    pub(super) fn keep_equal(&self, thing: Thing, unit: &mut Unit) {
        if self.is_same(thing, unit.index) {
            keep_equal(self.things[slot_of(thing)][unit.index].as_ref(), unit);
        }
    }

    /// The same for the world.
    pub(super) fn keep_equal_world(&self, unit: &mut Unit) {
        if self.same_world {
            keep_equal(self.world.as_ref(), unit);
        }
    }
}

fn keep_equal(was: Option<&Unit>, unit: &mut Unit) {
    let Some(was) = was.filter(|was| was.reads.is_empty() && was.record == unit.record) else {
        return;
    };
    unit.record.clone_from(&was.record);
    unit.revision = was.revision;
}

fn by_name(units: &[Option<Unit>]) -> HashMap<Arc<str>, Vec<usize>> {
    let mut by_name: HashMap<Arc<str>, Vec<usize>> = HashMap::with_capacity(units.len());
    for (index, unit) in units.iter().enumerate() {
        if let Some(name) = unit.as_ref().and_then(|unit| unit.name.as_ref()) {
            by_name.entry(name.clone()).or_default().push(index);
        }
    }
    by_name
}
