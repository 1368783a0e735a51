//! Water: the ripples of a ground that reflects, for both renderers.
//!
//! The surface is a sum of sine waves that travel in different directions, with the speed of waves
//! on deep water, `ω² = g k`. Only its slopes are needed: the surface itself stays level. Each wave
//! is shifted by the slopes of the longer ones, which bends the crests and hides the sum's pattern.
//! The slopes are a function of position and time, so every frame can be drawn on its own.
//!
//! A wave that is shorter than a pixel is left out, and its share of the slopes makes the
//! reflection weaker at low angles instead (after Bruneton, Neyret and Holzschuch 2010).
//!
//! Wavelengths follow the size of the scene, so that a toy boat and a ship both float on water with
//! visible ripples.
//!
//! Tests: `slopes_are_those_of_the_waves`, `ripples_move_and_come_at_any_time`,
//! `distant_ripples_fade`, `water_reflects_at_low_angles`.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};
use lariat_core::num::ops;

use crate::stage::smooth;

/// Number of waves; also in `common.wgsl`.
pub(crate) const WAVES: usize = 8;

/// Longest wave, in spacings of the ground's grid.
const LONGEST: f64 = 2.6;

/// Ratio of the lengths of two successive waves. Not a simple fraction, so that the sum does not
/// repeat in sight.
const SHORTER: f64 = 0.66;

/// Largest slope of the longest wave; shorter ones are slightly steeper.
const SLOPE: f64 = 0.026;

/// Shift of a wave by the slopes of the longer ones, in turns per unit of slope.
pub(crate) const BENT: f64 = 5.0;

/// Acceleration of gravity, in m/s².
const GRAVITY: f64 = 9.81;

/// Water at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Water {
    /// Time, in seconds.
    pub seconds: f64,
}

/// One wave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ripple {
    /// Direction times turns per metre.
    pub wave: DVec2,
    /// Phase at the origin, in turns, 0–1.
    pub phase: f64,
    /// Largest slope.
    pub slope: f64,
}

/// Slopes of the surface at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slopes {
    /// Along x and y.
    pub slope: DVec2,
    /// Mean square of the slopes that are smaller than a pixel.
    pub lost: f64,
}

impl Water {
    /// Waves for a grid of this spacing.
    pub(crate) fn ripples(self, spacing: f64) -> [Ripple; WAVES] {
        let mut length = LONGEST * spacing.max(1e-6);
        std::array::from_fn(|i| {
            // Both sides of the wind, which blows along the diagonal.
            let angle = 0.11 + 0.17 * ops::sin_turns(0.381_966 * i as f64 + 0.1);
            let direction = DVec2::new(ops::cos_turns(angle), ops::sin_turns(angle));
            let turns = 1.0 / length;
            // ω = √(g k) in turns per second, with k in radians.
            let hertz = (GRAVITY * TAU * turns).sqrt() / TAU;
            let phase = 0.618_034 * i as f64 * 3.7 - hertz * self.seconds;
            let ripple = Ripple {
                wave: direction * turns,
                phase: phase.rem_euclid(1.0),
                slope: SLOPE * (1.0 + 0.09 * i as f64),
            };
            length *= SHORTER;
            ripple
        })
    }
}

/// Slopes at a point of the surface, for a pixel that covers `ahead` and `aside` there.
pub(crate) fn slopes(ripples: &[Ripple; WAVES], at: DVec2, ahead: DVec2, aside: DVec2) -> Slopes {
    let mut sum = Slopes { slope: DVec2::ZERO, lost: 0.0 };
    for ripple in ripples {
        let covered = ripple.wave.dot(ahead).abs() + ripple.wave.dot(aside).abs();
        let kept = 1.0 - smooth(0.25, 0.8, covered);
        let turns = ripple.wave.dot(at)
            + ripple.phase
            + BENT * sum.slope.dot(ripple.wave) / ripple.wave.length();
        let steep = ripple.slope * kept;
        // Crests are narrower than troughs: the second harmonic has the same direction.
        let wave = ops::cos_turns(turns) + 0.3 * ops::cos_turns(2.0 * turns);
        sum.slope += ripple.wave / ripple.wave.length() * (steep * wave);
        sum.lost += 0.5 * ripple.slope * ripple.slope * (1.0 - kept * kept);
    }
    sum
}

/// Share of light that water reflects, by the cosine of the angle of view and the slopes that are
/// not drawn.
pub(crate) fn fresnel(facing: f64, lost: f64) -> f64 {
    let f = 1.0 - facing.clamp(0.0, 1.0);
    let rough = lost.max(0.0).sqrt();
    0.02 + 0.98 * f * f * f * f * f / (1.0 + 22.7 * rough * rough.sqrt())
}

/// Normal of a surface with these slopes.
pub(crate) fn normal(slope: DVec2) -> DVec3 {
    DVec3::new(-slope.x, -slope.y, 1.0).normalize_or(DVec3::Z)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARP: DVec2 = DVec2::ZERO;

    #[test]
    fn slopes_are_those_of_the_waves() {
        let ripples = Water { seconds: 0.0 }.ripples(2.0);
        // Each wave is shorter than the one before, and all travel with the wind.
        let wind = DVec2::new(ops::cos_turns(0.11), ops::sin_turns(0.11));
        for pair in ripples.windows(2) {
            assert!(pair[1].wave.length() > pair[0].wave.length());
            assert!(pair[1].wave.dot(wind) > 0.0);
        }
        let most: f64 = ripples.iter().map(|ripple| 1.3 * ripple.slope).sum();
        let (mut mean, mut largest) = (DVec2::ZERO, 0.0_f64);
        for k in 0..4000 {
            let at = DVec2::new(0.37 * f64::from(k), 0.11 * f64::from(k % 97));
            let found = slopes(&ripples, at, SHARP, SHARP);
            mean += found.slope / 4000.0;
            largest = largest.max(found.slope.length());
            assert_eq!(found.lost, 0.0);
        }
        assert!(mean.length() < 0.01, "the water is inclined: {mean}");
        assert!(largest > 0.3 * most && largest <= most, "{largest} of {most}");
    }

    #[test]
    fn ripples_move_and_come_at_any_time() {
        let at = |seconds: f64, place: DVec2| {
            slopes(&Water { seconds }.ripples(2.0), place, SHARP, SHARP).slope
        };
        let here = DVec2::new(0.4, -0.7);
        assert!(at(0.0, here).distance(at(0.2, here)) > 1e-3);
        // A wave travels along its direction: later, its phase is found farther away.
        let (early, late) =
            (Water { seconds: 1.0 }.ripples(2.0)[0], Water { seconds: 1.1 }.ripples(2.0)[0]);
        let length = 1.0 / early.wave.length();
        let speed = (GRAVITY * length / TAU).sqrt();
        let moved = early.wave.normalize_or(DVec2::X) * (0.1 * speed);
        let turns = late.wave.dot(moved) + late.phase - early.phase;
        assert!((turns - turns.round()).abs() < 1e-9, "{turns}");
    }

    #[test]
    fn distant_ripples_fade() {
        let ripples = Water { seconds: 0.0 }.ripples(2.0);
        let at = DVec2::new(3.0, 1.0);
        let far = slopes(&ripples, at, DVec2::new(500.0, 400.0), DVec2::new(3.0, -3.0));
        assert_eq!(far.slope, DVec2::ZERO);
        assert!(far.lost > 0.001, "{}", far.lost);
        assert!(fresnel(0.1, far.lost) < 0.8 * fresnel(0.1, 0.0));
    }

    #[test]
    fn water_reflects_at_low_angles() {
        assert!((fresnel(1.0, 0.0) - 0.02).abs() < 1e-12);
        assert!((fresnel(0.0, 0.0) - 1.0).abs() < 1e-12);
        assert!(fresnel(0.2, 0.0) > 0.3);
    }
}
