//! A single hump that runs along a rope.
//!
//! Barzel 1997, section 4: "a pulse or soliton deformation can be used in addition to cyclic
//! waves". With the centre `c` animated: `magnitude · exp(−((u − c)/w)²)` for a pulse,
//! `magnitude · sech²((u − c)/w)` for a soliton, times the envelope, along an azimuth.
//!
//! Tests: `slopes_vs_differences`, `a_pulse_peaks_at_its_position`.

use super::{Envelope, Offset};
use crate::num::ops;

/// Shape of a pulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PulseShape {
    /// Gaussian: `exp(−x²)`.
    Gaussian,
    /// The solitary wave of shallow water: `sech² x`, with longer tails.
    Soliton,
}

/// A transverse pulse.
#[derive(Clone, Debug, PartialEq)]
pub struct Pulse {
    /// Gaussian or soliton.
    pub shape: PulseShape,
    /// Height in metres.
    pub magnitude: f64,
    /// Position of its peak, as a fraction of the rope; may lie beyond the ends.
    pub position: f64,
    /// Width, as a fraction of the rope.
    pub width: f64,
    /// Direction of the displacement, in radians from the normal towards the binormal.
    pub azimuth: f64,
    /// Weight along the rope.
    pub envelope: Envelope,
}

impl Pulse {
    /// The displacement at `u`.
    pub fn at(&self, u: f64) -> Offset {
        let (weight, slope) = self.envelope.at(u);
        // A pulse without width moves nothing.
        let width = self.width.abs();
        if width < 1e-9 {
            return Offset::default();
        }
        let x = (u - self.position) / width;
        let (g, dg) = match self.shape {
            PulseShape::Gaussian => {
                let g = ops::exp(-x * x);
                (g, -2.0 * x * g)
            }
            PulseShape::Soliton => {
                // sech² and its slope through one decaying exponential: no overflow.
                let e = ops::exp(-2.0 * x.abs());
                let g = 4.0 * e / ((1.0 + e) * (1.0 + e));
                (g, -2.0 * x.signum() * (1.0 - e) / (1.0 + e) * g)
            }
        };
        let w = self.magnitude * weight * g;
        let dw = self.magnitude * (slope * g + weight * dg / width);
        let (sa, ca) = ops::sin_cos(self.azimuth);
        Offset { x: w * ca, y: w * sa, dx: dw * ca, dy: dw * sa }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pulse(shape: PulseShape) -> Pulse {
        Pulse {
            shape,
            magnitude: 0.4,
            position: 0.3,
            width: 0.1,
            azimuth: 0.0,
            envelope: Envelope::Flat,
        }
    }

    #[test]
    fn a_pulse_peaks_at_its_position() {
        for shape in [PulseShape::Gaussian, PulseShape::Soliton] {
            let p = pulse(shape);
            assert!((p.at(0.3).x - 0.4).abs() < 1e-15);
            assert!(p.at(0.9).x < 1e-4 && p.at(0.9).x >= 0.0);
            assert!((p.at(0.2).x - p.at(0.4).x).abs() < 1e-15);
        }
        // sech² 1 and exp(−1), one width from the top.
        assert!(
            (pulse(PulseShape::Soliton).at(0.4).x / 0.4 - 0.419_974_341_614_026_1).abs() < 1e-14
        );
        assert!(
            (pulse(PulseShape::Gaussian).at(0.4).x / 0.4 - 0.367_879_441_171_442_33).abs() < 1e-14
        );
    }

    #[test]
    fn slopes_vs_differences() {
        for shape in [PulseShape::Gaussian, PulseShape::Soliton] {
            let p = Pulse { envelope: Envelope::BOTH_ENDS, ..pulse(shape) };
            for k in 1..100 {
                let (u, h) = (f64::from(k) / 100.0 + 1e-4, 1e-6);
                let difference = (p.at(u + h).x - p.at(u - h).x) / (2.0 * h);
                assert!((difference - p.at(u).dx).abs() < 1e-6, "{shape:?} at {u}");
            }
        }
    }

    #[test]
    fn extreme_widths_stay_finite() {
        for width in [0.0, 1e-300, 1e300] {
            for shape in [PulseShape::Gaussian, PulseShape::Soliton] {
                let o = Pulse { width, ..pulse(shape) }.at(0.77);
                assert!(o.x.is_finite() && o.dx.is_finite());
            }
        }
    }
}
