//! Weights of the points of a body: how far, and how late, each follows an oscillation.
//!
//! Kass and Anderson 2008, §6.2. Each point has a weight `W = A e^(iφ)`. Driven by the complex
//! value `x = r e^(iθ)` of a curve, it moves by (eq. 21) `Re(r A' e^(i(φ' + θ)))`, with
//! `A' e^(iφ') = A cos φ + i s A sin φ` (eqs 22, 23), that is `Re W Re x − s Im W Im x`. The scale
//! `s`, the slosh, is the apparent fluidity of the body: at 0 it is stiff, since all points move at
//! once; at 1 it moves as its weights say; above 1 it is sloshy.
//!
//! A larger phase is earlier: for `x = e^(iωt)` the point moves as `A cos(ωt + φ)`. The phase of a
//! tail with a lagging tip falls towards the tip.
//!
//! # Differences from the paper
//!
//! The paper writes eqs 22 and 23 with absolute value and angle, which cost a root and an arc
//! tangent per point and cancel in eq. 21. We keep real and imaginary part ([`fluid`]); `paint.rs`
//! shows their absolute value and angle.
//!
//! Tests: `a_displacement_is_equation_21`, `without_slosh_all_points_move_at_once`,
//! `a_falling_phase_travels_along_the_rope`.

use num_complex::Complex64;

use crate::num::complex;

use super::formula::{Formula, FormulaError, PointAttributes};

/// Weight `A e^(iφ)` of amplitude `A` and phase `φ` in radians.
pub fn weight(amplitude: f64, phase: f64) -> Complex64 {
    complex::cis(phase) * amplitude
}

/// Weight with slosh applied: `Re W + i s Im W`.
pub fn fluid(weight: Complex64, slosh: f64) -> Complex64 {
    Complex64::new(weight.re, slosh * weight.im)
}

/// Displacement of a point of weight `weight` at the curve's value `x`, in the product of their
/// units. `slosh` is 0 for stiff, 1 for faithful, more for sloshy.
pub fn displacement(weight: Complex64, slosh: f64, x: Complex64) -> f64 {
    weight.re * x.re - slosh * weight.im * x.im
}

/// One weight per point, or per coordinate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Field {
    /// `A e^(iφ)` of each point or coordinate.
    pub weights: Vec<Complex64>,
}

impl Field {
    /// Weights from formulas for the amplitude and the phase, in radians, of every point.
    ///
    /// ```
    /// use glam::DVec3;
    /// use lariat_core::modes::{Field, Formula, PointAttributes};
    ///
    /// // A tail along X whose tip has the largest amplitude and the latest phase.
    /// let tail: Vec<_> = (0..5).map(|i| DVec3::X * f64::from(i)).collect();
    /// let sites = PointAttributes::of_rope(&tail);
    /// let amplitude = Formula::parse("0.3 * u^2", &sites)?;
    /// let phase = Formula::parse("-pi/2 * u", &sites)?;
    /// let field = Field::from_formulas(&amplitude, &phase, &sites)?;
    /// assert_eq!(field.weights[0].re, 0.0);
    /// assert!((field.weights[4].im + 0.3).abs() < 1e-15);
    /// # Ok::<(), lariat_core::modes::FormulaError>(())
    /// ```
    pub fn from_formulas(
        amplitude: &Formula,
        phase: &Formula,
        sites: &PointAttributes<'_>,
    ) -> Result<Self, FormulaError> {
        let (amplitudes, phases) = (amplitude.over(sites)?, phase.over(sites)?);
        let weights = amplitudes.into_iter().zip(phases).map(|(a, phi)| weight(a, phi)).collect();
        Ok(Self { weights })
    }

    /// Displacement of each point at the curve's value `x`. The equilibrium of the curve, `rest`,
    /// has no phase: it displaces every point by its amplitude.
    pub fn displacements(
        &self,
        slosh: f64,
        x: Complex64,
        rest: f64,
    ) -> impl Iterator<Item = f64> + '_ {
        let rest = Complex64::from(rest);
        let moved = move |weight: &Complex64| {
            displacement(*weight, slosh, x) + displacement(*weight, 0.0, rest)
        };
        self.weights.iter().map(moved)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, TAU};

    use super::*;
    use crate::num::ops;

    /// A rope of `n` points with a phase that falls by `fall` radians from end to end.
    fn tail(n: usize, fall: f64) -> Field {
        let along = |i: usize| i as f64 / (n - 1) as f64;
        Field { weights: (0..n).map(|i| weight(1.0, -fall * along(i))).collect() }
    }

    #[test]
    fn a_displacement_is_equation_21() {
        for (amplitude, phase) in [(0.7, 0.3), (2.0, -2.5), (0.1, 3.0), (1.0, 0.0)] {
            for slosh in [0.0, 0.4, 1.0, 2.3] {
                for (r, theta) in [(1.0, 0.0), (0.4, 1.1), (3.0, -2.0)] {
                    let sloshed = fluid(weight(amplitude, phase), slosh);
                    let (a, phi) = (complex::abs(sloshed), complex::arg(sloshed));
                    // Eqs 22 and 23 as written, in polar form.
                    let (along, across) =
                        (amplitude * ops::cos(phase), slosh * amplitude * ops::sin(phase));
                    assert!((a - (along * along + across * across).sqrt()).abs() < 1e-15);
                    assert!((phi - ops::atan2(across, along)).abs() < 1e-15);
                    let by_equation = r * a * ops::cos(phi + theta);
                    let ours = displacement(weight(amplitude, phase), slosh, weight(r, theta));
                    assert!((ours - by_equation).abs() < 4e-15, "{ours} for {by_equation}");
                }
            }
        }
    }

    #[test]
    fn without_slosh_all_points_move_at_once() {
        let field = tail(9, 1.3);
        let moved = |slosh, rest| -> Vec<f64> {
            field.displacements(slosh, weight(1.0, FRAC_PI_2), rest).collect()
        };
        // A quarter of a cycle later every point is at its mean, regardless of phase.
        let stiff = moved(0.0, 0.0);
        assert!(stiff.iter().all(|d| d.abs() < 1e-15), "{stiff:?}");
        let rests: Vec<f64> = field.weights.iter().map(|weight| 0.5 * weight.re).collect();
        assert!(moved(0.0, 0.5).iter().zip(rests).all(|(d, rest)| (d - rest).abs() < 1e-15));
        let moved = moved(1.0, 0.0);
        assert!(moved[8] > 0.9, "a lagging tip is still displaced: {moved:?}");
    }

    #[test]
    fn a_falling_phase_travels_along_the_rope() {
        let n = 101;
        let field = tail(n, TAU);
        let crest = |turns: f64| {
            let moved: Vec<f64> =
                field.displacements(1.0, complex::cis(TAU * turns), 0.0).collect();
            (0..n).max_by(|&a, &b| moved[a].total_cmp(&moved[b])).unwrap()
        };
        assert_eq!([crest(0.25), crest(0.5), crest(0.75)], [25, 50, 75]);
    }
}
