//! The card's pictures compared with the reference's.
//!
//! The measure is ꟻLIP (Andersson and others 2020): what a person sees who flips between the two on
//! a screen of 67 pixels a degree, 0 for the same and 1 for black against white. On failure both
//! pictures and the map of differences are written to the target folder and named.
//!
//! Without a card, or a driver that stands in for one, there is nothing to compare. Where
//! `LARIAT_NEEDS_GPU` is set, as it is when changes are checked, that is a failure.

use std::{
    fs,
    path::PathBuf,
    sync::{Mutex, MutexGuard, OnceLock},
};

use glam::DVec3;
use lariat_core::geometry::Strand;
use lariat_render::{
    CpuRenderer, Framing, GpuRenderer, Moment, Picture, Quality, Renderer, Size, Stage, View,
    bounds_of,
};

use crate::{
    golden::save,
    scenes::{lights, rope_and_spring},
};

/// The most that the two may differ, on average over the picture.
const MEAN: f32 = 0.05;

/// One card for all tests, one after the other.
fn card() -> Option<MutexGuard<'static, GpuRenderer>> {
    static CARD: OnceLock<Option<Mutex<GpuRenderer>>> = OnceLock::new();
    let card = CARD.get_or_init(|| match GpuRenderer::new() {
        Ok(card) => Some(Mutex::new(card)),
        Err(error) => {
            assert!(std::env::var_os("LARIAT_NEEDS_GPU").is_none(), "{error}");
            None
        }
    });
    Some(card.as_ref()?.lock().unwrap())
}

fn both(name: &str, strands: &[Strand], stage: &Stage, quality: Quality) -> Option<f32> {
    let mut card = card()?;
    let size = Size::new(480, 320).unwrap();
    let mut framing = Framing::new(DVec3::new(-0.3, 1.0, -0.5), size.aspect());
    framing.include_strands(strands);
    let moments = [Moment::new(strands, framing.camera())];
    let view = View { moments: &moments, stage, size, quality };
    let found = card.draw(&view).unwrap();
    let expected = CpuRenderer::new().draw(&view).unwrap();
    Some(difference(name, &expected, &found))
}

/// How different two pictures are to the eye; keeps them and where they differ.
fn difference(name: &str, expected: &Picture, found: &Picture) -> f32 {
    let (width, height) = (found.size().width(), found.size().height());
    let image = |picture: &Picture| {
        let rgb: Vec<u8> = picture.pixels().iter().flat_map(|p| [p[0], p[1], p[2]]).collect();
        nv_flip::FlipImageRgb8::with_data(width, height, &rgb)
    };
    let map = nv_flip::flip(image(expected), image(found), nv_flip::DEFAULT_PIXELS_PER_DEGREE);
    let mean = nv_flip::FlipPool::from_image(&map).mean();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gpu");
    fs::create_dir_all(&folder).unwrap();
    let path = |what: &str| folder.join(format!("{name}-{what}.png"));
    save(expected, &path("cpu"));
    save(found, &path("gpu"));
    let shown = map.apply_color_lut(&nv_flip::magma_lut()).to_vec();
    let mut picture = Picture::new(found.size(), [255; 4]);
    for (pixel, rgb) in picture.pixels_mut().iter_mut().zip(shown.chunks_exact(3)) {
        *pixel = [rgb[0], rgb[1], rgb[2], 255];
    }
    save(&picture, &path("difference"));
    println!("{name}: {mean}, look at {}", folder.display());
    mean
}

#[test]
fn ropes_by_day_look_the_same() {
    let strands = rope_and_spring();
    let stage = Stage::day(&bounds_of(&strands));
    let far = both("ropes-by-day", &strands, &stage, Quality::PREVIEW);
    assert!(far.is_none_or(|far| far < MEAN), "{far:?}");
}

#[test]
fn lights_at_dusk_look_the_same() {
    let strands = lights();
    let stage = Stage::dusk(&bounds_of(&strands));
    let far = both("lights-at-dusk", &strands, &stage, Quality::PREVIEW);
    assert!(far.is_none_or(|far| far < MEAN), "{far:?}");
}
