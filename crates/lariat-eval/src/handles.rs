//! Handles of a body: ends, keyed points, bends, centres.
//!
//! They are computed only on request, because bodies are drawn without them.
//!
//! Tests: `every_model_has_handles`, `a_handle_at_an_end_has_the_kind_of_its_anchor`,
//! `a_bend_has_its_handle_where_it_begins`, `a_slinky_has_a_control_polygon`.

use glam::DVec3;

/// The handles of one body at one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Handles {
    /// The handles, from the start of the body to its end.
    pub points: Vec<Handle>,
    /// True if they are the control polygon of a curve, in this order.
    pub polygon: bool,
}

/// One handle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handle {
    /// Position in metres.
    pub at: DVec3,
    /// Kind of the handle.
    pub kind: HandleKind,
}

/// The object that a handle moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandleKind {
    /// A point of the body: an end, a centre, a control point.
    Point,
    /// A locator that holds the body.
    Locator,
    /// A place on another body.
    Body,
    /// A bend; it moves along the body.
    Bend,
}

impl Handles {
    pub(crate) fn add(&mut self, at: DVec3, kind: HandleKind) {
        self.points.push(Handle { at, kind });
    }
}
