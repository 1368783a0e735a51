//! Opening a document: reading within limits, checking, and binding to models.
//!
//! Diagnostics are in the order of the file. A source larger than the limit gives a diagnostic, and
//! is read no further than the limit.
//!
//! Tests: `a_document_with_errors_has_no_scene`, `frames_are_surveyed_on_request`,
//! `a_document_finds_the_files_beside_it`, `a_source_larger_than_the_limit_is_not_read`,
//! `diagnostics_of_files_are_in_the_order_of_the_document`.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use lariat_eval::{Assets, Files, NoFiles, Scene, survey};
use lariat_scene::{
    Limits,
    check::{Checked, Code, Content, Diagnostic, check},
};

use crate::{
    Folder,
    files::is_named_pipe,
    takes::{self, TakeFolder, TrackedFiles},
};

/// A document that has been opened.
#[derive(Debug)]
pub struct Opened {
    /// Text of the document as far as it was read.
    pub bytes: Vec<u8>,
    /// Errors, warnings and notes, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
    /// Content of the document, as far as it is valid.
    pub content: Option<Content>,
    /// Content of the files that the document refers to.
    pub assets: Assets,
    /// Hash of everything that a simulation depends on, including files; identifies takes
    /// (simulation caches).
    pub motion: u128,
    /// The scene; `None` if there are errors ([`bind`](Self::bind)).
    pub scene: Option<Scene>,
}

impl Opened {
    /// Whether the document has errors.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Binds the scene despite errors: bodies with errors, and the bodies attached to them, are
    /// skipped. Returns `None` if the document has no content.
    pub fn bind(&self) -> Option<Scene> {
        self.content.as_ref().map(|content| Scene::bind_with(&content.lowered, &self.assets))
    }

    /// Evaluates every frame of the shot and returns the resulting diagnostics, which are not among
    /// those of the document.
    pub fn check_frames(&self) -> Vec<Diagnostic> {
        match (&self.scene, &self.content) {
            (Some(scene), Some(content)) => survey(scene, &content.lowered, |_| true),
            _ => Vec::new(),
        }
    }
}

/// Opens a document that refers to no files.
///
/// `limits` protect memory from documents that ask for too much; [`Limits::DEFAULT`] is far above
/// the needs of a shot. [`open_with`] also gives access to files.
pub fn open(bytes: &[u8], limits: &Limits) -> Opened {
    open_with(bytes, limits, &NoFiles)
}

/// Opens a document that refers to files.
pub fn open_with(bytes: &[u8], limits: &Limits, files: &dyn Files) -> Opened {
    opened(bytes.to_vec(), Some(bytes.len() as u64), limits, files)
}

/// Opens a document from a reader. `size` is its size in bytes if known: a source larger than the
/// limit is not read at all.
pub fn open_from(
    from: impl Read,
    size: Option<u64>,
    limits: &Limits,
    files: &dyn Files,
) -> io::Result<Opened> {
    let mut bytes = Vec::new();
    let limit = limits.file_bytes;
    if size.is_none_or(|size| size <= limit) {
        bytes.reserve(size.unwrap_or(0) as usize);
        from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    }
    Ok(opened(bytes, size, limits, files))
}

/// Opens a document on disk, with the files beside it, but without its takes.
pub fn open_file_without_takes(path: &Path, limits: &Limits) -> io::Result<Opened> {
    open_file_with(path, limits, &Folder::of(path))
}

/// Opens a document on disk without its takes, and with files from another source than
/// [`Folder::of`]: `Folder::of(path).allow(["../library"])`.
pub fn open_file_with(path: &Path, limits: &Limits, files: &dyn Files) -> io::Result<Opened> {
    if is_named_pipe(path) {
        return Err(io::Error::other("it is a named pipe, which may never be written to"));
    }
    let found = fs::metadata(path)?;
    // A pipe has no size until it has been read.
    let size = found.is_file().then_some(found.len());
    open_from(File::open(path)?, size, limits, files)
}

/// Opens a document on disk, with the files and the takes beside it.
///
/// Simulated bodies continue from their takes ([`takes`]). A take of another version of the
/// document is not used, and the diagnostics contain a note about it.
pub fn open_file(path: &Path, limits: &Limits) -> io::Result<Opened> {
    let mut opened = open_file_without_takes(path, limits)?;
    if let (Some(scene), Some(content)) = (&opened.scene, &opened.content) {
        let folder = TakeFolder::beside(path);
        let unused = takes::load(scene, opened.motion, Some(&folder), limits);
        opened.diagnostics.extend(takes::notes(&content.lowered, scene, &unused));
    }
    Ok(opened)
}

fn opened(bytes: Vec<u8>, size: Option<u64>, limits: &Limits, files: &dyn Files) -> Opened {
    let mut checked = match size.unwrap_or(0).max(bytes.len() as u64) {
        read if read > limits.file_bytes => {
            Checked { diagnostics: vec![too_large(size, limits.file_bytes)], content: None }
        }
        _ => check(&bytes, limits),
    };
    let (mut assets, mut motion) = (Assets::default(), 0);
    if let Some(content) = &checked.content {
        let files = TrackedFiles::new(files);
        assets = Assets::load(&content.lowered, limits, &files);
        motion = files.motion_hash(&content.document);
        let found = assets.diagnostics(&content.lowered, limits);
        if !found.is_empty() {
            checked.diagnostics.extend(found);
            sort_diagnostics(&mut checked.diagnostics);
        }
    }
    let sound = checked.content.as_ref().filter(|_| !checked.has_errors());
    let scene = sound.map(|content| Scene::bind_with(&content.lowered, &assets));
    let Checked { diagnostics, content } = checked;
    Opened { bytes, diagnostics, content, assets, motion, scene }
}

/// Sorts diagnostics by their place in the file. Those about the whole file come first; tears come
/// after their possible causes, and the count of unlisted diagnostics comes last.
pub fn sort_diagnostics(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|diagnostic| {
        let last = [Code::StringTorn, Code::TooManyDiagnostics];
        let last =
            last.iter().position(|code| *code == diagnostic.code).map_or(0, |place| place + 1);
        (last, diagnostic.span().map(|span| span.start))
    });
}

fn too_large(size: Option<u64>, limit: u64) -> Diagnostic {
    let message = match size {
        Some(size) => format!("the file has {size} bytes, more than the limit of {limit}"),
        None => format!("there are more bytes than the limit of {limit}"),
    };
    Diagnostic::new(Code::FileTooLarge, message)
        .help("raise the limit with `--limit file-bytes=N`, or split the shot")
}

#[cfg(test)]
mod tests {
    use lariat_scene::check::Code;

    use super::*;

    const ROPE: &str = "lariat = 2\n[[body]]\nname = 'rein'\nmodel = 'suspended-rope'\n\
                        from = [0, 0, 2]\nto = { keys = [[1, [3, 0, 2]], [24, [5, 0, 2]]] }\n";

    #[test]
    fn a_document_with_errors_has_no_scene() {
        let opened = open(format!("{ROPE}length = -6\n").as_bytes(), &Limits::DEFAULT);
        assert_eq!(opened.diagnostics[0].code, Code::OutOfRange);
        assert!(opened.scene.is_none() && opened.content.is_some());
        assert!(open(b"\xff", &Limits::DEFAULT).content.is_none());
    }

    #[test]
    fn a_document_finds_the_files_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let shot = folder.path().join("shot.lariat");
        let text = "lariat = 2\n[[body]]\nname = 'belly'\nmodel = 'mesh'\nfile = 'belly.obj'\n";
        fs::write(&shot, text).unwrap();
        let opened = open_file(&shot, &Limits::DEFAULT).unwrap();
        assert_eq!(opened.diagnostics[0].code, Code::UnreadableFile);
        assert!(opened.scene.is_none());
        fs::write(folder.path().join("belly.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
        let scene = open_file(&shot, &Limits::DEFAULT).unwrap().scene.unwrap();
        assert_eq!(scene.evaluate(1.0).bodies[0].mesh.as_ref().unwrap().points().len(), 3);
        assert_eq!(
            open(text.as_bytes(), &Limits::DEFAULT).diagnostics[0].code,
            Code::UnreadableFile
        );
    }

    #[test]
    fn frames_are_surveyed_on_request() {
        let codes = |length: &str| {
            let opened = open(format!("{ROPE}length = {length}\n").as_bytes(), &Limits::DEFAULT);
            assert!(opened.scene.is_some(), "{:?}", opened.diagnostics);
            opened.check_frames().into_iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>()
        };
        assert_eq!(codes("4"), [Code::RopeTooShort]);
        assert_eq!(codes("6"), []);
    }

    /// An endless source that counts the bytes read.
    struct Endless<'a>(&'a mut u64);

    impl Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(b'#');
            *self.0 += buffer.len() as u64;
            Ok(buffer.len())
        }
    }

    #[test]
    fn a_source_larger_than_the_limit_is_not_read() {
        let limits = Limits { file_bytes: 1000, ..Limits::DEFAULT };
        for (size, read, message) in [
            (Some(5_000_000), 0, "the file has 5000000 bytes, more than the limit of 1000"),
            (None, 1001, "there are more bytes than the limit of 1000"),
        ] {
            let mut count = 0;
            let opened = open_from(Endless(&mut count), size, &limits, &NoFiles).unwrap();
            assert!(count <= read, "{count} bytes were read");
            assert_eq!(opened.diagnostics[0].code, Code::FileTooLarge);
            assert_eq!(opened.diagnostics[0].message, message);
        }
    }

    #[test]
    fn a_source_that_grows_while_it_is_read_is_bounded_too() {
        let limits = Limits { file_bytes: 1000, ..Limits::DEFAULT };
        let mut count = 0;
        let opened = open_from(Endless(&mut count), Some(10), &limits, &NoFiles).unwrap();
        assert_eq!(opened.diagnostics[0].code, Code::FileTooLarge);
        assert_eq!(opened.bytes.len(), 1001);
    }

    #[test]
    fn a_file_larger_than_the_limit_gives_a_diagnostic() {
        let folder = tempfile::tempdir().unwrap();
        let shot = folder.path().join("shot.lariat");
        fs::write(&shot, ROPE).unwrap();
        let limits = Limits { file_bytes: 10, ..Limits::DEFAULT };
        let opened = open_file(&shot, &limits).unwrap();
        assert_eq!(opened.diagnostics[0].code, Code::FileTooLarge);
        assert!(opened.bytes.is_empty() && opened.content.is_none());
    }

    #[test]
    fn diagnostics_of_files_are_in_the_order_of_the_document() {
        let text = "lariat = 2\n[[body]]\nname = 'belly'\nmodel = 'mesh'\nfile = 'belly.obj'\n\
                    [[body]]\nname = 'rein'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\nlength = -1\n";
        let opened = open(text.as_bytes(), &Limits::DEFAULT);
        let codes: Vec<Code> = opened.diagnostics.iter().map(|found| found.code).collect();
        assert_eq!(codes, [Code::UnreadableFile, Code::OutOfRange]);
    }
}
