//! Bodies that are simulated: from a start, step by step, and everything recorded.
//!
//! Frames can be asked for in any order. A frame that lies ahead makes the simulation run up to it; all
//! states on the way are recorded (`history.rs`), so that earlier frames are looked up. Between two records a place follows the cubic through both with their
//! speeds. The run itself goes on from its last state, or from a checkpoint of it, with the same bits
//! as if it had never stopped.
//!
//! ```text
//! inputs.rs  inputs of a rope at every step: pins, forces, obstacles, wind
//! run.rs     the simulation of one rope; run/start_pose.rs: the pose that it starts from
//! take.rs    its recording
//! string_world/    all strings of a document: one run, for they touch each other
//!
//! progress.rs  stepping, recording and resuming, for all simulations
//! history.rs   recorded states: rows of numbers at even times
//! file.rs      takes (simulation caches): recordings as bytes
//! ```

mod file;
pub(crate) mod history;
mod inputs;
mod progress;
mod run;
pub(crate) mod string_world;
mod take;

pub(crate) use file::{Take, read};
pub use file::{TakeError, TakeWriter, take_of};
pub(crate) use inputs::End;
use lariat_core::dynamics::material::Section;
pub(crate) use progress::Simulated;
pub(crate) use run::Dynamics;
pub(crate) use string_world::StringWorld;
pub(crate) use take::Recorded;

/// Material of a simulated body, with the numbers it is simulated with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolvedMaterial {
    /// The material, as documents say it.
    pub name: &'static str,
    /// The numbers that it is simulated with: those of the material at the body's radius, unless the
    /// document gives others.
    pub section: Section,
    /// True for a string, which is simulated together with all others.
    pub is_string: bool,
    /// Strength, for strings that tear.
    pub strength: Option<Strength>,
}

/// Strength of a string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Breaking load.
    pub newtons: f64,
    /// Twist at which it breaks.
    pub turns_per_metre: f64,
}

/// Progress of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulation {
    /// The frame that it starts from.
    pub from: f64,
    /// The frame that is reached.
    pub to: f64,
    /// Steps a second.
    pub rate: f64,
    /// True if it stopped early; the body's warnings give the reason.
    pub stopped: bool,
}
