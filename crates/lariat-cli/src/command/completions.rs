//! `lariat completions`: shell completions.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{
    args::Args,
    console::Console,
    exit::{Done, Outcome},
};

/// Generate a completion script for a shell
///
/// For bash:   lariat completions bash > ~/.local/share/bash-completion/completions/lariat
///
/// For zsh:    lariat completions zsh > _lariat, in a folder of your $fpath
///
/// For fish:   lariat completions fish > ~/.config/fish/completions/lariat.fish
#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// Shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> Done {
        // The generator panics on a closed pipe, so it writes to memory.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Args::command(), "lariat", &mut script);
        let mut out = Console::results();
        out.write_all(&script)?;
        out.flush()?;
        Ok(Outcome::Clean)
    }
}
