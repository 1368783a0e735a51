//! Variant of the sampled spline whose limit is exactly a cubic spline.
//!
//! Without frequency and decay, eq. 5 sums squares of second differences, and its minimum differs
//! from the natural cubic spline by `0.42 / gap²` of the data. The integral of eq. 4 over a curve
//! that is cubic between samples weights residuals with their neighbours: `rᵀ T⁻¹ r`, with `T`
//! tridiagonal, 1/6, 2/3, 1/6. With `μ = T⁻¹ r` and `r = A x`, the minimum is where
//!
//! ```text
//! A x − T μ = 0       one row for each sample with two neighbours
//! Aᵀ μ + S x = s      one for each sample that is free
//! ```
//!
//! with soft tangents, the overshoot penalty and knots between samples in `S` and `s`. With `x` and
//! `μ` alternating, the system is banded but indefinite, so it is solved by rotations.
//!
//! # Differences from the paper
//!
//! The paper claims cubic splines as the limit, but reaches them only as samples become dense. The
//! weighting is not in the paper; only the real form has it.
//!
//! Tests: `natural_form_vs_natural_cubic_spline`.

use super::knot::Constraints;
use super::plan::Plan;
use super::rows::{Pairs, Rows};
use lariat_core::num::banded_qr::RankDeficientError;

impl Rows<6> {
    /// Builds both families of equations: `x` of sample `j` at `2 j`, its `μ` at `2 j + 1`.
    pub(super) fn build_natural(
        &mut self,
        plan: &Plan,
        held: &Constraints,
    ) -> Result<(), RankDeficientError> {
        let n = plan.samples;
        self.start(2 * n, 2, held);
        let has_row = |i: usize| i >= 1 && i + 1 < n;
        let mut pairs = Pairs::new(held);
        let mut before = Terms::default();
        for j in 0..n {
            let mut terms = Terms::default();
            terms.add_penalty(plan, j);
            while let Some((target, pair)) = pairs.next_at(j) {
                terms.add_pair(pair.strength, pair.weights, target);
            }
            // Six columns from two before `x`; at the first sample, from `x` itself.
            let first = (2 * j).saturating_sub(2);
            let place = |i: usize, part: usize| 2 * i + part - first;
            match self.pin_of(2 * j) {
                Some(target) => self.add_pin(2 * j, target),
                None => {
                    let mut row = [0.0; 6];
                    if j >= 1 {
                        row[place(j - 1, 0)] = before.across;
                        row[place(j - 1, 1)] = if has_row(j - 1) { 1.0 } else { 0.0 };
                    }
                    row[place(j, 0)] = before.on_second + terms.on_first;
                    row[place(j, 1)] = if has_row(j) { -plan.filters[j].a.re } else { 0.0 };
                    if j + 1 < n {
                        row[place(j + 1, 0)] = terms.across;
                        let b = plan.filters[j + 1].b.re;
                        row[place(j + 1, 1)] = if has_row(j + 1) { -b } else { 0.0 };
                    }
                    for (target, _, factor) in &before.targets {
                        self.add_target(*target, *factor);
                    }
                    for (target, factor, _) in &terms.targets {
                        self.add_target(*target, *factor);
                    }
                    self.add(first, row);
                }
            }
            let mut row = [0.0; 6];
            if has_row(j) {
                let filter = plan.filters[j];
                row[place(j - 1, 0)] = -filter.b.re;
                row[place(j, 0)] = -filter.a.re;
                row[place(j + 1, 0)] = 1.0;
                row[place(j, 1)] = -2.0 / 3.0;
                row[place(j - 1, 1)] = if has_row(j - 1) { -1.0 / 6.0 } else { 0.0 };
                row[place(j + 1, 1)] = if has_row(j + 1) { -1.0 / 6.0 } else { 0.0 };
            } else {
                row[place(j, 1)] = 1.0;
            }
            self.add(first, row);
            before = terms;
        }
        self.check()
    }
}

/// Entries of `S` and `s` for two neighbouring samples.
#[derive(Default)]
struct Terms {
    on_first: f64,
    across: f64,
    on_second: f64,
    /// Target, and its factors at the first and the second sample.
    targets: Vec<(usize, f64, f64)>,
}

impl Terms {
    fn add_penalty(&mut self, plan: &Plan, j: usize) {
        if let Some(&weight) = plan.penalty.get(j)
            && j + 1 < plan.samples
        {
            self.on_first += weight * plan.poles[j].norm_sqr();
            self.across -= weight * plan.poles[j].re;
            self.on_second += weight;
        }
    }

    fn add_pair(&mut self, strength: f64, [p, q]: [f64; 2], target: usize) {
        self.on_first += strength * p * p;
        self.across += strength * p * q;
        self.on_second += strength * q * q;
        self.targets.push((target, strength * p, strength * q));
    }
}
