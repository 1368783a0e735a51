//! Output streams: results go to standard output, everything else to standard error.
//!
//! Colours are for terminals. `--quiet` suppresses everything but results and errors.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

/// Use of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Colour {
    /// Whether a stream uses colours.
    fn wanted(self, is_terminal: bool) -> bool {
        let unset = |name: &str| std::env::var_os(name).is_none_or(|value| value.is_empty());
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                is_terminal
                    && unset("NO_COLOR")
                    && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
            }
        }
    }
}

/// Colour and verbosity settings of the two streams.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Console {
    colour: Colour,
    quiet: bool,
}

impl Console {
    pub(crate) fn new(colour: Colour, quiet: bool) -> Self {
        Self { colour, quiet }
    }

    /// Buffered standard output, for results. Callers flush it, to catch write errors.
    pub(crate) fn results() -> BufWriter<StdoutLock<'static>> {
        BufWriter::with_capacity(1 << 16, io::stdout().lock())
    }

    /// Whether results use colours.
    pub(crate) fn colours_results(self) -> bool {
        self.colour.wanted(io::stdout().is_terminal())
    }

    /// Whether messages use colours.
    pub(crate) fn colours_messages(self) -> bool {
        self.colour.wanted(io::stderr().is_terminal())
    }

    /// Whether only results and errors are printed.
    pub(crate) fn is_quiet(self) -> bool {
        self.quiet
    }

    /// Whether progress is shown: on a terminal, without `--quiet`.
    pub(crate) fn is_watched(self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// Prints a message, unless `--quiet` is given.
    pub(crate) fn note(self, text: &str) {
        if !self.quiet {
            Self::put(&visible(text));
        }
    }

    /// Prints an error.
    pub(crate) fn error(self, line: &str) {
        let (bold, plain) =
            if self.colours_messages() { ("\x1b[1;91m", "\x1b[0m") } else { ("", "") };
        Self::put(&format!("{bold}error{plain}: {}", visible(line)));
    }

    /// Writes text to standard error, ignoring failures.
    pub(crate) fn put(text: &str) {
        let newline = if text.ends_with('\n') { "" } else { "\n" };
        let _ = io::stderr().lock().write_all(format!("{text}{newline}").as_bytes());
    }
}

/// Lines of a message, which may contain names from files, without anything that a terminal would not
/// show as it is.
fn visible(message: &str) -> String {
    let lines: Vec<String> = message.split('\n').map(lariat_scene::printable).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_can_be_forced_and_forbidden() {
        assert!(Colour::Always.wanted(false));
        assert!(!Colour::Never.wanted(true));
        assert!(!Colour::Auto.wanted(false));
    }
}
