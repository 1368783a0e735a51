//! Meshes from files, and solids: placed, turned and sized.
//!
//! A mesh is posed in two steps. First its points move in the space of the file, in metres: jiggles
//! and modes displace them. Then the whole is placed in the world: scaled, rotated about X, Y and
//! Z, and translated. A painted field gives its points colours.
//!
//! A solid is a mesh that is built when it is bound. The part of the trunk it was cut from depends
//! on its name, so that no two boards have the same grain.
//!
//! A mesh that does not move is posed once, and all moments share its points.
//!
//! Tests: `a_mesh_is_sized_then_turned_then_shifted`, `a_mesh_that_stands_still_is_shared`,
//! `a_rope_hangs_on_a_mesh_that_moves`, `a_board_is_turned_then_shifted`,
//! `no_two_boards_have_the_same_grain`.

use std::sync::{Arc, OnceLock};

use glam::{DAffine3, DMat3, DVec3};
use lariat_core::geometry::{Look, Mesh, Solid};
use lariat_core::motion::Channel;
use lariat_scene::lower::Record;

use super::jiggle::BoundJiggle;
use super::looks::grain_of;
use super::modes::Modes;
use super::paint::Paint;
use super::{Body, anchor};
use crate::assets::Assets;
use crate::moment::BodyMoment;
use crate::number::Number;
use crate::scene::World;
use crate::warning::Warning;

/// Name of the only mesh of a body.
pub(super) const MESH: &str = "mesh";

#[derive(Debug)]
pub(crate) struct BoundMesh {
    /// The mesh of the file, Z up; `None` if the file could not be read.
    rest: Option<Arc<Mesh>>,
    placing: Placing,
    jiggles: Vec<BoundJiggle>,
    modes: Modes,
    paint: Option<Paint>,
    /// The placed mesh, if it never moves.
    placed: OnceLock<Mesh>,
}

/// Keyed placement of a mesh.
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

    /// Placement of a solid, which is built in its final size.
    fn of_solid(record: &Record) -> Self {
        let vector = |name| record.vector(name).cloned().unwrap_or(Channel::Constant(DVec3::ZERO));
        let (position, rotation) = (vector("position"), vector("rotation"));
        Self { position, rotation, size: Number::constant(1.0) }
    }

    pub(super) fn is_still(&self) -> bool {
        self.position.is_constant() && self.rotation.is_constant() && self.size.is_constant()
    }

    pub(super) fn placement(&self, t: f64, warnings: &mut Vec<Warning>) -> Placement {
        Placement {
            position: self.position.at(t),
            axes: anchor::rotation(self.rotation.at(t)),
            size: self.size.at(t, warnings),
        }
    }
}

/// Placement of a mesh: position of its file's origin, axes, and scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placement {
    pub(crate) position: DVec3,
    pub(crate) axes: DMat3,
    pub(super) size: f64,
}

impl Default for Placement {
    fn default() -> Self {
        Self::new(DVec3::ZERO, DMat3::IDENTITY)
    }
}

impl Placement {
    /// A placement without scaling.
    pub(crate) fn new(position: DVec3, axes: DMat3) -> Self {
        Self { position, axes, size: 1.0 }
    }

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

    /// A box, a ball or a barrel.
    pub(super) fn solid(record: &Record) -> Self {
        let (placing, placed) = (Placing::of_solid(record), OnceLock::new());
        let rest = solid(record).map(Arc::new);
        Self { rest, placing, jiggles: Vec::new(), modes: Modes::default(), paint: None, placed }
    }

    /// True if its points do not move.
    pub(super) fn is_still(&self) -> bool {
        self.placing.is_still()
            && self.jiggles.iter().all(BoundJiggle::is_still)
            && self.modes.is_still()
    }

    pub(super) fn placement(&self, t: f64, warnings: &mut Vec<Warning>) -> Placement {
        self.placing.placement(t, warnings)
    }

    /// Places the points in the world, after jiggles and modes have displaced them.
    fn place(
        &self,
        rest: &Mesh,
        placement: &Placement,
        t: f64,
        mesh: &mut Mesh,
        w: &mut Vec<Warning>,
    ) {
        if self.jiggles.is_empty() && self.modes.is_empty() {
            mesh.pose(rest, None, &placement.world_from_mesh());
            return;
        }
        let mut own = rest.points().to_vec();
        for jiggle in &self.jiggles {
            jiggle.push(rest, t, &mut own, w);
        }
        self.modes.push(t, &mut own, w);
        mesh.pose(rest, Some(&own), &placement.world_from_mesh());
    }

    pub(super) fn pose(&self, body: &Body, world: &World<'_>, out: &mut BodyMoment) {
        let placement = self.placement(world.t, &mut out.warnings);
        self.pose_at(placement, self.is_still() && !body.is_simulated(), body, world, out);
    }

    /// Poses the mesh at a placement other than its keyed one; `still` if the placement is constant.
    pub(super) fn pose_at(
        &self,
        placement: Placement,
        still: bool,
        body: &Body,
        world: &World<'_>,
        out: &mut BodyMoment,
    ) {
        out.placement = Some(placement);
        out.strands.clear();
        let Some(rest) = &self.rest else {
            out.mesh = None;
            return;
        };
        if still {
            let placed = self.placed.get_or_init(|| {
                let mut mesh = Mesh::clone(rest);
                self.place(rest, &placement, world.t, &mut mesh, &mut out.warnings);
                mesh
            });
            out.mesh = Some(placed.clone());
        } else {
            let mesh = out.mesh.get_or_insert_with(|| Mesh::clone(rest));
            self.place(rest, &placement, world.t, mesh, &mut out.warnings);
        }
        if let Some(mesh) = &mut out.mesh {
            // The memory may have been used by another body.
            if *mesh.name != *MESH {
                mesh.name = MESH.into();
            }
            mesh.look.name = body.looks.look.clone();
            mesh.look.colour = body.looks.colour.at(world.t, &mut out.warnings);
            Paint::put(self.paint.as_ref(), world.t, mesh);
        }
    }
}

/// The mesh of a solid at the origin; none if its numbers overflow.
fn solid(record: &Record) -> Option<Mesh> {
    let number = |name| record.scalar(name).map_or(0.0, |channel| channel.at(0.0));
    let (radius, height) = (number("radius"), number("height"));
    let solid = match record.choice("shape") {
        Some("ball") => Solid::Ball { radius },
        Some("cylinder") => Solid::Cylinder { radius, height },
        _ => Solid::Box { size: record.vector("size")?.at(0.0) },
    };
    let (shape, points) = solid.mesh().ok()?;
    let look = Look { name: "wood".into(), colour: [0.5; 3] };
    // A place along the trunk, off its centre, around which the rings run.
    let own = grain_of(record.name());
    let part = |k: u32| f64::from(own >> (8 * k) & 0xff) / 255.0;
    let cut = DVec3::new(4.0 * part(0), 0.05 + 0.2 * part(1), 0.05 + 0.2 * part(2));
    let grain = shape.grain()?.iter().map(|at| *at + cut).collect();
    Mesh::new(MESH, shape.with_grain(grain).ok()?, points, look).ok()
}
