//! What one body looks like now: a curve with everything a picture or a file needs to know of it.
//!
//! A rope is one strand. A string of lights is many: two wires, and every bulb a short fat one.
//! Whatever a renderer or an exporter wants to know about a body stands here, for neither has
//! ever heard of a document.

use std::sync::Arc;

use glam::{DVec2, DVec3};

use crate::curve::Frame;

/// The shape of the cross-section, in units of the strand's radius.
#[derive(Clone, Debug, PartialEq)]
pub enum Profile {
    /// A circle of the strand's radius.
    Round,
    /// A closed outline, counter-clockwise seen against the tangent; `x` goes along the normal,
    /// `y` along the binormal, both times the radius. The last point joins the first.
    Closed(Arc<[DVec2]>),
    /// An open outline: a ribbon without thickness, or a gutter.
    Open(Arc<[DVec2]>),
}

/// What a strand is made of: a name the renderer knows, and a colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// `rope`, `rubber`, `steel`, …
    pub name: Arc<str>,
    /// Linear red, green, blue in 0–1.
    pub colour: [f64; 3],
}

/// One swept curve of one body at one moment.
///
/// The arrays always have one entry per point, which is why they are private.
#[derive(Clone, Debug, PartialEq)]
pub struct Strand {
    /// Unique within its body: `rope`, `wire-1`, `bulb-07`.
    pub name: Arc<str>,
    /// The last point repeats the first, and the curve goes round.
    pub closed: bool,
    /// The cross-section.
    pub profile: Profile,
    /// What it is made of.
    pub material: Material,
    points: Vec<DVec3>,
    frames: Vec<Frame>,
    radius: Vec<f64>,
    twist: Vec<f64>,
}

impl Strand {
    /// The samples, in metres.
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// One frame per point, turned only as the curve turns; twist is not in it.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Radius at each point, in metres.
    pub fn radius(&self) -> &[f64] {
        &self.radius
    }

    /// Turn of the profile about the tangent at each point, in radians.
    pub fn twist(&self) -> &[f64] {
        &self.twist
    }

    /// Builds a strand from its parts; the four arrays must be equally long.
    ///
    /// # Panics
    /// If they are not: that is a mistake in the program, never in a document.
    pub fn new(
        name: impl Into<Arc<str>>,
        points: Vec<DVec3>,
        frames: Vec<Frame>,
        radius: Vec<f64>,
        twist: Vec<f64>,
        material: Material,
    ) -> Self {
        let n = points.len();
        assert!(
            frames.len() == n && radius.len() == n && twist.len() == n,
            "a strand of {n} points has {} frames, {} radii, {} twists",
            frames.len(),
            radius.len(),
            twist.len()
        );
        Self {
            name: name.into(),
            closed: false,
            profile: Profile::Round,
            material,
            points,
            frames,
            radius,
            twist,
        }
    }
}
