//! Strands and meshes of a pose, with the bodies they belong to.

use lariat_core::geometry::Bounds;
use lariat_eval::{Moment as Pose, Scene};
use lariat_render::{Camera, Moment, Picked, Stage};
use lariat_scene::lower::ShotGround;

/// The visible content of a pose.
#[derive(Debug)]
pub(crate) struct Drawn<'p> {
    /// Strands and meshes, seen by a camera.
    pub(crate) moment: Moment<'p>,
    /// Body of each strand.
    strands: Vec<usize>,
    /// Body of each mesh.
    meshes: Vec<usize>,
}

impl<'p> Drawn<'p> {
    /// The visible bodies of a pose, seen by a camera.
    pub(crate) fn new(scene: &Scene, pose: &'p Pose, camera: Camera) -> Self {
        let mut drawn =
            Self { moment: Moment::new([], camera), strands: Vec::new(), meshes: Vec::new() };
        for (body, shape) in pose.bodies.iter().enumerate() {
            if !(shape.visible && scene.is_drawn(body)) {
                continue;
            }
            for strand in &shape.strands {
                drawn.moment.strands.push(strand.into());
                drawn.strands.push(body);
            }
            if let Some(mesh) = &shape.mesh {
                drawn.moment.meshes.push(mesh);
                drawn.meshes.push(body);
            }
        }
        drawn
    }

    /// The body of a picked strand or mesh.
    pub(crate) fn body(&self, picked: Picked) -> Option<usize> {
        match picked {
            Picked::Strand(strand) => self.strands.get(strand).copied(),
            Picked::Mesh(mesh) => self.meshes.get(mesh).copied(),
        }
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

/// Light, ground and background for a shot.
pub(crate) fn stage(scene: &Scene, pose: &Pose) -> Stage {
    let bounds = bounds(pose, |body| scene.is_drawn(body));
    let strands = pose.bodies.iter().flat_map(|body| &body.strands);
    let mut stage = Stage::for_strands(strands, &bounds);
    let shot = scene.shot();
    match shot.ground {
        ShotGround::Floor => {}
        ShotGround::Water => stage = stage.with_water(),
        ShotGround::None => stage.ground = None,
    }
    if let Some(height) = shot.ground_height {
        stage = stage.with_ground_at(height);
    }
    stage.at_time(shot.rate.seconds(pose.frame))
}
