//! `lariat clean`: removes temporary files of killed runs.
//!
//! `lariat_export::temporary` recognises them. Takes folders have no others: a take is written in
//! place, and the next run goes on with what a killed one has left.
//!
//! Tests: `crates/lariat-cli/tests/command/clean.rs`.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use lariat_export::temporary::{self, Temporaries};

use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    words,
};

/// Remove temporary files that killed runs have left
///
/// Outputs are written to a hidden file beside them, `.lariat-….tmp`, which is renamed when it is
/// complete. A run that is killed, or a power cut, leaves this file. The next run that writes into
/// the folder removes it, and so does this command. Files of running programs, and all other
/// files, are kept.
#[derive(Debug, clap::Args)]
pub(crate) struct Clean {
    /// Folders; folders in them are not searched
    #[arg(value_name = "FOLDER", default_value = ".", hide_default_value = true)]
    folders: Vec<PathBuf>,

    /// List the files, and remove nothing
    #[arg(long)]
    dry_run: bool,
}

impl Clean {
    pub(crate) fn run(&self, console: Console) -> Done {
        let (mut files, mut bytes, mut failed) = (0, 0, false);
        let mut out = Console::results();
        for folder in &self.folders {
            let found = self.clean(folder)?;
            for file in &found.abandoned {
                writeln!(out, "{}, {}", shown(&file.path), words::size(file.bytes))?;
            }
            files += found.abandoned.len() as u64;
            bytes += found.bytes();
            out.flush()?;
            if found.in_use > 0 {
                let in_use = words::count(found.in_use, "temporary file");
                console.note(&format!(
                    "kept {in_use} in `{}` that a running program is writing",
                    shown(folder)
                ));
            }
            for (path, error) in &found.kept {
                console.error(&format!("kept `{}`: {error}", shown(path)));
                failed = true;
            }
        }
        let files = words::count(files, "temporary file");
        let verb = if self.dry_run { "found" } else { "removed" };
        console.note(&format!("{verb} {files} of killed runs, {}", words::size(bytes)));
        if failed { Err(Failure::Reported) } else { Ok(Outcome::Clean) }
    }

    fn clean(&self, folder: &Path) -> Result<Temporaries, Failure> {
        let found = if self.dry_run { temporary::list(folder) } else { temporary::remove(folder) };
        found.map_err(|error| Failure::new(format!("cannot list `{}`: {error}", shown(folder))))
    }
}

fn shown(path: &Path) -> String {
    words::shown(&path.to_string_lossy())
}
