//! Small pictures compared, byte for byte, with reviewed copies under `tests/golden`.
//!
//! On failure the new picture and the difference, eight times as strong, are written to the target
//! folder and named. `UPDATE_GOLDEN=1` puts new pictures in place of the copies: look at them.

use std::{
    fs::{self, File},
    io::{BufReader, BufWriter},
    path::{Path, PathBuf},
};

use glam::DVec3;
use lariat_core::geometry::Strand;
use lariat_render::{Picture, Size, Stage, bounds_of};

use crate::scenes::{QUALITY, draw, lights, rope_and_spring};

#[test]
fn ropes_by_day() {
    assert_eq!(difference("ropes-by-day", &picture(&rope_and_spring())), None);
}

#[test]
fn lights_at_dusk() {
    assert_eq!(difference("lights-at-dusk", &picture(&lights())), None);
}

fn picture(strands: &[Strand]) -> Picture {
    let stage = Stage::for_strands(strands, &bounds_of(strands));
    draw(strands, &stage, DVec3::new(-0.3, 1.0, -0.5), (160, 120), QUALITY)
}

/// How a picture differs from its golden copy, if it does.
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
         look at {}; if it is better, run again with UPDATE_GOLDEN=1",
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
