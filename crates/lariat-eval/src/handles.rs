//! Handles of a body: ends, keyed points, bends, centres.
//!
//! They are computed only on request, because bodies are drawn without them.
//!
//! Tests: `every_model_has_something_to_hold`, `ends_are_held_by_what_holds_them`,
//! `bends_are_held_where_they_begin`, `a_slinky_has_a_control_polygon`.

use glam::DVec3;

/// The handles of one body at one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Handles {
    /// In the order of the body.
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
    /// A point of the body's own: an end, a centre, a control point.
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
