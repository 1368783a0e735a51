//! Legend of a colour map: a bar with a title, ticks and round numbers.
//!
//! Tests: `ticks_are_round_and_inside`, `the_bar_has_all_colours`.

use glam::DVec2;

use super::{
    canvas::{Canvas, Ink, PALE, SHADE},
    ramp::bytes_of,
};

/// Legend of a colour map.
#[derive(Clone, Debug, PartialEq)]
pub struct Legend {
    /// Measured quantity: `slack`.
    pub title: String,
    /// Unit: `%`.
    pub unit: String,
    /// Value of the first colour.
    pub low: f64,
    /// Value of the last colour.
    pub high: f64,
}

impl Legend {
    /// Position of a value on the map, 0–1; beyond that outside the map.
    pub fn place(&self, number: f64) -> f64 {
        let wide = self.high - self.low;
        if wide > 0.0 { (number - self.low) / wide } else { 0.5 }
    }

    /// Round numbers on the map, at most seven, with their text.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        round_numbers(self.low, self.high)
    }

    /// Paints the legend in the lower left corner.
    pub fn paint(&self, canvas: &mut Canvas<'_>) {
        let (unit, size, letter) = (canvas.unit(), canvas.size(), canvas.letter());
        let title = format!("{} ({})", self.title, self.unit);
        let wide = (0.3 * size.x).max(canvas.text_size(&title).x).round();
        let thick = (12.0 * unit).round();
        let gap = (0.75 * letter).round();
        let tall = letter + gap + thick + gap + letter;
        let margin = (16.0 * unit).round();
        // Space for half a number beyond each end of the bar.
        let side = 2.0 * gap;
        let low = DVec2::new(margin, size.y - margin - tall - 2.0 * gap);
        let high = DVec2::new(margin + wide + 2.0 * side, size.y - margin);
        canvas.panel(low, high, SHADE);
        let start = low + DVec2::new(side, gap);
        canvas.text(&title, start, PALE);
        let bar = start + DVec2::new(0.0, letter + gap);
        for x in 0..wide as u32 {
            let corner = bar + DVec2::new(x.into(), 0.0);
            let colour = bytes_of((f64::from(x) + 0.5) / wide);
            canvas.panel(corner, corner + DVec2::new(1.0, thick), Ink::full(colour));
        }
        let mut free = f64::NEG_INFINITY;
        let space = 0.2 * letter;
        for (number, text) in self.ticks() {
            let x = bar.x + wide * self.place(number);
            let foot = DVec2::new(x.round(), bar.y + thick);
            canvas.line(foot, foot + DVec2::new(0.0, 0.4 * gap), 0.15 * letter, PALE);
            let wide = canvas.text_size(&text).x;
            let left = (x - 0.5 * wide).min(high.x - wide - space).max(low.x + space);
            if left > free {
                canvas.text(&text, DVec2::new(left, bar.y + thick + gap), PALE);
                free = left + wide + 0.7 * letter;
            }
        }
    }
}

/// Round numbers in a range, at most seven, with their text.
fn round_numbers(low: f64, high: f64) -> Vec<(f64, String)> {
    let wide = high - low;
    if !(wide > 0.0 && wide.is_finite() && low.is_finite()) {
        return vec![(low, format!("{low:.2}"))];
    }
    // The smallest of … 0.1, 0.2, 0.5, 1, 2, 5 … with at most six intervals; found by counting
    // instead of logarithms or powers.
    let (mut decimals, mut step) = (9, 1e-9);
    let mut row = [2.0, 2.5, 2.0].into_iter().cycle();
    let mut taken = 0;
    while wide / step > 6.0 {
        step *= row.next().unwrap_or(2.0);
        taken += 1;
        decimals = 9 - taken / 3;
    }
    let decimals = decimals.max(0) as usize;
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    let number = |k: u32| {
        let number = (first + f64::from(k)) * step + 0.0;
        (number, format!("{number:.decimals$}"))
    };
    (0..=6).map(number).filter(|(number, _)| *number <= (last + 0.5) * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Picture, Size};

    fn written(low: f64, high: f64) -> Vec<String> {
        round_numbers(low, high).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(written(0.0, 10.0), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(written(0.13, 0.71), ["0.2", "0.3", "0.4", "0.5", "0.6", "0.7"]);
        assert_eq!(written(-3.0, 22.0), ["0", "5", "10", "15", "20"]);
        assert_eq!(written(1200.0, 3700.0), ["1500", "2000", "2500", "3000", "3500"]);
        assert_eq!(written(0.0, 0.004), ["0.000", "0.001", "0.002", "0.003", "0.004"]);
        assert_eq!(written(2.0, 2.0), ["2.00"]);
        assert_eq!(round_numbers(0.0, 1e20).len(), 6);
        assert!(round_numbers(-1e300, 1e300).len() <= 7);
        for k in 1..400 {
            let (low, high) =
                (f64::from(k % 7) * 0.37, f64::from(k % 7) * 0.37 + f64::from(k) * 0.13);
            let count = round_numbers(low, high).len();
            assert!((2..=7).contains(&count), "{count} from {low} to {high}");
        }
    }

    #[test]
    fn the_bar_has_all_colours() {
        let mut picture = Picture::new(Size::new(640, 360).unwrap(), [90, 90, 90, 255]);
        let legend = Legend { title: "slack".into(), unit: "%".into(), low: 0.0, high: 12.5 };
        legend.paint(&mut Canvas::new(&mut picture));
        let has = |colour: [u8; 3]| {
            let near = |p: &[u8; 4]| (0..3).all(|c| p[c].abs_diff(colour[c]) <= 2);
            picture.pixels().iter().any(near)
        };
        for k in 0..=20 {
            assert!(has(bytes_of(f64::from(k) / 20.0)), "{k}");
        }
        assert_eq!(picture.at(600, 20), [90, 90, 90, 255], "other pixels are unchanged");
        assert_eq!((legend.place(6.25), legend.place(25.0)), (0.5, 2.0));
    }

    #[test]
    fn a_number_wider_than_the_bar_is_painted() {
        let mut picture = Picture::new(Size::new(100, 40).unwrap(), [90, 90, 90, 255]);
        let legend = Legend { title: "x".into(), unit: "m".into(), low: 0.0, high: 1e30 };
        legend.paint(&mut Canvas::new(&mut picture));
        assert!(picture.pixels().iter().any(|p| p[0] > 150), "the legend is empty");
    }
}
