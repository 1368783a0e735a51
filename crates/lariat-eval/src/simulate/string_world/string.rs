//! One string of a string world: material, and inputs at every step.
//!
//! A held end keeps its twist, as in a knot; `swivel-start` and `swivel-end` let it turn. An end that is
//! held again continues from its current twist.
//!
//! The thickness along the string is the body's `taper`, drawn and simulated alike.
//!
//! Tests, in `tests/suite/strings.rs`: `a_held_end_is_turned_by_its_pin`, `an_end_on_a_swivel_keeps_no_twist`.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use lariat_core::dynamics::material::Material;
use lariat_core::motion::Channel;
use lariat_papers::rungjiratananon as published;
use lariat_rigid::Tie;
use lariat_scene::lower::{Lowered, Record};
use lariat_string::{Bend, Build, Overrides, Twist};

use super::layout::StringLayout;
use super::simulator::{Method, StringSimulator};
use crate::bind::Body;
use crate::number::Number;
use crate::scene::World;

/// Smallest taper, as a share of the radius, for a string that ends in a point. Less: its stiffness
/// there has no digits left.
const POINTED: f64 = 1e-3;
use crate::simulate::inputs::{HeldPoints, Inputs};

#[derive(Debug)]
struct BoundTorque {
    u: Number,
    torque: Number,
    on: Channel<bool>,
}

/// Numbers given by the document.
#[derive(Debug, Default)]
struct Given {
    mass_per_metre: Option<f64>,
    bend_stiffness: Option<f64>,
    bend_width: Option<f64>,
    /// Given numbers that exceed their upper bound: names and values of both.
    beyond: Vec<([&'static str; 2], [f64; 2])>,
}

#[derive(Debug)]
pub(super) struct StringBody {
    /// Index of the body in the scene.
    pub index: usize,
    /// Start time in seconds.
    pub start: f64,
    pub rate: f64,
    pub method: Method,
    pub segments: Option<usize>,
    pub inputs: Inputs,
    /// For each held place, start and end first, the solid that it is tied to, if any.
    pub ties: Vec<Option<usize>>,
    /// The same as bodies of the scene.
    pub tied_to: Vec<Option<usize>>,
    /// Index of its first tie among the ties of all strings.
    pub first_tie: usize,
    pub contact: bool,
    /// Properties that depend neither on the radius nor on the start pose.
    build: Build,
    given: Given,
    /// Keyed turns of its held ends, and whether they turn freely.
    turns: [Number; 2],
    swivels: [Channel<bool>; 2],
    torques: Vec<BoundTorque>,
}

/// Twist of each end beyond its keyed turns at the time when it was held, in radians; `None` for a
/// free end.
pub(super) type EndTwists = [Option<f64>; 2];

/// The dynamics of a body that is a string.
fn string_of(body: &Record) -> Option<&Record> {
    let dynamics = if body.has("dynamics") { body.record("dynamics") } else { None };
    dynamics.filter(|dynamics| dynamics.kind() == "string")
}

impl StringBody {
    pub(super) fn bind(index: usize, body: &Record, lowered: &Lowered) -> Option<Self> {
        let record = string_of(body)?;
        let fixed = |name: &'static str| {
            Number::read(record, name).map(|number| number.at(0.0, &mut Vec::new()))
        };
        let is = |name: &str| record.switch(name).is_some_and(|switch| switch.at(0.0));
        let switch = |name: &str| record.switch(name).cloned().unwrap_or(Channel::Constant(false));
        let shot = &lowered.shot;
        let mut build = Build::new(Vec::new(), 1.0, material_of(record)?);
        build.twist_along = record.along("twist-along").unwrap_or_default().to_vec();
        let number =
            |of: &Record, name: &'static str| Number::of(of, name).at(0.0, &mut Vec::new());
        let weight = |weight: &Record| (number(weight, "at"), number(weight, "mass"));
        build.weights = record.records("weights").iter().map(weight).collect();
        build.curved = is("curved");
        build.tears = is("tears");
        build.flicks = is("flick");
        build.stretches = is("stretches") && !build.flicks;
        build.variation = fixed("variation").unwrap_or(build.variation);
        build.seed = record.integer("seed").unwrap_or(0).unsigned_abs();
        build.calm = fixed("segment-damping").unwrap_or(build.calm);
        if record.choice("twist-by") == Some("none") {
            build.twist = Twist::Free;
        }
        let torque = |torque: &Record| BoundTorque {
            u: Number::of(torque, "at"),
            torque: Number::of(torque, "torque"),
            on: torque.switch("on").cloned().unwrap_or(Channel::Constant(true)),
        };
        Some(Self {
            index,
            start: shot.seconds(fixed("start").unwrap_or(shot.first as f64)),
            rate: fixed("rate").unwrap_or(240.0),
            method: match record.choice("method") {
                Some("published") => Method::Published,
                _ => Method::Implicit,
            },
            segments: record.integer("segments").map(|count| count.max(1) as usize),
            inputs: Inputs::bind(record, lowered),
            ties: Vec::new(),
            tied_to: Vec::new(),
            first_tie: 0,
            contact: is("contact"),
            given: Given {
                mass_per_metre: fixed("mass-per-metre"),
                bend_stiffness: fixed("bend-stiffness"),
                bend_width: fixed("bend-width"),
                beyond: if build.tears { beyond(record, &build.material) } else { Vec::new() },
            },
            build,
            turns: ["twist-start", "twist-end"].map(|name| Number::of(record, name)),
            swivels: ["swivel-start", "swivel-end"].map(switch),
            torques: record.records("torques").iter().map(torque).collect(),
        })
    }

    /// True if it can tear.
    pub(super) fn tears(&self) -> bool {
        self.build.tears
    }

    /// True if it stretches before it yields.
    pub(super) fn stretches(&self) -> bool {
        self.build.stretches
    }

    /// Given numbers that exceed their upper bound, given or not. A strength below the yield point
    /// is not one of them: such a string is brittle.
    pub(super) fn out_of_order(&self) -> impl Iterator<Item = ([&'static str; 2], [f64; 2])> {
        self.given.beyond.iter().copied()
    }

    /// Its material at a radius.
    pub(super) fn material(&self, radius: f64) -> Material {
        let mut material = self.build.material;
        if let Some(mass) = self.given.mass_per_metre {
            material.density = mass / (PI * radius * radius);
        }
        material
    }

    /// `EI` in N m² at a radius.
    pub(super) fn bend_stiffness(&self, radius: f64) -> f64 {
        let material = &self.build.material;
        let square = radius * radius;
        let own = material.rigidity * material.modulus * PI * square * square / 4.0;
        self.given.bend_stiffness.unwrap_or(own)
    }

    /// The input of our simulator for a string along points.
    pub(super) fn built(&self, points: Vec<DVec3>, body: &Body) -> Build {
        let radius = body.looks.girth(self.start);
        let width = self.given.bend_width;
        let bend = match self.given.bend_stiffness {
            Some(0.0) => Bend::Limp,
            None if width.is_none() => Bend::Material,
            _ => Bend::Stiffness { bend: self.bend_stiffness(radius), width },
        };
        let mut build = Build { points, radius, bend, ..self.build.clone() };
        build.material = self.material(radius);
        // A pointed end has the smallest radius that can be simulated.
        let thin = |(u, factor): &(f64, f64)| (*u, factor.max(POINTED));
        build.radius_along = body.looks.taper().iter().map(thin).collect();
        build
    }

    /// The input of the paper's simulator for a string along points.
    pub(super) fn built_as_published(&self, points: Vec<DVec3>, body: &Body) -> published::Build {
        let long: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let segment = long / (points.len().max(2) - 1) as f64;
        let usual = published::Regions::USUAL;
        let half_width =
            self.given.bend_width.map(|metres| (metres / segment).round().max(1.0) as usize);
        let shape =
            published::Regions { half_width: half_width.unwrap_or(usual.half_width), ..usual };
        let ours = self.built(points, body);
        published::Build {
            radius_along: ours.radius_along,
            twist_along: ours.twist_along,
            weights: ours.weights,
            shape: Some(shape),
            twist: (ours.twist != Twist::Free).then_some(usual),
            curved: ours.curved,
            stretches: ours.stretches,
            flicks: ours.flicks,
            tears: ours.tears,
            variation: ours.variation,
            seed: ours.seed,
            ..published::Build::new(ours.points, ours.radius, ours.material)
        }
    }

    /// Keyed turns of its held ends at a time, in radians.
    pub(super) fn turned(&self, t: f64) -> [f64; 2] {
        [0, 1].map(|k: usize| TAU * self.turns[k].at(t, &mut Vec::new()))
    }

    /// Its settings that differ from the global ones.
    pub(super) fn overrides(&self, t: f64) -> Overrides {
        let (friction, viscosity, drag) = self.inputs.losses(t);
        Overrides { friction, viscosity, drag, touches: self.contact }
    }

    /// Sets clamps, forces and torques of this string for the step that begins at `before` and ends
    /// at the world's time.
    pub(super) fn apply_inputs(
        &self,
        strings: &mut StringSimulator,
        layout: &StringLayout,
        end_twists: &mut EndTwists,
        world: &World<'_>,
        before: f64,
    ) {
        let (t, ignored) = (world.t, &mut Vec::new());
        let mut holds = HeldPoints::new();
        let body = &world.scene.bodies[self.index];
        self.inputs.holds(body, world, ignored, &mut holds);
        let last = layout.first + layout.count - 1;
        let (was, is) = (self.turned(before), self.turned(t));
        let mut ties = self.first_tie..;
        for (which, pin) in holds.iter().enumerate() {
            let particle = match which {
                0 => layout.first,
                1 => last,
                _ => layout.particle(pin.u),
            };
            let solid = self.ties.get(which).copied().flatten();
            let tie = solid.and_then(|solid| Some((solid, ties.next()?)));
            let keeps_twist =
                which < 2 && !self.swivels[which].at(t) && self.build.twist != Twist::Free;
            // A solid that has not started holds like a clamp.
            let started = strings.solids().len();
            if let Some((solid, tie)) = tie.filter(|(solid, _)| *solid < started)
                && let Some(tied) = strings.tied()
            {
                let twice = tied.ties.iter().any(|tie| tie.on && tie.particle == particle);
                let local = layout.beside.get(which).copied().flatten().or_else(|| {
                    let placement = world.body(self.tied_to[which]?).placement?;
                    Some(placement.axes.transpose() * (pin.target - placement.position))
                });
                tied.ties[tie] = Tie {
                    particle,
                    solid,
                    local: local.unwrap_or_default(),
                    turns: keeps_twist,
                    on: pin.on && !twice,
                };
                if which < 2 {
                    end_twists[which] = None;
                }
                continue;
            }
            let mut angle = None;
            if which < 2 {
                let segment = [layout.first, last - 1][which];
                let end_twists = &mut end_twists[which];
                if !pin.on || !keeps_twist {
                    *end_twists = None;
                } else {
                    let begun = strings.turned(segment).0 - was[which];
                    angle = Some(*end_twists.get_or_insert(begun) + is[which]);
                }
            }
            if pin.on {
                strings.hold(particle, pin.target, angle);
            }
        }
        for (u, force) in self.inputs.pushes(t) {
            strings.pull(layout.particle(u), force);
        }
        for torque in self.torques.iter().filter(|torque| torque.on.at(t)) {
            let particle = layout.particle(torque.u.at(t, ignored));
            let segment = particle.min(last - 1);
            strings.add_torque(segment, torque.torque.at(t, ignored));
        }
    }
}

/// The material that a document names, with the numbers that it gives instead. If it gives a
/// modulus, the slope beyond the yield point changes in proportion.
fn material_of(record: &Record) -> Option<Material> {
    let mut material = *record.choice("material").and_then(Material::find)?;
    let fixed = |name: &'static str| {
        Number::read(record, name).map(|number| number.at(0.0, &mut Vec::new()))
    };
    if let Some(modulus) = fixed("modulus") {
        material.plastic_modulus *= modulus / material.modulus;
        material.modulus = modulus;
    }
    if let Some(modulus) = fixed("shear-modulus") {
        material.plastic_shear_modulus *= modulus / material.shear_modulus;
        material.shear_modulus = modulus;
    }
    for (name, own) in [
        ("density", &mut material.density),
        ("plastic-modulus", &mut material.plastic_modulus),
        ("yield-stress", &mut material.yield_stress),
        ("rupture-stress", &mut material.rupture_stress),
        ("plastic-shear-modulus", &mut material.plastic_shear_modulus),
        ("yield-shear", &mut material.yield_shear),
        ("rupture-shear", &mut material.rupture_shear),
        ("inner-friction", &mut material.inner_friction),
    ] {
        *own = fixed(name).unwrap_or(*own);
    }
    Some(material)
}

/// Numbers of a document that exceed their upper bound: names and values of both.
fn beyond(record: &Record, material: &Material) -> Vec<([&'static str; 2], [f64; 2])> {
    let pairs = [
        (["plastic-modulus", "modulus"], [material.plastic_modulus, material.modulus]),
        (["yield-stress", "rupture-stress"], [material.yield_stress, material.rupture_stress]),
        (
            ["plastic-shear-modulus", "shear-modulus"],
            [material.plastic_shear_modulus, material.shear_modulus],
        ),
        (["yield-shear", "rupture-shear"], [material.yield_shear, material.rupture_shear]),
    ];
    let given = |(fields, values): &([&'static str; 2], [f64; 2])| {
        record.is_given(fields[0]) && values[0] > values[1]
    };
    pairs.into_iter().filter(given).collect()
}
