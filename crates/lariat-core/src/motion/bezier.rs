//! Bezier handles with weight, and time that never runs backwards along them.
//!
//! Between two keys a Bezier curve is drawn in the plane of time and value by a pen that moves
//! from `p = 0` to `p = 1`. With handles that reach the fractions `a` and `b` of the way in time,
//! the clock is
//!
//! `x(p) = 3a p(1−p)² + 3(1−b) p²(1−p) + p³`
//!
//! and to know the value at a time, `x(p) = u` has to be solved for `p`. That has one answer for
//! every time only if `x` never falls. Its derivative is a quadratic with Bernstein coefficients
//! `3(a, 1−a−b, b)`, which stays at or above zero exactly if `a + b − √(ab) ≤ 1`. The left side
//! grows in proportion when both handles grow, so handles that break it are shortened together,
//! by that number: their directions and the ratio of their lengths stay as drawn.
//!
//! # Where we leave the common practice
//!
//! * We stop a thousandth short of the limit ([`ROOM`]), where the curve would stand upright:
//!   slopes stay finite, and solving for `p` loses no digits.
//! * For the same reason a handle is never shorter in time than a thousandth of the way; what is
//!   missing is added along the straight line to the other key. A handle of no length at all thus
//!   points at the other key, and two of them give a straight line.
//!
//! Tests: `time_never_runs_backwards`, `handles_that_fit_are_left_alone`,
//! `solving_for_the_pen_vs_bisection`.

/// How far handles stay from standing the curve upright, and the shortest handle, as fractions of
/// the way to the next key. Much larger can be seen; much smaller and digits are lost: at this
/// size the clock of the pen never goes slower than 1e-4 of its mean.
pub(super) const ROOM: f64 = 1.0 / 1024.0;

/// The two handles of one stretch, as fractions of it in time, relative to their own keys in
/// value; `b` is measured back from the second key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach {
    pub(super) a: f64,
    pub(super) b: f64,
    /// What both handles' values must be multiplied with.
    pub(super) scale: f64,
    /// How much of the straight line to the other key must then be added to the first handle.
    pub(super) add_a: f64,
    /// The same for the second.
    pub(super) add_b: f64,
}

impl Reach {
    /// Fits two handle lengths, zero or more, into one stretch.
    pub(super) fn fit(a: f64, b: f64) -> Self {
        let needed = a + b - (a * b).sqrt();
        let most = 1.0 - ROOM;
        let scale = if needed > most { most / needed } else { 1.0 };
        let (a, b) = (a * scale, b * scale);
        // Lengthening the short one of an uneven pair makes `needed` less, not more: it falls in
        // `b` while b < a/4.
        Self {
            a: a.max(ROOM),
            b: b.max(ROOM),
            scale,
            add_a: (ROOM - a).max(0.0),
            add_b: (ROOM - b).max(0.0),
        }
    }
}

/// The clock of a pen, `x(p) = c₁p + c₂p² + c₃p³`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    c1: f64,
    c2: f64,
    c3: f64,
}

impl Clock {
    /// For handles that fit.
    pub(super) fn new(a: f64, b: f64) -> Self {
        let (c1, far) = (3.0 * a, 3.0 * (1.0 - b));
        Self { c1, c2: far - 2.0 * c1, c3: 1.0 + c1 - far }
    }

    /// Whether the clock and the pen go together, within rounding.
    pub(super) fn is_even(&self) -> bool {
        self.c2.abs() + self.c3.abs() < 1e-15
    }

    /// Fraction of the time at pen position `p`.
    #[inline]
    pub(super) fn time(&self, p: f64) -> f64 {
        p * (self.c1 + p * (self.c2 + p * self.c3))
    }

    /// How fast the clock goes at `p`.
    #[inline]
    pub(super) fn speed(&self, p: f64) -> f64 {
        self.c1 + p * (2.0 * self.c2 + p * (3.0 * self.c3))
    }

    /// Coefficients of [`Self::speed`], constant first.
    pub(super) fn speed_coefficients(&self) -> [f64; 3] {
        [self.c1, 2.0 * self.c2, 3.0 * self.c3]
    }

    /// The pen position at fraction `u` of the time: Halley's method inside a shrinking bracket,
    /// to the last bits.
    pub(super) fn pen(&self, u: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        let mut p = u;
        // Two or three steps are typical, and the bound is out of reach.
        for _ in 0..100 {
            let miss = self.time(p) - u;
            let speed = self.speed(p);
            let half_change = self.c2 + 3.0 * self.c3 * p;
            let square = speed * speed;
            let step = miss * speed / (square - miss * half_change);
            let next = p - step;
            // What Halley leaves over is this multiple of the step cubed; if it is below the last
            // bit, no further step can tell.
            let left = (half_change * half_change + (self.c3 * speed).abs()) * step * step * step;
            if left.abs() <= 0.25 * f64::EPSILON * square {
                return next.clamp(low, high);
            }
            if miss > 0.0 {
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

    /// De Casteljau's construction: nothing but averages.
    fn de_casteljau(points: [f64; 4], p: f64) -> f64 {
        let mix = |a: f64, b: f64| a * (1.0 - p) + b * p;
        let [a, b, c, d] = points;
        let (ab, bc, cd) = (mix(a, b), mix(b, c), mix(c, d));
        mix(mix(ab, bc), mix(bc, cd))
    }

    #[test]
    fn handles_that_fit_are_left_alone() {
        for (a, b) in [(1.0 / 3.0, 1.0 / 3.0), (0.9, 0.05), (0.5, 0.5), (0.99, 0.99), (1.25, 0.3)] {
            let reach = Reach::fit(a, b);
            assert_eq!((reach.a, reach.b, reach.scale), (a, b, 1.0));
            assert_eq!((reach.add_a, reach.add_b), (0.0, 0.0));
        }
        // One just beyond the limit is hardly touched, and the ratio stays.
        let reach = Reach::fit(4.0 / 3.0, 1.0 / 3.0);
        assert!((reach.scale - 1.0).abs() < 2.0 * ROOM);
        assert!((reach.a / reach.b - 4.0).abs() < 1e-12);
    }

    #[test]
    fn a_third_each_makes_an_even_clock() {
        let clock = Clock::new(1.0 / 3.0, 1.0 / 3.0);
        assert!(clock.is_even());
        assert!(!Clock::new(0.3333, 1.0 / 3.0).is_even());
    }

    /// Lengths from nothing to far too long.
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
        fn solving_for_the_pen_vs_bisection(a in length(), b in length(), u in 0.0..1.0f64) {
            let reach = Reach::fit(a, b);
            let points = [0.0, reach.a, 1.0 - reach.b, 1.0];
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if de_casteljau(points, middle) < u { low = middle } else { high = middle }
            }
            let clock = Clock::new(reach.a, reach.b);
            let p = clock.pen(u);
            prop_assert!((0.0..=1.0).contains(&p));
            // A few roundings of the clock's coefficients, which are up to 4, seen through how
            // slow it goes there.
            let bar = 4e-16 + 4e-15 / clock.speed(p);
            prop_assert!((p - low).abs() <= bar, "{p} for {low}, bar {bar:e}");
        }
    }
}
