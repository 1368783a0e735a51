//! Museum scenes by name: `museum:NAME` is accepted wherever a document is read.
//!
//! A file of this name can be read as `./museum:NAME`.
//!
//! Tests: `crates/lariat-cli/tests/command/museum.rs`.

use std::path::Path;

use lariat_eval::MemoryFiles;
use lariat_museum::{FILES, SCENES, Scene};
use lariat_scene::schema::did_you_mean;

use crate::{exit::Failure, words};

/// Prefix of museum scenes.
const PREFIX: &str = "museum:";

/// Museum scene of a path, or `None` for a file.
pub(crate) fn named(path: &Path) -> Option<Result<&'static Scene, Failure>> {
    path.to_str()?.strip_prefix(PREFIX).map(find)
}

/// Files that museum scenes refer to.
pub(crate) fn files() -> MemoryFiles {
    FILES.iter().fold(MemoryFiles::default(), |shelf, (path, bytes)| shelf.with(*path, *bytes))
}

/// Finds a museum scene by name, with or without extension.
pub(crate) fn find(name: &str) -> Result<&'static Scene, Failure> {
    let plain = name.strip_suffix(".lariat").unwrap_or(name);
    lariat_museum::find(plain).ok_or_else(|| {
        let remedy = match did_you_mean(plain, SCENES.iter().map(|museum_scene| museum_scene.name))
        {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`lariat museum list` lists all scenes".to_owned(),
        };
        Failure::new(format!("there is no museum scene `{}`; {remedy}", words::shown(name)))
    })
}
