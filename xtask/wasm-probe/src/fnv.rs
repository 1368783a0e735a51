//! A hash over the bits of numbers, which must be numbers: [`Fnv64`] that refuses NaN.

use lariat_core::num::fnv::Fnv64;

/// A hash in the making.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fnv(Fnv64);

impl Fnv {
    /// A hash of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in every bit of a number.
    ///
    /// # Panics
    /// If it is not finite: no NaN may leave a solver, and the bits of one are not even the same
    /// on two machines.
    pub fn number(&mut self, x: f64) {
        assert!(x.is_finite(), "{x} has no place in a result");
        self.0.number(x);
    }

    /// The hash of everything taken in so far.
    pub fn finish(self) -> u64 {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "NaN has no place")]
    fn a_nan_is_refused() {
        Fnv::new().number(f64::NAN);
    }
}
