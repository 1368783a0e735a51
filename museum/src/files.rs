//! Files that exhibits name: meshes, and modes of recorded motion.
//!
//! A file is in `museum/files`, and here by the path that documents say it with. All exhibits share
//! them.

/// Every file: its path as documents say it, and its bytes.
pub const FILES: &[(&str, &[u8])] = &[
    ("alien.obj", include_bytes!("../files/alien.obj")),
    ("alien-aside.modes", include_bytes!("../files/alien-aside.modes")),
    ("alien-up.modes", include_bytes!("../files/alien-up.modes")),
    ("ball.obj", include_bytes!("../files/ball.obj")),
    ("eyes.obj", include_bytes!("../files/eyes.obj")),
    ("stout.obj", include_bytes!("../files/stout.obj")),
    ("wheel.obj", include_bytes!("../files/wheel.obj")),
];

/// The file of a path.
pub fn file(path: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, bytes)| *bytes)
}
