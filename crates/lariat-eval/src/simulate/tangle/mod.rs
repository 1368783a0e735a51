//! All strings of a document and all solids that are simulated, as one: they touch each other, and
//! strings are tied to solids (`lariat_rigid::Tied`).
//!
//! A tangle starts when the first of its strings does. One that starts later is there from the
//! beginning, held along its pose, so that others can lie on it; then it is let go as fast as it
//! moves. Posing any of them at a frame lets the whole tangle reach it.
//!
//! ```text
//! member.rs  one string: what it is made of, and what it is told at every step
//! solid.rs   one solid: how heavy it is, how it is posed and let go
//! lay.rs     poses become particles
//! amiss.rs   what is wrong with these poses, and with those of solids
//! run.rs     the simulation, as far as it has come
//! take.rs    what it recorded, and what tore
//! file.rs    what tore, as a file has it
//! draw.rs    a record becomes strands
//! ```
//!
//! At every checkpoint a run begins anew from the numbers of that checkpoint, whether it was
//! interrupted or not: what a solver remembers besides its state (which pairs are near, how short
//! its last parts were) must not make a difference.

mod amiss;
mod draw;
mod file;
mod lay;
mod member;
mod run;
mod solid;
mod take;

use std::sync::{Mutex, OnceLock};

use lariat_core::dynamics::material::Section;
use lariat_scene::lower::Lowered;

pub(crate) use file::TANGLE;
use lay::Laid;
use member::Member;
use run::Run;
use solid::Rigid;

use super::inputs::Weather;
use super::reel::Stopped;
use super::{MadeOf, Strength};
use crate::bind::Body;
use crate::scene::Scene;

/// Steps a second of solids alone.
const RATE: f64 = 240.0;

/// All strings and solids of a scene: what they are told, and how far they have come.
#[derive(Debug)]
pub(crate) struct Tangle {
    members: Vec<Member>,
    /// In the order in which they start.
    solids: Vec<Rigid>,
    weather: Weather,
    /// The bodies that it is made of, rising.
    bodies: Vec<usize>,
    /// When the first of them starts, in seconds.
    start: f64,
    rate: f64,
    /// Bodies that any of them hangs on.
    on: Vec<usize>,
    laid: OnceLock<Result<Box<Laid>, Stopped>>,
    run: Mutex<Run>,
}

impl Tangle {
    /// The strings and solids among the bodies, if there are any; tells each of them its place.
    pub(crate) fn bind(lowered: &Lowered, bodies: &mut [Body]) -> Option<Self> {
        let mut members: Vec<Member> = Vec::new();
        let (mut on, mut solids) = (Vec::new(), Vec::new());
        for (index, record) in lowered.bodies.iter().enumerate() {
            if let Some(solid) = Rigid::bind(index, record, lowered) {
                bodies[index].still = false;
                solids.push(solid);
            }
            let Some(member) = Member::bind(index, record, lowered) else { continue };
            bodies[index].string = Some(members.len());
            bodies[index].still = false;
            on.extend_from_slice(lowered.dependencies(index));
            members.push(member);
        }
        // Those that have started are always the first.
        solids.sort_by(|a, b| a.start.total_cmp(&b.start));
        for (slot, solid) in solids.iter().enumerate() {
            bodies[solid.index].solid = Some(slot);
        }
        let mut first_tie = 0;
        for member in &mut members {
            let body = &bodies[member.index];
            let held = body.ends_on().into_iter().chain(member.inputs.pins_on());
            member.tied_to = held.collect();
            let slot = |on: &Option<usize>| on.and_then(|on| bodies[on].solid);
            member.ties = member.tied_to.iter().map(slot).collect();
            member.first_tie = first_tie;
            first_tie += member.ties.iter().flatten().count();
            // It is let go with what it is tied to, if not before.
            for solid in member.ties.iter().flatten() {
                member.start = member.start.min(solids[*solid].start);
            }
        }
        on.sort_unstable();
        on.dedup();
        on.retain(|b| bodies[*b].solid.is_none());
        let starts = members.iter().map(|member| member.start);
        let start = starts.chain(solids.iter().map(|solid| solid.start)).reduce(f64::min)?;
        let rate = members.iter().map(|member| member.rate).reduce(f64::max).unwrap_or(RATE);
        let all = members.iter().map(|member| member.index);
        let mut all: Vec<usize> = all.chain(solids.iter().map(|solid| solid.index)).collect();
        all.sort_unstable();
        Some(Self {
            members,
            solids,
            weather: Weather::bind(lowered),
            bodies: all,
            start,
            rate: rate.max(1.0),
            on,
            laid: OnceLock::new(),
            run: Mutex::default(),
        })
    }

    /// When one of its strings does.
    pub(crate) fn start_of(&self, slot: usize) -> f64 {
        self.members[slot].start
    }

    /// When one of its solids does.
    pub(crate) fn start_of_solid(&self, slot: usize) -> f64 {
        self.solids[slot].start
    }

    /// The bodies that it is made of, rising.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = usize> {
        self.bodies.iter().copied()
    }

    /// Whether there are strings among them, and solids.
    pub(crate) fn is_of(&self) -> [bool; 2] {
        [!self.members.is_empty(), !self.solids.is_empty()]
    }

    /// Bodies that any of them hangs on.
    pub(crate) fn hangs_on(&self) -> &[usize] {
        &self.on
    }

    /// What one of its strings is made of, with its numbers.
    pub(crate) fn made_of(&self, slot: usize, body: &Body) -> MadeOf {
        let member = &self.members[slot];
        let radius = body.looks.girth(member.start);
        let fibre = member.fibre(radius);
        let area = std::f64::consts::PI * radius * radius;
        MadeOf {
            name: fibre.name,
            section: Section {
                mass_per_metre: fibre.density * area,
                stretch: fibre.modulus * area,
                bend: member.bend_stiffness(radius),
                compression: 0.0,
                inner_friction: fibre.inner_friction,
            },
            is_string: true,
            strength: member.tears().then(|| Strength {
                newtons: fibre.rupture_stress * area,
                turns_per_metre: fibre.rupture_shear / (std::f64::consts::TAU * radius),
            }),
        }
    }

    /// The laid strings; or why there are none.
    fn laid(&self, scene: &Scene) -> Result<&Laid, &Stopped> {
        self.laid.get_or_init(|| self.lay(scene).map(Box::new)).as_ref().map(|laid| &**laid)
    }
}
