//! Bit-identical results on every machine, in any order, on any number of threads.
//!
//! A scene with a body of every family is evaluated at three times and its strands are hashed. The
//! reference is a recorded hash; after an intended change of a model or a default, copy the new value
//! from the column `ours`. Simulated ropes are compared between thread counts and across a
//! checkpoint; `cargo xtask wasm` compares them between platforms.
//!
//! Tests: `a_single_bit_is_detected`.

use glam::DVec3;
use lariat_core::dynamics::air::{Air, Gusts};
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::dynamics::material::MATERIALS;
use lariat_core::dynamics::spline_rope::{Build, Pin, SplineRope, State};
use lariat_core::geometry::Strand;
use lariat_core::model::layer::Collider;
use lariat_core::num::fnv::Fnv64;
use lariat_eval::{BodyMoment, Scene};
use lariat_scene::{Limits, check};
use rayon::prelude::*;

use super::check::{Outcome, topic};

topic! { "determinism": "bit-identical results";

    "same-bits-everywhere": "30 bodies of 9 models at 3 times: every bit of every strand",
        "FNV-1a hash recorded on x86-64 Linux, optimised and not",
        0.0 ["bits"], Outcome::bits(RECORDED, hash(&scene()?, &TIMES));
    "same-bits-in-any-order": "the same, body by body, from the last to the first",
        "all bodies at once, in the order of time", 0.0 ["bits"], any_order();
    "same-bits-on-any-threads": "the same on 1, 2 and 5 threads",
        "the calling thread", 0.0 ["bits"], any_threads();
    "same-bits-of-parallel-ropes":
        "8 ropes with pins, floor and gusts, 120 steps, on 1, 2 and 5 threads",
        "one rope after the other", 0.0 ["bits"], parallel_ropes();
    "same-bits-from-a-checkpoint":
        "the same, saved after 47 steps and resumed",
        "one rope after the other", 0.0 ["bits"], from_a_checkpoint();
}

/// Recorded hash of the scene.
const RECORDED: u64 = 0x3241_eace_2d32_5b7f;

/// Frames; one is a fraction, one lies before the keys.
const TIMES: [f64; 3] = [-3.0, 12.5, 24.0];

/// One body of every family, with keys, travelling waves, a floor, and bodies attached to others;
/// [`scene`] adds twenty more, so that several threads have work.
const BODIES: &str = include_str!("determinism.lariat");

fn scene() -> Option<Scene> {
    use std::fmt::Write as _;

    let mut text = BODIES.to_owned();
    for i in 0..20 {
        let (x, swing) = (0.1 * f64::from(i), 3 * i - 20);
        let row = write!(
            text,
            "[[body]]\nname = \"line-{i}\"\nmodel = \"suspended-rope\"\nfrom = [{x:.1}, 0, 1]\n\
             to = [{x:.1}, 3, 1.5]\nlength = 4\nswing = {swing}\nwaves = [{{ height = 0.1, \
             ripples = 2, travel = 1 }}]\n"
        );
        row.ok()?;
    }
    let checked = check::check(text.as_bytes(), &Limits::default());
    if checked.has_errors() {
        return None;
    }
    Some(Scene::bind(&checked.content?.lowered))
}

/// Hash of all numbers of strands and meshes.
#[derive(Default)]
struct Sum(Fnv64);

impl Sum {
    fn numbers(&mut self, numbers: impl IntoIterator<Item = f64>) {
        for x in numbers {
            self.0.number(x);
        }
    }

    fn strand(&mut self, strand: &Strand) {
        self.0.bytes(strand.name.bytes());
        self.numbers(strand.points().iter().flat_map(DVec3::to_array));
        for frame in strand.frames() {
            self.numbers(frame.tangent().to_array());
            self.numbers(frame.normal().to_array());
        }
        self.numbers(strand.radius().iter().chain(strand.twist()).copied());
    }

    fn body(&mut self, body: &BodyMoment) {
        body.strands.iter().for_each(|strand| self.strand(strand));
        let mesh = body.mesh.iter().flat_map(|mesh| mesh.points().iter().chain(mesh.normals()));
        self.numbers(mesh.flat_map(DVec3::to_array));
        self.numbers(body.slack);
    }
}

/// Hash of all bodies at all times.
fn hash(scene: &Scene, times: &[f64]) -> u64 {
    let mut hash = Sum::default();
    for frame in times {
        scene.evaluate(*frame).bodies.iter().for_each(|body| hash.body(body));
    }
    hash.0.finish()
}

fn any_order() -> Option<Outcome> {
    let scene = scene()?;
    let mut single: Vec<(usize, usize, BodyMoment)> = Vec::new();
    for time in (0..TIMES.len()).rev() {
        for body in (0..scene.body_count()).rev() {
            single.push((time, body, scene.evaluate_body(body, TIMES[time])));
        }
    }
    single.sort_by_key(|(time, body, _)| (*time, *body));
    let mut ours = Sum::default();
    for (_, _, moment) in &single {
        ours.body(moment);
    }
    Some(Outcome::bits(hash(&scene, &TIMES), ours.0.finish()))
}

fn any_threads() -> Option<Outcome> {
    let scene = scene()?;
    on_threads(hash(&scene, &TIMES), || Some(hash(&scene, &TIMES)))
}

/// Compares a hash computed on 1, 2 and 5 threads with the reference.
fn on_threads(reference: u64, compute: impl Fn() -> Option<u64> + Send + Sync) -> Option<Outcome> {
    let mut worst = Outcome::bits(reference, reference);
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()?;
        let outcome = Outcome::bits(reference, pool.install(&compute)?);
        worst = if outcome.error > worst.error { outcome } else { worst };
    }
    Some(worst)
}

/// Number of simulated ropes.
const ROPES: usize = 8;

/// Initial height of their hands, in metres: low enough that every rope touches the floor.
const HAND: f64 = 0.25;

/// A rope above a floor in gusty wind; length, section and number of control points depend on
/// `number`.
fn rope(number: usize) -> Option<SplineRope> {
    let share = number as f64 / ROPES as f64;
    let section = MATERIALS[number % 5].at_radius(0.004 + 0.002 * share);
    let (from, to) = (DVec3::new(0.0, share, HAND), DVec3::new(1.0 + share, share, HAND + 0.1));
    let points: Vec<DVec3> = (0..=10).map(|i| from.lerp(to, f64::from(i) / 10.0)).collect();
    let mut rope = SplineRope::along(&points, &Build::new(9 + 2 * number, section)).ok()?;
    rope.pins.extend([Pin::at(0.0, from), Pin::at(0.6, rope.point(0.6))]);
    rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.005));
    rope.radius = 0.005;
    let gusts = Some(Gusts::new(0.5, number as u64));
    let (wind, density) = (DVec3::new(1.0, -3.0, 0.0), 1.2);
    rope.air = Air { density, wind, turbulence: 1.5, gusts, ..Air::default() };
    Some(rope)
}

/// Steps a rope whose hand moves up and down; its second pin is released at step 30.
fn step_on(rope: &mut SplineRope, from: u32, to: u32) -> Option<()> {
    let start = rope.pins[0].target.with_z(HAND);
    for step in from..to {
        let t = f64::from(step + 1) / 240.0;
        rope.pins[0].target = start + DVec3::Z * (0.4 * t * (0.5 - t));
        rope.pins[1].on = step < 30;
        rope.air.carried = rope.air.wind * t;
        rope.air.changed = 0.8 * t;
        rope.step(1.0 / 240.0).ok()?;
    }
    Some(())
}

/// Hash of the state of a run.
fn hash_of_state(rope: &SplineRope) -> u64 {
    let mut numbers = Vec::new();
    rope.state.to_numbers(&mut numbers);
    let mut hash = Sum::default();
    hash.numbers(numbers);
    hash.0.finish()
}

/// A rope's hash after 120 steps.
fn moved(number: usize) -> Option<u64> {
    let mut rope = rope(number)?;
    step_on(&mut rope, 0, 120)?;
    Some(hash_of_state(&rope))
}

/// Combines hashes.
fn joined(hashes: &[u64]) -> u64 {
    let mut hash = Sum::default();
    for one in hashes {
        hash.0.bytes(one.to_le_bytes());
    }
    hash.0.finish()
}

fn parallel_ropes() -> Option<Outcome> {
    let alone: Option<Vec<u64>> = (0..ROPES).map(moved).collect();
    on_threads(joined(&alone?), || {
        let all: Option<Vec<u64>> = (0..ROPES).into_par_iter().map(moved).collect();
        Some(joined(&all?))
    })
}

fn from_a_checkpoint() -> Option<Outcome> {
    let stopped = |number: usize| {
        let (mut first, mut second) = (rope(number)?, rope(number)?);
        step_on(&mut first, 0, 47)?;
        let mut numbers = Vec::new();
        first.state.to_numbers(&mut numbers);
        second.state = State::from_numbers(&numbers)?;
        second.pins[1].on = false;
        step_on(&mut second, 47, 120)?;
        Some(hash_of_state(&second))
    };
    let alone: Option<Vec<u64>> = (0..ROPES).map(moved).collect();
    let resumed: Option<Vec<u64>> = (0..ROPES).map(stopped).collect();
    Some(Outcome::bits(joined(&alone?), joined(&resumed?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_bit_is_detected() {
        let (mut one, mut other) = (Sum::default(), Sum::default());
        one.numbers([1.0, 2.0]);
        other.numbers([1.0, f64::from_bits(2.0_f64.to_bits() + 1)]);
        assert!(Outcome::bits(one.0.finish(), other.0.finish()).error > 0.0);
        let scene = scene().unwrap();
        assert_ne!(hash(&scene, &TIMES), hash(&scene, &[-3.0, 12.5, 24.000_000_001]));
    }
}
