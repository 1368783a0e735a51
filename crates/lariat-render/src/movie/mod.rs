//! Pictures become a movie, one by one, in a file that plays without anything installed.
//!
//! A [`Movie`] is told beforehand how large its pictures are, how fast they run and how many
//! there may be; then it takes them one at a time and keeps none but the last. Whatever was taken
//! is safe: once for every second of film the file is made whole, so that it plays up to there
//! even if the disk is full or the machine stops a moment later.
//!
//! ```text
//! error.rs    what can go wrong, with the numbers
//! clock.rs    when a frame ends, in whole ticks that never drift
//! region.rs   which part of a picture differs from the one before
//! yuv.rs      red, green, blue to what video stores
//! boxes.rs    the boxes an .mp4 file is made of
//! mp4.rs      H.264 video: small, plays in browsers
//! palette.rs  256 colours or fewer for a picture
//! gif.rs      plays wherever a picture does
//! webp.rs     true colours and transparency, in browsers
//! ```
//!
//! Writing needs [`Seek`]: players want to know first what only the end of the work tells
//! (lengths and places), and going back once is cheaper than a second copy of the file. Memory
//! does not grow with the movie, but for 4 to 8 bytes a frame in an `.mp4` (its table of sizes).
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
//! Not here: numbered pictures (each is a [`Picture`]), sound, other people's movies.

mod boxes;
mod clock;
mod error;
mod gif;
mod mp4;
mod palette;
mod region;
mod webp;
mod yuv;

use std::io::{Seek, Write};

use lariat_core::motion::FrameRate;

pub use error::MovieError;

use crate::{Picture, Size};

/// What is known of a movie before its first picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovieSettings {
    /// Every picture has this size.
    pub size: Size,
    /// Frames per second, the same throughout.
    pub rate: FrameRate,
    /// How many pictures there are at most; fewer may come.
    pub frames: u32,
    /// The colour behind transparent pictures, where a format knows no transparency; sRGB.
    pub backdrop: [u8; 3],
}

/// What kind of file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    /// H.264 video in an `.mp4`. Odd sides get one more row or column, a copy of the last.
    Mp4 {
        /// How coarse the video is: H.264's QP, 12 (finest) to 51. Six more save a third of the
        /// bytes or so.
        step: u8,
    },
    /// An animated `.gif`: at most 255 colours are drawn anew in a frame, and a pixel is there or
    /// not.
    Gif {
        /// Mixes colours by a fixed pattern of dots: smoother shading, larger files.
        dither: bool,
        /// Pixels less than half there are left out, instead of being laid on the backdrop.
        transparent: bool,
    },
    /// An animated `.webp`, transparent where the pictures are.
    Webp(Coding),
}

/// How exact an animated `.webp` is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coding {
    /// Every visible pixel as it was drawn.
    Lossless,
    /// Smaller; 0 is worst, 100 best.
    Lossy {
        /// Where between the two.
        quality: f32,
    },
}

impl Format {
    /// Video that a thin rope survives; 24 would save a quarter of its bytes.
    pub const MP4: Self = Self::Mp4 { step: 20 };
    /// Plain colours, no transparency.
    pub const GIF: Self = Self::Gif { dither: false, transparent: false };
    /// Lossy, at a high quality.
    pub const WEBP: Self = Self::Webp(Coding::Lossy { quality: 85.0 });

    /// What it is called in messages: the usual end of a file's name.
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

    /// The longer and the shorter side that a picture may have at most, and at least, in pixels.
    fn sides(self) -> Sides {
        match self {
            // The encoder's own limits.
            Self::Mp4 { .. } => Sides { least: 16, longer: 3840, shorter: 2160 },
            // Sixteen bits a side.
            Self::Gif { .. } => Sides { least: 1, longer: 65_535, shorter: 65_535 },
            // Fourteen.
            Self::Webp(_) => Sides { least: 1, longer: 16_383, shorter: 16_383 },
        }
    }

    /// The slowest and the fastest that the format can say and players follow, in frames per
    /// second. Browsers play a frame of a `.gif` of 1/100 s or less, or one of a `.webp` of
    /// 10 ms or less, as if it lasted 1/10 s; so frames must be longer than that.
    fn rates(self) -> (f64, f64) {
        match self {
            Self::Mp4 { .. } => (0.1, 240.0),
            Self::Gif { .. } => (0.1, 50.0),
            Self::Webp(_) => (0.1, 90.0),
        }
    }

    /// Whether it can hold such a movie; better asked before the first picture is drawn.
    pub fn check(self, settings: &MovieSettings) -> Result<(), MovieError> {
        let format = self.name();
        let (width, height) = (settings.size.width(), settings.size.height());
        let sides = self.sides();
        if width.min(height) < sides.least {
            return Err(MovieError::TooSmall { format, width, height, least: sides.least });
        }
        // An odd side is rounded up where only even ones can be, and the limits are even.
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
    Webp(Box<webp::Webp<W>>),
}

impl<W: Write + Seek> Movie<W> {
    /// Begins a movie where `out` stands, after checking that the format can hold it.
    ///
    /// Best given a `BufWriter`: much is written in small pieces.
    pub fn new(out: W, format: Format, settings: MovieSettings) -> Result<Self, MovieError> {
        format.check(&settings)?;
        let file = match format {
            Format::Mp4 { step } => File::Mp4(Box::new(mp4::Mp4::new(out, &settings, step)?)),
            Format::Gif { dither, transparent } => {
                File::Gif(Box::new(gif::Gif::new(out, &settings, dither, transparent)?))
            }
            Format::Webp(coding) => File::Webp(Box::new(webp::Webp::new(out, &settings, coding)?)),
        };
        Ok(Self { settings, format, added: 0, file })
    }

    /// Adds the next picture.
    ///
    /// After an error nothing more can be added; what was added before may still be finished.
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
            File::Webp(file) => file.add(picture)?,
        }
        self.added = frame;
        Ok(())
    }

    /// How many pictures were added so far.
    pub fn added(&self) -> u32 {
        self.added
    }

    /// Completes the file and gives it back, flushed.
    pub fn finish(self) -> Result<W, MovieError> {
        if self.added == 0 {
            return Err(MovieError::NoPictures { format: self.format.name() });
        }
        let mut out = match self.file {
            File::Mp4(file) => file.finish()?,
            File::Gif(file) => file.finish()?,
            File::Webp(file) => file.finish()?,
        };
        out.flush()?;
        Ok(out)
    }
}

/// A pixel laid on an opaque colour. Mixed in sRGB, as browsers and picture viewers do.
fn laid_on([r, g, b, a]: [u8; 4], backdrop: [u8; 3]) -> [u8; 3] {
    if a == 255 {
        return [r, g, b];
    }
    let a = u32::from(a);
    let mix =
        |c: u8, behind: u8| ((u32::from(c) * a + u32::from(behind) * (255 - a) + 127) / 255) as u8;
    [mix(r, backdrop[0]), mix(g, backdrop[1]), mix(b, backdrop[2])]
}
