//! Files that a document refers to, in the folder of the document and in folders that the user
//! allows.
//!
//! Documents come from strangers, and a file that one refers to ends up in the result. Paths are
//! therefore resolved first, with `..` and symbolic links, and only regular files inside an allowed
//! folder are opened: a pipe would be waited for, and a device may never end. The opened file is
//! compared with the one that was resolved, in case it was exchanged between the two.
//!
//! Tests: `files_come_from_the_folder`, `unreadable_files_are_reported`,
//! `files_outside_are_not_read`; `crates/lariat-cli/tests/command/assets.rs`.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read},
    path::{Path, PathBuf},
};

use lariat_eval::{FileError, Files};

/// A folder on disk, and further folders whose files may be read.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    allowed: Vec<PathBuf>,
}

impl Folder {
    /// A folder.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), allowed: Vec::new() }
    }

    /// The folder that contains a document; the current folder for a document that comes through a
    /// pipe.
    pub fn of(document: &Path) -> Self {
        match fs::metadata(document) {
            Ok(found) if !found.is_file() => Self::new(""),
            _ => Self::new(document.parent().unwrap_or(Path::new(""))),
        }
    }

    /// Allows files in further folders. Paths that are not absolute still start in the first one.
    #[must_use]
    pub fn allow(mut self, folders: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        self.allowed.extend(folders.into_iter().map(Into::into));
        self
    }

    /// Whether a path, as written in a document, leads to a place in these folders.
    pub fn contains(&self, path: &str) -> bool {
        self.resolve(&self.path.join(path)).is_some()
    }

    /// The resolved path of a file; `None` if it is outside. A missing file is judged by the last of
    /// its folders that exists.
    fn resolve(&self, tried: &Path) -> Option<io::Result<PathBuf>> {
        let whole = resolved(tried);
        let existing = match &whole {
            Ok(real) => real.clone(),
            Err(_) => tried.ancestors().find_map(|existing| resolved(existing).ok())?,
        };
        let mut folders = self.allowed.iter().chain([&self.path]);
        let inside =
            folders.any(|folder| resolved(folder).is_ok_and(|folder| existing.starts_with(folder)));
        inside.then_some(whole)
    }
}

/// Absolute path without `..` and symbolic links. An empty path is the current folder.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(if path.as_os_str().is_empty() { Path::new(".") } else { path })
}

impl Files for Folder {
    fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, FileError> {
        let tried = self.path.join(path);
        let unread = |why: String| FileError::unreadable(tried.display().to_string(), why);
        let cannot = |error: io::Error| {
            unread(match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                    "there is no such file".to_owned()
                }
                io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
                _ => error.to_string(),
            })
        };
        let Some(real) = self.resolve(&tried) else {
            return Err(FileError::outside(tried.display().to_string()));
        };
        let real = real.map_err(cannot)?;
        let found = fs::symlink_metadata(&real).map_err(cannot)?;
        if let Some(kind) = special(&found) {
            return Err(unread(format!("it is {kind}, not a file")));
        }
        if found.len() > most {
            return Err(unread(FileError::too_large(found.len(), most)));
        }
        let file = File::open(&real).map_err(cannot)?;
        if !is_same(&found, &file.metadata().map_err(cannot)?) {
            return Err(unread("it was exchanged while it was opened".to_owned()));
        }
        let mut bytes = Vec::new();
        // The file may grow while it is read.
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(cannot)?;
        if bytes.len() as u64 > most {
            return Err(unread(FileError::too_large(bytes.len() as u64, most)));
        }
        Ok(bytes)
    }
}

/// Kind of an entry that is not a regular file: `a named pipe`.
#[cfg(unix)]
fn special(found: &Metadata) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;

    let kind = found.file_type();
    Some(match () {
        () if kind.is_file() => return None,
        () if kind.is_dir() => "a folder",
        () if kind.is_fifo() => "a named pipe",
        () if kind.is_socket() => "a socket",
        () if kind.is_symlink() => "a symbolic link",
        () => "a device",
    })
}

/// Kind of an entry that is not a regular file: `a folder`.
#[cfg(not(unix))]
fn special(found: &Metadata) -> Option<&'static str> {
    match found.file_type() {
        kind if kind.is_file() => None,
        kind if kind.is_dir() => Some("a folder"),
        _ => Some("a pipe or a device"),
    }
}

/// Whether both describe the same regular file.
pub(crate) fn is_same(found: &Metadata, opened: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;

        if (found.dev(), found.ino()) != (opened.dev(), opened.ino()) {
            return false;
        }
    }
    found.is_file() && opened.is_file()
}

/// Whether a path is one of those by which the system shows a process its open files.
fn is_of_shell(path: &Path) -> bool {
    let mut parts = path.components().skip(1).map(|part| part.as_os_str().to_string_lossy());
    let parts: [String; 3] = std::array::from_fn(|_| parts.next().unwrap_or_default().into_owned());
    let parts = parts.each_ref().map(String::as_str);
    matches!(parts, ["dev", "fd" | "stdin", _] | ["proc", _, "fd"])
}

/// Whether a path is a named pipe, which cannot be opened before another program writes to it. The
/// pipes of a shell, as in `lariat check <(…)`, have no name.
pub fn is_named_pipe(path: &Path) -> bool {
    let is_pipe = fs::metadata(path).is_ok_and(|found| special(&found) == Some("a named pipe"));
    is_pipe && resolved(path).is_ok_and(|real| !is_of_shell(&real))
}

#[cfg(test)]
mod tests {
    use lariat_eval::FileErrorKind;

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
        assert_eq!(why("", 9), "it is a folder, not a file");
        assert!(why("belly.obj", 6).starts_with("it has 7 bytes, more than the limit of 6"));
        let tried = files.read("gone.obj", 9).unwrap_err().tried;
        assert_eq!(Path::new(&tried), folder.path().join("gone.obj"));
    }
    #[test]
    fn files_outside_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        for inner in ["shots", "library"] {
            fs::create_dir(folder.path().join(inner)).unwrap();
            fs::write(folder.path().join(inner).join("belly.obj"), b"v 0 0 0").unwrap();
        }
        let files = Folder::of(&folder.path().join("shots/shot.lariat"));
        let allowing = files.clone().allow([folder.path().join("library")]);
        let library = folder.path().join("library/belly.obj");
        for path in ["../library/belly.obj", library.to_str().unwrap()] {
            assert_eq!(files.read(path, 9).unwrap_err().kind, FileErrorKind::Outside, "{path}");
            assert_eq!(allowing.read(path, 9).unwrap(), b"v 0 0 0", "{path}");
        }
        for path in ["../gone/belly.obj", "/gone.obj"] {
            assert_eq!(allowing.read(path, 9).unwrap_err().kind, FileErrorKind::Outside, "{path}");
        }
        let gone = allowing.read("../library/gone.obj", 9).unwrap_err();
        assert_eq!(gone.why, "there is no such file");
    }
}
