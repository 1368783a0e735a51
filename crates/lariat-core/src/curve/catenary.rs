//! The shape a rope takes when it hangs at rest between two points.
//!
//! Barzel 1997, appendix A.2. In the plane of the two ends and `up`, with horizontal distance
//! `h`, rise `v` and rope length `L`, the parameter `a` is the root of
//! `sinh(a)/a = √(L² − v²)/h`; the rope is `A = h/2a` times a hyperbolic cosine whose slope at
//! the start is `sinh b`, and by arc length `s`, with `S = sinh b + s/A` and `C = √(1 + S²)`,
//! `y(s) = s (S + S₀)/(C + C₀)` and `x(s) = A (asinh S − asinh S₀)`.
//!
//! # Where we leave the paper
//!
//! * The paper finds `b` from an inverse hyperbolic cosine whose argument is exactly 1 when the
//!   ends are level, so one rounding error there is a NaN. We use the equal but smooth
//!   `b = artanh(v/L) − a`, which also needs no "lower end first".
//! * Its branch for `N > M` cannot be reached: `α > 0` makes `M` the larger.
//! * We solve for `a` to the last bit (Halley on `ln(sinh a / a)`, three steps at most), so the
//!   linear correction `s·e`, which shears the curve, is not needed.
//! * Samples are exact in arc length; nothing is resampled.
//!
//! Tests: `ends_meet_exactly`, `length_is_what_was_asked`, `level_ends_are_not_special`,
//! `deep_and_tight_ropes_vs_high_precision`, `a_taut_rope_is_a_straight_line`,
//! `coincident_and_vertical_ends_fold`.

use glam::{DVec2, DVec3};
use thiserror::Error;

use super::{Frame, Gross, Rail};
use crate::num::ops;

/// Why a rope cannot be hung at all.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum CannotHang {
    /// A number is NaN or infinite.
    #[error("a rope cannot hang from {start} to {end} with length {length} and up {up}: a number is not finite, or up is zero")]
    NotFinite {
        /// One end.
        start: DVec3,
        /// The other end.
        end: DVec3,
        /// Rope length in metres.
        length: f64,
        /// The direction against gravity.
        up: DVec3,
    },
    /// A length below zero.
    #[error("a rope cannot be {length} m long: give it a length of 0 or more")]
    NegativeLength {
        /// Rope length in metres.
        length: f64,
    },
}

/// A rope hung between two points.
#[derive(Clone, Debug, PartialEq)]
pub struct Catenary {
    start: DVec3,
    end: DVec3,
    /// Unit, normal to `up`, from start towards end.
    along: DVec3,
    up: DVec3,
    /// What was asked for; the curve itself is never shorter than the gap.
    asked: f64,
    /// Distance between the ends.
    gap: f64,
    length: f64,
    shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    /// Straight from end to end.
    Taut,
    /// Down by `drop` from the start, then up to the end: no horizontal distance to span.
    Fold { drop: f64 },
    /// `scale` is A, the radius of curvature at the lowest point; `s0`, `c0` are sinh b and cosh b.
    Hang { scale: f64, s0: f64, c0: f64 },
}

/// A rope no longer than its gap by this factor is a straight line: the difference is rounding.
const TAUT: f64 = 1.0 + 4e-16;
/// Ends nearer sideways than this fraction of the length hang as a fold; the error is below `h`.
const FOLD: f64 = 1e-12;

/// `up` leaned by swing and sway (radians) as figure 7 does: `Rx(swing) · Ry(sway) · Z`.
///
/// `axes` are the horizontal directions that count as X and Y; the world's own as published, or
/// [`chord_axes`].
pub fn leaned_up(swing: f64, sway: f64, (x, y): (DVec3, DVec3)) -> DVec3 {
    let ((sin_swing, cos_swing), (sin_sway, cos_sway)) = (ops::sin_cos(swing), ops::sin_cos(sway));
    x * sin_sway - y * (sin_swing * cos_sway) + DVec3::Z * (cos_swing * cos_sway)
}

/// X along the horizontal part of the chord and Y to its left; the world's where there is none.
pub fn chord_axes(start: DVec3, end: DVec3) -> (DVec3, DVec3) {
    let chord = end - start;
    let x = DVec3::new(chord.x, chord.y, 0.0).try_normalize().unwrap_or(DVec3::X);
    (x, DVec3::new(-x.y, x.x, 0.0))
}

impl Catenary {
    /// Hangs `length` metres of rope between `start` and `end`; `up` points against gravity.
    ///
    /// A rope shorter than the gap becomes the straight line between the ends; ask
    /// [`stretch`](Self::stretch) by how much that is too long.
    pub fn between(start: DVec3, end: DVec3, length: f64, up: DVec3) -> Result<Self, CannotHang> {
        let mut hung = Self::straight(start, end, length, up)?;
        if length <= hung.gap * TAUT {
            return Ok(hung);
        }
        hung.length = length;
        let (h, v) = hung.spread();
        hung.shape = if h <= FOLD * length {
            Shape::Fold { drop: 0.5 * (length - v) }
        } else {
            // r² − 1 and r − 1 for r = √(L² − v²)/h, without ever subtracting 1.
            let e2 = (length - hung.gap) * (length + hung.gap) / (h * h);
            let e = e2 / (1.0 + (1.0 + e2).sqrt());
            hang(h, v, length, solve(e))
        };
        Ok(hung)
    }

    /// The rope of these ends whose parameter is `a` (0 is taut); its length follows.
    ///
    /// Length-true ropes search along `a`, which is smooth where length is not: at the taut end.
    pub(crate) fn with_parameter(&self, a: f64) -> Self {
        let mut hung = Self { shape: Shape::Taut, length: self.gap, ..self.clone() };
        let (h, v) = hung.spread();
        // Below this a the sag is under a billionth of the span: a straight line.
        if a > 1e-9 && h > 0.0 {
            let r = ops::sinh(a) / a;
            hung.length = ops::hypot(v, h * r);
            hung.shape = hang(h, v, hung.length, a);
        }
        hung
    }

    /// The parameter `a`: 0 for a taut rope, `None` for a fold.
    pub(crate) fn parameter(&self) -> Option<f64> {
        match self.shape {
            Shape::Taut => Some(0.0),
            Shape::Fold { .. } => None,
            Shape::Hang { scale, .. } => Some(self.spread().0 / (2.0 * scale)),
        }
    }

    /// The rope of these ends with another length.
    pub(crate) fn with_length(&self, length: f64) -> Self {
        Self::between(self.start, self.end, length, self.up).unwrap_or_else(|_| self.clone())
    }

    /// How much longer the rope gets per unit of the parameter, at `a`.
    pub(crate) fn length_per_parameter(&self, a: f64) -> f64 {
        let (h, v) = self.spread();
        let r = ops::sinh(a) / a;
        let slope = if a < 0.5 { a * slope_series(a * a) } else { ops::cosh(a) / (a * r) - 1.0 / a };
        h * h * r * r * slope / ops::hypot(v, h * r)
    }

    fn straight(start: DVec3, end: DVec3, length: f64, up: DVec3) -> Result<Self, CannotHang> {
        let bad = CannotHang::NotFinite { start, end, length, up };
        if !(start.is_finite() && end.is_finite() && length.is_finite()) {
            return Err(bad);
        }
        let up = up.try_normalize().ok_or(bad)?;
        if length < 0.0 {
            return Err(CannotHang::NegativeLength { length });
        }
        let chord = end - start;
        let across = chord - up * chord.dot(up);
        // Coincident or vertical ends have no direction of their own: the frame's convention picks one.
        let along = if across.length() > 0.0 { across } else { Frame::new(up, DVec3::X).normal() };
        let along = along.normalize_or(DVec3::X);
        let gap = chord.length();
        Ok(Self { start, end, along, up, asked: length, gap, length: gap, shape: Shape::Taut })
    }

    /// Horizontal distance and rise, in the rope's own plane.
    fn spread(&self) -> (f64, f64) {
        let chord = self.end - self.start;
        let v = chord.dot(self.up);
        ((chord - self.up * v).length(), v)
    }

    /// Distance between the ends, in metres.
    pub fn gap(&self) -> f64 {
        self.gap
    }

    /// 1 for a rope that reaches; for one that is too short, the gap over its length.
    pub fn stretch(&self) -> f64 {
        if self.asked < self.gap { self.gap / self.asked } else { 1.0 }
    }

    /// Horizontal tension over weight per length, in metres: the radius at the lowest point.
    /// Infinite for a taut rope, zero for a fold.
    pub fn scale(&self) -> f64 {
        match self.shape {
            Shape::Taut => f64::INFINITY,
            Shape::Fold { .. } => 0.0,
            Shape::Hang { scale, .. } => scale,
        }
    }

    /// The lowest point, against `up`.
    pub fn lowest(&self) -> DVec3 {
        let lower_end = if self.spread().1 >= 0.0 { 0.0 } else { self.length };
        let s = match self.shape {
            Shape::Taut => lower_end,
            Shape::Fold { drop } => drop,
            Shape::Hang { scale, s0, .. } => (-scale * s0).clamp(0.0, self.length),
        };
        self.at_length(s).0
    }

    /// `n` samples at equal steps of arc length, the ends exact.
    pub fn sample(&self, n: usize) -> Vec<DVec3> {
        let mut rail = Rail::default();
        self.fill(n, &mut rail);
        rail.points
    }

    /// Point and slope `S` (tangent of the angle above `along`) at arc length `s`.
    fn at_length(&self, s: f64) -> (DVec3, f64) {
        match self.shape {
            Shape::Taut => (self.start + (self.end - self.start) * (s / self.length.max(f64::MIN_POSITIVE)), 0.0),
            Shape::Fold { drop } => {
                // The sideways gap is below rounding of the length: shared out evenly.
                let (h, _) = self.spread();
                let across = self.along * (h * s / self.length);
                if s < drop {
                    (self.start - self.up * s + across, f64::NEG_INFINITY)
                } else {
                    (self.start + self.up * (s - 2.0 * drop) + across, if s == drop { 0.0 } else { f64::INFINITY })
                }
            }
            Shape::Hang { scale, s0, c0 } => {
                let (x, y, slope, _) = hung_at(scale, s0, c0, 1.0 / scale, s);
                (self.start + self.along * x + self.up * y, slope)
            }
        }
    }

    /// The carried frame where the slope is `S`: it never leaves the rope's plane.
    fn frame_at(&self, slope: f64) -> Frame {
        if matches!(self.shape, Shape::Taut) {
            return Frame::new(self.end - self.start, self.up);
        }
        if slope.is_infinite() {
            let sign = slope.signum();
            return Frame::from_orthonormal(self.up * sign, self.along * -sign);
        }
        let (cos, sin) = cos_sin(slope);
        Frame::from_orthonormal(
            self.along * cos + self.up * sin,
            self.up * cos - self.along * sin,
        )
    }
}

/// Cosine and sine of the angle whose tangent is `slope`.
fn cos_sin(slope: f64) -> (f64, f64) {
    let cos = 1.0 / (1.0 + slope * slope).sqrt();
    (cos, slope * cos)
}

/// `x`, `y`, slope and `C` at arc length `s`, free of cancellation everywhere.
#[inline]
fn hung_at(scale: f64, s0: f64, c0: f64, per_scale: f64, s: f64) -> (f64, f64, f64, f64) {
    let sg = s * per_scale;
    let slope = s0 + sg;
    let c = (1.0 + slope * slope).sqrt();
    let y = s * (slope + s0) / (c + c0);
    // asinh(S) − asinh(S₀) = asinh(S C₀ − S₀ C); where both have one sign that difference
    // cancels, and the second form is the same number without it.
    let same = slope * s0 > 0.0;
    let top = if same { sg * (slope + s0) } else { slope * c0 - s0 * c };
    let bottom = if same { slope * c0 + s0 * c } else { 1.0 };
    (scale * ops::asinh_fast(top / bottom), y, slope, c)
}

fn hang(h: f64, v: f64, length: f64, a: f64) -> Shape {
    let b = 0.5 * (ops::ln(length + v) - ops::ln(length - v)) - a;
    // One exponential for both, except near zero where sinh would cancel.
    let (s0, c0) = if b.abs() < 0.35 {
        let s0 = ops::sinh(b);
        (s0, (1.0 + s0 * s0).sqrt())
    } else {
        let e = ops::exp(b);
        (0.5 * (e - 1.0 / e), 0.5 * (e + 1.0 / e))
    };
    Shape::Hang { scale: h / (2.0 * a), s0, c0 }
}

/// The root `a > 0` of `sinh(a)/a = 1 + e`, to a few units in the last place, for `e` from 1e-13
/// to 1e300.
///
/// Halley on `F(a) = ln(sinh a / a) − ln(1 + e)`, which is gently curved over the whole range;
/// the start is within 4.4 %, so three steps suffice.
fn solve(e: f64) -> f64 {
    let mut a = if e < 3.0 {
        (6.0 * e / (1.0 + 0.3 * e)).sqrt()
    } else {
        let w = ops::ln(2.0 * (1.0 + e));
        let ln_w = ops::ln(w);
        w + ln_w + ln_w / w
    };
    let target = ops::ln_1p(e);
    for _ in 0..4 {
        let a2 = a * a;
        let (f, f1, f2) = if a < 0.5 {
            // Everything from series: no logarithm, no exponential.
            let f1 = a * slope_series(a2);
            let f2 = 1.0 / 3.0 + a2 * (-1.0 / 15.0 + a2 * (2.0 / 189.0 - a2 / 675.0));
            (ops::ln_1p(sinhc_minus_1(a2)) - target, f1, f2)
        } else {
            let decay = ops::exp(-2.0 * a);
            let inverse = 1.0 / (1.0 - decay);
            let value = if a < 1.0 {
                ops::ln_1p(sinhc_minus_1(a2))
            } else {
                a + ops::ln_1p(-decay) - ops::ln(2.0 * a)
            };
            // coth a = (1 + d)/(1 − d), 1/sinh² a = 4 d/(1 − d)².
            (value - target, (1.0 + decay) * inverse - 1.0 / a, 1.0 / a2 - 4.0 * decay * inverse * inverse)
        };
        let step = f / (f1 - 0.5 * f * f2 / f1);
        a -= step;
        // Halley triples the digits: once a step is this small the next would be below rounding.
        if step.abs() <= 4e-6 * a {
            break;
        }
    }
    a
}

/// `sinh(a)/a − 1` as a series in `a²`, for `a` up to 1.
fn sinhc_minus_1(a2: f64) -> f64 {
    const TERMS: [f64; 9] = [
        1.0 / 6.0,
        1.0 / 120.0,
        1.0 / 5040.0,
        1.0 / 362_880.0,
        1.0 / 39_916_800.0,
        1.0 / 6_227_020_800.0,
        1.0 / 1_307_674_368_000.0,
        1.0 / 355_687_428_096_000.0,
        1.0 / 121_645_100_408_832_000.0,
    ];
    a2 * TERMS.iter().rev().fold(0.0, |sum, c| sum * a2 + c)
}

/// `(coth a − 1/a)/a` as a series in `a²`, for `a` up to 0.5.
fn slope_series(a2: f64) -> f64 {
    const TERMS: [f64; 6] = [
        1.0 / 3.0,
        -1.0 / 45.0,
        2.0 / 945.0,
        -1.0 / 4725.0,
        2.0 / 93_555.0,
        -1382.0 / 638_512_875.0,
    ];
    TERMS.iter().rev().fold(0.0, |sum, c| sum * a2 + c)
}

impl Gross for Catenary {
    fn length(&self) -> f64 {
        self.length
    }

    fn at(&self, u: f64) -> (DVec3, Frame) {
        let (point, slope) = self.at_length(u * self.length);
        let point = if u == 1.0 { self.end } else { point };
        (point, self.frame_at(slope))
    }

    fn turning(&self, u: f64) -> DVec2 {
        match self.shape {
            Shape::Taut | Shape::Fold { .. } => DVec2::ZERO,
            Shape::Hang { scale, s0, .. } => {
                let slope = s0 + u * self.length / scale;
                DVec2::new(self.length / (scale * (1.0 + slope * slope)), 0.0)
            }
        }
    }

    fn fill(&self, n: usize, rail: &mut Rail) {
        let n = n.max(2);
        rail.points.clear();
        rail.frames.clear();
        match self.shape {
            Shape::Hang { scale, s0, c0 } => {
                let (per_scale, step) = (1.0 / scale, self.length / (n - 1) as f64);
                // Lanes of plain arrays: this is where five thousand ropes spend their time, and
                // the compiler keeps two or four lanes in a register.
                const LANES: usize = 8;
                let (mut x, mut y) = ([0.0; LANES], [0.0; LANES]);
                let (mut cos, mut sin) = ([0.0; LANES], [0.0; LANES]);
                for first in (0..n).step_by(LANES) {
                    for k in 0..LANES {
                        let (xk, yk, slope, c) =
                            hung_at(scale, s0, c0, per_scale, (first + k) as f64 * step);
                        let inverse = 1.0 / c;
                        (x[k], y[k], cos[k], sin[k]) = (xk, yk, inverse, slope * inverse);
                    }
                    for k in 0..LANES.min(n - first) {
                        rail.points.push(self.start + self.along * x[k] + self.up * y[k]);
                        rail.frames.push(Frame::from_orthonormal(
                            self.along * cos[k] + self.up * sin[k],
                            self.up * cos[k] - self.along * sin[k],
                        ));
                    }
                }
            }
            Shape::Taut | Shape::Fold { .. } => {
                for i in 0..n {
                    let (point, slope) = self.at_length(self.length * (i as f64 / (n - 1) as f64));
                    rail.points.push(point);
                    rail.frames.push(self.frame_at(slope));
                }
            }
        }
        rail.points[n - 1] = self.end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::{Polyline, Spline};
    use proptest::prelude::*;

    /// `a` by plain bisection of sinh(a)/a, nothing shared with the solver.
    fn bisected(r: f64) -> f64 {
        let (mut low, mut high) = (0.0_f64, 50.0_f64);
        for _ in 0..200 {
            let a = 0.5 * (low + high);
            if libm::sinh(a) / a > r { high = a } else { low = a }
        }
        0.5 * (low + high)
    }

    #[test]
    fn solve_vs_bisection() {
        for e in [0.01, 0.1, 0.5, 1.0, 2.9, 3.1, 10.0, 1e3, 1e6] {
            let (ours, reference) = (solve(e), bisected(1.0 + e));
            assert!((ours / reference - 1.0).abs() < 1e-13, "e {e}: {ours} for {reference}");
        }
    }

    #[test]
    fn solve_meets_its_own_equation_over_the_whole_range() {
        let mut e = 1e-13;
        while e < 1e300 {
            let a = solve(e);
            // Relative error in a is the residual of ln(sinh a/a) over a F'(a).
            let f = if a < 1.0 {
                libm::log1p(sinhc_minus_1(a * a))
            } else {
                a + libm::log1p(-libm::exp(-2.0 * a)) - libm::log(2.0 * a)
            };
            let slope = a * (if a < 0.5 { a * slope_series(a * a) } else { 1.0 / libm::tanh(a) - 1.0 / a });
            let error = (f - libm::log1p(e)).abs() / slope;
            assert!(error < 2e-15, "e {e:e}: relative error {error:e}");
            e *= 1.37;
        }
    }

    /// Lowest points computed with mpmath at 60 digits: `a` by `findroot(sinh(a)/a − √(L²−v²)/h)`,
    /// then `A (1 − cosh b)`.
    #[test]
    fn deep_and_tight_ropes_vs_high_precision() {
        for (h, v, length, lowest) in [
            (4.0, 0.0, 6.0, -2.010_533_046_593_260_7),
            (4.0, 1.5, 6.0, -1.243_093_747_977_129_1),
            (4.0, 0.0, 4.000_001, -0.001_224_744_978_556_760_1),
            (1.0, 0.0, 1000.0, -499.949_460_233_018_5),
        ] {
            let end = DVec3::new(h, 0.0, v);
            let hung = Catenary::between(DVec3::ZERO, end, length, DVec3::Z).unwrap();
            let z = hung.lowest().z;
            assert!((z / lowest - 1.0).abs() < 1e-9, "L {length}: {z} for {lowest}");
        }
    }

    #[test]
    fn level_ends_are_not_special() {
        for k in 1..1000 {
            let length = 1.0 + f64::from(k) * 0.013;
            let hung = Catenary::between(DVec3::ZERO, DVec3::X, length, DVec3::Z).unwrap();
            let middle = hung.at(0.5).0;
            assert!((middle.x - 0.5).abs() < 1e-14, "{middle}");
            assert!(middle.z < 0.0 && hung.lowest().distance(middle) < 1e-13 * length);
        }
    }

    #[test]
    fn a_taut_rope_is_a_straight_line() {
        let (a, b) = (DVec3::new(0.3, 0.1, 2.0), DVec3::new(-1.0, 2.0, 0.7));
        for length in [a.distance(b), 0.5 * a.distance(b), 0.0] {
            let hung = Catenary::between(a, b, length, DVec3::Z).unwrap();
            let line = Polyline::line(a, b, 9);
            for (p, q) in hung.sample(9).iter().zip(line.points()) {
                assert!(p.distance(*q) < 1e-15);
            }
            assert_eq!(hung.length(), a.distance(b));
        }
        let short = Catenary::between(a, b, 0.5 * a.distance(b), DVec3::Z).unwrap();
        assert!((short.stretch() - 2.0).abs() < 1e-15);
    }

    #[test]
    fn coincident_and_vertical_ends_fold() {
        let a = DVec3::new(1.0, 2.0, 3.0);
        for rise in [0.0, 1.0, -1.0] {
            let b = a + DVec3::Z * rise;
            let hung = Catenary::between(a, b, 5.0, DVec3::Z).unwrap();
            let lowest = hung.lowest();
            assert!((lowest.z - (3.0 - 0.5 * (5.0 - rise))).abs() < 1e-14);
            let points = hung.sample(101);
            assert_eq!((points[0], points[100]), (a, b));
            let chords: f64 = points.windows(2).map(|w| w[0].distance(w[1])).sum();
            // Only the step over the fold is shorter than the rope.
            assert!(chords <= 5.0 + 1e-12 && chords > 5.0 - 0.05 - 1e-12);
        }
    }

    #[test]
    fn bad_numbers_are_refused_with_the_numbers() {
        let bad = Catenary::between(DVec3::ZERO, DVec3::X, f64::NAN, DVec3::Z);
        assert!(matches!(bad, Err(CannotHang::NotFinite { .. })));
        let bad = Catenary::between(DVec3::ZERO, DVec3::X, 2.0, DVec3::ZERO);
        assert!(matches!(bad, Err(CannotHang::NotFinite { .. })));
        let bad = Catenary::between(DVec3::ZERO, DVec3::X, -2.0, DVec3::Z).unwrap_err();
        assert!(bad.to_string().contains("-2 m"));
    }

    #[test]
    fn swing_and_sway_lean_as_published() {
        let world = (DVec3::X, DVec3::Y);
        let hang = |swing: f64, sway: f64| {
            let up = leaned_up(swing, sway, world);
            Catenary::between(DVec3::ZERO, DVec3::X * 4.0, 6.0, up).unwrap().sample(49)[24]
        };
        assert!(hang(0.5, 0.0).y > 0.5, "positive swing moves the sag towards +Y");
        assert!((hang(0.0, 0.3).x - 2.0).abs() > 0.1, "sway slides it along X");
        let (x, y) = chord_axes(DVec3::ZERO, DVec3::Y);
        assert_eq!((x, y), (DVec3::Y, DVec3::NEG_X));
    }

    #[test]
    fn parameter_round_trip() {
        let hung = Catenary::between(DVec3::ZERO, DVec3::new(3.0, 1.0, -1.0), 5.0, DVec3::Z).unwrap();
        let again = hung.with_parameter(hung.parameter().unwrap());
        assert!((again.length() - 5.0).abs() < 1e-13);
    }

    proptest! {
        #[test]
        fn ends_meet_exactly(
            end in prop::array::uniform3(-5.0..5.0_f64),
            slack in -12.0..6.0_f64,
            swing in -3.0..3.0_f64, sway in -3.0..3.0_f64,
        ) {
            let end = DVec3::from_array(end);
            let length = end.length() * (1.0 + ops::pow(10.0, slack));
            let up = leaned_up(swing, sway, (DVec3::X, DVec3::Y));
            let hung = Catenary::between(DVec3::ZERO, end, length, up).unwrap();
            let points = hung.sample(33);
            prop_assert_eq!(points[0], DVec3::ZERO);
            prop_assert_eq!(points[32], end);
            // The formula itself comes out there, before the last sample is set.
            let miss = hung.at_length(hung.length()).0.distance(end) / length;
            let (h, v) = hung.spread();
            let bar = if h < 1e-3 * v.abs() { 1e-9 } else { 2e-13 };
            prop_assert!(miss < bar, "miss {:e} of the length, L/D - 1 = 1e{}", miss, slack);
            prop_assert!(points.iter().all(|p| p.is_finite()));
        }

        #[test]
        fn length_is_what_was_asked(
            end in prop::array::uniform3(-5.0..5.0_f64), slack in -3.0..0.5_f64,
        ) {
            let end = DVec3::from_array(end);
            prop_assume!(ops::hypot(end.x, end.y) > 0.3);
            let length = end.length() * (1.0 + ops::pow(10.0, slack));
            let hung = Catenary::between(DVec3::ZERO, end, length, DVec3::Z).unwrap();
            // Measured by the spline through many samples: another method altogether.
            let measured = Spline::through(&Polyline::new(hung.sample(1025)).unwrap()).length();
            prop_assert!((measured / length - 1.0).abs() < 1e-7);
        }

        #[test]
        fn frames_follow_the_curve(end in prop::array::uniform3(-5.0..5.0_f64), slack in 0.01..1.0_f64) {
            let end = DVec3::from_array(end);
            prop_assume!(ops::hypot(end.x, end.y) > 0.3);
            let hung = Catenary::between(DVec3::ZERO, end, end.length() * (1.0 + slack), DVec3::Z).unwrap();
            let mut rail = Rail::default();
            hung.fill(4001, &mut rail);
            let (mut t, mut carried) = (Vec::new(), Vec::new());
            crate::curve::tangents(&rail.points, false, &mut t);
            crate::curve::frames(&rail.points, &t, DVec3::Z, crate::curve::Framing::RotationMinimising, &mut carried);
            for (exact, sampled) in rail.frames.iter().zip(&carried) {
                prop_assert!(exact.tangent().distance(sampled.tangent()) < 1e-3);
                prop_assert!(exact.normal().distance(sampled.normal()) < 1e-3);
            }
        }
    }
}
