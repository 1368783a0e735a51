//! Motion of a whole body from few curves: which points follow an oscillation, how far, how late.
//!
//! Kass and Anderson 2008, §6. A mode is one complex number per coordinate, `W = A e^(iφ)`; a
//! complex curve `x(t)` drives it, and a point moves by `Re(W x)`. Points with different phases
//! move one after the other: that is overlap.
//!
//! ```text
//! field.rs       W by amplitude and phase, and what a curve makes of it (eqs 21–23)
//! paint.rs       W as colours: hue and saturation
//! formula/       amplitude and phase written as formulas over a body's points
//! hilbert.rs     the imaginary part that belongs to a recorded motion
//! gram.rs        products of all frames with all frames, the costly part of the analysis
//! cpca.rs        recorded motion taken apart into modes (§6.3)
//! pole.rs        how fast a mode swings and dies away, and how a curve couples to it
//! recording.rs   recorded motion: bodies, frames, coordinates
//! set.rs         modes with the body they belong to, and from a recording to them
//! residual.rs    how good they are, and which way they run
//! drive.rs       few keys that move a mode as it was recorded
//! ```
//!
//! Not here: files. Recordings and sets of modes are read and written by `lariat-import`.

pub mod cpca;
mod drive;
pub mod field;
pub mod formula;
mod gram;
pub mod hilbert;
pub mod paint;
mod pole;
mod recording;
mod residual;
mod set;

pub use drive::{Drive, DriveError, DriveKnot, DriveOptions, drive, lag_degrees};
pub use field::Field;
pub use formula::{Formula, FormulaError, PointAttributes};
pub use pole::{Pole, coupling};
pub use recording::{Part, PartKind, Recording, RecordingError};
pub use residual::{Residual, ResidualSum};
pub use set::{
    ExtractError, ExtractOptions, Mode, ModeCount, ModeSet, ModeSetError, Origin, extract,
};
