//! What goes into a file, and what came of it.

use crate::ExportError;

/// Memory an export may use for work in flight, in bytes for each thread, unless told otherwise.
///
/// Less makes large bodies be evaluated more often (once for every attribute that changes), more
/// buys nothing once every body fits: a rope of 48 points takes 2 MiB over 240 frames, and about
/// a third of this may go into one body.
const MEMORY_PER_THREAD: usize = 48 << 20;

/// What goes into a file. Formats ignore what they cannot hold.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is one thing to leave out or put in")]
pub struct Options {
    /// USD: one curve per strand.
    pub curves: bool,
    /// USD: one tube mesh per strand, beside the curves or instead of them.
    pub tubes: Option<TubeOptions>,
    /// USD: how every point turns, as the quaternions `primvars:frame`. About half of a file.
    pub orientations: bool,
    /// USD: how fast every point moves, for motion blur. Costs two more poses a frame.
    pub velocities: bool,
    /// CSV, JSON: the tangent and the normal of every point.
    pub axes: bool,
    /// SVG: where the drawing is seen from: degrees around the upright axis (0 is from −Y, with X
    /// to the right) and degrees above the horizon.
    pub view: (f64, f64),
    /// Memory for work in flight, in bytes for each thread. Only speed depends on it, and one
    /// frame of one body is always held.
    pub memory_per_thread: usize,
}

impl Default for Options {
    /// Curves with orientations, no tubes, no velocities, 48 MiB a thread for work in flight.
    fn default() -> Self {
        Self {
            curves: true,
            tubes: None,
            orientations: true,
            velocities: false,
            axes: false,
            view: (25.0, 15.0),
            memory_per_thread: MEMORY_PER_THREAD,
        }
    }
}

impl Options {
    /// Refuses a USD file that would show nothing.
    pub(crate) fn check_shapes(&self) -> Result<(), ExportError> {
        match self.tubes {
            Some(TubeOptions { sides, .. }) if sides < 3 => Err(ExportError::TooFewSides { sides }),
            None if !self.curves => Err(ExportError::NothingAsked),
            _ => Ok(()),
        }
    }
}

/// How strands become meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TubeOptions {
    /// Corners of a round cross-section; other profiles have their own.
    pub sides: usize,
    /// Whether open ends are closed with a face.
    pub caps: bool,
}

impl Default for TubeOptions {
    /// Twelve sides, capped.
    fn default() -> Self {
        Self { sides: 12, caps: true }
    }
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Bodies.
    pub bodies: u64,
    /// Strands of all bodies, each counted once however many frames it lives.
    pub strands: u64,
    /// Bodies that are meshes.
    pub meshes: u64,
    /// Frames.
    pub frames: u64,
    /// Points of all strands and meshes at all frames.
    pub points: u64,
    /// Bytes.
    pub bytes: u64,
}
