//! Pictures, movies and exports.
//!
//! A snapshot of the scene is drawn, so editing goes on meanwhile. Files are complete or absent.
//! Light, ground and the automatic camera depend on the whole shot, whichever frames are drawn, so
//! that pictures of different renders match.
//!
//! Tests: `crates/lariat-studio/tests/studio/output.rs`.

use std::{ops::RangeInclusive, path::Path};

use lariat_eval::Scene;
use lariat_export::{
    Format as ExportFormat, Options, Timing,
    file::{IfExists, save},
};
use lariat_render::{Picture, movie};
use lariat_scene::lower::Lowered;
use lariat_shoot::{
    BUDGET, Bodies, Moments, Product, RendererChoice, Sequence, Settings, Shoot, ShootError,
    simulate_ahead, with_dependencies,
};

use super::task::Watch;
use crate::host::{OutputRequest, OutputWork, PreviewRequest};

/// The bodies of a scene, simulated up to a frame.
fn simulated<'s, T: Send>(
    scene: &'s Scene,
    lowered: &'s Lowered,
    last: f64,
    watch: &Watch<'_, T>,
) -> Result<Bodies<'s>, String> {
    let bodies = Bodies::choose(scene, lowered, &[]).map_err(|error| error.to_string())?;
    let needed = with_dependencies(scene, bodies.indices().iter().copied());
    let simulated = simulate_ahead(scene, &needed, last, &|_| Box::new(*watch));
    simulated.map_err(|error| error.to_string())?;
    Ok(bodies)
}

/// The frames of the shot, and frames outside it.
fn framed(scene: &Scene, others: RangeInclusive<i64>) -> Vec<f64> {
    let shot = scene.shot();
    let others = others.filter(|frame| !(shot.first..=shot.last).contains(frame));
    (shot.first..=shot.last).chain(others).map(|frame| frame as f64).collect()
}

fn last(frames: &[f64]) -> f64 {
    frames.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Draws one frame for a preview.
pub(super) fn preview(
    request: &PreviewRequest,
    watch: &Watch<'_, Picture>,
) -> Result<Picture, String> {
    let PreviewRequest { scene, lowered, frame, size, quality, camera } = request;
    let frames = framed(scene, frame.floor() as i64..=frame.floor() as i64);
    let bodies = simulated(scene, lowered, last(&frames), watch)?;
    let moments = Moments::new(&bodies, &frames, 0.0, BUDGET);
    // The CPU draws a picture of this size before a graphics device is open.
    let renderer = RendererChoice::Cpu;
    let settings =
        Settings { quality: *quality, camera: *camera, renderer, ..Settings::new(*size) };
    let shoot = Shoot::new(&moments, settings, &frames, watch);
    let shoot = shoot.map_err(|error| error.to_string())?;
    shoot.picture(*frame).map_err(|error| error.to_string())
}

/// Writes a file; returns a sentence about it.
pub(super) fn write(request: &OutputRequest, watch: &Watch<'_, String>) -> Result<String, String> {
    let OutputRequest { place, scene, lowered, work, replaces, frames } = request;
    let path = Path::new(place);
    let existing = if *replaces { IfExists::Replace } else { IfExists::Fail };
    let framed = framed(scene, frames.clone());
    let frames: Vec<f64> = frames.clone().map(|frame| frame as f64).collect();
    let needed = if matches!(work, OutputWork::Export) { &frames } else { &framed };
    let bodies = simulated(scene, lowered, last(needed), watch)?;
    match work {
        OutputWork::Render { size, quality, camera } => {
            let product = product(path)?;
            let settings = Settings { quality: *quality, camera: *camera, ..Settings::new(*size) };
            let moments = Moments::new(&bodies, &framed, 0.0, BUDGET);
            let framing = watch.stage("Framing");
            let shoot = Shoot::new(&moments, settings, &framed, &framing);
            let shoot = shoot.map_err(|error| error.to_string())?;
            let chosen = if product == Product::Picture { &frames[..1] } else { &frames[..] };
            let watch = watch.stage("Rendering");
            let written = product.write(&shoot, chosen, &[], (path, existing), &watch);
            let written = written.map_err(|error| sentence(&error))?;
            let plural = if written.pictures == 1 { "picture" } else { "pictures" };
            Ok(format!("Rendered {} {plural} to {place}", written.pictures))
        }
        OutputWork::Export => {
            let format = ExportFormat::from_path(path);
            let format = format.ok_or("the name must end in .usda, .csv, .json or .svg")?;
            let frames = frames.into_iter().map(|frame| frame as i64);
            let timing = Timing::new(scene.shot().rate, frames);
            let timing = timing.map_err(|error| error.to_string())?;
            let watch = watch.stage("Exporting");
            save(path, existing, |out| {
                format.write(bodies.footage(), &timing, &Options::default(), out, &watch)
            })
            .map_err(|error| error.to_string())?;
            Ok(format!("Exported to {place}"))
        }
    }
}

fn sentence(error: &ShootError) -> String {
    match error {
        ShootError::Cancelled => "Cancelled; no file was written".to_owned(),
        other => other.to_string(),
    }
}

/// Kind of picture or movie by the end of its name.
fn product(path: &Path) -> Result<Product, String> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "png" => match Sequence::marked(path) {
            Ok(Some(sequence)) => Ok(Product::Sequence(sequence)),
            Ok(None) => Ok(Product::Picture),
            Err(error) => Err(error.to_string()),
        },
        "mp4" => Ok(Product::Movie(movie::Format::MP4)),
        "gif" => Ok(Product::Movie(movie::Format::GIF)),
        _ => Err("the name must end in .mp4, .gif or .png (#### numbers pictures)".to_owned()),
    }
}
