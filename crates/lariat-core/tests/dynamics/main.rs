//! Simulated ropes as in a game: steps that do not allocate.
//!
//! Every allocation of this program is counted, thread by thread.

use allocation_counter::measure;
use glam::DVec3;
use lariat_core::dynamics::{
    air::Gusts,
    contact::Obstacle,
    material::{Material, Section},
    spline_rope::{Build, Force, Pin, SplineRope},
};
use lariat_core::model::layer::Collider;
use lariat_core::num::ops;

/// Two metres of rubber above a floor, in gusts, with a hand at its start and another in its
/// middle.
fn rope(build: &Build) -> SplineRope {
    let line: Vec<DVec3> = (0..=40).map(|i| DVec3::new(0.05 * f64::from(i), 0.0, 0.1)).collect();
    let mut rope = SplineRope::along(&line, build).expect("a valid rope");
    rope.pins.extend([Pin::at(0.0, line[0]), Pin::at(0.5, line[20])]);
    rope.forces.push(Force { u: 1.0, force: DVec3::Y * 0.05 });
    rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.01));
    let stick = |y: f64| {
        let (from, to) = (DVec3::new(1.2, y, 0.06), DVec3::new(1.8, y, 0.06));
        Collider::Capsule { from, to, radius: 0.02 }
    };
    rope.obstacles.push(Obstacle::standing(stick(-0.3), 0.01));
    rope.air.density = 1.2;
    rope.air.wind = DVec3::X;
    rope.air.turbulence = 1.0;
    rope.air.gusts = Some(Gusts::new(1.0, 7));
    rope.radius = 0.01;
    rope.viscosity = 2.0;
    rope
}

/// Makes step `k`: moves the hands, the stick and the gusts; the second hand lets go at times.
fn step(rope: &mut SplineRope, k: u32, dt: f64) -> u32 {
    let t = f64::from(k) * dt;
    rope.pins[0].target = DVec3::new(0.0, 0.2 * ops::sin(9.0 * t), 0.1 + 0.05 * ops::sin(5.0 * t));
    rope.pins[1].target = DVec3::new(0.8, 0.1 * ops::sin(7.0 * t), 0.1);
    rope.pins[1].on = k % 100 < 60;
    let stick = &mut rope.obstacles[1];
    stick.before = stick.now.clone();
    if let Collider::Capsule { from, to, .. } = &mut stick.now {
        let y = 0.3 * ops::sin(12.0 * t);
        (from.y, to.y) = (y, y);
    }
    rope.air.carried = rope.air.wind * t;
    rope.air.changed = t;
    rope.step(dt).expect("no divergence").contacts
}

/// Steps once, then asserts that no later step allocates.
fn assert_no_allocation(build: &Build, steps: u32, dt: f64) {
    let mut rope = rope(build);
    step(&mut rope, 0, dt);
    let mut contacts = 0;
    let allocated = measure(|| {
        for k in 1..steps {
            contacts += step(&mut rope, k, dt);
        }
    });
    assert!(contacts >= 50, "only {contacts} contacts");
    assert_eq!(allocated.count_total, 0);
}

#[test]
fn no_step_allocates() {
    let rubber = Material::find("rubber").expect("a material").at_radius(0.01);
    let section = Section { stretch: 500.0, inner_friction: 1e-4, ..rubber };
    assert_no_allocation(&Build::new(16, section), 240, 1.0 / 60.0);
}

#[test]
fn an_added_pin_allocates_only_once() {
    let section = Material::find("hemp").expect("a material").at_radius(0.01);
    let mut rope = rope(&Build::new(16, section));
    let pin = Pin::at(0.25, rope.point(0.25));
    rope.pins.push(pin);
    for on in [true, false, true] {
        rope.pins[2].on = on;
        rope.step(1.0 / 60.0).expect("no divergence");
    }
    let allocated = measure(|| {
        for k in 0..60_u32 {
            rope.pins[2].on = k % 3 != 0;
            rope.step(1.0 / 60.0).expect("no divergence");
        }
    });
    assert_eq!(allocated.count_total, 0);
}
