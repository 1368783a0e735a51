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
            println!("   {k} kin {:.4} st {:.4} h {:.4} tw {:.5} touch {} ", e.kinetic, e.stretch, e.height, e.twist, s.touches().len());
        }
    }
    println!(
        "snap contact {contact} gravity {gravity}: start {start:.4} most {most:.4} end {:.4} kin {:.2e}, parts {} , {:.1} ms",
        total(&s), s.energy().kinetic, parts, 1e3 * t.elapsed().as_secs_f64()
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
    println!("torn {seed}: most stretch {given:.4}, most kinetic {most:.4} end {:.2e}, parts {parts} {:.1} ms", s.energy().kinetic, 1e3 * t.elapsed().as_secs_f64());
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
            println!("   {k} parts {} solves {} torque {most:.2e} touching {}", r.parts, r.solves, r.touching);
        }
        parts += r.parts;
        solves += r.solves;
        touching += r.touching;
    }
    let mean: f64 = v.iter().sum::<f64>() / v.len() as f64;
    v.sort_by(f64::total_cmp);
    println!(
        "{name}: median {:.4} ms mean {:.4} ms; parts {:.2} solves {:.2} touching {:.1}",
        1e3 * v[v.len() / 2], 1e3 * mean,
        f64::from(parts) / f64::from(steps), f64::from(solves) / f64::from(steps),
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

fn plectoneme(n: usize, turns: f64, near: f64) {
    let mut s = looping(n);
    s.gravity = DVec3::new(0.0, 0.0, -1.0);
    let t = Instant::now();
    let (mut parts, mut most) = (0, 0);
    for k in 0..800 {
        drive(&mut s, n, k, turns, near);
        match s.step(0.01) {
            Ok(r) => {
                parts += r.parts;
                most = most.max(r.touching);
                if k % 100 == 99 {
                    let e = s.energy();
                    println!("   {k} kin {:.5} tw {:.4} touching {} torque {:.5} parts {}", e.kinetic, e.twist, r.touching, s.state.torques[n / 2], r.parts);
                }
            }
            Err(e) => {
                println!("plectoneme {turns}: {k} {e}");
                return;
            }
        }
    }
    println!("plectoneme {turns}: most touching {most} parts {parts} {:.1} ms", 1e3 * t.elapsed().as_secs_f64());
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
        for _ in 0..(1.0 / dt).round() as u32 {
            solves += s.step(dt).unwrap().solves;
        }
        let e = t.seconds();
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
    let known = lariat_core::curve::catenary::Catenary::between(DVec3::ZERO, DVec3::X, 1.5, DVec3::Z).unwrap().sample(101);
    for (visc, dt) in [(6.0, 0.0125), (10.0, 0.0125), (15.0, 0.0125), (20.0, 0.0125), (20.0, 0.025), (30.0, 0.05)] {
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
            let off = s.state.positions.iter().zip(&known).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            if off > 0.01 { last = spent; }
        }
        println!("catenary visc {visc} dt {dt}: {:.5} s until within 1 %, {solves} solves", last);
    }
}

fn main() {
    let which = std::env::args().nth(1).unwrap_or_default();
    if which.contains('s') {
        for c in [false, true] {
            for g in [false, true] { snap(c, g); }
        }
    }
    if which.contains('t') {
        for seed in 0..6 { torn(seed, if seed % 2 == 0 { 5.0 } else { 0.3 }); }
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
            let b = Build { length: Some(4.4), ..Build::straight(y, y + DVec3::X * 4.0, 150, 0.01, hemp) };
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
        println!("bridge segments {}", s.state.spans.iter().map(|s| s.segments().len()).sum::<usize>());
        time("746 bridge", &mut s, 0.01, 300, |_, _| ());
        for count in [100, 1000] {
            if which.contains('b') { break; }
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
