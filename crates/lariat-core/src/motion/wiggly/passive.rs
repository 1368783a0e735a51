//! Passive response of the spring to a moving equilibrium and to external forces.
//!
//! `x'' + 2d (x' - e') + (d² + ω²)(x - e) = f`: the damper is fixed to the equilibrium, as in the
//! paper, where only the acceleration of the equilibrium drives the spring. The equation is
//! integrated once from rest, cell by cell, each cell exact for constant `d` and `ω`, with Gauss
//! quadrature on four points for the driving terms. Within a cell the curve is the quintic through
//! value, slope and curvature at both ends.
//!
//! The imaginary part is that of the free oscillation with the same value and slope,
//! `Im y = -(y' + d y)/ω`, `y = x - e`. This is the paper's complex spring with one pole; driving
//! both poles would make the response to every force swell for a second before it decays.
//!
//! Without a spring after the last knot the response is held, as the curve is, unless a force acts.
//!
//! In a loop the response is the periodic one. An undamped spring with a whole number of cycles per
//! period has none; it is then damped until a period takes half of the amplitude, and the curve has
//! the least cost relative to that response.

use num_complex::Complex64;

use super::spring::{Now, Spring};
use crate::motion::Channel;
use crate::num::ops;

/// Length of a cell in units of `1/√(d² + ω²)`; the error of the quintic is then 2e-9.
const CELL: f64 = 0.2;

/// Minimum number of cells per second while the spring is driven.
const CELLS_WHEN_DRIVEN: f64 = 96.0;

/// Maximum number of cells: three hours while driven; beyond that cells are longer.
const MAX_CELLS: usize = 1 << 20;

/// Below this `det(1 - Φ)`, the square of the loss per period, the periodic response would be a
/// hundred times the driving terms.
const RESONANT: f64 = 1e-4;

/// Share of the amplitude that is left after a period of a braked resonant loop.
const KEPT: f64 = 0.5;

/// Gauss-Legendre points and weights on 0–1.
const POINTS: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];

/// Tabulated response of one component.
#[derive(Clone, Debug)]
pub(super) struct Passive {
    around: Channel<f64>,
    /// Ends of the cells, one more than cells; value, slope and curvature at the start of each
    /// cell and just before its end.
    times: Vec<f64>,
    cells: Vec<[[f64; 3]; 2]>,
    /// Equilibrium and spring after the table.
    rest: f64,
    after: Now,
    period: Option<f64>,
}

/// Value and slope.
#[derive(Clone, Copy, Debug, Default)]
struct Moving {
    x: f64,
    v: f64,
}

impl Passive {
    /// Response to an equilibrium and a force from rest at `start`; `None` if neither acts. The
    /// driving terms are held beyond `until`. From `held_from` on the response is held wherever
    /// there is neither spring nor force.
    pub(super) fn new(
        spring: &Spring,
        around: &Channel<f64>,
        push: &Channel<f64>,
        (start, until): (f64, f64),
        period: Option<f64>,
        held_from: f64,
    ) -> Option<Self> {
        if around.is_constant() && push.is_constant() && push.at(0.0) == 0.0 {
            return None;
        }
        let end = match period {
            Some(period) => start + period,
            None => until.max(start),
        };
        let mut drive = Drive { spring, around, push, brake: 0.0, held_from };
        let begin = Moving { x: around.at(start), v: 0.0 };
        let mut passive = Self {
            around: around.clone(),
            times: vec![start],
            cells: Vec::new(),
            rest: 0.0,
            after: spring.at(end),
            period,
        };
        let joints = drive.joints(start, end);
        match period {
            None => {
                passive.run(&drive, &joints, begin);
            }
            Some(period) => {
                if passive.loss(&drive, &joints) < RESONANT {
                    drive.brake = -ops::ln(KEPT) / period;
                }
                let begin = passive.periodic_start(&drive, &joints, begin);
                passive.run(&drive, &joints, begin);
            }
        }
        let now = passive.after;
        let offset = if now.is_slack() { 0.0 } else { push.at(end) / now.stiffness() };
        passive.rest = around.at(end) + offset;
        Some(passive)
    }

    /// Fills the table and returns the final state.
    fn run(&mut self, drive: &Drive<'_>, joints: &[f64], begin: Moving) -> Moving {
        self.times.truncate(1);
        self.cells.clear();
        let mut state = begin;
        for joint in joints.windows(2) {
            let (from, to) = (joint[0], joint[1]);
            state.v += drive.kick(from);
            let count =
                drive.cells(from, to).min(MAX_CELLS.saturating_sub(self.cells.len()).max(1));
            let h = (to - from) / count as f64;
            for j in 0..count {
                let here = from + j as f64 * h;
                let there = if j + 1 == count { to } else { from + (j + 1) as f64 * h };
                if drive.holds(here, there) {
                    state.v = 0.0;
                }
                let next = drive.step(here, there, state);
                let curved = |t: f64, s: Moving| [s.x, s.v, drive.acceleration(t, s)];
                self.cells.push([curved(here, state), curved(there.next_down(), next)]);
                self.times.push(there);
                state = next;
            }
        }
        state
    }

    /// Final states of an undriven period from unit value and from unit slope.
    fn transition(&mut self, drive: &Drive<'_>, joints: &[f64]) -> [Moving; 2] {
        let still = Drive { around: &0.0.into(), push: &0.0.into(), ..*drive };
        [Moving { x: 1.0, v: 0.0 }, Moving { x: 0.0, v: 1.0 }]
            .map(|unit| self.run(&still, joints, unit))
    }

    /// Squared loss of amplitude per period.
    fn loss(&mut self, drive: &Drive<'_>, joints: &[f64]) -> f64 {
        let [a, b] = self.transition(drive, joints);
        (1.0 - a.x) * (1.0 - b.v) - b.x * a.v
    }

    /// Initial state of the periodic response.
    fn periodic_start(&mut self, drive: &Drive<'_>, joints: &[f64], begin: Moving) -> Moving {
        let [a, b] = self.transition(drive, joints);
        let end = self.run(drive, joints, begin);
        let gap = Moving { x: end.x - begin.x, v: end.v - begin.v };
        let loss = (1.0 - a.x) * (1.0 - b.v) - b.x * a.v;
        Moving {
            x: begin.x + ((1.0 - b.v) * gap.x + b.x * gap.v) / loss,
            v: begin.v + (a.v * gap.x + (1.0 - a.x) * gap.v) / loss,
        }
    }

    /// Value and slope at a time.
    pub(super) fn at(&self, t: f64) -> (f64, f64) {
        let (start, end) = (self.times[0], self.times[self.times.len() - 1]);
        let t = match self.period {
            Some(period) => super::solved::in_period(t, start, period),
            None => t,
        };
        if t < start || t.is_nan() || self.cells.is_empty() {
            return (self.around.at(t), self.around.slope(t));
        }
        if t >= end {
            return self.after(t - end);
        }
        let i = self.times.partition_point(|time| *time <= t) - 1;
        let i = i.min(self.cells.len() - 1);
        let h = self.times[i + 1] - self.times[i];
        quintic(&self.cells[i], (t - self.times[i]) / h, h)
    }

    /// Free oscillation after the table.
    fn after(&self, tau: f64) -> (f64, f64) {
        let [x, v, _] = self.cells[self.cells.len() - 1][1];
        let now = &self.after;
        let moved = free(now, tau, Moving { x: x - self.rest, v });
        if now.is_slack() { (x, 0.0) } else { (self.rest + moved.x, moved.v) }
    }

    /// Complex deviation from the equilibrium.
    pub(super) fn deviation(&self, t: f64, now: &Now) -> Complex64 {
        let (x, v) = self.at(t);
        let t = match self.period {
            Some(period) => super::solved::in_period(t, self.times[0], period),
            None => t,
        };
        let (y, v) = (x - self.around.at(t), v - self.around.slope(t));
        Complex64::new(y, now.quadrature(y, v))
    }
}

/// Driving terms.
struct Drive<'a> {
    spring: &'a Spring,
    around: &'a Channel<f64>,
    push: &'a Channel<f64>,
    /// Additional decay per second.
    brake: f64,
    /// Time from which the response is held where neither spring nor force acts.
    held_from: f64,
}

impl Drive<'_> {
    /// Whether the response is held between two times.
    fn holds(&self, from: f64, to: f64) -> bool {
        let is_free = |t: f64| self.spring.at(t).is_slack() && self.push.at(t) == 0.0;
        from >= self.held_from && [from, 0.5 * (from + to), to.next_down()].into_iter().all(is_free)
    }

    fn now(&self, t: f64) -> Now {
        let now = self.spring.at(t);
        Now { d: now.d + self.brake, ..now }
    }

    /// The ends of the table and every key between them.
    fn joints(&self, start: f64, end: f64) -> Vec<f64> {
        let mut joints = vec![start, end];
        let springs = self.spring.channels();
        for channel in springs.into_iter().chain([self.around, self.push]) {
            joints.extend(channel.key_times().iter().filter(|t| **t > start && **t < end));
        }
        joints.sort_by(f64::total_cmp);
        joints.dedup();
        joints
    }

    fn cells(&self, from: f64, to: f64) -> usize {
        let rate = |t: f64| self.now(t).stiffness().sqrt();
        let rate = rate(from).max(rate(0.5 * (from + to))).max(rate(to.next_down()));
        ((to - from) * (rate / CELL).max(CELLS_WHEN_DRIVEN)).ceil().max(1.0) as usize
    }

    /// Velocity that a jump of the equilibrium gives the spring through its damper.
    fn kick(&self, t: f64) -> f64 {
        let jump = self.around.at(t) - self.around.at(t.next_down());
        // A continuous equilibrium does not change within the last bit of a time.
        if jump.abs() > 1e-9 * self.around.at(t).abs() { 2.0 * self.now(t).d * jump } else { 0.0 }
    }

    fn acceleration(&self, t: f64, s: Moving) -> f64 {
        let now = self.now(t);
        let k = now.stiffness();
        let (e, speed) = (self.around.at(t), self.around.slope(t));
        self.push.at(t) - 2.0 * now.d * (s.v - speed) - k * (s.x - e)
    }

    /// Advances one cell.
    fn step(&self, from: f64, to: f64, s: Moving) -> Moving {
        let h = to - from;
        let now = self.now(0.5 * (from + to));
        let k = now.stiffness();
        // Relative to the equilibrium at the start, so that rest stays exact.
        let e0 = self.around.at(from);
        let mut out = free(&now, h, Moving { x: s.x - e0, v: s.v });
        for (place, weight) in POINTS {
            let t = from + place * h;
            let drive =
                2.0 * now.d * self.around.slope(t) + k * (self.around.at(t) - e0) + self.push.at(t);
            let kick = free(&now, to - t, Moving { x: 0.0, v: 1.0 });
            out.x += weight * h * drive * kick.x;
            out.v += weight * h * drive * kick.v;
        }
        Moving { x: out.x + e0, v: out.v }
    }
}

/// Free damped oscillation about 0.
fn free(now: &Now, tau: f64, s: Moving) -> Moving {
    let Now { omega, d, .. } = *now;
    let (sin, cos) = ops::sin_cos(omega * tau);
    let reach = if omega * tau > 1e-8 { sin / omega } else { tau };
    let fade = ops::exp(-d * tau);
    if fade == 0.0 {
        return Moving::default();
    }
    let z = s.v + d * s.x;
    let x = fade * (s.x * cos + z * reach);
    Moving { x, v: fade * (z * cos - s.x * (omega * sin)) - d * x }
}

/// Value and slope of the quintic Hermite interpolant of a cell.
fn quintic(ends: &[[f64; 3]; 2], s: f64, h: f64) -> (f64, f64) {
    let [f, df, ddf] = ends[0];
    let (df, ddf) = (df * h, 0.5 * ddf * h * h);
    let a = ends[1][0] - (f + df + ddf);
    let b = ends[1][1] * h - (df + 2.0 * ddf);
    let c = ends[1][2] * h * h - 2.0 * ddf;
    let c3 = 10.0 * a - 4.0 * b + 0.5 * c;
    let c4 = -15.0 * a + 7.0 * b - c;
    let c5 = 6.0 * a - 3.0 * b + 0.5 * c;
    let value = f + s * (df + s * (ddf + s * (c3 + s * (c4 + s * c5))));
    let slope = df + s * (2.0 * ddf + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)));
    (value, slope / h)
}
