//! The objective, sample by sample: filters and weights of the overshoot penalty.
//!
//! Kass & Anderson 2008. The motion closest to physics minimises
//!
//! ```text
//! E = ∫ (f − m a)² dt,   f = −k x − γ x' + f_ext                                  (1), (2)
//!   = ∫ (x'' + γ x' + k x − f_ext)² dt,    for k = γ = 0    ∫ (x'')² dt           (3), (4)
//! ```
//!
//! which finite differences turn into a sum over samples,
//!
//! ```text
//! Eₛ = 1/h³ Σ ((xᵢ₋₁ − 2 xᵢ + xᵢ₊₁) + h γ (xᵢ₊₁ − xᵢ) + h² k xᵢ − h² f_ext)²           (5)
//! ```
//!
//! and a filter with chosen poles into
//!
//! ```text
//! Eₛ = Σ (xᵢ₊₁ − a xᵢ − b xᵢ₋₁ − fᵢ)²    or, complex,    Σ |xᵢ₊₁ − a xᵢ − b xᵢ₋₁ − fᵢ|²  (11), (18)
//! ```
//!
//! with one row for each sample that has two neighbours, so the ends are natural. The unknown is
//! the correction to the passive motion (`passive.rs`), which removes `f` from every row.
//!
//! # Differences from the paper
//!
//! * K1: eq. 4 is printed with one derivative; it is the second.
//! * K2: eq. 5 is printed without `k`, without `h²` before the force, and with `1/h²` before the
//!   sum, which as an approximation of an integral has `1/h³`. That matters only beside `cₜ`. Here
//!   `h` is one sample and rows are divided by `1 + h γ`, which is the filter form.
//! * K4: eq. 11 is printed without `f`.
//!
//! Tests: `a_chirp_is_free_of_residual`, `knots_on_a_decaying_oscillation_reproduce_it`.

use num_complex::Complex64;

use super::filter::{Filter, stiffness_limit};
use super::passive::{one_or_each, stiffness};
use super::settings::{Form, Settings, fade};
use super::{SampledError, Tuning};

/// The objective without the knots.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub(super) samples: usize,
    /// Whether all samples have the same tuning.
    pub(super) uniform: bool,
    /// Filter of the row around each sample; those of the first and last sample are unused.
    pub(super) filters: Vec<Filter>,
    /// `λ` of each sample.
    pub(super) poles: Vec<Complex64>,
    /// `ε s(ω)` of each sample; empty without overshoot penalty.
    pub(super) penalty: Vec<f64>,
    /// Weight of the plain size in the overshoot penalty.
    pub(super) size: f64,
    /// Weights of the imaginary parts where the overshoot penalty fades; empty without it, and for
    /// real curves.
    pub(super) imaginary_penalty: Vec<f64>,
}

impl Plan {
    /// Reads the tunings: one for all samples or one for each.
    pub(super) fn read(
        &mut self,
        samples: usize,
        tunings: &[Tuning],
        settings: &Settings,
    ) -> Result<(), SampledError> {
        self.samples = samples;
        self.filters.clear();
        self.poles.clear();
        self.penalty.clear();
        self.imaginary_penalty.clear();
        self.size = if settings.form.parts() == 2 { super::settings::SIZE } else { 0.0 };
        if let Form::Complex { bandwidth } = settings.form
            && !bandwidth.is_finite()
        {
            return Err(SampledError::NotFinite { what: "bandwidth", index: 0, value: bandwidth });
        }
        if !settings.overshoot_penalty.is_finite() {
            let value = settings.overshoot_penalty;
            return Err(SampledError::NotFinite { what: "overshoot penalty", index: 0, value });
        }
        self.uniform = tunings.len() <= 1;
        // Neighbours mostly have equal tunings, and sines are expensive.
        let mut known: Option<(Tuning, Complex64)> = None;
        for sample in 0..if self.uniform { samples.min(1) } else { samples } {
            let tuning = one_or_each(tunings, sample, Tuning::CUBIC);
            let pole = match known {
                Some((last, pole)) if last == tuning => pole,
                _ => check(sample, tuning)?.pole(),
            };
            let (before_tuning, before) = known.unwrap_or((tuning, pole));
            let filter = match self.filters.last() {
                // A filter depends on the sample before, so three must be equal.
                Some(filter) if before_tuning == tuning && self.is_steady(pole) => *filter,
                _ => filter_of(settings.form, sample, tuning, pole, before)?,
            };
            known = Some((tuning, pole));
            self.filters.push(filter);
            self.poles.push(pole);
            if settings.overshoot_penalty > 0.0 {
                let fade = fade(tuning);
                self.penalty.push(settings.overshoot_penalty * fade);
                if self.size > 0.0 {
                    self.imaginary_penalty
                        .push(settings.overshoot_penalty * (1.0 - fade) * self.size);
                }
            }
        }
        if self.uniform {
            fill(&mut self.filters, samples);
            fill(&mut self.poles, samples);
            fill(&mut self.penalty, samples);
            fill(&mut self.imaginary_penalty, samples);
        }
        Ok(())
    }

    /// Whether the two samples before this one have its pole.
    fn is_steady(&self, pole: Complex64) -> bool {
        matches!(self.poles[..], [.., before, last] if before == pole && last == pole)
    }

    /// Whether no sample has a resonance.
    pub(super) fn has_no_resonance(&self) -> bool {
        self.poles.iter().all(|pole| pole.im == 0.0)
    }

    /// Row `i` of the objective for a motion: `xᵢ₊₁ − a xᵢ − b xᵢ₋₁`.
    pub(super) fn residual(&self, i: usize, x: impl Fn(usize) -> Complex64) -> Complex64 {
        let Filter { a, b } = self.filters[i];
        x(i + 1) - a * x(i) - b * x(i - 1)
    }
}

/// Extends a list to the number of samples by repeating its first entry.
fn fill<T: Copy>(list: &mut Vec<T>, samples: usize) {
    if let Some(&one) = list.first() {
        list.resize(samples, one);
    }
}

fn check(sample: usize, tuning: Tuning) -> Result<Tuning, SampledError> {
    let Tuning { omega, decay } = tuning;
    if !(0.0..std::f64::consts::PI).contains(&omega) {
        return Err(SampledError::Frequency { sample, omega });
    }
    if !(decay >= 0.0 && decay.is_finite()) {
        return Err(SampledError::Decay { sample, decay });
    }
    Ok(tuning)
}

fn filter_of(
    form: Form,
    sample: usize,
    tuning: Tuning,
    pole: Complex64,
    before: Complex64,
) -> Result<Filter, SampledError> {
    Ok(match form {
        Form::Real | Form::Natural => Filter::real(tuning),
        Form::Complex { bandwidth } => Filter::complex(pole, before, tuning.bandwidth(bandwidth)),
        Form::Differences => {
            let (k, gamma) = stiffness(tuning);
            let limit = stiffness_limit(1.0, gamma);
            if k >= limit {
                return Err(SampledError::Unstable { sample, stiffness: k, limit });
            }
            Filter::differences(1.0, k, gamma)
        }
    })
}
