//! Passive motion: the response of the free spring to a moving equilibrium and to a force.
//!
//! Kass & Anderson 2008, section 3 and figure 2, middle curve. A driven spline is this motion plus
//! a correction that meets the knots (`spline.rs`), so that without knots the spline is the
//! simulation.
//!
//! The equilibrium `e` is linear from sample to sample and at rest before the first one; `y` is the
//! distance from it. For that `e` the samples are exact:
//!
//! ```text
//! real      yᵢ₊₁ = a yᵢ + b yᵢ₋₁ − κ (eᵢ₊₁ − 2 eᵢ + eᵢ₋₁),    κ = e^−d sin ω / ω
//! complex   yᵢ₊₁ = λ (yᵢ + (i/ω) (eᵢ₊₁ − 2 eᵢ + eᵢ₋₁))
//! ```
//!
//! A force `F`, per sample², replaces minus the second difference. Finite differences follow eq. 5
//! instead: `xᵢ₊₁ = a xᵢ + b xᵢ₋₁ + (k eᵢ + Fᵢ) / (1 + γ)`.
//!
//! # Differences from the paper
//!
//! * The paper drives its filter with the force directly. For the complex filter with two poles
//!   that is wrong: its response to an impulse, `e^(−dn) sin(βn)/sin(β) e^(iωn)`, grows for thirty
//!   samples. With one pole the real part is that of the real spring.
//! * A spring without a frequency has no phase: where `ω = 0` the real part follows the real rule
//!   and the imaginary part only decays.
//!
//! Tests: `passive_response_vs_runge_kutta`,
//! `the_real_part_of_the_complex_response_is_the_real_one`,
//! `the_response_of_differences_to_a_force_obeys_equation_5`.

use num_complex::Complex64;

use super::{Form, Tuning, filter::Filter};

/// Fills `motion` with the position of a spring without knots at each sample. Lists have one value
/// for all samples or one for each; `equilibrium` and `force` may be empty.
pub fn passive_response(
    form: Form,
    samples: usize,
    tunings: &[Tuning],
    equilibrium: &[f64],
    force: &[f64],
    motion: &mut Vec<Complex64>,
) {
    motion.clear();
    if equilibrium.len() <= 1 && force.is_empty() {
        let rest = equilibrium.first().copied().unwrap_or(0.0);
        motion.resize(samples, Complex64::from(rest));
        return;
    }
    let rest = |i: usize| one_or_each(equilibrium, i, 0.0);
    let mut before = Complex64::ZERO;
    let mut y = Complex64::ZERO;
    for i in 0..samples {
        motion.push(y + rest(i));
        if i + 1 == samples {
            break;
        }
        let bend = (rest(i + 1) - rest(i)) - (rest(i) - rest(i.saturating_sub(1)));
        let push = one_or_each(force, i, 0.0) - bend;
        let tuning = one_or_each(tunings, i, Tuning::CUBIC);
        let next = match form {
            Form::Differences => {
                // Eq. 5 damps the motion itself, not the motion relative to the equilibrium.
                let (k, gamma) = stiffness(tuning);
                let filter = Filter::differences(1.0, k, gamma);
                let driven = (k * rest(i) + one_or_each(force, i, 0.0)) / (1.0 + gamma);
                two_poles(filter, y + rest(i), before + rest(i.saturating_sub(1))) + driven
                    - rest(i + 1)
            }
            Form::Real | Form::Natural => {
                two_poles(Filter::real(tuning), y, before) + push * tuning.carry()
            }
            Form::Complex { .. } if tuning.omega == 0.0 => {
                let real = two_poles(Filter::real(tuning), y, before) + push * tuning.carry();
                Complex64::new(real.re, y.im * tuning.carry())
            }
            Form::Complex { .. } => tuning.pole() * (y - Complex64::new(0.0, push / tuning.omega)),
        };
        (before, y) = (y, next);
    }
}

/// Stiffness and damping, for a time step of one sample, of a spring with this frequency and
/// decay: `k = ω² + d²`, `γ = 2 d`.
pub fn stiffness(tuning: Tuning) -> (f64, f64) {
    (tuning.omega * tuning.omega + tuning.decay * tuning.decay, 2.0 * tuning.decay)
}

fn two_poles(filter: Filter, y: Complex64, before: Complex64) -> Complex64 {
    filter.a * y + filter.b * before
}

/// Entry `i` of a list that has one entry for all, one for each, or none at all.
pub(super) fn one_or_each<T: Copy>(list: &[T], i: usize, none: T) -> T {
    match list {
        [] => none,
        [one] => *one,
        each => each[i],
    }
}
