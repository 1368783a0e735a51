//! Evaluation of whole documents, in one test binary.

mod attach;
mod bits;
mod cameras;
mod contact;
mod dynamics;
mod edits;
mod generated;
mod handles;
mod incremental;
mod live;
mod meshes;
mod models;
mod modes;
mod paint;
mod parameters;
mod pending;
mod solids;
mod strings;
mod warnings;
mod wiggles;

use lariat_eval::{MemoryStorage, Moment, Scene, TakeEnd, TakeError, TapeUse};
use lariat_scene::check::{Severity, check};
use lariat_scene::lower::Lowered;
use lariat_scene::{Document, Limits};

/// A document of one or more bodies, which must be free of errors and warnings.
fn lowered(text: &str) -> Lowered {
    let text = format!("lariat = 2\n{text}");
    let checked = check(text.as_bytes(), &Limits::default());
    let only_notes = checked.diagnostics.iter().all(|found| found.severity == Severity::Note);
    assert!(only_notes, "{:#?}", checked.diagnostics);
    checked.content.expect("a document without diagnostics has content").lowered
}

fn scene(text: &str) -> Scene {
    Scene::bind(&lowered(text))
}

/// Loads the take of a body from bytes.
fn load_take(
    scene: &Scene,
    body: usize,
    hash: u128,
    bytes: &[u8],
) -> Result<(TakeEnd, f64), TakeError> {
    scene.load_take(body, hash, Box::new(MemoryStorage::new(bytes)), TapeUse::Overflow)
}

/// The same as a document that can be edited.
fn document(text: &str) -> Document {
    let text = format!("lariat = 2\n{text}");
    lariat_scene::format::read(&text).expect("it is TOML").document
}

/// Frames 1 to 36 of a document in order; checks that another order gives the same bits.
fn frames_in_order(text: &str) -> Vec<Moment> {
    let (one, two) = (scene(text), scene(text));
    let forward: Vec<_> = (1..=36).map(|frame| one.evaluate(f64::from(frame))).collect();
    for frame in [30_u32, 36, 1, 7, 29, 16] {
        let moment = two.evaluate(f64::from(frame));
        assert!(moment.bodies == forward[frame as usize - 1].bodies, "frame {frame}");
    }
    forward
}
