//! The catenary: a rope at rest between two points.
//!
//! Barzel 1997, appendix A.2. In the plane of the two ends and `up`, with horizontal distance
//! `h`, rise `v` and rope length `L`, the parameter `a` is the root of
//! `sinh(a)/a = √(L² − v²)/h`; the rope is `A = h/2a` times a hyperbolic cosine whose slope at
//! the start is `sinh b`, and by arc length `s`, with `S = sinh b + s/A` and `C = √(1 + S²)`,
//! `y(s) = s (S + S₀)/(C + C₀)` and `x(s) = A (asinh S − asinh S₀)`.
//!
//! # Differences from the paper
//!
//! * The paper computes `b` by an inverse hyperbolic cosine whose argument is exactly 1 for level
//!   ends, where a rounding error gives NaN. We use the equivalent, smooth
//!   `b = artanh(v/L) − a`, which also needs no "lower end first". Only
//!   `e^b = ((L + |v|)/√(L² − v²))^±1 e^−a` is computed, whose factors are known from the equation
//!   for `a`: no logarithm, no exponential, and no cancellation in `L − |v|` for steep ropes. The far
//!   end is met to 6e-15 of the length over a million-fold range.
//! * Its branch for `N > M` cannot be reached: `α > 0` makes `M` the larger.
//! * `a` is accurate to the last digits (`solve`), so the linear correction `s·e`, which shears the
//!   curve, is not needed.
//! * The frame of a rope that turns within less than a hundredth of its shorter leg turns over that
//!   length, so that the displacement of a vertical fold does not jump (`FRAME_TURN`).
//! * Samples are exact in arc length; nothing is resampled.
//!
//! Tests: `ends_meet_exactly`, `length_is_as_requested`, `level_ends_are_not_special`,
//! `deep_and_tight_ropes_vs_high_precision`, `a_taut_rope_is_a_straight_line`,
//! `coincident_and_vertical_ends_fold`.

mod solve;

use glam::{DVec2, DVec3};
use thiserror::Error;

use self::solve::{sinhc, solve};
use super::{Frame, FramedPoints, GrossShape};
use crate::num::ops;

/// Parameters for which there is no catenary.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum CatenaryError {
    /// A number is NaN or infinite.
    #[error(
        "a rope cannot hang from {start} to {end} with length {length} and up {up}: a number is not finite, or up is zero"
    )]
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
    /// The requested length; the curve itself is never shorter than the gap.
    requested: f64,
    /// Distance between the ends, and its components along `along` and along `up`.
    gap: f64,
    span: f64,
    rise: f64,
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

/// Ratio of length to gap up to which a rope is a straight line: the difference is rounding.
const TAUT: f64 = 1.0 + 4e-16;
/// Horizontal gap, as a fraction of the length, below which a rope is a fold; the error is below `h`.
const FOLD: f64 = 1e-12;

/// Smallest length over which a frame turns by 45 degrees at the lowest point, as a fraction of the
/// shorter leg. Larger: deep ropes that samples can still follow deviate from the paper's shape.
/// Smaller: the loop of a displaced fold falls between the samples.
const FRAME_TURN: f64 = 0.01;

/// The up direction after swing and sway in radians, as in figure 7: `Rx(swing) · Ry(sway) · Z`.
///
/// `x` and `y` are the horizontal axes of the rotations: the world's as published, or
/// [`chord_axes`].
pub fn tilted_up(swing: f64, sway: f64, (x, y): (DVec3, DVec3)) -> DVec3 {
    let ((sin_swing, cos_swing), (sin_sway, cos_sway)) = (ops::sin_cos(swing), ops::sin_cos(sway));
    x * sin_sway - y * (sin_swing * cos_sway) + DVec3::Z * (cos_swing * cos_sway)
}

/// X along the horizontal component of the chord and Y to its left; the world's axes for a vertical
/// chord.
pub fn chord_axes(start: DVec3, end: DVec3) -> (DVec3, DVec3) {
    let chord = end - start;
    let x = DVec3::new(chord.x, chord.y, 0.0).try_normalize().unwrap_or(DVec3::X);
    (x, DVec3::new(-x.y, x.x, 0.0))
}

impl Catenary {
    /// Hangs `length` metres of rope between `start` and `end`; `up` points against gravity.
    ///
    /// A rope shorter than the gap becomes the straight line between the ends;
    /// [`stretch`](Self::stretch) returns the ratio.
    #[inline]
    pub fn between(
        start: DVec3,
        end: DVec3,
        length: f64,
        up: DVec3,
    ) -> Result<Self, CatenaryError> {
        let chord = end - start;
        let up_squared = up.length_squared();
        // One test for all of them: a non-finite number makes the sum non-finite.
        let finite = (start.dot(end) + chord.length_squared() + length).is_finite();
        if !(finite && up_squared > 0.0 && up_squared.is_finite() && length >= 0.0) {
            return Err(invalid(start, end, length, up));
        }
        let up = up / up_squared.sqrt();
        let rise = chord.dot(up);
        let across = chord - up * rise;
        let (span, gap) = (across.length(), chord.length());
        // Coincident or vertical ends do not determine a plane: use the convention of frames.
        let along = if span > 0.0 { across / span } else { Frame::new(up, DVec3::X).normal() };
        let (hung, shape) = if length <= gap * TAUT {
            (gap, Shape::Taut)
        } else if span <= FOLD * length {
            (length, Shape::Fold { drop: 0.5 * (length - rise) })
        } else {
            // r² − 1 and r − 1 for r = √(L² − v²)/h, without ever subtracting 1.
            let e2 = (length - gap) * (length + gap) / (span * span);
            let e = e2 / (1.0 + (1.0 + e2).sqrt());
            (length, hang((span, rise), length, 1.0 + e, solve(e)))
        };
        Ok(Self { start, end, along, up, requested: length, gap, span, rise, length: hung, shape })
    }

    /// The rope between the same ends with parameter `a` (0 is taut); its length follows.
    ///
    /// Ropes that keep their length are fitted by `a`, of which the length is a smooth function even
    /// at the taut end.
    pub(crate) fn with_parameter(&self, a: f64) -> Self {
        let mut hung = Self { shape: Shape::Taut, length: self.gap, ..self.clone() };
        // Below this a the sag is under a billionth of the span: a straight line.
        if a > 1e-9 && self.span > 0.0 {
            let r = sinhc(a);
            hung.length = ops::hypot(self.rise, self.span * r);
            hung.shape = hang((self.span, self.rise), hung.length, r, a);
        }
        hung
    }

    /// The parameter `a`: 0 for a taut rope, `None` for a fold.
    pub(crate) fn parameter(&self) -> Option<f64> {
        match self.shape {
            Shape::Taut => Some(0.0),
            Shape::Fold { .. } => None,
            Shape::Hang { scale, .. } => Some(self.span / (2.0 * scale)),
        }
    }

    /// The rope between the same ends with another length.
    pub(crate) fn with_length(&self, length: f64) -> Self {
        Self::between(self.start, self.end, length, self.up).unwrap_or_else(|_| self.clone())
    }

    /// Distance between the ends, in metres.
    pub fn gap(&self) -> f64 {
        self.gap
    }

    /// The gap over the requested length if the rope is too short, otherwise 1.
    pub fn stretch(&self) -> f64 {
        if self.requested < self.gap { self.gap / self.requested } else { 1.0 }
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

    /// Vertical tension over weight per length at the start, in metres: negative where the rope
    /// descends from there. Zero for a taut rope, where it is unknown.
    pub fn vertical_at_start(&self) -> f64 {
        match self.shape {
            Shape::Taut => 0.0,
            Shape::Fold { drop } => -drop,
            Shape::Hang { scale, s0, .. } => scale * s0,
        }
    }

    /// Arc length of the lowest point and the length over which the frame turns there, both in metres,
    /// for a rope that turns within less; `None` if the frame turns with the curve.
    ///
    /// A frame that turned with a fold would flip at a point, and a displacement would jump from one
    /// leg to the other. Instead the frame turns as that of a catenary of this scale, so that a
    /// displaced fold is a smooth loop, the limit of ropes whose ends approach one another. The length
    /// is a fraction of the shorter leg: it vanishes with the leg, as the fold becomes a straight line.
    fn frame_turn(&self) -> Option<(f64, f64)> {
        let (lowest, scale) = match self.shape {
            Shape::Taut => return None,
            Shape::Fold { drop } => (drop, 0.0),
            Shape::Hang { scale, s0, .. } => (-scale * s0, scale),
        };
        let turn = FRAME_TURN * lowest.min(self.length - lowest);
        (scale < turn).then_some((lowest, turn))
    }

    /// Returns true if the frame turns more slowly than the curve at the lowest point.
    pub(crate) fn is_sharp(&self) -> bool {
        self.frame_turn().is_some()
    }

    /// Position of the sharpest turn and the length of that turn, both as fractions of the length.
    pub(crate) fn sharpest(&self) -> (f64, f64) {
        match self.shape {
            Shape::Taut => (0.5, 1.0),
            Shape::Fold { drop } => {
                let turn = self.frame_turn().map_or(self.length, |(_, turn)| turn);
                (drop / self.length, turn / self.length)
            }
            Shape::Hang { scale, s0, .. } => (-scale * s0 / self.length, scale / self.length),
        }
    }

    /// The lowest point along `up`.
    pub fn lowest(&self) -> DVec3 {
        let lower_end = if self.rise >= 0.0 { 0.0 } else { self.length };
        let s = match self.shape {
            Shape::Taut => lower_end,
            Shape::Fold { drop } => drop,
            Shape::Hang { scale, s0, .. } => (-scale * s0).clamp(0.0, self.length),
        };
        self.at_length(s).0
    }

    /// `n` samples at equal steps of arc length, the ends exact.
    pub fn sample(&self, n: usize) -> Vec<DVec3> {
        let mut out = FramedPoints::default();
        self.fill(n, &mut out);
        out.points
    }

    /// Calls `each` with the samples of a hanging rope in its plane, a block at a time.
    ///
    /// The hot loop for scenes with thousands of ropes: plain arrays that the compiler vectorises.
    /// Divisions dominate, so ropes with enough sag skip the forms that avoid cancellation in
    /// nearly taut ones.
    #[inline]
    fn in_plane(&self, n: usize, mut each: impl FnMut(usize, &InPlane)) {
        let Shape::Hang { scale, s0, c0 } = self.shape else { return };
        let (per_scale, step) = (1.0 / scale, self.length / (n - 1) as f64);
        let s1 = s0 + self.length * per_scale;
        // y = A (C − C₀) has a rounding error of A C: negligible unless A is large.
        let saggy = scale * (1.0 + s0.abs().max(s1.abs())) <= 4.0 * self.length;
        let (c0_root, theta0) = angle(s0);
        let mut block = InPlane::default();
        for first in (0..n).step_by(LANES) {
            for k in 0..LANES {
                let s = f64::from((first + k) as i32) * step;
                let (x, y, slope, c) = if saggy {
                    let slope = s0 + s * per_scale;
                    let (c, theta) = angle(slope);
                    (scale * (theta - theta0), scale * (c - c0_root), slope, c)
                } else {
                    hung_at(scale, s0, c0, per_scale, s)
                };
                let cos = 1.0 / c;
                (block.x[k], block.y[k], block.cos[k], block.sin[k]) = (x, y, cos, slope * cos);
            }
            each(first, &block);
        }
    }

    /// The samples of the rope displaced by `share` of (`x` along the normal, `y` along the
    /// binormal); equal to [`fill`](GrossShape::fill) and a displacement, without storing frames.
    pub(crate) fn sample_displaced(&self, x: &[f64], y: &[f64], share: f64, out: &mut Vec<DVec3>) {
        let n = x.len();
        out.clear();
        if !matches!(self.shape, Shape::Hang { .. }) || self.is_sharp() {
            let last = (n - 1) as f64;
            for i in 0..n {
                let (point, frame) = self.at(i as f64 / last);
                out.push(
                    point + frame.normal() * (share * x[i]) + frame.binormal() * (share * y[i]),
                );
            }
            return;
        }
        out.resize(n, DVec3::ZERO);
        // The binormal is constant: the rope hangs in a plane.
        let (start, along, up, binormal) =
            (self.start, self.along, self.up, self.along.cross(self.up));
        self.in_plane(n, |first, at| {
            let (mut ox, mut oy) = ([0.0; LANES], [0.0; LANES]);
            let count = LANES.min(n - first);
            ox[..count].copy_from_slice(&x[first..first + count]);
            oy[..count].copy_from_slice(&y[first..first + count]);
            let mut world = [[0.0; LANES]; 3];
            for k in 0..LANES {
                let (a, b, c) = (
                    at.x[k] - at.sin[k] * (share * ox[k]),
                    at.y[k] + at.cos[k] * (share * ox[k]),
                    share * oy[k],
                );
                world[0][k] = start.x + along.x * a + up.x * b + binormal.x * c;
                world[1][k] = start.y + along.y * a + up.y * b + binormal.y * c;
                world[2][k] = start.z + along.z * a + up.z * b + binormal.z * c;
            }
            for (k, point) in out[first..first + count].iter_mut().enumerate() {
                *point = DVec3::new(world[0][k], world[1][k], world[2][k]);
            }
        });
        // The formula has a rounding error at the end; the sample is exact.
        let (ox, oy) = (share * x[n - 1], share * y[n - 1]);
        let frame = self.at(1.0).1;
        out[n - 1] = self.end + frame.normal() * ox + frame.binormal() * oy;
    }

    /// Length of the rope displaced by `share` of (`x`, `y`), given at the nodes `u` of a quadrature
    /// with the weights `w`; `d2` is the squared slope of the displacement.
    pub(crate) fn displaced_length(
        &self,
        u: &[f64],
        w: &[f64],
        x: &[f64],
        d2: &[f64],
        share: f64,
    ) -> f64 {
        const LANES: usize = 4;
        let n = u.len();
        let (x, d2, w) = (&x[..n], &d2[..n], &w[..n]);
        let length = self.length;
        let (per_scale, s0) = match self.shape {
            Shape::Hang { scale, s0, .. } => (length / scale, s0),
            // No curvature.
            Shape::Taut | Shape::Fold { .. } => (0.0, 0.0),
        };
        let (bend, squared) = (share * per_scale, share * share);
        let term = |i: usize| {
            let slope = s0 + u[i] * per_scale;
            let forward = length - x[i] * (bend / (1.0 + slope * slope));
            w[i] * (forward * forward + squared * d2[i]).sqrt()
        };
        // Four partial sums: the order of addition is fixed here, not by the compiler.
        let mut sums = [0.0; LANES];
        let whole = n - n % LANES;
        let mut i = 0;
        while i < whole {
            for (k, sum) in sums.iter_mut().enumerate() {
                *sum += term(i + k);
            }
            i += LANES;
        }
        let rest: f64 = (whole..n).map(term).sum();
        (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
    }

    /// Point and slope `S` (tangent of the angle above `along`) at arc length `s`.
    fn at_length(&self, s: f64) -> (DVec3, f64) {
        match self.shape {
            Shape::Taut => (
                self.start + (self.end - self.start) * (s / self.length.max(f64::MIN_POSITIVE)),
                0.0,
            ),
            Shape::Fold { drop } => {
                // The horizontal gap is below rounding of the length: distributed evenly.
                let across = self.along * (self.span * s / self.length);
                if s < drop {
                    (self.start - self.up * s + across, f64::NEG_INFINITY)
                } else {
                    (
                        self.start + self.up * (s - 2.0 * drop) + across,
                        if s == drop { 0.0 } else { f64::INFINITY },
                    )
                }
            }
            Shape::Hang { scale, s0, c0 } => {
                let (x, y, slope, _) = hung_at(scale, s0, c0, 1.0 / scale, s);
                (self.start + self.along * x + self.up * y, slope)
            }
        }
    }

    /// The carried frame at arc length `s`, where the slope is `S`; it stays in the rope's plane.
    fn frame_at(&self, s: f64, slope: f64) -> Frame {
        if matches!(self.shape, Shape::Taut) {
            if self.gap == 0.0 {
                return Frame::new(self.end - self.start, self.up);
            }
            // In the plane of a sagging rope, also where the chord is vertical.
            let (cos, sin) = (self.span / self.gap, self.rise / self.gap);
            return Frame::from_orthonormal(
                (self.end - self.start) / self.gap,
                self.up * cos - self.along * sin,
            );
        }
        let slope = match self.frame_turn() {
            Some((lowest, turn)) => (s - lowest) / turn,
            None => slope,
        };
        if slope.is_infinite() {
            let sign = slope.signum();
            return Frame::from_orthonormal(self.up * sign, self.along * -sign);
        }
        let (cos, sin) = cos_sin(slope);
        Frame::from_orthonormal(self.along * cos + self.up * sin, self.up * cos - self.along * sin)
    }
}

/// The error for parameters without a catenary.
#[cold]
fn invalid(start: DVec3, end: DVec3, length: f64, up: DVec3) -> CatenaryError {
    if length < 0.0 {
        CatenaryError::NegativeLength { length }
    } else {
        CatenaryError::NotFinite { start, end, length, up }
    }
}

/// A block of samples in the rope's plane: position, and cosine and sine of the slope angle.
#[derive(Default)]
struct InPlane {
    x: [f64; LANES],
    y: [f64; LANES],
    cos: [f64; LANES],
    sin: [f64; LANES],
}

/// Samples per block.
const LANES: usize = 8;

/// `√(1 + S²)` and `asinh S`, the latter to a rounding error of the larger of itself and 1.
#[inline]
fn angle(slope: f64) -> (f64, f64) {
    let c = (1.0 + slope * slope).sqrt();
    (c, ops::ln_fast(slope.abs() + c).copysign(slope))
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
    // asinh(S) − asinh(S₀) = asinh(S C₀ − S₀ C). If both have the same sign that difference
    // cancels; the other form is the same number without cancellation.
    let same = slope * s0 > 0.0;
    let top = if same { sg * (slope + s0) } else { slope * c0 - s0 * c };
    let bottom = if same { slope * c0 + s0 * c } else { 1.0 };
    (scale * ops::asinh_fast(top / bottom), y, slope, c)
}

/// The shape with parameter `a`, where `r = sinh(a)/a` is `√(L² − v²)/h`.
#[inline]
fn hang((h, v): (f64, f64), length: f64, r: f64, a: f64) -> Shape {
    let scale = h / (2.0 * a);
    let sinh = a * r;
    let cosh = (1.0 + sinh * sinh).sqrt();
    if v == 0.0 {
        // Level ends: b = −a, and a nearly taut rope keeps every digit of its sag.
        return Shape::Hang { scale, s0: -sinh, c0: cosh };
    }
    // e^±b, from which sinh b and cosh b follow; L − |v| would cancel for a steep rope.
    let (exp, lean) = (sinh + cosh, (length + v.abs()) / (h * r));
    let e = if v > 0.0 { exp / lean } else { exp * lean };
    let inverse = 1.0 / e;
    Shape::Hang { scale, s0: 0.5 * (inverse - e), c0: 0.5 * (inverse + e) }
}

impl GrossShape for Catenary {
    fn length(&self) -> f64 {
        self.length
    }

    fn at(&self, u: f64) -> (DVec3, Frame) {
        let s = u * self.length;
        let (point, slope) = self.at_length(s);
        let point = if u == 1.0 { self.end } else { point };
        (point, self.frame_at(s, slope))
    }

    fn turning(&self, u: f64) -> DVec2 {
        if let Some((lowest, turn)) = self.frame_turn() {
            let slope = (u * self.length - lowest) / turn;
            return DVec2::new(self.length / (turn * (1.0 + slope * slope)), 0.0);
        }
        match self.shape {
            Shape::Taut | Shape::Fold { .. } => DVec2::ZERO,
            Shape::Hang { scale, s0, .. } => {
                let slope = s0 + u * self.length / scale;
                DVec2::new(self.length / (scale * (1.0 + slope * slope)), 0.0)
            }
        }
    }

    fn tangent_in_frame(&self, u: f64) -> DVec2 {
        let Some((lowest, turn)) = self.frame_turn() else { return DVec2::X };
        let s = u * self.length;
        let (cos, sin) = match self.shape {
            Shape::Hang { scale, s0, .. } => cos_sin(s0 + s / scale),
            Shape::Taut | Shape::Fold { .. } => (0.0, if s < lowest { -1.0 } else { 1.0 }),
        };
        let (frame_cos, frame_sin) = cos_sin((s - lowest) / turn);
        DVec2::new(cos * frame_cos + sin * frame_sin, sin * frame_cos - cos * frame_sin)
    }

    fn fill(&self, n: usize, out: &mut FramedPoints) {
        let n = n.max(2);
        out.points.clear();
        out.frames.clear();
        match self.shape {
            Shape::Hang { .. } if !self.is_sharp() => {
                out.points.reserve(n);
                out.frames.reserve(n);
                self.in_plane(n, |first, at| {
                    for k in 0..LANES.min(n - first) {
                        let (cos, sin) = (at.cos[k], at.sin[k]);
                        out.points.push(self.start + self.along * at.x[k] + self.up * at.y[k]);
                        out.frames.push(Frame::from_orthonormal(
                            self.along * cos + self.up * sin,
                            self.up * cos - self.along * sin,
                        ));
                    }
                });
            }
            Shape::Hang { .. } | Shape::Taut | Shape::Fold { .. } => {
                for i in 0..n {
                    let s = self.length * (i as f64 / (n - 1) as f64);
                    let (point, slope) = self.at_length(s);
                    out.points.push(point);
                    out.frames.push(self.frame_at(s, slope));
                }
            }
        }
        out.points[n - 1] = self.end;
    }
}

#[cfg(test)]
mod tests;
