//! The boxes of an `.mp4` file: one film with one track of H.264.
//!
//! ISO/IEC 14496-12 (boxes) and 14496-15 (`avc1`, `avcC`). A box consists of its length, four
//! letters and its content; most contain boxes.
//!
//! ```text
//! ftyp                compatible readers
//! moov                metadata
//!   mvhd              length of the film
//!   trak              its only track
//!     tkhd            size on screen
//!     mdia
//!       mdhd          clock: `numerator` ticks a second, a frame lasts `denominator`
//!       hdlr          type: video
//!       minf vmhd dinf
//!         stbl        positions of the frames
//!           stsd      avc1: size; avcC: decoder parameters; colr: colour space
//!           stts      duration, the same for all frames
//!           stss      key frames
//!           stsc stsz stco
//! free                space for moov to grow
//! mdat                the frames
//! ```
//!
//! Written here and not by a library: the available ones keep the frames in memory or round times
//! to their own clock, and none writes the colour space.

use lariat_core::motion::FrameRate;

/// Properties of a movie that its boxes store.
pub(super) struct Film<'a> {
    /// In pixels, even.
    pub(super) width: u32,
    /// In pixels, even.
    pub(super) height: u32,
    pub(super) rate: FrameRate,
    /// The H.264 sequence parameters, without a start code.
    pub(super) sequence: &'a [u8],
    /// The H.264 picture parameters, likewise.
    pub(super) picture: &'a [u8],
    /// Length of each frame, in bytes.
    pub(super) sizes: &'a [u32],
    /// Key frames, counted from 1.
    pub(super) keys: &'a [u32],
    /// Offset of the first frame; the others follow without gaps.
    pub(super) begin: u32,
}

/// Start of the file: brands of any reader of the format with H.264.
pub(super) fn ftyp() -> Vec<u8> {
    let mut out = Vec::new();
    boxed(&mut out, *b"ftyp", |out| {
        out.extend(b"isom");
        put32(out, 0x200);
        out.extend(b"isomiso2avc1mp41");
    });
    out
}

/// Largest length of [`moov`] with `frames` frames, if every one were a key frame.
pub(super) fn moov_most(film: &Film, frames: u32) -> u64 {
    let now = moov(film).len() as u64;
    now + 4 * (2 * u64::from(frames) - (film.sizes.len() + film.keys.len()) as u64)
}

/// A `free` box of `length` bytes in all.
///
/// # Panics
/// If that is less than 8, the header of a box.
pub(super) fn free(length: u32) -> Vec<u8> {
    assert!(length >= 8, "a box has at least 8 bytes, not {length}");
    let mut out = Vec::new();
    boxed(&mut out, *b"free", |out| out.resize(length as usize, 0));
    out
}

/// Header of the box of frames, with a length of 64 bits.
pub(super) fn mdat(bytes: u64) -> [u8; 16] {
    let mut head = *b"\0\0\0\x01mdat\0\0\0\0\0\0\0\0";
    head[8..].copy_from_slice(&(bytes + 16).to_be_bytes());
    head
}

/// The `moov` box.
pub(super) fn moov(film: &Film) -> Vec<u8> {
    let ticks = film.rate.numerator();
    let length = film.sizes.len() as u64 * u64::from(film.rate.denominator());
    let mut out = Vec::new();
    boxed(&mut out, *b"moov", |out| {
        full(out, *b"mvhd", 1, 0, |out| {
            times(out);
            put32(out, ticks);
            put64(out, length);
            put32(out, 0x1_0000); // speed 1
            put16(out, 0x100); // volume 1
            out.extend([0; 10]);
            upright(out);
            out.extend([0; 24]);
            put32(out, 2); // next track number
        });
        boxed(out, *b"trak", |out| {
            // 3: enabled, and part of the film.
            full(out, *b"tkhd", 1, 3, |out| {
                times(out);
                put32(out, 1);
                put32(out, 0);
                put64(out, length);
                out.extend([0; 16]);
                upright(out);
                put32(out, film.width << 16);
                put32(out, film.height << 16);
            });
            boxed(out, *b"mdia", |out| {
                full(out, *b"mdhd", 1, 0, |out| {
                    times(out);
                    put32(out, ticks);
                    put64(out, length);
                    put16(out, 0x55c4); // undetermined language: "und", five bits per letter
                    put16(out, 0);
                });
                full(out, *b"hdlr", 0, 0, |out| {
                    put32(out, 0);
                    out.extend(b"vide");
                    out.extend([0; 12]);
                    out.extend(b"video\0");
                });
                boxed(out, *b"minf", |out| {
                    full(out, *b"vmhd", 0, 1, |out| out.extend([0; 8]));
                    boxed(out, *b"dinf", |out| {
                        full(out, *b"dref", 0, 0, |out| {
                            put32(out, 1);
                            full(out, *b"url ", 0, 1, |_| ()); // in this file
                        });
                    });
                    boxed(out, *b"stbl", |out| frames(out, film));
                });
            });
        });
    });
    out
}

fn frames(out: &mut Vec<u8>, film: &Film) {
    let count = film.sizes.len() as u32;
    full(out, *b"stsd", 0, 0, |out| {
        put32(out, 1);
        boxed(out, *b"avc1", |out| {
            out.extend([0, 0, 0, 0, 0, 0, 0, 1]); // data reference: this file
            out.extend([0; 16]);
            put16(out, film.width as u16);
            put16(out, film.height as u16);
            put32(out, 0x48_0000); // 72 dpi, by convention
            put32(out, 0x48_0000);
            put32(out, 0);
            put16(out, 1); // frames per sample
            out.extend([0; 32]); // the encoder's name
            put16(out, 24); // colour without alpha
            put16(out, 0xffff);
            boxed(out, *b"avcC", |out| decoder(out, film));
            boxed(out, *b"colr", |out| {
                out.extend(b"nclx");
                put16(out, 1); // primaries of BT.709
                put16(out, 1); // transfer function of BT.709
                put16(out, 1); // matrix of BT.709
                out.push(0); // black is 16, white 235
            });
        });
    });
    full(out, *b"stts", 0, 0, |out| {
        put32(out, 1);
        put32(out, count);
        put32(out, film.rate.denominator());
    });
    full(out, *b"stss", 0, 0, |out| {
        put32(out, film.keys.len() as u32);
        film.keys.iter().for_each(|key| put32(out, *key));
    });
    full(out, *b"stsc", 0, 0, |out| [1, 1, count, 1].into_iter().for_each(|n| put32(out, n)));
    full(out, *b"stsz", 0, 0, |out| {
        put32(out, 0); // sizes differ
        put32(out, count);
        film.sizes.iter().for_each(|size| put32(out, *size));
    });
    full(out, *b"stco", 0, 0, |out| {
        put32(out, 1);
        put32(out, film.begin);
    });
}

fn decoder(out: &mut Vec<u8>, film: &Film) {
    let [profile, compatible, level] =
        [1, 2, 3].map(|i| film.sequence.get(i).copied().unwrap_or(0));
    out.extend([1, profile, compatible, level, 0xff]); // lengths take four bytes
    out.push(0xe1);
    put16(out, film.sequence.len() as u16);
    out.extend(film.sequence);
    out.push(1);
    put16(out, film.picture.len() as u16);
    out.extend(film.picture);
    if matches!(profile, 100 | 110 | 122 | 144) {
        out.extend([0xfd, 0xf8, 0xf8, 0]); // 4:2:0, 8 bits, no extensions
    }
}

/// Creation and modification time: zero, so that the bytes depend on the pictures alone.
fn times(out: &mut Vec<u8>) {
    out.extend([0; 16]);
}

/// The identity matrix.
fn upright(out: &mut Vec<u8>) {
    for value in [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000] {
        put32(out, value);
    }
}

fn put16(out: &mut Vec<u8>, value: u16) {
    out.extend(value.to_be_bytes());
}

fn put32(out: &mut Vec<u8>, value: u32) {
    out.extend(value.to_be_bytes());
}

fn put64(out: &mut Vec<u8>, value: u64) {
    out.extend(value.to_be_bytes());
}

fn boxed(out: &mut Vec<u8>, name: [u8; 4], fill: impl FnOnce(&mut Vec<u8>)) {
    let begin = out.len();
    out.extend([0; 4]);
    out.extend(name);
    fill(out);
    let length = (out.len() - begin) as u32;
    out[begin..begin + 4].copy_from_slice(&length.to_be_bytes());
}

fn full(
    out: &mut Vec<u8>,
    name: [u8; 4],
    version: u8,
    flags: u32,
    fill: impl FnOnce(&mut Vec<u8>),
) {
    boxed(out, name, |out| {
        put32(out, u32::from(version) << 24 | flags);
        fill(out);
    });
}
