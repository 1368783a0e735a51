//! Weighted Bezier handles with monotonic time.
//!
//! Between two keys a Bezier curve in the plane of time and value has the parameter `p` in 0–1. With
//! handles that span the fractions `a` and `b` of the interval in time, the time is
//!
//! `x(p) = 3a p(1−p)² + 3(1−b) p²(1−p) + p³`
//!
//! and the value at a time requires solving `x(p) = u` for `p`. The solution is unique only if `x`
//! never falls. Its derivative is a quadratic with Bernstein coefficients `3(a, 1−a−b, b)`, which
//! stays at or above zero exactly if `a + b − √(ab) ≤ 1`. The left side is homogeneous in both
//! handles, so handles that violate it are divided by it: their directions and the ratio of their
//! lengths are kept.
//!
//! # Differences from common practice
//!
//! * We stop a thousandth short of the limit ([`ROOM`]), where the curve would be vertical: slopes
//!   stay finite, and solving for `p` loses no digits.
//! * For the same reason a handle is never shorter in time than a thousandth of the interval; the
//!   difference is added along the straight line to the other key. So a handle of zero length
//!   points at the other key, and two of them give a straight line.
//!
//! Tests: `time_never_runs_backwards`, `valid_handles_are_unchanged`,
//! `solving_for_the_parameter_vs_bisection`.

/// Distance of handles from a vertical curve, and the shortest handle, as fractions of the
/// interval. Much larger is visible; much smaller loses digits: at this size the speed of time
/// along the curve never falls below 1e-4 of its mean.
pub(super) const ROOM: f64 = 1.0 / 1024.0;

/// The two handles of a segment: times as fractions of the segment, values relative to their
/// keys. `b` is measured back from the second key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach {
    pub(super) a: f64,
    pub(super) b: f64,
    /// Factor for the values of both handles.
    pub(super) scale: f64,
    /// Share of the straight line to the other key to add to the first handle.
    pub(super) add_a: f64,
    /// The same for the second handle.
    pub(super) add_b: f64,
}

impl Reach {
    /// Fits two handle lengths, zero or more, into one segment.
    pub(super) fn fit(a: f64, b: f64) -> Self {
        let needed = a + b - (a * b).sqrt();
        let most = 1.0 - ROOM;
        let scale = if needed > most { most / needed } else { 1.0 };
        let (a, b) = (a * scale, b * scale);
        // Lengthening the shorter of an uneven pair reduces `needed`, which falls with `b` while
        // b < a/4.
        Self {
            a: a.max(ROOM),
            b: b.max(ROOM),
            scale,
            add_a: (ROOM - a).max(0.0),
            add_b: (ROOM - b).max(0.0),
        }
    }
}

/// Time along the curve, `x(p) = c₁p + c₂p² + c₃p³`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    c1: f64,
    c2: f64,
    c3: f64,
}

impl Clock {
    /// For valid handles.
    pub(super) fn new(a: f64, b: f64) -> Self {
        let (c1, far) = (3.0 * a, 3.0 * (1.0 - b));
        Self { c1, c2: far - 2.0 * c1, c3: 1.0 + c1 - far }
    }

    /// Whether time is proportional to `p`, within rounding.
    pub(super) fn is_even(&self) -> bool {
        self.c2.abs() + self.c3.abs() < 1e-15
    }

    /// Fraction of the time at parameter `p`.
    #[inline]
    pub(super) fn time(&self, p: f64) -> f64 {
        p * (self.c1 + p * (self.c2 + p * self.c3))
    }

    /// Derivative of time at `p`.
    #[inline]
    pub(super) fn speed(&self, p: f64) -> f64 {
        self.c1 + p * (2.0 * self.c2 + p * (3.0 * self.c3))
    }

    /// Coefficients of [`Self::speed`], constant first.
    pub(super) fn speed_coefficients(&self) -> [f64; 3] {
        [self.c1, 2.0 * self.c2, 3.0 * self.c3]
    }

    /// Parameter at fraction `u` of the time, by Halley's method inside a shrinking bracket, to the
    /// last bits.
    pub(super) fn parameter(&self, u: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        let mut p = u;
        // Two or three steps are typical; the bound is never reached.
        for _ in 0..100 {
            let residual = self.time(p) - u;
            let speed = self.speed(p);
            let half_change = self.c2 + 3.0 * self.c3 * p;
            let square = speed * speed;
            let step = residual * speed / (square - residual * half_change);
            let next = p - step;
            // The error after a Halley step is this multiple of the step cubed; below the last bit
            // no further step can improve it.
            let error = (half_change * half_change + (self.c3 * speed).abs()) * step * step * step;
            if error.abs() <= 0.25 * f64::EPSILON * square {
                return next.clamp(low, high);
            }
            if residual > 0.0 {
                high = p;
            } else {
                low = p;
            }
            p = if next > low && next < high { next } else { 0.5 * (low + high) };
        }
        p
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// De Casteljau's construction.
    fn de_casteljau(points: [f64; 4], p: f64) -> f64 {
        let mix = |a: f64, b: f64| a * (1.0 - p) + b * p;
        let [a, b, c, d] = points;
        let (ab, bc, cd) = (mix(a, b), mix(b, c), mix(c, d));
        mix(mix(ab, bc), mix(bc, cd))
    }

    #[test]
    fn valid_handles_are_unchanged() {
        for (a, b) in [(1.0 / 3.0, 1.0 / 3.0), (0.9, 0.05), (0.5, 0.5), (0.99, 0.99), (1.25, 0.3)] {
            let reach = Reach::fit(a, b);
            assert_eq!((reach.a, reach.b, reach.scale), (a, b, 1.0));
            assert_eq!((reach.add_a, reach.add_b), (0.0, 0.0));
        }
        // Handles just beyond the limit hardly change, and keep their ratio.
        let reach = Reach::fit(4.0 / 3.0, 1.0 / 3.0);
        assert!((reach.scale - 1.0).abs() < 2.0 * ROOM);
        assert!((reach.a / reach.b - 4.0).abs() < 1e-12);
    }

    #[test]
    fn a_third_each_makes_time_linear() {
        let clock = Clock::new(1.0 / 3.0, 1.0 / 3.0);
        assert!(clock.is_even());
        assert!(!Clock::new(0.3333, 1.0 / 3.0).is_even());
    }

    /// Lengths from zero to far too long.
    fn length() -> impl Strategy<Value = f64> {
        prop_oneof![
            Just(0.0),
            0.0..1.5f64,
            0.0..1e-3f64,
            1.0..1e3f64,
            (0.0..300.0f64).prop_map(|e| crate::num::ops::pow(10.0, e / 15.0))
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn time_never_runs_backwards(a in length(), b in length()) {
            let reach = Reach::fit(a, b);
            let points = [0.0, reach.a, 1.0 - reach.b, 1.0];
            let mut before = 0.0;
            for i in 1..=1000 {
                let x = de_casteljau(points, f64::from(i) / 1000.0);
                prop_assert!(x > before, "back from {before} to {x} for handles {a}, {b}");
                before = x;
            }
            let clock = Clock::new(reach.a, reach.b);
            let slowest = (0..=1000).map(|i| clock.speed(f64::from(i) / 1000.0));
            prop_assert!(slowest.fold(f64::INFINITY, f64::min) > 1e-5);
        }

        #[test]
        fn solving_for_the_parameter_vs_bisection(a in length(), b in length(), u in 0.0..1.0f64) {
            let reach = Reach::fit(a, b);
            let points = [0.0, reach.a, 1.0 - reach.b, 1.0];
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if de_casteljau(points, middle) < u { low = middle } else { high = middle }
            }
            let clock = Clock::new(reach.a, reach.b);
            let p = clock.parameter(u);
            prop_assert!((0.0..=1.0).contains(&p));
            // A few roundings of the coefficients, which are up to 4, divided by the derivative.
            let tolerance = 4e-16 + 4e-15 / clock.speed(p);
            prop_assert!((p - low).abs() <= tolerance, "{p} for {low}, tolerance {tolerance:e}");
        }
    }
}
