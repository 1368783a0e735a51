//! Scenes of the museum by their name: `museum:NAME` wherever a document is read.
//!
//! So a scene can be drawn, checked or exported without a copy of it lying about. A file that
//! is really called so can still be read, as `./museum:NAME`.
//!
//! Tests: `crates/lariat-cli/tests/command/museum.rs`.

use std::path::Path;

use lariat_eval::MemoryFiles;
use lariat_museum::{FILES, SCENES, Scene};
use lariat_scene::schema::did_you_mean;

use crate::{exit::Failure, words};

/// What stands before the name of a museum scene that is read like a file.
const PREFIX: &str = "museum:";

/// The museum scene that a path stands for; nothing if it stands for a file.
pub(crate) fn named(path: &Path) -> Option<Result<&'static Scene, Failure>> {
    path.to_str()?.strip_prefix(PREFIX).map(find)
}

/// The files that museum scenes name.
pub(crate) fn files() -> MemoryFiles {
    FILES.iter().fold(MemoryFiles::default(), |shelf, (path, bytes)| shelf.with(*path, *bytes))
}

/// The museum scene of a name, with or without the ending of its file.
pub(crate) fn find(name: &str) -> Result<&'static Scene, Failure> {
    let plain = name.strip_suffix(".lariat").unwrap_or(name);
    lariat_museum::find(plain).ok_or_else(|| {
        let way_out = match did_you_mean(plain, SCENES.iter().map(|museum_scene| museum_scene.name))
        {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`lariat museum list` names them all".to_owned(),
        };
        Failure::new(format!("there is no scene `{}`: {way_out}", words::shown(name)))
    })
}
