//! Files of a document: those that it was opened with, and those that were made for it and are not on
//! the disk yet, because it has no place there.
//!
//! Tests: `made_files_come_first`.

use std::sync::{Arc, PoisonError, RwLock};

use lariat_eval::{FileError, Files, MemoryFiles};

/// Files of a document.
#[derive(Clone, Debug)]
pub struct DocumentFiles {
    opened: Arc<dyn Files>,
    made: Arc<RwLock<MemoryFiles>>,
}

impl DocumentFiles {
    /// Files that a document was opened with.
    pub fn new(opened: Box<dyn Files>) -> Self {
        Self { opened: Arc::from(opened), made: Arc::default() }
    }

    /// Adds a file that is not on the disk.
    pub fn make(&self, path: &str, bytes: impl Into<Vec<u8>>) {
        let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
        *made = std::mem::take(&mut *made).with(path, bytes);
    }
}

impl Files for DocumentFiles {
    fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, FileError> {
        let made = self.made.read().unwrap_or_else(PoisonError::into_inner);
        made.read(path, most).or_else(|_| self.opened.read(path, most))
    }
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
}
