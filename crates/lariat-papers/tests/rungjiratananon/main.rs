//! Strings as published, against closed forms and the properties that the paper claims.

mod contact;
mod material;
mod motion;
mod safety;
mod shape;
mod tension;
mod twist;

use glam::DVec3;
use lariat_core::dynamics::material::Material;
use lariat_papers::rungjiratananon::{Build, Clamp, Span, Strings};

/// Step of the paper, in seconds.
const STEP: f64 = 0.01;
const GRAVITY: f64 = 9.81;

fn material(name: &str) -> Material {
    *Material::find(name).expect("a material of the table")
}

/// A straight string along X that neither keeps a shape nor follows twist, of a material that never gives.
fn limp(segments: usize) -> Build {
    let ideal = Material::ideal(1000.0);
    let straight = Build::straight(DVec3::ZERO, DVec3::X, segments, 0.002, ideal);
    Build { shape: None, twist: None, ..straight }
}

fn of(build: &Build) -> Strings {
    let mut strings = Strings::new();
    strings.add(build).expect("it can be built");
    strings
}

/// Without weight.
fn weightless(build: &Build) -> Strings {
    let mut strings = of(build);
    strings.gravity = DVec3::ZERO;
    strings
}

fn hold(strings: &mut Strings, particles: &[usize]) {
    for particle in particles {
        strings.clamps.push(Clamp::at(*particle, strings.state.positions[*particle]));
    }
}

fn run(strings: &mut Strings, steps: usize) {
    for _ in 0..steps {
        strings.step(STEP).expect("it does not diverge");
    }
}

fn momentum(strings: &Strings) -> DVec3 {
    let velocities = strings.state.velocities.iter().enumerate();
    velocities.map(|(i, velocity)| *velocity * strings.mass(i)).sum()
}

fn kinetic(strings: &Strings) -> f64 {
    let velocities = strings.state.velocities.iter().enumerate();
    velocities.map(|(i, velocity)| 0.5 * strings.mass(i) * velocity.length_squared()).sum()
}

/// Lengths of all segments over their lengths at rest.
fn stretches(strings: &Strings) -> Vec<f64> {
    let state = &strings.state;
    let spans = state.spans.iter().flat_map(Span::segments);
    let length = |i: usize| state.positions[i].distance(state.positions[i + 1]);
    spans.map(|i| length(i) / state.rests[i]).collect()
}
