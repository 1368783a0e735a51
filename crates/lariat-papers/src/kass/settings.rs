//! Settings of a sampled wiggly spline, with defaults.
//!
//! # Differences from the paper
//!
//! * K7: the objective is called positive definite. It is only semidefinite: free motion costs
//!   nothing, and has two degrees of freedom (real) or four (complex). The *overshoot penalty* adds
//!   `ε s(ω) R` to the objective, where `R` measures the deviation of the motion from a single
//!   decaying phasor, so that redundant knots (such as those half a period apart) determine the
//!   motion:
//!
//!   ```text
//!   R = Σ |xᵢ₊₁ − λᵢ xᵢ|²                          real
//!   R = Σ |xᵢ₊₁ − λᵢ xᵢ|² + 10⁻⁶ Σ |xᵢ|²           complex
//!   ```
//!
//!   For a real motion the first is `Σ (e^−d sin ω xᵢ)² + (xᵢ₊₁ − e^−d cos ω xᵢ)²`. The fade `s`
//!   removes the penalty as `ω` goes to 0, so the cubic spline stays one.
//! * Towards `ω = 0` the complex spline does not become the cubic one by itself: imaginary parts of
//!   the size `1/ω²` bend the real part by 7 %, until the equations are singular. Where the penalty
//!   fades, `10⁻⁶ ε (1 − s) Σ (Im xᵢ)²` is added, which at `ω = 0` does not affect real parts.
//! * A damped motion grows backwards in time. Starting at rest fixes the first two samples, unless
//!   a knot involves them.
//!
//! Tests: `the_penalty_bounds_knots_half_a_period_apart`,
//! `a_slow_complex_spline_becomes_the_cubic_one`, `before_its_first_knot_a_damped_motion_grows`.

use super::filter::{BANDWIDTH, Tuning};

/// Overshoot penalty of the real forms. Ten times more changes ordinary curves by up to 0.6 %; ten
/// times less lets knots half a period apart reach three times their height.
pub const OVERSHOOT_PENALTY_REAL: f64 = 1e-5;

/// Overshoot penalty of the complex form, which needs more: a curve that reaches 16 with 1e-5
/// reaches 2.4 with 1e-4.
pub const OVERSHOOT_PENALTY_COMPLEX: f64 = 1e-4;

/// Weight of the size term in the penalty of the complex form, so that `R` has no free motion.
/// Larger: motion is pulled to zero. Smaller: digits are lost.
pub(super) const SIZE: f64 = 1e-6;

/// Frequency in radians per sample from which the penalty has its full weight. Smaller: cubic
/// stretches of a curve are bent. Larger: slow motion has no penalty.
const FULL_PENALTY: f64 = 0.1;

/// Gaps above this many samples are solved by rows, which takes thirty times as long. Up to there
/// the normal equations are accurate to about 1e-7 of a knot's height; at 3,000 only to 4e-6.
pub const ROWS_FROM: usize = 1000;

/// Form of the objective, which determines the free motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Eq. 11 with conjugate poles: a real curve.
    Real,
    /// Eq. 18: a complex curve whose real part is shown.
    Complex {
        /// Half the distance between the poles in radians per sample; see [`BANDWIDTH`].
        bandwidth: f64,
    },
    /// Eq. 5, corrected: finite differences with a time step of one sample.
    Differences,
    /// As `Real`, with residuals weighted so that without frequency and decay the curve is exactly
    /// the natural cubic spline: `natural.rs`.
    Natural,
}

impl Form {
    /// The complex spline as published.
    pub const COMPLEX: Self = Self::Complex { bandwidth: BANDWIDTH };

    /// Real unknowns per sample.
    pub(super) fn parts(self) -> usize {
        if matches!(self, Self::Complex { .. }) { 2 } else { 1 }
    }
}

/// Method of minimisation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Rows if a gap is long ([`ROWS_FROM`]), normal equations otherwise.
    Auto,
    /// Eq. 6 as published: fast, but squares the condition number.
    NormalEquations,
    /// Least squares on the rows of eq. 11 or 18: keeps the condition number.
    Rows,
}

/// Settings of a spline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Form of the objective.
    pub form: Form,
    /// Weight of the overshoot penalty; 0 is the paper's objective.
    pub overshoot_penalty: f64,
    /// Whether the motion starts at rest.
    pub start_at_rest: bool,
    /// Method of minimisation.
    pub method: Method,
}

impl Settings {
    /// Defaults of a form: with overshoot penalty, starting at rest.
    pub fn new(form: Form) -> Self {
        let complex = form.parts() == 2;
        let overshoot_penalty =
            if complex { OVERSHOOT_PENALTY_COMPLEX } else { OVERSHOOT_PENALTY_REAL };
        Self { form, overshoot_penalty, start_at_rest: true, method: Method::Auto }
    }

    /// The paper's objective without additions.
    pub fn published(form: Form) -> Self {
        Self { overshoot_penalty: 0.0, start_at_rest: false, ..Self::new(form) }
    }
}

/// `s(ω)`: 0 for a cubic, 1 from [`FULL_PENALTY`] on.
pub(super) fn fade(tuning: Tuning) -> f64 {
    let share = tuning.omega / FULL_PENALTY;
    (share * share).min(1.0)
}
