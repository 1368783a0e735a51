//! Overlays of a shot: strands coloured by a measure, ghosts of neighbouring frames, and marks that
//! are painted on the finished picture.
//!
//! ```text
//! options.rs  overlays by name
//! measure.rs  tension, twist and slack, their range and legend
//! trail.rs    paths through time
//! ```
//!
//! Ghosts and trails end where the shot ends.
//!
//! Tests: `every_overlay_changes_the_picture`, `colours_mean_the_same_in_every_frame`.

mod measure;
mod options;
mod trail;

use std::sync::Arc;

use glam::DVec3;
use lariat_core::geometry::Strand;
use lariat_eval::{BodyMoment, HandleKind, Moment as Pose};
use lariat_render::{
    Appearance, Camera, DrawnStrand, Picture, RenderError,
    overlay::{self, AFTER, BEFORE, Canvas, Legend, Mark, Outline},
};

pub use self::measure::MeasureRange;
pub use self::options::{Ghosts, Measure, OverlayError, Overlays};
use self::trail::Trails;
use crate::{bodies::strands, error::ShootError, moments::Moments};

/// Opacity of the nearest ghost.
const OPACITY: f64 = 0.8;

/// Ghost of a neighbouring frame.
type Ghost = (Arc<Pose>, Appearance<'static>);

/// Overlays of a shot, ready to be drawn.
pub(crate) struct Overlay<'s> {
    moments: &'s Moments<'s>,
    overlays: Overlays,
    legend: Option<Legend>,
    range: MeasureRange,
    /// First and last frame of the shot.
    shot: (f64, f64),
    trails: Option<Trails<'s>>,
}

impl<'s> Overlay<'s> {
    /// Overlays of a shot in which the measure has this range.
    pub(crate) fn new(
        moments: &'s Moments<'s>,
        overlays: Overlays,
        range: MeasureRange,
        frames: &[f64],
    ) -> Result<Self, ShootError> {
        let widen = |(low, high): (f64, f64), frame: &f64| (low.min(*frame), high.max(*frame));
        let shot = frames.iter().fold((f64::INFINITY, f64::NEG_INFINITY), widen);
        let legend = overlays.measure.map(|measure| range.legend(measure)).transpose()?;
        let trails = overlays.trails.then(|| Trails::new(moments, shot, frames));
        Ok(Self { moments, overlays, legend, range, shot, trails })
    }

    /// Ghosts of the neighbours of a frame.
    pub(crate) fn ghosts(&self, frame: f64) -> Vec<Ghost> {
        let Some(Ghosts { before, after, step }) = self.overlays.ghosts else { return Vec::new() };
        let ghost = |k: u32, of: u32, way: f64, tint: [f32; 3]| {
            let at = frame + way * f64::from(k) * f64::from(step);
            let inside = (self.shot.0..=self.shot.1).contains(&at);
            inside.then(|| {
                let opacity = (OPACITY * f64::from(of + 1 - k) / f64::from(of)) as f32;
                (self.moments.at(at), Appearance::Ghost { tint, opacity })
            })
        };
        let before = (1..=before).filter_map(|k| ghost(k, before, -1.0, BEFORE));
        before.chain((1..=after).filter_map(|k| ghost(k, after, 1.0, AFTER))).collect()
    }

    /// Colours of all strands of a pose; empty if strands keep their look.
    pub(crate) fn colours(&self, pose: &Pose) -> Vec<Vec<[f32; 3]>> {
        let (Some(measure), Some(legend)) = (self.overlays.measure, &self.legend) else {
            return Vec::new();
        };
        let colours = |strand: &Strand| self.range.colours(measure, legend, strand);
        strands(self.moments.bodies(), pose).map(colours).collect()
    }

    /// Strands of a pose in their colours, and ghosts.
    pub(crate) fn strands<'p>(
        &self,
        pose: &'p Pose,
        colours: &'p [Vec<[f32; 3]>],
        ghosts: &'p [Ghost],
    ) -> Vec<DrawnStrand<'p>>
    where
        's: 'p,
    {
        let bodies = self.moments.bodies();
        let own = strands(bodies, pose).enumerate().map(|(k, strand)| DrawnStrand {
            strand,
            appearance: colours.get(k).map_or(Appearance::Look, |map| Appearance::Map(map)),
        });
        let ghosts = ghosts.iter().flat_map(|(pose, appearance)| {
            strands(bodies, pose).map(|strand| DrawnStrand { strand, appearance: *appearance })
        });
        own.chain(ghosts).collect()
    }

    /// Paints the marks of a frame.
    pub(crate) fn paint(
        &self,
        frame: f64,
        pose: &Pose,
        camera: &Camera,
        picture: &mut Picture,
    ) -> Result<(), RenderError> {
        if self.overlays == Overlays::default() {
            return Ok(());
        }
        let bodies = self.moments.bodies();
        let projection = camera.projection(picture.size())?;
        let canvas = &mut Canvas::new(picture);
        if let Some(trails) = &self.trails {
            let visible = |k: &usize| pose.bodies[bodies.indices()[*k]].visible;
            let paths = (0..trails.count()).filter(visible).filter_map(|k| trails.path(k, frame));
            paths.for_each(|path| overlay::trail(canvas, &projection, &path));
        }
        if self.overlays.frames {
            strands(bodies, pose).for_each(|strand| overlay::axes(canvas, &projection, strand));
        }
        if self.overlays.handles {
            for body in bodies.indices().iter().filter(|body| pose.bodies[**body].visible) {
                let handles = bodies.handles(*body, frame, pose);
                let marks: Vec<(DVec3, Mark)> =
                    handles.points.iter().map(|handle| (handle.at, mark(handle.kind))).collect();
                overlay::marks(canvas, &projection, &marks, handles.polygon);
            }
        }
        if self.overlays.names {
            let visible = bodies.indices().iter().filter(|body| pose.bodies[**body].visible);
            let named: Vec<(&str, Vec<Outline>)> = visible
                .map(|body| (bodies.scene().body_name(*body), outlines(&pose.bodies[*body])))
                .collect();
            overlay::names(canvas, &projection, &named);
        }
        if let Some(legend) = &self.legend {
            legend.paint(canvas);
        }
        Ok(())
    }
}

/// Shape of a body, for its name.
fn outlines(body: &BodyMoment) -> Vec<Outline> {
    let strands = body.strands.iter().map(|strand| {
        let reach = strand.profile.reach();
        let radius = strand.radius().iter().map(|radius| radius * reach);
        Outline { points: strand.points().iter().copied().zip(radius).collect(), joined: true }
    });
    let mesh = body.mesh.iter().map(|mesh| {
        let points = mesh.points().iter().map(|p| (*p, 0.0)).collect();
        Outline { points, joined: false }
    });
    strands.chain(mesh).collect()
}

fn mark(kind: HandleKind) -> Mark {
    match kind {
        HandleKind::Point => Mark::Square,
        HandleKind::Locator | HandleKind::Body => Mark::Disc,
        HandleKind::Bend | HandleKind::Pincer => Mark::Diamond,
    }
}
