//! Ropes simulated as cubic B-splines (Tuzel 2004).
//!
//! The rope is `P(t) = Σ Nᵢ(t) qᵢ`; its kinetic energy is a quadratic form of the `q̇ᵢ` whose matrix is
//! constant and has three diagonals beside the main one. Accelerations follow from forces at any point
//! of the rope in time proportional to the number of control points: `M q̈ = W`, with one factor of `M`
//! for the whole run.
//!
//! ```text
//! build.rs         settings of a rope: control points, section, length, weights
//! basis.rs         splines: weights of the control points at a place
//! mass.rs          mass matrix, stiffness matrix of bending
//! nodes.rs         nodes at which stretch is measured
//! fit.rs           control points of a rope laid along a curve
//! rope.rs          the rope: state, pins, forces, obstacles, step, energy bound
//! pins.rs          exact projection onto the pin targets
//! implicit.rs      the time step: implicit, of second order
//! blocks.rs        matrix of the implicit step
//! contact.rs       contact samples along the rope
//! imperfection.rs  crookedness of real ropes: compressed ropes buckle
//! crease.rs        limit on the sharpness of folds in chains
//! fold_damping.rs  friction of folds that control points cannot resolve
//! drag.rs          drag of the air
//! energy.rs        energy of motion, height, stretch and bending
//! ```
//!
//! ```
//! use glam::DVec3;
//! use lariat_core::dynamics::material::Material;
//! use lariat_core::dynamics::spline_rope::{Build, Pin, SplineRope};
//!
//! // Two metres of hemp, level, held at one end.
//! let line: Vec<DVec3> = (0..=20).map(|i| DVec3::X * (0.1 * f64::from(i))).collect();
//! let section = Material::find("hemp").unwrap().at_radius(0.005);
//! let mut rope = SplineRope::along(&line, &Build::new(16, section)).unwrap();
//! rope.pins.push(Pin::at(0.0, line[0]));
//! for step in 0..240 {
//!     // The pin moves; the target is its position at the end of the step.
//!     rope.pins[0].target = DVec3::Y * (0.001 * f64::from(step));
//!     rope.step(1.0 / 240.0).unwrap();
//! }
//! assert!(rope.point(0.0).distance(rope.pins[0].target) < 1e-12);
//! ```
//!
//! # Differences from the paper
//!
//! * Errors in its equations are corrected: T1–T11 of the notes, listed in `docs/papers/tuzel.md`.
//! * Knots are clamped: the rope ends at its first and last control points, and the mass matrix is
//!   fifty times better conditioned.
//! * Stretch and bending are energies of the whole curve with the stiffness of the rope, instead of
//!   twenty springs.
//! * Pins hold exactly, by multipliers in `O(n)`, instead of springs.
//! * The step is implicit and of second order: a rope hardly stretches, and explicit steps must follow
//!   waves of stretch at a kilometre per second.
//!
//! The published rope is `lariat-papers/src/tuzel`.

mod basis;
mod blocks;
mod build;
mod contact;
mod crease;
mod drag;
mod energy;
mod fit;
mod fold_damping;
mod imperfection;
mod implicit;
mod mass;
mod nodes;
mod pins;
mod rope;
#[cfg(test)]
mod tests;

pub use basis::{Basis, Row};
pub use build::{Build, BuildError};
pub use energy::Energy;
pub use rope::{Force, Pin, SplineRope, Spring, State, StepReport};
