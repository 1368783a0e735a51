//! Two numbers in one vector register.
//!
//! Solvers that start at both ends of a band do the same steps at each end; paired, they take the
//! time of one.

use std::ops::{Add, Mul, Sub};

/// One number of the upper half of a matrix, one of the lower.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Two(pub [f64; 2]);

impl Mul for Two {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self([self.0[0] * other.0[0], self.0[1] * other.0[1]])
    }
}

impl Add for Two {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }
}

impl Sub for Two {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self([self.0[0] - other.0[0], self.0[1] - other.0[1]])
    }
}
