//! Bounce of solids off the ground and off each other.
//!
//! Rapier brings contacts to rest, and this file adds the rebound. Rapier's own coefficient of
//! restitution stays at 0. It takes the velocity of the beginning of the step, which is up to a step of
//! gravity too slow, and makes one pass over the contacts, which spins a box that lands flat.
//!
//! A contact that approached with a speed `u` and met after a distance `d` met with the speed
//! `√(u² + 2 a d)`, where `a` is the acceleration of approach in free flight. It is to separate with `e`
//! times that speed, so a ball that falls from a height `h` rises to `e² h` whatever the step is.
//!
//! The impulses of all contacts are found together by projected Gauss-Seidel. A contact only pushes, and
//! the friction of the rebound is at most `μ` times its push. Contacts at rest take part with a separation
//! speed of 0: a box with a ball on it stays out of the floor.
//!
//! Several contacts that each separate as fast as they should may together have more energy than before,
//! and a heap of boxes would jump for ever higher. So the rebound of solids that touch is reduced until
//! they have at most the energy that they had, and the work of forces. Momentum is kept by that.
//!
//! # Limits
//!
//! * A rebound begins on the surface at the end of the step, up to one step late.
//! * A box with a bounce near 1 that lands on several corners loses energy, since its corners are stopped
//!   one by one and then leave together.
//! * Rapier rubs where the middle of a gap was at the beginning of the step, up to a centimetre below the
//!   surface: a small ball is spun a few per cent too much or too little.
//! * Ground that moves may give any energy to the solids that touch it.
//!
//! Not here: the coefficients of a pair of solids, see [`Solid::bounce`].
//!
//! Tests, in `solids/tests/touch.rs`: `a_ball_returns_to_the_square_of_its_bounce`,
//! `a_box_that_lands_flat_bounces_without_spin`, `a_rebound_has_friction_too`,
//! `two_balls_separate_with_the_mean_of_their_bounces`, `a_heap_that_bounces_gains_no_energy`.

use glam::{DMat3, DVec3};
use rapier3d_f64::prelude::{
    ContactManifold, ContactManifoldData, PhysicsWorld, RigidBody, Vector,
};

use crate::flight::Flight;
use crate::ground;
use crate::solid::Solid;

/// Speed of approach up to which a contact does not bounce, over the speed that its solids gain in a step
/// of free flight. Larger: visible bounces are lost. Smaller: heaps at rest are solved in every step.
const RESTING: f64 = 2.0;

/// Passes over all contacts. Fewer: boxes that land on several corners leave with some spin.
const PASSES: usize = 100;

/// Change of speed below which the passes end, relative to the fastest rebound.
const TOLERANCE: f64 = 1e-10;

/// A contact point that carried load in the step.
#[derive(Clone, Copy, Debug)]
struct Contact {
    /// Index of the two solids; `None` for ground.
    solids: [Option<usize>; 2],
    /// From the centres of the solids to the contact.
    arms: [DVec3; 2],
    /// Velocity of the ground there; zero between solids.
    ground: DVec3,
    /// Unit vector from the first solid to the second.
    normal: DVec3,
    /// Velocity of the second relative to the first, per impulse on the second.
    gives: DMat3,
    friction: f64,
    /// Wanted speed of separation, in m/s.
    rebound: f64,
    /// Impulses on the second solid so far, in newton seconds: along the normal, and of friction.
    pushed: f64,
    rubbed: DVec3,
}

impl Contact {
    /// Velocity of the second side relative to the first.
    fn velocity(&self, solids: &[Solid]) -> DVec3 {
        let of = |side: usize| {
            self.solids[side]
                .map_or(DVec3::ZERO, |k| solids[k].velocity + solids[k].spin.cross(self.arms[side]))
        };
        of(1) - of(0) + self.ground
    }

    /// Applies an impulse to both sides.
    fn apply(&self, impulse: DVec3, solids: &mut [Solid]) {
        for (side, impulse) in [(0, -impulse), (1, impulse)] {
            if let Some(k) = self.solids[side] {
                let solid = &mut solids[k];
                solid.velocity += impulse / solid.mass;
                solid.spin += solid.turns() * self.arms[side].cross(impulse);
            }
        }
    }
}

/// The step that is being made.
pub(crate) struct Step<'a> {
    /// The solids at its beginning.
    pub before: &'a [Solid],
    /// How each of them would fly through it.
    pub flights: &'a [Flight],
    /// In seconds.
    pub dt: f64,
}

/// Memory for the rebounds of a step, kept between steps.
#[derive(Default)]
pub(crate) struct Rebounds {
    contacts: Vec<Contact>,
    /// Solids without the rebound.
    stopped: Vec<Solid>,
    groups: Vec<Group>,
}

/// Solids that push each other in a rebound; kept at one of them.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// Another solid of the group, or the solid itself where the group is kept.
    parent: usize,
    /// Joules that the rebound may add.
    allowed: f64,
    /// Joules that a share `x` of the rebound adds: `linear · x + square · x²`.
    linear: f64,
    square: f64,
}

impl Rebounds {
    /// Adds the rebound to solids that rapier has stopped.
    pub(crate) fn add(&mut self, rapier: &PhysicsWorld, step: &Step, solids: &mut [Solid]) {
        self.contacts.clear();
        if step.before.iter().all(|solid| solid.bounce <= 0.0) {
            return;
        }
        for pair in rapier.narrow_phase.contact_pairs() {
            for manifold in pair.solver_manifolds() {
                note(rapier, manifold, step, solids, &mut self.contacts);
            }
        }
        let fastest = self.contacts.iter().fold(0.0_f64, |most, contact| most.max(contact.rebound));
        if fastest == 0.0 {
            return;
        }
        self.stopped.clear();
        self.stopped.extend_from_slice(solids);
        for _ in 0..PASSES {
            let mut change = 0.0_f64;
            for contact in &mut self.contacts {
                change = change.max(push(contact, solids));
            }
            if change <= TOLERANCE * fastest {
                break;
            }
        }
        self.limit(step, solids);
    }

    /// Reduces rebounds that would add energy.
    fn limit(&mut self, step: &Step, solids: &mut [Solid]) {
        self.groups.clear();
        self.groups.extend((0..solids.len()).map(|parent| Group {
            parent,
            allowed: 0.0,
            linear: 0.0,
            square: 0.0,
        }));
        for contact in self.contacts.iter().filter(|contact| contact.pushed > 0.0) {
            if let [Some(a), Some(b)] = contact.solids {
                let (a, b) = (self.group(a), self.group(b));
                self.groups[a.max(b)].parent = a.min(b);
            }
        }
        for contact in &self.contacts {
            if let Some(k) = contact.solids[0].or(contact.solids[1])
                && contact.ground != DVec3::ZERO
            {
                let group = self.group(k);
                self.groups[group].allowed = f64::INFINITY;
            }
        }
        for (k, solid) in solids.iter().enumerate() {
            let (before, stopped) = (&step.before[k], &self.stopped[k]);
            let work = step.flights[k].work(before, stopped, step.dt);
            let added = Solid {
                velocity: solid.velocity - stopped.velocity,
                spin: solid.spin - stopped.spin,
                ..*solid
            };
            let square = added.energy();
            let group = self.group(k);
            let group = &mut self.groups[group];
            group.allowed += before.energy() + work - stopped.energy();
            group.linear += solid.energy() - stopped.energy() - square;
            group.square += square;
        }
        for (k, solid) in solids.iter_mut().enumerate() {
            let share = self.groups[self.group(k)].share();
            if share < 1.0 {
                let stopped = &self.stopped[k];
                solid.velocity = stopped.velocity.lerp(solid.velocity, share);
                solid.spin = stopped.spin.lerp(solid.spin, share);
            }
        }
    }

    /// The solid at which the group of a solid is kept.
    fn group(&self, mut solid: usize) -> usize {
        while self.groups[solid].parent != solid {
            solid = self.groups[solid].parent;
        }
        solid
    }
}

impl Group {
    /// Share of the rebound that adds no more than is allowed.
    fn share(&self) -> f64 {
        let added = self.linear + self.square;
        // Rounding does not reduce a rebound.
        if added <= self.allowed + 1e-9 * self.square || self.square <= 0.0 {
            return 1.0;
        }
        let root = self.linear * self.linear + 4.0 * self.square * self.allowed;
        ((root.max(0.0).sqrt() - self.linear) / (2.0 * self.square)).clamp(0.0, 1.0)
    }
}

/// Notes the points of a manifold that carried load.
fn note(
    rapier: &PhysicsWorld,
    manifold: &ContactManifold,
    step: &Step,
    solids: &[Solid],
    contacts: &mut Vec<Contact>,
) {
    let data = &manifold.data;
    let (Some(first), Some(second)) = (data.rigid_body1, data.rigid_body2) else { return };
    let bodies = [&rapier.bodies[first], &rapier.bodies[second]];
    let bounce = match bodies.map(|body| index(body).map(|k| step.before[k].bounce)) {
        [Some(a), Some(b)] => 0.5 * (a + b),
        [Some(own), None] | [None, Some(own)] => own,
        [None, None] => return,
    };
    for point in &data.solver_contacts {
        let held = &manifold.points[point.contact_indices()[0] as usize].data;
        if held.impulse <= 0.0 {
            continue;
        }
        // Rapier's arms end in the middle of the gap that there was when it found the contact.
        let half = ground::from_vector(data.normal) * (0.5 * point.dist);
        let arms = [held.solver_dp1, held.solver_dp2].map(ground::from_vector);
        let ends = [
            End::of(bodies[0], point.anchor1, arms[0] - half, step, solids),
            End::of(bodies[1], point.anchor2, arms[1] + half, step, solids),
        ];
        contacts.push(contact(&ends, data, bounce, step, solids));
    }
}

/// One side of a contact point.
struct End {
    solid: Option<usize>,
    /// The point on the surface at the beginning and at the end of the step.
    surface: [DVec3; 2],
    /// From the centre of the solid to its surface at the contact.
    arm: DVec3,
    /// At the beginning of the step, in m/s.
    velocity: DVec3,
    /// Of free flight, in m/s².
    acceleration: DVec3,
}

impl End {
    fn of(body: &RigidBody, anchor: Vector, arm: DVec3, step: &Step, solids: &[Solid]) -> Self {
        if let Some(k) = index(body) {
            let anchor = ground::from_vector(anchor);
            let (before, now) = (&step.before[k], &solids[k]);
            return Self {
                solid: Some(k),
                surface: [before.point(anchor), now.point(anchor)],
                arm,
                velocity: before.velocity + before.spin.cross(arm),
                acceleration: step.flights[k].acceleration(before, step.dt),
            };
        }
        let now = body.position() * anchor;
        let velocity = ground::from_vector(body.velocity_at_point(now));
        let now = ground::from_vector(now);
        Self {
            solid: None,
            surface: [now - velocity * step.dt, now],
            arm,
            velocity,
            acceleration: DVec3::ZERO,
        }
    }
}

/// The contact between two ends.
fn contact(
    ends: &[End; 2],
    data: &ContactManifoldData,
    bounce: f64,
    step: &Step,
    solids: &[Solid],
) -> Contact {
    let normal = ground::from_vector(data.normal);
    let mut contact = Contact {
        solids: [ends[0].solid, ends[1].solid],
        arms: [DVec3::ZERO; 2],
        ground: DVec3::ZERO,
        normal,
        gives: DMat3::ZERO,
        friction: data.friction,
        rebound: 0.0,
        pushed: 0.0,
        rubbed: DVec3::ZERO,
    };
    for (side, end) in ends.iter().enumerate() {
        if let Some(k) = end.solid {
            contact.arms[side] = end.arm;
            contact.gives += solids[k].gives(solids[k].position + end.arm);
        } else {
            contact.ground = if side == 0 { -end.velocity } else { end.velocity };
        }
    }
    let gap = |time: usize| (ends[1].surface[time] - ends[0].surface[time]).dot(normal);
    let approach = (ends[0].velocity - ends[1].velocity).dot(normal);
    let gains = (ends[0].acceleration - ends[1].acceleration).dot(normal);
    // Solids in a heap fall side by side, so their relative acceleration says nothing.
    let fastest = ends.iter().fold(0.0_f64, |most, end| most.max(end.acceleration.length()));
    if approach > RESTING * fastest * step.dt {
        let met = (approach * approach + 2.0 * gains * gap(0)).max(0.0);
        // Rapier may stop a solid a little above or below the surface.
        let way = approach * step.dt;
        let above = gap(1).clamp(-way, way);
        contact.rebound = (bounce * bounce * met - 2.0 * gains * above).max(0.0).sqrt();
    }
    contact
}

/// Solves one contact, and returns how much that changed its velocity.
fn push(contact: &mut Contact, solids: &mut [Solid]) -> f64 {
    let along = contact.normal.dot(contact.gives * contact.normal);
    let missing = contact.rebound - contact.velocity(solids).dot(contact.normal);
    let pushed = (contact.pushed + missing / along).max(0.0);
    let impulse = contact.normal * (pushed - contact.pushed);
    contact.pushed = pushed;
    contact.apply(impulse, solids);
    let mut change = impulse.length() * along;

    let velocity = contact.velocity(solids);
    let slip = velocity - contact.normal * velocity.dot(contact.normal);
    if let Some(way) = slip.try_normalize() {
        let across = way.dot(contact.gives * way);
        let rubbed =
            (contact.rubbed - slip / across).clamp_length_max(contact.friction * contact.pushed);
        let impulse = rubbed - contact.rubbed;
        contact.rubbed = rubbed;
        contact.apply(impulse, solids);
        change = change.max(impulse.length() * across);
    }
    change
}

/// Index of the solid that a body is; `None` for ground.
fn index(body: &RigidBody) -> Option<usize> {
    (body.user_data as usize).checked_sub(1)
}
