//! How many diagnostics there are, in how much: the last line of `lariat check`.

use std::fmt;

use lariat_scene::{
    check::{Code, Diagnostic, Severity},
    lower::Shot,
};

use crate::words;

/// Numbers of diagnostics, and of what was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) errors: u64,
    pub(crate) warnings: u64,
    pub(crate) notes: u64,
    /// Bodies and frames that were looked at; nothing if the file could not be made sense of.
    pub(crate) seen: Option<(u64, Frames)>,
}

/// Which frames were looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Frames {
    /// So many.
    Seen(u64),
    /// Those that stand in for the shot's, which has errors.
    StandIn(Shot),
    /// None, because nobody asked for it.
    NotAsked,
}

impl Tally {
    /// Counts diagnostics; the one that stands for those not listed counts as these.
    pub(crate) fn of(diagnostics: &[Diagnostic], seen: Option<(u64, Frames)>) -> Self {
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
            seen,
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
        match self.seen {
            Some((bodies, frames)) => {
                write!(f, " in {}, ", words::count(bodies, "body"))?;
                match frames {
                    Frames::Seen(frames) => f.write_str(&words::count(frames, "frame")),
                    Frames::StandIn(shot) => {
                        write!(f, "{} because `[shot]` has errors", words::shot(&shot))
                    }
                    Frames::NotAsked => f.write_str("no frames looked at"),
                }
            }
            None => f.write_str("; the file could not be looked at any further"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_has_the_numbers() {
        let diagnostics = [Code::RopeTooShort, Code::UnusedLocator, Code::VersionMissing]
            .map(|code| Diagnostic::new(code, ""));
        let tally = Tally::of(&diagnostics[..1], Some((4, Frames::Seen(120))));
        assert_eq!(tally.to_string(), "1 error, 0 warnings in 4 bodies, 120 frames");
        let tally = Tally::of(&diagnostics, Some((1, Frames::NotAsked)));
        assert_eq!(tally.to_string(), "1 error, 1 warning, 1 note in 1 body, no frames looked at");
        let broken = Tally::of(&diagnostics[..1], None).to_string();
        assert_eq!(broken, "1 error, 0 warnings; the file could not be looked at any further");
    }
}
