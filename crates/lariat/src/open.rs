//! A document opened in one go: read, checked, and bound to models.
//!
//! Tests: `a_document_with_errors_has_no_scene`, `frames_are_looked_at_when_asked`,
//! `a_document_finds_the_files_beside_it`.

use std::{fs, io, path::Path};

use lariat_eval::{Assets, Files, NoFiles, Scene, survey};
use lariat_scene::{
    Limits,
    check::{Content, Diagnostic, check},
};

use crate::{
    Folder,
    takes::{self, FeltFiles},
};

/// What came of opening a document.
#[derive(Debug)]
pub struct Opened {
    /// Everything that is wrong with it or good to know about it.
    pub diagnostics: Vec<Diagnostic>,
    /// What it holds, as far as it can be made sense of.
    pub content: Option<Content>,
    /// What the files that it names hold.
    pub assets: Assets,
    /// The scene, ready for any frame; nothing if there are errors.
    ///
    /// To go on in spite of them bind what is good of `content` yourself: bodies with errors, and
    /// those that hang on them, are not in it.
    pub scene: Option<Scene>,
}

impl Opened {
    /// Evaluates every frame of the shot and tells what could not be done there as told; that is
    /// what `lariat check` adds to the diagnostics.
    pub fn look_at_frames(&self) -> Vec<Diagnostic> {
        match (&self.scene, &self.content) {
            (Some(scene), Some(content)) => survey(scene, &content.lowered, |_| true),
            _ => Vec::new(),
        }
    }
}

/// Reads a document, checks it, and binds it if nothing is wrong.
///
/// `limits` protect memory from documents that ask for too much; [`Limits::DEFAULT`] is far above
/// what a shot needs. Files that the document names are not to be had: see [`open_with`].
pub fn open(bytes: &[u8], limits: &Limits) -> Opened {
    open_with(bytes, limits, &NoFiles)
}

/// The same for a document that names files.
pub fn open_with(bytes: &[u8], limits: &Limits, files: &dyn Files) -> Opened {
    let mut checked = check(bytes, limits);
    let mut assets = Assets::default();
    if let Some(content) = &checked.content {
        assets = Assets::load(&content.lowered, limits, files);
        checked.diagnostics.extend(assets.diagnostics(&content.lowered, limits));
    }
    let sound = checked.content.as_ref().filter(|_| !checked.has_errors());
    let scene = sound.map(|content| Scene::bind_with(&content.lowered, &assets));
    Opened { diagnostics: checked.diagnostics, content: checked.content, assets, scene }
}

/// Opens a document on disk, with the files beside it.
///
/// Bodies that are simulated go on from what was recorded of them ([`takes`]); a take of another
/// state of the document is not used, and there is a note about it among the diagnostics.
pub fn open_file(path: &Path, limits: &Limits) -> io::Result<Opened> {
    let folder = Folder::of(path);
    let files = FeltFiles::new(&folder);
    let mut opened = open_with(&fs::read(path)?, limits, &files);
    if let (Some(scene), Some(content)) = (&opened.scene, &opened.content) {
        let hash = files.motion_hash(&content.document);
        let not_used = takes::load(scene, hash, &takes::folder_of(path));
        opened.diagnostics.extend(takes::note(&content.lowered, scene, &not_used));
    }
    Ok(opened)
}

#[cfg(test)]
mod tests {
    use lariat_scene::check::Code;

    use super::*;

    const ROPE: &str = "lariat = 1\n[[body]]\nname = 'rein'\nmodel = 'suspended-rope'\n\
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
        let text = "lariat = 1\n[[body]]\nname = 'belly'\nmodel = 'mesh'\nfile = 'belly.obj'\n";
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
    fn frames_are_looked_at_when_asked() {
        let codes = |length: &str| {
            let opened = open(format!("{ROPE}length = {length}\n").as_bytes(), &Limits::DEFAULT);
            assert!(opened.scene.is_some(), "{:?}", opened.diagnostics);
            opened
                .look_at_frames()
                .into_iter()
                .map(|diagnostic| diagnostic.code)
                .collect::<Vec<_>>()
        };
        assert_eq!(codes("4"), [Code::RopeTooShort]);
        assert_eq!(codes("6"), []);
    }
}
