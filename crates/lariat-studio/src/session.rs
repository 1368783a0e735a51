//! The open document and the place it comes from.
//!
//! Tests: `crates/lariat-studio/tests/studio/document.rs`.

use std::collections::BTreeSet;

use lariat_editor::{Editor, Options};
use lariat_eval::{Files, Moment, Pose, Survey};
use lariat_scene::{
    Path, Value,
    check::Diagnostic,
    lower::{ParameterChannel, parameter},
};

use crate::host::{DocumentFiles, FileStamp};

/// A document that is open, and where it comes from.
#[derive(Debug)]
pub struct Session {
    /// The document with its history.
    pub editor: Editor,
    /// Place on the disk, as the host names it; none for a document that was never saved.
    pub place: Option<String>,
    /// Name in the title of the window.
    pub title: String,
    /// Name of its journal, as the host names it.
    pub journal: Option<String>,
    /// Files that it refers to.
    pub files: DocumentFiles,
    /// Paths of files that are kept with its journal, because it has no place.
    pub kept_files: BTreeSet<String>,
    /// Error of its journal that is known to the person at the window.
    pub journal_error: Option<String>,
    /// State of its file when it was read or written last.
    pub stamp: Option<FileStamp>,
    /// Whether saving replaces what another program wrote, which is set aside first.
    pub replaces_other: bool,
    /// The pose that is shown, the revision it belongs to, and the bodies that wait for a simulation.
    shown: Option<Shown>,
}

/// A pose that is shown.
#[derive(Debug)]
struct Shown {
    revision: u64,
    moment: Moment,
    waiting: Vec<usize>,
    /// Warnings of this frame.
    diagnostics: Vec<Diagnostic>,
    /// Counts poses, since a simulation changes one without an edit.
    version: u64,
}

impl Session {
    /// Opens a text. A text that is not a document is refused with its diagnostics.
    pub fn open(
        text: &str,
        title: impl Into<String>,
        place: Option<String>,
        files: Box<dyn Files>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let files = DocumentFiles::new(files);
        let its = Box::new(files.clone());
        let editor = Editor::open(text, Options { files: its, ..Options::default() })?;
        Ok(Self::of(editor, title, place, files))
    }

    /// An open document, and the files that its editor reads.
    pub fn of(
        editor: Editor,
        title: impl Into<String>,
        place: Option<String>,
        files: DocumentFiles,
    ) -> Self {
        Self {
            editor,
            place,
            title: title.into(),
            journal: None,
            files,
            kept_files: BTreeSet::new(),
            journal_error: None,
            stamp: None,
            replaces_other: false,
            shown: None,
        }
    }

    /// Poses all bodies at a frame, without waiting for simulations. The last pose is kept while
    /// nothing changes.
    pub fn pose(&mut self, frame: f64) {
        let revision = self.editor.revision();
        let version = match &self.shown {
            Some(shown) if shown.revision == revision && shown.moment.frame == frame => {
                if shown.waiting.is_empty() {
                    return;
                }
                shown.version + 1
            }
            Some(shown) => shown.version + 1,
            None => 0,
        };
        let (moment, waiting) = match self.editor.pose(frame) {
            Pose::Ready(moment) => (moment.clone(), Vec::new()),
            Pose::Pending { last, waiting } => (last.clone(), waiting),
        };
        let lowered = self.editor.lowered();
        let mut survey = Survey::default();
        // Bodies of an older pose may be gone.
        if moment.bodies.len() == lowered.bodies.len() {
            survey.note(frame.floor() as i64, &moment);
        }
        let diagnostics = survey.diagnostics(lowered);
        self.shown = Some(Shown { revision, moment, waiting, diagnostics, version });
    }

    /// The pose that was asked for last.
    pub fn shown(&self) -> Option<&Moment> {
        self.shown.as_ref().map(|shown| &shown.moment)
    }

    /// Warnings of all bodies at the frame that is shown.
    pub fn frame_diagnostics(&self) -> &[Diagnostic] {
        self.shown.as_ref().map_or(&[], |shown| &shown.diagnostics)
    }

    /// Number that changes with every pose.
    pub(crate) fn pose_version(&self) -> u64 {
        self.shown.as_ref().map_or(0, |shown| shown.version)
    }

    /// Bodies that wait for a simulation at the frame that is shown.
    pub fn waiting(&self) -> &[usize] {
        self.shown.as_ref().map_or(&[], |shown| &shown.waiting)
    }

    /// The value of a parameter that can be keyed, at a frame; none if it has none.
    pub fn value_at(&self, path: &Path, frame: f64) -> Option<Value> {
        let seconds = self.editor.scene().shot().rate.seconds(frame);
        let found = parameter(self.editor.document(), self.editor.limits(), &path.to_string());
        let list = |numbers: [f64; 3]| Value::List(numbers.map(Value::from).to_vec());
        Some(match found.ok()?.channel {
            ParameterChannel::Number(channel) => channel.at(seconds).into(),
            ParameterChannel::Vector(channel) => list(channel.at(seconds).to_array()),
            ParameterChannel::Colour(channel) => list(channel.at(seconds).0),
        })
    }
}
