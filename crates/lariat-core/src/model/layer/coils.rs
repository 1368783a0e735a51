//! Distribution of the coils of a spring: pincers and compression waves.
//!
//! Barzel 1997, section 3.4 and appendices A.7-A.9. The coils are a curve `v(u)` on the unrolled
//! cylinder, from `(0, 0)` to `(1, N)`; coils are dense where it is steep. It must be monotone, or
//! coils would run backwards. Its layers are the straight line (rest), pincers (gross) and
//! compression waves.
//!
//! # Differences from the paper
//!
//! * Its compression wave moves the ends, and the plateau envelope that should hold them breaks
//!   monotonicity: with 30 coils, one bunch and `k = 1` nearly two coils run backwards. The
//!   default here is pinned and joint over all waves,
//!   `v' = (v + Σ kⱼ N Wⱼ(u)/Wⱼ(1)) / (1 + Σ kⱼ)`, exact at both ends and monotone for every
//!   `k ≥ 0`. [`Compression::Published`] is the paper's form.
//! * [`Compression::RigidEnds`] weighs the coil density by the plateau instead, so that end coils
//!   keep their spacing; it stays monotone too.
//! * Pincers that hold more coils than the spring has are scaled down, with a warning.
//!
//! Tests: `pincers_hold_their_coils`, `coils_never_run_backwards`,
//! `the_published_form_runs_backwards`, `rigid_ends_keep_their_spacing`, `slopes_vs_differences`.

use std::f64::consts::TAU;

use super::Envelope;
use crate::num::{ops, quadrature::gauss8};

/// Holds a number of coils within a stretch of the spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pincer {
    /// Start along the backbone, 0–1.
    pub position: f64,
    /// Length along the backbone, 0–1.
    pub length: f64,
    /// Number of coils that it holds.
    pub count: f64,
}

/// A periodic bunching of the coils.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompressionWave {
    /// Tightness `k`, 0 or more.
    pub magnitude: f64,
    /// Number of bunches.
    pub frequency: f64,
    /// In radians.
    pub phase: f64,
}

/// Treatment of the ends of a spring by compression waves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Compression {
    /// The first and the last coil stay in place; always monotone.
    #[default]
    Pinned,
    /// The coils near the ends keep their spacing, over this fraction of the spring.
    RigidEnds {
        /// Width of the plateau's ramps.
        plateau: f64,
    },
    /// As in the paper, with its plateau: may run backwards.
    Published {
        /// Width of the plateau's ramps.
        plateau: f64,
    },
}

/// Adjustment of pincers that contradict each other or the spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PincerWarning {
    /// They hold more coils than the spring has; all were scaled down.
    TooMany {
        /// Total number of coils that they were to hold.
        held: f64,
        /// Coils of the spring.
        coils: f64,
    },
    /// They cover the whole spring and hold fewer coils than it has; all were scaled up.
    NoRoom {
        /// Total number of coils that they were to hold.
        held: f64,
        /// Coils of the spring.
        coils: f64,
    },
    /// Two of them overlap, given by their indices in the list; their densities were added.
    Overlap {
        /// The earlier one.
        first: usize,
        /// The later one.
        second: usize,
    },
}

/// The coil curve `v(u)`.
#[derive(Clone, Debug)]
pub struct Coils {
    coils: f64,
    /// Corners of the gross curve: (u, v), ascending.
    corners: Vec<(f64, f64)>,
    /// Half width of the rounding at each corner.
    rounding: f64,
    waves: Vec<CompressionWave>,
    /// Scale of each pinned wave: `k N / W(1)`; 0 where `W(1)` vanishes.
    pinned: Vec<f64>,
    /// 1 plus the `k` of all waves with a scale.
    weight: f64,
    compression: Compression,
    /// ∫ of the modulated density, for rigid ends.
    rigid: Vec<Node>,
}

/// An entry of the table for rigid ends. Between two entries the curve is the cubic with these values
/// and slopes.
#[derive(Clone, Copy, Debug)]
struct Node {
    u: f64,
    v: f64,
    /// Density just before and just after; it jumps at the ends of pincers.
    before: f64,
    after: f64,
}

/// Steps per bunch of the table for rigid ends, besides one at every corner. The error of the cubics
/// between them is 4e-6 coils for a hundred coils; with half as many steps it is sixteen times that.
const RIGID_STEPS: f64 = 25.6;
/// Limits on the number of steps.
const MIN_STEPS: f64 = 512.0;
const MAX_STEPS: f64 = 8192.0;
/// Overlap of two pincers that counts as rounding.
const TOUCHING: f64 = 1e-12;
/// Smallest `W(1)` of a pinned wave; only waves of far less than one bunch are below it.
const MIN_W: f64 = 1e-3;

impl Coils {
    /// The curve of `coils` coils with pincers and waves; `rounding` is the fraction, 0–1, of the room
    /// between corners that is rounded.
    pub fn new(
        coils: f64,
        pincers: &[Pincer],
        rounding: f64,
        waves: &[CompressionWave],
        compression: Compression,
    ) -> (Self, Option<PincerWarning>) {
        let (corners, warning) = corners(coils.max(0.0), pincers);
        let shortest = corners.windows(2).map(|w| w[1].0 - w[0].0).fold(1.0, f64::min);
        let mut curve = Self {
            coils: coils.max(0.0),
            corners,
            rounding: 0.5 * shortest * rounding.clamp(0.0, 1.0),
            waves: waves.iter().copied().filter(|w| w.magnitude > 0.0).collect(),
            pinned: Vec::new(),
            weight: 1.0,
            compression,
            rigid: Vec::new(),
        };
        for wave in &curve.waves {
            let whole = pinned_wave(wave, 1.0);
            let counts = whole > MIN_W;
            curve.pinned.push(if counts { wave.magnitude * curve.coils / whole } else { 0.0 });
            curve.weight += if counts { wave.magnitude } else { 0.0 };
        }
        if let Compression::RigidEnds { plateau } = compression
            && !curve.waves.is_empty()
        {
            curve.tabulate_rigid(plateau);
        }
        (curve, warning)
    }

    /// `v` at `u`, the number of coils before it: 0 at the start, all coils at the end.
    pub fn at(&self, u: f64) -> f64 {
        let u = u.clamp(0.0, 1.0);
        if self.waves.is_empty() {
            return self.gross(u);
        }
        match self.compression {
            Compression::Pinned => {
                if u == 0.0 {
                    return 0.0;
                }
                if u == 1.0 {
                    return self.coils;
                }
                let mut sum = self.gross(u);
                for (wave, scale) in self.waves.iter().zip(&self.pinned) {
                    sum += scale * pinned_wave(wave, u);
                }
                sum / self.weight
            }
            Compression::RigidEnds { .. } => {
                let (a, b) = self.rigid_step(u);
                if u >= b.u {
                    return b.v;
                }
                let (h, t) = (b.u - a.u, (u - a.u) / (b.u - a.u));
                let s = 1.0 - t;
                a.v + (b.v - a.v) * (t * t * (3.0 - 2.0 * t))
                    + h * t * s * (a.after * s - b.before * t)
            }
            Compression::Published { plateau } => {
                let v = self.gross(u);
                let weight = Envelope::Plateau { width: plateau }.at(u).0;
                let moved: f64 =
                    self.waves.iter().map(|w| published_wave(w, self.coils, u, v)).sum();
                v + weight * moved
            }
        }
    }

    /// The gross curve: straight pieces with rounded corners.
    fn gross(&self, u: f64) -> f64 {
        let c = &self.corners;
        let i = c.partition_point(|p| p.0 <= u).clamp(1, c.len() - 1) - 1;
        let slope = |i: usize| (c[i + 1].1 - c[i].1) / (c[i + 1].0 - c[i].0);
        // Within the rounding of an inner corner.
        for k in [i, i + 1] {
            if k == 0 || k == c.len() - 1 {
                continue;
            }
            let d = u - c[k].0;
            if d.abs() < self.rounding {
                let (m0, m1) = (slope(k - 1), slope(k));
                let reach = d + self.rounding;
                return c[k].1 + m0 * d + (m1 - m0) * reach * reach / (4.0 * self.rounding);
            }
        }
        if u == c[i + 1].0 { c[i + 1].1 } else { c[i].1 + slope(i) * (u - c[i].0) }
    }

    /// Slope of the gross curve: constant between corners, interpolated over rounded ones. At a sharp
    /// corner it is that of the piece after it, or of the piece before it if `before` is set.
    fn gross_slope(&self, u: f64, before: bool) -> f64 {
        let c = &self.corners;
        let passed = c.partition_point(|p| if before { p.0 < u } else { p.0 <= u });
        let i = passed.clamp(1, c.len() - 1) - 1;
        let slope = |i: usize| (c[i + 1].1 - c[i].1) / (c[i + 1].0 - c[i].0);
        for k in [i, i + 1] {
            let d = u - c[k].0;
            if k > 0 && k < c.len() - 1 && d.abs() < self.rounding {
                let (m0, m1) = (slope(k - 1), slope(k));
                return m0 + (m1 - m0) * (d + self.rounding) / (2.0 * self.rounding);
            }
        }
        slope(i)
    }

    /// Coils per unit of `u`.
    pub(crate) fn slope(&self, u: f64) -> f64 {
        let gross = self.gross_slope(u, false);
        if self.waves.is_empty() {
            return gross;
        }
        match self.compression {
            Compression::Pinned => {
                let waves = self.waves.iter().zip(&self.pinned);
                (gross + waves.map(|(w, scale)| scale * wave_density(w, u)).sum::<f64>())
                    / self.weight
            }
            Compression::RigidEnds { .. } => {
                let (a, b) = self.rigid_step(u);
                let (h, t) = (b.u - a.u, (u - a.u) / (b.u - a.u));
                let s = 1.0 - t;
                6.0 * t * s * (b.v - a.v) / h
                    + a.after * s * (1.0 - 3.0 * t)
                    + b.before * t * (3.0 * t - 2.0)
            }
            Compression::Published { plateau } => {
                let (weight, slope) = Envelope::Plateau { width: plateau }.at(u);
                let v = self.gross(u);
                let moved = |w: &CompressionWave| {
                    let k = w.magnitude / (1.0 + w.magnitude);
                    slope * published_wave(w, self.coils, u, v)
                        + weight * k * (self.coils * wave_density(w, u) - gross)
                };
                gross + self.waves.iter().map(moved).sum::<f64>()
            }
        }
    }

    /// Appends the parameters at which the slope may jump or have a corner, besides the ends.
    pub(crate) fn cuts(&self, out: &mut Vec<f64>) {
        for (u, _) in &self.corners {
            out.extend([u - self.rounding, u + self.rounding]);
        }
        let width = match self.compression {
            _ if self.waves.is_empty() => return,
            Compression::Pinned => return,
            Compression::RigidEnds { plateau } | Compression::Published { plateau } => {
                plateau.clamp(0.0, 0.5)
            }
        };
        out.extend([width, 1.0 - width]);
    }

    /// Largest number of bunches of a wave.
    pub(crate) fn bunches(&self) -> f64 {
        self.waves.iter().map(|w| w.frequency.abs()).fold(0.0, f64::max)
    }

    /// The two entries of the table around `u`.
    fn rigid_step(&self, u: f64) -> (Node, Node) {
        let after = self.rigid.partition_point(|n| n.u <= u).clamp(1, self.rigid.len() - 1);
        (self.rigid[after - 1], self.rigid[after])
    }

    /// Tabulates the density `(1 − K e) v′ + K e N (1 + cos)`, never negative, scaled to N coils.
    fn tabulate_rigid(&mut self, plateau: f64) {
        let k: f64 = self.waves.iter().map(|w| w.magnitude).sum();
        let envelope = Envelope::Plateau { width: plateau };
        let density = |u: f64, before: bool| {
            let e = envelope.at(u).0 * k / (1.0 + k);
            let waves: f64 = self.waves.iter().map(|w| w.magnitude / k * wave_density(w, u)).sum();
            ((1.0 - e) * self.gross_slope(u, before) + e * self.coils * waves).max(0.0)
        };
        // Corners are entries of the table, so that the density is smooth between two entries.
        let steps = (RIGID_STEPS * self.bunches()).clamp(MIN_STEPS, MAX_STEPS).ceil();
        let mut places: Vec<f64> = (0..=steps as u32).map(|i| f64::from(i) / steps).collect();
        self.cuts(&mut places);
        places.retain(|u| (0.0..=1.0).contains(u));
        places.sort_by(f64::total_cmp);
        places.dedup();
        let mut sum = 0.0;
        let mut table: Vec<Node> = Vec::with_capacity(places.len());
        for u in places {
            if let Some(last) = table.last() {
                sum += gauss8(last.u, u, |u| density(u, false));
            }
            table.push(Node { u, v: sum, before: density(u, true), after: density(u, false) });
        }
        let scale = if sum > 0.0 { self.coils / sum } else { 0.0 };
        for node in &mut table {
            (node.v, node.before, node.after) =
                (node.v * scale, node.before * scale, node.after * scale);
        }
        let last = table.len() - 1;
        table[last].v = self.coils;
        // A cubic whose end slopes are at most three times its mean slope is monotone (Fritsch and
        // Carlson 1980); rounding, or a wave finer than the steps, may exceed that.
        for i in 0..last {
            let most =
                3.0 * ((table[i + 1].v - table[i].v) / (table[i + 1].u - table[i].u)).max(0.0);
            table[i].after = table[i].after.min(most);
            table[i + 1].before = table[i + 1].before.min(most);
        }
        self.rigid = table;
    }
}

/// Relative density of coils in a wave: `1 + cos(2πλu + φ)`, the slope of the paper's `W`.
fn wave_density(wave: &CompressionWave, u: f64) -> f64 {
    1.0 + ops::cos_turns(wave.frequency * u + wave.phase / TAU)
}

/// `u (1 + cos(π λ u + φ) sinc(λ u))`: the paper's `W(u) − W(0)`, well behaved as `λ → 0`.
fn pinned_wave(wave: &CompressionWave, u: f64) -> f64 {
    // In turns: half a turn for every bunch.
    let turns = 0.5 * wave.frequency * u;
    let x = TAU * turns;
    let sinc = if x.abs() < 1e-4 { 1.0 - x * x / 6.0 } else { ops::sin_turns(turns) / x };
    u * (1.0 + ops::cos_turns(turns + wave.phase / TAU) * sinc)
}

/// The displacement of A.9: `K (N (u + sin(2πλu + φ)/2πλ) − v)`.
fn published_wave(wave: &CompressionWave, coils: f64, u: f64, v: f64) -> f64 {
    let k = wave.magnitude / (1.0 + wave.magnitude);
    let w = TAU * wave.frequency;
    let staircase = if w.abs() < 1e-6 {
        ops::sin(wave.phase) / w.max(1e-6)
    } else {
        ops::sin(w * u + wave.phase) / w
    };
    k * (coils * (u + staircase) - v)
}

/// The corners of A.7's curve, and a warning if pincers had to be adjusted.
fn corners(coils: f64, pincers: &[Pincer]) -> (Vec<(f64, f64)>, Option<PincerWarning>) {
    let mut warning = None;
    // In order along the spring, limited to it, with their index in the list for the warning.
    let mut held: Vec<(usize, f64, f64, f64)> = pincers
        .iter()
        .enumerate()
        .map(|(i, p)| {
            let start = p.position.clamp(0.0, 1.0);
            let end = (p.position + p.length.max(0.0)).clamp(start, 1.0);
            (i, start, end, p.count.max(0.0))
        })
        .filter(|(_, start, end, _)| end > start)
        .collect();
    held.sort_by(|a, b| a.1.total_cmp(&b.1));
    let sum: f64 = held.iter().map(|h| h.3).sum();
    if sum > coils {
        warning = Some(PincerWarning::TooMany { held: sum, coils });
        let scale = coils / sum;
        for h in &mut held {
            h.3 *= scale;
        }
    }
    let sum = sum.min(coils);
    if let Some(w) = held.windows(2).find(|w| w[1].1 < w[0].2 - TOUCHING) {
        warning = warning.or(Some(PincerWarning::Overlap { first: w[0].0, second: w[1].0 }));
    }
    // Density of coils on every piece between pincer ends. Densities are added where pincers overlap,
    // which stays monotone.
    let mut cuts: Vec<f64> = held.iter().flat_map(|h| [h.1, h.2]).chain([0.0, 1.0]).collect();
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let inside = |u: f64| held.iter().filter(move |h| h.1 <= u && u <= h.2);
    let free: f64 = cuts
        .windows(2)
        .filter(|w| inside(0.5 * (w[0] + w[1])).next().is_none())
        .map(|w| w[1] - w[0])
        .sum();
    // Pincers that cover the whole spring share all coils.
    if free <= 0.0 && sum < coils * (1.0 - 1e-9) {
        warning = warning.or(Some(PincerWarning::NoRoom { held: sum, coils }));
    }
    let (outside, stretch) = if free > 0.0 {
        ((coils - sum) / free, 1.0)
    } else if sum > 0.0 {
        (0.0, coils / sum)
    } else {
        (0.0, 1.0)
    };
    let mut v = 0.0;
    let mut corners = vec![(0.0, 0.0)];
    for w in cuts.windows(2) {
        let middle = 0.5 * (w[0] + w[1]);
        let density: f64 = inside(middle).map(|h| h.3 / (h.2 - h.1)).sum();
        let covered = inside(middle).next().is_some();
        v += (w[1] - w[0]) * if covered { density * stretch } else { outside };
        corners.push((w[1], v));
    }
    let last = corners.len() - 1;
    if sum > 0.0 || free > 0.0 {
        corners[last].1 = coils;
    }
    (corners, warning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::PI;

    fn least_step(coils: &Coils) -> f64 {
        (1..=4000)
            .map(|i| coils.at(f64::from(i) / 4000.0) - coils.at(f64::from(i - 1) / 4000.0))
            .fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn pincers_hold_their_coils() {
        let pincers = [
            Pincer { position: 0.6, length: 0.1, count: 12.0 },
            Pincer { position: 0.2, length: 0.2, count: 5.0 },
        ];
        let (coils, warning) = Coils::new(30.0, &pincers, 0.0, &[], Compression::Pinned);
        assert_eq!(warning, None);
        for p in pincers {
            let held = coils.at(p.position + p.length) - coils.at(p.position);
            assert!((held - p.count).abs() < 1e-13);
        }
        assert_eq!((coils.at(0.0), coils.at(1.0)), (0.0, 30.0));
        // Outside: (30 − 17) coils over 0.7 of the spring.
        assert!((coils.at(0.1) - 0.1 * 13.0 / 0.7).abs() < 1e-13);
    }

    #[test]
    fn rounding_keeps_the_ends_and_the_middles() {
        let pincer = [Pincer { position: 0.4, length: 0.2, count: 20.0 }];
        let (sharp, _) = Coils::new(30.0, &pincer, 0.0, &[], Compression::Pinned);
        let (round, _) = Coils::new(30.0, &pincer, 0.5, &[], Compression::Pinned);
        assert_eq!((round.at(0.0), round.at(1.0)), (0.0, 30.0));
        assert!((round.at(0.5) - sharp.at(0.5)).abs() < 1e-13);
        assert!((round.at(0.4) - sharp.at(0.4)).abs() > 0.01);
        // No corner: the slope changes little over a small step.
        let slope = |u: f64| (round.at(u + 1e-6) - round.at(u - 1e-6)) / 2e-6;
        assert!((slope(0.35) - slope(0.3499)).abs() < 1.0);
        assert!(least_step(&round) > 0.0);
    }

    #[test]
    fn too_many_pinched_coils_are_scaled_and_reported() {
        let pincers = [
            Pincer { position: 0.1, length: 0.1, count: 30.0 },
            Pincer { position: 0.5, length: 0.1, count: 30.0 },
        ];
        let (coils, warning) = Coils::new(40.0, &pincers, 0.0, &[], Compression::Pinned);
        assert_eq!(warning, Some(PincerWarning::TooMany { held: 60.0, coils: 40.0 }));
        assert!((coils.at(0.2) - 20.0).abs() < 1e-12 && coils.at(1.0) == 40.0);
        let overlap = [
            Pincer { position: 0.1, length: 0.3, count: 3.0 },
            Pincer { position: 0.2, length: 0.3, count: 3.0 },
        ];
        let (_, warning) = Coils::new(40.0, &overlap, 0.0, &[], Compression::Pinned);
        assert_eq!(warning, Some(PincerWarning::Overlap { first: 0, second: 1 }));
    }

    #[test]
    fn pincers_that_leave_no_room_are_reported() {
        let all = |count| {
            [
                Pincer { position: 0.0, length: 0.4, count },
                Pincer { position: 0.4, length: 0.6, count },
            ]
        };
        let (coils, warning) = Coils::new(40.0, &all(10.0), 0.0, &[], Compression::Pinned);
        assert_eq!(warning, Some(PincerWarning::NoRoom { held: 20.0, coils: 40.0 }));
        assert_eq!(coils.at(1.0), 40.0);
        let (_, warning) = Coils::new(40.0, &all(20.0), 0.0, &[], Compression::Pinned);
        assert_eq!(warning, None);
    }

    #[test]
    fn slopes_vs_differences() {
        let pincer = [Pincer { position: 0.4, length: 0.2, count: 20.0 }];
        let waves = [
            CompressionWave { magnitude: 0.8, frequency: 3.3, phase: 0.4 },
            CompressionWave { magnitude: 2.0, frequency: 5.0, phase: 1.0 },
        ];
        for compression in [
            Compression::Pinned,
            Compression::RigidEnds { plateau: 0.1 },
            Compression::Published { plateau: 0.1 },
        ] {
            for (rounding, waves) in [(0.5, &waves[..]), (0.0, &waves[..]), (0.5, &[])] {
                let (coils, _) = Coils::new(50.0, &pincer, rounding, waves, compression);
                for k in 0..500 {
                    // Never within a step of a corner.
                    let (u, h) = ((f64::from(k) + 0.37) / 500.0, 1e-6);
                    let difference = (coils.at(u + h) - coils.at(u - h)) / (2.0 * h);
                    let off = (coils.slope(u) - difference).abs();
                    assert!(off < 2e-3, "{compression:?} at {u}: {off}");
                }
            }
        }
    }

    #[test]
    fn the_published_form_runs_backwards() {
        // [B9] of docs/papers/barzel.md: N = 30, λ = 1, k = 1, φ = π/2 runs 1.9 coils backwards.
        let wave = [CompressionWave { magnitude: 1.0, frequency: 1.0, phase: PI / 2.0 }];
        let (published, _) =
            Coils::new(30.0, &[], 0.0, &wave, Compression::Published { plateau: 0.5 / 30.0 });
        assert!(least_step(&published) < 0.0);
        let mut backwards = 0.0_f64;
        let mut highest = 0.0_f64;
        for i in 0..=4000 {
            let v = published.at(f64::from(i) / 4000.0);
            highest = highest.max(v);
            backwards = backwards.max(highest - v);
        }
        assert!((backwards - 1.9).abs() < 0.1, "{backwards} coils");
        let (pinned, _) = Coils::new(30.0, &[], 0.0, &wave, Compression::Pinned);
        assert!(least_step(&pinned) >= 0.0);
    }

    #[test]
    fn pinned_equals_published_for_whole_bunches() {
        let wave = [CompressionWave { magnitude: 0.8, frequency: 3.0, phase: 0.0 }];
        let (pinned, _) = Coils::new(20.0, &[], 0.0, &wave, Compression::Pinned);
        for i in 0..=100 {
            let u = f64::from(i) / 100.0;
            let published = 20.0 * u + published_wave(&wave[0], 20.0, u, 20.0 * u);
            assert!((pinned.at(u) - published).abs() < 1e-12);
        }
    }

    #[test]
    fn rigid_ends_keep_their_spacing() {
        let wave = [CompressionWave { magnitude: 2.0, frequency: 4.0, phase: 1.0 }];
        let rigid = Compression::RigidEnds { plateau: 0.2 };
        let (coils, _) = Coils::new(50.0, &[], 0.0, &wave, rigid);
        assert_eq!((coils.at(0.0), coils.at(1.0)), (0.0, 50.0));
        assert!(least_step(&coils) >= 0.0);
        // Near the ends the spacing is nearly even, in the middle it is not.
        let density = |u: f64| (coils.at(u + 0.005) - coils.at(u - 0.005)) / 0.01;
        let ratio = density(0.99) / density(0.01);
        assert!((0.9..1.1).contains(&ratio), "{ratio}");
    }

    proptest! {
        #[test]
        fn coils_never_run_backwards(
            n in 1.0..200.0_f64,
            pincers in prop::collection::vec((0.0..1.0_f64, 0.01..0.5_f64, 0.0..80.0_f64), 0..4),
            waves in prop::collection::vec((0.0..20.0_f64, 0.0..12.0_f64, -7.0..7.0_f64), 0..4),
            rounding in 0.0..1.0_f64,
            rigid in any::<bool>(),
        ) {
            let pincers: Vec<_> = pincers.iter().map(|&(position, length, count)| Pincer { position, length, count }).collect();
            let waves: Vec<_> = waves.iter().map(|&(magnitude, frequency, phase)| CompressionWave { magnitude, frequency, phase }).collect();
            let compression = if rigid { Compression::RigidEnds { plateau: 0.1 } } else { Compression::Pinned };
            let (coils, _) = Coils::new(n, &pincers, rounding, &waves, compression);
            prop_assert_eq!(coils.at(0.0), 0.0);
            prop_assert_eq!(coils.at(1.0), n);
            prop_assert!(least_step(&coils) >= -1e-12 * n, "{}", least_step(&coils));
        }
    }
}
