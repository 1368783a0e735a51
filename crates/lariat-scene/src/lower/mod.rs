//! A document is made sense of: names resolved, defaults filled in, keys put in time, and
//! everything that is wrong with it told at once.
//!
//! ```text
//! record.rs      what comes out: records with typed parameters
//! table.rs       a table becomes a record, field by field, as the schema says
//! value.rs       a value becomes what its field asks for
//! channel.rs     a number, or keys
//! wiggle.rs      or what oscillates
//! follow.rs      or what follows that
//! shape.rs       profiles along the rope, cross-sections, height fields
//! shot.rs        when it plays
//! world.rs       what simulated bodies live in
//! anchor.rs      a point, a locator, a point of a body
//! model.rs       what only one model can know: pincers that overlap, bends that run out
//! dynamics.rs    what a simulated body is told in vain, and models that cannot be simulated
//! extent.rs      how many points a document asks for
//! references.rs  names that must exist, and bodies that hang on each other; below it, what of them
//!                is in vain: tied to solids, or borne by what holds a rope
//! parameter.rs   one parameter by its address
//! diagnostics.rs    the diagnostics, up to a bound
//! at.rs          where in the document we stand
//! ```
//!
//! A body with errors is left out, and so is everything that hangs on it; the others are good
//! and can be drawn and looked at further. Lowering never panics and takes time in proportion to
//! the document.

mod anchor;
mod at;
mod channel;
mod diagnostics;
mod dynamics;
mod extent;
mod follow;
mod model;
mod parameter;
mod record;
mod references;
mod shape;
mod shot;
mod table;
#[cfg(test)]
mod tests;
mod vain;
mod value;
mod wiggle;
mod world;

use std::{collections::HashMap, ops::Range, sync::Arc};

use lariat_core::motion::FrameRate;

pub(crate) use self::channel::Difference;
pub use self::parameter::{Moving, NoParameter, Parameter, moving, parameter};
pub use self::record::{Anchor, Grid, Outline, Record, Spread};
pub use self::shape::FORMULA_PLACES;
pub use self::shot::Shot;
use self::{
    at::At,
    diagnostics::Diagnostics,
    record::Slot,
    references::{Body, Named, Reference},
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

/// A document that makes sense.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// When it plays.
    pub shot: Shot,
    /// Whether the document's shot is without errors. If not, what is wrong or missing in it is
    /// as in a document without one: frames 1 to 120, 24 a second.
    pub shot_is_good: bool,
    /// Where the shot's frames stand in the file.
    pub frames_span: Option<Span>,
    /// What simulated bodies live in. What the document does not say has its default; if what it
    /// says has errors, all of it has.
    pub world: Record,
    /// Whether the document's world is without errors.
    pub world_is_good: bool,
    /// Named places, in the order of the document.
    pub locators: Vec<Record>,
    /// What ropes are clamped against, in the order of the document.
    pub colliders: Vec<Record>,
    /// Where pictures are taken from, without those that have errors, in the order of the document.
    pub cameras: Vec<Record>,
    /// The bodies without errors, in the order of the document.
    pub bodies: Vec<Record>,
    /// Names of bodies that are left out: they have errors, or hang on one that has.
    pub left_out: Vec<String>,
    /// Names of cameras that are left out, likewise.
    pub cameras_left_out: Vec<String>,
    /// For each body, the bodies it hangs on or is made of, as indices into `bodies`.
    dependencies: Vec<Vec<usize>>,
    most_points: Vec<u64>,
    names: HashMap<(Thing, Arc<str>), usize>,
}

/// A file that a body needs.
#[derive(Clone, Copy, Debug)]
pub struct NeededFile<'l> {
    /// The body.
    pub body: &'l Record,
    /// What of it names the file: the body itself, or one of its modes.
    pub record: &'l Record,
    /// The parameter that names the file.
    pub field: &'static str,
    /// As the document says it: from the folder that the document is in.
    pub path: &'l str,
}

impl Lowered {
    /// The body of this name, as an index into `bodies`.
    pub fn body_index(&self, name: &str) -> Option<usize> {
        self.index(Thing::Body, name)
    }

    /// The locator of this name, as an index into `locators`.
    pub fn locator_index(&self, name: &str) -> Option<usize> {
        self.index(Thing::Locator, name)
    }

    /// The collider of this name, as an index into `colliders`.
    pub fn collider_index(&self, name: &str) -> Option<usize> {
        self.index(Thing::Collider, name)
    }

    /// The camera of this name, as an index into `cameras`.
    pub fn camera_index(&self, name: &str) -> Option<usize> {
        self.index(Thing::Camera, name)
    }

    /// The files that bodies need, in the order of the document; a file may be needed by several.
    pub fn files(&self) -> impl Iterator<Item = NeededFile<'_>> {
        let files_of = |record: &'_ Record| {
            let fields = record.record_type().fields.iter();
            fields.filter(|field| matches!(field.kind, Kind::File)).map(|field| field.name)
        };
        self.bodies.iter().flat_map(move |body| {
            let modes = if body.has("modes") { body.records("modes") } else { &[] };
            std::iter::once(body).chain(modes).flat_map(move |record| {
                files_of(record).filter_map(move |field| {
                    Some(NeededFile { body, record, field, path: record.text(field)? })
                })
            })
        })
    }

    fn index(&self, thing: Thing, name: &str) -> Option<usize> {
        self.names.get(&(thing, Arc::from(name))).copied()
    }

    /// The bodies that a body hangs on or is made of, as indices into `bodies`, rising. Following
    /// them never comes back to the same body.
    pub fn dependencies(&self, body: usize) -> &[usize] {
        &self.dependencies[body]
    }

    /// How many points a body may have at any frame. Where keys decide how many it would have,
    /// as with the distance that a string of lights spans, it is given no more than these.
    pub fn most_points(&self, body: usize) -> u64 {
        self.most_points[body]
    }
}

/// Makes sense of a document: what is good of it, and everything that is wrong.
///
/// `places` are those the document was read with; [`Places::none`] if it never stood in a file.
pub fn lower(document: &Document, places: &Places, limits: &Limits) -> (Lowered, Vec<Diagnostic>) {
    let mut lowering = Lowering::new(limits);
    lowering.document = Some(document);
    let lowered = lowering.document(&document.root, &At::top(places));
    (lowered, lowering.diagnostics.finish())
}

/// Lowering on its way.
struct Lowering<'l> {
    limits: &'l Limits,
    /// All of it, for parameters that follow others.
    document: Option<&'l Document>,
    rate: FrameRate,
    /// The last frame of the shot, in seconds.
    last_second: f64,
    /// The frames of the shot; none while only one parameter is looked at.
    frames: Range<i64>,
    /// Through which followers this parameter is looked at.
    way: follow::Way,
    /// The parameters that others follow.
    followed: Vec<Path>,
    diagnostics: Diagnostics,
    /// Defaults of each type, made once.
    defaults: HashMap<*const RecordType, Arc<[Slot]>>,
    /// Every name that must exist.
    references: Vec<Reference>,
    /// Every name that was given.
    named: HashMap<(Thing, Arc<str>), Named>,
    /// The same in the order of the document.
    names: Vec<(Thing, Arc<str>)>,
    /// Points of all bodies so far.
    samples: f64,
    /// The body or camera that is being lowered: which of the document's, cameras behind bodies.
    holder: Option<usize>,
}

impl<'l> Lowering<'l> {
    fn new(limits: &'l Limits) -> Self {
        Self {
            limits,
            document: None,
            rate: FrameRate::FILM,
            last_second: 0.0,
            frames: 0..0,
            way: follow::Way::default(),
            followed: Vec::new(),
            diagnostics: Diagnostics::new(limits),
            defaults: HashMap::new(),
            references: Vec::new(),
            named: HashMap::new(),
            names: Vec::new(),
            samples: 0.0,
            holder: None,
        }
    }

    fn find(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// A diagnostic about the value at a place.
    fn wrong(&mut self, code: Code, at: &At, message: String, label: String, help: Option<String>) {
        self.find(
            Diagnostic::new(code, message).label(at.span(), at.path(), label).maybe_help(help),
        );
    }

    fn defaults(&mut self, record_type: &'static RecordType) -> Arc<[Slot]> {
        self.defaults
            .entry(std::ptr::from_ref(record_type))
            .or_insert_with(|| record::defaults(record_type))
            .clone()
    }

    fn document(&mut self, root: &Table, at: &At) -> Lowered {
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
                            format!("`{name}` is a list of tables, not {}", value.describe()),
                            String::new(),
                            Some(format!("write `[[{name}]]` above each of them")),
                        );
                    }
                }
                Some(_) => {}
            }
        }
        let errors = self.diagnostics.errors();
        let (shot, frames_span) = self.shot(root, at);
        let shot_is_good = self.diagnostics.errors() == errors;
        self.rate = shot.rate;
        self.last_second = shot.seconds(shot.last as f64);
        self.frames = shot.first..shot.last.saturating_add(1);
        let errors = self.diagnostics.errors();
        let world = self.world(root, at);
        let world_is_good = self.diagnostics.errors() == errors;
        let records = |bodies: Vec<Body>| bodies.into_iter().map(|body| body.record).collect();
        let locators = records(self.things(Thing::Locator, &schema::LOCATOR, root, at, None));
        let colliders = records(self.things(Thing::Collider, &schema::COLLIDER, root, at, None));
        let bodies = self.things(Thing::Body, &schema::BODY, root, at, Some(0));
        let cameras = self.things(Thing::Camera, &schema::CAMERA, root, at, Some(bodies.len()));
        if root.get("body").and_then(Value::list).is_none_or(<[Value]>::is_empty) {
            self.find(
                Diagnostic::new(Code::NoBodies, "the document has no bodies")
                    .label(None, Path::root(), "")
                    .help("add one: `[[body]]` with a `name` and a `model`"),
            );
        }
        self.check_world(&world, root);
        let plays = (shot, frames_span);
        let lowered = self.finish(plays, world, locators, colliders, bodies, cameras);
        Lowered { shot_is_good, world_is_good, ..lowered }
    }

    /// All things of one kind; those with errors have no record. `holders` is the number that the
    /// first of them has among those that hold on to others, if they do.
    fn things(
        &mut self,
        thing: Thing,
        family: &'static Family,
        root: &Table,
        at: &At,
        holders: Option<usize>,
    ) -> Vec<Body> {
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
            let errors = self.diagnostics.errors();
            self.holder = holders.map(|first| first + index);
            let name = value.table().and_then(|table| table.text("name"));
            if let (Some(name), Some(table)) = (name, value.table()) {
                let position = table.position("name").unwrap_or(0);
                self.name_thing(thing, name, index, &at.field("name", position));
            }
            let record = self.record_of(family, value, &at);
            if let Some(record) = &record {
                self.check_model(record);
            }
            things.push(Body {
                record: record.filter(|_| self.diagnostics.errors() == errors),
                name: Arc::from(name.unwrap_or("")),
                trail: at.trail(),
                span: at.span(),
            });
        }
        self.holder = None;
        things
    }
}
