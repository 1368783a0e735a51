//! Typeface of text in pictures: Inter Medium, with soft edges and kerning.
//!
//! The file is built in (`typeface/`), so text needs nothing installed. Outlines are filled with
//! `ab_glyph`, which uses only additions, multiplications, divisions and square roots, so the bytes
//! are the same everywhere. Characters that the typeface does not have are drawn as a box.
//!
//! Heights are those of capitals, in whole pixels for sharp edges; small letters have three quarters
//! of it.
//!
//! Tests: `pairs_are_kerned`, `letters_stand_on_their_line`, `texts_are_as_wide_as_their_ink`,
//! `unknown_characters_are_boxes`, `every_letter_has_its_own_shape`.

use ab_glyph::{Font, FontRef, Glyph, GlyphId, point};

/// The file: Latin letters, digits, punctuation and some symbols.
const FILE: &[u8] = include_bytes!("../typeface/Inter-Medium.otf");

/// Height of capitals, in units of the em square: 2048 of 2816.
pub(crate) const CAPITALS: f64 = 2048.0 / 2816.0;

/// Depth of descenders below the line, relative to the height of capitals.
#[cfg(test)]
pub(crate) const DESCENT: f64 = 0.32;

/// Width of a text with capitals of this height, in the same unit.
pub(crate) fn width(text: &str, height: f64) -> f64 {
    let mut width = 0.0;
    glyphs(text, |_, _, end| width = end);
    width * height / CAPITALS
}

/// Calls `ink` with column, row and coverage (0–1) of every pixel of a text.
///
/// The text starts at `left` and stands on the lower edge of the row above `line`.
pub(crate) fn draw(
    text: &str,
    height: f64,
    (left, line): (f64, f64),
    mut ink: impl FnMut(i64, i64, f64),
) {
    let em = height / CAPITALS;
    glyphs(text, |font, id, end| {
        let scale = em * f64::from(font.height_unscaled()) / units(font);
        let x = left + em * (end - f64::from(font.h_advance_unscaled(id)) / units(font));
        // Whole pixels are added afterwards, so that far positions keep their precision.
        let position = point((x - x.floor()) as f32, 0.0);
        let glyph = Glyph { id, scale: (scale as f32).into(), position };
        let Some(outline) = font.outline_glyph(glyph) else { return };
        let corner = outline.px_bounds().min;
        let (column, row) = (x.floor() as i64 + corner.x as i64, line as i64 + corner.y as i64);
        outline.draw(|x, y, cover| {
            ink(column + i64::from(x), row + i64::from(y), f64::from(cover.clamp(0.0, 1.0)));
        });
    });
}

/// Calls `each` with every glyph of a text and the position of its right side, in ems.
fn glyphs(text: &str, mut each: impl FnMut(&FontRef<'_>, GlyphId, f64)) {
    // The built-in file is valid; the tests draw with it.
    let Ok(font) = FontRef::try_from_slice(FILE) else { return };
    let mut end = 0.0;
    let mut before = None;
    for letter in text.chars() {
        let id = font.glyph_id(letter);
        let kerning = before.map_or(0.0, |before| font.kern_unscaled(before, id));
        end += f64::from(kerning + font.h_advance_unscaled(id)) / units(&font);
        each(&font, id, end);
        before = Some(id);
    }
}

fn units(font: &FontRef<'_>) -> f64 {
    font.units_per_em().map_or(1.0, f64::from)
}

/// Whether the typeface has every character of a text.
#[cfg(test)]
pub(crate) fn has_all(text: &str) -> bool {
    let mut all = true;
    glyphs(text, |_, id, _| all &= id != GlyphId(0));
    all
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// Covered pixels of a text on row 0, in 255 steps.
    fn pixels(text: &str, height: f64) -> BTreeMap<(i64, i64), u8> {
        let mut all = BTreeMap::new();
        draw(text, height, (0.0, 0.0), |x, y, cover| {
            if cover > 0.002 {
                all.insert((x, y), (255.0 * cover).round() as u8);
            }
        });
        all
    }

    #[test]
    fn pairs_are_kerned() {
        for pair in ["AV", "To", "WA"] {
            let mut letters = pair.chars();
            let alone: f64 = letters.by_ref().map(|c| width(&c.to_string(), 8.0)).sum();
            assert!(width(pair, 8.0) < alone - 0.3, "{pair}");
        }
        assert_eq!(width("nn", 8.0), 2.0 * width("n", 8.0));
    }

    #[test]
    fn letters_stand_on_their_line() {
        for height in [8.0, 12.0, 31.0] {
            let rows = |text: &str| {
                let rows: BTreeSet<i64> =
                    pixels(text, height).iter().filter(|p| *p.1 > 20).map(|p| p.0.1).collect();
                (*rows.first().unwrap(), *rows.last().unwrap())
            };
            assert_eq!(rows("H"), (-height as i64, -1), "a capital has its height");
            assert_eq!(rows("x").1, -1);
            let depth = rows("g").1 + 1;
            assert!(depth > 0 && depth as f64 <= (DESCENT * height).ceil(), "{depth} of {height}");
        }
    }

    #[test]
    fn texts_are_as_wide_as_their_ink() {
        for text in ["M", "12.5", "frame 44", "→ µ ° ×"] {
            let ink = pixels(text, 20.0);
            let last = ink.keys().map(|p| p.0).max().unwrap() as f64;
            let end = width(text, 20.0);
            assert!(last <= end && last > end - 6.0, "{text}: {last} of {end}");
        }
        assert_eq!(width("", 20.0), 0.0);
        assert_eq!(width("rope", 20.0), 2.0 * width("rope", 10.0));
    }

    #[test]
    fn unknown_characters_are_boxes() {
        assert!(!has_all("日") && has_all("Zoë – 3 × 5 µm…"));
        assert_eq!(pixels("日", 12.0), pixels("語", 12.0));
        assert!(!pixels("日", 12.0).is_empty());
    }

    #[test]
    fn every_letter_has_its_own_shape() {
        let all: Vec<char> = ('!'..='~').chain("°²±µ×–…→←≤≥′″".chars()).collect();
        let shapes: BTreeSet<_> = all.iter().map(|c| pixels(&c.to_string(), 12.0)).collect();
        assert_eq!(shapes.len(), all.len());
    }
}
