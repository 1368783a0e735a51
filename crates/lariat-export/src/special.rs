//! Pipes, sockets and devices in place of files.
//!
//! A named pipe may come out of somebody's archive, and nothing may ever be at its other end. The pipes
//! of a shell, as in `lariat check <(…)`, have no name and are used.
//!
//! Tests: `kinds_of_special_files_are_told_apart`.

use std::fs::{self, Metadata};
use std::path::Path;

/// Kind of an entry that is not a regular file: `a named pipe`.
#[cfg(unix)]
pub fn special(found: &Metadata) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;

    let kind = found.file_type();
    Some(match () {
        () if kind.is_file() => return None,
        () if kind.is_dir() => "a folder",
        () if kind.is_fifo() => "a named pipe",
        () if kind.is_socket() => "a socket",
        () if kind.is_symlink() => "a symbolic link",
        () if kind.is_block_device() => "a disk",
        () => "a device",
    })
}

/// Kind of an entry that is not a regular file: `a folder`.
#[cfg(not(unix))]
pub fn special(found: &Metadata) -> Option<&'static str> {
    match found.file_type() {
        kind if kind.is_file() => None,
        kind if kind.is_dir() => Some("a folder"),
        _ => Some("a pipe or a device"),
    }
}

/// Whether a path is a named pipe, which cannot be opened before another program opens its other end.
/// The pipes of a shell have no name.
pub fn is_named_pipe(path: &Path) -> bool {
    let is_pipe = fs::metadata(path).is_ok_and(|found| special(&found) == Some("a named pipe"));
    is_pipe && fs::canonicalize(path).is_ok_and(|real| !is_of_shell(&real))
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
        let kind = |path: &Path| special(&fs::metadata(path).unwrap());
        assert_eq!(kind(&file), None);
        assert_eq!(kind(folder.path()), Some("a folder"));
        assert_eq!(kind(&pipe), Some("a named pipe"));
        assert_eq!(kind(Path::new("/dev/null")), Some("a device"));
        assert!(is_named_pipe(&pipe));
        assert!(!is_named_pipe(&file) && !is_named_pipe(Path::new("/dev/null")));
        for (path, of_shell) in
            [("/dev/fd/63", true), ("/proc/17/fd/pipe:[9]", true), ("/dev/shm/pipe", false)]
        {
            assert_eq!(is_of_shell(Path::new(path)), of_shell, "{path}");
        }
    }
}
