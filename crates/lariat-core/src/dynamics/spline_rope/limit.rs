//! How long a step may be.
//!
//! Each way of vibrating, of `ω` radians and `c` damping a second, limits an explicit step (NOTES 2,
//! all checked by hand): Euler's needs `dt < c/ω²` and is never stable without damping; with new
//! speeds for new places, `dt < (√(c² + 4ω²) − c)/ω²`, which is `2/ω` undamped. The fastest way is
//! found by power iteration on `M⁻¹K`: a straight taut rope, with its pins if they are springs.
//!
//! Tests: `the_fastest_vibration_is_that_of_the_notes`, `steps_within_the_limit_stay_calm`.

use super::build::{Elasticity, Hold, Method};
use super::rope::SplineRope;
use crate::num::banded::Symmetric;

/// Rounds of power iteration: the error shrinks by the ratio of neighbours squared, and a few
/// percent too little is within what is left of the limit.
const ROUNDS: usize = 60;

/// How much of the limit is used: the estimate is for a straight rope, from below.
pub(super) const CAUTION: f64 = 0.8;

impl SplineRope {
    /// The square of the fastest vibration, `ω²` in 1/s².
    pub fn fastest_squared(&self) -> f64 {
        let stretch = self.stretch_matrix();
        let n = self.basis.len();
        // Alternating, with every other way in it too.
        let mut x: Vec<f64> = (0..n)
            .map(|i| if i % 2 == 0 { 1.0 } else { -1.0 } + 0.1 * (i as f64 * 0.7).rem_euclid(1.0))
            .collect();
        let mut square = 0.0;
        for _ in 0..ROUNDS {
            let mut y = stretch.times(&x);
            let work: f64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
            let weight: f64 = x.iter().zip(self.mass.times(&x)).map(|(x, m)| x * m).sum();
            square = work / weight;
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

    /// Stiffness along a straight rope; bending, across it, is softer but counted in too.
    fn stretch_matrix(&self) -> Symmetric<4> {
        let mut matrix = Symmetric::zeros(self.basis.len());
        match self.build.elasticity {
            Elasticity::Energy => {
                for node in &self.nodes {
                    let stiffness = node.weight * self.build.section.stretch / node.rest;
                    node.slope.add_square(&mut matrix, stiffness);
                }
                for (i, bend) in self.bending.rows.iter().enumerate() {
                    matrix.rows[i].diagonal += bend.diagonal;
                    for k in 0..3.min(i) {
                        matrix.rows[i].below[k] += bend.below[k];
                    }
                }
            }
            Elasticity::Springs { .. } => {
                for pair in self.springs.rows.windows(2) {
                    super::local_global::add_difference(
                        &mut matrix,
                        &pair[0],
                        &pair[1],
                        self.springs.stiffness,
                    );
                }
            }
        }
        if self.build.hold == Hold::Penalty {
            for pin in &self.pins {
                self.row(pin.u).add_square(&mut matrix, self.grip().stiffness);
            }
        }
        matrix
    }

    /// The longest step that its method bears, in seconds; none if any will do.
    pub fn longest_step(&self) -> Option<f64> {
        let square = self.fastest_squared();
        let damping = self.viscosity + self.build.section.inner_friction * square;
        // Sideways a rope vibrates by its tension, its own weight at most, and only air damps that.
        let tension = self.mass() * self.gravity.length() / self.build.section.stretch;
        match self.method() {
            Method::Implicit | Method::LocalGlobal { .. } => None,
            Method::SemiImplicit => {
                Some(CAUTION * ((damping * damping + 4.0 * square).sqrt() - damping) / square)
            }
            Method::Explicit => {
                let along = explicit(damping, square);
                let across = explicit(self.viscosity, square * tension);
                Some(CAUTION * along.min(across))
            }
        }
    }
}

/// Euler's limit for one way of vibrating.
fn explicit(damping: f64, square: f64) -> f64 {
    if damping * damping < 4.0 * square {
        damping / square
    } else {
        4.0 / (damping + (damping * damping - 4.0 * square).sqrt())
    }
}
