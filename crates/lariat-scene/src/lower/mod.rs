//! Lowering: from a document to typed records with resolved names, defaults and times in seconds.
//!
//! ```text
//! record.rs       output: records with typed parameters
//! table.rs        table -> record, as the schema describes it
//! value.rs        value -> slot of a field
//! channel.rs      constant or keyed parameters
//! wiggle.rs       oscillating parameters
//! follow.rs       parameters that follow others
//! shape.rs        profiles along the rope, cross-sections, height fields, formulas
//! shot.rs         frame rate, frame range, ground and markers
//! world.rs        gravity, wind and air
//! anchor.rs       attachment to a point, a locator or a body
//! model.rs        checks of single models: overlapping pincers, bends past the end
//! dynamics.rs     checks of simulated bodies
//! ineffective.rs  settings of a wiggle that have no effect or exclude each other
//! extent.rs       number of points
//! unit.rs         one thing, apart from the others
//! references.rs   names and attachments; below it, checks of strings tied to solids and of loads
//!                 at held places
//! incremental.rs  lowering after an edit: only the things that it touches
//! parameter.rs    lookup of one parameter by its path
//! diagnostics.rs  list of diagnostics, up to the limit
//! cursor.rs       current position in the document
//! ```
//!
//! A body with errors is skipped together with everything attached to it; the other bodies can be
//! evaluated. Lowering never panics and takes time proportional to the size of the document.

mod anchor;
mod channel;
mod cursor;
mod diagnostics;
mod dynamics;
mod extent;
mod follow;
mod incremental;
mod ineffective;
mod model;
mod parameter;
mod record;
mod references;
mod shape;
mod shot;
mod table;
#[cfg(test)]
mod tests;
mod unit;
mod value;
mod wiggle;
mod world;

use std::{collections::HashMap, ops::Range, sync::Arc};

use lariat_core::motion::FrameRate;

pub(crate) use self::channel::Difference;
pub use self::incremental::Lowerer;
pub use self::parameter::{
    Parameter, ParameterChannel, ParameterError, animated_parameters, parameter,
};
pub use self::record::{Anchor, CrossSection, Grid, PerPoint, Record};
pub use self::shape::FORMULA_SAMPLES;
pub use self::shot::{Marker, Shot, ShotGround};
use self::{
    cursor::Cursor,
    diagnostics::Diagnostics,
    incremental::Previous,
    record::Slot,
    references::{Checks, Named, Reference},
    shot::WholeShot,
    unit::{Reads, Unit},
};
use crate::{
    check::{Code, Diagnostic},
    document::{Document, Thing},
    limits::Limits,
    path::Path,
    place::{Places, Span},
    schema::{self, Family, Kind, RecordType},
    value::{Table, Value},
};

/// A lowered document.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// Frame rate, frame range and ground.
    pub shot: Shot,
    /// Whether the document's shot has no errors. Wrong or missing values are replaced by those of
    /// a document without a shot: frames 1 to 120 at 24 frames per second.
    pub shot_valid: bool,
    /// Position of the shot's frames in the file.
    pub frames_span: Option<Span>,
    /// Marked frames without errors, in the order of their frames.
    pub markers: Vec<Marker>,
    /// Gravity, wind and air of the simulated bodies. Missing values have their defaults; a world
    /// with errors has only defaults.
    pub world: Arc<Record>,
    /// Whether the document's world has no errors.
    pub world_valid: bool,
    /// Locators, in the order of the document.
    pub locators: Vec<Arc<Record>>,
    /// Colliders, in the order of the document.
    pub colliders: Vec<Arc<Record>>,
    /// Cameras without errors, in the order of the document.
    pub cameras: Vec<Arc<Record>>,
    /// Bodies without errors, in the order of the document.
    pub bodies: Vec<Arc<Record>>,
    /// Names of skipped bodies: those with errors, and those attached to one with errors.
    pub skipped: Vec<String>,
    /// Names of skipped cameras, likewise.
    pub skipped_cameras: Vec<String>,
    /// For each body, the bodies it is attached to or consists of, as indices into `bodies`.
    dependencies: Vec<Vec<usize>>,
    /// For each body and each camera, the things that it refers to, in order.
    links: Vec<Vec<Link>>,
    camera_links: Vec<Vec<Link>>,
    max_points: Vec<u64>,
    names: Arc<Names>,
    /// Revisions of bodies, locators, colliders and cameras, and of the world.
    revisions: [Vec<u64>; 4],
    world_revision: u64,
}

/// Names of all things without errors, with their indices.
type Names = HashMap<(Thing, Arc<str>), usize>;

/// A thing that a body or a camera refers to: its kind, and its index in the list of its kind.
pub type Link = (Thing, usize);

/// A file that a body refers to.
#[derive(Clone, Copy, Debug)]
pub struct FileReference<'l> {
    /// The body.
    pub body: &'l Record,
    /// The record that names the file: the body, or one of its modes.
    pub record: &'l Record,
    /// The parameter that names the file.
    pub field: &'static str,
    /// Path as written, relative to the folder of the document.
    pub path: &'l str,
}

impl Lowered {
    /// Finds a body by name; returns an index into `bodies`.
    pub fn body_index(&self, name: &str) -> Option<usize> {
        self.index(Thing::Body, name)
    }

    /// Finds a locator by name; returns an index into `locators`.
    pub fn locator_index(&self, name: &str) -> Option<usize> {
        self.index(Thing::Locator, name)
    }

    /// Finds a collider by name; returns an index into `colliders`.
    pub fn collider_index(&self, name: &str) -> Option<usize> {
        self.index(Thing::Collider, name)
    }

    /// Finds a camera by name; returns an index into `cameras`.
    pub fn camera_index(&self, name: &str) -> Option<usize> {
        self.index(Thing::Camera, name)
    }

    /// Files that bodies refer to, in the order of the document; several bodies may share one.
    pub fn files(&self) -> impl Iterator<Item = FileReference<'_>> {
        let files_of = |record: &'_ Record| {
            let fields = record.record_type().fields.iter();
            fields.filter(|field| matches!(field.kind, Kind::File)).map(|field| field.name)
        };
        self.bodies.iter().flat_map(move |body| {
            let modes = if body.has("modes") { body.records("modes") } else { &[] };
            std::iter::once(&**body).chain(modes).flat_map(move |record| {
                files_of(record).filter_map(move |field| {
                    Some(FileReference { body, record, field, path: record.text(field)? })
                })
            })
        })
    }

    fn index(&self, thing: Thing, name: &str) -> Option<usize> {
        self.names.get(&(thing, Arc::from(name))).copied()
    }

    /// Bodies that a body is attached to or consists of, as sorted indices into `bodies`. The graph
    /// has no cycles.
    pub fn dependencies(&self, body: usize) -> &[usize] {
        &self.dependencies[body]
    }

    /// Things that a body is attached to, consists of or collides with, in the order of its
    /// parameters.
    pub fn links(&self, body: usize) -> &[Link] {
        &self.links[body]
    }

    /// Things that a camera is attached to.
    pub fn camera_links(&self, camera: usize) -> &[Link] {
        &self.camera_links[camera]
    }

    /// Number that changes with a record, and with nothing else. Two results of the same [`Lowerer`]
    /// can be compared by it; a thing that was only moved in its list keeps it.
    pub fn revision(&self, thing: Thing, index: usize) -> u64 {
        self.revisions[slot_of(thing)][index]
    }

    /// The same number of the world.
    pub fn world_revision(&self) -> u64 {
        self.world_revision
    }

    /// Maximum number of points of a body at any frame. It limits bodies whose number of points
    /// depends on keys, such as a string of lights with moving ends.
    pub fn max_points(&self, body: usize) -> u64 {
        self.max_points[body]
    }
}

/// Lowers a document; returns its parts without errors and all diagnostics.
///
/// `places` are those the document was read with, or [`Places::none`] if it has no file.
pub fn lower(document: &Document, places: &Places, limits: &Limits) -> (Lowered, Vec<Diagnostic>) {
    let mut lowering = Lowering::new(limits);
    lowering.document = Some(document);
    let (lowered, _) = lowering.document(&document.root, &Cursor::top(places));
    (lowered, lowering.diagnostics.finish())
}

/// Position of a kind of things in arrays of all kinds.
fn slot_of(thing: Thing) -> usize {
    match thing {
        Thing::Body => 0,
        Thing::Locator => 1,
        Thing::Collider => 2,
        Thing::Camera => 3,
    }
}

/// All lowered things of a document, valid or not.
#[derive(Debug)]
struct Units {
    /// Bodies, locators, colliders and cameras.
    things: [Vec<Unit>; 4],
    world: Unit,
    shot: Shot,
}

impl Units {
    fn of(&self, thing: Thing) -> &[Unit] {
        &self.things[slot_of(thing)]
    }

    fn all(&self) -> impl Iterator<Item = &Unit> {
        self.things.iter().flatten().chain([&self.world])
    }
}

/// State of lowering.
struct Lowering<'l> {
    limits: &'l Limits,
    /// The whole document, for parameters that follow others.
    document: Option<&'l Document>,
    rate: FrameRate,
    /// Time of the last frame of the shot, in seconds.
    last_second: f64,
    /// Frames of the shot; empty while a single parameter is lowered.
    frames: Range<i64>,
    /// Chain of followers that led to this parameter.
    leaders: follow::LeaderSearch,
    /// Parameters that others follow.
    followed: Vec<Path>,
    diagnostics: Diagnostics,
    /// Defaults of each type, created once.
    defaults: Defaults,
    /// References of the current thing to names.
    references: Vec<Reference>,
    /// Other things that the current one was lowered from.
    reads: Reads,
    /// All defined names.
    named: HashMap<(Thing, Arc<str>), Named>,
    /// All defined names, in the order of the document.
    names: Vec<(Thing, Arc<str>)>,
    /// Number of points of all bodies so far.
    samples: f64,
    /// True while a body or a camera is lowered, which can refer to others.
    refers: bool,
    /// Whether units keep their values, to be compared after an edit.
    keeps_values: bool,
    /// Units before the last edit.
    previous: Option<Previous>,
    /// Names before the last edit.
    previous_names: Option<Arc<Names>>,
    /// Results of checks of attached bodies.
    checks: Checks,
    /// Last revision.
    revision: u64,
    /// Number of things lowered.
    records_lowered: u64,
}

/// Defaults of record types, by their address.
type Defaults = HashMap<usize, Arc<[Slot]>>;

impl<'l> Lowering<'l> {
    fn new(limits: &'l Limits) -> Self {
        Self {
            limits,
            document: None,
            rate: FrameRate::FILM,
            last_second: 0.0,
            frames: 0..0,
            leaders: follow::LeaderSearch::default(),
            followed: Vec::new(),
            diagnostics: Diagnostics::new(limits),
            defaults: HashMap::new(),
            references: Vec::new(),
            reads: Reads::default(),
            named: HashMap::new(),
            names: Vec::new(),
            samples: 0.0,
            refers: false,
            keeps_values: false,
            previous: None,
            previous_names: None,
            checks: Checks::default(),
            revision: 0,
            records_lowered: 0,
        }
    }

    fn find(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports a diagnostic about the value at a place.
    fn wrong(
        &mut self,
        code: Code,
        at: &Cursor,
        message: String,
        label: String,
        help: Option<String>,
    ) {
        self.wrong_value(code, at, message, label, help, None);
    }

    /// Reports a value, with the value that is the remedy if there is one.
    fn wrong_value(
        &mut self,
        code: Code,
        at: &Cursor,
        message: String,
        label: String,
        help: Option<String>,
        remedy: Option<Value>,
    ) {
        let path = at.path();
        let diagnostic = Diagnostic::new(code, message).maybe_remedy(&path, remedy);
        self.find(diagnostic.label(at.span(), path, label).maybe_help(help));
    }

    fn defaults(&mut self, record_type: &'static RecordType) -> Arc<[Slot]> {
        self.defaults
            .entry(std::ptr::from_ref(record_type).addr())
            .or_insert_with(|| record::defaults(record_type))
            .clone()
    }

    fn document(&mut self, root: &Table, at: &Cursor) -> (Lowered, Units) {
        let known = schema::DOCUMENT.fields;
        for (position, (name, value)) in root.iter().enumerate() {
            let at = at.field(name, position);
            match known.iter().find(|field| field.name == name) {
                None => self.unknown_field(&schema::DOCUMENT, None, name, &at),
                Some(field) if matches!(field.kind, Kind::Records(_)) => {
                    if value.list().is_none() {
                        self.wrong(
                            Code::WrongType,
                            &at,
                            format!("`{name}` must be a list of tables, not {}", value.describe()),
                            String::new(),
                            Some(format!("write `[[{name}]]` above each of them")),
                        );
                    }
                }
                Some(_) => {}
            }
        }
        let errors = self.diagnostics.errors();
        let WholeShot { shot, frames_span, markers } = self.shot(root, at);
        let shot_valid = self.diagnostics.errors() == errors;
        self.rate = shot.rate;
        self.last_second = shot.seconds(shot.last as f64);
        self.frames = shot.first..shot.last.saturating_add(1);
        if let Some(previous) = &mut self.previous {
            previous.compare(root, &shot);
            if !previous.same_frames() {
                self.checks = Checks::default();
            }
        }
        let world = self.world_unit(root, at);
        let locators = self.things(Thing::Locator, &schema::LOCATOR, root, at);
        let colliders = self.things(Thing::Collider, &schema::COLLIDER, root, at);
        let bodies = self.things(Thing::Body, &schema::BODY, root, at);
        let cameras = self.things(Thing::Camera, &schema::CAMERA, root, at);
        let units = Units { things: [bodies, locators, colliders, cameras], world, shot };
        if root.get("body").and_then(Value::list).is_none_or(<[Value]>::is_empty) {
            self.find(
                Diagnostic::new(Code::NoBodies, "the document has no bodies")
                    .label(None, Path::root(), "")
                    .help("add one: `[[body]]` with a `name` and a `model`"),
            );
        }
        if let Some(world) = &units.world.record {
            self.check_world(world, root);
        }
        let lowered = self.finish(&units);
        (Lowered { shot_valid, frames_span, markers, ..lowered }, units)
    }

    /// Lowers all things of one kind; those with errors have no record. Things that an edit did not
    /// touch are taken from before.
    fn things(
        &mut self,
        thing: Thing,
        family: &'static Family,
        root: &Table,
        at: &Cursor,
    ) -> Vec<Unit> {
        let Some(position) = root.position(thing.list()) else { return Vec::new() };
        let Some((_, Value::List(list))) = root.entry(position) else { return Vec::new() };
        let at = at.field(thing.list(), position).known(thing.list());
        let most = usize::try_from(self.limits.bodies).unwrap_or(usize::MAX);
        if list.len() > most {
            self.wrong(
                Code::TooManyBodies,
                &at.index(most),
                format!("{} {}, more than the limit of {most}", list.len(), thing.plural()),
                format!("this is number {}", most + 1),
                Some("raise the limit with `--limit bodies=N`, or split the shot".to_owned()),
            );
        }
        let mut things = Vec::with_capacity(list.len().min(most));
        for (index, value) in list.iter().enumerate().take(most) {
            let at = at.index(index);
            let kept = self.previous.as_mut().and_then(|p| p.reuse(thing, index, value));
            let mut name_valid = true;
            let name = match &kept {
                Some(kept) => kept.name.clone(),
                None => value.table().and_then(|table| table.text("name")).map(Arc::from),
            };
            if let (Some(name), Some(table)) = (&name, value.table()) {
                let span = match &kept {
                    Some(kept) => kept.name_span,
                    None => at.field("name", table.position("name").unwrap_or(0)).span(),
                };
                name_valid = self.name_thing(thing, name, index, span);
            }
            let room = self.diagnostics.room();
            let kept = kept.filter(|kept| !kept.diagnostics.has_more_for(room));
            let mut unit = kept.unwrap_or_else(|| {
                let refers = matches!(thing, Thing::Body | Thing::Camera);
                let mut unit = self.unit(family, (value, index), name, refers, &at);
                if let Some(previous) = &self.previous {
                    previous.keep_equal(thing, &mut unit);
                }
                unit
            });
            unit.name_valid = name_valid;
            self.diagnostics.append(&unit.diagnostics);
            things.push(unit);
        }
        things
    }
}
