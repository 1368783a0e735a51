//! Ropes for games: a world of ropes, colliders and solids, stepped at a fixed rate.
//!
//! A [`World`] owns everything that moves. Objects are added once and addressed by ids; a frame of
//! the game moves the holds, calls [`World::step`] with the elapsed time, and reads points. The
//! world advances in fixed steps at any frame rate, and points are interpolated between the last
//! two steps, so motion is smooth and a recording of inputs replays to the same bits.
//!
//! ```
//! use lariat::world::{RopeDef, World};
//! use lariat::glam::DVec3;
//!
//! let mut world = World::new();
//! world.add_floor(0.0);
//! // Three metres of hemp between two posts.
//! let (left, right) = (DVec3::new(-1.0, 0.0, 2.0), DVec3::new(1.0, 0.0, 2.0));
//! let rope = world.add_rope(&RopeDef::between(left, right).with_length(3.0))?;
//! let hand = world.hold(rope, 0.0, left)?;
//! world.hold(rope, 1.0, right)?;
//!
//! for frame in 0..30 {
//!     world.set_target(hand, left + DVec3::Y * (0.01 * f64::from(frame)))?;
//!     world.step(1.0 / 60.0)?;
//!     let vertices: &[[f32; 3]] = world.points_f32(rope);
//!     assert_eq!(vertices.len(), world.points(rope).len());
//! }
//! assert!(world.force_on(hand).z < 0.0, "the rope pulls its hold down");
//! # Ok::<(), lariat::world::WorldError>(())
//! ```
//!
//! Ropes are strings of particles (`lariat-string`): they stretch, bend, twist, collide with
//! themselves, each other and colliders, and tear. Solids need the feature `rigid`.
//!
//! ```text
//! ids.rs     RopeId, HoldId, ColliderId, SolidId
//! def.rs     definition of a rope
//! error.rs   errors
//! event.rs   events of the last call of `step`
//! clock.rs   fixed steps from frame times
//! solids.rs  solids (feature `rigid`); without it, simulation.rs steps the ropes alone
//! ```
//!
//! Not here: objects cannot be removed; threads (`lariat_string::Executor` steps many ropes at
//! once).
//!
//! Tests: `points_are_interpolated_between_fixed_steps`,
//! `the_frame_rate_does_not_change_the_motion`, `an_overloaded_rope_tears_and_is_reported`,
//! `a_box_hangs_on_a_rope_with_its_weight`.

mod clock;
mod def;
mod error;
mod event;
mod ids;
#[cfg(not(feature = "rigid"))]
mod simulation;
#[cfg(feature = "rigid")]
mod solids;
#[cfg(test)]
mod tests;

use std::ops::Range;

use glam::DVec3;
use lariat_core::dynamics::air::Air;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Collider;
#[cfg(feature = "rigid")]
use lariat_rigid::Tied as Simulation;
use lariat_string::{Clamp, Strings};

use self::clock::Clock;
pub use self::def::RopeDef;
pub use self::error::WorldError;
pub use self::event::{TearCause, WorldEvent};
pub use self::ids::{ColliderId, HoldId, RopeId, SolidId};
#[cfg(not(feature = "rigid"))]
use self::simulation::Simulation;
#[cfg(feature = "rigid")]
pub use self::solids::SolidDef;

/// Density of air at 15 °C at sea level, in kg/m³.
const AIR_DENSITY: f64 = 1.225;

/// Target of a hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// A place in the world, in metres, reached at the end of the next call of [`World::step`].
    Place(DVec3),
    /// A solid, tied at the point where the rope is when the hold is added.
    #[cfg(feature = "rigid")]
    Solid(SolidId),
}

impl From<DVec3> for Target {
    fn from(place: DVec3) -> Self {
        Self::Place(place)
    }
}

#[cfg(feature = "rigid")]
impl From<SolidId> for Target {
    fn from(solid: SolidId) -> Self {
        Self::Solid(solid)
    }
}

/// Result of a call of [`World::step`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepSummary {
    /// Fixed steps that were made.
    pub steps: u32,
    /// Elapsed time that was dropped because it exceeded [`World::MAX_STEPS`] steps, in seconds.
    pub dropped: f64,
}

/// Hold of a rope: a clamp, or a tie to a solid.
#[derive(Clone, Copy, Debug)]
enum Hold {
    /// Index of the clamp, and its target at the end of the next call of `step`.
    Clamp { clamp: usize, target: DVec3 },
    /// Index of the tie.
    #[cfg(feature = "rigid")]
    Tie { tie: usize },
}

/// Ropes, colliders and solids of a game.
#[derive(Debug)]
pub struct World {
    simulation: Simulation,
    clock: Clock,
    ropes: Vec<Range<usize>>,
    holds: Vec<Hold>,
    /// Colliders before and after the next call of `step`.
    colliders: Vec<Obstacle>,
    /// Positions of all particles before the last fixed step.
    before: Vec<DVec3>,
    /// Interpolated positions of all particles.
    points: Vec<DVec3>,
    points_f32: Vec<[f32; 3]>,
    events: Vec<WorldEvent>,
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// Fixed steps per second of a new world.
    pub const DEFAULT_RATE: f64 = 120.0;

    /// Largest number of fixed steps per call of [`World::step`]. A game that falls behind drops
    /// time instead of spending ever more of it on steps.
    pub const MAX_STEPS: u32 = 16;

    /// Creates an empty world with Earth's gravity along −Z.
    pub fn new() -> Self {
        Self {
            simulation: Simulation::default(),
            clock: Clock::new(Self::DEFAULT_RATE),
            ropes: Vec::new(),
            holds: Vec::new(),
            colliders: Vec::new(),
            before: Vec::new(),
            points: Vec::new(),
            points_f32: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Sets the number of fixed steps per second.
    pub fn set_rate(&mut self, hertz: f64) -> Result<(), WorldError> {
        if !(1.0..=100_000.0).contains(&hertz) {
            return Err(WorldError::Rate { hertz });
        }
        self.clock = Clock::new(hertz);
        Ok(())
    }

    /// Sets gravity, in m/s².
    pub fn set_gravity(&mut self, gravity: DVec3) {
        self.simulation.strings.gravity = gravity;
        #[cfg(feature = "rigid")]
        {
            self.simulation.solids.gravity = gravity;
        }
    }

    /// Sets the velocity of the wind, in m/s.
    pub fn set_wind(&mut self, velocity: DVec3) {
        let air = Air { density: AIR_DENSITY, wind: velocity, ..Air::default() };
        #[cfg(feature = "rigid")]
        self.simulation.solids.air.clone_from(&air);
        self.simulation.strings.air = air;
    }

    /// Adds a rope.
    pub fn add_rope(&mut self, def: &RopeDef) -> Result<RopeId, WorldError> {
        let build = def.build()?;
        let strings = &mut self.simulation.strings;
        let string = strings.add(&build)?;
        let particles = strings.particle(string, 0.0)..strings.particle(string, 1.0) + 1;
        let id = RopeId(self.ropes.len());
        self.ropes.push(particles);
        // Existing ropes stay interpolated.
        let known = self.before.len();
        self.before.extend_from_slice(&self.simulation.strings.state.positions[known..]);
        self.interpolate();
        Ok(id)
    }

    /// Adds a horizontal floor at a height in metres.
    pub fn add_floor(&mut self, height: f64) -> ColliderId {
        self.add_collider(Collider::floor(height))
    }

    /// Adds a collider that ropes and solids stay out of.
    pub fn add_collider(&mut self, collider: Collider) -> ColliderId {
        #[cfg(feature = "rigid")]
        self.simulation.solids.ground.push(collider.clone());
        let obstacle = Obstacle::standing(collider, 0.0);
        self.simulation.strings.obstacles.push(obstacle.clone());
        self.colliders.push(obstacle);
        ColliderId(self.colliders.len() - 1)
    }

    /// Moves a collider; it arrives at the end of the next call of [`World::step`] and pushes ropes
    /// out of its way.
    pub fn set_collider(&mut self, id: ColliderId, collider: Collider) -> Result<(), WorldError> {
        let slot = self.colliders.get_mut(id.0).ok_or(WorldError::NoCollider { id: id.0 })?;
        slot.now = collider;
        Ok(())
    }

    /// Holds a rope at the particle nearest to `u` (0 at its start, 1 at its end).
    ///
    /// A position as target holds the rope there; a solid ties the rope to it.
    pub fn hold(
        &mut self,
        rope: RopeId,
        u: f64,
        target: impl Into<Target>,
    ) -> Result<HoldId, WorldError> {
        if rope.0 >= self.ropes.len() {
            return Err(WorldError::NoRope { id: rope.0 });
        }
        if !(0.0..=1.0).contains(&u) {
            return Err(WorldError::PlaceOnRope { u });
        }
        let particle = self.strings().particle(rope.0, u);
        let hold = match target.into() {
            Target::Place(target) => {
                check_finite(target)?;
                let strings = &mut self.simulation.strings;
                strings.clamps.push(Clamp::at(particle, strings.state.positions[particle]));
                Hold::Clamp { clamp: strings.clamps.len() - 1, target }
            }
            #[cfg(feature = "rigid")]
            Target::Solid(solid) => {
                self.solid(solid)?;
                Hold::Tie { tie: self.simulation.tie(particle, solid.0, true) }
            }
        };
        self.holds.push(hold);
        Ok(HoldId(self.holds.len() - 1))
    }

    /// Moves a hold; the rope arrives there at the end of the next call of [`World::step`].
    pub fn set_target(&mut self, hold: HoldId, place: DVec3) -> Result<(), WorldError> {
        check_finite(place)?;
        match self.holds.get_mut(hold.0) {
            Some(Hold::Clamp { target, .. }) => {
                *target = place;
                Ok(())
            }
            #[cfg(feature = "rigid")]
            Some(Hold::Tie { .. }) => Err(WorldError::Tied { id: hold.0 }),
            None => Err(WorldError::NoHold { id: hold.0 }),
        }
    }

    /// Lets go of a rope. The hold stays released.
    pub fn release(&mut self, hold: HoldId) -> Result<(), WorldError> {
        match self.holds.get(hold.0).copied() {
            Some(Hold::Clamp { clamp, .. }) => self.simulation.strings.clamps[clamp].on = false,
            #[cfg(feature = "rigid")]
            Some(Hold::Tie { tie }) => self.simulation.ties[tie].on = false,
            None => return Err(WorldError::NoHold { id: hold.0 }),
        }
        Ok(())
    }

    /// Force of a rope on its hold at the end of the last fixed step, in newtons; zero for released
    /// holds and for ties.
    pub fn force_on(&self, hold: HoldId) -> DVec3 {
        match self.holds.get(hold.0) {
            Some(Hold::Clamp { clamp, .. }) => {
                let strings = self.strings();
                -strings.grip(&strings.clamps[*clamp]).force
            }
            #[cfg(feature = "rigid")]
            Some(Hold::Tie { .. }) => DVec3::ZERO,
            None => DVec3::ZERO,
        }
    }

    /// Advances the world by the elapsed time in seconds.
    ///
    /// Time is divided into fixed steps; the remainder is kept for the next call, and points are
    /// interpolated for it. Holds and colliders move evenly to their targets over the steps of one
    /// call. An error leaves the world as it was before the fixed step that failed.
    pub fn step(&mut self, elapsed: f64) -> Result<StepSummary, WorldError> {
        if !(elapsed >= 0.0 && elapsed.is_finite()) {
            return Err(WorldError::Elapsed { seconds: elapsed });
        }
        self.events.clear();
        let (steps, dropped) = self.clock.advance(elapsed, Self::MAX_STEPS);
        for step in 0..steps {
            self.move_targets(step, steps);
            self.before.clone_from(&self.simulation.strings.state.positions);
            self.fixed_step()?;
        }
        if steps > 0 {
            for collider in &mut self.colliders {
                collider.before.clone_from(&collider.now);
            }
        }
        self.interpolate();
        Ok(StepSummary { steps, dropped })
    }

    /// Points along a rope, in metres, interpolated between the last two fixed steps.
    ///
    /// # Panics
    ///
    /// If the rope belongs to another world.
    pub fn points(&self, rope: RopeId) -> &[DVec3] {
        &self.points[self.ropes[rope.0].clone()]
    }

    /// The same points as `f32` triples, ready for a vertex buffer.
    ///
    /// # Panics
    ///
    /// If the rope belongs to another world.
    pub fn points_f32(&self, rope: RopeId) -> &[[f32; 3]] {
        &self.points_f32[self.ropes[rope.0].clone()]
    }

    /// Points of each piece of a rope; a rope that has not torn has one.
    ///
    /// # Panics
    ///
    /// If the rope belongs to another world.
    pub fn pieces(&self, rope: RopeId) -> impl Iterator<Item = &[DVec3]> {
        assert!(rope.0 < self.ropes.len(), "rope {} belongs to another world", rope.0);
        let spans = self.strings().state.spans.iter();
        spans.filter(move |span| span.string == rope.0).map(|span| &self.points[span.particles()])
    }

    /// Largest tension of a rope after the last fixed step, in newtons.
    ///
    /// # Panics
    ///
    /// If the rope belongs to another world.
    pub fn max_tension(&self, rope: RopeId) -> f64 {
        let tensions = &self.strings().state.tensions[self.ropes[rope.0].clone()];
        tensions.iter().copied().fold(0.0, f64::max)
    }

    /// Events of the last call of [`World::step`], in order.
    pub fn events(&self) -> &[WorldEvent] {
        &self.events
    }

    /// The simulator of all ropes, for values that the world does not offer.
    pub fn strings(&self) -> &Strings {
        &self.simulation.strings
    }

    /// Moves clamps and colliders to their places at the end of a fixed step, `step` of `steps`.
    fn move_targets(&mut self, step: u32, steps: u32) {
        let strings = &mut self.simulation.strings;
        for hold in &self.holds {
            match hold {
                Hold::Clamp { clamp, target } => {
                    let clamp = &mut strings.clamps[*clamp];
                    clamp.target = match steps - step {
                        1 => *target,
                        left => clamp.target.lerp(*target, 1.0 / f64::from(left)),
                    };
                }
                #[cfg(feature = "rigid")]
                Hold::Tie { .. } => {}
            }
        }
        let share = |step: u32| f64::from(step) / f64::from(steps);
        for (obstacle, collider) in strings.obstacles.iter_mut().zip(&self.colliders) {
            *obstacle = collider.within(share(step), share(step + 1));
        }
        #[cfg(feature = "rigid")]
        for (ground, obstacle) in self.simulation.solids.ground.iter_mut().zip(&strings.obstacles) {
            ground.clone_from(&obstacle.now);
        }
    }

    fn fixed_step(&mut self) -> Result<(), WorldError> {
        self.simulation.step(self.clock.step())?;
        let events = self.simulation.events.iter();
        self.events.extend(events.map(WorldEvent::of));
        Ok(())
    }

    fn interpolate(&mut self) {
        let share = self.clock.share();
        let now = &self.simulation.strings.state.positions;
        self.points.clear();
        self.points.extend(self.before.iter().zip(now).map(|(a, b)| a.lerp(*b, share)));
        self.points_f32.clear();
        self.points_f32.extend(self.points.iter().map(|p| p.as_vec3().to_array()));
    }
}

fn check_finite(place: DVec3) -> Result<(), WorldError> {
    if place.is_finite() { Ok(()) } else { Err(WorldError::NotFinite { place }) }
}
