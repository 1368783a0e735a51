//! The outside truth: slow, naive and independent of the code it judges.
//!
//! Nothing here calls a curve, a model or a channel of Lariat. What is taken from the library is
//! `num::ops` for the sine of an ordinary number, and `DVec3` to add three of them at once.
//!
//! ```text
//! wide.rs      numbers with 31 digits
//! hung.rs      the catenary by the textbook, in wide numbers and in ordinary ones
//! measure.rs   how long a curve is: chords, Richardson, halving; Simpson for other integrals
//! carried.rs   frames by Runge-Kutta on their differential equation
//! natural.rs   the natural cubic spline by second derivatives
//! dice.rs      the same random numbers everywhere
//! ```

pub(crate) mod carried;
pub(crate) mod dice;
pub(crate) mod hung;
pub(crate) mod measure;
pub(crate) mod natural;
pub(crate) mod wide;

/// The largest of some errors; NaN if any of them is, so that no trouble hides behind `max`.
pub(crate) fn worst(errors: impl IntoIterator<Item = f64>) -> f64 {
    errors.into_iter().fold(0.0, |worst: f64, error| {
        if worst.is_nan() || error.is_nan() { f64::NAN } else { worst.max(error.abs()) }
    })
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
