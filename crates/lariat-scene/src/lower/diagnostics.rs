//! List of diagnostics, up to the limit.

use crate::{
    check::{Code, Diagnostic, Severity},
    limits::Limits,
    path::Path,
};

/// List of diagnostics that only counts further ones when it is full.
pub(super) struct Diagnostics {
    list: Vec<Diagnostic>,
    most: u64,
    /// Number of errors, warnings and notes that are not listed.
    more: [u64; 3],
    errors: u64,
}

impl Diagnostics {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { list: Vec::new(), most: limits.diagnostics, more: [0; 3], errors: 0 }
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
        }
        if (self.list.len() as u64) < self.most {
            self.list.push(diagnostic);
        } else {
            self.more[match diagnostic.severity {
                Severity::Error => 0,
                Severity::Warning => 1,
                Severity::Note => 2,
            }] += 1;
        }
    }

    /// Returns true if further diagnostics are only counted, so their texts are not needed.
    pub(super) fn is_full(&self) -> bool {
        self.list.len() as u64 >= self.most
    }

    /// Number of errors so far, listed or not.
    pub(super) fn errors(&self) -> u64 {
        self.errors
    }

    /// Returns the diagnostics in the order of the file.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|diagnostic| diagnostic.span().map(|span| span.start));
        let [errors, warnings, notes] = self.more;
        let more = errors + warnings + notes;
        if more > 0 {
            let mut rest = Diagnostic::new(
                Code::TooManyDiagnostics,
                format!("{more} further diagnostics are not listed, {errors} of them errors"),
            )
            .label(None, Path::root(), "")
            .help("fix the first ones, or raise the limit with `--limit diagnostics=N`");
            let counts = [("errors", errors), ("warnings", warnings), ("notes", notes)];
            rest.values = counts.map(|(name, count)| (name, count as f64)).to_vec();
            if errors == 0 {
                rest.severity = Severity::Note;
            }
            self.list.push(rest);
        }
        self.list
    }
}
