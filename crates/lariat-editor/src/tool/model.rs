//! Another model for a body: a rope becomes a string of lights, and keeps everything that both have.
//!
//! Tests: `a_body_of_any_model_becomes_one_of_any_other_and_back`,
//! `another_model_keeps_keys_ends_and_comments`, in `crates/lariat-editor/tests/suite/tool.rs`.

use glam::DVec3;
use lariat_scene::{
    Document, Edit, Path, Table, Thing, Value,
    schema::{self, Choice, Field, Kind, RecordType},
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
    let kept = kept(table, after);
    let path = Path::root().field(Thing::Body.list()).field(body);
    let mut edits = Vec::new();
    for (written, _) in table.iter().filter(|(name, _)| !is_of_every_body(name)) {
        if !kept.iter().any(|field| field.is_called(written)) {
            edits.push(Edit::Unset { path: path.clone().field(written) });
        }
    }
    edits.push(Edit::Set { path: path.clone().field("model"), value: after.name.into() });
    let mut given: Vec<&str> = kept.iter().map(|field| field.name).collect();
    for (name, value) in body_values(after.name, from, to) {
        let rivals = after.one_of.iter().find(|one_of| one_of.fields.contains(&name));
        let rivals = rivals.map_or_else(|| vec![name], |one_of| one_of.fields.to_vec());
        if !rivals.iter().any(|rival| given.contains(rival)) {
            edits.push(Edit::Set { path: path.clone().field(name), value });
            given.push(name);
        }
    }
    let needs = |field: &&Field| field.required && !is_of_every_body(field.name);
    match after.fields.iter().filter(needs).find(|field| !given.contains(&field.name)) {
        Some(field) => Err(ToolError::NeedsValue { model: after.name, field: field.name }),
        None => Ok(Edit::Batch(edits)),
    }
}

/// Fields of a model in which values of a body stay.
fn kept(table: &Table, after: &'static RecordType) -> Vec<&'static Field> {
    let before = table.text("model").and_then(|name| schema::BODY.find(name));
    let mut kept: Vec<&'static Field> = Vec::new();
    for (written, value) in table.iter().filter(|(name, _)| !is_of_every_body(name)) {
        let called = |record: &'static RecordType| {
            record.fields.iter().find(|field| field.is_called(written))
        };
        let (Some(old), Some(new)) = (before.and_then(called), called(after)) else { continue };
        let is_excluded = after.one_of.iter().any(|one_of| {
            let has = |field: &Field| one_of.fields.contains(&field.name);
            has(new) && kept.iter().any(|field| has(field))
        });
        if !is_excluded && fits(value, old, new) && suits(new, after) {
            kept.push(new);
        }
    }
    kept
}

/// Whether a field is one that no change of model concerns.
fn is_of_every_body(name: &str) -> bool {
    matches!(name, "name" | "model")
}

/// Whether a model can have a parameter that its schema lists.
fn suits(field: &Field, model: &RecordType) -> bool {
    field.name != "dynamics" || schema::can_be_simulated(model)
}

/// Whether a value of a field means the same in another one.
fn fits(value: &Value, old: &Field, new: &Field) -> bool {
    // That of a rope, of the wire of a coil, or of a lasso without its hoop: the schema describes each
    // in its own words.
    if old.name == "length" && old.help != new.help {
        return false;
    }
    let is_choice =
        |choices: &[Choice]| value.text().is_none_or(|text| choices.iter().any(|c| c.name == text));
    let same = match (old.kind, new.kind) {
        (Kind::Scalar(a), Kind::Scalar(b))
        | (Kind::Vector(a), Kind::Vector(b))
        | (Kind::Along(a), Kind::Along(b))
        | (Kind::Grid(a), Kind::Grid(b)) => a == b,
        (Kind::PerPoint(a, on), Kind::PerPoint(b, other)) => a == b && on == other,
        (Kind::Scalars(n, a), Kind::Scalars(m, b)) | (Kind::Vectors(n, a), Kind::Vectors(m, b)) => {
            n == m && a == b
        }
        (Kind::Choice(_), Kind::Choice(choices)) => is_choice(choices),
        (Kind::Record(a), Kind::Record(b)) | (Kind::Records(a), Kind::Records(b)) => {
            std::ptr::eq(a, b)
        }
        (a, b) => std::mem::discriminant(&a) == std::mem::discriminant(&b),
    };
    same && (new.animatable || !old.animatable)
}
