//! Hilbert transform of a recorded motion: the imaginary part that gives an oscillation its phase.
//!
//! A recording has the position of a point but not its phase. The Hilbert transform delays every
//! frequency of a motion by a quarter of a cycle: `cos ωt` becomes `sin ωt`, and the two together
//! are `e^(iωt)`, whose angle is the phase (Kass and Anderson 2008, §6.3, after Oppenheim and
//! Schafer).
//!
//! [`Hilbert::filter`] is a finite filter of type III: `2K + 1` taps, antisymmetric,
//! `h[n] = 2/(πn)` for odd `n` and 0 for even `n`, with a Hamming window. It needs `K` frames on
//! both sides, so the first and last `K` frames of a recording are dropped. (Type IV, of even
//! length, has its output between the frames.) The gain is within 1 % from `5.2/K` to `π − 5.2/K`
//! radians per frame; [`half_length_for`] keeps some distance from these limits.
//!
//! [`Hilbert::periodic`] is for loops. It is exact at every frequency and drops no frames: a
//! circular filter, the sum over all frequencies of the discrete Fourier transform in closed form.
//!
//! # Differences from the paper
//!
//! The paper does not treat the ends of a recording. Padding with the mean, the mirror image or
//! zeros has an error of 6–13 % and shifts frequencies; dropping the frames has about 1 %.
//!
//! Tests: `the_gain_is_within_a_percent_above_the_stated_frequencies`,
//! `the_transform_is_a_quarter_cycle_later`, `a_periodic_transform_is_exact`.

use std::f64::consts::PI;

use crate::num::ops;

/// Half length of the filter in units of `1/ω`, for the lowest frequency `ω` of interest. The gain
/// is within 1 % from 5.2 on. Smaller: the imaginary part of slow modes is too weak, and a
/// spurious second mode appears. Larger: more frames are dropped at the ends.
pub const REACH: f64 = 6.0;

/// Half length `K` of a filter for motion down to `lowest` radians per frame. Odd, since the last
/// tap of an even one is zero.
pub fn half_length_for(lowest: f64) -> usize {
    // No recording is longer than the upper limit, and twice the limit fits a 32-bit count.
    ((REACH / lowest).ceil().clamp(1.0, 1e9) as usize) | 1
}

/// Hilbert transformer with taps `h[n]` for `n > 0`; `h[−n] = −h[n]`, `h[0] = 0`.
///
/// Fields are private because taps and margin depend on each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Hilbert {
    /// Non-zero taps as `(n, h[n])`, by rising `n > 0`.
    taps: Vec<(usize, f64)>,
    /// Frames dropped at each end.
    margin: usize,
    /// Frames per loop; 0 for a filter.
    period: usize,
}

impl Hilbert {
    /// Filter of half length `k`, which drops `k` frames at each end.
    pub fn filter(k: usize) -> Self {
        let window = |n: usize| 0.54 + 0.46 * ops::cos(PI * n as f64 / k as f64);
        let taps = (1..=k).step_by(2).map(|n| (n, window(n) * 2.0 / (PI * n as f64))).collect();
        Self { taps, margin: k, period: 0 }
    }

    /// Transformer of a loop of `frames` frames.
    pub fn periodic(frames: usize) -> Self {
        let n_frames = frames as f64;
        // 2/N Σ sin(2πmn/N) over the frequencies m below half the frames, summed in closed form.
        // The mean, and the Nyquist frequency of an even loop, have no imaginary part.
        let tap = |n: usize| {
            let turns = 0.5 * n as f64 / n_frames;
            let (sin, cos) = ops::sin_cos_turns(turns);
            let last = if frames.is_multiple_of(2) {
                if n.is_multiple_of(2) { cos } else { -cos }
            } else if n.is_multiple_of(2) {
                1.0
            } else {
                -1.0
            };
            (cos - last) / (n_frames * sin)
        };
        // Taps n and N − n form a pair of opposite sign. The middle tap of an even loop is
        // unpaired and zero.
        let taps =
            (1..frames.div_ceil(2)).map(|n| (n, tap(n))).filter(|(_, tap)| *tap != 0.0).collect();
        Self { taps, margin: 0, period: frames }
    }

    /// Frames dropped at each end.
    pub fn margin(&self) -> usize {
        self.margin
    }

    /// Frames of a motion of `frames` frames that have a transform.
    pub fn kept(&self, frames: usize) -> usize {
        frames.saturating_sub(2 * self.margin)
    }

    /// Gain at `w` radians per frame; 1 is ideal.
    pub fn gain(&self, w: f64) -> f64 {
        2.0 * self.taps.iter().map(|&(n, tap)| tap * ops::sin(w * n as f64)).sum::<f64>()
    }

    /// Transforms rows of `width` numbers, one row per frame, into `out`. Each column is an
    /// independent signal.
    ///
    /// # Panics
    /// If the number of frames differs from that of the loop.
    pub fn rows(&self, rows: &[f64], width: usize, out: &mut Vec<f64>) {
        let frames = rows.len().checked_div(width).unwrap_or(0);
        assert!(self.period == 0 || self.period == frames, "a loop of {} frames", self.period);
        let kept = self.kept(frames);
        out.clear();
        out.resize(kept * width, 0.0);
        for (t, out) in out.chunks_exact_mut(width.max(1)).enumerate() {
            for &(n, tap) in &self.taps {
                let (before, after) = self.neighbours(t, n);
                let before = &rows[before * width..][..width];
                let after = &rows[after * width..][..width];
                for ((out, b), a) in out.iter_mut().zip(before).zip(after) {
                    *out += tap * (b - a);
                }
            }
        }
    }

    /// Adds `scale` times row `t` of the transform's matrix to `row`, which has an entry per frame.
    pub(super) fn add_row(&self, t: usize, scale: f64, row: &mut [f64]) {
        for &(n, tap) in &self.taps {
            let (before, after) = self.neighbours(t, n);
            row[before] += scale * tap;
            row[after] -= scale * tap;
        }
    }

    /// Indices of the frames `n` before and `n` after output frame `t`.
    fn neighbours(&self, t: usize, n: usize) -> (usize, usize) {
        if self.period == 0 {
            (t + self.margin - n, t + self.margin + n)
        } else {
            ((t + self.period - n) % self.period, (t + n) % self.period)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    /// `cos(w t + phase)` over `frames` frames.
    fn swing(frames: usize, w: f64, phase: f64) -> Vec<f64> {
        (0..frames).map(|t| ops::cos(w * t as f64 + phase)).collect()
    }

    fn transform(hilbert: &Hilbert, signal: &[f64]) -> Vec<f64> {
        let mut out = Vec::new();
        hilbert.rows(signal, 1, &mut out);
        out
    }

    #[test]
    fn the_gain_is_within_a_percent_above_the_stated_frequencies() {
        // Lengths 31, 63, 127, 255.
        for (k, from) in [(15, 0.345), (31, 0.165), (63, 0.082), (127, 0.041)] {
            let hilbert = Hilbert::filter(k);
            for i in 0..=1000 {
                let w = from + (PI - 2.0 * from) * f64::from(i) / 1000.0;
                let gain = hilbert.gain(w);
                assert!((gain - 1.0).abs() < 0.01, "length {}: {gain} at {w}", 2 * k + 1);
            }
            let below = hilbert.gain(0.8 * from);
            assert!(below < 0.985, "length {}: {below} further down", 2 * k + 1);
        }
        for lowest in [0.02, 0.1, 0.35, 1.0] {
            let k = half_length_for(lowest);
            assert!((Hilbert::filter(k).gain(lowest) - 1.0).abs() < 0.01, "{k} for {lowest}");
        }
    }

    #[test]
    fn the_stated_gain_is_the_measured_one() {
        let hilbert = Hilbert::filter(15);
        for w in [0.1, 0.4, 1.7, 3.0] {
            let out = transform(&hilbert, &swing(80, w, 0.3));
            assert_eq!(out.len(), 50);
            for (t, value) in out.iter().enumerate() {
                let expected = hilbert.gain(w) * ops::sin(w * (t + 15) as f64 + 0.3);
                assert!((value - expected).abs() < 1e-13, "{value} for {expected}");
            }
        }
    }

    #[test]
    fn the_transform_is_a_quarter_cycle_later() {
        let w = 0.5;
        for (hilbert, frames, first) in
            [(Hilbert::filter(21), 63, 21), (Hilbert::periodic(63), 63, 0)]
        {
            // The transform of a cosine is a sine.
            let w = if first == 0 { TAU * 5.0 / 63.0 } else { w };
            let out = transform(&hilbert, &swing(frames, w, 0.0));
            for (t, value) in out.iter().enumerate() {
                assert!((value - ops::sin(w * (t + first) as f64)).abs() < 0.01, "frame {t}");
            }
        }
    }

    #[test]
    fn a_periodic_transform_is_exact() {
        for frames in [1, 2, 3, 8, 24, 25, 97] {
            let hilbert = Hilbert::periodic(frames);
            for cycles in 0..=frames / 2 {
                let w = TAU * cycles as f64 / frames as f64;
                let out = transform(&hilbert, &swing(frames, w, 0.7));
                // The mean and the Nyquist frequency have no imaginary part.
                let has_none = cycles == 0 || 2 * cycles == frames;
                for (t, value) in out.iter().enumerate() {
                    let exact = if has_none { 0.0 } else { ops::sin(w * t as f64 + 0.7) };
                    assert!((value - exact).abs() < 2e-13, "{cycles} of {frames}: {value}");
                }
            }
        }
    }

    #[test]
    fn a_constant_has_no_imaginary_part() {
        let mut still = Vec::new();
        Hilbert::filter(5).rows(&[3.25; 60], 3, &mut still);
        assert_eq!(still, [0.0; 30]);
        Hilbert::filter(5).rows(&[3.25; 9], 1, &mut still);
        assert_eq!(still, [0.0; 0], "fewer frames than the margins");
    }
}
