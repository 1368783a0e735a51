//! What can be said on the command line: the commands, and the options they share.
//!
//! Each command's own arguments stand in its file in `command/`. Help, suggestions for slips and
//! completions all come from these descriptions.

use std::{ffi::OsString, process::ExitCode};

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser};

use crate::{command::Command, console::Colour, exit::Failure};

/// More threads than this are a slip of the finger, not a machine.
const MOST_THREADS: i64 = 1024;

/// The end of `lariat --help`.
const AFTER_HELP: &str = "\
Exit codes:
  0  done, and nothing is wrong
  1  done, but something was found: errors in a document, a check that does not pass
  2  could not be done: a mistake on the command line, a file that cannot be read or written

Results go to standard output, everything else to standard error.

To begin with:
  lariat new rope.lariat                    a swinging rope, with every parameter explained
  lariat check rope.lariat                  is everything right?
  lariat eval rope.lariat --frames 1,12     where are its points?
  lariat render rope.lariat -o rope.mp4     what does it look like?
  lariat export rope.lariat -o rope.usda    for Blender, Houdini, Maya, …
  lariat export rope.lariat -o rope.svg --frames 1-96x16    a drawing for a quick look";

/// Animates ropes, cords, springs, tails and strings
///
/// A document (`.lariat`, TOML) says what there is and how it moves; every command looks at one
/// and answers: is it right, where is everything at a frame, what does it look like, as a movie or as USD.
#[derive(Debug, Parser)]
#[command(
    name = "lariat",
    version,
    after_help = AFTER_HELP,
    arg_required_else_help = true,
    infer_long_args = false,
    max_term_width = 100
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) everywhere: Everywhere,

    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options that every command has.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Everywhere {
    /// How many threads to use; results are the same with any number
    #[arg(
        long,
        global = true,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS)
    )]
    threads: Option<u16>,

    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub(crate) color: Colour,

    /// Say nothing but results and errors
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

impl Everywhere {
    /// Starts the threads that were asked for; otherwise they start when they are needed.
    pub(crate) fn build_threads(&self) -> Result<(), Failure> {
        let Some(threads) = self.threads else { return Ok(()) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
        pool.map_err(|error| {
            Failure::new(format!("{threads} threads cannot be started: {error}; ask for fewer"))
        })
    }
}

/// What to say instead of carrying out a command: help, a version, or what was wrong.
pub(crate) struct Message(clap::Error);

impl Message {
    /// Shows it, and what to tell whoever called.
    pub(crate) fn show(&self) -> ExitCode {
        // A reader that went away has seen enough.
        let _ = self.0.print();
        if self.0.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
    }
}

/// Makes sense of a command line.
pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Args, Message> {
    let args: Vec<OsString> = args.into_iter().collect();
    let mut command = Args::command().color(colour_asked(&args));
    let matches = command.try_get_matches_from_mut(args).map_err(Message)?;
    Args::from_arg_matches(&matches).map_err(|error| Message(error.format(&mut command)))
}

/// The colours to use for mistakes on the command line, which are told before it is understood.
fn colour_asked(args: &[OsString]) -> ColorChoice {
    let asked = args.iter().enumerate().find_map(|(i, arg)| match arg.to_str()? {
        "--color" => args.get(i + 1)?.to_str(),
        arg => arg.strip_prefix("--color="),
    });
    match asked {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_described_without_contradiction() {
        Args::command().debug_assert();
    }

    #[test]
    fn every_command_and_option_has_help() {
        fn look(command: &clap::Command) {
            assert!(command.get_about().is_some(), "`{}` has no help", command.get_name());
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{} of `{}`", arg.get_id(), command.get_name());
            }
            command.get_subcommands().for_each(look);
        }
        look(&Args::command());
    }

    #[test]
    fn colours_are_known_before_the_rest_is_understood() {
        let asked =
            |line: &str| colour_asked(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(asked("lariat --color never bogus"), ColorChoice::Never);
        assert_eq!(asked("lariat bogus --color=always"), ColorChoice::Always);
        assert_eq!(asked("lariat bogus --color"), ColorChoice::Auto);
    }
}
