//! Errors of a world.

use glam::DVec3;
use lariat_core::curve::catenary::CatenaryError;
use lariat_core::dynamics::Diverged;
#[cfg(feature = "rigid")]
use lariat_rigid::TiedError;
use lariat_string::BuildError;
use thiserror::Error;

/// Reason why a call on a [`World`](super::World) failed.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum WorldError {
    /// A rope cannot hang between its ends.
    #[error(transparent)]
    Catenary(#[from] CatenaryError),
    /// A number of a rope is out of range.
    #[error(transparent)]
    Rope(#[from] BuildError),
    /// A rope with too few segments.
    #[error("a rope needs at least 1 segment, not {segments}")]
    Segments {
        /// Requested number of segments.
        segments: usize,
    },
    /// A place on a rope outside 0–1.
    #[error("u is {u}; expected 0 (start of the rope) to 1 (end)")]
    PlaceOnRope {
        /// The place.
        u: f64,
    },
    /// A place that is not a number.
    #[error("the place {place} is not finite")]
    NotFinite {
        /// The place, in metres.
        place: DVec3,
    },
    /// A rate out of range.
    #[error("the rate is {hertz} Hz; expected 1 to 100000")]
    Rate {
        /// Steps per second.
        hertz: f64,
    },
    /// An elapsed time below zero or not finite.
    #[error("the elapsed time is {seconds} s; expected a finite number, 0 or more")]
    Elapsed {
        /// Seconds.
        seconds: f64,
    },
    /// An id of another world.
    #[error("there is no rope {id} in this world")]
    NoRope {
        /// Number of the rope.
        id: usize,
    },
    /// An id of another world.
    #[error("there is no hold {id} in this world")]
    NoHold {
        /// Number of the hold.
        id: usize,
    },
    /// An id of another world.
    #[error("there is no collider {id} in this world")]
    NoCollider {
        /// Number of the collider.
        id: usize,
    },
    /// An id of another world.
    #[cfg(feature = "rigid")]
    #[error("there is no solid {id} in this world")]
    NoSolid {
        /// Number of the solid.
        id: usize,
    },
    /// A hold that is tied to a solid cannot be moved.
    #[cfg(feature = "rigid")]
    #[error("hold {id} is tied to a solid; move the solid, or release the hold and add a new one")]
    Tied {
        /// Number of the hold.
        id: usize,
    },
    /// The simulation diverged.
    #[error(transparent)]
    Diverged(#[from] Diverged),
    /// Ropes and solids cannot be stepped.
    #[cfg(feature = "rigid")]
    #[error(transparent)]
    Solids(#[from] TiedError),
}
