//! Animated WebP read back by libwebp's decoder.

use lariat_render::{
    Picture,
    movie::{Coding, Format},
};
use webp::{AnimDecoder, PixelLayout};

use crate::films::{PATCHES, SIDE, disc, draw, film, line, off, patches, size};

const LOSSLESS: Format = Format::Webp(Coding::Lossless);

/// Pictures as shown by a player, and the end time of each, in milliseconds.
pub(crate) fn play(file: &[u8]) -> Vec<(Picture, i32)> {
    let length = u32::from_le_bytes(*file[4..].first_chunk().unwrap()) as usize;
    let decoded = AnimDecoder::new(&file[..length + 8]).decode().unwrap();
    assert_eq!(decoded.loop_count, 0, "endless loop");
    let frames = decoded.get_frames(0..decoded.len()).unwrap();
    let picture = |frame: &webp::AnimFrame| {
        assert!(matches!(frame.get_layout(), PixelLayout::Rgba));
        let pixels = frame.get_image().as_chunks::<4>().0;
        draw(size(frame.width(), frame.height()), |x, y| pixels[(y * frame.width() + x) as usize])
    };
    frames.iter().map(|frame| (picture(frame), frame.get_time_ms())).collect()
}

#[test]
fn lossless_is_exact() {
    let pictures: Vec<Picture> = (0..20).map(|i| line(size(101, 77), i)).collect();
    let played = play(&film(&pictures, "24", LOSSLESS));
    assert_eq!(played.len(), 20);
    for (i, (was, (is, _))) in pictures.iter().zip(&played).enumerate() {
        assert!(was == is, "frame {i} differs");
    }
}

#[test]
fn frames_end_when_they_should() {
    let pictures: Vec<Picture> = (0..30).map(|i| line(size(100, 16), i)).collect();
    let ends: Vec<i32> =
        play(&film(&pictures, "30", LOSSLESS)).into_iter().map(|(_, end)| end).collect();
    assert_eq!(ends[..3], [33, 67, 100]);
    assert_eq!(ends[29], 1000);
}

#[test]
fn alpha_is_exact() {
    // Lossy colours are quantised, in a disc that is hardly larger than a block.
    for (format, tolerance) in [(LOSSLESS, 0), (Format::WEBP, 14)] {
        let pictures: Vec<Picture> = (0..12).map(|i| disc(size(64, 32), i, 150)).collect();
        let played = play(&film(&pictures, "24", format));
        assert_eq!(played.len(), 12);
        for (i, (was, (is, _))) in pictures.iter().zip(&played).enumerate() {
            for (k, (a, b)) in was.pixels().iter().zip(is.pixels()).enumerate() {
                assert_eq!(a[3], b[3], "alpha of pixel {k}, frame {i}, {format:?}");
            }
            let middle = is.at(12 + 3 * i as u32, 16);
            assert!(off(&middle, &[220, 120, 20, 150]) <= tolerance, "{middle:?}");
        }
    }
}

#[test]
fn pixels_that_appear_may_vanish_again() {
    let there = disc(size(64, 32), 3, 255);
    let nothing = Picture::new(size(64, 32), [0; 4]);
    let pictures = [nothing.clone(), there.clone(), nothing.clone(), there];
    for (was, (is, _)) in pictures.iter().zip(play(&film(&pictures, "24", LOSSLESS))) {
        assert!(*was == is);
    }
}

#[test]
fn lossy_colours_are_near() {
    // libwebp converts to BT.601 and back; half-steps of 8-bit video and quantisation remain.
    let played = play(&film(&vec![patches(); 2], "24", Format::WEBP));
    assert_eq!(played.len(), 2);
    for (picture, _) in &played {
        for (i, patch) in PATCHES.iter().enumerate() {
            let found = picture.at(i as u32 * SIDE + 15, 15);
            assert!(off(&found[..3], patch) <= 6, "{patch:?} became {found:?}");
        }
    }
}

#[test]
fn lossy_motion_leaves_no_trace() {
    let pictures: Vec<Picture> = (0..30).map(|i| line(size(160, 120), i)).collect();
    let played = play(&film(&pictures, "24", Format::WEBP));
    for (i, (was, (is, _))) in pictures.iter().zip(&played).enumerate() {
        // Away from the line and its chroma, which spreads over two pixels.
        let x = 3 * i as u32 + 4;
        let away = |k: usize| (k as u32 % 160).abs_diff(x) > 8;
        let pairs = was.pixels().iter().zip(is.pixels()).enumerate();
        let worst = pairs.filter(|(k, _)| away(*k)).map(|(_, (a, b))| off(a, b)).max().unwrap();
        assert!(worst <= 20, "frame {i}: a pixel is off by {worst}");
    }
}

#[test]
fn lossy_frames_have_no_dark_seams() {
    // Two faint bulbs at night move apart, and the squares between them are left out. The filter of
    // lossy coding smooths borders between dark colours.
    let (background, bulb) = ([28, 32, 45, 255], [40, 44, 54, 255]);
    let shade = |frame: i64, x: u32, y: u32| {
        let far = |cx: i64, cy: i64| (i64::from(x) - cx).pow(2) + (i64::from(y) - cy).pow(2);
        if far(40 - frame, 24).min(far(120 + frame, 72)) < 16 { bulb } else { background }
    };
    let pictures: Vec<Picture> =
        (0..12).map(|i| draw(size(160, 96), |x, y| shade(i, x, y))).collect();
    let coarse = Format::Webp(Coding::Lossy { quality: 60.0 });
    for (i, (picture, _)) in play(&film(&pictures, "24", coarse)).iter().enumerate() {
        let darkest = picture.pixels().iter().map(|pixel| pixel[2]).min().unwrap();
        assert!(darkest + 8 > background[2], "frame {i}: a pixel has {darkest} of {background:?}");
    }
}
