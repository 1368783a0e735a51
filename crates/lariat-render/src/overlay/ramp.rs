//! Colour map from violet through blue and green to yellow.
//!
//! Perceptually uniform, and every step is lighter than the previous one, so the map also works
//! without colour and with the common kinds of colour blindness. The stops lie on a path through
//! Björn Ottosson's Oklab with even steps of lightness, the largest chroma that a screen can show
//! but at most 0.155, and hues from 305 to 105 degrees.
//!
//! Tests: `equal_steps_look_equal`, `values_beyond_the_ends_have_the_colour_of_the_end`.

use crate::tone::linear_from_srgb;

/// Stops at equal distances, sRGB.
const STOPS: [[u8; 3]; 11] = [
    [65, 1, 106],
    [61, 38, 137],
    [43, 68, 161],
    [2, 98, 165],
    [2, 124, 162],
    [0, 151, 164],
    [6, 177, 161],
    [37, 200, 147],
    [121, 216, 126],
    [186, 227, 107],
    [244, 234, 98],
];

/// Colour of missing values: a grey that is not on the map, linear.
pub const UNKNOWN: [f32; 3] = [0.22, 0.22, 0.23];

/// Colour of a value in 0–1, as bytes (sRGB); values beyond are clamped, and NaN is 0.
pub fn bytes_of(u: f64) -> [u8; 3] {
    srgb(u).map(|c| c.round() as u8)
}

/// Colour of a value in 0–1, linear; values beyond are clamped, and NaN is 0.
pub fn colour_of(u: f64) -> [f32; 3] {
    srgb(u).map(|c| linear_from_srgb(c / 255.0) as f32)
}

fn srgb(u: f64) -> [f64; 3] {
    let inside = if u.is_nan() { 0.0 } else { u.clamp(0.0, 1.0) };
    let place = inside * (STOPS.len() - 1) as f64;
    let before = (place as usize).min(STOPS.len() - 2);
    let share = place - before as f64;
    std::array::from_fn(|c| {
        let (a, b) = (f64::from(STOPS[before][c]), f64::from(STOPS[before + 1][c]));
        a + (b - a) * share
    })
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DVec3};
    use lariat_core::num::ops;

    use super::*;

    /// Ottosson 2020, columns of his two matrices.
    fn oklab(u: f64) -> DVec3 {
        let cones = DMat3::from_cols(
            DVec3::new(0.412_221_470_8, 0.211_903_498_2, 0.088_302_461_9),
            DVec3::new(0.536_332_536_3, 0.680_699_545_1, 0.281_718_837_6),
            DVec3::new(0.051_445_992_9, 0.107_396_956_6, 0.629_978_700_5),
        );
        let axes = DMat3::from_cols(
            DVec3::new(0.210_454_255_3, 1.977_998_495_1, 0.025_904_037_1),
            DVec3::new(0.793_617_785_0, -2.428_592_205_0, 0.782_771_766_2),
            DVec3::new(-0.004_072_046_8, 0.450_593_709_9, -0.808_675_766_0),
        );
        let light = DVec3::from(srgb(u).map(|c| linear_from_srgb(c / 255.0)));
        axes * DVec3::from((cones * light).to_array().map(ops::cbrt))
    }

    #[test]
    fn equal_steps_look_equal() {
        let steps: Vec<DVec3> =
            (0..10).map(|k| oklab(f64::from(k + 1) / 10.0) - oklab(f64::from(k) / 10.0)).collect();
        for step in &steps {
            assert!((0.076..0.083).contains(&step.length()), "{}", step.length());
            assert!(step.x > 0.055, "lighter by {}", step.x);
        }
    }

    #[test]
    fn values_beyond_the_ends_have_the_colour_of_the_end() {
        assert_eq!(bytes_of(-3.0), STOPS[0]);
        assert_eq!(bytes_of(f64::INFINITY), STOPS[10]);
        assert_eq!(bytes_of(f64::NAN), STOPS[0]);
        assert_eq!(bytes_of(0.3), STOPS[3]);
    }
}
