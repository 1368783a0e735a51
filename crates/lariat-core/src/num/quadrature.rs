//! Integrals: Gauss-Legendre where the integrand can be asked anywhere, end-corrected sums where
//! it is known at equal steps only.
//!
//! [`gauss8`] measures arc length span by span. [`EqualSteps`] is the trapezoid rule with
//! Gregory's end corrections up to fourth differences: with samples at equal steps it reaches
//! order six at the ends, and an oscillation well inside costs it nothing, so the samples of a
//! rope that are needed anyway also measure it.
//!
//! Tests: `gauss8_is_exact_for_degree_fifteen`, `equal_steps_is_exact_for_quintics`.

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

/// Nodes and weights of the 8-point rule on `[0, 1]`.
pub fn gauss8_nodes() -> impl Iterator<Item = (f64, f64)> {
    let mirrored = NODES.iter().zip(WEIGHTS).map(|(x, w)| (1.0 - x, w)).rev();
    NODES.iter().copied().zip(WEIGHTS).chain(mirrored)
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

/// Weights for `n` values at equal steps over `[0, 1]`.
#[derive(Clone, Debug, Default)]
pub struct EqualSteps {
    weights: Vec<f64>,
}

impl EqualSteps {
    /// Gregory's end weights, in units of the step, for the fourth-difference rule.
    const END: [f64; 5] =
        [475.0 / 1440.0, 1902.0 / 1440.0, 1104.0 / 1440.0, 1586.0 / 1440.0, 1413.0 / 1440.0];

    /// The rule for `n` values; below ten there is no room for both ends' corrections and the
    /// plain trapezoid is used.
    pub fn new(n: usize) -> Self {
        let mut rule = Self::default();
        rule.prepare(n);
        rule
    }

    /// Makes this the rule for `n` values, without work if it already is.
    pub fn prepare(&mut self, n: usize) {
        if self.weights.len() == n {
            return;
        }
        self.weights.clear();
        let h = 1.0 / (n.max(2) - 1) as f64;
        self.weights.resize(n, h);
        if n >= 10 {
            for (k, w) in Self::END.iter().enumerate() {
                self.weights[k] = h * w;
                self.weights[n - 1 - k] = h * w;
            }
        } else if n >= 2 {
            self.weights[0] = 0.5 * h;
            self.weights[n - 1] = 0.5 * h;
        }
    }

    /// One weight per value.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }
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
    fn equal_steps_is_exact_for_quintics() {
        for n in [10, 11, 49] {
            let rule = EqualSteps::new(n);
            for degree in 0..=5_i32 {
                let ours: f64 = (0..n)
                    .map(|i| {
                        let u = i as f64 / (n - 1) as f64;
                        rule.weights()[i] * ops::pow(u, f64::from(degree))
                    })
                    .sum();
                assert!(
                    (ours * f64::from(degree + 1) - 1.0).abs() < 1e-13,
                    "n {n} degree {degree}"
                );
            }
        }
    }
}
