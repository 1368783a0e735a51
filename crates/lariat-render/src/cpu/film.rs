//! Accumulation of light per pixel, halos, and conversion to bytes.
//!
//! Light is added up before tone mapping, so several moments blur as they would in a camera.
//!
//! Tests: `light_is_averaged_and_not_bytes`, `uncovered_pixels_keep_their_colour`.

use glam::DVec3;
use rayon::prelude::*;

use super::shade::Light;
use crate::{
    Picture, Size,
    tone::{Encoder, develop, filmic},
};

/// Light of every pixel: red, green, blue times alpha; alpha.
pub(crate) struct Film {
    size: Size,
    pub pixels: Vec<[f32; 4]>,
}

/// A glow around a point of the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Halo {
    /// Centre, in pixels.
    pub x: f64,
    pub y: f64,
    /// Radius, in pixels.
    pub reach: f64,
    pub colour: DVec3,
}

impl Film {
    pub(crate) fn new(size: Size) -> Self {
        Self { size, pixels: vec![[0.0; 4]; size.pixels()] }
    }

    /// Adds halos in order.
    pub(crate) fn add_halos(&mut self, halos: &[Halo]) {
        let width = self.size.width() as usize;
        let span = |at: f64, reach: f64, most: u32| {
            let low = (at - reach).max(0.0) as usize;
            low..((at + reach + 1.0).max(0.0) as usize).min(most as usize)
        };
        for halo in halos {
            for y in span(halo.y, halo.reach, self.size.height()) {
                for x in span(halo.x, halo.reach, self.size.width()) {
                    let (dx, dy) = (x as f64 + 0.5 - halo.x, y as f64 + 0.5 - halo.y);
                    let q = (dx * dx + dy * dy) / (halo.reach * halo.reach);
                    if q >= 1.0 {
                        continue;
                    }
                    // Steep at the centre, flat at the rim.
                    let rest = 1.0 - q;
                    let much = rest * rest * rest / (1.0 + 24.0 * q);
                    let pixel = &mut self.pixels[y * width + x];
                    let add = halo.colour * much;
                    for (channel, light) in pixel.iter_mut().zip(add.to_array()) {
                        *channel += light as f32;
                    }
                    // Over a transparent background, the opacity of a glow equals its brightness.
                    pixel[3] = pixel[3].max(filmic(add.max_element()) as f32);
                }
            }
        }
    }

    /// Converts the light to a picture.
    pub(crate) fn develop(&self, exposure: f64, encoder: &Encoder) -> Picture {
        let mut picture = Picture::new(self.size, [0; 4]);
        picture.pixels_mut().par_iter_mut().zip(&self.pixels).for_each(|(byte, light)| {
            let alpha = light[3].clamp(0.0, 1.0);
            if alpha <= 0.0 {
                return;
            }
            let scale = exposure / f64::from(alpha);
            let colour = DVec3::new(light[0].into(), light[1].into(), light[2].into());
            let colour = develop(colour * scale);
            let channel = |c: f64| encoder.byte(c as f32);
            let [r, g, b] = [channel(colour.x), channel(colour.y), channel(colour.z)];
            *byte = [r, g, b, (f64::from(alpha) * 255.0).round() as u8];
        });
        picture
    }
}

/// Adds a share of light to a pixel.
pub(crate) fn expose(pixel: &mut [f32; 4], light: Light, share: f64) {
    let colour = light.colour * share;
    pixel[0] += colour.x as f32;
    pixel[1] += colour.y as f32;
    pixel[2] += colour.z as f32;
    pixel[3] += (light.alpha * share) as f32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_is_averaged_and_not_bytes() {
        let encoder = Encoder::new();
        let size = Size::new(1, 1).unwrap();
        let draw = |lights: &[f64]| {
            let mut film = Film::new(size);
            for light in lights {
                let light = Light { colour: DVec3::splat(*light), alpha: 1.0 };
                expose(&mut film.pixels[0], light, 1.0 / lights.len() as f64);
            }
            film.develop(1.0, &encoder).at(0, 0)[0]
        };
        assert_eq!(draw(&[0.0, 0.6]), draw(&[0.3]));
        let mean = u32::midpoint(draw(&[0.0]).into(), draw(&[0.6]).into());
        assert!(u32::from(draw(&[0.3])) > mean + 20, "the average is that of bytes");
    }

    #[test]
    fn uncovered_pixels_keep_their_colour() {
        let encoder = Encoder::new();
        let mut film = Film::new(Size::new(3, 1).unwrap());
        let light = Light { colour: DVec3::new(0.4, 0.2, 0.1), alpha: 1.0 };
        expose(&mut film.pixels[0], light, 1.0);
        expose(&mut film.pixels[1], light, 0.25);
        let picture = film.develop(1.0, &encoder);
        assert_eq!(picture.at(0, 0)[..3], picture.at(1, 0)[..3], "straight alpha");
        assert_eq!([0, 1, 2].map(|x| picture.at(x, 0)[3]), [255, 64, 0]);
        assert_eq!(picture.at(2, 0), [0; 4]);
    }
}
