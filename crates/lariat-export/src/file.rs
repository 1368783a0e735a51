//! Atomic writing: a file is written under a temporary name and renamed when it is complete.
//!
//! A crash, a full disk or a cancellation never leaves a partial file at the path and never damages
//! the existing one. Devices and the pipes of a shell, which cannot be replaced by renaming, are written
//! directly. Named pipes and disks are refused.
//! A killed program leaves its temporary file; [`temporary`] recognises
//! and removes it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::special::{SpecialFile, is_named_pipe};
use crate::{ExportError, temporary};

/// Size of the write buffer in bytes.
const BUFFER: usize = 1 << 18;

/// Behaviour if the file exists already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IfExists {
    /// Keep it and return an error.
    #[default]
    Fail,
    /// Replace it.
    Replace,
}

/// Buffered writer of the temporary file.
pub type FileWriter<'f> = BufWriter<&'f File>;

/// Checks whether a file can be written at `path`, before the work for it is done.
pub fn check(path: &Path, if_exists: IfExists) -> Result<(), ExportError> {
    Target::find(path, if_exists).map(drop)
}

/// Calls `write` with a temporary file and moves it to `path` on success; else nothing changes.
pub fn save<T>(
    path: &Path,
    if_exists: IfExists,
    write: impl FnOnce(&mut dyn Write) -> Result<T, ExportError>,
) -> Result<T, ExportError> {
    save_seekable(path, if_exists, |out| {
        write(out).map_err(|error| match error {
            ExportError::Write(error) => named(path, error),
            other => other,
        })
    })
}

/// As [`save`], for writers that seek, such as movies, and have their own error type.
pub fn save_seekable<T, E: From<ExportError>>(
    path: &Path,
    if_exists: IfExists,
    write: impl FnOnce(&mut FileWriter<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let place = Target::find(path, if_exists)?;
    let Target::File { path, permissions } = place else {
        let file = OpenOptions::new().write(true).open(path).map_err(|e| cannot(path, &e))?;
        return fill(&file, path, write);
    };
    let draft = Draft::create(&path)?;
    let value = fill(&draft.file, &path, write)?;
    // The bytes must reach the disk before the name: after a power cut it would refer to a
    // partial file.
    draft.file.sync_all().map_err(|e| cannot(&path, &e))?;
    if let Some(permissions) = permissions {
        fs::set_permissions(&draft.path, permissions).map_err(|e| cannot(&path, &e))?;
    }
    draft.publish(&path, if_exists)?;
    Ok(value)
}

/// Writes through a buffer and flushes it.
fn fill<T, E: From<ExportError>>(
    file: &File,
    path: &Path,
    write: impl FnOnce(&mut FileWriter<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let mut out = BufWriter::with_capacity(BUFFER, file);
    let value = write(&mut out)?;
    out.flush().map_err(|error| named(path, error))?;
    Ok(value)
}

/// Adds the file name to an I/O error, except for a broken pipe.
fn named(path: &Path, error: io::Error) -> ExportError {
    if error.kind() == io::ErrorKind::BrokenPipe { error.into() } else { cannot(path, &error) }
}

/// Destination of the bytes.
enum Target {
    /// A regular file, existing or not.
    File { path: PathBuf, permissions: Option<fs::Permissions> },
    /// A terminal, a pipe or a device.
    Device,
}

impl Target {
    fn find(path: &Path, if_exists: IfExists) -> Result<Self, ExportError> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(place(path, "it is a folder")),
            Ok(_) if is_named_pipe(path) => {
                Err(place(path, "it is a named pipe, which may never be read"))
            }
            Ok(found) if SpecialFile::of(&found) == Some(SpecialFile::Disk) => {
                Err(place(path, "it is a disk"))
            }
            Ok(found) if !found.is_file() => Ok(Self::Device),
            Ok(_) if if_exists == IfExists::Fail => {
                Err(ExportError::Exists { path: path.to_owned() })
            }
            Ok(found) => {
                // A symbolic link is kept; its target is replaced.
                let path = fs::canonicalize(path).map_err(|e| cannot(path, &e))?;
                Ok(Self::File { path, permissions: Some(found.permissions()) })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if let Ok(target) = fs::read_link(path) {
                    // A link to a missing file is kept; its target is created.
                    return Self::find(&folder(path).join(target), if_exists);
                }
                if path.file_name().is_none() {
                    return Err(place(path, "the path has no file name"));
                }
                if !folder(path).is_dir() {
                    let reason = format!("there is no folder `{}`", folder(path).display());
                    return Err(place(path, &reason));
                }
                Ok(Self::File { path: path.to_owned(), permissions: None })
            }
            Err(error) => Err(cannot(path, &error)),
        }
    }
}

/// The temporary file, locked until it is published; removed on drop unless published.
struct Draft {
    path: PathBuf,
    file: File,
    published: bool,
}

impl Draft {
    fn create(path: &Path) -> Result<Self, ExportError> {
        let created = temporary::create(folder(path)).map_err(|e| cannot(path, &e))?;
        Ok(Self { path: created.0, file: created.1, published: false })
    }

    fn publish(mut self, path: &Path, if_exists: IfExists) -> Result<(), ExportError> {
        if if_exists == IfExists::Fail {
            // A hard link fails where a rename would overwrite a file that appeared meanwhile.
            match fs::hard_link(&self.path, path) {
                Ok(()) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(ExportError::Exists { path: path.to_owned() });
                }
                // Not every file system has hard links.
                Err(_) if path.exists() => {
                    return Err(ExportError::Exists { path: path.to_owned() });
                }
                Err(_) => {}
            }
        }
        fs::rename(&self.path, path).map_err(|e| cannot(path, &e))?;
        self.published = true;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.published {
            // A failure to remove the temporary file is ignored: the original error matters more.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The folder in which [`save`] creates its temporary file: that of the path, or of the file that a
/// symbolic link there refers to.
pub fn folder_of(path: &Path) -> PathBuf {
    let real = fs::canonicalize(path).ok();
    folder(real.as_deref().unwrap_or(path)).to_owned()
}

/// Directory of a file; `.` for a bare name.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn cannot(path: &Path, error: &io::Error) -> ExportError {
    place(path, &error.to_string())
}

fn place(path: &Path, reason: &str) -> ExportError {
    ExportError::Place { path: path.to_owned(), reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn put(text: &str) -> impl FnOnce(&mut dyn Write) -> Result<usize, ExportError> {
        |out| {
            out.write_all(text.as_bytes())?;
            Ok(text.len())
        }
    }

    #[test]
    fn a_file_appears_complete_and_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rope.usda");
        let seen_meanwhile = save(&path, IfExists::Fail, |out| {
            out.write_all(b"half")?;
            out.flush()?;
            let seen = path.exists();
            out.write_all(b" and half")?;
            Ok(seen)
        });
        assert!(!seen_meanwhile.unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "half and half");
        assert_eq!(names(folder.path()), ["rope.usda"]);
    }

    #[test]
    fn an_existing_file_is_replaced_only_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rope.csv");
        fs::write(&path, "old").unwrap();
        let error = save(&path, IfExists::Fail, put("new")).unwrap_err();
        assert!(matches!(error, ExportError::Exists { .. }));
        assert!(error.to_string().contains("rope.csv` already exists"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(save(&path, IfExists::Replace, put("newer")).unwrap(), 5);
        assert_eq!(fs::read_to_string(&path).unwrap(), "newer");
        assert_eq!(names(folder.path()), ["rope.csv"]);
    }

    #[test]
    fn a_file_that_appears_meanwhile_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rope.csv");
        let error = save(&path, IfExists::Fail, |_| {
            fs::write(&path, "from another program")?;
            Ok(())
        });
        assert!(matches!(error, Err(ExportError::Exists { .. })));
        assert_eq!(fs::read_to_string(&path).unwrap(), "from another program");
        assert_eq!(names(folder.path()), ["rope.csv"]);
    }

    #[test]
    fn an_error_leaves_no_files_and_changes_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rope.json");
        fs::write(&path, "old").unwrap();
        let error: Result<(), _> = save(&path, IfExists::Replace, |out| {
            out.write_all(b"half")?;
            Err(ExportError::Cancelled)
        });
        assert!(matches!(error, Err(ExportError::Cancelled)));
        let panicked = std::panic::catch_unwind(|| {
            save(&path, IfExists::Replace, |_| -> Result<(), _> { panic!("on purpose") })
        });
        assert!(panicked.is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["rope.json"]);
    }

    #[test]
    fn an_invalid_path_is_reported_before_any_work() {
        let folder = tempfile::tempdir().unwrap();
        let never = |_: &mut dyn Write| -> Result<(), ExportError> { panic!("should not start") };
        let missing = folder.path().join("nowhere").join("rope.usda");
        let error = save(&missing, IfExists::Fail, never).unwrap_err().to_string();
        assert!(error.contains("rope.usda`: there is no folder"), "{error}");
        let error = save(folder.path(), IfExists::Replace, never).unwrap_err().to_string();
        assert!(error.ends_with(": it is a folder"), "{error}");
        assert!(save(Path::new(""), IfExists::Fail, never).is_err());
    }

    #[test]
    fn an_io_error_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rope.usda");
        let error = save(&path, IfExists::Fail, |_| -> Result<(), _> {
            Err(io::Error::other("disk full").into())
        });
        let error = error.unwrap_err().to_string();
        assert!(error.ends_with("rope.usda`: disk full"), "{error}");
    }

    #[test]
    fn a_file_keeps_its_temporary_while_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rope.csv");
        save(&path, IfExists::Fail, |out| {
            out.write_all(b"ours")?;
            let found = temporary::remove(folder.path()).unwrap();
            assert_eq!((found.abandoned.len(), found.in_use), (0, 1));
            Ok(())
        })
        .unwrap();
        assert_eq!(names(folder.path()), ["rope.csv"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "ours");
    }

    #[test]
    fn the_longest_name_of_a_file_system_can_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let name = format!("{}.csv", "x".repeat(251));
        for _ in 0..2 {
            save(&folder.path().join(&name), IfExists::Replace, put("long")).unwrap();
        }
        assert_eq!(names(folder.path()), [name]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_kept_and_a_special_file_is_never_replaced() {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt};

        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        save(&link, IfExists::Replace, put("new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);

        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        // A socket cannot be opened as a file; it must still be a socket.
        assert!(save(&socket, IfExists::Replace, put("new")).is_err());
        assert!(fs::metadata(&socket).unwrap().file_type().is_socket());

        // A link to a missing file is kept, too; a circle of links is an error.
        let (missing, dangling) = (folder.path().join("missing"), folder.path().join("dangling"));
        std::os::unix::fs::symlink("missing", &dangling).unwrap();
        save(&dangling, IfExists::Fail, put("new")).unwrap();
        assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&missing).unwrap(), "new");
        let circle = folder.path().join("circle");
        std::os::unix::fs::symlink("circle", &circle).unwrap();
        assert!(save(&circle, IfExists::Replace, put("new")).is_err());

        // A named pipe is not waited for; a device is written to.
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for if_exists in [IfExists::Fail, IfExists::Replace] {
            let error = save(&pipe, if_exists, put("new")).unwrap_err().to_string();
            assert!(error.ends_with("it is a named pipe, which may never be read"), "{error}");
            assert!(check(&pipe, if_exists).is_err());
        }
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        save(Path::new("/dev/null"), IfExists::Fail, put("new")).unwrap();
    }
}
