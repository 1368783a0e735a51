//! Meshes from files: placed, turned and sized.
//!
//! A mesh is posed in two steps, each in its own space. First its points move within it, in metres
//! of the file: jiggles are added to where the file has them. Then the whole is put into the world:
//! sized, turned about X, Y and Z, and shifted. A painted field gives its points colours.
//!
//! A mesh that stands still is posed once, and every moment shares its points.
//!
//! Tests: `a_mesh_is_sized_then_turned_then_shifted`, `a_mesh_that_stands_still_is_shared`,
//! `a_rope_hangs_on_a_mesh_that_moves`.

use std::sync::{Arc, OnceLock};

use glam::{DAffine3, DMat3, DVec3};
use lariat_core::geometry::Mesh;
use lariat_core::motion::Channel;
use lariat_scene::lower::Record;

use super::jiggle::BoundJiggle;
use super::modes::Modes;
use super::paint::Paint;
use super::{Body, anchor};
use crate::assets::Assets;
use crate::moment::{BodyMoment, Warning};
use crate::number::Number;
use crate::scene::World;

/// What the only mesh of a body is called.
pub(super) const MESH: &str = "mesh";

#[derive(Debug)]
pub(crate) struct BoundMesh {
    /// As it is in its file, Z up; nothing if the file could not be had.
    rest: Option<Arc<Mesh>>,
    placing: Placing,
    jiggles: Vec<BoundJiggle>,
    modes: Modes,
    paint: Option<Paint>,
    /// Where it is, if it never moves.
    placed: OnceLock<Mesh>,
}

/// Where something from a file is to be, through time.
#[derive(Debug)]
pub(super) struct Placing {
    position: Channel<DVec3>,
    rotation: Channel<DVec3>,
    size: Number,
}

impl Placing {
    pub(super) fn bind(record: &Record) -> Self {
        let vector = |name| record.vector(name).cloned().unwrap_or(Channel::Constant(DVec3::ZERO));
        Self {
            position: vector("position"),
            rotation: vector("rotation"),
            size: Number::of(record, "size"),
        }
    }

    pub(super) fn is_still(&self) -> bool {
        self.position.is_constant() && self.rotation.is_constant() && self.size.is_constant()
    }

    pub(super) fn stand(&self, t: f64, warnings: &mut Vec<Warning>) -> Stand {
        Stand {
            position: self.position.at(t),
            axes: anchor::rotation(self.rotation.at(t)),
            size: self.size.at(t, warnings),
        }
    }
}

/// Where a mesh is: the origin of its file, its directions, and how many times as large it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stand {
    pub(crate) position: DVec3,
    pub(crate) axes: DMat3,
    pub(super) size: f64,
}

impl Stand {
    pub(super) fn world_from_mesh(&self) -> DAffine3 {
        DAffine3::from_mat3_translation(self.axes * self.size, self.position)
    }
}

impl BoundMesh {
    pub(super) fn bind(record: &Record, assets: &Assets) -> Self {
        let rest = assets.mesh(record);
        let modes = match &rest {
            Some(rest) => Modes::bind(record, rest.points().len(), assets),
            None => Modes::default(),
        };
        let jiggles = match &rest {
            Some(rest) => {
                record.records("jiggles").iter().map(|r| BoundJiggle::bind(r, rest)).collect()
            }
            None => Vec::new(),
        };
        let paint = rest.as_ref().and_then(|rest| Paint::bind(record, rest, assets));
        let (placing, placed) = (Placing::bind(record), OnceLock::new());
        Self { rest, placing, jiggles, modes, paint, placed }
    }

    /// Whether its points are in the same places at every time.
    pub(super) fn is_still(&self) -> bool {
        self.placing.is_still()
            && self.jiggles.iter().all(BoundJiggle::is_still)
            && self.modes.is_still()
    }

    pub(super) fn stand(&self, t: f64, warnings: &mut Vec<Warning>) -> Stand {
        self.placing.stand(t, warnings)
    }

    /// Rest, then whatever moves points within the mesh, then the world.
    fn place(&self, rest: &Mesh, stand: &Stand, t: f64, mesh: &mut Mesh, w: &mut Vec<Warning>) {
        if self.jiggles.is_empty() && self.modes.is_empty() {
            mesh.pose(rest, None, &stand.world_from_mesh());
            return;
        }
        let mut own = rest.points().to_vec();
        for jiggle in &self.jiggles {
            jiggle.push(rest, t, &mut own, w);
        }
        self.modes.push(t, &mut own, w);
        mesh.pose(rest, Some(&own), &stand.world_from_mesh());
    }

    pub(super) fn pose(&self, body: &Body, world: &World<'_>, out: &mut BodyMoment) {
        let stand = self.stand(world.t, &mut out.warnings);
        out.stand = Some(stand);
        out.strands.clear();
        let Some(rest) = &self.rest else {
            out.mesh = None;
            return;
        };
        if self.is_still() {
            let placed = self.placed.get_or_init(|| {
                let mut mesh = Mesh::clone(rest);
                self.place(rest, &stand, world.t, &mut mesh, &mut out.warnings);
                mesh
            });
            out.mesh = Some(placed.clone());
        } else {
            let mesh = out.mesh.get_or_insert_with(|| Mesh::clone(rest));
            self.place(rest, &stand, world.t, mesh, &mut out.warnings);
        }
        if let Some(mesh) = &mut out.mesh {
            // The memory may have been another body's.
            if *mesh.name != *MESH {
                mesh.name = MESH.into();
            }
            mesh.material.name = body.looks.material.clone();
            mesh.material.colour = body.looks.colour.at(world.t, &mut out.warnings);
            Paint::put(self.paint.as_ref(), world.t, mesh);
        }
    }
}
