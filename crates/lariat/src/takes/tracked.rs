//! Files that a motion depends on: a body attached to a mesh depends on the file of the mesh.
//!
//! Tests: `the_hash_depends_on_every_file`.

use std::sync::{Mutex, PoisonError};

use lariat_core::num::fnv::Fnv128;
use lariat_eval::{FileError, Files};
use lariat_scene::Document;

/// A [`Files`] that hashes everything read through it.
#[derive(Debug)]
pub struct TrackedFiles<'f> {
    files: &'f dyn Files,
    read: Mutex<u128>,
}

impl<'f> TrackedFiles<'f> {
    /// Tracks `files`, starting with nothing read.
    pub fn new(files: &'f dyn Files) -> Self {
        Self { files, read: Mutex::new(0) }
    }

    /// Hash of everything that a simulation depends on: the document and every file read for it.
    /// Takes are identified by it.
    pub fn motion_hash(&self, document: &Document) -> u128 {
        let read = *self.read.lock().unwrap_or_else(PoisonError::into_inner);
        document.motion_hash() ^ read
    }
}

impl Files for TrackedFiles<'_> {
    fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, FileError> {
        let bytes = self.files.read(path, most)?;
        let felt = hash(path.as_bytes()) ^ hash(&bytes).rotate_left(1);
        // A file that is read twice counts twice.
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        *read = read.rotate_left(5) ^ felt;
        Ok(bytes)
    }
}

fn hash(bytes: &[u8]) -> u128 {
    let mut hash = Fnv128::new();
    hash.many_bytes(bytes);
    hash.finish()
}

#[cfg(test)]
mod tests {
    use lariat_eval::MemoryFiles;

    use super::*;

    #[test]
    fn the_hash_depends_on_every_file() {
        let document = lariat_scene::format::read("lariat = 2\n").unwrap().document;
        let felt = |read: &[(&str, &str)]| {
            let shelf = read.iter().fold(MemoryFiles::default(), |shelf, (path, text)| {
                shelf.with(*path, text.as_bytes().to_vec())
            });
            let files = TrackedFiles::new(&shelf);
            assert!(files.read("gone.obj", 99).is_err());
            for (path, text) in read {
                assert_eq!(files.read(path, 99).unwrap(), text.as_bytes());
            }
            files.motion_hash(&document)
        };
        assert_eq!(felt(&[]), document.motion_hash());
        let ball = felt(&[("ball.obj", "v 0 0 0, a mesh")]);
        assert_eq!(felt(&[("ball.obj", "v 0 0 0, a mesh")]), ball);
        assert_ne!(felt(&[("ball.obj", "v 0 0 1, a mesh")]), ball);
        assert_ne!(felt(&[("ball.obj", "v 0 0 0, a mess")]), ball);
        assert_ne!(felt(&[("bell.obj", "v 0 0 0, a mesh")]), ball);
        let both = [("a.obj", "v 0 0 0"), ("b.obj", "v 0 0 1")];
        assert_ne!(felt(&both), felt(&[("a.obj", "v 0 0 1"), ("b.obj", "v 0 0 0")]));
    }
}
