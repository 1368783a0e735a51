//! Bending that is solved for: against beams, the elastica, and another way to solve.

use std::f64::consts::PI;

use super::*;
use lariat_core::num::ops;

/// A string along X of `length`, held by the two particles before it and at its start, without weight.
fn cantilever(segments: usize, length: f64, bend: f64, friction: f64) -> Strings {
    let l = length / segments as f64;
    let material = Material { inner_friction: friction, ..Material::ideal(1000.0) };
    let mut build =
        Build::straight(-DVec3::X * l, DVec3::X * length, segments + 1, 0.003, material);
    build.bend = Bend::Stiffness { bend, width: None };
    let mut strings = Strings::of(&build).unwrap();
    strings.settings.contact = false;
    strings.gravity = DVec3::ZERO;
    strings.clamps.extend([Clamp::at(0, -DVec3::X * l), Clamp::at(1, DVec3::ZERO)]);
    strings
}

/// Kilograms a metre of those.
const RHO: f64 = 1000.0 * PI * 0.003 * 0.003;

/// Lays a cantilever out in its first mode, so far at its tip.
fn pluck(strings: &mut Strings, length: f64, far: f64) {
    let beta = 1.875_104_068_711_961 / length;
    let shape = |s: f64| {
        let (sin, cos) = ops::sin_cos(beta * s);
        let (e, i) = (ops::exp(beta * s), ops::exp(-beta * s));
        0.5 * (e + i) - cos - 0.734_095_513_758_767_8 * (0.5 * (e - i) - sin)
    };
    let tip = shape(length);
    for x in &mut strings.state.positions[2..] {
        x.z = far * shape(x.x) / tip;
    }
}

/// Radians a second of its first mode.
fn first_mode(length: f64, bend: f64) -> f64 {
    3.516_015_268_5 / (length * length) * (bend / RHO).sqrt()
}

#[test]
fn a_beam_keeps_its_energy() {
    // Without friction it swings with its own period and nearly as far, though its fastest waves turn by
    // seventeen radians in a step.
    let (length, bend, dt) = (1.0, 0.05, 0.004);
    let omega = first_mode(length, bend);
    let mut strings = cantilever(40, length, bend, 0.0);
    pluck(&mut strings, length, 0.02);
    let l: f64 = length / 40.0;
    assert!((4.0 * bend / (RHO * l * l * l * l)).sqrt() * dt > 16.0);
    let (mut crossings, mut before, mut most) = (Vec::new(), 0.02, 0.0_f64);
    for step in 0..(20.0 * PI / omega / dt) as u32 {
        strings.step(dt).unwrap();
        let now = strings.state.positions[41].z;
        if before > 0.0 && now <= 0.0 {
            crossings.push(dt * (f64::from(step) + before / (before - now)));
        }
        if f64::from(step) * dt > 18.0 * PI / omega {
            most = most.max(now);
        }
        before = now;
    }
    let spans = crossings.len() - 1;
    assert!(spans >= 8, "{spans}");
    let period = (crossings[spans] - crossings[0]) / spans as f64;
    assert!((period * omega / (2.0 * PI) - 1.0).abs() < 0.01, "{period}");
    assert!(most > 0.018 && most < 0.0205, "{most}");
}

#[test]
fn inner_friction_stops_waves_of_any_length() {
    // A mode of ω loses exp(−ω² τ t / 2), however fine the string and however long the step.
    let (length, bend, friction) = (1.0, 0.1, 0.05);
    let omega = first_mode(length, bend);
    for (segments, dt) in [(12, 0.005), (48, 0.005), (100, 0.002), (100, 0.01)] {
        let mut strings = cantilever(segments, length, bend, friction);
        pluck(&mut strings, length, 0.02);
        let seconds = 4.0 * PI / omega;
        let mut most = 0.0_f64;
        for step in 0..(seconds / dt).round() as u32 {
            strings.step(dt).unwrap();
            if f64::from(step) * dt > seconds - 1.1 * PI / omega {
                most = most.max(strings.state.positions[segments + 1].z.abs());
            }
        }
        // The last time that it was out furthest was a half or a whole period before the end.
        let kept = |t: f64| 0.02 * ops::exp(-0.5 * omega * omega * friction * t);
        let (least, greatest) = (kept(seconds), kept(seconds - 1.1 * PI / omega));
        let said = format!("{segments} segments, {dt} s: {most} m");
        assert!(most > 0.8 * least && most < 1.1 * greatest, "{said}, {least} to {greatest}");
        assert!(greatest < 0.01, "it must be seen: {greatest}");
    }
}

#[test]
fn a_bent_rod_that_turns_feels_no_friction() {
    // An arch between two hands that turn it as a whole, in its own plane and with a friction of a second.
    let n = 40;
    let material = Material { inner_friction: 1.0, ..Material::ideal(1000.0) };
    let points: Vec<DVec3> = (0..=n)
        .map(|i| {
            let (sin, cos) = ops::sin_cos(PI * i as f64 / n as f64);
            DVec3::new(-cos, 0.0, sin) * 0.2
        })
        .collect();
    let mut build = Build::new(points.clone(), 0.003, material);
    build.bend = Bend::Stiffness { bend: 0.01, width: None };
    let mut strings = Strings::of(&build).unwrap();
    strings.gravity = DVec3::ZERO;
    strings.clamps.extend([0, 1, n - 1, n].map(|i| Clamp::at(i, points[i])));
    strings.viscosity = 5.0;
    run(&mut strings, 20.0, 0.01);
    strings.viscosity = 0.0;
    let rest = strings.state.positions.clone();
    let omega = 0.5;
    let turned = |x: DVec3, angle: f64| {
        let (sin, cos) = ops::sin_cos(angle);
        DVec3::new(x.x * cos + x.z * sin, 0.0, x.z * cos - x.x * sin)
    };
    for (v, x) in strings.state.velocities.iter_mut().zip(&rest) {
        *v = DVec3::new(x.z, 0.0, -x.x) * omega;
    }
    let (mut furthest, mut torque) = (0.0_f64, 0.0_f64);
    for step in 1..=150 {
        let angle = omega * 0.01 * f64::from(step);
        for clamp in &mut strings.clamps {
            clamp.target = turned(rest[clamp.particle], angle);
        }
        strings.step(0.01).unwrap();
        for (x, then) in strings.state.positions.iter().zip(&rest) {
            furthest = furthest.max(x.distance(turned(*then, angle)));
        }
        let held = strings.clamps.iter().map(|clamp| {
            let place = strings.state.positions[clamp.particle];
            place.cross(strings.grip(clamp).force)
        });
        torque = torque.max(held.sum::<DVec3>().length());
    }
    // It is pulled out a little by its own weight; friction of the whole of its bend, `EI τ ω ∫ κ² ds`,
    // would be 0.08 N m.
    assert!(furthest < 1e-3, "{furthest} m");
    assert!(torque < 3e-3, "{torque} N m");
}

#[test]
fn a_thick_rope_out_of_a_clamp_vs_the_elastica() {
    // EI θ'' = −ρ g (L − s) cos θ, level at the clamp and straight at the tip, by shooting.
    let (length, bend, load) = (0.6, 0.14, 0.29 * 9.81);
    let known = {
        let tip = |bent: f64| {
            let steps = 2000;
            let h = length / f64::from(steps);
            let (mut theta, mut k, mut drop) = (0.0, bent, 0.0);
            for step in 0..steps {
                let s = h * (f64::from(step) + 0.5);
                let half = theta + 0.5 * h * k;
                drop += h * ops::sin(half);
                theta = half;
                k -= h * load * (length - s) * ops::cos(theta) / bend;
                theta += 0.5 * h * k;
            }
            (k, drop)
        };
        let (mut low, mut high) = (0.0, 100.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if tip(middle).0 > 0.0 { high = middle } else { low = middle }
        }
        tip(low).1
    };
    assert!((0.2..0.35).contains(&known), "{known}");
    for (segments, dt, off) in [(40, 1.0 / 240.0, 1e-3), (80, 1.0 / 60.0, 3e-4)] {
        let mut strings = cantilever(segments, length, bend, 0.05);
        strings.gravity.z = -load / RHO;
        strings.viscosity = 4.0;
        strings.settings.longest = dt;
        run(&mut strings, 20.0, dt);
        let ours = -strings.state.positions[segments + 1].z;
        assert!((ours / known - 1.0).abs() < off, "{segments}, {dt} s: {ours} for {known}");
        // Two hands hold all of its weight, and what is next to them pulls by nothing along a level clamp.
        let held: DVec3 = strings.clamps.iter().map(|clamp| strings.grip(clamp).force).sum();
        let weight = (0..=segments + 1).map(|i| strings.mass(i)).sum::<f64>() * load / RHO;
        assert!((held - DVec3::Z * weight).length() < 1e-6 * weight, "{held} for {weight}");
        assert!(strings.state.tensions[1].abs() < 0.1 * weight, "{}", strings.state.tensions[1]);
    }
}

#[test]
fn momentum_is_kept_by_what_is_stiff() {
    // Thrown, spun and twisted, with bending that no part follows, and friction.
    let mut dice = Dice(3);
    let mut random = move || DVec3::new(dice.unit(), dice.unit(), dice.unit()) - DVec3::splat(0.5);
    let points: Vec<DVec3> = (0..=30)
        .map(|i| {
            let (sin, cos) = ops::sin_cos(0.12 * f64::from(i));
            DVec3::new(0.25 * cos, 0.25 * sin, 0.01 * f64::from(i))
        })
        .collect();
    for (bend, friction) in [(0.05, 0.0), (0.05, 0.05), (0.2, 0.01)] {
        let material = Material { inner_friction: friction, ..rubber() };
        let mut build = Build::new(points.clone(), 0.003, material);
        build.bend = Bend::Stiffness { bend, width: None };
        (build.tears, build.stretches) = (false, false);
        let mut strings = Strings::of(&build).unwrap();
        strings.gravity = DVec3::ZERO;
        strings.settings.contact = false;
        strings.settings.tolerance = 1e-21;
        for i in 0..=30 {
            strings.state.velocities[i] = random() * 0.2 + DVec3::new(1.0, 2.0, 3.0);
        }
        for i in 0..30 {
            strings.state.spins[i] = 100.0 + 10.0 * random().x;
            strings.state.angles[i] = 0.3 * random().y;
        }
        let mut scale = 0.0;
        for i in 0..=30 {
            let far = strings.state.positions[i].length();
            scale += strings.mass(i) * strings.state.velocities[i].length() * far.max(1.0);
        }
        for step in 0..60 {
            let before = strings.momentum();
            strings.step(0.005).unwrap();
            let after = strings.momentum();
            let off = [(after.0 - before.0).length(), (after.1 - before.1).length()];
            let said = format!("{bend} N m2, {friction} s, step {step}: {off:?} of {scale}");
            assert!(off[0] < 1e-12 * scale && off[1] < 1e-12 * scale, "{said}");
        }
    }
}

#[test]
fn what_tapers_bends_where_it_is_thin() {
    // Half as thick towards its tip: a sixteenth as stiff there.
    let material =
        Material { modulus: 1e8, rigidity: 1.0, density: 1000.0, ..Material::ideal(1000.0) };
    let mut build = Build::straight(-DVec3::X * 0.02, DVec3::X, 51, 0.01, material);
    build.radius_along = vec![(0.0, 1.0), (0.509, 1.0), (0.5091, 0.5), (1.0, 0.5)];
    build.tears = false;
    let mut strings = Strings::of(&build).unwrap();
    strings.settings.contact = false;
    strings.viscosity = 5.0;
    strings.gravity = DVec3::ZERO;
    strings.clamps.extend([Clamp::at(0, -DVec3::X * 0.02), Clamp::at(1, DVec3::ZERO)]);
    let tip = strings.particle(0, 1.0);
    let force = 0.01;
    strings.forces.push(Force { particle: tip, force: DVec3::Z * -force });
    run(&mut strings, 20.0, 0.01);
    // M = F (L − s): ∫ M (L − s) / EI over both halves.
    let thick = 1e8 * 0.25 * PI * 0.01 * 0.01 * 0.01 * 0.01;
    let known = force / 3.0 * ((1.0 - 0.125) / thick + 0.125 / (thick / 16.0));
    let ours = -strings.state.positions[tip].z;
    assert!((ours / known - 1.0).abs() < 0.05, "{ours} for {known}");
}
