//! Two weights on a rope over a cylinder without friction.
//!
//! Atwood's machine with a rope of `ρ` kg/m and the length `L`: with `M = m₁ + m₂ + ρ L`, the way `x`
//! of the heavier weight and equal lengths at both sides, `M x'' = (m₂ − m₁) g + 2 ρ g x`, so
//! `x = (F/k) (cosh(√(k/M) t) − 1)` with `F = (m₂ − m₁) g` and `k = 2 ρ g`.

use std::f64::consts::PI;

use lariat_core::num::ops;
use lariat_string::{Bend, Build, Twist};

use super::World;
use super::common::{DT, GRAVITY, assert_whole, material, run, settle, step, world};
use super::wrap::{Wrap, cylinder};

const ROPE: f64 = 0.005;

/// A limp rope with a weight at each end, `0.9` m of it at each side of the cylinder.
fn pulley(segments: usize, weights: [f64; 2]) -> World {
    let (around, side) = (0.1 + ROPE, 0.9);
    let contact = (segments as f64 * PI * around / (2.0 * side + PI * around)).round() as usize;
    // As many at both sides.
    let contact = contact + (segments - contact) % 2;
    let each = (segments - contact) / 2;
    let wrap =
        Wrap { around, turn: PI, pitch: 0.0, ends: [side, side], segments: [each, contact, each] };
    let mut build = Build::new(wrap.points(), ROPE, material("hemp"));
    (build.bend, build.twist) = (Bend::Limp, Twist::Free);
    build.weights = vec![(0.0, weights[0]), (1.0, weights[1])];
    let mut world = world(&build);
    world.friction = 0.0;
    world.obstacles.push(cylinder(0.1));
    world
}

#[test]
fn balanced_weights_stay_where_they_are() {
    // A particle on top, and a segment.
    for segments in [60, 61, 120] {
        let mut world = pulley(segments, [1.0, 1.0]);
        let ends = [0, segments];
        settle(&mut world, 1.0);
        let start = ends.map(|i| world.state.positions[i]);
        let mut furthest = 0.0_f64;
        for _ in 0..480 {
            step(&mut world, DT);
            for (i, start) in ends.iter().zip(start) {
                furthest = furthest.max(world.state.positions[*i].distance(start));
            }
        }
        assert_whole(&world);
        assert!(furthest < 1e-3, "{segments} segments: {furthest} m");
    }
}

#[test]
fn an_unbalanced_pulley_accelerates_as_atwoods_machine() {
    for segments in [60, 120] {
        let mut world = pulley(segments, [1.0, 2.0]);
        let mass: f64 = (0..=segments).map(|i| world.mass(i)).sum();
        let per_metre = material("hemp").at_radius(ROPE).mass_per_metre;
        let (force, grows) = (GRAVITY, 2.0 * per_metre * GRAVITY);
        let rate = (grows / mass).sqrt();
        let heights = |world: &World| [0, segments].map(|i| world.state.positions[i].z);
        let speeds = |world: &World| [0, segments].map(|i| world.state.velocities[i].z);
        let start = heights(&world);
        for t in [0.2, 0.4] {
            run(&mut world, 0.2);
            let now = heights(&world);
            let far = 0.5 * ((now[0] - start[0]) + (start[1] - now[1]));
            let known = force / grows * (ops::cosh(rate * t) - 1.0);
            assert!((far / known - 1.0).abs() < 0.02, "{segments}, {t} s: {far} m for {known} m");
            let speed = 0.5 * (speeds(&world)[0] - speeds(&world)[1]);
            let known = force / grows * rate * ops::sinh(rate * t);
            let off = speed / known - 1.0;
            assert!(off.abs() < 0.02, "{segments}, {t} s: {speed} m/s for {known} m/s");
        }
        assert_whole(&world);
    }
}
