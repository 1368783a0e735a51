//! Strings that yield and tear: their order, the loads at which they tear, and permanent strain.
//!
//! Tests: `equal_strings_have_no_order`.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::dynamics::material::Material;
use lariat_string::{Bend, Build, Cause, Clamp, Event, Force, Strings, Turn};

use super::super::check::Outcome;
use super::super::reference::worst;
use super::{rubber, run};

/// Four strings side by side, held at one end and pulled at the other until all are torn. Returns
/// their indices and strains in the order in which they tear.
fn pulled(change: impl Fn(usize, &mut Material)) -> Option<Vec<(usize, f64)>> {
    let mut strings = Strings::new();
    strings.gravity = DVec3::ZERO;
    strings.viscosity = 5.0;
    strings.settings.contact = false;
    for k in 0..4 {
        let mut material = Material { modulus: 2e6, rupture_stress: 0.4e6, ..rubber()? };
        material.yield_stress = f64::INFINITY;
        change(k, &mut material);
        let y = DVec3::Y * (0.1 * k as f64);
        strings.add(&Build::straight(y, y + DVec3::X, 20, 0.003, material)).ok()?;
        strings.clamps.push(Clamp::at(strings.particle(k, 0.0), y));
        strings.clamps.push(Clamp::at(strings.particle(k, 1.0), y + DVec3::X));
    }
    torn(&mut strings, Cause::Pull, 400, |strings, step| {
        let far = 1e-3 * f64::from(step);
        for k in 0..4 {
            strings.clamps[2 * k + 1].target.x = 1.0 + far;
        }
        far
    })
}

/// Steps strings that `load` pulls or twists further at every step. Returns the strings that tear
/// by `cause`, in order, each with its load.
fn torn(
    strings: &mut Strings,
    by: Cause,
    steps: u32,
    load: impl Fn(&mut Strings, u32) -> f64,
) -> Option<Vec<(usize, f64)>> {
    let mut torn: Vec<(usize, f64)> = Vec::new();
    for step in 0..steps {
        let load = load(strings, step);
        strings.step(0.01).ok()?;
        for event in &strings.events {
            if let Event::Torn { string, cause, .. } = *event
                && cause == by
                && torn.iter().all(|(known, _)| *known != string)
            {
                torn.push((string, load));
            }
        }
    }
    Some(torn)
}

/// Number of the four strings that tear in order of strength.
pub(super) fn in_turn(change: impl Fn(usize, &mut Material)) -> Option<Outcome> {
    let torn = pulled(change)?;
    let right = torn.iter().enumerate().filter(|(turn, (string, _))| turn == string).count();
    Some(Outcome::absolute(4.0, right as f64))
}

/// Strain of the first one when it tore: half of its strength over its modulus, a tenth.
pub(super) fn longer() -> Option<Outcome> {
    let torn = pulled(|k, material| material.rupture_stress *= 0.5 + 0.1 * k as f64)?;
    Some(Outcome::relative(0.1, torn.first()?.1))
}

/// Four strings that are held along their length and twisted at one end: worst relative error of
/// the angles at which they tear, compared with their rupture shear; `None` if they do not tear in
/// order.
pub(super) fn wound() -> Option<f64> {
    let (mut strings, r) = (Strings::new(), 0.005);
    strings.gravity = DVec3::ZERO;
    strings.settings.contact = false;
    let mut ends = Vec::new();
    for k in 0..4 {
        let material = Material {
            yield_shear: f64::INFINITY,
            rupture_shear: 0.1 + 0.02 * k as f64,
            ..rubber()?
        };
        let y = DVec3::Y * (0.1 * k as f64);
        let build = Build { bend: Bend::Limp, ..Build::straight(y, y + DVec3::X, 20, r, material) };
        strings.add(&build).ok()?;
        let first = strings.particle(k, 0.0);
        for (i, at) in build.points.iter().enumerate() {
            let turn = (i == 0 || i == 20).then_some(Turn::Angle(0.0));
            strings.clamps.push(Clamp { turn, ..Clamp::at(first + i, *at) });
        }
        ends.push(strings.clamps.len() - 1);
    }
    let torn = torn(&mut strings, Cause::Twist, 1500, |strings, step| {
        let angle = 0.03 * f64::from(step);
        for end in &ends {
            strings.clamps[*end].turn = Some(Turn::Angle(angle));
        }
        angle
    })?;
    let in_turn = torn.len() == 4 && torn.iter().enumerate().all(|(k, (string, _))| k == *string);
    // Twist lies between the middles of the two end segments.
    let known = |k: usize| (0.1 + 0.02 * k as f64) * 0.95 / r;
    in_turn.then(|| worst(torn.iter().map(|(k, angle)| angle / known(*k) - 1.0)))
}

/// Permanent strain after a pull beyond the yield point.
pub(super) fn stays_longer() -> Option<Outcome> {
    let material = *Material::find("licorice")?;
    let (r, load) = (0.004, 1.6 * material.yield_stress);
    let mut build = Build::straight(DVec3::ZERO, DVec3::X * 0.5, 10, r, material);
    (build.variation, build.bend) = (0.0, Bend::Limp);
    let mut strings = Strings::of(&build).ok()?;
    (strings.gravity, strings.viscosity) = (DVec3::ZERO, 20.0);
    strings.clamps.push(Clamp::at(0, DVec3::ZERO));
    strings.forces.push(Force { particle: 10, force: DVec3::ZERO });
    for step in 0..400 {
        let slowly = (f64::from(step) / 200.0).min(1.0);
        strings.forces[0].force = DVec3::X * (load * PI * r * r * slowly);
        strings.step(0.01).ok()?;
    }
    strings.forces.clear();
    run(&mut strings, 3.0, 0.01)?;
    let known =
        (load - material.yield_stress) * (1.0 / material.plastic_modulus - 1.0 / material.modulus);
    Some(Outcome::relative(known, strings.state.rests[..10].iter().sum::<f64>() / 0.5 - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_have_no_order() {
        // All tear in one step: the order is that of the list, and the strains are equal.
        let torn = pulled(|_, _| ()).unwrap();
        assert!(torn.iter().all(|(_, longer)| (longer - torn[0].1).abs() < 2e-3), "{torn:?}");
    }
}
