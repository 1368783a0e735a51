//! Draws a short piece of every material side by side:
//! `cargo run --release -p lariat-render --example materials -- OUT.png [draft|preview|final]`.

use std::{error::Error, fs::File, io::BufWriter};

use glam::DVec3;
use lariat_core::{
    geometry::{Material, Profile, Strand, Sweep},
    num::ops,
};
use lariat_render::{
    CpuRenderer, Framing, Moment, Quality, Renderer, Size, Stage, View, bounds_of,
};

const MATERIALS: [(&str, [f64; 3]); 12] = [
    ("rope", [0.45, 0.29, 0.13]),
    ("cord", [0.55, 0.52, 0.46]),
    ("nylon", [0.5, 0.06, 0.04]),
    ("cable", [0.52, 0.53, 0.55]),
    ("bare-wire", [0.8, 0.42, 0.25]),
    ("wire", [0.02, 0.1, 0.3]),
    ("rubber", [0.02, 0.02, 0.022]),
    ("steel", [0.52, 0.53, 0.55]),
    ("brass", [0.72, 0.5, 0.18]),
    ("leather", [0.17, 0.075, 0.03]),
    ("wood", [0.22, 0.12, 0.05]),
    ("cloth", [0.5, 0.47, 0.4]),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let out = words.next().unwrap_or_else(|| "materials.png".into());
    let quality = match words.next().as_deref() {
        Some("draft") => Quality::DRAFT,
        Some("preview") => Quality::PREVIEW,
        _ => Quality::FINAL,
    };
    let mut strands = Vec::new();
    for (k, (name, colour)) in MATERIALS.into_iter().enumerate() {
        let x = k as f64 * 0.13;
        // Down, and away along the ground.
        let points: Vec<DVec3> = (0..=60)
            .map(|i| {
                let v = f64::from(i) / 60.0;
                let (sin, cos) = (ops::sin_turns(0.25 * v), ops::cos_turns(0.25 * v));
                DVec3::new(x, 0.5 - 0.9 * sin, 0.7 - 0.66 * (1.0 - cos * cos.sqrt()))
            })
            .collect();
        let mut strand = Strand::empty(name, Material { name: name.into(), colour });
        let mut sweep = Sweep::round(DVec3::Z, 0.035);
        if name == "leather" {
            strand.profile = Profile::flat(0.1, 0.008);
            sweep.radius = 0.05;
        }
        strand.sweep(&points, &sweep);
        strands.push(strand);
    }
    let bounds = bounds_of(&strands);
    let size = Size::new(1280, 720)?;
    let mut framing = Framing::new(DVec3::new(-0.1, 1.0, -0.55), size.aspect());
    framing.include_strands(&strands);
    let picture = CpuRenderer::new().draw(&View {
        moments: &[Moment::new(&strands, framing.camera())],
        stage: &Stage::day(&bounds),
        size,
        quality,
    })?;
    picture.encode_png(&mut BufWriter::new(File::create(out)?))?;
    Ok(())
}
