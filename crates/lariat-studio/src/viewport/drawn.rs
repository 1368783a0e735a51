//! Strands and meshes of a pose, with the bodies they belong to.

use egui::Pos2;
use lariat_core::geometry::Bounds;
use lariat_eval::{Moment as Pose, Scene};
use lariat_render::{Camera, Pick, Stage};
use lariat_scene::lower::ShotGround;
use lariat_shoot::DrawnMoment;

use super::Eye;
use crate::workspace::Appearance;

/// The visible content of a pose.
#[derive(Debug)]
pub(crate) struct Drawn<'p>(pub(crate) DrawnMoment<'p>);

impl<'p> Drawn<'p> {
    /// The visible bodies of a pose, seen by a camera.
    pub(crate) fn new(scene: &Scene, pose: &'p Pose, camera: Camera) -> Self {
        Self::of(scene, pose, camera, |_| true)
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
        let tolerance = f64::from(tolerance * eye.scale);
        let found = self.0.pick(eye.size, eye.pixels(at), tolerance).ok()??;
        Some((found.0.body, found.1))
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

/// Light, ground and background for a shot: its own if it has water or glowing strands, else calm ones
/// that go with the window.
pub(crate) fn stage(scene: &Scene, pose: &Pose, appearance: Appearance) -> Stage {
    let bounds = bounds(pose, |body| scene.is_drawn(body));
    let strands = pose.bodies.iter().flat_map(|body| &body.strands);
    let mut stage = Stage::for_strands(strands, &bounds);
    let shot = scene.shot();
    let glows = stage == Stage::dusk(&bounds);
    if !glows && shot.ground != ShotGround::Water {
        stage = match appearance {
            Appearance::Dark => Stage::dark_viewport(&bounds),
            Appearance::Light => Stage::light_viewport(&bounds),
        };
    }
    match shot.ground {
        ShotGround::Floor => {}
        ShotGround::Water => stage = stage.with_water(),
        ShotGround::None => stage.ground = None,
    }
    if let Some(height) = shot.ground_height {
        stage = stage.with_ground_at(height);
    }
    // The grid of the view has its own lines.
    if let Some(ground) = &mut stage.ground {
        ground.lines = 0.0;
    }
    stage.at_time(shot.rate.seconds(pose.frame))
}
