//! The interpolating spline of a sampled curve: values, arc length, resampling, closest point.
//!
//! Barzel 1997, appendix A.1: "we create a B-spline by using a spline-fitting algorithm".
//! Controls `q` with `(q[i−1] + 4 q[i] + q[i+1]) / 6 = p[i]` and natural ends, one tridiagonal
//! solve; this is the natural cubic spline in the sample index. A closed curve gets a periodic one.
//!
//! # Differences from the paper
//!
//! * Arc length is Gauss-Legendre quadrature of `|C′|` in every span, not a sum of short chords:
//!   a catenary of length 6 with 17 samples measures 5.99994 instead of 5.9927.
//! * Uniform resampling inverts `s(u)` by Newton's method in a bracket, not by a table of short
//!   segments.
//!
//! Tests: `passes_through_its_samples`, `is_the_natural_cubic`, `measures_a_catenary`,
//! `uniform_samples_are_uniform`, `closest_point_vs_brute_force`.

use glam::DVec3;

use super::Polyline;
use crate::num::{quadrature::gauss8, tridiagonal};

/// An interpolating cubic B-spline over `u` in `[0, 1]`, with a table of arc length.
#[derive(Clone, Debug)]
pub struct Spline {
    /// Controls, with one phantom before and one after: span `i` uses `q[i..i + 4]`.
    controls: Vec<DVec3>,
    /// The samples themselves, so that knots are hit exactly.
    knots: Vec<DVec3>,
    /// Arc length from the start to each knot.
    knot_lengths: Vec<f64>,
    closed: bool,
}

/// A point on a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Parameter, 0–1.
    pub u: f64,
    /// Arc length from the start, in metres.
    pub s: f64,
    /// The point itself.
    pub point: DVec3,
    /// Distance from the target.
    pub distance: f64,
}

impl Spline {
    /// Fits the spline through the samples of `curve`.
    pub fn through(curve: &Polyline) -> Self {
        Self::through_points(curve.points(), curve.is_closed())
    }

    fn through_points(points: &[DVec3], closed: bool) -> Self {
        let n = points.len();
        let mut controls = Vec::with_capacity(n + 2);
        if closed {
            let mut q: Vec<_> = points[..n - 1].iter().map(|p| *p * 6.0).collect();
            tridiagonal::solve_141_ring(&mut q);
            let m = q.len();
            controls.push(q[m - 1]);
            controls.extend_from_slice(&q);
            controls.push(q[0]);
            controls.push(q[1 % m]);
        } else {
            controls.push(DVec3::ZERO);
            controls.extend(points.iter().map(|p| *p * 6.0));
            controls[1] = points[0];
            controls[n] = points[n - 1];
            tridiagonal::solve_141(&mut controls[1..], &mut Vec::with_capacity(n));
            controls[0] = controls[1] * 2.0 - controls[2];
            controls.push(controls[n] * 2.0 - controls[n - 1]);
        }
        let mut spline =
            Self { controls, knots: points.to_vec(), knot_lengths: Vec::with_capacity(n), closed };
        let mut length = 0.0;
        spline.knot_lengths.push(0.0);
        for i in 0..n - 1 {
            length += spline.span_length(i, 0.0, 1.0);
            spline.knot_lengths.push(length);
        }
        spline
    }

    /// Number of spans: one less than the number of samples.
    pub fn spans(&self) -> usize {
        self.knots.len() - 1
    }

    /// Returns true for a periodic spline.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The span that contains `u`, and the position within it (0–1).
    fn locate(&self, u: f64) -> (usize, f64) {
        let x = u.clamp(0.0, 1.0) * self.spans() as f64;
        let i = (x as usize).min(self.spans() - 1);
        (i, x - i as f64)
    }

    /// The point at `u`; exact at samples.
    pub fn point(&self, u: f64) -> DVec3 {
        let (i, x) = self.locate(u);
        self.point_in(i, x)
    }

    fn point_in(&self, i: usize, x: f64) -> DVec3 {
        if x == 0.0 {
            return self.knots[i];
        }
        if x == 1.0 {
            return self.knots[i + 1];
        }
        let q = &self.controls[i..i + 4];
        let y = 1.0 - x;
        (q[0] * (y * y * y)
            + q[1] * (4.0 - 6.0 * x * x + 3.0 * x * x * x)
            + q[2] * (4.0 - 6.0 * y * y + 3.0 * y * y * y)
            + q[3] * (x * x * x))
            * (1.0 / 6.0)
    }

    /// Derivative with respect to the span's 0–1 parameter.
    fn slope_in(&self, i: usize, x: f64) -> DVec3 {
        let q = &self.controls[i..i + 4];
        let y = 1.0 - x;
        ((q[1] - q[0]) * (y * y) + (q[2] - q[1]) * (1.0 + 2.0 * x * y) + (q[3] - q[2]) * (x * x))
            * 0.5
    }

    /// Derivative with respect to `u`, in metres.
    pub fn slope(&self, u: f64) -> DVec3 {
        let (i, x) = self.locate(u);
        self.slope_in(i, x) * self.spans() as f64
    }

    /// Point at `u`, and derivative with respect to `u`.
    pub fn at(&self, u: f64) -> (DVec3, DVec3) {
        let (i, x) = self.locate(u);
        (self.point_in(i, x), self.slope_in(i, x) * self.spans() as f64)
    }

    fn span_length(&self, i: usize, from: f64, to: f64) -> f64 {
        gauss8(from, to, |x| self.slope_in(i, x).length())
    }

    /// Arc length of the whole curve, in metres.
    pub fn length(&self) -> f64 {
        self.knot_lengths[self.spans()]
    }

    /// Arc length from the start to `u`.
    pub fn arc_length(&self, u: f64) -> f64 {
        let (i, x) = self.locate(u);
        self.knot_lengths[i] + self.span_length(i, 0.0, x)
    }

    /// The parameter at arc length `s`, clamped to the length of the curve.
    pub fn parameter_at(&self, s: f64) -> f64 {
        let s = s.clamp(0.0, self.length());
        let i = self.knot_lengths.partition_point(|r| *r <= s).clamp(1, self.spans()) - 1;
        let (target, whole) =
            (s - self.knot_lengths[i], self.knot_lengths[i + 1] - self.knot_lengths[i]);
        if target <= 0.0 || whole <= 0.0 {
            return i as f64 / self.spans() as f64;
        }
        // Newton on length(x) = target, kept in a bracket that shrinks with every step.
        let (mut low, mut high) = (0.0, 1.0);
        let mut x = target / whole;
        for _ in 0..40 {
            let miss = self.span_length(i, 0.0, x) - target;
            if miss > 0.0 {
                high = x;
            } else {
                low = x;
            }
            let speed = self.slope_in(i, x).length();
            let mut next = x - miss / speed;
            if !(next > low && next < high) {
                next = 0.5 * (low + high);
            }
            if (next - x).abs() <= 1e-15 || miss.abs() <= 1e-15 * whole {
                break;
            }
            x = next;
        }
        (i as f64 + x) / self.spans() as f64
    }

    /// The curve with `n` samples at equal steps of `u`: "changing the number of samples".
    #[must_use]
    pub fn with_samples(&self, n: usize) -> Polyline {
        self.sampled(n, |k| k)
    }

    /// The curve with `n` samples at equal steps of arc length: "resample uniformly".
    #[must_use]
    pub fn resampled(&self, n: usize) -> Polyline {
        self.sampled(n, |k| self.parameter_at(k * self.length()))
    }

    fn sampled(&self, n: usize, u_of: impl Fn(f64) -> f64) -> Polyline {
        let n = n.max(2);
        let mut points: Vec<_> =
            (0..n).map(|i| self.point(u_of(i as f64 / (n - 1) as f64))).collect();
        points[0] = self.knots[0];
        points[n - 1] = self.knots[self.spans()];
        let curve = if self.closed { Polyline::ring(points) } else { Polyline::new(points) };
        curve.unwrap_or_else(|_| unreachable!("at least two samples"))
    }

    /// The point of the curve nearest to `target`.
    ///
    /// Every span is sampled at eighths, and the best sample is refined by Newton's method, so the
    /// nearest point is missed only if the curve turns twice within an eighth of a span.
    pub fn closest(&self, target: DVec3) -> Closest {
        const STARTS: usize = 8;
        let mut best = (f64::INFINITY, 0, 0.0);
        for i in 0..self.spans() {
            for k in 0..=STARTS {
                let x = k as f64 / STARTS as f64;
                let d = self.point_in(i, x).distance_squared(target);
                if d < best.0 {
                    best = (d, i, x);
                }
            }
        }
        let (_, mut i, mut x) = best;
        for _ in 0..20 {
            let miss = self.point_in(i, x) - target;
            let slope = self.slope_in(i, x);
            let q = &self.controls[i..i + 4];
            let bend = (q[0] - q[1] * 2.0 + q[2]) * (1.0 - x) + (q[1] - q[2] * 2.0 + q[3]) * x;
            let (g, h) = (miss.dot(slope), slope.dot(slope) + miss.dot(bend));
            let step = if h > 0.0 { -g / h } else { -g.signum() * 0.05 };
            let mut next = x + step;
            if next < 0.0 && i > 0 {
                (i, next) = (i - 1, 1.0);
            } else if next > 1.0 && i + 1 < self.spans() {
                (i, next) = (i + 1, 0.0);
            }
            let next = next.clamp(0.0, 1.0);
            if (next - x).abs() < 1e-15 {
                break;
            }
            x = next;
        }
        let refined = self.point_in(i, x).distance_squared(target);
        if refined > best.0 {
            (i, x) = (best.1, best.2);
        }
        let point = self.point_in(i, x);
        Closest {
            u: (i as f64 + x) / self.spans() as f64,
            s: self.knot_lengths[i] + self.span_length(i, 0.0, x),
            point,
            distance: point.distance(target),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::catenary::Catenary;
    use crate::num::ops;

    fn helix(n: usize) -> Polyline {
        let points = (0..n).map(|i| {
            let a = 9.0 * i as f64 / (n - 1) as f64;
            DVec3::new(ops::cos(a), ops::sin(a), 0.2 * a)
        });
        Polyline::new(points.collect()).unwrap()
    }

    #[test]
    fn passes_through_its_samples() {
        let curve = helix(23);
        let spline = Spline::through(&curve);
        for (i, p) in curve.points().iter().enumerate() {
            let (j, x) = (i.min(21), if i == 22 { 1.0 - 1e-15 } else { 1e-15 });
            assert!(spline.point_in(j, x).distance(*p) < 1e-14);
            assert!(spline.point(i as f64 / 22.0).distance(*p) < 1e-14);
        }
        assert_eq!(spline.point(0.0), curve.start());
        assert_eq!(spline.point(1.0), curve.end());
    }

    /// The textbook natural cubic in second-derivative form, solved independently.
    #[test]
    fn is_the_natural_cubic() {
        let curve = helix(17);
        let y: Vec<f64> = curve.points().iter().map(|p| p.x).collect();
        let n = y.len();
        // m[i-1] + 4 m[i] + m[i+1] = 6 (y[i-1] - 2 y[i] + y[i+1]), m = 0 at both ends: Thomas.
        let (mut c, mut d) = (vec![0.0; n], vec![0.0; n]);
        for i in 1..n - 1 {
            let r = 6.0 * (y[i - 1] - 2.0 * y[i] + y[i + 1]);
            let w = 4.0 - c[i - 1];
            c[i] = 1.0 / w;
            d[i] = (r - d[i - 1]) / w;
        }
        let mut m = vec![0.0; n];
        for i in (1..n - 1).rev() {
            m[i] = d[i] - c[i] * m[i + 1];
        }
        let spline = Spline::through(&curve);
        for k in 0..=1600 {
            let x = 16.0 * f64::from(k) / 1600.0;
            let i = (x as usize).min(n - 2);
            let (b, a) = (x - i as f64, 1.0 - (x - i as f64));
            let cubic = a * y[i]
                + b * y[i + 1]
                + ((a * a * a - a) * m[i] + (b * b * b - b) * m[i + 1]) / 6.0;
            assert!((spline.point(x / 16.0).x - cubic).abs() < 2e-15, "{x}");
        }
    }

    #[test]
    fn measures_a_catenary() {
        let hung =
            Catenary::between(DVec3::ZERO, DVec3::new(4.0, 0.0, 0.0), 6.0, DVec3::Z).unwrap();
        let curve = Polyline::new(hung.sample(17)).unwrap();
        // docs/papers/barzel.md, "Measured": spline 5.999945, polyline 5.9927.
        assert!((Spline::through(&curve).length() - 5.999_945).abs() < 1e-5);
        assert!((curve.chord_length() - 5.9927).abs() < 1e-3);
        let fine = Polyline::new(hung.sample(257)).unwrap();
        assert!((Spline::through(&fine).length() - 6.0).abs() < 1e-8);
    }

    #[test]
    fn a_periodic_ring_measures_a_circle() {
        let points = (0..=32).map(|i| {
            let (s, c) = ops::sin_cos(std::f64::consts::TAU * f64::from(i % 32) / 32.0);
            DVec3::new(c, s, 0.0)
        });
        let ring = Polyline::ring(points.collect()).unwrap();
        let spline = Spline::through(&ring);
        assert!((spline.length() - std::f64::consts::TAU).abs() < 2e-5);
        // No corner where it closes.
        assert!(spline.slope(0.0).distance(spline.slope(1.0)) < 1e-12);
    }

    #[test]
    fn uniform_samples_are_uniform() {
        // Unevenly sampled: the parameter along a helix is squared.
        let points = (0..60).map(|i| {
            let a = 9.0 * ops::pow(f64::from(i) / 59.0, 2.0);
            DVec3::new(ops::cos(a), ops::sin(a), 0.2 * a)
        });
        let spline = Spline::through(&Polyline::new(points.collect()).unwrap());
        let n = 41;
        let uniform = spline.resampled(n);
        for i in 1..n {
            let near = spline.closest(uniform.points()[i]);
            let wanted = spline.length() * i as f64 / (n - 1) as f64;
            assert!((near.s - wanted).abs() < 1e-7 * spline.length(), "{i}: {} {wanted}", near.s);
        }
        assert_eq!(spline.with_samples(7).points().len(), 7);
    }

    #[test]
    fn parameter_and_arc_length_are_inverse() {
        let spline = Spline::through(&helix(30));
        for k in 0..=100 {
            let s = spline.length() * f64::from(k) / 100.0;
            assert!((spline.arc_length(spline.parameter_at(s)) - s).abs() < 1e-13);
        }
    }

    #[test]
    fn closest_point_vs_brute_force() {
        let spline = Spline::through(&helix(20));
        for k in 0..50 {
            let f = f64::from(k);
            let target = DVec3::new(ops::sin(f), ops::cos(1.3 * f), 0.04 * f) * 1.4;
            let found = spline.closest(target);
            let brute = (0..=200_000)
                .map(|i| spline.point(f64::from(i) / 200_000.0).distance(target))
                .fold(f64::INFINITY, f64::min);
            assert!(found.distance <= brute + 1e-12, "{target}: {} > {brute}", found.distance);
        }
    }

    #[test]
    fn two_samples_make_a_line() {
        let spline = Spline::through(&Polyline::line(DVec3::ZERO, DVec3::X * 3.0, 2));
        assert!((spline.length() - 3.0).abs() < 1e-14);
        assert!(spline.point(0.5).distance(DVec3::X * 1.5) < 1e-15);
    }
}
