//! Writes pictures into a movie file, one at a time.
//!
//! [`MovieSettings`] give the size, the frame rate and the largest number of pictures. A [`Movie`]
//! takes pictures one at a time and keeps only the last. Once for every second of film the file is
//! completed, so that it plays up to that point even if the disk fills up or the machine stops
//! later.
//!
//! ```text
//! error.rs    errors, with the numbers
//! clock.rs    frame durations in whole ticks, without drift
//! region.rs   rectangle that differs from the previous picture
//! yuv.rs      conversion from RGB to YUV
//! boxes.rs    the boxes of an .mp4 file
//! mp4.rs      H.264 video: small, plays in browsers
//! palette.rs  palettes of at most 256 colours
//! gif.rs      animated GIF: plays wherever pictures do
//! webp.rs     animated WebP: true colours and transparency, in browsers
//! ```
//!
//! Writing needs [`Seek`]: the head of the file holds lengths and offsets that are known only at
//! the end. Memory does not grow with the movie, except for 4 to 8 bytes per frame in an `.mp4`
//! (its table of sizes).
//!
//! ```
//! use std::io::Cursor;
//!
//! use lariat_core::motion::FrameRate;
//! use lariat_render::{Picture, Size, movie::{Format, Movie, MovieSettings}};
//!
//! let size = Size::new(64, 36)?;
//! let settings = MovieSettings { size, rate: FrameRate::FILM, frames: 3, backdrop: [0, 0, 0] };
//! let mut movie = Movie::new(Cursor::new(Vec::new()), Format::MP4, settings)?;
//! for grey in [40, 80, 120] {
//!     movie.add(&Picture::new(size, [grey, grey, grey, 255]))?;
//! }
//! let file = movie.finish()?.into_inner();
//! assert_eq!(&file[4..8], b"ftyp");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Out of scope: numbered pictures (each is a [`Picture`]), sound, reading movies.

mod boxes;
mod clock;
mod error;
mod gif;
mod mp4;
mod palette;
mod region;
#[cfg(feature = "webp")]
mod webp;
mod yuv;

use std::io::{Seek, Write};

use lariat_core::motion::FrameRate;

pub use error::MovieError;

use crate::{Picture, Size};

/// Settings of a movie: size, frame rate, number of pictures, backdrop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovieSettings {
    /// Size of every picture.
    pub size: Size,
    /// Constant frame rate.
    pub rate: FrameRate,
    /// Largest number of pictures; fewer may be added.
    pub frames: u32,
    /// Colour behind transparent pictures in formats without transparency; sRGB.
    pub backdrop: [u8; 3],
}

/// Movie format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    /// H.264 video in an `.mp4`. Odd sides get one more row or column, a copy of the last.
    Mp4 {
        /// Quantisation of the video: H.264's QP, 12 (finest) to 51. Adding 6 saves about a third
        /// of the bytes.
        step: u8,
    },
    /// An animated `.gif`: at most 255 colours change in a frame, and a pixel is either opaque or
    /// transparent.
    Gif {
        /// Ordered dithering: smoother shading, larger files.
        dither: bool,
        /// Makes pixels of alpha below one half transparent instead of blending them over the
        /// backdrop.
        transparent: bool,
    },
    /// An animated `.webp`, transparent where the pictures are.
    Webp(Coding),
}

/// Compression of an animated `.webp`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coding {
    /// Every visible pixel as it was drawn.
    Lossless,
    /// Smaller files; 0 is worst, 100 best.
    Lossy {
        /// Quality, 0–100.
        quality: f32,
    },
}

impl Format {
    /// Video that preserves thin ropes; a step of 24 would save a quarter of its bytes.
    pub const MP4: Self = Self::Mp4 { step: 20 };
    /// Plain colours, no transparency.
    pub const GIF: Self = Self::Gif { dither: false, transparent: false };
    /// Lossy, at a high quality.
    pub const WEBP: Self = Self::Webp(Coding::Lossy { quality: 85.0 });

    /// Name in messages: the usual file extension.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mp4 { .. } => "mp4",
            Self::Gif { .. } => "gif",
            Self::Webp(_) => "webp",
        }
    }

    /// Whether transparent pictures stay transparent.
    pub fn is_transparent(self) -> bool {
        matches!(self, Self::Gif { transparent: true, .. } | Self::Webp(_))
    }

    /// Largest length of the longer and of the shorter side, and the smallest of both, in pixels.
    fn sides(self) -> Sides {
        match self {
            // Limits of the encoder.
            Self::Mp4 { .. } => Sides { least: 16, longer: 3840, shorter: 2160 },
            // Sixteen bits per side.
            Self::Gif { .. } => Sides { least: 1, longer: 65_535, shorter: 65_535 },
            // Fourteen bits per side.
            Self::Webp(_) => Sides { least: 1, longer: 16_383, shorter: 16_383 },
        }
    }

    /// Lowest and highest frame rate that the format and players support. Browsers play a frame of
    /// a `.gif` of 1/100 s or less, or one of a `.webp` of 10 ms or less, as if it lasted 1/10 s,
    /// so frames must be longer.
    fn rates(self) -> (f64, f64) {
        match self {
            Self::Mp4 { .. } => (0.1, 240.0),
            Self::Gif { .. } => (0.1, 50.0),
            Self::Webp(_) => (0.1, 90.0),
        }
    }

    /// Checks that the format supports these settings. Call it before drawing the first picture.
    pub fn check(self, settings: &MovieSettings) -> Result<(), MovieError> {
        let format = self.name();
        if !cfg!(feature = "webp") && matches!(self, Self::Webp(_)) {
            return Err(MovieError::NotBuilt { format });
        }
        let (width, height) = (settings.size.width(), settings.size.height());
        let sides = self.sides();
        if width.min(height) < sides.least {
            return Err(MovieError::TooSmall { format, width, height, least: sides.least });
        }
        // Odd sides are rounded up where only even ones are possible; the limits are even.
        if width.max(height) > sides.longer || width.min(height) > sides.shorter {
            let Sides { longer, shorter, .. } = sides;
            return Err(MovieError::TooLarge { format, width, height, longer, shorter });
        }
        let (least, most) = self.rates();
        let fps = settings.rate.per_second();
        if !(least..=most).contains(&fps) {
            return Err(MovieError::Rate { format, rate: settings.rate, least, most });
        }
        match self {
            Self::Mp4 { step } if !(12..=51).contains(&step) => Err(MovieError::Step { step }),
            Self::Webp(Coding::Lossy { quality }) if !(0.0..=100.0).contains(&quality) => {
                Err(MovieError::Quality { quality })
            }
            _ => Ok(()),
        }
    }
}

struct Sides {
    least: u32,
    longer: u32,
    shorter: u32,
}

/// A movie that is being written.
pub struct Movie<W: Write + Seek> {
    settings: MovieSettings,
    format: Format,
    added: u32,
    file: File<W>,
}

enum File<W: Write + Seek> {
    Mp4(Box<mp4::Mp4<W>>),
    Gif(Box<gif::Gif<W>>),
    #[cfg(feature = "webp")]
    Webp(Box<webp::Webp<W>>),
}

impl<W: Write + Seek> Movie<W> {
    /// Starts a movie at the position of `out`, after checking that the format supports it.
    ///
    /// Pass a `BufWriter`: many writes are small.
    pub fn new(out: W, format: Format, settings: MovieSettings) -> Result<Self, MovieError> {
        format.check(&settings)?;
        let file = match format {
            Format::Mp4 { step } => File::Mp4(Box::new(mp4::Mp4::new(out, &settings, step)?)),
            Format::Gif { dither, transparent } => {
                File::Gif(Box::new(gif::Gif::new(out, &settings, dither, transparent)?))
            }
            #[cfg(feature = "webp")]
            Format::Webp(coding) => File::Webp(Box::new(webp::Webp::new(out, &settings, coding)?)),
            #[cfg(not(feature = "webp"))]
            Format::Webp(_) => return Err(MovieError::NotBuilt { format: "webp" }),
        };
        Ok(Self { settings, format, added: 0, file })
    }

    /// Adds the next picture.
    ///
    /// After an error no more pictures can be added; the pictures added before can still be
    /// finished.
    pub fn add(&mut self, picture: &Picture) -> Result<(), MovieError> {
        let frame = self.added + 1;
        if self.added == self.settings.frames {
            return Err(MovieError::TooMany { frames: self.settings.frames });
        }
        let (size, found) = (self.settings.size, picture.size());
        if found != size {
            return Err(MovieError::SizeChanged {
                frame,
                width: size.width(),
                height: size.height(),
                found_width: found.width(),
                found_height: found.height(),
            });
        }
        match &mut self.file {
            File::Mp4(file) => file.add(picture)?,
            File::Gif(file) => file.add(picture)?,
            #[cfg(feature = "webp")]
            File::Webp(file) => file.add(picture)?,
        }
        self.added = frame;
        Ok(())
    }

    /// Number of pictures added so far.
    pub fn added(&self) -> u32 {
        self.added
    }

    /// Completes the file, flushes it and returns it.
    pub fn finish(self) -> Result<W, MovieError> {
        if self.added == 0 {
            return Err(MovieError::NoPictures { format: self.format.name() });
        }
        let mut out = match self.file {
            File::Mp4(file) => file.finish()?,
            File::Gif(file) => file.finish()?,
            #[cfg(feature = "webp")]
            File::Webp(file) => file.finish()?,
        };
        out.flush()?;
        Ok(out)
    }
}

/// A pixel over an opaque colour, blended in sRGB, as browsers and picture viewers do.
fn laid_on([r, g, b, a]: [u8; 4], backdrop: [u8; 3]) -> [u8; 3] {
    if a == 255 {
        return [r, g, b];
    }
    let a = u32::from(a);
    let mix =
        |c: u8, behind: u8| ((u32::from(c) * a + u32::from(behind) * (255 - a) + 127) / 255) as u8;
    [mix(r, backdrop[0]), mix(g, backdrop[1]), mix(b, backdrop[2])]
}
