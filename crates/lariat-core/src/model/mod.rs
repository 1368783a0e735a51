//! Ropes, cords and springs, each a pure function from a handful of numbers to a shape.
//!
//! Barzel's four basic models and the compounds and variants he names, one file each; every
//! `pose` reads like the paper's figure. Models know nothing of time: evaluation samples the
//! channels first and fills in plain numbers.
//!
//! ```text
//! suspended.rs   a rope between two points               section 3.1, figure 7; jump rope
//! loose.rs       a rope held at one end; strap            section 3.2, figure 9
//! tail.rs        bends that follow one curve, each behind   Kass & Anderson, figure 6
//! coiled.rs      a cord wound around a backbone           section 3.3, figure 11; microphone cord
//! spring.rs      coils that bunch and run; the Slinky     section 3.4, figure 14; figure 20
//! lasso.rs       hoop, span and tail                      section 4, figure 16
//! lights.rs      a twisted pair of wires with bulbs       figure 17
//! sag.rs         how long a rope is for a given sag       figure 11
//! keep_length.rs  waves that use up slack instead of growing the rope
//! displaced_length.rs how long a displaced rope is
//! layer/         what models are stacked from
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
pub use lights::{Bulb, Lights};
pub use loose::LooseRope;
pub use sag::{SagForm, length_for_sag};
pub use spring::{Bunching, Slinky, Spring};
pub use suspended::{SagDirection, SuspendedRope};

use crate::geometry::Tension;
use layer::coils::PincerWarning;

/// Something a model could not do as it was told; the pose is the nearest it could.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PoseWarning {
    /// The rope is shorter than the gap it must span: drawn straight.
    TooShort {
        /// Metres of rope.
        length: f64,
        /// Metres to span.
        gap: f64,
    },
    /// The waves need more slack than there is: drawn taut, with only this share of them.
    TooWavy {
        /// 0–1: how much of every displacement was kept.
        share: f64,
        /// Metres by which the whole waves would need the rope longer.
        missing: f64,
    },
    /// The waves are finer than anyone could measure: the length is kept as well as it is known.
    TooFine {
        /// Metres by which the length may be off.
        doubt: f64,
    },
    /// Clamps leave no room to lay the whole rope.
    TooLong {
        /// Metres of rope that found no place.
        left_over: f64,
    },
    /// Pincers that do not fit.
    Pincers(PincerWarning),
    /// The wire is too short to be wound around its backbone at all: drawn without coils.
    WireTooShort {
        /// Metres of wire.
        wire: f64,
        /// Metres of backbone.
        backbone: f64,
    },
    /// The wire hardly winds at all, so that no coil could take all of it up: drawn at the radius
    /// it has without a length of wire.
    WireTooLong {
        /// Metres of wire.
        wire: f64,
        /// Metres that are drawn.
        wound: f64,
    },
    /// A bend runs past the end of the rope: drawn as far as there is rope.
    BendPastEnd {
        /// Which one, by its place in the list.
        bend: usize,
        /// Where it ends, as a fraction of the rope.
        end: f64,
    },
    /// The span of a lasso takes more rope than there is: drawn that long, without a tail.
    SpanTooLong {
        /// Metres between knot and hand.
        span: f64,
        /// Metres of rope.
        length: f64,
    },
}

/// The shape a model took: what a strand is swept along.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// The samples.
    pub points: Vec<DVec3>,
    /// The last sample repeats the first.
    pub closed: bool,
    /// Which way is up at the start: chooses the first frame.
    pub up: DVec3,
    /// Metres of rope beyond the straight gap that waves have left over; `None` for ropes that
    /// span nothing.
    pub slack: Option<f64>,
    /// How hard the rope is pulled, where that is known.
    pub tension: Option<Tension>,
    /// What could not be done as told.
    pub warnings: Vec<PoseWarning>,
}

impl Pose {
    /// Empties the pose for the next one, keeping its memory.
    fn clear(&mut self) {
        self.points.clear();
        self.warnings.clear();
        (self.closed, self.up, self.slack, self.tension) = (false, DVec3::Z, None, None);
    }
}
