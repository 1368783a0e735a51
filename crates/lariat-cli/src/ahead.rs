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
use lariat_shoot::{Bodies, frames_done, is_unfinished};

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
    Ok(Some(TakeFolder::beside(document, allowed.with(Folder::of(document))?)))
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
    let further = |one: &&UnusedTake| !one.is_stale() && one.why != TakeError::Damaged;
    for UnusedTake { path, why, .. } in unused.iter().filter(further) {
        let path = words::shown(&path.to_string_lossy());
        console.note(&format!("`{path}` is not used: {why}"));
    }
    note_partial(scene, &unused, console);
    takes::notes(&content.lowered, scene, &unused)
}

/// Reports takes that end before the shot, as an interrupted run leaves them.
fn note_partial(scene: &Scene, unused: &[UnusedTake], console: Console) {
    let last = scene.shot().last as f64;
    for body in scene.simulated_groups().into_iter().flatten() {
        let is_known = unused.iter().any(|one| one.body == body);
        let run = scene.simulation(body).filter(|run| run.to > run.from && !is_known);
        if let Some(run) = run.filter(|run| is_unfinished(*run, last)) {
            let name = words::shown(scene.run_name(body));
            console.note(&format!(
                "the take of `{name}` ends at frame {:.0} of {last}; later frames are simulated now, \
                 and recorded only by `lariat simulate`",
                run.to.floor()
            ));
        }
    }
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
