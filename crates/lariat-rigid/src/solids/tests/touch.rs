//! Friction and bounce of solids against closed forms, at the default 240 steps per second and at 60.

use lariat_core::num::ops;

use super::*;

/// Steps per second, and the error that is allowed, relative.
const RATES: [(f64, f64); 2] = [(240.0, 0.005), (60.0, 0.02)];

/// Half the height of `slab`, and the radius of `ball`, in metres.
const LOW: f64 = 0.05;

fn slab() -> Solid {
    Solid::new(Shape::Box { half: DVec3::new(0.2, 0.2, LOW) }, 2.0, DVec3::Z * LOW)
}

fn ball() -> Solid {
    Solid::new(Shape::Ball { radius: LOW }, 1.0, DVec3::Z * LOW)
}

fn on_floor(solids: Vec<Solid>) -> Solids {
    let mut all = crates(solids);
    all.ground.push(Collider::floor(0.0));
    all
}

fn run(all: &mut Solids, seconds: f64, rate: f64) {
    for _ in 0..(seconds * rate) as u32 {
        all.step(1.0 / rate).unwrap();
    }
}

/// A solid after its first contact with the floor.
fn dropped(mut solid: Solid, drop: f64, rate: f64) -> Solid {
    solid.position.z = LOW + drop;
    let mut all = on_floor(vec![solid]);
    let falls = (2.0 * drop / G).sqrt();
    run(&mut all, falls + 2.0 / rate, rate);
    assert!(all.solids[0].position.z < LOW + 0.5 * drop + 0.1, "it has reached the floor");
    all.solids[0]
}

/// Height above the floor to which a solid in free flight rises.
fn apex(solid: &Solid) -> f64 {
    solid.position.z - LOW + solid.velocity.z * solid.velocity.z.max(0.0) / (2.0 * G)
}

/// Every bounce from every height at every rate.
fn drops(check: impl Fn(f64, f64, f64, f64)) {
    for (rate, error) in RATES {
        for drop in [0.1, 1.0, 1.013, 3.0] {
            for bounce in [0.0, 0.3, 0.5, 0.8, 1.0] {
                check(rate, error, drop, bounce);
            }
        }
    }
}

#[test]
fn a_ball_returns_to_the_square_of_its_bounce() {
    drops(|rate, error, drop, bounce| {
        let found = apex(&dropped(Solid { bounce, ..ball() }, drop, rate)) / drop;
        let off = (found - bounce * bounce).abs();
        assert!(off < error, "{rate}/s, {drop} m, bounce {bounce}: {found}");
    });
}

#[test]
fn a_box_that_lands_flat_bounces_without_spin() {
    drops(|rate, error, drop, bounce| {
        let solid = dropped(Solid { bounce, ..slab() }, drop, rate);
        let found = apex(&solid) / drop;
        let off = (found - bounce * bounce).abs();
        assert!(off < error, "{rate}/s, {drop} m, bounce {bounce}: {found}");
        // Without bounce, rapier alone brings it to rest.
        let spin = solid.spin.length();
        assert!(bounce == 0.0 || spin < 0.1, "{rate}/s, {drop} m, bounce {bounce}: {spin} rad/s");
    });
}

#[test]
fn a_ball_with_bounce_1_bounces_for_ever() {
    let mut all = on_floor(vec![Solid { bounce: 1.0, position: DVec3::Z, ..ball() }]);
    run(&mut all, 60.0, 240.0);
    let solid = all.solids[0];
    let height = solid.position.z + solid.velocity.length_squared() / (2.0 * G);
    assert!((height - 1.0).abs() < 0.01, "{height} m after a minute");
}

#[test]
fn ground_that_comes_up_throws_a_ball_up() {
    // It meets the ball with 1 m/s, and leaves it behind with `e` times the speed of approach.
    let lift = |t: f64| Collider::Box {
        centre: DVec3::new(0.0, 0.0, t - 1.0),
        half: DVec3::new(1.0, 1.0, 0.5),
        world_from_box: DMat3::IDENTITY,
    };
    let mut all = crates(vec![Solid { bounce: 0.5, position: DVec3::Z * 0.5, ..ball() }]);
    all.ground.push(lift(0.0));
    let (dt, mut t) = (1.0 / 240.0, 0.0);
    while all.solids[0].velocity.z <= 0.0 {
        t += dt;
        all.ground[0] = lift(t);
        all.step(dt).unwrap();
        assert!(t < 1.0, "they meet");
    }
    // z = 0.5 − g t²/2 = t − 0.5 + 0.05
    let met = ((1.0 + 2.0 * G * 0.95_f64).sqrt() - 1.0) / G;
    let wanted = 1.0 + 0.5 * (G * met + 1.0);
    let found = all.solids[0].velocity.z;
    assert!((found / wanted - 1.0).abs() < 0.02, "{found} m/s for {wanted} m/s");
}

#[test]
fn a_rebound_has_friction_too() {
    // While it slips, μ (1 + e) u goes; a ball that is brought to roll keeps 5/7. Rapier rubs up to a
    // centimetre below the surface, which is a part of the radius.
    for (friction, bounce) in [(0.0, 0.8), (0.05, 0.8), (0.1, 0.8), (0.1, 0.3), (0.5, 0.8)] {
        let big = Solid::new(Shape::Ball { radius: 0.1 }, 1.0, DVec3::Z);
        let velocity = DVec3::X * 3.0;
        let mut all = on_floor(vec![Solid { velocity, friction, bounce, ..big }]);
        run(&mut all, 0.45, 240.0);
        let slips = friction * (1.0 + bounce) * (2.0 * G * 0.9_f64).sqrt();
        let wanted = 3.0 - slips.min(3.0 * 2.0 / 7.0);
        let found = all.solids[0].velocity.x;
        let off = (found / wanted - 1.0).abs();
        assert!(off < 0.025, "friction {friction}, bounce {bounce}: {found} for {wanted}");
    }
}

#[test]
fn two_balls_separate_with_the_mean_of_their_bounces() {
    for (a, b) in [(0.0, 0.0), (0.0, 1.0), (0.2, 0.8), (0.9, 0.9), (1.0, 1.0)] {
        let one = Solid { velocity: DVec3::X * 2.0, bounce: a, ..ball() };
        let two = Solid { position: DVec3::new(0.5, 0.0, LOW), bounce: b, ..ball() };
        let mut all = crates(vec![one, two]);
        all.gravity = DVec3::ZERO;
        run(&mut all, 1.0, 240.0);
        let apart = all.solids[1].velocity.x - all.solids[0].velocity.x;
        let wanted = 2.0 * 0.5 * (a + b);
        assert!((apart - wanted).abs() < 1e-3, "{a} and {b}: {apart} m/s for {wanted} m/s");
    }
}

#[test]
fn a_rebound_keeps_momentum() {
    let (mut one, mut two) = (cube(0.0), cube(0.0));
    two.position = DVec3::new(0.3, 0.12, 0.05);
    (one.bounce, two.bounce) = (0.7, 0.9);
    (one.velocity, one.spin) = (DVec3::X * 2.0, DVec3::new(0.5, -1.0, 2.0));
    let sum = |all: &Solids| {
        all.solids.iter().fold((DVec3::ZERO, DVec3::ZERO), |(p, l), solid| {
            let linear = solid.velocity * solid.mass;
            (p + linear, l + solid.position.cross(linear) + solid.turning())
        })
    };
    let mut all = crates(vec![one, two]);
    all.gravity = DVec3::ZERO;
    let before = sum(&all);
    run(&mut all, 0.5, 240.0);
    let after = sum(&all);
    assert!(all.solids[1].spin.length() > 0.5, "{:?}", all.solids[1]);
    assert!(after.0.distance(before.0) < 1e-12, "{} for {}", after.0, before.0);
    // As for a blow without a rebound, see `a_box_that_is_struck_takes_the_blow`.
    let off = after.1.distance(before.1);
    assert!(off < 0.002 * before.0.length(), "{} for {}", after.1, before.1);
}

#[test]
fn a_stack_stands_whatever_its_bounce() {
    for bounce in [0.5, 1.0] {
        let stack = (0..5).map(|k| Solid { bounce, ..cube(0.1 + 0.2 * f64::from(k)) });
        let mut all = on_floor(stack.collect());
        run(&mut all, 2.0, 240.0);
        for (k, solid) in all.solids.iter().enumerate() {
            let wanted = DVec3::Z * (0.1 + 0.2 * k as f64);
            let off = solid.position.distance(wanted);
            assert!(off < 1e-3, "bounce {bounce}, {k}: {} for {wanted}", solid.position);
            assert!(solid.velocity.length() < 1e-6, "bounce {bounce}, {k}: {}", solid.velocity);
        }
    }
}

#[test]
fn a_heap_that_bounces_gains_no_energy() {
    let tumbling = |k: u32| Solid {
        rotation: DQuat::from_xyzw(0.1 * f64::from(k), 0.5, 0.3, 0.8).normalize(),
        bounce: 1.0,
        friction: 0.0,
        ..Solid::new(
            Shape::Box { half: DVec3::new(0.15, 0.1, 0.05) },
            1.0,
            DVec3::new(0.05 * f64::from(k % 3), 0.03 * f64::from(k % 2), 0.3 + 0.35 * f64::from(k)),
        )
    };
    let mut all = on_floor((0..8).map(tumbling).collect());
    for out in [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y] {
        all.ground.push(Collider::Plane { point: out * -0.6, normal: out });
    }
    let energy = |all: &Solids| -> f64 {
        all.solids.iter().map(|solid| solid.energy() + solid.mass * G * solid.position.z).sum()
    };
    let start = energy(&all);
    for step in 0..2400 {
        all.step(1.0 / 240.0).unwrap();
        let now = energy(&all);
        assert!(now < 1.001 * start, "step {step}: {now} J of {start} J");
    }
}

#[test]
fn a_box_slides_as_far_as_its_friction_lets_it() {
    for (rate, error) in RATES {
        for friction in [0.0, 0.1, 0.5, 1.0, 1.2] {
            let velocity = DVec3::X * 2.0;
            let mut all = on_floor(vec![Solid { velocity, friction, ..slab() }]);
            run(&mut all, 3.0, rate);
            let wanted = (4.0 / (2.0 * friction * G)).min(6.0);
            let solid = all.solids[0];
            let found = solid.position.x;
            let off = (found / wanted - 1.0).abs();
            assert!(off < error, "{rate}/s, friction {friction}: {found} m for {wanted} m");
            assert!(friction == 0.0 || solid.velocity.length() < 1e-6, "{}", solid.velocity);
        }
    }
}

#[test]
fn a_slope_holds_up_to_the_angle_of_friction() {
    for (rate, error) in RATES {
        for friction in [0.1, 0.5, 1.0, 1.2] {
            for steeper in [0.95, 0.98, 1.02, 1.05] {
                let slope = steeper * friction;
                let normal = DVec3::new(slope, 0.0, 1.0) / ops::hypot(slope, 1.0);
                let shape = Shape::Box { half: DVec3::new(0.4, 0.2, 0.02) };
                let start = normal * 0.02;
                let rotation = DQuat::from_rotation_arc(DVec3::Z, normal);
                let solid = Solid { rotation, friction, ..Solid::new(shape, 2.0, start) };
                let mut all = crates(vec![solid]);
                all.ground.push(Collider::Plane { point: DVec3::ZERO, normal });
                run(&mut all, 2.0, rate);
                let found = all.solids[0].position.distance(start);
                let pull = G * (slope - friction) / ops::hypot(slope, 1.0);
                let wanted = 0.5 * pull.max(0.0) * 4.0;
                let off = (found - wanted).abs();
                let case = format!("{rate}/s, friction {friction}, slope {slope}");
                assert!(off < error * wanted + 1e-4, "{case}: {found} m for {wanted} m");
            }
        }
    }
}

#[test]
fn two_solids_rub_with_the_mean_of_their_frictions() {
    for (own, of_board) in [(0.1, 0.9), (0.0, 0.6), (0.5, 0.5)] {
        let half = DVec3::new(4.0, 0.5, 0.1);
        let board = Solid::new(Shape::Box { half }, 50.0, DVec3::Z * 0.1);
        let position = DVec3::Z * (0.2 + LOW);
        let slider = Solid { position, velocity: DVec3::X * 2.0, friction: own, ..slab() };
        let mut all = on_floor(vec![Solid { friction: of_board, ..board }, slider]);
        run(&mut all, 2.0, 240.0);
        let wanted = 4.0 / (2.0 * 0.5 * (own + of_board) * G);
        let found = all.solids[1].position.x;
        assert!((found / wanted - 1.0).abs() < 0.01, "{own} on {of_board}: {found} for {wanted}");
        assert!(all.solids[0].position.x.abs() < 1e-3, "{}", all.solids[0].position);
    }
}
