//! Meshes, modes and recordings that museum scenes and recipes load or come with.
//!
//! The files are in `museum/scenes` and `museum/recipes`, next to the documents that refer to them,
//! so documents can be opened in place. This table is for programs that read them from memory.

/// Path of each file, as in documents, and its bytes.
pub const FILES: &[(&str, &[u8])] = &[
    ("alien.obj", include_bytes!("../scenes/alien.obj")),
    ("alien-aside.modes", include_bytes!("../scenes/alien-aside.modes")),
    ("alien-up.modes", include_bytes!("../scenes/alien-up.modes")),
    ("ball.obj", include_bytes!("../scenes/ball.obj")),
    ("dog.obj", include_bytes!("../scenes/dog.obj")),
    ("doll.obj", include_bytes!("../scenes/doll.obj")),
    ("eyes.obj", include_bytes!("../scenes/eyes.obj")),
    ("hillock.obj", include_bytes!("../scenes/hillock.obj")),
    ("stout-eyes.obj", include_bytes!("../scenes/stout-eyes.obj")),
    ("stout.obj", include_bytes!("../scenes/stout.obj")),
    ("wheel.obj", include_bytes!("../scenes/wheel.obj")),
    // Of recipes.
    ("boat.obj", include_bytes!("../recipes/boat.obj")),
    ("penguin.obj", include_bytes!("../recipes/penguin.obj")),
    ("penguin-front.obj", include_bytes!("../recipes/penguin-front.obj")),
    ("reed.csv", include_bytes!("../recipes/reed.csv")),
    ("reed.modes", include_bytes!("../recipes/reed.modes")),
];

/// Returns the bytes of the file with this path.
pub fn file(path: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, bytes)| *bytes)
}
