//! Draws torn ends of several materials side by side:
//! `cargo run --release -p lariat-render --example frays -- OUT.png [draft|preview|final]`.

use std::{error::Error, fs::File, io::BufWriter};

use glam::DVec3;
use lariat_core::geometry::{Material, Profile, Strand, Sweep};
use lariat_render::{
    CpuRenderer, Framing, Moment, Quality, Renderer, Size, Stage, View, bounds_of,
};

const MATERIALS: [(&str, [f64; 3]); 8] = [
    ("rope", [0.45, 0.29, 0.13]),
    ("nylon", [0.5, 0.06, 0.04]),
    ("cord", [0.55, 0.52, 0.46]),
    ("cable", [0.52, 0.53, 0.55]),
    ("steel", [0.52, 0.53, 0.55]),
    ("rubber", [0.02, 0.02, 0.022]),
    ("wood", [0.22, 0.12, 0.05]),
    ("webbing", [0.16, 0.2, 0.1]),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let out = words.next().unwrap_or_else(|| "frays.png".into());
    let quality = match words.next().as_deref() {
        Some("draft") => Quality::DRAFT,
        Some("preview") => Quality::PREVIEW,
        _ => Quality::FINAL,
    };
    let mut strands = Vec::new();
    for (k, (name, colour)) in MATERIALS.into_iter().enumerate() {
        let x = k as f64 * 0.15;
        let points: Vec<DVec3> = (0..12)
            .map(|i| {
                let u = f64::from(i) / 11.0;
                DVec3::new(x, 0.02 * u * u, 0.5 - 0.15 * u)
            })
            .collect();
        let material = Material { name: name.into(), colour };
        let mut strand = Strand::empty(name, material);
        strand.sweep(&points, &Sweep::round(DVec3::Y, 0.03));
        if name == "webbing" {
            strand.profile = Profile::flat(0.06, 0.006);
        }
        strand.torn = [false, true];
        strands.push(strand);
    }
    let size = Size::new(2000, 1000)?;
    let bounds = bounds_of(&strands);
    let mut framing = Framing::new(DVec3::new(-0.15, 1.0, -0.12), size.aspect());
    framing.include_strands(&strands);
    for k in 0..MATERIALS.len() {
        // Room for what hangs out of the ends.
        framing.include(DVec3::new(k as f64 * 0.15, 0.05, 0.22), 0.06);
    }
    let view = View {
        moments: &[Moment::new(&strands, framing.camera())],
        stage: &Stage::day(&bounds),
        size,
        quality,
    };
    let picture = CpuRenderer::new().draw(&view)?;
    picture.encode_png(&mut BufWriter::new(File::create(out)?))?;
    Ok(())
}
