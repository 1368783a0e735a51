//! Motion by forces: ropes that fall, swing and are held.
//!
//! ```text
//! material.rs    materials of ropes and strings, and the cross-sections made of them
//! air.rs         wind, steady and gusty
//! contact.rs     what ropes rest on and are stopped by, standing or moving
//! diverged.rs        motion that is none
//! spline_rope/   Tuzel's rope: a cubic B-spline with a banded mass matrix
//! ```
//!
//! Nothing here knows a document or a frame rate: whoever steps says how long a step is, and where
//! pins, hands and obstacles are at its end.

pub mod air;
pub mod contact;
mod diverged;
pub mod material;
pub mod spline_rope;

pub use diverged::Diverged;

/// Which solver this is: a recording by another is not gone on with, nor shown as if this one had
/// made it. Raise it with every change that moves ropes, strings or solids by even a bit, or that
/// changes what a [`State`](spline_rope::State) of any of them remembers; not for what is faster and
/// has the same bits. Forgotten, a take would follow the old solver up to where it was interrupted,
/// and the new one from there.
pub const SOLVER_VERSION: u32 = 8;
