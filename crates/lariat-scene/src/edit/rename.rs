//! Renaming of a thing, including all references to it.
//!
//! The schema defines which fields hold names. If the model of a body, or the `kind` of a record in
//! it, is invalid, a field is treated as in any model that has it, so that no reference is missed.

use super::{Edit, EditError};
use crate::{
    document::{Document, Thing},
    path::Path,
    schema::{self, Family, Field, Kind, ValueType, did_you_mean},
    value::{Table, Value},
};

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
    let mut places = vec![Path::root().field(thing.list()).index(index).field("name")];
    let mut found = |path: &Path, kind: Kind, name: &str| {
        let refers_to = match kind {
            Kind::LocatorName => Some(Thing::Locator),
            Kind::BodyName | Kind::Bodies => Some(Thing::Body),
            Kind::Against if name != "floor" => Some(Thing::Collider),
            _ => None,
        };
        if refers_to == Some(thing) && name == from {
            places.push(path.clone());
        }
    };
    for (holder, family) in [(Thing::Camera, &schema::CAMERA), (Thing::Body, &schema::BODY)] {
        for (index, table) in document.things(holder) {
            let path = Path::root().field(holder.list()).index(index);
            fields(table, &path, Some(family), family.type_of(table), &mut found);
        }
    }
    Ok(Edit::Batch(
        places.into_iter().map(|path| Edit::Set { path, value: Value::from(to) }).collect(),
    ))
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
