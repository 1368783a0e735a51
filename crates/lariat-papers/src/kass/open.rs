//! Too few knots: the free motion of least overshoot penalty.
//!
//! Free motion has two degrees of freedom in a real spline and four in a complex one; with fewer
//! constraints the minimum is 0 and not unique. Of all free motions that meet the constraints, the
//! one with the least `R` (`settings.rs`) is chosen: a small dense problem for any number of
//! samples. One knot gives an oscillation that peaks there, or a constant without resonance; two
//! knots without resonance give a straight line.
//!
//! Not in the paper, which takes its matrix to be definite (K7).
//!
//! Tests: `each_knot_removes_one_degree_of_freedom`, `one_knot_is_an_oscillation_that_peaks_there`,
//! `without_resonance_one_knot_is_a_constant_and_two_are_a_line`.

use num_complex::Complex64;

use super::dense;
use super::knot::Constraints;
use super::plan::Plan;
use super::settings::SIZE;

/// Degrees of freedom of a free motion.
pub(super) fn freedom(samples: usize, parts: usize) -> usize {
    samples.min(2) * parts
}

/// Fills `x` with the free motion of least penalty that meets `targets`; `None` if two of them
/// contradict or repeat each other.
pub(super) fn solve(
    plan: &Plan,
    held: &Constraints,
    parts: usize,
    targets: &[f64],
    x: &mut Vec<f64>,
) -> Option<()> {
    let n = plan.samples;
    let basis = basis(plan, held.first_sample(parts)?, parts);
    let free = basis.len();
    // The least R under the constraints, by Lagrange multipliers.
    let size = free + held.len();
    let mut matrix = vec![0.0; size * size];
    let mut right = vec![0.0; size];
    for (k, one) in basis.iter().enumerate() {
        for (l, other) in basis.iter().enumerate() {
            matrix[k * size + l] = penalty(plan, parts, one, other);
        }
        let mut row = free;
        let mut constrain = |value: f64| {
            matrix[k * size + row] = value;
            matrix[row * size + k] = value;
            row += 1;
        };
        for pin in &held.pins {
            constrain(part(one, pin.unknown, parts));
        }
        for pair in held.soft.iter().chain(&held.between) {
            let [p, q] = pair.weights;
            constrain(p * one[pair.sample].re + q * one[pair.sample + 1].re);
        }
    }
    right[free..].copy_from_slice(targets);
    let weights = dense::solve(matrix, right)?;
    x.clear();
    x.extend((0..n * parts).map(|unknown| {
        basis
            .iter()
            .zip(&weights)
            .map(|(one, weight)| part(one, unknown, parts) * weight)
            .sum::<f64>()
    }));
    Some(())
}

fn part(motion: &[Complex64], unknown: usize, parts: usize) -> f64 {
    let x = motion[unknown / parts];
    if unknown.is_multiple_of(parts) { x.re } else { x.im }
}

/// Free motions that are 1 (or `i`) at one of the two samples from `first` on and 0 at the other.
/// They start there, not at sample 0, because a motion that decays grows backwards in time.
fn basis(plan: &Plan, first: usize, parts: usize) -> Vec<Vec<Complex64>> {
    let n = plan.samples;
    let first = first.min(n.saturating_sub(2));
    let mut motions = Vec::new();
    for start in 0..n.min(2) {
        for unit in [Complex64::ONE, Complex64::I].into_iter().take(parts) {
            let mut x = vec![Complex64::ZERO; n];
            x[first + start] = unit;
            for i in first + 2..n {
                let filter = plan.filters[i - 1];
                x[i] = filter.a * x[i - 1] + filter.b * x[i - 2];
            }
            for i in (0..first).rev() {
                let filter = plan.filters[i + 1];
                x[i] = (x[i + 2] - filter.a * x[i + 1]) / filter.b;
            }
            motions.push(x);
        }
    }
    motions
}

/// Bilinear form of `R` for two motions.
fn penalty(plan: &Plan, parts: usize, one: &[Complex64], other: &[Complex64]) -> f64 {
    let dot = |p: Complex64, q: Complex64| p.re * q.re + p.im * q.im;
    let mut sum = 0.0;
    for i in 1..plan.samples {
        let pole = plan.poles[i - 1];
        sum += dot(one[i] - pole * one[i - 1], other[i] - pole * other[i - 1]);
    }
    if parts == 2 {
        // Without resonance, the size term would tilt a constant.
        let sizes = plan.poles.iter().zip(one.iter().zip(other)).filter(|(pole, _)| pole.im != 0.0);
        sum += SIZE * sizes.map(|(_, (p, q))| dot(*p, *q)).sum::<f64>();
    }
    sum
}
