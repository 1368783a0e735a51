//! GIF read back by the decoder of the crate `gif`; frames are composited here.

use gif::{ColorOutput, DecodeOptions, DisposalMethod};
use lariat_render::{Picture, movie::Format};

use crate::films::{disc, film, line, off, patches, size};

/// Pictures as shown by a player, and the duration of each, in hundredths of a second.
pub(crate) fn play(file: &[u8]) -> Vec<(Picture, u16)> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder = options.read_info(file).unwrap();
    let screen = size(u32::from(decoder.width()), u32::from(decoder.height()));
    let mut canvas = Picture::new(screen, [0; 4]);
    let mut played = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let width = usize::from(frame.width);
        let place = |k: usize| {
            (usize::from(frame.top) + k / width) * screen.width() as usize
                + usize::from(frame.left)
                + k % width
        };
        for (k, pixel) in frame.buffer.as_chunks::<4>().0.iter().enumerate() {
            if pixel[3] > 0 {
                canvas.pixels_mut()[place(k)] = *pixel;
            }
        }
        played.push((canvas.clone(), frame.delay));
        if frame.dispose == DisposalMethod::Background {
            for k in 0..frame.buffer.len() / 4 {
                canvas.pixels_mut()[place(k)] = [0; 4];
            }
        }
    }
    played
}

#[test]
fn few_colours_come_back_exactly() {
    let played = play(&film(&vec![patches(); 2], "24", Format::GIF));
    assert_eq!(played.len(), 2);
    assert!(played.iter().all(|(picture, _)| *picture == patches()));
}

#[test]
fn thirty_frames_last_a_second() {
    let pictures: Vec<Picture> = (0..30).map(|i| line(size(100, 20), i)).collect();
    let played = play(&film(&pictures, "30", Format::GIF));
    let delays: Vec<u16> = played.iter().map(|(_, delay)| *delay).collect();
    assert_eq!(delays.len(), 30);
    assert_eq!(delays.iter().sum::<u16>(), 100);
    assert_eq!(delays.iter().filter(|d| **d == 3).count(), 20);
    assert_eq!(delays.iter().filter(|d| **d == 4).count(), 10);
}

#[test]
fn a_moving_line_leaves_no_trace_and_keeps_its_colour() {
    let pictures: Vec<Picture> = (0..20).map(|i| line(size(160, 120), i)).collect();
    let played = play(&film(&pictures, "25", Format::GIF));
    for (i, (was, (is, delay))) in pictures.iter().zip(&played).enumerate() {
        assert_eq!(*delay, 4);
        let x = 3 * i as u32 + 4;
        assert!(off(&is.at(x, 70), &was.at(x, 70)) <= 8, "frame {i}: line {:?}", is.at(x, 70));
        // 24000 shades in the first frame; the palette spaces them about 9 apart each way.
        let worst = was.pixels().iter().zip(is.pixels()).map(|(a, b)| off(a, b)).max().unwrap();
        assert!(worst <= 24, "frame {i}: a pixel is off by {worst}");
    }
}

#[test]
fn dithering_is_nearer_on_average() {
    let picture = line(size(160, 120), 0);
    let mean = |dither: bool| {
        let format = Format::Gif { dither, transparent: false };
        let (played, _) = play(&film(std::slice::from_ref(&picture), "25", format)).remove(0);
        // Means of squares of 4 by 4, as seen from a distance.
        let mut sum = 0;
        for (y, x) in (0..30).flat_map(|y| (2..40).map(move |x| (4 * y, 4 * x))) {
            for c in 0..3 {
                let total = |p: &Picture| -> i32 {
                    (0..16).map(|k| i32::from(p.at(x + k % 4, y + k / 4)[c])).sum()
                };
                sum += (total(&picture) - total(&played)).abs();
            }
        }
        sum
    };
    let (with, without) = (mean(true), mean(false));
    assert!(with < without, "{with} against {without}");
}

#[test]
fn unchanged_pixels_are_not_written_again() {
    let still = vec![line(size(160, 120), 0); 10];
    let one = film(&still[..1], "10", Format::GIF).len();
    let ten = film(&still, "10", Format::GIF);
    assert!(ten.len() < one + 9 * 50, "{} bytes after {one}", ten.len());
    assert_eq!(play(&ten).len(), 10);
}

#[test]
fn transparent_stays_transparent() {
    let pictures: Vec<Picture> = (0..12).map(|i| disc(size(64, 32), i, 255)).collect();
    let played = play(&film(&pictures, "20", Format::Gif { dither: false, transparent: true }));
    assert_eq!(played.len(), 12);
    for (was, (is, _)) in pictures.iter().zip(&played) {
        assert!(was == is);
    }
    let half = [disc(size(64, 32), 0, 200)];
    let (laid, _) = play(&film(&half, "20", Format::GIF)).remove(0);
    assert_eq!(laid.at(60, 3), [10, 20, 30, 255]);
    assert_eq!(laid.at(12, 16), [175, 98, 22, 255]);
}
