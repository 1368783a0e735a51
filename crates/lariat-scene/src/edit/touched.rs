//! Things that must be evaluated again after an edit.
//!
//! They are given by name, because indices may shift, and by frames, because a key near the end of a
//! shot does not affect its start. Bodies attached to a touched body, and later frames of simulated
//! bodies, are also affected; that is determined when bodies are bound.

use super::Edit;
use crate::{
    document::{Document, Thing},
    lower::Difference,
    path::{Path, Step},
    schema,
    value::Value,
};

/// Range of frames, both ends included; the ends may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameSpan {
    /// The first frame, or minus infinity.
    pub first: f64,
    /// The last frame, or infinity.
    pub last: f64,
}

impl FrameSpan {
    /// All frames.
    pub const ALL: Self = Self { first: f64::NEG_INFINITY, last: f64::INFINITY };

    /// Returns true if the range contains a frame.
    pub fn contains(&self, frame: f64) -> bool {
        self.first <= frame && frame <= self.last
    }

    /// Returns the smallest range that contains both.
    #[must_use]
    pub fn cover(self, other: Self) -> Self {
        Self { first: self.first.min(other.first), last: self.last.max(other.last) }
    }
}

/// Things that an edit touched.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Touched {
    /// Frame rate or frames changed: everything must be evaluated again.
    pub shot: bool,
    /// Gravity, wind or air changed.
    pub world: bool,
    /// Things were added, removed, moved or renamed, or something without a name changed: the whole
    /// document must be bound again.
    pub structure: bool,
    /// Names of changed bodies, before or after the edit; sorted.
    pub bodies: Vec<String>,
    /// Names of changed locators; sorted.
    pub locators: Vec<String>,
    /// Names of changed colliders; sorted.
    pub colliders: Vec<String>,
    /// Names of changed cameras; sorted.
    pub cameras: Vec<String>,
    /// Frames at which their values changed, if any.
    pub frames: Option<FrameSpan>,
}

impl Touched {
    /// Adds the things that another edit touched.
    pub fn add(&mut self, other: Self) {
        self.append(other);
        self.settle();
    }

    /// As [`Self::add`], without sorting the names.
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

    /// Sorts the names and removes duplicates.
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

/// State of the document before an edit.
pub(super) struct Before {
    touched: Touched,
    /// Path and old value of the keyed parameter that the edit changes.
    channel: Option<(Path, Value)>,
}

/// Path at or below which an edit changes something.
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
            // Markers change no pose.
            let is_marker = matches!(steps.get(1), Some(Step::Field(name)) if &**name == "markers");
            touched.shot |= !is_marker;
            if is_marker {
                touched.frames = None;
            }
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
    // The whole list, an element, or the name of an element.
    let renamed = matches!(steps.get(2), Some(Step::Field(name)) if &**name == "name");
    touched.structure |= steps.len() <= 2 || renamed;
    let index = match (steps.get(1), edit) {
        (Some(Step::Index(index)), _) => Some(*index),
        // An inserted element exists only after the edit, a removed or moved one only before.
        (None, Edit::Insert { index, .. }) if made => Some(*index),
        (None, Edit::Remove { index, .. }) if !made => Some(*index),
        (None, Edit::Move { from, .. }) if !made => Some(*from),
        _ => None,
    };
    let name =
        index.and_then(|index| document.root.get(list)?.list()?.get(index)?.table()?.text("name"));
    touched.names(thing).extend(name.map(str::to_owned));
}

/// Frames at which two states of a parameter differ.
fn difference(was: &Value, is: &Value) -> Option<FrameSpan> {
    match Difference::between(was, is) {
        Difference::Unknown => Some(FrameSpan::ALL),
        Difference::Nowhere => None,
        Difference::Frames(span) => Some(FrameSpan { first: span.from(), last: span.to() }),
    }
}
