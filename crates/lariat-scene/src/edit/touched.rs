//! What must be evaluated again after an edit.
//!
//! By name, because names survive where indices shift; and by frames, because a key moved near
//! the end of a shot leaves its beginning alone. What hangs on a touched body is touched as
//! well, and what is simulated feels a change at all later frames, but that is known where bodies
//! are bound, not here.

use super::Edit;
use crate::{
    document::{Document, Thing},
    lower::Difference,
    path::{Path, Step},
    schema,
    value::Value,
};

/// A stretch of frames, both ends included; the ends may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameSpan {
    /// The first frame, or minus infinity.
    pub first: f64,
    /// The last frame, or infinity.
    pub last: f64,
}

impl FrameSpan {
    /// All frames there are.
    pub const ALL: Self = Self { first: f64::NEG_INFINITY, last: f64::INFINITY };

    /// Whether a frame lies in it.
    pub fn contains(&self, frame: f64) -> bool {
        self.first <= frame && frame <= self.last
    }

    /// The shortest stretch that covers both.
    #[must_use]
    pub fn cover(self, other: Self) -> Self {
        Self { first: self.first.min(other.first), last: self.last.max(other.last) }
    }
}

/// What an edit touched.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Touched {
    /// Frame rate or frames changed: everything is to be evaluated again.
    pub shot: bool,
    /// What simulated bodies live in changed: gravity, wind or air.
    pub world: bool,
    /// Things were added, removed, moved or renamed, or something changed that cannot be told
    /// by name: the document is to be bound again as a whole.
    pub structure: bool,
    /// Names of bodies that changed, before or after; sorted.
    pub bodies: Vec<String>,
    /// Names of locators that changed; sorted.
    pub locators: Vec<String>,
    /// Names of colliders that changed; sorted.
    pub colliders: Vec<String>,
    /// Names of cameras that changed; sorted.
    pub cameras: Vec<String>,
    /// The frames at which their values changed; none if the edit changes none at any frame.
    pub frames: Option<FrameSpan>,
}

impl Touched {
    /// Joins what another edit touched.
    pub fn add(&mut self, other: Self) {
        self.append(other);
        self.settle();
    }

    /// As [`Self::add`], with the names left unsorted; a batch of thousands sorts them once.
    pub(super) fn append(&mut self, other: Self) {
        self.shot |= other.shot;
        self.world |= other.world;
        self.structure |= other.structure;
        self.bodies.extend(other.bodies);
        self.locators.extend(other.locators);
        self.colliders.extend(other.colliders);
        self.cameras.extend(other.cameras);
        self.frames = match (self.frames, other.frames) {
            (Some(a), Some(b)) => Some(a.cover(b)),
            (a, b) => a.or(b),
        };
    }

    /// Sorts the names, each once.
    pub(super) fn settle(&mut self) {
        for thing in Thing::ALL {
            let names = self.names(thing);
            names.sort_unstable();
            names.dedup();
        }
    }

    fn names(&mut self, thing: Thing) -> &mut Vec<String> {
        match thing {
            Thing::Body => &mut self.bodies,
            Thing::Locator => &mut self.locators,
            Thing::Collider => &mut self.colliders,
            Thing::Camera => &mut self.cameras,
        }
    }
}

/// What must be remembered of the document before an edit is made.
pub(super) struct Before {
    touched: Touched,
    /// The keys of the parameter that the edit goes into: where they are, and what they were.
    channel: Option<(Path, Value)>,
}

/// The path that an edit changes something at or below.
fn target(edit: &Edit) -> Option<Path> {
    match edit {
        Edit::Set { path, .. } | Edit::Unset { path } | Edit::Restore { path, .. } => {
            Some(path.clone())
        }
        Edit::Insert { list, .. } | Edit::Remove { list, .. } | Edit::Move { list, .. } => {
            Some(list.clone())
        }
        _ => None,
    }
}

pub(super) fn before(document: &Document, edit: &Edit) -> Before {
    let mut touched = Touched { frames: Some(FrameSpan::ALL), ..Touched::default() };
    let Some(path) = target(edit) else { return Before { touched, channel: None } };
    name_thing(document, edit, &path, false, &mut touched);
    let channel = schema::parameter_at(document, &path)
        .filter(|(field, depth)| !field.accumulates && *depth < path.steps().len())
        .map(|(_, depth)| path.steps()[..depth].iter().cloned().collect::<Path>())
        .and_then(|path| document.get(&path).map(|value| (path.clone(), value.clone())));
    Before { touched, channel }
}

pub(super) fn after(document: &Document, edit: &Edit, before: Before) -> Touched {
    let Before { mut touched, channel } = before;
    if let Some(path) = target(edit) {
        name_thing(document, edit, &path, true, &mut touched);
    }
    if let Some((path, was)) = channel
        && let Some(is) = document.get(&path)
    {
        touched.frames = difference(&was, is);
    }
    touched.settle();
    touched
}

/// Names the thing that an edit at a path goes into.
fn name_thing(document: &Document, edit: &Edit, path: &Path, made: bool, touched: &mut Touched) {
    let steps = path.steps();
    let Some(Step::Field(list)) = steps.first() else { return };
    match &**list {
        "shot" => {
            touched.shot = true;
            return;
        }
        "world" => {
            touched.world = true;
            return;
        }
        _ => {}
    }
    let Some(thing) = Thing::of_list(list) else {
        touched.structure = true;
        return;
    };
    // The whole list, an element of it, or the name of one.
    let renamed = matches!(steps.get(2), Some(Step::Field(name)) if &**name == "name");
    touched.structure |= steps.len() <= 2 || renamed;
    let index = match (steps.get(1), edit) {
        (Some(Step::Index(index)), _) => Some(*index),
        // What is inserted is there only afterwards, what is removed or moved only before.
        (None, Edit::Insert { index, .. }) if made => Some(*index),
        (None, Edit::Remove { index, .. }) if !made => Some(*index),
        (None, Edit::Move { from, .. }) if !made => Some(*from),
        _ => None,
    };
    let name =
        index.and_then(|index| document.root.get(list)?.list()?.get(index)?.table()?.text("name"));
    touched.names(thing).extend(name.map(str::to_owned));
}

/// The frames at which two states of a parameter differ.
fn difference(was: &Value, is: &Value) -> Option<FrameSpan> {
    match Difference::between(was, is) {
        Difference::Unknown => Some(FrameSpan::ALL),
        Difference::Nowhere => None,
        Difference::Frames(span) => Some(FrameSpan { first: span.from(), last: span.to() }),
    }
}
