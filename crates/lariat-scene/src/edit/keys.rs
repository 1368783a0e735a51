//! Setting and removing keys.
//!
//! Both become a basic edit that depends on the current value of the parameter. Parameters are found
//! under their plain and technical names (`magnitude` finds `height`), and only parameters that can be
//! keyed get a key. Keys of a wiggle are set and removed like others.

use super::{Edit, EditError, apply::place};
use crate::{
    document::Document,
    path::Path,
    schema::{self, did_you_mean},
    value::{Table, Value},
};

/// Returns the edit that sets a key.
pub(super) fn set(
    document: &Document,
    channel: &Path,
    frame: f64,
    value: &Value,
) -> Result<Edit, EditError> {
    let channel = parameter(document, channel)?;
    if !frame.is_finite() {
        return Err(EditError::NotFinite { path: channel, number: frame });
    }
    let key = Value::List(vec![Value::Number(frame), value.clone()]);
    let (word, keys) = match document.get(&channel) {
        Some(found @ Value::Table(_)) => keys_of(found).ok_or_else(|| no_keys(&channel, found))?,
        // A constant or missing parameter: this key is the only one.
        _ => {
            let value = Value::Table(Table::new().with("keys", vec![key]));
            return Ok(Edit::Set { path: channel, value });
        }
    };
    let list = channel.field(word);
    if let Some(index) = keys.iter().position(|key| frame_of(key) == Some(frame)) {
        let at = list.index(index);
        let path = match keys[index] {
            Value::Table(_) => at.field("value"),
            _ => at.index(1),
        };
        return Ok(Edit::Set { path, value: value.clone() });
    }
    let index = keys
        .iter()
        .position(|key| frame_of(key).is_some_and(|other| other > frame))
        .unwrap_or(keys.len());
    Ok(Edit::Insert { list, index, value: key })
}

/// Returns the edit that removes a key.
pub(super) fn remove(document: &Document, channel: &Path, frame: f64) -> Result<Edit, EditError> {
    let channel = parameter(document, channel)?;
    let Some(found) = document.get(&channel) else {
        return Err(EditError::NotThere { path: channel, suggestion: None });
    };
    let (word, keys) = keys_of(found).ok_or_else(|| no_keys(&channel, found))?;
    let Some(index) = keys.iter().position(|key| frame_of(key) == Some(frame)) else {
        let nearest = keys
            .iter()
            .filter_map(frame_of)
            .min_by(|a, b| (a - frame).abs().total_cmp(&(b - frame).abs()));
        return Err(match nearest {
            Some(nearest) => EditError::NoKeyThere { path: channel, frame, nearest },
            None => no_keys(&channel, found),
        });
    };
    if keys.len() > 1 || word == "wiggle" {
        return Ok(Edit::Remove { list: channel.field(word), index });
    }
    let value = match &keys[index] {
        Value::List(pair) => pair.get(1),
        Value::Table(key) => key.get("value"),
        _ => None,
    };
    match value {
        Some(value) => Ok(Edit::Set { path: channel, value: value.clone() }),
        None => Ok(Edit::Unset { path: channel }),
    }
}

/// Keys of a parameter, and the field that holds them.
fn keys_of(found: &Value) -> Option<(&'static str, &[Value])> {
    let table = found.table()?;
    ["keys", "wiggle"].into_iter().find_map(|word| Some((word, table.get(word)?.list()?)))
}

/// Path of a parameter that can be keyed, with the name used in the file.
fn parameter(document: &Document, channel: &Path) -> Result<Path, EditError> {
    let path = place(document, channel)?;
    match schema::keyable_at(document, &path) {
        Ok(_) => Ok(path),
        Err(Some(field)) => {
            let why = format!("it takes no keys, only: {}", schema::takes(field));
            Err(EditError::CannotBeKeyed { path, why })
        }
        Err(None) => {
            let near = path.parent().and_then(|(parent, step)| {
                let record = schema::record_at(document, &parent)?;
                let crate::path::Step::Field(name) = step else { return None };
                did_you_mean(name, record.fields.iter().map(|field| field.name))
            });
            let why = match near {
                Some(name) => format!("there is no such parameter; did you mean `{name}`?"),
                None => "it is not a parameter".to_owned(),
            };
            Err(EditError::CannotBeKeyed { path, why })
        }
    }
}

fn no_keys(path: &Path, found: &Value) -> EditError {
    EditError::NoKeys { path: path.clone(), found: found.describe() }
}

/// Frame of a key in the list or table form.
pub(super) fn frame_of(key: &Value) -> Option<f64> {
    match key {
        Value::List(pair) => pair.first()?.number(),
        Value::Table(key) => key.get("frame")?.number(),
        _ => None,
    }
}
