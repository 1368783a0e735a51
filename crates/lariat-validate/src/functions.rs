//! The polynomials for sine and asinh against series of 31 digits; the bars are documented bounds.
//!
//! Tests: `a_wrong_sine_would_be_seen`.

use lariat_core::num::ops;

use super::check::{Outcome, topic};
use super::reference::{wide::Wide, worst};

topic! { "functions": "sine and asinh used in loops over samples";

    "function-sine": "sine of 4,000 angles within 10 turns: worst error",
        TAYLOR, 8e-16, worst(angles().map(|x| miss(x, ops::sin_turns(x)).0));
    "function-cosine": "cosine of 4,000 angles within 10 turns: worst error",
        TAYLOR, 8e-16, worst(angles().map(|x| miss(x, ops::cos_turns(x)).1));
    "function-sine-after-an-hour": "sine at 1,000,000.125 turns",
        "√½: whole turns change nothing", 8e-16, {
            let root = std::f64::consts::FRAC_1_SQRT_2;
            Some(Outcome::absolute(root, ops::sin_turns(1_000_000.125)))
        };
    "function-asinh": "asinh of 400 slopes from 1e-12 to 1e12: worst error",
        "ln(x + √(x² + 1)) and Newton, 31 digits",
        8e-16 ["relative"], worst((0..400).map(asinh_miss));
}

const TAYLOR: &str = "Taylor's series after reduction by quarter turns, 31 digits";

fn angles() -> impl Iterator<Item = f64> {
    (-2000..2000).map(|i| f64::from(i) * 0.004_971)
}

/// Errors of `ours` as the sine and as the cosine of `x` turns.
fn miss(x: f64, ours: f64) -> (f64, f64) {
    let (sin, cos) = (Wide::PI * 2.0 * x).sin_cos();
    ((sin - Wide::from(ours)).round(), (cos - Wide::from(ours)).round())
}

fn asinh_miss(i: i32) -> f64 {
    let x = ops::pow(10.0, f64::from(i) * 0.06 - 12.0);
    let x = if i % 2 == 0 { x } else { -x };
    let truth = Wide::from(x).asinh();
    ((truth - Wide::from(ops::asinh_fast(x))) / truth).round()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_sine_would_be_seen() {
        // A sine with a small error of phase.
        let late = |x: f64| ops::sin_turns(x + 1e-15);
        assert!(worst(angles().map(|x| miss(x, late(x)).0)) > 8e-16);
    }
}
