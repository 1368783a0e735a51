//! The document, as plain data.
//!
//! It contains the values of the file without defaults, resolved names or checks. `format` reads and
//! writes it, `lower` converts it to typed records, `edit` changes it.

use lariat_core::{dynamics::SOLVER_VERSION, num::fnv::Fnv128};

use crate::{
    path::{Path, Step, named},
    value::{Table, Value},
};

/// A `.lariat` document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Top-level fields: `lariat`, `shot`, `world`, `camera`, `locator`, `collider`, `body`.
    pub root: Table,
}

/// Kinds of named things in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Thing {
    /// A rope, a spring, a lasso.
    Body,
    /// A place that others can be attached to.
    Locator,
    /// An obstacle for ropes.
    Collider,
    /// A camera.
    Camera,
}

impl Thing {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Body, Self::Locator, Self::Collider, Self::Camera];

    /// Name of their list in the document: `body`, `locator`, `collider`, `camera`.
    pub const fn list(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Locator => "locator",
            Self::Collider => "collider",
            Self::Camera => "camera",
        }
    }

    /// Plural noun: "bodies".
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Body => "bodies",
            Self::Locator => "locators",
            Self::Collider => "colliders",
            Self::Camera => "cameras",
        }
    }

    /// Finds the kind of a list.
    pub fn of_list(list: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|thing| thing.list() == list)
    }
}

impl std::fmt::Display for Thing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.list())
    }
}

impl Document {
    /// Creates an empty document.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the value at a path; `None` for the document itself.
    pub fn get(&self, path: &Path) -> Option<&Value> {
        let (first, rest) = path.steps().split_first()?;
        let Step::Field(name) = first else { return None };
        let mut value = self.root.get(name)?;
        for step in rest {
            value = match (step, value) {
                (Step::Field(name), Value::Table(table)) => table.get(name)?,
                (Step::Field(name), Value::List(list)) => &list[named(list, name)?],
                (Step::Index(index), Value::List(list)) => list.get(*index)?,
                _ => return None,
            };
        }
        Some(value)
    }

    /// Things of one kind in order, without invalid entries that are not tables.
    pub fn things(&self, thing: Thing) -> impl Iterator<Item = (usize, &Table)> {
        self.root
            .get(thing.list())
            .and_then(Value::list)
            .unwrap_or_default()
            .iter()
            .enumerate()
            .filter_map(|(index, value)| Some((index, value.table()?)))
    }

    /// Names of the things of one kind, in order.
    pub fn names(&self, thing: Thing) -> impl Iterator<Item = &str> {
        self.things(thing).filter_map(|(_, table)| table.text("name"))
    }

    /// Finds a thing by name; returns its index among its kind, and its table.
    pub fn find(&self, thing: Thing, name: &str) -> Option<(usize, &Table)> {
        self.things(thing).find(|(_, table)| table.text("name") == Some(name))
    }

    /// Hash of everything that affects a simulation of this document, used to identify takes. It
    /// excludes cameras, the last frame, markers and the looks of bodies. It includes all bodies, the order of
    /// lists and [`SOLVER_VERSION`]. Not cryptographic (FNV-1a).
    pub fn motion_hash(&self) -> u128 {
        self.motion_hash_by(SOLVER_VERSION)
    }

    fn motion_hash_by(&self, solver: u32) -> u128 {
        let mut hash = Fnv128::new();
        hash.many_bytes(&solver.to_le_bytes());
        // A shot without settings is none.
        let has_motion = |(name, value): &(&str, &Value)| match *name {
            "camera" => false,
            "shot" => {
                value.table().is_none_or(|shot| shot.iter().any(|(name, _)| name != "markers"))
            }
            _ => true,
        };
        let fields = self.root.iter().filter(has_motion);
        hash_fields(&mut hash, fields, |hash, name, value| match (name, value) {
            ("shot", Value::Table(shot)) => {
                let fields = shot.iter().filter(|(name, _)| *name != "markers");
                hash_fields(hash, fields, hash_shot_field);
            }
            ("body", Value::List(bodies)) => hash_list(hash, bodies, hash_body),
            _ => hash_value(hash, value),
        });
        hash.finish()
    }

    /// Replaces the index of a body, locator, collider or camera in a path by its name:
    /// `body.rein.length`. The index is kept if the name is missing or not unique.
    pub fn named(&self, path: &Path) -> Path {
        let [Step::Field(list), Step::Index(index), rest @ ..] = path.steps() else {
            return path.clone();
        };
        let things = self.root.get(list).and_then(Value::list).unwrap_or_default();
        let name = things.get(*index).and_then(Value::table).and_then(|table| table.text("name"));
        match name {
            Some(name) if named(things, name) == Some(*index) => {
                let start = [Step::Field(list.clone()), Step::Field(name.into())];
                start.into_iter().chain(rest.iter().cloned()).collect()
            }
            _ => path.clone(),
        }
    }

    /// Path as the document writes it: names of list elements become indices, and parameters have
    /// the plain or technical name that is used (`magnitude` becomes an existing `height`). `None` if
    /// a step before the last does not exist.
    pub fn as_written(&self, path: &Path) -> Option<Path> {
        crate::edit::place(self, path).ok()
    }

    /// Replaces all names of list elements in a path by their indices; `None` if the path does not
    /// exist.
    pub fn resolve(&self, path: &Path) -> Option<Path> {
        let mut resolved = Path::root();
        let mut value: Option<&Value> = None;
        for step in path.steps() {
            let table = match value {
                None => Some(&self.root),
                Some(value) => value.table(),
            };
            let (step, next) = match (step, table, value) {
                (Step::Field(name), Some(table), _) => (step.clone(), table.get(name)?),
                (Step::Field(name), None, Some(Value::List(list))) => {
                    let index = named(list, name)?;
                    (Step::Index(index), &list[index])
                }
                (Step::Index(index), None, Some(Value::List(list))) => {
                    (step.clone(), list.get(*index)?)
                }
                _ => return None,
            };
            resolved.push(step);
            value = Some(next);
        }
        Some(resolved)
    }
}

/// Hashes a value; equal values have equal hashes.
fn hash_value(hash: &mut Fnv128, value: &Value) {
    match value {
        Value::Number(number) => {
            let number = if number.is_nan() { f64::NAN } else { *number };
            hash_bytes(hash, b'n', &number.to_le_bytes());
        }
        Value::Text(text) => hash_bytes(hash, b't', text.as_bytes()),
        Value::Switch(switch) => hash_bytes(hash, b's', &[u8::from(*switch)]),
        Value::List(list) => hash_list(hash, list, hash_value),
        Value::Table(table) => {
            hash_fields(hash, table.iter(), |hash, _, value| hash_value(hash, value));
        }
    }
}

/// Hashes bytes with their kind and number: values that follow each other stay apart.
fn hash_bytes(hash: &mut Fnv128, kind: u8, bytes: &[u8]) {
    hash.bytes([kind]);
    hash.many_bytes(bytes);
}

fn hash_list(hash: &mut Fnv128, list: &[Value], each: impl Fn(&mut Fnv128, &Value)) {
    hash_bytes(hash, b'l', &(list.len() as u64).to_le_bytes());
    for value in list {
        each(hash, value);
    }
}

/// Hashes the fields of a table, whose order does not matter.
fn hash_fields<'t>(
    hash: &mut Fnv128,
    fields: impl Iterator<Item = (&'t str, &'t Value)>,
    each: impl Fn(&mut Fnv128, &str, &Value),
) {
    let mut fields: Vec<(&str, &Value)> = fields.collect();
    fields.sort_unstable_by_key(|(name, _)| *name);
    hash_bytes(hash, b'f', &(fields.len() as u64).to_le_bytes());
    for (name, value) in fields {
        hash_bytes(hash, b'k', name.as_bytes());
        each(hash, name, value);
    }
}

/// Hashes a field of the shot, without its last frame.
fn hash_shot_field(hash: &mut Fnv128, name: &str, value: &Value) {
    match value {
        Value::List(frames) if name == "frames" => {
            hash_list(hash, &frames[..frames.len().min(1)], hash_value);
        }
        _ => hash_value(hash, value),
    }
}

/// Hashes a body without its looks.
fn hash_body(hash: &mut Fnv128, body: &Value) {
    let Value::Table(body) = body else { return hash_value(hash, body) };
    let fields = body.iter().filter(|(name, _)| !crate::schema::LOOKS.contains(name));
    hash_fields(hash, fields, |hash, _, value| hash_value(hash, value));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Document {
        crate::format::read(
            "[[locator]]\nname = 'hand'\n[[body]]\nname = 'a'\n[[body]]\nname = 'rein'\nlength = 4.2\nwaves = [{ height = 0.1 }]\n",
        )
        .unwrap()
        .document
    }

    #[test]
    fn a_body_is_found_by_index_and_by_name() {
        let document = sample();
        let by_name: Path = "body.rein.waves[0].height".parse().unwrap();
        let by_index: Path = "body[1].waves[0].height".parse().unwrap();
        assert_eq!(document.get(&by_name), Some(&Value::from(0.1)));
        assert_eq!(document.get(&by_index), Some(&Value::from(0.1)));
        assert_eq!(document.resolve(&by_name), Some(by_index));
        assert_eq!(document.get(&"body.girth.length".parse().unwrap()), None);
        assert_eq!(document.get(&"body[1].length[0]".parse().unwrap()), None);
        assert_eq!(document.get(&Path::root()), None);
    }

    #[test]
    fn a_path_has_names_where_they_are_unique() {
        let document = crate::format::read(
            "[[body]]\nname = 'rein'\n[[body]]\nname = 'rein'\n[[body]]\nlength = 1\n[[collider]]\nname = 'a ball'\n",
        )
        .unwrap()
        .document;
        let renamed = |path: &str| document.named(&path.parse().unwrap()).to_string();
        assert_eq!(renamed("body[0].waves[0].height"), "body.rein.waves[0].height");
        assert_eq!(renamed("body[1].length"), "body[1].length", "the second of a name");
        assert_eq!(renamed("body[2].length"), "body[2].length", "no name");
        assert_eq!(renamed("body[9]"), "body[9]");
        assert_eq!(renamed("collider[0]"), "collider.\"a ball\"");
        assert_eq!(renamed("shot.fps"), "shot.fps");
        assert_eq!(renamed(""), "");
    }

    #[test]
    fn the_motion_hash_depends_on_the_solver() {
        let document = sample();
        assert_eq!(document.motion_hash(), document.motion_hash_by(SOLVER_VERSION));
        assert_ne!(document.motion_hash(), document.motion_hash_by(SOLVER_VERSION - 1));
        assert_ne!(document.motion_hash(), document.motion_hash_by(SOLVER_VERSION + 1));
    }

    #[test]
    fn the_motion_hash_ignores_looks_cameras_markers_and_the_last_frame() {
        let hash = |text: &str| crate::format::read(text).unwrap().document.motion_hash();
        let rope = "[shot]\nframes = [1, 48]\n[[body]]\nname = 'rope'\nlength = 2\n";
        let dressed = "[shot]\nframes = [1, 99]\nmarkers = [{ frame = 3 }]\n[[camera]]\nname = 'near'\n[[body]]\nname = 'rope'\n\
                       length = 2\ncolour = '#ff0000'\nvisible = false\nfrayed = 'end'\n";
        assert_eq!(hash(rope), hash(dressed));
        assert_ne!(hash(rope), hash(&rope.replace("[1, 48]", "[2, 48]")));
        assert_ne!(hash(rope), hash(&rope.replace("length = 2", "length = 3")));
        // Other bodies count, too.
        assert_ne!(hash(rope), hash(&format!("{rope}[[body]]\nname = 'other'\n")));
    }

    #[test]
    fn the_motion_hash_is_that_of_the_values() {
        let hash = |text: &str| crate::format::read(text).unwrap().document.motion_hash();
        let rope = "[[body]]\nname = 'rope'\nlength = 2\nkeys = [1, 2, [3]]\n";
        for same in ["2.0", "2e0", "0x2"] {
            assert_eq!(hash(rope), hash(&rope.replace("length = 2", &format!("length = {same}"))));
        }
        let other_order = "[[body]]\nkeys = [1, 2, [3]]\nlength = 2\nname = 'rope'\n";
        assert_eq!(hash(rope), hash(other_order));
        // Neighbours, levels, kinds and signs count.
        for other in ["[1, 2, 3]", "[2, 1, [3]]", "[1, [2, 3]]", "[1, 2, [3], []]", "[1, 2, ['3']]"]
        {
            assert_ne!(hash(rope), hash(&rope.replace("[1, 2, [3]]", other)), "{other}");
        }
        assert_ne!(hash("x = ['a', 'bc']\n"), hash("x = ['ab', 'c']\n"));
        assert_ne!(hash("x = 0.0\n"), hash("x = -0.0\n"));
        assert_eq!(hash("x = nan\n"), hash("x = nan\n"));
        assert_ne!(hash("x = true\n"), hash("x = 1\n"));
    }

    #[test]
    fn names_come_in_order() {
        let document = sample();
        assert_eq!(document.names(Thing::Body).collect::<Vec<_>>(), ["a", "rein"]);
        assert_eq!(document.names(Thing::Locator).collect::<Vec<_>>(), ["hand"]);
        assert_eq!(document.names(Thing::Collider).count(), 0);
        assert_eq!(document.find(Thing::Body, "rein").unwrap().0, 1);
    }
}
