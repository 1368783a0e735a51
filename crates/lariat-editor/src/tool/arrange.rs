//! Duplicate, delete and reorder things.

use glam::DVec3;
use lariat_scene::{
    Document, Edit, Path, Table, Thing, Value,
    schema::{self, Kind, Unit},
};

use super::{Added, ToolError, unique_name};
use crate::channel::{Amount, offset};

/// Edit that deletes things, and the references that will be left without their target.
#[derive(Clone, Debug, PartialEq)]
pub struct Deleted {
    /// The edit.
    pub edit: Edit,
    /// Paths of values of other things that refer to a deleted thing.
    pub referrers: Vec<Path>,
}

/// Duplicates a thing under a new name, right after it. Points of its own are moved by `by` metres;
/// attached ends stay attached.
pub fn duplicate(
    document: &Document,
    thing: Thing,
    name: &str,
    by: DVec3,
) -> Result<Added, ToolError> {
    let (index, table) = find(document, thing, name)?;
    let list = Path::root().field(thing.list());
    let path = list.clone().index(index);
    let copy = moved(document, &path, table, by);
    let name = unique_name(document, thing, name);
    let value = copy.with("name", &*name).into();
    Ok(Added { name, edit: Edit::Insert { list, index: index + 1, value } })
}

/// A copy of a record with all of its points moved.
fn moved(document: &Document, path: &Path, table: &Table, by: DVec3) -> Table {
    let mut copy = table.clone();
    for (name, value) in table.iter() {
        let is_point = schema::field_at(document, &path.clone().field(name)).is_some_and(|field| {
            let is_place = matches!(field.kind, Kind::Vector(Unit::Metres)) && field.name != "size";
            is_place || matches!(field.kind, Kind::Anchor)
        });
        let is_attached = value.table().is_some_and(|table| {
            ["locator", "body"].into_iter().any(|word| table.get(word).is_some())
        });
        if is_point
            && !is_attached
            && by != DVec3::ZERO
            && let Some(value) = offset(value, Amount::Vector(by))
        {
            copy.set(name, value);
        }
    }
    copy
}

/// Deletes things of one kind.
pub fn delete(document: &Document, thing: Thing, names: &[&str]) -> Result<Deleted, ToolError> {
    let list = Path::root().field(thing.list());
    let mut indices = Vec::with_capacity(names.len());
    for name in names {
        indices.push(find(document, thing, name)?.0);
    }
    indices.sort_unstable();
    indices.dedup();
    let is_deleted =
        |path: &Path| indices.iter().any(|index| list.clone().index(*index).contains(path));
    let mut referrers: Vec<Path> = names
        .iter()
        .flat_map(|name| document.references_to(thing, name))
        .filter(|path| !is_deleted(path))
        .collect();
    referrers.sort_unstable();
    referrers.dedup();
    // A list without elements would stay as `body = []`.
    let count = document.get(&list).and_then(Value::list).map_or(0, <[Value]>::len);
    let edit = match indices[..] {
        _ if indices.len() == count => Edit::Unset { path: list.clone() },
        [index] => Edit::Remove { list: list.clone(), index },
        // From the last, so that indices stay valid.
        _ => Edit::Batch(
            indices
                .iter()
                .rev()
                .map(|index| Edit::Remove { list: list.clone(), index: *index })
                .collect(),
        ),
    };
    Ok(Deleted { edit, referrers })
}

/// Moves a thing to another place in the list of its kind; places past the end are the end.
pub fn reorder(
    document: &Document,
    thing: Thing,
    name: &str,
    to: usize,
) -> Result<Edit, ToolError> {
    let (from, _) = find(document, thing, name)?;
    let list = Path::root().field(thing.list());
    let count = document.get(&list).and_then(Value::list).map_or(0, <[Value]>::len);
    Ok(Edit::Move { list, from, to: to.min(count.saturating_sub(1)) })
}

fn find<'d>(
    document: &'d Document,
    thing: Thing,
    name: &str,
) -> Result<(usize, &'d Table), ToolError> {
    document.find(thing, name).ok_or_else(|| ToolError::NoSuchName { thing, name: name.to_owned() })
}
