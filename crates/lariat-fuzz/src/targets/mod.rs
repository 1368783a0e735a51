//! All targets, by name.
//!
//! ```text
//! document.rs  text of a document: read, check, write, patch
//! scene.rs     a document: lower, bind, evaluate some frames
//! edits.rs     a document and edits: apply, undo, evaluate
//! journal.rs   text of edits, and journals
//! mesh.rs      OBJ and glTF
//! recording.rs CSV and USD point caches
//! modes.rs     `.modes` files
//! takes.rs     takes (simulation caches)
//! ```

mod document;
mod edits;
mod journal;
mod mesh;
mod modes;
mod recording;
mod scene;
mod takes;

use crate::mutate::Form;

/// One target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Name, also of its folder in `corpus` and of its libFuzzer program.
    pub name: &'static str,
    /// Runs one input; panics if a promise is broken.
    pub run: fn(&[u8]),
    /// Form of its inputs, which decides how they are mutated.
    pub form: Form,
    /// Executions of the ordinary test, fewer for slow targets.
    pub executions: u32,
    /// Seeds besides the files of the corpus, with their names.
    pub made: fn() -> Vec<(String, Vec<u8>)>,
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target {
        name: "document",
        run: document::document,
        form: Form::Text,
        executions: 3000,
        made: document::seeds,
    },
    Target {
        name: "scene",
        run: scene::scene,
        form: Form::Text,
        executions: 600,
        made: scene::seeds,
    },
    Target { name: "edits", run: edits::edits, form: Form::Text, executions: 1000, made: Vec::new },
    Target {
        name: "edit-text",
        run: journal::edit_text,
        form: Form::Text,
        executions: 3000,
        made: Vec::new,
    },
    Target {
        name: "journals",
        run: journal::journals,
        form: Form::Text,
        executions: 1000,
        made: Vec::new,
    },
    Target { name: "obj", run: mesh::obj, form: Form::Text, executions: 3000, made: Vec::new },
    Target { name: "gltf", run: mesh::gltf, form: Form::Mixed, executions: 3000, made: mesh::glb },
    Target { name: "csv", run: recording::csv, form: Form::Text, executions: 3000, made: Vec::new },
    Target {
        name: "usda",
        run: recording::usda,
        form: Form::Text,
        executions: 3000,
        made: Vec::new,
    },
    Target { name: "modes", run: modes::modes, form: Form::Text, executions: 3000, made: Vec::new },
    Target {
        name: "takes",
        run: takes::takes,
        form: Form::Binary,
        executions: 1000,
        made: takes::seeds,
    },
];

/// Returns the target with this name.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
