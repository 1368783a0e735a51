//! What happened in a step, for whoever wants to hear of it.

use glam::DVec3;

/// Why a string tore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It was pulled too hard.
    Pull,
    /// It was twisted too far.
    Twist,
    /// It was cut.
    Cut,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A string became two.
    Torn {
        /// Which of the strings that were built.
        string: usize,
        /// Which segment is gone, by its first particle.
        segment: usize,
        /// Why.
        cause: Cause,
        /// Where, in metres.
        place: DVec3,
        /// When the step began, in seconds.
        time: f64,
    },
}
