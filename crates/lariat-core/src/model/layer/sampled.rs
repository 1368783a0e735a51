//! A displacement given by samples: a field of amplitude and phase at one moment.
//!
//! Samples are at equal steps along the rope, the ends included, interpolated by Catmull-Rom
//! cubics: the measurement of lengths needs a continuous first derivative.
//!
//! Tests: `passes_through_its_values`, `slopes_vs_differences`, `without_values_nothing_moves`.

use super::{Envelope, Offset};
use crate::num::ops;

/// Displacements given at equal steps.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledDisplacement {
    /// Metres at equal steps from start to end.
    pub values: Vec<f64>,
    /// Direction around the rope in radians: 0 along the normal.
    pub azimuth: f64,
    /// Weight along the rope.
    pub envelope: Envelope,
}

impl SampledDisplacement {
    /// The displacement at `u`.
    pub fn at(&self, u: f64) -> Offset {
        let (weight, slope) = self.envelope.at(u);
        let (value, rise) = self.curve(u);
        let (push, change) = (weight * value, slope * value + weight * rise);
        let (sin, cos) = ops::sin_cos(self.azimuth);
        Offset { x: push * cos, y: push * sin, dx: change * cos, dy: change * sin }
    }

    /// The value at `u` and its derivative with respect to `u`.
    fn curve(&self, u: f64) -> (f64, f64) {
        let Some(last) = self.values.len().checked_sub(1) else { return (0.0, 0.0) };
        if last == 0 {
            return (self.values[0], 0.0);
        }
        let place = u.clamp(0.0, 1.0) * last as f64;
        let i = (place as usize).min(last - 1);
        let s = place - i as f64;
        let value = |i: usize| self.values[i];
        let slope = |i: usize| match i {
            0 => value(1) - value(0),
            i if i == last => value(last) - value(last - 1),
            i => 0.5 * (value(i + 1) - value(i - 1)),
        };
        let (a, b, m, n) = (value(i), value(i + 1), slope(i), slope(i + 1));
        let (c2, c3) = (3.0 * (b - a) - 2.0 * m - n, 2.0 * (a - b) + m + n);
        let curve = a + s * (m + s * (c2 + s * c3));
        (curve, (m + s * (2.0 * c2 + 3.0 * s * c3)) * last as f64)
    }

    /// Largest displacement, in metres.
    pub(super) fn magnitude(&self) -> f64 {
        self.values.iter().fold(0.0, |most, v| v.abs().max(most))
    }

    /// Number of local extrema of the samples.
    pub(super) fn extrema(&self) -> f64 {
        let rises = |w: &[f64]| w[1] > w[0];
        let extrema = self.values.windows(3).filter(|w| rises(&w[..2]) != rises(&w[1..])).count();
        extrema as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(n: usize) -> SampledDisplacement {
        let values = (0..n).map(|i| ops::sin(0.7 * i as f64) * 0.1).collect();
        SampledDisplacement { values, azimuth: 0.4, envelope: Envelope::BOTH_ENDS }
    }

    #[test]
    fn passes_through_its_values() {
        let mut sampled = sampled(9);
        (sampled.azimuth, sampled.envelope) = (0.0, Envelope::Flat);
        for (i, value) in sampled.values.iter().enumerate() {
            let at = sampled.at(i as f64 / 8.0);
            assert!((at.x - value).abs() < 1e-15 && at.y == 0.0);
        }
    }

    #[test]
    fn slopes_vs_differences() {
        let sampled = sampled(17);
        for u in [0.03, 0.3, 0.512, 0.97] {
            let (a, b, here) = (sampled.at(u - 1e-6), sampled.at(u + 1e-6), sampled.at(u));
            assert!(((b.x - a.x) / 2e-6 - here.dx).abs() < 1e-7);
            assert!(((b.y - a.y) / 2e-6 - here.dy).abs() < 1e-7);
        }
    }

    #[test]
    fn without_values_nothing_moves() {
        for n in [0, 1] {
            let sampled = SampledDisplacement {
                values: vec![0.0; n],
                azimuth: 1.0,
                envelope: Envelope::Flat,
            };
            assert_eq!(sampled.at(0.5), Offset::default());
        }
    }
}
