//! Modes: motion of a whole body driven by a few curves, with an amplitude and a phase per point.
//!
//! Kass and Anderson 2008, §6. A mode has one complex weight per coordinate, `W = A e^(iφ)`. A
//! complex curve `x(t)` drives it: a point moves by `Re(W x)`. Points of different phase move one
//! after another, which animators call overlap.
//!
//! ```text
//! field.rs       weights from amplitude and phase, and the displacement that a curve gives (eqs 21–23)
//! paint.rs       weights as colours: hue for phase, saturation for amplitude
//! formula/       amplitude and phase as formulas over the points of a body
//! hilbert.rs     Hilbert transform of a recorded motion
//! gram.rs        Gram matrix of the frames, the expensive step of the analysis
//! cpca.rs        complex principal component analysis of a recording (§6.3)
//! pole.rs        frequency and decay of a mode, and its coupling to a curve
//! recording.rs   recorded motion: bodies, frames, coordinates
//! set.rs         modes with the parts they belong to, and their extraction from a recording
//! residual.rs    reconstruction errors and direction of travel
//! drive.rs       a keyed curve that reproduces the recorded motion of a mode
//! ```
//!
//! File formats are not here: `lariat-import` reads and writes recordings and mode sets.

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
