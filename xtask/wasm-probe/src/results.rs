//! Hashed results: elementary functions over many arguments, mode analysis, simulated ropes, and
//! every museum scene and recipe, the simulated ones up to their last frame.
//!
//! If the functions agree bit for bit, everything built from them and from `+ − × ÷ √` should agree
//! too, because Rust never contracts or reorders arithmetic; the scenes confirm it. Arguments come
//! from a fixed sequence, small and large, and no result is infinite.

use std::ops::ControlFlow;

use glam::DVec3;
use lariat_core::dynamics::air::{Air, Gusts};
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::dynamics::material::{MATERIALS, Material};
use lariat_core::dynamics::spline_rope::{Build, Pin, SplineRope};
use lariat_core::geometry::{Camera, Lens};
use lariat_core::model::layer::Collider;
use lariat_core::modes::cpca::{ModeCount, analyse};
use lariat_core::modes::hilbert::Hilbert;
use lariat_core::num::ops;
use lariat_eval::{Assets, MemoryFiles, Scene};
use lariat_papers::tuzel::{self, Step};
use lariat_scene::{Limits, check::check};

use crate::fnv::Fnv;

/// Number of arguments of each function.
const ARGUMENTS: usize = 20_000;

/// A result to compare.
pub struct Probe {
    /// Name in the report.
    pub name: String,
    feed: Box<dyn Fn(&mut Fnv)>,
}

impl Probe {
    fn new(name: impl Into<String>, feed: impl Fn(&mut Fnv) + 'static) -> Self {
        Self { name: name.into(), feed: Box::new(feed) }
    }

    /// Computes the result and hashes all its bits.
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv::new();
        (self.feed)(&mut hash);
        hash.finish()
    }
}

/// Every result, always in the same order.
pub fn all() -> Vec<Probe> {
    let mut probes = elementary_functions();
    probes.extend([modes(12), modes(200)]);
    probes.extend(MATERIALS.iter().map(moved));
    probes.push(moved_as_published());
    probes.extend(lariat_museum::SCENES.iter().map(|e| scene("museum", e.name, e.text)));
    probes.extend(lariat_museum::RECIPES.iter().map(|e| scene("recipe", e.name, e.text)));
    probes
}

/// Mode analysis of a sum of waves; few and many coordinates use different algorithms.
fn modes(width: u32) -> Probe {
    Probe::new(format!("modes of {width} coordinates"), move |hash| {
        let mut rows = Vec::new();
        for frame in 0..90 {
            for p in 0..width {
                let (t, p) = (f64::from(frame), f64::from(p));
                let swings =
                    [0.3, 0.55, 0.9].map(|w| ops::cos(w * t - 0.1 * w * p) / (w + 0.1 * p));
                rows.push(swings.iter().sum());
            }
        }
        let mut go_on = |_| ControlFlow::Continue(());
        let filter = Hilbert::filter(15);
        // A failed analysis is reported by other tests and adds nothing to the hash.
        let found = analyse(&rows, width as usize, &filter, ModeCount::Count(4), &mut go_on);
        for mode in found.into_iter().flat_map(|analysis| analysis.modes) {
            hash.number(mode.residual);
            for z in mode.weights.iter().chain(&mode.coefficients) {
                hash.number(z.re);
                hash.number(z.im);
            }
        }
    })
}

/// A rope of each material, 120 steps of the default method.
fn moved(material: &'static Material) -> Probe {
    let build = Build::new(18, material.at_radius(0.006));
    Probe::new(format!("spline rope, {}", material.name), move |hash| {
        hash_state(hash, stepped(&build, 1.0 / 240.0).as_ref());
    })
}

/// The paper's rope, by its explicit step and by the semi-implicit one.
fn moved_as_published() -> Probe {
    Probe::new("spline rope, as published", |hash| {
        for step in [Step::Explicit, Step::SemiImplicit] {
            let mut numbers = Vec::new();
            if let Some(rope) = stepped_as_published(step) {
                rope.state.to_numbers(&mut numbers);
            }
            for x in numbers {
                hash.number(x);
            }
        }
    })
}

/// The paper's rope after 120 steps, with a modulus small enough for them, held by two pins of
/// which one is released, and blown onto a floor.
fn stepped_as_published(step: Step) -> Option<tuzel::Rope> {
    let soft = Material { modulus: 2e5, inner_friction: 0.01, ..MATERIALS[0] };
    let build = tuzel::Build { step, ..tuzel::Build::published(soft.at_radius(0.006)) };
    let point = |i: u32| DVec3::new(0.1 * f64::from(i), 0.0, 0.05 + 0.01 * f64::from(i));
    let points: Vec<DVec3> = (0..=12).map(point).collect();
    let mut rope = tuzel::Rope::along(&points, &build).ok()?;
    let home = rope.point(0.0);
    rope.pins.extend([Pin::at(0.0, home), Pin::at(0.7, rope.point(0.7))]);
    rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.006));
    (rope.radius, rope.viscosity) = (0.006, 0.5);
    let (wind, gusts) = (DVec3::new(2.0, 4.0, -12.0), Some(Gusts::new(0.4, 11)));
    rope.air = Air { density: 1.2, wind, turbulence: 2.0, gusts, ..Air::default() };
    for k in 1..=120 {
        let t = 5e-4 * f64::from(k);
        rope.pins[0].target = home + DVec3::new(0.0, 0.1 * ops::sin(7.0 * t), 0.2 * t);
        rope.pins[1].on = k < 30;
        (rope.air.carried, rope.air.changed) = (wind * t, t);
        rope.step(5e-4).ok()?;
    }
    Some(rope)
}

/// Hashes the state of a rope. A failed simulation is reported by other tests and adds nothing.
fn hash_state(hash: &mut Fnv, rope: Option<&SplineRope>) {
    let mut numbers = Vec::new();
    if let Some(rope) = rope {
        rope.state.to_numbers(&mut numbers);
    }
    for x in numbers {
        hash.number(x);
    }
}

/// A rope after 120 steps, held by two pins of which one is released, and blown onto a floor.
fn stepped(build: &Build, dt: f64) -> Option<SplineRope> {
    let point = |i: u32| DVec3::new(0.1 * f64::from(i), 0.0, 0.05 + 0.01 * f64::from(i));
    let points: Vec<DVec3> = (0..=12).map(point).collect();
    let mut rope = SplineRope::along(&points, build).ok()?;
    let home = rope.point(0.0);
    rope.pins.extend([Pin::at(0.0, home), Pin::at(0.7, rope.point(0.7))]);
    rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.006));
    (rope.radius, rope.viscosity) = (0.006, 0.5);
    let (wind, gusts) = (DVec3::new(2.0, 4.0, -12.0), Some(Gusts::new(0.4, 11)));
    rope.air = Air { density: 1.2, wind, turbulence: 2.0, gusts, ..Air::default() };
    for k in 1..=120 {
        let t = f64::from(k) * dt;
        rope.pins[0].target = home + DVec3::new(0.0, 0.1 * ops::sin(7.0 * t), 0.2 * t);
        rope.pins[1].on = k < 30;
        (rope.air.carried, rope.air.changed) = (wind * t, t);
        rope.step(dt).ok()?;
    }
    Some(rope)
}

/// Every number that is drawn of a document at its first and last frame and at two between.
fn scene(kind: &str, name: &str, text: &'static str) -> Probe {
    Probe::new(format!("{kind}, {name}"), move |hash| {
        // An invalid scene is reported by other tests and adds nothing to the hash.
        let Some(content) = check(text.as_bytes(), &Limits::default()).content else { return };
        let files = lariat_museum::FILES.iter();
        let shelf =
            files.fold(MemoryFiles::default(), |shelf, (path, bytes)| shelf.with(*path, *bytes));
        let assets = Assets::load(&content.lowered, &Limits::default(), &shelf);
        let scene = Scene::bind_with(&content.lowered, &assets);
        let (first, last) = (scene.shot().first as f64, scene.shot().last as f64);
        for share in [0.0, 0.37, 0.62, 1.0] {
            let frame = first + share * (last - first);
            let moment = scene.evaluate(frame);
            for mesh in moment.bodies.iter().filter_map(|b| b.mesh.as_ref()) {
                for p in mesh.points().iter().chain(mesh.normals()) {
                    p.to_array().into_iter().for_each(|x| hash.number(x));
                }
            }
            for strand in moment.bodies.iter().flat_map(|b| &b.strands) {
                for (p, f) in strand.points().iter().zip(strand.frames()) {
                    for x in p.to_array().into_iter().chain(f.normal().to_array()) {
                        hash.number(x);
                    }
                }
                strand.radius().iter().chain(strand.twist()).for_each(|x| hash.number(*x));
                // The tension of a taut rope is infinite.
                let tensions = strand.tensions().into_iter().flatten();
                tensions.filter(|x| *x != f64::INFINITY).for_each(|x| hash.number(x));
            }
            for camera in 0..scene.camera_count() {
                let Camera { eye, target, up, lens } = scene.evaluate_camera(camera, frame).camera;
                let (Lens::Perspective { angle: view } | Lens::Orthographic { height: view }) =
                    lens;
                let numbers = [eye, target, up].into_iter().flat_map(|v| v.to_array());
                numbers.chain([view]).for_each(|x| hash.number(x));
            }
        }
    })
}

fn elementary_functions() -> Vec<Probe> {
    let over = |name: &str, reach: f64, function: fn(f64) -> f64| {
        Probe::new(format!("num::ops, {name}"), move |hash| each(hash, reach, function))
    };
    vec![
        over("sin and cos", 1e3, |x| ops::sin(x) + 3.0 * ops::cos(x)),
        over("sin_cos", 1e9, |x| ops::sin_cos(x).0 - 3.0 * ops::sin_cos(x).1),
        over("tan", 1.5, ops::tan),
        over("acos", 1.1, ops::acos),
        over("atan2", 1e6, |x| ops::atan2(x, x + 1.0)),
        over("sinh and cosh", 300.0, |x| ops::sinh(x) + 0.5 * ops::cosh(x)),
        over("asinh", 1e12, |x| ops::asinh(x) + ops::asinh_fast(x)),
        over("exp and pow", 300.0, |x| ops::exp(x) + ops::pow(x.abs(), 1.7)),
        over("ln", 1e9, |x| ops::ln(x.abs() + 1e-9) + ops::ln_1p(x.abs())),
        over("cbrt and hypot", 1e9, |x| ops::cbrt(x) + ops::hypot(x, 1.0)),
        over("turns", 1e7, |x| ops::sin_turns(x) + 3.0 * ops::cos_turns(x)),
    ]
}

/// Hashes `function` over arguments between `-reach` and `reach`, dense near 0.
fn each(hash: &mut Fnv, reach: f64, function: fn(f64) -> f64) {
    // Marsaglia's 64-bit xorshift; any fixed sequence would do.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..ARGUMENTS {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let high = u32::try_from(state >> 32).unwrap_or(u32::MAX);
        let fraction = 2.0 * (f64::from(high) / f64::from(u32::MAX)) - 1.0;
        hash.number(function(reach * fraction * fraction * fraction));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rope_is_simulated_to_its_end() {
        for material in &MATERIALS {
            let build = Build::new(18, material.at_radius(0.006));
            let mut rope = stepped(&build, 1.0 / 240.0).unwrap();
            let report = rope.step(1.0 / 240.0).unwrap();
            assert!(report.contacts > 0, "{} is above the floor", material.name);
        }
        let steps = [Step::Explicit, Step::SemiImplicit];
        assert!(steps.iter().all(|step| stepped_as_published(*step).is_some()));
    }

    #[test]
    fn every_result_is_finite_and_unique() {
        let mut seen = Vec::new();
        for probe in all() {
            let hash = probe.hash();
            assert!(!seen.contains(&hash), "{} gives the hash of another", probe.name);
            assert_eq!(probe.hash(), hash, "{} does not give the same twice", probe.name);
            seen.push(hash);
        }
    }
}
