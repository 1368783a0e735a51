//! Mass matrix of the rope.
//!
//! Tuzel 2004, eqs 5–10, with T1–T4 corrected: `Mᵢₗ = Σⱼ ∫ ρ bᵢ bₗ ds`, symmetric, with three
//! diagonals on either side of the main one (T11). Products of the polynomials have degree six, so
//! four Gauss points in each segment are exact for an even mass.
//!
//! Tests: `rows_are_the_integrals_of_the_products`, `rows_add_up_to_the_mass`.

use lariat_core::geometry::interpolate_linear;
use lariat_core::num::banded::Symmetric;

use super::basis::{Basis, Weights};

/// Points and weights of Gauss's rule with four points on 0–1.
const GAUSS: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_9, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];

/// Places `u` along the rope and their weights, for integrals over `u` in 0–1.
pub(super) fn places(basis: Basis) -> impl Iterator<Item = (f64, f64)> {
    let segments = basis.segments() as f64;
    (0..basis.segments()).flat_map(move |j| {
        GAUSS.map(|(at, weight)| ((j as f64 + at) / segments, weight / segments))
    })
}

/// Mass matrix of `kilograms`, distributed by the factors `along` `(u, factor)`, with `weights`
/// `(u, kilograms)` tied on.
pub(super) fn mass(
    basis: Basis,
    kilograms: f64,
    along: &[(f64, f64)],
    weights: &[(f64, f64)],
) -> Symmetric<3> {
    let mut matrix = Symmetric::zeros(basis.control_points());
    for (u, weight) in places(basis) {
        basis.at(u).add_products(kilograms * interpolate_linear(along, u) * weight, &mut matrix);
    }
    for (u, kilograms) in weights {
        basis.at(*u).add_products(*kilograms, &mut matrix);
    }
    matrix
}

/// Mass at each of several places, in kilograms: every control point distributes its mass among the
/// places that it moves. `masses` is the mass of each control point, `M 1`.
pub(super) fn shares(places: &[Weights], masses: &[f64]) -> Vec<f64> {
    let mut moved = vec![0.0; masses.len()];
    for place in places {
        place.spread_column(1.0, &mut moved);
    }
    let ratio: Vec<f64> = masses
        .iter()
        .zip(&moved)
        .map(|(mass, moved)| if *moved > 0.0 { mass / moved } else { 0.0 })
        .collect();
    places.iter().map(|place| place.of_column(&ratio)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_the_integrals_of_the_products() {
        // One segment: 1/5040 of whole numbers.
        let m = mass(Basis::new(4), 5040.0, &[], &[]);
        let expected = [
            [20.0, 129.0, 60.0, 1.0],
            [129.0, 1188.0, 933.0, 60.0],
            [60.0, 933.0, 1188.0, 129.0],
            [1.0, 60.0, 129.0, 20.0],
        ];
        for (i, row) in expected.iter().enumerate() {
            for (j, expected) in row.iter().enumerate() {
                assert!((m.at(i, j) - expected).abs() < 1e-10, "{i}, {j}: {}", m.at(i, j));
            }
        }
    }

    #[test]
    fn rows_add_up_to_the_mass() {
        let m = mass(Basis::new(9), 3.0, &[(0.0, 1.0), (1.0, 2.0)], &[(0.4, 5.0)]);
        let masses = m.times(&[1.0; 9]);
        let total: f64 = masses.iter().sum();
        assert!((total - (3.0 * 1.5 + 5.0)).abs() < 1e-13, "{total}");
        let everywhere: Vec<Weights> =
            (0..=20).map(|k| Basis::new(9).at(f64::from(k) / 20.0)).collect();
        let shared: f64 = shares(&everywhere, &masses).iter().sum();
        assert!((shared - total).abs() < 1e-13, "{shared}");
    }
}
