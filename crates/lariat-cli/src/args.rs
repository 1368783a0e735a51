//! Command-line arguments: the commands, and the options they share.
//!
//! The arguments of a command are defined in its file in `command/`. Help, suggestions and
//! completions are generated from these definitions.

use std::{ffi::OsString, process::ExitCode};

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser};

use crate::{command::Command, console::Colour, exit::Failure};

/// Upper bound of `--threads`.
const MAX_THREADS: i64 = 1024;

/// Text at the end of `lariat --help`.
const AFTER_HELP: &str = "\
Exit codes:
  0    success
  1    errors in a document, or a failed check
  2    invalid command line, or a file that cannot be read or written
  130  interrupted by Ctrl-C (SIGINT)
  143  interrupted by a termination request (SIGTERM)

Results go to standard output, everything else to standard error.

Getting started:
  lariat new rope.lariat                    write a document with a swinging rope
  lariat check rope.lariat                  check it for errors
  lariat eval rope.lariat --frames 1,12     print its points at two frames
  lariat render rope.lariat -o rope.mp4     render a movie
  lariat export rope.lariat -o rope.usda    export to Blender, Houdini, Maya, …
  lariat export rope.lariat -o rope.svg --frames 1-96x16    draw it as SVG";

/// Animate ropes, cords, springs, tails and strings
///
/// A document (`.lariat`, TOML) describes bodies and their motion. The commands check it, evaluate
/// it at any frame, render it, and export it.
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
    pub(crate) global: GlobalOptions,

    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalOptions {
    /// Number of threads; does not affect results
    #[arg(
        long,
        global = true,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS)
    )]
    threads: Option<u16>,

    /// Use colours
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub(crate) color: Colour,

    /// Print only results and errors
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

impl GlobalOptions {
    /// Starts the thread pool of `--threads`; without it, a default pool starts on first use.
    pub(crate) fn build_threads(&self) -> Result<(), Failure> {
        let Some(threads) = self.threads else { return Ok(()) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
        pool.map_err(|error| {
            Failure::new(format!("cannot start {threads} threads: {error}; use fewer"))
        })
    }
}

/// Output that replaces a command: help, the version, or a usage error.
pub(crate) struct Message(clap::Error);

impl Message {
    /// Prints it and returns the exit code.
    pub(crate) fn show(&self) -> ExitCode {
        // A closed pipe is not an error.
        let _ = self.0.print();
        if self.0.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
    }
}

/// Parses the command line.
pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Args, Message> {
    let args: Vec<OsString> = args.into_iter().collect();
    let mut command = Args::command().color(requested_colour(&args));
    let matches = command.try_get_matches_from_mut(args).map_err(Message)?;
    Args::from_arg_matches(&matches).map_err(|error| Message(error.format(&mut command)))
}

/// Colour choice for usage errors, which are printed before the command line is parsed.
fn requested_colour(args: &[OsString]) -> ColorChoice {
    let requested = args.iter().enumerate().find_map(|(i, arg)| match arg.to_str()? {
        "--color" => args.get(i + 1)?.to_str(),
        arg => arg.strip_prefix("--color="),
    });
    match requested {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn every_command_and_option_has_help() {
        fn visit(command: &clap::Command) {
            assert!(command.get_about().is_some(), "`{}` has no help", command.get_name());
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{} of `{}`", arg.get_id(), command.get_name());
            }
            command.get_subcommands().for_each(visit);
        }
        visit(&Args::command());
    }

    #[test]
    fn the_colour_choice_is_known_before_parsing() {
        let requested =
            |line: &str| requested_colour(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(requested("lariat --color never bogus"), ColorChoice::Never);
        assert_eq!(requested("lariat bogus --color=always"), ColorChoice::Always);
        assert_eq!(requested("lariat bogus --color"), ColorChoice::Auto);
    }
}
