//! Strings against closed forms, other methods, and what must always hold.

mod material;
mod motion;
mod safety;
mod shape;
mod tangle;
mod twist;

use glam::DVec3;

use super::*;

/// Points along a line.
fn line(from: DVec3, to: DVec3, segments: usize) -> Vec<DVec3> {
    (0..=segments).map(|i| from.lerp(to, i as f64 / segments as f64)).collect()
}

/// A chain of a tenth of a kilogram a metre.
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

fn rubber() -> Fibre {
    *Fibre::find("rubber-cord").unwrap()
}
