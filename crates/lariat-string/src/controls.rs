//! What a step is told and what it tells: hands, pushes, settings; a report.
//!
//! Plain data, which whoever steps sets on [`Strings`](super::Strings) between steps.

use glam::DVec3;

/// How the segment at a clamp is turned about its axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// To an angle in radians, counted on from where it began: 2π is a full turn.
    Angle(f64),
    /// So that its material side points this way, as nearly as its axis allows.
    Side(DVec3),
}

/// A particle that is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clamp {
    /// Which particle; see [`Strings::particle`](super::Strings::particle).
    pub particle: usize,
    /// Where it is held at the end of the next step.
    pub target: DVec3,
    /// How the segment after it, or the last one before it, is turned then; free if not given.
    pub turn: Option<Turn>,
    /// Whether it holds at all.
    pub on: bool,
}

impl Clamp {
    /// A clamp that holds, and lets the string turn in it.
    pub fn at(particle: usize, target: DVec3) -> Self {
        Self { particle, target, turn: None, on: true }
    }
}

/// A force on a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Force {
    /// Which particle.
    pub particle: usize,
    /// In newtons.
    pub force: DVec3,
}

/// A torque about the axis of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torque {
    /// Which segment, by its first particle.
    pub segment: usize,
    /// In newton metres, right-handed about the way to the next particle.
    pub torque: f64,
}

/// What one string does otherwise than all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overrides {
    /// Friction over push; of two strings the mean counts.
    pub friction: f64,
    /// Share of speed that is lost a second.
    pub viscosity: f64,
    /// Drag coefficient across it.
    pub drag: f64,
    /// Whether it touches itself and other strings.
    pub touches: bool,
}

/// How steps are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The longest part of a step, in seconds.
    pub longest: f64,
    /// The most parts of a step: what is faster than that may pass through.
    pub most_parts: u32,
    /// Stretch that is let pass in segments that do not give.
    pub tolerance: f64,
    /// Whether strings touch themselves and each other.
    pub contact: bool,
    /// Rounds of contact and length in a part.
    pub rounds: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { longest: 0.0125, most_parts: 400, tolerance: 2e-5, contact: true, rounds: 2 }
    }
}

/// What a step has to tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepReport {
    /// In how many parts it was made.
    pub parts: u32,
    /// How often the tension of a string was solved for.
    pub solves: u32,
    /// Pairs of segments that touch.
    pub touching: u32,
    /// Particles that touch an obstacle.
    pub resting: u32,
    /// Segments and joints that tore.
    pub torn: u32,
}
