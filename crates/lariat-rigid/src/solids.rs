//! All solids, what they rest on, and their step.
//!
//! Rapier says what solids that touch do to each other. What flies freely it moves in small parts,
//! speeds first and then places, and turns by a rule that keeps neither angular momentum nor the
//! axis it belongs to. So that part is ours (`flight.rs`): rapier is told how a solid will fly, and
//! where it answers just that, our own numbers are taken; where it answers something else, the solid
//! has touched something, and the difference is the blow.
//!
//! Tests: `free_fall_is_that_of_a_stone`, `a_stack_stands`, `forgetting_leads_to_the_same_bits`,
//! `a_free_solid_keeps_its_spin`, `bad_solids_are_refused`.

use glam::{DQuat, DVec3};
use lariat_core::dynamics::air::Air;
use lariat_core::model::layer::Collider;
use rapier3d_f64::prelude::{
    CoefficientCombineRule, ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle,
    SharedShape,
};
use thiserror::Error;

use crate::bounce::{Rebounds, Step};
use crate::flight::Flight;
use crate::ground;
use crate::shape::Shape;
use crate::solid::Solid;
use crate::wind;

/// Rounds of rapier's solver. Four are its default, and let a stack of crates sag.
pub(crate) const ROUNDS: usize = 8;

/// How fast what touches is pushed apart, as that of a swing, in hertz. Rapier's own 30 let a stack of
/// five crates sag by seven millimetres. A quarter of the rounds in a second, or more: stacks shiver.
const FIRM: f64 = 120.0;

/// A solid that cannot be moved by forces.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum Unfit {
    /// It fills nothing, or is nowhere.
    #[error(
        "solid {solid} fills nothing or is nowhere: its sizes must be above 0, all numbers finite"
    )]
    Shape {
        /// Which one.
        solid: usize,
    },
    /// Forces would move it infinitely fast.
    #[error("solid {solid} weighs {mass} kg; it must be above 0 and finite")]
    Mass {
        /// Which one.
        solid: usize,
        /// In kilograms.
        mass: f64,
    },
}

/// Solids that move by forces.
#[derive(Default)]
pub struct Solids {
    /// All of them; set whatever shall start, and read what has become of it.
    pub solids: Vec<Solid>,
    /// What they rest on, where it is at the end of the next step.
    pub ground: Vec<Collider>,
    /// In m/s².
    pub gravity: DVec3,
    /// The air around them.
    pub air: Air,
    /// Newtons and newton metres for the next step.
    pub(crate) pushed: Vec<(DVec3, DVec3)>,
    /// How each of them would fly through this step.
    flights: Vec<Flight>,
    /// Solids at the end of this step.
    landed: Vec<Solid>,
    rebounds: Rebounds,
    world: Option<World>,
}

/// Rapier's side of it.
struct World {
    rapier: PhysicsWorld,
    solids: Vec<RigidBodyHandle>,
    ground: Vec<RigidBodyHandle>,
    made_for: Vec<Collider>,
}

impl Solids {
    /// Forgets all but the numbers: what follows is what a run that starts from them would do.
    pub fn forget(&mut self) {
        self.world = None;
    }

    /// Pushes at a place, for the next step.
    pub fn push(&mut self, solid: usize, force: DVec3, place: DVec3) {
        let arm = place - self.solids[solid].position;
        self.turn(solid, arm.cross(force));
        self.pushed[solid].0 += force;
    }

    /// Turns, for the next step; in newton metres.
    pub fn turn(&mut self, solid: usize, torque: DVec3) {
        self.pushed.resize(self.solids.len(), (DVec3::ZERO, DVec3::ZERO));
        self.pushed[solid].1 += torque;
    }

    /// Whether all of them can be moved by forces.
    pub fn check(&self) -> Result<(), Unfit> {
        for (k, solid) in self.solids.iter().enumerate() {
            let numbers = [solid.position, solid.velocity, solid.spin];
            let finite = numbers.iter().all(|v| v.is_finite()) && solid.rotation.is_finite();
            if !solid.shape.is_sound() || !finite {
                return Err(Unfit::Shape { solid: k });
            }
            if !(solid.mass > 0.0 && solid.mass.is_finite()) {
                return Err(Unfit::Mass { solid: k, mass: solid.mass });
            }
        }
        Ok(())
    }

    /// One step of `dt` seconds.
    pub fn step(&mut self, dt: f64) -> Result<(), Unfit> {
        self.check()?;
        self.pushed.resize(self.solids.len(), (DVec3::ZERO, DVec3::ZERO));
        let fits = |world: &World| {
            world.solids.len() == self.solids.len() && world.ground.len() == self.ground.len()
        };
        let world = match self.world.take().filter(fits) {
            Some(world) => self.world.insert(world),
            None => self.world.insert(World::new(&self.solids, &self.ground)),
        };
        let rapier = &mut world.rapier;
        rapier.gravity = ground::vector(self.gravity);
        rapier.integration_parameters.dt = dt;
        for ((handle, now), before) in
            world.ground.iter().zip(&self.ground).zip(&mut world.made_for)
        {
            if now != before {
                if let Some(pose) = ground::stands(now) {
                    within_rapier(|| {
                        rapier.bodies[*handle].set_next_kinematic_position(pose);
                    });
                }
                before.clone_from(now);
            }
        }
        self.flights.clear();
        for ((handle, solid), pushed) in world.solids.iter().zip(&self.solids).zip(&mut self.pushed)
        {
            let (force, torque) = std::mem::take(pushed);
            let (blown, twisted) = wind::push(solid, &self.air, dt);
            let (force, torque) = (force + blown, torque + twisted);
            let flight = Flight::of(solid, force + self.gravity * solid.mass, torque, dt);
            // Whoever holds a solid somewhere, or throws it, sets its numbers between steps.
            let pose = ground::pose(solid.position, solid.rotation);
            within_rapier(|| {
                let body = &mut rapier.bodies[*handle];
                body.reset_forces(true);
                body.reset_torques(true);
                body.add_force(ground::vector(force), true);
                body.add_torque(ground::vector(torque), true);
                if *body.position() != pose {
                    body.set_position(pose, true);
                }
                body.set_linvel(ground::vector(solid.velocity), true);
                body.set_angvel(ground::vector(flight.told), true);
            });
            self.flights.push(flight);
        }
        within_rapier(|| rapier.step());
        self.landed.clear();
        let flights = self.flights.iter();
        for ((handle, solid), flight) in world.solids.iter().zip(&self.solids).zip(flights) {
            let body = &rapier.bodies[*handle];
            let pose = body.position();
            let found = Solid {
                position: ground::from_vector(pose.translation),
                rotation: DQuat::from_array(pose.rotation.to_array()),
                velocity: ground::from_vector(body.linvel()),
                spin: ground::from_vector(body.angvel()),
                ..*solid
            };
            self.landed.push(flight.land(solid, &found));
        }
        let step = Step { before: &self.solids, flights: &self.flights, dt };
        self.rebounds.add(rapier, &step, &mut self.landed);
        self.solids.copy_from_slice(&self.landed);
        Ok(())
    }
}

/// Tells what rapier does from what we do, for the test that counts what is allocated: its lists of
/// what was changed are made anew in every step.
#[cfg(not(test))]
fn within_rapier(what: impl FnOnce()) {
    what();
}
#[cfg(test)]
use tests::apart as within_rapier;

impl World {
    fn new(solids: &[Solid], ground: &[Collider]) -> Self {
        let mut rapier = PhysicsWorld::default();
        rapier.integration_parameters.num_solver_iterations = ROUNDS;
        rapier.integration_parameters.contact_softness.natural_frequency = FIRM;
        let laid = |(k, solid): (usize, &Solid)| {
            let shape = match solid.shape {
                Shape::Box { half } => SharedShape::cuboid(half.x, half.y, half.z),
                Shape::Ball { radius } => SharedShape::ball(radius),
                Shape::Cylinder { half, radius } => SharedShape::cylinder(half, radius),
            };
            // Rapier's cylinders stand along Y.
            let own = match solid.shape {
                Shape::Cylinder { .. } => DQuat::from_rotation_arc(DVec3::Y, DVec3::Z),
                _ => DQuat::IDENTITY,
            };
            let body = RigidBodyBuilder::dynamic()
                .pose(ground::pose(solid.position, solid.rotation))
                .linvel(ground::vector(solid.velocity))
                .angvel(ground::vector(solid.spin))
                .user_data(k as u128 + 1)
                .can_sleep(false)
                .ccd_enabled(true)
                .gyroscopic_forces_enabled(false);
            let collider = ColliderBuilder::new(shape)
                .position(ground::pose(DVec3::ZERO, own))
                .mass(solid.mass)
                .friction(solid.friction);
            (body, collider)
        };
        let stands = |collider: &Collider| match ground::shape(collider) {
            Some((pose, shape)) => (
                RigidBodyBuilder::kinematic_position_based().pose(pose),
                // Ground has no friction of its own: the larger one is that of the solid.
                ColliderBuilder::new(shape)
                    .friction(0.0)
                    .friction_combine_rule(CoefficientCombineRule::Max),
            ),
            // Ground without extent is far below everything.
            None => (
                RigidBodyBuilder::kinematic_position_based()
                    .pose(ground::pose(DVec3::Z * -1e9, DQuat::IDENTITY)),
                ColliderBuilder::ball(1.0),
            ),
        };
        let handles =
            solids.iter().enumerate().map(laid).map(|(b, c)| rapier.insert(b, c).0).collect();
        let stand: Vec<_> = ground.iter().map(stands).map(|(b, c)| rapier.insert(b, c).0).collect();
        Self { solids: handles, ground: stand, made_for: ground.to_vec(), rapier }
    }
}

#[cfg(test)]
pub(crate) mod tests;
