//! Solids against closed forms, and what must always hold.

use std::cell::Cell;
use std::sync::Arc;

use glam::DMat3;
use lariat_core::model::layer::collider::HeightField;

use super::*;

mod touch;

const G: f64 = 9.81;

thread_local! {
    static BY_RAPIER: Cell<u64> = const { Cell::new(0) };
}

/// Does something, and counts what it allocates as rapier's.
pub(crate) fn apart(what: impl FnOnce()) {
    let counted = allocation_counter::measure(what);
    BY_RAPIER.set(BY_RAPIER.get() + counted.count_total);
}

/// How often something allocates: by itself, and within rapier.
pub(crate) fn allocations(what: impl FnOnce()) -> (u64, u64) {
    BY_RAPIER.set(0);
    let all = allocation_counter::measure(what).count_total;
    (all - BY_RAPIER.get(), BY_RAPIER.get())
}

fn crates(solids: Vec<Solid>) -> Solids {
    Solids { solids, gravity: DVec3::Z * -G, ..Solids::default() }
}

fn cube(z: f64) -> Solid {
    Solid::new(Shape::Box { half: DVec3::splat(0.1) }, 2.0, DVec3::Z * z)
}

#[test]
fn free_fall_is_that_of_a_stone() {
    let mut all = crates(vec![cube(10.0)]);
    for _ in 0..1000 {
        all.step(1e-3).unwrap();
    }
    let fallen = 10.0 - all.solids[0].position.z;
    assert!((fallen - 0.5 * G).abs() < 1e-12, "{fallen}");
    assert!((all.solids[0].velocity.z + G).abs() < 1e-12);
}

#[test]
fn moments_are_those_of_rapier() {
    let shapes = [
        Shape::Box { half: DVec3::new(0.1, 0.3, 0.2) },
        Shape::Ball { radius: 0.2 },
        Shape::Cylinder { half: 0.4, radius: 0.1 },
    ];
    for shape in shapes {
        let mut all = crates(vec![Solid::new(shape, 3.0, DVec3::ZERO)]);
        all.gravity = DVec3::ZERO;
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            all.solids[0] = Solid::new(shape, 3.0, DVec3::ZERO);
            all.forget();
            all.turn(0, axis * 0.5);
            all.step(1e-3).unwrap();
            let wanted = 0.5 * 1e-3 / (3.0 * shape.moments().dot(axis));
            let found = all.solids[0].spin.dot(axis);
            assert!((found / wanted - 1.0).abs() < 1e-6, "{shape:?} {axis}: {found} for {wanted}");
        }
    }
}

#[test]
fn a_push_moves_a_point_as_it_gives_way() {
    let mut solid = Solid::new(Shape::Box { half: DVec3::new(0.4, 0.1, 0.2) }, 1.5, DVec3::ONE);
    solid.rotation = DQuat::from_rotation_arc(DVec3::X, DVec3::new(0.36, -0.48, 0.8));
    let mut all = crates(vec![solid]);
    all.gravity = DVec3::ZERO;
    let place = solid.point(DVec3::new(0.4, 0.05, -0.2));
    let force = DVec3::new(3.0, -1.0, 2.0);
    all.push(0, force, place);
    all.step(1e-5).unwrap();
    let wanted = solid.gives(place) * force * 1e-5;
    let moved = Solid { position: solid.position, ..all.solids[0] }.velocity_at(place);
    assert!(moved.distance(wanted) < 1e-8 * wanted.length().max(1.0), "{moved} for {wanted}");
    assert!(wanted.length() > 1e-5);
}

#[test]
fn a_free_solid_keeps_its_spin() {
    let mut top = Solid::new(Shape::Box { half: DVec3::new(0.3, 0.2, 0.05) }, 1.0, DVec3::ZERO);
    top.spin = DVec3::new(0.1, 6.0, 0.1);
    let angular = |solid: &Solid| {
        let axes = DMat3::from_quat(solid.rotation);
        axes * ((solid.shape.moments() * solid.mass) * (axes.transpose() * solid.spin))
    };
    let (before, energy) = (angular(&top), top.energy());
    let mut all = crates(vec![top]);
    all.gravity = DVec3::ZERO;
    let mut tumbled = 0.0_f64;
    for _ in 0..2000 {
        all.step(1.0 / 240.0).unwrap();
        let solid = &all.solids[0];
        tumbled = tumbled.max(-(solid.rotation * DVec3::Y).dot(DVec3::Y));
        let (now, left) = (angular(solid), solid.energy());
        assert!(now.distance(before) < 1e-11 * before.length(), "{now} for {before}");
        assert!((left / energy - 1.0).abs() < 1e-4, "{left} J of {energy}");
    }
    // About its middle axis it tumbles; the axis of its momentum and its energy stay.
    assert!(tumbled > 0.9, "{tumbled}");
}

#[test]
fn a_box_that_is_struck_takes_the_blow() {
    // A box hits the corner of a resting one in free space: together they have what one had. (Rapier
    // does not push both at quite the same place: angular momentum is off by a millimetre's worth.)
    let (mut one, mut two) = (cube(0.0), cube(0.0));
    two.position = DVec3::new(0.3, 0.12, 0.05);
    one.velocity = DVec3::X * 2.0;
    one.spin = DVec3::new(0.5, -1.0, 2.0);
    let sum = |all: &Solids| {
        all.solids.iter().fold((DVec3::ZERO, DVec3::ZERO), |(p, l), solid| {
            let linear = solid.velocity * solid.mass;
            (p + linear, l + solid.position.cross(linear) + solid.turning())
        })
    };
    let mut all = crates(vec![one, two]);
    all.gravity = DVec3::ZERO;
    let before = sum(&all);
    for _ in 0..200 {
        all.step(1e-3).unwrap();
    }
    let after = sum(&all);
    assert!(all.solids[1].spin.length() > 0.5, "{:?}", all.solids[1]);
    assert!(after.0.distance(before.0) < 1e-12, "{} for {}", after.0, before.0);
    let off = after.1.distance(before.1);
    assert!(off < 0.002 * before.0.length(), "{} for {}", after.1, before.1);
}

#[test]
fn a_stack_stands() {
    let mut all = crates((0..5).map(|k| cube(0.1 + 0.2 * f64::from(k))).collect());
    all.ground.push(Collider::floor(0.0));
    for _ in 0..960 {
        all.step(1.0 / 240.0).unwrap();
    }
    for (k, solid) in all.solids.iter().enumerate() {
        let wanted = DVec3::Z * (0.1 + 0.2 * k as f64);
        assert!(solid.position.distance(wanted) < 1e-3, "{k}: {} for {wanted}", solid.position);
        assert!(solid.velocity.length() < 1e-6, "{k}: {}", solid.velocity);
    }
}

#[test]
fn solids_rest_on_every_ground() {
    let flat = HeightField {
        origin: DVec3::new(-1.0, -2.0, 0.0),
        cell: 0.5,
        columns: 6,
        // Higher from y = -0.5 on: were rows the wrong way round, y = -1.4 would be as high.
        heights: (0..30).map(|k| if k / 6 >= 3 { 0.7 } else { 0.2 }).collect(),
    };
    let slanted = Collider::Box {
        centre: DVec3::Z * 0.1,
        half: DVec3::new(0.1, 1.0, 1.0),
        world_from_box: DMat3::from_cols(DVec3::Z, DVec3::X, DVec3::Y),
    };
    let beam = |from: DVec3, to: DVec3| Collider::Cylinder { from, to, radius: 0.5 };
    let grounds = [
        (Collider::floor(0.3), 0.0, 0.3),
        (slanted, 0.0, 0.2),
        (beam(DVec3::Z * -0.3, DVec3::Z * 0.3), 0.0, 0.3),
        (Collider::HeightField(Arc::new(flat)), -1.4, 0.2),
    ];
    for (ground, y, height) in grounds {
        let mut solid = cube(height + 0.15);
        solid.position.y = y;
        let mut all = crates(vec![solid]);
        all.ground.push(ground.clone());
        for _ in 0..480 {
            all.step(1.0 / 240.0).unwrap();
        }
        let found = all.solids[0].position;
        assert!((found.z - height - 0.1).abs() < 5e-3, "{ground:?}: {found} for {height}");
    }
}

#[test]
fn moving_ground_takes_solids_along() {
    let mut all = crates(vec![cube(0.1)]);
    let dt = 1.0 / 240.0;
    let belt = |t: f64| Collider::Box {
        centre: DVec3::new(0.4 * t, 0.0, -0.5),
        half: DVec3::new(3.0, 3.0, 0.5),
        world_from_box: DMat3::IDENTITY,
    };
    all.ground.push(belt(0.0));
    for step in 1..=480 {
        all.ground[0] = belt(dt * f64::from(step));
        all.step(dt).unwrap();
    }
    let speed = all.solids[0].velocity;
    assert!((speed.x - 0.4).abs() < 0.01, "{speed}");
}

#[test]
fn forgetting_leads_to_the_same_bits() {
    let start = || {
        let mut all = crates((0..3).map(|k| cube(0.15 + 0.25 * f64::from(k))).collect());
        all.solids[1].position.x = 0.07;
        all.ground.push(Collider::floor(0.0));
        all
    };
    let mut whole = start();
    let mut numbers = Vec::new();
    for step in 0..240 {
        if step == 100 {
            whole.solids.iter().for_each(|solid| solid.to_numbers(&mut numbers));
            whole.forget();
        }
        whole.step(1.0 / 240.0).unwrap();
    }
    let mut resumed = start();
    for (solid, numbers) in resumed.solids.iter_mut().zip(numbers.chunks_exact(13)) {
        solid.set_numbers(numbers).unwrap();
    }
    for _ in 100..240 {
        resumed.step(1.0 / 240.0).unwrap();
    }
    assert_eq!(resumed.solids, whole.solids);
    assert!(whole.solids[1].set_numbers(&numbers[..12]).is_none());
}

#[test]
fn wind_carries_a_box_as_drag_says() {
    let mut all = crates(vec![cube(0.0)]);
    all.gravity = DVec3::ZERO;
    all.air = Air { density: 1.2, wind: DVec3::X * 10.0, ..Air::default() };
    all.step(1e-4).unwrap();
    // ½ ρ C A u² over the mass, for 0.2 m by 0.2 m and 2 kg.
    let wanted = 0.5 * 1.2 * 1.1 * 0.04 * 100.0 / 2.0 * 1e-4;
    let found = all.solids[0].velocity.x;
    assert!((found / wanted - 1.0).abs() < 1e-3, "{found} for {wanted}");
    assert!(all.solids[0].spin.length() < 1e-12, "evenly blown at, it does not turn");
    // In air as dense as lead it is soon as fast as the air, and never faster.
    all.air.density = 1e4;
    for _ in 0..2000 {
        all.step(1e-3).unwrap();
        assert!(all.solids[0].velocity.x < 10.0 + 1e-9);
    }
    assert!(all.solids[0].velocity.x > 9.9, "{}", all.solids[0].velocity);
}

#[test]
fn air_stops_a_spin() {
    let mut board = Solid::new(Shape::Box { half: DVec3::new(0.4, 0.1, 0.01) }, 0.5, DVec3::ZERO);
    board.spin = DVec3::Y * 20.0;
    let mut all = crates(vec![board]);
    all.gravity = DVec3::ZERO;
    all.air = Air { density: 1.2, ..Air::default() };
    let mut before = all.solids[0].energy();
    for _ in 0..500 {
        all.step(1e-3).unwrap();
        let now = all.solids[0].energy();
        assert!(now <= before * (1.0 + 1e-9), "air gives no energy: {before} J, then {now} J");
        before = now;
    }
    // ω' = −k ω², with ½ ρ C (ω x)² on each half, whose middle is at x = 0.2 m.
    let torque = 1.2 * 1.1 * 0.04 * 0.08 * 0.2;
    let k = torque / (0.5 * board.shape.moments().y);
    let wanted = 20.0 / (1.0 + 20.0 * k * 0.5);
    let spin = all.solids[0].spin.y;
    assert!((spin / wanted - 1.0).abs() < 2e-3, "{spin} for {wanted}");
}

#[test]
fn bad_solids_are_refused() {
    let mut all = crates(vec![cube(0.0), cube(1.0)]);
    all.solids[1].mass = 0.0;
    assert_eq!(all.step(1e-3), Err(Unfit::Mass { solid: 1, mass: 0.0 }));
    all.solids[1] = Solid::new(Shape::Ball { radius: -1.0 }, 1.0, DVec3::ZERO);
    assert_eq!(all.step(1e-3), Err(Unfit::Shape { solid: 1 }));
    all.solids[1] = cube(f64::NAN);
    assert_eq!(all.step(1e-3), Err(Unfit::Shape { solid: 1 }));
}
