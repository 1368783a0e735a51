//! Layout of a plot: lines, dots and text in pixels from the top left.

use glam::DVec2;

use super::{Panel, Plot, Series, Stroke};
use crate::typeface;

/// Colours of curves, as bytes; distinguishable with red-green colour blindness.
pub(super) const COLOURS: [[u8; 3]; 6] =
    [[29, 78, 137], [209, 98, 31], [35, 132, 103], [158, 54, 110], [122, 104, 20], [90, 90, 98]];
pub(super) const PAPER: [u8; 3] = [252, 252, 250];
const TEXT: [u8; 3] = [60, 62, 68];
const GRID: [u8; 3] = [226, 226, 222];
const AXIS: [u8; 3] = [150, 150, 148];

/// Alignment of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Middle,
    Right,
}

/// Something to draw.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Line {
        points: Vec<DVec2>,
        width: f64,
        dashed: bool,
        colour: [u8; 3],
    },
    Dot {
        at: DVec2,
        radius: f64,
        colour: [u8; 3],
    },
    /// Vertically centred.
    Text {
        at: DVec2,
        text: String,
        align: Align,
        colour: [u8; 3],
    },
}

const LEFT: f64 = 64.0;
const RIGHT: f64 = 18.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 38.0;
const BETWEEN: f64 = 32.0;
/// Line height of a legend.
const LINE: f64 = 17.0;
/// Height of capitals.
pub(super) const LETTER: f64 = 9.0;

/// Lays out a plot of this size in pixels.
pub(super) fn lay_out(plot: &Plot, width: f64, height: f64) -> Vec<Shape> {
    let mut shapes = Vec::new();
    let text = |at: (f64, f64), text: &str, align| Shape::Text {
        at: DVec2::new(at.0, at.1),
        text: text.to_owned(),
        align,
        colour: TEXT,
    };
    shapes.push(text((LEFT, 14.0), &plot.title, Align::Left));
    let right = (width - RIGHT).max(LEFT + 1.0);
    let legends: Vec<Vec<DVec2>> = plot.panels.iter().map(|panel| legend(panel, right)).collect();
    let lines = |legend: &[DVec2]| legend.last().map_or(0.0, |last| last.y);
    let shares: f64 = plot.panels.iter().map(|panel| panel.height).sum();
    let gaps = BETWEEN * plot.panels.len().saturating_sub(1) as f64
        + legends.iter().map(|legend| lines(legend)).sum::<f64>();
    let room = (height - TOP - BOTTOM - gaps).max(1.0);
    let mut top = TOP;
    for (index, (panel, legend)) in plot.panels.iter().zip(&legends).enumerate() {
        let first_line = top - 13.0;
        top += lines(legend);
        let tall = room * panel.height / shares.max(f64::MIN_POSITIVE);
        let frame = Frame {
            left: LEFT,
            right,
            top,
            bottom: top + tall,
            across: plot.across,
            values: range(panel),
        };
        let is_last = index + 1 == plot.panels.len();
        frame.grid(&panel.ticks, is_last, &mut shapes);
        if is_last {
            shapes.push(text((frame.right, frame.bottom + 29.0), &plot.axis, Align::Right));
        }
        shapes.push(text((frame.right, first_line), &panel.title, Align::Right));
        for (series, place) in named(panel).zip(legend) {
            entry(series, DVec2::new(place.x, first_line + place.y), &mut shapes);
        }
        for series in &panel.series {
            frame.curve(series, &mut shapes);
        }
        top += tall + BETWEEN;
    }
    shapes
}

/// Curves with an entry in the legend.
fn named(panel: &Panel) -> impl Iterator<Item = &Series> {
    panel.series.iter().filter(|series| !series.name.is_empty())
}

/// Positions of the names of curves, from the first line down: as many per line as fit beside the
/// unit.
fn legend(panel: &Panel, right: f64) -> Vec<DVec2> {
    let wide = |text: &str| typeface::width(text, LETTER);
    let end = right - wide(&panel.title) - LETTER;
    let mut at = DVec2::new(LEFT, 0.0);
    named(panel)
        .map(|series| {
            let room = 24.0 + wide(&series.name);
            if at.x > LEFT && at.x + room > end {
                at = DVec2::new(LEFT, at.y + LINE);
            }
            let here = at;
            at.x += room + 20.0;
            here
        })
        .collect()
}

/// Name of a curve in its colour, after a short line.
fn entry(series: &Series, at: DVec2, shapes: &mut Vec<Shape>) {
    let colour = COLOURS[series.colour % COLOURS.len()];
    let (width, dashed) = stroke(series.stroke);
    let points = vec![at, at + DVec2::X * 18.0];
    shapes.push(Shape::Line { points, width, dashed, colour });
    let at = at + DVec2::X * 24.0;
    shapes.push(Shape::Text { at, text: series.name.clone(), align: Align::Left, colour });
}

fn stroke(stroke: Stroke) -> (f64, bool) {
    match stroke {
        Stroke::Bold => (2.2, false),
        Stroke::Thin => (1.2, false),
        Stroke::Dashed => (1.2, true),
    }
}

/// Range of values of a panel, with a margin.
fn range(panel: &Panel) -> (f64, f64) {
    if let Some(range) = panel.range {
        return range;
    }
    let all = panel.series.iter().flat_map(|series| series.points.iter().chain(&series.knots));
    let (low, high) = all
        .map(|point| point.1)
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return (-1.0, 1.0);
    }
    let air = 0.06 * (high - low);
    // A level line has no range.
    let air = if air > 1e-12 * high.abs().max(low.abs()) { air } else { 0.1 * high.abs() + 1e-3 };
    (low - air, high + air)
}

/// Position and scale of one panel.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    across: (f64, f64),
    values: (f64, f64),
}

impl Frame {
    fn x(&self, at: f64) -> f64 {
        let (first, last) = self.across;
        self.left + (at - first) / (last - first).max(1e-9) * (self.right - self.left)
    }

    fn y(&self, value: f64) -> f64 {
        let (low, high) = self.values;
        // Values far outside are drawn just outside: renderers do not handle coordinates of 1e300.
        let share = ((value - low) / (high - low)).clamp(-1.0, 2.0);
        self.bottom - share * (self.bottom - self.top)
    }

    fn grid(&self, chosen: &[f64], last: bool, shapes: &mut Vec<Shape>) {
        let mut line = |from: DVec2, to: DVec2, colour| {
            shapes.push(Shape::Line { points: vec![from, to], width: 1.0, dashed: false, colour });
        };
        let across = |y: f64| (DVec2::new(self.left, y), DVec2::new(self.right, y));
        let down = |x: f64| (DVec2::new(x, self.top), DVec2::new(x, self.bottom));
        let about = ((self.bottom - self.top) / 26.0).clamp(2.0, 8.0);
        let values = if chosen.is_empty() { ticks(self.values, about) } else { chosen.to_vec() };
        let marks = ticks(self.across, ((self.right - self.left) / 70.0).clamp(2.0, 14.0));
        for value in &values {
            let (from, to) = across(self.y(*value));
            line(from, to, if *value == 0.0 { AXIS } else { GRID });
        }
        for at in &marks {
            let (from, to) = down(self.x(*at));
            line(from, to, GRID);
        }
        line(across(self.bottom).0, across(self.bottom).1, AXIS);
        let mut word = |at: DVec2, number: f64, align| {
            let text = tick_text(number);
            shapes.push(Shape::Text { at, text, align, colour: TEXT });
        };
        for value in values {
            word(DVec2::new(self.left - 8.0, self.y(value)), value, Align::Right);
        }
        // All panels share the horizontal axis.
        for at in marks.into_iter().filter(|_| last) {
            word(DVec2::new(self.x(at), self.bottom + 13.0), at, Align::Middle);
        }
    }

    fn curve(&self, series: &Series, shapes: &mut Vec<Shape>) {
        let colour = COLOURS[series.colour % COLOURS.len()];
        let (width, dashed) = stroke(series.stroke);
        for run in series.points.split(|point| !point.1.is_finite()) {
            if run.len() > 1 {
                let points = run.iter().map(|(t, v)| DVec2::new(self.x(*t), self.y(*v))).collect();
                shapes.push(Shape::Line { points, width, dashed, colour });
            }
        }
        for (at, value) in &series.knots {
            if *at >= self.across.0 && *at <= self.across.1 {
                let at = DVec2::new(self.x(*at), self.y(*value));
                shapes.push(Shape::Dot { at, radius: 4.5, colour });
            }
        }
    }
}

/// About `about` round numbers within a range.
fn ticks((low, high): (f64, f64), about: f64) -> Vec<f64> {
    let rough = (high - low) / about;
    if !(rough.is_finite() && rough > 0.0) {
        return Vec::new();
    }
    let mut unit = 1.0;
    while unit > rough {
        unit /= 10.0;
    }
    while unit * 10.0 <= rough {
        unit *= 10.0;
    }
    let step = [1.0, 2.0, 5.0, 10.0].map(|s| s * unit).into_iter().find(|s| *s >= rough);
    let step = step.unwrap_or(10.0 * unit);
    let (first, last) = ((low / step).ceil(), (high / step).floor());
    let count = (last - first).clamp(0.0, 50.0) as u32;
    (0..=count).map(|i| (first + f64::from(i)) * step + 0.0).filter(|v| *v <= high).collect()
}

/// Text of a number on an axis.
fn tick_text(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-3..1e6).contains(&size) {
        return format!("{number:.1e}");
    }
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks((0.0, 10.0), 5.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks((-0.3, 0.3), 3.0), [-0.2, 0.0, 0.2]);
        assert_eq!(ticks((1.0, 1.0), 5.0), [0.0; 0]);
        for tick in ticks((-1234.0, 77_000.0), 6.0) {
            assert!((-1234.0..=77_000.0).contains(&tick));
        }
    }

    #[test]
    fn numbers_on_axes_are_short() {
        assert_eq!([tick_text(0.0), tick_text(-2.5), tick_text(1e-7)], ["0", "-2.5", "1.0e-7"]);
    }
}
