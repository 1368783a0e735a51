//! Options and summary of an export.

use crate::ExportError;

/// Default memory for work in flight, in bytes per thread.
///
/// Less makes large bodies be evaluated more often (once for every attribute that changes). More
/// has no benefit once every body fits: a rope of 48 points takes 2 MiB over 240 frames, and one
/// body may use about a third of this.
const MEMORY_PER_THREAD: usize = 48 << 20;

/// Contents of a file. Formats ignore options that do not apply to them.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "independent on/off options")]
pub struct Options {
    /// USD: one curve per strand.
    pub curves: bool,
    /// USD: one tube mesh per strand, beside the curves or instead of them.
    pub tubes: Option<TubeOptions>,
    /// USD: orientation of every point as quaternions, `primvars:frame`. About half of a file.
    pub orientations: bool,
    /// USD: velocity of every point, for motion blur. Evaluates two more poses per frame.
    pub velocities: bool,
    /// CSV, JSON: tangent and normal of every point.
    pub axes: bool,
    /// SVG: direction of view as azimuth in degrees around the vertical axis (0 is from −Y, with X
    /// to the right) and elevation in degrees above the horizon.
    pub view: (f64, f64),
    /// Memory for work in flight, in bytes per thread. It affects only speed; one frame of one body
    /// is always held.
    pub memory_per_thread: usize,
}

impl Default for Options {
    /// Curves with orientations, no tubes, no velocities, 48 MiB per thread.
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
    /// Refuses options for USD without curves and tubes.
    pub(crate) fn check_shapes(&self) -> Result<(), ExportError> {
        match self.tubes {
            Some(TubeOptions { sides, .. }) if sides < 3 => Err(ExportError::TooFewSides { sides }),
            None if !self.curves => Err(ExportError::NothingAsked),
            _ => Ok(()),
        }
    }
}

/// Options of tube meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TubeOptions {
    /// Corners of a round cross-section; other profiles define their own.
    pub sides: usize,
    /// Whether open ends are capped.
    pub caps: bool,
}

impl Default for TubeOptions {
    /// Twelve sides, capped.
    fn default() -> Self {
        Self { sides: 12, caps: true }
    }
}

/// Counts of the written data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Bodies.
    pub bodies: u64,
    /// Strands of all bodies, each counted once.
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
