//! The tridiagonal system of interpolating B-splines: 1, 4, 1.
//!
//! `q[i-1] + 4 q[i] + q[i+1] = 6 p[i]`, open with known ends or closed in a ring. The matrix is
//! diagonally dominant, so elimination without pivoting is safe; it takes O(n).

use glam::DVec3;

/// Solves in place for the inner unknowns of `q`, whose first and last entries are given and
/// whose inner entries hold the right-hand sides.
///
/// `scratch` is memory for the elimination factors, reused between calls.
pub fn solve_141(q: &mut [DVec3], scratch: &mut Vec<f64>) {
    let n = q.len();
    if n < 3 {
        return;
    }
    let inner = n - 2;
    scratch.clear();
    // c[k] = 1 / (4 - c[k-1]) converges to 2 - √3 within twenty entries.
    let mut c = 0.0;
    let last = q[n - 1];
    q[n - 2] -= last;
    let mut carried = q[0];
    for k in 0..inner {
        c = 1.0 / (4.0 - c);
        scratch.push(c);
        q[k + 1] = (q[k + 1] - carried) * c;
        carried = q[k + 1];
    }
    for k in (0..inner - 1).rev() {
        let next = q[k + 2];
        q[k + 1] -= next * scratch[k];
    }
}

/// Solves the ring `q[i-1] + 4 q[i] + q[i+1] = rhs[i]`, indices modulo the length, in place.
///
/// Sherman-Morrison: the corners of the ring are a rank-one change of an open system.
pub fn solve_141_ring(q: &mut [DVec3]) {
    let n = q.len();
    match n {
        0 => return,
        1 => {
            q[0] /= 6.0;
            return;
        }
        2 => {
            // 4 q0 + 2 q1 = r0, and its mirror image.
            let (r0, r1) = (q[0], q[1]);
            q[0] = (r0 * 4.0 - r1 * 2.0) / 12.0;
            q[1] = (r1 * 4.0 - r0 * 2.0) / 12.0;
            return;
        }
        _ => {}
    }
    // A is B plus a rank-one matrix; B has the corner diagonals 4 - γ and 4 - 1/γ, with γ = -4.
    let gamma = -4.0;
    let diagonal = |i: usize| match i {
        0 => 4.0 - gamma,
        i if i == n - 1 => 4.0 - 1.0 / gamma,
        _ => 4.0,
    };
    let mut factor = vec![0.0; n];
    let mut z = vec![0.0; n];
    z[0] = gamma;
    z[n - 1] = 1.0;
    let mut c = 0.0;
    for i in 0..n {
        let d = 1.0 / (diagonal(i) - c);
        if i > 0 {
            let (before, z_before) = (q[i - 1], z[i - 1]);
            q[i] -= before;
            z[i] -= z_before;
        }
        q[i] *= d;
        z[i] *= d;
        factor[i] = d;
        c = d;
    }
    for i in (0..n - 1).rev() {
        let (after, z_after) = (q[i + 1], z[i + 1]);
        q[i] -= after * factor[i];
        z[i] -= z_after * factor[i];
    }
    let top = q[0] + q[n - 1] / gamma;
    let share = top / (1.0 + z[0] + z[n - 1] / gamma);
    for (q, z) in q.iter_mut().zip(&z) {
        *q -= share * *z;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pseudo_random(n: usize) -> Vec<DVec3> {
        (0..n)
            .map(|i| {
                let x = i as f64;
                DVec3::new((x * 7.3).rem_euclid(1.7), (x * x * 0.37).rem_euclid(2.3), -x)
            })
            .collect()
    }

    #[test]
    fn open_system_is_satisfied() {
        for n in 2..40 {
            let rhs = pseudo_random(n);
            let mut q = rhs.clone();
            solve_141(&mut q, &mut Vec::new());
            assert_eq!((q[0], q[n - 1]), (rhs[0], rhs[n - 1]));
            for i in 1..n - 1 {
                let left = q[i - 1] + q[i] * 4.0 + q[i + 1];
                assert!(left.distance(rhs[i]) < 1e-13 * 40.0, "n {n} row {i}");
            }
        }
    }

    #[test]
    fn ring_system_is_satisfied() {
        for n in 1..40 {
            let rhs = pseudo_random(n);
            let mut q = rhs.clone();
            solve_141_ring(&mut q);
            for i in 0..n {
                let left = q[(i + n - 1) % n] + q[i] * 4.0 + q[(i + 1) % n];
                assert!(left.distance(rhs[i]) < 1e-12, "n {n} row {i}: {left} for {}", rhs[i]);
            }
        }
    }
}
