//! A plot painted.

use glam::DVec2;

use super::Plot;
use super::layout::{Align, PAPER, Shape, lay_out};
use crate::overlay::{Canvas, Ink};
use crate::{Picture, Size};

/// The plot as a picture.
pub fn picture(plot: &Plot, size: Size) -> Picture {
    let [r, g, b] = PAPER;
    let mut picture = Picture::new(size, [r, g, b, 255]);
    let mut canvas = Canvas::new(&mut picture);
    for shape in lay_out(plot, size.width().into(), size.height().into()) {
        match shape {
            Shape::Line { points, width, dashed, colour } => {
                let ink = Ink::full(colour);
                let mut run = 0.0;
                for pair in points.windows(2) {
                    if dashed {
                        run = dashes(&mut canvas, pair[0], pair[1], run, |canvas, a, b| {
                            canvas.line(a, b, width, ink);
                        });
                    } else {
                        canvas.line(pair[0], pair[1], width, ink);
                    }
                }
            }
            Shape::Dot { at, radius, colour } => {
                canvas.disc(at, radius + 1.0, Ink::full(PAPER));
                canvas.disc(at, radius, Ink::full(colour));
            }
            Shape::Text { at, text, align, colour } => {
                let room = canvas.text_size(&text);
                let left = match align {
                    Align::Left => 0.0,
                    Align::Middle => 0.5,
                    Align::Right => 1.0,
                };
                canvas.text(&text, at - room * DVec2::new(left, 0.5), Ink::full(colour));
            }
        }
    }
    picture
}

/// Draws every second stretch of a line, `run` pixels after the first began; returns how far it
/// has come.
fn dashes(
    canvas: &mut Canvas<'_>,
    a: DVec2,
    b: DVec2,
    run: f64,
    mut draw: impl FnMut(&mut Canvas<'_>, DVec2, DVec2),
) -> f64 {
    const DASH: f64 = 5.0;
    const GAP: f64 = 4.0;
    let length = a.distance(b);
    let at = |s: f64| a + (b - a) * (s / length.max(1e-9)).clamp(0.0, 1.0);
    let mut start = -run.rem_euclid(DASH + GAP);
    while start < length {
        let (from, to) = (start.max(0.0), (start + DASH).min(length));
        if to > from {
            draw(canvas, at(from), at(to));
        }
        start += DASH + GAP;
    }
    run + length
}
