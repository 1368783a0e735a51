//! The normal equations: where the gradient of the objective vanishes.
//!
//! Kass & Anderson 2008, eq. 6, `∂Eₛ/∂xᵢ = 0`. A row with coefficients `c = (−b, −a, 1)` at the
//! samples `i − 1`, `i`, `i + 1` adds `conj(cⱼ) cₖ` to entry `(j, k)`. Real splines have two
//! diagonals below the main one. Complex ones are written in real and imaginary parts in turn, an
//! entry `p + i q` as `[[p, −q], [q, p]]`: five below the main one. It must be the real form, since
//! a knot fixes a real part only.
//!
//! What is known leaves the matrix: its column times its value goes to the right-hand side, as in
//! the paper, and a 1 stays on the diagonal, which keeps the band.
//!
//! # Where we leave the paper
//!
//! * K8: its "bandwidth 5" counts all five diagonals of the real spline.
//! * K7: the matrix is positive definite only when knots, calm or both have taken away what moves
//!   freely; otherwise factoring says so.
//! * Equations between two samples are added as squares too, `H + Cᵀ C`. That is definite where
//!   `H` is not, and changes nothing where they hold; `spline.rs` makes them hold.
//!
//! Tests: `normal_equations_vs_rows`.

use num_complex::Complex64;

use super::knot::{Constraints, Pair};
use super::plan::Plan;
use lariat_core::num::banded::{Factor, NotPositiveDefiniteError, Row, Symmetric};

/// A share of a number asked for in the right-hand side of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feed {
    pub(super) row: usize,
    /// Which number: pins first, then soft pairs, then those between samples.
    pub(super) target: usize,
    pub(super) factor: f64,
}

/// Fills a right-hand side with what is asked for.
pub(super) fn feed(feeds: &[Feed], targets: &[f64], right: &mut Vec<f64>, rows: usize) {
    right.clear();
    right.resize(rows, 0.0);
    for feed in feeds {
        right[feed.row] += feed.factor * targets[feed.target];
    }
}

/// The normal equations with `B` diagonals below the main one, factored.
#[derive(Clone, Debug, Default)]
pub(super) struct Normal<const B: usize> {
    matrix: Symmetric<B>,
    factor: Factor<B>,
    feeds: Vec<Feed>,
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
        self.hold(held, 1)
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
        let inner = alike(plan);
        let mut known = None;
        for j in 0..plan.samples {
            let (diagonal, one, two) = match known {
                Some(entries) if inner.contains(&j) => entries,
                _ => entries(plan, j),
            };
            known = inner.contains(&j).then_some((diagonal, one, two));
            rows.push(Row { diagonal, below: [-one.im, one.re, -two.im, two.re, 0.0] });
            let diagonal = diagonal + plan.quiet.get(j).copied().unwrap_or(0.0);
            rows.push(Row { diagonal, below: [0.0, one.re, one.im, two.re, two.im] });
        }
        self.hold(held, 2)
    }
}

impl<const B: usize> Normal<B> {
    /// Adds what the knots ask for, and factors.
    fn hold(&mut self, held: &Constraints, parts: usize) -> Result<(), NotPositiveDefiniteError> {
        let Self { matrix, factor, feeds, pinned } = self;
        feeds.clear();
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
                feeds.push(Feed { row, target: held.pins.len() + k, factor });
            }
        }
        for (target, pin) in held.pins.iter().enumerate() {
            matrix.fix(pin.unknown, |row, entry| {
                feeds.push(Feed { row, target, factor: -entry });
            });
        }
        feeds.retain(|feed| !pinned[feed.row] && feed.factor != 0.0);
        let fixed = held.pins.iter().enumerate();
        feeds.extend(fixed.map(|(target, pin)| Feed { row: pin.unknown, target, factor: 1.0 }));
        factor.build(matrix)
    }

    /// The unknowns for what is asked for.
    pub(super) fn solve(&self, targets: &[f64], x: &mut Vec<f64>) {
        feed(&self.feeds, targets, x, self.matrix.rows.len());
        self.factor.solve(x);
    }

    /// The matrix, with what is known taken out of it, and the right-hand side.
    pub(super) fn equations(&self, targets: &[f64]) -> (&Symmetric<B>, Vec<f64>) {
        let mut right = Vec::new();
        feed(&self.feeds, targets, &mut right, self.matrix.rows.len());
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

/// Samples whose entries are all the same: where nothing changes, all but two at each end.
fn alike(plan: &Plan) -> std::ops::Range<usize> {
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
    if !plan.calm.is_empty() {
        diagonal += plan.calm[j] * plan.size;
        if j + 1 < n {
            diagonal += plan.calm[j] * plan.poles[j].norm_sqr();
        }
        if j >= 1 {
            diagonal += plan.calm[j - 1];
            one -= plan.poles[j - 1] * plan.calm[j - 1];
        }
    }
    (diagonal, one, two)
}
