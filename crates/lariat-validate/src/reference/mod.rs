//! Slow references, independent of the code under test.
//!
//! They take only `num::ops` and `DVec3` from the library.
//!
//! ```text
//! wide.rs      numbers with 31 digits
//! hung.rs      the catenary, in wide and in ordinary numbers
//! measure.rs   length of curves by chords, Richardson and halving; Simpson's rule
//! carried.rs   frames by Runge-Kutta
//! natural.rs   the natural cubic spline
//! dice.rs      reproducible random numbers
//! ```

pub(crate) mod carried;
pub(crate) mod dice;
pub(crate) mod hung;
pub(crate) mod measure;
pub(crate) mod natural;
pub(crate) mod wide;

use std::f64::consts::LN_2;

use lariat_core::num::ops;

/// Largest absolute error; NaN if any of them is NaN, which `max` would hide.
pub(crate) fn worst(errors: impl IntoIterator<Item = f64>) -> f64 {
    errors.into_iter().fold(0.0, |worst: f64, error| {
        if worst.is_nan() || error.is_nan() { f64::NAN } else { worst.max(error.abs()) }
    })
}

/// Mean period of an oscillation, from its downward zero crossings. Every call of `value` advances it
/// by `dt`. `None` with fewer than three periods.
pub(crate) fn period(dt: f64, steps: u32, mut value: impl FnMut() -> Option<f64>) -> Option<f64> {
    let (mut before, mut crossings) = (value()?, Vec::new());
    for step in 1..steps {
        let now = value()?;
        if before > 0.0 && now <= 0.0 {
            crossings.push(dt * (f64::from(step) + before / (before - now)));
        }
        before = now;
    }
    let periods = crossings.len().checked_sub(1).filter(|periods| *periods >= 3)?;
    Some((crossings[periods] - crossings[0]) / periods as f64)
}

/// Bessel's function `J₀`, by its series.
pub(crate) fn bessel(x: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..60 {
        term *= -0.25 * x * x / f64::from(k * k);
        sum += term;
    }
    sum
}

/// Order of convergence, from the errors of a run and of one with twice the resolution.
pub(crate) fn order(coarse: f64, fine: f64) -> f64 {
    ops::ln(coarse / fine) / LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_error_does_not_hide_a_nan() {
        assert_eq!(worst([1.0, -3.0, 2.0]), 3.0);
        assert!(worst([1.0, f64::NAN, 2.0]).is_nan());
        assert_eq!(worst([]), 0.0);
    }
}
