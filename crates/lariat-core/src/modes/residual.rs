//! Reconstruction errors of modes, and the direction in which they travel.
//!
//! Errors are measured point by point on the recording, after each mode, so that a user choosing
//! the number of modes sees the gain of each.
//!
//! A wave travels along a rope if neighbouring points move one after another. With the weights
//! `W(u)` of a mode along a rope, `Im Σ W̄ W'` is the change of phase along the rope, weighted by
//! the squared amplitude. Divided by `|W| |W'|` it is ±1 for a travelling wave (`W = e^(iku)`), 0
//! for a standing wave (`W` of one phase everywhere), and between these for a mixture. The
//! derivative is a central difference, so held ends contribute nothing.
//!
//! Tests: `residuals_decrease_to_the_error_of_the_set`, `a_travelling_wave_has_a_direction`,
//! `a_standing_wave_has_no_direction`.

use num_complex::Complex64;

use super::{Mode, ModeSet, PartKind, Recording};

/// Distance between a recording and the motion rebuilt from its modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// Root mean square over all points and frames, in metres.
    pub rms: f64,
    /// Largest distance of any point at any frame, in metres.
    pub worst: f64,
    /// `rms` divided by the root mean square of the motion about its mean pose.
    pub rms_share: f64,
    /// `worst` divided by the largest distance of any point from its mean.
    pub worst_share: f64,
}

/// Accumulator of a [`Residual`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ResidualSum {
    points: usize,
    sum: f64,
    worst: f64,
    moved: f64,
    farthest: f64,
}

impl ResidualSum {
    /// Adds one point: its squared error, and its squared distance from its mean.
    pub fn add(&mut self, off_squared: f64, moved_squared: f64) {
        self.points += 1;
        self.sum += off_squared;
        self.worst = self.worst.max(off_squared);
        self.moved += moved_squared;
        self.farthest = self.farthest.max(moved_squared);
    }

    /// The residual of all points added so far.
    pub fn residual(&self) -> Residual {
        let share = |part: f64, whole: f64| if whole > 0.0 { (part / whole).sqrt() } else { 0.0 };
        Residual {
            rms: (self.sum / self.points.max(1) as f64).sqrt(),
            worst: self.worst.sqrt(),
            rms_share: share(self.sum, self.moved),
            worst_share: share(self.worst, self.farthest),
        }
    }
}

impl ModeSet {
    /// Residual after each mode together with all before it. `None` if the recording has other
    /// points or frames than the one the modes were extracted from.
    pub fn residual_after_each_mode(&self, recording: &Recording) -> Option<Vec<Residual>> {
        let (width, first) = (self.mean().len(), self.origin().first);
        let skipped = usize::try_from(first - recording.first()).ok()?;
        if recording.width() != width || recording.frames() < skipped + self.frames() {
            return None;
        }
        let rows = &recording.rows()[skipped * width..][..self.frames() * width];
        let mut sums = vec![ResidualSum::default(); self.modes().len()];
        let mut residual = vec![0.0; width];
        for (frame, row) in rows.chunks_exact(width).enumerate() {
            for ((residual, x), mean) in residual.iter_mut().zip(row).zip(self.mean()) {
                *residual = x - mean;
            }
            let moved: Vec<f64> = residual.chunks_exact(3).map(squared).collect();
            for (mode, sum) in self.modes().iter().zip(&mut sums) {
                let c = mode.coefficients[frame];
                for (residual, w) in residual.iter_mut().zip(&mode.weights) {
                    *residual -= w.re * c.re - w.im * c.im;
                }
                for (point, moved) in residual.chunks_exact(3).zip(&moved) {
                    sum.add(squared(point), *moved);
                }
            }
        }
        Some(sums.iter().map(ResidualSum::residual).collect())
    }

    /// Share of a mode that travels along its ropes, signed: 1 towards their ends, −1 towards their
    /// starts, 0 for a standing wave. `None` if there are no ropes, or they do not move.
    pub fn travel(&self, mode: &Mode) -> Option<f64> {
        let (mut phase, mut size, mut change) = (0.0, 0.0, 0.0);
        let mut weights = &mode.weights[..];
        for part in self.parts() {
            let (own, after) = weights.split_at(3 * part.points);
            weights = after;
            if !matches!(part.kind, PartKind::Strand { .. }) {
                continue;
            }
            for i in 3..own.len().saturating_sub(3) {
                let (w, slope) = (own[i], 0.5 * (own[i + 3] - own[i - 3]));
                phase += (w.conj() * slope).im;
                size += w.norm_sqr();
                change += slope.norm_sqr();
            }
        }
        let whole = (size * change).sqrt();
        // A larger phase is earlier, so a wave travels towards falling phase.
        (whole > 0.0).then(|| -phase / whole)
    }
}

fn squared(point: &[f64]) -> f64 {
    point.iter().map(|x| x * x).sum()
}

impl Mode {
    /// Largest displacement of any point for a curve of size 1, in the unit of the curve: the
    /// semi-major axis of the point's elliptical path.
    pub fn max_displacement(&self) -> f64 {
        let of_point = |w: &[Complex64]| {
            let size: f64 = w.iter().map(Complex64::norm_sqr).sum();
            let flat: Complex64 = w.iter().map(|w| w * w).sum();
            0.5 * (size + crate::num::complex::abs(flat))
        };
        self.weights.chunks_exact(3).map(of_point).fold(0.0, f64::max).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::modes::{ExtractOptions, ModeCount, Part, extract};
    use crate::motion::FrameRate;
    use crate::num::ops;

    /// A rope of 21 points over 120 frames, displaced by `height(u, t)` in two directions.
    fn modes_of(height: impl Fn(f64, f64) -> f64, count: usize) -> (Recording, ModeSet) {
        let part = Part { name: "rope".into(), points: 21, kind: PartKind::plain_strand() };
        let mut rows = Vec::new();
        for frame in 0..120 {
            for point in 0..21 {
                let (u, t) = (f64::from(point) / 20.0, f64::from(frame) / 24.0);
                let height = height(u, t);
                rows.extend([u, 0.6 * height, 0.8 * height]);
            }
        }
        let recording = Recording::new(FrameRate::FILM, 1, vec![part], 120, rows).unwrap();
        let mode_count = ModeCount::Count(count);
        let options = ExtractOptions { mode_count, lowest: Some(1.0), ..ExtractOptions::default() };
        let set = extract(&recording, &options, &mut |_| ControlFlow::Continue(())).unwrap();
        (recording, set)
    }

    fn held(u: f64) -> f64 {
        ops::sin_cos_turns(0.5 * u).0
    }

    #[test]
    fn residuals_decrease_to_the_error_of_the_set() {
        let height = |u: f64, t: f64| {
            0.2 * held(u) * ops::cos_turns(2.0 * t - u) + 0.05 * u * ops::cos_turns(3.1 * t)
        };
        let (recording, set) = modes_of(height, 3);
        let errors = set.residual_after_each_mode(&recording).unwrap();
        assert_eq!(errors.len(), 3);
        assert!(errors.windows(2).all(|two| two[1].rms < two[0].rms), "{errors:?}");
        let origin = set.origin();
        assert!((errors[2].rms - origin.rms).abs() < 1e-15, "{errors:?}");
        assert!((errors[2].worst - origin.worst).abs() < 1e-15, "{errors:?}");
        for (error, mode) in errors.iter().zip(set.modes()) {
            assert!((error.rms_share - mode.residual).abs() < 1e-12, "{error:?}");
            assert!(error.worst_share > error.worst && error.worst_share < 1.0, "{error:?}");
        }
        let (another, _) = modes_of(|u, t| u * ops::cos_turns(t), 1);
        let first = Recording::new(
            FrameRate::FILM,
            40,
            another.parts().to_vec(),
            120,
            another.rows().to_vec(),
        );
        assert_eq!(set.residual_after_each_mode(&first.unwrap()), None);
    }

    #[test]
    fn a_travelling_wave_has_a_direction() {
        for (ripples, sign) in [(1.0, 1.0), (-1.0, -1.0), (2.5, 1.0)] {
            let (_, set) =
                modes_of(|u, t| 0.1 * held(u) * ops::cos_turns(2.0 * t - ripples * u), 1);
            let travel = set.travel(&set.modes()[0]).unwrap();
            assert!(travel * sign > 0.8, "{travel} for {ripples} ripples");
        }
    }

    #[test]
    fn a_standing_wave_has_no_direction() {
        let stands = |u: f64, t: f64| ops::sin_cos_turns(u).0 * ops::cos_turns(2.0 * t);
        let (_, set) = modes_of(stands, 1);
        assert!(set.travel(&set.modes()[0]).unwrap().abs() < 1e-6);
        // A mesh has no ends.
        let faces = PartKind::Mesh { counts: vec![3], corners: vec![0, 1, 2] };
        let part = Part { name: "belly".into(), points: 21, kind: faces };
        let modes = set.modes().to_vec();
        let mesh = ModeSet::new(*set.origin(), vec![part], set.mean().to_vec(), modes).unwrap();
        assert_eq!(mesh.travel(&mesh.modes()[0]), None);
    }

    #[test]
    fn the_largest_displacement_is_the_semi_major_axis() {
        // The second point moves in a circle of radius 0.3, the first oscillates by 0.2.
        let w = |re: f64, im: f64| Complex64::new(re, im);
        let zero = Complex64::ZERO;
        let (_, set) = modes_of(|u, t| u * ops::cos_turns(2.0 * t), 1);
        let circle = [zero, w(0.0, 0.2), zero, w(0.3, 0.0), w(0.0, 0.3), zero].to_vec();
        let mode = Mode { weights: circle, ..set.modes()[0].clone() };
        assert!((mode.max_displacement() - 0.3).abs() < 1e-15, "{}", mode.max_displacement());
        let line = Mode { weights: vec![w(0.3, 0.0), w(0.4, 0.0), zero], ..mode };
        assert!((line.max_displacement() - 0.5).abs() < 1e-15, "{}", line.max_displacement());
    }
}
