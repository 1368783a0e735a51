//! `cargo xtask figures`: the pictures in the documentation, made by Lariat from the museum.
//!
//! One picture opens the README; the guide has drawings, each one exhibit at a few frames. They are kept in the repository so that pages
//! show them wherever they are read; this chore makes them again after a model has changed.

use std::{fs, process::Command};

use crate::shell;

/// The picture at the top of the README: exhibit, frame, and where it is seen from.
const FRONT: (&str, &str, &str) = ("ship-rigging", "40", "35,20");

/// Drawings: exhibit, frames, and where it is seen from (around, above).
const FIGURES: &[(&str, &str, &str)] = &[
    ("barzel-02-suspended", "1", "15,25"),
    ("barzel-03-magnitude", "1", "10,10"),
    ("barzel-04-frequency", "1", "10,10"),
    ("barzel-05-phase", "1", "10,10"),
    ("barzel-06-azimuth", "1", "25,30"),
    ("barzel-08-loose", "1", "15,15"),
    ("barzel-10-coiled-cord", "1", "15,15"),
    ("barzel-13-spring", "1", "15,15"),
    ("barzel-17-lights", "10,20", "15,10"),
    ("barzel-18-strap", "1,10,20,30", "55,20"),
    ("barzel-19-microphone", "1,24", "15,10"),
    ("barzel-20-slinky", "10,30", "25,15"),
    ("barzel-21-lasso", "1,8,16,24", "25,15"),
];

/// Where they are kept.
const FOLDER: &str = "docs/pictures";

/// Draws all of them, or those whose name has the word given.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let root = shell::root();
    let folder = root.join(FOLDER);
    fs::create_dir_all(&folder).map_err(|e| format!("cannot make {FOLDER}: {e}"))?;
    let lariat = shell::lariat()?;
    let scratch = shell::target().join("figures");
    fs::create_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
    let drawings = FIGURES.iter().map(|figure| (figure, ["export"].as_slice(), "svg"));
    let front = (&FRONT, ["render", "--quality", "final"].as_slice(), "png");
    for ((exhibit, frames, view), make, ending) in std::iter::once(front).chain(drawings) {
        if arguments.first().is_some_and(|word| !exhibit.contains(word.as_str())) {
            continue;
        }
        let scene = scratch.join(format!("{exhibit}.lariat"));
        let mut copy = Command::new(&lariat);
        shell::run(copy.args(["museum", "copy", exhibit]).arg(&scene).arg("--force"))?;
        let mut command = Command::new(&lariat);
        command.args(make).arg(&scene).arg("-o").arg(folder.join(format!("{exhibit}.{ending}")));
        shell::run(command.args(["--frames", frames, "--view", view, "--force"]))?;
        println!("{FOLDER}/{exhibit}.{ending}");
    }
    Ok(())
}
