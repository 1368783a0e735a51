//! Plots of curves: panels below each other with a common horizontal axis in frames or hertz.
//!
//! A [`Plot`] describes the content. `layout.rs` arranges it as lines, dots and text; `svg.rs`
//! writes them as a vector drawing, `picture.rs` paints them as pixels.
//!
//! Tests: `a_drawing_has_the_curve_its_keys_and_its_text`,
//! `gaps_break_a_curve`,
//! `the_painted_curve_is_where_the_drawn_one_is`, `long_legends_continue_on_the_next_line`,
//! `texts_of_a_plot_can_be_painted`, `texts_do_not_overlap_at_any_size`.

mod layout;
mod picture;
mod svg;

pub use self::picture::picture;
pub use self::svg::svg;

/// Line style of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stroke {
    /// The main curve.
    #[default]
    Bold,
    /// A secondary curve.
    Thin,
    /// A reference level.
    Dashed,
}

/// One curve.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// `(across, value)` in ascending order; a value that is not finite is a gap.
    pub points: Vec<(f64, f64)>,
    /// Line style.
    pub stroke: Stroke,
    /// Index of the colour in the plot.
    pub colour: usize,
    /// `(across, value)` of the keys on it.
    pub knots: Vec<(f64, f64)>,
}

/// Curves that share an axis of values.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// Quantity with its unit.
    pub title: String,
    /// The curves.
    pub series: Vec<Series>,
    /// Range of values; by default that of the curves.
    pub range: Option<(f64, f64)>,
    /// Ticks; by default round numbers within the range.
    pub ticks: Vec<f64>,
    /// Height relative to the other panels.
    pub height: f64,
}

/// Panels below each other.
#[derive(Clone, Debug, Default)]
pub struct Plot {
    /// Title.
    pub title: String,
    /// Label of the horizontal axis: frames, hertz.
    pub axis: String,
    /// Range of the horizontal axis.
    pub across: (f64, f64),
    /// From the top down.
    pub panels: Vec<Panel>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Size,
        typeface::{self, DESCENT},
    };

    fn sine() -> Plot {
        let points: Vec<_> = (0..=48).map(|f| (f64::from(f), f64::from(f % 12) - 6.0)).collect();
        let curve = Series {
            name: "swing <1>".to_owned(),
            knots: vec![(0.0, -6.0), (24.0, -6.0)],
            points,
            ..Series::default()
        };
        let panel = Panel {
            title: "degrees".to_owned(),
            series: vec![curve],
            height: 1.0,
            ..Panel::default()
        };
        Plot {
            title: "rein.swing".to_owned(),
            axis: "frames".to_owned(),
            across: (0.0, 48.0),
            panels: vec![panel],
        }
    }

    #[test]
    fn a_drawing_has_the_curve_its_keys_and_its_text() {
        let text = svg(&sine(), 800, 400);
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        assert_eq!(text.matches("<circle").count(), 2);
        assert!(text.contains("swing &lt;1&gt;") && text.contains("degrees"));
    }

    #[test]
    fn long_legends_continue_on_the_next_line() {
        let mut plot = sine();
        let line = |text: &str, word: &str| -> f64 {
            let at = text.find(&format!(">{word}<")).unwrap();
            let from = text[..at].rfind(" y=\"").unwrap() + 4;
            text[from..].split('"').next().unwrap().parse().unwrap()
        };
        let names = ["the first of three", "the second of three", "the third of three"];
        plot.panels[0].series = names
            .iter()
            .map(|name| Series { name: (*name).to_owned(), ..plot.panels[0].series[0].clone() })
            .collect();
        let wide = svg(&plot, 1000, 400);
        assert_eq!(line(&wide, names[0]), line(&wide, names[2]));
        let narrow = svg(&plot, 500, 400);
        assert_eq!(line(&narrow, names[0]), line(&narrow, names[1]));
        assert!(line(&narrow, names[2]) > line(&narrow, names[0]) + 10.0);
        // The unit stays on the first line, and the panel makes room.
        assert_eq!(line(&narrow, "degrees"), line(&narrow, names[0]));
    }

    #[test]
    fn texts_do_not_overlap_at_any_size() {
        let mut plot = sine();
        let mut panel = plot.panels[0].clone();
        panel.series[0].points.iter_mut().for_each(|point| point.1 *= 1234.5);
        panel.series.push(Series { name: "imaginary part".to_owned(), ..panel.series[0].clone() });
        panel.series.push(Series { name: "around".to_owned(), ..panel.series[0].clone() });
        plot.panels = vec![panel; 4];
        for (width, height) in
            [(640, 480), (960, 600), (1280, 720), (1600, 900), (1920, 1080), (3840, 2160)]
        {
            let size = Size::new(width, height).unwrap();
            let times = picture::enlarged(size);
            let (across, down) = (f64::from(width) / times, f64::from(height) / times);
            // Painted extent of every text, with its descenders.
            let boxes: Vec<(String, [f64; 4])> = layout::lay_out(&plot, across, down)
                .into_iter()
                .filter_map(|shape| match shape {
                    layout::Shape::Text { at, text, align, .. } => {
                        let wide = typeface::width(&text, layout::LETTER);
                        let left = match align {
                            layout::Align::Left => at.x,
                            layout::Align::Middle => at.x - 0.5 * wide,
                            layout::Align::Right => at.x - wide,
                        };
                        let half = 0.5 * layout::LETTER;
                        let bottom = at.y + half + DESCENT * layout::LETTER;
                        Some((text, [left, at.y - half, left + wide, bottom]))
                    }
                    _ => None,
                })
                .collect();
            for (i, (one, a)) in boxes.iter().enumerate() {
                let inside = a[0] >= 0.0 && a[1] >= 0.0 && a[2] <= across && a[3] <= down;
                assert!(inside, "`{one}` at {a:?} of {width}x{height}");
                for (other, b) in &boxes[..i] {
                    let apart = a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3];
                    assert!(apart, "`{one}` on `{other}` at {width}x{height}");
                }
            }
        }
    }

    #[test]
    fn texts_of_a_plot_can_be_painted() {
        for text in
            ["rope.waves[0].height", "degrees/s²", "±90°", "overshoot = 0.01", "<first_one>"]
        {
            assert!(typeface::has_all(text), "{text}");
        }
        assert!(!typeface::has_all("日"));
    }

    #[test]
    fn gaps_break_a_curve() {
        let mut plot = sine();
        let whole = svg(&plot, 800, 400);
        plot.panels[0].series[0].points[20].1 = f64::NAN;
        let broken = svg(&plot, 800, 400);
        let curves = |text: &str| text.matches("<polyline").count();
        assert_eq!(curves(&broken), curves(&whole) + 1);
        assert!(!broken.contains("NaN"));
    }

    #[test]
    fn the_painted_curve_is_where_the_drawn_one_is() {
        let plot = sine();
        let size = Size::new(800, 400).unwrap();
        let painted = picture(&plot, size);
        // Every key has a painted dot at its position in the drawing.
        let text = svg(&plot, 800, 400);
        let places: Vec<(f64, f64)> = text
            .lines()
            .filter(|line| line.starts_with("<circle"))
            .map(|line| {
                let number = |name: &str| {
                    let from = line.find(name).unwrap() + name.len();
                    line[from..].split('"').next().unwrap().parse().unwrap()
                };
                (number("cx=\""), number("cy=\""))
            })
            .collect();
        assert_eq!(places.len(), 2);
        for (x, y) in places {
            let [r, g, b, _] = painted.at(x as u32, y as u32);
            assert!(u32::from(r) + u32::from(g) + u32::from(b) < 500, "paper at {x}, {y}");
        }
    }
}
