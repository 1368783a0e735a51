//! Handles that can be dragged: ends, locators, pins, bends, pincers, control points, solids,
//! colliders, cameras.
//!
//! A handle has the path of its parameter. [`Editor::drag`] is the inverse: the edit that brings a
//! handle to a point, or as near to it as its parameter can.
//!
//! ```text
//! mod.rs     list of handles
//! drag.rs    from a dragged point to an edit
//! turn.rs    from a rotation to an edit
//! attach.rs  anchors attached to things, and points again
//! ray.rs     from a ray of the pointer to a point
//! ```
//!
//! Tests: `crates/lariat-editor/tests/suite/handle.rs`.

mod attach;
mod drag;
mod ray;
mod turn;

pub use drag::{Attached, DragError, DragOptions};
pub use ray::Ray;

use glam::DVec3;
use lariat_eval::{HandleKind, HandleParameter, Moment};
use lariat_scene::{
    Path, Thing,
    lower::{Anchor, Record},
    schema::{Kind, Unit},
};

use crate::{channel::ChannelForm, editor::Editor};

/// A handle that can be dragged.
#[derive(Clone, Debug, PartialEq)]
pub struct DragHandle {
    /// Kind of the thing that it belongs to.
    pub thing: Thing,
    /// Name of the thing.
    pub name: String,
    /// Position in metres.
    pub at: DVec3,
    /// Path of the parameter that places it: `body[0].from`.
    pub path: Path,
    /// Effect of a drag.
    pub moves: Moves,
    /// Path of the parameter that a drag changes: for an end on a locator, the locator's position.
    pub parameter: Path,
    /// Form of that parameter over time.
    pub form: ChannelForm,
}

/// Effect of dragging a handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moves {
    /// It goes anywhere.
    Freely,
    /// It goes anywhere, and takes along this locator and everything on it.
    Locator(String),
    /// It goes anywhere relative to this mesh or solid.
    OnSolid(String),
    /// It slides along this body.
    Along(String),
}

impl Moves {
    /// Returns true if the handle can reach every point.
    pub fn is_free(&self) -> bool {
        !matches!(self, Self::Along(_))
    }
}

impl Editor {
    /// Handles of everything at a frame, in the order of the document.
    pub fn handles(&self, frame: f64) -> Vec<DragHandle> {
        self.all_handles(frame, None)
    }

    /// [`handles`](Self::handles) at a frame that was evaluated, without posing bodies again.
    pub fn handles_in(&self, moment: &Moment) -> Vec<DragHandle> {
        self.all_handles(moment.frame, Some(moment))
    }

    fn all_handles(&self, frame: f64, moment: Option<&Moment>) -> Vec<DragHandle> {
        let lowered = self.lowered();
        let lists = [
            (Thing::Body, &lowered.bodies),
            (Thing::Locator, &lowered.locators),
            (Thing::Collider, &lowered.colliders),
            (Thing::Camera, &lowered.cameras),
        ];
        let all = lists
            .into_iter()
            .flat_map(|(thing, records)| records.iter().map(move |record| (thing, record.name())));
        all.flat_map(|(thing, name)| self.some_handles(thing, name, frame, moment)).collect()
    }

    /// Handles of one thing at a frame; none if it does not exist or has errors.
    pub fn handles_of(&self, thing: Thing, name: &str, frame: f64) -> Vec<DragHandle> {
        self.some_handles(thing, name, frame, None)
    }

    /// [`handles_of`](Self::handles_of) at a frame that was evaluated, without posing bodies again.
    pub fn handles_of_in(&self, thing: Thing, name: &str, moment: &Moment) -> Vec<DragHandle> {
        self.some_handles(thing, name, moment.frame, Some(moment))
    }

    fn some_handles(
        &self,
        thing: Thing,
        name: &str,
        frame: f64,
        moment: Option<&Moment>,
    ) -> Vec<DragHandle> {
        let Some(record) = self.record(thing, name) else { return Vec::new() };
        let t = self.lowered().shot.seconds(frame);
        let mut handles = Vec::new();
        let mut add = |at: DVec3, path: Path, moves: Moves, parameter: Path| {
            let form = self.form_of(&parameter);
            let name = name.to_owned();
            handles.push(DragHandle { thing, name, at, path, moves, parameter, form });
        };
        if let (Thing::Body, Some(body)) = (thing, self.lowered().body_index(name)) {
            let found = match moment {
                Some(moment) => self.scene().handles_in(body, frame, &moment.bodies),
                None => self.scene().handles(body, frame),
            };
            for handle in found.iter() {
                let record = &self.lowered().bodies[handle.body];
                let path = self.written(&handle.parameter.path(record));
                match (handle.kind, handle.parameter) {
                    (HandleKind::Bend | HandleKind::Pincer, _) => {
                        let along = Moves::Along(record.name().to_owned());
                        add(handle.at, path.clone(), along, path);
                    }
                    // A simulated solid is elsewhere; its handle is the place that is keyed.
                    (_, HandleParameter::Field(field @ "position")) => {
                        let at = record.vector(field).map_or(handle.at, |channel| channel.at(t));
                        add(at, path.clone(), Moves::Freely, path);
                    }
                    (_, HandleParameter::Element(..)) => {
                        add(handle.at, path.clone(), Moves::Freely, path);
                    }
                    (_, HandleParameter::Field(field)) => {
                        let (moves, parameter) = self.effect(record, field, &path);
                        add(handle.at, path, moves, parameter);
                    }
                    (_, HandleParameter::Pin(pin)) => {
                        let Some(pin) = pins(record).get(pin) else { continue };
                        let (moves, parameter) = self.effect(pin, "to", &path);
                        add(handle.at, path, moves, parameter);
                    }
                    (_, HandleParameter::ListField(..)) => {}
                }
            }
            return handles;
        }
        for field in record.record_type().fields {
            let path = self.written(&record.path_of(field.name));
            match field.kind {
                Kind::Anchor => {
                    let at = self.scene().anchor(self.lowered(), record, field.name, frame).at;
                    let (moves, parameter) = self.effect(record, field.name, &path);
                    add(at, path, moves, parameter);
                }
                Kind::Vector(Unit::Metres) if field.name != "size" => {
                    let Some(channel) = record.vector(field.name) else { continue };
                    add(channel.at(t), path.clone(), Moves::Freely, path);
                }
                _ => {}
            }
        }
        handles
    }

    /// Effect of dragging an anchor, and the parameter that it changes.
    fn effect(&self, record: &Record, field: &str, path: &Path) -> (Moves, Path) {
        match record.anchor(field) {
            Some(Anchor::Locator { name, .. }) => {
                let locator = self.record(Thing::Locator, name).map(|r| r.path_of("position"));
                let locator = locator.map_or_else(|| path.clone(), |path| self.written(&path));
                (Moves::Locator((**name).to_owned()), locator)
            }
            Some(Anchor::Body { name, .. }) => {
                let body = self.lowered().body_index(name);
                match body.is_some_and(|body| self.scene().is_mesh(body)) {
                    true => (Moves::OnSolid((**name).to_owned()), path.clone().field("offset")),
                    false => (Moves::Along((**name).to_owned()), path.clone().field("at")),
                }
            }
            Some(Anchor::Point(_)) | None => (Moves::Freely, path.clone()),
        }
    }

    /// The lowered record of a thing.
    pub(crate) fn record(&self, thing: Thing, name: &str) -> Option<&Record> {
        let lowered = self.lowered();
        match thing {
            Thing::Body => lowered.body_index(name).map(|index| &*lowered.bodies[index]),
            Thing::Locator => lowered.locator_index(name).map(|index| &*lowered.locators[index]),
            Thing::Collider => lowered.collider_index(name).map(|index| &*lowered.colliders[index]),
            Thing::Camera => lowered.camera_index(name).map(|index| &*lowered.cameras[index]),
        }
    }

    /// Path as written in the document.
    pub(crate) fn written(&self, path: &Path) -> Path {
        self.document().as_written(path).unwrap_or_else(|| path.clone())
    }

    /// Form of a parameter over time.
    pub fn form_of(&self, path: &Path) -> ChannelForm {
        ChannelForm::of(self.document().get(&self.written(path)))
    }
}

/// The pins of a body; none if it is not simulated.
pub(crate) fn pins(record: &Record) -> &[Record] {
    let dynamics = if record.has("dynamics") { record.record("dynamics") } else { None };
    dynamics.filter(|how| how.has("pins")).map_or(&[], |how| how.records("pins"))
}
