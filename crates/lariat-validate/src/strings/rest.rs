//! Strings at rest: tension, stretch, a beam, the catenary; as published and ours.
//!
//! Tests: `another_gravity_would_be_seen`, `a_heavier_string_would_not_agree`.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::dynamics::material::Material;
use lariat_papers::rungjiratananon as published;
use lariat_string::{Bend, Build, Clamp, Strings, Twist};

use super::super::check::Outcome;
use super::super::reference::hung::{Hung, distance, unit};
use super::super::reference::worst;
use super::{GRAVITY, chain, line, rubber, run};

/// Worst tension error of a hanging string of 2 m with a weight at its tip.
pub(super) fn tension(gravity: f64) -> Option<f64> {
    let (n, tip) = (40, 0.3);
    let mut build = Build::chain(line(DVec3::ZERO, DVec3::Z * -2.0, n), 0.1);
    build.weights.push((1.0, tip));
    let mut strings = Strings::of(&build).ok()?;
    strings.clamps.push(Clamp::at(0, DVec3::ZERO));
    run(&mut strings, 0.2, 0.01)?;
    Some(worst_tension(&strings.state.tensions[..n], tip, gravity))
}

/// The same without the weight, by the simulator of the paper.
pub(super) fn tension_as_published() -> Option<f64> {
    let n = 40;
    let mut strings = limp_as_published(line(DVec3::ZERO, DVec3::Z * -2.0, n), 0.1)?;
    strings.clamps.push(published::Clamp::at(0, DVec3::ZERO));
    for _ in 0..20 {
        strings.step(0.01).ok()?;
    }
    Some(worst_tension(&strings.state.tensions[..n], 0.0, GRAVITY))
}

/// Tensions along a hanging string of 2 m, compared with the weight below.
fn worst_tension(tensions: &[f64], tip: f64, gravity: f64) -> f64 {
    let n = tensions.len() as f64;
    worst(tensions.iter().enumerate().map(|(i, tension)| {
        let above = 2.0 * (i as f64 + 0.5) / n;
        tension / ((tip + 0.1 * (2.0 - above)) * gravity) - 1.0
    }))
}

/// A string of the paper without stretch, shape, twist and contact.
fn limp_as_published(points: Vec<DVec3>, mass_per_metre: f64) -> Option<published::Strings> {
    let radius = 1e-3;
    let material = Material::ideal(mass_per_metre / (PI * radius * radius));
    let build = published::Build::new(points, radius, material);
    let mut strings = published::Strings::new();
    strings.add(&published::Build { shape: None, twist: None, ..build }).ok()?;
    strings.usual.contact = false;
    Some(strings)
}

/// Differences between the paper's string and ours, 1.2 m long and sagging between two clamps 1 m
/// apart: worst tension, relative, and worst position in metres. The paper's string weighs
/// `mass_per_metre`, ours 0.1 kg/m.
pub(super) fn methods_apart(mass_per_metre: f64) -> Option<[f64; 2]> {
    let (n, depth) = (40, 0.11_f64.sqrt());
    let points: Vec<DVec3> = (0..=n)
        .map(|i| {
            let u = i as f64 / n as f64;
            DVec3::new(u, 0.0, -depth * (1.0 - (2.0 * u - 1.0).abs()))
        })
        .collect();
    let mut theirs = limp_as_published(points.clone(), mass_per_metre)?;
    theirs.usual.viscosity = 6.0;
    theirs.clamps = vec![published::Clamp::at(0, DVec3::ZERO), published::Clamp::at(n, DVec3::X)];
    for _ in 0..1000 {
        theirs.step(0.01).ok()?;
    }
    let mut ours = chain(points)?;
    ours.clamps.push(Clamp::at(n, DVec3::X));
    ours.viscosity = 6.0;
    run(&mut ours, 10.0, 0.01)?;
    let tensions = theirs.state.tensions[..n].iter().zip(&ours.state.tensions[..n]);
    let places = theirs.state.positions.iter().zip(&ours.state.positions);
    Some([
        worst(tensions.map(|(theirs, ours)| theirs / ours - 1.0)),
        worst(places.map(|(theirs, ours)| theirs.distance(*ours))),
    ])
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
    // Starts as a V of the same length.
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

/// Tip of a rod held level at one end, with so little gravity that it bends little.
pub(super) fn cantilever() -> Option<Outcome> {
    let (n, bend, r) = (25, 1e-3, 0.003);
    let l = 1.0 / n as f64;
    let mut build = Build::new(line(DVec3::X * -l, DVec3::X, n + 1), r, Material::ideal(1000.0));
    (build.bend, build.twist) = (Bend::Stiffness { bend, width: None }, Twist::Free);
    let mut strings = Strings::of(&build).ok()?;
    strings.settings.contact = false;
    strings.clamps.extend([Clamp::at(0, DVec3::X * -l), Clamp::at(1, DVec3::ZERO)]);
    (strings.gravity, strings.viscosity) = (DVec3::Z * -0.02, 1.5);
    // A step short enough for regions of direct neighbours.
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

    #[test]
    fn a_heavier_string_would_not_agree() {
        let [same, heavier] = [0.1, 0.104].map(|mass| methods_apart(mass).unwrap()[0]);
        assert!(same < 0.03 && heavier > 0.03, "{same} {heavier}");
    }
}
