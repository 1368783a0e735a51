//! FNV-1a hashes of 64 and 128 bits.
//!
//! Fowler, Noll and Vo. Not cryptographic. Identifies results, takes (simulation caches) and files
//! by a value that is the same on every machine.
//!
//! Tests: `hashes_match_the_published_values`, `many_bytes_depends_on_every_byte_and_the_length`.

/// Incremental hash of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv64(u64);

impl Fnv64 {
    /// The hash of no bytes.
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes.
    pub fn bytes(&mut self, bytes: impl IntoIterator<Item = u8>) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Adds all bits of a number.
    pub fn number(&mut self, x: f64) {
        self.bytes(x.to_bits().to_le_bytes());
    }

    /// The hash of everything added so far.
    pub fn finish(self) -> u64 {
        self.0
    }
}

impl Default for Fnv64 {
    fn default() -> Self {
        Self::new()
    }
}

/// Incremental hash of 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv128(u128);

impl Fnv128 {
    /// The hash of no bytes.
    pub fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ u128::from(word)).wrapping_mul((1 << 88) | 0x13b);
    }

    /// Adds bytes.
    pub fn bytes(&mut self, bytes: impl IntoIterator<Item = u8>) {
        for byte in bytes {
            self.word(u64::from(byte));
        }
    }

    /// Adds many bytes, eight at a time, and their number: faster than [`bytes`](Self::bytes), with a
    /// different hash.
    pub fn many_bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        self.bytes(rest.iter().copied());
        self.word(bytes.len() as u64);
    }

    /// The hash of everything added so far.
    pub fn finish(self) -> u128 {
        self.0
    }
}

impl Default for Fnv128 {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_match_the_published_values() {
        // Test vectors of Fowler, Noll and Vo.
        for (text, small, large) in [
            ("", 0xcbf2_9ce4_8422_2325, 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d),
            ("a", 0xaf63_dc4c_8601_ec8c, 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964),
            ("foobar", 0x8594_4171_f739_67e8, 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18),
        ] {
            let (mut of_64, mut of_128) = (Fnv64::new(), Fnv128::new());
            of_64.bytes(text.bytes());
            of_128.bytes(text.bytes());
            assert_eq!(of_64.finish(), small, "{text:?}");
            assert_eq!(of_128.finish(), large, "{text:?}");
        }
    }

    #[test]
    fn one_bit_changes_the_hash() {
        let of = |x: f64| {
            let mut hash = Fnv64::new();
            hash.number(x);
            hash.finish()
        };
        assert_ne!(of(1.0), of(1.0_f64.next_up()));
        assert_ne!(of(0.0), of(-0.0));
    }

    #[test]
    fn many_bytes_depends_on_every_byte_and_the_length() {
        let of = |bytes: &[u8]| {
            let mut hash = Fnv128::new();
            hash.many_bytes(bytes);
            hash.finish()
        };
        let text = b"nineteen bytes long";
        for at in 0..text.len() {
            let mut other = *text;
            other[at] ^= 1;
            assert_ne!(of(&other), of(text), "byte {at}");
            assert_ne!(of(&text[..at]), of(text), "cut at {at}");
        }
        // Padding with zeros changes the hash.
        assert_ne!(of(&[7, 0, 0, 0, 0, 0, 0, 0]), of(&[7]));
    }
}
