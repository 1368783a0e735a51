//! Museum scenes and recipes by name: `museum:NAME` is accepted wherever a document is read.
//!
//! A file of this name can be read as `./museum:NAME`.
//!
//! Tests: `crates/lariat-cli/tests/command/museum.rs`, `crates/lariat-cli/tests/command/new.rs`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use lariat_eval::MemoryFiles;
use lariat_export::{
    ExportError,
    file::{IfExists, save},
};
use lariat_museum::{FILES, RECIPES, Recipe, SCENES, Scene};
use lariat_scene::{Limits, check::check, schema::did_you_mean};

use crate::{exit::Failure, output, words};

/// Prefix of museum scenes and recipes.
const PREFIX: &str = "museum:";

/// A museum scene or a recipe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Example {
    /// Name of the file, without its extension.
    pub(crate) name: &'static str,
    /// Short description.
    pub(crate) title: &'static str,
    /// Reason for a scene, subject of a recipe, in one sentence.
    pub(crate) about: &'static str,
    /// Text of the document.
    pub(crate) text: &'static str,
    /// Files of a recipe; those of a scene are found in its document.
    files: &'static [&'static str],
}

impl From<&Scene> for Example {
    fn from(scene: &Scene) -> Self {
        let Scene { name, title, why: about, text, .. } = *scene;
        Self { name, title, about, text, files: &[] }
    }
}

impl From<&Recipe> for Example {
    fn from(recipe: &Recipe) -> Self {
        let Recipe { name, title, teaches: about, text, files, .. } = *recipe;
        Self { name, title, about, text, files }
    }
}

impl Example {
    /// Name of the document.
    pub(crate) fn file_name(&self) -> String {
        format!("{}.lariat", self.name)
    }

    /// Files that belong beside the document, by path from its folder, with their bytes.
    fn files(&self) -> Vec<(String, &'static [u8])> {
        let content = check(self.text.as_bytes(), &Limits::DEFAULT).content;
        let read = content.iter().flat_map(|content| content.lowered.files());
        let mut paths: Vec<String> = read.map(|needed| needed.path.to_owned()).collect();
        paths.extend(self.files.iter().map(|&path| path.to_owned()));
        paths.sort();
        paths.dedup();
        let found = paths.into_iter().map(|path| Some((path.clone(), lariat_museum::file(&path)?)));
        found.flatten().collect()
    }

    /// Path of the first file that writing the document to `path` would change without `force`.
    pub(crate) fn existing(&self, path: &Path) -> Option<PathBuf> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let changes = |(name, bytes): (String, &[u8])| {
            let path = folder.join(name);
            (path.exists() && !has_content(&path, bytes)).then_some(path)
        };
        let document = path.exists().then(|| path.to_owned());
        document.or_else(|| self.files().into_iter().find_map(changes))
    }

    /// Writes the document and its files beside it, all or, if one exists, none; files that exist
    /// with the same contents are no obstacle. Returns the names of the files.
    pub(crate) fn write(&self, path: &Path, force: bool) -> Result<Vec<String>, Failure> {
        if let Some(path) = self.existing(path).filter(|_| !force) {
            return Err(output::failure(&ExportError::Exists { path }));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let files = self.files();
        if files.iter().any(|(name, _)| output::is_one_file(path, &folder.join(name))) {
            return Err(Failure::new(format!(
                "`{}` is the name of a file that the document needs; choose another name",
                words::shown(&path.to_string_lossy())
            )));
        }
        // The document is last: it is not there without its files.
        for (name, bytes) in &files {
            let path = folder.join(name);
            if !has_content(&path, bytes) {
                save(&path, IfExists::Replace, |out| Ok(out.write_all(bytes)?))
                    .map_err(|error| output::failure(&error))?;
            }
        }
        output::put(path, force, self.text)?;
        Ok(files.into_iter().map(|(name, _)| name).collect())
    }
}

/// True if a path is a file with these bytes. Nothing else is read: not a pipe, not a device, and not a
/// file of another size.
fn has_content(path: &Path, bytes: &[u8]) -> bool {
    let found = fs::metadata(path);
    let is_alike = found.is_ok_and(|found| found.is_file() && found.len() == bytes.len() as u64);
    is_alike && fs::read(path).is_ok_and(|read| read == bytes)
}

/// Every recipe, then every scene.
pub(crate) fn examples() -> impl Iterator<Item = Example> {
    RECIPES.iter().map(Example::from).chain(SCENES.iter().map(Example::from))
}

/// Scene or recipe of a path, or `None` for a file.
pub(crate) fn named(path: &Path) -> Option<Result<Example, Failure>> {
    path.to_str()?.strip_prefix(PREFIX).map(find)
}

/// Files that scenes and recipes refer to.
pub(crate) fn files() -> MemoryFiles {
    FILES.iter().fold(MemoryFiles::default(), |shelf, (path, bytes)| shelf.with(*path, *bytes))
}

/// Finds a scene or recipe by name, with or without extension.
pub(crate) fn find(name: &str) -> Result<Example, Failure> {
    let plain = name.strip_suffix(".lariat").unwrap_or(name);
    examples().find(|example| example.name == plain).ok_or_else(|| {
        let remedy = match did_you_mean(plain, examples().map(|example| example.name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("`{} museum` lists all of them", words::program()),
        };
        Failure::new(format!(
            "there is no museum scene or recipe `{}`; {remedy}",
            words::shown(name)
        ))
    })
}
