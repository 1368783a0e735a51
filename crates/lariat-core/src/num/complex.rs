//! Complex functions with the same bits on every machine, by `num::ops`.
//!
//! `num_complex` provides the arithmetic; its functions that use the platform's libm (`exp`, `arg`,
//! `norm`, `from_polar`) are forbidden in `clippy.toml` and replaced here.

use num_complex::Complex64;

use super::ops;

/// The number of unit modulus at an angle in radians: `e^(i angle)`.
pub fn cis(angle: f64) -> Complex64 {
    let (sin, cos) = ops::sin_cos(angle);
    Complex64::new(cos, sin)
}

/// The number of unit modulus at an angle in turns.
#[inline]
pub fn cis_turns(turns: f64) -> Complex64 {
    let (sin, cos) = ops::sin_cos_turns(turns);
    Complex64::new(cos, sin)
}

/// `e^z`.
pub fn exp(z: Complex64) -> Complex64 {
    cis(z.im) * ops::exp(z.re)
}

/// The angle of `z` in radians, above −π up to π; 0 for 0.
pub fn arg(z: Complex64) -> f64 {
    ops::atan2(z.im, z.re)
}

/// The modulus of `z`.
pub fn abs(z: Complex64) -> f64 {
    ops::hypot(z.re, z.im)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polar_form_reproduces_the_number() {
        for z in [(3.0, 4.0), (-1.0, 1e-3), (0.0, -2.0), (1e-9, 5.0)] {
            let z = Complex64::new(z.0, z.1);
            let back = cis(arg(z)) * abs(z);
            assert!((back - z).norm_sqr() < 1e-30 * z.norm_sqr(), "{back} for {z}");
        }
        assert_eq!((arg(Complex64::ZERO), abs(Complex64::ZERO)), (0.0, 0.0));
    }

    #[test]
    fn exp_turns_sums_into_products() {
        let (a, b) = (Complex64::new(-0.3, 2.0), Complex64::new(0.7, 5.5));
        assert!((exp(a + b) - exp(a) * exp(b)).norm_sqr() < 1e-30);
        assert_eq!(exp(Complex64::ZERO), Complex64::ONE);
    }
}
