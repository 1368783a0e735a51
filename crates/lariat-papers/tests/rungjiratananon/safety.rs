//! Determinism, checkpoints, and inputs that cannot work.

use glam::DVec3;
use lariat_core::dynamics::Diverged;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::dynamics::material::MATERIALS;
use lariat_core::model::layer::Collider;
use lariat_papers::rungjiratananon::{
    Build, BuildError, Clamp, Force, Regions, State, Strings, Torque,
};
use proptest::prelude::*;

use super::{STEP, limp, material, of, run};

/// Two strings of which one is twisted, collides with the other, and tears.
fn busy() -> Strings {
    let spaghetti = material("spaghetti");
    let mut strings = Strings::new();
    let first = Build::straight(DVec3::ZERO, DVec3::X, 20, 0.003, spaghetti);
    strings.add(&first).expect("it can be built");
    let (from, to) = (DVec3::new(0.4, -0.5, 0.03), DVec3::new(0.45, 0.5, 0.02));
    let second = Build::straight(from, to, 24, 0.004, material("rubber"));
    strings.add(&Build { flicks: true, stretches: false, ..second }).expect("it can be built");
    let plane = Collider::Plane { point: DVec3::NEG_Z * 0.3, normal: DVec3::Z };
    strings.obstacles = vec![Obstacle::standing(plane, 0.0)];
    strings
}

fn act(strings: &mut Strings, step: i32) {
    let t = f64::from(step) * STEP;
    let end = DVec3::new(1.0 + 0.4 * t, 0.0, 0.0);
    strings.clamps = vec![
        Clamp { angle: Some(0.0), ..Clamp::at(0, DVec3::ZERO) },
        Clamp { angle: Some(3.0 * t), ..Clamp::at(20, end) },
    ];
    strings.forces = vec![Force { particle: 30, force: DVec3::Y * (0.01 * t) }];
    strings.torques = vec![Torque { segment: 40, torque: 1e-6 }];
}

#[test]
fn a_checkpoint_continues_with_the_same_bits() {
    let (mut whole, mut torn) = (busy(), 0);
    let mut again = None;
    for step in 0..160 {
        if step == 70 {
            let mut numbers = Vec::new();
            whole.state.to_numbers(&mut numbers);
            let state = State::from_numbers(&numbers).unwrap();
            assert_eq!(state, whole.state);
            let mut strings = busy();
            strings.state = state;
            again = Some(strings);
        }
        for strings in [Some(&mut whole), again.as_mut()].into_iter().flatten() {
            act(strings, step);
            strings.step(STEP).expect("it does not diverge");
        }
        torn += whole.torn.len();
    }
    assert!(torn > 0);
    assert_eq!(again.unwrap().state, whole.state);
}

#[test]
fn other_numbers_are_no_checkpoint() {
    let mut numbers = Vec::new();
    busy().state.to_numbers(&mut numbers);
    assert!(State::from_numbers(&numbers).is_some());
    for broken in [&numbers[..numbers.len() - 1], &[], &[-1.0, 2.0, 0.0], &[f64::NAN; 40]] {
        assert_eq!(State::from_numbers(broken), None);
    }
    // Spans that overlap.
    numbers[3 + 7] += 1.0;
    assert_eq!(State::from_numbers(&numbers), None);
}

#[test]
fn bad_numbers_are_refused_with_their_reason() {
    let refused = |change: &dyn Fn(&mut Build)| {
        let mut build = Build { material: material("hemp"), ..limp(4) };
        change(&mut build);
        Strings::new().add(&build).unwrap_err()
    };
    assert_eq!(refused(&|build| build.points.truncate(1)), BuildError::TooFewPoints(1));
    let no_length = refused(&|build| build.points[2] = build.points[1]);
    assert_eq!(no_length, BuildError::NoLength { segment: 1 });
    let nowhere = refused(&|build| build.points[3].y = f64::NAN);
    assert_eq!(nowhere, BuildError::NotFinite { point: 3 });
    let thin = refused(&|build| build.radius = 0.0);
    assert_eq!(thin, BuildError::NotPositive { what: "radius", value: 0.0 });
    let weight = refused(&|build| build.weights = vec![(0.5, -2.0)]);
    assert_eq!(weight, BuildError::Negative { what: "weight", value: -2.0 });
    let share = refused(&|build| build.shape = Some(Regions { half_width: 2, share: 1.5 }));
    assert_eq!(share, BuildError::NotAShare { what: "share of shape", value: 1.5 });
    assert_eq!(share.to_string(), "`share of shape` is 1.5; it must be from 0 to 1");
}

#[test]
fn the_seed_decides_where_a_string_is_weak() {
    let weakest = |seed: u64| {
        let build = Build { material: material("hemp"), variation: 0.2, seed, ..limp(30) };
        let strings = of(&build);
        let strength = |i: &usize| strings.strength(*i)[0];
        (0..30).min_by(|a, b| strength(a).total_cmp(&strength(b))).unwrap()
    };
    assert_eq!(weakest(5), weakest(5));
    assert!((0..8).any(|seed| weakest(seed) != weakest(8)));
}

#[test]
fn a_step_that_diverges_leaves_everything_as_it_was() {
    let mut strings = of(&limp(5));
    run(&mut strings, 3);
    let before = strings.state.clone();
    strings.forces.push(Force { particle: 2, force: DVec3::X * f64::MAX });
    let diverged = strings.step(STEP).unwrap_err();
    assert!(matches!(diverged, Diverged::NotFinite { .. }));
    assert_eq!(strings.state, before);
    // A step of no length does nothing.
    strings.step(0.0).expect("it does not diverge");
    assert_eq!(strings.state, before);
}

#[test]
fn regions_wider_than_any_string_are_the_whole_string() {
    let with = |half_width: usize, rigidity: f64| {
        let regions = Some(Regions { half_width, share: 0.5 });
        let twist_along = vec![(0.0, rigidity)];
        let mut strings = of(&Build { shape: regions, twist: regions, twist_along, ..limp(9) });
        strings.clamps = vec![Clamp { angle: Some(1.0), ..Clamp::at(0, DVec3::ZERO) }];
        run(&mut strings, 20);
        strings.state.positions
    };
    assert_eq!(with(usize::MAX, 1.0), with(9, 1.0));
    assert_eq!(with(9, 1e300), with(9, 1e6));
}

fn place() -> impl Strategy<Value = DVec3> {
    (-1.0..1.0_f64, -1.0..1.0_f64, -1.0..1.0_f64).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn strings_do_not_diverge_or_panic(
        points in prop::collection::vec(place(), 2..14),
        others in prop::collection::vec(place(), 2..14),
        radius in 1e-4..0.1_f64,
        which in 0..MATERIALS.len(),
        (width, share) in (0..6_usize, 0.0..=1.0_f64),
        (curved, stretches, flicks) in (any::<bool>(), any::<bool>(), any::<bool>()),
        clamps in prop::collection::vec((0..40_usize, place(), -50.0..50.0_f64), 0..5),
        pushes in prop::collection::vec((0..40_usize, place(), -1e3..1e3_f64), 0..4),
        dt in 1e-4..0.1_f64,
    ) {
        let regions = Some(Regions { half_width: width, share });
        let mut strings = Strings::new();
        for points in [points, others] {
            let build = Build {
                shape: regions,
                twist: regions,
                curved,
                stretches,
                flicks,
                ..Build::new(points, radius, MATERIALS[which])
            };
            prop_assert!(strings.add(&build).is_ok());
        }
        let ball = Collider::Sphere { centre: DVec3::ZERO, radius: 0.2 };
        strings.obstacles.push(Obstacle::standing(ball, 0.01));
        for step in 0..40 {
            strings.clamps.clear();
            for (particle, target, angle) in clamps.iter().filter(|_| step % 7 < 5) {
                let angle = Some(angle * f64::from(step));
                strings.clamps.push(Clamp { angle, ..Clamp::at(*particle, *target) });
            }
            strings.forces.clear();
            strings.torques.clear();
            for (particle, direction, strength) in &pushes {
                strings.forces.push(Force { particle: *particle, force: *direction * *strength });
                strings.torques.push(Torque { segment: *particle, torque: strength * 1e-3 });
            }
            let stepped = strings.step(dt);
            prop_assert!(stepped.is_ok(), "step {step}: {stepped:?}");
            let state = &strings.state;
            prop_assert_eq!(state.spans.iter().map(|span| span.count).sum::<usize>(), state.particles());
        }
    }
}
