//! Bodies are simulated before anything is made of them, so that who waits sees how far it is, and
//! can stop it.
//!
//! A frame that is asked for would be simulated anyway, but without a word, and frame after frame
//! would wait for it. Bodies that do not hang on each other are simulated side by side; nothing that
//! comes of it depends on that.

use std::path::{Path, PathBuf};

use lariat::takes::{self, NotUsed, folder_of};
use lariat_eval::{Scene, Simulation};
use lariat_scene::check::{Content, Diagnostic};
use rayon::prelude::*;

use crate::{
    console::Console,
    exit::Failure,
    input::is_standard,
    interrupt::Interrupt,
    museum,
    progress::{Bars, Progress},
    words,
};

/// The folder of a document's takes; what comes from elsewhere than a file has none.
pub(crate) fn takes_of(document: &Path) -> Option<PathBuf> {
    (!is_standard(document) && museum::named(document).is_none()).then(|| folder_of(document))
}

/// Takes up what is recorded beside a document; the note about takes that are not of its state.
pub(crate) fn load_takes(
    document: &Path,
    content: &Content,
    hash: u128,
    scene: &Scene,
    console: Console,
) -> Option<Diagnostic> {
    let not_used = takes::load(scene, hash, &takes_of(document)?);
    for NotUsed { path, why, .. } in not_used.iter().filter(|one| !one.is_of_another_state()) {
        let path = words::shown(&path.to_string_lossy());
        console.remark(&match why {
            Ok(why) => format!("`{path}` is not used: {why}"),
            Err(error) => format!("`{path}` is not used: it cannot be read: {error}"),
        });
    }
    takes::note(&content.lowered, scene, &not_used)
}

/// These bodies and everything that they hang on.
pub(crate) fn with_what_they_hang_on(
    scene: &Scene,
    wanted: impl IntoIterator<Item = usize>,
) -> Vec<bool> {
    let mut needed = vec![false; scene.body_count()];
    let mut open: Vec<usize> = wanted.into_iter().collect();
    while let Some(body) = open.pop() {
        if !std::mem::replace(&mut needed[body], true) {
            open.extend_from_slice(scene.dependencies(body));
            // Strings move together.
            open.extend(scene.simulated_with(body));
        }
    }
    needed
}

/// Simulates bodies, and everything that they hang on, up to a frame.
pub(crate) fn simulate(
    scene: &Scene,
    wanted: impl IntoIterator<Item = usize>,
    frame: f64,
    console: Console,
) -> Result<(), Failure> {
    let is_open = |run: Simulation| !run.stopped && run.from < frame && run.to < frame;
    let mut groups = scene.simulated_groups();
    if groups.is_empty() {
        return Ok(());
    }
    let needed = with_what_they_hang_on(scene, wanted);
    for group in &mut groups {
        group.retain(|body| needed[*body] && scene.simulation(*body).is_some_and(is_open));
    }
    let (bars, interrupt) = (Bars::new(console), Interrupt::listen()?);
    for group in groups {
        group.par_iter().for_each(|body| {
            let bar = Bar::new(&bars, scene, *body, frame);
            scene.simulate(*body, frame, |reached| {
                bar.advance(reached);
                !interrupt.asked()
            });
        });
        if interrupt.asked() {
            let open = |body: &&usize| scene.simulation(**body).is_some_and(is_open);
            let at = group.iter().find(open).map_or_else(String::new, |body| {
                let frame = scene.simulation(*body).map_or(0.0, |run| run.to);
                format!(" of `{}` at frame {frame:.0}", words::shown(scene.run_name(*body)))
            });
            return Err(Failure::new(format!(
                "the simulation{at} was stopped, and nothing was made: `lariat simulate` keeps \
                 what it has done, and goes on from there"
            )));
        }
    }
    Ok(())
}

/// How far one body's simulation is.
pub(crate) struct Bar {
    progress: Progress,
    from: f64,
    last: f64,
}

impl Bar {
    pub(crate) fn new(bars: &Bars, scene: &Scene, body: usize, last: f64) -> Self {
        let what = format!("simulating {}", words::shown(scene.run_name(body)));
        let from = scene.simulation(body).map_or(last, |run| run.from);
        Self { progress: bars.over(what, "frames"), from, last }
    }

    /// A frame is reached.
    pub(crate) fn advance(&self, frame: f64) {
        let count = |frame: f64| (frame - self.from + 1.0).max(0.0) as u64;
        self.progress.advance(count(frame), count(self.last));
    }
}
