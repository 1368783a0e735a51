//! Tone mapping: a film response, then the sRGB curve of IEC 61966-2-1.
//!
//! Light is unbounded, bytes are not. The response is Narkowicz's fit of the ACES film curve
//! (2015): nearly linear in the shadows, rolling off in the highlights, so that a bulb saturates
//! softly. It is a rational function, so it has the same bits everywhere.
//!
//! The sRGB curve contains a power. A byte is found by comparison with the 255 thresholds between
//! bytes, which are computed once, so that no power is evaluated per pixel and rounding is exact.
//!
//! Tests: `bytes_are_those_of_the_standard`, `every_byte_survives_the_round_trip`,
//! `the_film_rises_and_never_leaves_its_range`, `grey_stays_grey`.

use glam::DVec3;
use lariat_core::num::ops;

/// Film response: light in 0–∞ to 0–1.
pub fn filmic(x: f64) -> f64 {
    let x = x.max(0.0);
    // Above this the result is 255, and infinity would give NaN.
    let x = x.min(1e4);
    ((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)).min(1.0)
}

/// Film response of a colour.
///
/// Applied to each channel, the curve makes colours gaudy; applied to brightness alone it keeps
/// them, but strong light stays coloured instead of turning white. The mean of both looks natural,
/// with only the former in saturated highlights.
pub fn develop(light: DVec3) -> DVec3 {
    let light = light.max(DVec3::ZERO).min(DVec3::splat(1e4));
    let each = DVec3::new(filmic(light.x), filmic(light.y), filmic(light.z));
    // Luminance (ITU-R BT.709).
    let bright = light.dot(DVec3::new(0.2126, 0.7152, 0.0722));
    let held = filmic(bright);
    let whole = if bright > 0.0 { light * (held / bright) } else { DVec3::ZERO };
    each.lerp(whole.min(DVec3::ONE), 0.6 * (1.0 - held * held))
}

/// sRGB encoding: linear light in 0–1 to the stored value in 0–1.
pub fn srgb_from_linear(x: f64) -> f64 {
    if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * ops::pow(x, 1.0 / 2.4) - 0.055 }
}

/// Inverse of [`srgb_from_linear`].
pub fn linear_from_srgb(x: f64) -> f64 {
    if x <= 0.040_45 { x / 12.92 } else { ops::pow((x + 0.055) / 1.055, 2.4) }
}

/// Turns linear light into bytes.
#[derive(Clone, Debug)]
pub struct Encoder {
    /// Threshold between byte `i` and `i + 1`.
    steps: [f32; 255],
    /// Byte at the start of each slice of 0–1, where the search begins.
    first: [u8; SLICES],
}

const SLICES: usize = 1024;

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder {
    /// Computes the thresholds.
    pub fn new() -> Self {
        let steps: [f32; 255] =
            std::array::from_fn(|i| linear_from_srgb((i as f64 + 0.5) / 255.0) as f32);
        let first = std::array::from_fn(|i| {
            let x = i as f32 / SLICES as f32;
            steps.partition_point(|step| *step <= x) as u8
        });
        Self { steps, first }
    }

    /// Byte of linear light in 0–1; values beyond are clamped, and NaN is 0.
    pub fn byte(&self, x: f32) -> u8 {
        let slice = (x * SLICES as f32) as usize; // saturates; NaN is 0
        if slice >= SLICES {
            return 255;
        }
        let mut byte = self.first[slice];
        while byte < 255 && self.steps[byte as usize] <= x {
            byte += 1;
        }
        byte
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_standard() {
        let encoder = Encoder::new();
        for i in 0..=100_000 {
            let x = f64::from(i) / 100_000.0;
            let standard = srgb_from_linear(x) * 255.0;
            // At a threshold both neighbours are equally near.
            if (standard.fract() - 0.5).abs() > 1e-4 {
                assert_eq!(f64::from(encoder.byte(x as f32)), standard.round(), "at {x}");
            }
        }
        assert_eq!([-1.0, f32::NAN, 7.0, f32::INFINITY].map(|x| encoder.byte(x)), [0, 0, 255, 255]);
        // Values of the standard: half of the light is byte 188, byte 119 is 18 % grey.
        assert_eq!((encoder.byte(0.5), encoder.byte(0.184)), (188, 119));
    }

    #[test]
    fn every_byte_survives_the_round_trip() {
        let encoder = Encoder::new();
        for byte in 0..=255 {
            assert_eq!(encoder.byte(linear_from_srgb(f64::from(byte) / 255.0) as f32), byte);
        }
    }

    #[test]
    fn the_film_rises_and_never_leaves_its_range() {
        let mut before = -1.0;
        for i in 0..400 {
            let y = filmic(f64::from(i) * 0.02);
            assert!(y > before && (0.0..=1.0).contains(&y), "{y} at {i}");
            before = if y < 1.0 { y } else { -1.0 };
        }
        assert_eq!(filmic(0.0), 0.0);
        assert_eq!(filmic(-3.0), 0.0);
        assert_eq!(filmic(f64::INFINITY), 1.0);
    }

    #[test]
    fn grey_stays_grey() {
        for x in [0.0, 0.02, 0.3, 1.0, 50.0] {
            let grey = develop(DVec3::splat(x));
            assert!((grey - DVec3::splat(filmic(x))).abs().max_element() < 1e-12, "{grey}");
        }
        // A strong red keeps its hue, and turns white in the end.
        let red = develop(DVec3::new(0.5, 0.05, 0.05));
        assert!(red.x > 3.0 * red.y);
        assert!(develop(DVec3::new(500.0, 50.0, 50.0)).min_element() > 0.9);
        assert!(develop(DVec3::INFINITY).is_finite());
    }
}
