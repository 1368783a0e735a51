//! Small dense systems of a few unknowns, by Gaussian elimination with pivoting.

/// Pivot below which a system counts as singular, relative to the largest entry.
const SMALLEST: f64 = 1e-14;

/// Solves `matrix x = right` for a square matrix given row by row; `None` if it is singular.
pub(super) fn solve(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let n = right.len();
    // Rows are scaled by their largest entry, since the equations have different units.
    for i in 0..n {
        let row = &mut matrix[i * n..(i + 1) * n];
        let size = row.iter().fold(0.0, |size: f64, entry| size.max(entry.abs()));
        if !(size > 0.0 && size.is_finite()) {
            return None;
        }
        for entry in row.iter_mut() {
            *entry /= size;
        }
        right[i] /= size;
    }
    for k in 0..n {
        let pivot =
            (k..n).max_by(|i, j| matrix[i * n + k].abs().total_cmp(&matrix[j * n + k].abs()))?;
        if matrix[pivot * n + k].abs() < SMALLEST {
            return None;
        }
        if pivot != k {
            (0..n).for_each(|j| matrix.swap(k * n + j, pivot * n + j));
            right.swap(k, pivot);
        }
        for i in k + 1..n {
            let factor = matrix[i * n + k] / matrix[k * n + k];
            for j in k..n {
                matrix[i * n + j] -= factor * matrix[k * n + j];
            }
            right[i] -= factor * right[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            right[k] -= matrix[k * n + j] * right[j];
        }
        right[k] /= matrix[k * n + k];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::solve;

    #[test]
    fn a_zero_on_the_diagonal_is_pivoted() {
        let x = solve(vec![0.0, 2.0, 4.0, 8.0], vec![4.0, 20.0]).unwrap();
        assert_eq!(x, [1.0, 2.0]);
    }

    #[test]
    fn singular_and_broken_systems_are_refused() {
        assert_eq!(solve(vec![1.0, 2.0, 2.0, 4.0], vec![1.0, 1.0]), None);
        assert_eq!(solve(vec![0.0], vec![1.0]), None);
        assert_eq!(solve(vec![f64::NAN], vec![1.0]), None);
        assert_eq!(solve(vec![], vec![]), Some(vec![]));
    }
}
