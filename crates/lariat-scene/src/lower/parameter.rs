//! Lookup of one parameter of a document by its path, for `follow` and for plots.

use glam::DVec3;
use lariat_core::motion::{Channel, Colour};
use thiserror::Error;

use super::{Cursor, Lowering, record};
use crate::{
    check::Diagnostic,
    document::{Document, Thing},
    edit,
    limits::Limits,
    path::{Path, Step},
    place::Places,
    schema::{self, Field, Kind, did_you_mean},
    value::Value,
};

/// Channel of an animatable parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterChannel {
    /// A number.
    Number(Channel<f64>),
    /// A vector or a direction.
    Vector(Channel<DVec3>),
    /// A colour.
    Colour(Channel<Colour>),
}

/// A parameter found by its path.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Full path.
    pub path: Path,
    /// Its field in the schema.
    pub field: &'static Field,
    /// Its values over time.
    pub channel: ParameterChannel,
}

/// Error of [`parameter`].
#[derive(Clone, Debug, Error)]
pub enum ParameterError {
    /// There is no animatable parameter at this path.
    #[error("unknown parameter `{name}`: {why}")]
    NotFound {
        /// Path as requested.
        name: String,
        /// Reason.
        why: String,
    },
    /// The parameter has errors.
    #[error("the parameter `{name}` has errors: {}", first(diagnostics))]
    Invalid {
        /// Path as requested.
        name: String,
        /// Its diagnostics.
        diagnostics: Vec<Diagnostic>,
    },
}

fn first(diagnostics: &[Diagnostic]) -> &str {
    diagnostics.first().map_or("invalid value", |found| &found.message)
}

/// Finds a parameter and its field: `tail.swing`, `rope.waves[0].height`, `camera.chase.position`,
/// `world.wind`. A first name that is neither a list of the document nor the world is a body.
pub(super) fn find(document: &Document, name: &str) -> Result<(Path, &'static Field), String> {
    if name.trim().is_empty() {
        return Err("expected a body and its parameter, like `tail.swing`".to_owned());
    }
    let requested: Path = name.parse().map_err(|error| format!("{error}"))?;
    let is_list = |name: &str| document.root.get(name).is_some_and(|v| v.list().is_some());
    let is_top = |step: &Step| matches!(step, Step::Field(name) if is_list(name) || (&**name == WORLD && world_has_its_name(document)));
    let full = match requested.steps().first() {
        Some(first) if !is_top(first) => {
            if let Some(why) = other_thing(document, &requested) {
                return Err(why);
            }
            let mut full = Path::root().field("body");
            requested.steps().iter().for_each(|step| full.push(step.clone()));
            full
        }
        _ => requested.clone(),
    };
    let path = edit::place(document, &full).map_err(|error| error.to_string())?;
    match schema::keyable_at(document, &path) {
        Ok(field) => Ok((path, field)),
        Err(Some(field)) => Err(format!("`{}` cannot be keyed", field.name)),
        Err(None) if requested.steps().len() == 1 => {
            Err(format!("add the name of a parameter of `{requested}`"))
        }
        Err(None) => Err(suggestion(document, &requested, &path).map_or_else(
            || "it is not a parameter".to_owned(),
            |meant| format!("did you mean `{meant}`?"),
        )),
    }
}

/// First step of the paths of the world's parameters.
const WORLD: &str = "world";

/// Returns true if `world` is the world, and not the name of a body.
fn world_has_its_name(document: &Document) -> bool {
    document.find(Thing::Body, WORLD).is_none()
}

/// Error for a path that starts with the name of a locator, collider or camera.
fn other_thing(document: &Document, requested: &Path) -> Option<String> {
    let Step::Field(name) = requested.steps().first()? else { return None };
    let has = |thing: Thing| document.names(thing).any(|other| *other == **name);
    let thing = Thing::ALL.into_iter().find(|thing| has(*thing))?;
    if thing == Thing::Body {
        return None;
    }
    let mut full = Path::root().field(thing.list());
    requested.steps().iter().for_each(|step| full.push(step.clone()));
    Some(format!("`{name}` is a {thing}, not a body: write `{full}`"))
}

/// Suggestion for a misspelt last name of a path.
fn suggestion(document: &Document, requested: &Path, path: &Path) -> Option<Path> {
    let (record, Step::Field(last)) = path.parent()? else { return None };
    let fields = schema::record_at(document, &record)?.fields.iter();
    let names = fields
        .filter(|field| field.animatable)
        .flat_map(|field| std::iter::once(field.name).chain(field.plain.iter().copied()));
    let meant = did_you_mean(last, names)?;
    Some(requested.parent()?.0.field(meant))
}

/// Finds and lowers the parameter at a path.
pub fn parameter(
    document: &Document,
    limits: &Limits,
    name: &str,
) -> Result<Parameter, ParameterError> {
    let not_found = |why| ParameterError::NotFound { name: name.to_owned(), why };
    let (path, field) = find(document, name).map_err(not_found)?;
    let mut lowering = Lowering::new(limits);
    lowering.document = Some(document);
    let places = Places::none();
    let at = Cursor::top(&places);
    let shot = lowering.shot(&document.root, &at).shot;
    (lowering.rate, lowering.last_second) = (shot.rate, shot.seconds(shot.last as f64));
    let found = match document.get(&path) {
        None => record::default_of(field),
        Some(value) => match field.kind {
            Kind::Scalar(_) | Kind::Scalars(..) => {
                lowering.channel(field, value, &at, Lowering::number).map(ParameterChannel::Number)
            }
            Kind::Vector(_) | Kind::Direction | Kind::Vectors(..) | Kind::Anchor => {
                lowering.channel(field, value, &at, Lowering::vector).map(ParameterChannel::Vector)
            }
            Kind::Colour | Kind::Colours => lowering
                .channel(field, value, &at, Lowering::one_colour)
                .map(ParameterChannel::Colour),
            _ => {
                return Err(not_found(format!(
                    "`{}` is neither a number nor a vector",
                    field.name
                )));
            }
        },
    };
    match found {
        Some(channel) => Ok(Parameter { path, field, channel }),
        None if document.get(&path).is_none() => {
            Err(not_found(format!("`{}` is not given and has no default", field.name)))
        }
        None => {
            let diagnostics = lowering.diagnostics.finish();
            Err(ParameterError::Invalid { name: name.to_owned(), diagnostics })
        }
    }
}

/// Paths of all parameters with keys, a wiggle or a leader, in the order of the document; those of
/// the world last.
pub fn animated_parameters(document: &Document) -> Vec<String> {
    let mut out = Vec::new();
    for thing in Thing::ALL {
        for (index, table) in document.things(thing) {
            let mut path = Path::root();
            if thing != Thing::Body {
                path = path.field(thing.list());
            }
            path = match table.text("name") {
                Some(name) => path.field(name),
                None => Path::root().field(thing.list()).index(index),
            };
            for (name, value) in table.iter() {
                add_animated(&path.clone().field(name), value, &mut out);
            }
        }
    }
    if let Some(world) = document.root.get(WORLD).filter(|_| world_has_its_name(document)) {
        add_animated(&Path::root().field(WORLD), world, &mut out);
    }
    out
}

fn add_animated(path: &Path, value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Table(table) => {
            if ["keys", "wiggle", "follow"].iter().any(|word| table.get(word).is_some()) {
                out.push(path.to_string());
            }
            for (name, value) in
                table.iter().filter(|(name, _)| !matches!(*name, "keys" | "wiggle"))
            {
                add_animated(&path.clone().field(name), value, out);
            }
        }
        Value::List(list) => {
            for (index, value) in list.iter().enumerate() {
                add_animated(&path.clone().index(index), value, out);
            }
        }
        _ => {}
    }
}
