//! `lariat validate`: runs the checks of [`lariat_validate`] and prints the table.

mod table;

use std::{
    io::Write,
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
};

use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    interrupt::Interrupt,
    progress::Progress,
    words,
};

/// Compare results with independent references and print the table
///
/// Every row shows the reference value and its source, the value computed by Lariat, the error,
/// and the largest error that passes (bar). Exits with code 1 if any check fails.
#[derive(Debug, clap::Args)]
pub(crate) struct Validate {
    /// Print the table as JSON
    #[arg(long)]
    json: bool,

    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true,
        help = filter_help()
    )]
    filter: String,
}

fn filter_help() -> String {
    let papers: Vec<&str> = lariat_validate::PAPERS.iter().map(|(paper, _)| *paper).collect();
    format!(
        "Run only checks whose topic or name contains this text, or those of a paper: {}",
        papers.join(", ")
    )
}

impl Validate {
    pub(crate) fn run(&self, console: Console) -> Done {
        if lariat_validate::select(&self.filter).is_empty() {
            return Err(Failure::new(format!(
                "no check matches `{}`; omit --filter to run all of them",
                words::shown(&self.filter)
            )));
        }
        let interrupt = Interrupt::listen();
        let progress = Mutex::new(Progress::new(console, "validating", "checks"));
        let rows = lariat_validate::run(&self.filter, &|done, total| {
            let progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.advance(done as u64, total as u64);
            if interrupt.requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        drop(progress);
        let rows = rows.ok_or_else(|| Failure::Interrupted("there is no table".to_owned()))?;
        let mut out = Console::results();
        table::print(&rows, self.json, &mut out)?;
        out.flush()?;
        Ok(Outcome::diagnostics_if(rows.iter().any(|row| !row.pass)))
    }
}
