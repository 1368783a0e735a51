//! A sampled curve.
//!
//! Barzel 1997, appendix A.1. Sample `i` of `n` has the parameter `u = i / (n − 1)`. A closed
//! curve repeats its first sample as its last, so that `u` means the same for both kinds and
//! `hoop[1]` of figure 16 is the last sample. Arc length, resampling and closest points are those
//! of its [`Spline`](super::Spline).
//!
//! Tests: `a_line_hits_both_ends`, `joining_drops_duplicate_samples`.

use glam::DVec3;
use thiserror::Error;

/// Error for a curve of fewer than two samples; contains their number.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("a curve needs at least 2 samples, but got {0}")]
pub struct PolylineError(pub usize);

/// A sampled curve of at least two points, open or closed.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyline {
    points: Vec<DVec3>,
    closed: bool,
}

impl Polyline {
    /// A curve through `points`.
    pub fn new(points: Vec<DVec3>) -> Result<Self, PolylineError> {
        if points.len() < 2 {
            Err(PolylineError(points.len()))
        } else {
            Ok(Self { points, closed: false })
        }
    }

    /// A ring through `points`. The first is appended unless the last repeats it already.
    pub fn ring(mut points: Vec<DVec3>) -> Result<Self, PolylineError> {
        if points.len() < 2 {
            return Err(PolylineError(points.len()));
        }
        if points[0] != points[points.len() - 1] {
            points.push(points[0]);
        }
        Ok(Self { points, closed: true })
    }

    /// The straight line from `a` to `b` with `n` samples at equal steps (at least two).
    pub fn line(a: DVec3, b: DVec3, n: usize) -> Self {
        let n = n.max(2);
        let mut points: Vec<_> =
            (0..n).map(|i| a + (b - a) * (i as f64 / (n - 1) as f64)).collect();
        points[n - 1] = b;
        Self { points, closed: false }
    }

    /// The samples.
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// Consumes the curve and returns its samples.
    pub fn into_points(self) -> Vec<DVec3> {
        self.points
    }

    /// Returns true if the curve is closed, its last sample repeating its first.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The first sample.
    pub fn start(&self) -> DVec3 {
        self.points[0]
    }

    /// The last sample: `curve[1]` in the paper.
    pub fn end(&self) -> DVec3 {
        self.points[self.points.len() - 1]
    }

    /// The curve with every sample moved by `change(u, point)`.
    #[must_use]
    pub fn map(mut self, mut change: impl FnMut(f64, DVec3) -> DVec3) -> Self {
        let last = (self.points.len() - 1) as f64;
        for (i, p) in self.points.iter_mut().enumerate() {
            *p = change(i as f64 / last, *p);
        }
        self
    }

    /// `concat` of the paper: the parts end to end as one open curve. If a part starts exactly where
    /// the one before ends, the shared point is kept once.
    pub fn join<'a>(parts: impl IntoIterator<Item = &'a Self>) -> Result<Self, PolylineError> {
        let mut points: Vec<DVec3> = Vec::new();
        for part in parts {
            let duplicate = points.last().is_some_and(|end| *end == part.start());
            points.extend_from_slice(&part.points[usize::from(duplicate)..]);
        }
        Self::new(points)
    }

    /// The sum of the chords: shorter than the curve; see [`Spline::length`](super::Spline::length).
    pub fn chord_length(&self) -> f64 {
        self.points.windows(2).map(|w| w[0].distance(w[1])).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_hits_both_ends() {
        let (a, b) = (DVec3::new(0.1, 0.2, 0.3), DVec3::new(1.7, -0.4, 0.9));
        for n in 2..50 {
            let line = Polyline::line(a, b, n);
            assert_eq!((line.start(), line.end(), line.points().len()), (a, b, n));
        }
    }

    #[test]
    fn joining_drops_duplicate_samples() {
        let a = Polyline::line(DVec3::ZERO, DVec3::X, 3);
        let b = Polyline::line(DVec3::X, DVec3::X + DVec3::Z, 4);
        let c = Polyline::line(DVec3::Y, DVec3::NEG_Y, 2);
        let joined = Polyline::join([&a, &b, &c]).unwrap();
        assert_eq!(joined.points().len(), 3 + 3 + 2);
        assert_eq!(joined.end(), DVec3::NEG_Y);
        assert_eq!(Polyline::join([]), Err(PolylineError(0)));
    }

    #[test]
    fn a_ring_repeats_its_first_sample() {
        let ring = Polyline::ring(vec![DVec3::X, DVec3::Y, DVec3::NEG_X]).unwrap();
        assert_eq!(ring.points().len(), 4);
        assert_eq!(ring.start(), ring.end());
    }
}
