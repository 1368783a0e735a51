//! The choices that a sampled wiggly spline leaves open, each with its default.
//!
//! # Where we leave the paper
//!
//! * K7: the objective is called positive definite. It is only semidefinite: free motion costs
//!   nothing, and there are two numbers of it (real) or four (complex). *Calm* adds `ε s(ω) R` to
//!   the objective, where `R` is how far the motion is from a single decaying phasor, so that
//!   knots which say the same thing twice (half a period apart, say) leave nothing open:
//!
//!   ```text
//!   R = Σ |xᵢ₊₁ − λᵢ xᵢ|²                          real
//!   R = Σ |xᵢ₊₁ − λᵢ xᵢ|² + 10⁻⁶ Σ |xᵢ|²           complex
//!   ```
//!
//!   For a real motion the first is `Σ (e^−d sin ω xᵢ)² + (xᵢ₊₁ − e^−d cos ω xᵢ)²`. The fade `s`
//!   takes calm away as `ω` goes to 0, so the cubic spline stays one.
//! * Towards `ω = 0` the complex spline does not become the cubic one by itself: imaginary parts
//!   of the size `1/ω²` go on bending the real one by 7 %, until the equations are singular. Where
//!   calm fades, `10⁻⁶ ε (1 − s) Σ (Im xᵢ)²` comes in, which at `ω = 0` leaves real parts alone.
//! * A damped motion grows backwards in time. Starting at rest fixes the first two samples,
//!   unless a knot speaks of them.
//!
//! Tests: `calm_tames_knots_half_a_period_apart`, `a_slow_complex_spline_becomes_the_cubic_one`,
//! `before_its_first_knot_a_damped_motion_grows`.

use super::filter::{BANDWIDTH, Tuning};

/// Calm of the real forms. Ten times more moves ordinary curves by up to 0.6 %; ten times less
/// leaves knots half a period apart three times their height.
pub const CALM_REAL: f64 = 1e-5;

/// Calm of the complex form, which needs more: 1e-5 leaves 16 where 1e-4 leaves 2.4.
pub const CALM_COMPLEX: f64 = 1e-4;

/// Weight of plain size in the calm of the complex form, so that `R` has no free motion at all.
/// Larger: motion is pulled to zero. Smaller: digits are lost.
pub(super) const SIZE: f64 = 1e-6;

/// The frequency in radians per sample from which calm is at full strength. Smaller: cubic
/// stretches of a curve are bent. Larger: slow motion has none.
const FULL_CALM: f64 = 0.1;

/// Gaps above this many samples are solved by rows, which takes thirty times as long. Up to there
/// the normal equations are good to 1e-7 of a knot's height or so; at 3,000 only to 4e-6.
pub const ROWS_FROM: usize = 1000;

/// Which motion is free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Eq. 11 with conjugate poles: a real curve.
    Real,
    /// Eq. 18: a complex curve whose real part is seen; `bandwidth` in radians per sample.
    Complex {
        /// Half the distance of the poles; see [`BANDWIDTH`].
        bandwidth: f64,
    },
    /// Eq. 5, corrected: finite differences with a time step of one sample.
    Differences,
    /// As `Real`, but residuals are weighed as a cubic spline weighs them, so that without
    /// frequency and decay it *is* the natural cubic spline: `natural.rs`.
    Natural,
}

impl Form {
    /// The complex spline as published.
    pub const COMPLEX: Self = Self::Complex { bandwidth: BANDWIDTH };

    /// Real unknowns for each sample.
    pub(super) fn parts(self) -> usize {
        if matches!(self, Self::Complex { .. }) { 2 } else { 1 }
    }
}

/// Method of minimisation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Rows if a gap is long ([`ROWS_FROM`]), normal equations otherwise.
    Auto,
    /// Eq. 6 as it stands: fast, and it squares the condition.
    NormalEquations,
    /// Least squares on the rows of eq. 11 or 18: keeps the condition.
    Rows,
}

/// The choices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Which motion is free.
    pub form: Form,
    /// Weight of calm; 0 is the paper's objective.
    pub calm: f64,
    /// Whether the motion rests until something happens.
    pub start_at_rest: bool,
    /// Method of minimisation.
    pub method: Method,
}

impl Settings {
    /// The defaults of a form: calm, starting at rest.
    pub fn new(form: Form) -> Self {
        let calm = if form.parts() == 2 { CALM_COMPLEX } else { CALM_REAL };
        Self { form, calm, start_at_rest: true, method: Method::Auto }
    }

    /// The paper's objective and nothing else.
    pub fn published(form: Form) -> Self {
        Self { calm: 0.0, start_at_rest: false, ..Self::new(form) }
    }
}

/// `s(ω)`: 0 for a cubic, 1 from [`FULL_CALM`] on.
pub(super) fn fade(tuning: Tuning) -> f64 {
    let share = tuning.omega / FULL_CALM;
    (share * share).min(1.0)
}
