//! Strings that twist, tear and flick (Rungjiratananon et al. 2012).
//!
//! A string is a chain of particles with segments between them. Each segment keeps its length, has
//! an angle about its axis, and may yield and tear; the string keeps its shape, and touches itself,
//! other strings and what stands around. All strings of a scene are one set of flat arrays.
//!
//! ```text
//! build.rs        what a string is told once
//! add.rs          how it is added to a set
//! state.rs        all that a run remembers
//! weight.rs       what particles weigh, and carry for a while
//! hands.rs        what a step is told: clamps, pushes, settings
//! strings.rs      the set, and its step
//! work.rs         room for one
//! forces.rs       weight, pushes, air
//! drift.rs        motion with the tension that keeps lengths
//! stretch.rs      how long a segment is under a pull
//! beam.rs         bending that is solved for with it
//! calm.rs         friction from segment to segment
//! match_shape.rs  regions that keep their shape: bending
//! frames.rs       what twist is measured from
//! twist.rs        how twist spreads, spins and bends
//! plastic.rs      what stays of too much
//! tear.rs         a string becomes two
//! flick.rs        what was pulled and is let go snaps back
//! grip.rs         what clamps hold with
//! spring.rs       damped springs to moving targets
//! batches.rs         who makes a step: threads
//! contact/        strings with themselves, each other and obstacles
//! energy.rs       what is in them; and when it is too much
//! events.rs       what happened
//! ```
//!
//! ```
//! use glam::DVec3;
//! use lariat_core::dynamics::material::Material;
//! use lariat_string::{Build, Clamp, Strings};
//!
//! // A metre of shoelace, held at one end and let go level.
//! let material = *Material::find("shoelace").unwrap();
//! let build = Build::straight(DVec3::ZERO, DVec3::X, 50, 0.002, material);
//! let mut strings = Strings::of(&build).unwrap();
//! strings.clamps.push(Clamp::at(strings.particle(0, 0.0), DVec3::ZERO));
//! for step in 1..=60 {
//!     // A hand that moves: its place at the end of the step.
//!     strings.clamps[0].target = DVec3::Y * (0.001 * f64::from(step));
//!     strings.step(1.0 / 60.0).unwrap();
//! }
//! assert_eq!(strings.state.positions[0], strings.clamps[0].target);
//! assert!(strings.state.tensions[0] > 0.0);
//! // What the hand feels.
//! assert!(strings.grip(&strings.clamps[0]).force.z > 0.0);
//! ```
//!
//! For a game: [`Strings::step`] takes the time of a frame and makes as many parts of it as it needs,
//! without asking for memory once it has run for a while; [`Strings::step_with`] shares strings out to
//! threads. Afterwards `events` has what tore, [`Strings::touches`] what touches, [`Strings::grip`]
//! what hands feel, and `state` everything else: positions, speeds, tension, twist, spin. A step that
//! would have no sound answer is an error, and leaves everything as it was.
//!
//! # Where we leave the paper
//!
//! * Slips in its equations are mended: R1–R10 of the notes, each in its own file.
//! * Strings exactly as published are in `lariat-papers` (`rungjiratananon`), which judges these.
//! * A step keeps momentum, angular momentum and (but for friction) energy, and solves for tension
//!   instead of estimating it.
//! * Shape matching is calibrated: its stiffness is an `EI` in N m² and its width is in metres. What steps do
//!   not follow of it is solved for together with tension, as the beam that it is.
//! * Twist is solved with its inertia.
//! * A grid with all 27 cells, of eight segments at a time: seven cells miss contacts.
//!
//! # Where it is weak
//!
//! * What passes through nothing may need many parts: knots and coils take some ten in a hundredth
//!   of a second. `StepReport::parts` tells.
//! * Strings that are curved at rest bend by regions as wide as steps ask for, which reach half a width
//!   beyond clamps: thick ones with long steps bend less beside them than they should.
//! * A chain of rods (`pushes`) whose ends jump nearer to each other than it is long keeps what could
//!   not be solved: it hangs, but its segments are too short and its tension reads 0.
//! * The energy of all strings is looked at every eighth step: [`Diverged`] may come some steps late.
//! * Where one string has far longer segments than the others, the grid of contacts is coarse for
//!   all of them.

mod add;
mod batches;
mod beam;
mod build;
mod calm;
mod contact;
mod controls;
mod drift;
mod energy;
mod events;
mod flick;
mod forces;
mod frames;
mod grip;
mod match_shape;
mod plastic;
pub mod rod;
mod spring;
mod state;
mod stretch;
mod strings;
mod tear;
#[cfg(test)]
mod tests;
mod twist;
mod weight;
mod work;

pub use batches::{Executor, Serial, Stage};
pub use build::{Bend, Build, BuildError, Twist};
pub use contact::{Touch, nearest_on_segments};
pub use controls::{Clamp, Force, Overrides, Settings, StepReport, Torque, Turn};
pub use energy::Energy;
pub use events::{Cause, Event};
pub use grip::Grip;
pub use lariat_core::dynamics::Diverged;
pub use lariat_core::dynamics::material::Material;
pub use spring::Spring;
pub use state::{Span, State};
pub use strings::Strings;
