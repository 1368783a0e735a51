//! Tests of the museum and the guide, with all crates, in one test binary.

mod determinism;
mod dynamics;
mod figures;
mod guide;
mod limits;
mod modes;
mod recipes;
mod scenes;
mod springs;
mod strings;

use glam::DVec3;
use lariat_eval::{Assets, BodyMoment, MemoryFiles, Scene, survey};
use lariat_museum::FILES;
use lariat_scene::check::{Content, check};
use lariat_scene::lower::Lowered;
use lariat_scene::{Document, Limits};

/// Content of a museum scene, which must have no diagnostics.
fn content(museum_scene: &lariat_museum::Scene) -> Content {
    let checked = check(museum_scene.text.as_bytes(), &Limits::default());
    let found: Vec<String> = checked.diagnostics.iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "{}: {}", museum_scene.name, found.join("\n"));
    checked.content.expect("a document without diagnostics has content")
}

fn find(name: &str) -> &'static lariat_museum::Scene {
    lariat_museum::find(name).unwrap_or_else(|| panic!("no scene is called {name}"))
}

fn document(name: &str) -> Document {
    content(find(name)).document
}

fn scene(name: &str) -> Scene {
    bound(&content(find(name)).lowered)
}

/// A document bound with the files of the museum, which must contain all that it needs.
fn bound(lowered: &Lowered) -> Scene {
    let shelf =
        FILES.iter().fold(MemoryFiles::default(), |shelf, (path, bytes)| shelf.with(*path, *bytes));
    let assets = Assets::load(lowered, &Limits::DEFAULT, &shelf);
    let found = assets.diagnostics(lowered, &Limits::DEFAULT);
    assert!(found.is_empty(), "{found:?}");
    Scene::bind_with(lowered, &assets)
}

/// All diagnostics of evaluating every frame of a document.
fn surveyed(content: &Content) -> Vec<String> {
    let scene = Scene::bind(&content.lowered);
    survey(&scene, &content.lowered, |_| true).iter().map(ToString::to_string).collect()
}

/// One body of a scene at a frame.
fn body(scene: &Scene, name: &str, frame: f64) -> BodyMoment {
    let index = scene.body_index(name).unwrap_or_else(|| panic!("no body is called {name}"));
    scene.evaluate_body(index, frame)
}

/// The points of the first strand of a body at a frame.
fn points(scene: &Scene, name: &str, frame: f64) -> Vec<DVec3> {
    body(scene, name, frame).strands[0].points().to_vec()
}

/// The last point of a body at a frame.
fn end(scene: &Scene, name: &str, frame: f64) -> DVec3 {
    *points(scene, name, frame).last().expect("a strand has points")
}

/// Largest distance between corresponding points.
fn apart(a: &[DVec3], b: &[DVec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}
