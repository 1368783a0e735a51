//! Normal equations: the gradient of the objective is zero.
//!
//! Kass & Anderson 2008, eq. 6, `∂Eₛ/∂xᵢ = 0`. A row with coefficients `c = (−b, −a, 1)` at the
//! samples `i − 1`, `i`, `i + 1` adds `conj(cⱼ) cₖ` to entry `(j, k)`. Real splines have two
//! diagonals below the main one. Complex ones are written with real and imaginary parts
//! alternating, an entry `p + i q` as `[[p, −q], [q, p]]`: five below the main one. The real form
//! is required because a knot fixes only a real part.
//!
//! A fixed unknown is eliminated: its column times its value goes to the right-hand side, as in the
//! paper, and a 1 stays on the diagonal, which keeps the band.
//!
//! # Differences from the paper
//!
//! * K8: its "bandwidth 5" counts all five diagonals of the real spline.
//! * K7: the matrix is positive definite only if knots, the overshoot penalty or both leave no free
//!   motion; otherwise the factorisation fails.
//! * Constraints between two samples are added as squares as well, `H + Cᵀ C`. That is definite
//!   where `H` is not, and changes nothing where they are met; `spline.rs` meets them.
//!
//! Tests: `normal_equations_vs_rows`.

use num_complex::Complex64;

use super::knot::{Constraints, Pair};
use super::plan::Plan;
use lariat_core::num::banded::{Factor, NotPositiveDefiniteError, Row, Symmetric};

/// Term of the right-hand side of a row: a factor on a target.
#[derive(Clone, Copy, Debug)]
pub(super) struct RhsTerm {
    pub(super) row: usize,
    /// Index of the target: pins first, then soft pairs, then those between samples.
    pub(super) target: usize,
    pub(super) factor: f64,
}

/// Computes a right-hand side from the targets.
pub(super) fn fill_rhs(terms: &[RhsTerm], targets: &[f64], right: &mut Vec<f64>, rows: usize) {
    right.clear();
    right.resize(rows, 0.0);
    for term in terms {
        right[term.row] += term.factor * targets[term.target];
    }
}

/// The normal equations with `B` diagonals below the main one, factored.
#[derive(Clone, Debug, Default)]
pub(super) struct Normal<const B: usize> {
    matrix: Symmetric<B>,
    factor: Factor<B>,
    rhs_terms: Vec<RhsTerm>,
    pinned: Vec<bool>,
}

impl Normal<2> {
    pub(super) fn build(
        &mut self,
        plan: &Plan,
        held: &Constraints,
    ) -> Result<(), NotPositiveDefiniteError> {
        let rows = &mut self.matrix.rows;
        rows.clear();
        rows.extend((0..plan.samples).map(|j| {
            let (diagonal, one, two) = entries(plan, j);
            Row { diagonal, below: [one.re, two.re] }
        }));
        self.add_constraints(held, 1)
    }
}

impl Normal<5> {
    pub(super) fn build(
        &mut self,
        plan: &Plan,
        held: &Constraints,
    ) -> Result<(), NotPositiveDefiniteError> {
        let rows = &mut self.matrix.rows;
        rows.clear();
        rows.reserve(2 * plan.samples);
        let inner = uniform_samples(plan);
        let mut known = None;
        for j in 0..plan.samples {
            let (diagonal, one, two) = match known {
                Some(entries) if inner.contains(&j) => entries,
                _ => entries(plan, j),
            };
            known = inner.contains(&j).then_some((diagonal, one, two));
            rows.push(Row { diagonal, below: [-one.im, one.re, -two.im, two.re, 0.0] });
            let diagonal = diagonal + plan.imaginary_penalty.get(j).copied().unwrap_or(0.0);
            rows.push(Row { diagonal, below: [0.0, one.re, one.im, two.re, two.im] });
        }
        self.add_constraints(held, 2)
    }
}

impl<const B: usize> Normal<B> {
    /// Adds the constraints of the knots, and factors.
    fn add_constraints(
        &mut self,
        held: &Constraints,
        parts: usize,
    ) -> Result<(), NotPositiveDefiniteError> {
        let Self { matrix, factor, rhs_terms, pinned } = self;
        rhs_terms.clear();
        pinned.clear();
        pinned.resize(matrix.rows.len(), false);
        for pin in &held.pins {
            pinned[pin.unknown] = true;
        }
        for (k, pair) in held.soft.iter().chain(&held.between).enumerate() {
            add(matrix, pair, parts);
            for (side, weight) in pair.weights.iter().enumerate() {
                let row = (pair.sample + side) * parts;
                let factor = pair.strength * weight;
                rhs_terms.push(RhsTerm { row, target: held.pins.len() + k, factor });
            }
        }
        for (target, pin) in held.pins.iter().enumerate() {
            matrix.fix(pin.unknown, |row, entry| {
                rhs_terms.push(RhsTerm { row, target, factor: -entry });
            });
        }
        rhs_terms.retain(|term| !pinned[term.row] && term.factor != 0.0);
        let fixed = held.pins.iter().enumerate();
        rhs_terms.extend(fixed.map(|(target, pin)| RhsTerm {
            row: pin.unknown,
            target,
            factor: 1.0,
        }));
        factor.build(matrix)
    }

    /// Solves for the unknowns, given the targets.
    pub(super) fn solve(&self, targets: &[f64], x: &mut Vec<f64>) {
        fill_rhs(&self.rhs_terms, targets, x, self.matrix.rows.len());
        self.factor.solve(x);
    }

    /// Matrix without the fixed unknowns, and right-hand side.
    pub(super) fn equations(&self, targets: &[f64]) -> (&Symmetric<B>, Vec<f64>) {
        let mut right = Vec::new();
        fill_rhs(&self.rhs_terms, targets, &mut right, self.matrix.rows.len());
        (&self.matrix, right)
    }
}

fn add<const B: usize>(matrix: &mut Symmetric<B>, pair: &Pair, parts: usize) {
    let [u, v] = [pair.sample, pair.sample + 1].map(|sample| sample * parts);
    let [p, q] = pair.weights;
    matrix.add(u, u, pair.strength * p * p);
    matrix.add(v, u, pair.strength * p * q);
    matrix.add(v, v, pair.strength * q * q);
}

/// Samples with equal entries: for a single tuning, all but two at each end.
fn uniform_samples(plan: &Plan) -> std::ops::Range<usize> {
    if plan.uniform { 2..plan.samples.saturating_sub(2) } else { 0..0 }
}

/// Entries `(j, j)`, `(j, j − 1)` and `(j, j − 2)` of the Hermitian matrix.
#[inline]
fn entries(plan: &Plan, j: usize) -> (f64, Complex64, Complex64) {
    let n = plan.samples;
    let (mut diagonal, mut one, mut two) = (0.0, Complex64::ZERO, Complex64::ZERO);
    // The row around the sample after, whose first coefficient is here.
    if j + 2 < n {
        diagonal += plan.filters[j + 1].b.norm_sqr();
    }
    // The row around this sample.
    if j >= 1 && j + 1 < n {
        let filter = &plan.filters[j];
        diagonal += filter.a.norm_sqr();
        one += filter.a.conj() * filter.b;
    }
    // The row around the sample before, whose last coefficient is here.
    if j >= 2 {
        let filter = &plan.filters[j - 1];
        diagonal += 1.0;
        one -= filter.a;
        two = -filter.b;
    }
    if !plan.penalty.is_empty() {
        diagonal += plan.penalty[j] * plan.size;
        if j + 1 < n {
            diagonal += plan.penalty[j] * plan.poles[j].norm_sqr();
        }
        if j >= 1 {
            diagonal += plan.penalty[j - 1];
            one -= plan.poles[j - 1] * plan.penalty[j - 1];
        }
    }
    (diagonal, one, two)
}
