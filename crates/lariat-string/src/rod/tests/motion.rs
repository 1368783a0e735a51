//! Motion, length and tension.

use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Collider;

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
fn a_swing_loses_little_energy() {
    for dt in [0.0125, 1.0 / 240.0] {
        let to = DVec3::new(1.0, 0.0, -1.0) / 2.0_f64.sqrt();
        let mut strings = chain(line(DVec3::ZERO, to, 50));
        strings.clamps.push(Clamp::at(0, DVec3::ZERO));
        let total = |strings: &Strings| {
            let energy = strings.energy();
            energy.kinetic + energy.height
        };
        let start = total(&strings);
        let mut last = start;
        let mut iterations = 0;
        for _ in 0..(2.0 / dt) as u32 {
            iterations += strings.step(dt).unwrap().iterations;
            let now = total(&strings);
            if now > last + 1e-6 { println!("rise {}", now - last); }
            last = now;
        }
        println!("dt {dt} lost {} J of 0.143 J; {iterations} iterations", start - last);
    }
}

#[test]
fn a_weight_hangs_over_a_beam() {
    for (segments, friction) in [(30, 0.0), (60, 0.0), (30, 0.4), (60, 0.4), (120, 0.4), (120, 0.0)] {
        let r = 0.105;
        let mut points = Vec::new();
        let l = 2.5 / segments as f64;
        // From the left below, over, down on the right.
        for i in 0..=segments {
            let s = l * i as f64 - 1.25;
            let a = (s / r).clamp(-PI / 2.0, PI / 2.0);
            let rest = s - a * r;
            let (sin, cos) = ops::sin_cos(a);
            points.push(DVec3::new(r * sin, 0.0, r * cos - rest.abs()));
        }
        let mut build = Build::new(points, 0.005, hemp());
        build.weights.push((1.0, 1.0));
        let mut strings = Strings::of(&build).unwrap();
        strings.friction = friction;
        strings.clamps.push(Clamp::at(0, strings.state.positions[0]));
        let beam = Collider::Cylinder { from: DVec3::Y * -0.5, to: DVec3::Y * 0.5, radius: 0.1 };
        strings.obstacles.push(Obstacle::standing(beam, 0.0));
        let before = strings.state.positions[segments];
        let mut report = StepReport::default();
        let (mut iterations, mut halvings) = (0, 0);
        for step in 0..720 {
            report = strings.step(1.0 / 240.0).unwrap();
            iterations += report.iterations;
            halvings += report.halvings;
            for event in &strings.events { println!("  {step} {event:?}"); }
            if report.torn > 0 { break; }
            if step % 120 == 0 {
                println!("  {step}: z {:.5} T {:.4} {report:?}", strings.state.positions[segments].z, strings.state.tensions[segments-1]);
            }
        }
        let deepest = strings.state.positions.windows(2).map(|p| {
            (0..=10).map(|k| { let x = p[0].lerp(p[1], f64::from(k) / 10.0); DVec3::new(x.x, 0.0, x.z).length() }).fold(f64::INFINITY, f64::min)
        }).fold(f64::INFINITY, f64::min);
        println!("{segments} {friction}: moved {} nearest {deepest} tension {} speed {} iterations {iterations} halvings {halvings} {report:?}", strings.state.positions[segments].distance(before), strings.state.tensions[segments - 1], strings.state.velocities[segments].length());
    }
}

#[test]
fn debug_hang() {
    for (name, segments, weight) in [("plain", 10, 0.0), ("weight", 10, 1.0), ("weight60", 60, 1.0)] {
        let mut build = Build::new(line(DVec3::ZERO, DVec3::Z * -1.0, segments), 0.005, hemp());
        build.weights.push((1.0, weight));
        let mut strings = Strings::of(&build).unwrap();
        strings.settings.contact = false;
        strings.clamps.push(Clamp::at(0, DVec3::ZERO));
        for step in 0..240 {
            let report = strings.step(1.0 / 240.0).unwrap();
            if step < 4 || step % 60 == 0 {
                println!("{name} {step} z {:.6} T {:.4} v {:.4} {report:?}", strings.state.positions[segments].z, strings.state.tensions[segments - 1], strings.state.velocities[segments].length());
            }
        }
    }
    // A free rod.
    let mut build = Build::new(line(DVec3::ZERO, DVec3::X * 1.0, 10), 0.005, hemp());
    build.weights.push((1.0, 0.1));
    let mut strings = Strings::of(&build).unwrap();
    strings.settings.contact = false;
    strings.clamps.push(Clamp::at(0, DVec3::ZERO));
    for step in 0..240 {
        let report = strings.step(1.0 / 240.0).unwrap();
        if step < 4 || step % 20 == 0 {
            let e = strings.energy();
            println!("swing {step} {:.5} T {:.4} E {:.5} {report:?}", strings.state.positions[10], strings.state.tensions[9], e.kinetic + e.height);
        }
    }
}

#[test]
fn debug_slide() {
    let normal = DVec3::new(-0.5, 0.0, 0.75_f64.sqrt());
    let down = DVec3::new(-(0.75_f64.sqrt()), 0.0, -0.5);
    let start = line(normal * 0.005, normal * 0.005 + DVec3::Y * 0.3, 10);
    let material = Material::ideal(1000.0);
    let build = Build { bend: Bend::Limp, twist: Twist::Free, ..Build::new(start, 0.005, material) };
    let mut strings = Strings::of(&build).unwrap();
    let floor = Collider::Plane { point: DVec3::ZERO, normal };
    strings.obstacles.push(Obstacle::standing(floor, 0.0));
    strings.friction = 0.55;
    for step in 0..100 {
        let report = strings.step(0.01).unwrap();
        if step < 40 {
            let s = strings.state.supports.get(1).copied().unwrap_or_default();
            println!("slide {step} {:.6} v {:.6} push {:.6} friction {:.6} {report:?}", strings.state.positions[1].dot(down), strings.state.velocities[1].dot(down), s.push, s.friction.dot(down));
        }
    }
}

#[test]
fn debug_momentum() {
    let points: Vec<DVec3> = (0..=40)
        .map(|i| {
            let a = 0.2 * f64::from(i);
            DVec3::new(0.2 * ops::cos(a), 0.2 * ops::sin(a), 0.02 * f64::from(i))
        })
        .collect();
    let soft = Build::new(points.clone(), 0.003, rubber());
    let build = Build { stretches: false, ..soft.clone() };
    let mut strings = Strings::of(&build).unwrap();
    strings.gravity = DVec3::ZERO;
    strings.settings.contact = false;
    strings.settings.longest = 0.002;
    let mut dice = Dice(5);
    let mut random = move || DVec3::new(dice.unit(), dice.unit(), dice.unit()) - DVec3::splat(0.5);
    for v in &mut strings.state.velocities {
        *v = random() * 2.0 + DVec3::new(1.0, 2.0, 3.0);
    }
    for step in 0..8 {
        let before = strings.momentum();
        let report = strings.step(0.002).unwrap();
        let after = strings.momentum();
        println!("mom {step} {:e} {:e} {report:?} {} pieces", (after.0 - before.0).length(), (after.1 - before.1).length(), strings.state.spans.len());
    }
}

#[test]
fn debug_drop() {
    for name in ["steel-cable", "cotton-thread"] {
    let material = *Material::find(name).unwrap();
    let mut strings = Strings::of(&Build::straight(DVec3::Z * 0.05, DVec3::Z * 1.05, 50, 0.004, material)).unwrap();
    strings.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.0));
    for step in 0..720 {
        let report = strings.step(1.0 / 240.0).unwrap();
        if step % 48 == 0 {
            let far = strings.state.positions.iter().map(|x| x.truncate().length()).fold(0.0, f64::max);
            println!("drop {name} {step} far {far:e} top {} T {:?} support {:?} {report:?}", strings.state.positions[50].z, [0, 10, 25, 40].map(|i| strings.state.tensions[i]), strings.state.supports.len());
        }
    }}
}

#[test]
fn debug_swing() {
    for (dt, tolerance) in [(1.0 / 240.0, 1e-5), (1.0 / 240.0, 1e-7), (1.0 / 240.0, 1e-12), (1.0 / 960.0, 1e-12)] {
        let to = DVec3::new(1.0, 0.0, -1.0) / 2.0_f64.sqrt();
        let mut strings = chain(line(DVec3::ZERO, to, 50));
        strings.settings.tolerance = tolerance;
        strings.clamps.push(Clamp::at(0, DVec3::ZERO));
        let total = |strings: &Strings| {
            let energy = strings.energy();
            energy.kinetic + energy.height
        };
        let start = total(&strings);
        let (mut lowest, mut risen, mut at) = (start, 0.0, 0);
        for step in 0..(10.0 / dt) as u32 {
            strings.step(dt).unwrap();
            let now = total(&strings);
            if now - lowest > risen { risen = now - lowest; at = step; }
            lowest = lowest.min(now);
        }
        println!("swing {dt} {tolerance:e} lost {} risen {risen} at {at}", start - total(&strings));
    }
}

#[test]
fn debug_elastica() {
    let (length, bend) = (0.6, 0.14);
    let segments = 12;
    let l = length / segments as f64;
    let material = Material::ideal(0.29 / (PI * 0.01 * 0.01));
    let mut build = Build::straight(-DVec3::X * l, DVec3::X * length, segments + 1, 0.01, material);
    build.bend = Bend::Stiffness { bend, width: None };
    let mut strings = Strings::of(&build).unwrap();
    strings.settings.contact = false;
    strings.viscosity = 5.0;
    strings.clamps.extend([Clamp::at(0, -DVec3::X * l), Clamp::at(1, DVec3::ZERO)]);
    for second in 0..40 {
        run(&mut strings, 1.0, 1.0 / 240.0);
        let held: DVec3 = strings.clamps.iter().map(|clamp| strings.grip(clamp).force).sum();
        let fast = strings.state.velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
        if second % 5 == 0 { println!("grip {second} {held:?} fast {fast:e} T {:?} twist {:?}", &strings.state.tensions[..3], &strings.state.torques[..4]); }
    }
}

#[test]
fn debug_speed() {
    let wound = |segments: usize, turns: f64, nearer: f64| {
        let n = segments;
        let mut build = Build::straight(DVec3::ZERO, DVec3::X, n, 0.004, rubber());
        build.tears = false;
        for (i, x) in build.points.iter_mut().enumerate() {
            x.y = 1e-3 * ops::sin(PI * i as f64 / n as f64);
        }
        let mut strings = Strings::of(&build).unwrap();
        strings.viscosity = 1.0;
        strings.spin_viscosity = 5.0;
        strings.clamps.extend([0, 1, n - 1, n].map(|i| Clamp::at(i, build.points[i])));
        strings.clamps[0].turn = Some(Turn::Angle(0.0));
        for step in 1..=400 {
            let t = (f64::from(step) / 300.0).min(1.0);
            for k in [2, 3] {
                strings.clamps[k].target = build.points[n - 3 + k] - DVec3::X * (nearer * t);
            }
            strings.clamps[3].turn = Some(Turn::Angle(2.0 * PI * turns * t));
            strings.step(0.01).unwrap();
        }
        strings
    };
    for (name, n, turns, nearer) in [("loop", 100, 14.0, 0.3), ("coil", 200, 10.0, 0.4)] {
        let mut strings = wound(n, turns, nearer);
        let start = strings.state.clone();
        let mut times = Vec::new();
        let mut its = 0;
        for _ in 0..40 {
            strings.state.clone_from(&start);
            strings.forget();
            let now = std::time::Instant::now();
            for _ in 0..20 {
                its += strings.step(0.01).unwrap().iterations;
            }
            times.push(now.elapsed().as_secs_f64() / 20.0);
        }
        times.sort_by(f64::total_cmp);
        println!("speed {name} {:.4} ms, {:.1} iterations, {} touching", 1e3 * times[20], f64::from(its) / 800.0, strings.touches().len());
    }
    for (ropes, n) in [(1, 100), (1, 1000), (100, 100)] {
        for dt in [1.0 / 120.0] {
            let mut strings = Strings::new();
            for k in 0..ropes {
                let y = DVec3::Y * (0.1 * f64::from(k));
                let points = (0..=n).map(|i| y + DVec3::X * (i as f64 / n as f64)).collect();
                let string = strings.add(&Build::chain(points, 0.1)).unwrap();
                strings.clamps.push(Clamp::at(strings.particle(string, 0.0), y));
            }
            strings.settings.contact = false;
            strings.settings.tolerance = 1e-3;
            let start = strings.state.clone();
            let mut times = Vec::new();
            let (mut its, mut halvings) = (0, 0);
            for _ in 0..5 {
                strings.state.clone_from(&start);
                let now = std::time::Instant::now();
                for _ in 0..(1.0 / dt) as u32 {
                    let report = strings.step(dt).unwrap();
                    its += report.iterations; halvings += report.halvings;
                }
                times.push(now.elapsed().as_secs_f64());
            }
            times.sort_by(f64::total_cmp);
            println!("speed {ropes} x {n} at {dt:.4}: {:.1} s/s, {:.2} iterations a step, {halvings} halvings", 1.0 / times[2], f64::from(its) / 5.0 * dt / f64::from(ropes));
        }
    }
}

#[test]
fn debug_over() {
    let material = Material::ideal(1000.0);
    let cord = |points: Vec<DVec3>| Build { bend: Bend::Limp, twist: Twist::Free, ..Build::new(points, 0.01, material) };
    for dt in [0.01, 0.002] {
    let mut strings = Strings::new();
    let tilted = line(DVec3::new(-0.5, 0.0, -0.1), DVec3::new(0.5, 0.0, 0.1), 10);
    strings.add(&cord(tilted.clone())).unwrap();
    for (i, at) in tilted.iter().enumerate() {
        strings.clamps.push(Clamp::at(i, *at));
    }
    let over = line(DVec3::new(0.0, -0.2, 0.0), DVec3::new(0.0, 0.2, 0.0), 20);
    let over = over.into_iter().map(|p| p + DVec3::Z * 0.021).collect();
    strings.add(&cord(over)).unwrap();
    strings.friction = 0.0;
    strings.viscosity = 2.0;
    let along = (tilted[10] - tilted[0]).normalize();
    for step in 0..(0.6 / dt) as u32 {
        let report = strings.step(dt).unwrap();
        if step % (0.06 / dt) as u32 == 0 {
            let mean = strings.state.positions[11..].iter().sum::<DVec3>() / 21.0;
            println!("over {step} mean {:.4} {:.4} mid {:.4} it {} halv {} ", mean.x, mean.z, strings.state.positions[21], report.iterations, report.halvings);
            for t in strings.touches() { println!("over    {:?} {:?} way {:.4} along {:.4} push {:.5}", t.segments, t.at, t.way, t.way.dot(along), t.push); }
        }
    }}
}
