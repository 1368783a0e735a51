//! Errors of a sampled wiggly spline, with the numbers and a remedy.

use std::f64::consts::PI;

use thiserror::Error;

/// Error of a sampled wiggly spline.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum SampledError {
    /// A list is neither empty, nor one for all, nor one for each sample.
    #[error("{given} {what} for {samples} samples: give one for all, or one for each")]
    Length {
        /// Name of the list.
        what: &'static str,
        /// Number found.
        given: usize,
        /// Number of samples.
        samples: usize,
    },
    /// A number is infinite or not a number.
    #[error("{what} number {index} is {value}, which is no finite number")]
    NotFinite {
        /// Name of the quantity.
        what: &'static str,
        /// Index.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// A resonance that this many samples cannot show, or a negative one.
    #[error(
        "sample {sample} resonates at {omega} rad, outside 0 to {PI}: take more samples a second"
    )]
    Frequency {
        /// Index of the sample.
        sample: usize,
        /// Its frequency in radians per sample.
        omega: f64,
    },
    /// A motion that grows by itself.
    #[error("sample {sample} decays by {decay}, and a decay is never negative")]
    Decay {
        /// Index of the sample.
        sample: usize,
        /// Its decay per sample.
        decay: f64,
    },
    /// Finite differences would diverge.
    #[error(
        "sample {sample} has stiffness {stiffness}, and finite differences need less than {limit}: take the pole form, or more samples a second"
    )]
    Unstable {
        /// Index of the sample.
        sample: usize,
        /// `h² k`.
        stiffness: f64,
        /// `4 + 2 h γ`.
        limit: f64,
    },
    /// A knot, or the sample its tangent needs, is not on the curve.
    #[error("knot {knot} needs sample {at}, and there are {samples}")]
    Outside {
        /// Index of the knot.
        knot: usize,
        /// The sample.
        at: f64,
        /// Number of samples.
        samples: usize,
    },
    /// Two constraints fix the same sample.
    #[error("sample {sample} is fixed twice: move a knot, or take a tangent away")]
    Twice {
        /// Index of the sample.
        sample: usize,
    },
    /// A knot between two samples has one slope only.
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
        "a tangent of knot {knot} has strength {strength}: take it away, or give it more than 0"
    )]
    Strength {
        /// Index of the knot.
        knot: usize,
        /// `cₜ`.
        strength: f64,
    },
    /// There are enough constraints, but some are redundant: knots half a period apart.
    #[error("the knots leave the motion open near sample {sample}: turn calm on, or move a knot")]
    Open {
        /// Index of the sample.
        sample: usize,
    },
    /// The curve leaves the range of numbers.
    #[error(
        "the motion grows past all numbers at sample {sample}: start at rest, or set a knot earlier"
    )]
    TooLarge {
        /// Index of the sample.
        sample: usize,
    },
    /// The knot does not exist.
    #[error("there is no knot {knot}, only {knots}")]
    NoKnot {
        /// Requested knot.
        knot: usize,
        /// Number found.
        knots: usize,
    },
}
