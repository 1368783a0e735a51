//! Motion by forces: ropes that fall, swing and are held.
//!
//! ```text
//! material.rs    materials of ropes and strings, and the cross-sections made of them
//! air.rs         wind, steady and gusty
//! contact.rs     obstacles, standing or moving
//! diverged.rs    error of a step that diverges
//! spline_rope/   Tuzel's rope: a cubic B-spline with a banded mass matrix
//! ```
//!
//! Nothing here depends on a document or a frame rate: the caller passes the length of a step and
//! the positions of pins, hands and obstacles at its end.

pub mod air;
pub mod contact;
mod diverged;
pub mod material;
pub mod spline_rope;

pub use diverged::Diverged;

/// Version of the solvers. A recording by another version is neither continued nor shown as
/// current. Raise it with every change that moves ropes, strings or solids by even a bit, or that
/// changes the contents of a [`State`](spline_rope::State); not for a speed-up with the same bits.
/// If it is forgotten, an interrupted take follows the old solver first and the new one afterwards.
pub const SOLVER_VERSION: u32 = 9;
