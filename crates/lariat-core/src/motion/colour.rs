//! Colours in linear red, green and blue, so that interpolation between keys mixes light.
//!
//! Colours are written as `#rrggbb` in sRGB, which is perceptually spaced. [`Colour::from_hex`] and
//! [`Colour::to_hex`] convert by the curve of IEC 61966-2-1; all 256 steps survive the round trip.

use std::fmt::Write as _;
use std::str::FromStr;

use thiserror::Error;

use crate::num::ops;

/// Linear red, green, blue; 0 is black, 1 the brightest a screen shows, more is allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour(pub [f64; 3]);

/// Error of parsing a colour.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "`{given}` is not a colour: write # and six hexadecimal digits, such as #d2a060, or three, such as #da6"
)]
pub struct ColourError {
    /// The text as given.
    pub given: String,
}

impl Colour {
    /// Black.
    pub const BLACK: Self = Self([0.0; 3]);

    /// White.
    pub const WHITE: Self = Self([1.0; 3]);

    /// Parses `#rrggbb` or `#rgb`.
    pub fn from_hex(text: &str) -> Result<Self, ColourError> {
        let wrong = || ColourError { given: text.to_owned() };
        let digits = text.strip_prefix('#').ok_or_else(wrong)?;
        let digits: Vec<u32> =
            digits.chars().map(|c| c.to_digit(16)).collect::<Option<_>>().ok_or_else(wrong)?;
        let bytes = match digits[..] {
            [r, g, b] => [17 * r, 17 * g, 17 * b],
            [r1, r0, g1, g0, b1, b0] => [16 * r1 + r0, 16 * g1 + g0, 16 * b1 + b0],
            _ => return Err(wrong()),
        };
        Ok(Self(bytes.map(|byte| linear_from_srgb(f64::from(byte) / 255.0))))
    }

    /// The nearest `#rrggbb`; values outside 0–1 are clamped.
    pub fn to_hex(self) -> String {
        self.0.into_iter().fold("#".to_owned(), |mut text, light| {
            let byte = (255.0 * srgb_from_linear(light.clamp(0.0, 1.0))).round() as u8;
            // Writing into a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

impl FromStr for Colour {
    type Err = ColourError;

    fn from_str(text: &str) -> Result<Self, ColourError> {
        Self::from_hex(text)
    }
}

impl From<[f64; 3]> for Colour {
    fn from(linear: [f64; 3]) -> Self {
        Self(linear)
    }
}

impl From<Colour> for [f64; 3] {
    fn from(colour: Colour) -> Self {
        colour.0
    }
}

/// Linear from sRGB, IEC 61966-2-1 with its linear toe.
pub(crate) fn linear_from_srgb(c: f64) -> f64 {
    if c <= 0.040_45 { c / 12.92 } else { ops::pow((c + 0.055) / 1.055, 2.4) }
}

/// Inverse of [`linear_from_srgb`].
fn srgb_from_linear(c: f64) -> f64 {
    if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * ops::pow(c, 1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_colours_have_known_linear_values() {
        assert_eq!(Colour::from_hex("#ffffff").unwrap(), Colour::WHITE);
        assert_eq!(Colour::from_hex("#000000").unwrap(), Colour::BLACK);
        assert_eq!(Colour::from_hex("#f80"), Colour::from_hex("#FF8800"));
        // The standard's middle grey: sRGB 188 is half the light, within one step.
        let Colour([grey, ..]) = "#bcbcbc".parse().unwrap();
        assert!((grey - 0.502_886_458_033_287).abs() < 1e-12, "{grey}");
    }

    #[test]
    fn every_step_of_a_screen_survives_the_round_trip() {
        for byte in 0..=255u8 {
            let text = format!("#{byte:02x}{:02x}{:02x}", 255 - byte, byte / 2);
            assert_eq!(Colour::from_hex(&text).unwrap().to_hex(), text);
        }
        assert_eq!(Colour([7.0, -1.0, 0.0]).to_hex(), "#ff0000");
    }

    #[test]
    fn invalid_colours_are_refused() {
        for text in
            ["", "#", "ffffff", "#fffff", "#fffffff", "#ffgfff", "red", "#ffffff ", "#é00000"]
        {
            assert!(Colour::from_hex(text).is_err(), "{text} was accepted as a colour");
        }
    }
}
