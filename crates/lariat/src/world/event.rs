//! Events of a world.

use glam::DVec3;
use lariat_string::{Cause, Event};

use super::RopeId;

/// Cause of a tear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TearCause {
    /// Tension above the strength of the material.
    Tension,
    /// Twist above the strength of the material.
    Twist,
    /// A cut.
    Cut,
}

/// An event of the last call of [`World::step`](super::World::step).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WorldEvent {
    /// A rope tore and has one piece more.
    Torn {
        /// The rope.
        rope: RopeId,
        /// Place of the tear, in metres.
        place: DVec3,
        /// Cause of the tear.
        cause: TearCause,
    },
}

impl WorldEvent {
    pub(super) fn of(event: &Event) -> Self {
        let Event::Torn { string, cause, place, .. } = *event;
        let cause = match cause {
            Cause::Pull => TearCause::Tension,
            Cause::Twist => TearCause::Twist,
            Cause::Cut => TearCause::Cut,
        };
        Self::Torn { rope: RopeId(string), place, cause }
    }
}
