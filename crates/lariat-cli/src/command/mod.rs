//! The commands, one file each.

mod check;
mod clean;
mod completions;
mod eval;
mod explain;
mod export;
mod modes;
mod museum;
mod new;
mod play;
mod plot;
mod render;
mod simulate;
mod studio;
mod validate;

use crate::{console::Console, exit::Done};

pub(crate) use studio::opens_by_itself;

/// Commands of `lariat`.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    New(new::New),
    Check(check::Check),
    Eval(eval::Eval),
    Export(export::Export),
    Render(render::Render),
    Simulate(simulate::Simulate),
    Plot(plot::Plot),
    Modes(modes::Modes),
    Explain(explain::Explain),
    Studio(studio::Studio),
    Museum(museum::Museum),
    Clean(clean::Clean),
    Play(play::Play),
    Validate(validate::Validate),
    Completions(completions::Completions),
}

/// Runs a command.
pub(crate) fn run(command: &Command, console: Console) -> Done {
    match command {
        Command::New(new) => new.run(console),
        Command::Check(check) => check.run(console),
        Command::Eval(eval) => eval.run(console),
        Command::Export(export) => export.run(console),
        Command::Render(render) => render.run(console),
        Command::Simulate(simulate) => simulate.run(console),
        Command::Plot(plot) => plot.run(console),
        Command::Modes(modes) => modes.run(console),
        Command::Explain(explain) => explain.run(console),
        Command::Studio(studio) => studio.run(console),
        Command::Museum(museum) => museum.run(console),
        Command::Clean(clean) => clean.run(console),
        Command::Play(play) => play.run(console),
        Command::Validate(validate) => validate.run(console),
        Command::Completions(completions) => completions.run(),
    }
}
