//! Small pictures compared, byte for byte, with reviewed copies under `tests/golden`.
//!
//! On failure, the new picture and the difference, amplified eight times, are written to the target
//! folder. `UPDATE_GOLDEN=1` replaces the copies; review them.

use std::{
    fs::{self, File},
    io::{BufReader, BufWriter},
    path::{Path, PathBuf},
};

use glam::DVec3;
use lariat_core::geometry::Strand;
use lariat_render::{
    Appearance, CpuRenderer, DrawnStrand, Framing, Moment, Picture, Renderer, Size, Stage, View,
    bounds_of,
    overlay::{AFTER, BEFORE, Canvas, Legend, Mark, Step, axes, colour_of, marks, trail},
};

use crate::scenes::{QUALITY, draw, hung, lights, rope_and_spring, torn};

#[test]
fn ropes_by_day() {
    assert_eq!(difference("ropes-by-day", &picture(&rope_and_spring())), None);
}

#[test]
fn lights_at_dusk() {
    assert_eq!(difference("lights-at-dusk", &picture(&lights())), None);
}

#[test]
fn torn_ends() {
    assert_eq!(difference("torn-ends", &picture(&torn())), None);
}

/// A map, ghosts on both sides, handles, axes, a trail and a legend.
#[test]
fn overlays() {
    let ropes: Vec<Strand> = [0.0, -0.25, 0.25].map(|y| hung(y, 1.5)).into();
    let (low, high) = (ropes[0].tensions().unwrap(), ropes[0].tensions().unwrap());
    let legend = Legend {
        title: "tension".into(),
        unit: "m".into(),
        low: low.fold(f64::INFINITY, f64::min),
        high: high.fold(0.0, f64::max),
    };
    let map: Vec<[f32; 3]> =
        ropes[0].tensions().unwrap().map(|t| colour_of(legend.place(t))).collect();
    let ghost = |tint| Appearance::Ghost { tint, opacity: 0.7 };
    let strands = vec![
        DrawnStrand { strand: &ropes[0], appearance: Appearance::Map(&map) },
        DrawnStrand { strand: &ropes[1], appearance: ghost(BEFORE) },
        DrawnStrand { strand: &ropes[2], appearance: ghost(AFTER) },
    ];
    let size = Size::new(320, 240).unwrap();
    let mut framing = Framing::new(DVec3::new(-0.3, 1.0, -0.5), size.aspect());
    framing.include_strands(&ropes);
    let camera = framing.camera();
    let stage = Stage::day(&bounds_of(&ropes));
    let view = View {
        moments: &[Moment { strands, meshes: Vec::new(), camera }],
        stage: &stage,
        size,
        quality: QUALITY,
    };
    let mut picture = CpuRenderer::new().draw(&view).unwrap();
    let projection = camera.projection(size).unwrap();
    let canvas = &mut Canvas::new(&mut picture);
    let lowest = |rope: &Strand| rope.points()[24];
    let steps: Vec<Step> = [(&ropes[1], -1.0), (&ropes[0], 0.0), (&ropes[2], 1.0)]
        .map(|(rope, age)| Step { age, at: lowest(rope), frame: true })
        .into();
    trail(canvas, &projection, &steps);
    axes(canvas, &projection, &ropes[0]);
    let points = ropes[0].points();
    marks(canvas, &projection, &[(points[0], Mark::Square), (points[48], Mark::Disc)], true);
    legend.paint(canvas);
    assert_eq!(difference("overlays", &picture), None);
}

fn picture(strands: &[Strand]) -> Picture {
    let stage = Stage::for_strands(strands, &bounds_of(strands));
    draw(strands, &stage, DVec3::new(-0.3, 1.0, -0.5), (160, 120), QUALITY)
}

/// Difference between a picture and its golden copy, if any.
fn difference(name: &str, found: &Picture) -> Option<String> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.png"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        save(found, &golden);
    }
    let expected = load(&golden);
    if expected == *found {
        return None;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("golden");
    fs::create_dir_all(&folder).unwrap();
    let path = |what: &str| folder.join(format!("{name}-{what}.png"));
    save(found, &path("found"));
    save(&expected, &path("expected"));
    let mut different = 0;
    let mut most = 0;
    if expected.size() == found.size() {
        let mut difference = found.clone();
        for (d, e) in difference.pixels_mut().iter_mut().zip(expected.pixels()) {
            let far = [0, 1, 2].map(|c| d[c].abs_diff(e[c]));
            different += u32::from(*d != *e);
            most = most.max(far.into_iter().max().unwrap_or(0));
            *d =
                [far[0].saturating_mul(8), far[1].saturating_mul(8), far[2].saturating_mul(8), 255];
        }
        save(&difference, &path("difference"));
    }
    Some(format!(
        "`{name}` differs from its golden picture in {different} pixels, by {most} at most; \
         see {}; to accept it, run again with UPDATE_GOLDEN=1",
        folder.display()
    ))
}

pub(crate) fn save(picture: &Picture, path: &Path) {
    picture.encode_png(&mut BufWriter::new(File::create(path).unwrap())).unwrap();
}

fn load(path: &Path) -> Picture {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb, "golden pictures are opaque");
    let mut picture = Picture::new(Size::new(info.width, info.height).unwrap(), [0; 4]);
    for (pixel, rgb) in picture.pixels_mut().iter_mut().zip(bytes.chunks_exact(3)) {
        *pixel = [rgb[0], rgb[1], rgb[2], 255];
    }
    picture
}
