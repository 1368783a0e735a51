//! Tensile stress-strain curve of one segment.
//!
//! Section 5.1, figure 3(a): a line of slope `E` up to the yield point and one of slope `E_p` beyond it.
//! Stress is force over the cross-section at rest.
//!
//! # Differences from the paper
//!
//! * A string that does not stretch before it yields has the slope that reaches the yield point at a
//!   ten-thousandth. Without any slope its tension would jump from zero to the yield point.
//!
//! Tests: `both_slopes_meet_at_the_yield_point`.

use lariat_core::dynamics::material::Material;

/// Strain at the yield point of strings that do not stretch before it.
const KEPT: f64 = 1e-4;

/// Curve of one segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    /// Slope up to the yield point, in pascals; may be infinite.
    modulus: f64,
    /// Slope beyond it, in pascals; may be infinite.
    plastic_modulus: f64,
    /// Stress at the yield point, in pascals; infinite if the string never yields.
    pub yield_stress: f64,
}

impl Curve {
    /// Curve of a segment with its factors of strength and stiffness.
    pub(super) fn new(
        material: &Material,
        stretches: bool,
        yields: bool,
        [strength, stiffness]: [f64; 2],
    ) -> Self {
        let yield_stress = material.yield_stress * strength;
        let modulus = match stretches {
            true => material.modulus * stiffness,
            false => yield_stress / KEPT,
        };
        Self {
            modulus,
            plastic_modulus: (material.plastic_modulus * stiffness).min(modulus),
            yield_stress: if yields { yield_stress } else { f64::INFINITY },
        }
    }

    /// Strain at the yield point.
    pub(super) fn yield_strain(&self) -> f64 {
        if self.yield_stress.is_finite() { self.yield_stress / self.modulus } else { f64::INFINITY }
    }

    /// Strain at a stress.
    pub(super) fn strain(&self, stress: f64) -> f64 {
        let elastic = stress.min(self.yield_stress) / self.modulus;
        elastic + (stress - self.yield_stress).max(0.0) / self.plastic_modulus
    }

    /// Strain per stress at a stress, in 1/Pa.
    pub(super) fn compliance(&self, stress: f64) -> f64 {
        1.0 / if stress > self.yield_stress { self.plastic_modulus } else { self.modulus }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_slopes_meet_at_the_yield_point() {
        let rubber = Material::find("rubber").unwrap();
        let curve = Curve::new(rubber, true, true, [1.0, 1.0]);
        assert!((curve.strain(2e6) - 1.0).abs() < 1e-12);
        assert!((curve.strain(6e6) - curve.yield_strain()).abs() < 1e-12);
        assert!((curve.strain(7.5e6) - 4.0).abs() < 1e-12);
        // Without yielding the first slope continues.
        let elastic = Curve::new(rubber, true, false, [1.0, 1.0]);
        assert!((elastic.strain(8e6) - 4.0).abs() < 1e-12);
        assert_eq!(elastic.yield_strain(), f64::INFINITY);
        // Inextensible: a ten-thousandth at the yield point, and the second slope beyond it.
        let stiff = Curve::new(rubber, false, true, [1.0, 1.0]);
        assert!((stiff.strain(6e6) - 1e-4).abs() < 1e-15);
        assert!((stiff.strain(7.5e6) - 1.0001).abs() < 1e-12);
        let ideal = Curve::new(&Material::ideal(1000.0), false, true, [1.0, 1.0]);
        assert_eq!((ideal.strain(1e9), ideal.compliance(1e9)), (0.0, 0.0));
    }
}
