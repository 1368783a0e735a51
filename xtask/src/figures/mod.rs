//! `cargo xtask figures`: the pictures in the documentation, rendered by Lariat from the museum.
//!
//! The repository keeps the pictures, so that pages show them wherever they are read. This task
//! draws them again after a change of a model, a scene or the renderer. Only pictures that differ
//! are written, to a temporary file that is then renamed, so an interrupted run leaves whole
//! pictures.
//!
//! ```text
//! cargo xtask figures             all pictures
//! cargo xtask figures lasso       pictures whose name contains the word
//! cargo xtask figures --check     draws a few and compares their bytes; writes nothing
//! cargo xtask figures --check --all
//! ```
//!
//! Tests: `words_choose_figures`, `unknown_flags_and_words_are_refused`,
//! `a_picture_is_written_only_if_it_changed`, `the_check_reports_differences`.

pub(crate) mod manifest;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use crate::shell;
use manifest::{CHECKED, Curves, FIGURES, FOLDER, Figure, QUALITY, ROOM};

/// Parsed arguments.
struct Request {
    figures: Vec<&'static Figure>,
    check: bool,
    /// Whether to draw with a release build, which pays off for many pictures.
    optimised: bool,
}

/// Result of one picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Same,
    Written,
    Differs,
}

/// `cargo xtask figures [--check] [--all] [WORD …]`.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let request = choose(arguments)?;
    let lariat = if request.optimised { shell::optimised_lariat()? } else { shell::lariat()? };
    let folder = shell::root().join(FOLDER);
    let scratch = shell::target().join("figures");
    for folder in [&folder, &scratch] {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let begun = Instant::now();
    let (mut counts, mut differing) = ([0; 3], Vec::new());
    for (done, figure) in request.figures.iter().enumerate() {
        let drawn = scratch.join(format!("{}.png", figure.scene));
        let start = Instant::now();
        draw(&lariat, figure, &drawn)?;
        let seconds = start.elapsed().as_secs_f64();
        let kept = folder.join(format!("{}.png", figure.scene));
        let outcome = if request.check { compare(&drawn, &kept) } else { update(&drawn, &kept) }?;
        let (place, word) = match outcome {
            Outcome::Same => (0, "the same"),
            Outcome::Written => (1, "written"),
            Outcome::Differs => (2, "DIFFERS"),
        };
        counts[place] += 1;
        if outcome == Outcome::Differs {
            differing.push(figure.scene);
        }
        let size = fs::metadata(&drawn).map_or(0, |found| found.len()) / 1000;
        let name = figure.scene;
        println!(
            "{:2}/{} {name}: {word}, {size} kB, {seconds:.1} s",
            done + 1,
            request.figures.len()
        );
    }
    let [same, written, _] = counts;
    let seconds = begun.elapsed().as_secs_f64();
    println!("{same} the same, {written} written, {} differ; {seconds:.0} s", differing.len());
    if !differing.is_empty() {
        let list = differing.join(" ");
        return Err(format!(
            "pictures differ from their scenes: {list}\nif the change is intended, run \
             `cargo xtask figures {list}` and review them"
        ));
    }
    fits(&folder)
}

fn choose(arguments: &[String]) -> Result<Request, String> {
    let (flags, words): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|argument| argument.starts_with("--"));
    let (mut check, mut all) = (false, false);
    for flag in flags {
        match flag.as_str() {
            "--check" => check = true,
            "--all" => all = true,
            other => {
                return Err(format!(
                    "unknown option `{other}`; `figures` supports --check and --all"
                ));
            }
        }
    }
    for word in &words {
        if FIGURES.iter().all(|figure| !figure.scene.contains(word.as_str())) {
            return Err(format!("no scene name contains `{word}`"));
        }
    }
    let few = check && !all && words.is_empty();
    let wanted = |figure: &&Figure| match (few, words.is_empty() || all) {
        (true, _) => CHECKED.contains(&figure.scene),
        (false, true) => true,
        (false, false) => words.iter().any(|word| figure.scene.contains(word.as_str())),
    };
    Ok(Request { figures: FIGURES.iter().filter(wanted).collect(), check, optimised: !few })
}

fn draw(lariat: &Path, figure: &Figure, to: &Path) -> Result<(), String> {
    let mut command = Command::new(lariat);
    if let Some(words) = figure.game {
        command.args(["--quiet", "play"]).args(words).arg("--output").arg(to);
        // The page that shows the game gives its result.
        command.stdout(Stdio::null());
        return shell::run(command.args(["--force", "--renderer", "cpu"]));
    }
    if let Some(Curves { channels, flags }) = figure.plot {
        command.args(["--quiet", "plot"]).arg(format!("museum:{}", figure.scene));
        command.arg("--output").arg(to).args(["--force", "--size", figure.size]);
        for channel in channels {
            command.args(["--channel", channel]);
        }
        return shell::run(command.args(flags));
    }
    command.args(["--quiet", "render"]).arg(format!("museum:{}", figure.scene));
    command.arg("--output").arg(to).arg("--force");
    command.args(["--frames", figure.frames, "--size", figure.size, "--renderer", "cpu"]);
    match figure.view.strip_prefix("camera ") {
        Some(camera) => _ = command.args(["--camera", camera]),
        None if figure.view == "camera" => {}
        None => _ = command.args(["--view", figure.view]),
    }
    command.args(["--quality", QUALITY]);
    if figure.is_sheet() {
        command.arg("--contact-sheet");
    }
    if let Some(body) = figure.body {
        command.args(["--body", body]);
    }
    shell::run(&mut command)
}

/// Replaces the kept picture if it differs.
fn update(drawn: &Path, kept: &Path) -> Result<Outcome, String> {
    let fresh = read(drawn)?;
    if fs::read(kept).is_ok_and(|old| old == fresh) {
        return Ok(Outcome::Same);
    }
    let beside: PathBuf = kept.with_extension("png.new");
    fs::write(&beside, &fresh).map_err(|error| format!("{}: {error}", beside.display()))?;
    fs::rename(&beside, kept).map_err(|error| format!("{}: {error}", kept.display()))?;
    Ok(Outcome::Written)
}

/// Compares the kept picture with the drawn one.
fn compare(drawn: &Path, kept: &Path) -> Result<Outcome, String> {
    let fresh = read(drawn)?;
    Ok(if fs::read(kept).is_ok_and(|old| old == fresh) { Outcome::Same } else { Outcome::Differs })
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Checks the total size of the pictures.
fn fits(folder: &Path) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let sizes = entries.flatten().filter_map(|entry| Some(entry.metadata().ok()?.len()));
    let (count, bytes) = sizes.fold((0, 0), |(count, sum), size| (count + 1, sum + size));
    println!("{FOLDER}: {count} pictures, {:.1} MB of {:.1}", mega(bytes), mega(ROOM));
    if bytes <= ROOM {
        return Ok(());
    }
    Err(format!("the pictures are too large; reduce some in {}", "xtask/src/figures/manifest.rs"))
}

fn mega(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(line: &str) -> Result<Request, String> {
        choose(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    fn names(line: &str) -> Vec<&'static str> {
        chosen(line).expect("it can be chosen").figures.iter().map(|row| row.scene).collect()
    }

    #[test]
    fn words_choose_figures() {
        assert_eq!(names("").len(), FIGURES.len());
        assert_eq!(names("lasso"), ["barzel-16-lasso", "barzel-21-lasso"]);
        assert_eq!(names("lights slinky"), ["barzel-17-lights", "barzel-20-slinky"]);
        assert_eq!(names("--check").len(), CHECKED.len());
        assert_eq!(names("--check --all").len(), FIGURES.len());
        assert_eq!(names("--check lasso").len(), 2);
        for (line, check, optimised) in [("", false, true), ("--check", true, false)] {
            let request = chosen(line).expect("it can be chosen");
            assert_eq!((request.check, request.optimised), (check, optimised), "{line}");
        }
    }

    #[test]
    fn unknown_flags_and_words_are_refused() {
        let refused = |line: &str| chosen(line).map(|_| ()).expect_err("it is refused");
        assert!(refused("--chekc").contains("`--chekc`"));
        assert_eq!(refused("lasso kite"), "no scene name contains `kite`");
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("there is room");
        folder
    }

    #[test]
    fn a_picture_is_written_only_if_it_changed() {
        let folder = folder("lariat-figures-update");
        let (drawn, kept) = (folder.join("drawn.png"), folder.join("kept.png"));
        fs::write(&drawn, "new").expect("it can be written");
        assert_eq!(update(&drawn, &kept), Ok(Outcome::Written));
        assert_eq!(update(&drawn, &kept), Ok(Outcome::Same));
        fs::write(&drawn, "newer").expect("it can be written");
        assert_eq!(update(&drawn, &kept), Ok(Outcome::Written));
        assert_eq!(fs::read(&kept).ok().as_deref(), Some(b"newer".as_slice()));
        assert_eq!(
            fs::read_dir(&folder).map_or(0, Iterator::count),
            2,
            "no temporary file is left"
        );
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn the_check_reports_differences() {
        let folder = folder("lariat-figures-compare");
        let (drawn, kept) = (folder.join("drawn.png"), folder.join("kept.png"));
        fs::write(&drawn, "new").expect("it can be written");
        assert_eq!(compare(&drawn, &kept), Ok(Outcome::Differs), "the picture is missing");
        fs::write(&kept, "old").expect("it can be written");
        assert_eq!(compare(&drawn, &kept), Ok(Outcome::Differs));
        assert_eq!(
            fs::read(&kept).ok().as_deref(),
            Some(b"old".as_slice()),
            "the check writes nothing"
        );
        fs::write(&kept, "new").expect("it can be written");
        assert_eq!(compare(&drawn, &kept), Ok(Outcome::Same));
        let _ = fs::remove_dir_all(&folder);
    }
}
