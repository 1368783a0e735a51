//! How far a stiff rope is from where it should be, by rounds and by the default step:
//! `cargo run --release -p lariat-bench --example rounds`.
//!
//! One metre of hemp, 1 cm thick, of 16 control points, held at one end and let go level; without
//! its inner friction, which would make it stiffer still to rounds. The tip after 0.4 s is compared with that of the
//! default step at 15,360 steps a second, which twice as many move by less than a micrometre. The
//! table is that of `docs/papers/tuzel.md`.

use std::time::Instant;

use glam::DVec3;
use lariat_core::dynamics::material::{Material, Section};
use lariat_core::dynamics::spline_rope::{Build, Method, Pin, SplineRope};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (truth, _, _) = tip(Method::Implicit, 15_360)?;
    let (check, _, _) = tip(Method::Implicit, 30_720)?;
    println!("tip at {truth:.4}, twice as many steps move it by {:.1e} m", truth.distance(check));
    println!("| method | steps a second | solves | fallen | off | a step |");
    println!("|---|---|---|---|---|---|");
    let row = |method: Method, name: &str| -> Result<(), Box<dyn std::error::Error>> {
        for rate in [60, 240] {
            let (tip, solves, micros) = tip(method, rate)?;
            let (fallen, off) = (-tip.z, tip.distance(truth));
            println!(
                "| {name} | {rate} | {solves:.1} | {fallen:.3} m | {off:.4} m | {micros:.0} µs |"
            );
        }
        Ok(())
    };
    row(Method::Implicit, "implicit")?;
    for rounds in [5, 10, 40, 200, 1000, 5000] {
        row(Method::LocalGlobal { rounds }, "rounds")?;
    }
    Ok(())
}

/// The tip after 0.4 s, how many solves a step took, and how many microseconds.
fn tip(method: Method, rate: u32) -> Result<(DVec3, f64, f64), Box<dyn std::error::Error>> {
    let hemp = Material::find("hemp").ok_or("no hemp")?.at_radius(0.005);
    let section = Section { inner_friction: 0.0, ..hemp };
    let line: Vec<DVec3> = (0..=20).map(|i| DVec3::X * (0.05 * f64::from(i))).collect();
    let mut rope = SplineRope::along(&line, &Build { method, ..Build::new(16, section) })?;
    rope.pins.push(Pin::at(0.0, DVec3::ZERO));
    let (steps, start) = (rate * 2 / 5, Instant::now());
    let mut solves = 0;
    for _ in 0..steps {
        solves += rope.step(1.0 / f64::from(rate))?.solves;
    }
    let micros = start.elapsed().as_secs_f64() * 1e6 / f64::from(steps);
    Ok((rope.point(1.0), f64::from(solves) / f64::from(steps), micros))
}
