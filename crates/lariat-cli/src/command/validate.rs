//! `lariat validate`: every check that has an outside truth, for anyone to rerun.

use std::io::Write;

use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    validate, words,
};

/// Run every check that has an outside truth, and print the table
///
/// What is checked, the reference value and its source, ours, the error, the bar, and whether it
/// passes. The exit code is 1 if any check does not.
#[derive(Debug, clap::Args)]
pub(crate) struct Validate {
    /// The table for programs
    #[arg(long)]
    json: bool,

    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true,
        help = validate::filter_help()
    )]
    filter: String,
}

impl Validate {
    pub(crate) fn run(&self) -> Done {
        let rows = validate::rows_about(&self.filter);
        if rows.is_empty() {
            return Err(Failure::new(format!(
                "no check has `{}` in its topic or name: without --filter all of them are run",
                words::shown(&self.filter)
            )));
        }
        let mut out = Console::results();
        validate::print(&rows, self.json, &mut out)?;
        out.flush()?;
        Ok(Outcome::diagnostics_if(!validate::all_pass(&rows)))
    }
}
