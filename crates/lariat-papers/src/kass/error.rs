//! Errors of a sampled wiggly spline, with the numbers and a remedy.

use std::f64::consts::PI;

use thiserror::Error;

/// Error of a sampled wiggly spline.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum SampledError {
    /// A list of the wrong length.
    #[error("{given} {what} for {samples} samples: give one for all, or one for each")]
    Length {
        /// Name of the list.
        what: &'static str,
        /// Number found.
        given: usize,
        /// Number of samples.
        samples: usize,
    },
    /// NaN or infinity.
    #[error("{what} number {index} is {value}; expected a finite number")]
    NotFinite {
        /// Name of the quantity.
        what: &'static str,
        /// Index.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// A frequency that is negative or at the Nyquist limit or above.
    #[error(
        "sample {sample} resonates at {omega} rad, outside 0 to {PI}: use more samples per second"
    )]
    Frequency {
        /// Index of the sample.
        sample: usize,
        /// Its frequency in radians per sample.
        omega: f64,
    },
    /// A negative decay.
    #[error("sample {sample} decays by {decay}; expected 0 or more")]
    Decay {
        /// Index of the sample.
        sample: usize,
        /// Its decay per sample.
        decay: f64,
    },
    /// Finite differences would diverge.
    #[error(
        "sample {sample} has stiffness {stiffness}; finite differences need less than {limit}: use the pole form, or more samples per second"
    )]
    Unstable {
        /// Index of the sample.
        sample: usize,
        /// `h² k`.
        stiffness: f64,
        /// `4 + 2 h γ`.
        limit: f64,
    },
    /// A knot, or a sample that its tangent needs, is not on the curve.
    #[error("knot {knot} needs sample {at}, but there are {samples}")]
    Outside {
        /// Index of the knot.
        knot: usize,
        /// The sample.
        at: f64,
        /// Number of samples.
        samples: usize,
    },
    /// Two constraints fix the same sample.
    #[error("sample {sample} is fixed twice: move a knot, or remove a tangent")]
    Twice {
        /// Index of the sample.
        sample: usize,
    },
    /// Two slopes at a knot between two samples, which can have only one.
    #[error(
        "knot {knot} lies between two samples and has two slopes, {left} and {right}: move it onto a sample to break its tangent"
    )]
    Broken {
        /// Index of the knot.
        knot: usize,
        /// The slope on its left.
        left: f64,
        /// The slope on its right.
        right: f64,
    },
    /// The weight of a soft tangent is not positive.
    #[error(
        "a tangent of knot {knot} has strength {strength}: expected more than 0; remove it instead"
    )]
    Strength {
        /// Index of the knot.
        knot: usize,
        /// `cₜ`.
        strength: f64,
    },
    /// Enough constraints, but redundant ones: knots half a period apart.
    #[error(
        "the knots do not determine the motion near sample {sample}: set an overshoot penalty, or move a knot"
    )]
    Open {
        /// Index of the sample.
        sample: usize,
    },
    /// The curve overflows.
    #[error("the motion overflows at sample {sample}: start at rest, or set a knot earlier")]
    TooLarge {
        /// Index of the sample.
        sample: usize,
    },
    /// The knot does not exist.
    #[error("there is no knot {knot}; the curve has {knots}")]
    NoKnot {
        /// Requested knot.
        knot: usize,
        /// Number of knots.
        knots: usize,
    },
}
