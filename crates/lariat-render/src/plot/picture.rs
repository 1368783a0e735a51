//! A plot as pixels. Large plots are enlarged small ones, so that text and lines keep their places.
//!
//! Tests: `texts_do_not_overlap_at_any_size`, `the_painted_curve_is_where_the_drawn_one_is`.

use glam::DVec2;

use super::Plot;
use super::layout::{Align, LETTER, PAPER, Shape, lay_out};
use crate::overlay::{Canvas, Ink};
use crate::{Picture, Size};

/// Height of a picture up to which a plot has the size of its layout, in lines; larger pictures are
/// enlarged.
const LINES: f64 = 540.0;

/// Scale of a painted plot relative to its layout; letters have a whole number of pixels.
pub(super) fn enlarged(size: Size) -> f64 {
    let scale = (f64::from(size.height()) / LINES).max(1.0);
    (scale * LETTER).floor() / LETTER
}

/// Renders a plot as a picture.
pub fn picture(plot: &Plot, size: Size) -> Picture {
    let [r, g, b] = PAPER;
    let mut picture = Picture::new(size, [r, g, b, 255]);
    let times = enlarged(size);
    let mut canvas = Canvas::new(&mut picture).with_letter(times * LETTER);
    let (width, height) = (f64::from(size.width()), f64::from(size.height()));
    for shape in lay_out(plot, width / times, height / times) {
        match shape {
            Shape::Line { points, width, dashed, colour } => {
                let (ink, width) = (Ink::full(colour), width * times);
                let mut run = 0.0;
                for pair in points.windows(2) {
                    let (a, b) = (pair[0] * times, pair[1] * times);
                    if dashed {
                        run = dashes(&mut canvas, (a, b), times, run, |canvas, a, b| {
                            canvas.line(a, b, width, ink);
                        });
                    } else {
                        canvas.line(a, b, width, ink);
                    }
                }
            }
            Shape::Dot { at, radius, colour } => {
                canvas.disc(at * times, (radius + 1.0) * times, Ink::full(PAPER));
                canvas.disc(at * times, radius * times, Ink::full(colour));
            }
            Shape::Text { at, text, align, colour } => {
                let room = canvas.text_size(&text);
                let left = match align {
                    Align::Left => 0.0,
                    Align::Middle => 0.5,
                    Align::Right => 1.0,
                };
                canvas.text(&text, at * times - room * DVec2::new(left, 0.5), Ink::full(colour));
            }
        }
    }
    picture
}

/// Draws the dashes of a line at a scale, starting `run` pixels into the pattern; returns the new
/// position in the pattern.
fn dashes(
    canvas: &mut Canvas<'_>,
    (a, b): (DVec2, DVec2),
    times: f64,
    run: f64,
    mut draw: impl FnMut(&mut Canvas<'_>, DVec2, DVec2),
) -> f64 {
    let (dash, gap) = (5.0 * times, 4.0 * times);
    let length = a.distance(b);
    let at = |s: f64| a + (b - a) * (s / length.max(1e-9)).clamp(0.0, 1.0);
    let mut start = -run.rem_euclid(dash + gap);
    while start < length {
        let (from, to) = (start.max(0.0), (start + dash).min(length));
        if to > from {
            draw(canvas, at(from), at(to));
        }
        start += dash + gap;
    }
    run + length
}
