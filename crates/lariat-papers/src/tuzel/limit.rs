//! The longest stable step.
//!
//! Tuzel 2004, section 6 (T10). A vibration of `ω` radians and damping `c` per second limits an
//! explicit step to `c/ω²`, and a semi-implicit one to `(√(c² + 4ω²) − c)/ω²`, which is `2/ω`
//! undamped. The fastest vibration of a straight taut rope follows from power iteration on `M⁻¹K`.
//!
//! Tests: `the_fastest_vibration_has_its_known_frequency`, `steps_within_the_limit_are_stable`.

use super::rope::{Rope, Step};

/// Power iterations. The error falls by the squared ratio of neighbouring frequencies; a few
/// percent too little is within [`CAUTION`].
const ITERATIONS: usize = 60;
/// Share of the limit that is used: the estimate is from below, and for a straight rope.
const CAUTION: f64 = 0.8;

impl Rope {
    /// Square of the fastest vibration, `ω²` in 1/s².
    pub fn fastest_squared(&self) -> f64 {
        // Alternating, plus a small component of every other vibration.
        let mut x: Vec<f64> = (0..self.basis.control_points())
            .map(|i| if i % 2 == 0 { 1.0 } else { -1.0 } + 0.1 * (i as f64 * 0.7).rem_euclid(1.0))
            .collect();
        let (pin_stiffness, _) = self.pin_spring();
        let mut square = 0.0;
        for _ in 0..ITERATIONS {
            let mut y = self.springs.times(&x);
            for pin in &self.pins {
                let at = self.basis.at(pin.u);
                at.spread_column(pin_stiffness * at.of_column(&x), &mut y);
            }
            let work: f64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
            let inertia: f64 = x.iter().zip(self.matrix.times(&x)).map(|(x, m)| x * m).sum();
            square = work / inertia;
            self.factor.solve_column(&mut y);
            let largest = y.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            if largest == 0.0 {
                return 0.0;
            }
            for (x, y) in x.iter_mut().zip(&y) {
                *x = y / largest;
            }
        }
        square
    }

    /// The longest stable step in seconds; 0 if no step is stable.
    pub fn longest_step(&self) -> f64 {
        let square = self.fastest_squared();
        let damping = self.viscosity + self.build.section.inner_friction * square;
        CAUTION
            * match self.build.step {
                Step::SemiImplicit => {
                    ((damping * damping + 4.0 * square).sqrt() - damping) / square
                }
                Step::Explicit => {
                    // Across the rope only viscosity damps, and the tension is at most its weight.
                    let weight = self.mass() * self.gravity.length();
                    let across = square * weight / self.build.section.stretch;
                    explicit(damping, square).min(explicit(self.viscosity, across))
                }
            }
    }
}

/// Limit of Euler's explicit rule for one vibration.
fn explicit(damping: f64, square: f64) -> f64 {
    if damping * damping < 4.0 * square {
        damping / square
    } else {
        4.0 / (damping + (damping * damping - 4.0 * square).sqrt())
    }
}
