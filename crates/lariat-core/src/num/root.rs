//! Root of a function within a bracket.
//!
//! Chandrupatla's method (1997): inverse quadratic interpolation where three points allow it,
//! bisection where they do not. It cannot leave the bracket, needs few evaluations on smooth
//! functions and tolerates kinks.

/// Finds `x` between `a` and `b` with `|f(x)| <= tolerance`, or as near as floating point allows.
///
/// `fa` and `fb` are the values at the ends and must not have the same sign; the function may
/// have kinks. Makes at most `max_evaluations` and returns the best argument found.
pub fn bracketed(
    (mut a, mut fa): (f64, f64),
    (mut b, mut fb): (f64, f64),
    tolerance: f64,
    max_evaluations: usize,
    mut f: impl FnMut(f64) -> f64,
) -> f64 {
    let (mut best, mut least) = if fa.abs() <= fb.abs() { (a, fa.abs()) } else { (b, fb.abs()) };
    // Position of the next trial, as a fraction from b to a.
    let mut fraction = fb / (fb - fa);
    for _ in 0..max_evaluations {
        if least <= tolerance {
            break;
        }
        // The first trial is a secant step; none may fall on an end of the bracket.
        let x = b + fraction.clamp(1e-12, 1.0 - 1e-12) * (a - b);
        if x == a || x == b {
            break;
        }
        let fx = f(x);
        if fx.abs() < least {
            (best, least) = (x, fx.abs());
        }
        let (c, fc);
        if (fx < 0.0) == (fb < 0.0) {
            (c, fc) = (b, fb);
        } else {
            (c, fc) = (a, fa);
            (a, fa) = (b, fb);
        }
        (b, fb) = (x, fx);
        // Now a and b bracket the root, and c is the discarded point. Interpolate if the three are well
        // placed.
        let xi = (b - a) / (c - a);
        let phi = (fb - fa) / (fc - fa);
        fraction = if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
            let alpha = (c - b) / (a - b);
            fb / (fb - fa) * (fc / (fc - fa)) - alpha * (fb / (fc - fb)) * (fa / (fa - fc))
        } else {
            0.5
        };
        if !fraction.is_finite() {
            fraction = 0.5;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_cube_root_of_two() {
        let f = |x: f64| x * x * x - 2.0;
        let x = bracketed((0.0, f(0.0)), (5.0, f(5.0)), 1e-15, 100, f);
        assert!((x - 1.259_921_049_894_873_2).abs() < 1e-15);
    }

    #[test]
    fn a_bracket_without_numbers_inside_ends_the_search() {
        // A jump has no root: the two numbers on its sides are all that can be found.
        let mut calls = 0;
        let x = bracketed((0.0, -1.0), (1.0, 1.0), 0.0, 10_000, |x| {
            calls += 1;
            if x < 0.3 { -1.0 } else { 1.0 }
        });
        assert!(x == 0.0 || x == 1.0 || (x - 0.3).abs() < 1e-9, "{x}");
        assert!(calls < 200, "{calls} evaluations");
    }

    #[test]
    fn a_kink_does_not_prevent_convergence() {
        let g = |x: f64| if x < 0.3 { 10.0 * (x - 0.3) } else { 0.01 * (x - 0.3) };
        let mut calls = 0;
        let x = bracketed((0.0, g(0.0)), (1.0, g(1.0)), 1e-12, 200, |x| {
            calls += 1;
            g(x)
        });
        assert!((x - 0.3).abs() < 1e-9, "{x}");
        assert!(calls < 60, "{calls} evaluations");
    }
}
