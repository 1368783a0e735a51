//! Ropes, cords and springs, each a pure function from a few numbers to a shape.
//!
//! Barzel's four basic models and the compounds and variants of his paper, one file each; every
//! `pose` follows the paper's figure. Models do not depend on time: evaluation samples the
//! channels and passes plain numbers.
//!
//! ```text
//! suspended.rs   a rope between two points               section 3.1, figure 7; jump rope
//! loose.rs       a rope held at one end; strap            section 3.2, figure 9
//! tail.rs        bends that follow one curve with a lag   Kass & Anderson, figure 6
//! coiled.rs      a cord wound around a backbone           section 3.3, figure 11; microphone cord
//! spring.rs      coils that bunch and run; the Slinky     section 3.4, figure 14; figure 20
//! lasso.rs       hoop, span and tail                      section 4, figure 16
//! lights.rs      a twisted pair of wires with bulbs       figure 17
//! sag.rs         rope length for a given sag              figure 11
//! keep_length.rs  length-true ropes: waves use up slack
//! displaced_length.rs  arc length of a displaced rope
//! layer/         displacements, envelopes, coils, clamps
//! ```

mod coiled;
mod displaced_length;
mod keep_length;
mod lasso;
pub mod layer;
mod lights;
mod loose;
mod sag;
mod spring;
mod suspended;
pub mod tail;

use glam::DVec3;

pub use coiled::{CoiledCord, Winding};
pub use displaced_length::Workspace;
pub use lasso::{Hoop, Lasso};
pub use lights::{Bulb, Lights, POINTS_PER_BULB, POINTS_PER_TURN};
pub use loose::LooseRope;
pub use sag::{SagForm, length_for_sag};
pub use spring::{Bunching, Slinky, Spring};
pub use suspended::{SagDirection, SuspendedRope};

use crate::geometry::Tension;
use layer::coils::PincerWarning;

/// A parameter that a model could not satisfy; the pose is the nearest one that it can reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PoseWarning {
    /// The rope is shorter than the gap it must span: drawn straight.
    TooShort {
        /// Metres of rope.
        length: f64,
        /// Metres to span.
        gap: f64,
    },
    /// The waves need more slack than the rope has: drawn taut, with only this share of them.
    TooWavy {
        /// Factor that was applied to every displacement, 0–1.
        share: f64,
        /// Additional rope that the full waves would need, in metres.
        missing: f64,
    },
    /// The waves are too fine to be measured within the budget: the length is kept only to the error of
    /// its estimate.
    TooFine {
        /// Error bound of the length, in metres.
        error_bound: f64,
    },
    /// Clamps leave no room to lay the whole rope.
    TooLong {
        /// Length of rope that was not laid, in metres.
        left_over: f64,
    },
    /// The pincers contradict each other or the number of coils.
    Pincers(PincerWarning),
    /// The wire is too short to be wound around its backbone at all: drawn without coils.
    WireTooShort {
        /// Metres of wire.
        wire: f64,
        /// Metres of backbone.
        backbone: f64,
    },
    /// The wire has too few coils to take up its length: drawn with the radius that applies without a
    /// given length.
    WireTooLong {
        /// Metres of wire.
        wire: f64,
        /// Length of the drawn wire, in metres.
        wound: f64,
    },
    /// A bend runs past the end of the rope: drawn as far as there is rope.
    BendPastEnd {
        /// Index of the bend in the list.
        bend: usize,
        /// End of the bend, as a fraction of the rope.
        end: f64,
    },
    /// The span of a lasso is longer than the rope: drawn at that length, without a tail.
    SpanTooLong {
        /// Metres between knot and hand.
        span: f64,
        /// Metres of rope.
        length: f64,
    },
}

/// The curve of a posed model, along which a strand is swept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// The samples.
    pub points: Vec<DVec3>,
    /// The last sample repeats the first.
    pub closed: bool,
    /// Up direction at the start: determines the first frame.
    pub up: DVec3,
    /// Length of the gross shape beyond the gap between the ends, in metres; `None` for ropes held
    /// at one end.
    pub slack: Option<f64>,
    /// Tension along the rope, where it is known.
    pub tension: Option<Tension>,
    /// Parameters that could not be satisfied.
    pub warnings: Vec<PoseWarning>,
}

impl Pose {
    /// Clears the pose and keeps its memory.
    fn clear(&mut self) {
        self.points.clear();
        self.warnings.clear();
        (self.closed, self.up, self.slack, self.tension) = (false, DVec3::Z, None, None);
    }
}
