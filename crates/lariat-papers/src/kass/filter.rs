//! Frequency and decay as a filter of second order: free motion from two samples to the next.
//!
//! Kass & Anderson 2008, section 4. A spring moves by (eq. 9, with the mass as unit)
//!
//! ```text
//! fᵢ = f_ext − k xᵢ − γ (xᵢ₊₁ − xᵢ) / h                                            (9)
//! ```
//!
//! and with a finite difference for the acceleration that becomes a filter of second order, driven
//! by the external force and by the residual `J = f − m a` of the spline:
//!
//! ```text
//! xᵢ₊₁ − a xᵢ − b xᵢ₋₁ = h² (f_ext − J) / (1 + h γ)                                (10)
//! H(z) = 1 / (1 − a z⁻¹ − b z⁻²) = 1 / ((1 − λ₀ z⁻¹) (1 − λ₁ z⁻¹))            (12), (13)
//! λ₀ = e^(−d + i (ω + β)),  λ₁ = e^(−d + i (ω − β))                           (14), (15)
//! a = λ₀ + λ₁,  b = −λ₀ λ₁                                                    (16), (17)
//! ```
//!
//! The filter is stable if both poles lie inside the unit circle, as poles chosen by eqs 14 and 15
//! do.
//!
//! # Differences from the paper
//!
//! * K4: eq. 10 is printed with `J + f_ext` on the right. With `J = f − m a` the sign of `J` is
//!   negative, and the factor is missing.
//! * K5: eqs 14 and 15 appear in the section on the real spline, whose `a` and `b` they would make
//!   complex. They are the poles of the complex spline; the real one has `e^(−d ± i ω)`.
//! * K6: "damping rate d > 1" should be `d >= 0`: `d = 1` leaves 37 % after a single sample.
//! * The bandwidth `β` is at most half of `ω`. A constant 0.05 would turn the cubic spline, the
//!   limit `ω = 0`, into a slow resonator.
//! * Where frequency and decay change, `b` of the complex filter uses the poles of both samples,
//!   `b = −λᵢ λᵢ₋₁`, so that for `β = 0` the chirp `xᵢ₊₁ = λᵢ xᵢ` is free of residual.
//!
//! Tests: `poles_of_a_filter_are_those_it_was_made_from`,
//! `differences_are_stable_up_to_their_limit_and_no_further`,
//! `differences_ring_too_fast_by_known_percentages`,
//! `only_the_complex_filter_hardly_responds_at_zero`.

use num_complex::Complex64;

use lariat_core::num::{complex, ops};

/// Half the distance between the two poles of the complex spline, in radians per sample, as
/// published (sec. 5). It is 0.19 Hz at 24 samples per second; [`bandwidth_from_hertz`] converts to
/// other rates.
pub const BANDWIDTH: f64 = 0.05;

/// Bandwidth in radians per sample from one in hertz, at `rate` samples per second.
pub fn bandwidth_from_hertz(hertz: f64, rate: f64) -> f64 {
    std::f64::consts::TAU * hertz / rate
}

/// Frequency and decay of the free motion at one sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Frequency in radians per sample, from 0 to below π.
    pub omega: f64,
    /// Decay per sample, 0 or more: each sample is `e^−decay` of the one before.
    pub decay: f64,
}

impl Tuning {
    /// No resonance and no decay: the cubic spline.
    pub const CUBIC: Self = Self { omega: 0.0, decay: 0.0 };

    /// Tuning of a frequency in hertz and a half-life in seconds, at `rate` samples per second.
    pub fn from_half_life(hertz: f64, half_life: f64, rate: f64) -> Self {
        Self {
            omega: std::f64::consts::TAU * hertz / rate,
            decay: std::f64::consts::LN_2 / (half_life * rate),
        }
    }

    /// `λ = e^(−d + i ω)`: factor of a phasor in free motion from one sample to the next.
    pub fn pole(self) -> Complex64 {
        complex::exp(Complex64::new(-self.decay, self.omega))
    }

    /// Bandwidth at this frequency: `beta`, at most half of `ω`.
    pub fn bandwidth(self, beta: f64) -> f64 {
        beta.min(0.5 * self.omega)
    }

    /// `e^−d sin(ω) / ω`: displacement after one sample of free motion per unit of speed.
    pub fn carry(self) -> f64 {
        let sinc = if self.omega == 0.0 { 1.0 } else { ops::sin(self.omega) / self.omega };
        ops::exp(-self.decay) * sinc
    }
}

/// `xᵢ₊₁ = a xᵢ + b xᵢ₋₁`: free motion from two samples to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filter {
    /// Weight of the last sample.
    pub a: Complex64,
    /// Weight of the one before.
    pub b: Complex64,
}

impl Filter {
    /// Filter with these poles, eqs 16 and 17.
    pub fn from_poles(poles: [Complex64; 2]) -> Self {
        Self { a: poles[0] + poles[1], b: -(poles[0] * poles[1]) }
    }

    /// Filter of the real spline: conjugate poles `e^(−d ± i ω)`, so `a` and `b` are real.
    pub fn real(tuning: Tuning) -> Self {
        let shrink = ops::exp(-tuning.decay);
        let a = 2.0 * shrink * ops::cos(tuning.omega);
        Self { a: Complex64::from(a), b: Complex64::from(-(shrink * shrink)) }
    }

    /// Filter of the complex spline: eqs 14 to 17 as `a = 2 λ cos β` and `b = −λ λ'`, with `λ'` the
    /// pole of the sample before.
    pub fn complex(pole: Complex64, before: Complex64, bandwidth: f64) -> Self {
        Self { a: pole * (2.0 * ops::cos(bandwidth)), b: -(pole * before) }
    }

    /// Eq. 9 in eq. 10: finite differences with time step `h`, and stiffness `k` and damping
    /// `gamma` per unit of mass. Rows of eq. 5, divided by `1 + h γ`.
    pub fn differences(h: f64, k: f64, gamma: f64) -> Self {
        let scale = 1.0 / (1.0 + h * gamma);
        let a = (2.0 + h * gamma - h * h * k) * scale;
        Self { a: Complex64::from(a), b: Complex64::from(-scale) }
    }

    /// Eq. 12: the system function. On the unit circle, `z = e^(i ω)`, it is the response to ω.
    pub fn system(self, z: Complex64) -> Complex64 {
        let back = z.inv();
        (Complex64::ONE - self.a * back - self.b * back * back).inv()
    }

    /// The poles `λ₀` and `λ₁` of eq. 13: the roots of `z² − a z − b`.
    pub fn poles(self) -> [Complex64; 2] {
        let half = self.a * 0.5;
        let root = square_root(half * half + self.b);
        // The larger root first, with the sign that avoids cancellation; the other from the
        // product.
        let root = if half.re * root.re + half.im * root.im < 0.0 { -root } else { root };
        let first = half + root;
        let second = if first == Complex64::ZERO { first } else { -self.b / first };
        [first, second]
    }

    /// Whether free motion decays: both poles lie inside the unit circle.
    pub fn is_stable(self) -> bool {
        self.poles().iter().all(|pole| pole.norm_sqr() < 1.0)
    }
}

/// Largest `h² k` for which [`Filter::differences`] does not diverge.
pub fn stiffness_limit(h: f64, gamma: f64) -> f64 {
    4.0 + 2.0 * h * gamma
}

/// Eq. 13 for any number of poles: gain of a filter at `omega` radians per sample.
///
/// The right column of figure 3, with [`real_poles`], [`four_poles`] and [`complex_poles`].
pub fn response(poles: &[Complex64], omega: f64) -> f64 {
    let back = complex::cis(-omega);
    poles.iter().map(|pole| 1.0 / complex::abs(Complex64::ONE - pole * back)).product()
}

/// Figure 3, top: the conjugate pair of the real spline.
pub fn real_poles(tuning: Tuning) -> [Complex64; 2] {
    [tuning.pole(), tuning.pole().conj()]
}

/// Figure 3, middle: two such pairs, separated by twice the bandwidth.
pub fn four_poles(tuning: Tuning, bandwidth: f64) -> [Complex64; 4] {
    let [a, b] = complex_poles(tuning, bandwidth);
    [a, b, a.conj(), b.conj()]
}

/// Figure 3, bottom, and eqs 14 and 15: two poles beside the resonance, none at its mirror image.
pub fn complex_poles(tuning: Tuning, bandwidth: f64) -> [Complex64; 2] {
    let turn = complex::cis(bandwidth);
    [tuning.pole() * turn, tuning.pole() * turn.conj()]
}

/// A square root of `z`, from square roots of real numbers.
fn square_root(z: Complex64) -> Complex64 {
    let size = complex::abs(z);
    if size == 0.0 {
        return Complex64::ZERO;
    }
    // One part without a difference of nearly equal numbers; the other from 2 re im = Im z.
    let large = (0.5 * (size + z.re.abs())).sqrt();
    let small = 0.5 * z.im / large;
    if z.re >= 0.0 { Complex64::new(large, small) } else { Complex64::new(small, large) }
}
