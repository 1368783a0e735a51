//! Journals of open documents in files.
//!
//! A journal lies beside its document under a hidden name, or in a folder of the program. It is
//! created and replaced through a temporary file and a rename, so a crash at any moment leaves
//! the old or the new content. A lock keeps two programs from using one journal.
//!
//! ```no_run
//! use std::path::Path;
//! use lariat::editor::{Editor, Options, journal::replay};
//! use lariat::journal::{JournalFile, journal_beside};
//!
//! let document = Path::new("yard.lariat");
//! let place = journal_beside(document);
//! let mut editor = if place.exists() {
//!     // The program crashed: recover the document, and continue its journal.
//!     let (file, bytes) = JournalFile::open(&place)?;
//!     let mut editor = replay(&bytes, Options::default())?.editor;
//!     editor.attach_journal(Box::new(file), "yard.lariat")?;
//!     editor
//! } else {
//!     let text = std::fs::read_to_string(document)?;
//!     let mut editor = Editor::open(&text, Options::default()).expect("a document");
//!     editor.attach_journal(Box::new(JournalFile::new(&place)), "yard.lariat")?;
//!     editor
//! };
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Tests: `a_journal_file_grows_and_is_replaced`, `another_journal_is_never_overwritten`,
//! `a_journal_in_use_cannot_be_opened`, `a_removed_folder_is_an_error`, `journals_are_private`,
//! `documents_of_one_name_have_different_journals`, `a_killed_program_leaves_a_journal_that_replays`.

use std::{
    ffi::OsString,
    fs::{self, File, TryLockError},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use lariat_core::num::fnv::Fnv64;
use lariat_editor::journal::JournalStore;

/// Ending of the names of journals.
pub const JOURNAL_ENDING: &str = "lariat-journal";

/// Path of the journal beside a document: `.yard.lariat-journal` for `yard.lariat`.
pub fn journal_beside(document: &Path) -> PathBuf {
    let stem = document.file_stem().unwrap_or(document.as_os_str());
    document.with_file_name(named(&[".".as_ref(), stem]))
}

/// Path of the journal of a document in a folder of the program. Documents of one name in different
/// folders have different journals. The path of the document should be absolute.
pub fn journal_in(folder: &Path, document: &Path) -> PathBuf {
    let stem = document.file_stem().unwrap_or("untitled".as_ref());
    let mut hash = Fnv64::new();
    hash.bytes(document.as_os_str().as_encoded_bytes().iter().copied());
    folder.join(named(&[stem, format!("-{:016x}", hash.finish()).as_ref()]))
}

fn named(parts: &[&std::ffi::OsStr]) -> OsString {
    let mut name: OsString = parts.iter().copied().collect();
    name.push(".");
    name.push(JOURNAL_ENDING);
    name
}

/// Journals in a folder of the program, sorted by name; each may be that of a crashed or of a running
/// program.
pub fn journals_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == JOURNAL_ENDING) {
            found.push(path);
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// A journal in a file.
#[derive(Debug)]
pub struct JournalFile {
    path: PathBuf,
    /// The open and locked file; `None` until it is created.
    file: Option<File>,
}

impl JournalFile {
    /// A journal that is created by its first use. It fails then if the file exists.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), file: None }
    }

    /// Opens an existing journal to recover and continue it; returns its content, too. Fails with
    /// [`io::ErrorKind::ResourceBusy`] while another program uses it.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<(Self, Vec<u8>)> {
        let path = path.into();
        let mut file = File::options().read(true).append(true).open(&path)?;
        lock(&file, &path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        // Another program may have replaced the file before it was locked.
        if !is_same(&file, &path)? {
            return Err(busy(&path));
        }
        Ok((Self { path, file: Some(file) }, bytes))
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file, when the document is closed or its journal is discarded.
    pub fn remove(self) -> io::Result<()> {
        match self.file {
            Some(_) => fs::remove_file(&self.path),
            None => Ok(()),
        }
    }
}

impl JournalStore for JournalFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return Err(io::Error::new(io::ErrorKind::NotFound, "the journal is not created yet"));
        };
        file.seek(SeekFrom::End(0))?;
        file.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_ref().map_or(Ok(()), File::sync_data)
    }

    fn replace(&mut self, bytes: &[u8]) -> io::Result<()> {
        let folder = match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        // Only its owner may read it, as temporary files are.
        let mut temporary =
            tempfile::Builder::new().prefix(".lariat-journal-").tempfile_in(folder)?;
        temporary.write_all(bytes)?;
        temporary.as_file().sync_all()?;
        lock(temporary.as_file(), &self.path)?;
        // Its own file is replaced; any other that took its place is not.
        let is_own = match &self.file {
            Some(own) => is_same(own, &self.path).unwrap_or(false),
            None => false,
        };
        let file = match is_own {
            true => temporary.persist(&self.path),
            false => temporary.persist_noclobber(&self.path),
        };
        self.file = Some(file.map_err(|error| error.error)?);
        Ok(())
    }
}

fn lock(file: &File, path: &Path) -> io::Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(busy(path)),
        // File systems without locks: the journal is still never overwritten by a new one.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn busy(path: &Path) -> io::Error {
    let message = format!("another program is using the journal `{}`", path.display());
    io::Error::new(io::ErrorKind::ResourceBusy, message)
}

/// Returns true if a path still leads to an open file.
#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (open, there) = (file.metadata()?, fs::metadata(path)?);
    Ok((open.dev(), open.ino()) == (there.dev(), there.ino()))
}

/// Open files cannot be replaced elsewhere.
#[cfg(not(unix))]
fn is_same(_: &File, path: &Path) -> io::Result<bool> {
    fs::metadata(path).map(|_| true)
}

#[cfg(test)]
mod tests {
    use lariat_editor::{Editor, Options, journal::replay};
    use lariat_scene::Edit;

    use super::*;

    const TEXT: &str = "lariat = 2\n[[body]]\nname = 'a'\nlength = 1\n";

    fn length(metres: f64) -> Edit {
        Edit::Set { path: "body.a.length".parse().unwrap(), value: metres.into() }
    }

    fn editor(path: &Path) -> io::Result<Editor> {
        let mut editor = Editor::open(TEXT, Options::default()).unwrap();
        editor.attach_journal(Box::new(JournalFile::new(path)), "a.lariat")?;
        Ok(editor)
    }

    #[test]
    fn a_journal_file_grows_and_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = journal_beside(&folder.path().join("a.lariat"));
        assert_eq!(path.file_name().unwrap(), ".a.lariat-journal");
        let mut editor = editor(&path).unwrap();
        let start = fs::metadata(&path).unwrap().len();
        editor.apply("Set", &length(2.0)).unwrap();
        let grown = fs::metadata(&path).unwrap().len();
        assert!(grown > start);
        let saved = editor.save_state();
        editor.mark_saved(saved);
        editor.apply("Set", &length(3.0)).unwrap();
        editor.flush_journal().unwrap();
        assert_eq!(editor.journal_error(), None);
        drop(editor);
        let (mut file, bytes) = JournalFile::open(&path).unwrap();
        let mut again = replay(&bytes, Options::default()).unwrap().editor;
        assert_eq!(again.text(), TEXT.replace("= 1", "= 3"));
        assert!(again.is_modified());
        // The recovered document continues its journal.
        file.flush().unwrap();
        again.attach_journal(Box::new(file), "a.lariat").unwrap();
        again.apply("Set", &length(4.0)).unwrap();
        let again = replay(&fs::read(&path).unwrap(), Options::default()).unwrap();
        assert_eq!((again.damage, again.editor.history().done().len()), (None, 3));
        let others: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(others.len(), 1, "no temporary files are left");
    }

    #[test]
    fn another_journal_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.lariat-journal");
        fs::write(&path, "precious").unwrap();
        assert_eq!(editor(&path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"precious");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // Nor if it came later.
        let path = folder.path().join("y.lariat-journal");
        let mut editor = editor(&path).unwrap();
        fs::remove_file(&path).unwrap();
        fs::write(&path, "precious").unwrap();
        let error = editor.compact_journal().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"precious");
    }

    #[test]
    fn a_journal_in_use_cannot_be_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.lariat-journal");
        let mut editor = editor(&path).unwrap();
        assert_eq!(JournalFile::open(&path).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        editor.compact_journal().unwrap();
        assert_eq!(JournalFile::open(&path).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        drop(editor);
        let (file, _) = JournalFile::open(&path).unwrap();
        file.remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn a_removed_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let mut editor = editor(&inner.join("x.lariat-journal")).unwrap();
        fs::remove_dir_all(&inner).unwrap();
        assert!(editor.compact_journal().is_err());
        assert!(editor.journal_error().is_some());
        // Editing goes on, and the journal comes back with its folder.
        fs::create_dir(&inner).unwrap();
        editor.apply("Set", &length(2.0)).unwrap();
        assert_eq!(editor.journal_error(), None);
        let bytes = fs::read(inner.join("x.lariat-journal")).unwrap();
        assert_eq!(replay(&bytes, Options::default()).unwrap().entries, 1);
    }

    #[cfg(unix)]
    #[test]
    fn journals_are_private() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.lariat-journal");
        let _editor = editor(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn documents_of_one_name_have_different_journals() {
        let folder = Path::new("/state");
        let [one, two] =
            ["/a/yard.lariat", "/b/yard.lariat"].map(|d| journal_in(folder, d.as_ref()));
        assert_ne!(one, two);
        assert!(one.file_name().unwrap().to_str().unwrap().starts_with("yard-"));
        assert_eq!(one.parent(), Some(folder));
        let real = tempfile::tempdir().unwrap();
        let path = journal_in(real.path(), Path::new("/a/yard.lariat"));
        let _editor = editor(&path).unwrap();
        assert_eq!(journals_in(real.path()).unwrap(), [path]);
    }

    #[test]
    fn a_killed_program_leaves_a_journal_that_replays() {
        // The content of the file after each event is what a killed program leaves.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.lariat-journal");
        let mut editor = editor(&path).unwrap();
        for k in 0..20 {
            match k % 4 {
                3 => drop(editor.undo()),
                2 => {
                    let saved = editor.save_state();
                    editor.mark_saved(saved);
                }
                _ => drop(editor.apply("Set", &length(f64::from(k) + 0.5))),
            }
            let recovery = replay(&fs::read(&path).unwrap(), Options::default()).unwrap();
            assert_eq!(recovery.damage, None);
            assert_eq!(recovery.editor.text(), editor.text());
            assert_eq!(recovery.editor.history(), editor.history());
            assert_eq!(recovery.editor.is_modified(), editor.is_modified());
        }
    }
}
