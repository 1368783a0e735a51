//! List of diagnostics, up to the limit.

use crate::{
    check::{Code, Diagnostic, Severity},
    document::Thing,
    limits::Limits,
    path::{Path, Step},
};

/// List of diagnostics that only counts further ones when it is full.
#[derive(Debug)]
pub(super) struct Diagnostics {
    list: Vec<Diagnostic>,
    most: u64,
    /// Number of errors, warnings and notes that are not listed.
    more: [u64; 3],
    errors: u64,
}

impl Diagnostics {
    pub(super) fn new(limits: &Limits) -> Self {
        Self::with_room(limits.diagnostics)
    }

    /// A list of at most so many.
    pub(super) fn with_room(most: u64) -> Self {
        Self { list: Vec::new(), most, more: [0; 3], errors: 0 }
    }

    /// Number of diagnostics that can still be listed.
    pub(super) fn room(&self) -> u64 {
        self.most.saturating_sub(self.list.len() as u64)
    }

    /// Returns true if a list with so much room would list more of these.
    pub(super) fn has_more_for(&self, room: u64) -> bool {
        self.more != [0; 3] && (self.list.len() as u64) < room
    }

    /// Adds copies of all diagnostics of another list.
    pub(super) fn append(&mut self, other: &Self) {
        for diagnostic in &other.list {
            if self.is_full() {
                self.count(diagnostic.severity);
            } else {
                self.push(diagnostic.clone());
            }
        }
        self.errors += other.more[0];
        for (more, other) in self.more.iter_mut().zip(other.more) {
            *more += other;
        }
    }

    /// Moves the diagnostics of a thing to another index among its kind.
    pub(super) fn set_index(&mut self, index: usize) {
        let paths = self.list.iter_mut().flat_map(|diagnostic| {
            let labels = diagnostic.labels.iter_mut().map(|label| &mut label.path);
            labels.chain(diagnostic.remedy.as_mut().map(|remedy| &mut remedy.path))
        });
        for path in paths {
            let is_thing = matches!(path.steps(), [Step::Field(list), Step::Index(_), ..] if Thing::of_list(list).is_some());
            if is_thing {
                let steps = path.steps().iter().enumerate();
                let moved = |(i, step): (usize, &Step)| match i {
                    1 => Step::Index(index),
                    _ => step.clone(),
                };
                *path = steps.map(moved).collect();
            }
        }
    }

    /// Counts a diagnostic that is not listed.
    fn count(&mut self, severity: Severity) {
        if severity == Severity::Error {
            self.errors += 1;
        }
        self.more[match severity {
            Severity::Error => 0,
            Severity::Warning => 1,
            Severity::Note => 2,
        }] += 1;
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        if self.is_full() {
            self.count(diagnostic.severity);
        } else {
            self.errors += u64::from(diagnostic.severity == Severity::Error);
            self.list.push(diagnostic);
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
