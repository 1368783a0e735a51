//! Motion, length and tension.

use lariat_core::curve::catenary::Catenary;

use super::*;

#[test]
fn free_fall_is_exact() {
    for build in [
        Build::chain(line(DVec3::ZERO, DVec3::new(1.0, 0.2, 0.5), 20), 0.1),
        Build::straight(DVec3::ZERO, DVec3::ONE, 20, 0.002, rubber()),
    ] {
        let mut strings = Strings::of(&build).unwrap();
        let thrown = DVec3::new(0.3, -1.0, 4.0);
        strings.state.velocities.fill(thrown);
        let start = strings.state.positions.clone();
        run(&mut strings, 1.0, 0.01);
        for (now, then) in strings.state.positions.iter().zip(&start) {
            let miss = now.distance(*then + thrown + strings.gravity * 0.5);
            assert!(miss < 1e-10, "{miss:e}");
        }
    }
}

#[test]
fn momentum_is_kept_to_rounding() {
    let mut dice = Dice(5);
    let mut random = move || DVec3::new(dice.unit(), dice.unit(), dice.unit()) - DVec3::splat(0.5);
    let points: Vec<DVec3> = (0..=40)
        .map(|i| {
            let a = 0.2 * f64::from(i);
            DVec3::new(0.2 * ops::cos(a), 0.2 * ops::sin(a), 0.02 * f64::from(i)) + random() * 0.002
        })
        .collect();
    let soft = Build { material: rubber(), ..Build::new(points.clone(), 0.003, rubber()) };
    let stiff = Build { stretches: false, ..soft.clone() };
    let curved = Build { curved: true, ..stiff.clone() };
    for (name, build) in [("soft", soft), ("stiff", stiff), ("curved", curved)] {
        let mut strings = Strings::of(&build).unwrap();
        strings.gravity = DVec3::ZERO;
        strings.settings.contact = false;
        strings.settings.tolerance = 1e-21;
        strings.settings.longest = 0.002;
        for v in &mut strings.state.velocities {
            *v = random() * 2.0 + DVec3::new(1.0, 2.0, 3.0);
        }
        for i in 0..40 {
            strings.state.spins[i] = 400.0 + 100.0 * random().x;
            strings.state.angles[i] = random().y;
        }
        let mut scale = 0.0;
        for i in 0..=40 {
            let far = strings.state.positions[i].length();
            scale += strings.mass(i) * strings.state.velocities[i].length() * far.max(1.0);
        }
        let spin: f64 = (0..40).map(|i| strings.parts.inertia[i] * 400.0).sum();
        assert!(spin > 1e-5 * scale, "spins must be seen: {spin:e} of {scale:e}");
        for step in 0..60 {
            let before = strings.momentum();
            strings.step(0.002).unwrap();
            let after = strings.momentum();
            let (linear, angular) = (after.0 - before.0, after.1 - before.1);
            assert!(
                linear.length() < 1e-12 * scale,
                "{name} {step}: {:e}",
                linear.length() / scale
            );
            let off = angular.length() / scale;
            assert!(off < 1e-12, "{name} step {step}: {off:e}");
        }
    }
}

/// A chain of rods with pins by another method: accelerations from the tension that keeps rods
/// rigid, with Runge and Kutta's rule of fourth order and very short steps.
fn tip_of_rods(n: usize, seconds: f64, h: f64) -> DVec3 {
    let l = 1.0 / n as f64;
    let masses: Vec<f64> = (0..=n).map(|i| if i == n { 0.5 } else { 1.0 }).collect();
    let gravity = DVec3::new(0.0, 0.0, -9.81);
    let accelerations = |x: &[DVec3], v: &[DVec3]| -> Vec<DVec3> {
        let d: Vec<DVec3> = (0..n).map(|i| x[i + 1] - x[i]).collect();
        let light = |i: usize| if i == 0 { 0.0 } else { 1.0 / masses[i] };
        let (mut upper, mut right) = (vec![0.0; n], vec![0.0; n]);
        for i in 0..n {
            let lower = if i > 0 { -light(i) * d[i - 1].dot(d[i]) } else { 0.0 };
            let off = if i + 1 < n { -light(i + 1) * d[i].dot(d[i + 1]) } else { 0.0 };
            let own = (light(i) + light(i + 1)) * d[i].length_squared();
            let held = if i == 0 { d[0].dot(gravity) } else { 0.0 };
            let wanted = (v[i + 1] - v[i]).length_squared() + held;
            let before = if i > 0 { (upper[i - 1], right[i - 1]) } else { (0.0, 0.0) };
            let pivot = own - lower * before.0;
            upper[i] = off / pivot;
            right[i] = (wanted - lower * before.1) / pivot;
        }
        for i in (0..n - 1).rev() {
            right[i] -= upper[i] * right[i + 1];
        }
        (0..=n)
            .map(|i| {
                let ahead = if i < n { d[i] * right[i] } else { DVec3::ZERO };
                let behind = if i > 0 { d[i - 1] * right[i - 1] } else { DVec3::ZERO };
                if i == 0 { DVec3::ZERO } else { gravity + (ahead - behind) * light(i) }
            })
            .collect()
    };
    let mut x: Vec<DVec3> = (0..=n).map(|i| DVec3::X * (l * i as f64)).collect();
    let mut v = vec![DVec3::ZERO; n + 1];
    let add = |a: &[DVec3], b: &[DVec3], s: f64| -> Vec<DVec3> {
        a.iter().zip(b).map(|(a, b)| *a + *b * s).collect()
    };
    for _ in 0..(seconds / h).round() as u32 {
        let a1 = accelerations(&x, &v);
        let (x2, v2) = (add(&x, &v, 0.5 * h), add(&v, &a1, 0.5 * h));
        let a2 = accelerations(&x2, &v2);
        let (x3, v3) = (add(&x, &v2, 0.5 * h), add(&v, &a2, 0.5 * h));
        let a3 = accelerations(&x3, &v3);
        let (x4, v4) = (add(&x, &v3, h), add(&v, &a3, h));
        let a4 = accelerations(&x4, &v4);
        for i in 0..=n {
            x[i] += (v[i] + v2[i] * 2.0 + v3[i] * 2.0 + v4[i]) * (h / 6.0);
            v[i] += (a1[i] + a2[i] * 2.0 + a3[i] * 2.0 + a4[i]) * (h / 6.0);
        }
    }
    x[n]
}

#[test]
fn the_tip_of_a_falling_rope_vs_a_chain_of_rods() {
    let n = 100;
    let known = tip_of_rods(n, 0.4, 1e-4);
    assert!(known.distance(tip_of_rods(n, 0.4, 2e-4)) < 1e-5, "the reference has converged");
    for (dt, allowed) in [(0.0125, 0.012), (0.004, 2e-3), (0.001, 2e-4)] {
        let mut strings = chain(line(DVec3::ZERO, DVec3::X, n));
        strings.clamps.push(Clamp::at(0, DVec3::ZERO));
        run(&mut strings, 0.4, dt);
        let miss = strings.state.positions[n].distance(known);
        assert!(miss < allowed, "{miss} m with steps of {dt} s");
        for _ in 0..(0.6 / dt) as u32 {
            strings.step(dt).unwrap();
            for i in 0..n {
                let stretch = strings.segment_length(i) / strings.parts.length[i] - 1.0;
                assert!(stretch < 1e-3, "{stretch}");
            }
        }
    }
}

#[test]
fn hanging_tension_is_the_weight_below() {
    let n = 40;
    let points = line(DVec3::ZERO, DVec3::Z * -2.0, n);
    let tip = 0.3;
    let build = Build { weights: vec![(1.0, tip)], ..Build::chain(points, 0.1) };
    let mut strings = Strings::of(&build).unwrap();
    strings.clamps.push(Clamp::at(0, DVec3::ZERO));
    run(&mut strings, 0.2, 0.01);
    for i in 0..n {
        let s = 2.0 * (i as f64 + 0.5) / n as f64;
        let known = (tip + 0.1 * (2.0 - s)) * 9.81;
        let tension = strings.state.tensions[i];
        assert!((tension / known - 1.0).abs() < 1e-6, "{i}: {tension} for {known}");
    }
}

#[test]
fn a_clamp_holds_what_hangs_on_it() {
    let points = line(DVec3::ZERO, DVec3::Z * -2.0, 40);
    let build = Build { weights: vec![(1.0, 0.3)], ..Build::chain(points, 0.1) };
    let mut strings = Strings::of(&build).unwrap();
    strings.clamps.push(Clamp::at(0, DVec3::ZERO));
    run(&mut strings, 0.2, 0.01);
    let known = DVec3::Z * (0.5 * 9.81);
    let force = strings.grip(&strings.clamps[0]).force;
    assert!(force.distance(known) < 1e-6 * known.z, "{force} for {known}");
    // Two hands share what hangs between them, and one that lets go holds nothing.
    let mut points = line(DVec3::ZERO, DVec3::new(0.35, 0.0, -0.36), 20);
    points.extend_from_slice(&line(DVec3::new(0.35, 0.0, -0.36), DVec3::X * 0.7, 20)[1..]);
    let length: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let mut strings = chain(points);
    strings.clamps.extend([Clamp::at(0, DVec3::ZERO), Clamp::at(40, DVec3::X * 0.7)]);
    strings.viscosity = 5.0;
    run(&mut strings, 8.0, 0.01);
    let [a, b] = [0, 1].map(|k| strings.grip(&strings.clamps[k]).force);
    assert!((a.z - b.z).abs() < 1e-3 && (a + b).x.abs() < 1e-3 && a.x < -0.1, "{a} {b}");
    assert!(((a + b).z / (0.1 * length * 9.81) - 1.0).abs() < 2e-3, "{a} {b}");
    strings.clamps[1].on = false;
    assert_eq!(strings.grip(&strings.clamps[1]), Grip::default());
    // A stiff string that stands out from two held particles: together they hold its weight.
    let material = Material::ideal(1000.0);
    let build = Build {
        bend: Bend::Stiffness { bend: 2e-2, width: None },
        twist: Twist::Free,
        ..Build::new(line(DVec3::ZERO, DVec3::X * 0.5, 25), 0.003, material)
    };
    let mut strings = Strings::of(&build).unwrap();
    strings.clamps.extend([Clamp::at(0, DVec3::ZERO), Clamp::at(1, build.points[1])]);
    strings.viscosity = 6.0;
    run(&mut strings, 6.0, 0.005);
    let sum: DVec3 = strings.clamps.iter().map(|clamp| strings.grip(clamp).force).sum();
    let weight: f64 = (0..=25).map(|i| strings.mass(i) * 9.81).sum();
    assert!((sum.z / weight - 1.0).abs() < 0.002, "{sum} for {weight}");
}

fn bessel_j0(x: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..40 {
        term *= -(x * x / 4.0) / f64::from(k * k);
        sum += term;
    }
    sum
}

#[test]
fn the_first_hanging_mode_swings_with_bessels_period() {
    let (n, length) = (60, 1.5);
    let root = 2.404_825_557_695_773;
    let points: Vec<DVec3> = (0..=n)
        .map(|i| {
            let z = length * (1.0 - f64::from(i) / f64::from(n));
            DVec3::new(0.01 * bessel_j0(root * (z / length).sqrt()), 0.0, z - length)
        })
        .collect();
    let top = points[0];
    let mut strings = chain(points);
    strings.clamps.push(Clamp::at(0, top));
    let known = 2.0 * PI / (0.5 * root * (9.81 / length).sqrt());
    let (dt, mut crossings) = (0.005, Vec::new());
    let mut before = strings.state.positions[60].x;
    for step in 0..2000 {
        strings.step(dt).unwrap();
        let now = strings.state.positions[60].x;
        if before > 0.0 && now <= 0.0 {
            crossings.push(dt * (f64::from(step) + before / (before - now)));
        }
        before = now;
    }
    let spans = crossings.len() - 1;
    assert!(spans >= 3);
    let period = (crossings[spans] - crossings[0]) / spans as f64;
    assert!((period / known - 1.0).abs() < 2e-3, "{period} for {known}");
}

#[test]
fn a_weight_stretches_its_string_by_hookes_law() {
    let (length, tip, r) = (1.0, 0.1, 0.002);
    let mut build = Build::straight(DVec3::ZERO, DVec3::Z * -length, 40, r, rubber());
    build.weights.push((1.0, tip));
    build.variation = 0.0;
    let mut strings = Strings::of(&build).unwrap();
    strings.clamps.push(Clamp::at(0, DVec3::ZERO));
    strings.viscosity = 8.0;
    run(&mut strings, 6.0, 0.01);
    let area = PI * r * r;
    let (stiff, weight) = (rubber().modulus * area, rubber().density * area * 9.81);
    let known = (tip * 9.81 * length + 0.5 * weight * length * length) / stiff;
    let longer = -strings.state.positions[40].z - length;
    assert!((longer / known - 1.0).abs() < 1e-4, "{longer} for {known}");
    // What is longer is thinner.
    let volume = strings.radius(3) * strings.radius(3) * strings.segment_length(3);
    assert!((volume / (r * r * length / 40.0) - 1.0).abs() < 1e-12);
}

#[test]
fn hanging_string_vs_catenary() {
    let points: Vec<DVec3> = (0..=100)
        .map(|i| {
            let u = f64::from(i) / 100.0;
            let depth = (0.75_f64 * 0.75 - 0.25).sqrt();
            DVec3::new(u, 0.0, -depth * (1.0 - (2.0 * u - 1.0).abs()))
        })
        .collect();
    let mut strings = chain(points);
    strings.clamps.extend([Clamp::at(0, DVec3::ZERO), Clamp::at(100, DVec3::X)]);
    strings.viscosity = 6.0;
    run(&mut strings, 6.0, 0.0125);
    let known = Catenary::between(DVec3::ZERO, DVec3::X, 1.5, DVec3::Z).unwrap().sample(101);
    for (i, (ours, known)) in strings.state.positions.iter().zip(&known).enumerate() {
        assert!(ours.distance(*known) < 1e-3, "{i}: {ours} for {known}");
    }
    // Tension is level times what the catenary says: T = ρ g · height over the directrix.
    let level = strings.state.tensions[50];
    let top = strings.state.tensions[0];
    let along = known[1] - known[0];
    let steep = along.length() / along.x;
    assert!((top / level / steep - 1.0).abs() < 0.01, "{top} {level} {steep}");
}

#[test]
fn after_a_whip_steps_are_soon_easy_again() {
    // Let go level, a thousand segments: within half a second the tip whips round, and leaves waves that no
    // fortieth of a second follows.
    for tolerance in [1e-3, 3e-3] {
        let mut strings = chain(line(DVec3::ZERO, DVec3::X, 1000));
        strings.clamps.push(Clamp::at(0, DVec3::ZERO));
        (strings.settings.longest, strings.settings.tolerance) = (0.025, tolerance);
        let total = |strings: &Strings| strings.energy().kinetic + strings.energy().height;
        let start = total(&strings);
        let mut solves = 0;
        for step in 0..40 {
            let report = strings.step(0.025).unwrap();
            solves += if step >= 16 { report.iterations } else { 0 };
        }
        let each = f64::from(solves) / 24.0;
        assert!(each < 13.0, "{each} solves a step with a tolerance of {tolerance}");
        let lost = start - total(&strings);
        assert!(lost > 0.0 && lost < 0.05, "{lost} J, of half a joule that it fell by");
    }
}

#[test]
fn a_step_that_is_taken_back_was_never_made() {
    let mut strings = chain(line(DVec3::ZERO, DVec3::X, 20));
    strings.clamps.push(Clamp::at(0, DVec3::ZERO));
    for _ in 0..10 {
        strings.step(0.01).unwrap();
    }
    let mut other = strings.clone();
    let before = strings.state.clone();
    strings.step(0.02).unwrap();
    assert!(strings.state != before);
    strings.take_back();
    assert!(strings.state == before);
    // And it goes on as one that has never tried.
    for _ in 0..10 {
        strings.step(0.01).unwrap();
        other.step(0.01).unwrap();
        assert!(strings.state == other.state);
    }
}
