//! A hash over the bits of numbers: FNV-1a with 64 bits.
//!
//! Chosen because it is ten lines, has no secret and no state beyond one number, and is the same
//! on every machine. It tells two results apart; it protects nothing.

/// A hash in the making.
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Fnv {
    /// A hash of nothing.
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Takes in every bit of a number.
    ///
    /// # Panics
    /// If it is not finite: no NaN may leave a solver, and the bits of one are not even the same
    /// on two machines.
    pub fn number(&mut self, x: f64) {
        assert!(x.is_finite(), "{x} has no place in a result");
        self.bytes(&x.to_bits().to_le_bytes());
    }

    /// Takes in some bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// The hash of everything taken in so far.
    pub fn finish(self) -> u64 {
        self.0
    }
}

impl Default for Fnv {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values_come_out() {
        // Fowler, Noll and Vo's own test vectors.
        for (text, expected) in [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] {
            let mut hash = Fnv::new();
            hash.bytes(text.as_bytes());
            assert_eq!(hash.finish(), expected, "{text:?}");
        }
    }

    #[test]
    fn one_bit_changes_the_hash() {
        let of = |x: f64| {
            let mut hash = Fnv::new();
            hash.number(x);
            hash.finish()
        };
        assert_ne!(of(1.0), of(1.0_f64.next_up()));
        assert_ne!(of(0.0), of(-0.0));
    }

    #[test]
    #[should_panic(expected = "NaN has no place")]
    fn a_nan_is_refused() {
        Fnv::new().number(f64::NAN);
    }
}
