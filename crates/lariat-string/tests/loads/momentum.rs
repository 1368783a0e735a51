//! Angular momentum of a free piece, and energy of a swing.

use glam::DVec3;
use lariat_string::{Build, Clamp};

use super::World;
use super::common::{DT, GRAVITY, line, material, run, step, world};

/// Angular momentum about the centre of mass, in kg m²/s, from masses, places and speeds.
fn angular(world: &World) -> DVec3 {
    let (x, v) = (&world.state.positions, &world.state.velocities);
    let mass: f64 = (0..x.len()).map(|i| world.mass(i)).sum();
    let centre = (0..x.len()).map(|i| x[i] * world.mass(i)).sum::<DVec3>() / mass;
    (0..x.len()).map(|i| (x[i] - centre).cross(v[i]) * world.mass(i)).sum()
}

#[test]
fn a_free_piece_keeps_its_angular_momentum() {
    for name in ["hemp", "rubber", "steel-wire"] {
        let half = DVec3::new(0.4, 0.3, 0.0);
        let mut world = world(&Build::straight(-half, half, 40, 0.004, material(name)));
        world.gravity = DVec3::ZERO;
        for (v, x) in world.state.velocities.iter_mut().zip(&world.state.positions) {
            *v = (DVec3::Z * 5.0).cross(*x);
        }
        let start = angular(&world);
        for second in 1..=5 {
            run(&mut world, 1.0);
            let drift = (angular(&world) - start).length() / start.length();
            let allowed = 1e-3 * f64::from(second);
            assert!(drift < allowed, "{name}, {second} s: {drift}");
        }
    }
}

#[test]
fn a_swing_loses_little_energy() {
    // A metre of chain, let go at 45 degrees. What is measured is the energy of positions and
    // velocities, which a step of second order keeps but for its error, up or down.
    let down = DVec3::new(1.0, 0.0, -1.0) / 2.0_f64.sqrt();
    let mut world = world(&Build::chain(line(DVec3::ZERO, down, 50), 0.1));
    world.settings.contact = false;
    world.clamps.push(Clamp::at(0, DVec3::ZERO));
    let total = |world: &World| {
        let energy = world.energy();
        energy.kinetic + energy.height
    };
    // Above that of the chain at rest.
    let swing = total(&world) + 0.1 * GRAVITY * 0.5;
    let start = total(&world);
    let (mut lowest, mut risen) = (start, 0.0_f64);
    for _ in 0..2400 {
        step(&mut world, DT);
        let now = total(&world);
        risen = risen.max(now - lowest);
        lowest = lowest.min(now);
    }
    let lost = (start - total(&world)) / swing / 10.0;
    println!("lost {lost} per second, risen {}", risen / swing);
    assert!(lost < 2e-3, "it loses {lost} of its energy per second");
    assert!(risen < 3e-3 * swing, "it gains {} of its energy", risen / swing);
}
