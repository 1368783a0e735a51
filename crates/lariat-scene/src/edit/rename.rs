//! References to a thing, and renaming it including all of them.
//!
//! The schema defines which fields hold names; followers name a parameter of a thing in a path. If the
//! model of a body, or the `kind` of a record in it, is invalid, a field is treated as in any model
//! that has it, so that no reference is missed.

use super::{Edit, EditError};
use crate::{
    document::{Document, Thing},
    path::{Path, Step},
    schema::{self, FOLLOW, Family, Field, Kind, ValueType, did_you_mean},
    value::{Table, Value},
};

/// A reference to a thing.
struct Reference {
    path: Path,
    /// For a follower, the path of its leader.
    leader: Option<Path>,
}

impl Document {
    /// Paths of all values that refer to a thing by its name: attachments, clamps, parts of
    /// compounds, followers.
    pub fn references_to(&self, thing: Thing, name: &str) -> Vec<Path> {
        references(self, thing, name).into_iter().map(|reference| reference.path).collect()
    }
}

/// Returns the edits that rename a thing.
pub(super) fn edits(
    document: &Document,
    thing: Thing,
    from: &str,
    to: &str,
) -> Result<Edit, EditError> {
    if to.trim().is_empty() {
        return Err(EditError::BlankName);
    }
    let Some((index, _)) = document.find(thing, from) else {
        return Err(EditError::NoSuchName {
            thing,
            name: from.to_owned(),
            suggestion: did_you_mean(from, document.names(thing)).map(str::to_owned),
        });
    };
    if from != to && document.find(thing, to).is_some() {
        return Err(EditError::NameTaken { thing, name: to.to_owned() });
    }
    let own = Path::root().field(thing.list()).index(index).field("name");
    let own = Edit::Set { path: own, value: to.into() };
    let others = references(document, thing, from).into_iter().map(|reference| {
        let value = match &reference.leader {
            None => Value::from(to),
            Some(leader) => Value::from(renamed(leader, to).to_string()),
        };
        Edit::Set { path: reference.path, value }
    });
    Ok(Edit::Batch(std::iter::once(own).chain(others).collect()))
}

fn references(document: &Document, thing: Thing, of: &str) -> Vec<Reference> {
    let mut references = Vec::new();
    let mut found = |path: &Path, kind: Kind, name: &str| {
        let refers_to = match kind {
            Kind::LocatorName => Some(Thing::Locator),
            Kind::BodyName | Kind::Bodies => Some(Thing::Body),
            Kind::Against if name != "floor" => Some(Thing::Collider),
            _ => None,
        };
        let leader = match kind {
            Kind::Text => leader(document, name).filter(|leader| leads(leader, thing, of)),
            _ => None,
        };
        if leader.is_some() || (refers_to == Some(thing) && name == of) {
            references.push(Reference { path: path.clone(), leader });
        }
    };
    for (holder, family) in [
        (Thing::Camera, &schema::CAMERA),
        (Thing::Locator, &schema::LOCATOR),
        (Thing::Collider, &schema::COLLIDER),
        (Thing::Body, &schema::BODY),
    ] {
        for (index, table) in document.things(holder) {
            let path = Path::root().field(holder.list()).index(index);
            fields(table, &path, Some(family), family.type_of(table), &mut found);
        }
    }
    if let Some(Value::Table(world)) = document.root.get("world") {
        let path = Path::root().field("world");
        fields(world, &path, Some(&schema::WORLD), schema::WORLD.type_of(world), &mut found);
    }
    references
}

/// Full path of the leader that a follower names; a path that starts with neither a list of the
/// document nor the world starts with a body.
fn leader(document: &Document, text: &str) -> Option<Path> {
    let path: Path = text.parse().ok()?;
    let Step::Field(first) = path.steps().first()? else { return None };
    let is_list = document.root.get(first).is_some_and(|value| value.list().is_some());
    let is_world = &**first == "world" && document.find(Thing::Body, first).is_none();
    if is_list || is_world {
        return Some(path);
    }
    let body = [Step::Field(Thing::Body.list().into())];
    Some(body.into_iter().chain(path.steps().iter().cloned()).collect())
}

/// Returns true if a full path leads into a thing by its name.
fn leads(path: &Path, thing: Thing, name: &str) -> bool {
    matches!(path.steps(), [Step::Field(list), Step::Field(own), ..]
        if Thing::of_list(list) == Some(thing) && **own == *name)
}

/// The path of a leader whose thing has another name, as short as it is usually written.
fn renamed(leader: &Path, to: &str) -> Path {
    let [list, _, rest @ ..] = leader.steps() else { return leader.clone() };
    let is_body = matches!(list, Step::Field(list) if &**list == Thing::Body.list());
    let is_clear = Thing::of_list(to).is_none() && to != "world";
    let list = (!is_body || !is_clear).then(|| list.clone());
    list.into_iter().chain([Step::Field(to.into())]).chain(rest.iter().cloned()).collect()
}

/// Calls `found` with the path and the kind of every name in a table.
fn fields(
    table: &Table,
    path: &Path,
    family: Option<&'static Family>,
    record: Option<&'static schema::RecordType>,
    found: &mut dyn FnMut(&Path, Kind, &str),
) {
    for (name, value) in table.iter() {
        let field: Option<&'static Field> = match (record, family) {
            (Some(record), _) => record.field(name),
            (None, Some(family)) => family.types.iter().find_map(|record| record.field(name)),
            (None, None) => None,
        };
        let Some(field) = field else { continue };
        let path = path.clone().field(name);
        match (field.kind, value) {
            (kind @ (Kind::LocatorName | Kind::BodyName | Kind::Against), Value::Text(name)) => {
                found(&path, kind, name);
            }
            (kind @ Kind::Text, Value::Text(name)) if is_leader(record, field) => {
                found(&path, kind, name);
            }
            (kind @ Kind::Bodies, Value::List(list)) => {
                for (index, value) in list.iter().enumerate() {
                    if let Value::Text(name) = value {
                        found(&path.clone().index(index), kind, name);
                    }
                }
            }
            (Kind::Records(family), Value::List(list)) => {
                for (index, value) in list.iter().enumerate() {
                    if let Value::Table(table) = value {
                        let path = path.clone().index(index);
                        fields(table, &path, Some(family), family.type_of(table), found);
                    }
                }
            }
            (Kind::Record(family), Value::Table(table)) => {
                fields(table, &path, Some(family), family.type_of(table), found);
            }
            (_, Value::Table(table)) => {
                if let ValueType::Record(record) = ValueType::of(field, value) {
                    fields(table, &path, None, Some(record), found);
                }
            }
            _ => {}
        }
    }
}

/// Returns true for the field of a follower that holds the path of its leader.
fn is_leader(record: Option<&'static schema::RecordType>, field: &Field) -> bool {
    field.name == "follow" && record.is_some_and(|record| std::ptr::eq(record, FOLLOW.types[0]))
}
