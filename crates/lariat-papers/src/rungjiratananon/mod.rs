//! Strings as published: shape matching, averaged twist, lengths by sweeps, tension that tears and flicks.
//!
//! Rungjiratananon et al. 2012, *Animating strings with twisting, tearing and flicking effects*, with its
//! errata corrected (R1–R10 of `docs/papers/rungjiratananon.md`). It is the second method that judges
//! `lariat_string`, with which it shares no solver code: materials, air and obstacles are those of core. Documents ask for it by `method = "published"`.
//!
//! ```text
//! build.rs        a string before it is added, and its checks
//! controls.rs     clamps, forces, torques and events
//! state.rs        state of all strings, as numbers
//! strings.rs      the set of strings and its step
//! predict.rs      explicit step of the particles               section 3
//! collide.rs      capsules, grid, obstacles                    section 6, R10
//! match_shape.rs  chain shape matching                         section 3
//! rotation.rs     rotation of a region                         section 3
//! limit.rs        strain limiting by sweeps                    section 5.2
//! energy.rs       limit on the energy that sweeps add
//! tension.rs      tension of the segments                      eqs 8, 10, 12, R6
//! curve.rs        stress-strain curve of a segment             section 5.1
//! frames.rs       twist-free frames                            section 4
//! twist.rs        twist angles of the segments                 eqs 1–5, R1–R4
//! twist_force.rs  force of twist on the particles              eqs 6, 7, R5
//! yielding.rs     permanent stretch and twist                  section 5.4, R7–R9
//! tear.rs         tearing by tension and by shear              section 5.4, eqs 8, 9, 11, R7, R8
//! flick.rs        tension that pulls on after a release        section 5.4
//! ```
//!
//! ```
//! use glam::DVec3;
//! use lariat_core::dynamics::material::Material;
//! use lariat_papers::rungjiratananon::{Build, Clamp, Strings};
//!
//! // A metre of shoelace, held at one end and let go level.
//! let lace = *Material::find("shoelace").unwrap();
//! let build = Build::straight(DVec3::ZERO, DVec3::X, 20, 0.002, lace);
//! let mut strings = Strings::new();
//! strings.add(&build).unwrap();
//! strings.clamps.push(Clamp::at(0, DVec3::ZERO));
//! for _ in 0..100 {
//!     strings.step(0.01).unwrap();
//! }
//! assert!(strings.state.positions[20].z < -0.1);
//! ```
//!
//! # Differences from the paper
//!
//! Errata, each named in its file:
//!
//! * R1–R4: goal angles are means over regions and are reached by a share; eqs 3 and 5 move angles once.
//! * R5: the force of twist has the torque as its factor, and its two terms have opposite signs.
//! * R6: the tension of a segment is the force that moved everything beyond it.
//! * R7–R9: shear is per length, stress is `G γ`, and rest twist belongs to joints.
//! * R10: contact is searched in 27 voxels, since seven miss contacts.
//!
//! Gaps of the paper, filled in the simplest way that works:
//!
//! * Shares hold for steps of 1/100 s and are converted to other steps: `1 − (1 − α)^(100 dt)`.
//! * Between two clamps the sum of R6 has no free end to start from. The force at one clamp is fitted so
//!   that all tensions point along their segments (`tension.rs`).
//! * `L_max` by the tension of the last step oscillates, so it follows that tension by a share. Two clamps
//!   further apart than the string is long stretch it at once, all segments with one tension.
//! * Sweeps create energy. Velocities are reduced so that strain limiting adds none (`energy.rs`).
//! * A string that is held nowhere is swept from its middle, and then shifted so that it keeps its
//!   momentum.
//! * The tension that flicks fades within the time of a wave along the string, and adds no more
//!   energy than stretching stored. As printed it would pull without end.
//! * A torque that would move a particle by more than a tenth of a segment in a step is limited.
//! * Air drag, viscosity and friction are not in the paper. They act where a scene has them.
//!
//! # Limits of the method
//!
//! * Sweeps and heavier particles do not keep momentum, and sweeps lose energy.
//! * Contact is tested at the end of steps only: fast strings pass through each other.
//! * Bending stiffness depends on the region width, the segment length and the share, not on a material.

mod build;
mod collide;
mod controls;
mod curve;
mod energy;
mod flick;
mod frames;
mod limit;
mod match_shape;
mod predict;
mod rotation;
mod state;
mod strings;
mod tear;
mod tension;
mod twist;
mod twist_force;
mod yielding;

pub use build::{Build, BuildError, Regions};
pub use controls::{Cause, Clamp, Force, Overrides, Tear, Torque};
pub use state::{Span, State};
pub use strings::Strings;

/// Step for which the paper gives its shares, in seconds.
const PAPER_STEP: f64 = 0.01;

/// Share of the way to a goal in a step of `dt` seconds, given the share per [`PAPER_STEP`].
fn share_of_step(share: f64, dt: f64) -> f64 {
    1.0 - lariat_core::num::ops::pow(1.0 - share, dt / PAPER_STEP)
}
