//! A real window, used with a real pointer: `cargo xtask window`.
//!
//! ```text
//! cargo xtask window               a drag, an idle window, and 20 kills
//! cargo xtask window --kills 100
//! cargo xtask window --seed 5      the same random choices again
//! cargo xtask window --guide       takes the pictures of the studio's guide instead
//! cargo xtask window --studio FILE uses this program instead of the tests' build
//! ```
//!
//! Starts `lariat-studio` on a display without a screen, drags the end of a rope, saves, and looks at the
//! file. Then it waits, and measures that an idle window uses no processor time. Then it kills the studio
//! at random moments of editing, and checks that the next start offers the last state. Pictures of the
//! screen are left in `target/window`. Linux only.
//!
//!   display.rs  a display with pointer and keyboard
//!   running.rs  a studio that runs
//!   kill.rs     kills at random moments
//!   guide.rs    the first pages of the guide, and their pictures
//!
//! Tests: `options_are_read`.

mod display;
mod guide;
mod kill;
mod running;

use std::{
    fs,
    path::{Path, PathBuf},
    thread::sleep,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use crate::{random::Random, shell};
use display::Display;
use running::Running;

/// Pixels of the display, all of which the window takes.
const SIZE: [u32; 2] = [1440, 900];

/// Name of the document.
const DOCUMENT: &str = "rope.lariat";

/// A rope between two places.
const TEXT: &str = "\
lariat = 2

[shot]
frames = [1, 48]

[[body]]
name = \"rope\"
model = \"suspended-rope\"
from = [-1, 0, 2]
to = [1, 0, 2]
sag = 0.4
";

/// The middle of the rope in the view.
const MIDDLE: &str = "mousemove 707 408";

/// Changes of the document by pointer and keys, in words of xdotool.
const ACTIONS: [&str; 6] = [
    // Selects the rope, and duplicates it.
    "mousemove 707 408 click 1 sleep 0.2 key ctrl+d",
    "key ctrl+d",
    // A rope from one place to another, hung by a drag.
    "key h sleep 0.2 mousemove 500 430 mousedown 1 sleep 0.1 mousemove 560 440 sleep 0.1 mousemove 700 430 mouseup 1",
    "key ctrl+z",
    "mousemove 707 408 click 1 sleep 0.2 key ctrl+d",
    "key ctrl+z",
];

/// Time over which an idle window is watched, in seconds.
const IDLE: f64 = 5.0;

/// Most processor time of an idle window in that time, in ticks of a hundredth of a second.
const IDLE_TICKS: u64 = 1;

/// The studio, and where it shows.
struct Stage<'d> {
    display: &'d Display,
    studio: PathBuf,
    folder: PathBuf,
}

impl Stage<'_> {
    /// An empty folder with the document.
    fn fresh(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.folder.join(name);
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(failed)?;
        }
        fs::create_dir_all(folder.join("state")).map_err(failed)?;
        fs::write(folder.join(DOCUMENT), TEXT).map_err(failed)?;
        Ok(folder)
    }

    /// Opens the document of a folder, and waits until it is shown.
    fn open(&self, folder: &Path) -> Result<Running<'_>, String> {
        let document = folder.join(DOCUMENT);
        let document = document.to_str().ok_or("the folder has no plain name")?;
        let mut running =
            Running::start(self.display, &self.studio, &folder.join("state"), &[document])?;
        running.wait_for_window()?;
        running.rest()?;
        Ok(running)
    }
}

/// Parsed arguments.
#[derive(Debug, PartialEq, Eq)]
struct Request {
    kills: usize,
    seed: Option<u64>,
    guide: bool,
    studio: Option<PathBuf>,
}

/// `cargo xtask window [--kills N] [--seed N] [--guide] [--studio FILE]`.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let Request { kills, seed, guide, studio } = read(arguments)?;
    if !cfg!(target_os = "linux") {
        println!("skipped: `window` uses a display of Linux");
        return Ok(());
    }
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let seed = seed.unwrap_or_else(now);
    println!("seed {seed}");
    let studio = match studio {
        Some(studio) => studio,
        None => {
            // `cargo build` would build the whole toolkit a second time.
            shell::run(shell::cargo().args(["test", "--quiet", "--workspace", "--no-run"]))?;
            shell::target().join("debug").join("lariat-studio")
        }
    };
    let display = Display::start(SIZE)?;
    let folder = shell::target().join("window");
    let stage = Stage { display: &display, studio, folder };
    if guide {
        return guide::run(&stage);
    }
    drag(&stage)?;
    let left = kill::run(&stage, kills, &mut Random::new(seed))?;
    println!("{kills} kills, {left} with changes; the last state was offered each time");
    Ok(())
}

/// Pulls the rope by its middle with the pointer, saves it, and watches the window while it is idle.
fn drag(stage: &Stage<'_>) -> Result<(), String> {
    let folder = stage.fresh("drag")?;
    let mut studio = stage.open(&folder)?;
    stage.display.save_picture(&stage.folder.join("open.png"))?;
    studio.act(&format!(
        "{MIDDLE} mousedown 1 mousemove_relative 0 10 sleep 0.1 mousemove_relative 0 30 sleep 0.1 mousemove_relative 0 30"
    ))?;
    stage.display.save_picture(&stage.folder.join("drag.png"))?;
    studio.act("mouseup 1")?;
    studio.act("key ctrl+s")?;
    let text = fs::read_to_string(folder.join(DOCUMENT)).map_err(|error| error.to_string())?;
    if text == TEXT {
        return Err(format!("a drag changed nothing; see {}", stage.folder.display()));
    }
    let before = studio.processor_ticks()?;
    sleep(Duration::from_secs_f64(IDLE));
    let work = studio.processor_ticks()? - before;
    println!("an idle window: {work} hundredths of a second of processor time in {IDLE} s");
    match work <= IDLE_TICKS {
        true => Ok(()),
        false => Err("an idle window is at work".to_owned()),
    }
}

fn read(arguments: &[String]) -> Result<Request, String> {
    let mut request = Request { kills: 20, seed: None, guide: false, studio: None };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word == "--studio" {
            let file = words.next().ok_or("`--studio` needs a file")?;
            request.studio = Some(PathBuf::from(file));
            continue;
        }
        let mut number = || {
            let text = words.next().ok_or_else(|| format!("`{word}` needs a number"))?;
            text.parse::<u64>().map_err(|_| format!("`{word}` needs a number, not `{text}`"))
        };
        match word.as_str() {
            "--kills" => request.kills = number()? as usize,
            "--seed" => request.seed = Some(number()?),
            "--guide" => request.guide = true,
            other => {
                return Err(format!(
                    "unknown word `{other}`; `window` supports --kills N, --seed N, --guide and --studio FILE"
                ));
            }
        }
    }
    Ok(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let request =
            |words: &[&str]| read(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!(request(&[]), Ok(Request { kills: 20, seed: None, guide: false, studio: None }));
        let asked = request(&["--kills", "3", "--seed", "7", "--guide"]);
        assert_eq!(asked, Ok(Request { kills: 3, seed: Some(7), guide: true, studio: None }));
        assert!(request(&["--kills"]).unwrap_err().contains("needs a number"));
        assert!(request(&["--kill"]).unwrap_err().contains("unknown word"));
    }
}
