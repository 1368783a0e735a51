//! Everything that acts on strings during a step, and the tears that a step reports.
//!
//! Plain data. The caller sets it on [`Strings`](super::Strings) before each step.

use glam::DVec3;

/// A particle that is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clamp {
    /// Index of the particle.
    pub particle: usize,
    /// Place at the end of the next step, in metres.
    pub target: DVec3,
    /// Angle of the segment after the particle (or of the last one) at the end of the next step, in
    /// radians; `None` if it turns freely.
    pub angle: Option<f64>,
}

impl Clamp {
    /// A clamp in which the string turns freely.
    pub fn at(particle: usize, target: DVec3) -> Self {
        Self { particle, target, angle: None }
    }
}

/// A force on a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Force {
    /// Index of the particle.
    pub particle: usize,
    /// In newtons.
    pub force: DVec3,
}

/// A torque about the axis of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torque {
    /// First particle of the segment.
    pub segment: usize,
    /// In newton metres, right-handed towards the next particle.
    pub torque: f64,
}

/// Values of one string that replace the global ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overrides {
    /// Friction coefficient of contact; two strings use the mean.
    pub friction: f64,
    /// Share of its speed that the string loses per second.
    pub viscosity: f64,
    /// Drag coefficient across the string.
    pub drag: f64,
    /// True if it collides with itself and with other strings.
    pub contact: bool,
}

/// Cause of a tear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Tensile stress above the rupture stress.
    Tension,
    /// Shear above the rupture shear.
    Shear,
}

/// A segment that tore in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tear {
    /// Index of the string, as added.
    pub string: usize,
    /// First particle of the segment.
    pub segment: usize,
    /// Cause of the tear.
    pub cause: Cause,
}
