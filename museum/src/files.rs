//! Files that exhibits name: meshes.
//!
//! A file is in `museum/files`, and here by the path that documents say it with. All exhibits share
//! them.

/// Every file: its path as documents say it, and its bytes.
pub const FILES: &[(&str, &[u8])] = &[("stout.obj", include_bytes!("../files/stout.obj"))];

/// The file of a path.
pub fn file(path: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, bytes)| *bytes)
}
