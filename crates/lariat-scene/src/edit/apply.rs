//! Basic edits of the tree: set, unset, restore, insert, remove, move.

use super::{Applied, Edit, EditError, touched};
use crate::{
    document::Document,
    format::VERSION,
    path::{Path, Step, named},
    schema::{self, did_you_mean},
    value::{MAX_DEPTH, Table, Value},
};

pub(super) fn apply(document: &mut Document, edit: &Edit) -> Result<Applied, EditError> {
    // Names are resolved to indices, so that the inverse finds the same place even if a name changes.
    let edit = &resolve(document, edit)?;
    let before = touched::before(document, edit);
    let inverse = change(document, edit)?;
    let touched = touched::after(document, edit, before);
    Ok(Applied { inverse, touched })
}

/// Resolves the path of an edit and checks the edit.
fn resolve(document: &Document, edit: &Edit) -> Result<Edit, EditError> {
    Ok(match edit {
        Edit::Set { path, value } => {
            let path = place(document, path)?;
            fits(&path, value, 0)?;
            if path == Path::root().field("lariat") && *value != Value::from(f64::from(VERSION)) {
                return Err(EditError::Version { found: value.describe(), version: VERSION });
            }
            Edit::Set { path, value: value.clone() }
        }
        Edit::Restore { path, position, value } => {
            let path = place(document, path)?;
            is_shallow(&path, value, 0)?;
            if path == Path::root().field("lariat") && *value != Value::from(f64::from(VERSION)) {
                return Err(EditError::Version { found: value.describe(), version: VERSION });
            }
            Edit::Restore { path, position: *position, value: value.clone() }
        }
        Edit::Unset { path } => {
            let path = place(document, path)?;
            if document.get(&path).is_none() {
                return Err(not_found(document, &path));
            }
            if let Some((list, Step::Index(_))) = path.parent() {
                return Err(EditError::NotATable { path: list, found: A_LIST.to_owned() });
            }
            Edit::Unset { path }
        }
        Edit::Insert { list, index, value } => {
            let list = place(document, list)?;
            fits(&list, value, 1)?;
            if list == Path::root().field("lariat") {
                let found = format!("a list of {}", value.describe());
                return Err(EditError::Version { found, version: VERSION });
            }
            let length = match document.get(&list) {
                Some(Value::List(entries)) => entries.len(),
                Some(other) => return Err(not_a_list(list, other)),
                None => 0,
            };
            if *index > length {
                return Err(EditError::BeyondEnd { list, index: *index, length });
            }
            Edit::Insert { list, index: *index, value: value.clone() }
        }
        Edit::Remove { list, index } => {
            let list = existing_list(document, list, &[*index])?;
            Edit::Remove { list, index: *index }
        }
        Edit::Move { list, from, to } => {
            let list = existing_list(document, list, &[*from, *to])?;
            Edit::Move { list, from: *from, to: *to }
        }
        other => other.clone(),
    })
}

const A_LIST: &str = "a list, whose elements are removed by `Remove`";

fn not_a_list(path: Path, found: &Value) -> EditError {
    EditError::NotAList { path, found: found.describe() }
}

fn existing_list(document: &Document, list: &Path, indices: &[usize]) -> Result<Path, EditError> {
    let list = place(document, list)?;
    let length = match document.get(&list) {
        Some(Value::List(entries)) => entries.len(),
        Some(other) => return Err(not_a_list(list, other)),
        None => return Err(not_found(document, &list)),
    };
    match indices.iter().find(|index| **index >= length) {
        Some(index) => Err(EditError::BeyondEnd { list, index: *index, length }),
        None => Ok(list),
    }
}

/// Checks that a new value may be stored at a path.
fn fits(path: &Path, value: &Value, below: usize) -> Result<(), EditError> {
    is_shallow(path, value, below)?;
    match value.first_not_finite() {
        Some(number) => Err(EditError::NotFinite { path: path.clone(), number }),
        None => Ok(()),
    }
}

/// Checks that a value is not nested too deeply at a path.
fn is_shallow(path: &Path, value: &Value, below: usize) -> Result<(), EditError> {
    let depth = path.steps().len() + below + value.depth() - 1;
    if depth > MAX_DEPTH {
        return Err(EditError::TooDeep { path: path.clone(), depth, deepest: MAX_DEPTH });
    }
    Ok(())
}

/// The edit that puts back a value which was replaced. `Set` refuses numbers that are not finite, but
/// a file can contain them.
fn put_back(path: &Path, value: Value) -> Edit {
    match value.first_not_finite() {
        None => Edit::Set { path: path.clone(), value },
        Some(_) => Edit::Restore { path: path.clone(), position: 0, value },
    }
}

/// Resolves names of elements to indices, and parameters to the names used in the document. All
/// steps but the last must exist.
pub(crate) fn place(document: &Document, path: &Path) -> Result<Path, EditError> {
    let Some((last, parents)) = path.steps().split_last() else { return Err(EditError::Whole) };
    let mut resolved = Path::root();
    for step in parents {
        let step = one_step(document, &resolved, step)?;
        resolved.push(step);
        if document.get(&resolved).is_none() {
            return Err(not_found(document, &resolved));
        }
    }
    let step = one_step(document, &resolved, last)?;
    if let Step::Index(index) = step
        && let Some(Value::List(entries)) = document.get(&resolved)
        && index >= entries.len()
    {
        let length = entries.len();
        return Err(EditError::BeyondEnd { list: resolved, index, length });
    }
    resolved.push(step);
    Ok(resolved)
}

/// Resolves one step from a path.
fn one_step(document: &Document, at: &Path, step: &Step) -> Result<Step, EditError> {
    let table: Option<&Table> = if at.steps().is_empty() {
        Some(&document.root)
    } else {
        document.get(at).and_then(Value::table)
    };
    match (step, table) {
        (Step::Field(name), Some(table)) => Ok(Step::Field(spelling(document, at, table, name))),
        (Step::Index(_), Some(_)) => {
            let found = if at.steps().is_empty() { "the document" } else { "a table" };
            Err(EditError::NotAList { path: at.clone(), found: found.to_owned() })
        }
        (step, None) => match (step, document.get(at)) {
            (Step::Field(name), Some(Value::List(list))) => match named(list, name) {
                Some(index) => Ok(Step::Index(index)),
                None => Err(not_found(document, &at.clone().field(name.clone()))),
            },
            (Step::Index(index), Some(Value::List(_))) => Ok(Step::Index(*index)),
            (Step::Field(_), Some(other)) => {
                Err(EditError::NotATable { path: at.clone(), found: other.describe() })
            }
            (Step::Index(_), Some(other)) => Err(not_a_list(at.clone(), other)),
            (_, None) => Err(not_found(document, at)),
        },
    }
}

/// Name of a field in its table: the plain or technical name that is already used.
fn spelling(
    document: &Document,
    at: &Path,
    table: &Table,
    name: &std::sync::Arc<str>,
) -> std::sync::Arc<str> {
    if table.position(name).is_some() {
        return name.clone();
    }
    let used = schema::record_at(document, at).and_then(|record| {
        let field = record.field(name)?;
        std::iter::once(&field.name).chain(field.plain).find(|word| table.position(word).is_some())
    });
    used.map_or_else(|| name.clone(), |word| (*word).into())
}

fn not_found(document: &Document, path: &Path) -> EditError {
    let suggestion = path.parent().and_then(|(parent, step)| {
        let Step::Field(name) = step else { return None };
        let candidates: Vec<&str> = if parent.steps().is_empty() {
            document.root.iter().map(|(name, _)| name).collect()
        } else {
            match document.get(&parent)? {
                Value::Table(table) => table.iter().map(|(name, _)| name).collect(),
                Value::List(list) => list
                    .iter()
                    .filter_map(|value| value.table().and_then(|table| table.text("name")))
                    .collect(),
                _ => Vec::new(),
            }
        };
        did_you_mean(name, candidates).map(str::to_owned)
    });
    EditError::NotThere { path: path.clone(), suggestion }
}

/// Applies a resolved edit; returns its inverse.
fn change(document: &mut Document, edit: &Edit) -> Result<Edit, EditError> {
    match edit {
        Edit::Set { path, value } => match slot(document, path) {
            Some(Slot::Field(table, name)) => {
                let old = table.set(name, value.clone());
                Ok(match old {
                    Some(value) => put_back(path, value),
                    None => Edit::Unset { path: path.clone() },
                })
            }
            Some(Slot::Element(list, index)) if index < list.len() => {
                let value = std::mem::replace(&mut list[index], value.clone());
                Ok(put_back(path, value))
            }
            _ => Err(not_found(document, path)),
        },
        Edit::Unset { path } => {
            let old = match slot(document, path) {
                Some(Slot::Field(table, name)) => table.position(&name).zip(table.remove(&name)),
                _ => None,
            };
            match old {
                Some((position, value)) => {
                    Ok(Edit::Restore { path: path.clone(), position, value })
                }
                None => Err(not_found(document, path)),
            }
        }
        Edit::Restore { path, position, value } => match slot(document, path) {
            Some(Slot::Field(table, name)) => Ok(match table.get_mut(&name) {
                Some(old) => {
                    let value = std::mem::replace(old, value.clone());
                    put_back(path, value)
                }
                None => {
                    table.insert_new(*position, name, value.clone());
                    Edit::Unset { path: path.clone() }
                }
            }),
            Some(Slot::Element(list, index)) if index < list.len() => {
                let value = std::mem::replace(&mut list[index], value.clone());
                Ok(put_back(path, value))
            }
            _ => Err(not_found(document, path)),
        },
        Edit::Insert { list, index, value } => match slot(document, list) {
            Some(Slot::Field(table, name)) => match table.get_mut(&name) {
                Some(Value::List(entries)) if *index <= entries.len() => {
                    entries.insert(*index, value.clone());
                    Ok(Edit::Remove { list: list.clone(), index: *index })
                }
                None => {
                    table.set(name, Value::List(vec![value.clone()]));
                    Ok(Edit::Unset { path: list.clone() })
                }
                Some(other) => Err(not_a_list(list.clone(), other)),
            },
            Some(Slot::Element(outer, which)) => match outer.get_mut(which) {
                Some(Value::List(entries)) if *index <= entries.len() => {
                    entries.insert(*index, value.clone());
                    Ok(Edit::Remove { list: list.clone(), index: *index })
                }
                Some(other) => Err(not_a_list(list.clone(), other)),
                None => Err(not_found(document, list)),
            },
            None => Err(not_found(document, list)),
        },
        Edit::Remove { list, index } => match list_mut(document, list) {
            Some(entries) if *index < entries.len() => {
                let value = entries.remove(*index);
                let insert = |value| Edit::Insert { list: list.clone(), index: *index, value };
                Ok(match value.first_not_finite() {
                    None => insert(value),
                    // `Insert` refuses such a value; it is put in the place of another one.
                    Some(_) => Edit::Batch(vec![
                        insert(Value::from(0.0)),
                        put_back(&list.clone().index(*index), value),
                    ]),
                })
            }
            _ => Err(not_found(document, list)),
        },
        Edit::Move { list, from, to } => match list_mut(document, list) {
            Some(entries) if *from.max(to) < entries.len() => {
                let value = entries.remove(*from);
                entries.insert(*to, value);
                Ok(Edit::Move { list: list.clone(), from: *to, to: *from })
            }
            _ => Err(not_found(document, list)),
        },
        _ => Err(EditError::Whole),
    }
}

/// Location of a value.
enum Slot<'d> {
    Field(&'d mut Table, std::sync::Arc<str>),
    Element(&'d mut Vec<Value>, usize),
}

fn slot<'d>(document: &'d mut Document, path: &Path) -> Option<Slot<'d>> {
    let (last, parents) = path.steps().split_last()?;
    if parents.is_empty() {
        let Step::Field(name) = last else { return None };
        return Some(Slot::Field(&mut document.root, name.clone()));
    }
    match (value_mut(document, parents)?, last) {
        (Value::Table(table), Step::Field(name)) => Some(Slot::Field(table, name.clone())),
        (Value::List(list), Step::Index(index)) => Some(Slot::Element(list, *index)),
        _ => None,
    }
}

fn list_mut<'d>(document: &'d mut Document, path: &Path) -> Option<&'d mut Vec<Value>> {
    match value_mut(document, path.steps())? {
        Value::List(list) => Some(list),
        _ => None,
    }
}

fn value_mut<'d>(document: &'d mut Document, steps: &[Step]) -> Option<&'d mut Value> {
    let (first, rest) = steps.split_first()?;
    let Step::Field(name) = first else { return None };
    let mut value = document.root.get_mut(name)?;
    for step in rest {
        value = match (step, value) {
            (Step::Field(name), Value::Table(table)) => table.get_mut(name)?,
            (Step::Index(index), Value::List(list)) => list.get_mut(*index)?,
            _ => return None,
        };
    }
    Some(value)
}
