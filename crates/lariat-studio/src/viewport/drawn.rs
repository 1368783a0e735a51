//! Strands and meshes of a pose, with the bodies they belong to.

use egui::Pos2;
use lariat_core::geometry::Bounds;
use lariat_eval::{Moment as Pose, Scene};
use lariat_render::{Camera, Pick};
use lariat_shoot::{BodyPart, DrawnMoment};

use super::Eye;
use crate::workspace::Workspace;

/// The visible content of a pose.
#[derive(Debug)]
pub(crate) struct Drawn<'p>(pub(crate) DrawnMoment<'p>);

impl<'p> Drawn<'p> {
    /// The bodies of a pose that the workspace shows, seen by a camera.
    pub(crate) fn new(
        scene: &Scene,
        pose: &'p Pose,
        camera: Camera,
        workspace: &Workspace,
    ) -> Self {
        Self::of(scene, pose, camera, |body| workspace.shows(scene.body_name(body)))
    }

    /// Some of the visible bodies of a pose, seen by a camera.
    pub(crate) fn of(
        scene: &Scene,
        pose: &'p Pose,
        camera: Camera,
        is_included: impl Fn(usize) -> bool,
    ) -> Self {
        let count = pose.bodies.len().min(scene.body_count());
        let bodies = (0..count).filter(|body| scene.is_drawn(*body) && is_included(*body));
        Self(DrawnMoment::new(pose, bodies, camera))
    }

    /// The body under a position in the window, or within a tolerance in points.
    pub(crate) fn pick(&self, eye: &Eye, at: Pos2, tolerance: f32) -> Option<(usize, Pick)> {
        let (part, pick) = self.pick_part(eye, at, tolerance)?;
        Some((part.body, pick))
    }

    /// The part of a body under a position in the window, or within a tolerance in points.
    pub(crate) fn pick_part(
        &self,
        eye: &Eye,
        at: Pos2,
        tolerance: f32,
    ) -> Option<(BodyPart, Pick)> {
        let tolerance = f64::from(tolerance * eye.scale);
        self.0.pick(eye.size, eye.pixels(at), tolerance).ok()?
    }
}

/// Box around some bodies of a pose.
pub(crate) fn bounds(pose: &Pose, is_included: impl Fn(usize) -> bool) -> Bounds {
    let bodies = pose.bodies.iter().enumerate().filter(|(body, _)| is_included(*body));
    bodies.fold(Bounds::EMPTY, |all, (_, body)| {
        let strands = body.strands.iter().map(Bounds::of);
        let meshes = body.mesh.iter().map(Bounds::of_mesh);
        strands.chain(meshes).fold(all, Bounds::union)
    })
}
