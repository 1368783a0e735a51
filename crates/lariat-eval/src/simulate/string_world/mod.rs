//! All strings and simulated solids of a document, in one simulation: they collide with each other,
//! and strings are tied to solids (`lariat_rigid::Tied`).
//!
//! The simulation starts with the first of its strings and solids. A string with a later start is
//! held along its pose until then, so that others can lie on it, and is released with the velocity
//! of its pose. Posing any of them at a frame simulates all of them up to that frame.
//!
//! ```text
//! string.rs  one string: material and inputs
//! solid.rs   one solid: mass, keyed pose and release
//! layout.rs   particles along the start poses
//! start_checks.rs  checks of the start poses of strings and solids
//! simulator.rs  the simulator: ours or the paper's
//! run.rs     the simulation
//! take.rs    its recording, with tears
//! file.rs    tears in a file
//! strands.rs  strands of a recorded state
//! ```
//!
//! At every checkpoint a run restarts from the numbers of that checkpoint, whether it was
//! interrupted or not. So nothing else that a solver stores (near pairs, the number of its last
//! substeps) makes a difference.

mod file;
mod layout;
mod run;
mod simulator;
mod solid;
mod start_checks;
mod strands;
mod string;
mod take;

use std::sync::{Arc, OnceLock};

use glam::DQuat;
use lariat_core::dynamics::material::Section;
use lariat_core::model::layer::Collider;
use lariat_rigid::Solid;
use lariat_scene::lower::Lowered;

pub(crate) use file::STRING_WORLD_NAME;
use layout::Layout;
use run::Run;
use simulator::Method;
use solid::SolidBody;
use string::StringBody;

use super::history::Stopped;
use super::inputs::Weather;
use super::{ResolvedMaterial, Strength};
use crate::bind::{Body, Placement};
use crate::scene::Scene;

/// Steps per second of solids without strings.
const RATE: f64 = 240.0;

/// All strings and solids of a scene: inputs and progress.
#[derive(Debug)]
pub(crate) struct StringWorld {
    string_bodies: Vec<StringBody>,
    /// In the order in which they start.
    solids: Vec<SolidBody>,
    method: Method,
    weather: Weather,
    /// Its bodies, in ascending order.
    bodies: Vec<usize>,
    /// Start time of the first of them, in seconds.
    start: f64,
    rate: f64,
    /// Bodies that any of them is attached to.
    on: Vec<usize>,
    layout: OnceLock<Result<Arc<Layout>, Stopped>>,
    run: Run,
}

impl StringWorld {
    /// Collects the strings and solids among the bodies and stores their indices there; `None` if
    /// there are none.
    pub(crate) fn bind(lowered: &Lowered, bodies: &mut [Body]) -> Option<Self> {
        let mut string_bodies: Vec<StringBody> = Vec::new();
        let (mut on, mut solids) = (Vec::new(), Vec::new());
        for (index, record) in lowered.bodies.iter().enumerate() {
            if let Some(solid) = SolidBody::bind(index, record, lowered) {
                bodies[index].still = false;
                solids.push(solid);
            }
            let Some(string_body) = StringBody::bind(index, record, lowered) else { continue };
            bodies[index].string = Some(string_bodies.len());
            bodies[index].still = false;
            on.extend_from_slice(lowered.dependencies(index));
            string_bodies.push(string_body);
        }
        // Sorted, so that solids that have started always come first.
        solids.sort_by(|a, b| a.start.total_cmp(&b.start));
        for (slot, solid) in solids.iter().enumerate() {
            bodies[solid.index].solid = Some(slot);
        }
        let mut first_tie = 0;
        for string_body in &mut string_bodies {
            let body = &bodies[string_body.index];
            let held = body.ends_on().into_iter().chain(string_body.inputs.pins_on());
            string_body.tied_to = held.collect();
            let slot = |on: &Option<usize>| on.and_then(|on| bodies[on].solid);
            string_body.ties = string_body.tied_to.iter().map(slot).collect();
            string_body.first_tie = first_tie;
            first_tie += string_body.ties.iter().flatten().count();
            // It is released with the solid that it is tied to, or earlier.
            for solid in string_body.ties.iter().flatten() {
                string_body.start = string_body.start.min(solids[*solid].start);
            }
        }
        on.sort_unstable();
        on.dedup();
        on.retain(|b| bodies[*b].solid.is_none());
        let starts = string_bodies.iter().map(|string_body| string_body.start);
        let start = starts.chain(solids.iter().map(|solid| solid.start)).reduce(f64::min)?;
        let rate = string_bodies
            .iter()
            .map(|string_body| string_body.rate)
            .reduce(f64::max)
            .unwrap_or(RATE);
        let all = string_bodies.iter().map(|string_body| string_body.index);
        let mut all: Vec<usize> = all.chain(solids.iter().map(|solid| solid.index)).collect();
        all.sort_unstable();
        // Other documents are refused when they are read.
        let is_published = |string_body: &StringBody| string_body.method == Method::Published;
        let published = !string_bodies.is_empty()
            && solids.is_empty()
            && string_bodies.iter().all(is_published);
        Some(Self {
            string_bodies,
            solids,
            method: if published { Method::Published } else { Method::Implicit },
            weather: Weather::bind(lowered),
            bodies: all,
            start,
            rate: rate.max(1.0),
            on,
            layout: OnceLock::new(),
            run: Run::default(),
        })
    }

    /// Length of a string at its start, in metres; `None` if it has no layout.
    pub(crate) fn start_length(&self, slot: usize, scene: &Scene) -> Option<f64> {
        self.layout(scene).ok().map(|layout| layout.string_bodies[slot].length)
    }

    /// Whether its strings are simulated by the method of their paper.
    pub(crate) fn is_published(&self) -> bool {
        self.method == Method::Published
    }

    /// Start time of a string.
    pub(crate) fn start_of(&self, slot: usize) -> f64 {
        self.string_bodies[slot].start
    }

    /// One of its solids at a placement, as an obstacle.
    pub(crate) fn collider_of_solid(&self, slot: usize, placement: Placement) -> Collider {
        let rotation = DQuat::from_mat3(&placement.axes);
        Solid { position: placement.position, rotation, ..self.solids[slot].empty() }.collider()
    }

    /// Start time of a solid.
    pub(crate) fn start_of_solid(&self, slot: usize) -> f64 {
        self.solids[slot].start
    }

    /// Its bodies, in ascending order.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = usize> {
        self.bodies.iter().copied()
    }

    /// Whether there are strings, and whether there are solids.
    pub(crate) fn is_of(&self) -> [bool; 2] {
        [!self.string_bodies.is_empty(), !self.solids.is_empty()]
    }

    /// Bodies that any of them is attached to.
    pub(crate) fn leaders(&self) -> &[usize] {
        &self.on
    }

    /// Material of a string, with the numbers it is simulated with.
    pub(crate) fn resolved_material(&self, slot: usize, body: &Body) -> ResolvedMaterial {
        let string_body = &self.string_bodies[slot];
        let radius = body.looks.girth(string_body.start);
        let material = string_body.material(radius);
        let area = std::f64::consts::PI * radius * radius;
        ResolvedMaterial {
            name: material.name,
            section: Section {
                mass_per_metre: material.density * area,
                stretch: material.modulus * area,
                bend: match self.method {
                    Method::Implicit => string_body.bend_stiffness(radius),
                    Method::Published => 0.0,
                },
                compression: 0.0,
                inner_friction: material.inner_friction,
            },
            is_string: true,
            strength: string_body.tears().then(|| Strength {
                newtons: material.rupture_stress * area,
                turns_per_metre: material.rupture_shear / (std::f64::consts::TAU * radius),
            }),
        }
    }

    /// The layout of the strings, or the reason why there is none.
    fn layout(&self, scene: &Scene) -> Result<&Layout, &Stopped> {
        self.layout
            .get_or_init(|| self.lay_out(scene).map(Arc::new))
            .as_ref()
            .map(|layout| &**layout)
    }
}
