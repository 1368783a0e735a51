//! Files named by a document, read and parsed before the scene is bound.
//!
//! Nothing here opens a file. The caller provides a [`Files`]: a folder on the command line, files
//! embedded in the museum, files fetched by a browser. A file that cannot be read or parsed is a
//! diagnostic with its place in the document; the body that needs it is not drawn, all others are.
//!
//! A file named by several bodies is read once and shared.
//!
//! Documents come from strangers, so a [`Files`] gives access to some folders only. A path that leaves
//! them, in the document or in a file that the document refers to, is a diagnostic of its own.
//!
//! Tests: `a_missing_file_is_reported_with_the_path_that_was_tried`, `a_file_is_read_once`,
//! `a_path_that_leaves_the_folder_is_outside`, `every_example_of_a_page_is_found`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::path::{Component, Path};
use std::sync::Arc;

use lariat_core::geometry::Mesh;
use lariat_core::modes::FormulaError;
use lariat_core::modes::ModeSet;
use lariat_import::mode_file::{self, ModeFileError};
use lariat_import::{Format, Import, ImportError, Up};
use lariat_scene::Limits;
use lariat_scene::check::{Code, Diagnostic};
use lariat_scene::lower::{FileReference, Lowered, Record};

use crate::bind::{modes, paint, shape};

/// Source of files.
pub trait Files: fmt::Debug + Send + Sync {
    /// Returns the bytes of a file. `path` is as written in the document; a file of more than `most`
    /// bytes is an error.
    fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, FileError>;
}

/// Reason why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The path that was tried.
    pub tried: String,
    /// The reason in words: "there is no such file".
    pub why: String,
    /// Kind of the reason.
    pub kind: FileErrorKind,
    /// The place that the path leads to by symbolic links, if there are any.
    pub leads_to: Option<String>,
}

/// Kind of the reason why a file cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileErrorKind {
    /// The file is missing, too large, not a file, or reading it failed.
    Unreadable,
    /// The file is outside the folders that may be read.
    Outside,
}

/// No files, for documents that need none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, path: &str, _most: u64) -> Result<Vec<u8>, FileError> {
        Err(FileError::unreadable(path, "files cannot be read here"))
    }
}

/// Files in memory: embedded in the museum, or fetched by a browser.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryFiles {
    /// Adds a file.
    #[must_use]
    pub fn with(mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.into(), bytes.into());
        self
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, FileError> {
        match self.files.get(path) {
            None if leaves(path) => Err(FileError::outside(path)),
            None => Err(FileError::unreadable(path, "there is no such file")),
            Some(bytes) if bytes.len() as u64 > most => {
                Err(FileError::unreadable(path, FileError::too_large(bytes.len() as u64, most)))
            }
            Some(bytes) => Ok(bytes.clone()),
        }
    }
}

/// Whether a path leads out of the folder that it starts in.
fn leaves(path: &str) -> bool {
    let mut depth = 0_i64;
    Path::new(path).components().any(|component| {
        depth += match component {
            Component::Normal(_) => 1,
            Component::CurDir => 0,
            Component::ParentDir => -1,
            Component::RootDir | Component::Prefix(_) => return true,
        };
        depth < 0
    })
}

impl FileError {
    /// A file that is missing, too large, not a file, or failed to be read.
    pub fn unreadable(tried: impl Into<String>, why: impl Into<String>) -> Self {
        let (tried, why) = (tried.into(), why.into());
        Self { tried, why, kind: FileErrorKind::Unreadable, leads_to: None }
    }

    /// A file outside the folders that may be read.
    pub fn outside(tried: impl Into<String>) -> Self {
        let why = "it is outside the folders that may be read".to_owned();
        Self { tried: tried.into(), why, kind: FileErrorKind::Outside, leads_to: None }
    }

    /// The reason for a file that is too large, with the remedy.
    pub fn too_large(size: u64, most: u64) -> String {
        format!(
            "it has {size} bytes, more than the limit of {most}; raise it with `--limit \
             bytes-per-asset=N`"
        )
    }
}

/// The content of the files of a document.
#[derive(Clone, Debug, Default)]
pub struct Assets {
    meshes: BTreeMap<Key, Loaded>,
    modes: BTreeMap<String, LoadedModes>,
}

/// Path of a file, and the up axis to read it with.
type Key = (String, Option<Up>);

#[derive(Clone, Debug)]
enum Loaded {
    Mesh(Arc<Mesh>),
    FileError(FileError),
    /// A file that the mesh refers to is outside.
    RefersOutside(FileError),
    NoMesh(ImportError),
    UnknownFormat,
}

#[derive(Clone, Debug)]
enum LoadedModes {
    Modes(Arc<ModeSet>),
    FileError(FileError),
    NoModes(ModeFileError),
}

fn key(needed: &FileReference<'_>) -> Key {
    (needed.path.to_owned(), needed.body.choice("up").and_then(Up::from_name))
}

/// True if a file is read as a mesh, false if it holds modes.
fn is_mesh(needed: &FileReference<'_>) -> bool {
    needed.record.kind() == "mesh"
}

impl Assets {
    /// Reads every file that a document needs.
    pub fn load(lowered: &Lowered, limits: &Limits, files: &dyn Files) -> Self {
        let mut assets = Self::default();
        assets.catch_up(lowered, limits, files);
        assets
    }

    /// Reads the files that a changed document needs in addition, and drops those it no longer needs.
    pub(crate) fn catch_up(&mut self, lowered: &Lowered, limits: &Limits, files: &dyn Files) {
        let mut before = std::mem::take(&mut self.meshes);
        let mut modes_before = std::mem::take(&mut self.modes);
        for needed in lowered.files() {
            if !is_mesh(&needed) {
                if let Entry::Vacant(place) = self.modes.entry(needed.path.to_owned()) {
                    let known = modes_before.remove(place.key());
                    let loaded = known.unwrap_or_else(|| load_modes(needed.path, limits, files));
                    place.insert(loaded);
                }
                continue;
            }
            if let Entry::Vacant(place) = self.meshes.entry(key(&needed)) {
                let known = before.remove(place.key());
                let loaded = known.unwrap_or_else(|| load(place.key(), limits, files));
                place.insert(loaded);
            }
        }
    }

    /// The mesh of a body, as it is in its file.
    pub(crate) fn mesh(&self, record: &Record) -> Option<Arc<Mesh>> {
        let path = record.text("file")?;
        let needed = FileReference { body: record, record, field: "file", path };
        match self.meshes.get(&key(&needed))? {
            Loaded::Mesh(mesh) => Some(mesh.clone()),
            Loaded::FileError(_)
            | Loaded::RefersOutside(_)
            | Loaded::NoMesh(_)
            | Loaded::UnknownFormat => None,
        }
    }

    /// The modes in a file.
    pub(crate) fn modes(&self, path: &str) -> Option<Arc<ModeSet>> {
        match self.modes.get(path)? {
            LoadedModes::Modes(set) => Some(set.clone()),
            LoadedModes::FileError(_) | LoadedModes::NoModes(_) => None,
        }
    }

    /// Diagnostics about the files of a document and their use.
    pub fn diagnostics(&self, lowered: &Lowered, limits: &Limits) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        for needed in lowered.files() {
            if is_mesh(&needed) {
                let loaded = self.meshes.get(&key(&needed));
                diagnostics.extend(loaded.and_then(|loaded| diagnostic(&needed, loaded, limits)));
            } else {
                let loaded = self.modes.get(needed.path);
                diagnostics.extend(loaded.and_then(|loaded| modes_diagnostic(&needed, loaded)));
            }
        }
        for body in lowered.bodies.iter().filter(|body| body.kind() == "mesh") {
            if let Some(rest) = self.mesh(body) {
                let jiggles = body.records("jiggles").iter();
                diagnostics.extend(jiggles.filter_map(|jiggle| formula(body, jiggle, &rest)));
                diagnostics.extend(modes::diagnostics(body, rest.points().len(), self));
                diagnostics.extend(paint::diagnostics(body, true));
            }
        }
        for body in lowered.bodies.iter().filter(|body| body.kind() == "shape") {
            diagnostics.extend(shape::diagnostic(body, self));
            if let Some((points, is_mesh)) = shape::count(body, self) {
                diagnostics.extend(modes::diagnostics(body, points, self));
                diagnostics.extend(paint::diagnostics(body, is_mesh));
            }
        }
        for compound in lowered.bodies.iter().filter(|body| body.kind() == "compound") {
            let parts = compound.names("parts").unwrap_or_default();
            let is_mesh = |part: &&Arc<str>| {
                lowered.body_index(part).is_some_and(|b| match &lowered.bodies[b] {
                    body if body.kind() == "shape" => {
                        shape::count(body, self).is_some_and(|(_, is_mesh)| is_mesh)
                    }
                    body => matches!(body.kind(), "mesh" | "solid"),
                })
            };
            diagnostics
                .extend(parts.iter().filter(is_mesh).map(|part| in_compound(compound, part)));
        }
        diagnostics
    }
}

fn load((path, up): &Key, limits: &Limits, files: &dyn Files) -> Loaded {
    let Some(format) = Format::from_path(path) else { return Loaded::UnknownFormat };
    let most = limits.bytes_per_asset;
    let bytes = match files.read(path, most) {
        Ok(bytes) => bytes,
        Err(unread) => return Loaded::FileError(unread),
    };
    let import = Import {
        up: *up,
        max_points: usize::try_from(limits.points_per_mesh).unwrap_or(usize::MAX),
    };
    let mut outside = None;
    let mut beside = |name: &str| {
        // Names in a file are relative to that file.
        let path = match path.rfind(['/', '\\']) {
            Some(end) if !Path::new(name).is_absolute() => format!("{}{name}", &path[..=end]),
            _ => name.to_owned(),
        };
        files.read(&path, most).map_err(|unread| {
            let why = format!("tried `{}`: {}", unread.tried, unread.why);
            outside = Some(unread).filter(|unread| unread.kind == FileErrorKind::Outside);
            why
        })
    };
    match (import.read(format, &bytes, &mut beside), outside) {
        (Ok(mesh), _) => Loaded::Mesh(Arc::new(mesh)),
        (Err(_), Some(outside)) => Loaded::RefersOutside(outside),
        (Err(error), None) => Loaded::NoMesh(error),
    }
}

fn load_modes(path: &str, limits: &Limits, files: &dyn Files) -> LoadedModes {
    match files.read(path, limits.bytes_per_asset) {
        Err(unread) => LoadedModes::FileError(unread),
        Ok(bytes) => match mode_file::read(&bytes) {
            Ok(set) => LoadedModes::Modes(Arc::new(set)),
            Err(error) => LoadedModes::NoModes(error),
        },
    }
}

/// A diagnostic about a file, where the document names it.
fn about(
    needed: &FileReference<'_>,
    code: Code,
    message: String,
    label: String,
    help: String,
) -> Diagnostic {
    let FileReference { body, record, field, .. } = *needed;
    let until = if is_mesh(needed) || record.kind() == "shape" {
        format!("until then `{}` is not drawn", body.name())
    } else {
        format!("until then `{}` is not moved by it", body.name())
    };
    Diagnostic::new(code, message)
        .label(record.span(field), record.path_of(field), label)
        .help(help)
        .note(until)
}

/// A diagnostic about a file outside; `refers` says how the body comes to need it.
fn outside_diagnostic(needed: &FileReference<'_>, unread: &FileError, refers: &str) -> Diagnostic {
    let (name, path) = (needed.body.name(), needed.path);
    let FileError { tried, leads_to, .. } = unread;
    let real = Path::new(leads_to.as_ref().unwrap_or(tried));
    let folder = real.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).display();
    let label = match leads_to {
        Some(target) => format!("tried `{tried}`, which leads to `{target}`"),
        None => format!("tried `{tried}`"),
    };
    about(
        needed,
        Code::FileOutside,
        format!("the file `{path}` of body `{name}` {refers} outside the folder of the document"),
        label,
        format!(
            "move the file into that folder, or, if you trust the document, allow this one with \
             `--allow-path {folder}`"
        ),
    )
}

fn unread_diagnostic(needed: &FileReference<'_>, unread: &FileError) -> Diagnostic {
    let (name, path) = (needed.body.name(), needed.path);
    if unread.kind == FileErrorKind::Outside {
        return outside_diagnostic(needed, unread, "is");
    }
    about(
        needed,
        Code::UnreadableFile,
        format!("body `{name}` needs the file `{path}`, which cannot be read"),
        format!("tried `{}`: {}", unread.tried, unread.why),
        "correct the path, which is relative to the document, or put the file there".to_owned(),
    )
}

fn modes_diagnostic(needed: &FileReference<'_>, loaded: &LoadedModes) -> Option<Diagnostic> {
    Some(match loaded {
        LoadedModes::Modes(_) => return None,
        LoadedModes::FileError(unread) => unread_diagnostic(needed, unread),
        LoadedModes::NoModes(error) => about(
            needed,
            Code::InvalidModes,
            format!(
                "the file `{}` of body `{}` is not a valid modes file",
                needed.path,
                needed.body.name()
            ),
            error.to_string(),
            "write it again with `lariat modes RECORDING -o FILE.modes`".to_owned(),
        ),
    })
}

fn diagnostic(needed: &FileReference<'_>, loaded: &Loaded, limits: &Limits) -> Option<Diagnostic> {
    let FileReference { body, path, .. } = *needed;
    let name = body.name();
    let report = |code: Code, message: String, label: String, help: String| {
        about(needed, code, message, label, help)
    };
    Some(match loaded {
        Loaded::Mesh(_) => return None,
        Loaded::FileError(unread) => unread_diagnostic(needed, unread),
        Loaded::RefersOutside(unread) => outside_diagnostic(needed, unread, "refers to a file"),
        Loaded::UnknownFormat => report(
            Code::UnknownFileFormat,
            format!("the file `{path}` of body `{name}` has an unknown format"),
            "unknown extension".to_owned(),
            format!("export it as .{}", Format::EXTENSIONS.join(", .")),
        ),
        Loaded::NoMesh(ImportError::TooManyPoints { .. }) => {
            let most = limits.points_per_mesh;
            report(
                Code::MeshTooLarge,
                format!("the mesh of body `{name}` has more points than the limit of {most}"),
                format!("has more than {most} points"),
                "make it coarser, or raise the limit with `--limit points-per-mesh=N`".to_owned(),
            )
        }
        Loaded::NoMesh(error @ ImportError::TooManyCorners { .. }) => report(
            Code::MeshTooLarge,
            format!("the mesh of body `{name}` has too many faces for the limit on its points"),
            error.to_string(),
            "make it coarser, or raise the limit with `--limit points-per-mesh=N`".to_owned(),
        ),
        Loaded::NoMesh(error) => report(
            Code::InvalidMesh,
            format!("the file `{path}` of body `{name}` is not a valid mesh"),
            error.to_string(),
            "fix the file there, or export it again".to_owned(),
        ),
    })
}

/// Diagnostics about the formulas of a jiggle on a mesh.
fn formula(body: &Record, jiggle: &Record, rest: &Mesh) -> Option<Diagnostic> {
    let error = crate::bind::jiggle::on_mesh(jiggle, rest).err()?;
    let (code, what) = match &error {
        FormulaError::Undefined { .. } => (Code::FormulaFails, "is undefined at some points"),
        // The attributes that a formula may name depend on the mesh.
        _ => (Code::InvalidFormula, "cannot be read"),
    };
    let message = format!("the formula of a jiggle of body `{}` {what}: {error}", body.name());
    let field = if jiggle.is_given("amplitude") { "amplitude" } else { "lag" };
    let names: Vec<&str> = rest.shape().attributes().iter().map(|a| &*a.name).collect();
    let help = if names.is_empty() {
        "formulas can use x, y, z, nx, ny and nz; this mesh has no attributes".to_owned()
    } else {
        format!(
            "formulas can use x, y, z, nx, ny, nz and the attributes of this mesh: {}",
            names.join(", ")
        )
    };
    Some(
        Diagnostic::new(code, message)
            .label(
                jiggle.span(field),
                jiggle.path_of(field),
                "amplitude and lag are evaluated here",
            )
            .help(help)
            .note("until then it does not jiggle"),
    )
}

fn in_compound(compound: &Record, part: &str) -> Diagnostic {
    Diagnostic::new(
        Code::MeshInCompound,
        format!("the mesh `{part}` is part of the compound `{}`", compound.name()),
    )
    .label(compound.span("parts"), compound.path_of("parts"), format!("`{part}` has no ends"))
    .help(format!("remove it, and hang a rope on it instead: `to = {{ body = {part:?}, at = 0 }}`"))
    .note("until then it is left out")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leaves_the_folder_is_outside() {
        let files = MemoryFiles::default().with("a/b.obj", "v 0 0 0");
        let kind = |path: &str| files.read(path, 99).unwrap_err().kind;
        for path in ["/etc/passwd", "..", "../b.obj", "a/../../b.obj", "./../a/b.obj"] {
            assert_eq!(kind(path), FileErrorKind::Outside, "{path}");
        }
        for path in ["b.obj", "a/../b.obj", "a/b/../../c.obj", "..b.obj", ""] {
            assert_eq!(kind(path), FileErrorKind::Unreadable, "{path}");
        }
    }
}
