//! Absurd numbers: every step is finite or refused, and the work that it takes is bounded.

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::dynamics::material::Material;
use lariat_core::model::layer::Collider;
use lariat_core::num::ops;
use lariat_string::{Build, Clamp, Force, Torque};

use super::World;
use super::common::{Dice, material};

const WORLDS: u64 = 100;
const STEPS: u32 = 8;

/// Most iterations of a step of a 24th of a second: four substeps, each in 64 parts, and six tries
/// that led there, of 32 iterations at most, for each piece.
const MOST: u32 = 4 * (64 + 6) * 32;

/// A number whose logarithm is even between those of two others.
fn any(dice: &mut Dice, low: f64, high: f64) -> f64 {
    ops::exp(dice.between(ops::ln(low), ops::ln(high)))
}

/// A string of random numbers, or none if it is refused.
fn absurd(dice: &mut Dice) -> Option<World> {
    let modulus = any(dice, 1.0, 1e15);
    let stress = any(dice, 1.0, 1e12);
    let odd = Material {
        density: any(dice, 1e-6, 1e9),
        modulus,
        plastic_modulus: modulus * dice.between(0.01, 0.99),
        yield_stress: stress,
        rupture_stress: stress * dice.between(1.01, 10.0),
        shear_modulus: any(dice, 1e-3, 1e14),
        inner_friction: any(dice, 1e-6, 1e3),
        rigidity: dice.between(0.0, 1.0),
        ..material("rubber")
    };
    let segments = dice.between(2.0, 61.0) as usize;
    let size = any(dice, 1e-3, 1e3);
    let points = (0..=segments).map(|i| DVec3::X * (size * i as f64) + dice.vector(size)).collect();
    let mut build = Build::new(points, any(dice, 1e-5, 600.0), odd);
    build.tears = dice.between(0.0, 1.0) < 0.5;
    build.stretches = dice.between(0.0, 1.0) < 0.7;
    build.pushes = dice.between(0.0, 1.0) < 0.3;
    build.curved = dice.between(0.0, 1.0) < 0.3;
    if dice.between(0.0, 1.0) < 0.3 {
        build.weights.push((dice.between(0.0, 1.0), any(dice, 1e-9, 1e9)));
    }
    let mut world = World::of(&build).ok()?;
    if dice.between(0.0, 1.0) < 0.5 {
        world.obstacles.push(Obstacle::standing(Collider::floor(-size), 0.0));
    }
    for _ in 0..dice.between(0.0, 4.0) as usize {
        let particle = dice.between(0.0, (segments + 1) as f64) as usize;
        world.clamps.push(Clamp::at(particle, build.points[particle]));
    }
    Some(world)
}

/// Moves clamps and forces anywhere.
fn disturb(world: &mut World, dice: &mut Dice) {
    for k in 0..world.clamps.len() {
        let far = any(dice, 1e-3, 1e4);
        world.clamps[k].target = dice.vector(far);
    }
    let count = world.state.particles() as f64;
    let strong = any(dice, 1e-3, 1e12);
    let force = dice.vector(strong);
    let particle = dice.between(0.0, count) as usize;
    world.forces = vec![Force { particle, force }];
    let segment = dice.between(0.0, count - 1.0) as usize;
    world.torques = vec![Torque { segment, torque: any(dice, 1e-6, 1e6) }];
}

#[test]
fn absurd_numbers_give_finite_places_or_an_error_in_time() {
    let mut refused = 0;
    for seed in 0..WORLDS {
        let mut dice = Dice(1000 + seed);
        let Some(mut world) = absurd(&mut dice) else {
            refused += 1;
            continue;
        };
        for k in 0..STEPS {
            disturb(&mut world, &mut dice);
            let dt = if k % 2 == 0 { 1.0 / 240.0 } else { 1.0 / 24.0 };
            let made = world.step(dt);
            let state = &world.state;
            let fine = state.positions.iter().chain(&state.velocities).all(|x| x.is_finite());
            assert!(fine, "seed {seed}, step {k}: {made:?}");
            match made {
                Ok(report) => {
                    let most = MOST * world.state.spans.len() as u32;
                    assert!(report.iterations <= most, "seed {seed}: {report:?}");
                }
                Err(_) => break,
            }
        }
    }
    assert!(refused < WORLDS / 4, "{refused} of {WORLDS} worlds were refused and test nothing");
}
