//! Input of the rules: every text file of the project, and its crates.
//!
//! Files are those that git tracks or would add, without build output; without git (a source
//! archive) all files except build folders. Paths use `/` and texts are in memory, so tests can
//! build a tree without a disk.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use super::rust::Source;

/// Folders with Rust code of the project.
const RUST_FOLDERS: [&str; 4] = ["crates/", "museum/", "bench/", "xtask/"];

/// Inputs of fuzz targets: partly random, so no rule applies to their text.
const CORPUS: &str = "crates/lariat-fuzz/corpus/";

/// One text file.
#[derive(Debug)]
pub(crate) struct File {
    /// Path from the root, with `/`.
    pub path: String,
    /// Whole text.
    pub text: String,
}

/// A crate of the workspace, as cargo describes it.
#[derive(Debug)]
pub(crate) struct Package {
    /// `lariat-core`.
    pub name: String,
    /// Path of its `Cargo.toml` from the root.
    pub manifest: String,
    /// Names of its build dependencies.
    pub builds_on: Vec<String>,
    /// Names of further dependencies of its tests.
    pub tests_with: Vec<String>,
}

/// Files and crates.
#[derive(Debug)]
pub(crate) struct Tree {
    /// Sorted by path.
    pub files: Vec<File>,
    /// Every crate of the workspace.
    pub packages: Vec<Package>,
    /// Every path, including folders and pictures.
    paths: BTreeSet<String>,
}

impl Tree {
    /// Reads the tree under `root`.
    pub(crate) fn read(root: &Path) -> Result<Self, String> {
        let mut listed = listed_by_git(root).unwrap_or_else(|| listed_by_walking(root));
        listed.sort();
        let mut tree =
            Self { files: Vec::new(), packages: packages(root)?, paths: BTreeSet::new() };
        for path in listed {
            // A file that git lists but that is deleted on disk is not a violation.
            let Ok(bytes) = fs::read(root.join(&path)) else { continue };
            let path = slashes(&path);
            tree.add_path(&path);
            if path.starts_with(CORPUS) {
                continue;
            }
            if let Ok(text) = String::from_utf8(bytes)
                && !text.contains('\0')
            {
                tree.files.push(File { path, text });
            }
        }
        Ok(tree)
    }

    /// A tree from pairs of path and text.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let mut tree = Self { files: Vec::new(), packages: Vec::new(), paths: BTreeSet::new() };
        for (path, text) in files {
            tree.add_path(path);
            tree.files.push(File { path: (*path).to_owned(), text: (*text).to_owned() });
        }
        tree
    }

    fn add_path(&mut self, path: &str) {
        for (end, _) in path.match_indices('/') {
            self.paths.insert(path[..end].to_owned());
        }
        self.paths.insert(path.to_owned());
    }

    /// The text file at a path.
    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Whether there is a file or a folder at a path.
    pub(crate) fn has(&self, path: &str) -> bool {
        path.is_empty() || self.paths.contains(path)
    }

    /// All paths below a folder, which ends with `/`.
    pub(crate) fn below<'t>(&'t self, folder: &'t str) -> impl Iterator<Item = &'t str> {
        self.paths.iter().filter_map(move |path| path.strip_prefix(folder))
    }

    /// Every Rust file of the project.
    pub(crate) fn rust(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| {
            has_extension(&file.path, "rs")
                && RUST_FOLDERS.iter().any(|folder| file.path.starts_with(folder))
        })
    }

    /// Every page in Markdown.
    pub(crate) fn pages(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| has_extension(&file.path, "md"))
    }
}

impl File {
    /// Lexes the file as Rust.
    pub(crate) fn source(&self) -> Source {
        Source::new(&self.text)
    }
}

/// Whether a path ends in `.extension`.
pub(crate) fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == extension)
}

/// The line, counted from 1, that holds the byte at `offset`.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    1 + text[..offset].matches('\n').count()
}

fn listed_by_git(root: &Path) -> Option<Vec<PathBuf>> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").current_dir(root).args(arguments).output().ok()?;
    if !output.status.success() {
        return None;
    }
    let list = String::from_utf8(output.stdout).ok()?;
    let files: Vec<PathBuf> = list.split_terminator('\0').map(PathBuf::from).collect();
    (!files.is_empty()).then_some(files)
}

fn listed_by_walking(root: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(root.join(&folder)) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let path = folder.join(&name);
            if !entry.path().is_dir() {
                files.push(path);
            } else if !matches!(name.to_str(), Some(".git" | "target" | "__pycache__")) {
                folders.push(path);
            }
        }
    }
    files
}

fn slashes(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

fn packages(root: &Path) -> Result<Vec<Package>, String> {
    let mut cargo = crate::shell::cargo();
    cargo.current_dir(root).args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let described = crate::shell::read(&mut cargo)?;
    let described: Value = serde_json::from_str(&described)
        .map_err(|error| format!("the output of cargo metadata is not JSON: {error}"))?;
    let packages = described["packages"].as_array().into_iter().flatten();
    Ok(packages.map(|package| describe(root, package)).collect())
}

fn describe(root: &Path, package: &Value) -> Package {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let manifest = PathBuf::from(text(&package["manifest_path"]));
    let dependencies: Vec<&Value> =
        package["dependencies"].as_array().into_iter().flatten().collect();
    let named = |for_tests: bool| {
        let kind = |dependency: &Value| dependency["kind"].as_str() == Some("dev");
        let wanted = dependencies.iter().filter(|dependency| kind(dependency) == for_tests);
        wanted.map(|dependency| text(&dependency["name"])).collect()
    };
    Package {
        name: text(&package["name"]),
        manifest: slashes(manifest.strip_prefix(root).unwrap_or(&manifest)),
        builds_on: named(false),
        tests_with: named(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_paths_too() {
        let tree = Tree::of(&[("docs/papers/barzel.md", "")]);
        for path in ["", "docs", "docs/papers", "docs/papers/barzel.md"] {
            assert!(tree.has(path), "{path}");
        }
        assert!(!tree.has("docs/pap"));
    }

    #[test]
    fn walking_finds_every_file_of_git() {
        let root = crate::shell::root();
        let walked = listed_by_walking(&root);
        // A source archive has no git, so there is nothing to compare.
        for file in listed_by_git(&root).into_iter().flatten() {
            assert!(!root.join(&file).exists() || walked.contains(&file), "{}", file.display());
        }
    }

    #[test]
    fn lines_are_counted_from_one() {
        let text = "a\nb\nc";
        assert_eq!([0, 1, 2, 4].map(|offset| line_of(text, offset)), [1, 1, 2, 3]);
    }
}
