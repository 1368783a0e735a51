//! Strings tied to solids: a hanging box, pendulums, and free flight.
//!
//! Tests: `a_push_on_a_solid_would_be_seen`, `the_pendulum_states_the_length_of_its_reference`.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};
use lariat_core::dynamics::material::Material;
use lariat_rigid::{Shape, Solid, Tied};
use lariat_string::{Bend, Build, Clamp, Turn};

use super::super::check::Outcome;
use super::super::reference::{period, worst};
use super::{GRAVITY, motion, rubber, torsional_period};

/// Half extents of the box, in metres.
const HALF: DVec3 = DVec3::new(0.05, 0.03, 0.02);

/// A box on half a metre of string.
fn hung(material: Material, segments: usize, mass: f64) -> Option<Tied> {
    let mut tied = Tied::new();
    let mut build = Build::straight(DVec3::ZERO, DVec3::Z * -0.5, segments, RADIUS, material);
    (build.bend, build.tears, build.variation) = (Bend::Limp, false, 0.0);
    tied.strings.add(&build).ok()?;
    let turn = Some(Turn::Angle(0.0));
    tied.strings.clamps.push(Clamp { turn, ..Clamp::at(0, DVec3::ZERO) });
    let middle = DVec3::Z * (-0.5 - HALF.z);
    tied.solids.solids.push(Solid::new(Shape::Box { half: HALF }, mass, middle));
    tied.tie(segments, 0, true);
    Some(tied)
}

const RADIUS: f64 = 0.003;

/// Force with which a clamp holds a box and its string.
pub(super) fn weight() -> Option<Outcome> {
    let hemp = *Material::find("hemp")?;
    let mut tied = hung(hemp, 20, 1.5)?;
    tied.strings.viscosity = 5.0;
    for _ in 0..480 {
        tied.step(1.0 / 60.0).ok()?;
    }
    let string = hemp.density * PI * RADIUS * RADIUS * 0.5;
    let ours = tied.strings.grip(&tied.strings.clamps[0]).force.z;
    Some(Outcome::relative((1.5 + string) * GRAVITY, ours))
}

/// Torsional period of a wound-up box, from the rotation of the box itself.
pub(super) fn pendulum() -> Option<Outcome> {
    let material = Material { inner_friction: 0.0, ..rubber()? };
    let (n, mass) = (25, 0.02);
    let mut tied = hung(material, n, mass)?;
    for i in 0..n {
        tied.strings.state.angles[i] = 2.0 * i as f64 / (n - 1) as f64;
    }
    let length = 0.5 * (n - 1) as f64 / n as f64;
    let inertia = mass * (HALF.x * HALF.x + HALF.y * HALF.y) / 3.0;
    let known = torsional_period(&material, RADIUS, length, inertia);
    let dt = 1.0 / 240.0;
    let ours = period(dt, (6.2 * known / dt) as u32, || {
        tied.step(dt).ok()?;
        Some(tied.solids.solids[0].spin.z)
    })?;
    Some(Outcome::relative(known, ours))
}

/// Period of a ball that swings on a thread, tied so that it can turn.
pub(super) fn swing() -> Option<Outcome> {
    let (length, radius, lean) = (0.5, 0.04, 0.04);
    let cotton = Material { density: 50.0, ..*Material::find("cotton-thread")? };
    let mut tied = Tied::new();
    let way = DVec3::new(lean, 0.0, -(1.0_f64 - lean * lean).sqrt());
    let mut build = Build::straight(DVec3::ZERO, way * length, 20, 0.0005, cotton);
    (build.bend, build.tears) = (Bend::Limp, false);
    tied.strings.add(&build).ok()?;
    tied.strings.clamps.push(Clamp::at(0, DVec3::ZERO));
    let mut ball = Solid::new(Shape::Ball { radius }, 0.2, way * (length + radius));
    ball.rotation = glam::DQuat::from_rotation_arc(-DVec3::Z, way);
    tied.solids.solids.push(ball);
    tied.tie(20, 0, false);
    let ours = period(1.0 / 240.0, 4800, || {
        tied.step(1.0 / 240.0).ok()?;
        Some(tied.solids.solids[0].position.x)
    })?;
    // A double pendulum of string and ball: ω² is the smaller root of (L ω² − g)(k ω² − r g) = L r
    // ω² · r ω² with k = 2/5 r² + r², for small swings.
    let (l, r, g) = (length, radius, GRAVITY);
    let k = 1.4 * r * r;
    // (L k − L r²) w² − g (k + L r) w + r g² = 0
    let (a, b, c) = (l * k - l * r * r, -g * (k + l * r), r * g * g);
    let w = 2.0 * c / (-b + (b * b - 4.0 * a * c).sqrt());
    // The period grows with the amplitude, by θ²/16.
    let known = 2.0 * PI / w.sqrt() * (1.0 + lean * lean / 16.0);
    Some(Outcome::relative(known, ours))
}

/// Momentum and angular momentum of a string of `n` segments and `metre` kg/m, and of all solids.
fn moved(tied: &Tied, n: usize, metre: f64) -> (DVec3, DVec3) {
    let segment = metre / n as f64;
    let mass = |i| if i == 0 || i == n { 0.5 * segment } else { segment };
    let inertia = 0.5 * segment * RADIUS * RADIUS;
    let (mut linear, mut angular) = motion::moved(&tied.strings, mass, inertia);
    for solid in &tied.solids.solids {
        let moments = match solid.shape {
            Shape::Box { half } => {
                let s = half * half;
                DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y) / 3.0
            }
            Shape::Ball { radius } => DVec3::splat(0.4 * radius * radius),
            Shape::Cylinder { .. } => DVec3::NAN,
        };
        let axes = DMat3::from_quat(solid.rotation);
        let own = moments * solid.mass * (axes.transpose() * solid.spin);
        linear += solid.velocity * solid.mass;
        angular += solid.position.cross(solid.velocity * solid.mass) + axes * own;
    }
    (linear, angular)
}

/// Worst change of momentum and of angular momentum since the start, in four seconds of free
/// flight, with a force of `push` newtons on one of the solids.
fn change(push: f64) -> Option<(f64, f64)> {
    let (n, material) = (20, rubber()?);
    let mut tied = Tied::new();
    (tied.strings.gravity, tied.solids.gravity) = (DVec3::ZERO, DVec3::ZERO);
    tied.strings.settings.tolerance = 1e-21;
    let mut build = Build::straight(DVec3::ZERO, DVec3::X, n, RADIUS, material);
    build.variation = 0.0;
    tied.strings.add(&build).ok()?;
    let mut one = Solid::new(Shape::Box { half: HALF }, 0.4, DVec3::new(-0.05, 0.01, 0.0));
    (one.velocity, one.spin) = (DVec3::new(0.0, 0.5, 0.1), DVec3::new(6.0, 0.0, 0.5));
    let mut two = Solid::new(Shape::Ball { radius: 0.05 }, 0.2, DVec3::new(1.05, 0.0, 0.0));
    two.velocity = DVec3::new(0.1, -0.8, 0.0);
    tied.solids.solids.extend([one, two]);
    tied.tie(0, 0, true);
    tied.tie(n, 1, true);
    // In the first step, the ends of the string get the velocities of their solids.
    tied.step(1e-6).ok()?;
    let metre = material.density * PI * RADIUS * RADIUS;
    let before = moved(&tied, n, metre);
    let (mut linear, mut angular) = (0.0, 0.0);
    for _ in 0..240 {
        let middle = tied.solids.solids[0].position;
        tied.solids.push(0, DVec3::X * push, middle);
        tied.step(1.0 / 60.0).ok()?;
        let after = moved(&tied, n, metre);
        // Relative to the initial momentum of the box and the ball.
        linear = worst([linear, (after.0 - before.0).length() / (0.4 * 0.51 + 0.2 * 0.81)]);
        angular = worst([angular, (after.1 - before.1).length() / before.1.length()]);
    }
    Some((linear, angular))
}

/// Worst change in free flight.
pub(super) fn kept() -> Option<(f64, f64)> {
    change(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;

    #[test]
    fn a_push_on_a_solid_would_be_seen() {
        let bar = |name| super::super::TOPIC.checks.iter().find(|c| c.name == name).unwrap().bar;
        let bars = (bar("tie-momentum"), bar("tie-angular-momentum"));
        let (linear, angular) = change(1e-7).unwrap();
        assert!(linear > bars.0 && angular > bars.1, "{linear:e} {angular:e}, bars {bars:?}");
    }
    #[test]
    fn the_pendulum_states_the_length_of_its_reference() {
        let check = super::super::TOPIC.checks.iter().find(|c| c.name == "tie-pendulum").unwrap();
        let stated = check.source.split_once("L = ").and_then(|(_, rest)| rest.split_once(" m"));
        let length: f64 = stated.expect("a length in metres").0.parse().unwrap();
        let Value::Number(reference) = (check.run)().unwrap().reference else { panic!() };
        let (material, r2) = (rubber().unwrap(), RADIUS * RADIUS);
        let torsion = material.shear_modulus * 0.5 * PI * r2 * r2 / length;
        let own = material.density * 0.5 * PI * r2 * r2 * length;
        let body = 0.02 * (HALF.x * HALF.x + HALF.y * HALF.y) / 3.0;
        let period = 2.0 * PI * ((body + own / 3.0) / torsion).sqrt();
        assert!((reference / period - 1.0).abs() < 1e-12, "{reference} s, not {period} s");
    }
}
