//! Strings against closed forms, other methods, and what must always hold.

mod band;
mod beam;
mod coils;
mod contact;
mod material;
mod motion;
mod safety;
mod shape;

mod twist;

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::dynamics::material::Material;
use lariat_core::num::ops;

use super::super::add::Dice;
use super::super::{Bend, Build, Cause, Clamp, Event, Executor, Force, Grip, Torque, Turn, Twist};
use super::*;

fn line(from: DVec3, to: DVec3, segments: usize) -> Vec<DVec3> {
    (0..=segments).map(|i| from.lerp(to, i as f64 / segments as f64)).collect()
}

/// A chain of a tenth of a kilogram per metre.
fn chain(points: Vec<DVec3>) -> Strings {
    let mut strings = Strings::of(&Build::chain(points, 0.1)).unwrap();
    strings.settings.contact = false;
    strings
}

fn run(strings: &mut Strings, seconds: f64, dt: f64) {
    for _ in 0..(seconds / dt).round() as u32 {
        strings.step(dt).unwrap();
    }
}

fn rubber() -> Material {
    *Material::find("rubber").unwrap()
}

/// A metre of rubber cord that sags a little, held by both of its last two particles at each end, the
/// first turned by nothing; and where these are.
fn held_cord(segments: usize, tell: impl FnOnce(&mut Build)) -> (Strings, Vec<DVec3>) {
    let n = segments;
    let mut build = Build::straight(DVec3::ZERO, DVec3::X, n, 0.004, rubber());
    for (i, x) in build.points.iter_mut().enumerate() {
        x.y = 1e-3 * ops::sin(PI * i as f64 / n as f64);
    }
    tell(&mut build);
    let ends = build.points.clone();
    let mut strings = Strings::of(&build).unwrap();
    strings.gravity.z = -1.0;
    strings.viscosity = 1.0;
    strings.spin_viscosity = 5.0;
    strings.clamps.extend([0, 1, n - 1, n].map(|i| Clamp::at(i, ends[i])));
    strings.clamps[0].turn = Some(Turn::Angle(0.0));
    (strings, ends)
}
