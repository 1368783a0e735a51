//! Ropes against closed forms, other methods, and what must always hold.

mod touch;

use std::f64::consts::PI;

use glam::DVec3;
use proptest::prelude::*;

use super::*;
use crate::curve::catenary::Catenary;
use crate::dynamics::air::Air;
use crate::dynamics::contact::Obstacle;
use crate::dynamics::material::{Material, Section};
use crate::model::layer::Collider;
use crate::num::ops;

fn line(from: DVec3, to: DVec3) -> Vec<DVec3> {
    (0..=20).map(|i| from.lerp(to, f64::from(i) / 20.0)).collect()
}

fn hemp() -> Section {
    Material::find("hemp").unwrap().at_radius(0.005)
}

/// A rope that neither bends back nor loses motion, and hardly stretches.
fn ideal(stretch: f64) -> Section {
    Section { mass_per_metre: 0.1, stretch, bend: 0.0, compression: 0.1, inner_friction: 0.0 }
}

#[test]
fn free_fall_is_exact() {
    let section = Section { inner_friction: 1e-3, ..ideal(20.0) };
    let points = line(DVec3::ZERO, DVec3::new(1.0, 0.5, 2.0));
    let mut rope = SplineRope::along(&points, &Build::new(11, section)).unwrap();
    let thrown = DVec3::new(0.3, -1.0, 4.0);
    rope.state.velocities.fill(thrown);
    let start = rope.state.clone();
    let (dt, steps) = (1e-4, 2000);
    for _ in 0..steps {
        rope.step(dt).unwrap();
    }
    let t = dt * f64::from(steps);
    for (now, then) in rope.state.velocities.iter().zip(&start.velocities) {
        let miss = now.distance(*then + rope.gravity * t);
        assert!(miss < 1e-7, "speed off {miss:e}");
    }
    let fallen = thrown * t + rope.gravity * (0.5 * t * t);
    for (now, then) in rope.state.positions.iter().zip(&start.positions) {
        let miss = now.distance(*then + fallen);
        assert!(miss < 1e-8, "off by {miss:e}");
    }
}

#[test]
fn pins_hold_to_rounding() {
    let section = Section { inner_friction: 1e-3, ..ideal(50.0) };
    let build = Build::new(24, section);
    let mut rope = SplineRope::along(&line(DVec3::ZERO, DVec3::X * 2.0), &build).unwrap();
    rope.viscosity = 2.0;
    rope.pins.extend([Pin::at(0.0, DVec3::ZERO), Pin::at(0.37, DVec3::ZERO)]);
    rope.pins.push(Pin::at(1.0, DVec3::X * 2.0));
    let dt = 1e-3;
    for step in 1..=400 {
        let t = dt * f64::from(step);
        rope.pins[0].target = DVec3::Y * (0.3 * ops::sin(9.0 * t));
        rope.pins[1].target = DVec3::new(0.74, 0.1 * t, 0.2 * ops::sin(5.0 * t));
        rope.pins[2].on = step < 200;
        rope.step(dt).unwrap();
        for pin in rope.pins.iter().filter(|pin| pin.on) {
            let miss = rope.point(pin.u).distance(pin.target);
            assert!(miss < 1e-13, "step {step} at {}: {miss:e}", pin.u);
        }
    }
    assert!(rope.point(1.0).distance(DVec3::X * 2.0) > 1e-6, "it was let go");
}

/// Lets a rope come to rest.
fn settle(rope: &mut SplineRope, viscosity: f64, dt: f64, steps: usize) {
    rope.viscosity = viscosity;
    for _ in 0..steps {
        rope.step(dt).unwrap();
    }
    let fastest = rope.state.velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
    assert!(fastest < 1e-5, "still at {fastest} m/s");
}

#[test]
fn hanging_spline_rope_vs_catenary() {
    // Stretched by its own weight by less than 1e-7.
    let (from, to, length) = (DVec3::ZERO, DVec3::new(1.0, 0.0, 0.2), 1.5);
    let error = |segments: usize| {
        let catenary = Catenary::between(from, to, length, DVec3::Z).unwrap();
        let mut build = Build::new(segments + 3, ideal(1e7));
        build.length = Some(length);
        // Evenly by length.
        let points = catenary.sample(101);
        let mut rope = SplineRope::along(&points, &build).unwrap();
        rope.pins.extend([Pin::at(0.0, from), Pin::at(1.0, to)]);
        settle(&mut rope, 20.0, 0.05, 400);
        points
            .iter()
            .enumerate()
            .map(|(i, point)| rope.point(i as f64 / 100.0).distance(*point))
            .fold(0.0, f64::max)
    };
    let errors = [6, 12, 24, 48].map(error);
    for pair in errors.windows(2) {
        let order = ops::ln(pair[0] / pair[1]) / std::f64::consts::LN_2;
        assert!(order > 3.0, "{errors:?}: order {order}");
    }
    assert!(errors[3] < 2e-6, "{errors:?}");
}

#[test]
fn hanging_modes_vs_bessel() {
    // J₀ at x², by its series.
    let j0 = |x: f64| {
        let (mut term, mut sum) = (1.0, 1.0);
        for k in 1..60 {
            term *= -0.25 * x * x / f64::from(k * k);
            sum += term;
        }
        sum
    };
    let (length, g) = (1.0, 9.81_f64);
    for (zero, bar) in [(2.404_825_557_7, 1e-3), (5.520_078_110_3, 1e-3), (8.653_727_912_9, 1e-3)] {
        let omega = 0.5 * zero * (g / length).sqrt();
        let height = 1e-5;
        let points = line(DVec3::ZERO, DVec3::NEG_Z * length);
        let mut rope = SplineRope::along(&points, &Build::new(40, ideal(1e4))).unwrap();
        rope.pins.push(Pin::at(0.0, points[0]));
        // Pulled by its own weight to begin with, then moved aside: x(s) = J₀(zero √(1 − s/L)).
        settle(&mut rope, 20.0, 0.02, 400);
        let aside = fit::fitted(rope.basis(), |u| {
            DVec3::X * (height * j0(zero * (1.0 - u).max(0.0).sqrt()))
        });
        for (q, aside) in rope.state.positions.iter_mut().zip(&aside) {
            *q += *aside;
        }
        rope.pins[0].target = rope.point(0.0);
        rope.state.velocities.fill(DVec3::ZERO);
        (rope.viscosity, rope.state.next) = (0.0, rope::Next::First);
        let dt = 2.0 * PI / omega / 200.0;
        // Three whole swings: the tip passes the middle six times.
        let (mut before, mut passed, mut count) = (height, Vec::new(), 0);
        while passed.len() < 6 && count < 2000 {
            rope.step(dt).unwrap();
            count += 1;
            let now = rope.point(1.0).x;
            if now * before < 0.0 {
                passed.push(dt * (f64::from(count) - now / (now - before)));
            }
            before = now;
        }
        let period = 2.0 * (passed[5] - passed[1]) / 4.0;
        let found = 2.0 * PI / period;
        assert!((found / omega - 1.0).abs() < bar, "{found} for {omega}");
    }
}

#[test]
fn energy_falls_with_damping_and_is_bounded_without() {
    for (viscosity, friction) in [(0.0, 0.0), (1.0, 0.0), (0.0, 0.01)] {
        let section = Section { bend: 1e-3, inner_friction: friction, ..ideal(1e5) };
        let points = line(DVec3::ZERO, DVec3::new(0.5, 0.2, -0.8));
        let mut rope = SplineRope::along(&points, &Build::new(20, section)).unwrap();
        rope.viscosity = viscosity;
        rope.pins.push(Pin::at(0.0, DVec3::ZERO));
        let start = rope.energy().total();
        let range = rope.mass() * 9.81 * rope.length();
        let mut last = start;
        for _ in 0..48 {
            for _ in 0..10 {
                rope.step(1.0 / 240.0).unwrap();
            }
            let now = rope.energy().total();
            if viscosity == 0.0 && friction == 0.0 {
                assert!(now < start + 1e-3 * range, "{start} to {now} of {range}");
            } else {
                assert!(now < last + 1e-6 * range, "{last} to {now} of {range}");
            }
            last = now;
        }
        if viscosity == 0.0 && friction == 0.0 {
            // And hardly any is lost by the method itself.
            assert!(last > start - 0.1 * range, "lost {} of {range}", start - last);
        } else {
            let least = if viscosity > 0.0 { 0.05 } else { 5e-4 };
            assert!(last < start - least * range, "{viscosity} {friction}: {}", start - last);
        }
    }
}

#[test]
fn no_step_adds_energy_however_long_it_is() {
    let arch = |x: f64| DVec3::new(x, 0.0, -2.0 * x * (1.0 - x));
    let coil = |x: f64| {
        let (sin, cos) = ops::sin_cos(12.0 * x);
        DVec3::new(0.3 * cos, 0.3 * sin, -x)
    };
    let shapes: [&dyn Fn(f64) -> DVec3; 3] = [&|x| DVec3::X * (2.0 * x), &arch, &coil];
    for material in ["hemp", "steel-cable", "rubber", "chain"] {
        for (shape, curve) in shapes.iter().enumerate() {
            for rate in [24.0, 30.0, 60.0] {
                let section = Material::find(material).unwrap().at_radius(0.005);
                let section = Section { inner_friction: 0.0, ..section };
                let points: Vec<DVec3> = (0..=40).map(|i| curve(f64::from(i) / 40.0)).collect();
                let mut rope = SplineRope::along(&points, &Build::new(16, section)).unwrap();
                rope.pins.push(Pin::at(0.0, points[0]));
                let range = rope.mass() * 9.81 * rope.length();
                let start = rope.energy().total();
                for step in 0..(4.0 * rate) as usize {
                    rope.step(1.0 / rate).unwrap();
                    let gained = rope.energy().total() - start;
                    assert!(
                        gained < 2e-3 * range,
                        "{material}, shape {shape}, {rate} Hz: {} times its weight and length more at \
                         step {step}",
                        gained / range
                    );
                }
            }
        }
    }
}

/// Where the tip of a rope is that was let go level 0.4 s ago.
fn tip(control_points: usize, rate: f64) -> DVec3 {
    let build = Build::new(control_points, Section { bend: 2e-3, ..ideal(1e4) });
    let mut rope = SplineRope::along(&line(DVec3::ZERO, DVec3::X), &build).unwrap();
    rope.pins.push(Pin::at(0.0, DVec3::ZERO));
    for _ in 0..(0.4 * rate) as usize {
        rope.step(1.0 / rate).unwrap();
    }
    rope.point(1.0)
}

#[test]
fn doubling_control_points_changes_the_tip_as_the_order_says() {
    let [a, b, c] = [8, 16, 32].map(|segments| tip(segments + 3, 480.0));
    let order = ops::ln(a.distance(b) / b.distance(c)) / std::f64::consts::LN_2;
    assert!(order > 2.5, "{a} {b} {c}: order {order}");
    assert!(b.distance(c) < 1e-4, "{b} {c}");
}

#[test]
fn halving_steps_changes_the_tip_to_second_order() {
    let [a, b, c] = [120.0, 240.0, 480.0].map(|rate| tip(19, rate));
    let order = ops::ln(a.distance(b) / b.distance(c)) / std::f64::consts::LN_2;
    assert!((1.7..2.6).contains(&order), "{a} {b} {c}: order {order}");
}

#[test]
fn a_weight_stretches_its_rope_by_hookes_law() {
    let (length, kilograms, stretch) = (2.0, 3.0, 5000.0);
    let mut build = Build::new(12, ideal(stretch));
    build.weights.push((1.0, kilograms));
    let points = line(DVec3::ZERO, DVec3::NEG_Z * length);
    let mut rope = SplineRope::along(&points, &build).unwrap();
    rope.pins.push(Pin::at(0.0, DVec3::ZERO));
    settle(&mut rope, 20.0, 0.02, 600);
    let own = 0.1 * length;
    let longer = -rope.point(1.0).z - length;
    let wanted = (kilograms + 0.5 * own) * 9.81 * length / stretch;
    assert!((longer / wanted - 1.0).abs() < 1e-6, "{longer} for {wanted}");
    for u in [0.0, 0.3, 0.8, 1.0] {
        let wanted = (kilograms + own * (1.0 - u)) * 9.81;
        assert!((rope.tension(u) / wanted - 1.0).abs() < 1e-4, "{} for {wanted}", rope.tension(u));
    }
    let holds = rope.reaction(0);
    assert!((holds.z / ((kilograms + own) * 9.81) - 1.0).abs() < 1e-6, "{holds}");
}

#[test]
fn viscosity_decays_as_told() {
    let build = Build::new(8, ideal(100.0));
    let mut rope = SplineRope::along(&line(DVec3::ZERO, DVec3::X), &build).unwrap();
    (rope.gravity, rope.viscosity) = (DVec3::ZERO, 1.5);
    rope.state.velocities.fill(DVec3::Y);
    for _ in 0..1000 {
        rope.step(1e-3).unwrap();
    }
    let left = rope.velocity(0.5).y;
    assert!((left / ops::exp(-1.5) - 1.0).abs() < 2e-6, "{left}");
}

#[test]
fn a_rope_in_the_wind_leans_as_drag_and_weight_say() {
    let section = ideal(1e5);
    let points = line(DVec3::ZERO, DVec3::NEG_Z * 2.0);
    let mut rope = SplineRope::along(&points, &Build::new(16, section)).unwrap();
    rope.pins.push(Pin::at(0.0, DVec3::ZERO));
    rope.radius = 0.01;
    rope.air = Air { density: 1.2, wind: DVec3::X * 6.0, ..Air::default() };
    settle(&mut rope, 4.0, 0.02, 1500);
    // Across the rope drag and weight are in balance: sin φ / cos² φ = ½ ρ C d w² / (m g).
    let pull = 0.5 * 1.2 * rope.drag * 0.02 * 36.0 / (0.1 * 9.81);
    let s = (-1.0 + (1.0 + 4.0 * pull * pull).sqrt()) / (2.0 * pull);
    let tip = rope.point(1.0);
    let lean = tip.x / tip.length();
    assert!((lean - s).abs() < 1e-3, "{lean} for {s}");
    // Straight.
    assert!(rope.point(0.5).distance(tip * 0.5) < 1e-3);
}

#[test]
fn dense_air_carries_ropes_along() {
    let section = Section { inner_friction: 1e-3, ..ideal(50.0) };
    let build = Build::new(12, section);
    let mut rope = SplineRope::along(&line(DVec3::ZERO, DVec3::X), &build).unwrap();
    (rope.gravity, rope.radius, rope.viscosity) = (DVec3::ZERO, 0.01, 0.0);
    let wind = DVec3::new(1.0, 20.0, 0.0);
    // As dense as mercury.
    rope.air = Air { density: 13_600.0, wind, ..Air::default() };
    let dt = 1e-3;
    for _ in 0..(1.0 / dt) as usize {
        rope.step(dt).unwrap();
    }
    let speed = rope.velocity(0.5);
    assert!((speed.y - 20.0).abs() < 0.1, "{speed}");
}

#[test]
fn a_checkpoint_goes_on_with_the_same_bits() {
    let laid = || {
        let points = line(DVec3::Z * 0.3, DVec3::new(0.7, 0.1, 0.6));
        let mut rope = SplineRope::along(&points, &Build::new(14, hemp())).unwrap();
        rope.pins.push(Pin::at(0.0, points[0]));
        rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.005));
        rope
    };
    let mut whole = laid();
    let mut numbers = Vec::new();
    for step in 0..200 {
        if step == 120 {
            whole.state.to_numbers(&mut numbers);
        }
        whole.step(1.0 / 240.0).unwrap();
    }
    let mut resumed = laid();
    resumed.state = State::from_numbers(&numbers).unwrap();
    for _ in 120..200 {
        resumed.step(1.0 / 240.0).unwrap();
    }
    assert_eq!(resumed.state, whole.state);
    assert_eq!(State::from_numbers(&numbers[1..]), None);
}

#[test]
fn a_step_that_cannot_be_made_leaves_the_rope_as_it_was() {
    for force in [f64::NAN, 1e300] {
        let section = Section { inner_friction: 1e-3, ..ideal(50.0) };
        let build = Build::new(12, section);
        let mut rope = SplineRope::along(&line(DVec3::ZERO, DVec3::X), &build).unwrap();
        rope.viscosity = 1.0;
        rope.pins.push(Pin::at(0.0, DVec3::ZERO));
        let dt = 1e-3;
        for _ in 0..104 {
            rope.step(dt).unwrap();
        }
        let before = rope.state.clone();
        rope.forces.push(Force { u: 0.5, force: DVec3::Y * force });
        let made = rope.step(dt);
        assert!(made.is_err(), "{force}: {made:?}");
        assert_eq!(rope.state.positions, before.positions, "{force}");
        assert_eq!(rope.state.velocities, before.velocities, "{force}");
        // And it goes on when nothing is wrong any more.
        rope.forces.clear();
        for _ in 0..8 {
            rope.step(dt).unwrap();
        }
        let moved = rope.point(1.0).distance(rope.row(1.0).of(&before.positions));
        assert!(moved < 0.1, "{force}: {moved}");
    }
}

#[test]
fn bad_numbers_are_refused_with_what_is_wrong() {
    let points = line(DVec3::ZERO, DVec3::X);
    let refused = |build: &Build| SplineRope::along(&points, build).map(|_| ()).unwrap_err();
    assert_eq!(refused(&Build::new(3, hemp())), BuildError::TooFewControlPoints(3));
    let light = Section { mass_per_metre: 0.0, ..hemp() };
    assert_eq!(
        refused(&Build::new(8, light)).to_string(),
        "`mass per metre` is 0; it must be above 0 and finite"
    );
    let springy = Section { bend: -1.0, ..hemp() };
    assert_eq!(
        refused(&Build::new(8, springy)).to_string(),
        "`bend stiffness` is -1; it must be 0 or more and finite"
    );
    let nowhere = SplineRope::along(&[DVec3::ONE; 4], &Build::new(8, hemp()));
    assert!(matches!(nowhere, Err(BuildError::NoLength(_))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_rope_gives_nan(
        control_points in 4_usize..24,
        mass in -6.0..3.0_f64,
        stretch in 0.0..9.0_f64,
        bend in -6.0..3.0_f64,
        compression in 0.0..=1.0_f64,
        friction in 0.0..0.1_f64,
        rate in 10.0..2000.0_f64,
        jump in -50.0..50.0_f64,
        weight in -4.0..4.0_f64,
    ) {
        let ten = |power: f64| ops::pow(10.0, power);
        let section = Section {
            mass_per_metre: ten(mass), stretch: ten(stretch), bend: ten(bend),
            compression, inner_friction: friction,
        };
        let mut build = Build::new(control_points, section);
        build.weights.push((0.7, ten(weight)));
        let points = line(DVec3::Z * 0.2, DVec3::new(1.0, 0.3, 0.4));
        let mut rope = SplineRope::along(&points, &build).unwrap();
        rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.01));
        rope.pins.extend([Pin::at(0.0, points[0]), Pin::at(0.0, points[0]), Pin::at(0.9, points[18])]);
        for step in 0..30 {
            if step == 10 {
                // A hand that teleports.
                rope.pins[2].target += DVec3::new(jump, 0.0, 1.0);
            }
            rope.pins[1].on = step % 7 < 3;
            let made = rope.step(1.0 / rate);
            let finite = rope.state.positions.iter().chain(&rope.state.velocities).all(|p| p.is_finite());
            prop_assert!(finite, "{:?}", made);
            if made.is_err() {
                break;
            }
            let miss = rope.point(0.9).distance(rope.pins[2].target);
            let far = rope.state.positions.iter().map(|p| p.length()).fold(1.0, f64::max);
            prop_assert!(miss < 1e-9 * far, "{} at {} m", miss, far);
        }
    }
}
