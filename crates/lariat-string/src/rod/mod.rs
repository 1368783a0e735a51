//! Strings by one implicit solve per substep: tension, bending, twist and contact together.
//!
//! The next solver of this crate, with the interface of [`crate::Strings`]. Documents and solids still
//! use that one.
//!
//! ```text
//! strings.rs    the strings and their step
//! inputs.rs     clamps, forces, torques, springs and friction of a step
//! parts.rs      constant properties; add.rs: from a description to these
//! state.rs      everything that a run remembers
//! near.rs       pairs of segments that may touch
//! group.rs      strings that touch each other: Newton's iteration over a substep
//! chain.rs      one piece: time step, prediction, joints, targets
//! band/         its matrix, eliminated from both ends; lanes.rs: two numbers at a time
//! obstacles.rs  contact with obstacles, in the blocks of the matrix
//! pairs.rs      contact between segments, by their compliance
//! twist.rs      frames and twist
//! wear.rs       yielding and tearing
//! grip.rs       forces of clamps; energy.rs: energy, momentum, divergence
//! batches.rs    strings on several threads
//! ```
//!
//! ```
//! use glam::DVec3;
//! use lariat_core::dynamics::contact::Obstacle;
//! use lariat_core::dynamics::material::Material;
//! use lariat_core::model::layer::Collider;
//! use lariat_string::rod::Strings;
//! use lariat_string::{Build, Clamp};
//!
//! // A kilogram on a hemp rope that hangs over a beam.
//! let hemp = *Material::find("hemp").unwrap();
//! let points = [(-0.11, -0.5), (-0.11, 0.0), (0.0, 0.11), (0.11, 0.0), (0.11, -0.5)];
//! let points = points.map(|(x, z)| DVec3::new(x, 0.0, z)).to_vec();
//! let build = Build { weights: vec![(1.0, 1.0)], ..Build::new(points, 0.005, hemp) };
//! let mut strings = Strings::of(&build).unwrap();
//! strings.clamps.push(Clamp::at(0, build.points[0]));
//! let beam = Collider::Cylinder { from: -DVec3::Y, to: DVec3::Y, radius: 0.1 };
//! strings.obstacles.push(Obstacle::standing(beam, 0.0));
//! for _ in 0..240 {
//!     strings.step(1.0 / 240.0).unwrap();
//! }
//! // It hangs: the last segment carries it, and the clamp the rest.
//! assert!((strings.state.tensions[3] / 9.81 - 1.0).abs() < 0.05);
//! assert!(strings.events.is_empty());
//! ```
//!
//! # Where it is weak
//!
//! * Bodies that are tied to strings, or lie on them, are not solved for yet.
//! * `Build::flicks` is the elasticity of the material: such a string stretches under a pull.
//! * Spinning segments have no gyroscopic forces.
//! * The energy of positions and velocities may rise by the error of a step of second order: by 5 % of
//!   what is thrown in while a cord is drawn together, by 0.3 % in a swing.
//! * Friction of many turns with a large coefficient does not settle: at 2½ turns and 0.4 a rope
//!   creeps by 2 to 4 mm/s where it should hold.
//! * Wound strings without friction need some ten iterations of a step of a hundredth of a second.
//! * The grid of near pairs is as coarse as the longest run of segments.

mod add;
mod band;
mod batches;
mod chain;
mod energy;
mod grip;
mod group;
mod inputs;
mod lanes;
mod near;
mod obstacles;
mod pairs;
mod parts;
mod state;
mod strings;
#[cfg(test)]
mod tests;
mod twist;
mod wear;

pub use state::{Span, State};
pub use strings::{Settings, StepReport, Strings};
