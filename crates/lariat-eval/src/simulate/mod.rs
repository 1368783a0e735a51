//! Simulated bodies: stepped from a start, with all states recorded.
//!
//! Frames can be evaluated in any order. A frame that has not been reached makes the simulation run up
//! to it; all states on the way are recorded (`history.rs`), so that earlier frames are looked up. The
//! run continues from its last state, or from a checkpoint, with the same bits as an uninterrupted
//! run.
//!
//! ```text
//! inputs.rs       inputs of a rope at every step: pins, forces, obstacles, wind
//! pull_spring.rs  a spring that pulls at a point while the simulation runs
//! run.rs          the simulation of one rope; run/start_pose.rs: the pose that it starts from
//! take.rs         its recording
//! string_world/   all strings of a document: one run, because they touch each other
//!
//! job.rs       slices of simulations, driven by a worker
//! progress.rs  stepping, recording and resuming, for all simulations
//! history.rs   recorded states: rows of numbers at regular times
//! file.rs      takes (simulation caches): recordings as bytes
//! tape.rs      chunks of a recording outside memory
//! storage.rs   the bytes of a tape, provided by the caller
//! ```

mod file;
pub(crate) mod history;
mod inputs;
mod job;
mod progress;
mod pull_spring;
mod run;
mod storage;
pub(crate) mod string_world;
mod take;
mod tape;

pub(crate) use file::Take;
pub use file::{LONGEST_HEADER, TakeEnd, TakeError, take_of};
pub(crate) use history::{History, RecordingLimits};
pub(crate) use inputs::End;
pub(crate) use job::JobFlags;
pub use job::{JobCanceller, JobProgress, JobStatus, SimulationJob};
use lariat_core::dynamics::material::Section;
pub(crate) use progress::Simulated;
pub(crate) use pull_spring::PullSpring;
pub(crate) use run::Dynamics;
pub use storage::{MemoryStorage, Storage};
pub(crate) use string_world::StringWorld;
pub(crate) use take::Recorded;
pub use tape::TapeUse;

/// Material of a simulated body, with the numbers it is simulated with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolvedMaterial {
    /// Name of the material in documents.
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
    /// Breaking load in newtons.
    pub newtons: f64,
    /// Twist at which it breaks, in turns per metre.
    pub turns_per_metre: f64,
}

/// Progress of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulation {
    /// The frame that it starts from.
    pub from: f64,
    /// The frame that is reached.
    pub to: f64,
    /// Steps per second.
    pub rate: f64,
    /// True if it stopped early; the body's warnings give the reason.
    pub stopped: bool,
}
