//! Frames that ride along a curve without spinning about it.
//!
//! A rope needs to know which way is "sideways" at every point: waves push along it, tubes are
//! swept around it, twist is measured from it.

use glam::DVec3;

/// Right-handed and orthonormal: `tangent`, `normal`, `binormal = tangent × normal`.
///
/// Fields are private because a frame that is not orthonormal is not a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    tangent: DVec3,
    normal: DVec3,
}

impl Frame {
    /// The frame of the world at the start of a curve along X: tangent X, normal Z, binormal −Y.
    pub const WORLD: Self = Self { tangent: DVec3::X, normal: DVec3::Z };

    /// Along the curve.
    pub fn tangent(&self) -> DVec3 {
        self.tangent
    }

    /// Sideways: azimuth 0.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// Sideways: azimuth 90 degrees.
    pub fn binormal(&self) -> DVec3 {
        self.tangent.cross(self.normal)
    }
}
