//! A document opened in one go: read, checked, and bound to models.
//!
//! Tests: `a_document_with_errors_has_no_scene`, `frames_are_looked_at_when_asked`.

use lariat_eval::{Scene, survey};
use lariat_scene::{
    Limits,
    check::{Content, Diagnostic, check},
};

/// What came of opening a document.
#[derive(Debug)]
pub struct Opened {
    /// Everything that is wrong with it or good to know about it.
    pub findings: Vec<Diagnostic>,
    /// What it holds, as far as it can be made sense of.
    pub content: Option<Content>,
    /// The scene, ready for any frame; nothing if there are errors.
    ///
    /// To go on in spite of them bind what is good of `content` yourself: bodies with errors, and
    /// those that hang on them, are not in it.
    pub scene: Option<Scene>,
}

impl Opened {
    /// Evaluates every frame of the shot and tells what could not be done there as told; that is
    /// what `lariat check` adds to the findings.
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
/// what a shot needs.
pub fn open(bytes: &[u8], limits: &Limits) -> Opened {
    let checked = check(bytes, limits);
    let sound = checked.content.as_ref().filter(|_| !checked.has_errors());
    let scene = sound.map(|content| Scene::bind(&content.lowered));
    Opened { findings: checked.findings, content: checked.content, scene }
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
        assert_eq!(opened.findings[0].code, Code::OutOfRange);
        assert!(opened.scene.is_none() && opened.content.is_some());
        assert!(open(b"\xff", &Limits::DEFAULT).content.is_none());
    }

    #[test]
    fn frames_are_looked_at_when_asked() {
        let codes = |length: &str| {
            let opened = open(format!("{ROPE}length = {length}\n").as_bytes(), &Limits::DEFAULT);
            assert!(opened.scene.is_some(), "{:?}", opened.findings);
            opened.look_at_frames().into_iter().map(|finding| finding.code).collect::<Vec<_>>()
        };
        assert_eq!(codes("4"), [Code::RopeTooShort]);
        assert_eq!(codes("6"), []);
    }
}
