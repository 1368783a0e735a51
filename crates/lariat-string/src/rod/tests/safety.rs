//! What must always hold: no NaN, no diverged motion, the same bits again, no allocation.

use super::*;
use lariat_core::dynamics::air::{Air, Gusts};
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Collider;
use lariat_core::num::ops;

/// Everything at once: two strings of rubber that fall on a ball and the floor, one of them turned.
fn busy() -> Strings {
    let mut strings = Strings::new();
    for k in 0..2 {
        let points: Vec<DVec3> = (0..=30)
            .map(|i| {
                let a = 0.4 * f64::from(i);
                let y = 0.05 * f64::from(k);
                DVec3::new(0.1 * ops::cos(a), 0.1 * ops::sin(a) + y, 0.3 + 0.01 * f64::from(i))
            })
            .collect();
        let build = Build { seed: k as u64, ..Build::new(points, 0.003, rubber()) };
        strings.add(&build).unwrap();
    }
    let top = strings.state.positions[30];
    strings.clamps.push(Clamp { turn: Some(Turn::Angle(0.0)), ..Clamp::at(30, top) });
    let floor = Collider::Plane { point: DVec3::ZERO, normal: DVec3::Z };
    let ball = Collider::Sphere { centre: DVec3::new(0.0, 0.0, 0.1), radius: 0.1 };
    strings.obstacles.push(Obstacle::standing(floor, 0.0));
    strings.obstacles.push(Obstacle::standing(ball, 0.0));
    strings.air = Air { density: 1.2, wind: DVec3::X, turbulence: 1.0, ..Air::default() };
    strings.air.gusts = Some(Gusts::new(0.3, 4));
    strings
}

fn drive(strings: &mut Strings, step: u32) {
    strings.clamps[0].turn = Some(Turn::Angle(0.3 * f64::from(step)));
    strings.step(0.01).unwrap();
}

#[test]
fn a_checkpoint_goes_on_with_the_same_bits() {
    let mut whole = busy();
    let mut kept = None;
    for step in 0..60 {
        drive(&mut whole, step);
        if step == 29 {
            let mut numbers = Vec::new();
            whole.state.to_numbers(&mut numbers);
            kept = Some(numbers);
        }
    }
    let mut again = busy();
    let numbers = kept.unwrap();
    again.state = State::from_numbers(&numbers).unwrap();
    for step in 30..60 {
        drive(&mut again, step);
    }
    assert_eq!(whole.state, again.state);
    assert!(State::from_numbers(&numbers[1..]).is_none());
    assert!(State::from_numbers(&numbers[..numbers.len() - 1]).is_none());
    assert!(State::from_numbers(&[]).is_none());
}

#[test]
fn a_step_allocates_nothing_after_the_first() {
    let mut strings = busy();
    for step in 0..120 {
        drive(&mut strings, step);
    }
    let counted = allocation_counter::measure(|| {
        for step in 120..140 {
            drive(&mut strings, step);
        }
    });
    assert_eq!(counted.count_total, 0);
}

/// Two threads that are started for every call, and work on both halves at once.
struct Two;

impl Executor for Two {
    fn hands(&self) -> usize {
        2
    }

    fn both(&self, one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
        std::thread::scope(|scope| {
            scope.spawn(one);
            other();
        });
    }
}

#[test]
fn a_crew_makes_the_same_bits() {
    // Many strings, some of which touch themselves, each other, and the floor; some tear.
    let many = || {
        let mut strings = Strings::new();
        for k in 0..24 {
            let points: Vec<DVec3> = (0..=40)
                .map(|i| {
                    let a = 0.4 * f64::from(i);
                    let y = 0.15 * f64::from(k / 2) + 0.02 * f64::from(k % 2);
                    DVec3::new(0.1 * ops::cos(a), 0.1 * ops::sin(a) + y, 0.1 + 0.01 * f64::from(i))
                })
                .collect();
            let material = Material { rupture_stress: 8e3 + 1e3 * f64::from(k), ..rubber() };
            let build = Build { seed: k as u64, ..Build::new(points.clone(), 0.003, material) };
            let string = strings.add(&build).unwrap();
            strings.clamps.push(Clamp::at(strings.particle(string, 1.0), points[40]));
        }
        let floor = Collider::Plane { point: DVec3::ZERO, normal: DVec3::Z };
        strings.obstacles.push(Obstacle::standing(floor, 0.0));
        strings
    };
    let (mut alone, mut shared) = (many(), many());
    let (mut touching, mut torn) = (0, 0);
    for step in 0..40 {
        let report = alone.step(0.01).unwrap();
        assert_eq!(shared.step_with(0.01, &Two).unwrap(), report, "step {step}");
        assert_eq!(alone.state, shared.state, "step {step}");
        assert_eq!(alone.events, shared.events, "step {step}");
        assert_eq!(alone.touches(), shared.touches(), "step {step}");
        touching += report.touching;
        torn += report.torn;
    }
    assert!(touching > 100 && torn > 0, "{touching} {torn}");
}

/// A step must be made, or refused; afterwards everything is finite.
fn survives(
    name: &str,
    strings: &mut Strings,
    steps: u32,
    mut before: impl FnMut(&mut Strings, u32),
) {
    for step in 0..steps {
        before(strings, step);
        let made = strings.step(0.01);
        let fine = strings.state.positions.iter().chain(&strings.state.velocities);
        assert!(fine.clone().all(|x| x.is_finite()), "{name} at {step}: {made:?}");
        let most = fine.clone().map(|x| x.length()).fold(0.0, f64::max);
        assert!(most < 1e9, "{name} at {step}: {most:e} {made:?}");
        assert!(strings.state.angles.iter().all(|a| a.is_finite()), "{name} at {step}");
        if made.is_err() {
            return;
        }
    }
}

#[test]
fn nothing_explodes() {
    let straight = |material: Material| Build::straight(DVec3::ZERO, DVec3::X, 30, 0.003, material);
    // Absurdly stiff, absurdly soft.
    for (name, by) in [("stiff", 1e6), ("soft", 1e-6)] {
        let mut material = rubber();
        material.modulus *= by;
        material.plastic_modulus *= by;
        material.shear_modulus *= by;
        material.plastic_shear_modulus *= by;
        material.yield_stress = f64::INFINITY;
        material.rupture_stress = f64::INFINITY;
        let mut strings = Strings::of(&straight(material)).unwrap();
        strings.clamps.push(Clamp { turn: Some(Turn::Angle(0.0)), ..Clamp::at(0, DVec3::ZERO) });
        survives(name, &mut strings, 100, |strings, step| {
            strings.clamps[0].turn = Some(Turn::Angle(f64::from(step)));
        });
    }
    // Masses 1 : 10,000, both ways along.
    for at in [0.5, 1.0] {
        let mut build = straight(rubber());
        build.weights.push((at, 10.0));
        build.tears = false;
        let mut strings = Strings::of(&build).unwrap();
        assert!(strings.mass(strings.particle(0, at)) > 9e3 * strings.mass(3));
        strings.clamps.push(Clamp::at(0, DVec3::ZERO));
        survives("heavy", &mut strings, 200, |_, _| ());
        let mut strings = Strings::of(&Build { stretches: false, ..build }).unwrap();
        strings.clamps.push(Clamp::at(0, DVec3::ZERO));
        survives("heavy and stiff", &mut strings, 200, |_, _| ());
    }
    // Twice in one place; in two places too far apart; all of it.
    for (name, targets) in [
        ("one place", [DVec3::ZERO, DVec3::ZERO]),
        ("too far", [DVec3::ZERO, DVec3::X * 3.0]),
        ("much too far", [DVec3::ZERO, DVec3::X * 1e4]),
    ] {
        for stretches in [true, false] {
            for particles in [[0, 30], [10, 11], [14, 16]] {
                let build = Build { stretches, ..straight(rubber()) };
                let mut strings = Strings::of(&build).unwrap();
                for (particle, target) in particles.into_iter().zip(targets) {
                    strings.clamps.push(Clamp::at(particle, target));
                }
                survives(name, &mut strings, 60, |_, _| ());
            }
        }
    }
    // The same particle held twice, in different places.
    let mut strings = Strings::of(&straight(rubber())).unwrap();
    strings.clamps.extend([Clamp::at(3, DVec3::ZERO), Clamp::at(3, DVec3::ONE)]);
    survives("held twice", &mut strings, 60, |_, _| ());
    // Targets that teleport, and are no numbers at times.
    for stretches in [true, false] {
        let build = Build { stretches, ..straight(rubber()) };
        let mut strings = Strings::of(&build).unwrap();
        strings.clamps.push(Clamp::at(0, DVec3::ZERO));
        let mut dice = Dice(1);
        survives("teleport", &mut strings, 100, move |strings, step| {
            let place = DVec3::new(dice.unit(), dice.unit(), dice.unit()) * 5.0;
            strings.clamps[0].target = if step % 7 == 6 { DVec3::NAN } else { place };
        });
    }
    // Everything in one point: segments without length.
    let mut strings = Strings::of(&straight(rubber())).unwrap();
    strings.state.positions.fill(DVec3::ONE);
    survives("point", &mut strings, 60, |_, _| ());
    // Folded back and forth onto itself.
    let mut build = straight(rubber());
    for (i, x) in build.points.iter_mut().enumerate() {
        *x = if i % 2 == 0 { DVec3::ZERO } else { DVec3::X * 0.03 };
    }
    survives("folded", &mut Strings::of(&build).unwrap(), 60, |_, _| ());
    // Pushes without end.
    let mut strings = Strings::of(&straight(rubber())).unwrap();
    strings.forces.push(Force { particle: 5, force: DVec3::X * 1e6 });
    strings.torques.push(Torque { segment: 5, torque: 1e6 });
    survives("pushed", &mut strings, 4, |_, _| ());
}

#[test]
fn bad_numbers_are_refused_with_what_is_wrong() {
    let good = Build::straight(DVec3::ZERO, DVec3::X, 5, 0.01, rubber());
    assert!(good.check().is_ok());
    let refused = |change: &dyn Fn(&mut Build), words: &str| {
        let mut build = good.clone();
        change(&mut build);
        let error = Strings::of(&build).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused(&|b| b.points.truncate(1), "1 points do not make a string");
    refused(&|b| b.points[2] = b.points[1], "segment 1 has no length");
    refused(&|b| b.points[3].y = f64::NAN, "point 3 is not finite");
    refused(&|b| b.radius = 0.0, "`radius` is 0");
    refused(&|b| b.material.density = -1.0, "`density` is -1");
    refused(&|b| b.material.modulus = f64::NAN, "`modulus` is NaN");
    refused(&|b| b.length = Some(f64::INFINITY), "`length` is inf");
    refused(&|b| b.weights.push((0.5, -2.0)), "`weight` is -2");
    refused(&|b| b.bend = Bend::Stiffness { bend: -1.0, width: None }, "`bend` is -1");
}
