//! A tail: a tapering rope whose bends follow one curve, each lagging behind the one before.
//!
//! Kass & Anderson 2008, section 6.1 and figure 6. The curve drives the bend at the base; every
//! joint further out bends in proportion to its width, with a phase lag. The lag grows along the
//! tail at a rate proportional to the width: quickly in the thick part, slowly in the tip.
//!
//! Joints are short arcs, so their number changes the smoothness of a tail but not its shape. They
//! are bends of a loose rope ([`LooseRope`](super::LooseRope)), to which waves, further bends and
//! the floor apply as well.
//!
//! Tests: `joints_sum_to_the_whole_bend`, `the_tip_lags_by_the_whole_lag`,
//! `lag_grows_with_the_width`, `travel_time_vs_integrated_wave_speed`.

use glam::DVec2;
use num_complex::Complex64;

use crate::curve::bend::Bend;
use crate::num::{complex, ops};

/// Growth of the lag along a tail.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum LagGrowth {
    /// At a rate proportional to the width, as published.
    #[default]
    ByWidth,
    /// Evenly.
    Uniform,
}

/// The joints of a tail, with the share of the bend and the lag of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Tail {
    /// For each joint its share of the bend (they sum to 1) and its fraction of the lag (0 to 1).
    joints: Vec<(f64, f64)>,
}

/// Drive of a tail in one direction: rest angle and complex displacement from it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drive {
    /// The bend at rest in radians, over the whole tail.
    pub rest: f64,
    /// Displacement from rest in radians, over the whole tail without lag; the argument is the phase.
    pub swing: Complex64,
}

impl Tail {
    /// A tail of `joints` joints; `width` returns its width at 0–1 along it.
    pub fn new(joints: usize, growth: LagGrowth, width: impl Fn(f64) -> f64) -> Self {
        let n = joints.max(1);
        let widths: Vec<f64> =
            (0..n).map(|k| width((k as f64 + 0.5) / n as f64).max(0.0)).collect();
        let total: f64 = widths.iter().sum();
        let even = 1.0 / n as f64;
        let share = |w: f64| if total > 0.0 { w / total } else { even };
        let mut so_far = 0.0;
        let joints = widths
            .iter()
            .map(|w| {
                let lag = match growth {
                    LagGrowth::ByWidth => share(*w),
                    LagGrowth::Uniform => even,
                };
                let joint = (share(*w), so_far);
                so_far += lag;
                joint
            })
            .collect::<Vec<_>>();
        // The first joint has no lag, the last the whole lag.
        let last = joints[n - 1].1;
        let whole = if last > 0.0 { 1.0 / last } else { 0.0 };
        Self { joints: joints.into_iter().map(|(share, lag)| (share, lag * whole)).collect() }
    }

    /// Appends the bends, up and sideways; the last joint lags `lag` radians behind the first.
    pub fn bends(&self, lift: Drive, swing: Drive, lag: f64, out: &mut Vec<Bend>) {
        let lag = |_: f64, share: f64| lag * share;
        self.bends_by((lift, lag), (swing, lag), out);
    }

    /// Appends the bends, up and sideways, each with a lag in radians that is a function of the
    /// position 0–1: a wave takes the same time along the tail at any frequency, so the faster of
    /// two swings has the larger phase lag.
    pub fn bends_at(
        &self,
        (lift, lift_lag): (Drive, impl Fn(f64) -> f64),
        (swing, swing_lag): (Drive, impl Fn(f64) -> f64),
        out: &mut Vec<Bend>,
    ) {
        self.bends_by((lift, |u, _| lift_lag(u)), (swing, |u, _| swing_lag(u)), out);
    }

    /// Appends the bends; the lags are functions of the position and of the fraction of the lag there.
    fn bends_by(
        &self,
        (lift, lift_lag): (Drive, impl Fn(f64, f64) -> f64),
        (swing, swing_lag): (Drive, impl Fn(f64, f64) -> f64),
        out: &mut Vec<Bend>,
    ) {
        let n = self.joints.len() as f64;
        for (k, (share, behind)) in self.joints.iter().enumerate() {
            let u = k as f64 / n;
            // Eq. 20; negative, so that outer joints follow later.
            let bent = |drive: Drive, lag: f64| {
                drive.rest / n + share * (drive.swing * complex::cis(-lag)).re
            };
            let towards =
                DVec2::new(bent(lift, lift_lag(u, *behind)), bent(swing, swing_lag(u, *behind)));
            out.push(Bend {
                position: u,
                length: 1.0 / n,
                angle: towards.length(),
                azimuth: ops::atan2(towards.y, towards.x),
            });
        }
    }
}

/// Travel time in seconds of a wave down a rope that hangs under its own weight, from the top to `u`
/// (0–1); `length` in metres. The wave speed is `√(g (L - s))`.
pub fn wave_travel_time(length: f64, u: f64) -> f64 {
    const GRAVITY: f64 = 9.81;
    2.0 * (length / GRAVITY).sqrt() * (1.0 - (1.0 - u.clamp(0.0, 1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use crate::num::quadrature::gauss8;

    fn drive(swing: Complex64) -> Drive {
        Drive { rest: 0.0, swing }
    }

    fn signed(bend: &Bend) -> f64 {
        bend.angle * ops::sin(bend.azimuth)
    }

    #[test]
    fn joints_sum_to_the_whole_bend() {
        for joints in [1, 7, 40] {
            let tail = Tail::new(joints, LagGrowth::ByWidth, |u| 1.0 - 0.8 * u);
            let mut bends = Vec::new();
            let lift = Drive { rest: 0.3, swing: Complex64::ZERO };
            tail.bends(lift, drive(Complex64::new(0.9, 5.0)), 0.0, &mut bends);
            assert_eq!(bends.len(), joints);
            let sum: f64 = bends.iter().map(signed).sum();
            let up: f64 = bends.iter().map(|b| b.angle * ops::cos(b.azimuth)).sum();
            assert!((sum - 0.9).abs() < 1e-12 && (up - 0.3).abs() < 1e-12, "{sum}, {up}");
        }
    }

    #[test]
    fn the_tip_lags_by_the_whole_lag() {
        let tail = Tail::new(12, LagGrowth::ByWidth, |u| 1.0 - 0.5 * u);
        let at = |phase: f64| {
            let mut bends = Vec::new();
            tail.bends(Drive::default(), drive(complex::cis(phase)), 1.1, &mut bends);
            (signed(&bends[0]), signed(&bends[11]))
        };
        // The base peaks at phase 0, the tip when the phase has advanced by the lag.
        let peak = |pick: fn((f64, f64)) -> f64| {
            (0..3600)
                .map(|i| f64::from(i) / 3600.0 * TAU)
                .max_by(|a, b| pick(at(*a)).total_cmp(&pick(at(*b))))
                .unwrap()
        };
        assert!(peak(|bends| bends.0).abs() < 2e-3);
        assert!((peak(|bends| bends.1) - 1.1).abs() < 2e-3);
    }

    #[test]
    fn lag_grows_with_the_width() {
        let tail = Tail::new(100, LagGrowth::ByWidth, |u| 1.0 - u);
        // ∫ (1 - u) = u - u²/2, divided by 1/2 over the whole tail.
        for k in [10, 50, 90] {
            let u = k as f64 / 100.0;
            let published = 2.0 * u - u * u;
            assert!(
                (tail.joints[k].1 - published).abs() < 2e-3,
                "{} for {published}",
                tail.joints[k].1
            );
        }
        let even = Tail::new(100, LagGrowth::Uniform, |u| 1.0 - u);
        assert!((even.joints[50].1 - 50.0 / 99.0).abs() < 1e-12);
    }

    #[test]
    fn travel_time_vs_integrated_wave_speed() {
        let length = 2.5;
        for u in [0.1, 0.5, 0.9] {
            let by_speed = gauss8(0.0, u * length, |s| 1.0 / (9.81 * (length - s)).sqrt());
            assert!((wave_travel_time(length, u) - by_speed).abs() < 1e-4);
        }
    }

    #[test]
    fn a_tail_without_width_still_bends() {
        let tail = Tail::new(5, LagGrowth::ByWidth, |_| 0.0);
        let mut bends = Vec::new();
        tail.bends(Drive::default(), drive(Complex64::ONE), 1.0, &mut bends);
        assert!(bends.iter().all(|b| b.angle.is_finite()));
        assert!((bends[0].angle - 0.2).abs() < 1e-12);
    }
}
