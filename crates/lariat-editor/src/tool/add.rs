//! New bodies, locators, colliders and cameras.

use glam::DVec3;
use lariat_scene::{
    Document, Edit, Path, Table, Thing, Value,
    schema::{self, Family, RecordType, did_you_mean},
};

use super::ToolError;

/// Edit that adds a thing, and the name of the thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    /// Name of the new thing.
    pub name: String,
    /// The edit.
    pub edit: Edit,
}

/// A name that no other thing of its kind has: the given one, or with `-2`, `-3`, … after it. An
/// existing number at the end of `base` is replaced.
pub fn unique_name(document: &Document, thing: Thing, base: &str) -> String {
    let is_taken = |name: &str| document.find(thing, name).is_some();
    let base = if base.trim().is_empty() { thing.list() } else { base };
    if !is_taken(base) {
        return base.to_owned();
    }
    let stem = match base.rsplit_once('-') {
        Some((stem, digits)) if !stem.is_empty() && digits.parse::<u64>().is_ok() => stem,
        _ => base,
    };
    // Among n things, one of n + 1 names is free.
    let count = document.things(thing).count() as u64;
    let names = (2..count + 4).map(|number| format!("{stem}-{number}"));
    names.into_iter().find(|name| !is_taken(name)).unwrap_or_else(|| format!("{stem}-{count}"))
}

/// Radius of a post, compared to its height.
const POST: f64 = 0.025;

/// Adds a body of a model between two points, with sensible values for its required parameters.
///
/// `values` are set in addition, and instead of those. Models that need a file or other bodies
/// (`mesh`, `shape`, `compound`) need `values` for them.
pub fn add_body(
    document: &Document,
    model: &str,
    from: DVec3,
    to: DVec3,
    values: &Table,
) -> Result<Added, ToolError> {
    let record = find(&schema::BODY, model)?;
    let mut body = Table::new().with("model", record.name);
    for (name, value) in body_values(record.name, from, to) {
        body.set(name, value);
    }
    complete(document, Thing::Body, record, base_name(record.name), body, values)
}

/// Adds a solid of a shape that stands at a point. A box is a cube, a ball touches the point, and a
/// cylinder is a post. Without a height it has a usual size.
pub fn add_solid(
    document: &Document,
    shape: &str,
    foot: DVec3,
    height: Option<f64>,
) -> Result<Added, ToolError> {
    let is_post = shape == "cylinder";
    let height = height.unwrap_or(if is_post { 2.0 } else { 0.4 });
    let position = foot + DVec3::Z * (0.5 * height);
    let size = match shape {
        "ball" => vec![("radius", metres(0.5 * height, 0.2))],
        "cylinder" => {
            vec![("radius", metres(POST * height, 0.05)), ("height", metres(height, 2.0))]
        }
        _ => vec![("size", Value::from([height; 3].map(|side| metres(side, 0.4))))],
    };
    let own = [("shape", Value::from(shape)), ("position", position.into())];
    let name = ("name", Value::from(if is_post { "post" } else { shape }));
    let values = own.into_iter().chain(size).chain([name]);
    let values: Table = values.map(|(field, value)| (field.to_owned(), value)).collect();
    add_body(document, "solid", foot, position, &values)
}

/// Adds a locator at a point.
pub fn add_locator(document: &Document, position: DVec3) -> Added {
    let table = Table::new().with("position", position);
    insert(document, Thing::Locator, unique_name(document, Thing::Locator, "locator"), &table)
}

/// Adds a collider of a shape between two points: a cylinder from one to the other, a sphere or a box
/// around both.
pub fn add_collider(
    document: &Document,
    shape: &str,
    from: DVec3,
    to: DVec3,
) -> Result<Added, ToolError> {
    let record = find(&schema::COLLIDER, shape)?;
    let mut table = Table::new().with("shape", record.name);
    let span = from.distance(to);
    let values: Vec<(&str, Value)> = match record.name {
        "plane" => vec![("point", from.into())],
        "sphere" => {
            vec![("centre", from.midpoint(to).into()), ("radius", metres(0.5 * span, 0.5))]
        }
        "box" => {
            let size = (to - from).abs().to_array().map(|side| metres(side, 0.5));
            vec![("centre", from.midpoint(to).into()), ("size", size.into())]
        }
        "cylinder" | "capsule" => {
            let to = if span > 0.0 { to } else { from + DVec3::Z };
            vec![("from", from.into()), ("to", to.into()), ("radius", 0.2.into())]
        }
        "height-field" => {
            let heights = vec![vec![0.0; 3]; 3];
            vec![("origin", from.into()), ("cell", 0.5.into()), ("heights", heights.into())]
        }
        _ => Vec::new(),
    };
    for (name, value) in values {
        table.set(name, value);
    }
    complete(document, Thing::Collider, record, record.name, table, &Table::new())
}

/// Adds a camera at a point, looking at another.
pub fn add_camera(document: &Document, position: DVec3, target: DVec3) -> Added {
    let target = if target == position { position + DVec3::Y } else { target };
    let table = Table::new().with("position", position).with("target", target);
    insert(document, Thing::Camera, unique_name(document, Thing::Camera, "camera"), &table)
}

pub(super) fn find(family: &'static Family, name: &str) -> Result<&'static RecordType, ToolError> {
    family.find(name).ok_or_else(|| ToolError::NoSuchType {
        noun: family.noun,
        name: name.to_owned(),
        suggestion: did_you_mean(name, family.types.iter().map(|record| record.name)),
    })
}

/// Name of a new body of a model.
fn base_name(model: &'static str) -> &'static str {
    match model {
        "suspended-rope" | "loose-rope" => "rope",
        "string-of-lights" => "lights",
        "coiled-cord" | "microphone-cord" => "cord",
        other => other,
    }
}

/// Values of the required parameters of a model, and of those that depend on its size.
pub(super) fn body_values(model: &str, from: DVec3, to: DVec3) -> Vec<(&'static str, Value)> {
    let span = from.distance(to);
    // Ends in the same place: a rope of a metre.
    let size = if span > 0.0 { span } else { 1.0 };
    let ends = || vec![("from", Value::from(from)), ("to", Value::from(to))];
    let one_end = || {
        let direction = if span > 0.0 { to - from } else { DVec3::NEG_Z };
        vec![
            ("from", Value::from(from)),
            ("length", metres(size, 1.0)),
            ("direction", direction.into()),
        ]
    };
    match model {
        "suspended-rope" | "string-of-lights" => {
            [ends(), vec![("length", metres(1.15 * size, 1.0))]].concat()
        }
        "jump-rope" => [ends(), vec![("length", metres(1.5 * size, 1.0))]].concat(),
        "loose-rope" | "strap" | "tail" => one_end(),
        "coiled-cord" | "microphone-cord" | "spring" | "slinky" => {
            // Coils of a twelfth of the span, and one for every half of their radius.
            let radius = size / 12.0;
            let cord = ("coil-radius", metres(radius, 0.03));
            let leads =
                vec![("leads", Value::from([metres(0.1 * size, 0.1), metres(0.1 * size, 0.1)]))];
            let more = if model == "microphone-cord" { leads } else { Vec::new() };
            [ends(), vec![cord, ("coils", 24.0.into())], more].concat()
        }
        "hoop" => {
            vec![("centre", from.midpoint(to).into()), ("hoop-radius", metres(0.5 * size, 0.5))]
        }
        "lasso" => {
            let radius = 0.3 * size;
            let longest = span + radius;
            vec![
                ("centre", from.into()),
                ("hoop-radius", metres(radius, 0.3)),
                ("hand", to.into()),
                ("span-length", metres(1.1 * longest, 1.0)),
                ("length", metres(1.6 * longest, 1.5)),
            ]
        }
        "solid" | "mesh" | "shape" => vec![("position", from.midpoint(to).into())],
        _ => Vec::new(),
    }
}

/// A length of at least a millimetre, rounded to tenths of millimetres; `otherwise` if it is none.
fn metres(length: f64, otherwise: f64) -> Value {
    let rounded = (length * 1e4).round() / 1e4;
    Value::from(if rounded >= 1e-3 && rounded.is_finite() { rounded } else { otherwise })
}

/// Completes a new record with given values, and checks that nothing required is missing.
fn complete(
    document: &Document,
    thing: Thing,
    record: &'static RecordType,
    base: &str,
    mut table: Table,
    values: &Table,
) -> Result<Added, ToolError> {
    let base = values.text("name").unwrap_or(base).to_owned();
    for (name, value) in values.iter() {
        // A given value replaces the one that it excludes.
        for one_of in record.one_of.iter().filter(|one_of| one_of.fields.contains(&name)) {
            one_of.fields.iter().for_each(|other| drop(table.remove(other)));
        }
        table.set(name, value.clone());
    }
    let is_given = |name: &str| {
        let field = record.field(name);
        table.iter().any(|(given, _)| field.is_some_and(|field| field.is_called(given)))
    };
    let missing = record
        .fields
        .iter()
        .find(|field| field.required && field.name != "name" && !is_given(field.name));
    if let Some(field) = missing {
        return Err(ToolError::NeedsValue { model: record.name, field: field.name });
    }
    Ok(insert(document, thing, unique_name(document, thing, &base), &table))
}

fn insert(document: &Document, thing: Thing, name: String, table: &Table) -> Added {
    let list = Path::root().field(thing.list());
    let index = document.get(&list).and_then(Value::list).map_or(0, <[Value]>::len);
    let named: Table = [("name", Value::from(&*name))]
        .into_iter()
        .chain(table.iter().filter(|(field, _)| *field != "name").map(|(f, v)| (f, v.clone())))
        .map(|(field, value)| (field.to_owned(), value))
        .collect();
    Added { name, edit: Edit::Insert { list, index, value: named.into() } }
}
