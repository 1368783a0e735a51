//! One diagnostic: what is wrong, where, with which numbers, and the way out.
//!
//! Built in one breath where it is found, rendered elsewhere (the command line draws it under
//! the text, `--json` hands over the same fields):
//!
//! ```
//! use lariat_scene::{check::{Code, Diagnostic}, Path, Places};
//!
//! let path: Path = "body[0].length".parse().unwrap();
//! let diagnostic = Diagnostic::new(Code::RopeTooShort, "rope `rein` is shorter than the gap it must span")
//!     .label(None, path, "3.000 m of rope; the ends are 3.041 m apart at frame 1")
//!     .help("set `length` to 3.042 or more");
//! assert_eq!(diagnostic.code.name(), "L0601");
//! ```

use std::fmt;

use super::Code;
use crate::{path::Path, place::Span};

/// How grave a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Good to know; nothing is wrong.
    Note,
    /// It works, but most likely not as meant.
    Warning,
    /// What it is about cannot be drawn as asked.
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

/// A place that a diagnostic is about, and what is to be said there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The bytes in the file, if the document came from one.
    pub span: Option<Span>,
    /// The address in the document; the document itself if it is about the file.
    pub path: Path,
    /// A few words with the numbers.
    pub text: String,
}

/// The frames that a diagnostic is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRange {
    /// The first of them.
    pub first: i64,
    /// The last of them.
    pub last: i64,
    /// How many; fewer than there are from first to last if some between are fine.
    pub count: u64,
    /// Where it is worst; the earliest of several.
    pub worst: i64,
}

/// One diagnostic.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Which diagnostic it is; `lariat explain` has a page for it.
    pub code: Code,
    /// How grave it is; at first what the code says.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// Where; the first is the place itself, further ones are places that explain it.
    pub labels: Vec<Label>,
    /// Ways out.
    pub helps: Vec<String>,
    /// What else is good to know: what happens until it is mended.
    pub notes: Vec<String>,
    /// At which frames, for what shows when frames are evaluated.
    pub frames: Option<FrameRange>,
    /// The numbers of the sentences, unrounded, for what evaluation finds (at the worst frame: in
    /// metres, and as the document has them) and for what is not listed (how many).
    pub values: Vec<(&'static str, f64)>,
}

impl Diagnostic {
    /// A diagnostic without a place yet.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: message.into(),
            labels: Vec::new(),
            helps: Vec::new(),
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

    /// Adds a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.helps.push(help.into());
        self
    }

    /// Adds a way out if there is one.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.helps.extend(help);
        self
    }

    /// Adds something that is good to know.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says at which frames, and which numbers are in its sentences.
    #[must_use]
    pub fn at_frames(mut self, frames: FrameRange, values: Vec<(&'static str, f64)>) -> Self {
        (self.frames, self.values) = (Some(frames), values);
        self
    }

    /// The bytes it is about, if known.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().and_then(|label| label.span)
    }

    /// The address it is about; the document itself if it is about the whole file.
    pub fn path(&self) -> Option<&Path> {
        self.labels.first().map(|label| &label.path)
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// One line for a log: `error[L0205]: … (at body[0].length)`. The command line draws more.
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
