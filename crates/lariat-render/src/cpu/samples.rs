//! Sample positions: in a pixel, on the disc of the light, on the hemisphere of the sky.
//!
//! All positions come from fixed tables. Samples in a pixel are Hammersley points, warped to a tent
//! filter, which gives softer edges than a box; discs are sunflower spirals, which are even for any
//! number of points. Each pixel rotates its spirals by a low-discrepancy angle (Roberts' plane
//! sequence), so the remaining error looks like fine grain and is the same in every run.
//!
//! Tests: `samples_are_centred_and_spread`, `discs_are_filled_evenly`,
//! `every_sample_is_used_once`.

use glam::DVec2;
use lariat_core::num::ops;

/// Half-width of the tent filter of a pixel, in pixels.
pub(crate) const TENT: f64 = 0.8;

/// Golden angle in turns.
const GOLDEN: f64 = 0.381_966_011_250_105_15;

/// Tables for one picture.
#[derive(Clone, Debug)]
pub(crate) struct Samples {
    /// Offsets from the centre of a pixel, in pixels.
    pub pixel: Vec<DVec2>,
    /// On the unit disc, `shadow_rays` for each sample.
    pub shadow: Vec<DVec2>,
    /// On the unit disc, `sky_rays` for each sample.
    pub sky: Vec<DVec2>,
}

impl Samples {
    pub(crate) fn new(samples: usize, shadow_rays: usize, sky_rays: usize) -> Self {
        Self {
            pixel: (0..samples).map(|i| in_pixel(i, samples)).collect(),
            shadow: spirals(samples, shadow_rays),
            sky: spirals(samples, sky_rays),
        }
    }
}

impl Samples {
    /// Every `of`-th sample from `first` on, for one moment.
    pub(crate) fn dealt(&self, first: usize, of: usize) -> Self {
        let n = self.pixel.len();
        let pick = |row: &[DVec2]| {
            let each = row.len() / n;
            let chosen = (first..n).step_by(of);
            chosen.flat_map(|i| row[i * each..(i + 1) * each].iter().copied()).collect()
        };
        Self { pixel: pick(&self.pixel), shadow: pick(&self.shadow), sky: pick(&self.sky) }
    }
}

fn in_pixel(i: usize, n: usize) -> DVec2 {
    let x = (i as f64 + 0.5) / n as f64;
    let y = (bits_reversed(i as u32) + 0.5 / n as f64).min(1.0);
    let tent = |u: f64| {
        let t = if u < 0.5 { (2.0 * u).sqrt() - 1.0 } else { 1.0 - (2.0 - 2.0 * u).sqrt() };
        t * TENT
    };
    DVec2::new(tent(x), tent(y))
}

fn bits_reversed(i: u32) -> f64 {
    f64::from(i.reverse_bits()) / 4_294_967_296.0
}

/// One spiral for all samples; each sample takes points at equal intervals, from the centre to the
/// rim.
fn spirals(samples: usize, each: usize) -> Vec<DVec2> {
    let total = samples * each;
    let mut points = Vec::with_capacity(total);
    for i in 0..samples {
        for k in 0..each {
            let j = (k * samples + i) as f64;
            let r = ((j + 0.5) / total as f64).sqrt();
            let v = j * GOLDEN;
            points.push(DVec2::new(ops::cos_turns(v), ops::sin_turns(v)) * r);
        }
    }
    points
}

/// Rotation of a pixel's spirals, as cosine and sine.
pub(crate) fn turn_of(x: u32, y: u32) -> DVec2 {
    let v = f64::from(x) * 0.754_877_666_246_692_7 + f64::from(y) * 0.569_840_290_998_053_2;
    DVec2::new(ops::cos_turns(v), ops::sin_turns(v))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_centred_and_spread() {
        for n in [1, 4, 16, 24] {
            let points = Samples::new(n, 1, 1).pixel;
            let mean = points.iter().sum::<DVec2>() / n as f64;
            assert!(mean.length() < 0.35 / n as f64 + 0.02, "{mean} of {n}");
            assert!(points.iter().all(|p| p.abs().max_element() <= TENT));
        }
        assert_eq!(Samples::new(1, 0, 0).pixel, [DVec2::ZERO]);
    }

    #[test]
    fn every_sample_is_used_once() {
        let all = Samples::new(6, 2, 3);
        let parts = [all.dealt(0, 2), all.dealt(1, 2)];
        assert!(parts.iter().all(|p| (p.pixel.len(), p.shadow.len(), p.sky.len()) == (3, 6, 9)));
        assert_eq!(parts[1].pixel, [all.pixel[1], all.pixel[3], all.pixel[5]]);
        assert_eq!(parts[1].shadow[2..4], all.shadow[6..8]);
    }

    #[test]
    fn discs_are_filled_evenly() {
        let points = Samples::new(8, 8, 0).shadow;
        assert_eq!(points.len(), 64);
        let inner = points.iter().filter(|p| p.length() < 0.5).count();
        assert!((15..=17).contains(&inner), "a quarter of the disc has {inner} of 64");
        for i in 0..4 {
            let sector = |p: &&DVec2| {
                let v = ops::atan2(p.y, p.x) / std::f64::consts::TAU + 0.5;
                (v * 4.0) as usize % 4 == i
            };
            let count = points.iter().filter(sector).count();
            assert!((13..=19).contains(&count), "{count} in quarter {i}");
        }
    }
}
