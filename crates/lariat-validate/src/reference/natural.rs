//! The natural cubic spline through points at equal steps, by its second derivatives.
//!
//! `M[i−1] + 4 M[i] + M[i+1] = 6 (p[i−1] − 2 p[i] + p[i+1])` with `M = 0` at both ends, solved by
//! Gaussian elimination on the whole matrix; the code under test has B-spline controls instead.
//!
//! Tests: `it_passes_through_its_points`, `a_straight_row_stays_straight`.

use glam::DVec3;

/// A natural cubic spline.
#[derive(Clone, Debug)]
pub(crate) struct Natural {
    points: Vec<DVec3>,
    bends: Vec<DVec3>,
}

impl Natural {
    /// Through these points.
    pub(crate) fn through(points: &[DVec3]) -> Self {
        let n = points.len();
        let mut rows = vec![vec![0.0; n]; n];
        let mut bends = vec![DVec3::ZERO; n];
        (rows[0][0], rows[n - 1][n - 1]) = (1.0, 1.0);
        for i in 1..n - 1 {
            (rows[i][i - 1], rows[i][i], rows[i][i + 1]) = (1.0, 4.0, 1.0);
            bends[i] = (points[i - 1] - points[i] * 2.0 + points[i + 1]) * 6.0;
        }
        // Elimination downwards, then upwards; the diagonal is the largest of every row.
        for i in 0..n {
            let (above, below) = rows.split_at_mut(i + 1);
            let pivot = &above[i];
            for (k, row) in below.iter_mut().enumerate() {
                let factor = row[i] / pivot[i];
                if factor != 0.0 {
                    for (x, y) in row.iter_mut().zip(pivot) {
                        *x -= factor * y;
                    }
                    let known = bends[i];
                    bends[i + 1 + k] -= known * factor;
                }
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                let known = bends[j];
                bends[i] -= known * rows[i][j];
            }
            bends[i] /= rows[i][i];
        }
        Self { points: points.to_vec(), bends }
    }

    /// The point at `u` in 0–1.
    pub(crate) fn at(&self, u: f64) -> DVec3 {
        let spans = self.points.len() - 1;
        let x = u * spans as f64;
        let i = (x as usize).min(spans - 1);
        let (b, a) = (x - i as f64, 1.0 - (x - i as f64));
        self.points[i] * a
            + self.points[i + 1] * b
            + self.bends[i] * ((a * a * a - a) / 6.0)
            + self.bends[i + 1] * ((b * b * b - b) / 6.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_passes_through_its_points() {
        let points: Vec<_> = (0..9)
            .map(|i| DVec3::new(f64::from(i), f64::from(i * i % 7), f64::from(i % 3)))
            .collect();
        let spline = Natural::through(&points);
        for (i, p) in points.iter().enumerate() {
            assert!(spline.at(i as f64 / 8.0).distance(*p) < 1e-14);
        }
        // Three points: M in the middle is 6/4 of the second difference, so the curve at a
        // quarter is (p₀ + p₁)/2 − 3/8 · M/6.
        let [a, b, c] = [DVec3::ZERO, DVec3::Z, DVec3::X];
        let bend = (a - b * 2.0 + c) * 1.5;
        let ours = Natural::through(&[a, b, c]).at(0.25);
        assert!(ours.distance((a + b) * 0.5 - bend / 16.0) < 1e-15);
    }

    #[test]
    fn a_straight_row_stays_straight() {
        let points: Vec<_> = (0..6).map(|i| DVec3::new(1.0, 2.0, -0.5) * f64::from(i)).collect();
        let middle = Natural::through(&points).at(0.43);
        assert!(middle.distance(DVec3::new(1.0, 2.0, -0.5) * 2.15) < 1e-14);
    }
}
