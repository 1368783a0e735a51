//! Pipes, sockets and devices in place of files.
//!
//! A named pipe may come out of somebody's archive, and nothing may ever be at its other end. The pipes
//! of a shell, as in `lariat check <(…)`, have no name and are used.
//!
//! Tests: `kinds_of_special_files_are_told_apart`.

use std::fmt;
use std::fs::{self, Metadata};
use std::path::Path;

/// Kind of an entry that is not a regular file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialFile {
    /// A folder.
    Folder,
    /// A pipe, named or of a shell.
    Pipe,
    /// A socket.
    Socket,
    /// A symbolic link that was not followed.
    Link,
    /// A block device.
    Disk,
    /// Any other device.
    Device,
}

impl fmt::Display for SpecialFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Folder => "a folder",
            Self::Pipe => "a named pipe",
            Self::Socket => "a socket",
            Self::Link => "a symbolic link",
            Self::Disk => "a disk",
            Self::Device => "a device",
        })
    }
}

impl SpecialFile {
    /// Kind of an entry; `None` for a regular file.
    #[cfg(unix)]
    pub fn of(found: &Metadata) -> Option<Self> {
        use std::os::unix::fs::FileTypeExt;

        let kind = found.file_type();
        Some(match () {
            () if kind.is_file() => return None,
            () if kind.is_dir() => Self::Folder,
            () if kind.is_fifo() => Self::Pipe,
            () if kind.is_socket() => Self::Socket,
            () if kind.is_symlink() => Self::Link,
            () if kind.is_block_device() => Self::Disk,
            () => Self::Device,
        })
    }

    /// Kind of an entry; `None` for a regular file.
    #[cfg(not(unix))]
    pub fn of(found: &Metadata) -> Option<Self> {
        match found.file_type() {
            kind if kind.is_file() => None,
            kind if kind.is_dir() => Some(Self::Folder),
            _ => Some(Self::Device),
        }
    }
}

/// Whether a path is a named pipe, which cannot be opened before another program opens its other end.
/// The pipes of a shell have no name.
pub fn is_named_pipe(path: &Path) -> bool {
    let found = fs::metadata(path);
    let is_pipe = found.is_ok_and(|found| SpecialFile::of(&found) == Some(SpecialFile::Pipe));
    // `/dev/stdout` is open already, whatever it leads to.
    let is_open = |path: &Path| is_of_shell(path) || path == Path::new("/dev/stdout");
    is_pipe && !is_open(path) && fs::canonicalize(path).is_ok_and(|real| !is_of_shell(&real))
}

/// Whether a path is one of those by which the system shows a process its open files.
fn is_of_shell(path: &Path) -> bool {
    let mut parts = path.components().skip(1).map(|part| part.as_os_str().to_string_lossy());
    let parts: [String; 3] = std::array::from_fn(|_| parts.next().unwrap_or_default().into_owned());
    let parts = parts.each_ref().map(String::as_str);
    matches!(parts, ["dev", "fd" | "stdin" | "stdout" | "stderr", _] | ["proc", _, "fd"])
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_special_files_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let (file, pipe) = (folder.path().join("file"), folder.path().join("pipe"));
        fs::write(&file, "").unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let kind = |path: &Path| SpecialFile::of(&fs::metadata(path).unwrap());
        assert_eq!(kind(&file), None);
        assert_eq!(kind(folder.path()), Some(SpecialFile::Folder));
        assert_eq!(kind(&pipe), Some(SpecialFile::Pipe));
        assert_eq!(kind(Path::new("/dev/null")), Some(SpecialFile::Device));
        assert!(is_named_pipe(&pipe));
        assert!(!is_named_pipe(&file) && !is_named_pipe(Path::new("/dev/null")));
        for (path, of_shell) in
            [("/dev/fd/63", true), ("/proc/17/fd/pipe:[9]", true), ("/dev/shm/pipe", false)]
        {
            assert_eq!(is_of_shell(Path::new(path)), of_shell, "{path}");
        }
    }
}
