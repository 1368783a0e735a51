//! A transverse wave along a rope.
//!
//! Barzel 1997, appendix A.3 (its figure is lost; the formula is inferred, see `docs/papers/barzel.md`):
//! `env(u) · magnitude · sin(2π · frequency · u + phase)` along `cos(azimuth) n + sin(azimuth) b`.
//! A larger phase moves the pattern towards `u = 0`, so a wave that travels outwards has a phase
//! that falls with time.
//!
//! Tests: `nothing_moves_further_than_the_magnitude`, `slopes_vs_differences`,
//! `the_loop_over_samples_agrees_with_single_values`.

use std::f64::consts::TAU;

use super::{Envelope, Layout, Offset, Offsets};
use crate::num::{ops, rotor};

/// A transverse wave.
#[derive(Clone, Debug, PartialEq)]
pub struct Wave {
    /// Height in metres.
    pub magnitude: f64,
    /// Ripples: cycles over the whole rope.
    pub frequency: f64,
    /// In radians.
    pub phase: f64,
    /// Direction of the displacement, in radians from the normal towards the binormal.
    pub azimuth: f64,
    /// Weight along the rope.
    pub envelope: Envelope,
}

impl Wave {
    /// The displacement at `u`.
    pub fn at(&self, u: f64) -> Offset {
        let (weight, slope) = self.envelope.at(u);
        let turns = self.frequency * u + self.phase / TAU;
        let (sin, cos) = ops::sin_cos_turns(turns);
        let w = self.magnitude * weight * sin;
        let dw = self.magnitude * (slope * sin + weight * TAU * self.frequency * cos);
        let (sa, ca) = ops::sin_cos(self.azimuth);
        Offset { x: w * ca, y: w * sa, dx: dw * ca, dy: dw * sa }
    }

    /// Adds the wave to arrays: equal to [`at`](Self::at) up to rounding, but by rotation instead of
    /// evaluation for the envelopes of the paper.
    pub(super) fn add_to(&self, sum: &mut Offsets, layout: Layout) {
        let n = layout.len();
        let Envelope::Sine { env } = self.envelope else {
            (0..n).for_each(|i| sum.add(i, self.at(layout.place(i))));
            return;
        };
        let table = sum.envelope(env, layout);
        let (weights, slopes) = (&table.weights[..n], &table.slopes[..n]);
        let (sa, ca) = ops::sin_cos(self.azimuth);
        let (m, dm) = (self.magnitude, self.magnitude * TAU * self.frequency);
        let (x, y) = (&mut sum.x[..n], &mut sum.y[..n]);
        let (dx, dy) = (&mut sum.dx[..n], &mut sum.dy[..n]);
        let (places, stride) = layout.lanes();
        let lanes = places.map(|u| self.frequency * u + self.phase / TAU);
        rotor::at_strides(lanes, self.frequency * stride, n, |i, sin, cos| {
            let w = m * weights[i] * sin;
            let dw = m * slopes[i] * sin + dm * weights[i] * cos;
            x[i] += w * ca;
            y[i] += w * sa;
            dx[i] += dw * ca;
            dy[i] += dw * sa;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::layer::{Hold, Layers};

    fn wave(envelope: Envelope) -> Wave {
        Wave { magnitude: 0.3, frequency: 2.5, phase: 0.7, azimuth: 1.1, envelope }
    }

    #[test]
    fn nothing_moves_further_than_the_magnitude() {
        let wave = wave(Envelope::Flat);
        let mut most: f64 = 0.0;
        for k in 0..=1000 {
            let o = wave.at(f64::from(k) / 1000.0);
            most = most.max(ops::hypot(o.x, o.y));
        }
        assert!(most <= 0.3 * (1.0 + 1e-15) && most > 0.299);
    }

    #[test]
    fn slopes_vs_differences() {
        let wave = wave(Envelope::Sine { env: 0.6 });
        for k in 1..100 {
            let (u, h) = (f64::from(k) / 100.0, 1e-6);
            let (a, b) = (wave.at(u - h), wave.at(u + h));
            assert!(((b.x - a.x) / (2.0 * h) - wave.at(u).dx).abs() < 1e-8);
            assert!(((b.y - a.y) / (2.0 * h) - wave.at(u).dy).abs() < 1e-8);
        }
    }

    #[test]
    fn the_loop_over_samples_agrees_with_single_values() {
        for envelope in [Envelope::BOTH_ENDS, Envelope::Flat, Envelope::Plateau { width: 0.2 }] {
            let wave = wave(envelope);
            for layout in [Layout::Even(33), Layout::Gauss(5)] {
                let (mut sum, layers) = (Offsets::default(), [wave.clone().into()]);
                assert!(sum.fill_layout(Layers { list: &layers, hold: Hold::default() }, layout));
                for i in 0..layout.len() {
                    let o = wave.at(layout.place(i));
                    assert!((sum.x[i] - o.x).abs() < 1e-15 && (sum.y[i] - o.y).abs() < 1e-15);
                    assert!((sum.dx[i] - o.dx).abs() < 1e-13 && (sum.dy[i] - o.dy).abs() < 1e-13);
                }
            }
        }
    }

    #[test]
    fn held_ends_stay() {
        let wave = wave(Envelope::BOTH_ENDS);
        assert_eq!((wave.at(0.0).x, wave.at(1.0).x), (0.0, 0.0));
    }

    #[test]
    fn a_larger_phase_moves_the_pattern_towards_the_start() {
        let crest = |phase: f64| {
            let wave = Wave {
                phase,
                envelope: Envelope::Flat,
                azimuth: 0.0,
                frequency: 1.0,
                magnitude: 1.0,
            };
            (0..1000)
                .map(|k| f64::from(k) / 1000.0)
                .max_by(|a, b| wave.at(*a).x.total_cmp(&wave.at(*b).x))
                .unwrap()
        };
        assert!(crest(0.3) < crest(0.0));
    }
}
