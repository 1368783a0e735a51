//! Strings at rest: tension, stretch, a beam, the catenary.
//!
//! Tests: `another_gravity_would_be_seen`.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::dynamics::material::Material;
use lariat_string::{Bend, Build, Clamp, Length, Strings, Twist};

use super::super::check::Outcome;
use super::super::reference::hung::{Hung, distance, unit};
use super::super::reference::worst;
use super::{GRAVITY, chain, line, rubber, run};

/// The worst tension of two hanging metres with a weight at the tip.
pub(super) fn tension(gravity: f64) -> Option<f64> {
    hanging(0.3, Length::Direct, gravity)
}

pub(super) fn tension_by_sweeps() -> Option<f64> {
    hanging(0.0, Length::Sweeps, GRAVITY)
}

fn hanging(tip: f64, length_by: Length, gravity: f64) -> Option<f64> {
    let n = 40;
    let mut build = Build::chain(line(DVec3::ZERO, DVec3::Z * -2.0, n), 0.1);
    build.length_by = length_by;
    if tip > 0.0 {
        build.weights.push((1.0, tip));
    }
    let mut strings = Strings::of(&build).ok()?;
    strings.clamps.push(Clamp::at(0, DVec3::ZERO));
    run(&mut strings, 0.2, 0.01)?;
    Some(worst((0..n).map(|i| {
        let above = 2.0 * (i as f64 + 0.5) / n as f64;
        strings.state.tensions[i] / ((tip + 0.1 * (2.0 - above)) * gravity) - 1.0
    })))
}

/// A rubber cord with a weight.
pub(super) fn hooke() -> Option<Outcome> {
    let (material, tip, r) = (rubber()?, 0.1, 0.002);
    let mut build = Build::straight(DVec3::ZERO, DVec3::NEG_Z, 40, r, material);
    build.weights.push((1.0, tip));
    build.variation = 0.0;
    let mut strings = Strings::of(&build).ok()?;
    strings.clamps.push(Clamp::at(0, DVec3::ZERO));
    strings.viscosity = 8.0;
    run(&mut strings, 6.0, 0.01)?;
    let area = PI * r * r;
    let longer = (tip + 0.5 * material.density * area) * GRAVITY / (material.modulus * area);
    Some(Outcome::relative(longer, -strings.state.positions[40].z - 1.0))
}

/// Largest distance of a hanging string from the catenary.
pub(super) fn catenary(segments: usize) -> Option<f64> {
    // As a V, which has its length.
    let depth = (0.75_f64 * 0.75 - 0.25).sqrt();
    let points: Vec<DVec3> = (0..=segments)
        .map(|i| {
            let u = i as f64 / segments as f64;
            DVec3::new(u, 0.0, -depth * (1.0 - (2.0 * u - 1.0).abs()))
        })
        .collect();
    let mut strings = chain(points)?;
    strings.clamps.push(Clamp::at(segments, DVec3::X));
    strings.viscosity = 6.0;
    run(&mut strings, 6.0, 0.0125)?;
    let known = Hung::between(DVec3::ZERO, DVec3::X, 1.5, unit(DVec3::Z));
    let places = strings.state.positions.iter().enumerate();
    let miss =
        |(i, ours): (usize, &DVec3)| distance(*ours, &known.at(1.5 * i as f64 / segments as f64));
    Some(worst(places.map(miss)))
}

/// The tip of a rod that sticks out of a wall, in so little gravity that it bends little.
pub(super) fn cantilever() -> Option<Outcome> {
    let (n, bend, r) = (25, 1e-3, 0.003);
    let l = 1.0 / n as f64;
    let mut build = Build::new(line(DVec3::X * -l, DVec3::X, n + 1), r, Material::ideal(1000.0));
    (build.bend, build.twist) = (Bend::Stiffness { bend, width: None }, Twist::Free);
    let mut strings = Strings::of(&build).ok()?;
    strings.settings.contact = false;
    strings.clamps.extend([Clamp::at(0, DVec3::X * -l), Clamp::at(1, DVec3::ZERO)]);
    (strings.gravity, strings.viscosity) = (DVec3::Z * -0.02, 1.5);
    // So short that regions of neighbours alone will do.
    run(&mut strings, 20.0, 0.001)?;
    // A clamp of two particles reaches half a segment further.
    let free = 1.0 - 0.5 * l;
    let sag = 0.02 * 1000.0 * PI * r * r * free * free * free * free / (8.0 * bend);
    Some(Outcome::relative(sag, -strings.state.positions[n + 1].z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_gravity_would_be_seen() {
        assert!(tension(GRAVITY).unwrap() < 1e-6);
        assert!(tension(GRAVITY + 1e-4).unwrap() > 1e-6);
    }
}
