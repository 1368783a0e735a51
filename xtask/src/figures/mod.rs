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
//! Still pictures are listed in `manifest.rs`, moving ones in `movies.rs`. The small pictures of the
//! studio's welcome page are made from them by `thumbnail.rs`; the check is always of all of these.
//!
//! Tests: `words_choose_figures`, `unknown_flags_and_words_are_refused`,
//! `a_picture_is_written_only_if_it_changed`, `the_check_reports_differences`,
//! `folders_below_count`.

pub(crate) mod manifest;
pub(crate) mod movies;
mod thumbnail;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use crate::shell;
use manifest::{CHECKED, Curves, FIGURES, FOLDER, Figure, QUALITY, ROOM};
use movies::{COMPRESSION, LARGEST, MOVING, MovingFigure};

/// Parsed arguments.
struct Request {
    rows: Vec<Row>,
    check: bool,
    /// Words of the names of thumbnails; none means all.
    words: Vec<String>,
}

/// A row of either table.
#[derive(Clone, Copy)]
enum Row {
    Still(&'static Figure),
    Moving(&'static MovingFigure),
}

impl Row {
    fn all() -> impl Iterator<Item = Self> {
        FIGURES.iter().map(Self::Still).chain(MOVING.iter().map(Self::Moving))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Still(figure) => figure.scene,
            Self::Moving(figure) => figure.file,
        }
    }

    /// Path below the folder of the pictures.
    fn file(self) -> String {
        let extension = if matches!(self, Self::Still(_)) { "png" } else { "webp" };
        format!("{}.{extension}", self.name())
    }
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
    let is_moving = |row: &Row| matches!(row, Row::Moving(_));
    let lariat = if request.rows.iter().any(is_moving) {
        shell::quick_lariat_with_all_features()?
    } else {
        shell::quick_lariat()?
    };
    let folder = shell::root().join(FOLDER);
    let scratch = shell::target().join("figures");
    let begun = Instant::now();
    let (mut counts, mut differing) = ([0; 3], Vec::new());
    for (done, row) in request.rows.iter().enumerate() {
        let (drawn, kept) = (scratch.join(row.file()), folder.join(row.file()));
        for file in [&drawn, &kept] {
            let parent = file.parent().unwrap_or(&folder);
            fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
        }
        let start = Instant::now();
        match row {
            Row::Still(figure) => draw(&lariat, figure, &drawn)?,
            Row::Moving(figure) => draw_moving(&lariat, figure, &drawn)?,
        }
        let seconds = start.elapsed().as_secs_f64();
        let size = fs::metadata(&drawn).map_or(0, |found| found.len());
        let (count, kilobytes) = (request.rows.len(), size / 1000);
        let name = row.name();
        if is_moving(row) && size > LARGEST {
            return Err(format!(
                "{name} has {kilobytes} kB; the limit is {} kB; reduce its size or frames in {}",
                LARGEST / 1000,
                "xtask/src/figures/movies.rs"
            ));
        }
        let outcome = if request.check { compare(&drawn, &kept) } else { update(&drawn, &kept) }?;
        let (place, word) = match outcome {
            Outcome::Same => (0, "the same"),
            Outcome::Written => (1, "written"),
            Outcome::Differs => (2, "DIFFERS"),
        };
        counts[place] += 1;
        if outcome == Outcome::Differs {
            differing.push(name);
        }
        println!("{:2}/{count} {name}: {word}, {kilobytes} kB, {seconds:.1} s", done + 1);
    }
    let [same, written, _] = counts;
    let thumbnails = thumbnail::run(&lariat, &request.words, request.check)?;
    for name in &thumbnails {
        if !differing.contains(&name.as_str()) {
            differing.push(name);
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!("{same} the same, {written} written, {} differ; {seconds:.0} s", differing.len());
    if !differing.is_empty() {
        let list = differing.join(" ");
        return Err(format!(
            "pictures or thumbnails differ from their scenes: {list}\nif the change is intended, run \
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
        if Row::all().all(|row| !row.name().contains(word.as_str())) {
            return Err(format!("no picture name contains `{word}`"));
        }
    }
    let few = check && !all && words.is_empty();
    let wanted = |row: &Row| match (few, words.is_empty() || all) {
        (true, _) => CHECKED.contains(&row.name()),
        (false, true) => true,
        (false, false) => words.iter().any(|word| row.name().contains(word.as_str())),
    };
    let rows = Row::all().filter(wanted).collect();
    let words = if all { Vec::new() } else { words.into_iter().cloned().collect() };
    Ok(Request { rows, check, words })
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
    render(&mut command, figure.scene, to, (figure.frames, figure.size, figure.view));
    if figure.is_sheet() {
        command.arg("--contact-sheet");
    }
    if let Some(body) = figure.body {
        command.args(["--body", body]);
    }
    shell::run(command.args(figure.flags))
}

fn draw_moving(lariat: &Path, figure: &MovingFigure, to: &Path) -> Result<(), String> {
    let mut command = Command::new(lariat);
    render(&mut command, figure.scene, to, (figure.frames, figure.size, figure.view));
    shell::run(command.args(["--webp-quality", COMPRESSION]).args(figure.flags))
}

/// Arguments of `lariat render` that still and moving pictures share.
fn render(command: &mut Command, scene: &str, to: &Path, (frames, size, view): (&str, &str, &str)) {
    command.args(["--quiet", "render"]).arg(format!("museum:{scene}"));
    command.arg("--output").arg(to).arg("--force");
    command.args(["--frames", frames, "--size", size, "--renderer", "cpu", "--quality", QUALITY]);
    match view.strip_prefix("camera ") {
        Some(camera) => _ = command.args(["--camera", camera]),
        None if view == "camera" => {}
        None => _ = command.args(["--view", view]),
    }
}

/// Replaces the kept picture if it differs.
fn update(drawn: &Path, kept: &Path) -> Result<Outcome, String> {
    let fresh = read(drawn)?;
    if fs::read(kept).is_ok_and(|old| old == fresh) {
        return Ok(Outcome::Same);
    }
    let beside: PathBuf = kept.with_extension("new");
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
    let (count, bytes) = room(folder)?;
    println!("{FOLDER}: {count} pictures, {:.1} MB of {:.1}", mega(bytes), mega(ROOM));
    if bytes <= ROOM {
        return Ok(());
    }
    Err("the pictures are too large; reduce some in the tables of xtask/src/figures".to_owned())
}

/// Number and total size of the files in a folder and in the folders below it.
fn room(folder: &Path) -> Result<(u64, u64), String> {
    let cannot = |error| format!("{}: {error}", folder.display());
    let (mut count, mut bytes) = (0, 0);
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let found = entry.metadata().map_err(cannot)?;
        let (files, size) = if found.is_dir() { room(&entry.path())? } else { (1, found.len()) };
        (count, bytes) = (count + files, bytes + size);
    }
    Ok((count, bytes))
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
        chosen(line).expect("it can be chosen").rows.iter().map(|row| row.name()).collect()
    }

    #[test]
    fn words_choose_figures() {
        let all = FIGURES.len() + MOVING.len();
        assert_eq!(names("").len(), all);
        assert_eq!(names("barzel-16 barzel-21"), ["barzel-16-lasso", "barzel-21-lasso"]);
        assert_eq!(names("readme/ship"), ["readme/ship"]);
        assert_eq!(names("--check").len(), CHECKED.len());
        assert_eq!(names("--check --all").len(), all);
        assert_eq!(names("--check barzel-16").len(), 1);
        for (line, check) in [("", false), ("--check", true)] {
            assert_eq!(chosen(line).expect("it can be chosen").check, check, "{line}");
        }
    }

    #[test]
    fn files_have_the_extension_of_their_table() {
        assert_eq!(Row::Still(&FIGURES[0]).file(), "barzel-02-suspended.png");
        assert_eq!(Row::Moving(&MOVING[0]).file(), "readme/ship.webp");
    }

    #[test]
    fn unknown_flags_and_words_are_refused() {
        let refused = |line: &str| chosen(line).map(|_| ()).expect_err("it is refused");
        assert!(refused("--chekc").contains("`--chekc`"));
        assert_eq!(refused("lasso kite"), "no picture name contains `kite`");
    }

    #[test]
    fn folders_below_count() {
        let folder = folder("lariat-figures-room");
        let inner = folder.join("inner");
        fs::create_dir_all(&inner).expect("there is room");
        fs::write(folder.join("a.png"), "12").expect("it can be written");
        fs::write(inner.join("b.webp"), "345").expect("it can be written");
        assert_eq!(room(&folder), Ok((2, 5)));
        let _ = fs::remove_dir_all(&folder);
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
