//! What lowering found: all of it, up to a bound.

use crate::{
    check::{Code, Diagnostic, Severity},
    limits::Limits,
    path::Path,
};

/// A list of findings that counts on when it is full.
pub(super) struct Findings {
    list: Vec<Diagnostic>,
    most: u64,
    more: u64,
    /// Errors among those that are not listed.
    more_errors: u64,
    errors: u64,
}

impl Findings {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { list: Vec::new(), most: limits.findings, more: 0, more_errors: 0, errors: 0 }
    }

    pub(super) fn push(&mut self, finding: Diagnostic) {
        if finding.severity == Severity::Error {
            self.errors += 1;
        }
        if (self.list.len() as u64) < self.most {
            self.list.push(finding);
        } else {
            self.more += 1;
            self.more_errors += u64::from(finding.severity == Severity::Error);
        }
    }

    /// Whether further findings are only counted: there is no need to word them well.
    pub(super) fn is_full(&self) -> bool {
        self.list.len() as u64 >= self.most
    }

    /// How many errors there were so far, listed or not.
    pub(super) fn errors(&self) -> u64 {
        self.errors
    }

    /// The findings, in the order of the file.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|finding| finding.span().map(|span| span.start));
        if self.more > 0 {
            let mut rest = Diagnostic::new(
                Code::TooManyFindings,
                format!(
                    "{} further findings are not listed, {} of them errors",
                    self.more, self.more_errors
                ),
            )
            .label(None, Path::root(), "")
            .help("mend the first ones, or raise the limit with `--limit findings=N`");
            if self.more_errors > 0 {
                rest.severity = Severity::Error;
            }
            self.list.push(rest);
        }
        self.list
    }
}
