//! The open document and the place it comes from.
//!
//! Tests: `tests/studio`.

use lariat_editor::{Editor, Options};
use lariat_eval::{Files, Moment};
use lariat_scene::{
    Path, Value,
    check::Diagnostic,
    lower::{ParameterChannel, parameter},
};

/// A document that is open, and where it comes from.
#[derive(Debug)]
pub struct Session {
    /// The document with its history.
    pub editor: Editor,
    /// Place on the disk, as the host names it; none for a document that was never saved.
    pub place: Option<String>,
    /// Name in the title of the window.
    pub title: String,
    /// The pose that is shown, and the revision it belongs to.
    shown: Option<(u64, Moment)>,
}

impl Session {
    /// Opens a text. A text that is not a document is refused with its diagnostics.
    pub fn open(
        text: &str,
        title: impl Into<String>,
        place: Option<String>,
        files: Box<dyn Files>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let editor = Editor::open(text, Options { files, ..Options::default() })?;
        Ok(Self { editor, place, title: title.into(), shown: None })
    }

    /// All bodies at a frame. The last pose is kept while neither document nor frame change.
    pub fn pose(&mut self, frame: f64) -> &Moment {
        let revision = self.editor.revision();
        let kept = self.shown.take();
        let kept = kept.filter(|(of, moment)| *of == revision && moment.frame == frame);
        let shown = kept.unwrap_or_else(|| (revision, self.editor.at(frame).clone()));
        &self.shown.insert(shown).1
    }

    /// The pose that was asked for last.
    pub fn shown(&self) -> Option<&Moment> {
        self.shown.as_ref().map(|(_, moment)| moment)
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
