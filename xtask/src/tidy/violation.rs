//! A violation of a rule: place, message, fix.

use std::fmt;

/// Whether a violation fails the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Fails the run.
    Failure,
    /// A note that does not fail the run.
    Note,
}

/// One violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// Path from the root of the repository, with `/` on every system.
    pub file: String,
    /// Line counted from 1; 0 for the whole file.
    pub line: usize,
    /// Description of the violation.
    pub message: String,
    /// Instruction for the fix.
    pub fix: String,
    /// Whether it fails the run.
    pub weight: Weight,
}

impl Violation {
    /// A violation that fails the run.
    pub(crate) fn failure(
        file: impl Into<String>,
        line: usize,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            file: file.into(),
            line,
            message: message.into(),
            fix: fix.into(),
            weight: Weight::Failure,
        }
    }

    /// Turns the violation into a note.
    pub(crate) fn into_note(self) -> Self {
        Self { weight: Weight::Note, ..self }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  {}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if self.weight == Weight::Note {
            f.write_str(": note")?;
        }
        writeln!(f, ": {}", self.message)?;
        writeln!(f, "      fix: {}", self.fix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violation_prints_place_message_and_fix() {
        let violation = Violation::failure("a.rs", 3, "the rope is loose", "tie it");
        assert_eq!(violation.to_string(), "  a.rs:3: the rope is loose\n      fix: tie it\n");
        let whole_file = Violation { line: 0, ..violation }.into_note();
        assert_eq!(whole_file.to_string(), "  a.rs: note: the rope is loose\n      fix: tie it\n");
    }
}
