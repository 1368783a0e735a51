//! Friction of a rope around a cylinder: capstan and bollard.
//!
//! The load pulls at the angle 0 straight down, and the rope is about to slip towards it. With
//! gravity across the cylinder's axis, normal force `N = T + ρ g R sin φ` and friction `μ N`,
//! `dT/dφ = −μ N + ρ g R cos φ`. Without weight this is Euler's `T = T₀ e^(−μφ)`. The straight ends
//! add their weights. Ropes are limp and their turns do not touch each other.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Collider;
use lariat_core::num::ops;
use lariat_string::{Bend, Build, Force, Twist};

use super::World;
use super::common::{DT, GRAVITY, assert_whole, material, run, step, world};
use super::wrap::{Wrap, cylinder};

const ROPE: f64 = 0.005;
const RADIUS: f64 = 0.1;

/// Newtons of the load. Less: the weight of the rope holds all of it. More: the rope yields.
const LOAD: f64 = 500.0;

/// Length of the straight ends, in metres.
const END: f64 = 0.2;

/// So many turns, whose strands leave 4 mm between them, in corners of 7.5 degrees.
fn wrap(turns: f64) -> Wrap {
    let pitch = if turns > 0.75 { 2.0 * ROPE + 0.004 } else { 0.0 };
    let contact = (48.0 * turns).round() as usize;
    Wrap {
        around: RADIUS + ROPE,
        turn: 2.0 * PI * turns,
        pitch,
        ends: [END, END],
        segments: [15, contact, 15],
    }
}

fn rope(points: Vec<DVec3>) -> World {
    let mut build = Build::new(points, ROPE, material("hemp"));
    (build.bend, build.twist) = (Bend::Limp, Twist::Free);
    world(&build)
}

/// Tension at the end of the contact of a rope that is about to slip, for a tension at its start;
/// `weight` is that of the rope in newtons per metre.
fn at_slip(start: f64, turn: f64, friction: f64, weight: f64) -> f64 {
    let around = RADIUS + ROPE;
    let slope = |angle: f64, tension: f64| {
        let (sin, cos) = ops::sin_cos(angle);
        weight * around * cos - friction * (tension + weight * around * sin).max(0.0)
    };
    let steps = 4000;
    let h = turn / f64::from(steps);
    let mut tension = start;
    for k in 0..steps {
        let angle = h * f64::from(k);
        let a = slope(angle, tension);
        let b = slope(angle + 0.5 * h, tension + 0.5 * h * a);
        let c = slope(angle + 0.5 * h, tension + 0.5 * h * b);
        let d = slope(angle + h, tension + h * c);
        tension += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    tension
}

/// A rope around a cylinder between a load and a hand.
struct Hauled {
    world: World,
    /// Directions of load and hand, and constant forces that carry the ends.
    ways: [DVec3; 2],
    carried: [DVec3; 2],
}

impl Hauled {
    fn pull(&mut self, load: f64, hand: f64) {
        let last = self.world.state.particles() - 1;
        self.world.forces = vec![
            Force { particle: 0, force: self.ways[0] * load + self.carried[0] },
            Force { particle: last, force: self.ways[1] * hand + self.carried[1] },
        ];
    }

    /// Pulls both ends tight and lowers the hand to so many newtons; returns the speed of creep.
    fn creep(&mut self, hand: f64) -> f64 {
        self.world.viscosity = 5.0;
        let steps = 72;
        for k in 1..=steps {
            let share = f64::from(k) / f64::from(steps);
            self.pull(LOAD * share, LOAD * share);
            step(&mut self.world, DT);
        }
        let steps = 168;
        let lowest = hand.max(1e-3);
        for k in 1..=steps {
            let share = f64::from(k) / f64::from(steps);
            self.pull(LOAD, LOAD * ops::pow(lowest / LOAD, share));
            step(&mut self.world, DT);
        }
        self.pull(LOAD, hand);
        run(&mut self.world, 0.25);
        self.world.viscosity = 0.0;
        run(&mut self.world, 0.25);
        let before = self.world.state.positions[0];
        run(&mut self.world, 0.25);
        assert_whole(&self.world);
        before.distance(self.world.state.positions[0]) / 0.25
    }

    /// Returns true if the load moves by 20 mm within half a second against so many newtons.
    fn slips(&mut self, hand: f64) -> bool {
        self.pull(LOAD, hand);
        let before = self.world.state.positions[0];
        (0..120).any(|_| {
            step(&mut self.world, DT);
            before.distance(self.world.state.positions[0]) > 0.02
        })
    }
}

/// Holds with 5 % more than the critical force and slips with 5 % less.
fn capstan(turns: f64, friction: f64) {
    let said = format!("{turns} turns, friction {friction}");
    let wrap = wrap(turns);
    let mut world = rope(wrap.points());
    world.friction = friction;
    world.obstacles.push(cylinder(RADIUS));
    let weight = material("hemp").at_radius(ROPE).mass_per_metre * GRAVITY;
    let tail = |way: DVec3| -way.z * END * weight;
    let ways = wrap.ways();
    let left = at_slip(LOAD + tail(ways[0]), wrap.turn, friction, weight);
    let critical = left - tail(ways[1]);
    let mut hauled = Hauled { world, ways, carried: [DVec3::ZERO; 2] };
    let creep = hauled.creep((1.05 * critical).max(0.0));
    println!("{said}: {critical} N, creep {creep} m/s");
    assert!(creep < 1e-3, "{said}, 5 % above {critical} N: creep of {creep} m/s");
    // Where the weight of its end holds the rope, no hand can be too weak.
    if critical > 0.0 {
        assert!(hauled.slips(0.95 * critical), "{said}: it holds 5 % below {critical} N");
    }
}

#[test]
fn the_critical_force_vs_eulers_capstan_half_a_turn() {
    for friction in [0.2, 0.4, 0.8] {
        capstan(0.5, friction);
    }
}

#[test]
fn the_critical_force_vs_eulers_capstan_one_turn() {
    for friction in [0.2, 0.4, 0.8] {
        capstan(1.0, friction);
    }
}

#[test]
fn the_critical_force_vs_eulers_capstan_two_and_a_half_turns() {
    capstan(2.5, 0.2);
}

#[test]
fn a_bollard_holds_a_mooring_line_by_two_and_a_half_turns() {
    let wrap = wrap(2.5);
    // The cylinder stands upright: (x, y, z) → (x, z, y).
    let upright = |v: DVec3| DVec3::new(v.x, v.z, v.y);
    let mut world = rope(wrap.points().into_iter().map(upright).collect());
    let friction = 0.3;
    world.friction = friction;
    let (from, to) = (-DVec3::Z, DVec3::Z);
    world.obstacles.push(Obstacle::standing(Collider::Cylinder { from, to, radius: RADIUS }, 0.0));
    let weight = material("hemp").at_radius(ROPE).mass_per_metre * GRAVITY;
    let carried = [DVec3::Z * (END * weight); 2];
    let critical = LOAD * ops::exp(-friction * wrap.turn);
    let mut hauled = Hauled { world, ways: wrap.ways().map(upright), carried };
    let creep = hauled.creep(1.1 * critical);
    println!("{critical} N, creep {creep} m/s");
    assert!(creep < 1e-3, "10 % above {critical} N: creep of {creep} m/s");
    assert!(hauled.slips(0.8 * critical), "it holds 20 % below {critical} N");
}
