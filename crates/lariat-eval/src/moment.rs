//! Bodies and cameras at one frame, with their warnings.

use std::sync::OnceLock;

use glam::DVec3;
use lariat_core::curve::{Polyline, Spline};
use lariat_core::geometry::{Camera, Mesh, Strand};

use crate::bind::Placement;
use crate::warning::Warning;

/// All bodies at one frame, in the order of the document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    /// The frame; fractions are between frames.
    pub frame: f64,
    /// One entry per body of the scene.
    pub bodies: Vec<BodyMoment>,
}

/// One body at one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyMoment {
    /// Its strands, drawn if it is visible.
    pub strands: Vec<Strand>,
    /// Its mesh, if it is one and its file could be read; drawn if it is visible.
    pub mesh: Option<Mesh>,
    /// True if it is drawn; a hidden body still holds its followers.
    pub visible: bool,
    /// Metres of rope beyond the straight gap, for ropes that span one.
    pub slack: Option<f64>,
    /// Its warnings.
    pub warnings: Vec<Warning>,
    /// The curve that others attach to, where it is not the first strand.
    pub(crate) spine: Option<Spine>,
    /// Placement of a mesh, to which its followers are attached.
    pub(crate) placement: Option<Placement>,
    smooth: Smooth,
}

/// One camera at one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraMoment {
    /// The camera itself.
    pub camera: Camera,
    /// Its warnings.
    pub warnings: Vec<Warning>,
}

/// The smooth curve through a spine, computed on first use. It is determined by the points, and
/// ignored when bodies are compared.
#[derive(Clone, Debug, Default)]
struct Smooth(OnceLock<Option<Spline>>);

impl PartialEq for Smooth {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A curve that is not drawn itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spine {
    pub(crate) points: Vec<DVec3>,
    /// Up direction, from which the first normal is chosen.
    pub(crate) up: DVec3,
}

impl BodyMoment {
    /// Clears it for another pose, keeping its memory.
    pub(crate) fn clear(&mut self) {
        self.warnings.clear();
        self.slack = None;
        self.spine = None;
        self.placement = None;
        self.smooth = Smooth::default();
    }

    /// The part of it that bodies attached to it need: its curve, or its position and axes.
    pub(crate) fn for_followers(&self) -> Self {
        let strands = if self.spine.is_some() { Vec::new() } else { self.strands.clone() };
        Self {
            strands,
            spine: self.spine.clone(),
            placement: self.placement,
            visible: self.visible,
            ..Self::default()
        }
    }

    /// Removes the curve that others attach to, before the body is given another shape.
    pub(crate) fn clear_spine(&mut self) {
        self.spine = None;
        self.smooth = Smooth::default();
    }

    /// The smooth curve that others attach to; `None` where there are fewer than two points.
    pub(crate) fn smooth_spine(&self) -> Option<&Spline> {
        let through = || Polyline::new(self.spine().to_vec()).ok().map(|p| Spline::through(&p));
        self.smooth.0.get_or_init(through).as_ref()
    }

    /// The curve that others attach to; none for a mesh.
    pub fn spine(&self) -> &[DVec3] {
        match (&self.spine, self.strands.first()) {
            (Some(spine), _) => &spine.points,
            (None, Some(strand)) => strand.points(),
            (None, None) => &[],
        }
    }
}
