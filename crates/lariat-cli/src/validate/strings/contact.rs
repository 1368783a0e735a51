//! Strings that touch: pairs that are found, and sliding.
//!
//! Tests: `halving_finds_the_nearest_places`.

use std::collections::BTreeSet;

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Collider;
use lariat_string::{Bend, Build, Fibre, Strings, Twist};

use super::super::check::Outcome;
use super::super::reference::dice::Dice;
use super::{GRAVITY, line, run};

/// How near a point is to a segment.
fn from_point(p: DVec3, [a, b]: [DVec3; 2]) -> f64 {
    let along = b - a;
    let s = ((p - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    p.distance(a + along * s)
}

/// How near two segments are to each other: the distance to one, along the other, has one valley,
/// which is found by thirds.
fn apart(a: [DVec3; 2], b: [DVec3; 2]) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let at = |s: f64| from_point(a[0].lerp(a[1], s), b);
    for _ in 0..80 {
        let (one, two) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(one) < at(two) { high = two } else { low = one }
    }
    at(0.5 * (low + high))
}

/// Strings of one segment each, none of which moves.
fn sticks(ends: &[[DVec3; 2]], radius: f64) -> Option<Strings> {
    let mut strings = Strings::new();
    strings.gravity = DVec3::ZERO;
    for end in ends {
        let fibre = Fibre::ideal(1000.0);
        let build = Build { twist: Twist::Free, ..Build::new(end.to_vec(), radius, fibre) };
        strings.add(&build).ok()?;
    }
    Some(strings)
}

/// Pairs that are found though they do not touch, or the other way round, in rounds of 26,335 each.
/// Those that touch by less than a millionth of their radius are left out: both answers are right.
pub(super) fn missed(rounds: usize) -> Option<f64> {
    let mut dice = Dice::new(77);
    let mut wrong = 0_u32;
    for round in 0..rounds {
        let radius = [0.001, 0.02, 0.05, 0.2][round % 4];
        let ends: Vec<[DVec3; 2]> = (0..230)
            .map(|_| {
                let middle = DVec3::from_array([(); 3].map(|()| dice.between(-2.0, 2.0)));
                let way = DVec3::from_array([(); 3].map(|()| dice.between(-0.5, 0.5)));
                let half = way.normalize_or(DVec3::X) * (0.5 * dice.between(0.05, 1.0));
                [middle - half, middle + half]
            })
            .collect();
        let mut strings = sticks(&ends, radius)?;
        // So short a step that nothing has moved.
        strings.step(1e-12).ok()?;
        let pair = |touch: &lariat_string::Touch| {
            let [a, b] = touch.segments.map(|segment| segment / 2);
            (a.min(b), a.max(b))
        };
        let found: BTreeSet<(usize, usize)> = strings.touches().iter().map(pair).collect();
        for i in 0..ends.len() {
            for j in i + 1..ends.len() {
                let near = ends[i][0].distance(ends[j][0]) < 2.0 * (1.0 + radius);
                let gap = if near { apart(ends[i], ends[j]) } else { f64::INFINITY };
                let clear = (gap - 2.0 * radius).abs() > 1e-6 * radius;
                wrong += u32::from(clear && (gap < 2.0 * radius) != found.contains(&(i, j)));
            }
        }
    }
    Some(f64::from(wrong))
}

/// How far a string slides that lies on a floor and is pushed across itself.
pub(super) fn slide() -> Option<Outcome> {
    let (friction, r) = (0.3, 0.005);
    let points = line(DVec3::new(0.0, 0.0, r), DVec3::new(0.5, 0.0, r), 10);
    let mut build = Build::new(points, r, Fibre::ideal(1000.0));
    (build.bend, build.twist) = (Bend::Limp, Twist::Free);
    let mut strings = Strings::of(&build).ok()?;
    strings.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.0));
    strings.friction = friction;
    strings.state.velocities.fill(DVec3::Y);
    run(&mut strings, 1.0, 0.005)?;
    Some(Outcome::relative(0.5 / (friction * GRAVITY), strings.state.positions[5].y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halving_finds_the_nearest_places() {
        let a = [DVec3::ZERO, DVec3::X];
        assert!(
            (apart(a, [DVec3::new(0.3, -1.0, 2.0), DVec3::new(0.3, 1.0, 2.0)]) - 2.0).abs() < 1e-12
        );
        assert!(
            (apart(a, [DVec3::new(3.0, 4.0, 0.0), DVec3::new(9.0, 4.0, 0.0)]) - 20.0_f64.sqrt())
                .abs()
                < 1e-9
        );
    }
}
