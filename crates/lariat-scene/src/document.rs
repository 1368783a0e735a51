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
    /// excludes cameras, the last frame and the looks of bodies. It includes all bodies, the order of
    /// lists and [`SOLVER_VERSION`]. Not cryptographic (FNV-1a).
    pub fn motion_hash(&self) -> u128 {
        self.motion_hash_by(SOLVER_VERSION)
    }

    fn motion_hash_by(&self, solver: u32) -> u128 {
        let mut document = self.clone();
        document.root.remove("camera");
        if let Some(Value::Table(shot)) = document.root.get_mut("shot")
            && let Some(Value::List(frames)) = shot.get_mut("frames")
        {
            frames.truncate(1);
        }
        if let Some(Value::List(bodies)) = document.root.get_mut("body") {
            for body in bodies {
                let Value::Table(body) = body else { continue };
                for looks in crate::schema::LOOKS {
                    body.remove(looks);
                }
            }
        }
        let mut hash = Fnv128::new();
        hash.bytes(solver.to_le_bytes());
        hash.bytes(crate::format::write(&document).bytes());
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
    fn the_motion_hash_ignores_looks_cameras_and_the_last_frame() {
        let hash = |text: &str| crate::format::read(text).unwrap().document.motion_hash();
        let rope = "[shot]\nframes = [1, 48]\n[[body]]\nname = 'rope'\nlength = 2\n";
        let dressed = "[shot]\nframes = [1, 99]\n[[camera]]\nname = 'near'\n[[body]]\nname = 'rope'\n\
                       length = 2\ncolour = '#ff0000'\nvisible = false\nfrayed = 'end'\n";
        assert_eq!(hash(rope), hash(dressed));
        assert_ne!(hash(rope), hash(&rope.replace("[1, 48]", "[2, 48]")));
        assert_ne!(hash(rope), hash(&rope.replace("length = 2", "length = 3")));
        // Other bodies count, too.
        assert_ne!(hash(rope), hash(&format!("{rope}[[body]]\nname = 'other'\n")));
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
