//! The `lariat` command.
//!
//! ```text
//! ahead.rs      simulations with progress bars, and takes beside a document
//! args.rs       commands and the options they share
//! command/      one file per command
//! exit.rs       results of commands and exit codes
//! console.rs    standard output for results, standard error for everything else
//! input.rs      documents from files, from standard input and from the museum
//! museum.rs     museum scenes and recipes by name: museum:NAME
//! prepare.rs    opens and checks the document of a command
//! frames.rs     frame sets: 1-10, 1,5-9, 1-100x2
//! guide.rs      checks of the guide's commands (tests only)
//! limit.rs      limits set on the command line: --limit bodies=500000
//! modes/        modes of recorded motion
//! points/       points of bodies as a table, CSV or JSON
//! report/       diagnostics as annotated source lines and as JSON
//! json.rs       streaming JSON writer
//! kept.rs       existing pictures of --skip-existing
//! markdown.rs   Markdown pages for a terminal
//! output.rs     atomic output files and their errors
//! progress.rs   progress bars
//! interrupt.rs  Ctrl-C and termination signals
//! renderer.rs   --renderer, and drawing errors with their remedies
//! words.rs      formatting of numbers and names in messages
//! ```
//!
//! A command returns its outcome; this file ends the process, except after Ctrl-C and termination
//! requests that the command does not answer in time (`interrupt.rs`).

mod ahead;
mod args;
mod command;
mod console;
mod exit;
mod frames;
#[cfg(test)]
mod guide;
mod input;
mod interrupt;
mod json;
mod kept;
mod limit;
mod markdown;
mod modes;
mod museum;
mod output;
mod points;
mod prepare;
mod progress;
mod renderer;
mod report;
mod words;

use std::{ffi::OsString, process::ExitCode};

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.len() == 1 && command::opens_by_itself() {
        arguments.push("studio".into());
    }
    let args = match args::parse(arguments) {
        Ok(args) => args,
        Err(message) => return message.show(),
    };
    let console = console::Console::new(args.global.color, args.global.quiet);
    let done = interrupt::install(console)
        .and_then(|()| args.global.build_threads())
        .and_then(|()| command::run(&args.command, console));
    exit::end(done, console)
}
