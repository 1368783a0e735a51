//! Documents evaluated: the models as users meet them, in one test binary.

mod attach;
mod bits;
mod cameras;
mod dynamics;
mod edits;
mod handles;
mod meshes;
mod models;
mod modes;
mod paint;
mod parameters;
mod solids;
mod strings;
mod warnings;
mod wiggles;

use lariat_eval::Scene;
use lariat_scene::Limits;
use lariat_scene::check::check;
use lariat_scene::lower::Lowered;

/// A document of one or more bodies, which must be free of findings.
fn lowered(text: &str) -> Lowered {
    let text = format!("lariat = 1\n{text}");
    let checked = check(text.as_bytes(), &Limits::default());
    assert!(checked.findings.is_empty(), "{:#?}", checked.findings);
    checked.content.expect("a document without findings has content").lowered
}

fn scene(text: &str) -> Scene {
    Scene::bind(&lowered(text))
}
