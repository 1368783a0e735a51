//! From a dragged point to an edit.
//!
//! Edits are absolute: the edit for a point does not depend on the points of earlier previews of the
//! same gesture.

use glam::DVec3;
use lariat_eval::HandleParameter;
use lariat_scene::{
    Edit, Path, Step, Thing, Value,
    lower::{Anchor, Record},
    schema::Kind,
};

use super::pins;
use crate::{
    channel::{Amount, ChannelForm, value_at},
    editor::Editor,
};

/// Effect of dragging an end that is attached to something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Attached {
    /// Moves the locator it is attached to, slides along a rope, or changes the offset from a solid.
    #[default]
    Carry,
    /// Stays attached and changes its offset.
    Offset,
    /// Becomes a point of its own.
    Detach,
}

/// Options of a drag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DragOptions {
    /// Sets a key at the frame if the parameter has keys. Otherwise all keys are moved.
    pub auto_key: bool,
    /// Effect on an attached end.
    pub attached: Attached,
}

/// Error of a drag.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DragError {
    /// The path is not a parameter of a handle, or its thing has errors.
    #[error("`{path}` has no handle")]
    NoHandle {
        /// The path.
        path: Path,
    },
    /// The parameter follows another one.
    #[error("`{path}` follows another parameter; drag that one, or set `{path}` first")]
    Follows {
        /// The parameter.
        path: Path,
    },
    /// The point is not finite.
    #[error("the point {target} is not finite")]
    NotFinite {
        /// The point.
        target: DVec3,
    },
}

impl Editor {
    /// Returns the edit that brings the handle at a path (see
    /// [`DragHandle::path`](super::DragHandle)) to a point at a frame, or as near to it as its
    /// parameter can. The edit is not applied.
    pub fn drag(
        &self,
        path: &Path,
        frame: f64,
        target: DVec3,
        options: DragOptions,
    ) -> Result<Edit, DragError> {
        if !target.is_finite() {
            return Err(DragError::NotFinite { target });
        }
        let no_handle = || DragError::NoHandle { path: path.clone() };
        let path = &self.written(path);
        let drag = Drag { editor: self, frame, target, options };
        let (thing, record, rest) = self.owner(path).ok_or_else(no_handle)?;
        let name_of = |name: &str| record.record_type().field(name).map(|field| field.name);
        match rest {
            [Step::Field(field)] => {
                let field = record.record_type().field(field).ok_or_else(no_handle)?;
                match field.kind {
                    Kind::Anchor => drag.anchor(record, field.name, path),
                    Kind::Vector(_) => drag.vector(record, field.name, path),
                    _ => Err(no_handle()),
                }
            }
            [Step::Field(list), Step::Index(index)] if name_of(list) == Some("inner") => {
                drag.inner(record, *index, path).ok_or_else(no_handle)?
            }
            [Step::Field(list), Step::Index(index), Step::Field(_)] if thing == Thing::Body => {
                let list = name_of(list).ok_or_else(no_handle)?;
                drag.slide(record, list, *index, path).ok_or_else(no_handle)?
            }
            [Step::Field(dynamics), Step::Field(list), Step::Index(pin), Step::Field(_)]
                if &**dynamics == "dynamics" && &**list == "pins" =>
            {
                drag.anchor(pins(record).get(*pin).ok_or_else(no_handle)?, "to", path)
            }
            _ => Err(no_handle()),
        }
    }

    /// The thing that a path with indices belongs to, and the steps below it.
    pub(crate) fn owner<'p>(&self, path: &'p Path) -> Option<(Thing, &Record, &'p [Step])> {
        let [Step::Field(list), Step::Index(index), rest @ ..] = path.steps() else { return None };
        let thing = Thing::of_list(list)?;
        let table = self.document().root.get(list)?.list()?.get(*index)?.table()?;
        Some((thing, self.record(thing, table.text("name")?)?, rest))
    }
}

/// A drag of one handle.
struct Drag<'e> {
    editor: &'e Editor,
    frame: f64,
    target: DVec3,
    options: DragOptions,
}

type Dragged = Result<Edit, DragError>;

impl Drag<'_> {
    fn time(&self) -> f64 {
        self.editor.lowered().shot.seconds(self.frame)
    }

    /// Edit after which a parameter has a value at the frame.
    fn set(&self, path: &Path, now: Amount, wanted: Amount) -> Dragged {
        let document = self.editor.document();
        value_at(document, path, self.frame, now, wanted, self.options.auto_key)
            .ok_or_else(|| DragError::Follows { path: document.named(path) })
    }

    /// A parameter whose value is the position.
    fn vector(&self, record: &Record, field: &str, path: &Path) -> Dragged {
        let now = record.vector(field).map_or(self.target, |channel| channel.at(self.time()));
        self.set(path, Amount::Vector(now), Amount::Vector(self.target))
    }

    fn anchor(&self, record: &Record, field: &'static str, path: &Path) -> Dragged {
        let Some(anchor) = record.anchor(field) else {
            return Err(DragError::NoHandle { path: path.clone() });
        };
        let (scene, lowered) = (self.editor.scene(), self.editor.lowered());
        let offset = match anchor {
            Anchor::Point(channel) => {
                let now = Amount::Vector(channel.at(self.time()));
                return self.set(path, now, Amount::Vector(self.target));
            }
            _ if self.options.attached == Attached::Detach => {
                return Ok(Edit::Set { path: path.clone(), value: self.target.into() });
            }
            Anchor::Locator { offset, .. } | Anchor::Body { offset, .. } => offset.at(self.time()),
        };
        let place = scene.anchor(lowered, record, field, self.frame);
        let by = self.target - place.at;
        if self.options.attached == Attached::Carry {
            match anchor {
                Anchor::Locator { name, .. } => {
                    if let Some(locator) = self.editor.record(Thing::Locator, name) {
                        let path = locator.path_of("position");
                        let now =
                            locator.vector("position").map_or(place.at, |c| c.at(self.time()));
                        return self.set(&path, Amount::Vector(now), Amount::Vector(now + by));
                    }
                }
                Anchor::Body { name, at, .. } => {
                    let nearest = lowered.body_index(name).and_then(|body| {
                        scene.nearest_along(body, offset, self.frame, self.target)
                    });
                    if let Some(nearest) = nearest {
                        let now = Amount::Number(at.at(self.time()));
                        return self.set(&path.clone().field("at"), now, Amount::Number(nearest));
                    }
                }
                Anchor::Point(_) => {}
            }
        }
        // The axes are orthonormal.
        let wanted = offset + place.axes.transpose() * by;
        self.set(&path.clone().field("offset"), Amount::Vector(offset), Amount::Vector(wanted))
    }

    /// An inner control point of a Slinky.
    fn inner(&self, record: &Record, index: usize, path: &Path) -> Option<Dragged> {
        let (scene, lowered) = (self.editor.scene(), self.editor.lowered());
        let body = lowered.body_index(record.name())?;
        let parameter = HandleParameter::Element("inner", index);
        let handles = scene.handles(body, self.frame);
        let handle = handles.iter().find(|handle| handle.parameter == parameter)?;
        let offsets: Vec<DVec3> =
            record.vectors("inner")?.iter().map(|channel| channel.at(self.time())).collect();
        let now = *offsets.get(index)?;
        let wanted = now + self.target - handle.at;
        let (list, _) = path.parent()?;
        let given = self.editor.document().get(&list).and_then(Value::list).unwrap_or_default();
        if ChannelForm::of(given.get(index)) != ChannelForm::Constant {
            return Some(self.set(path, Amount::Vector(now), Amount::Vector(wanted)));
        }
        // The whole list is set, because it may not be given.
        let element = |(k, now): (usize, DVec3)| match given.get(k) {
            _ if k == index => Value::from(wanted),
            Some(given) => given.clone(),
            None => Value::from(now),
        };
        let value = Value::List(offsets.into_iter().enumerate().map(element).collect());
        Some(Ok(Edit::Set { path: list, value }))
    }

    /// A bend or a pincer.
    fn slide(
        &self,
        record: &Record,
        list: &'static str,
        index: usize,
        path: &Path,
    ) -> Option<Dragged> {
        let body = self.editor.lowered().body_index(record.name())?;
        let parameter = HandleParameter::ListField(list, index, "position");
        let wanted = self.editor.scene().slide_to(body, parameter, self.frame, self.target)?;
        let now = record.records(list).get(index)?.scalar("position")?.at(self.time());
        Some(self.set(path, Amount::Number(now), Amount::Number(wanted)))
    }
}
