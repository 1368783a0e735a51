//! The published spline rope compared with closed forms, and the properties that always hold.

use glam::DVec3;
use lariat_core::dynamics::Diverged;
use lariat_core::dynamics::air::Air;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::dynamics::material::{Material, Section};
use lariat_core::dynamics::spline_rope::{self, Force, Pin, SplineRope};
use lariat_core::model::layer::Collider;
use lariat_core::num::ops;
use lariat_papers::tuzel::{Build, BuildError, Rope, State, Step};
use proptest::prelude::*;

const STEPS: [Step; 2] = [Step::SemiImplicit, Step::Explicit];

fn line(from: DVec3, to: DVec3) -> Vec<DVec3> {
    (0..=20).map(|i| from.lerp(to, f64::from(i) / 20.0)).collect()
}

/// A section without bending stiffness or inner friction.
fn ideal(stretch: f64) -> Section {
    Section { mass_per_metre: 0.1, stretch, bend: 0.0, compression: 0.0, inner_friction: 0.0 }
}

fn laid(points: &[DVec3], build: &Build) -> Rope {
    Rope::along(points, build).expect("a valid rope")
}

#[test]
fn free_fall_follows_eulers_rule() {
    for step in STEPS {
        let section = Section { inner_friction: 1e-3, ..ideal(20.0) };
        let points = line(DVec3::ZERO, DVec3::new(1.0, 0.5, 2.0));
        let mut rope = laid(&points, &Build { step, ..Build::published(section) });
        let thrown = DVec3::new(0.3, -1.0, 4.0);
        rope.state.velocities.fill(thrown);
        let start = rope.state.clone();
        let (dt, steps) = (1e-4, 2000);
        for _ in 0..steps {
            rope.step(dt).unwrap();
        }
        let t = dt * f64::from(steps);
        // Euler's rule is half a step of fall ahead or behind.
        let ahead = if step == Step::Explicit { -0.5 } else { 0.5 } * dt * t;
        let fallen = thrown * t + rope.gravity * (0.5 * t * t + ahead);
        for (now, then) in rope.state.positions.iter().zip(&start.positions) {
            let off = now.distance(*then + fallen);
            assert!(off < 1e-8, "{step:?}: off by {off:e}");
        }
    }
}

#[test]
fn viscosity_decays_as_published() {
    for step in STEPS {
        let mut rope =
            laid(&line(DVec3::ZERO, DVec3::X), &Build { step, ..Build::published(ideal(100.0)) });
        (rope.gravity, rope.viscosity) = (DVec3::ZERO, 1.5);
        rope.state.velocities.fill(DVec3::Y);
        for _ in 0..1000 {
            rope.step(1e-3).unwrap();
        }
        let (left, expected) = (rope.velocity(0.5).y, ops::pow(1.0 - 1.5e-3, 1000.0));
        assert!((left / expected - 1.0).abs() < 1e-12, "{step:?}: {left} for {expected}");
    }
}

#[test]
fn the_fastest_vibration_has_its_known_frequency() {
    // ω² = 122 k/m for 11 control points and 20 springs, 289 for 21 and 40.
    for (control_points, springs, expected) in [(11, 20, 122.0), (21, 40, 289.0)] {
        let build = Build { control_points, springs, ..Build::published(ideal(100.0)) };
        let rope = laid(&line(DVec3::ZERO, DVec3::X * 2.0), &build);
        let k = 100.0 / (2.0 / springs as f64);
        let found = rope.fastest_squared() * rope.mass() / k;
        assert!((found / expected - 1.0).abs() < 0.02, "{found} for {expected}");
    }
}

#[test]
fn steps_within_the_limit_are_stable() {
    for step in STEPS {
        let section = Section { inner_friction: 1e-4, ..ideal(500.0) };
        let build = Build { step, ..Build::published(section) };
        let held = || {
            let mut rope = laid(&line(DVec3::ZERO, DVec3::X), &build);
            rope.viscosity = 1.0;
            rope.pins.push(Pin::at(0.0, DVec3::ZERO));
            rope
        };
        let mut rope = held();
        let dt = rope.longest_step();
        for _ in 0..(0.5 / dt) as usize {
            rope.step(dt).unwrap();
        }
        let energy = rope.energy();
        assert!(energy.kinetic < rope.mass() * 9.81, "{step:?}: {energy:?}");
        // A step four times as long diverges and reports it.
        let mut rope = held();
        let diverged = (0..40_000).find_map(|_| rope.step(4.0 * dt).err());
        assert!(matches!(diverged, Some(Diverged::Energy { .. })), "{step:?}: {diverged:?}");
        assert!(rope.state.positions.iter().all(|p| p.is_finite()));
    }
}

#[test]
fn a_pin_follows_its_target() {
    for step in STEPS {
        let section = Section { inner_friction: 0.01, ..ideal(50.0) };
        let points = line(DVec3::ZERO, DVec3::X);
        let mut rope = laid(&points, &Build { step, ..Build::published(section) });
        (rope.gravity, rope.viscosity) = (DVec3::ZERO, 1e-3);
        rope.pins.extend([Pin::at(0.0, points[0]), Pin::at(1.0, points[20])]);
        let dt = rope.longest_step().min(1e-3);
        let steps = (1.0 / dt) as u32;
        let speed = DVec3::new(0.0, 2.0, 1.0);
        // The first step sets the targets that the next one starts from.
        rope.viscosity = 0.0;
        rope.step(dt).unwrap();
        // In uniform motion the pins need not pull.
        rope.state.velocities.fill(speed);
        for step in 1..=steps {
            for (pin, home) in rope.pins.iter_mut().zip([points[0], points[20]]) {
                pin.target = home + speed * (dt * f64::from(step));
            }
            rope.step(dt).unwrap();
        }
        let behind = rope.point(0.0).distance(rope.pins[0].target);
        assert!(behind < 1e-9, "{step:?}: {behind} m behind its target");
        let pull = rope.reaction(0).length();
        assert!(pull < 1e-6, "{step:?}: {pull} N");
        // When the target stops, the rope comes to rest there.
        rope.viscosity = 1.0;
        for _ in 0..10 * steps {
            rope.step(dt).unwrap();
        }
        let behind = rope.point(0.0).distance(rope.pins[0].target);
        assert!(behind < 1e-3, "{step:?}: {behind} m from a target at rest");
    }
}

#[test]
fn a_sliding_rope_stops_at_the_distance_of_coulomb_friction() {
    let build = Build { step: Step::SemiImplicit, ..Build::published(ideal(20.0)) };
    let mut rope = laid(&line(DVec3::Z * 0.01, DVec3::new(1.0, 0.0, 0.01)), &build);
    rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.01));
    rope.friction = 0.5;
    rope.state.velocities.fill(DVec3::Y * 2.0);
    for _ in 0..1000 {
        rope.step(1e-3).unwrap();
    }
    // v²/2μg.
    let (slid, expected) = (rope.point(0.5).y, 4.0 / (2.0 * 0.5 * 9.81));
    assert!((slid / expected - 1.0).abs() < 0.02, "{slid} for {expected}");
}

#[test]
fn dense_air_carries_the_rope_along() {
    for step in STEPS {
        let section = Section { inner_friction: 1e-3, ..ideal(50.0) };
        let mut rope =
            laid(&line(DVec3::ZERO, DVec3::X), &Build { step, ..Build::published(section) });
        (rope.gravity, rope.radius) = (DVec3::ZERO, 0.01);
        // As dense as mercury: drag that an unlimited explicit step cannot follow.
        let wind = DVec3::new(1.0, 20.0, 0.0);
        rope.air = Air { density: 13_600.0, wind, ..Air::default() };
        let dt = 1e-4;
        for _ in 0..(1.0 / dt) as usize {
            rope.step(dt).unwrap();
        }
        let speed = rope.velocity(0.5);
        assert!((speed.y - 20.0).abs() < 0.1, "{step:?}: {speed}");
    }
}

/// A hanging rope with a sideways velocity swings the same in both methods: its tension is its
/// weight, and springs between many points follow a straight rope closely.
#[test]
fn a_swinging_published_rope_vs_ours() {
    let section = ideal(2000.0);
    let points = line(DVec3::ZERO, DVec3::NEG_Z);
    let sideways = |u: f64| DVec3::X * (0.2 * u);
    let (mut theirs, mut ours) = (
        laid(&points, &Build { step: Step::SemiImplicit, ..Build::published(section) }),
        SplineRope::along(&points, &spline_rope::Build::new(11, section)).unwrap(),
    );
    let earlier: Vec<DVec3> = points.iter().map(|p| *p - sideways(-p.z) * 1e-3).collect();
    theirs.throw(&earlier, 1e-3);
    ours.throw(&earlier, 1e-3);
    theirs.pins.push(Pin::at(0.0, DVec3::ZERO));
    ours.pins.push(Pin::at(0.0, DVec3::ZERO));
    for _ in 0..480 {
        ours.step(1.0 / 960.0).unwrap();
    }
    let steps = (0.5 / theirs.longest_step()).ceil() as u32;
    for _ in 0..steps {
        theirs.step(0.5 / f64::from(steps)).unwrap();
    }
    let (theirs, ours) = (theirs.point(1.0), ours.point(1.0));
    assert!(ours.x.abs() > 0.02, "it swings: {ours}");
    assert!((theirs.x - ours.x).abs() < 5e-3, "{theirs} beside {ours}");
}

#[test]
fn a_checkpoint_continues_with_the_same_bits() {
    let start = || {
        let points = line(DVec3::Z * 0.3, DVec3::new(0.7, 0.1, 0.6));
        let rubber = Material::find("rubber").unwrap().at_radius(0.005);
        let mut rope = laid(&points, &Build::published(rubber));
        rope.viscosity = 2.0;
        rope.pins.push(Pin::at(0.0, points[0]));
        rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.005));
        rope
    };
    let mut whole = start();
    let dt = whole.longest_step();
    let mut numbers = Vec::new();
    for step in 0..200 {
        if step == 120 {
            whole.state.to_numbers(&mut numbers);
        }
        whole.step(dt).unwrap();
    }
    let mut resumed = start();
    resumed.state = State::from_numbers(&numbers).unwrap();
    for _ in 120..200 {
        resumed.step(dt).unwrap();
    }
    assert_eq!(resumed.state, whole.state);
    assert_eq!(State::from_numbers(&numbers[1..]), None);
}

#[test]
fn a_step_that_diverges_leaves_the_rope_as_it_was() {
    for step in STEPS {
        for force in [f64::NAN, 1e300] {
            let section = Section { inner_friction: 1e-3, ..ideal(50.0) };
            let build = Build { step, ..Build::published(section) };
            let mut rope = laid(&line(DVec3::ZERO, DVec3::X), &build);
            rope.viscosity = 1.0;
            rope.pins.push(Pin::at(0.0, DVec3::ZERO));
            let dt = rope.longest_step().min(1e-3);
            for _ in 0..104 {
                rope.step(dt).unwrap();
            }
            let before = rope.state.clone();
            rope.forces.push(Force { u: 0.5, force: DVec3::Y * force });
            assert!(rope.step(dt).is_err(), "{step:?} {force}");
            assert_eq!(rope.state, before, "{step:?} {force}");
            // The run continues when the cause is removed.
            rope.forces.clear();
            for _ in 0..8 {
                rope.step(dt).unwrap();
            }
        }
    }
}

#[test]
fn bad_numbers_are_refused_with_their_reason() {
    let points = line(DVec3::ZERO, DVec3::X);
    let refused = |build: &Build| Rope::along(&points, build).map(|_| ()).unwrap_err();
    let good = Build::published(ideal(100.0));
    let few = Build { control_points: 3, ..good.clone() };
    assert_eq!(refused(&few), BuildError::TooFewControlPoints(3));
    let none = Build { springs: 0, ..good.clone() };
    assert_eq!(
        refused(&none).to_string(),
        "`number of springs` is 0; it must be above 0 and finite"
    );
    let light = Build::published(Section { mass_per_metre: 0.0, ..ideal(100.0) });
    assert_eq!(refused(&light).to_string(), "`mass per metre` is 0; it must be above 0 and finite");
    let nowhere = Rope::along(&[DVec3::ONE; 4], &good);
    assert!(matches!(nowhere, Err(BuildError::NoLength(_))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn no_published_rope_gives_nan(
        control_points in 4_usize..24,
        springs in 1_usize..60,
        mass in -6.0..3.0_f64,
        stretch in 0.0..9.0_f64,
        friction in 0.0..0.1_f64,
        rate in 10.0..2000.0_f64,
        jump in -50.0..50.0_f64,
        explicit in any::<bool>(),
    ) {
        let ten = |power: f64| ops::pow(10.0, power);
        let section = Section {
            mass_per_metre: ten(mass), stretch: ten(stretch), inner_friction: friction, ..ideal(1.0)
        };
        let step = if explicit { Step::Explicit } else { Step::SemiImplicit };
        let build = Build { control_points, springs, step, ..Build::published(section) };
        let points = line(DVec3::Z * 0.2, DVec3::new(1.0, 0.3, 0.4));
        let mut rope = laid(&points, &build);
        rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.01));
        rope.pins.extend([Pin::at(0.0, points[0]), Pin::at(0.9, points[18])]);
        for step in 0..30 {
            if step == 10 {
                rope.pins[1].target += DVec3::new(jump, 0.0, 1.0);
            }
            rope.pins[0].on = step % 7 < 3;
            let made = rope.step(1.0 / rate);
            let state = &rope.state;
            prop_assert!(state.positions.iter().chain(&state.velocities).all(|p| p.is_finite()));
            if made.is_err() {
                break;
            }
        }
    }
}
