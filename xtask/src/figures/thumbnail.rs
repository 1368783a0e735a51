//! Small pictures of scenes and recipes for the studio's welcome page: `museum/thumbnails/NAME.png`.
//!
//! The thumbnail of a scene is made from its picture in the documentation: the middle frame of a
//! contact sheet, the middle of a wide picture, all of a plot. The thumbnail of a recipe, which has
//! only a moving picture, is drawn. All are made in a few seconds, so the check always covers all.
//!
//! Tests: `a_frame_of_a_sheet_is_found`, `a_thumbnail_keeps_its_colours`,
//! `a_picture_of_another_shape_is_extended_by_its_edge`, `every_recipe_has_a_frame`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use super::{
    Outcome, compare,
    manifest::{FIGURES, FOLDER, Figure, QUALITY},
    read, update,
};
use crate::shell;

/// Folder of the thumbnails.
const THUMBNAILS: &str = "museum/thumbnails";

/// Width and height in pixels; `lariat_museum::THUMBNAIL_SIZE` is the same.
const SIZE: [usize; 2] = [208, 117];

/// Colours of a palette. With more, the files grow; with fewer, grounds show bands.
const COLOURS: usize = 128;

/// Largest share of a wide picture's width, and of a high picture's height, that is cut off to fill
/// the thumbnail; what is still missing is filled with the colours of the edge. Larger: heads and
/// posts are cut. Smaller: wide pictures become thin bands.
const CUT: [f64; 2] = [0.4, 0.15];

/// Names of the recipes and the frame that shows each best.
const RECIPES: &[(&str, &str)] = &[
    ("party-lights", "30"),
    ("dog-tail", "20"),
    ("telephone-cord", "24"),
    ("rope-snaps", "22"),
    ("hanging-sign", "30"),
    ("rope-bridge", "48"),
    ("looping-spring", "12"),
    ("lasso", "12"),
    ("jump-rope", "12"),
    ("ship-rigging-roll", "24"),
    ("jiggling-belly", "12"),
    ("learned-motion", "24"),
];

/// A picture with three bytes a pixel.
struct Picture {
    size: [usize; 2],
    bytes: Vec<u8>,
}

/// A part of a picture, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Area {
    corner: [f64; 2],
    size: [f64; 2],
}

/// Makes the thumbnails whose name contains one of the words, or all, and compares or replaces the
/// kept ones. Returns the names of those that differ.
pub(super) fn run(lariat: &Path, words: &[String], check: bool) -> Result<Vec<String>, String> {
    let bare = |word: &'_ String| word.trim_start_matches("recipes/").to_owned();
    let words: Vec<String> = words.iter().map(bare).collect();
    let chosen = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word));
    let (kept, scratch) = (shell::root().join(THUMBNAILS), shell::target().join("figures"));
    for folder in [&kept, &scratch.join("thumbnails")] {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let mut made: Vec<(&str, Vec<u8>)> = Vec::new();
    for figure in FIGURES.iter().filter(|row| row.game.is_none() && chosen(row.scene)) {
        let file = shell::root().join(FOLDER).join(format!("{}.png", figure.scene));
        let picture = Picture::read(&read(&file)?)?;
        let area = picture.area_of(figure);
        made.push((figure.scene, picture.thumbnail(area, figure.plot.is_some()).png()?));
    }
    for (name, frame) in RECIPES.iter().filter(|(name, _)| chosen(name)) {
        let drawn = scratch.join(format!("{name}.png"));
        draw_recipe(lariat, name, frame, &drawn)?;
        let picture = Picture::read(&read(&drawn)?)?;
        made.push((name, picture.thumbnail(picture.all(), false).png()?));
    }
    let mut differing = Vec::new();
    let total = made.len();
    for (name, bytes) in made {
        let file = format!("{name}.png");
        let fresh = scratch.join("thumbnails").join(&file);
        fs::write(&fresh, bytes).map_err(|error| format!("{}: {error}", fresh.display()))?;
        let kept = kept.join(&file);
        let outcome = if check { compare(&fresh, &kept) } else { update(&fresh, &kept) }?;
        if outcome == Outcome::Differs {
            differing.push(name.to_owned());
        }
    }
    println!("{THUMBNAILS}: {total} made, {} differ", differing.len());
    Ok(differing)
}

fn draw_recipe(lariat: &Path, name: &str, frame: &str, to: &Path) -> Result<(), String> {
    let mut command = std::process::Command::new(lariat);
    command.args(["--quiet", "render"]).arg(format!("museum:{name}"));
    command.arg("--output").arg(to).args(["--force", "--frames", frame, "--size", "480x270"]);
    shell::run(command.args(["--renderer", "cpu", "--quality", QUALITY]))
}

impl Picture {
    fn read(png: &[u8]) -> Result<Self, String> {
        let mut reader = png::Decoder::new(std::io::Cursor::new(png))
            .read_info()
            .map_err(|error| error.to_string())?;
        let mut bytes = vec![0; reader.output_buffer_size().unwrap_or_default()];
        let info = reader.next_frame(&mut bytes).map_err(|error| error.to_string())?;
        if info.color_type != png::ColorType::Rgb || info.bit_depth != png::BitDepth::Eight {
            return Err(format!("expected three bytes a pixel, not {:?}", info.color_type));
        }
        Ok(Self { size: [info.width as usize, info.height as usize], bytes })
    }

    fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        let at = 3 * (y * self.size[0] + x);
        [self.bytes[at], self.bytes[at + 1], self.bytes[at + 2]]
    }

    fn all(&self) -> Area {
        Area { corner: [0.0; 2], size: self.size.map(|side| side as f64) }
    }

    /// The middle frame of a contact sheet, or all of another picture.
    fn area_of(&self, figure: &Figure) -> Area {
        if !figure.is_sheet() {
            return self.all();
        }
        let sides: Vec<usize> = figure.size.split('x').flat_map(str::parse).collect();
        let [width, height] = sides[..] else { return self.all() };
        let count = figure.frames.split(',').count();
        // Equal spaces between and around the frames, and a caption below each.
        let columns = (self.size[0] / width).max(1);
        let space = self.size[0].saturating_sub(columns * width) / (columns + 1);
        let pitch = (self.size[1] - space) / count.div_ceil(columns);
        let (row, column) = (count / 2 / columns, count / 2 % columns);
        let corner = [space + column * (width + space), space + row * pitch];
        Area {
            corner: corner.map(|side| side as f64),
            size: [width, height].map(|side| side as f64),
        }
    }

    /// A part of the picture in the size of a thumbnail: mean colours of its pixels.
    fn thumbnail(&self, area: Area, is_whole: bool) -> Self {
        let wanted = SIZE.map(|side| side as f64);
        let scale = [0, 1].map(|axis| area.size[axis] / wanted[axis]);
        // Pixels of the picture for one of the thumbnail: between filling it and showing everything.
        let (fills, whole) = (scale[0].min(scale[1]), scale[0].max(scale[1]));
        let cut = if scale[0] > scale[1] { CUT[0] } else { CUT[1] };
        let step = if is_whole { whole } else { fills.max(whole * (1.0 - cut)) };
        let mut bytes = Vec::with_capacity(3 * SIZE[0] * SIZE[1]);
        for y in 0..SIZE[1] {
            for x in 0..SIZE[0] {
                let [columns, rows] = [(0, x), (1, y)].map(|(axis, at)| {
                    let (first, size) = (area.corner[axis], area.size[axis]);
                    let start = first + 0.5 * (size - wanted[axis] * step) + at as f64 * step;
                    let inside = |place: f64| place.clamp(first, first + size - 1.0) as usize;
                    inside(start)..=inside(start + step - 1.0).max(inside(start))
                });
                bytes.extend(self.mean(columns, rows));
            }
        }
        Self { size: SIZE, bytes }
    }

    fn mean(
        &self,
        columns: std::ops::RangeInclusive<usize>,
        rows: std::ops::RangeInclusive<usize>,
    ) -> [u8; 3] {
        let (mut sum, mut count) = ([0_usize; 3], 0);
        for y in rows {
            for x in columns.clone() {
                for (sum, byte) in sum.iter_mut().zip(self.pixel(x, y)) {
                    *sum += usize::from(byte);
                }
                count += 1;
            }
        }
        sum.map(|sum| ((sum + count / 2) / count) as u8)
    }

    /// The picture as a file with a palette.
    fn png(&self) -> Result<Vec<u8>, String> {
        let pixels: &[[u8; 3]] = self.bytes.as_chunks().0;
        let boxes = boxes(pixels);
        let palette: Vec<u8> = boxes.iter().flat_map(|colours| mean_of(colours)).collect();
        let mut index = BTreeMap::new();
        for (k, colours) in boxes.iter().enumerate() {
            index.extend(colours.iter().map(|colour| (*colour, k as u8)));
        }
        let indices: Vec<u8> = pixels.iter().map(|pixel| index[pixel]).collect();
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.size[0] as u32, self.size[1] as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(palette);
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::NoFilter);
        let mut writer = encoder.write_header().map_err(|error| error.to_string())?;
        writer.write_image_data(&indices).map_err(|error| error.to_string())?;
        writer.finish().map_err(|error| error.to_string())?;
        Ok(file)
    }
}

/// The distinct colours of a picture in as many groups as the palette has colours: the group that
/// matters most is halved again and again. Every colour counts once, so the thin red rope before a large grey
/// ground stays red.
fn boxes(pixels: &[[u8; 3]]) -> Vec<Vec<[u8; 3]>> {
    let distinct: BTreeSet<[u8; 3]> = pixels.iter().copied().collect();
    let mut boxes = vec![distinct.into_iter().collect::<Vec<_>>()];
    while boxes.len() < COLOURS {
        let extents = boxes.iter().enumerate().map(|(k, colours)| (widest(colours), k));
        let Some(((1.., channel, middle), k)) = extents.max() else { break };
        let (upper, lower) =
            boxes[k].iter().partition(|colour: &&[u8; 3]| colour[channel] > middle);
        boxes[k] = lower;
        boxes.push(upper);
    }
    boxes
}

/// Importance of a group: the squared extent of its widest channel for each colour. Then that
/// channel, and the middle of the extent.
fn widest(colours: &[[u8; 3]]) -> (usize, usize, u8) {
    let extent = |channel: usize| {
        let values = || colours.iter().map(|colour| colour[channel]);
        let (low, high) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
        let extent = usize::from(high - low);
        (extent * extent * colours.len(), channel, low + (high - low) / 2)
    };
    (0..3).map(extent).max().unwrap_or((0, 0, 0))
}

fn mean_of(colours: &[[u8; 3]]) -> [u8; 3] {
    let sum = |channel: usize| colours.iter().map(|colour| usize::from(colour[channel])).sum();
    [0, 1, 2].map(|channel| {
        let sum: usize = sum(channel);
        (sum / colours.len().max(1)) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::super::movies::MOVING;
    use super::*;

    fn striped(size: [usize; 2], colour: impl Fn(usize, usize) -> [u8; 3]) -> Picture {
        let places = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y)));
        Picture { size, bytes: places.flat_map(|(x, y)| colour(x, y)).collect() }
    }

    #[test]
    fn a_frame_of_a_sheet_is_found() {
        // Nine frames of 360 by 260 in three columns.
        let figure = FIGURES.iter().find(|row| row.scene == "rung-10-bridge").expect("a row");
        let sheet = striped([1120, 886], |_, _| [0; 3]);
        let area = sheet.area_of(figure);
        assert_eq!(area, Area { corner: [380.0, 302.0], size: [360.0, 260.0] });
    }

    #[test]
    fn a_thumbnail_keeps_its_colours() {
        // A red line of two pixels before a ground of many greys.
        let picture = striped([416, 234], |x, y| match x {
            100 | 101 => [200, 30, 20],
            _ => [(40 + y * 3 / 4) as u8; 3],
        });
        let thumbnail = picture.thumbnail(picture.all(), false);
        assert_eq!(thumbnail.size, SIZE);
        assert_eq!(thumbnail.pixel(50, 60), [200, 30, 20]);
        let file = thumbnail.png().expect("it can be written");
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().expect("it can be read");
        let mut bytes = vec![0; reader.output_buffer_size().expect("it is small")];
        reader.next_frame(&mut bytes).expect("it can be read");
        let read = Picture { size: SIZE, bytes };
        let worst = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).map(|(a, b)| a.abs_diff(b)).max();
        assert!(worst(read.pixel(50, 60), [200, 30, 20]) <= Some(8), "{:?}", read.pixel(50, 60));
        let (ground, exact) = (read.pixel(10, 60), thumbnail.pixel(10, 60));
        assert!(worst(ground, exact) <= Some(8), "{ground:?}, {exact:?}");
    }

    #[test]
    fn a_picture_of_another_shape_is_extended_by_its_edge() {
        let wide = striped([1200, 280], |x, y| [(x / 5) as u8, if y == 0 { 250 } else { 10 }, 0]);
        let whole = wide.thumbnail(wide.all(), true);
        assert!(whole.pixel(0, 60)[0] < 3 && whole.pixel(207, 60)[0] > 236);
        assert_eq!(whole.pixel(100, 0)[1], 250, "the edge goes on");
        let cut = wide.thumbnail(wide.all(), false);
        assert!((40..60).contains(&cut.pixel(0, 60)[0]), "{:?}", cut.pixel(0, 60));
    }

    #[test]
    fn every_recipe_has_a_frame() {
        let moving = MOVING.iter().filter_map(|row| row.file.strip_prefix("recipes/"));
        assert!(moving.eq(RECIPES.iter().map(|(name, _)| *name)));
    }
}
