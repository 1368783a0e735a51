//! Small films with difficult content for movie formats.

use std::io::Cursor;

use lariat_render::{
    Picture, Size,
    movie::{Format, Movie, MovieSettings},
};

/// Colours that reveal a wrong matrix or range: primaries, their mixtures, greys, rope.
pub(crate) const PATCHES: [[u8; 3]; 12] = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [0, 255, 255],
    [255, 0, 255],
    [255, 255, 0],
    [0, 0, 0],
    [128, 128, 128],
    [255, 255, 255],
    [181, 144, 96],
    [40, 60, 90],
    [235, 235, 235],
];

/// Side of a patch, in pixels; they lie side by side.
pub(crate) const SIDE: u32 = 32;

pub(crate) fn size(width: u32, height: u32) -> Size {
    Size::new(width, height).unwrap()
}

pub(crate) fn patches() -> Picture {
    draw(size(SIDE * PATCHES.len() as u32, SIDE), |x, _| {
        let [r, g, b] = PATCHES[(x / SIDE) as usize];
        [r, g, b, 255]
    })
}

/// A picture, pixel by pixel.
pub(crate) fn draw(size: Size, colour: impl Fn(u32, u32) -> [u8; 4]) -> Picture {
    let mut picture = Picture::new(size, [0; 4]);
    for (k, pixel) in picture.pixels_mut().iter_mut().enumerate() {
        *pixel = colour(k as u32 % size.width(), k as u32 / size.width());
    }
    picture
}

/// Smooth shading with more colours than a palette has, and a red line that moves to the right.
pub(crate) fn line(size: Size, frame: u32) -> Picture {
    draw(size, |x, y| match x == 3 * frame + 4 {
        true => [200, 30, 20, 255],
        false => [60 + (x % 160) as u8, 90 + (y % 150) as u8, 150, 255],
    })
}

/// A disc of `alpha` that moves over a transparent background.
pub(crate) fn disc(size: Size, frame: u32, alpha: u8) -> Picture {
    draw(size, |x, y| {
        let (dx, dy) = (f64::from(x) - f64::from(12 + 3 * frame), f64::from(y) - 16.0);
        if dx * dx + dy * dy < 64.0 { [220, 120, 20, alpha] } else { [0; 4] }
    })
}

pub(crate) fn settings(picture: &Picture, rate: &str, frames: usize) -> MovieSettings {
    MovieSettings {
        size: picture.size(),
        rate: rate.parse().unwrap(),
        frames: frames as u32,
        backdrop: [10, 20, 30],
    }
}

pub(crate) fn film(pictures: &[Picture], rate: &str, format: Format) -> Vec<u8> {
    let settings = settings(&pictures[0], rate, pictures.len());
    let mut movie = Movie::new(Cursor::new(Vec::new()), format, settings).unwrap();
    for picture in pictures {
        movie.add(picture).unwrap();
    }
    assert_eq!(movie.added() as usize, pictures.len());
    movie.finish().unwrap().into_inner()
}

/// The largest difference of two colours in any channel.
pub(crate) fn off(a: &[u8], b: &[u8]) -> u8 {
    a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap()
}
