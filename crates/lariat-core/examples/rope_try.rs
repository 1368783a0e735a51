//! try
use glam::DVec3;
use lariat_core::dynamics::material::Material;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Collider;
use lariat_core::dynamics::spline_rope::*;
use std::time::Instant;
fn line(a: DVec3, b: DVec3, n: usize) -> Vec<DVec3> { (0..=n).map(|i| a.lerp(b, i as f64 / n as f64)).collect() }
fn main() {
    let hemp = Material::find("hemp").unwrap().at_radius(0.005);
    // published
    let mut b = Build::published(hemp); b.stuff.stretch = 200.0; b.stuff.inner_friction = 0.002;
    for method in [Method::Explicit, Method::SemiImplicit] {
    b.method = method;
    let mut rope = SplineRope::along(&line(DVec3::Z, DVec3::Z+DVec3::X*2.0, 20), &b).unwrap();
    rope.viscosity = 0.5;
    rope.pins.push(Pin::at(0.0, DVec3::Z));
    rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.005));
    println!("longest {:?} w2*m/k {}", rope.longest_step(), rope.fastest_squared()*rope.mass()/ (rope.length()));
    let dt = 1e-4; let steps = 200_000;
    let t0 = Instant::now();
    let mut c = 0;
    for _ in 0..steps { c += rope.step(dt).unwrap().contacts; }
    println!("published: {:.0} steps/s contacts {:.2} tip {}", steps as f64 / t0.elapsed().as_secs_f64(), c as f64/steps as f64, rope.point(1.0));
    }
    // implicit 100 cps 10 pins ground
    for (cps, pins, ground) in [(100usize, 10usize, true), (100, 10, false), (100, 1, false), (32, 2, false)] {
        let mut rope = SplineRope::along(&line(DVec3::Z*0.3, DVec3::Z*0.3+DVec3::X*10.0, 20), &Build::new(cps, hemp)).unwrap();
        for k in 0..pins { let u = k as f64 / 9.0; rope.pins.push(Pin::at(u, DVec3::Z*0.3+DVec3::X*9.0*u)); }
        if ground { rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.005)); }
        let rate = 240.0; let dt = 1.0/rate;
        for s in 0..960 { for (k,p) in rope.pins.iter_mut().enumerate() { p.target = DVec3::new(p.u*8.0, 0.1*(s as f64*dt*3.0 + k as f64).sin(), 0.3 + 0.1*(s as f64*dt*2.0).cos()); } rope.step(dt).unwrap(); }
        let t0 = Instant::now(); let mut solves=0; let mut contacts=0; let mut parts=0; let steps=960;
        for s in 0..steps { for (k,p) in rope.pins.iter_mut().enumerate() { p.target = DVec3::new(p.u*8.0, 0.1*(s as f64*dt*3.0 + k as f64).sin(), 0.3 + 0.1*(s as f64*dt*2.0).cos()); } let r = rope.step(dt).unwrap(); solves += r.solves; contacts += r.contacts; parts += r.parts; }
        let us = t0.elapsed().as_secs_f64()*1e6/steps as f64;
        println!("implicit cps {cps} pins {pins} ground {ground}: {us:.1} us/step solves {:.2} contacts {:.1} parts {:.2} us/solve {:.1} lowest {:.4}", solves as f64/steps as f64, contacts as f64/steps as f64, parts as f64/steps as f64, us*steps as f64/solves as f64, (0..=1000).map(|i| rope.point(i as f64/1000.0).z).fold(1e9, f64::min));
    }
}
