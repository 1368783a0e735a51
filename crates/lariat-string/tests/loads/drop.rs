//! Every material, hung plumb above the floor and released.
//!
//! A column on a clamped foot stands up to Greenhill's height `(7.8373 EI / ρ g A)^(1/3)`. A string
//! that is longer than that must fall; one that is shorter may stand or lean for a while, since it is
//! exactly plumb. A string that falls plumb makes a heap, so its highest particle may lie on several
//! strands; the mean may not.

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::dynamics::material::{MATERIALS, Material};
use lariat_core::model::layer::Collider;
use lariat_core::num::ops;
use lariat_string::Build;

use super::common::{DT, GRAVITY, assert_whole, material, step, world};

const ROPE: f64 = 0.004;

/// Length of the strings, and height of their lower ends above the floor, in metres.
const LENGTH: f64 = 1.0;
const ABOVE: f64 = 0.05;

/// Greenhill's height of a column, in metres.
fn greenhill(material: &Material) -> f64 {
    let section = material.at_radius(ROPE);
    ops::cbrt(7.8373 * section.bend / (section.mass_per_metre * GRAVITY))
}

fn drop(name: &str) {
    let material = material(name);
    let (low, high) = (DVec3::Z * ABOVE, DVec3::Z * (ABOVE + LENGTH));
    let mut world = world(&Build::straight(low, high, 50, ROPE, material));
    world.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.0));
    let mut lowest = f64::INFINITY;
    for _ in 0..720 {
        step(&mut world, DT);
        lowest = world.state.positions.iter().map(|x| x.z).fold(lowest, f64::min);
    }
    assert_whole(&world);
    let heights: Vec<f64> = world.state.positions.iter().map(|x| x.z).collect();
    let top = heights.iter().copied().fold(0.0, f64::max);
    let mean = heights.iter().sum::<f64>() / heights.len() as f64;
    let stands = greenhill(&material);
    let deep = ROPE - lowest;
    println!("{name}: top {top} m, mean {mean} m, {deep} m deep, Greenhill {stands} m");
    assert!(deep < 0.1 * ROPE, "{name} was {deep} m in the floor");
    if stands < LENGTH {
        assert!(mean < 3.0 * ROPE, "{name} lies {mean} m high, and stands up to {stands} m");
        assert!(top < 8.0 * ROPE, "{name} reaches {top} m, and stands up to {stands} m");
    } else {
        assert!(top < LENGTH + ABOVE, "{name} has risen to {top} m");
    }
}

#[test]
fn greenhills_height_divides_the_table() {
    let stand: Vec<&str> =
        MATERIALS.iter().filter(|row| greenhill(row) > LENGTH).map(|row| row.name).collect();
    assert_eq!(stand, ["nylon-line", "steel-wire"]);
}

#[test]
fn hemp_that_is_dropped_plumb_lies_flat() {
    drop("hemp");
}

#[test]
fn nylon_rope_that_is_dropped_plumb_lies_flat() {
    drop("nylon-rope");
}

#[test]
fn steel_cable_that_is_dropped_plumb_lies_flat() {
    drop("steel-cable");
}

#[test]
fn rubber_that_is_dropped_plumb_lies_flat() {
    drop("rubber");
}

#[test]
fn chain_that_is_dropped_plumb_lies_flat() {
    drop("chain");
}

#[test]
fn cotton_thread_that_is_dropped_plumb_lies_flat() {
    drop("cotton-thread");
}

#[test]
fn nylon_line_stays_whole_when_it_is_dropped_plumb() {
    drop("nylon-line");
}

#[test]
fn spaghetti_that_is_dropped_plumb_lies_flat() {
    drop("spaghetti");
}

#[test]
fn licorice_that_is_dropped_plumb_lies_flat() {
    drop("licorice");
}

#[test]
fn steel_wire_stays_whole_when_it_is_dropped_plumb() {
    drop("steel-wire");
}

#[test]
fn shoelace_that_is_dropped_plumb_lies_flat() {
    drop("shoelace");
}
