//! Strings and solids that are tied to each other: a box on a string, a bridge of boards.
//!
//! Force and torque go both ways. A string pulls a solid where it is tied; twist in the string turns
//! the solid, and a solid that turns twists the string. A step is made in parts. In each of them
//!
//! ```text
//! load.rs    tied particles weigh what the solid weighs there, and move as it does
//! lean.rs    so do those of a taut string that a solid leans on
//! lariat-string   the strings step
//! lean.rs    what they did to solids that lean on them is done to these
//! meet.rs    strings and solids that touch push each other apart
//! pull.rs    what strings did to tied particles is done to the solids
//! solids.rs  the solids step: contact, weight, wind
//! pull.rs    solids and what is tied to them go on as one
//! ```
//!
//! led by `step.rs`, with parts as short as `lever.rs` and `meet.rs` ask for; `numbers.rs` is all of it
//! as numbers, for checkpoints. The paper says no more of this than that its rigid bodies were
//! simulated by another method; the way of tying is ours.
//!
//! Whoever steps sets where clamps, obstacles and ground are at the end of the step, as for strings
//! and solids alone. Gravity and air are set for each of the two.
//!
//! ```
//! use glam::DVec3;
//! use lariat_rigid::{Shape, Solid, Tied};
//! use lariat_core::dynamics::material::Material;
//! use lariat_string::{Build, Clamp};
//!
//! // A box of a kilogram hangs on half a metre of hemp, wound up by a push at its side.
//! let mut tied = Tied::new();
//! let material = *Material::find("hemp").unwrap();
//! let string = Build::straight(DVec3::Z * 1.5, DVec3::Z, 20, 0.004, material);
//! let string = tied.strings.add(&string).unwrap();
//! let (top, end) = (tied.strings.particle(string, 0.0), tied.strings.particle(string, 1.0));
//! tied.strings.clamps.push(Clamp { turn: Some(lariat_string::Turn::Angle(0.0)),
//!     ..Clamp::at(top, DVec3::Z * 1.5) });
//! let half = DVec3::new(0.15, 0.1, 0.1);
//! tied.solids.solids.push(Solid::new(Shape::Box { half }, 1.0, DVec3::Z * 0.9));
//! tied.tie(end, 0, true);
//! for _ in 0..30 {
//!     tied.solids.push(0, DVec3::Y * 0.2, DVec3::new(0.15, 0.0, 0.9));
//!     tied.step(1.0 / 60.0).unwrap();
//! }
//! assert!(tied.solids.solids[0].spin.z > 0.1);
//! // About the way down the string, a turn to the left is negative.
//! assert!(tied.strings.twist_at(end - 1) < 0.0);
//! ```
//!
//! # Where it is weak
//!
//! * Only the twist of the segment at a tie is fixed to the solid; the string may leave it in any
//!   direction.
//! * A clamp on a tied particle holds the string, not the solid: the tie rests meanwhile.
//! * A solid that leans on taut strings without a tie is carried, but friction between them is rough: ropes
//!   creep over a beam that should hold them, and a crate that bounces on lines may tumble off.
//! * The part of a taut string that lies over an edge of the solid it is tied to sinks in by millimetres.
//! * A small solid that stiff strings of many segments touch and snatch at may gain energy, up to two or
//!   three times what it was thrown with. Fewer segments, shorter steps or softer section help.
//! * Where several strings hold a light solid it trembles by some centimetres a second, and they pull a few
//!   per cent more than they should.
//! * A step that fails is not taken back: the parts before are made.
//!
//! Tests: `a_ball_hangs_with_its_weight_and_swings_with_its_period`,
//! `a_wound_box_turns_with_its_period`, `momentum_is_kept_in_free_space`.

mod lean;
mod lever;
mod load;
mod meet;
mod numbers;
mod pull;
mod step;
#[cfg(test)]
mod tests;

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Collider;
use lariat_string::{Clamp, Diverged, Event, Strings};
use thiserror::Error;

use crate::solid::Solid;
use crate::solids::{Solids, Unfit};

/// A particle that is tied to a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tie {
    /// Which particle; see [`Strings::particle`]. After a tear it stays with its piece.
    pub particle: usize,
    /// Which solid.
    pub solid: usize,
    /// Where, along the solid's own axes from its middle, in metres.
    pub local: DVec3,
    /// Whether the segment there turns with the solid about the string's axis; otherwise the string
    /// turns freely in its knot.
    pub turns: bool,
    /// Whether it holds at all.
    pub on: bool,
}

/// What a step has to tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TiedReport {
    /// In how many parts it was made.
    pub parts: u32,
    /// Parts that were too long, and were made again in two.
    pub taken_back: u32,
    /// How often the tension of a string was solved for.
    pub solves: u32,
    /// Particles that touch a solid they are not tied to, in the last part.
    pub meeting: u32,
    /// Segments and joints that tore.
    pub torn: u32,
}

/// Why a step was not made.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum TiedError {
    /// There is nothing to tie, or nowhere to.
    #[error(
        "tie {tie} holds particle {particle} to solid {solid}; there are {particles} particles and {solids} solids"
    )]
    NoSuch {
        /// Which tie.
        tie: usize,
        /// What it names.
        particle: usize,
        /// What it names.
        solid: usize,
        /// How many there are.
        particles: usize,
        /// How many there are.
        solids: usize,
    },
    /// A particle cannot be in two places.
    #[error("particle {particle} is tied twice; tie the second solid to another particle")]
    Twice {
        /// Which particle.
        particle: usize,
    },
    /// The strings went diverged.
    #[error(transparent)]
    Diverged(#[from] Diverged),
    /// A solid cannot be moved by forces.
    #[error(transparent)]
    Unfit(#[from] Unfit),
}

/// What a tie remembers from part to part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Hold {
    /// Whether the tie holds now, and what.
    active: bool,
    particle: usize,
    solid: usize,
    /// Kilograms of the particle itself, and of the solid as it feels it.
    own: f64,
    load: f64,
    /// The segment that is turned, if any; its inertia, and that of the solid.
    segment: Option<usize>,
    own_inertia: f64,
    inertia: f64,
    /// Along the solid's own axes: where the segment pointed when it was tied, and its side.
    axis: DVec3,
    side: DVec3,
    /// Acceleration of the place that the particle's weight does not know of.
    unknown: DVec3,
}

/// Strings and solids that are tied to each other.
pub struct Tied {
    /// The strings.
    pub strings: Strings,
    /// The solids.
    pub solids: Solids,
    /// What holds them together.
    pub ties: Vec<Tie>,
    /// Whether strings touch solids.
    pub meets: bool,
    /// The longest part of a step, in seconds.
    pub longest: f64,
    /// What happened to strings in the last step.
    pub events: Vec<Event>,
    holds: Vec<Hold>,
    work: Work,
}

/// Room for a step; of this only `ground` and `leans` outlive one.
#[derive(Default)]
struct Work {
    /// Clamps, obstacles and ground as they were told, and where clamps began.
    clamps: Vec<Clamp>,
    from: Vec<(DVec3, f64)>,
    obstacles: Vec<Obstacle>,
    told: Vec<Collider>,
    /// Mean of what strings pull with in the step.
    tensions: Vec<f64>,
    /// Pushes and turns of solids, for the whole step.
    pushed: Vec<(DVec3, DVec3)>,
    /// Ground at the end of the last step.
    ground: Vec<Collider>,
    /// Of ties, and of solids: what happens to them in a part.
    pulled: Vec<pull::Pulled>,
    joined: Vec<pull::Joined>,
    /// Of solids: how ties hold them against being turned, and from how many sides.
    levers: Vec<(f64, f64, u32)>,
    /// Of pieces of strings: where they are.
    extents: Vec<meet::Extent>,
    /// Where solids lean on strings in a part, and where in the part before; particles that are loaded by
    /// that, what they weigh themselves, and the load; and of solids: newton seconds and newton metre
    /// seconds by it.
    leans: Vec<lean::Lean>,
    leant: Vec<(usize, [usize; 2])>,
    /// Pieces that something leans on, each once.
    leaning: Vec<usize>,
    loaded: Vec<(usize, f64, f64)>,
    blows: Vec<(DVec3, DVec3)>,
    /// Of solids: where they will be at the end of a part, and how fast by what they touched.
    soon: Vec<Solid>,
}

/// A 240th of a second. Longer: what is tied to several strings sags by millimetres at first.
/// Shorter steps cost as much more.
const LONGEST: f64 = 1.0 / 240.0;

impl std::fmt::Debug for Tied {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tied")
            .field("strings", &self.strings)
            .field("solids", &self.solids.solids)
            .field("ties", &self.ties)
            .finish_non_exhaustive()
    }
}

impl Default for Tied {
    fn default() -> Self {
        let strings = Strings::default();
        let mut solids = Solids::default();
        solids.gravity = strings.gravity;
        Self {
            strings,
            solids,
            ties: Vec::new(),
            meets: true,
            longest: LONGEST,
            events: Vec::new(),
            holds: Vec::new(),
            work: Work::default(),
        }
    }
}

impl Tied {
    /// Nothing yet, in the gravity of the Earth.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ties a particle to a solid where it is now, and returns the number of the tie.
    ///
    /// # Panics
    ///
    /// If there is no such particle or solid.
    pub fn tie(&mut self, particle: usize, solid: usize, turns: bool) -> usize {
        let to = &self.solids.solids[solid];
        let local = to.rotation.inverse() * (self.strings.state.positions[particle] - to.position);
        self.ties.push(Tie { particle, solid, local, turns, on: true });
        self.ties.len() - 1
    }

    /// Forgets all but the numbers: what follows is what a run that starts from them would do.
    /// Whoever records a checkpoint calls this.
    pub fn forget(&mut self) {
        self.strings.forget();
        self.solids.forget();
        self.work.ground.clear();
        self.work.leans.clear();
    }

    /// Momentum in kg m/s and angular momentum about the origin, in kg m²/s, of strings and solids
    /// with their spins.
    pub fn momentum(&self) -> (DVec3, DVec3) {
        let (mut linear, mut angular) = self.strings.momentum();
        let state = &self.strings.state;
        // What solids weigh on strings is theirs.
        for hold in self.holds.iter().filter(|hold| hold.active) {
            let (x, v) = (state.positions[hold.particle], state.velocities[hold.particle]);
            linear -= v * hold.load;
            angular -= x.cross(v) * hold.load;
        }
        for solid in &self.solids.solids {
            let p = solid.velocity * solid.mass;
            linear += p;
            angular += solid.position.cross(p) + solid.turning();
        }
        (linear, angular)
    }
}
