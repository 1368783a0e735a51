//! Strings that touch: pairs that are found, and sliding.

use std::collections::BTreeSet;

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::dynamics::material::Material;
use lariat_core::model::layer::Collider;
use lariat_string::{Bend, Build, Strings, Twist};

use super::super::check::Outcome;
use super::super::reference::dice::Dice;
use super::{GRAVITY, line, run};

/// Distance of a point from a segment.
fn from_point(p: DVec3, [a, b]: [DVec3; 2]) -> f64 {
    let along = b - a;
    let s = ((p - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    p.distance(a + along * s)
}

/// Distance between two segments: the distance to one, along the other, has one minimum, which is
/// found by ternary search.
fn apart(a: [DVec3; 2], b: [DVec3; 2]) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let at = |s: f64| from_point(a[0].lerp(a[1], s), b);
    for _ in 0..80 {
        let (one, two) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(one) < at(two) { high = two } else { low = one }
    }
    at(0.5 * (low + high))
}

/// Number of pairs in one trial, each far from the others.
const PAIRS: usize = 1000;

/// Number of pairs that are found although they do not touch, or missed although they do, in some
/// trials. Pairs whose gap or overlap is below a millionth of their radius do not count: both
/// answers are right.
pub(super) fn missed(rounds: usize) -> Option<f64> {
    let mut dice = Dice::new(77);
    let (mut wrong, mut touching) = (0_u32, 0_u32);
    for round in 0..rounds {
        let radius = [0.001, 0.02, 0.05, 0.2][round % 4];
        let mut strings = Strings::new();
        strings.gravity = DVec3::ZERO;
        let mut random = |size: f64| DVec3::from_array([(); 3].map(|()| dice.between(-size, size)));
        let mut gaps = Vec::new();
        for pair in 0..PAIRS {
            // Random offset from a grid of three metres, so that pairs are far from each other.
            let [x, y, z] = [pair % 10, pair / 10 % 10, pair / 100].map(|i| 3.0 * i as f64);
            let middle = DVec3::new(x, y, z) + random(0.5);
            let sticks = [0.0, 0.3].map(|off| {
                let half = random(0.5);
                let at = middle + random(off);
                [at - half, at + half]
            });
            for ends in sticks {
                let material = Material::ideal(1000.0);
                let build =
                    Build { twist: Twist::Free, ..Build::new(ends.to_vec(), radius, material) };
                strings.add(&build).ok()?;
            }
            gaps.push(apart(sticks[0], sticks[1]) - 2.0 * radius);
        }
        // The step is so short that nothing moves.
        strings.step(1e-9).ok()?;
        let pair = |touch: &lariat_string::Touch| touch.segments.map(|segment| segment / 4);
        let found: BTreeSet<[usize; 2]> = strings.touches().iter().map(pair).collect();
        for (k, gap) in gaps.iter().enumerate() {
            touching += u32::from(*gap < 0.0);
            let clear = gap.abs() > 1e-6 * radius;
            wrong += u32::from(clear && (*gap < 0.0) != found.contains(&[k, k]));
        }
        wrong += found.iter().filter(|[a, b]| a != b).count() as u32;
    }
    // If hardly any pair touched, the result would mean nothing.
    (touching as usize > rounds * PAIRS / 20).then_some(f64::from(wrong))
}

/// Sliding distance of a string on a floor with an initial sideways velocity.
pub(super) fn slide() -> Option<Outcome> {
    let (friction, r) = (0.3, 0.005);
    let points = line(DVec3::new(0.0, 0.0, r), DVec3::new(0.5, 0.0, r), 10);
    let mut build = Build::new(points, r, Material::ideal(1000.0));
    (build.bend, build.twist) = (Bend::Limp, Twist::Free);
    let mut strings = Strings::of(&build).ok()?;
    strings.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.0));
    strings.friction = friction;
    strings.state.velocities.fill(DVec3::Y);
    run(&mut strings, 1.0, 0.005)?;
    Some(Outcome::relative(0.5 / (friction * GRAVITY), strings.state.positions[5].y))
}
