//! Simulations that run before anything is written, with a progress bar for each, and takes
//! (simulation caches) beside a document.

use std::path::Path;

use lariat::{
    Folder,
    takes::{self, TakeFolder, UnusedTake},
};
use lariat_eval::{Scene, TakeError};
use lariat_scene::{
    Limits,
    check::{Content, Diagnostic},
};
use lariat_shoot::{Bodies, frames_done};

use crate::{
    console::Console,
    exit::Failure,
    input::{Allowed, is_standard},
    interrupt::Interrupt,
    museum,
    progress::{Bars, Progress, Watch},
    words,
};

/// Folder of a document's takes; `None` for a document that is not a file.
pub(crate) fn takes_of(document: &Path, allowed: &Allowed) -> Result<Option<TakeFolder>, Failure> {
    if is_standard(document) || museum::named(document).is_some() {
        return Ok(None);
    }
    // Checked like the folders of files.
    allowed.with(Folder::of(document))?;
    Ok(Some(TakeFolder::beside(document).allow(&allowed.folders)))
}

/// Loads the takes beside a document, if it is a file. Returns notes about those that are out of date
/// or damaged.
pub(crate) fn load_takes(
    folder: Option<&TakeFolder>,
    content: &Content,
    hash: u128,
    scene: &Scene,
    limits: &Limits,
    console: Console,
) -> Vec<Diagnostic> {
    let unused = takes::load(scene, hash, folder, limits);
    let has_note = [TakeError::Damaged, TakeError::CutShort];
    let further = |one: &&UnusedTake| !one.is_stale() && !has_note.contains(&one.why);
    for UnusedTake { path, why, .. } in unused.iter().filter(further) {
        let path = words::shown(&path.to_string_lossy());
        console.note(&format!("`{path}` is not used: {why}"));
    }
    note_partial(scene, &unused, console);
    takes::notes(&content.lowered, scene, &unused)
}

/// Reports takes that end before the shot, as an interrupted run leaves them.
fn note_partial(scene: &Scene, unused: &[UnusedTake], console: Console) {
    let partial: Vec<&UnusedTake> =
        unused.iter().filter(|one| one.why == TakeError::CutShort).collect();
    let Some(first) = partial.first() else { return };
    let name = words::shown(scene.run_name(first.body));
    let takes = match partial.len() - 1 {
        0 => format!("the take of `{name}` ends"),
        more => format!("the takes of `{name}` and {more} more end"),
    };
    let soonest = partial.iter().map(|one| one.used_to.unwrap_or(f64::NEG_INFINITY));
    let place = match soonest.fold(f64::INFINITY, f64::min).floor() {
        f64::NEG_INFINITY => "before their first frame".to_owned(),
        frame => format!("at frame {frame:.0}"),
    };
    console.note(&format!(
        "{takes} {place}, the shot at frame {}; `lariat simulate` records the rest",
        scene.shot().last
    ));
}

/// Simulates bodies, and the bodies that cameras are attached to, up to the last of some frames.
pub(crate) fn simulate(
    bodies: &Bodies<'_>,
    cameras: &[usize],
    frames: &[f64],
    console: Console,
) -> Result<(), Failure> {
    let scene = bodies.scene();
    if scene.simulated().is_empty() {
        return Ok(());
    }
    let (bars, interrupt) = (Bars::new(console), Interrupt::listen());
    let watch = |body: usize| -> Box<dyn lariat_shoot::Progress> {
        let progress = bars.over(simulating(scene, body), "frames");
        Box::new(Watch::new(progress, interrupt.clone()))
    };
    Ok(bodies.simulate(cameras, frames, &watch)?)
}

fn simulating(scene: &Scene, body: usize) -> String {
    format!("simulating {}", words::shown(scene.run_name(body)))
}

/// Progress of one body's simulation.
pub(crate) struct Bar {
    progress: Progress,
    from: f64,
    last: f64,
}

impl Bar {
    pub(crate) fn new(bars: &Bars, scene: &Scene, body: usize, last: f64) -> Self {
        let from = scene.simulation(body).map_or(last, |run| run.from);
        Self { progress: bars.over(simulating(scene, body), "frames"), from, last }
    }

    /// Reports the frame that is reached.
    pub(crate) fn advance(&self, frame: f64) {
        let total = frames_done(self.from, self.last);
        self.progress.advance(frames_done(self.from, frame), total);
    }
}
