//! Uniform wind, and gusts generated from a seed.
//!
//! Gusts are a sum of transverse plane waves of velocity, so the field is divergence-free
//! (Kraichnan 1970). Their sizes halve from one octave to the next, and their strength falls as in
//! turbulent air, `u ∝ size^(1/3)` (Kolmogorov). The wind carries them along; in addition they
//! change over time, small ones faster. The field is a function of place and time, without state.
//!
//! Tests: `gusts_have_the_root_mean_square_asked_for`, `gusts_are_divergence_free`,
//! `a_seed_repeats_its_gusts_and_another_differs`.

use std::f64::consts::TAU;

use glam::DVec3;

use crate::num::ops;

/// Sizes of gusts: the given one, half, a quarter, an eighth.
const OCTAVES: usize = 4;
/// Waves per octave. Fewer: single waves become visible. More: slower.
const WAVES: usize = 6;

/// One wave of air.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Wave {
    /// Wave vector, in turns per metre.
    turns: DVec3,
    /// Velocity amplitude, for a total root mean square of 1.
    push: DVec3,
    /// Phase at the origin, in turns.
    phase: f64,
    /// Turns per unit of `changed`.
    hertz: f64,
}

/// Gusts of one size and seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Gusts {
    waves: Vec<Wave>,
}

/// Pseudo-random numbers of a seed (`SplitMix64`).
struct Random(u64);

impl Random {
    /// Uniform in 0–1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform over all directions.
    fn direction(&mut self) -> DVec3 {
        let z = 2.0 * self.unit() - 1.0;
        let (sin, cos) = ops::sin_cos(TAU * self.unit());
        let r = (1.0 - z * z).sqrt();
        DVec3::new(r * cos, r * sin, z)
    }
}

impl Gusts {
    /// Gusts about `size` metres large.
    pub fn new(size: f64, seed: u64) -> Self {
        let mut random = Random(seed);
        let mut waves = Vec::with_capacity(OCTAVES * WAVES);
        for octave in 0..OCTAVES {
            let smaller = 1.0 / f64::from(1_u32 << octave);
            for _ in 0..WAVES {
                let direction = random.direction();
                let across = direction
                    .cross(random.direction())
                    .normalize_or(direction.any_orthonormal_vector());
                waves.push(Wave {
                    turns: direction / (2.0 * size * smaller),
                    push: across * ops::cbrt(smaller),
                    phase: random.unit(),
                    hertz: (random.unit() + 0.5) / ops::cbrt(smaller * smaller),
                });
            }
        }
        // The mean square of a wave is half its squared amplitude.
        let square: f64 = waves.iter().map(|wave| 0.5 * wave.push.length_squared()).sum();
        for wave in &mut waves {
            wave.push /= square.sqrt();
        }
        Self { waves }
    }

    /// Velocity of the gusts at a place, for a root mean square of 1; `changed` is as in [`Air`].
    pub fn at(&self, place: DVec3, changed: f64) -> DVec3 {
        let mut sum = DVec3::ZERO;
        for wave in &self.waves {
            let turns = wave.turns.dot(place) + wave.phase + wave.hertz * changed;
            sum += wave.push * ops::sin_turns(turns);
        }
        sum
    }
}

/// The air around a rope at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Air {
    /// Density in kg/m³; 0 is a vacuum, without wind.
    pub density: f64,
    /// Uniform wind, in m/s.
    pub wind: DVec3,
    /// Root mean square of the gusts, in m/s.
    pub turbulence: f64,
    /// Displacement of the gusts by the wind so far, in metres.
    pub carried: DVec3,
    /// Number of times the gusts have changed; grows with time.
    pub changed: f64,
    /// Gusts; `None` for a steady wind.
    pub gusts: Option<Gusts>,
}

impl Default for Air {
    fn default() -> Self {
        Self {
            density: 0.0,
            wind: DVec3::ZERO,
            turbulence: 0.0,
            carried: DVec3::ZERO,
            changed: 0.0,
            gusts: None,
        }
    }
}

impl Air {
    /// Velocity of the air at a place, in m/s.
    pub fn at(&self, place: DVec3) -> DVec3 {
        match &self.gusts {
            Some(gusts) if self.turbulence != 0.0 => {
                self.wind + gusts.at(place - self.carried, self.changed) * self.turbulence
            }
            _ => self.wind,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gusts_have_the_root_mean_square_asked_for() {
        let gusts = Gusts::new(2.0, 7);
        let mut random = Random(1);
        let mut place = || {
            DVec3::new(random.unit(), random.unit(), random.unit()) * 2000.0 - DVec3::splat(1000.0)
        };
        let count = 20_000;
        let squares: f64 =
            (0..count).map(|i| gusts.at(place(), f64::from(i) * 0.37).length_squared()).sum();
        let rms = (squares / f64::from(count)).sqrt();
        assert!((rms - 1.0).abs() < 0.03, "{rms}");
    }

    #[test]
    fn gusts_are_divergence_free() {
        let gusts = Gusts::new(1.5, 3);
        let h = 1e-4;
        for k in 0..50 {
            let p = DVec3::new(f64::from(k) * 0.7, 0.3 - f64::from(k), f64::from(k % 7));
            let slope = |axis: usize, step: DVec3| {
                (gusts.at(p + step, 1.0)[axis] - gusts.at(p - step, 1.0)[axis]) / (2.0 * h)
            };
            let slopes = [slope(0, DVec3::X * h), slope(1, DVec3::Y * h), slope(2, DVec3::Z * h)];
            let sum: f64 = slopes.iter().sum();
            assert!(sum.abs() < 1e-5, "{sum} of {slopes:?}");
        }
    }

    #[test]
    fn a_seed_repeats_its_gusts_and_another_differs() {
        let p = DVec3::new(1.0, 2.0, 3.0);
        assert_eq!(Gusts::new(2.0, 5).at(p, 0.3), Gusts::new(2.0, 5).at(p, 0.3));
        assert!(Gusts::new(2.0, 5).at(p, 0.3).distance(Gusts::new(2.0, 6).at(p, 0.3)) > 1e-3);
    }
}
