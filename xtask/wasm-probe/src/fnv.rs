//! [`Fnv64`] hash over the bits of finite numbers.

use lariat_core::num::fnv::Fnv64;

/// A hash in progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fnv(Fnv64);

impl Fnv {
    /// An empty hash.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the bits of a number.
    ///
    /// # Panics
    /// If it is not finite: no NaN may leave a solver, and the bits of a NaN differ between
    /// machines.
    pub fn number(&mut self, x: f64) {
        assert!(x.is_finite(), "{x} in a result");
        self.0.number(x);
    }

    /// Hash of all numbers so far.
    pub fn finish(self) -> u64 {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "NaN in a result")]
    fn a_nan_is_refused() {
        Fnv::new().number(f64::NAN);
    }
}
