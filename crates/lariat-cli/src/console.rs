//! What goes where: results to standard output, everything else to standard error.
//!
//! So results can be piped on while a person still sees what is going on. Colours are for
//! terminals; `--quiet` silences all that is neither a result nor an error.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Even into a file.
    Always,
    /// Not at all.
    Never,
}

impl Colour {
    /// Whether a stream gets colours.
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

/// The two streams, and how much to say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Console {
    colour: Colour,
    quiet: bool,
}

impl Console {
    pub(crate) fn new(colour: Colour, quiet: bool) -> Self {
        Self { colour, quiet }
    }

    /// Standard output, for results. Whoever writes to it flushes it, to hear of a full disk.
    pub(crate) fn results() -> BufWriter<StdoutLock<'static>> {
        BufWriter::with_capacity(1 << 16, io::stdout().lock())
    }

    /// Whether results get colours.
    pub(crate) fn colours_results(self) -> bool {
        self.colour.wanted(io::stdout().is_terminal())
    }

    /// Whether remarks get colours.
    pub(crate) fn colours_remarks(self) -> bool {
        self.colour.wanted(io::stderr().is_terminal())
    }

    /// Whether only results and errors are said.
    pub(crate) fn is_quiet(self) -> bool {
        self.quiet
    }

    /// Whether somebody watches: only then is progress shown.
    pub(crate) fn is_watched(self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// Says something that is good to know, unless asked to be quiet.
    pub(crate) fn remark(self, text: &str) {
        if !self.quiet {
            Self::put(text);
        }
    }

    /// Says what went wrong.
    pub(crate) fn error(self, line: &str) {
        let (bold, plain) =
            if self.colours_remarks() { ("\x1b[1;91m", "\x1b[0m") } else { ("", "") };
        Self::put(&format!("{bold}error{plain}: {line}"));
    }

    /// Writes a piece of text to standard error. If that is gone too, there is nobody to tell.
    pub(crate) fn put(text: &str) {
        let newline = if text.ends_with('\n') { "" } else { "\n" };
        let _ = io::stderr().lock().write_all(format!("{text}{newline}").as_bytes());
    }
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
