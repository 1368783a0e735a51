//! The document of a command: a file, standard input (`-`), or a museum scene (`museum:NAME`).
//!
//! [`lariat::open_from`] reads and checks it; this module formats errors of files that cannot be
//! read. Files that a document refers to are read from its folder, from the current folder for
//! standard input and pipes, and from the museum for a museum scene; and from the folders of
//! `--allow-path`.
//!
//! A named pipe is refused: it may come out of somebody's archive, and nothing may ever write to it.
//! The pipes of a shell, as in `lariat check <(…)`, are read.
//!
//! Tests: `crates/lariat-cli/tests/command/input.rs`, `crates/lariat-cli/tests/command/assets.rs`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use lariat::{Folder, Opened};
use lariat_scene::{Limits, schema::did_you_mean};

use crate::{exit::Failure, museum, words};

/// Name of standard input and output.
pub(crate) const STANDARD: &str = "-";

/// Whether a path is standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

/// Folders whose files a document may use.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Allowed {
    /// Let the document use files in this folder too; can be repeated
    ///
    /// A document can use files in its own folder and the folders below it, from standard input
    /// those in the current folder. Others are refused, because a document from someone else could
    /// put any file of yours into the result.
    #[arg(long = "allow-path", value_name = "FOLDER")]
    pub(crate) folders: Vec<PathBuf>,
}

impl Allowed {
    /// Adds the folders to that of a document.
    pub(crate) fn with(&self, folder: Folder) -> Result<Folder, Failure> {
        for folder in &self.folders {
            let name = words::shown(&folder.to_string_lossy());
            match fs::metadata(folder) {
                Ok(found) if found.is_dir() => {}
                Ok(_) => {
                    let why = format!("--allow-path `{name}` is a file; name its folder");
                    return Err(Failure::new(why));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(Failure::new(format!(
                        "--allow-path `{name}`: there is no such folder; create it, or omit the option"
                    )));
                }
                Err(error) => {
                    return Err(Failure::new(format!("--allow-path `{name}`: {error}")));
                }
            }
        }
        Ok(folder.allow(&self.folders))
    }
}

/// Text of a document, and its name in diagnostics.
#[derive(Debug)]
pub(crate) struct Source {
    /// Path as given, or `standard input`.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Opens a document without its takes. The source keeps its bytes.
pub(crate) fn read(
    path: &Path,
    limits: &Limits,
    allowed: &Allowed,
) -> Result<(Source, Opened), Failure> {
    let name = words::shown(&path.to_string_lossy());
    let cannot = |error: io::Error| cannot_read(path, &name, &error);
    let (name, opened) = if is_standard(path) {
        let folder = allowed.with(Folder::new(""))?;
        let opened = lariat::open_from(io::stdin().lock(), None, limits, &folder);
        let failed = |error| Failure::new(format!("cannot read standard input: {error}"));
        ("standard input".to_owned(), opened.map_err(failed)?)
    } else if let Some(scene) = museum::named(path) {
        let text = scene?.text.as_bytes();
        (name.clone(), lariat::open_with(text, limits, &museum::files()))
    } else if fs::metadata(path).map_err(cannot)?.is_dir() {
        return Err(a_folder(path, &name));
    } else {
        not_a_named_pipe(path)?;
        let folder = allowed.with(Folder::of(path))?;
        (name.clone(), lariat::open_file_with(path, limits, &folder).map_err(cannot)?)
    };
    let mut opened = opened;
    let bytes = std::mem::take(&mut opened.bytes);
    Ok((Source { name, bytes }, opened))
}

/// Returns an error for a named pipe, which could be waited for without end.
pub(crate) fn not_a_named_pipe(path: &Path) -> Result<(), Failure> {
    if !lariat::is_named_pipe(path) {
        return Ok(());
    }
    let name = words::shown(&path.to_string_lossy());
    Err(Failure::new(format!(
        "`{name}` is a named pipe, which may never be written to; pass it as standard input: `- < \
         {name}`"
    )))
}

fn cannot_read(path: &Path, name: &str, error: &io::Error) -> Failure {
    let message = match error.kind() {
        io::ErrorKind::NotFound => match neighbour(path) {
            Some(near) => format!("there is no file `{name}`; did you mean `{near}`?"),
            None => format!("there is no file `{name}`; create one with `lariat new {name}`"),
        },
        io::ErrorKind::PermissionDenied => {
            format!("cannot read `{name}`: permission denied")
        }
        io::ErrorKind::NotADirectory => {
            format!("there is no file `{name}`: part of its path is a file, not a folder")
        }
        _ => format!("cannot read `{name}`: {error}"),
    };
    Failure::new(message)
}

/// Document in the same folder with the nearest name.
fn neighbour(path: &Path) -> Option<String> {
    // The extension is not compared, or `nope.lariat` would be near `bom.lariat`.
    let stem = |name: &str| name.strip_suffix(".lariat").unwrap_or(name).to_owned();
    let name = path.file_name()?.to_str()?;
    let stems: Vec<String> = documents(path.parent()?).iter().map(|name| stem(name)).collect();
    let near = did_you_mean(&stem(name), stems.iter().map(String::as_str))?;
    let near = path.with_file_name(format!("{near}.lariat"));
    Some(words::shown(&near.to_string_lossy()))
}

/// Names of the documents in a folder, sorted; none if it cannot be read.
fn documents(folder: &Path) -> Vec<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> =
        names.filter(|name| Path::new(name).extension().is_some_and(|e| e == "lariat")).collect();
    names.sort();
    names
}

fn a_folder(path: &Path, name: &str) -> Failure {
    let example = match documents(path).first() {
        Some(first) => format!(", such as `{}`", words::shown(&path.join(first).to_string_lossy())),
        None => String::new(),
    };
    Failure::new(format!("`{name}` is a folder; choose a file in it{example}"))
}
