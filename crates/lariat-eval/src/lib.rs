//! A document becomes geometry at any frame.
//!
//! The only crate that knows time. [`Scene::bind`] turns a lowered document into models whose
//! parameters are channels; evaluating samples the channels at a time, fills in the plain
//! numbers that the models of `lariat-core` take, and sweeps strands along what they return. Meshes
//! come from files, which [`Assets`] is handed; [`Scene::bind_with`] then binds them as well.
//!
//! ```text
//! bind/      records -> channels: looks, anchors, layers, one file per family of models; cameras
//! number.rs  a parameter with its allowed range, read at a time
//! scene.rs   everything bound; bodies in the order in which they hang on each other
//! moment.rs  what bodies look like and cameras see at one frame, and what could not be done as told
//! handles.rs what an animator would take hold of
//! cache.rs   an evaluator that redoes only what an edit touched
//! assets.rs  files that a document names: meshes
//! simulate/  bodies that move by forces: run once, recorded, and then at hand like all others
//! survey.rs  a whole shot looked through: warnings as diagnostics with place and numbers
//! ```
//!
//! Any frame, any order, any number of threads: the same bits. Nothing here keeps history but
//! simulations, which record theirs, and no result depends on which thread worked it out.
//!
//! ```
//! use lariat_eval::Scene;
//! use lariat_scene::{Limits, check::check};
//!
//! let text = r#"
//! lariat = 1
//! [[body]]
//! name = "rein"
//! model = "suspended-rope"
//! from = [0, 0, 2]
//! to = [3, 0, 2]
//! length = 4
//! swing = { keys = [[1, 0], [24, 40]] }
//! "#;
//! let checked = check(text.as_bytes(), &Limits::default());
//! assert!(!checked.has_errors());
//! let content = checked.content.expect("it could be read");
//!
//! let scene = Scene::bind(&content.lowered);
//! let moment = scene.evaluate(12.0);
//! let rope = &moment.bodies[0].strands[0];
//! assert_eq!(rope.points().len(), 49);
//! assert_eq!(rope.points()[0].to_array(), [0.0, 0.0, 2.0]);
//! ```

mod assets;
mod bind;
mod cache;
mod handles;
mod moment;
mod number;
mod scene;
mod simulate;
mod survey;
mod tint;
pub mod warning;

pub use assets::{Assets, FileError, Files, MemoryFiles, NoFiles};
pub use cache::{Evaluator, FRAMES_REMEMBERED};
pub use handles::{Handle, HandleKind, Handles};
pub use moment::{BodyMoment, CameraMoment, Moment};
pub use scene::Scene;
pub use simulate::{ResolvedMaterial, Simulation, Strength, TakeError, TakeWriter, take_of};
pub use survey::{Survey, survey};
pub use warning::{Subject, Warning, WarningKind};

pub use lariat_string::Cause;
