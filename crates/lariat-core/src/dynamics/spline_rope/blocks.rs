//! Matrix of the implicit step: 3 by 3 blocks, one row of blocks per control point.
//!
//! Each point of the rope depends on four control points, so there are three blocks beside the
//! diagonal one: `num::banded_blocks`.
//!
//! Tests: `blocks_are_where_they_belong`.

use glam::{DMat3, DVec3};

use super::basis::Row;
use crate::num::banded::Symmetric;
use crate::num::banded_blocks::BlockMatrix;

/// Sets `out` to `matrix`, applied to each coordinate.
pub(super) fn expand(matrix: &Symmetric<3>, out: &mut BlockMatrix) {
    out.reset(matrix.rows.len());
    for (i, row) in matrix.rows.iter().enumerate() {
        out.add_evenly(i, 0, row.diagonal);
        for (k, entry) in row.below.iter().enumerate().take(i) {
            out.add_evenly(i, k + 1, *entry);
        }
    }
}

/// Adds a symmetric block between all control points of a place, by the products of their weights.
#[inline]
pub(super) fn add(matrix: &mut BlockMatrix, place: &Row, block: &DMat3) {
    matrix.add(place.first, &place.weights, block);
}

/// Matrix that scales the component along a unit vector by `along` and the components across it by
/// `across`.
#[inline]
pub(super) fn along_and_across(direction: DVec3, along: f64, across: f64) -> DMat3 {
    let scaled = direction * (along - across);
    DMat3::from_cols(
        scaled * direction.x + DVec3::new(across, 0.0, 0.0),
        scaled * direction.y + DVec3::new(0.0, across, 0.0),
        scaled * direction.z + DVec3::new(0.0, 0.0, across),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_where_they_belong() {
        let place = Row { first: 1, weights: [0.1, 0.5, 0.3, 0.1] };
        let direction = DVec3::new(0.6, 0.0, 0.8);
        let block = along_and_across(direction, 7.0, 2.0);
        // Seven times along the direction, twice across it.
        assert!((block * direction).distance(direction * 7.0) < 1e-14);
        assert!((block * DVec3::Y).distance(DVec3::Y * 2.0) < 1e-14);
        let mut scalar = Symmetric::<3>::zeros(6);
        scalar.add(4, 2, 0.25);
        scalar.add(3, 3, 4.0);
        let mut matrix = BlockMatrix::default();
        expand(&scalar, &mut matrix);
        add(&mut matrix, &place, &block);
        for i in 0..6 {
            for j in 0..6 {
                for c in 0..3 {
                    for d in 0..3 {
                        let weight = |i: usize| match i.checked_sub(1) {
                            Some(a) if a < 4 => place.weights[a],
                            _ => 0.0,
                        };
                        let mut wanted = weight(i) * weight(j) * block.col(d)[c];
                        if c == d {
                            wanted += scalar.at(i, j);
                        }
                        let got = matrix.at((i, c), (j, d));
                        assert!((got - wanted).abs() < 1e-15, "{i} {j} {c} {d}: {got} {wanted}");
                    }
                }
            }
        }
    }
}
