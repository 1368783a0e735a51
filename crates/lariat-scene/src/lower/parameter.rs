//! One parameter of a document, by its address: what is followed, and what is plotted.

use glam::DVec3;
use lariat_core::motion::{Channel, Colour};
use thiserror::Error;

use super::{At, Lowering, record};
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

/// A parameter that can move, as the document has it.
#[derive(Clone, Debug, PartialEq)]
pub enum Moving {
    /// A number.
    Number(Channel<f64>),
    /// A vector or a direction.
    Vector(Channel<DVec3>),
    /// A colour.
    Colour(Channel<Colour>),
}

/// A parameter found by its address.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its full address.
    pub path: Path,
    /// What the schema says of it.
    pub field: &'static Field,
    /// What it does.
    pub moving: Moving,
}

/// Why there is no such parameter.
#[derive(Clone, Debug, Error)]
pub enum NoParameter {
    /// Nothing that can be keyed stands there.
    #[error("there is no parameter `{name}`: {why}")]
    NotThere {
        /// As it was asked for.
        name: String,
        /// What is in the way.
        why: String,
    },
    /// It stands there, and is wrong.
    #[error("the parameter `{name}` has errors: {}", first(diagnostics))]
    Wrong {
        /// As it was asked for.
        name: String,
        /// What is wrong with it.
        diagnostics: Vec<Diagnostic>,
    },
}

fn first(diagnostics: &[Diagnostic]) -> &str {
    diagnostics.first().map_or("nothing can be read there", |found| &found.message)
}

/// Where a parameter stands and what it is: `tail.swing`, `rope.waves[0].height`,
/// `camera.chase.position`, `world.wind`. A name that is no list of the document and not the world
/// is that of a body.
pub(super) fn find(document: &Document, name: &str) -> Result<(Path, &'static Field), String> {
    if name.trim().is_empty() {
        return Err("a path is a body and its parameter, like `tail.swing`".to_owned());
    }
    let said: Path = name.parse().map_err(|error| format!("{error}"))?;
    let is_list = |name: &str| document.root.get(name).is_some_and(|v| v.list().is_some());
    let is_top = |step: &Step| matches!(step, Step::Field(name) if is_list(name) || (&**name == WORLD && world_has_its_name(document)));
    let full = match said.steps().first() {
        Some(first) if !is_top(first) => {
            if let Some(why) = is_other_thing(document, &said) {
                return Err(why);
            }
            let mut full = Path::root().field("body");
            said.steps().iter().for_each(|step| full.push(step.clone()));
            full
        }
        _ => said.clone(),
    };
    let path = edit::place(document, &full).map_err(|error| error.to_string())?;
    match schema::keyable_at(document, &path) {
        Ok(field) => Ok((path, field)),
        Err(Some(field)) => Err(format!("`{}` cannot be keyed", field.name)),
        Err(None) if said.steps().len() == 1 => {
            Err(format!("say which of the parameters of `{said}`"))
        }
        Err(None) => Err(meant(document, &said, &path).map_or_else(
            || "it is no parameter".to_owned(),
            |meant| format!("did you mean `{meant}`?"),
        )),
    }
}

/// The world as parameters of it are addressed.
const WORLD: &str = "world";

/// Whether `world` is the world; it is not where a body has that name.
fn world_has_its_name(document: &Document) -> bool {
    document.find(Thing::Body, WORLD).is_none()
}

/// What begins with the name of a locator, a collider or a camera, and not with that of a body.
fn is_other_thing(document: &Document, said: &Path) -> Option<String> {
    let Step::Field(name) = said.steps().first()? else { return None };
    let has = |thing: Thing| document.names(thing).any(|other| *other == **name);
    let thing = Thing::ALL.into_iter().find(|thing| has(*thing))?;
    if thing == Thing::Body {
        return None;
    }
    let mut full = Path::root().field(thing.list());
    said.steps().iter().for_each(|step| full.push(step.clone()));
    Some(format!("`{name}` is a {thing}, and only bodies go by their name alone: write `{full}`"))
}

/// The address that a slip of the last name most likely meant.
fn meant(document: &Document, said: &Path, path: &Path) -> Option<Path> {
    let (record, Step::Field(last)) = path.parent()? else { return None };
    let fields = schema::record_at(document, &record)?.fields.iter();
    let names = fields
        .filter(|field| field.animatable)
        .flat_map(|field| std::iter::once(field.name).chain(field.plain.iter().copied()));
    let meant = did_you_mean(last, names)?;
    Some(said.parent()?.0.field(meant))
}

/// The parameter of this address.
pub fn parameter(
    document: &Document,
    limits: &Limits,
    name: &str,
) -> Result<Parameter, NoParameter> {
    let not_there = |why| NoParameter::NotThere { name: name.to_owned(), why };
    let (path, field) = find(document, name).map_err(not_there)?;
    let mut lowering = Lowering::new(limits);
    lowering.document = Some(document);
    let places = Places::none();
    let at = At::top(&places);
    let (shot, _) = lowering.shot(&document.root, &at);
    (lowering.rate, lowering.last_second) = (shot.rate, shot.seconds(shot.last as f64));
    let found = match document.get(&path) {
        None => record::default_of(field),
        Some(value) => match field.kind {
            Kind::Scalar(_) | Kind::Scalars(..) => {
                lowering.channel(field, value, &at, Lowering::number).map(Moving::Number)
            }
            Kind::Vector(_) | Kind::Direction | Kind::Vectors(..) | Kind::Anchor => {
                lowering.channel(field, value, &at, Lowering::vector).map(Moving::Vector)
            }
            Kind::Colour | Kind::Colours => {
                lowering.channel(field, value, &at, Lowering::one_colour).map(Moving::Colour)
            }
            _ => {
                return Err(not_there(format!(
                    "`{}` is neither a number nor a vector",
                    field.name
                )));
            }
        },
    };
    match found {
        Some(moving) => Ok(Parameter { path, field, moving }),
        None if document.get(&path).is_none() => {
            Err(not_there(format!("`{}` is not given and has no default", field.name)))
        }
        None => {
            let diagnostics = lowering.diagnostics.finish();
            Err(NoParameter::Wrong { name: name.to_owned(), diagnostics })
        }
    }
}

/// The addresses of all parameters that have keys, wiggle or follow, in the order of the document;
/// those of the world last.
pub fn moving(document: &Document) -> Vec<String> {
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
                add_moving(&path.clone().field(name), value, &mut out);
            }
        }
    }
    if let Some(world) = document.root.get(WORLD).filter(|_| world_has_its_name(document)) {
        add_moving(&Path::root().field(WORLD), world, &mut out);
    }
    out
}

fn add_moving(path: &Path, value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Table(table) => {
            if ["keys", "wiggle", "follow"].iter().any(|word| table.get(word).is_some()) {
                out.push(path.to_string());
            }
            for (name, value) in
                table.iter().filter(|(name, _)| !matches!(*name, "keys" | "wiggle"))
            {
                add_moving(&path.clone().field(name), value, out);
            }
        }
        Value::List(list) => {
            for (index, value) in list.iter().enumerate() {
                add_moving(&path.clone().index(index), value, out);
            }
        }
        _ => {}
    }
}
