//! Too few knots: the motion is free, and the calmest free motion is chosen.
//!
//! Free motion has two numbers in a real spline and four in a complex one; with fewer constraints
//! the minimum is 0 and not unique. Of all free motions that meet the constraints, this takes the
//! one with the least `R` (`settings.rs`): a small dense problem, whatever the number of samples.
//! One knot gives a wiggle that is largest at the knot, or a constant line where nothing resonates;
//! two knots without resonance a straight line.
//!
//! Not in the paper, which takes its matrix for definite (K7).
//!
//! Tests: `free_motion_has_as_many_numbers_as_are_missing`, `one_knot_is_a_wiggle_with_its_top_there`,
//! `without_resonance_one_knot_is_a_level_and_two_are_a_line`.

use num_complex::Complex64;

use super::dense;
use super::knot::Constraints;
use super::plan::Plan;
use super::settings::SIZE;

/// Degrees of freedom of a free motion.
pub(super) fn freedom(samples: usize, parts: usize) -> usize {
    samples.min(2) * parts
}

/// Fills `x` with the calmest free motion that meets `targets`; `None` if two of them contradict
/// or repeat each other.
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
    // The least R under the constraints: its gradient is a sum of theirs.
    let size = free + held.len();
    let mut matrix = vec![0.0; size * size];
    let mut right = vec![0.0; size];
    for (k, one) in basis.iter().enumerate() {
        for (l, other) in basis.iter().enumerate() {
            matrix[k * size + l] = restlessness(plan, parts, one, other);
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
/// They start there, not at the first sample, because what decays after it grows before it.
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

/// `R` as a product of two motions.
fn restlessness(plan: &Plan, parts: usize, one: &[Complex64], other: &[Complex64]) -> f64 {
    let dot = |p: Complex64, q: Complex64| p.re * q.re + p.im * q.im;
    let mut sum = 0.0;
    for i in 1..plan.samples {
        let pole = plan.poles[i - 1];
        sum += dot(one[i] - pole * one[i - 1], other[i] - pole * other[i - 1]);
    }
    if parts == 2 {
        // Where nothing resonates, size would tilt a level line.
        let sizes = plan.poles.iter().zip(one.iter().zip(other)).filter(|(pole, _)| pole.im != 0.0);
        sum += SIZE * sizes.map(|(_, (p, q))| dot(*p, *q)).sum::<f64>();
    }
    sum
}
