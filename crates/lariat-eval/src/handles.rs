//! Handles of a body: ends, keyed points, bends, pincers, pins, centres.
//!
//! They are computed only on request, because bodies are drawn without them. Each handle knows the
//! parameter that places it, and [`Scene`] has the inverse for parameters whose value is not simply
//! the position of the handle.
//!
//! Tests: `every_model_has_handles`, `a_handle_at_an_end_has_the_kind_of_its_anchor`,
//! `a_bend_has_its_handle_where_it_begins`, `a_slinky_has_a_control_polygon`,
//! `a_handle_names_its_parameter`, `nearest_finds_the_lowest_of_two_valleys`.

use glam::{DMat3, DVec3};
use lariat_scene::Path;
use lariat_scene::lower::{Lowered, Record};

use crate::bind::{Place, Work, on_body};
use crate::moment::BodyMoment;
use crate::scene::Scene;

/// The handles of one body at one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Handles {
    /// The handles on its curve, from the start of the body to its end.
    pub points: Vec<Handle>,
    /// True if they are the control polygon of a curve, in this order.
    pub polygon: bool,
    /// Handles beside them: pincers of a spring, pins of a simulated rope.
    pub others: Vec<Handle>,
}

/// One handle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handle {
    /// Position in metres.
    pub at: DVec3,
    /// Kind of the handle.
    pub kind: HandleKind,
    /// Index of the body whose parameter places it; a part, for a compound.
    pub body: usize,
    /// The parameter that places it.
    pub parameter: HandleParameter,
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
    /// A pincer; it moves along the body.
    Pincer,
}

/// The parameter of a body that places a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandleParameter {
    /// A field of the body: `from`.
    Field(&'static str),
    /// An element of a list of values: `inner[1]`.
    Element(&'static str, usize),
    /// A field of a record in a list: `bends[2].position`.
    ListField(&'static str, usize, &'static str),
    /// The point of a pin: `dynamics.pins[0].to`.
    Pin(usize),
}

impl HandleParameter {
    /// Path of the parameter of a body in the document.
    pub fn path(self, body: &Record) -> Path {
        let path = body.path();
        match self {
            Self::Field(field) => path.field(field),
            Self::Element(list, index) => path.field(list).index(index),
            Self::ListField(list, index, field) => path.field(list).index(index).field(field),
            Self::Pin(index) => path.field("dynamics").field("pins").index(index).field("to"),
        }
    }
}

impl Handles {
    pub(crate) fn add(
        &mut self,
        at: DVec3,
        kind: HandleKind,
        body: usize,
        parameter: HandleParameter,
    ) {
        self.points.push(Handle { at, kind, body, parameter });
    }

    /// All handles.
    pub fn iter(&self) -> impl Iterator<Item = &Handle> {
        self.points.iter().chain(&self.others)
    }
}

/// An anchor at one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnchorMoment {
    /// Position in metres.
    pub at: DVec3,
    /// Axes of its offset, as columns. They are orthonormal.
    pub axes: DMat3,
}

impl Scene {
    /// Position of the anchor in a field of a record at a frame: an end of a rope, a pin, a camera.
    /// `lowered` is the document that the scene was bound from.
    pub fn anchor(
        &self,
        lowered: &Lowered,
        record: &Record,
        field: &'static str,
        frame: f64,
    ) -> AnchorMoment {
        let place = Place::bind(record, lowered, field);
        let (on, mut work) = (place.body(), Work::default());
        let mut found = AnchorMoment { at: DVec3::ZERO, axes: DMat3::IDENTITY };
        let t = self.shot().seconds(frame);
        self.at_time_on(on.as_slice(), t, &mut work, |world, _| {
            let at = place.at(world, &mut Vec::new());
            found = AnchorMoment { at, axes: place.offset_axes(world) };
        });
        found
    }

    /// Position along a body, 0–1, at which an anchor with this offset is nearest to a point; `None`
    /// for a mesh, which is held at its origin.
    pub fn nearest_along(
        &self,
        body: usize,
        offset: DVec3,
        frame: f64,
        target: DVec3,
    ) -> Option<f64> {
        let (mut found, mut work) = (None, Work::default());
        let t = self.shot().seconds(frame);
        self.at_time_on(&[body], t, &mut work, |world, _| {
            let posed = world.body(body);
            if posed.placement.is_none() {
                found = Some(along(posed, offset, target));
            }
        });
        found
    }

    /// Value of a parameter that slides a handle along its body, for which the handle is nearest to
    /// a point; `None` for other parameters.
    pub fn slide_to(
        &self,
        body: usize,
        parameter: HandleParameter,
        frame: f64,
        target: DVec3,
    ) -> Option<f64> {
        let (mut found, mut work) = (None, Work::default());
        let t = self.shot().seconds(frame);
        self.at_time_on(self.dependencies(body), t, &mut work, |world, _| {
            found = self.bodies[body].slide_to(parameter, world, target);
        });
        found
    }
}

/// Position along a posed body, 0–1, at which an anchor with this offset is nearest to a point.
pub(crate) fn along(posed: &BodyMoment, offset: DVec3, target: DVec3) -> f64 {
    let whole = posed.spine.is_some() || posed.strands.len() == 1;
    match posed.smooth_spine() {
        Some(spline) if offset == DVec3::ZERO && whole => {
            (spline.closest(target).s / spline.length()).clamp(0.0, 1.0)
        }
        _ => nearest(|at| on_body(posed, at, offset).distance_squared(target)),
    }
}

/// Number of samples at which [`nearest`] starts. With fewer, a valley between two samples could be
/// missed; each costs one pose of a rope.
const STARTS: u32 = 64;

/// Argument from 0 to 1 with the lowest value of a function, by samples and golden sections.
pub(crate) fn nearest(far: impl Fn(f64) -> f64) -> f64 {
    let (mut best, mut lowest) = (0.0, f64::INFINITY);
    for k in 0..=STARTS {
        let at = f64::from(k) / f64::from(STARTS);
        let value = far(at);
        if value < lowest {
            (best, lowest) = (at, value);
        }
    }
    let step = 1.0 / f64::from(STARTS);
    let (mut low, mut high) = ((best - step).max(0.0), (best + step).min(1.0));
    // Squared distances are flat at their lowest point: beyond 40 sections, only rounding changes.
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    let inner = |low: f64, high: f64| [high - golden * (high - low), low + golden * (high - low)];
    let [mut a, mut b] = inner(low, high);
    let (mut at_a, mut at_b) = (far(a), far(b));
    for _ in 0..40 {
        if at_a <= at_b {
            (high, b, at_b) = (b, a, at_a);
            a = inner(low, high)[0];
            at_a = far(a);
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = inner(low, high)[1];
            at_b = far(b);
        }
    }
    let middle = 0.5 * (low + high);
    if far(middle) < lowest { middle } else { best }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_finds_the_lowest_of_two_valleys() {
        let valley = |x: f64, low: f64| (x - low) * (x - low);
        let valleys = |x: f64| valley(x, 0.2).min(valley(x, 0.7) - 1e-3);
        assert!((nearest(valleys) - 0.7).abs() < 1e-7);
        // At an end.
        assert_eq!(nearest(|x| x), 0.0);
        assert!((nearest(|x| -x) - 1.0).abs() < 1e-12);
    }
}
