//! Seeded random numbers.
//!
//! Tests: `errors_have_unit_variance`.

/// A `SplitMix64` generator.
#[derive(Clone, Debug)]
pub(crate) struct Random(pub u64);

impl Random {
    /// Returns a number from 0 to 1.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a roughly normal number with mean 0 and variance 1, clamped to ±3: the sum of twelve
    /// uniform ones.
    pub(crate) fn error(&mut self) -> f64 {
        let sum: f64 = (0..12).map(|_| self.unit()).sum();
        (sum - 6.0).clamp(-3.0, 3.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_unit_variance() {
        let mut random = Random(3);
        let (mut sum, mut square) = (0.0, 0.0);
        for _ in 0..10_000 {
            let error = random.error();
            assert!(error.abs() <= 3.0);
            sum += error;
            square += error * error;
        }
        assert!((sum / 1e4_f64).abs() < 0.05, "{sum}");
        assert!((square / 1e4_f64 - 1.0).abs() < 0.05, "{square}");
    }
}
