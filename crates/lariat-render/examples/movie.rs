//! Writes a synthetic movie, a bright line that swings in front of a gradient, in every format, and
//! prints the time and the file size:
//! `cargo run --release -p lariat-render --example movie -- [FOLDER] [WIDTH HEIGHT FRAMES]`.

use std::{
    error::Error,
    fs::File,
    io::BufWriter,
    path::PathBuf,
    time::{Duration, Instant},
};

use lariat_core::{motion::FrameRate, num::ops};
use lariat_render::{
    Picture, Size,
    movie::{Coding, Format, Movie, MovieSettings},
};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let folder = PathBuf::from(words.first().map_or(".", String::as_str));
    let number = |i: usize, usual: u32| words.get(i).map_or(Ok(usual), |word| word.parse());
    let size = Size::new(number(1, 1280)?, number(2, 720)?)?;
    let settings = MovieSettings {
        size,
        rate: FrameRate::new(30, 1)?,
        frames: number(3, 120)?,
        backdrop: [0; 3],
    };
    for (name, format) in [
        ("line.mp4", Format::MP4),
        ("line.gif", Format::GIF),
        ("line-dithered.gif", Format::Gif { dither: true, transparent: false }),
        ("line.webp", Format::WEBP),
        ("line-lossless.webp", Format::Webp(Coding::Lossless)),
    ] {
        let path = folder.join(name);
        let mut movie = Movie::new(BufWriter::new(File::create(&path)?), format, settings)?;
        let mut spent = Duration::ZERO;
        for frame in 0..settings.frames {
            let picture = line(size, f64::from(frame) / 30.0);
            let begin = Instant::now();
            movie.add(&picture)?;
            spent += begin.elapsed();
        }
        let begin = Instant::now();
        let file = movie.finish()?.into_inner()?;
        spent += begin.elapsed();
        let bytes = file.metadata()?.len();
        println!("{name:20} {:7.2} s {bytes:9} bytes", spent.as_secs_f64());
    }
    Ok(())
}

/// A gradient, and a line three pixels wide that hangs from the centre and swings.
fn line(size: Size, t: f64) -> Picture {
    let mut picture = Picture::new(size, [0; 4]);
    let (width, height) = (f64::from(size.width()), f64::from(size.height()));
    let swing = 0.15 * ops::sin_turns(0.5 * t);
    let (sin, cos) = (ops::sin_turns(swing), ops::cos_turns(swing));
    for (k, pixel) in picture.pixels_mut().iter_mut().enumerate() {
        let x = (k % size.width() as usize) as f64 + 0.5 - width / 2.0;
        let y = (k / size.width() as usize) as f64 + 0.5;
        let sky = [90.0 + 80.0 * y / height, 120.0 + 70.0 * y / height, 170.0 + 30.0 * y / height];
        // Distances along the line and from it.
        let (along, away) = (y * cos + x * sin, (x * cos - y * sin).abs());
        let laid = 12.0 * ops::sin_turns(along / 9.0 + away / 12.0);
        let cover = (2.0 - away).clamp(0.0, 1.0) * f64::from(u8::from(along < 0.8 * height));
        let rope = [200.0 + laid, 150.0 + laid, 70.0 + laid];
        let mix = |i: usize| (sky[i] + cover * (rope[i] - sky[i])).round() as u8;
        *pixel = [mix(0), mix(1), mix(2), 255];
    }
    picture
}
