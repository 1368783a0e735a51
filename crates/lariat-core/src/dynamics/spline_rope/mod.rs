//! A rope whose motion is that of a cubic B-spline (Tuzel 2004).
//!
//! The rope is `P(t) = Σ Nᵢ(t) qᵢ`; its kinetic energy is a quadratic form of the `q̇ᵢ` whose matrix
//! never changes and has three diagonals beside the main one. So forces at any point of the rope
//! become accelerations of all of it in time proportional to the number of control points:
//! `M q̈ = W`, with one factor of `M` for the whole run.
//!
//! ```text
//! build.rs         settings of a rope: control points, section, length, weights
//! basis.rs         the splines: weights of control points at a place
//! mass.rs          the mass matrix, and the stiffness against bending
//! nodes.rs         where stretch is measured
//! fit.rs           a rope is laid along a curve
//! rope.rs          the rope: state in plain arrays, pins, pushes, obstacles, its step, and when
//!                  its energy is too much
//! pins.rs          points that are held, exactly
//! implicit.rs      the step: second order, stable however long it is
//! blocks.rs        the matrix of the implicit step
//! touch.rs         contact and friction at one place of the rope
//! imperfection.rs  crookedness of real ropes: compressed ropes buckle
//! crease.rs        folds no sharper than control points can draw
//! fold_damping.rs  friction of folds that control points cannot resolve
//! breeze.rs        the pull of moving air
//! energy.rs        what is in it: motion, height, stretch, bending
//! ```
//!
//! ```
//! use glam::DVec3;
//! use lariat_core::dynamics::material::Material;
//! use lariat_core::dynamics::spline_rope::{Build, Pin, SplineRope};
//!
//! // Two metres of hemp, held at one end and let go level.
//! let line: Vec<DVec3> = (0..=20).map(|i| DVec3::X * (0.1 * f64::from(i))).collect();
//! let section = Material::find("hemp").unwrap().at_radius(0.005);
//! let mut rope = SplineRope::along(&line, &Build::new(16, section)).unwrap();
//! rope.pins.push(Pin::at(0.0, line[0]));
//! for step in 0..240 {
//!     // A hand that moves: its place at the end of the step.
//!     rope.pins[0].target = DVec3::Y * (0.001 * f64::from(step));
//!     rope.step(1.0 / 240.0).unwrap();
//! }
//! assert!(rope.point(0.0).distance(rope.pins[0].target) < 1e-12);
//! ```
//!
//! # Where we leave the paper
//!
//! * Slips in its equations are mended: T1–T11 of the notes, listed in `docs/papers/tuzel.md`.
//! * Knots are clamped: the rope ends at its control points, and the mass matrix is fifty times better
//!   conditioned.
//! * Stretch and bending are energies of the whole curve with the rope's own stiffness, not twenty
//!   springs.
//! * Points are held exactly by multipliers, in `O(n)`, not by springs.
//! * The step is implicit and of second order: a rope hardly stretches, and explicit steps must follow
//!   waves of stretch at a kilometre a second.
//!
//! The rope as published is `lariat-papers/src/tuzel`.

mod basis;
mod blocks;
mod breeze;
mod build;
mod crease;
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
mod touch;

pub use basis::{Basis, Row};
pub use build::{Build, BuildError};
pub use energy::Energy;
pub use rope::{Force, Pin, SplineRope, State, StepReport};
