//! Contact: nothing is missed, nothing passes through, friction stops and never reverses.

use std::collections::BTreeSet;

use glam::DVec3;

use super::super::near::Motion;
use super::*;
use crate::contact::MOST_PAIRS;
use crate::nearest_on_segments;
use lariat_core::dynamics::Diverged;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Collider;
use lariat_core::num::ops;

/// Strings of one segment each.
fn sticks(ends: &[[DVec3; 2]], radius: f64) -> Strings {
    let mut strings = Strings::new();
    for end in ends {
        let material = Material::ideal(1000.0);
        let build = Build { twist: Twist::Free, ..Build::new(end.to_vec(), radius, material) };
        strings.add(&build).unwrap();
    }
    strings
}

/// Pairs of segments that touch, by the list of near pairs.
fn found(strings: &mut Strings) -> BTreeSet<(u32, u32)> {
    let (state, parts) = (&strings.state, &strings.parts);
    let x = &state.positions;
    let motion = Motion { from: x, to: x };
    strings.work.near.look(&state.spans, parts, &[], &motion, &[]);
    let near: Vec<(u32, u32)> = (strings.work.near.pairs.iter())
        .map(|pair| pair.segments.map(|i| i as usize))
        .filter(|[i, j]| {
            let (_, _, gap) = nearest_on_segments([x[*i], x[i + 1]], [x[*j], x[j + 1]]);
            gap.length() < parts.radius[*i] + parts.radius[*j]
        })
        .map(|[i, j]| (i as u32, j as u32))
        .collect();
    let set: BTreeSet<_> = near.iter().copied().collect();
    assert_eq!(set.len(), near.len(), "each pair once");
    set
}

#[test]
fn crossing_segments_that_seven_voxels_miss() {
    // Thin, cells as long as a segment: they cross, but no ends are in equal or face-adjacent cells.
    let a = [DVec3::new(-0.08, 0.9, 0.46), DVec3::new(0.78, 0.9, -0.05)];
    let b = [DVec3::new(0.2, 1.06, 0.146), DVec3::new(1.02002, 0.50828, 0.16989)];
    let cell = |p: DVec3| p.floor();
    for p in a {
        for q in b {
            let apart = (cell(p) - cell(q)).abs();
            assert!(apart.element_sum() > 1.0, "{p} {q}: the paper's seven would see it");
        }
    }
    let mut strings = sticks(&[a, b], 1e-3);
    assert_eq!(found(&mut strings).len(), 1);
}

#[test]
fn thick_segments_that_seven_voxels_miss() {
    let a = [DVec3::new(0.0, 0.98, 0.5), DVec3::new(0.98, 0.98, 0.5)];
    let b = [DVec3::new(1.02, 1.02, 0.5), DVec3::new(2.0, 1.02, 0.5)];
    let mut strings = sticks(&[a, b], 0.03);
    assert_eq!(found(&mut strings).len(), 1);
    // A little thinner they do not touch.
    let mut strings = sticks(&[a, b], 0.028);
    assert_eq!(found(&mut strings).len(), 0);
}

#[test]
fn no_contact_is_missed_in_a_million_pairs() {
    let mut dice = Dice(77);
    let (mut pairs, mut touching) = (0_u32, 0);
    let rounds = 40;
    for round in 0..rounds {
        let radius = [0.001, 0.02, 0.05, 0.2][round % 4];
        let mut random = || DVec3::new(dice.unit(), dice.unit(), dice.unit());
        let ends: Vec<[DVec3; 2]> = (0..230)
            .map(|_| {
                let middle = (random() - DVec3::splat(0.5)) * 4.0;
                let way = (random() - DVec3::splat(0.5)).try_normalize().unwrap();
                let half = way * (0.5 * random().x.max(0.05));
                [middle - half, middle + half]
            })
            .collect();
        let mut known = BTreeSet::new();
        for i in 0..ends.len() {
            for j in i + 1..ends.len() {
                pairs += 1;
                let (_, _, gap) = nearest_on_segments(ends[i], ends[j]);
                if gap.length() < 2.0 * radius {
                    known.insert((2 * i as u32, 2 * j as u32));
                }
            }
        }
        touching += known.len();
        let mut strings = sticks(&ends, radius);
        let ours = found(&mut strings);
        assert_eq!(ours, known, "radius {radius}");
    }
    assert!(pairs > 1_000_000 && touching > 3000, "{touching} of {pairs}");
}

/// A coarse string beside a fine one: margins follow the segments, so there are few pairs.
#[test]
fn segments_of_different_length_have_few_pairs() {
    let mut strings = Strings::new();
    strings.add(&cord(line(DVec3::ZERO, DVec3::X, 10), 0.005)).unwrap();
    strings.add(&cord(line(DVec3::Y, DVec3::Y + DVec3::X, 10_000), 0.005)).unwrap();
    assert!(found(&mut strings).is_empty());
    let pairs = strings.work.near.pairs.len();
    assert!(pairs < 20_000, "{pairs} pairs of a straight string with itself");
}

fn cord(points: Vec<DVec3>, radius: f64) -> Build {
    let material = Material::ideal(1000.0);
    Build { bend: Bend::Limp, twist: Twist::Free, ..Build::new(points, radius, material) }
}

fn line(from: DVec3, to: DVec3, segments: usize) -> Vec<DVec3> {
    (0..=segments).map(|i| from.lerp(to, i as f64 / segments as f64)).collect()
}

fn run(strings: &mut Strings, seconds: f64, dt: f64) {
    for _ in 0..(seconds / dt).round() as u32 {
        strings.step(dt).unwrap();
    }
}

#[test]
fn neighbours_do_not_push_each_other() {
    // Thick for its segments, and curved.
    let points = (0..60)
        .map(|i| {
            let (s, c) = ops::sin_cos(0.05 * f64::from(i));
            DVec3::new(s, c, 0.0) * 0.2
        })
        .collect();
    let mut strings = Strings::of(&cord(points, 0.015)).unwrap();
    strings.gravity = DVec3::ZERO;
    let before = strings.state.positions.clone();
    run(&mut strings, 0.2, 0.01);
    assert_eq!(strings.touches().len(), 0);
    for (now, then) in strings.state.positions.iter().zip(&before) {
        assert!(now.distance(*then) < 1e-9);
    }
}

/// Two strings whose segments are a thousand times shorter than they are thick: every segment of one is
/// near every segment of the other.
#[test]
fn too_many_segments_near_each_other_are_refused() {
    let mut strings = Strings::new();
    for y in [0.0, 0.016] {
        let ends = [DVec3::new(0.0, y, 0.0), DVec3::new(0.006, y, 0.0)];
        strings.add(&cord(line(ends[0], ends[1], 1500), 0.009)).unwrap();
    }
    let before = strings.state.positions.clone();
    let refused = strings.step(0.01).unwrap_err();
    assert_eq!(refused, Diverged::Crowded { time: 0.01, pairs: MOST_PAIRS });
    assert_eq!(strings.state.positions, before, "nothing moves");
    assert!(strings.work.near.pairs.is_empty());
}

#[test]
fn what_is_fast_does_not_pass_through() {
    for speed in [3.0, 30.0, 200.0] {
        let mut strings = Strings::new();
        strings.add(&cord(line(-DVec3::X, DVec3::X, 20), 0.004)).unwrap();
        let across = line(DVec3::new(0.03, -0.3, 0.3), DVec3::new(0.03, 0.3, 0.3), 7);
        strings.add(&cord(across, 0.004)).unwrap();

        strings.gravity = DVec3::ZERO;
        for i in 0..=20 {
            let at = strings.state.positions[i];
            strings.clamps.push(Clamp::at(i, at));
        }
        for v in &mut strings.state.velocities[21..] {
            *v = DVec3::Z * -speed;
        }
        for _ in 0..(0.7 / speed / 0.01).ceil() as u32 {
            strings.step(0.01).unwrap();
        }
        // Its ends go on, its middle hangs on the other.
        let middle = strings.state.positions[21..].iter().map(|x| x.z).fold(f64::MIN, f64::max);
        assert!(middle > -0.004, "at {speed} m/s its highest is at {middle}");
    }
}

#[test]
fn two_strings_that_meet_keep_their_momentum() {
    let mut strings = Strings::new();
    strings.add(&cord(line(-DVec3::X * 0.2, DVec3::X * 0.2, 9), 0.005)).unwrap();
    let high = DVec3::new(0.03, 0.0, 0.03);
    let across = line(high - DVec3::Y * 0.1, high + DVec3::Y * 0.2, 8);
    strings.add(&cord(across, 0.005)).unwrap();
    strings.gravity = DVec3::ZERO;
    strings.state.velocities[10..].fill(DVec3::new(0.1, 0.2, -1.0));
    let before = strings.momentum().0;
    let mut touched = false;
    for _ in 0..20 {
        strings.step(0.01).unwrap();
        touched |= !strings.touches().is_empty();
        let off = (strings.momentum().0 - before).length();
        assert!(off < 1e-12, "{off:e}");
    }
    assert!(touched);
}

#[test]
fn friction_between_strings_stops_and_holds() {
    // One string over another that is held, pulled down at both ends: it hangs there.
    let slid = [0.0, 0.8].map(|friction| {
        let mut strings = Strings::new();
        let tilted = line(DVec3::new(-0.5, 0.0, -0.1), DVec3::new(0.5, 0.0, 0.1), 10);
        strings.add(&cord(tilted.clone(), 0.01)).unwrap();
        for (i, at) in tilted.iter().enumerate() {
            strings.clamps.push(Clamp::at(i, *at));
        }
        let over = line(DVec3::new(0.0, -0.2, 0.0), DVec3::new(0.0, 0.2, 0.0), 20);
        let over = over.into_iter().map(|p| p + DVec3::Z * 0.021).collect();
        strings.add(&cord(over, 0.01)).unwrap();
        strings.friction = friction;
        strings.viscosity = 2.0;
        run(&mut strings, 0.6, 0.01);
        strings.state.positions[21].x
    });
    assert!(slid[0] < -0.1, "without friction it slides: {slid:?}");
    assert!(slid[1].abs() < 0.02, "with friction it stays: {slid:?}");
}

fn floor() -> Obstacle {
    Obstacle::standing(Collider::Plane { point: DVec3::ZERO, normal: DVec3::Z }, 0.0)
}

#[test]
fn what_falls_on_the_floor_lies_still() {
    let mut strings =
        Strings::of(&cord(line(DVec3::Z * 0.3, DVec3::new(1.0, 0.0, 0.5), 30), 0.005)).unwrap();
    strings.obstacles.push(floor());
    run(&mut strings, 2.0, 0.01);
    for (x, v) in strings.state.positions.iter().zip(&strings.state.velocities) {
        // On the floor, or on the string itself.
        assert!(x.z > 0.004 && x.z < 0.016, "{x}");
        assert!(v.length() < 0.05, "{v}");
    }
    let before = strings.state.positions.clone();
    run(&mut strings, 1.0, 0.01);
    for (now, then) in strings.state.positions.iter().zip(&before) {
        assert!(now.distance(*then) < 2e-3, "{now} {then}");
    }
}

#[test]
fn what_slides_stops_and_stays() {
    let start = line(DVec3::new(0.0, 0.0, 0.005), DVec3::new(0.5, 0.0, 0.005), 10);
    let mut strings = Strings::of(&cord(start, 0.005)).unwrap();
    strings.obstacles.push(floor());
    strings.friction = 0.3;
    strings.state.velocities.fill(DVec3::Y);
    let known = 1.0 / (2.0 * 0.3 * 9.81);
    let mut fastest_back = 0.0_f64;
    for _ in 0..200 {
        strings.step(0.005).unwrap();
        fastest_back = strings.state.velocities.iter().fold(fastest_back, |most, v| most.max(-v.y));
    }
    let far = strings.state.positions[5].y;
    assert!((far / known - 1.0).abs() < 0.05, "{far} for {known}");
    // Friction gives way by micrometres before it slides, and springs back by as much.
    assert!(fastest_back < 0.01, "{fastest_back}");
    assert!(strings.state.velocities.iter().all(|v| v.length() < 1e-9));
}

#[test]
fn a_slope_holds_up_to_its_friction() {
    for (friction, holds) in [(0.55, false), (0.6, true)] {
        // A slope of 30°, whose tangent is 0.577.
        let normal = DVec3::new(-0.5, 0.0, 0.75_f64.sqrt());
        let down = DVec3::new(-(0.75_f64.sqrt()), 0.0, -0.5);
        let lies = line(normal * 0.005, normal * 0.005 + DVec3::Y * 0.3, 10);
        let mut strings = Strings::of(&cord(lies, 0.005)).unwrap();
        let slope = Collider::Plane { point: DVec3::ZERO, normal };
        strings.obstacles.push(Obstacle::standing(slope, 0.0));
        strings.friction = friction;
        run(&mut strings, 1.0, 0.01);
        let far = strings.state.positions[5].dot(down);
        assert_eq!(far < 1e-4, holds, "{far} with {friction}");
        if !holds {
            // g (sin − μ cos) / 2
            let known = 0.5 * 9.81 * (0.5 - friction * 0.75_f64.sqrt());
            assert!((far / known - 1.0).abs() < 0.1, "{far} for {known}");
        }
    }
}

#[test]
fn a_floor_that_rises_takes_the_string_along() {
    let lies = line(DVec3::new(0.0, 0.0, 0.005), DVec3::new(0.5, 0.0, 0.005), 10);
    let mut strings = Strings::of(&cord(lies, 0.005)).unwrap();
    let plane =
        |t: f64| Collider::Plane { point: DVec3::new(0.2 * t, 0.0, 0.5 * t), normal: DVec3::Z };
    strings.obstacles.push(floor());
    for step in 0..100 {
        let (from, to) = (0.01 * f64::from(step), 0.01 * f64::from(step + 1));
        strings.obstacles[0] = Obstacle { before: plane(from), now: plane(to), margin: 0.0 };
        strings.step(0.01).unwrap();
    }
    for (i, x) in strings.state.positions.iter().enumerate() {
        let known = DVec3::new(0.05 * i as f64 + 0.2, 0.0, 0.505);
        assert!(x.distance(known) < 0.01, "{x} for {known}");
    }
}
