//! The `lariat` command: make a document, check it, look at its numbers, export it, draw it.
//!
//! ```text
//! ahead.rs      simulations with progress bars, and takes beside a document
//! args.rs       what can be said on the command line: commands and options they share
//! command/      one file per command
//! exit.rs       how a command ends: clean, with diagnostics, or not at all
//! console.rs    what goes where: results to standard output, everything else to standard error
//! input.rs      a document from a file or from standard input, however large or broken
//! museum scene.rs    scenes of the museum by their name: museum:NAME
//! prepare.rs    a document looked through before anything is made of it
//! frames.rs     sets of frames: 1-10, 1,5-9, 1-100x2
//! limit.rs      bounds raised on the command line: --limit bodies=500000
//! modes/        recorded motion taken apart, and put together as a document
//! points/       points of bodies as a table, as CSV, as JSON
//! report/       diagnostics as text under the lines of the file, and as JSON
//! starter/      documents to start from, one for each model
//! json.rs       JSON as it is written, piece by piece
//! markdown.rs   pages for people who read them in a terminal
//! output.rs     files that are whole or not there, and how to say why one is not
//! progress.rs   a bar for what takes long, if anybody is watching
//! interrupt.rs  Ctrl-C, so that who writes files can tidy up
//! renderer.rs   --renderer, and errors of drawing with the flags that avoid them
//! words.rs      numbers and names in sentences
//! ```
//!
//! A command returns what came of it; this file ends the process, and `interrupt.rs` at a second
//! Ctrl-C.

mod ahead;
mod args;
mod command;
mod console;
mod exit;
mod frames;
mod input;
mod interrupt;
mod json;
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
mod starter;
mod words;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args = match args::parse(std::env::args_os()) {
        Ok(args) => args,
        Err(message) => return message.show(),
    };
    let console = console::Console::new(args.everywhere.color, args.everywhere.quiet);
    let done = args.everywhere.build_threads().and_then(|()| command::run(&args.command, console));
    exit::end(done, console)
}
