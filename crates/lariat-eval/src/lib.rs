//! Evaluates a document to geometry at any frame.
//!
//! [`Scene::bind`] turns a lowered document into models whose parameters are channels. Evaluation
//! samples the channels at a time, passes the numbers to the models of `lariat-core`, and sweeps
//! strands along the curves they return. Meshes and modes come from files, which [`Assets`] reads;
//! [`Scene::bind_with`] binds them as well.
//!
//! ```text
//! bind/      binds records to channels: looks, anchors, layers, one file per family of models; cameras
//! number.rs  a parameter and its allowed range, sampled at a time
//! scene.rs   a bound document; bodies ordered by attachment
//! moment.rs  bodies and cameras at one frame
//! warning/   warnings: one struct each, with code, numbers, sentence and remedy
//! handles.rs handles of bodies
//! nearest.rs places of bodies that are nearest to points
//! contact.rs places where strands touch something
//! cache.rs   an evaluator that binds and poses only the bodies an edit changed, and never waits
//! assets.rs  files named by a document: meshes, modes
//! live.rs    a simulation that is pulled at one point while it runs
//! simulate/  simulated bodies: simulated once, recorded, then looked up
//! survey.rs  the warnings of a shot, collected into diagnostics
//! ```
//!
//! Results are the same bits for any order of frames and any number of threads. Only simulations
//! depend on earlier frames, which they record.
//!
//! ```
//! use lariat_eval::Scene;
//! use lariat_scene::{Limits, check::check};
//!
//! let text = r#"
//! lariat = 2
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
mod contact;
mod handles;
mod live;
mod moment;
mod nearest;
mod number;
mod scene;
mod simulate;
mod survey;
mod tint;
pub mod warning;

pub use assets::{Assets, FileError, FileErrorKind, Files, MemoryFiles, NoFiles};
pub use bind::rotation;
pub use cache::{Evaluator, FRAMES_REMEMBERED, Pose, TakeState};
pub use contact::{Contact, Touched};
pub use handles::{AnchorMoment, Handle, HandleKind, HandleParameter, Handles};
pub use live::{LiveError, LiveRun};
pub use moment::{BodyMoment, CameraMoment, Moment};
pub use nearest::NearestPlace;
pub use scene::Scene;
pub use simulate::{
    JobCanceller, JobProgress, JobStatus, LONGEST_HEADER, MemoryStorage, ResolvedMaterial,
    Simulation, SimulationJob, Storage, Strength, TakeEnd, TakeError, TapeUse, take_of,
};
pub use survey::{Survey, survey};
pub use warning::{Subject, Warning, WarningKind};

pub use lariat_string::Cause;
