//! `lariat completions`: commands and options at the press of a key.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{
    args::Args,
    console::Console,
    exit::{Done, Outcome},
};

/// Write a script that completes commands and options in a shell
///
/// For bash:   lariat completions bash > ~/.local/share/bash-completion/completions/lariat
///
/// For zsh:    lariat completions zsh > _lariat, in a folder of your $fpath
///
/// For fish:   lariat completions fish > ~/.config/fish/completions/lariat.fish
#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// Which shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> Done {
        // Into memory first: the generator does not survive a pipe that closes.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Args::command(), "lariat", &mut script);
        let mut out = Console::results();
        out.write_all(&script)?;
        out.flush()?;
        Ok(Outcome::Clean)
    }
}
