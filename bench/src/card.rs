//! Time per picture on a graphics card or a software driver, its bottleneck, and the breakdown of
//! the time for a movie.

use std::{
    io::Cursor,
    time::{Duration, Instant},
};

use glam::DVec3;
use lariat_core::{
    geometry::{Look, Strand, Sweep},
    num::ops,
};
use lariat_render::{
    GpuRenderer, Moment, Picture, Quality, Size, Stage, Step, View, bounds_of,
    movie::{Format, Movie, MovieSettings},
};

use crate::{
    pictures::{Shot, strands},
    table::Table,
};

const NAME: &str = "picture by the graphics card";
const MOVIE: &str = "movie by the graphics card, 120 frames of the lights, 1280x720, mp4";

const SCENES: [&str; 3] = ["barzel-17-lights", "ship-rigging", "barzel-20-slinky"];

/// Variants of the same picture with one feature left out, to find the bottleneck.
const VARIANTS: [&str; 5] = [
    "1280x720, shadows, 4x MSAA",
    "a quarter of the pixels",
    "without MSAA",
    "without shadows and sky",
    "without ground",
];

pub(crate) fn run(table: &mut Table) {
    let titles: Vec<String> = VARIANTS
        .iter()
        .map(|variant| format!("{NAME}, {variant}"))
        .chain(SCENES.iter().map(|scene| format!("{NAME}, 1280x720, preview, {scene}")))
        .chain([MOVIE.to_owned()])
        .collect();
    if !titles.iter().any(|title| table.wants(title)) {
        return;
    }
    let mut card = match GpuRenderer::new() {
        Ok(card) => card,
        Err(error) => {
            table.row(NAME, &error.to_string(), "", None);
            return;
        }
    };
    table.row("the graphics card", card.card(), "", None);
    bounds(table, &mut card);
    for name in SCENES {
        let title = format!("{NAME}, 1280x720, preview, {name}");
        if table.wants(&title) {
            let shot = Shot::of(name, 1280, 720);
            table.time(&title, 1.0, None, || shot.draw(&mut card, 12.0));
        }
    }
    if table.wants(MOVIE) {
        movie(table, &mut card);
    }
}

/// Ropes wound around each other.
fn wound() -> Vec<Strand> {
    let look = Look { name: "rope".into(), colour: [0.45, 0.29, 0.13] };
    (0..12)
        .map(|k| {
            let points: Vec<DVec3> = (0..=130)
                .map(|i| {
                    let u = f64::from(i) / 130.0;
                    let turns = 1.5 * u + f64::from(k) / 12.0;
                    let (sin, cos) = (ops::sin_turns(turns), ops::cos_turns(turns));
                    DVec3::new(4.0 * u, 0.6 * cos, 0.8 + 0.6 * sin)
                })
                .collect();
            let mut strand = Strand::empty("rope", look.clone());
            strand.sweep(&points, &Sweep::round(DVec3::Z, 0.05));
            strand
        })
        .collect()
}

fn bounds(table: &mut Table, card: &mut GpuRenderer) {
    let strands = wound();
    let bounds = bounds_of(&strands);
    let stage = Stage::day(&bounds);
    let camera = lariat_render::Camera::framing(&bounds, DVec3::new(-0.3, 1.0, -0.4), 16.0 / 9.0);
    let moments = [Moment::new(&strands, camera)];
    let no_ground = Stage { ground: None, ..stage.clone() };
    let (large, small) = ((1280, 720), (640, 360));
    let one = Quality { samples: 1, ..Quality::PREVIEW };
    let unlit = Quality { shadow_rays: 0, sky_rays: 0, ..Quality::PREVIEW };
    let settings = [
        (large, Quality::PREVIEW, &stage),
        (small, Quality::PREVIEW, &stage),
        (large, one, &stage),
        (large, unlit, &stage),
        (large, Quality::PREVIEW, &no_ground),
    ];
    for (variant, ((width, height), quality, stage)) in VARIANTS.into_iter().zip(settings) {
        let title = format!("{NAME}, {variant}");
        if !table.wants(&title) {
            continue;
        }
        let size = Size::new(width, height).expect("a valid size");
        let view = View { moments: &moments, stage, size, quality };
        let mut parts = [0.0; 3];
        table.time(&title, 1.0, None, || parts = timed(card, &view).1);
        let made = format!(
            "{} triangles; {:.1} ms lay out, {:.1} ms draw, {:.1} ms read back",
            card.triangles(),
            1e3 * parts[0],
            1e3 * parts[1],
            1e3 * parts[2]
        );
        table.row(&format!("{title}: last run"), &made, "", None);
    }
}

/// 120 frames of the lights as mp4, as in the command: drawing and encoding in parallel.
fn movie(table: &mut Table, card: &mut GpuRenderer) {
    let shot = Shot::of("barzel-17-lights", 1280, 720);
    let frames = 120;
    let rate = shot.scene.shot().rate;
    let settings = MovieSettings { size: shot.size, rate, frames, backdrop: [0; 3] };
    let mut evaluate = Duration::ZERO;
    let mut spent = [0.0; 3];
    let begun = Instant::now();
    let encode = std::thread::scope(|scope| {
        let (finished, pictures) = std::sync::mpsc::sync_channel(2);
        let encoder = scope.spawn(move || {
            let mut file = Cursor::new(Vec::new());
            let mut movie = Movie::new(&mut file, Format::MP4, settings).expect("valid settings");
            let mut encode = Duration::ZERO;
            for picture in pictures {
                let since = Instant::now();
                movie.add(&picture).expect("the right size");
                encode += since.elapsed();
            }
            movie.finish().expect("the movie is complete");
            encode
        });
        for frame in 0..frames {
            let since = Instant::now();
            let strands = strands(&shot.scene, f64::from(1 + frame % 100));
            evaluate += since.elapsed();
            let moments = [Moment::new(&strands, shot.camera())];
            let (picture, parts) = timed(card, &shot.view(&moments));
            for (sum, part) in spent.iter_mut().zip(parts) {
                *sum += part;
            }
            finished.send(picture).expect("the receiver is alive");
        }
        drop(finished);
        encoder.join().expect("the encoder does not panic")
    });
    let all = begun.elapsed().as_secs_f64();
    let [lay_out, draw, read_back] = spent;
    let breakdown = format!(
        "{all:.1} s: evaluate {:.2}, lay out {lay_out:.2}, draw {draw:.2}, read back \
         {read_back:.2}; in parallel encode {:.2}",
        evaluate.as_secs_f64(),
        encode.as_secs_f64()
    );
    table.row(MOVIE, &breakdown, "", None);
}

/// A picture, and the seconds of its steps.
fn timed(card: &mut GpuRenderer, view: &View<'_>) -> (Picture, [f64; 3]) {
    let begun = Instant::now();
    let mut until = Vec::new();
    let picture = card.draw_watched(view, |_: Step| until.push(begun.elapsed().as_secs_f64()));
    let [a, b, c] = until[..] else { panic!("three steps make a picture") };
    (picture.expect("a picture"), [a, b - a, c - b])
}
