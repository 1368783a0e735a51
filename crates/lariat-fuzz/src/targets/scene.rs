//! A document that is lowered, bound and evaluated at some frames, within small limits.

use std::sync::LazyLock;

use lariat_eval::{Assets, MemoryFiles, Scene};
use lariat_museum::FILES;
use lariat_scene::Limits;
use lariat_scene::check::check;

use crate::promise;

/// Limits under which a document is evaluated within milliseconds.
pub(super) const LIMITS: Limits = Limits {
    file_bytes: 64 * 1024,
    bodies: 24,
    samples_per_body: 400,
    samples_in_all: 4000,
    points_per_mesh: 1000,
    bytes_per_asset: 32 * 1024,
    keys_per_channel: 100,
    entries_per_list: 12,
    cells: 400,
    frames: 5000,
    diagnostics: 40,
    ..Limits::DEFAULT
};

/// Calls of a simulation's progress function after which it is stopped.
const REPORTS: u32 = 3;

/// Files of the museum that are small enough, for documents that name them.
pub(super) static SHELF: LazyLock<MemoryFiles> = LazyLock::new(|| {
    let small = FILES.iter().filter(|(_, bytes)| bytes.len() as u64 <= LIMITS.bytes_per_asset);
    small.fold(MemoryFiles::default(), |shelf, (path, bytes)| shelf.with(*path, *bytes))
});

/// Binds a document, with or without errors, and evaluates it in two orders of frames.
///
/// # Panics
/// If a promise is broken.
pub(super) fn scene(bytes: &[u8]) {
    let Some(content) = check(bytes, &LIMITS).content else { return };
    let assets = Assets::load(&content.lowered, &LIMITS, &*SHELF);
    for diagnostic in assets.diagnostics(&content.lowered, &LIMITS) {
        assert!(!diagnostic.to_string().is_empty());
    }
    let bind = || Scene::bind_with(&content.lowered, &assets);
    let first = bind();
    let frames = frames(&first);
    let forward: Vec<u64> = frames.iter().map(|frame| at(&first, *frame)).collect();
    let second = bind();
    // Simulated as far as before, so that all frames are recorded.
    self::frames(&second);
    let mut backward: Vec<u64> = frames.iter().rev().map(|frame| at(&second, *frame)).collect();
    backward.reverse();
    assert_eq!(forward, backward, "other bits in the other order of the frames {frames:?}");
    for camera in 0..first.camera_count() {
        let camera = first.evaluate_camera(camera, frames[0]).camera;
        let text = format!("{camera:?}");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}

/// Evaluates a document with one file.
///
/// # Panics
/// If a promise is broken.
pub(super) fn drawn(path: &str, bytes: &[u8], text: &str) {
    let checked = check(text.as_bytes(), &LIMITS);
    assert!(checked.diagnostics.is_empty(), "{}", checked.diagnostics[0]);
    let content = checked.content.unwrap_or_else(|| unreachable!("it has no diagnostics"));
    let assets = Assets::load(&content.lowered, &LIMITS, &MemoryFiles::default().with(path, bytes));
    let scene = Scene::bind_with(&content.lowered, &assets);
    at(&scene, 1.0);
    at(&scene, 12.5);
}

fn at(scene: &Scene, frame: f64) -> u64 {
    promise::moment(scene, &scene.evaluate(frame))
}

/// Frames to evaluate: the beginning, some between, and the end, but nothing beyond what each
/// simulation reaches in a few steps. Runs the simulations that far.
pub(super) fn frames(scene: &Scene) -> Vec<f64> {
    let (first, last) = (scene.shot().first as f64, scene.shot().last as f64);
    let mut reached = last;
    for body in scene.simulated_groups().into_iter().flatten() {
        let mut reports = 0;
        scene.simulate(body, reached, |_| {
            reports += 1;
            reports < REPORTS
        });
        let progress = scene.simulation(body).unwrap_or_else(|| unreachable!("it is simulated"));
        if !progress.stopped {
            reached = reached.min(progress.to);
        }
    }
    [first, first + 0.37 * (last - first), last, reached]
        .into_iter()
        .filter(|frame| *frame <= reached)
        .collect()
}

/// Documents of the museum that need no large files.
pub(super) fn seeds() -> Vec<(String, Vec<u8>)> {
    let small = |text: &[u8]| {
        let checked = check(text, &LIMITS);
        !checked.has_errors()
            && checked.content.is_some_and(|content| {
                let assets = Assets::load(&content.lowered, &LIMITS, &*SHELF);
                assets.diagnostics(&content.lowered, &LIMITS).is_empty()
            })
    };
    super::document::seeds().into_iter().filter(|(_, text)| small(text)).collect()
}
