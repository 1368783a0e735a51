//! Pictures of the graphics card compared with those of the reference.
//!
//! The measure is ꟻLIP (Andersson et al. 2020): the difference that a person perceives when
//! flipping between the two on a screen of 67 pixels per degree, from 0 (identical) to 1 (black
//! against white), averaged over the picture. On failure, both pictures and the difference map are
//! written to the target folder.
//!
//! Without a card or a software driver there is nothing to compare. If `LARIAT_NEEDS_GPU` is set,
//! as in CI, that is a failure.

use std::{
    fs,
    path::PathBuf,
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
};

use glam::DVec3;
use lariat_core::geometry::{RopePiece, Strand, Sweep};
use lariat_render::{
    Appearance, Camera, CpuRenderer, DrawnStrand, Framing, GpuRenderer, Lens, Moment, Picture,
    Quality, RenderError, Renderer, Size, Stage, View, bounds_of,
};

use crate::{
    golden::save,
    meshes::{ball, sheet, wooden_box},
    scenes::{lights, rope_and_spring, strand},
};

/// Largest difference; measured values are 0.009 to 0.027. Most of it is noise of soft shadows,
/// which differs between the two.
const MOST: f32 = 0.035;

/// Largest difference where half of the picture is relief in close-up, which the card filters
/// within a pixel before shading and not after: measured values are 0.034 to 0.05.
const MOST_CLOSE_UP: f32 = 0.06;

/// One card for all tests, used by one at a time; `None` if there is none.
fn card() -> Option<MutexGuard<'static, GpuRenderer>> {
    static CARD: OnceLock<Option<Mutex<GpuRenderer>>> = OnceLock::new();
    let card = CARD.get_or_init(|| match GpuRenderer::new() {
        Ok(card) => Some(Mutex::new(card)),
        Err(error) => {
            assert!(std::env::var_os("LARIAT_NEEDS_GPU").is_none(), "{error}");
            None
        }
    });
    card.as_ref().map(|card| card.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Renders a view with both; returns the difference and the path of the pictures, or `None` without
/// a card.
fn compare(name: &str, view: &View<'_>) -> Option<(f32, String)> {
    let mut card = card()?;
    let found = card.draw(view).unwrap();
    let expected = CpuRenderer::new().draw(view).unwrap();
    // An empty picture would be near to many pictures.
    let (empty, _) = difference("nothing", &expected, &Picture::new(view.size, [0; 4]));
    assert!(empty > 2.0 * MOST, "the picture is nearly empty: {empty}");
    Some(difference(name, &expected, &found))
}

/// Whether the difference is within a limit; true without a card.
fn within(most: f32, compared: Option<&(f32, String)>) -> bool {
    compared.is_none_or(|(far, _)| *far < most)
}

/// Perceptual difference of two pictures over grey; saves both and a difference map.
pub(crate) fn difference(name: &str, expected: &Picture, found: &Picture) -> (f32, String) {
    let (width, height) = (found.size().width(), found.size().height());
    let image = |picture: &Picture| {
        let over = |[r, g, b, a]: [u8; 4]| {
            [r, g, b]
                .map(|c| ((u32::from(c) * u32::from(a) + 128 * u32::from(255 - a)) / 255) as u8)
        };
        let rgb: Vec<u8> = picture.pixels().iter().flat_map(|pixel| over(*pixel)).collect();
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
    println!("{name}: {mean}");
    (mean, folder.display().to_string())
}

/// Camera for the ropes of this suite.
fn camera(strands: &[Strand], size: Size) -> Camera {
    let mut framing = Framing::new(DVec3::new(-0.3, 1.0, -0.5), size.aspect());
    framing.include_strands(strands);
    framing.camera()
}

fn size() -> Size {
    Size::new(480, 320).unwrap()
}

/// Compares the picture of some strands on a stage.
fn both(name: &str, strands: &[Strand], stage: &Stage, quality: Quality) -> Option<(f32, String)> {
    let moments = [Moment::new(strands, camera(strands, size()))];
    compare(name, &View { moments: &moments, stage, size: size(), quality })
}

#[test]
fn ropes_by_day_look_the_same() {
    let strands = rope_and_spring();
    let compared =
        both("ropes-by-day", &strands, &Stage::day(&bounds_of(&strands)), Quality::PREVIEW);
    assert!(within(MOST, compared.as_ref()), "{compared:?}");
}

#[test]
fn a_final_picture_looks_the_same() {
    let strands = rope_and_spring();
    let compared = both("ropes-final", &strands, &Stage::day(&bounds_of(&strands)), Quality::FINAL);
    assert!(within(MOST, compared.as_ref()), "{compared:?}");
}

#[test]
fn lights_at_dusk_look_the_same() {
    let strands = lights();
    let compared =
        both("lights-at-dusk", &strands, &Stage::dusk(&bounds_of(&strands)), Quality::PREVIEW);
    assert!(within(MOST, compared.as_ref()), "{compared:?}");
}

/// Many bulbs near a wall and over a floor, in groups that are near and far.
#[test]
fn walls_lit_by_bulbs_look_the_same() {
    let colours = [[0.9, 0.05, 0.03], [0.02, 0.45, 0.06], [0.03, 0.1, 0.85], [0.95, 0.6, 0.03]];
    let bulb = |k: u32| {
        let at = DVec3::new(0.06 * f64::from(k) - 1.5, 0.0, 0.9 - 0.1 * f64::from(k % 5));
        let points = [at, at - DVec3::Z * 0.01, at - DVec3::Z * 0.03, at - DVec3::Z * 0.05];
        let colour = colours[k as usize % 4];
        let mut glass = strand("bulb", colour, &points, &Sweep::round(DVec3::X, 1.0));
        glass.set_radius(&[0.006, 0.006, 0.012, 0.001]);
        glass
    };
    let strands: Vec<Strand> = (0..50).map(bulb).collect();
    let wall = wooden_box("plain");
    let mut framing = Framing::new(DVec3::new(-0.3, 1.0, -0.5), size().aspect());
    framing.include_strands(&strands);
    framing.include_meshes([&wall]);
    let bounds = bounds_of(&strands).union(lariat_core::geometry::Bounds::of_mesh(&wall));
    let stage = Stage::dusk(&bounds);
    let meshes = [wall];
    let moments = [Moment::new(&strands, framing.camera()).with_meshes(&meshes)];
    let view = View { moments: &moments, stage: &stage, size: size(), quality: Quality::PREVIEW };
    let compared = compare("lit-wall", &view);
    assert!(within(MOST, compared.as_ref()), "{compared:?}");
}

/// Water without anything near it: the card mirrors only the sky.
#[test]
fn water_looks_the_same() {
    let ends = [DVec3::new(-1.0, 0.0, 1.2), DVec3::new(1.0, 0.3, 1.3)];
    let strands = [strand("rope", [0.45, 0.29, 0.13], &ends, &Sweep::round(DVec3::Z, 0.03))];
    let stage = Stage::day(&bounds_of(&strands)).with_water().at_time(1.3);
    let camera = Camera {
        eye: DVec3::new(0.5, -5.0, 1.6),
        target: DVec3::new(0.0, 0.0, 0.7),
        up: DVec3::Z,
        lens: Lens::Perspective { angle: 0.6 },
    };
    for (name, stage) in [("water", stage.clone()), ("water-alone", stage.transparent())] {
        let moments = [Moment::new(&strands, camera)];
        let quality = Quality::PREVIEW;
        let view = View { moments: &moments, stage: &stage, size: size(), quality };
        let compared = compare(name, &view);
        assert!(within(MOST, compared.as_ref()), "{compared:?}");
    }
}

/// Balls of several materials, coarse and fine, over a sheet, with a rope behind them.
#[test]
fn meshes_look_the_same() {
    let mut painted = ball(DVec3::new(0.9, -0.2, 0.75), 0.3, 24, "plain", [0.5; 3]);
    let colours: Vec<[f64; 3]> =
        painted.normals().iter().map(|n| [0.5 + 0.5 * n.x, 0.3, 0.5 - 0.5 * n.z]).collect();
    painted.set_colours(Some(colours.into())).unwrap();
    let meshes = [
        ball(DVec3::new(-0.5, -0.2, 0.6), 0.45, 32, "plain", [0.45, 0.3, 0.2]),
        ball(DVec3::new(0.25, -0.5, 0.5), 0.25, 96, "rubber", [0.1, 0.2, 0.4]),
        ball(DVec3::new(-0.2, 0.6, 0.9), 0.35, 64, "skin", [0.5, 0.2, 0.15]),
        sheet(0.02, [0.5, 0.5, 0.45]),
        painted,
    ];
    let strands = rope_and_spring();
    let mut bounds = bounds_of(&strands);
    let mut framing = Framing::new(DVec3::new(-0.3, 1.0, -0.5), size().aspect());
    framing.include_meshes(&meshes);
    for mesh in &meshes {
        bounds = bounds.union(lariat_core::geometry::Bounds::of_mesh(mesh));
    }
    let stage = Stage::day(&bounds);
    let moments = [Moment::new(&strands, framing.camera()).with_meshes(&meshes)];
    for (name, quality) in [("meshes", Quality::PREVIEW), ("meshes-final", Quality::FINAL)] {
        let view = View { moments: &moments, stage: &stage, size: size(), quality };
        let compared = compare(name, &view);
        assert!(within(MOST, compared.as_ref()), "{compared:?}");
    }
}

#[test]
fn a_wooden_box_looks_the_same() {
    let meshes = [wooden_box("wood")];
    let mut framing = Framing::new(DVec3::new(-0.3, 1.0, -0.5), size().aspect());
    framing.include_meshes(&meshes);
    let stage = Stage::day(&lariat_core::geometry::Bounds::of_mesh(&meshes[0]));
    let moments = [Moment::new([], framing.camera()).with_meshes(&meshes)];
    let view = View { moments: &moments, stage: &stage, size: size(), quality: Quality::PREVIEW };
    let compared = compare("wooden-box", &view);
    assert!(within(MOST, compared.as_ref()), "{compared:?}");
}

#[test]
fn without_a_background_they_look_the_same() {
    let strands = rope_and_spring();
    let stage = Stage::day(&bounds_of(&strands)).transparent();
    let compared = both("transparent", &strands, &stage, Quality::PREVIEW);
    assert!(within(MOST, compared.as_ref()), "{compared:?}");
}

#[test]
fn every_material_looks_the_same() {
    // A few at a time, thick enough to show their relief.
    let names = lariat_render::surface::NAMES.iter();
    let names: Vec<&str> =
        names.copied().filter(|name| *name != "bulb" && *name != "glass").collect();
    for (k, some) in names.chunks(9).enumerate() {
        let along = (0..).map(|i| 0.25 * f64::from(i));
        let strands: Vec<Strand> = some
            .iter()
            .zip(along)
            .map(|(name, x)| {
                let ends = [DVec3::new(x, 0.0, 0.1), DVec3::new(x + 0.2, 0.0, 1.4)];
                strand(name, [0.4, 0.28, 0.16], &ends, &Sweep::round(DVec3::X, 0.06))
            })
            .collect();
        let name = format!("materials-{k}");
        let compared = both(&name, &strands, &Stage::day(&bounds_of(&strands)), Quality::PREVIEW);
        assert!(within(MOST_CLOSE_UP, compared.as_ref()), "{compared:?}");
    }
}

#[test]
fn ropes_thinner_than_a_pixel_look_the_same() {
    let strands: Vec<Strand> = (0..60)
        .map(|k| {
            let x = 0.1 * f64::from(k % 20);
            let y = f64::from(k / 20);
            let ends = [DVec3::new(x, y, 0.0), DVec3::new(2.0 - x, y, 1.3)];
            strand("rope", [0.1, 0.05, 0.02], &ends, &Sweep::round(DVec3::Y, 0.001))
        })
        .collect();
    let compared = both("thin", &strands, &Stage::day(&bounds_of(&strands)), Quality::PREVIEW);
    assert!(within(MOST, compared.as_ref()), "{compared:?}");
}

#[test]
fn maps_and_ghosts_look_the_same() {
    let strands = rope_and_spring();
    let stage = Stage::day(&bounds_of(&strands));
    let maps: Vec<Vec<[f32; 3]>> = strands
        .iter()
        .map(|strand| {
            let n = strand.points().len();
            (0..n).map(|i| [i as f32 / n as f32, 0.3, 1.0 - i as f32 / n as f32]).collect()
        })
        .collect();
    let moved: Vec<Strand> = strands
        .iter()
        .map(|strand| {
            let points: Vec<DVec3> =
                strand.points().iter().map(|p| *p + DVec3::new(0.1, -0.3, 0.1)).collect();
            let mut ghost = Strand::empty("ghost", strand.look.clone());
            ghost.sweep(&points, &Sweep::round(DVec3::Z, strand.radius()[0]));
            ghost.profile = strand.profile.clone();
            ghost
        })
        .collect();
    let mut moment = Moment::new([], camera(&strands, size()));
    moment.strands.extend(
        strands
            .iter()
            .zip(&maps)
            .map(|(strand, map)| DrawnStrand { strand, appearance: Appearance::Map(map) }),
    );
    let appearance = Appearance::Ghost { tint: [0.1, 0.3, 0.9], opacity: 0.35 };
    moment.strands.extend(moved.iter().map(|strand| DrawnStrand { strand, appearance }));
    let view = View { moments: &[moment], stage: &stage, size: size(), quality: Quality::PREVIEW };
    let compared = compare("dressed", &view);
    assert!(within(MOST, compared.as_ref()), "{compared:?}");
}

#[test]
fn torn_ends_and_orthographic_views_look_the_same() {
    let ends = [DVec3::new(0.0, 0.0, 0.5), DVec3::new(1.0, 0.0, 0.5)];
    let mut rope = strand("rope", [0.45, 0.29, 0.13], &ends, &Sweep::round(DVec3::Z, 0.06));
    rope.torn = [true; 2];
    let strands = [rope];
    let camera = Camera {
        eye: DVec3::new(0.5, -4.0, 2.0),
        target: DVec3::new(0.5, 0.0, 0.4),
        up: DVec3::Z,
        lens: Lens::Orthographic { height: 1.1 },
    };
    let stage = Stage::day(&bounds_of(&strands));
    let moments = [Moment::new(&strands, camera)];
    let view = View { moments: &moments, stage: &stage, size: size(), quality: Quality::PREVIEW };
    let compared = compare("torn", &view);
    assert!(within(MOST, compared.as_ref()), "{compared:?}");
}

#[test]
fn moments_blur_alike() {
    let at = |x: f64| {
        let ends = [DVec3::new(x, -1.0, 0.5), DVec3::new(x, 1.0, 0.7)];
        [strand("cord", [0.5, 0.06, 0.04], &ends, &Sweep::round(DVec3::Z, 0.15))]
    };
    let strands: Vec<_> = (0..6).map(|k| at(0.1 * f64::from(k))).collect();
    let bounds = bounds_of(strands.iter().flatten());
    let camera = Camera::framing(&bounds, DVec3::new(-0.3, 1.0, -0.5), size().aspect());
    let moments: Vec<_> = strands.iter().map(|strands| Moment::new(strands, camera)).collect();
    let stage = Stage::day(&bounds);
    let view = View { moments: &moments, stage: &stage, size: size(), quality: Quality::PREVIEW };
    let compared = compare("blur", &view);
    assert!(within(MOST, compared.as_ref()), "{compared:?}");
}

/// A rope while the shutter is open: whole at first, then in two pieces that fly apart.
#[test]
fn a_tear_within_a_shutter_blurs_alike() {
    let whole = RopePiece::whole(2.0, 0.1);
    let piece = |from: f64, to: f64, off: f64| {
        let point = |u: f64| DVec3::new(2.0 * u - 1.0 + off, 0.0, 0.6 - off.abs());
        let points: Vec<DVec3> =
            (0..=8).map(|i| point(from + (to - from) * f64::from(i) / 8.0)).collect();
        let mut strand = strand("rope", [0.45, 0.29, 0.13], &points, &Sweep::round(DVec3::Z, 0.1));
        strand.piece = Some(whole.part(from, to));
        strand.torn = [from > 0.0, to < 1.0];
        strand
    };
    let at = |k: u32| match k {
        0..3 => vec![piece(0.0, 1.0, 0.0)],
        _ => {
            let off = 0.05 * f64::from(k - 2);
            vec![piece(0.0, 0.5, -off), piece(0.5, 1.0, off)]
        }
    };
    let strands: Vec<_> = (0..6).map(at).collect();
    let bounds = bounds_of(strands.iter().flatten());
    let camera = Camera::framing(&bounds, DVec3::new(-0.3, 1.0, -0.5), size().aspect());
    let moments: Vec<_> = strands.iter().map(|strands| Moment::new(strands, camera)).collect();
    let stage = Stage::day(&bounds);
    let view = View { moments: &moments, stage: &stage, size: size(), quality: Quality::PREVIEW };
    let compared = compare("torn-blur", &view);
    assert!(within(MOST, compared.as_ref()), "{compared:?}");
}

#[test]
fn the_same_picture_has_the_same_bytes_on_one_card() {
    let Some(mut card) = card() else { return };
    let strands = lights();
    let stage = Stage::dusk(&bounds_of(&strands));
    let moments = [Moment::new(&strands, camera(&strands, size()))];
    let view = View { moments: &moments, stage: &stage, size: size(), quality: Quality::DRAFT };
    let first = card.draw(&view).unwrap();
    // Another size and another scene in between have no effect.
    let ropes = rope_and_spring();
    let other = Size::new(123, 45).unwrap();
    let others = [Moment::new(&ropes, camera(&ropes, other))];
    let between = View { moments: &others, size: other, ..view.clone() };
    assert_eq!(card.draw(&between).unwrap().size(), other);
    assert!(card.draw(&view).unwrap() == first);
}

#[test]
fn invalid_views_are_reported() {
    let Some(mut card) = card() else { return };
    let stage = Stage::day(&bounds_of([]));
    let camera = Camera::framing(&bounds_of([]), DVec3::Y, 1.0);
    let quality = Quality::DRAFT;
    let size = Size::new(100_000, 1).unwrap();
    let view = View { moments: &[Moment::new([], camera)], stage: &stage, size, quality };
    let error = card.draw(&view).unwrap_err();
    assert!(matches!(error, RenderError::TooLargeForGpu { width: 100_000, .. }), "{error}");
    let error = card.draw(&View { moments: &[], ..view.clone() }).unwrap_err();
    assert!(matches!(error, RenderError::NoMoment), "{error}");
    // The renderer still works after errors.
    let size = Size::new(8, 8).unwrap();
    assert_eq!(card.draw(&View { size, ..view }).unwrap().size(), size);
}

#[test]
fn a_hundred_moments_add_up_to_a_whole_picture() {
    let Some(mut card) = card() else { return };
    let strands = rope_and_spring();
    let stage = Stage::day(&bounds_of(&strands));
    let size = Size::new(60, 40).unwrap();
    let moments: Vec<_> = (0..100).map(|_| Moment::new(&strands, camera(&strands, size))).collect();
    let view = View { moments: &moments, stage: &stage, size, quality: Quality::DRAFT };
    let many = card.draw(&view).unwrap();
    assert!(many.is_opaque(), "the sum of the passes is not opaque");
    // The centre of the ground is as bright as in a single pass.
    let one = card.draw(&View { moments: &moments[..1], ..view }).unwrap();
    let corner = |picture: &Picture| picture.at(2, 38);
    assert!(corner(&many)[0].abs_diff(corner(&one)[0]) <= 1, "{:?}", corner(&many));
}

#[test]
fn a_strand_that_ends_in_a_point_leaves_no_hole() {
    let Some(mut card) = card() else { return };
    let points: Vec<DVec3> = (0..9).map(|i| DVec3::new(f64::from(i) * 0.1, 0.0, 0.4)).collect();
    let mut tail = strand("plain", [0.4; 3], &points, &Sweep::round(DVec3::Z, 1.0));
    let radius: Vec<f64> = (0..9).map(|i| 0.1 * f64::from(8 - i) / 8.0).collect();
    tail.set_radius(&radius);
    let strands = [tail];
    let stage = Stage::day(&bounds_of(&strands));
    let moments = [Moment::new(&strands, camera(&strands, size()))];
    let view = View { moments: &moments, stage: &stage, size: size(), quality: Quality::PREVIEW };
    assert!(card.draw(&view).unwrap().is_opaque());
    drop(card);
    let compared = compare("tail", &view);
    assert!(within(MOST, compared.as_ref()), "{compared:?}");
}

#[test]
fn an_empty_stage_looks_the_same() {
    let stage = Stage::day(&bounds_of([]));
    let camera = Camera {
        eye: DVec3::new(0.0, -3.0, 1.5),
        target: DVec3::ZERO,
        up: DVec3::Z,
        lens: Lens::Perspective { angle: 0.7 },
    };
    let moments = [Moment::new([], camera)];
    let view = View { moments: &moments, stage: &stage, size: size(), quality: Quality::PREVIEW };
    let compared = compare("empty", &view);
    assert!(within(MOST, compared.as_ref()), "{compared:?}");
}
