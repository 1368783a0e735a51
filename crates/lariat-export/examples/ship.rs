//! Benchmark of speed and memory: a ship with any number of swaying ropes.
//!
//! ```text
//! cargo run --release -p lariat-export --example ship -- usda 5000 48 240 ship.usda
//! ```
//!
//! Format, ropes, points, frames, and the file (none: the bytes are counted and dropped); then
//! any of `plain` (no orientations), `tubes`, `velocities`, `threads=N`, `memory=MIB`.

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use glam::DVec3;
use lariat_core::curve::Frame;
use lariat_core::geometry::{Footage, Look, Strand};
use lariat_core::motion::FrameRate;
use lariat_core::num::ops;
use lariat_export::file::{IfExists, save};
use lariat_export::{Format, NoProgress, Options, Timing, TubeOptions};

/// Ropes that sway with different phases.
struct Ship {
    names: Vec<String>,
    points: usize,
    look: Look,
}

impl Footage for Ship {
    fn body_count(&self) -> usize {
        self.names.len()
    }

    fn body_name(&self, body: usize) -> &str {
        &self.names[body]
    }

    fn strands(&self, body: usize, frame: f64, out: &mut Vec<Strand>) {
        let phase = 0.37 * body as f64;
        let swing = ops::sin(0.26 * frame + phase);
        let foot = DVec3::new((body % 100) as f64 * 0.4, (body / 100) as f64 * 0.4, 0.0);
        let last = (self.points.max(2) - 1) as f64;
        let place = |u: f64| {
            let belly = 4.0 * u * (1.0 - u);
            foot + DVec3::new(0.9 * u, 0.3 * swing * belly, 6.0 * u - 0.2 * belly)
        };
        let points: Vec<DVec3> = (0..self.points).map(|i| place(i as f64 / last)).collect();
        let slope = |u: f64| {
            let belly = 4.0 - 8.0 * u;
            DVec3::new(0.9, 0.3 * swing * belly, 6.0 - 0.2 * belly)
        };
        let frame_at = |i: usize| Frame::new(slope(i as f64 / last), DVec3::X);
        let frames = (0..self.points).map(frame_at).collect();
        let (radius, twist) = (vec![0.012; self.points], vec![0.0; self.points]);
        out.clear();
        out.push(Strand::new("rope", points, frames, radius, twist, self.look.clone()));
    }
}

/// Peak memory of this process, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [format, ropes, points, frames, rest @ ..] = words.as_slice() else {
        return Err("usage: FORMAT ROPES POINTS FRAMES [FILE] [plain|tubes|velocities|…]".into());
    };
    let setting = |name: &str| rest.iter().find_map(|word| word.strip_prefix(name));
    let has = |word: &str| rest.iter().any(|given| given == word);
    let mut options = Options {
        orientations: !has("plain"),
        velocities: has("velocities"),
        tubes: has("tubes").then(TubeOptions::default),
        ..Options::default()
    };
    if let Some(mebibytes) = setting("memory=") {
        options.memory_per_thread = mebibytes.parse::<usize>()? << 20;
    }
    if let Some(threads) = setting("threads=") {
        rayon::ThreadPoolBuilder::new().num_threads(threads.parse()?).build_global()?;
    }
    let ship = Ship {
        names: (0..ropes.parse()?).map(|rope: usize| format!("rope-{rope}")).collect(),
        points: points.parse()?,
        look: Look { name: "hemp".into(), colour: [0.42, 0.33, 0.2] },
    };
    let timing = Timing::new(FrameRate::FILM, 1..=frames.parse()?)?;
    let format = Format::from_name(format).ok_or("unknown format; supported: usda, csv, json")?;
    let write = |out: &mut dyn Write| format.write(&ship, &timing, &options, out, &NoProgress);
    let start = Instant::now();
    let file = rest.iter().find(|word| word.contains('.'));
    let summary = match file {
        Some(path) => save(Path::new(path), IfExists::Replace, write)?,
        None => write(&mut io::sink())?,
    };
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} points at {} frames: {:.2} s, {:.1} MB, {:.0} MB/s, peak memory {} MB",
        summary.points,
        summary.frames,
        seconds,
        summary.bytes as f64 / 1e6,
        summary.bytes as f64 / 1e6 / seconds,
        peak_memory().map_or_else(|| "unknown".into(), |kib| (kib / 1024).to_string()),
    );
    Ok(())
}
