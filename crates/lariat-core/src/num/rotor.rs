//! Sine and cosine at equal steps, by repeated rotation.
//!
//! `(cos, sin)` of the next eight angles is that of the last eight rotated by one fixed angle:
//! four multiplications instead of two polynomials. Eight lanes side by side keep the chain of
//! roundings short (an eighth of the samples) and fill vector registers.
//!
//! Tests: `rotation_vs_evaluation`.

use super::ops;

/// Number of angles per block.
pub const LANES: usize = 8;

/// Calls `each(i, sin, cos)` for `lanes`, then for `lanes + stride`, `lanes + 2 · stride`, … in
/// turns, until `n` angles are done; accurate to `n · 5e-17`.
#[inline]
pub fn at_strides(
    lanes: [f64; LANES],
    stride: f64,
    n: usize,
    mut each: impl FnMut(usize, f64, f64),
) {
    let (mut sin, mut cos) = ([0.0; LANES], [0.0; LANES]);
    for k in 0..LANES {
        (sin[k], cos[k]) = ops::sin_cos_turns(lanes[k]);
    }
    let (turn_sin, turn_cos) = ops::sin_cos_turns(stride);
    let mut first = 0;
    while first < n {
        for k in 0..LANES.min(n - first) {
            each(first + k, sin[k], cos[k]);
        }
        for k in 0..LANES {
            let (s, c) = (sin[k], cos[k]);
            (sin[k], cos[k]) = (s * turn_cos + c * turn_sin, c * turn_cos - s * turn_sin);
        }
        first += LANES;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_vs_evaluation() {
        for n in [1, 7, 8, 49, 5000] {
            let mut seen = 0;
            let lanes = std::array::from_fn(|k| 0.13 + k as f64 * 0.0417);
            at_strides(lanes, LANES as f64 * 0.0417, n, |i, sin, cos| {
                assert_eq!(i, seen);
                seen += 1;
                let x = 0.13 + i as f64 * 0.0417;
                let limit = 1e-15 + 5e-17 * n as f64;
                assert!(
                    (sin - ops::sin_turns(x)).abs() < limit
                        && (cos - ops::cos_turns(x)).abs() < limit,
                    "{i} of {n}"
                );
            });
            assert_eq!(seen, n);
        }
    }
}
