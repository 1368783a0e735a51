//! Files that are whole or not there, and how to say why one is not.
//!
//! Files are written beside their place and renamed when complete (`lariat_export::file`); one
//! that is there already is replaced only when asked.

use std::{io::Write, path::Path};

use lariat_export::{
    ExportError,
    file::{IfExists, save},
};

use crate::{console::Console, exit::Failure, input::is_standard, words};

/// Puts a text into a file, or onto standard output if the path is `-`.
pub(crate) fn put(path: &Path, force: bool, text: &str) -> Result<(), Failure> {
    if is_standard(path) {
        let mut out = Console::results();
        out.write_all(text.as_bytes())?;
        return Ok(out.flush()?);
    }
    save(path, existing(force), |out| Ok(out.write_all(text.as_bytes())?))
        .map_err(|error| failure(&error))
}

/// Refuses to write over the document that is being read.
pub(crate) fn not_the_document(document: &Path, output: &Path) -> Result<(), Failure> {
    let both = (document.canonicalize(), output.canonicalize());
    if is_standard(output) || !matches!(both, (Ok(one), Ok(other)) if one == other) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "`{}` is the document itself, and not even --force writes over that: choose another name",
        words::shown(&output.to_string_lossy())
    )))
}

/// Whether two paths name one file, be it there or not.
pub(crate) fn is_one_file(one: &Path, other: &Path) -> bool {
    let resolved = |path: &Path| {
        path.canonicalize().or_else(|_| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize()?;
            Ok::<_, std::io::Error>(folder.join(path.file_name().unwrap_or_default()))
        })
    };
    one == other || matches!((resolved(one), resolved(other)), (Ok(a), Ok(b)) if a == b)
}

/// What to do about a file that is there already.
pub(crate) fn existing(force: bool) -> IfExists {
    if force { IfExists::Replace } else { IfExists::Fail }
}

/// An error about a file, with the way out as it is said on the command line.
pub(crate) fn failure(error: &ExportError) -> Failure {
    Failure::new(match error {
        ExportError::Exists { path } => {
            let path = words::shown(&path.to_string_lossy());
            format!("`{path}` exists already: choose another name, or replace it with --force")
        }
        ExportError::Place { path, reason } => {
            let path = words::shown(&path.to_string_lossy());
            let way_out = if reason.starts_with("there is no folder") {
                "make it, or choose another place"
            } else {
                "choose another place"
            };
            format!("`{path}` cannot be written: {reason}; {way_out}")
        }
        other => other.to_string(),
    })
}
