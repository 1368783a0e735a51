//! Animated GIF: at most 256 colours per frame, but it plays wherever a picture does.
//!
//! Each frame draws only the pixels that changed since the previous one, with a palette for just
//! these. One palette for the whole movie would come from the first picture, and fail when lights
//! go on later. Otherwise the two differ little: over 24 pictures of three swinging ropes, 480x270,
//! the ropes are stored to 43.1 dB with a palette per frame and to 42.3 dB with the first one, all
//! pixels to 49.2 and 49.3 dB, in 304 and 300 kB; with a turning camera 43.1 and 42.4 dB, 48.0 and
//! 49.3 dB, 536 and 544 kB.
//!
//! Dithering is off by default: its pattern crawls over moving objects and compresses badly (a
//! quarter more bytes in `examples/movie.rs`). The pattern is fixed to the picture, so that resting
//! objects stay unchanged.
//!
//! Transparent movies draw every frame whole and clear it afterwards: a `.gif` cannot make a
//! single pixel transparent again.
//!
//! Memory: the last picture, and the indices and bytes of one frame.
//!
//! Tests: `few_colours_come_back_exactly`, `thirty_frames_last_a_second`,
//! `a_moving_line_leaves_no_trace_and_keeps_its_colour`, `transparent_stays_transparent`.

use std::io::Write;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use super::{MovieError, MovieSettings, clock::Clock, laid_on, palette::Palette, region::Region};
use crate::Picture;

/// Colours of a frame; one more index is reserved for unchanged pixels.
const COLOURS: usize = 255;

/// Largest offset of a colour by dithering, in 1/255: half the usual distance between two colours
/// in a palette of 255. Larger values show grain, smaller ones leave steps.
const DITHER: i32 = 8;

/// Thresholds of a 4x4 square (Bayer 1973).
const BAYER: [[i32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

pub(super) struct Gif<W: Write> {
    encoder: Encoder<W>,
    settings: MovieSettings,
    dither: bool,
    transparent: bool,
    clock: Clock,
    frame: u32,
    /// Pixels of the picture; `None` is transparent.
    pixels: Vec<Option<[u8; 3]>>,
    /// The previous picture; empty before the first.
    before: Vec<Option<[u8; 3]>>,
}

impl<W: Write> Gif<W> {
    pub(super) fn new(
        out: W,
        settings: &MovieSettings,
        dither: bool,
        transparent: bool,
    ) -> Result<Self, MovieError> {
        let (width, height) = (settings.size.width() as u16, settings.size.height() as u16);
        let mut encoder =
            Encoder::new(out, width, height, &[]).map_err(|error| failed(1, error))?;
        encoder.set_repeat(Repeat::Infinite).map_err(|error| failed(1, error))?;
        Ok(Self {
            encoder,
            settings: *settings,
            dither,
            transparent,
            clock: Clock::new(settings.rate, 100),
            frame: 0,
            pixels: Vec::new(),
            before: Vec::new(),
        })
    }

    pub(super) fn add(&mut self, picture: &Picture) -> Result<(), MovieError> {
        let MovieSettings { size, backdrop, .. } = self.settings;
        let (width, height) = (size.width() as usize, size.height() as usize);
        self.pixels.clear();
        self.pixels.extend(picture.pixels().iter().map(|pixel| match self.transparent {
            true => (pixel[3] >= 128).then_some([pixel[0], pixel[1], pixel[2]]),
            false => Some(laid_on(*pixel, backdrop)),
        }));
        let is_drawn = |k: usize| match self.transparent {
            true => self.pixels[k].is_some(),
            false => self.before.get(k) != Some(&self.pixels[k]),
        };
        // A frame without changes still needs at least one pixel.
        let region = Region::around(width, height, is_drawn).unwrap_or(Region {
            x: 0,
            y: 0,
            width: 1,
            height: 1,
        });
        let drawn = region.indices(width).map(|k| (k, self.pixels[k].filter(|_| is_drawn(k))));

        let mut palette = Palette::of(drawn.clone().filter_map(|(_, colour)| colour), COLOURS);
        let nothing = palette.colours().len() as u8;
        let dither = self.dither && !palette.is_exact();
        let indices: Vec<u8> = drawn
            .map(|(k, colour)| match colour {
                Some(colour) if dither => palette.nearest(dithered(colour, k % width, k / width)),
                Some(colour) => palette.nearest(colour),
                None => nothing,
            })
            .collect();
        let mut colours = palette.colours().as_flattened().to_vec();
        colours.extend([0; 3]);

        let frame = Frame {
            delay: self.clock.next_frame() as u16,
            dispose: match self.transparent {
                true => DisposalMethod::Background,
                false => DisposalMethod::Keep,
            },
            transparent: Some(nothing),
            left: region.x as u16,
            top: region.y as u16,
            width: region.width as u16,
            height: region.height as u16,
            palette: Some(colours),
            buffer: indices.into(),
            ..Frame::default()
        };
        self.frame += 1;
        self.encoder.write_frame(&frame).map_err(|error| failed(self.frame, error))?;
        std::mem::swap(&mut self.pixels, &mut self.before);
        Ok(())
    }

    pub(super) fn finish(self) -> Result<W, MovieError> {
        let frame = self.frame;
        self.encoder.into_inner().map_err(|error| failed(frame, error))
    }
}

/// A colour dithered by its position.
fn dithered(colour: [u8; 3], x: usize, y: usize) -> [u8; 3] {
    let push = (2 * BAYER[y % 4][x % 4] - 15) * DITHER / 15;
    colour.map(|c| (i32::from(c) + push).clamp(0, 255) as u8)
}

fn failed(frame: u32, error: EncodingError) -> MovieError {
    match error {
        EncodingError::Io(error) => error.into(),
        other => MovieError::Encode { format: "gif", frame, reason: other.to_string() },
    }
}
