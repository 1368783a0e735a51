//! What a rule has to say: where, what, and the way out.

use std::fmt;

/// Whether a violation fails the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// The tree is not tidy.
    Failure,
    /// Worth knowing; nothing has to be done today.
    Remark,
}

/// One thing a rule found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// Path from the root of the repository, with `/` on every system.
    pub file: String,
    /// Counted from 1; 0 if the whole file is meant.
    pub line: usize,
    /// What is the matter.
    pub message: String,
    /// What to do about it.
    pub way_out: String,
    /// Whether it fails the run.
    pub weight: Weight,
}

impl Violation {
    /// A violation that fails the run.
    pub(crate) fn failure(
        file: impl Into<String>,
        line: usize,
        message: impl Into<String>,
        way_out: impl Into<String>,
    ) -> Self {
        Self {
            file: file.into(),
            line,
            message: message.into(),
            way_out: way_out.into(),
            weight: Weight::Failure,
        }
    }

    /// The same, but only worth knowing.
    pub(crate) fn into_remark(self) -> Self {
        Self { weight: Weight::Remark, ..self }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  {}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if self.weight == Weight::Remark {
            f.write_str(": remark")?;
        }
        writeln!(f, ": {}", self.message)?;
        writeln!(f, "      way out: {}", self.way_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_says_where_what_and_the_way_out() {
        let violation = Violation::failure("a.rs", 3, "the rope is loose", "tie it");
        assert_eq!(violation.to_string(), "  a.rs:3: the rope is loose\n      way out: tie it\n");
        let whole_file = Violation { line: 0, ..violation }.into_remark();
        assert_eq!(
            whole_file.to_string(),
            "  a.rs: remark: the rope is loose\n      way out: tie it\n"
        );
    }
}
