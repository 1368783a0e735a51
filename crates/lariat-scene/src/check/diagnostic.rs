//! Diagnostic: a message with a code, places, numbers and help.
//!
//! It is built where the problem is detected and rendered elsewhere: the command line prints it
//! with the source text, and `--json` prints the same fields.
//!
//! ```
//! use lariat_scene::{check::{Code, Diagnostic}, Path, Places};
//!
//! let path: Path = "body[0].length".parse().unwrap();
//! let diagnostic = Diagnostic::new(Code::RopeTooShort, "rope `rein` is too short")
//!     .label(None, path, "3.000 m of rope; the ends are 3.041 m apart at frame 1")
//!     .help("set `length` to 3.042 or more");
//! assert_eq!(diagnostic.code.name(), "L0601");
//! ```

use std::fmt;

use super::Code;
use crate::{edit::Edit, path::Path, place::Span, value::Value};

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Information; nothing is wrong.
    Note,
    /// It works, but probably not as intended.
    Warning,
    /// Its subject cannot be drawn as requested.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// A place that a diagnostic refers to, with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Byte range in the file, if the document came from one.
    pub span: Option<Span>,
    /// Path in the document; the root if the diagnostic is about the file.
    pub path: Path,
    /// Short text with the numbers.
    pub text: String,
}

/// Frames that a diagnostic refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRange {
    /// First frame.
    pub first: i64,
    /// Last frame.
    pub last: i64,
    /// Number of affected frames; smaller than the range if it has gaps.
    pub count: u64,
    /// Worst frame; the earliest if there are several.
    pub worst: i64,
}

/// One edit that removes the cause of a diagnostic: a parameter and the value that it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// The parameter.
    pub path: Path,
    /// Its new value.
    pub value: Value,
}

impl Remedy {
    /// The edit, for an editor.
    pub fn edit(&self) -> Edit {
        Edit::Set { path: self.path.clone(), value: self.value.clone() }
    }
}

/// A diagnostic.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Its code; `lariat explain` prints the page of a code.
    pub code: Code,
    /// Severity; initially that of the code.
    pub severity: Severity,
    /// The problem in one line.
    pub message: String,
    /// Places; the first is the place of the problem, the others explain it.
    pub labels: Vec<Label>,
    /// Remedies.
    pub helps: Vec<String>,
    /// The edit that is the remedy, where a single one is.
    pub remedy: Option<Box<Remedy>>,
    /// Further information, such as the behaviour until it is fixed.
    pub notes: Vec<String>,
    /// Affected frames, if evaluation reported it.
    pub frames: Option<FrameRange>,
    /// Unrounded numbers of the message: those of the worst frame, in metres and in the units of
    /// the document, or the counts of diagnostics that are not listed.
    pub values: Vec<(&'static str, f64)>,
}

impl Diagnostic {
    /// Creates a diagnostic without a place.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: message.into(),
            labels: Vec::new(),
            helps: Vec::new(),
            remedy: None,
            notes: Vec::new(),
            frames: None,
            values: Vec::new(),
        }
    }

    /// Adds a place.
    #[must_use]
    pub fn label(mut self, span: Option<Span>, path: Path, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, path, text: text.into() });
        self
    }

    /// Adds a help text.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.helps.push(help.into());
        self
    }

    /// Adds a help text if there is one.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.helps.extend(help);
        self
    }

    /// Names the edit that is the remedy, if there is one: a value for a parameter.
    #[must_use]
    pub fn maybe_remedy(mut self, path: &Path, value: Option<Value>) -> Self {
        self.remedy = value.map(|value| Box::new(Remedy { path: path.clone(), value }));
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Sets the affected frames and the numbers of the message.
    #[must_use]
    pub fn at_frames(mut self, frames: FrameRange, values: Vec<(&'static str, f64)>) -> Self {
        (self.frames, self.values) = (Some(frames), values);
        self
    }

    /// Byte range of its first place, if known.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().and_then(|label| label.span)
    }

    /// Path of its first place; the root if it is about the whole file.
    pub fn path(&self) -> Option<&Path> {
        self.labels.first().map(|label| &label.path)
    }

    /// Returns true if it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Formats one line for a log: `error[L0205]: … (at body[0].length)`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.code, self.message)?;
        if let Some(label) = self.labels.first() {
            if !label.path.steps().is_empty() {
                write!(f, " (at {})", label.path)?;
            }
            if !label.text.is_empty() {
                write!(f, ": {}", label.text)?;
            }
        }
        for help in &self.helps {
            write!(f, "; help: {help}")?;
        }
        Ok(())
    }
}
