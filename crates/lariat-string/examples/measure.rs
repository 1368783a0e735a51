use std::f64::consts::PI;
use std::time::Instant;

use glam::DVec3;
use lariat_string::*;

/// Nanoseconds on a core.
struct Clock(f64);
impl Clock {
    fn now() -> Self {
        let t = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        Clock(t.split(' ').next().unwrap().parse::<f64>().unwrap() * 1e-9)
    }
    fn seconds(&self) -> f64 {
        Self::now().0 - self.0
    }
}

fn line(a: DVec3, b: DVec3, n: usize) -> Vec<DVec3> {
    (0..=n).map(|i| a.lerp(b, i as f64 / n as f64)).collect()
}
fn total(s: &Strings) -> f64 {
    let e = s.energy();
    e.kinetic + e.spin + e.height + e.stretch + e.twist
}
fn rubber() -> Fibre {
    *Fibre::find("rubber-cord").unwrap()
}

fn snap(contact: bool, gravity: bool) {
    let mut b = Build::straight(DVec3::ZERO, DVec3::X * 0.5, 50, 0.003, rubber());
    b.tears = false;
    let mut s = Strings::of(&b).unwrap();
    s.settings.contact = contact;
    if !gravity {
        s.gravity = DVec3::ZERO;
    }
    s.clamps.push(Clamp::at(0, DVec3::ZERO));
    s.clamps.push(Clamp::at(50, DVec3::X * 0.5));
    for k in 1..=100 {
        s.clamps[1].target = DVec3::X * (0.5 + 0.005 * f64::from(k));
        s.step(0.01).unwrap();
    }
    s.clamps[1].on = false;
    let start = total(&s);
    let (mut most, mut parts) = (f64::MIN, 0);
    let t = Instant::now();
    for k in 0..300 {
        match s.step(0.01) {
            Ok(r) => parts += r.parts,
            Err(e) => {
                println!("snap contact {contact} gravity {gravity}: {k} {e}");
                return;
            }
        }
        most = most.max(total(&s));
        if k < 12 || k % 50 == 0 {
            let e = s.energy();
            println!(
                "   {k} kin {:.4} st {:.4} h {:.4} tw {:.5} touch {} ",
                e.kinetic,
                e.stretch,
                e.height,
                e.twist,
                s.touches().len()
            );
        }
    }
    println!(
        "snap contact {contact} gravity {gravity}: start {start:.4} most {most:.4} end {:.4} kin {:.2e}, parts {} , {:.1} ms",
        total(&s),
        s.energy().kinetic,
        parts,
        1e3 * t.elapsed().as_secs_f64()
    );
}

fn torn(seed: u64, viscosity: f64) {
    let mut s = Strings::new();
    s.gravity = DVec3::ZERO;
    s.viscosity = viscosity;
    for k in 0..4 {
        let mut fibre = Fibre { modulus: 2e6, ..rubber() };
        fibre.yield_stress = f64::INFINITY;
        fibre.rupture_stress = 0.4e6 * (0.5 + 0.1 * k as f64);
        let y = DVec3::Y * (0.1 * k as f64);
        s.add(&Build { seed, ..Build::straight(y, y + DVec3::X, 20, 0.003, fibre) }).unwrap();
        s.clamps.push(Clamp::at(s.particle(k, 0.0), y));
        s.clamps.push(Clamp::at(s.particle(k, 1.0), y + DVec3::X));
    }
    let mut given: f64 = 0.0;
    let mut most: f64 = 0.0;
    let t = Instant::now();
    let mut parts = 0;
    for step in 0..600 {
        let far = 0.1 * f64::from(step.min(400)) * 0.01;
        for k in 0..4 {
            s.clamps[2 * k + 1].target.x = 1.0 + far;
        }
        match s.step(0.01) {
            Err(e) => {
                println!("torn {seed}: {step} {e}");
                return;
            }
            Ok(r) => parts += r.parts,
        }
        let e = s.energy();
        most = most.max(e.kinetic);
        given = given.max(e.stretch);
    }
    println!(
        "torn {seed}: most stretch {given:.4}, most kinetic {most:.4} end {:.2e}, parts {parts} {:.1} ms",
        s.energy().kinetic,
        1e3 * t.elapsed().as_secs_f64()
    );
}

fn time(name: &str, s: &mut Strings, dt: f64, steps: u32, mut each: impl FnMut(&mut Strings, u32)) {
    let mut v = vec![];
    let (mut parts, mut solves, mut touching) = (0, 0, 0);
    for k in 0..steps {
        each(s, k);
        let t = Clock::now();
        let r = s.step(dt).unwrap();
        v.push(t.seconds());
        if std::env::var("LOOK").is_ok() && k % 10 == 0 {
            let most = s.state.torques.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            println!(
                "   {k} parts {} solves {} torque {most:.2e} touching {}",
                r.parts, r.solves, r.touching
            );
        }
        parts += r.parts;
        solves += r.solves;
        touching += r.touching;
    }
    let mean: f64 = v.iter().sum::<f64>() / v.len() as f64;
    v.sort_by(f64::total_cmp);
    println!(
        "{name}: median {:.4} ms mean {:.4} ms; parts {:.2} solves {:.2} touching {:.1}",
        1e3 * v[v.len() / 2],
        1e3 * mean,
        f64::from(parts) / f64::from(steps),
        f64::from(solves) / f64::from(steps),
        f64::from(touching) / f64::from(steps)
    );
}

/// 100 segments, both ends held, twisted until it loops (figure 6b).
fn looping(n: usize) -> Strings {
    let mut b = Build::straight(DVec3::ZERO, DVec3::X, n, 0.004, rubber());
    b.tears = false;
    for (i, x) in b.points.iter_mut().enumerate() {
        x.y = 1e-3 * (PI * i as f64 / n as f64).sin();
    }
    let ends = b.points.clone();
    let mut s = Strings::of(&b).unwrap();
    s.viscosity = 1.0;
    s.spin_viscosity = 5.0;
    for i in [0, 1, n - 1, n] {
        s.clamps.push(Clamp::at(i, ends[i]));
    }
    s.clamps[0].turn = Some(Turn::Angle(0.0));
    s
}
fn drive(s: &mut Strings, n: usize, k: u32, turns: f64, near: f64) {
    let t = (f64::from(k) / 400.0).min(1.0);
    let l = 1.0 / n as f64;
    s.clamps[2].target = DVec3::X * (1.0 - l - near * t);
    s.clamps[3].target = DVec3::X * (1.0 - near * t);
    s.clamps[3].turn = Some(Turn::Angle(2.0 * PI * turns * t));
}

/// How often a string winds around itself, its ends led away along X.
fn writhe(x: &[DVec3]) -> f64 {
    let mut p = vec![x[0] - DVec3::X * 100.0];
    p.extend_from_slice(x);
    p.push(x[x.len() - 1] + DVec3::X * 100.0);
    let n = p.len() - 1;
    let mut sum = 0.0;
    for i in 0..n {
        for j in i + 2..n {
            let (a, b, c, d) = (p[i], p[i + 1], p[j], p[j + 1]);
            let (ac, ad, bc, bd) = (c - a, d - a, c - b, d - b);
            let n = [ac.cross(ad), ad.cross(bd), bd.cross(bc), bc.cross(ac)]
                .map(|v| v.normalize_or_zero());
            let mut omega = 0.0;
            for k in 0..4 {
                omega += n[k].dot(n[(k + 1) % 4]).clamp(-1.0, 1.0).asin();
            }
            sum += omega * (d - c).cross(b - a).dot(ac).signum();
        }
    }
    sum / (2.0 * PI)
}
fn linked(s: &Strings) -> (f64, f64) {
    let tw: f64 = s.state.spans[0].joints().map(|j| s.twist_at(j)).sum::<f64>() / (2.0 * PI);
    (tw, writhe(&s.state.positions))
}

fn knot(contact: bool, force: f64, friction: f64, n: usize, rigidity: f64) {
    let fibre = Fibre { rigidity, ..*Fibre::find("shoelace").unwrap() };
    let b = Build { tears: false, ..Build::straight(DVec3::ZERO, DVec3::X, n, 0.004, fibre) };
    let mut s = Strings::of(&b).unwrap();
    s.gravity = DVec3::ZERO;
    s.viscosity = 3.0;
    s.friction = friction;
    s.settings.contact = contact;
    let keys = [
        (0.0, DVec3::new(1.0, 0.0, 0.0)),
        (0.5, DVec3::new(0.7, 0.3, 0.03)),
        (1.0, DVec3::new(0.3, 0.3, 0.04)),
        (1.5, DVec3::new(0.2, 0.1, 0.04)),
        (2.0, DVec3::new(0.19, -0.05, 0.04)),
        (2.3, DVec3::new(0.21, -0.05, -0.04)),
        (2.7, DVec3::new(0.28, 0.04, -0.04)),
        (3.1, DVec3::new(0.28, 0.04, 0.08)),
        (3.5, DVec3::new(0.35, 0.06, 0.2)),
        (4.0, DVec3::new(0.6, 0.0, 0.2)),
    ];
    let apex = |t: f64| DVec3::new(0.45, 0.0, 0.0).lerp(DVec3::new(0.32, 0.12, 0.0), t.min(1.0));
    s.clamps.extend([
        Clamp::at(0, DVec3::ZERO),
        Clamp::at(n * 3 / 10, DVec3::X * 0.3),
        Clamp::at(n, DVec3::X),
        Clamp::at(n * 45 / 100, DVec3::X * 0.45),
    ]);
    let at = |t: f64| {
        let k = keys.partition_point(|(u, _)| *u <= t).clamp(1, keys.len() - 1);
        let ((a, p), (b, q)) = (keys[k - 1], keys[k]);
        p.lerp(q, ((t - a) / (b - a)).clamp(0.0, 1.0))
    };
    let t0 = Instant::now();
    let mut parts = 0;
    for k in 1..=900 {
        let t = 0.01 * f64::from(k);
        s.clamps[2].target = at(t);
        s.clamps[1].on = t < 3.5;
        s.clamps[3].on = t < 3.5;
        s.clamps[3].target = apex(t);
        if t > 4.0 {
            s.clamps[0].on = false;
            s.clamps[2].on = false;
            let f = DVec3::X * force * ((t - 4.0) / 1.0).min(1.0);
            s.pushes = vec![Push { particle: 0, force: -f }, Push { particle: n, force: f }];
        }
        let r = s.step(0.01);
        match r {
            Ok(r) => {
                parts += r.parts;
                if k % 50 == 0 && k > 350 {
                    let far = s.state.positions[0].distance(s.state.positions[n]);
                    println!(
                        "   {t:.1} ends {far:.3} at {:.1} touching {} parts {} kin {:.2e} tension {:.2}",
                        s.touches()
                            .iter()
                            .map(|t| (t.segments[0] + t.segments[1]) as f64 * 0.5)
                            .sum::<f64>()
                            / s.touches().len().max(1) as f64,
                        r.touching,
                        r.parts,
                        s.energy().kinetic,
                        s.state.tensions[5]
                    );
                }
            }
            Err(e) => {
                println!("knot: {e}");
                return;
            }
        }
    }
    println!(
        "knot {n} {rigidity} {force} N: parts {parts} {:.0} ms",
        1e3 * t0.elapsed().as_secs_f64()
    );
}

fn plectoneme(n: usize, turns: f64, near: f64) {
    let mut s = looping(n);
    s.gravity = DVec3::new(0.0, 0.0, -1.0);
    if let Ok(r) = std::env::var("ROUNDS") {
        s.settings.rounds = r.parse().unwrap();
    }
    let t = Instant::now();
    let (mut parts, mut most) = (0, 0);
    for k in 0..800 {
        drive(&mut s, n, k, turns, near);
        match s.step(0.01) {
            Ok(r) => {
                parts += r.parts;
                most = most.max(r.touching);
                if k % 200 == 199 {
                    let e = s.energy();
                    let (tw, wr) = linked(&s);
                    println!("   link {:.2} = {tw:.2} + {wr:.2}", tw + wr);
                    println!(
                        "   {k} kin {:.5} tw {:.4} touching {} torque {:.5} parts {}",
                        e.kinetic,
                        e.twist,
                        r.touching,
                        s.state.torques[n / 2],
                        r.parts
                    );
                }
            }
            Err(e) => {
                println!("plectoneme {turns}: {k} {e}");
                return;
            }
        }
    }
    println!(
        "plectoneme {turns}: most touching {most} parts {parts} {:.1} ms",
        1e3 * t.elapsed().as_secs_f64()
    );
}

fn falling(n: usize, ropes: usize, dt: f64) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let mut s = Strings::new();
        for k in 0..ropes {
            let y = DVec3::Y * (0.1 * k as f64);
            s.add(&Build::chain(line(y, y + DVec3::X, n), 0.1)).unwrap();
            s.clamps.push(Clamp::at(s.particle(k, 0.0), y));
        }
        s.settings.contact = false;
        let t = Clock::now();
        let mut solves = 0;
        let start = s.state.clone();
        let times = (20000 / (n * ropes)).max(1);
        for _ in 0..times {
            s.state.clone_from(&start);
            solves = 0;
            for _ in 0..(1.0 / dt).round() as u32 {
                solves += s.step(dt).unwrap().solves;
            }
        }
        let e = t.seconds() / times as f64;
        if e < best {
            best = e;
            print!("[{solves} solves] ");
        }
    }
    println!("falling {ropes} x {n}, dt {dt}: {:.1} s/s", 1.0 / best);
    best
}

fn catenary() {
    let points: Vec<DVec3> = (0..=100)
        .map(|i| {
            let u = f64::from(i) / 100.0;
            let depth = (0.75_f64 * 0.75 - 0.25).sqrt();
            DVec3::new(u, 0.0, -depth * (1.0 - (2.0 * u - 1.0).abs()))
        })
        .collect();
    let known =
        lariat_core::curve::catenary::Catenary::between(DVec3::ZERO, DVec3::X, 1.5, DVec3::Z)
            .unwrap()
            .sample(101);
    for (visc, dt) in
        [(6.0, 0.0125), (10.0, 0.0125), (15.0, 0.0125), (20.0, 0.0125), (20.0, 0.025), (30.0, 0.05)]
    {
        let mut s = Strings::of(&Build::chain(points.clone(), 0.1)).unwrap();
        s.settings.contact = false;
        s.settings.longest = dt;
        s.viscosity = visc;
        s.clamps.extend([Clamp::at(0, DVec3::ZERO), Clamp::at(100, DVec3::X)]);
        let (mut spent, mut last, mut solves) = (0.0, 0.0, 0);
        for _ in 0..(4.0 / dt) as u32 {
            let t = Clock::now();
            solves += s.step(dt).unwrap().solves;
            spent += t.seconds();
            let off = s
                .state
                .positions
                .iter()
                .zip(&known)
                .map(|(a, b)| a.distance(*b))
                .fold(0.0, f64::max);
            if off > 0.01 {
                last = spent;
            }
        }
        println!("catenary visc {visc} dt {dt}: {:.5} s until within 1 %, {solves} solves", last);
    }
}

fn main() {
    let which = std::env::args().nth(1).unwrap_or_default();
    if which.contains('s') {
        for c in [false, true] {
            for g in [false, true] {
                snap(c, g);
            }
        }
    }
    if which.contains('t') {
        for seed in 0..6 {
            torn(seed, if seed % 2 == 0 { 5.0 } else { 0.3 });
        }
    }
    if which.contains('k') {
        knot(true, 2.0, 0.4, 100, 0.005);
        knot(true, 2.0, 1.0, 100, 0.005);
    }
    if which.contains('p') {
        plectoneme(100, 10.0, 0.3);
        plectoneme(100, 25.0, 0.5);
    }
    if which.contains('f') {
        falling(100, 1, 0.0125);
        falling(100, 1, 0.01);
        falling(1000, 1, 0.0125);
        falling(1000, 1, 0.01);
        falling(100, 100, 0.0125);
        catenary();
    }
    if which.contains('d') {
        for n in [100, 1000] {
            let run = |dt: f64, tol: f64| {
                let mut s =
                    Strings::of(&Build::chain(line(DVec3::ZERO, DVec3::X, n), 0.1)).unwrap();
                s.clamps.push(Clamp::at(0, DVec3::ZERO));
                s.settings.contact = false;
                s.settings.longest = dt;
                s.settings.tolerance = tol;
                let mut tip = DVec3::ZERO;
                let mut most = 0.0_f64;
                let mut solves = 0;
                for k in 1..=(1.0 / dt).round() as u32 {
                    solves += s.step(dt).unwrap().solves;
                    if k == (0.4 / dt).round() as u32 {
                        tip = s.state.positions[n];
                    }
                    for i in 0..n {
                        most = most.max(s.segment_length(i) * n as f64 - 1.0);
                    }
                }
                (tip, most, solves)
            };
            let (known, ..) = run(0.0005, 2e-7);
            for dt in [0.01, 0.0125, 0.4 / 28.0, 0.016, 0.02, 0.025] {
                for tol in [2e-5, 1e-4, 5e-4, 2e-3] {
                    let (tip, most, solves) = run(dt, tol);
                    println!(
                        "{n}: dt {dt:.4} tol {tol} tip off {:.2} mm stretch {:.3} % solves {solves}",
                        1e3 * tip.distance(known),
                        100.0 * most
                    );
                }
            }
        }
    }
    if which.contains('e') {
        for calm in [10.0, 100.0, 1000.0] {
            let n = 1000;
            let dt = 0.0125;
            let b = Build { calm, ..Build::chain(line(DVec3::ZERO, DVec3::X, n), 0.1) };
            let mut s = Strings::of(&b).unwrap();
            s.clamps.push(Clamp::at(0, DVec3::ZERO));
            s.settings.contact = false;
            let mut v = vec![];
            let mut tip = DVec3::ZERO;
            for k in 1..=80 {
                v.push(s.step(dt).unwrap().solves);
                if k == 32 {
                    tip = s.state.positions[n];
                }
            }
            println!("calm {calm}: tip {tip} total {} {v:?}", v.iter().sum::<u32>());
        }
    }
    if which.contains('1') {
        for _ in 0..20 {
            let mut s = looping(100);
            s.settings.contact = false;
            time("100 looping", &mut s, 0.01, 300, |s, k| drive(s, 100, k, 8.0, 0.3));
        }
    }
    if which.contains('2') {
        for _ in 0..10 {
            falling(100, 1, 0.0125);
        }
    }
    if which.contains('3') {
        for _ in 0..4 {
            let mut s = looping(100);
            time("100 looping c", &mut s, 0.01, 500, |s, k| drive(s, 100, k, 8.0, 0.3));
        }
    }
    if which.contains('c') || which.contains('b') {
        if which.contains('c') {
            let mut s = looping(100);
            time("100 looping", &mut s, 0.01, 600, |s, k| drive(s, 100, k, 8.0, 0.3));
            let mut s = looping(200);
            time("200 spiral", &mut s, 0.01, 600, |s, k| drive(s, 200, k, 20.0, 0.5));
            let mut s = looping(100);
            s.settings.contact = false;
            time("100 looping no contact", &mut s, 0.01, 600, |s, k| drive(s, 100, k, 8.0, 0.3));
        }
        // A bridge: 746 segments in ropes that hang side by side, hemp.
        let mut s = Strings::new();
        let hemp = *Fibre::find("hemp").unwrap();
        for k in 0..2 {
            let y = DVec3::Y * k as f64;
            let b = Build {
                length: Some(4.4),
                ..Build::straight(y, y + DVec3::X * 4.0, 150, 0.01, hemp)
            };
            let string = s.add(&b).unwrap();
            for u in [0.0, 1.0] {
                let p = s.particle(string, u);
                let at = s.state.positions[p];
                s.clamps.push(Clamp::at(p, at));
            }
        }
        for k in 0..22 {
            let x = DVec3::new(0.18 * k as f64, 0.3, 0.0);
            let n = 20 + usize::from(k < 6);
            let b = Build::straight(x, x + DVec3::new(0.0, 0.4, -0.1), n, 0.01, hemp);
            let string = s.add(&b).unwrap();
            let p = s.particle(string, 0.0);
            let at = s.state.positions[p];
            s.clamps.push(Clamp::at(p, at));
        }
        println!(
            "bridge segments {}",
            s.state.spans.iter().map(|s| s.segments().len()).sum::<usize>()
        );
        time("746 bridge", &mut s, 0.01, 300, |_, _| ());
        for count in [100, 1000] {
            if which.contains('b') {
                break;
            }
            let mut s = Strings::new();
            for k in 0..count {
                let at = DVec3::new(0.0, 0.05 * f64::from(k % 32), 0.3 * f64::from(k / 32));
                s.add(&Build::straight(at, at + DVec3::X, 100, 0.003, hemp)).unwrap();
                let p = s.particle(k as usize, 0.0);
                s.clamps.push(Clamp::at(p, at));
            }
            time(&format!("{count} x 100"), &mut s, 0.01, 30, |_, _| ());
        }
    }
}
