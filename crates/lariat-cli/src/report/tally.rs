//! The summary line of `lariat check`.

use std::fmt;

use lariat_scene::{
    check::{Code, Diagnostic, Severity},
    lower::Shot,
};

use crate::words;

/// Numbers of diagnostics, bodies and frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) errors: u64,
    pub(crate) warnings: u64,
    pub(crate) notes: u64,
    /// Bodies and frames that were checked; `None` if the file could not be parsed.
    pub(crate) extent: Option<(u64, Frames)>,
}

/// Frames that were checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Frames {
    /// This many.
    Evaluated(u64),
    /// Those of a default shot, because `[shot]` has errors.
    Default(Shot),
    /// None, because of `--no-frames`.
    Skipped,
}

impl Tally {
    /// Counts diagnostics, including the unlisted ones that the last diagnostic counts.
    pub(crate) fn of(diagnostics: &[Diagnostic], extent: Option<(u64, Frames)>) -> Self {
        let (rest, listed): (Vec<_>, Vec<_>) =
            diagnostics.iter().partition(|diagnostic| diagnostic.code == Code::TooManyDiagnostics);
        let count = |severity: Severity, name: &str| {
            let listed = listed.iter().filter(|f| f.severity == severity).count() as u64;
            let unlisted = rest.iter().flat_map(|f| &f.values).filter(|(of, _)| *of == name);
            listed + unlisted.map(|(_, count)| *count as u64).sum::<u64>()
        };
        Self {
            errors: count(Severity::Error, "errors"),
            warnings: count(Severity::Warning, "warnings"),
            notes: count(Severity::Note, "notes"),
            extent,
        }
    }
}

/// `1 error, 0 warnings in 4 bodies, 120 frames`.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = (words::count(self.errors, "error"), words::count(self.warnings, "warning"));
        write!(f, "{}, {}", counts.0, counts.1)?;
        if self.notes > 0 {
            write!(f, ", {}", words::count(self.notes, "note"))?;
        }
        match self.extent {
            Some((bodies, frames)) => {
                write!(f, " in {}, ", words::count(bodies, "body"))?;
                match frames {
                    Frames::Evaluated(frames) => f.write_str(&words::count(frames, "frame")),
                    Frames::Default(shot) => {
                        write!(f, "{} because `[shot]` has errors", words::shot(&shot))
                    }
                    Frames::Skipped => f.write_str("frames not checked"),
                }
            }
            None => f.write_str("; the file could not be parsed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_states_the_numbers() {
        let diagnostics = [Code::RopeTooShort, Code::UnusedLocator, Code::VersionMissing]
            .map(|code| Diagnostic::new(code, ""));
        let tally = Tally::of(&diagnostics[..1], Some((4, Frames::Evaluated(120))));
        assert_eq!(tally.to_string(), "1 error, 0 warnings in 4 bodies, 120 frames");
        let tally = Tally::of(&diagnostics, Some((1, Frames::Skipped)));
        assert_eq!(tally.to_string(), "1 error, 1 warning, 1 note in 1 body, frames not checked");
        let broken = Tally::of(&diagnostics[..1], None).to_string();
        assert_eq!(broken, "1 error, 0 warnings; the file could not be parsed");
    }
}
