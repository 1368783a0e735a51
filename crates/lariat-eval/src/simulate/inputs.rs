//! Inputs of a rope at every step: held points, forces, obstacles, and the air around it.
//!
//! All inputs are sampled at the end of the step. Unless the document sets it, the model decides which
//! ends are held: both of a suspended rope, the start of a loose one.
//!
//! All bodies share one air. The wind carries its gusts by its integral from second 0, in closed form,
//! so their position depends neither on the start of a body nor on its steps.
//!
//! Tests, in `run/tests.rs`: `bodies_of_any_start_and_rate_are_in_the_same_air`,
//! `gusts_are_carried_by_the_integral_of_the_wind`,
//! `obstacles_keep_their_identity_when_clamps_are_switched`.

use glam::DVec3;
use lariat_core::dynamics::air::{Air, Gusts};
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::dynamics::spline_rope::{Force, Pin};
use lariat_core::model::layer::Clamp;
use lariat_core::motion::{Channel, Integral};
use lariat_scene::lower::{Lowered, Record};

use super::run::simulator::RopeSimulator;
use crate::bind::{Body, Place};
use crate::number::Number;
use crate::scene::World;
use crate::warning::Warning;

/// A held place of a rope.
#[derive(Debug)]
struct BoundPin {
    u: f64,
    to: Place,
    on: Channel<bool>,
}

#[derive(Debug)]
struct BoundForce {
    u: Number,
    force: Channel<DVec3>,
    on: Channel<bool>,
}

/// All inputs, as channels.
#[derive(Debug)]
pub(super) struct Inputs {
    /// Switches for holding start and end; `None` if the model decides.
    ends: [Option<Channel<bool>>; 2],
    pins: Vec<BoundPin>,
    forces: Vec<BoundForce>,
    friction: Number,
    viscosity: Number,
    drag: Number,
    pub(super) weather: Weather,
}

/// Gravity and air, common to all bodies.
#[derive(Debug)]
pub(super) struct Weather {
    gravity: Channel<DVec3>,
    wind: Channel<DVec3>,
    /// Distance that the wind has carried, along each axis.
    carried: [Integral; 3],
    turbulence: Number,
    gust_speed: f64,
    density: f64,
    gusts: Gusts,
}

/// Tracks the obstacles of a rope from step to step.
#[derive(Debug, Default)]
pub(super) struct ObstacleTracker {
    /// For each obstacle of the rope, the index of its clamp.
    which: Vec<usize>,
    next: Vec<usize>,
    clamps: Vec<Clamp>,
}

/// Held points of a rope: place along it, target, and whether the pin is on.
pub(super) type HeldPoints = Vec<Pin>;

impl Inputs {
    pub(super) fn bind(record: &Record, lowered: &Lowered) -> Self {
        let switch = |record: &Record, name: &str| record.switch(name).cloned();
        let on = |record: &Record| switch(record, "on").unwrap_or(Channel::Constant(true));
        let vector = |record: &Record, name: &str| {
            record.vector(name).cloned().unwrap_or(Channel::Constant(DVec3::ZERO))
        };
        Self {
            ends: ["hold-start", "hold-end"].map(|name| switch(record, name)),
            pins: record
                .records("pins")
                .iter()
                .map(|pin| BoundPin {
                    u: Number::of(pin, "at").at(0.0, &mut Vec::new()),
                    to: Place::bind(pin, lowered, "to"),
                    on: on(pin),
                })
                .collect(),
            forces: record
                .records("forces")
                .iter()
                .map(|force| BoundForce {
                    u: Number::of(force, "at"),
                    force: vector(force, "force"),
                    on: on(force),
                })
                .collect(),
            friction: Number::of(record, "friction"),
            viscosity: Number::of(record, "viscosity"),
            drag: Number::of(record, "air-drag"),
            weather: Weather::bind(lowered),
        }
    }

    /// The bodies that its pins are attached to.
    pub(super) fn pins_on(&self) -> impl Iterator<Item = Option<usize>> {
        self.pins.iter().map(|pin| pin.to.body())
    }

    /// The held points at the world's time.
    pub(super) fn holds(
        &self,
        body: &Body,
        world: &World<'_>,
        warnings: &mut Vec<Warning>,
        out: &mut HeldPoints,
    ) {
        out.clear();
        let wanted = [0, 1].map(|k| self.ends[k].as_ref().is_some_and(|switch| switch.at(world.t)));
        let ends = body.ends(world, wanted, warnings);
        for (u, (end, switch)) in [0.0, 1.0].into_iter().zip(ends.into_iter().zip(&self.ends)) {
            let on = switch.as_ref().map_or(end.held, |switch| switch.at(world.t));
            out.push(Pin { u, target: end.place, on });
        }
        for pin in &self.pins {
            let target = pin.to.at(world, warnings);
            out.push(Pin { u: pin.u, target, on: pin.on.at(world.t) });
        }
    }

    /// Sets the inputs of a rope to those of the world's time. `obstacles` tracks the same rope from
    /// its last step.
    pub(super) fn apply(
        &self,
        rope: &mut RopeSimulator,
        body: &Body,
        world: &World<'_>,
        obstacles: &mut ObstacleTracker,
    ) {
        let (t, ignored) = (world.t, &mut Vec::new());
        obstacles.apply(rope, body, world, ignored);
        let controls = rope.controls();
        self.holds(body, world, ignored, controls.pins);
        controls.forces.clear();
        for force in self.forces.iter().filter(|force| force.on.at(t)) {
            controls.forces.push(Force { u: force.u.at(t, ignored), force: force.force.at(t) });
        }
        *controls.gravity = self.weather.gravity(t);
        (*controls.friction, *controls.viscosity, *controls.drag) = self.losses(t);
        *controls.radius = body.looks.girth(t);
        self.weather.set_air(t, controls.air);
    }

    /// Friction, viscosity and drag.
    pub(super) fn losses(&self, t: f64) -> (f64, f64, f64) {
        let ignored = &mut Vec::new();
        (self.friction.at(t, ignored), self.viscosity.at(t, ignored), self.drag.at(t, ignored))
    }

    /// Forces and their places along the rope.
    pub(super) fn pushes(&self, t: f64) -> impl Iterator<Item = (f64, DVec3)> {
        let on = self.forces.iter().filter(move |force| force.on.at(t));
        on.map(move |force| (force.u.at(t, &mut Vec::new()), force.force.at(t)))
    }

    /// Component of gravity normal to a direction, in m/s².
    pub(super) fn weight_across(&self, t: f64, along: DVec3) -> f64 {
        self.weather.gravity(t).reject_from_normalized(along.normalize_or_zero()).length()
    }

    /// Weight of a mass in newtons.
    pub(super) fn weight(&self, t: f64, kilograms: f64) -> f64 {
        self.weather.gravity(t).length() * kilograms
    }
}

impl Weather {
    pub(super) fn bind(lowered: &Lowered) -> Self {
        let world = &lowered.world;
        let vector = |name| world.vector(name).cloned().unwrap_or(Channel::Constant(DVec3::ZERO));
        let fixed = |name: &'static str| Number::of(world, name).at(0.0, &mut Vec::new());
        let wind = vector("wind");
        Self {
            gravity: vector("gravity"),
            carried: [0, 1, 2].map(|axis| Integral::of(&wind.part(axis))),
            wind,
            turbulence: Number::of(world, "turbulence"),
            gust_speed: fixed("gust-speed"),
            density: fixed("air"),
            gusts: Gusts::new(
                fixed("gust-size"),
                world.integer("seed").unwrap_or(0).unsigned_abs(),
            ),
        }
    }

    /// Gravitational acceleration.
    pub(super) fn gravity(&self, t: f64) -> DVec3 {
        self.gravity.at(t)
    }

    /// Sets the air to that of a time.
    pub(super) fn set_air(&self, t: f64, air: &mut Air) {
        air.density = self.density;
        air.wind = self.wind.at(t);
        air.turbulence = self.turbulence.at(t, &mut Vec::new());
        air.carried = self.carried(t);
        air.changed = self.gust_speed * t;
        if air.gusts.is_none() && air.turbulence != 0.0 {
            air.gusts = Some(self.gusts.clone());
        }
    }

    /// Distance that the wind has carried its gusts since second 0, in metres.
    pub(super) fn carried(&self, t: f64) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|axis| self.carried[axis].to(t)))
    }
}

impl ObstacleTracker {
    /// Sets the obstacles of a rope: each begins its step where it ended the last one; a new one does
    /// not move.
    fn apply(
        &mut self,
        rope: &mut RopeSimulator,
        body: &Body,
        world: &World<'_>,
        warnings: &mut Vec<Warning>,
    ) {
        let Self { which, next, clamps } = self;
        body.layers.clamps(world, &body.looks, 0.0, clamps, warnings);
        next.clear();
        next.extend(body.layers.clamps_on(world.t));
        if next == which {
            for (obstacle, clamp) in rope.controls().obstacles.iter_mut().zip(clamps.drain(..)) {
                obstacle.before = std::mem::replace(&mut obstacle.now, clamp.collider);
                obstacle.margin = clamp.margin;
            }
            return;
        }
        let was = |clamp: &usize| which.iter().position(|was| was == clamp);
        let were: Vec<Option<usize>> = next.iter().map(was).collect();
        let before = std::mem::take(rope.controls().obstacles);
        let obstacles =
            were.iter().zip(clamps.drain(..)).map(|(was, Clamp { collider, margin })| {
                let was = was.and_then(|was| before.get(was));
                let before = was.map_or_else(|| collider.clone(), |was| was.now.clone());
                Obstacle { before, now: collider, margin }
            });
        *rope.controls().obstacles = obstacles.collect();
        rope.rearrange_pushes(&were);
        std::mem::swap(which, next);
    }
}

/// An end of a rope according to its model.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct End {
    pub place: DVec3,
    /// True if the model holds it there.
    pub held: bool,
}
