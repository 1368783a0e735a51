//! Elementary functions that give the same bits on every machine.
//!
//! C libraries disagree about the last bit of `sin`, and results must not depend on them. So every
//! transcendental function of Lariat is here: `libm` is portable Rust, and Rust never contracts or
//! reassociates floating-point operations. `clippy.toml` forbids the others.
//! `sqrt`, `abs`, `floor`, `round`, `min` and `max` are exact by IEEE 754 and are used as they are.
//!
//! [`sin_turns`], [`ln_fast`], [`ln_1p_fast`] and [`asinh_fast`] are for the hot loops over samples:
//! branch-free polynomials that the compiler can vectorise, with stated and tested accuracy.

use std::f64::consts::TAU;

/// Sine of an angle in radians.
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Cosine of an angle in radians.
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Sine and cosine of an angle in radians.
pub fn sin_cos(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

/// Tangent of an angle in radians.
pub fn tan(x: f64) -> f64 {
    libm::tan(x)
}

/// The angle in `[0, π]` whose cosine is `x`. Arguments are clamped to `[-1, 1]`, which rounding may
/// exceed.
pub fn acos(x: f64) -> f64 {
    libm::acos(x.clamp(-1.0, 1.0))
}

/// The angle of the point `(x, y)`, in `(-π, π]`.
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// Hyperbolic sine.
pub fn sinh(x: f64) -> f64 {
    libm::sinh(x)
}

/// Hyperbolic cosine.
pub fn cosh(x: f64) -> f64 {
    libm::cosh(x)
}

/// Inverse hyperbolic sine.
pub fn asinh(x: f64) -> f64 {
    libm::asinh(x)
}

/// `e` to the power `x`.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// `ln(1 + x)`, accurate for small `x`.
pub fn ln_1p(x: f64) -> f64 {
    libm::log1p(x)
}

/// `x` to the power `y`.
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Cube root.
pub fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

/// `√(x² + y²)`, without scaling: arguments are far from overflow.
pub fn hypot(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// 1.5·2⁵²: adding and subtracting it rounds to the nearest integer, twice as fast as `round` and
/// also in vector registers; correct below 2⁵¹.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// `sin(2π x)` for `x` in turns, to 3e-16 absolute, and exact at every quarter turn.
///
/// Reduction in turns is exact for any `x` below 2⁴⁹, where a reduction in radians has already
/// lost the phase of a wave that has travelled for an hour.
#[inline]
pub fn sin_turns(x: f64) -> f64 {
    sin_cos_turns(x).0
}

/// `cos(2π x)` for `x` in turns.
#[inline]
pub fn cos_turns(x: f64) -> f64 {
    sin_cos_turns(x).1
}

/// Sine and cosine of `x` turns.
#[inline]
pub fn sin_cos_turns(x: f64) -> (f64, f64) {
    let quarters = 4.0 * x;
    let whole = (quarters + ROUND) - ROUND;
    let rest = 0.5 * (quarters - whole); // in half turns, at most a quarter of one
    let (sin, cos) = near_zero(rest);
    // The quarter: -2, -1, 0, 1 or 2.
    let quarter = whole - 4.0 * ((0.25 * whole + ROUND) - ROUND);
    let (upright, back) = (quarter.abs() == 1.0, quarter.abs() == 2.0);
    let (s, c) = if upright { (cos, sin) } else { (sin, cos) };
    let s = if back || quarter == -1.0 { -s } else { s };
    let c = if back || quarter == 1.0 { -c } else { c };
    (s, c)
}

/// `sin(π x)` and `cos(π x)` for `|x| <= 1/4`: their Taylor series in x², whose next terms are below
/// 5e-17; even and odd powers side by side.
#[inline]
fn near_zero(x: f64) -> (f64, f64) {
    // π^(2k+1) / (2k+1)!, alternating.
    const S: [f64; 8] = [
        std::f64::consts::PI,
        -5.167_712_780_049_97,
        2.550_164_039_877_345_4,
        -0.599_264_529_320_792_1,
        0.082_145_886_611_128_23,
        -0.007_370_430_945_714_351,
        0.000_466_302_805_767_612_6,
        -0.000_021_915_353_447_830_217,
    ];
    // π^2k / (2k)!, alternating.
    const C: [f64; 9] = [
        1.0,
        -4.934_802_200_544_679,
        4.058_712_126_416_768,
        -1.335_262_768_854_589_5,
        0.235_330_630_358_893_2,
        -0.025_806_891_390_014_06,
        0.001_929_574_309_403_923_1,
        -0.000_104_638_104_924_845_7,
        4.303_069_587_032_947e-6,
    ];
    let y = x * x;
    let z = y * y;
    let odd = S[1] + z * (S[3] + z * (S[5] + z * S[7]));
    let sin = x * (S[0] + y * odd + z * (S[2] + z * (S[4] + z * S[6])));
    let odd = C[1] + z * (C[3] + z * (C[5] + z * C[7]));
    let cos = C[0] + y * (odd + y * (C[2] + z * (C[4] + z * (C[6] + z * C[8]))));
    (sin, cos)
}

/// `asinh(x)` to a few 1e-16 relative for finite `x`, branch-free and short enough for loops over
/// samples.
#[inline]
pub fn asinh_fast(x: f64) -> f64 {
    // asinh |x| = ln(1 + w), w = |x| + x²/(1 + √(1 + x²)): no cancellation for small x.
    let a = x.abs();
    let w = a + a * a / (1.0 + (1.0 + a * a).sqrt());
    ln_1p_fast(w).copysign(x)
}

/// `ln(1 + w)` to a few 1e-16 relative for `w >= 0`, branch-free.
#[inline]
pub fn ln_1p_fast(w: f64) -> f64 {
    let x = 1.0 + w;
    // Rounding error of the addition, to first order in ln: (w - (x - 1)) / x.
    let lost = (w - (x - 1.0)) / x;
    let (e, m) = split(x);
    // m - 1 is exact; for e = 0, w itself is used, so that a tiny w keeps all its digits.
    let f = if e == 0.0 { w } else { m - 1.0 };
    let lost = if e == 0.0 { 0.0 } else { lost };
    ln_of_split(e, f, lost)
}

/// `ln(x)` for normal `x > 0`, branch-free, to 2e-16 of the larger of its value and 1.
#[inline]
pub fn ln_fast(x: f64) -> f64 {
    let (e, m) = split(x);
    ln_of_split(e, m - 1.0, 0.0)
}

/// `x = 2^e m` with `m` in `[√½, √2)`.
#[inline]
fn split(x: f64) -> (f64, f64) {
    let bits = x.to_bits().wrapping_add(0x3ff0_0000_0000_0000 - 0x3fe6_a09e_667f_3bcd);
    // The exponent as a number, by bits: a conversion would not be vectorised.
    let e =
        f64::from_bits((bits >> 52) | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    let m = f64::from_bits((bits & 0x000f_ffff_ffff_ffff).wrapping_add(0x3fe6_a09e_667f_3bcd));
    (e, m)
}

/// `e ln 2 + ln(1 + f) + lost`: with `z = f/(2 + f)`, `ln(1 + f) = 2 artanh z`.
#[inline]
fn ln_of_split(e: f64, f: f64, lost: f64) -> f64 {
    const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1; // low 32 bits zero: times an exponent it is exact
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    // (2 artanh z - 2z)/z³ in z², interpolated at Chebyshev points of [0, 0.0295]: to 5e-18.
    const C: [f64; 7] = [
        0.666_666_666_666_667,
        0.399_999_999_998_995_05,
        0.285_714_286_259_754_85,
        0.222_222_111_347_950_8,
        0.181_828_891_252_617_22,
        0.153_317_216_005_560_41,
        0.146_164_496_850_434_06,
    ];
    let z = f / (2.0 + f);
    let y = z * z;
    let y2 = y * y;
    let odd = C[1] + y2 * (C[3] + y2 * C[5]);
    let even = C[0] + y2 * (C[2] + y2 * (C[4] + y2 * C[6]));
    let ln_m = z * (2.0 + y * (even + y * odd));
    e * LN_2_HIGH + (ln_m + (lost + e * LN_2_LOW))
}

/// Degrees to radians.
pub fn radians(degrees: f64) -> f64 {
    degrees * (TAU / 360.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sin_turns_vs_libm() {
        for i in -40_000..40_000 {
            let x = f64::from(i) * 1.000_7e-4;
            let reference = libm::sin(TAU * (x - x.round()));
            assert!((sin_turns(x) - reference).abs() < 5e-16, "{x}");
            let reference = libm::cos(TAU * (x - x.round()));
            assert!((cos_turns(x) - reference).abs() < 5e-16, "{x}");
        }
    }

    #[test]
    fn quarter_turns_are_exact() {
        for i in -2000..2000_i32 {
            let exact = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)];
            let quarter = i.rem_euclid(4) as usize;
            assert_eq!(sin_cos_turns(f64::from(i) * 0.25), exact[quarter]);
        }
        // A wave never exceeds its magnitude, and an hour of travel does not change its phase.
        assert_eq!(sin_turns(1e9 + 0.25), sin_turns(0.25));
    }

    #[test]
    fn logarithms_vs_libm() {
        let mut x = 1e-300;
        while x < 1e300 {
            let reference = libm::log(x);
            let error = (ln_fast(x) - reference).abs() / reference.abs().max(1.0);
            assert!(error < 2.3e-16, "ln({x:e}): {error:e}");
            let reference = libm::log1p(x);
            let error = (ln_1p_fast(x) - reference).abs() / reference;
            assert!(error < 5e-16, "ln(1 + {x:e}): relative error {error:e}");
            x *= 1.009;
        }
        assert_eq!((ln_fast(1.0), ln_1p_fast(0.0)), (0.0, 0.0));
    }

    #[test]
    fn asinh_fast_vs_libm() {
        let mut x = 1e-300;
        while x < 1e15 {
            for signed in [x, -x] {
                let reference = libm::asinh(signed);
                let error = (asinh_fast(signed) - reference).abs() / reference.abs();
                assert!(error < 8e-16, "asinh({signed:e}): relative error {error:e}");
            }
            x *= 1.013;
        }
        assert_eq!(asinh_fast(0.0), 0.0);
    }
}
