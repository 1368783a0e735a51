//! The spline rope as published: uniform knots, damped springs, springs at the pins, explicit
//! steps.
//!
//! Tuzel 2004, *Dynamic Rope Animation Using Cubic B-Splines*, sections 2 to 7, with its errata
//! corrected (T1–T11 of `docs/papers/tuzel.md`). It is the reference for `lariat_core::dynamics::spline_rope`, with
//! which it shares neither splines nor steps. Documents select it by `method = "published"`.
//!
//! ```text
//! basis.rs      weights of the control points, uniform knots       eqs 1–3
//! mass.rs       the mass matrix                                    eqs 5–10
//! fit.rs        control points of a rope that lies along a curve
//! springs.rs    elasticity                                         eqs 15, 16
//! rope.rs       the rope, its settings and its state               sections 2, 3, 7
//! step.rs       one explicit step                                  eqs 10–16, sections 4 and 6
//! limit.rs      the longest stable step                            section 6
//! ```
//!
//! ```
//! use glam::DVec3;
//! use lariat_core::dynamics::material::Material;
//! use lariat_core::dynamics::spline_rope::Pin;
//! use lariat_papers::tuzel::{Build, Rope};
//!
//! // A metre of rubber, held at one end and released horizontally.
//! let line: Vec<DVec3> = (0..=20).map(|i| DVec3::X * (0.05 * f64::from(i))).collect();
//! let section = Material::find("rubber").unwrap().at_radius(0.005);
//! let mut rope = Rope::along(&line, &Build::published(section)).unwrap();
//! rope.viscosity = 2.0;
//! rope.pins.push(Pin::at(0.0, line[0]));
//! let dt = rope.longest_step();
//! for _ in 0..100 {
//!     rope.step(dt).unwrap();
//! }
//! assert!(rope.point(1.0).z < 0.0);
//! ```
//!
//! # Differences from the paper
//!
//! * T10: Euler's explicit step, the default, is unstable without damping. [`Step::SemiImplicit`]
//!   uses the new velocities for the positions, which undamped springs require.
//! * Spring constants follow from the rope: `k_s = EA/r`, and `k_d` is the inner friction times
//!   `k_s`.
//! * Damping never turns the pull of a spring into a push.
//! * A pin damps velocity relative to its target, so that it does not brake a rope in uniform
//!   motion.
//! * Friction is limited by the force that stops the contact point within the step.
//! * Air drag is not in the paper. It acts where a scene has air, explicitly.

mod basis;
mod fit;
mod limit;
mod mass;
mod rope;
mod springs;
mod step;

pub use basis::{Basis, Weights};
pub use rope::{Build, BuildError, Energy, Rope, State, Step};
