//! Another model for a body: a rope becomes a string of lights, and keeps everything that both have.

use glam::DVec3;
use lariat_scene::{
    Document, Edit, Path, Thing,
    schema::{self, Field, RecordType},
};

use super::{
    ToolError,
    add::{body_values, find},
};

/// Edit that gives a body another model.
///
/// Parameters that both models have keep their values, keys and comments; the others are removed.
/// Required parameters that are missing get values for a body from `from` to `to`.
pub fn change_model(
    document: &Document,
    body: &str,
    model: &str,
    from: DVec3,
    to: DVec3,
) -> Result<Edit, ToolError> {
    let no_such_name = || ToolError::NoSuchName { thing: Thing::Body, name: body.to_owned() };
    let (_, table) = document.find(Thing::Body, body).ok_or_else(no_such_name)?;
    let after = find(&schema::BODY, model)?;
    let before = table.text("model").and_then(|name| schema::BODY.find(name));
    let path = Path::root().field(Thing::Body.list()).field(body);
    let mut edits = Vec::new();
    let mut kept: Vec<&'static str> = Vec::new();
    for (written, _) in table.iter().filter(|(name, _)| !matches!(*name, "name" | "model")) {
        let field = before.and_then(|record| called(record, written));
        match field.filter(|field| after.field(field.name).is_some_and(|new| is_same(field, new))) {
            Some(field) => kept.push(field.name),
            None => edits.push(Edit::Unset { path: path.clone().field(written) }),
        }
    }
    edits.push(Edit::Set { path: path.clone().field("model"), value: after.name.into() });
    let alternatives = |name: &'static str| {
        after.one_of.iter().find(|one_of| one_of.fields.contains(&name)).map(|one_of| one_of.fields)
    };
    let is_kept = |name: &'static str| match alternatives(name) {
        Some(fields) => fields.iter().any(|field| kept.contains(field)),
        None => kept.contains(&name),
    };
    let values = body_values(after.name, from, to);
    for (name, value) in &values {
        if !is_kept(name) {
            let value = value.clone();
            edits.push(Edit::Set { path: path.clone().field(*name), value });
        }
    }
    let is_given = |name: &'static str| is_kept(name) || values.iter().any(|(own, _)| *own == name);
    let missing = after.fields.iter().find(|field| field.required && !is_given(field.name));
    match missing.filter(|field| !matches!(field.name, "name" | "model")) {
        Some(field) => Err(ToolError::NeedsValue { model: after.name, field: field.name }),
        None => Ok(Edit::Batch(edits)),
    }
}

/// The field with a name, which may be one of its other names.
fn called(record: &'static RecordType, name: &str) -> Option<&'static Field> {
    record.fields.iter().find(|field| field.is_called(name))
}

/// Whether values of a field fit another one.
fn is_same(field: &Field, other: &Field) -> bool {
    std::mem::discriminant(&field.kind) == std::mem::discriminant(&other.kind)
        && field.animatable == other.animatable
}
