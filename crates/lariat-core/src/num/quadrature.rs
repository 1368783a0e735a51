//! Gauss-Legendre quadrature: one panel, its nodes, and adaptive halving of panels.
//!
//! Tests: `gauss8_is_exact_for_degree_fifteen`, `halving_finds_a_kink`.

/// Nodes of the 8-point Gauss-Legendre rule on `[0, 1]`, lower half; the rest mirror them.
const NODES: [f64; 4] = [
    0.019_855_071_751_231_884,
    0.101_666_761_293_186_63,
    0.237_233_795_041_835_5,
    0.408_282_678_752_175_1,
];
/// Their weights; the eight sum to 1.
const WEIGHTS: [f64; 4] = [
    0.050_614_268_145_188_13,
    0.111_190_517_226_687_24,
    0.156_853_322_938_943_65,
    0.181_341_891_689_180_98,
];

/// Nodes and weights of the 8-point rule on `[0, 1]`, in ascending order.
pub fn gauss8_nodes() -> [(f64, f64); 8] {
    std::array::from_fn(|k| {
        if k < 4 { (NODES[k], WEIGHTS[k]) } else { (1.0 - NODES[7 - k], WEIGHTS[7 - k]) }
    })
}

/// Integral of `f` from `a` to `b` by eight points: exact for polynomials up to degree 15.
pub fn gauss8(a: f64, b: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
    let h = b - a;
    let mut sum = 0.0;
    for (x, w) in NODES.iter().zip(WEIGHTS) {
        sum += w * (f(a + h * x) + f(b - h * x));
    }
    h * sum
}

/// Integral of `f` from `a` to `b`. Panels are halved until the result changes by less than
/// `tolerance`, at most `depth` times.
///
/// For integrands that are nearly kinked. If the kinks are known, integrate from one to the next
/// instead.
pub fn adaptive(a: f64, b: f64, tolerance: f64, depth: u32, f: &mut impl FnMut(f64) -> f64) -> f64 {
    let whole = gauss8(a, b, &mut *f);
    halve(a, b, whole, tolerance, depth, f)
}

fn halve(
    a: f64,
    b: f64,
    whole: f64,
    tolerance: f64,
    depth: u32,
    f: &mut impl FnMut(f64) -> f64,
) -> f64 {
    let m = 0.5 * (a + b);
    let (left, right) = (gauss8(a, m, &mut *f), gauss8(m, b, &mut *f));
    if depth == 0 || (left + right - whole).abs() <= tolerance {
        return left + right;
    }
    halve(a, m, left, 0.5 * tolerance, depth - 1, f)
        + halve(m, b, right, 0.5 * tolerance, depth - 1, f)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops;

    #[test]
    fn gauss8_is_exact_for_degree_fifteen() {
        for degree in 0..=15_i32 {
            let ours = gauss8(0.0, 2.0, |x| ops::pow(x, f64::from(degree)));
            let exact = ops::pow(2.0, f64::from(degree + 1)) / f64::from(degree + 1);
            assert!((ours / exact - 1.0).abs() < 1e-14, "degree {degree}: {ours} for {exact}");
        }
        let ours = gauss8(0.0, 2.0, |x| ops::pow(x, 16.0));
        assert!((ours / (131_072.0 / 17.0) - 1.0).abs() > 1e-12, "degree 16 cannot be exact");
    }

    #[test]
    fn halving_finds_a_kink() {
        let mut evaluations = 0;
        let ours = adaptive(0.0, 1.0, 1e-12, 40, &mut |x| {
            evaluations += 1;
            (x - 0.3).abs()
        });
        assert!((ours - (0.045 + 0.245)).abs() < 1e-12, "{ours}");
        assert!(evaluations < 2000, "{evaluations} evaluations");
    }
}
