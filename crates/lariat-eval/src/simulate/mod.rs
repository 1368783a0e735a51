//! Bodies that are simulated: from a start, step by step, and everything recorded.
//!
//! Any frame can still be asked in any order. Who asks for one that lies ahead lets the simulation
//! run up to it; what it did on the way is recorded (`history.rs`), so asking again, or for an earlier
//! frame, is looking it up. Between two records a place follows the cubic through both with their
//! speeds. The run itself goes on from its last state, or from a checkpoint of it, with the same bits
//! as if it had never stopped.
//!
//! ```text
//! inputs.rs  what a rope is told at every step: pins, pushes, obstacles, wind
//! run.rs     the simulation of one rope, and run/start_pose.rs the pose that it starts from
//! take.rs    what it recorded
//! string_world/    all strings of a document: one run, for they touch each other
//!
//! progress.rs  how any simulation goes on, and sets out again from a checkpoint
//! history.rs      what any records: rows of numbers at even times
//! file.rs      the same as bytes, for a file that survives a crash
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

/// What a simulated body is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolvedMaterial {
    /// The material, as documents say it.
    pub name: &'static str,
    /// The numbers that it is simulated with: those of the material at the body's radius, unless the
    /// document gives others.
    pub section: Section,
    /// Whether it is a string, and moves with all others.
    pub is_string: bool,
    /// What tears it, for strings that tear.
    pub strength: Option<Strength>,
}

/// What tears a string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Pull.
    pub newtons: f64,
    /// Twist.
    pub turns_per_metre: f64,
}

/// How far a simulation has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulation {
    /// The frame that it starts from.
    pub from: f64,
    /// The frame that is reached.
    pub to: f64,
    /// Steps a second.
    pub rate: f64,
    /// Whether it goes no further: the body's warnings say why.
    pub stopped: bool,
}
