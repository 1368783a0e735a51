//! Files of a document: those beside its place, those that were made for it and are not on the disk yet,
//! and those that it was opened with.
//!
//! Tests: `made_files_come_first`, `files_beside_a_new_place_come_before_all_others`.

use std::sync::{Arc, PoisonError, RwLock};

use lariat_editor::Editor;
use lariat_eval::{FileError, Files, MemoryFiles};

use super::Host;

/// Files of a document. Clones share them.
#[derive(Clone, Debug)]
pub struct DocumentFiles(Arc<RwLock<Sources>>);

#[derive(Debug)]
struct Sources {
    /// Folders that the document was saved to, the newest first. Older ones have the files that only
    /// undo asks for.
    beside: Vec<Box<dyn Files>>,
    made: MemoryFiles,
    opened: Box<dyn Files>,
}

impl DocumentFiles {
    /// Files that a document was opened with.
    pub fn new(opened: Box<dyn Files>) -> Self {
        let (beside, made) = (Vec::new(), MemoryFiles::default());
        Self(Arc::new(RwLock::new(Sources { beside, made, opened })))
    }

    /// Adds a file that is not on the disk.
    pub fn make(&self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.change(|sources| sources.made = std::mem::take(&mut sources.made).with(path, bytes));
    }

    /// Reads from the folder of a new place first.
    pub fn move_to(&self, beside: Box<dyn Files>) {
        self.change(|sources| sources.beside.insert(0, beside));
    }

    /// Whether some files may not be beside the document yet.
    pub fn has_moved(&self) -> bool {
        !self.0.read().unwrap_or_else(PoisonError::into_inner).beside.is_empty()
    }

    fn change(&self, change: impl FnOnce(&mut Sources)) {
        change(&mut self.0.write().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Files for DocumentFiles {
    fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, FileError> {
        let sources = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let beside = sources.beside.iter().map(|files| &**files);
        let found =
            beside.chain([&sources.made as &dyn Files]).find_map(|one| one.read(path, most).ok());
        found.map_or_else(|| sources.opened.read(path, most), Ok)
    }
}

/// Writes the files that a document refers to beside a place; returns the first error. Files outside
/// the folder of the document stay where they are.
pub fn carry_files(
    host: &mut dyn Host,
    editor: &Editor,
    files: &DocumentFiles,
    place: &str,
) -> Option<String> {
    let most = editor.limits().bytes_per_asset;
    let lowered = editor.lowered();
    let mut paths: Vec<&str> = lowered.files().map(|file| file.path).collect();
    paths.sort_unstable();
    paths.dedup();
    let is_inside =
        |path: &&str| !path.starts_with(['/', '\\']) && !path.contains(':') && !path.contains("..");
    let mut lost = None;
    for path in paths.into_iter().filter(is_inside) {
        if let Ok(bytes) = files.read(path, most)
            && let Err(why) = host.write_beside(place, path, &bytes)
        {
            lost.get_or_insert(why);
        }
    }
    lost
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_files_come_first() {
        let opened = MemoryFiles::default().with("a.modes", "opened").with("b.obj", "b");
        let files = DocumentFiles::new(Box::new(opened));
        let shared = files.clone();
        shared.make("a.modes", "made");
        assert_eq!(files.read("a.modes", 9).unwrap(), b"made");
        assert_eq!(files.read("b.obj", 9).unwrap(), b"b");
        assert!(files.read("c.obj", 9).is_err());
    }

    #[test]
    fn files_beside_a_new_place_come_before_all_others() {
        let files = DocumentFiles::new(Box::new(MemoryFiles::default().with("b.obj", "opened")));
        files.make("a.modes", "made");
        let shared = files.clone();
        for place in ["first", "second"] {
            files.move_to(Box::new(MemoryFiles::default().with("a.modes", place)));
            assert_eq!(shared.read("a.modes", 9).unwrap(), place.as_bytes());
        }
        assert_eq!(shared.read("b.obj", 9).unwrap(), b"opened");
    }
}
