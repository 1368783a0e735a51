//! The parameter of a catenary: the root of `sinh(a)/a`.
//!
//! Halley on the logarithm of the equation, which is gently curved from nearly taut ropes
//! (`e` = 1e-13) to absurdly slack ones (1e300); series where closed forms would cancel.

use crate::num::ops;

/// The root `a > 0` of `sinh(a)/a = 1 + e`, to a few units in the last place, for `e` from 1e-13
/// to 1e300.
///
/// Halley on `F(a) = ln(sinh a / a) − ln(1 + e)`, which is gently curved over the whole range;
/// the start is within 4.4 %, so three steps suffice.
pub(super) fn solve(e: f64) -> f64 {
    let mut a = if e < 3.0 {
        (6.0 * e / (1.0 + 0.3 * e)).sqrt()
    } else {
        let w = ops::ln(2.0 * (1.0 + e));
        let ln_w = ops::ln(w);
        w + ln_w + ln_w / w
    };
    let target = ops::ln_1p(e);
    for _ in 0..4 {
        let a2 = a * a;
        let (f, f1, f2) = if a < 0.5 {
            // Everything from series: no logarithm, no exponential.
            let f1 = a * slope_series(a2);
            let f2 = 1.0 / 3.0 + a2 * (-1.0 / 15.0 + a2 * (2.0 / 189.0 - a2 / 675.0));
            (ops::ln_1p(sinhc_minus_1(a2)) - target, f1, f2)
        } else {
            let decay = ops::exp(-2.0 * a);
            let inverse = 1.0 / (1.0 - decay);
            let value = if a < 1.0 {
                ops::ln_1p(sinhc_minus_1(a2))
            } else {
                a + ops::ln_1p(-decay) - ops::ln(2.0 * a)
            };
            // coth a = (1 + d)/(1 − d), 1/sinh² a = 4 d/(1 − d)².
            (
                value - target,
                (1.0 + decay) * inverse - 1.0 / a,
                1.0 / a2 - 4.0 * decay * inverse * inverse,
            )
        };
        let step = f / (f1 - 0.5 * f * f2 / f1);
        a -= step;
        // Halley triples the digits: once a step is this small the next would be below rounding.
        if step.abs() <= 4e-6 * a {
            break;
        }
    }
    a
}

/// `sinh(a)/a − 1` as a series in `a²`, for `a` up to 1.
pub(super) fn sinhc_minus_1(a2: f64) -> f64 {
    const TERMS: [f64; 9] = [
        1.0 / 6.0,
        1.0 / 120.0,
        1.0 / 5040.0,
        1.0 / 362_880.0,
        1.0 / 39_916_800.0,
        1.0 / 6_227_020_800.0,
        1.0 / 1_307_674_368_000.0,
        1.0 / 355_687_428_096_000.0,
        1.0 / 121_645_100_408_832_000.0,
    ];
    a2 * TERMS.iter().rev().fold(0.0, |sum, c| sum * a2 + c)
}

/// `(coth a − 1/a)/a` as a series in `a²`, for `a` up to 0.5.
pub(super) fn slope_series(a2: f64) -> f64 {
    const TERMS: [f64; 6] = [
        1.0 / 3.0,
        -1.0 / 45.0,
        2.0 / 945.0,
        -1.0 / 4725.0,
        2.0 / 93_555.0,
        -1382.0 / 638_512_875.0,
    ];
    TERMS.iter().rev().fold(0.0, |sum, c| sum * a2 + c)
}
