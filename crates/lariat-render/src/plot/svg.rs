//! A plot as an SVG drawing.

use std::fmt::Write;

use super::Plot;
use super::layout::{Align, LETTER, PAPER, Shape, lay_out};
use crate::typeface::CAPITALS;

/// Renders a plot as SVG, with this nominal size in pixels.
pub fn svg(plot: &Plot, width: u32, height: u32) -> String {
    let mut out = String::new();
    let hex = |[r, g, b]: [u8; 3]| format!("#{r:02x}{g:02x}{b:02x}");
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"Inter, system-ui, sans-serif\" font-size=\"{:.2}\">",
        LETTER / CAPITALS
    );
    let _ = writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>", hex(PAPER));
    for shape in lay_out(plot, width.into(), height.into()) {
        let _ = match shape {
            Shape::Line { points, width, dashed, colour } => {
                let mut path = String::new();
                for p in points {
                    let _ = write!(path, "{:.2},{:.2} ", p.x, p.y);
                }
                let dashes = if dashed { " stroke-dasharray=\"5 4\"" } else { "" };
                writeln!(
                    out,
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"{dashes}/>",
                    path.trim_end(),
                    hex(colour)
                )
            }
            Shape::Dot { at, radius, colour } => writeln!(
                out,
                "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{radius}\" fill=\"{}\" stroke=\"{}\"/>",
                at.x,
                at.y,
                hex(colour),
                hex(PAPER)
            ),
            Shape::Text { at, text, align, colour } => {
                let anchor = match align {
                    Align::Left => "start",
                    Align::Middle => "middle",
                    Align::Right => "end",
                };
                writeln!(
                    out,
                    "<text x=\"{:.2}\" y=\"{:.2}\" text-anchor=\"{anchor}\" dominant-baseline=\"central\" fill=\"{}\">{}</text>",
                    at.x,
                    at.y,
                    hex(colour),
                    escaped(&text)
                )
            }
        };
    }
    out.push_str("</svg>\n");
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
