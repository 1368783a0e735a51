//! Physics from a frame on: a body is simulated, and its ends are let go.
//!
//! Tests: `crates/lariat-editor/tests/suite/physics.rs`.

use lariat_scene::{
    Edit, Path, Table, Thing, Value,
    schema::{self, Family, Kind, RecordType},
};

use super::ToolError;
use crate::{
    channel::{ChannelForm, key, keyed},
    editor::Editor,
};

/// An end of a rope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its start, at `from`.
    Start,
    /// Its end.
    End,
}

impl End {
    /// Both ends.
    pub const BOTH: [Self; 2] = [Self::Start, Self::End];

    /// The end that an anchor of a body holds.
    pub fn of(anchor: &str) -> Option<Self> {
        match anchor {
            "from" => Some(Self::Start),
            "to" => Some(Self::End),
            _ => None,
        }
    }

    /// The anchor of a body that holds it.
    pub fn anchor(self) -> &'static str {
        match self {
            Self::Start => "from",
            Self::End => "to",
        }
    }

    /// The switch of the physics that says whether it is held.
    pub fn hold(self) -> &'static str {
        match self {
            Self::Start => "hold-start",
            Self::End => "hold-end",
        }
    }
}

/// The physics of a body in the document.
struct Physics<'d> {
    model: &'static RecordType,
    family: &'static Family,
    body: Path,
    table: &'d Table,
    /// As a table; none if it is off.
    given: Option<Table>,
}

impl Physics<'_> {
    fn path(&self) -> Path {
        self.body.clone().field("dynamics")
    }

    /// Whether it is that of a solid.
    fn is_solid(&self) -> bool {
        std::ptr::eq(self.family, &raw const schema::RIGID)
    }

    /// Edit that sets the floor of a body that has none.
    fn floor(&self, floor: Option<f64>) -> Option<Edit> {
        let path = self.body.clone().field("floor");
        let floor = floor.filter(|_| !self.is_solid() && self.table.get("floor").is_none())?;
        Some(Edit::Set { path, value: floor.into() })
    }
}

impl Editor {
    /// Edit that simulates a body from a frame on: a rope as a string, a solid as a rigid one. It falls
    /// on a floor at a height, if it has no floor of its own.
    pub fn simulate_from(
        &self,
        body: &str,
        frame: f64,
        floor: Option<f64>,
    ) -> Result<Edit, ToolError> {
        let physics = self.physics(body)?;
        let mut table = physics.given.clone().unwrap_or_default();
        self.start(&mut table, &physics, frame);
        if let (true, None, Some(floor)) = (physics.is_solid(), table.get("floor"), floor) {
            table.set("floor", floor);
        }
        let set = Edit::Set { path: physics.path(), value: in_short(table) };
        Ok(Edit::Batch(physics.floor(floor).into_iter().chain([set]).collect()))
    }

    /// Edit that lets go of ends of a body from a frame on. A body that is not simulated yet is
    /// simulated from there, and falls on a floor at a height, if it has no floor of its own.
    pub fn let_go(
        &self,
        body: &str,
        ends: &[End],
        frame: f64,
        floor: Option<f64>,
    ) -> Result<Edit, ToolError> {
        let physics = self.physics(body)?;
        let held = |end: &&End| physics.model.field(end.anchor()).is_some();
        let ends: Vec<&End> = ends.iter().filter(held).collect();
        if physics.is_solid() || ends.is_empty() {
            let why = "has no end that is held".to_owned();
            return Err(ToolError::Unsuitable { path: physics.body, why });
        }
        let mut table = physics.given.clone().unwrap_or_default();
        let first = self.lowered().shot.first as f64;
        let is_off = physics.given.is_none();
        let start = table.get("start").map_or(Some(first), Value::number);
        let is_later = start.is_none_or(|start| start >= frame);
        if is_off || is_later {
            self.start(&mut table, &physics, frame);
        }
        for end in ends {
            let held = table.get(end.hold()).cloned();
            let value = match (ChannelForm::of(held.as_ref()), start) {
                (ChannelForm::Constant, Some(start)) if !is_off && !is_later => {
                    let before = held.and_then(|held| held.switch()).unwrap_or(true);
                    match before {
                        true => keyed(vec![key(start, true.into()), key(frame, false.into())]),
                        false => continue,
                    }
                }
                (ChannelForm::Keyed, _) => with_key(held, frame),
                _ => false.into(),
            };
            table.set(end.hold(), value);
        }
        let set = Edit::Set { path: physics.path(), value: table.into() };
        Ok(Edit::Batch(physics.floor(floor).into_iter().chain([set]).collect()))
    }

    /// Kind and start of a simulation that begins at a frame.
    fn start(&self, table: &mut Table, physics: &Physics<'_>, frame: f64) {
        if table.get("kind").is_none() {
            table.set("kind", if physics.is_solid() { "rigid" } else { "string" });
        }
        if frame > self.lowered().shot.first as f64 || table.get("start").is_some() {
            table.set("start", frame);
        }
    }

    fn physics(&self, body: &str) -> Result<Physics<'_>, ToolError> {
        let no_such_name = || ToolError::NoSuchName { thing: Thing::Body, name: body.to_owned() };
        let (_, table) = self.document().find(Thing::Body, body).ok_or_else(no_such_name)?;
        let path = Path::root().field(Thing::Body.list()).field(body);
        let model = table.text("model").and_then(|name| schema::BODY.find(name));
        let kind = |model: &RecordType| Some(model.field("dynamics")?.kind);
        let (model, family) = match model.and_then(|model| Some((model, kind(model)?))) {
            Some((model, Kind::Record(family))) if schema::can_be_simulated(model) => {
                (model, family)
            }
            _ => {
                let why = "cannot be simulated; bodies of its model move as their parameters say";
                return Err(ToolError::Unsuitable { path, why: why.to_owned() });
            }
        };
        let given = table.get("dynamics").and_then(|given| match given {
            Value::Text(word) => Some(Table::new().with("kind", &**word)),
            given => given.table().cloned(),
        });
        Ok(Physics { model, family, body: path, table, given })
    }
}

/// A table with nothing but a kind, as the word.
fn in_short(table: Table) -> Value {
    match (table.iter().count(), table.text("kind")) {
        (1, Some(kind)) => kind.into(),
        _ => table.into(),
    }
}

/// Keys of a switch that is off from a frame on, until its next key.
fn with_key(held: Option<Value>, frame: f64) -> Value {
    let Some(Value::Table(mut table)) = held else { return false.into() };
    let mut keys = table.get("keys").and_then(Value::list).unwrap_or_default().to_vec();
    let frame_of = |key: &Value| crate::channel::frame_of(key).unwrap_or_default();
    keys.retain(|key| frame_of(key) != frame);
    let index = keys.partition_point(|key| frame_of(key) < frame);
    keys.insert(index, key(frame, false.into()));
    table.set("keys", Value::List(keys));
    table.into()
}
