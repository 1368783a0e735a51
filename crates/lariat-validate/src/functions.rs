//! The elementary functions of the inner loops against sums of 31 digits.
//!
//! Everything a rope does goes through a sine or an asinh; these two are our own polynomials, so
//! they are judged first. The bars are what their documentation promises.
//!
//! Tests: `a_wrong_sine_would_be_seen`.

use lariat_core::num::ops;

use super::check::{Check, Outcome, Topic};
use super::reference::{wide::Wide, worst};

pub(super) const TOPIC: Topic = Topic {
    name: "functions",
    title: "sine and asinh as the loops over samples use them",
    checks: &[
        Check {
            name: "function-sine",
            what: "sine of 4,000 angles within 10 turns, worst",
            unit: "",
            source: TAYLOR,
            counted: "",
            bar: 8e-16,
            run: || Some(Outcome::worst(worst(angles().map(|x| miss(x, ops::sin_turns(x)).0)))),
        },
        Check {
            name: "function-cosine",
            what: "cosine of 4,000 angles within 10 turns, worst",
            unit: "",
            source: TAYLOR,
            counted: "",
            bar: 8e-16,
            run: || Some(Outcome::worst(worst(angles().map(|x| miss(x, ops::cos_turns(x)).1)))),
        },
        Check {
            name: "function-sine-after-an-hour",
            what: "sine at a million and an eighth turns",
            unit: "",
            source: "√½: whole turns change nothing",
            counted: "",
            bar: 8e-16,
            run: || {
                let root = std::f64::consts::FRAC_1_SQRT_2;
                Some(Outcome::absolute(root, ops::sin_turns(1_000_000.125)))
            },
        },
        Check {
            name: "function-asinh",
            what: "asinh of 400 slopes from 1e-12 to 1e12, worst",
            unit: "",
            source: "ln(x + √(x² + 1)) and Newton, 31 digits",
            counted: "relative",
            bar: 8e-16,
            run: || Some(Outcome::worst(worst((0..400).map(asinh_miss)))),
        },
    ],
};

const TAYLOR: &str = "Taylor's series after reduction by quarter turns, 31 digits";

fn angles() -> impl Iterator<Item = f64> {
    (-2000..2000).map(|i| f64::from(i) * 0.004_971)
}

/// How far `ours` is from the sine and from the cosine of `x` turns.
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
        // A sine that is a bit of phase late.
        let late = |x: f64| ops::sin_turns(x + 1e-15);
        assert!(worst(angles().map(|x| miss(x, late(x)).0)) > 8e-16);
        // Taylor's series within an eighth of a turn of a whole or half one: eight terms do, and
        // cut one term short it does not.
        let series = |x: f64, terms: i32| {
            let half_turns = (2.0 * x).round();
            let r = std::f64::consts::TAU * (x - 0.5 * half_turns);
            let (mut term, mut sum) = (r, r);
            for k in 1..terms {
                term *= -r * r / f64::from(2 * k * (2 * k + 1));
                sum += term;
            }
            if half_turns % 2.0 == 0.0 { sum } else { -sum }
        };
        let near = |x: &f64| (2.0 * x - (2.0 * x).round()).abs() <= 0.25;
        let off = |terms| worst(angles().filter(near).map(|x| miss(x, series(x, terms)).0));
        assert!(off(8) < 8e-16 && off(7) > 8e-16, "{:e} {:e}", off(8), off(7));
    }
}
