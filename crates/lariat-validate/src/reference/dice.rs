//! Reproducible random numbers: splitmix64 (Steele, Lea, Flood 2014).
//!
//! Tests: `the_published_sequence_is_reproduced`.

use glam::DVec3;

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// The sequence of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` up to, not including, `high`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / 9_007_199_254_740_992.0; // 2⁵³
        low + (high - low) * unit
    }

    /// A whole number from 0 up to, not including, `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// A vector with each component between `-reach` and `reach`.
    pub(crate) fn vector(&mut self, reach: f64) -> DVec3 {
        let (x, y) = (self.between(-reach, reach), self.between(-reach, reach));
        DVec3::new(x, y, self.between(-reach, reach))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence_is_reproduced() {
        // The first numbers for seed 1234567, printed by the reference implementation.
        let mut dice = Dice::new(1_234_567);
        let expected =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([dice.bits(), dice.bits(), dice.bits()], expected);
    }
}
