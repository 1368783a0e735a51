//! Strings that are stepped.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::dynamics::material::Material;
use lariat_core::num::ops;
use lariat_string::{Build, Clamp, Turn};

use super::solver::{Fall, Solver};

/// Scenes of the paper's sizes.
#[derive(Clone, Copy)]
pub(crate) enum Scene {
    /// 100 segments, twisted until they loop and touch.
    Loop,
    /// 200 segments, wound further, into a coil.
    Coil,
    /// 746 segments of a bridge, without its boards.
    Bridge,
}

impl Scene {
    pub(crate) fn make<S: Solver>(self) -> S {
        match self {
            Self::Loop => wound(100, 14.0, 0.3),
            Self::Coil => wound(200, 10.0, 0.4),
            Self::Bridge => bridge(),
        }
    }
}

fn material(name: &str) -> Material {
    *Material::find(name).expect("a material of that name")
}

/// A cord that is held at both ends, twisted by a number of turns with its ends moved closer, and
/// settled.
fn wound<S: Solver>(segments: usize, turns: f64, nearer: f64) -> S {
    let n = segments;
    let mut build = Build::straight(DVec3::ZERO, DVec3::X, n, 0.004, material("rubber"));
    build.tears = false;
    for (i, x) in build.points.iter_mut().enumerate() {
        x.y = 1e-3 * ops::sin(PI * i as f64 / n as f64);
    }
    let mut strings = S::default();
    strings.add(&build);
    strings.set_viscosity(1.0, 5.0);
    strings.clamps().extend([0, 1, n - 1, n].map(|i| Clamp::at(i, build.points[i])));
    strings.clamps()[0].turn = Some(Turn::Angle(0.0));
    for step in 1..=400 {
        let t = (f64::from(step) / 300.0).min(1.0);
        for k in [2, 3] {
            strings.clamps()[k].target = build.points[n - 3 + k] - DVec3::X * (nearer * t);
        }
        strings.clamps()[3].turn = Some(Turn::Angle(2.0 * PI * turns * t));
        strings.step(0.01);
    }
    strings
}

/// Two ropes that hang across four metres, and 22 that hang from a line between them.
fn bridge<S: Solver>() -> S {
    let mut strings = S::default();
    let hemp = material("hemp");
    for k in 0..24 {
        let (from, to, segments, length) = if k < 2 {
            let y = DVec3::Y * f64::from(k);
            (y, y + DVec3::X * 4.0, 150, Some(4.1))
        } else {
            let x = DVec3::new(0.18 * f64::from(k - 1), 0.5, 0.0);
            (x, x + DVec3::new(0.0, 0.05, -0.4), 20 + usize::from(k < 8), None)
        };
        let mut build = Build { length, ..Build::straight(from, to, segments, 0.006, hemp) };
        // Replaces the weight of its board.
        build.weights = if k < 2 { Vec::new() } else { vec![(1.0, 0.5)] };
        let string = strings.add(&build);
        let ends: &[f64] = if k < 2 { &[0.0, 1.0] } else { &[0.0] };
        for u in ends {
            strings.hold(strings.particle(string, *u));
        }
    }
    strings.set_viscosity(0.5, 0.0);
    strings
}

/// Strings of 100 segments that hang and swing side by side.
pub(crate) fn many<S: Solver>(count: u32) -> S {
    let mut strings = S::default();
    for k in 0..count {
        let at = DVec3::new(0.0, 0.05 * f64::from(k % 32), 0.3 * f64::from(k / 32));
        let to = at + DVec3::new(0.3, 0.0, -0.95);
        let string = strings.add(&Build::straight(at, to, 100, 0.003, material("hemp")));
        strings.hold(strings.particle(string, 0.0));
    }
    for _ in 0..5 {
        strings.step(0.01);
    }
    strings
}

/// Ropes of a metre, held at one end and released horizontally.
pub(crate) fn level<S: Solver>(ropes: u32, segments: usize, fall: Fall) -> S {
    let mut strings = S::default();
    for k in 0..ropes {
        let y = DVec3::Y * (0.1 * f64::from(k));
        let points = (0..=segments).map(|i| y + DVec3::X * (i as f64 / segments as f64)).collect();
        let string = strings.add(&Build::chain(points, 0.1));
        strings.hold(strings.particle(string, 0.0));
    }
    strings.ignore_contact();
    strings.set_longest(fall.dt);
    strings.set_tolerance(fall.tolerance);
    strings
}

/// A rope of 1.5 m that is held at two points a metre apart, and begins as a corner.
pub(crate) fn corner<S: Solver>(dt: f64) -> S {
    let depth = (0.75_f64 * 0.75 - 0.25).sqrt();
    let points: Vec<DVec3> = (0..=100)
        .map(|i| {
            let u = f64::from(i) / 100.0;
            DVec3::new(u, 0.0, -depth * (1.0 - (2.0 * u - 1.0).abs()))
        })
        .collect();
    let mut strings = S::default();
    strings.add(&Build::chain(points, 0.1));
    strings.clamps().extend([Clamp::at(0, DVec3::ZERO), Clamp::at(100, DVec3::X)]);
    strings.ignore_contact();
    strings.set_longest(dt);
    strings.set_viscosity(20.0, 0.0);
    strings
}
