//! Files that a document refers to, in the folder of the document.
//!
//! Tests: `files_come_from_the_folder`, `unreadable_files_are_reported`.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use lariat_eval::{FileError, Files};

/// A folder on disk.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A folder.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The folder that contains a document.
    pub fn of(document: &Path) -> Self {
        Self::new(document.parent().unwrap_or(Path::new("")))
    }
}

impl Files for Folder {
    fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, FileError> {
        let tried = self.path.join(path);
        let unread = |why: String| FileError { tried: tried.display().to_string(), why };
        let cannot = |error: io::Error| {
            unread(match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                    "there is no such file".to_owned()
                }
                io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
                _ => error.to_string(),
            })
        };
        let found = fs::metadata(&tried).map_err(cannot)?;
        if found.is_dir() {
            return Err(unread("it is a folder".to_owned()));
        }
        if found.len() > most {
            return Err(unread(FileError::too_large(found.len(), most)));
        }
        let mut bytes = Vec::new();
        let file = File::open(&tried).map_err(cannot)?;
        // The file may grow while it is read, or be a pipe.
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(cannot)?;
        if bytes.len() as u64 > most {
            return Err(unread(FileError::too_large(bytes.len() as u64, most)));
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_from_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("models")).unwrap();
        fs::write(folder.path().join("models/belly.obj"), b"v 0 0 0").unwrap();
        let files = Folder::of(&folder.path().join("shot.lariat"));
        assert_eq!(files.read("models/belly.obj", 7).unwrap(), b"v 0 0 0");
    }

    #[test]
    fn unreadable_files_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("belly.obj"), b"v 0 0 0").unwrap();
        let files = Folder::new(folder.path());
        let why = |path: &str, most: u64| files.read(path, most).unwrap_err().why;
        assert_eq!(why("gone.obj", 9), "there is no such file");
        assert_eq!(why("belly.obj/inside", 9), "there is no such file");
        assert_eq!(why("", 9), "it is a folder");
        assert!(why("belly.obj", 6).starts_with("it has 7 bytes, more than the limit of 6"));
        let tried = files.read("gone.obj", 9).unwrap_err().tried;
        assert_eq!(Path::new(&tried), folder.path().join("gone.obj"));
    }
}
