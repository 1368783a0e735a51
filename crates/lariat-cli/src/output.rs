//! Output files and their errors.
//!
//! Files are written to a temporary file and renamed when complete (`lariat_export::file`). An
//! existing file is replaced only with `--force`. Temporary files of killed runs in the same folder
//! are removed first, which also makes room on a full disk.
//!
//! Tests: `crates/lariat-cli/tests/command/clean.rs`.

use std::{io::Write, path::Path};

use lariat_export::{
    ExportError,
    file::{IfExists, folder_of, save},
    temporary,
};

use crate::{console::Console, exit::Failure, input::is_standard, words};

/// Removes the temporary files that killed runs have left in the folder of an output, and reports
/// them. `lariat clean` explains those that cannot be removed.
pub(crate) fn sweep(path: &Path, console: Console) {
    if is_standard(path) {
        return;
    }
    let folder = folder_of(path);
    // A folder that cannot be listed is reported when the file is written.
    let Ok(removed) = temporary::remove(&folder) else { return };
    if !removed.abandoned.is_empty() {
        console.note(&format!(
            "removed {} of killed runs from `{}`, {}",
            words::count(removed.abandoned.len() as u64, "temporary file"),
            words::shown(&folder.to_string_lossy()),
            words::size(removed.bytes())
        ));
    }
}

/// Writes text to a file, or to standard output if the path is `-`.
pub(crate) fn put(path: &Path, force: bool, text: &str) -> Result<(), Failure> {
    if is_standard(path) {
        let mut out = Console::results();
        out.write_all(text.as_bytes())?;
        return Ok(out.flush()?);
    }
    save(path, existing(force), |out| Ok(out.write_all(text.as_bytes())?))
        .map_err(|error| failure(&error))
}

/// Returns an error if the output is the document that is being read.
pub(crate) fn not_the_document(document: &Path, output: &Path) -> Result<(), Failure> {
    let both = (document.canonicalize(), output.canonicalize());
    if is_standard(output) || !matches!(both, (Ok(one), Ok(other)) if one == other) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "`{}` is the input document and is never overwritten; choose another name",
        words::shown(&output.to_string_lossy())
    )))
}

/// Whether two paths name the same file, existing or not.
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

/// Treatment of an existing file.
pub(crate) fn existing(force: bool) -> IfExists {
    if force { IfExists::Replace } else { IfExists::Fail }
}

/// An output error, with a remedy in terms of the command line.
pub(crate) fn failure(error: &ExportError) -> Failure {
    Failure::new(match error {
        ExportError::Exists { path } => {
            let path = words::shown(&path.to_string_lossy());
            format!("`{path}` already exists; choose another name, or replace it with --force")
        }
        ExportError::Place { path, reason } => {
            let path = words::shown(&path.to_string_lossy());
            let remedy = if reason.starts_with("there is no folder") {
                "create it, or choose another location"
            } else {
                "choose another location"
            };
            format!("cannot write `{path}`: {reason}; {remedy}")
        }
        other => other.to_string(),
    })
}
