//! The matrix of the implicit step: three unknowns a control point, each block 3 by 3.
//!
//! A place of the rope concerns four control points, so there are three blocks beside the diagonal
//! one, and eleven diagonals of numbers. Unknown `3i + c` is coordinate `c` of control point `i`.
//!
//! Tests: `blocks_are_where_they_belong`.

use glam::{DMat3, DVec3};

use super::basis::Row;
use crate::num::banded::Symmetric;

/// Diagonals beside the main one.
pub(super) const BAND: usize = 11;

/// Becomes `matrix`, the same for each coordinate.
pub(super) fn spread(matrix: &Symmetric<3>, out: &mut Symmetric<BAND>) {
    out.reset(3 * matrix.rows.len());
    for (i, row) in matrix.rows.iter().enumerate() {
        for c in 0..3 {
            let out = &mut out.rows[3 * i + c];
            out.diagonal = row.diagonal;
            for (k, entry) in row.below.iter().enumerate() {
                out.below[3 * k + 2] = *entry;
            }
        }
    }
}

/// Adds a symmetric block between all control points of a place, by their weights.
#[inline]
pub(super) fn add(matrix: &mut Symmetric<BAND>, place: &Row, block: &DMat3) {
    let m = block.to_cols_array_2d();
    let Some(rows) = matrix.rows[3 * place.first..].first_chunk_mut::<12>() else { return };
    for a in 0..4 {
        let own = place.weights[a] * place.weights[a];
        for c in 0..3 {
            let row = &mut rows[3 * a + c];
            row.diagonal += own * m[c][c];
            for d in 0..c {
                row.below[c - d - 1] += own * m[c][d];
            }
            for b in 0..a {
                let both = place.weights[a] * place.weights[b];
                for d in 0..3 {
                    row.below[3 * (a - b) + c - d - 1] += both * m[c][d];
                }
            }
        }
    }
}

/// `across` times what is across a direction and `along` times what is along it.
#[inline]
pub(super) fn along_and_across(way: DVec3, along: f64, across: f64) -> DMat3 {
    let scaled = way * (along - across);
    DMat3::from_cols(
        scaled * way.x + DVec3::new(across, 0.0, 0.0),
        scaled * way.y + DVec3::new(0.0, across, 0.0),
        scaled * way.z + DVec3::new(0.0, 0.0, across),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_where_they_belong() {
        let place = Row { first: 1, weights: [0.1, 0.5, 0.3, 0.1] };
        let way = DVec3::new(0.6, 0.0, 0.8);
        let block = along_and_across(way, 7.0, 2.0);
        // Along its own direction 7 times, across it twice.
        assert!((block * way).distance(way * 7.0) < 1e-14);
        assert!((block * DVec3::Y).distance(DVec3::Y * 2.0) < 1e-14);
        let mut scalar = Symmetric::<3>::zeros(6);
        scalar.add(4, 2, 0.25);
        scalar.add(3, 3, 4.0);
        let mut matrix = Symmetric::default();
        spread(&scalar, &mut matrix);
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
                        let got = matrix.at(3 * i + c, 3 * j + d);
                        assert!((got - wanted).abs() < 1e-15, "{i} {j} {c} {d}: {got} {wanted}");
                    }
                }
            }
        }
    }
}
