//! Files that a document refers to, in the folder of the document and in folders that the user
//! allows.
//!
//! Documents come from strangers, and a file that one refers to ends up in the result. Paths are
//! therefore resolved first, with `..` and symbolic links, and only regular files inside an allowed
//! folder are opened: a pipe would be waited for, and a device may never end. The opened file is
//! compared with the one that was resolved, in case it was exchanged between the two.
//!
//! Tests: `files_come_from_the_folder`, `unreadable_files_are_reported`,
//! `files_outside_are_not_read`, `a_link_is_judged_by_the_place_it_leads_to`; `crates/lariat-cli/tests/command/assets.rs`.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read},
    path::{Path, PathBuf},
};

use lariat_eval::{FileError, Files};
use lariat_export::special::SpecialFile;

pub use lariat_export::special::is_named_pipe;

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

    /// Whether a path leads to a place in these folders, by symbolic links too.
    pub(crate) fn allows(&self, path: &Path) -> bool {
        self.resolve(path).is_some()
    }

    /// The place that a path in this folder leads to by symbolic links, if there are any.
    fn leads_to(&self, tried: &Path) -> Option<PathBuf> {
        let below = tried.ancestors().take_while(|part| *part != self.path);
        let mut links = below.filter(|part| part.is_symlink());
        links.next()?;
        resolved(tried).ok().or_else(|| {
            let target = followed(tried);
            let folder = last_existing(&target)?;
            let existing = target.ancestors().find(|part| resolved(part).is_ok())?;
            Some(folder.join(target.strip_prefix(existing).ok()?))
        })
    }

    /// The resolved path of a file; `None` if it is outside. A missing file is judged by the last of
    /// its folders that exists.
    fn resolve(&self, tried: &Path) -> Option<io::Result<PathBuf>> {
        let whole = resolved(tried);
        let existing = match &whole {
            Ok(real) => real.clone(),
            Err(_) => last_existing(tried)?,
        };
        let mut folders = self.allowed.iter().chain([&self.path]);
        let inside =
            folders.any(|folder| resolved(folder).is_ok_and(|folder| existing.starts_with(folder)));
        inside.then_some(whole)
    }
}

/// Links in a row that are followed. More are a circle for the system, too.
const MOST_LINKS: usize = 40;

/// The resolved path of a file or, if it is missing, of the last of its folders that exists. A link to
/// a missing file is followed.
fn last_existing(tried: &Path) -> Option<PathBuf> {
    followed(tried).ancestors().find_map(|existing| resolved(existing).ok())
}

/// The path that a chain of links leads to, existing or not.
fn followed(link: &Path) -> PathBuf {
    let mut path = link.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
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
            let leads_to = self.leads_to(&tried).map(|target| target.display().to_string());
            let tried = tried.display().to_string();
            return Err(FileError { leads_to, ..FileError::outside(tried) });
        };
        let real = real.map_err(cannot)?;
        let found = fs::symlink_metadata(&real).map_err(cannot)?;
        if let Some(kind) = SpecialFile::of(&found) {
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

/// Whether a path leads to a regular file.
pub fn is_regular(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file())
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

    #[cfg(unix)]
    #[test]
    fn a_link_is_judged_by_the_place_it_leads_to() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let (shots, library) = (folder.path().join("shots"), folder.path().join("library"));
        fs::create_dir(&shots).unwrap();
        fs::create_dir(&library).unwrap();
        fs::write(library.join("belly.obj"), b"v 0 0 0").unwrap();
        let files = Folder::new(&shots);
        symlink("../library/belly.obj", shots.join("there.obj")).unwrap();
        symlink(library.join("missing.obj"), shots.join("missing.obj")).unwrap();
        symlink("missing.obj", shots.join("twice.obj")).unwrap();
        symlink("nothing.obj", shots.join("inside.obj")).unwrap();
        symlink("circle.obj", shots.join("circle.obj")).unwrap();
        for path in ["there.obj", "missing.obj", "twice.obj"] {
            assert_eq!(files.read(path, 9).unwrap_err().kind, FileErrorKind::Outside, "{path}");
            assert!(!files.allows(&shots.join(path)), "{path}");
        }
        for path in ["inside.obj", "circle.obj"] {
            assert_eq!(files.read(path, 9).unwrap_err().kind, FileErrorKind::Unreadable, "{path}");
        }
        let error = files.read("there.obj", 9).unwrap_err();
        let target = fs::canonicalize(library.join("belly.obj")).unwrap();
        assert_eq!(error.leads_to.as_deref().map(Path::new), Some(&*target));
        for path in ["missing.obj", "twice.obj"] {
            let error = files.read(path, 9).unwrap_err();
            let target = fs::canonicalize(&library).unwrap().join("missing.obj");
            assert_eq!(error.leads_to.as_deref().map(Path::new), Some(&*target), "{path}");
        }
        assert_eq!(files.read("../library/belly.obj", 9).unwrap_err().leads_to, None);
    }
}
