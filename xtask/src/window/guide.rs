//! The pictures of the first pages of the studio's guide: lights between two posts.
//!
//! Pointer and keys follow the pages; the document at the end is checked.

use std::{env, fs, path::Path, process::Command};

use super::{Stage, running::Running};
use crate::shell;

/// An empty shot.
const EMPTY: &str = "lariat = 2\n\n[shot]\nframes = [1, 120]\n";

/// Width of the pictures, in pixels: the text of the panels is readable in a page.
const WIDTH: &str = "1080x";

/// Steps in words of xdotool, and the picture that is taken after a step.
const STEPS: [(&str, Option<&str>); 23] = [
    // The first post, and the second.
    ("mousemove 88 13 click 1", None),
    ("mousemove 108 504 click 1", None),
    (
        "mousemove 400 480 mousedown 1 sleep 0.3 mousemove 400 300 sleep 0.3 mousemove 400 230 sleep 0.3 mouseup 1",
        None,
    ),
    ("mousemove 88 13 click 1", None),
    ("mousemove 108 504 click 1", None),
    (
        "mousemove 920 560 mousedown 1 sleep 0.3 mousemove 920 400 sleep 0.3 mousemove 920 280 sleep 0.3 mouseup 1",
        None,
    ),
    // Lights from the top of one to the top of the other.
    ("mousemove 88 13 click 1 sleep 0.5 mousemove 120 182", Some("add")),
    ("click 1", None),
    (
        "mousemove 381 232 mousedown 1 sleep 0.3 mousemove 600 300 sleep 0.3 mousemove 946 282 sleep 0.3 mouseup 1",
        None,
    ),
    // A wiggle with three knots.
    ("mousemove 1102 374 click 3 sleep 0.5 mousemove 1152 418", Some("wiggle")),
    ("click 1", None),
    ("mousemove 516 677 click 1 sleep 0.3 key ctrl+a type 16", None),
    ("key Return", None),
    ("mousemove 1310 374 click 1 sleep 0.3 key ctrl+a type 60", None),
    ("key Return mousemove 516 677 click 1 sleep 0.3 key ctrl+a type 40", None),
    ("key Return mousemove 1310 374 click 1 sleep 0.3 key ctrl+a type -- -20", None),
    ("key Return mousemove 107 677 click 1", Some("knots")),
    // The wind takes it.
    ("mousemove 516 677 click 1 sleep 0.3 key ctrl+a type 60", None),
    ("key Return mousemove 1157 102 click 1", None),
    ("mousemove 178 677 click 1", None),
    ("mousemove 743 759 click 1 sleep 0.3 key ctrl+a type 6", None),
    ("key Return mousemove 436 677 click 1 sleep 3", Some("wind")),
    ("key ctrl+s mousemove 1408 13 click 1 sleep 3", Some("render")),
];

/// Lines of the document at the end.
const MADE: [&str; 7] = [
    "name = \"post\"",
    "name = \"post-2\"",
    "model = \"string-of-lights\"",
    "wiggle = [[1, 0], [16, 60], [40, -20]]",
    "kind = \"string\"",
    "start = 60",
    "wind = [0, 6, 0]",
];

/// Follows the pages, and writes their pictures into the folder of the guide.
pub(super) fn run(stage: &Stage<'_>) -> Result<(), String> {
    // The dialog that renders shows the folder, which is the same on all machines.
    let folder = env::temp_dir().join("lariat");
    let document = folder.join("lights.lariat");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    fs::write(&document, EMPTY).map_err(|error| error.to_string())?;
    let state = stage.fresh("guide")?.join("state");
    let place = document.to_str().ok_or("the folder has no plain name")?;
    let mut studio = Running::start(stage.display, &stage.studio, &state, &[place])?;
    studio.wait_for_window()?;
    studio.rest()?;
    for (words, picture) in STEPS {
        studio.act(words)?;
        if let Some(name) = picture {
            let screen = stage.folder.join("guide.png");
            stage.display.save_picture(&screen)?;
            let place = shell::root().join("docs/guide/studio").join(format!("{name}.png"));
            shrink(&screen, &place)?;
        }
    }
    let text = fs::read_to_string(&document).map_err(|error| error.to_string())?;
    match MADE.iter().find(|part| !text.contains(**part)) {
        None => Ok(()),
        Some(part) => Err(format!("the guide's document has no `{part}`:\n{text}")),
    }
}

/// Writes a smaller picture of few colours.
fn shrink(screen: &Path, place: &Path) -> Result<(), String> {
    let mut convert = Command::new("convert");
    convert.arg(screen).args(["-resize", WIDTH, "-strip", "-dither", "None", "-colors", "255"]);
    shell::run(convert.arg(place))
}
