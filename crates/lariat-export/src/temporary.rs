//! Temporary files: their names, and those that killed programs have left behind.
//!
//! An output is written to a temporary file in its own folder and renamed when it is complete
//! ([`file`](crate::file)). A program that is killed leaves the temporary file, and [`remove`] removes
//! it. Two properties tell an abandoned file from all others:
//!
//! * **Name**: `.lariat-`, eight hexadecimal digits, eight digits that are their checksum, `.tmp`. A
//!   user's own file has such a name by chance once in four thousand million, if it begins and ends
//!   like one and has 16 digits between. The name of the output is not part of it, so the output may
//!   have the longest name that the file system allows.
//! * **Lock**: a writer holds an exclusive lock on its file until it is renamed or removed. The system
//!   releases the lock when the program ends, however it ends. A file whose lock is free is abandoned.
//!
//! Between its creation and its lock, a file looks abandoned. A writer therefore checks after locking
//! that its file still has its name, and otherwise creates another. On a file system without locks,
//! nothing is known about a file, and it is kept.
//!
//! Tests: `names_are_recognised`, `an_abandoned_file_is_removed_and_counted`,
//! `a_file_that_is_being_written_is_kept`, `similar_names_are_kept`,
//! `a_writer_notices_that_its_file_was_removed`,
//! `files_open_for_writing_are_discarded`.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use lariat_core::num::fnv::Fnv64;

/// Beginning and end of the name of a temporary file.
const START: &str = ".lariat-";
const END: &str = ".tmp";

/// Name of the temporary file with a number.
fn name(number: u32) -> String {
    let mut hash = Fnv64::new();
    hash.bytes(START.bytes().chain(number.to_le_bytes()).chain(END.bytes()));
    let hash = hash.finish();
    // Both halves depend on every bit of the number.
    let check = (hash ^ (hash >> 32)) as u32;
    format!("{START}{number:08x}{check:08x}{END}")
}

/// Whether a file name is that of a temporary file.
pub fn is_temporary(file_name: &str) -> bool {
    let digits = file_name.strip_prefix(START).and_then(|rest| rest.strip_suffix(END));
    let number = digits.filter(|digits| digits.len() == 16).and_then(|digits| digits.get(..8));
    let number = number.and_then(|number| u32::from_str_radix(number, 16).ok());
    number.is_some_and(|number| name(number) == file_name)
}

/// Creates a temporary file in a folder, and locks it if the file system has locks.
pub(crate) fn create(folder: &Path) -> io::Result<(PathBuf, File)> {
    create_with(folder, |_| ())
}

/// [`create`] with a step between creating and locking, for tests.
fn create_with(folder: &Path, mut created: impl FnMut(&Path)) -> io::Result<(PathBuf, File)> {
    loop {
        // The standard library's hasher has random keys.
        let number = RandomState::new().build_hasher().finish() as u32;
        let path = folder.join(name(number));
        let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        };
        created(&path);
        match file.try_lock() {
            // Another program looks at it and may remove it.
            Err(TryLockError::WouldBlock) => {
                let _ = fs::remove_file(&path);
            }
            Ok(()) if !path.try_exists()? => {}
            Ok(()) | Err(TryLockError::Error(_)) => return Ok((path, file)),
        }
    }
}

/// An abandoned temporary file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abandoned {
    /// Path of the file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
}

/// Temporary files of a folder.
#[derive(Debug, Default)]
pub struct Temporaries {
    /// Files that killed programs have left, sorted by path.
    pub abandoned: Vec<Abandoned>,
    /// Number of files that running programs are writing.
    pub in_use: u64,
    /// Files that are kept because they cannot be locked, opened or removed, with the reason.
    pub kept: Vec<(PathBuf, io::Error)>,
}

impl Temporaries {
    /// Size of all abandoned files in bytes.
    pub fn bytes(&self) -> u64 {
        self.abandoned.iter().map(|file| file.bytes).sum()
    }
}

/// Lists the temporary files of a folder.
pub fn list(folder: &Path) -> io::Result<Temporaries> {
    search(folder, |_| Ok(()))
}

/// Removes the abandoned temporary files of a folder, and returns them.
pub fn remove(folder: &Path) -> io::Result<Temporaries> {
    search(folder, |path| fs::remove_file(path))
}

/// Calls `act` with every abandoned file while no writer can lock it.
fn search(folder: &Path, act: impl Fn(&Path) -> io::Result<()>) -> io::Result<Temporaries> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(is_temporary) && entry.file_type()?.is_file() {
            paths.push(entry.path());
        }
    }
    paths.sort();
    let mut found = Temporaries::default();
    for path in paths {
        match abandoned(&path, &act) {
            Ok(Some(bytes)) => found.abandoned.push(Abandoned { path, bytes }),
            Ok(None) => found.in_use += 1,
            // Its writer has finished, or another program has removed it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => found.kept.push((path, error)),
        }
    }
    Ok(found)
}

/// Acts on a file if it is abandoned, and returns its size; `None` if it is being written.
fn abandoned(path: &Path, act: impl Fn(&Path) -> io::Result<()>) -> io::Result<Option<u64>> {
    // For a shared lock, reading is enough everywhere.
    let file = File::open(path)?;
    match file.try_lock_shared() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let bytes = file.metadata()?.len();
    act(path)?;
    Ok(Some(bytes))
}

/// Removes the temporary files that this process is writing, for a program that is about to end
/// without running destructors. Works where the system lists open files (`/proc`, on Linux);
/// elsewhere they are abandoned.
pub fn discard_open() {
    let Ok(entries) = fs::read_dir("/proc/self/fd") else { return };
    for entry in entries.flatten() {
        let is_written = || {
            let info = Path::new("/proc/self/fdinfo").join(entry.file_name());
            let info = fs::read_to_string(info).ok()?;
            let flags = info.lines().find_map(|line| line.strip_prefix("flags:"))?;
            // The last two bits are 0 for a file that is only read, as `abandoned` does.
            Some(u64::from_str_radix(flags.trim(), 8).ok()? & 3 != 0)
        };
        let Ok(path) = fs::read_link(entry.path()) else { continue };
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_some_and(is_temporary) && is_written() == Some(true) {
            // The program ends anyway; a file that stays is abandoned.
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn names_are_recognised() {
        for number in [0, 1, 0xdead_beef, u32::MAX] {
            assert!(is_temporary(&name(number)));
            assert_eq!(name(number).len(), 28);
        }
        assert_ne!(name(1)[16..], name(2)[16..]);
    }

    #[test]
    fn similar_names_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let right = name(7);
        let mut wrong = right.clone();
        // One digit of the checksum differs.
        let last = if right.as_bytes()[23] == b'0' { "1" } else { "0" };
        wrong.replace_range(23..24, last);
        for similar in [
            &wrong,
            &right.to_uppercase(),
            &right[1..],
            &format!("{right}.old"),
            ".lariat-0123456789abcdef.tmp",
            ".lariat-.tmp",
            ".lariat-notes.tmp",
            ".rope.usda.0.tmp",
        ] {
            fs::write(folder.path().join(similar), "mine").unwrap();
            assert!(!is_temporary(similar), "{similar}");
        }
        // A folder of this name is none either.
        fs::create_dir(folder.path().join(&right)).unwrap();
        let before = names(folder.path());
        let found = remove(folder.path()).unwrap();
        assert!(found.abandoned.is_empty() && found.kept.is_empty(), "{found:?}");
        assert_eq!(names(folder.path()), before);
    }

    #[test]
    fn an_abandoned_file_is_removed_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("rope.usda"), "mine").unwrap();
        for (number, size) in [(1, 10), (2, 300)] {
            fs::write(folder.path().join(name(number)), vec![0; size]).unwrap();
        }
        let listed = list(folder.path()).unwrap();
        assert_eq!((listed.abandoned.len(), listed.bytes()), (2, 310));
        assert_eq!(names(folder.path()).len(), 3);
        let removed = remove(folder.path()).unwrap();
        assert_eq!(removed.abandoned, listed.abandoned);
        assert_eq!(names(folder.path()), ["rope.usda"]);
        assert!(remove(folder.path()).unwrap().abandoned.is_empty());
        assert!(remove(&folder.path().join("nowhere")).is_err());
    }

    #[test]
    fn a_file_that_is_being_written_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (path, file) = create(folder.path()).unwrap();
        let found = remove(folder.path()).unwrap();
        assert_eq!((found.abandoned.len(), found.in_use), (0, 1));
        assert!(path.exists());
        // Its writer has ended without removing it.
        drop(file);
        let found = remove(folder.path()).unwrap();
        assert_eq!((found.abandoned.len(), found.in_use), (1, 0));
        assert!(!path.exists());
    }

    #[test]
    fn a_writer_notices_that_its_file_was_removed() {
        let folder = tempfile::tempdir().unwrap();
        let mut lost = Vec::new();
        let (path, _file) = create_with(folder.path(), |path| {
            // Another program sees the file before it is locked.
            if lost.is_empty() {
                assert_eq!(remove(folder.path()).unwrap().abandoned.len(), 1);
                lost.push(path.to_owned());
            }
        })
        .unwrap();
        assert!(path.exists() && path != lost[0]);
        // The other program holds its lock at that moment.
        let mut held = None;
        let (path, _file) = create_with(folder.path(), |path| {
            if held.is_none() {
                let file = File::open(path).unwrap();
                file.lock_shared().unwrap();
                held = Some((path.to_owned(), file));
            }
        })
        .unwrap();
        assert!(held.is_some_and(|(other, _)| other != path && !other.exists()));
    }
}
