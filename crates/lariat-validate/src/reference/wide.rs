//! Numbers with 31 digits: unevaluated sums of two `f64` (Dekker 1971).
//!
//! Elementary functions are Taylor series after argument reduction, to about 1e-31 relative between
//! 1e-100 and 1e100.
//!
//! Tests: `thirty_digits_vs_mpmath`.

use std::ops::{Add, Div, Mul, Neg, Sub};

use lariat_core::num::ops;

/// A number of 31 digits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Wide {
    high: f64,
    low: f64,
}

/// `a + b` and its rounding error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let added = sum - a;
    (sum, (a - (sum - added)) + (b - added))
}

/// Splits a number into two of 26 bits, whose products are exact.
fn split(a: f64) -> (f64, f64) {
    let c = 134_217_729.0 * a; // 2²⁷ + 1
    let high = c - (c - a);
    (high, a - high)
}

/// `a b` and its rounding error.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    (product, ((ah * bh - product) + ah * bl + al * bh) + al * bl)
}

impl Wide {
    pub(crate) const ZERO: Self = Self { high: 0.0, low: 0.0 };
    pub(crate) const ONE: Self = Self { high: 1.0, low: 0.0 };
    pub(crate) const PI: Self =
        Self { high: std::f64::consts::PI, low: 1.224_646_799_147_353_2e-16 };
    const LN_2: Self = Self { high: std::f64::consts::LN_2, low: 2.319_046_813_846_299_6e-17 };

    fn sum(high: f64, low: f64) -> Self {
        let (high, low) = two_sum(high, low);
        Self { high, low }
    }

    /// The nearest ordinary number.
    pub(crate) fn round(self) -> f64 {
        self.high
    }

    pub(crate) fn abs(self) -> Self {
        if self.high < 0.0 { -self } else { self }
    }

    pub(crate) fn sqrt(self) -> Self {
        if self.high <= 0.0 {
            return Self::ZERO;
        }
        // Each Newton step doubles the digits of the ordinary root.
        let near = Self::from(self.high.sqrt());
        let better = near + (self - near * near) / (near * 2.0);
        better + (self - better * better) / (better * 2.0)
    }

    /// `e^x − 1`, with all digits for small `x` too.
    fn exp_m1_small(self) -> Self {
        // Nine halvings bring 0.35 below 7e-4, where ten terms reach 1e-38.
        let r = self * (1.0 / 512.0);
        let (mut term, mut sum) = (r, r);
        for k in 2..=10 {
            term = term * r / f64::from(k);
            sum = sum + term;
        }
        for _ in 0..9 {
            sum = sum * 2.0 + sum * sum;
        }
        sum
    }

    pub(crate) fn exp(self) -> Self {
        let k = (self.high / Self::LN_2.high).round();
        let rest = (self - Self::LN_2 * k).exp_m1_small() + Self::ONE;
        // 2^k, from its bits.
        let power = f64::from_bits(((1023 + k as i64) as u64) << 52);
        Self { high: rest.high * power, low: rest.low * power }
    }

    pub(crate) fn ln(self) -> Self {
        let mut y = Self::from(ops::ln(self.high));
        for _ in 0..2 {
            y = y + (self * (-y).exp() - Self::ONE);
        }
        y
    }

    pub(crate) fn sinh(self) -> Self {
        if self.high.abs() > 0.3 {
            return (self.exp() - (-self).exp()) * 0.5;
        }
        let square = self * self;
        let (mut term, mut sum) = (self, self);
        for k in (3..=27).step_by(2) {
            term = term * square / f64::from(k * (k - 1));
            sum = sum + term;
        }
        sum
    }

    pub(crate) fn cosh(self) -> Self {
        (self.exp() + (-self).exp()) * 0.5
    }

    pub(crate) fn asinh(self) -> Self {
        let a = self.abs();
        // Logarithm, then Newton on sinh, which keeps all digits near zero.
        let mut y = (a + (a * a + Self::ONE).sqrt()).ln();
        for _ in 0..2 {
            y = y - (y.sinh() - a) / y.cosh();
        }
        if self.high < 0.0 { -y } else { y }
    }

    /// Sine and cosine of an angle in radians, up to a few hundred turns.
    pub(crate) fn sin_cos(self) -> (Self, Self) {
        let quarter = Self::PI * 0.5;
        let k = (self.high / quarter.high).round();
        let r = self - quarter * k;
        let square = r * r;
        let (mut sin, mut cos) = (r, Self::ONE);
        let (mut odd, mut even) = (r, Self::ONE);
        for i in 1..=16 {
            let n = f64::from(2 * i);
            even = -(even * square / (n * (n - 1.0)));
            odd = -(odd * square / (n * (n + 1.0)));
            cos = cos + even;
            sin = sin + odd;
        }
        match (k as i64).rem_euclid(4) {
            0 => (sin, cos),
            1 => (cos, -sin),
            2 => (-sin, -cos),
            _ => (-cos, sin),
        }
    }
}

impl From<f64> for Wide {
    fn from(x: f64) -> Self {
        Self { high: x, low: 0.0 }
    }
}

impl Neg for Wide {
    type Output = Self;

    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Add for Wide {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (high, lost) = two_sum(self.high, other.high);
        let (low, more) = two_sum(self.low, other.low);
        let first = Self::sum(high, lost + low);
        Self::sum(first.high, first.low + more)
    }
}

impl Sub for Wide {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Wide {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let (high, lost) = two_product(self.high, other.high);
        Self::sum(high, lost + (self.high * other.low + self.low * other.high))
    }
}

impl Mul<f64> for Wide {
    type Output = Self;

    fn mul(self, other: f64) -> Self {
        self * Self::from(other)
    }
}

impl Div for Wide {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        // Long division: each quotient digit is an ordinary number.
        let q1 = self.high / other.high;
        let rest = self - other * q1;
        let q2 = rest.high / other.high;
        let rest = rest - other * q2;
        Self::sum(q1, q2) + Self::from(rest.high / other.high)
    }
}

impl Div<f64> for Wide {
    type Output = Self;

    fn div(self, other: f64) -> Self {
        self / Self::from(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both halves from mpmath at 60 digits: `float(x)` and `float(x - float(x))`.
    #[test]
    fn thirty_digits_vs_mpmath() {
        let x = Wide::from(0.7);
        let cited = [
            ("square root", x.sqrt(), 0.836_660_026_534_075_6, -4.122_652_795_585_05e-17),
            ("exponential", x.exp(), 2.013_752_707_470_476_6, -2.005_824_354_976_479_3e-16),
            (
                "small exponential",
                Wide::from(-40.3).exp(),
                3.147_258_240_230_728_6e-18,
                -1.238_307_780_579_342e-34,
            ),
            ("logarithm", x.ln(), -0.356_674_943_938_732_45, 4.825_563_799_376_62e-18),
            (
                "large logarithm",
                Wide::from(1e6).ln(),
                13.815_510_557_964_274,
                4.739_031_053_709_008e-16,
            ),
            ("sinh", x.sinh(), 0.758_583_701_839_533_5, -4.969_384_163_032_168_6e-17),
            (
                "small sinh",
                Wide::from(1e-6).sinh(),
                1.000_000_000_000_166_6e-6,
                1.293_429_439_138_566_3e-23,
            ),
            ("cosh", x.cosh(), 1.255_169_005_630_943, -3.986_629_140_481_058e-17),
            ("asinh", x.asinh(), 0.652_666_566_082_355_7, 1.353_889_350_085_817_5e-17),
            (
                "small asinh",
                Wide::from(-1e-6).asinh(),
                -9.999_999_999_998_333e-7,
                1.293_429_430_805_232_9e-23,
            ),
            (
                "large asinh",
                Wide::from(-2e5).asinh(),
                -12.899_219_826_096_369,
                -4.037_755_706_860_104_4e-16,
            ),
            ("sine", x.sin_cos().0, 0.644_217_687_237_691, 2.874_056_792_733_875_5e-18),
            (
                "cosine",
                Wide::from(100.25).sin_cos().1,
                0.960_788_331_276_061_2,
                -2.144_138_874_134_200_8e-17,
            ),
            ("quotient", Wide::ONE / x, 1.428_571_428_571_428_6, 5.890_979_314_337_566e-17),
        ];
        for (what, ours, high, low) in cited {
            let error = (ours - Wide { high, low }).round().abs() / high.abs();
            assert!(error < 3e-31, "{what}: {error:e}");
        }
    }
}
