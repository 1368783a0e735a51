//! H.264 read back by openh264's decoder, with the boxes and the mathematics of this file.

use std::ops::Range;

use lariat_render::{Picture, movie::Format};
use openh264::{decoder::Decoder, formats::YUVSource};

use crate::films::{PATCHES, SIDE, draw, film, line, off, patches, size};

/// Tolerance of decoded pixels: half a step of 8-bit video is up to 1 in green and 2 in blue,
/// quantisation takes the rest. BT.601 instead of BT.709 is off by 20 and more in the primaries, a
/// wrong range by 16 in black and 20 in white.
const TOLERANCE: u8 = 6;

/// Contents of the boxes.
pub(crate) struct Contents {
    pub(crate) top: Vec<(String, Range<usize>)>,
    pub(crate) timescale: u32,
    pub(crate) duration: u64,
    pub(crate) delta: u32,
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) colour: Vec<u8>,
    pub(crate) sequence: Vec<u8>,
    pub(crate) parameters: Vec<u8>,
    pub(crate) keys: Vec<u32>,
    pub(crate) samples: Vec<Range<usize>>,
}

fn u32_at(file: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(*file[at..].first_chunk().unwrap())
}

fn u64_at(file: &[u8], at: usize) -> u64 {
    u64::from_be_bytes(*file[at..].first_chunk().unwrap())
}

fn u16_at(file: &[u8], at: usize) -> u16 {
    u16::from_be_bytes(*file[at..].first_chunk().unwrap())
}

/// Boxes within a range, by name, with the range of their content.
fn boxes(file: &[u8], within: Range<usize>) -> Vec<(String, Range<usize>)> {
    let mut found = Vec::new();
    let mut at = within.start;
    while at + 8 <= within.end {
        let (mut length, mut head) = (u64::from(u32_at(file, at)), 8);
        if length == 1 {
            (length, head) = (u64_at(file, at + 8), 16);
        }
        let name = String::from_utf8_lossy(&file[at + 4..at + 8]).into_owned();
        let end = at + length as usize;
        assert!(end <= within.end && length >= head, "box {name} of {length} bytes at {at}");
        found.push((name, at + head as usize..end));
        at = end;
    }
    found
}

fn find(file: &[u8], within: Range<usize>, path: &[&str]) -> Range<usize> {
    path.iter().fold(within, |within, name| {
        let all = boxes(file, within);
        all.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no {name}")).1.clone()
    })
}

pub(crate) fn read(file: &[u8]) -> Contents {
    let media = find(file, 0..file.len(), &["moov", "trak", "mdia"]);
    let header = find(file, media.clone(), &["mdhd"]).start;
    assert_eq!(file[header], 1, "mdhd has 64 bits");
    let table = find(file, media, &["minf", "stbl"]);
    let times = find(file, table.clone(), &["stts"]).start;
    let sizes = find(file, table.clone(), &["stsz"]).start;
    let count = u32_at(file, sizes + 8) as usize;
    assert_eq!((u32_at(file, times + 4), u32_at(file, times + 8)), (1, count as u32));
    let mut begin = u32_at(file, find(file, table.clone(), &["stco"]).start + 8) as usize;
    let samples = (0..count).map(|i| {
        let end = begin + u32_at(file, sizes + 12 + 4 * i) as usize;
        let sample = begin..end;
        begin = end;
        sample
    });
    let samples = samples.collect();
    let keys = find(file, table.clone(), &["stss"]).start;
    let entry = find(file, table, &["stsd"]);
    let entry = find(file, entry.start + 8..entry.end, &["avc1"]);
    let inner = entry.start + 78..entry.end;
    let colour = find(file, inner.clone(), &["colr"]);
    let decoder = &file[find(file, inner, &["avcC"])];
    assert_eq!((decoder[0], decoder[4] & 3, decoder[5] & 31), (1, 3, 1));
    let long = usize::from(u16_at(decoder, 6));
    let next = 8 + long;
    let short = usize::from(u16_at(decoder, next + 1));
    Contents {
        top: boxes(file, 0..file.len()),
        timescale: u32_at(file, header + 20),
        duration: u64_at(file, header + 24),
        delta: u32_at(file, times + 12),
        width: u16_at(file, entry.start + 24),
        height: u16_at(file, entry.start + 26),
        colour: file[colour].to_vec(),
        sequence: decoder[8..next].to_vec(),
        parameters: decoder[next + 3..next + 3 + short].to_vec(),
        keys: (0..u32_at(file, keys + 4))
            .map(|i| u32_at(file, keys + 8 + 4 * i as usize))
            .collect(),
        samples,
    }
}

/// Decodes all frames and converts them to RGB by the formulas of BT.709, in floating point.
pub(crate) fn play(file: &[u8]) -> Vec<Picture> {
    let contents = read(file);
    let mut decoder = Decoder::new().unwrap();
    let mut pictures = Vec::new();
    let mut stream = Vec::new();
    for unit in [&contents.sequence, &contents.parameters] {
        stream.extend([0, 0, 0, 1]);
        stream.extend(unit);
    }
    for sample in &contents.samples {
        let mut at = sample.start;
        while at < sample.end {
            let length = u32_at(file, at) as usize;
            stream.extend([0, 0, 0, 1]);
            stream.extend(&file[at + 4..at + 4 + length]);
            at += 4 + length;
        }
        assert_eq!(at, sample.end, "units fill their frame");
        if let Some(frame) = decoder.decode(&stream).unwrap() {
            pictures.push(to_rgb(&frame));
        }
        stream.clear();
    }
    pictures.extend(decoder.flush_remaining().unwrap().iter().map(to_rgb));
    pictures
}

fn to_rgb(frame: &impl YUVSource) -> Picture {
    let (width, height) = frame.dimensions();
    let (sy, su, sv) = frame.strides();
    draw(size(width as u32, height as u32), |x, y| {
        let (x, y) = (x as usize, y as usize);
        let luma = (f64::from(frame.y()[y * sy + x]) - 16.0) / 219.0;
        let cb = (f64::from(frame.u()[y / 2 * su + x / 2]) - 128.0) / 224.0;
        let cr = (f64::from(frame.v()[y / 2 * sv + x / 2]) - 128.0) / 224.0;
        let red = luma + 2.0 * (1.0 - 0.2126) * cr;
        let blue = luma + 2.0 * (1.0 - 0.0722) * cb;
        let green = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152;
        let byte = |v: f64| (v * 255.0).round().clamp(0.0, 255.0) as u8;
        [byte(red), byte(green), byte(blue), 255]
    })
}

#[test]
fn colours_come_back_as_they_were() {
    let pictures = play(&film(&vec![patches(); 3], "24", Format::MP4));
    assert_eq!(pictures.len(), 3);
    for picture in &pictures {
        for (i, patch) in PATCHES.iter().enumerate() {
            for (dx, dy) in [(16, 16), (8, 8), (23, 24)] {
                let found = picture.at(i as u32 * SIDE + dx, dy);
                assert!(off(&found[..3], patch) <= TOLERANCE, "{patch:?} became {found:?}");
            }
        }
    }
}

#[test]
fn every_frame_is_stored_in_order() {
    let greys = || (0..40).map(|i| 20 + 5 * i as u8);
    let pictures: Vec<Picture> =
        greys().map(|g| Picture::new(size(64, 48), [g, g, g, 255])).collect();
    let played = play(&film(&pictures, "12", Format::MP4));
    assert_eq!(played.len(), pictures.len());
    for (picture, grey) in played.iter().zip(greys()) {
        assert!(off(&picture.at(30, 20)[..3], &[grey; 3]) <= 2, "{grey}");
    }
}

#[test]
fn the_table_of_contents_comes_first() {
    let pictures: Vec<Picture> = (0..50).map(|i| line(size(160, 96), i)).collect();
    let file = film(&pictures, "30000/1001", Format::MP4);
    let contents = read(&file);
    let names: Vec<&str> = contents.top.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["ftyp", "moov", "free", "mdat"]);
    assert_eq!((contents.timescale, contents.delta), (30_000, 1001));
    assert_eq!(contents.duration, 50 * 1001);
    assert_eq!((contents.width, contents.height), (160, 96));
    let frames = contents.top[3].1.clone();
    assert_eq!(contents.samples.first().unwrap().start, frames.start);
    assert_eq!(contents.samples.last().unwrap().end, frames.end);
    assert_eq!(contents.keys, [1, 31]);
}

#[test]
fn the_file_states_its_colour_space() {
    let contents = read(&film(&[patches()], "24", Format::MP4));
    assert_eq!(contents.colour, *b"nclx\0\x01\0\x01\0\x01\0");
    assert_eq!(colour_description(&contents.sequence), Some((false, [1, 1, 1])));
}

#[test]
fn fewer_pictures_than_announced_are_valid() {
    let picture = line(size(64, 64), 3);
    let mut settings = crate::films::settings(&picture, "24", 0);
    settings.frames = 1000;
    let out = std::io::Cursor::new(Vec::new());
    let mut movie = lariat_render::movie::Movie::new(out, Format::MP4, settings).unwrap();
    (0..3).for_each(|_| movie.add(&picture).unwrap());
    assert_eq!(play(&movie.finish().unwrap().into_inner()).len(), 3);
}

#[test]
fn odd_sides_grow_by_one() {
    let played = play(&film(&[line(size(33, 17), 1)], "24", Format::MP4));
    assert_eq!(played[0].size(), size(34, 18));
    let contents = read(&film(&[line(size(33, 17), 1)], "24", Format::MP4));
    assert_eq!((contents.width, contents.height), (34, 18));
}

#[test]
fn transparent_pictures_show_the_backdrop() {
    let played = play(&film(&[Picture::new(size(32, 32), [255, 255, 255, 0])], "24", Format::MP4));
    assert!(off(&played[0].at(9, 9)[..3], &[10, 20, 30]) <= TOLERANCE, "{:?}", played[0].at(9, 9));
}

#[test]
fn a_line_of_one_pixel_survives_motion() {
    // Its luminance against the wall, not its colour: chroma has half the resolution.
    let dark = |picture: &Picture, x: u32| {
        let luma = |x: u32| {
            let [r, g, b, _] = picture.at(x, 60).map(f64::from);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        luma(x) - 0.5 * (luma(x - 3) + luma(x + 3))
    };
    let pictures: Vec<Picture> = (0..40).map(|i| line(size(160, 120), i)).collect();
    let played = play(&film(&pictures, "24", Format::MP4));
    for (i, (was, is)) in pictures.iter().zip(&played).enumerate() {
        let x = 3 * i as u32 + 4;
        let kept = dark(is, x) / dark(was, x);
        assert!((0.85..1.15).contains(&kept), "frame {i} keeps {kept} of its contrast");
    }
}

#[test]
fn the_same_pictures_give_the_same_bytes() {
    let pictures: Vec<Picture> = (0..5).map(|i| line(size(64, 64), i)).collect();
    assert_eq!(film(&pictures, "24", Format::MP4), film(&pictures, "24", Format::MP4));
}

/// Range and colour space in the sequence parameters (H.264, 7.3.2.1.1 and E.1.1): whether black is
/// 0, then primaries, transfer function and matrix.
fn colour_description(sequence: &[u8]) -> Option<(bool, [u32; 3])> {
    // Encoders insert a 3 after two zeros, to avoid false start codes.
    let mut bytes = Vec::new();
    for byte in &sequence[1..] {
        if !(*byte == 3 && bytes.ends_with(&[0, 0])) {
            bytes.push(*byte);
        }
    }
    let mut at = 0;
    let mut bits = |count: u32| {
        (0..count).fold(0, |value, _| {
            let bit = bytes[at / 8] >> (7 - at % 8) & 1;
            at += 1;
            value << 1 | u32::from(bit)
        })
    };
    let profile = bits(8);
    bits(16);
    golomb(&mut bits); // parameter set id
    if profile >= 100 {
        assert_eq!(golomb(&mut bits), 1, "4:2:0");
        golomb(&mut bits);
        golomb(&mut bits);
        bits(1);
        assert_eq!(bits(1), 0, "no scaling lists");
    }
    golomb(&mut bits); // frame numbers
    match golomb(&mut bits) {
        0 => _ = golomb(&mut bits),
        order => assert_eq!(order, 2),
    }
    golomb(&mut bits); // reference frames
    bits(1);
    golomb(&mut bits); // width
    golomb(&mut bits); // height
    assert_eq!(bits(1), 1, "frames, not fields");
    bits(1);
    if bits(1) == 1 {
        (0..4).for_each(|_| _ = golomb(&mut bits)); // cropping
    }
    assert_eq!(bits(1), 1, "usability information");
    if bits(1) == 1 && bits(8) == 255 {
        bits(32); // pixel aspect ratio
    }
    if bits(1) == 1 {
        bits(1); // overscan
    }
    assert_eq!(bits(1), 1, "signal type");
    bits(3);
    let full = bits(1) == 1;
    (bits(1) == 1).then(|| (full, [bits(8), bits(8), bits(8)]))
}

/// An exponential Golomb code.
fn golomb(bits: &mut impl FnMut(u32) -> u32) -> u32 {
    let zeros = (0..32).take_while(|_| bits(1) == 0).count() as u32;
    (1 << zeros) - 1 + bits(zeros)
}
