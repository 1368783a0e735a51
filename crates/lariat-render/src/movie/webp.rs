//! Animated WebP: full colours and transparency, in every current browser.
//!
//! libwebp encodes the pictures separately; the container is written here, following Google's "WebP
//! Container Specification": `RIFF`, `VP8X` (features), `ANIM` (endless loop), and an `ANMF` for
//! each frame with its position, its duration in milliseconds and its bytes. libwebp could write it
//! too, but keeps the whole movie in memory until the end.
//!
//! A frame contains only the rectangle that changed. If that is opaque, unchanged parts inside it
//! are omitted as well: single pixels in lossless coding, squares of [`SQUARE`] in lossy coding.
//! Lossy coding also leaves faint ripples around a line, which must not remain when it has moved
//! on; so a square is drawn once more after its last change.
//!
//! Memory: the last picture, and the pixels and bytes of one frame. The length at the beginning of
//! the file is updated once a second and at the end.
//!
//! Tests: `lossless_is_exact`, `frames_end_when_they_should`, `alpha_is_exact`,
//! `lossy_motion_leaves_no_trace`, `lossy_frames_have_no_dark_seams`.

use std::io::{Seek, SeekFrom, Write};

use webp::{Encoder, WebPConfig};

use super::{Coding, MovieError, MovieSettings, clock::Clock, region::Region};
use crate::Picture;

/// Side of the squares that are drawn or omitted as a whole in lossy frames, in pixels: the block
/// size of the coding, so that ripples do not extend into a neighbour.
const SQUARE: usize = 16;

/// Effort of the encoder, 0 to 6: libwebp's default.
const EFFORT: i32 = 4;

/// Largest file size in bytes.
const MOST: u64 = u32::MAX as u64 - 1;

/// Flag: the frame replaces the pixels below instead of being blended.
const REPLACES: u8 = 2;

pub(super) struct Webp<W> {
    out: W,
    settings: MovieSettings,
    coding: Coding,
    clock: Clock,
    frame: u32,
    /// Start of the file in `out`.
    origin: u64,
    /// Bytes written so far.
    bytes: u64,
    /// Previous picture; empty before the first.
    before: Vec<[u8; 4]>,
    /// Squares that the previous frame changed.
    changed_before: Vec<bool>,
    cut: Vec<[u8; 4]>,
}

impl<W: Write + Seek> Webp<W> {
    pub(super) fn new(
        mut out: W,
        settings: &MovieSettings,
        coding: Coding,
    ) -> Result<Self, MovieError> {
        let origin = out.stream_position()?;
        let mut head = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0".to_vec();
        head.extend([0x12, 0, 0, 0]); // animation, alpha
        head.extend(three(settings.size.width() - 1));
        head.extend(three(settings.size.height() - 1));
        head.extend(b"ANIM\x06\0\0\0");
        head.extend([0; 4]); // transparent background
        head.extend([0; 2]); // endless loop
        out.write_all(&head)?;
        Ok(Self {
            out,
            settings: *settings,
            coding,
            clock: Clock::new(settings.rate, 1000),
            frame: 0,
            origin,
            bytes: head.len() as u64,
            before: Vec::new(),
            changed_before: Vec::new(),
            cut: Vec::new(),
        })
    }

    pub(super) fn add(&mut self, picture: &Picture) -> Result<(), MovieError> {
        let (width, height) =
            (self.settings.size.width() as usize, self.settings.size.height() as usize);
        let pixels = picture.pixels();
        let is_first = self.before.is_empty();
        let (side, is_lossy) = match self.coding {
            Coding::Lossless => (1, false),
            Coding::Lossy { .. } => (SQUARE, true),
        };
        let (across, down) = (width.div_ceil(side), height.div_ceil(side));
        let square_of = |k: usize| k / width / side * across + k % width / side;
        let mut changed = vec![is_first; across * down];
        for (k, (before, now)) in self.before.iter().zip(pixels).enumerate() {
            if before != now {
                changed[square_of(k)] = true;
            }
        }
        let is_drawn = |s: usize| changed[s] || self.changed_before.get(s) == Some(&true);
        let region = match Region::around(across, down, is_drawn) {
            Some(squares) => squares.times(side, width, height).begun_even(),
            // A frame without changes still has a duration, so it needs at least one pixel.
            None => Region { x: 0, y: 0, width: 1, height: 1 },
        };
        self.cut.clear();
        self.cut.extend(region.indices(width).map(|k| pixels[k]));
        let leaves_out = !is_first && self.cut.iter().all(|pixel| pixel[3] == 255);
        if leaves_out {
            for (pixel, k) in self.cut.iter_mut().zip(region.indices(width)) {
                let square = square_of(k);
                if !is_drawn(square) {
                    // Lossy coding blurs colours across the borders of squares, so squares beside
                    // drawn ones keep their colours; others cost less without.
                    let keeps = is_lossy && neighbours(square, across, down).any(is_drawn);
                    *pixel = if keeps { [pixel[0], pixel[1], pixel[2], 0] } else { [0; 4] };
                }
            }
        }

        let still = self.still(region)?;
        let mut frame = b"ANMF\0\0\0\0".to_vec();
        frame.extend(three(region.x as u32 / 2));
        frame.extend(three(region.y as u32 / 2));
        frame.extend(three(region.width as u32 - 1));
        frame.extend(three(region.height as u32 - 1));
        frame.extend(three(self.clock.next_frame()));
        frame.push(if leaves_out { 0 } else { REPLACES });
        for (name, chunk) in chunks(&still) {
            if matches!(name, b"ALPH" | b"VP8 " | b"VP8L") {
                frame.extend(chunk);
            }
        }
        let length = frame.len() as u32 - 8;
        frame[4..8].copy_from_slice(&length.to_le_bytes());
        if self.bytes + frame.len() as u64 > MOST {
            return Err(MovieError::TooLong { format: "webp", frame: self.frame + 1, most: MOST });
        }
        self.out.write_all(&frame)?;
        self.bytes += frame.len() as u64;
        self.frame += 1;
        self.before.clear();
        self.before.extend(pixels);
        self.changed_before = if is_lossy && !is_first { changed } else { Vec::new() };
        let second = self.settings.rate.per_second().ceil() as u32;
        if self.frame.is_multiple_of(second) { self.save() } else { Ok(()) }
    }

    /// The region encoded as a separate picture.
    fn still(&self, region: Region) -> Result<webp::WebPMemory, MovieError> {
        let failed =
            |reason: String| MovieError::Encode { format: "webp", frame: self.frame + 1, reason };
        let mut config =
            WebPConfig::new().map_err(|()| failed("incompatible version of libwebp".into()))?;
        config.method = EFFORT;
        match self.coding {
            Coding::Lossless => {
                config.lossless = 1;
                config.quality = 20.0; // effort of lossless coding
            }
            Coding::Lossy { quality } => {
                config.quality = quality;
                config.use_sharp_yuv = 1;
                // Colours of pixels that are left out count at the borders of squares.
                config.exact = 1;
            }
        }
        Encoder::from_rgba(self.cut.as_flattened(), region.width as u32, region.height as u32)
            .encode_advanced(&config)
            .map_err(|error| failed(format!("{error:?}")))
    }

    /// Makes the file valid with the frames so far.
    fn save(&mut self) -> Result<(), MovieError> {
        self.out.flush()?;
        self.out.seek(SeekFrom::Start(self.origin + 4))?;
        self.out.write_all(&(self.bytes as u32 - 8).to_le_bytes())?;
        self.out.seek(SeekFrom::Start(self.origin + self.bytes))?;
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<W, MovieError> {
        self.save()?;
        Ok(self.out)
    }
}

/// The squares around a square, including itself.
fn neighbours(square: usize, across: usize, down: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (square % across, square / across);
    let rows = y.saturating_sub(1)..(y + 2).min(down);
    rows.flat_map(move |y| (x.saturating_sub(1)..(x + 2).min(across)).map(move |x| y * across + x))
}

/// The low three bytes, least significant first.
fn three(value: u32) -> [u8; 3] {
    let [a, b, c, _] = value.to_le_bytes();
    [a, b, c]
}

/// Chunks of a file, each with its name, including header and padding.
fn chunks(file: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = file.get(12..).unwrap_or_default();
    std::iter::from_fn(move || {
        let length = u32::from_le_bytes(*rest.get(4..)?.first_chunk()?) as usize;
        let (chunk, after) = rest.split_at_checked(8 + length.next_multiple_of(2))?;
        rest = after;
        Some((&chunk[..4], chunk))
    })
}
