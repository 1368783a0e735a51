//! `lariat studio`: starts the window, a program of its own.
//!
//! The window toolkit takes minutes to build, and no other command needs it. So `lariat-studio` is a
//! separate program: beside this one, or in a folder of `PATH`.
//!
//! Tests: `crates/lariat-cli/tests/command/studio.rs`.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    words,
};

/// Open the studio, the window of Lariat
///
/// Shows a document, plays it, and lets you take hold of it: drag ropes and keys, change parameters,
/// simulate, render. `lariat` without arguments opens it, too, on a desktop where it is installed.
/// The studio is a program of its own, `lariat-studio`, which has further options:
/// `lariat studio -- --help`.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Studio {
    /// Document to open; `museum:NAME` is a museum scene
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Options of `lariat-studio`
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<OsString>,
}

impl Studio {
    pub(crate) fn run(&self, _console: Console) -> Done {
        let Some(program) = program() else {
            return Err(Failure::new(
                "the studio is not installed; in a clone of the repository, start it with `cargo run \
                 --release -p lariat-studio`, or install it beside `lariat` with `cargo install --path \
                 crates/lariat-studio`",
            ));
        };
        let name = words::shown(&program.to_string_lossy());
        let status = Command::new(&program).args(&self.file).args(&self.options).status();
        let status =
            status.map_err(|error| Failure::new(format!("cannot start `{name}`: {error}")))?;
        match status.code() {
            Some(0) => Ok(Outcome::Clean),
            Some(code) => Err(Failure::new(format!("the studio ended with code {code}"))),
            None => Err(Failure::new(
                "the studio was killed; changes that were not saved are offered when it is opened \
                 again",
            )),
        }
    }
}

/// Whether `lariat` without arguments opens the studio: it is installed, and there is a display.
pub(crate) fn opens_by_itself() -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let has_display =
        cfg!(any(windows, target_os = "macos")) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    has_display && program().is_some()
}

/// Path of `lariat-studio`: beside this program, or in a folder of `PATH`.
fn program() -> Option<PathBuf> {
    let name = format!("lariat-studio{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe().ok().and_then(|path| path.parent().map(Path::to_owned));
    let paths = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = beside.into_iter().chain(env::split_paths(&paths)).collect();
    // An empty entry of PATH is the current folder, which may hold anybody's program.
    let folders = folders.into_iter().filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(&name)).find(|path| path.is_file())
}
