//! Strings against closed forms, other methods, and what must always hold.

mod band;
mod motion;

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::dynamics::material::Material;
use lariat_core::num::ops;

use super::super::add::Dice;
use super::super::{Bend, Build, Clamp, Event, Force, Turn, Twist};
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

fn hemp() -> Material {
    *Material::find("hemp").unwrap()
}
