//! A document from a file, from standard input if it is called `-`, or from the museum.
//!
//! A file that cannot be read is a failure with the way out; one that can be read but makes no
//! sense is no failure: it has diagnostics. Of a file that is too large no more is read than the
//! limit allows.
//!
//! Files that the document names are read too: from the folder that it lies in, from the current
//! one if it comes from standard input, and those of the museum from the museum.
//!
//! Tests: `what_is_too_large_is_not_read`, `crates/lariat-cli/tests/command/input.rs`.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use lariat::{Folder, takes::FeltFiles};
use lariat_eval::{Assets, Files};
use lariat_scene::{
    Limits,
    check::{Checked, Code, Diagnostic, check},
    schema::did_you_mean,
};

use crate::{exit::Failure, museum, report::in_order, words};

/// The name that stands for standard input and output.
pub(crate) const STANDARD: &str = "-";

/// Whether a path stands for standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

/// The text of a document, and what it is called.
#[derive(Debug)]
pub(crate) struct Source {
    /// As it is said in diagnostics: the path as given, or `standard input`.
    pub(crate) name: String,
    /// As it came.
    pub(crate) bytes: Vec<u8>,
}

/// A document that has been read, and what reading it found.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) source: Source,
    pub(crate) checked: Checked,
    /// What the files that it names hold.
    pub(crate) assets: Assets,
    /// Which motion it is, files included: takes are told apart by it.
    pub(crate) motion: u128,
}

/// Reads a document and makes sense of it.
pub(crate) fn read(path: &Path, limits: &Limits) -> Result<Input, Failure> {
    if is_standard(path) {
        let name = "standard input".to_owned();
        let stdin = io::stdin().lock();
        return read_from(stdin, None, name, limits, &Folder::new(""))
            .map_err(|error| Failure::new(format!("standard input cannot be read: {error}")));
    }
    let name = words::shown(&path.to_string_lossy());
    let cannot = |error: io::Error| cannot_read(path, &name, &error);
    if let Some(scene) = museum::named(path) {
        let text = scene?.text.as_bytes();
        let (size, files) = (Some(text.len() as u64), museum::files());
        return read_from(text, size, name.clone(), limits, &files).map_err(cannot);
    }
    let found = fs::metadata(path).map_err(cannot)?;
    if found.is_dir() {
        return Err(a_folder(path, &name));
    }
    let file = File::open(path).map_err(cannot)?;
    // A pipe has no size until it has been read.
    let size = found.is_file().then_some(found.len());
    read_from(file, size, name.clone(), limits, &Folder::of(path)).map_err(cannot)
}

fn read_from(
    from: impl Read,
    size: Option<u64>,
    name: String,
    limits: &Limits,
    files: &dyn Files,
) -> io::Result<Input> {
    let mut bytes = Vec::new();
    let limit = limits.file_bytes;
    if size.is_none_or(|size| size <= limit) {
        bytes.reserve(size.unwrap_or(0) as usize);
        from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    }
    let mut checked = match size.unwrap_or(0).max(bytes.len() as u64) {
        read if read > limit => {
            Checked { diagnostics: vec![too_large(size, limit)], content: None }
        }
        _ => check(&bytes, limits),
    };
    let (mut assets, mut motion) = (Assets::default(), 0);
    if let Some(content) = &checked.content {
        let files = FeltFiles::new(files);
        assets = Assets::load(&content.lowered, limits, &files);
        motion = files.motion_hash(&content.document);
        let found = assets.diagnostics(&content.lowered, limits);
        if !found.is_empty() {
            checked.diagnostics.extend(found);
            in_order(&mut checked.diagnostics);
        }
    }
    Ok(Input { source: Source { name, bytes }, checked, assets, motion })
}

fn too_large(size: Option<u64>, limit: u64) -> Diagnostic {
    let message = match size {
        Some(size) => format!("the file has {size} bytes, more than the limit of {limit}"),
        None => format!("there are more bytes than the limit of {limit}"),
    };
    Diagnostic::new(Code::FileTooLarge, message)
        .help("raise the limit with `--limit file-bytes=N`, or split the shot")
}

fn cannot_read(path: &Path, name: &str, error: &io::Error) -> Failure {
    let way_out = match error.kind() {
        io::ErrorKind::NotFound => match neighbour(path) {
            Some(near) => format!("there is no file `{name}`: did you mean `{near}`?"),
            None => format!("there is no file `{name}`: start one with `lariat new {name}`"),
        },
        io::ErrorKind::PermissionDenied => {
            format!("`{name}` may not be read: ask its owner for permission, or copy it")
        }
        io::ErrorKind::NotADirectory => {
            format!("there is no file `{name}`: a part of its path is a file, not a folder")
        }
        _ => format!("`{name}` cannot be read: {error}"),
    };
    Failure::new(way_out)
}

/// The document in the same folder whose name is nearest to a name that does not exist.
fn neighbour(path: &Path) -> Option<String> {
    // Endings are alike, so they are not compared: `nope.lariat` is not near `bom.lariat`.
    let stem = |name: &str| name.strip_suffix(".lariat").unwrap_or(name).to_owned();
    let name = path.file_name()?.to_str()?;
    let stems: Vec<String> = documents(path.parent()?).iter().map(|name| stem(name)).collect();
    let near = did_you_mean(&stem(name), stems.iter().map(String::as_str))?;
    let near = path.with_file_name(format!("{near}.lariat"));
    Some(words::shown(&near.to_string_lossy()))
}

/// The names of the documents in a folder, in order; none if it cannot be read.
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
    Failure::new(format!("`{name}` is a folder: name a file in it{example}"))
}

#[cfg(test)]
mod tests {
    use lariat_eval::NoFiles;

    use super::*;

    /// Counts the bytes that are asked of it.
    struct Endless<'a>(&'a mut u64);

    impl Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(b'#');
            *self.0 += buffer.len() as u64;
            Ok(buffer.len())
        }
    }

    #[test]
    fn what_is_too_large_is_not_read() {
        let limits = Limits { file_bytes: 1000, ..Limits::DEFAULT };
        for (size, read, message) in [
            (Some(5_000_000), 0, "the file has 5000000 bytes, more than the limit of 1000"),
            (None, 1001, "there are more bytes than the limit of 1000"),
        ] {
            let mut count = 0;
            let input =
                read_from(Endless(&mut count), size, "x".to_owned(), &limits, &NoFiles).unwrap();
            assert!(count <= read, "{count} bytes were read");
            assert_eq!(input.checked.diagnostics[0].code, Code::FileTooLarge);
            assert_eq!(input.checked.diagnostics[0].message, message);
        }
    }

    #[test]
    fn a_file_that_grows_while_it_is_read_is_bounded_too() {
        let limits = Limits { file_bytes: 1000, ..Limits::DEFAULT };
        let mut count = 0;
        let input =
            read_from(Endless(&mut count), Some(10), "x".to_owned(), &limits, &NoFiles).unwrap();
        assert_eq!(input.checked.diagnostics[0].code, Code::FileTooLarge);
        assert_eq!(input.source.bytes.len(), 1001);
    }
}
